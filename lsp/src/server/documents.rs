//! Texts that are open in the editor.

use tower_lsp::ls_types::TextDocumentContentChangeEvent;

use super::position::{Encoding, Lines};

#[derive(Clone, Debug)]
pub struct Document {
    pub version: i32,
    pub text: String,
}

impl Document {
    /// Changes come one after the other: each is about the text the one before it left.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let span = Lines::new(&self.text, encoding).span(range);
                    self.text.replace_range(span.start as usize..span.end as usize, &change.text);
                }
            }
        }
        self.version = version;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp::ls_types::{Position, Range};

    fn change(line: u32, from: u32, to: u32, text: &str) -> TextDocumentContentChangeEvent {
        let range = Some(Range::new(Position::new(line, from), Position::new(line, to)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.into() }
    }

    #[test]
    fn changes_follow_each_other() {
        let mut doc = Document { version: 1, text: "skill: 4+\nmove: 6s\n".into() };
        doc.change(2, vec![change(0, 7, 8, "55"), change(0, 8, 9, ""), change(1, 0, 99, "é")], Encoding::Utf16);
        assert_eq!(doc.text, "skill: 5+\né\n");
        assert_eq!(doc.version, 2);
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".into() };
        doc.change(3, vec![whole, change(0, 3, 3, "er")], Encoding::Utf16);
        assert_eq!(doc.text, "newer");
    }

    #[test]
    fn a_range_that_is_backwards_or_outside_does_no_harm() {
        let mut doc = Document { version: 1, text: "ab".into() };
        let range = Some(Range::new(Position::new(7, 3), Position::new(0, 1)));
        doc.change(2, vec![TextDocumentContentChangeEvent { range, range_length: None, text: "c".into() }], Encoding::Utf8);
        assert_eq!(doc.text, "abc");
    }
}
