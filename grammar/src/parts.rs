//! Cuts the named parts out of a card. Many cards have the same weapon or ability word for word: what stands in it can then be read once.
//!
//! Only where it is certain that the grammar would take the very same text for a part, whatever stands around it: a line of the card's own block
//! that starts with two free words, perhaps a title, and a block. Whoever reads a card in parts must read it whole if anything is wrong with a part or with the rest.

use crate::layout::{ORDINARY, Piece, joins, next_line_start, past_ordinary, piece, string_piece};
use crate::shorten::is_name;
use crate::simple::{in_word, past};
use crate::span::Span;

/// Deeper brackets are counted where the whole card is read.
const DEEPEST: usize = 64;

/// Where the parts of a card stand that can be told for certain, in order.
pub fn parts(card: &str) -> Vec<Span> {
    found(card.as_bytes()).unwrap_or_default()
}

/// The text of a card with white space where some of its parts stand.
pub fn without(card: &str, parts: &[Span]) -> String {
    let mut rest = card.as_bytes().to_vec();
    for part in parts {
        if let Some(part) = rest.get_mut(part.start as usize..part.end as usize) {
            part.fill(b' ');
        }
    }
    // only whole characters are taken out, so this cannot fail
    String::from_utf8(rest).unwrap_or_default()
}

/// None if it is not certain where one of them ends.
fn found(bytes: &[u8]) -> Option<Vec<Span>> {
    let mut parts = Vec::new();
    // brackets that are open, the card's own among them
    let mut depth = 0;
    let mut line_start = false;
    let mut at = 0;
    while let Some(b) = bytes.get(at).copied() {
        if line_start
            && depth == 1
            && b.is_ascii_lowercase()
            && let Some(inside) = part_start(bytes, at)
        {
            let end = part_end(bytes, inside)?;
            parts.push(Span::new(at as u32, end as u32));
            (at, line_start) = (end, false);
            continue;
        }
        if line_start && b == b' ' {
            at += 1;
            continue;
        }
        line_start = false;
        if ORDINARY[usize::from(b)] {
            at = past_ordinary(bytes, at);
            continue;
        }
        match piece(bytes, at) {
            Piece::Newline => line_start = true,
            Piece::Open(b) => {
                depth += 1;
                line_start = b == b'{' && depth == 1;
            }
            Piece::Close(_) => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            Piece::Skip(end) => {
                at = end;
                continue;
            }
            Piece::Other => {}
        }
        at += 1;
    }
    Some(parts)
}

/// `weapon Blade {`, `weapon Blade "The Blade" {`: the place behind the brace.
fn part_start(bytes: &[u8], at: usize) -> Option<usize> {
    let spaces = |from| past(bytes, from, |b| b == b' ');
    let word = past(bytes, at, in_word);
    let name = spaces(word);
    let mut end = past(bytes, name, in_word);
    if name == word || !is_name(bytes.get(at..word)?) || !is_name(bytes.get(name..end)?) {
        return None;
    }
    end = spaces(end);
    if bytes.get(end) == Some(&b'"') {
        end = spaces(string_piece(bytes, end).closed()?);
    }
    (bytes.get(end) == Some(&b'{')).then_some(end + 1)
}

/// The end of the part whose brace was opened before `at`. None if it is not certain.
fn part_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut braces = 1;
    while braces > 0 {
        at = past_ordinary(bytes, at);
        if at >= bytes.len() {
            return None;
        }
        match piece(bytes, at) {
            Piece::Open(b'{') => braces += 1,
            // in the first column it would be the card's own
            Piece::Close(b'}') if at.checked_sub(1).is_some_and(|before| bytes[before] == b'\n') => return None,
            Piece::Close(b'}') => braces -= 1,
            Piece::Skip(end) => {
                at = end;
                continue;
            }
            _ => {}
        }
        if braces > DEEPEST {
            return None;
        }
        at += 1;
    }
    let behind = past(bytes, at, |b| b == b' ');
    match bytes.get(behind)? {
        b'}' => Some(at),
        // the line ends here, and the next one does not go on with it
        b'\n' => (!next_line_start(bytes, behind).is_some_and(|next| joins(&bytes[next..]))).then_some(at),
        _ => None,
    }
}
