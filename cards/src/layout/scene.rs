//! The strips of a face, measured in one size of type.

use banneret_compiler::printed::{Face, Picture, Strip, StripKind};

use super::block::{Block, Measure};
use super::{band, boxes, grid, paragraphs};
use crate::colour::{Colour, SLATE};
use crate::display::Font;
use crate::text::Setter;
use crate::units::{MM, points, type_size};

/// A picture without a height is at least this high.
const LEAST_PICTURE: f32 = 15.0 * MM;

/// A face whose strips are measured.
pub struct Scene {
    pub colour: Colour,
    pub strips: Vec<Measured>,
    /// Over the whole card, behind everything.
    pub ground: Option<Picture>,
    pub size: f32,
    /// The height of everything together, and the height there is.
    pub needed: f32,
    pub room: f32,
    pub top: f32,
}

pub struct Measured {
    /// Which strip of the face it is.
    pub strip: usize,
    pub kind: Kind,
    pub block: Block,
    /// The gap above it.
    pub gap: f32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On the colour of the faction, from edge to edge.
    Band,
    Plain,
    /// Stands at the bottom if nothing but its like comes after it.
    Low,
    /// From edge to edge; one without a height of its own takes the room that is left.
    Picture {
        picture: Picture,
        flexible: bool,
    },
}

impl Kind {
    /// Whether it covers the paper from edge to edge.
    pub fn has_ground(&self) -> bool {
        matches!(self, Kind::Band | Kind::Picture { .. })
    }
}

/// Measures every strip but those that are left out.
pub fn measured(face: &Face, size: f32, left_out: &[usize], setter: &mut Setter) -> Scene {
    let colour = face.colour.as_deref().and_then(Colour::read).unwrap_or(SLATE);
    let (height, margin) = (points(face.height), points(face.margin));
    let width = (points(face.width) - 2.0 * margin).max(1.0);
    let (normal, smallest) = (type_size(face.normal), type_size(face.smallest));
    let mut m = Measure { setter, width, size, normal, smallest, colour, ink: colour.as_ink() };
    let mut scene = Scene { colour, strips: Vec::new(), ground: None, size, needed: 0.0, room: 0.0, top: 0.0 };
    for (i, strip) in face.strips.iter().enumerate() {
        if left_out.contains(&i) {
            continue;
        }
        let Some((kind, block)) = one(&mut m, strip, margin, &mut scene.ground) else { continue };
        let before = scene.strips.last().map(|s| &s.kind);
        let gap = match (before, &kind) {
            (None, _) => 0.0,
            (Some(Kind::Band), Kind::Band) => 0.0,
            (Some(Kind::Picture { .. }), Kind::Band | Kind::Picture { .. }) | (Some(Kind::Band), Kind::Picture { .. }) => 0.0,
            _ => size * 0.55,
        };
        scene.strips.push(Measured { strip: i, kind, block, gap });
    }
    pad_bands(&mut scene, margin, normal);
    // a band or a picture reaches to the edge, everything else keeps the margin
    let edge = |s: Option<&Measured>| if s.is_some_and(|s| s.kind.has_ground()) { 0.0 } else { margin };
    scene.top = edge(scene.strips.first());
    scene.room = height - scene.top - edge(scene.strips.last());
    scene.needed = scene.strips.iter().map(|s| s.gap + s.block.height).sum();
    scene
}

/// Bands that touch are one; it has some air above and below, more where it meets the edge of the card.
fn pad_bands(scene: &mut Scene, margin: f32, normal: f32) {
    let bands: Vec<bool> = scene.strips.iter().map(|s| s.kind == Kind::Band).collect();
    let count = bands.len();
    for (i, strip) in scene.strips.iter_mut().enumerate().filter(|(i, _)| bands[*i]) {
        let above = i.checked_sub(1).is_some_and(|j| bands[j]);
        let below = bands.get(i + 1).copied().unwrap_or(false);
        let air = |edge: bool| if edge { margin * 0.75 } else { normal * 0.25 };
        if !above {
            let block = std::mem::take(&mut strip.block);
            strip.block = block.shifted(air(i == 0));
        }
        if !below {
            strip.block.height += air(i + 1 == count);
        }
    }
}

fn one(m: &mut Measure, strip: &Strip, margin: f32, ground: &mut Option<Picture>) -> Option<(Kind, Block)> {
    let places = &strip.places;
    let plain = |block: Block| (block.height > 0.0).then_some((Kind::Plain, block));
    match &strip.kind {
        StripKind::Title { left, right } => Some((Kind::Band, band::title(m, left, right, margin, places))),
        StripKind::Subtitle { left, right } => {
            let nothing = left.is_empty() && right.is_empty();
            (!nothing).then(|| (Kind::Band, band::subtitle(m, left, right, margin, places)))
        }
        StripKind::Footer { left, right } => {
            if left.is_empty() && right.is_empty() {
                return None;
            }
            let style = m.style(Font::Text, m.smallest, m.ink);
            Some((Kind::Low, band::sides(m, left, right, margin, style, places)))
        }
        StripKind::Row(texts) => plain(boxes::row(m, texts, margin, places)),
        StripKind::Stats(stats) if stats.is_empty() => None,
        StripKind::Stats(stats) => plain(boxes::stats(m, stats, margin, places)),
        StripKind::Grid { rows, .. } if rows.is_empty() => None,
        StripKind::Grid { heads, rows } => plain(grid::grid(m, heads, rows, margin)),
        StripKind::Lines(rows) => plain(grid::lines(m, rows, margin)),
        StripKind::Rules(paragraphs) => {
            let width = m.width;
            plain(paragraphs::rules(m, paragraphs, margin, width))
        }
        StripKind::Reminders(paragraphs) => plain(paragraphs::reminders(m, paragraphs, margin)),
        StripKind::Flavour(text) if text.trim().is_empty() => None,
        StripKind::Flavour(text) => Some((Kind::Low, paragraphs::flavour(m, text, margin))),
        StripKind::Table(rows) => plain(paragraphs::table(m, rows, margin)),
        StripKind::Line => plain(paragraphs::line(m, margin)),
        StripKind::Picture(picture) if picture.full => {
            *ground = Some(picture.clone());
            None
        }
        // a card without a picture gives the room to the rest
        StripKind::Picture(picture) if picture.path.is_none() && picture.height.is_some() => None,
        StripKind::Picture(picture) => {
            let height = picture.height.map_or(LEAST_PICTURE, points);
            let kind = Kind::Picture { picture: picture.clone(), flexible: picture.height.is_none() };
            Some((kind, Block { height, ..Block::default() }))
        }
    }
}
