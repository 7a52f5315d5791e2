//! Cuts pieces out of a card that can be read without it: its named parts, and its short fields. Many cards have the same weapon or ability word for
//! word, and `health: 4` or `types: [Plate]` stands on hundreds: what such a piece says can then be read once.
//!
//! Only where it is certain that the grammar would take the very same text for a part or a field, whatever stands around it: a part is a line of the card's own block
//! that starts with two free words, perhaps a title, and a block; a field holds a number, a name, or a list of them. Whoever reads a card in pieces must read it whole if
//! anything is wrong with a piece or with the rest.

use crate::layout::{ORDINARY, Piece, joins, next_line_start, past_ordinary, piece, string_piece};
use crate::shorten::is_name;
use crate::simple::{Field, field, in_word, past};
use crate::span::Span;

/// Deeper brackets are counted where the whole card is read.
const DEEPEST: usize = 64;

/// Longer fields hardly stand on two cards.
const LONGEST_FIELD: usize = 40;

/// Nor do greater numbers.
const MOST_DIGITS: usize = 3;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// A named part with its block.
    Part,
    Field,
    /// What a card says before its block, without its own name and title.
    Head,
}

/// A piece of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cut {
    /// What is left out where the card is read without it: a field together with the signs and white space behind it.
    pub span: Span,
    /// Where its words end.
    words_end: u32,
    pub kind: PieceKind,
}

impl Cut {
    pub fn is_part(&self) -> bool {
        self.kind == PieceKind::Part
    }

    /// The words of the piece.
    pub fn text<'t>(&self, card: &'t str) -> &'t str {
        Span::new(self.span.start, self.words_end).of(card)
    }
}

/// The parts and fields of a card that can be told for certain, in order.
pub fn pieces(card: &str) -> Vec<Cut> {
    found(card.as_bytes()).unwrap_or_default()
}

/// The text of a card with white space where some of its pieces stand.
pub fn without(card: &str, cut: &[Span]) -> String {
    let mut rest = card.as_bytes().to_vec();
    for cut in cut {
        if let Some(cut) = rest.get_mut(cut.start as usize..cut.end as usize) {
            cut.fill(b' ');
        }
    }
    // only whole characters are taken out, so this cannot fail
    String::from_utf8(rest).unwrap_or_default()
}

/// What a card says before its block: `unit Reaver "The Reaver" of CrimsonVow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'t> {
    pub word: &'t str,
    pub name: &'t str,
    pub name_span: Span,
    /// Without its quotes.
    pub title: Option<&'t str>,
    pub of: Option<&'t str>,
    /// Of all of it.
    pub span: Span,
}

impl Head<'_> {
    /// The same for a card of any name that holds nothing.
    pub fn of_any_card(&self) -> String {
        match self.of {
            Some(of) => [self.word, " Card of ", of, " {}"].concat(),
            None => [self.word, " Card {}"].concat(),
        }
    }
}

/// The head of a card that says nothing besides it and these pieces. None if it is not certain.
pub fn head<'t>(card: &'t str, cut: impl Iterator<Item = Span>) -> Option<Head<'t>> {
    let (mut from, mut block) = (0, None);
    for cut in cut {
        let before = card.get(from..cut.start as usize)?;
        match block {
            None => block = Some(before.trim_ascii_end()),
            Some(_) if before.trim_ascii().is_empty() => {}
            Some(_) => return None,
        }
        from = cut.end as usize;
    }
    let closed = card.get(from..)?.trim_ascii() == "}";
    let bytes = block.filter(|_| closed)?.strip_suffix('{')?.as_bytes();
    let spaces = |from| past(bytes, from, |b| b == b' ');
    let free_word = |from: usize| {
        let end = past(bytes, from, in_word);
        is_name(&bytes[from..end]).then_some(end)
    };
    let word = free_word(0)?;
    let name = spaces(word);
    let name_end = free_word(name)?;
    let mut at = spaces(name_end);
    let mut title = None;
    if bytes.get(at) == Some(&b'"') {
        let end = string_piece(bytes, at).closed()?;
        // what it says is more than what is written: `\"`, prose over several lines
        title = Some(card.get(at + 1..end - 1).filter(|title| !title.is_empty() && !title.contains(['\\', '"', '\n']))?);
        at = spaces(end);
    }
    let mut of = None;
    if bytes[at..].starts_with(b"of ") {
        let start = spaces(at + 3);
        let end = free_word(start)?;
        of = card.get(start..end);
        at = spaces(end);
    }
    // nothing else
    let ends = at == bytes.len() && name > word;
    let name_span = Span::new(name as u32, name_end as u32);
    ends.then_some(Head { word: card.get(..word)?, name: name_span.of(card), name_span, title, of, span: Span::new(0, at as u32) })
}

/// None if it is not certain where one of them ends.
fn found(bytes: &[u8]) -> Option<Vec<Cut>> {
    let mut cut = Vec::with_capacity(16);
    // brackets that are open, the card's own among them
    let mut depth = 0;
    let mut line_start = false;
    let mut at = 0;
    while let Some(b) = bytes.get(at).copied() {
        if line_start && depth == 1 && b.is_ascii_lowercase() {
            let before = at;
            (at, line_start) = past_fields(bytes, at, &mut cut);
            if at > before {
                continue;
            }
            if let Some(inside) = part_start(bytes, at) {
                let end = part_end(bytes, inside)?;
                cut.push(Cut { span: Span::new(at as u32, end as u32), words_end: end as u32, kind: PieceKind::Part });
                (at, line_start) = (end, false);
                continue;
            }
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
    Some(cut)
}

/// The end of the fields that start at `at`, and whether it is the start of a line. Fields that are worth it are cut out.
fn past_fields(bytes: &[u8], mut at: usize, cut: &mut Vec<Cut>) -> (usize, bool) {
    let mut line_start = true;
    while let Some(Field { value, value_end, end }) = field(bytes, at) {
        let ends_line = bytes[value_end..end].contains(&b'\n');
        // the next line goes on with it
        if ends_line && next_line_start(bytes, end).is_some_and(|next| joins(&bytes[next..])) {
            break;
        }
        if value_end - at <= LONGEST_FIELD && is_common(&bytes[value..value_end]) {
            cut.push(Cut { span: Span::new(at as u32, end as u32), words_end: value_end as u32, kind: PieceKind::Field });
        }
        (at, line_start) = (end, ends_line);
    }
    (at, line_start)
}

/// Whether a value may well stand on other cards too: texts hardly do, nor do great numbers.
fn is_common(value: &[u8]) -> bool {
    match value.first() {
        Some(b'"') => false,
        Some(b) if b.is_ascii_digit() => past(value, 0, |b| b.is_ascii_digit()) <= MOST_DIGITS,
        _ => true,
    }
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

/// Braces, and what braces may be hidden in.
const MAY_END_PART: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 4 {
        table[b"{}\"/"[i] as usize] = true;
        i += 1;
    }
    table
};

/// The end of the part whose brace was opened before `at`. None if it is not certain.
fn part_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut braces = 1;
    while braces > 0 {
        at = past(bytes, at, |b| !MAY_END_PART[usize::from(b)]);
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
