//! A drawing as SVG. Letters are outlines, so that no font is needed to look at it; the words stand beside them for search and screen readers.

use std::collections::BTreeSet;
use std::fmt::Write;

use resvg::tiny_skia::{Path, PathSegment};
use resvg::usvg;

use crate::display::{Drawing, Font, Glyphs, Op, Placed, Rounded};
use crate::outline::outlines;
use crate::units::MM;

/// The drawing with its bleed. `title` is what the file is called by those who cannot see it.
pub fn svg(drawing: &Drawing, title: &str) -> String {
    let sheet = drawing.sheet();
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.3}mm\" height=\"{:.3}mm\" viewBox=\"{:.3} {:.3} {:.3} {:.3}\" role=\"img\">",
        sheet.w / MM,
        sheet.h / MM,
        sheet.x,
        sheet.y,
        sheet.w,
        sheet.h
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let used: BTreeSet<(Font, u32)> = drawing
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Glyphs(g) => Some(g),
            _ => None,
        })
        .flat_map(|g| g.glyphs.iter().map(|glyph| (g.font, glyph.id)))
        .collect();
    out.push_str("<defs>\n");
    for (font, id) in used {
        if let Some(path) = outlines(font).and_then(|o| o.path(id)) {
            let _ = writeln!(out, "<path id=\"{}\" d=\"{}\"/>", name(font, id), data(&path));
        }
    }
    out.push_str("</defs>\n");
    for (i, op) in drawing.ops.iter().enumerate() {
        match op {
            Op::Box(rounded) => boxed(rounded, &mut out),
            Op::Glyphs(glyphs) => letters(glyphs, &mut out),
            Op::Picture(placed) => picture(placed, i, &mut out),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn name(font: Font, id: u32) -> String {
    let letter = match font {
        Font::Text => 't',
        Font::Bold => 'b',
        Font::Italic => 'i',
        Font::Title => 'h',
        Font::Hebrew => 'r',
        Font::Arabic => 'a',
        Font::Emoji => 'e',
    };
    format!("{letter}{id}")
}

fn data(path: &Path) -> String {
    let mut out = String::new();
    for segment in path.segments() {
        let _ = match segment {
            PathSegment::MoveTo(p) => write!(out, "M{} {}", p.x, p.y),
            PathSegment::LineTo(p) => write!(out, "L{} {}", p.x, p.y),
            PathSegment::QuadTo(a, p) => write!(out, "Q{} {} {} {}", a.x, a.y, p.x, p.y),
            PathSegment::CubicTo(a, b, p) => write!(out, "C{} {} {} {} {} {}", a.x, a.y, b.x, b.y, p.x, p.y),
            PathSegment::Close => write!(out, "Z"),
        };
    }
    out
}

fn boxed(rounded: &Rounded, out: &mut String) {
    let r = rounded.rect;
    let _ = write!(out, "<rect x=\"{:.3}\" y=\"{:.3}\" width=\"{:.3}\" height=\"{:.3}\"", r.x, r.y, r.w.max(0.0), r.h.max(0.0));
    if rounded.radius > 0.0 {
        let _ = write!(out, " rx=\"{:.3}\"", rounded.radius);
    }
    match rounded.fill {
        Some(fill) => {
            let _ = write!(out, " fill=\"{}\"", fill.hex());
        }
        None => out.push_str(" fill=\"none\""),
    }
    if let Some((colour, width)) = rounded.stroke {
        let _ = write!(out, " stroke=\"{}\" stroke-width=\"{width:.3}\"", colour.hex());
    }
    out.push_str("/>\n");
}

fn letters(glyphs: &Glyphs, out: &mut String) {
    let Some(font) = outlines(glyphs.font) else { return };
    let scale = glyphs.size / font.units_per_em;
    let words: String = glyphs.glyphs.iter().map(|g| g.text.as_str()).collect();
    let _ = write!(
        out,
        "<g fill=\"{}\" aria-label=\"{}\" transform=\"translate({:.3} {:.3}) scale({scale:.6} -{scale:.6})\">",
        glyphs.colour.hex(),
        escaped(&words),
        glyphs.x,
        glyphs.y
    );
    for glyph in &glyphs.glyphs {
        if font.path(glyph.id).is_some() {
            let _ =
                write!(out, "<use href=\"#{}\" x=\"{:.1}\" y=\"{:.1}\"/>", name(glyphs.font, glyph.id), glyph.x / scale, -glyph.y / scale);
        }
    }
    out.push_str("</g>\n");
}

/// A picture in a frame that cuts it off. It was read and is written anew: nothing in it can run or load anything.
fn picture(placed: &Placed, number: usize, out: &mut String) {
    let clip = placed.clip;
    let (scale, x, y) = placed.picture.filling(placed.rect);
    let (w, h) = placed.picture.size();
    let clean = placed.picture.tree.to_string(&usvg::WriteOptions::default());
    let _ = writeln!(
        out,
        "<clipPath id=\"c{number}\"><rect x=\"{:.3}\" y=\"{:.3}\" width=\"{:.3}\" height=\"{:.3}\"/></clipPath>\
         <image clip-path=\"url(#c{number})\" x=\"{x:.3}\" y=\"{y:.3}\" width=\"{:.3}\" height=\"{:.3}\" href=\"data:image/svg+xml;base64,{}\"/>",
        clip.x,
        clip.y,
        clip.w,
        clip.h,
        w * scale,
        h * scale,
        base64(clean.as_bytes())
    );
}

/// Text that cannot be taken for markup. What XML forbids is left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

pub fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let sign = SIGNS[(n >> (18 - 6 * i) & 63) as usize] as char;
            out.push(if i <= chunk.len() { sign } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_signs() {
        for (bytes, signs) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), signs);
        }
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("<b a=\"1\">&'\u{0}"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39; ");
    }
}
