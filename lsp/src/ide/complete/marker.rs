//! Makes a text that can be read out of one that is being written: a word stands where the cursor is, and what is missing around it is added.

use banneret_compiler::elaborate::MARKER;
use banneret_compiler::items::ParsedItem;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;
use banneret_grammar::{parse_item, split};

/// A file with the marker in it, cut to the item it stands in.
pub struct Marked {
    /// Where the item starts in the file.
    pub start: u32,
    pub parsed: ParsedItem,
    /// Where the marker stands in the item.
    pub at: u32,
}

/// The word around an offset: what is replaced starts here, and the cursor stands in it or behind it.
pub fn word_at(text: &str, offset: u32) -> Span {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let offset = offset as usize;
    let before = text.get(..offset).unwrap_or(text);
    let start = before.char_indices().rev().take_while(|(_, c)| is_word(*c)).last().map_or(before.len(), |(i, _)| i);
    let after = text.get(offset..).unwrap_or("");
    let length: usize = after.chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum();
    Span::new(start as u32, (offset + length) as u32)
}

/// What is put behind the marker until a line can be read: what the words before it may need.
const COMPLETIONS: &[&str] = &["", " { }", ": 0", " = 0", " from this", " in this { }", " -> 0", "(0)"];

/// The item at the cursor with the marker in place of the word there, in every way it can be read; the way it stands first.
pub fn marked(text: &str, word: Span) -> impl Iterator<Item = Marked> {
    let before = text.get(..word.start as usize).unwrap_or("");
    let after = text.get(word.end as usize..).unwrap_or("");
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let rest_of_line = after.find('\n').unwrap_or(after.len());
    let (rest, below) = after.split_at(rest_of_line);
    let open = unclosed(before.get(line_start..).unwrap_or(""));
    let closers: String = open.chars().rev().collect();
    let inner: String = closers.chars().take_while(|c| *c != '}').collect();
    // as it stands; then the line cut at the cursor, its brackets closed in both ways they can be meant
    let mut tries: Vec<(String, &str)> = vec![(String::new(), rest)];
    for completion in COMPLETIONS {
        if !completion.is_empty() {
            tries.push(((*completion).to_owned(), rest));
        }
        tries.push((format!("{completion}{inner}"), ""));
        tries.push((format!("{completion}{closers}"), ""));
        tries.push((format!("{inner}{completion}"), ""));
        tries.push((format!("{inner}{completion}{}", &closers[inner.len()..]), ""));
    }
    readable(before, tries, below)
}

/// The same for a word between `{` and `}` in a text that starts at a place of its line.
pub fn in_text(text: &str, word: Span, start: usize) -> impl Iterator<Item = Marked> {
    let before = text.get(..word.start as usize).unwrap_or("");
    let after = text.get(word.end as usize..).unwrap_or("");
    let line = before.get(before.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or("");
    let (rest, below) = after.split_at(after.find('\n').unwrap_or(after.len()));
    let closers: String = unclosed(line.get(..start).unwrap_or("")).chars().rev().collect();
    let tries = vec![(String::new(), rest), ("}".to_owned(), rest), (format!("}}\"{closers}"), ""), ("}\"".to_owned(), "")];
    readable(before, tries, below)
}

/// What can be read of some ways to go on behind the marker.
fn readable<'t>(before: &'t str, tries: Vec<(String, &'t str)>, below: &'t str) -> impl Iterator<Item = Marked> {
    let mut tried: Vec<String> = Vec::new();
    tries.into_iter().filter_map(move |(add, rest)| {
        let whole = format!("{before}{MARKER}{add}{rest}{below}");
        let chunk = split(&whole).into_iter().find(|c| c.start as usize <= before.len() && before.len() < c.end as usize)?;
        let item = chunk.text(&whole);
        // only the item matters: the same one need not be read twice
        if tried.iter().any(|t| t == item) {
            return None;
        }
        tried.push(item.to_owned());
        let parsed = parse_item(item);
        let broken = matches!(parsed.item.kind, ItemKind::Broken);
        if broken || !format!("{:?}", parsed.item).contains(MARKER) {
            return None;
        }
        let parsed = ParsedItem { item: parsed.item, errors: parsed.errors };
        Some(Marked { start: chunk.start, parsed, at: before.len() as u32 - chunk.start })
    })
}

/// The closing brackets that a piece of a line still needs, outermost first.
fn unclosed(line: &str) -> String {
    let bytes = line.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        match b {
            b'"' if !at.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit) => {
                at += 1 + bytes[at + 1..].iter().position(|b| *b == b'"').unwrap_or(bytes.len());
            }
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'(' => open.push(')'),
            b'}' | b']' | b')' => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    open.into_iter().collect()
}

/// Whether an offset lies in a comment, or in a text between quotes (then: where that starts).
pub fn quoted(line: &str) -> Option<Quoted> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        if bytes[at..].starts_with(b"//") {
            return Some(Quoted::Comment);
        }
        if *b == b'"' && !at.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit) {
            let mut end = at + 1;
            while bytes.get(end).is_some_and(|b| *b != b'"') {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            if end >= bytes.len() {
                return Some(Quoted::Text { start: at });
            }
            at = end;
        }
        at += 1;
    }
    None
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoted {
    Comment,
    Text { start: usize },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str) -> bool {
        let offset = text.find('|').unwrap() as u32;
        let plain = text.replace('|', "");
        marked(&plain, word_at(&plain, offset)).next().is_some()
    }

    #[test]
    fn half_a_line_can_be_read() {
        for text in [
            "unit A {\n  he|\n}\n",
            "unit A {\n  types: [Re|\n  move: 6s\n}\n",
            "unit A {\n  effect {\n    for u in |\n  }\n}\n",
            "unit A {\n  effect {\n    if this.|\n  }\n}\n",
            "unit A {\n  effect { deal 3 to | }\n}\n",
            "unit A {\n  after des|\n",
            "unit A {\n  effect { choose x |\n  }\n}\n",
            "unit A {\n  weapon B { kn|\n\nunit C { }\n",
            "us|",
        ] {
            assert!(reads(text), "{text}");
        }
    }

    #[test]
    fn comments_and_texts_are_told_apart() {
        assert_eq!(quoted("move: 6\" // a"), Some(Quoted::Comment));
        assert_eq!(quoted("says \"deal {"), Some(Quoted::Text { start: 5 }));
        assert_eq!(quoted("says \"a \\\" b\" "), None);
        assert_eq!(quoted("move: 6\" "), None);
    }
}
