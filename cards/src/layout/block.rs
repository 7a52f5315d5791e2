//! Blocks: measured pieces of a face that are stacked.

use banneret_compiler::printed::Text;

use crate::colour::Colour;
use crate::display::{Font, Rect, Rounded};
use crate::text::{Align, SetText, Setter, Span, Style};
use crate::typography::proper;

/// Something at a place in its block.
#[derive(Clone)]
pub enum Piece {
    Text { x: f32, y: f32, set: Box<SetText> },
    Box(Rounded),
}

/// A strip that was measured.
#[derive(Clone, Default)]
pub struct Block {
    pub height: f32,
    pub pieces: Vec<Piece>,
    pub parts: Vec<Part>,
    pub cells: Vec<Cell>,
    /// Words that had to be broken because no line is wide enough for them.
    pub wide: Vec<String>,
}

/// The rectangle of a block that shows one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Its place in the source.
    pub at: usize,
    pub rect: Rect,
}

/// The stretch of a block that one ability takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its place in the source.
    pub at: usize,
    pub top: f32,
    pub bottom: f32,
    pub lines: usize,
}

impl Block {
    /// Puts a paragraph below what is there.
    pub fn add(&mut self, x: f32, set: SetText, words: &[Span]) {
        self.note_width(&set, words);
        let height = set.height;
        self.pieces.push(Piece::Text { x, y: self.height, set: Box::new(set) });
        self.height += height;
    }

    pub fn put(&mut self, x: f32, y: f32, set: SetText) {
        self.pieces.push(Piece::Text { x, y, set: Box::new(set) });
    }

    pub fn note_width(&mut self, set: &SetText, words: &[Span]) {
        if set.too_wide.is_some() {
            let all: String = words.iter().map(|s| s.text.as_str()).collect();
            let longest = all.split_whitespace().max_by_key(|w| w.chars().count()).unwrap_or_default();
            self.wide.push(longest.to_string());
        }
    }

    /// Says what stands in a rectangle, if that is known.
    pub fn cell(&mut self, at: Option<&usize>, rect: Rect) {
        self.cells.extend(at.map(|at| Cell { at: *at, rect }));
    }

    /// Moves everything down.
    pub fn shifted(mut self, by: f32) -> Self {
        for piece in &mut self.pieces {
            match piece {
                Piece::Text { y, .. } => *y += by,
                Piece::Box(b) => b.rect.y += by,
            }
        }
        for part in &mut self.parts {
            part.top += by;
            part.bottom += by;
        }
        for cell in &mut self.cells {
            cell.rect.y += by;
        }
        self.height += by;
        self
    }

    /// Puts another block below, with a gap between.
    pub fn append(&mut self, other: Block, gap: f32) {
        let by = if self.height > 0.0 { self.height + gap } else { self.height };
        let other = other.shifted(by);
        self.height = other.height;
        self.pieces.extend(other.pieces);
        self.parts.extend(other.parts);
        self.cells.extend(other.cells);
        self.wide.extend(other.wide);
    }
}

/// What a strip is measured with.
pub struct Measure<'a> {
    pub setter: &'a mut Setter,
    /// The room between the margins.
    pub width: f32,
    /// The size of type that is tried, the normal and the smallest one.
    pub size: f32,
    pub normal: f32,
    pub smallest: f32,
    /// Of the faction, and the same dark enough for letters on paper.
    pub colour: Colour,
    pub ink: Colour,
}

impl Measure<'_> {
    pub fn style(&self, font: Font, size: f32, colour: Colour) -> Style {
        Style { font, size, colour }
    }

    /// Text of a card as spans, with proper marks; bold runs are set in `strong`.
    pub fn spans(&self, text: &Text, style: Style, strong: Font) -> Vec<Span> {
        let mut out: Vec<Span> = Vec::new();
        for run in text {
            let before = out.last().and_then(|s: &Span| s.text.chars().next_back());
            let font = if run.bold { strong } else { style.font };
            out.push(Span { text: proper(&run.text, before), style: Style { font, ..style } });
        }
        out
    }

    pub fn word(&self, text: &str, style: Style) -> Vec<Span> {
        vec![Span { text: proper(text, None), style }]
    }

    pub fn set(&mut self, spans: &[Span], width: f32, align: Align) -> SetText {
        self.setter.set(spans, width.max(1.0), align)
    }

    pub fn width_of(&mut self, spans: &[Span]) -> f32 {
        self.setter.width(spans)
    }
}
