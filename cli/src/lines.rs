//! A text that knows its lines. Lines and columns count from 1; columns count characters, not bytes.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Clone, Debug)]
pub struct Lines {
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Lines {
    pub fn new(text: String) -> Self {
        let ends = text.match_indices('\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { text, starts }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offsets outside of the text, or inside of a character, are moved to the nearest place before.
    pub fn place(&self, offset: u32) -> Place {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |part| part.chars().count());
        Place { line, column: column + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let lines = Lines::new("añb\r\n\n—x".to_owned());
        let at = |offset| (lines.place(offset).line, lines.place(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2), "inside of a character");
        assert_eq!(at(3), (1, 3));
        assert_eq!(at(6), (2, 1));
        assert_eq!(at(7), (3, 1));
        assert_eq!(at(10), (3, 2));
        assert_eq!(at(900), (3, 3));
        assert_eq!(Lines::new(String::new()).place(0), Place { line: 1, column: 1 });
    }
}
