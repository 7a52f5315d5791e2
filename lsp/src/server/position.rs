//! Between the offsets of a text (bytes) and the positions of the protocol (lines, and columns counted in one of three ways).

use std::cell::Cell;

use banneret_grammar::span::Span;
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range};

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The cheapest one the client knows; clients that say nothing count in UTF-16.
    pub fn chosen(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offered = offered.unwrap_or_default();
        if offered.contains(&PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offered.is_empty() || offered.contains(&PositionEncodingKind::UTF16) {
            Encoding::Utf16
        } else if offered.contains(&PositionEncodingKind::UTF32) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }

    /// How long a piece of text is, in columns.
    pub fn length(self, text: &str) -> u32 {
        text.chars().map(|c| self.width(c)).sum()
    }
}

/// A text with its lines.
pub struct Lines<'a> {
    text: &'a str,
    starts: std::borrow::Cow<'a, [u32]>,
    encoding: Encoding,
    /// The last place that was asked for, and its column: the next is mostly near, and a line may be a million letters long.
    last: Cell<(usize, u32)>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, encoding: Encoding) -> Self {
        let starts = std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Self { text, starts: starts.collect(), encoding, last: Cell::default() }
    }

    /// With the starts of the lines already known.
    pub fn known(text: &'a str, starts: &'a [u32], encoding: Encoding) -> Self {
        Self { text, starts: starts.into(), encoding, last: Cell::default() }
    }

    /// A line without its end.
    fn line(&self, line: usize) -> &'a str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |e| *e as usize);
        let line = self.text.get(*start as usize..end).unwrap_or("");
        line.trim_end_matches(['\n', '\r'])
    }

    /// A position past the end of its line is the end of the line, one past the last line the end of the text.
    pub fn offset(&self, position: Position) -> u32 {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line) else { return self.text.len() as u32 };
        let mut column = 0;
        for (i, c) in self.line(line).char_indices() {
            if column >= position.character {
                return start + i as u32;
            }
            column += self.encoding.width(c);
        }
        start + self.line(line).len() as u32
    }

    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|s| *s as usize <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0) as usize;
        let length = |from: usize, to: usize| self.encoding.length(self.text.get(from..to).unwrap_or(""));
        let column = match self.last.get() {
            (last, column) if (start..=offset).contains(&last) => column + length(last, offset),
            (last, column) if last > offset && self.ends_in(line, last) && last - offset < offset - start => column - length(offset, last),
            _ => length(start, offset),
        };
        self.last.set((offset, column));
        Position::new(line as u32, column)
    }

    /// Whether a place stands in a line.
    fn ends_in(&self, line: usize, offset: usize) -> bool {
        self.starts.get(line + 1).is_none_or(|next| offset < *next as usize)
    }

    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end.max(span.start)))
    }

    pub fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{e9}\u{1f3b2}b\r\nsecond\n";

    #[test]
    fn columns_are_counted_three_ways() {
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            let lines = Lines::new(TEXT, encoding);
            assert_eq!(lines.position(7), Position::new(0, column), "{encoding:?}");
            assert_eq!(lines.offset(Position::new(0, column)), 7, "{encoding:?}");
            assert_eq!(lines.position(10), Position::new(1, 0));
            assert_eq!(lines.offset(Position::new(1, 3)), 13);
        }
    }

    /// Whatever was asked before.
    #[test]
    fn the_order_of_questions_makes_no_difference() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(TEXT, encoding);
            for first in 0..=TEXT.len() as u32 + 1 {
                for then in 0..=TEXT.len() as u32 + 1 {
                    lines.position(first);
                    assert_eq!(lines.position(then), Lines::new(TEXT, encoding).position(then), "{first}, then {then}, {encoding:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_line_is_not_counted_again_for_each_place() {
        let text = "1 + ".repeat(200_000);
        let lines = Lines::new(&text, Encoding::Utf16);
        let far = (0..text.len() as u32).rev().chain(0..text.len() as u32).fold(0, |sum, at| sum + u64::from(lines.position(at).character));
        assert_eq!(far, 800_000 * 799_999);
    }

    #[test]
    fn what_lies_outside_is_moved_inside() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        assert_eq!(lines.offset(Position::new(0, 99)), 8, "before the end of the line");
        assert_eq!(lines.offset(Position::new(9, 0)), TEXT.len() as u32);
        assert_eq!(lines.position(9999), Position::new(2, 0));
        assert_eq!(lines.position(5), Position::new(0, 2), "inside a character: its start");
        // the second half of a pair in UTF-16 is the end of the character
        assert_eq!(lines.offset(Position::new(0, 3)), 7);
    }

    #[test]
    fn the_cheapest_encoding_is_chosen() {
        use PositionEncodingKind as K;
        assert_eq!(Encoding::chosen(None), Encoding::Utf16);
        assert_eq!(Encoding::chosen(Some(&[K::UTF16, K::UTF8])), Encoding::Utf8);
        assert_eq!(Encoding::chosen(Some(&[K::UTF32])), Encoding::Utf32);
        assert_eq!(Encoding::chosen(Some(&[K::UTF32, K::UTF16])), Encoding::Utf16);
    }
}
