//! Straight marks as a printer sets them: quotes, apostrophes, dashes, minus signs, inches and feet.

/// The text with proper marks. `before` is the character that stands before it, if any.
pub fn proper(text: &str, before: Option<char>) -> String {
    // most texts have nothing to set: no mark, no dots in a row, and no control character (0xc2 begins those beyond ASCII)
    let plain = |b: u8| !matches!(b, b'"' | b'\'' | b'-' | 0..=31 | 127 | 0xc2);
    if text.bytes().all(plain) && !text.contains("...") {
        return text.to_string();
    }
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let last = out.chars().next_back().or(before);
        let next = chars.get(i + 1).copied();
        let opens = last.is_none_or(|l| l.is_whitespace() || matches!(l, '(' | '[' | '“' | '‘' | '—' | '–'));
        match c {
            '"' if last.is_some_and(|l| l.is_ascii_digit()) && !quote_is_open(&out) => out.push('″'),
            '"' => out.push(if opens { '“' } else { '”' }),
            '\'' if opens && next.is_some_and(char::is_alphabetic) => out.push('‘'),
            '\'' => out.push('’'),
            '.' if next == Some('.') && chars.get(i + 2) == Some(&'.') => {
                out.push('…');
                i += 2;
            }
            '-' if next == Some('-') => {
                out.push('—');
                i += usize::from(chars.get(i + 2) == Some(&'-')) + 1;
            }
            '-' if last.is_some_and(char::is_whitespace) && next.is_some_and(char::is_whitespace) => out.push('–'),
            '-' if last.is_some_and(|l| l.is_ascii_digit()) && next.is_some_and(|n| n.is_ascii_digit()) => out.push('–'),
            '-' if opens && next.is_some_and(|n| n.is_ascii_digit()) => out.push('−'),
            // what would be a command to a terminal or a viewer is nothing on paper
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        i += 1;
    }
    out
}

fn quote_is_open(text: &str) -> bool {
    text.matches('“').count() > text.matches('”').count()
}

#[cfg(test)]
mod tests {
    use super::proper;

    #[test]
    fn marks_are_set_properly() {
        for (plain, set) in [
            ("He said \"run\".", "He said “run”."),
            ("within 6\" of it", "within 6″ of it"),
            ("a \"6\" is rolled", "a “6” is rolled"),
            ("the warden's 'shield'", "the warden’s ‘shield’"),
            ("1-12, -2 to hit - always", "1–12, −2 to hit – always"),
            ("wait... no--never", "wait… no—never"),
            ("half-cut", "half-cut"),
            ("a\tb\u{7}", "a b "),
            ("a\u{85}b", "a b"),
            ("half a stone. “Old”. 6″", "half a stone. “Old”. 6″"),
            ("<script>alert('x')</script>", "<script>alert(‘x’)</script>"),
        ] {
            assert_eq!(proper(plain, None), set);
        }
        assert_eq!(proper("\"", Some('6')), "″");
    }
}
