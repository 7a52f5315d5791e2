//! Words, each shaped once: their glyphs and where they may be broken, without a size, for all cards and all sizes of type.

use std::sync::Arc;

use parley::OverflowWrap;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::paragraph::Shaper;
use super::{Span, Style};
use crate::colour::Colour;
use crate::fonts::{self, Font};

/// Words are shaped in this size, and scaled.
const SIZE: f32 = 1000.0;
/// So many words are kept of each font: names that are made up again and again must not fill the memory.
const MOST: usize = 50_000;

/// A word in one font. All lengths are in sizes of its type.
pub struct Word {
    pub glyphs: Vec<Shape>,
    pub advance: f32,
    /// What must stay together: its parts between places where a line may end.
    pub pieces: Vec<Piece>,
    /// How far a line reaches above and below the baseline.
    pub over: f32,
    pub under: f32,
}

#[derive(Clone, Copy)]
pub struct Piece {
    /// The glyph after its last one.
    pub end: usize,
    pub advance: f32,
}

pub struct Shape {
    pub font: Font,
    pub id: u32,
    pub x: f32,
    pub y: f32,
    pub advance: f32,
    /// The characters it stands for; empty if they belong to the glyph before it.
    pub text: SmolStr,
}

/// Shapes words, and keeps them.
#[derive(Default)]
pub struct Words {
    pub shaper: Shaper,
    known: FxHashMap<Font, FxHashMap<SmolStr, Arc<Word>>>,
}

impl Words {
    pub fn word(&mut self, text: &str, font: Font) -> Arc<Word> {
        let known = self.known.entry(font).or_default();
        if let Some(word) = known.get(text) {
            return word.clone();
        }
        if known.len() >= MOST {
            known.clear();
        }
        let word = Arc::new(shape(&mut self.shaper, text, font));
        known.insert(SmolStr::new(text), word.clone());
        word
    }
}

/// Whether words can be shaped one by one: the text runs from left to right, and a space is the only kind of space in it.
pub fn simple(text: &str) -> bool {
    let simple = |c: char| {
        matches!(c,
            ' '..='~'
            | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{52f}'
            | '\u{1e00}'..='\u{1fff}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
            | '\u{2070}'..='\u{2bff}')
    };
    text.chars().all(simple)
}

fn shape(shaper: &mut Shaper, text: &str, font: Font) -> Word {
    let span = Span { text: text.to_string(), style: Style { font, size: SIZE, colour: Colour::default() } };
    let mut layout = shaper.shaped(text, &[span], OverflowWrap::Normal);
    // without any room there is a line for each piece that must stay together
    layout.break_all_lines(Some(0.0));
    let mut word = Word { glyphs: Vec::new(), advance: 0.0, pieces: Vec::new(), over: 0.0, under: 0.0 };
    for line in layout.lines() {
        let metrics = line.metrics();
        if word.pieces.is_empty() {
            word.over = metrics.baseline / SIZE;
            word.under = metrics.line_height / SIZE - word.over;
        }
        let before = word.advance;
        for run in line.runs() {
            let font = fonts::font_of(run.font().data.id());
            for cluster in run.visual_clusters() {
                let mut text = text.get(cluster.text_range()).unwrap_or_default();
                if cluster.is_ligature_continuation() {
                    if let Some(glyph) = word.glyphs.last_mut() {
                        glyph.text = SmolStr::from_iter([glyph.text.as_str(), text]);
                    }
                    continue;
                }
                for glyph in cluster.glyphs() {
                    let advance = glyph.advance / SIZE;
                    let text = SmolStr::new(std::mem::take(&mut text));
                    word.glyphs.push(Shape { font, id: glyph.id, x: glyph.x / SIZE, y: glyph.y / SIZE, advance, text });
                    word.advance += advance;
                }
            }
        }
        word.pieces.push(Piece { end: word.glyphs.len(), advance: word.advance - before });
    }
    word
}

#[cfg(test)]
mod tests {
    use super::super::LEADING;
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let word = Words::default().word(text, Font::Text);
        let mut start = 0;
        let all = word.pieces.iter().map(|piece| {
            let glyphs = &word.glyphs[start..piece.end];
            start = piece.end;
            glyphs.iter().map(|g| g.text.as_str()).collect()
        });
        all.collect()
    }

    #[test]
    fn a_word_may_be_broken_where_unicode_says() {
        assert_eq!(pieces("shield"), ["shield"]);
        assert_eq!(pieces("half-cut"), ["half-", "cut"]);
        assert_eq!(pieces("no—never"), ["no", "—", "never"]);
        assert_eq!(pieces("12″,"), ["12″,"]);
        assert_eq!(pieces(""), [""]);
    }

    #[test]
    fn a_word_is_shaped_once_and_its_letters_are_all_there() {
        let mut words = Words::default();
        let first = words.word("fficial", Font::Italic);
        assert!(Arc::ptr_eq(&first, &words.word("fficial", Font::Italic)));
        assert!(!Arc::ptr_eq(&first, &words.word("fficial", Font::Bold)));
        let letters: String = first.glyphs.iter().map(|g| g.text.as_str()).collect();
        assert_eq!(letters, "fficial", "also those of ligatures");
        let sum: f32 = first.glyphs.iter().map(|g| g.advance).sum();
        assert!((sum - first.advance).abs() < 1e-4);
        assert!((first.over + first.under - LEADING).abs() < 1e-4 && first.over > 0.5);
    }
}
