//! What a file with a mistake says about itself, in comments at its end:
//!
//! ```text
//! //! 6:3 unknown-field
//! //! fix: speed: 3
//! ```
//!
//! The first line is the place and the code of the one message its check gives. `fix:` is the line as the message's repair leaves it, `help:` is a part of
//! the advice in it; one of the two may follow.

use crate::place::Place;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub place: Place,
    pub code: String,
    pub advice: Option<Advice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// The first line that the repair changes, without the white space around it.
    Fix(String),
    /// A part of the help.
    Help(String),
}

/// The expectation in a text. None if it has none, or one that cannot be read.
pub fn expectation(text: &str) -> Option<Expectation> {
    let mut lines = text.lines().filter_map(|l| l.strip_prefix("//! "));
    let (place, code) = lines.next()?.split_once(' ')?;
    let (line, column) = place.split_once(':')?;
    let place = Place { line: line.parse().ok()?, column: column.parse().ok()? };
    let advice = match lines.next() {
        None => None,
        Some(line) => Some(match line.split_once(": ")? {
            ("fix", after) => Advice::Fix(after.trim().to_string()),
            ("help", part) => Advice::Help(part.trim().to_string()),
            _ => return None,
        }),
    };
    lines.next().is_none().then(|| Expectation { place, code: code.trim().to_string(), advice })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "unit A {\n}\n//! 1:6 missing-field\n//! help: Add `health: …`\n";
        let want = Expectation {
            place: Place { line: 1, column: 6 },
            code: "missing-field".into(),
            advice: Some(Advice::Help("Add `health: …`".into())),
        };
        assert_eq!(expectation(text), Some(want));
        assert_eq!(expectation("unit A { }\n"), None);
        assert_eq!(expectation("//! 1:1 a\n//! fxi: b\n"), None);
    }
}
