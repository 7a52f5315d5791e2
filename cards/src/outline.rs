//! Outlines of letters, as paths in units of the font.

use std::sync::OnceLock;

use resvg::tiny_skia::{Path, PathBuilder};
use rustc_hash::FxHashMap;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::fonts::{ALL, Font};

/// The outlines of one font.
pub struct Outlines {
    font: FontRef<'static>,
    pub units_per_em: f32,
}

/// The outlines of a bundled font; None only if the font itself were damaged.
pub fn outlines(font: Font) -> Option<&'static Outlines> {
    static LOADED: OnceLock<FxHashMap<Font, Outlines>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let read = |font: Font| {
            let read = FontRef::new(font.bytes()).ok()?;
            let units_per_em = f32::from(read.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
            Some((font, Outlines { font: read, units_per_em }))
        };
        ALL.into_iter().filter_map(read).collect()
    });
    loaded.get(&font)
}

impl Outlines {
    /// The path of a glyph, y upwards; None for spaces.
    pub fn path(&self, glyph: u32) -> Option<Path> {
        let outline = self.font.outline_glyphs().get(GlyphId::new(glyph))?;
        let mut pen = Pen(PathBuilder::new());
        outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
        pen.0.finish()
    }
}

struct Pen(PathBuilder);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.0.cubic_to(ax, ay, bx, by, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
