//! Pictures in PDF: as shapes where the picture is made of plain ones, else as dots.

use krilla::color::rgb;
use krilla::geom::{Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, LinearGradient, Paint, RadialGradient, SpreadMethod, Stop, Stroke, StrokeDash};
use krilla::surface::Surface;
use resvg::tiny_skia::{self, Pixmap};
use resvg::usvg;

use super::{path, rectangle};
use crate::display::Placed;

/// Dots in an inch where a picture has to be drawn as dots.
const DPI: f32 = 300.0;

pub fn draw(surface: &mut Surface, placed: &Placed) {
    let Some(frame) = rectangle(placed.clip) else { return };
    surface.push_clip_path(&frame, &FillRule::NonZero);
    let (scale, x, y) = placed.picture.filling(placed.rect);
    if plain(placed.picture.tree.root()) {
        surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, x, y));
        group(surface, placed.picture.tree.root());
        surface.pop();
    } else {
        dots(surface, placed, scale, x, y);
    }
    surface.pop();
}

/// Only shapes with colours and gradients: nothing that has to be worked out dot by dot.
fn plain(group: &usvg::Group) -> bool {
    let simple = |p: &usvg::Paint| !matches!(p, usvg::Paint::Pattern(_));
    group.clip_path().is_none()
        && group.mask().is_none()
        && group.filters().is_empty()
        && group.blend_mode() == usvg::BlendMode::Normal
        && group.children().iter().all(|node| match node {
            usvg::Node::Group(inner) => plain(inner),
            usvg::Node::Path(p) => p.fill().is_none_or(|f| simple(f.paint())) && p.stroke().is_none_or(|s| simple(s.paint())),
            usvg::Node::Image(_) | usvg::Node::Text(_) => false,
        })
}

fn group(surface: &mut Surface, from: &usvg::Group) {
    surface.push_transform(&transform(from.transform()));
    let faint = from.opacity().get() < 1.0;
    if faint {
        surface.push_opacity(share(from.opacity().get()));
    }
    for node in from.children() {
        match node {
            usvg::Node::Group(inner) => group(surface, inner),
            usvg::Node::Path(p) => shape(surface, p),
            usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
    if faint {
        surface.pop();
    }
    surface.pop();
}

fn shape(surface: &mut Surface, from: &usvg::Path) {
    let Some(outline) = path(from.data()).filter(|_| from.is_visible()) else { return };
    surface.set_fill(from.fill().and_then(|f| {
        let rule = match f.rule() {
            usvg::FillRule::NonZero => FillRule::NonZero,
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
        };
        Some(Fill { paint: paint(f.paint())?, opacity: share(f.opacity().get()), rule })
    }));
    surface.set_stroke(from.stroke().and_then(stroke));
    surface.draw_path(&outline);
    surface.set_stroke(None);
}

fn stroke(from: &usvg::Stroke) -> Option<Stroke> {
    Some(Stroke {
        paint: paint(from.paint())?,
        width: from.width().get(),
        miter_limit: from.miterlimit().get(),
        line_cap: match from.linecap() {
            usvg::LineCap::Butt => LineCap::Butt,
            usvg::LineCap::Round => LineCap::Round,
            usvg::LineCap::Square => LineCap::Square,
        },
        line_join: match from.linejoin() {
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
            usvg::LineJoin::Round => LineJoin::Round,
            usvg::LineJoin::Bevel => LineJoin::Bevel,
        },
        opacity: share(from.opacity().get()),
        dash: from.dasharray().map(|array| StrokeDash { array: array.to_vec(), offset: from.dashoffset() }),
    })
}

fn paint(from: &usvg::Paint) -> Option<Paint> {
    Some(match from {
        usvg::Paint::Color(c) => rgb::Color::new(c.red, c.green, c.blue).into(),
        usvg::Paint::LinearGradient(g) => LinearGradient {
            x1: g.x1(),
            y1: g.y1(),
            x2: g.x2(),
            y2: g.y2(),
            transform: transform(g.transform()),
            spread_method: spread(g.spread_method()),
            stops: stops(g.stops()),
            anti_alias: false,
        }
        .into(),
        usvg::Paint::RadialGradient(g) => RadialGradient {
            fx: g.fx(),
            fy: g.fy(),
            fr: g.fr().get(),
            cx: g.cx(),
            cy: g.cy(),
            cr: g.r().get(),
            transform: transform(g.transform()),
            spread_method: spread(g.spread_method()),
            stops: stops(g.stops()),
            anti_alias: false,
        }
        .into(),
        usvg::Paint::Pattern(_) => return None,
    })
}

fn stops(from: &[usvg::Stop]) -> Vec<Stop> {
    let one = |s: &usvg::Stop| Stop {
        offset: share(s.offset().get()),
        color: rgb::Color::new(s.color().red, s.color().green, s.color().blue).into(),
        opacity: share(s.opacity().get()),
    };
    from.iter().map(one).collect()
}

fn spread(from: usvg::SpreadMethod) -> SpreadMethod {
    match from {
        usvg::SpreadMethod::Pad => SpreadMethod::Pad,
        usvg::SpreadMethod::Reflect => SpreadMethod::Reflect,
        usvg::SpreadMethod::Repeat => SpreadMethod::Repeat,
    }
}

fn transform(t: tiny_skia::Transform) -> Transform {
    Transform::from_row(t.sx, t.ky, t.kx, t.sy, t.tx, t.ty)
}

fn share(of_one: f32) -> NormalizedF32 {
    NormalizedF32::new(of_one.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}

fn dots(surface: &mut Surface, placed: &Placed, scale: f32, x: f32, y: f32) {
    let (w, h) = placed.picture.size();
    let fine = DPI / 72.0;
    // as fine as is of use, and never more than fits into memory
    let wide = (w * scale * fine).ceil().clamp(1.0, 4000.0);
    let high = (h * scale * fine).ceil().clamp(1.0, 4000.0);
    let Some(mut map) = Pixmap::new(wide as u32, high as u32) else { return };
    resvg::render(&placed.picture.tree, tiny_skia::Transform::from_scale(wide / w, high / h), &mut map.as_mut());
    let bytes = map.pixels().iter().flat_map(|p| {
        let p = p.demultiply();
        [p.red(), p.green(), p.blue(), p.alpha()]
    });
    let image = Image::from_rgba8(bytes.collect(), map.width(), map.height());
    let Some(size) = Size::from_wh(w * scale, h * scale) else { return };
    surface.push_transform(&Transform::from_translate(x, y));
    surface.draw_image(image, size);
    surface.pop();
}
