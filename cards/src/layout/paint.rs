//! From measured strips to the list of what is drawn.

use banneret_compiler::printed::Face;

use super::block::{Block, Piece};
use super::scene::{Kind, Measured, Scene};
use crate::colour::{ALARM, INK, PAPER};
use crate::display::{Area, Drawing, Op, Placed, Rect, Rounded, Shown};
use crate::picture::Pictures;
use crate::units::{MM, points};

/// How far a ground reaches into the one above it: between two that only touch, a thin line of paper would show.
const LAP: f32 = 0.4;
/// The line around a card that is too full, in drafts.
const EDGE: f32 = 1.5;

pub fn paint(face: &Face, scene: &Scene, pictures: &dyn Pictures) -> Drawing {
    let (width, height, bleed) = (points(face.width), points(face.height), points(face.bleed));
    let mut drawing = Drawing { width, height, bleed, ops: Vec::new(), areas: Vec::new() };
    let sheet = drawing.sheet();
    drawing.ops.push(Op::Box(Rounded::filled(sheet, PAPER)));
    if let Some(picture) = &scene.ground {
        show(&mut drawing, picture.path.as_deref(), sheet, scene, pictures);
    }
    let spare = (scene.room - scene.needed).max(0.0);
    let flexible = scene.strips.iter().filter(|s| matches!(s.kind, Kind::Picture { flexible: true, .. })).count();
    let low = first_low(&scene.strips);
    let last = scene.strips.len().saturating_sub(1);
    let mut y = scene.top;
    // letters stand over every ground, as grounds that touch reach a little into each other
    let mut letters = Vec::new();
    for (i, strip) in scene.strips.iter().enumerate() {
        y += strip.gap;
        if flexible == 0 && low == Some(i) {
            y += spare;
        }
        let mut h = strip.block.height;
        if let Kind::Picture { flexible: true, .. } = strip.kind {
            h += spare / flexible as f32;
        }
        let touches = i > 0 && strip.gap == 0.0 && scene.strips[i - 1].kind.has_ground();
        let top = if i == 0 { sheet.y } else { y - if touches { LAP } else { 0.0 } };
        // to the edge and over it, where the strip is first or last
        let bottom = if i == last { sheet.bottom().max(y + h) } else { y + h };
        let ground = Rect::new(sheet.x, top, sheet.w, bottom - top);
        match (&strip.kind, drawing.ops.last_mut()) {
            // bands that touch are one
            (Kind::Band, Some(Op::Box(above))) if touches && scene.strips[i - 1].kind == Kind::Band => above.rect.h = bottom - above.rect.y,
            (Kind::Band, _) => drawing.ops.push(Op::Box(Rounded::filled(ground, scene.colour))),
            (Kind::Picture { picture, .. }, _) => show(&mut drawing, picture.path.as_deref(), ground, scene, pictures),
            (Kind::Plain | Kind::Low, _) => {}
        }
        pieces(&strip.block, y, &mut letters);
        drawing.areas.push(Area { what: Shown::Strip(strip.strip), rect: Rect::new(0.0, y, width, h) });
        let parts = strip.block.parts.iter();
        drawing.areas.extend(parts.map(|p| Area { what: Shown::Part(p.at), rect: Rect::new(0.0, y + p.top, width, p.bottom - p.top) }));
        let cells = strip.block.cells.iter();
        drawing.areas.extend(cells.map(|c| Area { what: Shown::Part(c.at), rect: Rect { y: y + c.rect.y, ..c.rect } }));
        y += h;
    }
    drawing.ops.extend(letters);
    drawing
}

/// Makes what stands below the margin red, and shows also what stands below the edge.
pub fn show_overflow(drawing: &mut Drawing, margin: f32, over: f32) {
    let (width, height) = (drawing.width, drawing.height);
    for op in &mut drawing.ops {
        if let Op::Glyphs(glyphs) = op
            && glyphs.y > height - margin
        {
            glyphs.colour = ALARM;
        }
    }
    drawing.height += over * MM + margin;
    drawing.ops.insert(0, Op::Box(Rounded::filled(drawing.sheet(), PAPER)));
    let edge = Rounded { stroke: Some((ALARM, EDGE)), ..Rounded::filled(Rect::new(0.0, 0.0, width, height), PAPER) };
    drawing.ops.push(Op::Box(Rounded { fill: None, ..edge }));
}

/// The first of the strips at the end that stand at the bottom.
fn first_low(strips: &[Measured]) -> Option<usize> {
    let plain = strips.iter().rposition(|s| s.kind != Kind::Low).map_or(0, |i| i + 1);
    (plain < strips.len()).then_some(plain)
}

fn pieces(block: &Block, top: f32, ops: &mut Vec<Op>) {
    // boxes lie below all letters of their block
    for piece in &block.pieces {
        if let Piece::Box(rounded) = piece {
            let mut rounded = *rounded;
            rounded.rect.y += top;
            ops.push(Op::Box(rounded));
        }
    }
    let mut glyphs = Vec::new();
    for piece in &block.pieces {
        if let Piece::Text { x, y, set } = piece {
            set.glyphs(*x, top + y, &mut glyphs);
        }
    }
    ops.extend(glyphs.into_iter().map(Op::Glyphs));
}

/// A picture, or an empty frame where there is none.
fn show(drawing: &mut Drawing, path: Option<&str>, rect: Rect, scene: &Scene, pictures: &dyn Pictures) {
    match path.and_then(|p| pictures.picture(p).ok()) {
        Some(picture) => drawing.ops.push(Op::Picture(Placed { rect, clip: rect, picture })),
        None => {
            drawing.ops.push(Op::Box(Rounded::filled(rect, PAPER.mixed(scene.colour, 0.16))));
            let inner = Rect::new(rect.x + rect.w * 0.5 - 6.0 * MM, rect.y + rect.h * 0.5 - 6.0 * MM, 12.0 * MM, 12.0 * MM);
            if rect.h > 14.0 * MM {
                let stroke = Some((PAPER.mixed(INK, 0.35), 0.8));
                drawing.ops.push(Op::Box(Rounded { rect: inner, radius: 6.0 * MM, fill: None, stroke }));
            }
        }
    }
}
