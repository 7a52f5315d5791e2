//! The size of type, what is left out, and whether the rest fits.

use banneret_compiler::printed::{Face, StripKind};

use super::scene::{Scene, measured};
use crate::text::{LEADING, Setter};
use crate::units::{millimetres, type_size};

/// Sizes of type between the normal and the smallest one are tried in steps of this many points.
const STEP: f32 = 0.25;
/// What rounding may cost.
const TOLERANCE: f32 = 0.02;

/// Whether a face has room for everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub fits: bool,
    /// The size of type it is set in, in points.
    pub size: f32,
    /// Strips that were left out for want of room.
    pub left_out: Vec<usize>,
    /// By how much it is too high, in millimetres and in lines.
    pub over: f32,
    pub over_lines: usize,
    /// What each ability takes, from top to bottom.
    pub parts: Vec<PartSize>,
    /// What the reminders of keywords take, in millimetres.
    pub reminders: f32,
    /// Words that are wider than the card and had to be broken.
    pub wide: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PartSize {
    /// Its place in the card.
    pub at: usize,
    pub millimetres: f32,
    pub lines: usize,
    /// Some of it stands below the edge.
    pub lost: bool,
}

pub fn fitted(face: &Face, setter: &mut Setter) -> (Scene, Verdict) {
    let (normal, smallest) = (type_size(face.normal), type_size(face.smallest));
    let optional: Vec<usize> = face.strips.iter().enumerate().filter(|(_, s)| s.optional).map(|(i, _)| i).rev().collect();
    let mut left_out: Vec<usize> = Vec::new();
    let mut more = optional.into_iter();
    let scene = loop {
        let scene = measured(face, normal, &left_out, setter);
        if fits(&scene) {
            break scene;
        }
        let least = measured(face, smallest, &left_out, setter);
        if fits(&least) {
            break largest(face, &left_out, normal, least, setter);
        }
        match more.next() {
            // what shows nothing frees nothing
            Some(strip) if least.strips.iter().any(|s| s.strip == strip) => left_out.push(strip),
            Some(_) => {}
            None => break least,
        }
    };
    let verdict = verdict(face, &scene, left_out);
    (scene, verdict)
}

fn fits(scene: &Scene) -> bool {
    scene.needed <= scene.room + TOLERANCE
}

/// The largest size that fits, knowing that the smallest one does and the normal one does not.
fn largest(face: &Face, left_out: &[usize], normal: f32, least: Scene, setter: &mut Setter) -> Scene {
    let steps = ((normal - least.size) / STEP).ceil() as u32;
    let (mut low, mut high) = (0, steps);
    let mut best = least;
    let smallest = best.size;
    while high - low > 1 {
        let middle = low.midpoint(high);
        let scene = measured(face, smallest + middle as f32 * STEP, left_out, setter);
        if fits(&scene) {
            low = middle;
            best = scene;
        } else {
            high = middle;
        }
    }
    best
}

fn verdict(face: &Face, scene: &Scene, left_out: Vec<usize>) -> Verdict {
    let over = (scene.needed - scene.room).max(0.0);
    let fits = fits(scene);
    let mut parts: Vec<PartSize> = Vec::new();
    let mut wide: Vec<String> = Vec::new();
    let mut reminders = 0.0;
    let mut y = 0.0;
    for strip in &scene.strips {
        y += strip.gap;
        for part in &strip.block.parts {
            let lost = !fits && y + part.bottom > scene.room + TOLERANCE;
            let height = millimetres(part.bottom - part.top);
            match parts.iter_mut().find(|p| p.at == part.at) {
                Some(known) => {
                    known.millimetres += height;
                    known.lines += part.lines;
                    known.lost |= lost;
                }
                None => parts.push(PartSize { at: part.at, millimetres: height, lines: part.lines, lost }),
            }
        }
        if matches!(face.strips.get(strip.strip).map(|s| &s.kind), Some(StripKind::Reminders(_))) {
            reminders += millimetres(strip.block.height + strip.gap);
        }
        for word in &strip.block.wide {
            if !wide.contains(word) {
                wide.push(word.clone());
            }
        }
        y += strip.block.height;
    }
    let line = scene.size * LEADING;
    let over_lines = if fits { 0 } else { (over / line).ceil().max(1.0) as usize };
    Verdict { fits, size: scene.size, left_out, over: if fits { 0.0 } else { millimetres(over) }, over_lines, parts, reminders, wide }
}
