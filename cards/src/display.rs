//! What is drawn, in order: the one list that every writer repeats. Points, from the upper left corner of the trimmed card.

use std::sync::Arc;

use crate::colour::Colour;
pub use crate::fonts::Font;
use crate::picture::Picture;

/// A side of a card, ready to be written.
#[derive(Clone, Debug)]
pub struct Drawing {
    pub width: f32,
    pub height: f32,
    /// How far colour reaches over each edge.
    pub bleed: f32,
    pub ops: Vec<Op>,
    /// Where the things are that stand at a place in the source: what lies within another comes after it.
    pub areas: Vec<Area>,
}

/// What of a card stands in a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub what: Shown,
    pub rect: Rect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// An ability or a value, by its number among the places of the card.
    Part(usize),
    /// A whole strip, by its number among those of the face.
    Strip(usize),
}

#[derive(Clone, Debug)]
pub enum Op {
    Box(Rounded),
    Glyphs(Glyphs),
    Picture(Placed),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

/// A rectangle, filled or outlined, perhaps with round corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded {
    pub rect: Rect,
    pub radius: f32,
    pub fill: Option<Colour>,
    /// Colour and width.
    pub stroke: Option<(Colour, f32)>,
}

/// Glyphs of one font, size and colour on one baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyphs {
    pub font: Font,
    pub size: f32,
    pub colour: Colour,
    pub x: f32,
    pub y: f32,
    pub glyphs: Vec<Glyph>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    pub id: u32,
    /// From the start of the run.
    pub x: f32,
    pub y: f32,
    pub advance: f32,
    /// The characters it stands for; empty if they belong to the glyph before it.
    pub text: String,
}

/// A picture that fills a rectangle; what stands over is cut off.
#[derive(Clone, Debug)]
pub struct Placed {
    pub rect: Rect,
    /// What of it is shown.
    pub clip: Rect,
    pub picture: Arc<Picture>,
}

impl Rect {
    pub fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }

    pub fn right(&self) -> f32 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }
}

impl Rounded {
    pub fn filled(rect: Rect, fill: Colour) -> Self {
        Self { rect, radius: 0.0, fill: Some(fill), stroke: None }
    }
}

impl Drawing {
    /// Without its bleed: what is left when it is cut.
    pub fn trimmed(&self) -> Self {
        Self { bleed: 0.0, ..self.clone() }
    }

    /// The card with its bleed.
    pub fn sheet(&self) -> Rect {
        Rect::new(-self.bleed, -self.bleed, self.width + 2.0 * self.bleed, self.height + 2.0 * self.bleed)
    }
}
