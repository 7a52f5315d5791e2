//! Tokens as the formatter sees them: what may be moved apart, and what was written together and stays together.

use crate::layout::{Lexeme, lexeme, line_end};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Comment,
    Text,
    /// One of `( [ {`
    Open(u8),
    /// One of `) ] }`
    Close(u8),
    /// One of `, ; :`
    Mark,
    /// `=`, `==`, `->`, `|`…: always between spaces
    Operator,
    /// Words, numbers and signs, kept as they touch each other.
    Run,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// White space stands before it.
    pub apart: bool,
    /// Newlines before it.
    pub newlines: usize,
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut i, mut newlines, mut apart) = (0, 0, false);
    while i < bytes.len() {
        if is_space(bytes[i]) {
            newlines += usize::from(bytes[i] == b'\n');
            apart = true;
            i += 1;
            continue;
        }
        let (kind, end) = match lexeme(bytes, i) {
            Lexeme::Open(b) => (Kind::Open(b), i + 1),
            Lexeme::Close(b) => (Kind::Close(b), i + 1),
            Lexeme::Skip(_) if bytes[i] == b'/' => (Kind::Comment, line_end(bytes, i)),
            Lexeme::Skip(end) => (Kind::Text, end),
            _ if matches!(bytes[i], b',' | b';' | b':') => (Kind::Mark, i + 1),
            _ => match operator(&bytes[i..]) {
                0 => (Kind::Run, run_end(bytes, i)),
                n => (Kind::Operator, i + n),
            },
        };
        out.push(Token { kind, start: i, end, apart, newlines });
        (newlines, apart) = (0, false);
        i = end;
    }
    out
}

pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// How long the operator is that starts here; 0 if none does.
fn operator(bytes: &[u8]) -> usize {
    let long: [&[u8]; 7] = [b"==", b"!=", b"<=", b">=", b"+=", b"-=", b"->"];
    if long.iter().any(|o| bytes.starts_with(o)) {
        return 2;
    }
    usize::from(matches!(bytes.first(), Some(b'=' | b'<' | b'>' | b'|')))
}

fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start;
    while i < bytes.len() {
        let stops = is_space(bytes[i]) || matches!(bytes[i], b',' | b';' | b':') || (i > start && operator(&bytes[i..]) > 0);
        if stops || !matches!(lexeme(bytes, i), Lexeme::Other) {
            break;
        }
        i += 1;
    }
    i.max(start + 1)
}
