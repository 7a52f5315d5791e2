//! Signs of word processors, rulebooks and web pages, and what the language has in their place.

use crate::code::Code;
use crate::error::SyntaxError;
use crate::layout::{Lexeme, lexeme};
use crate::span::Span;

/// The first sign of a line that the language does not have. What stands in quotes or in a comment may have any.
pub(crate) fn foreign(text: &str, line: Span) -> Option<SyntaxError> {
    let bytes = text.as_bytes();
    let end = (line.end as usize).min(text.len());
    let mut at = text.floor_char_boundary((line.start as usize).min(end));
    while at < end {
        if let Lexeme::Skip(past) = lexeme(bytes, at) {
            at = past.max(at + 1);
            continue;
        }
        let sign = text.get(at..)?.chars().next()?;
        if let Some(error) = told(text, at, sign) {
            return Some(error);
        }
        at += sign.len_utf8();
    }
    None
}

fn told(text: &str, at: usize, sign: char) -> Option<SyntaxError> {
    let span = Span::new(at as u32, (at + sign.len_utf8()) as u32);
    let rest = text.get(at..)?;
    let after_digit = text.get(..at)?.ends_with(|c: char| c.is_ascii_digit());
    let written =
        |right: &str| SyntaxError::new(Code::WrongOperator, span, format!("`{sign}` is written `{right}` here.")).fix(span, right);
    Some(match sign {
        '−' | '–' | '—' | '‐' | '‑' => written("-"),
        '≥' => written(">="),
        '≤' => written("<="),
        '≠' => written("!="),
        '…' | '‥' => written(".."),
        '″' | '”' | '“' | '‟' if after_digit => written("\""),
        '\'' | '’' | '′' if after_digit && rest.get(sign.len_utf8()..)?.starts_with(sign) => {
            let both = Span::new(span.start, span.end + sign.len_utf8() as u32);
            SyntaxError::new(Code::WrongOperator, both, "Inches are written `\"` here.").fix(both, "\"")
        }
        '→' | '⇒' => written("->"),
        '×' | '✕' if rest.chars().nth(1) == Some(' ') && after_digit => {
            SyntaxError::new(Code::UnexpectedToken, span, format!("After the number of copies no `{sign}` is needed.")).fix(span, "")
        }
        '×' | '✕' | '·' => written("*"),
        '÷' => written("/"),
        '½' | '¼' | '¾' => {
            let right = ["1/2", "1/4", "3/4"]["½¼¾".chars().position(|c| c == sign)?];
            SyntaxError::new(Code::BadNumber, span, format!("`{sign}` is written `{right}` here.")).help("Lengths may have a point: `2.5`.")
        }
        '\u{a0}' | '\u{202f}' | '\u{2007}' | '\u{2009}' | '\u{3000}' => {
            SyntaxError::new(Code::UnexpectedToken, span, "This space is one that does not break, as word processors make them.")
                .help("Write an ordinary space.")
                .fix(span, " ")
        }
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{ad}' | '\u{feff}' => {
            SyntaxError::new(Code::UnexpectedToken, span, "Here stands a sign that cannot be seen.").help("Delete it.").fix(span, "")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Option<String> {
        let error = foreign(text, Span::new(0, text.len() as u32))?;
        let (span, with) = error.fix?;
        Some(format!("{}{with}{}", &text[..span.start as usize], &text[span.end as usize..]))
    }

    #[test]
    fn signs_of_word_processors() {
        for (wrong, right) in [
            ("bonus −1", "bonus -1"),
            ("count(x) ≥ 3", "count(x) >= 3"),
            ("1…2 Mist", "1..2 Mist"),
            ("within 12” of this", "within 12\" of this"),
            ("4× Recruit", "4 Recruit"),
            ("within 12'' of this", "within 12\" of this"),
            ("cost:\u{a0}1", "cost: 1"),
            ("1\u{200b}, 2", "1, 2"),
        ] {
            assert_eq!(mended(wrong).as_deref(), Some(right));
        }
    }

    #[test]
    fn what_stands_in_quotes_may_have_any() {
        assert_eq!(mended("flavour: \"a – b\" // …"), None);
        assert_eq!(mended("flavour: “so”"), None);
    }
}
