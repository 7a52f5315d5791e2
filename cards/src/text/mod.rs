//! Setting text: shaping, breaking lines, and the glyphs that come of it.
//!
//! The words of games repeat: each is shaped once and kept without a size, and lines are broken from what is kept ([`words`], [`lines`]). Text
//! that runs from right to left, or in a script whose words are not parted by spaces, is set as a whole ([`paragraph`]).

pub mod letters;
mod lines;
mod paragraph;
mod words;

use crate::colour::Colour;
use crate::display::Glyphs;
use crate::fonts::Font;

use lines::Lines;
use paragraph::Whole;
use words::Words;

/// How a stretch of text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub font: Font,
    pub size: f32,
    pub colour: Colour,
}

/// A stretch of text in one style.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub text: String,
    pub style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Centre,
    Right,
}

/// The height of a line, in sizes of its type.
pub const LEADING: f32 = 1.18;

/// What rounding may cost when a line is filled.
const ROUNDING: f32 = 0.01;

/// A paragraph with its lines broken.
#[derive(Clone)]
pub struct SetText {
    how: How,
    pub width: f32,
    pub height: f32,
    pub lines: usize,
    /// The width of its widest word, if that is wider than the lines may be.
    pub too_wide: Option<f32>,
}

#[derive(Clone)]
enum How {
    Words(Lines),
    Whole(Box<Whole>),
}

/// Sets text; keeps what can be used again between texts.
#[derive(Default)]
pub struct Setter {
    words: Words,
}

impl Setter {
    /// A paragraph, at most `width` wide.
    pub fn set(&mut self, spans: &[Span], width: f32, align: Align) -> SetText {
        let spans = &letters::bounded(spans);
        if spans.iter().all(|span| words::simple(&span.text)) {
            lines::set(&mut self.words, spans, width, align)
        } else {
            paragraph::set(&mut self.words.shaper, spans, width, align)
        }
    }

    /// How wide text is on one line.
    pub fn width(&mut self, spans: &[Span]) -> f32 {
        let spans = &letters::bounded(spans);
        if spans.iter().all(|span| words::simple(&span.text)) {
            lines::width(&mut self.words, spans)
        } else {
            paragraph::set(&mut self.words.shaper, spans, f32::MAX / 4.0, Align::Left).width
        }
    }
}

impl SetText {
    /// Its glyphs, with the paragraph's upper left corner at a place.
    pub fn glyphs(&self, left: f32, top: f32, out: &mut Vec<Glyphs>) {
        match &self.how {
            How::Words(lines) => lines.glyphs(left, top, out),
            How::Whole(whole) => whole.glyphs(left, top, out),
        }
    }
}

/// What paragraphs without any text are set in.
fn first_style(spans: &[Span]) -> Style {
    spans.first().map_or(Style { font: Font::Text, size: 8.0, colour: Colour::default() }, |s| s.style)
}
