//! From what the grammar matched to the typed views.
//!
//! Nothing here assumes more about the shape of the pairs than it checks: what is missing becomes a broken node, never a panic.

mod expr;
mod item;
mod line;
mod number;
mod rules;
mod types;

use crate::ast::{Item, Str, Word};
use crate::error::SyntaxError;
pub(crate) use crate::nodes::P;
use crate::parse::Rule;
use crate::span::Span;

pub(crate) struct Builder<'i> {
    /// The text as it was written: the pairs come from a copy without comments.
    pub text: &'i str,
    pub errors: Vec<SyntaxError>,
}

/// Builds the item of a successful match of the rule `item`.
pub(crate) fn build<'i>(text: &'i str, pair: P<'i>) -> (Item, Vec<SyntaxError>) {
    let mut builder = Builder { text, errors: Vec::new() };
    let item = builder.item(pair);
    (item, builder.errors)
}

pub(crate) fn span(pair: &P) -> Span {
    pair.span()
}

pub(crate) fn word(pair: &P) -> Word {
    Word { text: pair.as_str().into(), span: span(pair) }
}

/// The first `word` among a pair's children.
fn inner_word(pair: P) -> Option<Word> {
    pair.into_inner().find(|p| p.as_rule() == Rule::word).map(|p| word(&p))
}

fn no_word() -> Word {
    Word { text: "".into(), span: Span::default() }
}

fn string(pair: &P) -> Str {
    Str { text: unquote(pair.as_str()).into(), span: span(pair) }
}

/// The words of a string: escapes resolved; prose without the white space around it and at the start of its lines.
fn unquote(text: &str) -> String {
    if let Some(prose) = text.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")) {
        let lines: Vec<&str> = prose.trim().lines().map(str::trim).collect();
        return lines.join("\n");
    }
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    if !inside.contains('\\') {
        return inside.to_owned();
    }
    inside.replace("\\\\", "\u{1}").replace("\\\"", "\"").replace('\u{1}', "\\")
}

impl Builder<'_> {
    /// The `///` lines directly above `at`, joined by spaces.
    fn doc(&self, at: u32) -> Option<Box<str>> {
        // the line itself must hold nothing else before it; looked at from here backwards, as a line may be long and hold thousands
        let before = self.text.get(..at as usize)?.trim_end_matches([' ', '\t', '\r']);
        let mut lines = Vec::new();
        let above = before.strip_suffix('\n')?;
        for line in above.rsplit('\n') {
            match line.trim().strip_prefix("///") {
                Some(doc) => lines.push(doc.trim()),
                None => break,
            }
        }
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join(" ").into())
    }
}
