//! A drawing as dots.

use resvg::tiny_skia::{FillRule, Mask, Paint, PathBuilder, Pixmap, Rect as SkRect, Stroke, Transform};

use crate::colour::Colour;
use crate::display::{Drawing, Glyphs, Op, Placed, Rect, Rounded};
use crate::outline::outlines;

/// No picture has more dots than this on a side.
const MOST: f32 = 20_000.0;

/// The drawing as a PNG file, with its bleed.
pub fn png(drawing: &Drawing, dpi: f32) -> Result<Vec<u8>, String> {
    let map = dots(drawing, dpi)?;
    map.encode_png().map_err(|e| e.to_string())
}

/// The drawing as dots.
pub fn dots(drawing: &Drawing, dpi: f32) -> Result<Pixmap, String> {
    let sheet = drawing.sheet();
    let scale = dpi / 72.0;
    let (w, h) = ((sheet.w * scale).round().clamp(1.0, MOST), (sheet.h * scale).round().clamp(1.0, MOST));
    let mut map = Pixmap::new(w as u32, h as u32).ok_or("the card is too large")?;
    // paper is white
    map.fill(resvg::tiny_skia::Color::WHITE);
    let at = Transform::from_scale(scale, scale).pre_translate(-sheet.x, -sheet.y);
    for op in &drawing.ops {
        match op {
            Op::Box(rounded) => boxed(&mut map, rounded, at),
            Op::Glyphs(glyphs) => letters(&mut map, glyphs, at),
            Op::Picture(placed) => picture(&mut map, placed, at),
        }
    }
    Ok(map)
}

fn ink(colour: Colour) -> Paint<'static> {
    let [r, g, b] = colour.0;
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint.anti_alias = true;
    paint
}

fn boxed(map: &mut Pixmap, rounded: &Rounded, at: Transform) {
    let Some(path) = rounded_path(rounded) else { return };
    if let Some(fill) = rounded.fill {
        map.fill_path(&path, &ink(fill), FillRule::Winding, at, None);
    }
    if let Some((colour, width)) = rounded.stroke {
        map.stroke_path(&path, &ink(colour), &Stroke { width, ..Stroke::default() }, at, None);
    }
}

/// A rectangle with round corners.
pub fn rounded_path(rounded: &Rounded) -> Option<resvg::tiny_skia::Path> {
    let Rect { x, y, w, h } = rounded.rect;
    let r = rounded.radius.min(w / 2.0).min(h / 2.0).max(0.0);
    if r <= 0.0 {
        return Some(PathBuilder::from_rect(SkRect::from_xywh(x, y, w.max(0.0), h.max(0.0))?));
    }
    // how far the handles of a quarter circle lie from its ends
    let k = r * 0.447_715;
    let (right, bottom) = (x + w, y + h);
    let mut p = PathBuilder::new();
    p.move_to(x + r, y);
    p.line_to(right - r, y);
    p.cubic_to(right - k, y, right, y + k, right, y + r);
    p.line_to(right, bottom - r);
    p.cubic_to(right, bottom - k, right - k, bottom, right - r, bottom);
    p.line_to(x + r, bottom);
    p.cubic_to(x + k, bottom, x, bottom - k, x, bottom - r);
    p.line_to(x, y + r);
    p.cubic_to(x, y + k, x + k, y, x + r, y);
    p.close();
    p.finish()
}

fn letters(map: &mut Pixmap, glyphs: &Glyphs, at: Transform) {
    let Some(font) = outlines(glyphs.font) else { return };
    let scale = glyphs.size / font.units_per_em;
    let paint = ink(glyphs.colour);
    for glyph in &glyphs.glyphs {
        if let Some(path) = font.path(glyph.id) {
            let place = at.pre_translate(glyphs.x + glyph.x, glyphs.y + glyph.y).pre_scale(scale, -scale);
            map.fill_path(&path, &paint, FillRule::Winding, place, None);
        }
    }
}

fn picture(map: &mut Pixmap, placed: &Placed, at: Transform) {
    let (scale, x, y) = placed.picture.filling(placed.rect);
    let Some(mut layer) = Pixmap::new(map.width(), map.height()) else { return };
    resvg::render(&placed.picture.tree, at.pre_translate(x, y).pre_scale(scale, scale), &mut layer.as_mut());
    let (Some(mut mask), Some(frame)) =
        (Mask::new(map.width(), map.height()), rounded_path(&Rounded { rect: placed.clip, radius: 0.0, fill: None, stroke: None }))
    else {
        return;
    };
    mask.fill_path(&frame, FillRule::Winding, true, at);
    map.draw_pixmap(0, 0, layer.as_ref(), &resvg::tiny_skia::PixmapPaint::default(), Transform::identity(), Some(&mask));
}
