//! Drawings as PDF: one page for each, with real text that can be searched and copied.

mod picture;

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect as KRect, Transform};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Paint, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font as KFont, GlyphId, KrillaGlyph};
use krilla::{Data, Document};
use resvg::tiny_skia::PathSegment;
use rustc_hash::FxHashMap;

use crate::colour::Colour;
use crate::display::{Drawing, Font, Glyphs, Op, Rect, Rounded};
use crate::fonts::ALL;
use crate::png::rounded_path;

/// A PDF with a page for each drawing, bleed included.
pub fn pdf(drawings: &[Drawing], title: &str) -> Result<Vec<u8>, String> {
    let mut document = Document::new();
    document.set_metadata(krilla::metadata::Metadata::new().title(title.to_string()));
    let mut fonts: FxHashMap<Font, KFont> = FxHashMap::default();
    for font in ALL {
        let data: Data = font.bytes().to_vec().into();
        fonts.insert(font, KFont::new(data, 0).ok_or("a font is damaged")?);
    }
    for drawing in drawings {
        let sheet = drawing.sheet();
        let trim = KRect::from_xywh(drawing.bleed, drawing.bleed, drawing.width, drawing.height);
        let settings = PageSettings::from_wh(sheet.w, sheet.h).ok_or("a card has no size")?.with_trim_box(trim);
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        surface.push_transform(&Transform::from_translate(drawing.bleed, drawing.bleed));
        for op in &drawing.ops {
            match op {
                Op::Box(rounded) => boxed(&mut surface, rounded),
                Op::Glyphs(glyphs) => letters(&mut surface, glyphs, &fonts),
                Op::Picture(placed) => picture::draw(&mut surface, placed),
            }
        }
        surface.pop();
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|e| format!("{e:?}"))
}

fn paint(colour: Colour) -> Paint {
    let [r, g, b] = colour.0;
    rgb::Color::new(r, g, b).into()
}

fn fill(colour: Colour) -> Fill {
    Fill { paint: paint(colour), opacity: NormalizedF32::ONE, rule: krilla::paint::FillRule::default() }
}

fn boxed(surface: &mut Surface, rounded: &Rounded) {
    let Some(path) = rounded_path(rounded).and_then(|p| path(&p)) else { return };
    surface.set_fill(rounded.fill.map(fill));
    surface.set_stroke(rounded.stroke.map(|(colour, width)| Stroke { paint: paint(colour), width, ..Stroke::default() }));
    if rounded.fill.is_some() || rounded.stroke.is_some() {
        surface.draw_path(&path);
    }
    surface.set_stroke(None);
}

/// One kind of path as the other.
fn path(from: &resvg::tiny_skia::Path) -> Option<Path> {
    let mut out = PathBuilder::new();
    for segment in from.segments() {
        match segment {
            PathSegment::MoveTo(p) => out.move_to(p.x, p.y),
            PathSegment::LineTo(p) => out.line_to(p.x, p.y),
            PathSegment::QuadTo(a, p) => out.quad_to(a.x, a.y, p.x, p.y),
            PathSegment::CubicTo(a, b, p) => out.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
            PathSegment::Close => out.close(),
        }
    }
    out.finish()
}

fn rectangle(rect: Rect) -> Option<Path> {
    let mut out = PathBuilder::new();
    out.push_rect(KRect::from_xywh(rect.x, rect.y, rect.w, rect.h)?);
    out.finish()
}

fn letters(surface: &mut Surface, glyphs: &Glyphs, fonts: &FxHashMap<Font, KFont>) {
    let Some(font) = fonts.get(&glyphs.font) else { return };
    let mut text = String::new();
    let mut out = Vec::with_capacity(glyphs.glyphs.len());
    let mut pen = 0.0;
    for glyph in &glyphs.glyphs {
        let start = text.len();
        text.push_str(&glyph.text);
        // a glyph without characters of its own belongs to those before it
        let start = if glyph.text.is_empty() { start.saturating_sub(last_char(&text)) } else { start };
        let (dx, dy) = ((glyph.x - pen) / glyphs.size, -glyph.y / glyphs.size);
        let advance = glyph.advance / glyphs.size;
        out.push(KrillaGlyph::new(GlyphId::new(glyph.id), advance, dx, dy, 0.0, start..text.len(), None));
        pen += glyph.advance;
    }
    surface.set_fill(Some(fill(glyphs.colour)));
    surface.set_stroke(None);
    surface.draw_glyphs(Point::from_xy(glyphs.x, glyphs.y), &out, font.clone(), &text, glyphs.size, false);
}

fn last_char(text: &str) -> usize {
    text.chars().next_back().map_or(0, char::len_utf8)
}
