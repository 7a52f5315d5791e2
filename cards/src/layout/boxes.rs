//! Boxes with a label over a value, and lines of values.

use banneret_compiler::printed::Text;
use smol_str::SmolStr;

use super::block::{Block, Measure, Piece};
use crate::colour::{INK, PAPER};
use crate::display::{Font, Rect, Rounded};
use crate::text::{Align, Span};

/// Numbers are this much larger than the text.
const VALUE: f32 = 1.5;

struct Stat {
    label: Vec<Span>,
    value: Vec<Span>,
    natural: f32,
    /// The place of what it shows.
    at: Option<usize>,
}

/// Boxes in as few rows as there is room for, each row filling the width.
pub fn stats(m: &mut Measure, stats: &[(SmolStr, Text)], margin: f32, places: &[usize]) -> Block {
    let gap = m.normal * 0.25;
    let padding = m.normal * 0.3;
    let mut boxes = Vec::new();
    for (i, (label, value)) in stats.iter().enumerate() {
        let label = m.word(label, m.style(Font::Bold, m.smallest, m.ink));
        let mut spans = m.spans(value, m.style(Font::Title, m.size * VALUE, INK), Font::Title);
        let label_width = if label.iter().all(|s| s.text.is_empty()) { 0.0 } else { m.width_of(&label) };
        let mut value_width = m.width_of(&spans);
        // words instead of a number: as text
        if value_width > m.width * 0.45 {
            spans = m.spans(value, m.style(Font::Bold, m.size, INK), Font::Bold);
            value_width = m.width_of(&spans);
        }
        let natural = label_width.max(value_width) + 2.0 * padding;
        boxes.push(Stat { label, value: spans, natural: natural.min(m.width), at: places.get(i).copied() });
    }
    let mut block = Block::default();
    for row in rows(&boxes, m.width, gap) {
        let row = one_row(m, row, margin, gap, padding);
        block.append(row, gap);
    }
    block
}

/// Splits boxes into the fewest rows, as even as can be, that are not too wide.
fn rows(boxes: &[Stat], width: f32, gap: f32) -> Vec<&[Stat]> {
    for count in 1..=boxes.len() {
        let per_row = boxes.len().div_ceil(count);
        let rows: Vec<&[Stat]> = boxes.chunks(per_row).collect();
        let fits = |row: &&[Stat]| row.iter().map(|s| s.natural).sum::<f32>() + gap * (row.len() - 1) as f32 <= width + 0.01;
        if rows.iter().all(fits) {
            return rows;
        }
    }
    boxes.chunks(1).collect()
}

fn one_row(m: &mut Measure, stats: &[Stat], margin: f32, gap: f32, padding: f32) -> Block {
    let mut block = Block::default();
    let natural: f32 = stats.iter().map(|s| s.natural).sum();
    let room = m.width - gap * (stats.len() - 1) as f32;
    // equal boxes where the widest allows it, else each what it needs and a share of the rest
    let even = room / stats.len() as f32;
    let all_even = stats.iter().all(|s| s.natural <= even + 0.01);
    let spare = (room - natural).max(0.0) / stats.len() as f32;
    let mut x = margin;
    let mut cells = Vec::new();
    let mut height: f32 = 0.0;
    for stat in stats {
        let w = if all_even { even } else { stat.natural + spare };
        let label = m.set(&stat.label, w, Align::Centre);
        let value = m.set(&stat.value, w - 2.0 * padding, Align::Centre);
        block.note_width(&value, &stat.value);
        let label_height = if stat.label.iter().all(|s| s.text.is_empty()) { 0.0 } else { label.height };
        height = height.max(label_height + value.height * 0.94 + padding * 0.8);
        cells.push((x, w, label, label_height, value, stat.at));
        x += w + gap;
    }
    let tint = PAPER.mixed(m.ink, 0.09);
    for (x, w, label, label_height, value, at) in cells {
        let rect = Rect::new(x, 0.0, w, height);
        let stroke = Some((m.ink, 0.5));
        block.pieces.push(Piece::Box(Rounded { rect, radius: m.normal * 0.25, fill: Some(tint), stroke }));
        let value_top = label_height + (height - label_height - value.height) / 2.0;
        if label_height > 0.0 {
            block.put(x, padding * 0.35, label);
        }
        block.put(x + padding, value_top, value);
        block.cell(at.as_ref(), rect);
    }
    block.height = height;
    block
}

/// A line of values: spread over the width if they fit on one line, else as running text.
pub fn row(m: &mut Measure, texts: &[Text], margin: f32, places: &[usize]) -> Block {
    let mut block = Block::default();
    let style = m.style(Font::Text, m.size, INK);
    let spans: Vec<Vec<Span>> = texts.iter().map(|t| m.spans(t, style, Font::Bold)).collect();
    let widths: Vec<f32> = spans.iter().map(|s| m.width_of(s)).collect();
    let total: f32 = widths.iter().sum();
    let between = spans.len().saturating_sub(1) as f32;
    if spans.len() > 1 && total + between * m.size <= m.width {
        let gap = (m.width - total) / between;
        let mut x = margin;
        for (i, (span, w)) in spans.iter().zip(&widths).enumerate() {
            let set = m.set(span, w + 0.5, Align::Left);
            block.height = block.height.max(set.height);
            block.cell(places.get(i), Rect::new(x, 0.0, *w, set.height));
            block.put(x, 0.0, set);
            x += w + gap;
        }
        return block;
    }
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        if !joined.is_empty() {
            joined.push(Span { text: " · ".into(), style });
        }
        joined.extend(span);
    }
    if !joined.is_empty() {
        let set = m.set(&joined, m.width, Align::Left);
        // of several in one line it is not known which word is whose
        if texts.len() == 1 {
            block.cell(places.first(), Rect::new(margin, 0.0, m.width, set.height));
        }
        block.add(margin, set, &joined);
    }
    block
}
