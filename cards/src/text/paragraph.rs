//! Paragraphs set as a whole, by all rules of Unicode: what runs from right to left, or is written without spaces.

use parley::{
    Alignment, AlignmentOptions, FontContext, FontFamily, FontStyle, FontWeight, Layout, LayoutContext, LineHeight, OverflowWrap,
    StyleProperty,
};

use super::{Align, How, LEADING, ROUNDING, SetText, Span, Style, first_style};
use crate::colour::Colour;
use crate::display::{Glyph, Glyphs};
use crate::fonts::{self, Font};

/// What shapes text.
pub struct Shaper {
    fonts: FontContext,
    layouts: LayoutContext<Colour>,
}

impl Default for Shaper {
    fn default() -> Self {
        Self { fonts: fonts::context(), layouts: LayoutContext::new() }
    }
}

/// A paragraph that was set as a whole.
#[derive(Clone)]
pub struct Whole {
    layout: Layout<Colour>,
    text: String,
}

impl Shaper {
    /// Text with its glyphs found, but its lines not yet broken.
    pub fn shaped(&mut self, text: &str, spans: &[Span], wrap: OverflowWrap) -> Layout<Colour> {
        let first = first_style(spans);
        let mut builder = self.layouts.ranged_builder(&mut self.fonts, text, 1.0, false);
        for property in properties(first) {
            builder.push_default(property);
        }
        // numbers of one height, and as wide as each other, so that columns line up
        builder.push_default(StyleProperty::FontFeatures("\"lnum\" on, \"tnum\" on".into()));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(LEADING)));
        builder.push_default(StyleProperty::OverflowWrap(wrap));
        let mut from = 0;
        for span in spans {
            let to = from + span.text.len();
            // the library takes no style for nothing
            if span.style != first && from < to {
                for property in properties(span.style) {
                    builder.push(property, from..to);
                }
            }
            from = to;
        }
        builder.build(text)
    }
}

pub fn set(shaper: &mut Shaper, spans: &[Span], width: f32, align: Align) -> SetText {
    let text: String = spans.iter().map(|s| s.text.as_str()).collect();
    let mut layout = shaper.shaped(&text, spans, OverflowWrap::BreakWord);
    let widest = layout.calculate_content_widths().min;
    layout.break_all_lines(Some(width));
    layout.align(
        match align {
            Align::Left => Alignment::Start,
            Align::Centre => Alignment::Center,
            Align::Right => Alignment::End,
        },
        AlignmentOptions::default(),
    );
    SetText {
        width: layout.width(),
        height: layout.height(),
        lines: layout.len(),
        too_wide: (widest > width + ROUNDING).then_some(widest),
        how: How::Whole(Box::new(Whole { layout, text })),
    }
}

fn properties(style: Style) -> [StyleProperty<'static, Colour>; 5] {
    let (families, weight, slant) = match style.font {
        Font::Bold => (fonts::TEXT_FAMILIES, FontWeight::BOLD, FontStyle::Normal),
        Font::Italic => (fonts::TEXT_FAMILIES, FontWeight::NORMAL, FontStyle::Italic),
        Font::Title => (fonts::TITLE_FAMILIES, FontWeight::EXTRA_BOLD, FontStyle::Normal),
        Font::Text | Font::Hebrew | Font::Arabic | Font::Emoji => (fonts::TEXT_FAMILIES, FontWeight::NORMAL, FontStyle::Normal),
    };
    [
        StyleProperty::FontFamily(FontFamily::List(families.into())),
        StyleProperty::FontWeight(weight),
        StyleProperty::FontStyle(slant),
        StyleProperty::FontSize(style.size),
        StyleProperty::Brush(style.colour),
    ]
}

impl Whole {
    pub fn glyphs(&self, left: f32, top: f32, out: &mut Vec<Glyphs>) {
        for line in self.layout.lines() {
            let metrics = line.metrics();
            let mut x = left + metrics.offset;
            let y = top + metrics.baseline;
            for run in line.runs() {
                let font = fonts::font_of(run.font().data.id());
                let mut current: Option<Glyphs> = None;
                for cluster in run.visual_clusters() {
                    let range = cluster.text_range();
                    if cluster.is_ligature_continuation() {
                        if let Some(glyph) = current.as_mut().and_then(|c| c.glyphs.last_mut()) {
                            glyph.text.push_str(self.text.get(range).unwrap_or_default());
                        }
                        continue;
                    }
                    let colour = cluster.first_style().brush;
                    if current.as_ref().is_some_and(|c| c.colour != colour) {
                        out.extend(current.take());
                    }
                    let into = current.get_or_insert_with(|| Glyphs { font, size: run.font_size(), colour, x, y, glyphs: Vec::new() });
                    let mut words = self.text.get(range).unwrap_or_default();
                    for glyph in cluster.glyphs() {
                        into.glyphs.push(Glyph {
                            id: glyph.id,
                            x: x - into.x + glyph.x,
                            y: glyph.y,
                            advance: glyph.advance,
                            text: std::mem::take(&mut words).to_owned(),
                        });
                        x += glyph.advance;
                    }
                }
                out.extend(current);
            }
        }
    }
}
