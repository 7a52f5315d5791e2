//! Cuts a file into the texts of its items, by column 0 and brackets alone.
//!
//! An item starts at any letter in column 0: item words come from libraries, so no list of them could be complete. What lies between the
//! chunks is blank lines and comments only. Deleting the first word of an item leaves its neighbours' chunks exactly as they were.

use crate::layout::{self, DEEPEST, Lexeme, ORDINARY, lexeme, line_end, past_ordinary};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    Item,
    /// Text that belongs to no item.
    Stray,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    pub kind: ChunkKind,
    pub start: u32,
    pub end: u32,
    /// The `///` lines directly above.
    pub doc: Option<(u32, u32)>,
    too_deep: bool,
}

impl Chunk {
    pub fn text<'a>(&self, file: &'a str) -> &'a str {
        file.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Its brackets are nested deeper than anything behind the splitter is asked to follow.
    pub fn too_deep(&self) -> bool {
        self.too_deep
    }
}

/// Cuts a file. Chunks come in order and do not overlap.
pub fn split(text: &str) -> Vec<Chunk> {
    let bytes = text.as_bytes();
    let mut chunks = Vec::new();
    let mut doc: Option<(usize, usize)> = None;
    // a byte order mark is no column
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let first = first_of_line(bytes, at, end);
        if first == end {
            doc = None;
        } else if bytes[first..].starts_with(b"//") {
            doc = match (bytes[first..end].starts_with(b"///"), doc) {
                (false, _) => None,
                (true, Some((start, _))) => Some((start, end)),
                (true, None) => Some((first, end)),
            };
        } else {
            let kind = if first == at && starts_item(text, at) { ChunkKind::Item } else { ChunkKind::Stray };
            let (stop, too_deep) = chunk_end(text, at);
            let doc = doc.take().map(|(a, b)| (a as u32, b as u32));
            chunks.push(Chunk { kind, start: at as u32, end: stop as u32, doc, too_deep });
            at = line_end(bytes, stop) + 1;
            continue;
        }
        at = end + 1;
    }
    chunks
}

fn first_of_line(bytes: &[u8], at: usize, end: usize) -> usize {
    bytes[at..end].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r')).map_or(end, |n| at + n)
}

/// A letter in column 0.
fn starts_item(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        Some(b) if b.is_ascii() => b.is_ascii_alphabetic(),
        Some(_) => text.get(at..).and_then(|t| t.chars().next()).is_some_and(char::is_alphabetic),
        None => false,
    }
}

/// Where the chunk that starts at `start` ends, without blank lines and comments behind it.
///
/// It ends where its brackets are balanced at the end of a line, unless a `}` in column 0 that it still needs follows before the next item;
/// without either it ends where the next item starts.
fn chunk_end(text: &str, start: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut depth: i32 = 0;
    let mut deepest: i32 = 0;
    let mut at = start;
    // the end of the last line that holds more than white space and comments
    let mut last = start;
    let mut balanced: Option<usize> = None;
    let mut content = start;
    loop {
        // one line, or more where prose runs over its end
        let line = at;
        let mut comment = None;
        while let Some(b) = bytes.get(at) {
            if ORDINARY[usize::from(*b)] {
                at = past_ordinary(bytes, at);
                continue;
            }
            match lexeme(bytes, at) {
                Lexeme::Newline => break,
                Lexeme::Open(_) => {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                Lexeme::Close(_) => depth -= 1,
                Lexeme::Skip(end) => {
                    match bytes[at] {
                        // white space in it counts
                        b'"' => content = end,
                        _ => comment = Some(at),
                    }
                    at = end;
                    continue;
                }
                Lexeme::Other => {}
            }
            at += 1;
        }
        content = content.max(line + bytes[line..comment.unwrap_or(at)].trim_ascii_end().len());
        if content > last {
            last = content;
        }
        let too_deep = deepest > DEEPEST as i32;
        let next = next_content(bytes, at);
        let done = next.is_none_or(|n| starts_item(text, n) && (n == 0 || bytes[n - 1] == b'\n'));
        if done {
            return (balanced.unwrap_or(last), too_deep);
        }
        let next = next.unwrap_or(at);
        let closes = bytes[next] == b'}' && bytes[next - 1] == b'\n';
        if depth == 0 && balanced.is_none() && !closes && !layout::joins(&bytes[next..]) {
            balanced = Some(last);
        }
        if closes {
            let end = close_end(text, next);
            return match (balanced, depth) {
                // brackets opened and closed again after we were whole: not ours
                (Some(end), 1..) => (end, too_deep),
                _ => (end, too_deep),
            };
        }
        at = next;
        content = next;
    }
}

/// The end of the line of a `}` in column 0, with the joined lines behind it.
fn close_end(text: &str, close: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = close;
    let mut last = close + 1;
    loop {
        while at < bytes.len() {
            match lexeme(bytes, at) {
                Lexeme::Newline => break,
                Lexeme::Skip(end) => {
                    if bytes[at] == b'"' {
                        last = end;
                    }
                    at = end;
                    continue;
                }
                _ => {}
            }
            if !bytes[at].is_ascii_whitespace() {
                last = at + 1;
            }
            at += 1;
        }
        match next_content(bytes, at) {
            Some(next) if layout::joins(&bytes[next..]) && bytes[next - 1] != b'\n' => at = next,
            _ => return last,
        }
    }
}

/// The first character after `at` that is neither white space nor in a comment.
fn next_content(bytes: &[u8], at: usize) -> Option<usize> {
    let mut i = at;
    while i < bytes.len() {
        if matches!(bytes[i], b' ' | b'\t' | b'\r' | b'\n') {
            i += bytes[i..].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(bytes.len() - i);
        } else if bytes[i..].starts_with(b"//") {
            i = line_end(bytes, i);
        } else {
            return Some(i);
        }
    }
    None
}
