//! From the text of one item to its views and what is wrong with it.

use pest::Parser;

use crate::ast::{Item, ItemKind, Word};
use crate::build;
use crate::code::Code;
use crate::diagnose::misspelt;
use crate::error::SyntaxError;
use crate::layout::{Layout, layout};
use crate::nodes::{Match, nodes};
use crate::recover::recover;
use crate::span::Span;
use crate::split::{Chunk, split};

// the generated parser stays in here: nobody outside the crate sees which tool reads the grammar
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "banneret.pest"]
    pub(crate) struct Grammar;
}
pub(crate) use generated::{Grammar, Rule};

/// One item, read as far as it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    pub item: Item,
    pub errors: Vec<SyntaxError>,
}

/// Reads the text of one chunk. Never fails and never panics; spans count from the start of `text`.
pub fn parse_item(text: &str) -> Parsed {
    let plain = layout(text);
    let whole = Span::new(0, text.len() as u32);
    if plain.too_deep {
        let error =
            SyntaxError::new(Code::NestingTooDeep, whole, "Brackets are nested too deeply here.").help("At most 128 levels can be read.");
        return broken(text, vec![error]);
    }
    if let Some(error) = stray(text) {
        return broken(text, vec![error]);
    }
    match strict(text, &plain.text) {
        Ok(mut parsed) => {
            one_a_line(text, &mut parsed.errors);
            parsed.errors.extend(unclosed_brace(&plain));
            parsed
        }
        Err(at) => tolerant(text, &plain, at),
    }
}

/// Cuts a file and reads all its items.
pub fn parse_file(text: &str) -> Vec<(Chunk, Parsed)> {
    split(text).into_iter().map(|chunk| (chunk, parse_item(chunk.text(text)))).collect()
}

/// Reads a text that must be right; or says how far it could be read.
fn strict(text: &str, plain: &str) -> Result<Parsed, u32> {
    let pairs = Grammar::parse(Rule::item, plain).map_err(|error| place(&error))?;
    let nodes = nodes(pairs);
    let matched = Match { nodes: &nodes, plain };
    let (item, errors) = build::build(text, matched.root().ok_or(0_u32)?);
    Ok(Parsed { item, errors })
}

fn place(error: &pest::error::Error<Rule>) -> u32 {
    match error.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at as u32,
    }
}

/// Reads what can be read around the broken lines.
fn tolerant(text: &str, plain: &Layout, failed_at: u32) -> Parsed {
    if let Some(cause) = plain.stray.and_then(|_| lost_brace(&plain.text)) {
        return broken(text, vec![cause]);
    }
    let (readable, mut errors) = around_broken(text, plain, failed_at);
    if let Some(cause) = errors.iter().find(|e| e.code == Code::MissingBrace).cloned() {
        return broken(text, vec![cause]);
    }
    let parsed = readable.as_deref().and_then(|plain| strict(text, plain).ok());
    errors.extend(parsed.iter().flat_map(|p| p.errors.iter().cloned()));
    one_a_line(text, &mut errors);
    match parsed {
        Some(parsed) => Parsed { item: parsed.item, errors },
        None => broken(text, errors),
    }
}

/// The plain text with its broken lines taken out, if that makes it readable at all.
fn around_broken(text: &str, plain: &Layout, failed_at: u32) -> (Option<String>, Vec<SyntaxError>) {
    let mut errors = Vec::new();
    let mut copy = plain.text.to_string();
    let mut failed = Err(failed_at);
    if let Some(at) = plain.stray {
        let span = Span::new(at, at + 1);
        errors.push(SyntaxError::new(Code::StrayText, span, "This `}` closes nothing.").fix(span, ""));
        // every brace too many is taken out; the message about the first is enough
        copy = without_stray(copy);
        failed = read(&copy);
    }
    errors.extend(unclosed_brace(plain));
    match failed {
        Ok(()) => (Some(copy), errors),
        Err(at) => {
            let (readable, found) = recover(text, &copy, at, read);
            errors.extend(found);
            // a brace too many below a broken line comes from that line, and so does all between them
            if let Some(stray) = plain.stray {
                let first = errors.iter().filter(|e| e.span.start < stray).min_by_key(|e| e.span.start).cloned();
                errors = first.map_or(errors, |cause| vec![cause]);
            }
            (readable, errors)
        }
    }
}

/// Where a brace too many closes something, a line may have lost the one that opens it: lines further in stand below it.
fn lost_brace(plain: &str) -> Option<SyntaxError> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut start = 0;
    let mut lines = plain.split('\n').peekable();
    while let Some(line) = lines.next() {
        let end = start + line.trim_end().len();
        let words = line.split_whitespace().count();
        let opens = !line.contains(['{', ':', '(', '[', '"', '=']) && words == 2 && line.trim_start().starts_with(char::is_alphabetic);
        if opens && lines.peek().is_some_and(|next| !next.trim().is_empty() && indent(next) > indent(line)) {
            let at = Span::new(end as u32, end as u32);
            return Some(
                SyntaxError::new(Code::MissingBrace, at, "At the end of this line a `{` is missing.")
                    .help("The lines of a part stand between `{` and `}`.")
                    .fix(at, " {"),
            );
        }
        start += line.len() + 1;
    }
    None
}

fn read(plain: &str) -> Result<(), u32> {
    Grammar::parse(Rule::item, plain).map(|_| ()).map_err(|e| place(&e))
}

/// The plain text of an item that the grammar accepts, with its broken lines taken out.
pub(crate) fn readable(text: &str, plain: &Layout) -> Option<String> {
    match read(&plain.text) {
        Ok(()) => Some(plain.text.to_string()),
        Err(at) => around_broken(text, plain, at).0,
    }
}

fn unclosed_brace(plain: &Layout) -> Option<SyntaxError> {
    let at = plain.unclosed?;
    Some(SyntaxError::new(Code::UnclosedBrace, Span::new(at, at + 1), "This `{` is never closed.").help("Write `}` where it ends."))
}

fn without_stray(plain: String) -> String {
    let mut bytes = plain.into_bytes();
    let (mut depth, mut i) = (0, 0);
    while i < bytes.len() {
        match crate::layout::lexeme(&bytes, i) {
            crate::layout::Lexeme::Open(b'{') => depth += 1,
            crate::layout::Lexeme::Close(b'}') if depth == 0 => bytes[i] = b' ',
            crate::layout::Lexeme::Close(b'}') => depth -= 1,
            crate::layout::Lexeme::Skip(end) => {
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Of several errors in one line the first is the cause.
fn one_a_line(text: &str, errors: &mut Vec<SyntaxError>) {
    errors.sort_by_key(|e| e.span.start);
    for error in errors.iter_mut().filter(|e| e.code == Code::ReservedWord) {
        *error = twice(text, error.span).unwrap_or_else(|| error.clone());
    }
    errors.dedup_by(|later, first| over_two_lines(text, later, first));
    errors.dedup_by(|later, first| {
        let between = text.get(first.span.start as usize..later.span.start as usize);
        between.is_some_and(|t| !t.contains(['\n', ',', ';', '{', '}']))
    });
    // what stands behind the commas of a `given` belongs to it
    errors.dedup_by(|later, first| {
        let line = text.get(..first.span.start as usize).and_then(|before| before.rsplit('\n').next()).unwrap_or("").len();
        let line = text.get(first.span.start as usize - line..later.span.start as usize).unwrap_or("");
        let word = line.trim_start().split(' ').next().unwrap_or("").to_lowercase();
        !line.contains('\n') && (word == "given" || misspelt(&word, "given"))
    });
}

/// A word that stands directly behind the same word.
fn twice(text: &str, at: Span) -> Option<SyntaxError> {
    let (word, before) = (at.of(text), text.get(..at.start as usize)?);
    let first = before.trim_end_matches(' ');
    let start = first.strip_suffix(word).filter(|rest| rest.ends_with([' ', '\n', '{', '(']))?;
    let message = format!("`{word}` stands here twice.");
    let gap = Span::new((start.len() + word.len()) as u32, at.end);
    Some(SyntaxError::new(Code::UnexpectedToken, at, message).help("Leave one of them out.").fix(gap, ""))
}

/// Words that start in one line and end in the next: each line has one of the quotes, and the cause is one.
fn over_two_lines(text: &str, later: &SyntaxError, first: &mut SyntaxError) -> bool {
    let between = text.get(first.span.start as usize..later.span.start as usize);
    let both = first.code == Code::UnclosedString && later.code == Code::UnclosedString;
    if !both || between.is_none_or(|t| t.matches('\n').count() != 1) {
        return false;
    }
    first.help = Some("Words end in the line they start in: put both lines into one.".to_owned());
    first.fix = None;
    true
}

/// Text that does not start with a letter in column 0 belongs to no item.
fn stray(text: &str) -> Option<SyntaxError> {
    let first = text.chars().next();
    if first.is_some_and(char::is_alphabetic) {
        return None;
    }
    let inside = text.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']);
    let indent = text.len() - inside.len();
    let end = indent + inside.lines().next().map_or(0, |l| l.trim_end().len());
    let line = Span::new(indent as u32, end as u32);
    let looks_like_item = inside.starts_with(char::is_alphabetic) && inside.contains('{');
    Some(if looks_like_item {
        SyntaxError::new(Code::IndentedItem, line, "This stands outside of every item, and an item starts in the first column.")
            .help("Take the white space before it away.")
            .fix(Span::new(0, indent as u32), "")
    } else if inside.starts_with('}') {
        SyntaxError::new(Code::StrayText, line, "This `}` closes nothing.")
            .help("Remove it, or write the `{` that is missing above.")
            .fix(line, "")
    } else if inside.starts_with('{') {
        SyntaxError::new(Code::MissingBrace, Span::new(indent as u32, indent as u32 + 1), "This `{` belongs at the end of the line above.")
            .help("Only the first word of an item stands in the first column.")
    } else if inside.starts_with('#') {
        let sign = inside.len() - inside.trim_start_matches('#').len();
        SyntaxError::new(Code::StrayText, line, "This text belongs to no item.")
            .help("A comment starts with `//`.")
            .fix(Span::new(indent as u32, (indent + sign) as u32), "//")
    } else if inside.starts_with("/*") {
        SyntaxError::new(Code::StrayText, line, "This text belongs to no item.").help("A comment starts with `//` and ends with its line.")
    } else {
        SyntaxError::new(Code::StrayText, line, "This text belongs to no item.")
            .help("Every item starts with its word in the first column.")
    })
}

fn broken(text: &str, errors: Vec<SyntaxError>) -> Parsed {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let word = Word { text: text[..end].into(), span: Span::new(0, end as u32) };
    Parsed { item: Item { word, kind: ItemKind::Broken, span: Span::new(0, text.len() as u32) }, errors }
}
