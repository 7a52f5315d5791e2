//! Letters with marks on them: how many characters one letter may be made of.
//!
//! The library that shapes text counts the characters of a letter in one byte. No writing needs nearly as many: what is longer was made to hurt,
//! is told by the check as something that cannot be printed, and is cut here before the library sees it.

use std::borrow::Cow;

use icu_segmenter::GraphemeClusterSegmenter;

use super::Span;

/// A letter of so many characters is still printed: a flag takes 7, a family of emoji 11, and Unicode promises that 30 marks on a letter are enough
/// for every language (UAX 15, stream-safe text).
pub const MOST: usize = 32;

/// How many characters the longest letter of a text is made of, if these are too many.
pub fn too_long(text: &str) -> Option<usize> {
    if !may_be_too_long([text]) {
        return None;
    }
    letters(text).map(|letter| letter.chars().count()).max().filter(|count| *count > MOST)
}

/// The same text, with letters cut that are made of too many characters.
pub fn bounded(spans: &[Span]) -> Cow<'_, [Span]> {
    if !may_be_too_long(spans.iter().map(|span| span.text.as_str())) {
        return Cow::Borrowed(spans);
    }
    // a letter may begin in one style and go on in another
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let mut kept = letters(&text).flat_map(|letter| letter.chars().enumerate().map(|(at, _)| at < MOST));
    let cut = |span: &Span| {
        let text = span.text.chars().filter(|_| kept.next().unwrap_or_default()).collect();
        Span { text, style: span.style }
    };
    Cow::Owned(spans.iter().map(cut).collect())
}

/// All characters of a letter but its first are outside of ASCII (the ends of lines are no letters).
fn may_be_too_long<'a>(texts: impl IntoIterator<Item = &'a str>) -> bool {
    let strange = texts.into_iter().filter(|text| !text.is_ascii()).flat_map(str::chars).filter(|c| !c.is_ascii());
    strange.take(MOST).count() == MOST
}

fn letters(text: &str) -> impl Iterator<Item = &str> {
    let ends = GraphemeClusterSegmenter::new().segment_str(text).skip(1);
    ends.scan(0, |start, end| text.get(std::mem::replace(start, end)..end))
}

#[cfg(test)]
mod tests {
    use super::super::{Align, Setter, Style};
    use super::*;
    use crate::colour::Colour;
    use crate::fonts::Font;

    fn span(text: String, font: Font) -> Span {
        Span { text, style: Style { font, size: 8.0, colour: Colour::default() } }
    }

    /// One byte counted these in the library: more of them than it holds ended the check.
    #[test]
    fn letters_of_too_many_marks_are_set_and_told() {
        let family = "\u{1f469}\u{200d}".repeat(300);
        let hebrew = format!("א{}", "\u{5b7}".repeat(300));
        let conjunct = "क\u{94d}".repeat(300);
        let jamo = "\u{1100}".repeat(300);
        for text in [format!("Z{}", "\u{301}".repeat(300)), family, hebrew, conjunct, jamo] {
            let mut setter = Setter::default();
            let spans = [span(format!("so {text} so"), Font::Text)];
            assert!(setter.set(&spans, 100.0, Align::Left).lines > 0);
            assert!(setter.width(&spans) > 0.0);
            assert!(too_long(&text).is_some_and(|count| count > MOST), "{text}");
            // also where the marks are parted by styles
            let parts: Vec<Span> = [Font::Text, Font::Bold, Font::Text, Font::Text]
                .into_iter()
                .zip([text.as_str(), "\u{301}\u{301}", "\u{301}", &"\u{301}".repeat(40)])
                .map(|(font, text)| span(text.to_owned(), font))
                .collect();
            assert!(setter.set(&parts, 100.0, Align::Left).lines > 0);
        }
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in
            ["Ünïcödé ".repeat(20), "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ".repeat(20), "שָׁלוֹם ".repeat(20), format!("a{}", "\u{301}".repeat(31)), "\r\n".repeat(40)]
        {
            let spans = [span(text.clone(), Font::Text)];
            assert_eq!(bounded(&spans).as_ref(), spans.as_slice());
            assert_eq!(too_long(&text), None);
        }
        let cut = bounded(&[span(format!("b{}c", "\u{301}".repeat(32)), Font::Text)])[0].text.clone();
        assert_eq!(cut, format!("b{}c", "\u{301}".repeat(31)));
    }
}
