//! Lines and columns, both counted from 1; columns count characters.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where a byte of a text is.
pub fn place(text: &str, offset: u32) -> Place {
    let before = text.get(..offset as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Place { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}

/// The first line in which two texts differ, as it is in the second, without the white space around it.
pub fn first_changed_line<'a>(before: &str, after: &'a str) -> Option<&'a str> {
    let mut old = before.lines();
    after.lines().find(|line| old.next() != Some(*line)).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("a\n– é x", 9), Place { line: 2, column: 5 });
        assert_eq!(place("", 0), Place { line: 1, column: 1 });
    }

    #[test]
    fn the_changed_line_is_found() {
        assert_eq!(first_changed_line("a\n  b\nc", "a\n  x\nc"), Some("x"));
        assert_eq!(first_changed_line("a\nc", "a\n}\nc"), Some("}"));
        assert_eq!(first_changed_line("a", "a"), None);
    }
}
