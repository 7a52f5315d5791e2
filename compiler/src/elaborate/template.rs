//! Text templates: `says "deal {amount} damage to {target}"`.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, Template, TextPart};

use super::Cx;

impl<'db> Cx<'db> {
    pub(super) fn template(&mut self, s: &ast::Str) -> Template {
        let mut parts = Vec::new();
        let text: &str = &s.text;
        // positions are exact where the string has no escapes, which is nearly always
        let at = |offset: usize| s.span.start + 1 + u32::try_from(offset).unwrap_or(0);
        let mut rest = 0;
        while let Some(open) = text[rest..].find('{').map(|i| rest + i) {
            if open > rest {
                parts.push(TextPart::Text(SmolStr::new(&text[rest..open])));
            }
            let Some(close) = text[open..].find('}').map(|i| open + i) else {
                let name =
                    text[open + 1..].find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.')).map_or(text.len(), |i| open + 1 + i);
                self.report(
                    Diagnostic::error("bad-template", Span::new(at(open), at(open + 1)), "This `{` is not closed.")
                        .help("Put `}` after what is to be inserted.")
                        .fix("Close it after the name", Span::new(at(name), at(name)), "}", false),
                );
                rest = text.len();
                break;
            };
            let inside = &text[open + 1..close];
            if let Some(part) = self.inserted(inside, at(open + 1)) {
                parts.push(part);
            }
            rest = close + 1;
        }
        if rest < text.len() {
            parts.push(TextPart::Text(SmolStr::new(&text[rest..])));
        }
        Template { parts, text: SmolStr::new(text), span: s.span }
    }

    fn inserted(&mut self, inside: &str, start: u32) -> Option<TextPart> {
        let span_of = |from: usize, len: usize| Span::new(start + from as u32, start + (from + len) as u32);
        let mut forms = inside.split('|');
        let head = forms.next().unwrap_or("").trim_end();
        let words: Vec<&str> = forms.collect();
        if let Some(path) = head.strip_prefix("a ").or_else(|| head.strip_prefix("an "))
            && words.is_empty()
        {
            let value = self.path(path.trim(), span_of(head.len() - path.len(), path.len()))?;
            return Some(TextPart::Article(value));
        }
        let value = self.path(head, span_of(0, head.len()))?;
        match words.as_slice() {
            [] => Some(TextPart::Value(value)),
            [one, many] => Some(TextPart::Plural(value, SmolStr::new(*one), SmolStr::new(*many))),
            _ => {
                self.report(
                    Diagnostic::error("bad-template", span_of(0, inside.len()), "After a number come two words, for one and for several.")
                        .help("Write for example `{n|wound|wounds}`."),
                );
                None
            }
        }
    }

    /// `target.name`
    fn path(&mut self, path: &str, span: Span) -> Option<Expr> {
        let mut out: Option<Expr> = None;
        let mut offset = span.start;
        for word in path.split('.') {
            let here = Span::new(offset, offset + u32::try_from(word.len()).unwrap_or(0));
            offset = here.end + 1;
            if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric() || c == '_') {
                self.report(
                    Diagnostic::error("bad-template", span, "Only names can be inserted into a text.")
                        .help("Write a parameter or field between `{` and `}`."),
                );
                return None;
            }
            out = Some(match out {
                None => self.name(word, here, None),
                Some(base) => {
                    let span = base.span.to(here);
                    self.field_of(base, &ast::Word { text: word.into(), span: here }, span)
                }
            });
        }
        out
    }
}
