//! From a filled-in face to things to draw and a verdict: does everything fit?
//!
//! Strips are stacked from top to bottom. Type is set in its normal size if everything fits, else as large as fits down to the smallest size;
//! if even that is too much, optional strips are left out, the last one first.

mod band;
mod block;
mod boxes;
mod fit;
mod grid;
mod paint;
mod paragraphs;
mod scene;

use banneret_compiler::printed::Face;

use crate::display::Drawing;
use crate::picture::Pictures;
use crate::text::Setter;
use crate::units::points;

pub use fit::{PartSize, Verdict};

/// Lays faces out. One for each thread: it keeps what can be used again.
#[derive(Default)]
pub struct Layouter {
    setter: Setter,
}

impl Layouter {
    /// Whether a face has room for everything, and how.
    pub fn verdict(&mut self, face: &Face) -> Verdict {
        fit::fitted(face, &mut self.setter).1
    }

    /// The face as it is printed. What has no room is drawn over the edge: the check has said so.
    pub fn draw(&mut self, face: &Face, pictures: &dyn Pictures) -> (Drawing, Verdict) {
        let (scene, verdict) = fit::fitted(face, &mut self.setter);
        (paint::paint(face, &scene, pictures), verdict)
    }

    /// The face as a draft: what does not fit is red, and the drawing is as much higher as all of it needs.
    pub fn draft(&mut self, face: &Face, pictures: &dyn Pictures) -> (Drawing, Verdict) {
        let (mut drawing, verdict) = self.draw(face, pictures);
        if !verdict.fits {
            paint::show_overflow(&mut drawing, points(face.margin), verdict.over);
        }
        (drawing, verdict)
    }
}
