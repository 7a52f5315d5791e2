//! Puts the white space of a file in order, and changes nothing else.
//!
//! Lines stay where the author broke them. What was written without a space stays without one unless a sign demands it: `6/4` and `a / b` are
//! different things. Items that cannot be read are left exactly as they are.

use crate::layout::joins;
use crate::parse::parse_item;
use crate::span::Span;
use crate::split::{Chunk, ChunkKind, split};
use crate::token::{Kind, Token, is_space, tokens};

/// Formats a whole file.
pub fn format(text: &str) -> String {
    let chunks = split(text);
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    if text.starts_with('\u{feff}') {
        out.push('\u{feff}');
    }
    let mut at = out.len();
    // whether the item before runs over several lines; nothing stands before the first
    let mut before: Option<bool> = None;
    for chunk in &chunks {
        let item = format_chunk(text, chunk);
        let tall = item.contains('\n');
        gap(&mut out, &text[at..chunk.start as usize], before, Some(tall));
        // an item that cannot be read may end the file with spaces, which are none of it once a line ends behind them
        let is_last = chunk.end as usize == text.len();
        out.push_str(if is_last { item.trim_end_matches(|c: char| c.is_ascii() && is_space(c as u8)) } else { &item });
        before = Some(tall);
        at = chunk.end as usize;
    }
    gap(&mut out, &text[at..], before, None);
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// Formats the items that touch a stretch of a file: what to replace, and by what.
pub fn format_range(text: &str, range: Span) -> Vec<(Span, String)> {
    let touched = |c: &&Chunk| c.start <= range.end && range.start <= c.end;
    let chunks = split(text);
    let edits = chunks.iter().filter(touched).map(|c| (Span::new(c.start, c.end), format_chunk(text, c)));
    edits.filter(|(span, new)| span.of(text) != new).collect()
}

fn format_chunk(text: &str, chunk: &Chunk) -> String {
    let source = chunk.text(text);
    if chunk.kind == ChunkKind::Stray || !parse_item(source).errors.is_empty() {
        return source.to_owned();
    }
    format_item(source)
}

/// What stands between two items: comments, and how many blank lines.
fn gap(out: &mut String, text: &str, before: Option<bool>, after: Option<bool>) {
    let mut lines = text.split('\n').map(|l| l.trim_matches(|c: char| c.is_ascii() && is_space(c as u8)));
    // the rest of the item's last line
    if before.is_some()
        && let Some(comment) = lines.next()
    {
        if !comment.is_empty() {
            out.push_str("  ");
            out.push_str(comment);
        }
        out.push('\n');
    }
    let mut blank = false;
    let mut first = true;
    // the last piece is what stands before the item in its own line: nothing
    let lines: Vec<&str> = lines.collect();
    for line in &lines {
        if line.is_empty() {
            blank = true;
            continue;
        }
        if (blank || (first && before == Some(true))) && !(first && before.is_none()) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        (blank, first) = (false, false);
    }
    // without a trailing newline the last line is no blank line
    let blank = blank && lines.len() > 1;
    match (before, after) {
        (_, None) | (None, Some(_)) if first => {}
        (_, None) => {}
        // comments that touch the item belong to it
        _ if !first => {
            let apart = lines.iter().rev().skip(1).take_while(|l| l.is_empty()).count() > 0;
            if apart {
                out.push('\n');
            }
        }
        (Some(a), Some(b)) => {
            if a || b || blank {
                out.push('\n');
            }
        }
        (None, Some(_)) => {}
    }
}

fn format_item(text: &str) -> String {
    let tokens = tokens(text);
    let mut out = String::with_capacity(text.len() + 16);
    let mut depth: usize = 0;
    for (i, token) in tokens.iter().enumerate() {
        let last = i.checked_sub(1).map(|i| tokens[i]);
        if let Some(last) = last {
            if token.newlines > 0 {
                let blank = token.newlines > 1 && !matches!(last.kind, Kind::Open(_)) && !matches!(token.kind, Kind::Close(_));
                out.push_str(if blank { "\n\n" } else { "\n" });
                let indent = indent(text, &tokens[i..], depth);
                out.extend(std::iter::repeat_n(' ', indent));
            } else if token.kind == Kind::Comment {
                out.push_str("  ");
            } else if spaced(text, last, *token) {
                out.push(' ');
            }
        }
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        out.push_str(text[token.start..token.end].trim_end());
    }
    out
}

fn indent(text: &str, line: &[Token], depth: usize) -> usize {
    let closing = line.iter().enumerate().take_while(|(i, t)| matches!(t.kind, Kind::Close(_)) && (*i == 0 || t.newlines == 0)).count();
    let level = 2 * depth.saturating_sub(closing);
    let Some(first) = line.first() else {
        return level;
    };
    match first.kind {
        Kind::Close(b'}') => level,
        // `else` stands under its `if`
        _ if text[first.start..].starts_with("else") => level.max(2),
        _ if joins(&text.as_bytes()[first.start..]) => level + 2,
        // nothing but an item and its `}` stands in column 0
        _ => level.max(2),
    }
}

fn spaced(text: &str, last: Token, next: Token) -> bool {
    match (last.kind, next.kind) {
        (_, Kind::Mark | Kind::Close(b')' | b']')) | (Kind::Open(b'(' | b'['), _) => false,
        (Kind::Mark | Kind::Operator | Kind::Open(b'{'), _) | (_, Kind::Operator | Kind::Open(b'{') | Kind::Close(b'}')) => true,
        (Kind::Close(b'}'), _) => next.apart || !text[next.start..].starts_with('.'),
        _ => next.apart,
    }
}
