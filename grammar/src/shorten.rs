//! A shorter text of the same shape, for the grammar to read.
//!
//! The grammar pays for every character, and most characters of a card tell it nothing: which name a name is, what a string says, how deep a
//! line is indented. Here a name becomes one letter, a string one letter in quotes, white space one character, digits one digit, and fields
//! that hold nothing but names and numbers one mark. Every rule matches the short text exactly where it matches the whole one; where each character came from is
//! kept, so that what was matched gets its true place and text back. Only what is right is read this way: a text that the grammar refuses is
//! read again whole, to find out how far it is right.

use crate::layout::{FIELDS, Piece, piece, string_piece};
use crate::simple::{fields_end, in_word, is_letter, past};
use crate::words;

pub(crate) struct Short {
    pub text: String,
    /// Where each byte of the short text, and its end, is in the whole one. What was left out belongs to the character it follows.
    pub places: Vec<u32>,
}

/// A short text in the making.
struct Writer<'t> {
    bytes: &'t [u8],
    /// What has been read.
    at: usize,
    text: Vec<u8>,
    places: Vec<u32>,
    /// For each open bracket whether lines stand in it.
    open: Vec<bool>,
}

/// Shortens a plain text. None if a string in it is never closed: nobody can say what shape such a text has.
pub(crate) fn shorten(plain: &str) -> Option<Short> {
    let bytes = plain.as_bytes();
    let half = bytes.len() / 2 + 16;
    let mut short = Writer { bytes, at: 0, text: Vec::with_capacity(half), places: Vec::with_capacity(half), open: Vec::with_capacity(16) };
    // in other items than cards a field may be a declaration
    let is_card = is_name(bytes.get(..past(bytes, 0, in_word)).unwrap_or_default());
    while let Some(b) = bytes.get(short.at).copied() {
        let starts_line = short.piece(b)?;
        if is_card
            && starts_line
            && short.open.last() == Some(&true)
            && let Some(end) = fields_end(bytes, short.at)
        {
            short.keep(FIELDS, end);
        }
    }
    short.places.push(bytes.len() as u32);
    Some(Short { text: String::from_utf8(short.text).ok()?, places: short.places })
}

impl Writer<'_> {
    /// Reads up to `end`, of which one character is kept.
    fn keep(&mut self, short: u8, end: usize) {
        self.text.push(short);
        self.places.push(self.at as u32);
        self.at = end;
    }

    fn keep_whole(&mut self, end: usize) {
        while let Some(b) = self.bytes.get(self.at).filter(|_| self.at < end) {
            self.keep(*b, self.at + 1);
        }
    }

    /// Reads one word, sign, string or stretch of white space. Gives whether a line may start behind it.
    fn piece(&mut self, b: u8) -> Option<bool> {
        let after = self.at + 1;
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let end = past(self.bytes, after, in_word);
                match is_name(self.bytes.get(self.at..end).unwrap_or_default()) {
                    // `1 AP` is told from `1 foe` by the size of the letter
                    true => self.keep(if b.is_ascii_uppercase() { b'Z' } else { b'z' }, end),
                    false => self.keep_whole(end),
                }
            }
            b' ' => self.keep(b, past(self.bytes, after, |b| b == b' ')),
            b'\n' => self.keep(b, past(self.bytes, after, |b| b == b' ' || b == b'\n')),
            b',' | b';' => self.keep(b, past(self.bytes, after, |b| b == b' ')),
            b'{' => {
                self.open.push(true);
                self.keep(b, past(self.bytes, after, |b| b == b' ' || b == b'\n'));
            }
            b'(' | b'[' => {
                self.open.push(false);
                self.keep(b, after);
            }
            b'}' | b')' | b']' => {
                self.open.pop();
                self.keep(b, after);
            }
            b'"' if piece(self.bytes, self.at) != Piece::Other => self.string()?,
            // how long a number is, the grammar never asks
            b'0'..=b'9' => {
                self.keep(b'1', past(self.bytes, after, |b| b.is_ascii_digit()));
                // dice, units
                self.keep_whole(past(self.bytes, self.at, in_word));
            }
            // letters of other alphabets
            _ if in_word(b) => self.keep_whole(past(self.bytes, after, in_word)),
            _ => self.keep(b, after),
        }
        Some(matches!(b, b'\n' | b',' | b';' | b'{'))
    }

    fn string(&mut self) -> Option<()> {
        let end = string_piece(self.bytes, self.at).closed()?;
        self.keep(b'"', self.at + 1);
        // two strings may touch, so one that is not empty must not look like the start of prose
        if end - self.at > 1 {
            self.keep(b'z', end - 1);
        }
        self.keep(b'"', end);
        Some(())
    }
}

/// Whether the grammar takes a word for a name and nothing else: it is no word of the language, and not dice.
pub(crate) fn is_name(word: &[u8]) -> bool {
    let dice = word.first() == Some(&b'd') && word.get(1).is_some_and(u8::is_ascii_digit);
    word.first().is_some_and(|b| is_letter(*b)) && !dice && !words::is_of_grammar(word)
}
