//! Colours that are written in a text: `"#7a1f1f"`.

use banneret_grammar::span::Span;

/// Where colours stand, without their quotes, and how much red, green and blue they are.
pub fn colours(text: &str) -> Vec<(Span, [u8; 3])> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("\"#") {
        let Some(digits) = text.get(at + 2..at + 8).filter(|d| d.chars().all(|c| c.is_ascii_hexdigit())) else { continue };
        let is_comment = text[..at].rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
        if is_comment || !text.get(at + 8..).is_some_and(|rest| rest.starts_with('"')) {
            continue;
        }
        let part = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).unwrap_or_default();
        out.push((Span::new(at as u32 + 1, at as u32 + 8), [part(0), part(2), part(4)]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_colours_count() {
        let found = colours("a: \"#7a1f00\", b: \"#12\", c: \"#12345678\"\n/// such as \"#123456\"\n");
        assert_eq!(found, [(Span::new(4, 11), [0x7a, 0x1f, 0])]);
    }
}
