//! A table of things: a head with labels, a row for each, columns that line up.

use banneret_compiler::printed::GridRow;
use smol_str::SmolStr;

use super::block::{Block, Measure, Part, Piece};
use super::paragraphs;
use crate::colour::{INK, PAPER};
use crate::display::{Font, Rect, Rounded};
use crate::text::{Align, Span};

pub fn grid(m: &mut Measure, heads: &[SmolStr], rows: &[GridRow], margin: f32) -> Block {
    let head_style = m.style(Font::Bold, m.smallest, m.ink);
    let heads: Vec<Vec<Span>> = heads.iter().map(|h| m.word(h, head_style)).collect();
    let cells: Vec<Vec<Vec<Span>>> = rows
        .iter()
        .map(|row| {
            let style = |i: usize| m.style(if i == 0 { Font::Bold } else { Font::Text }, m.size, INK);
            row.cells.iter().enumerate().map(|(i, cell)| m.spans(cell, style(i), Font::Bold)).collect()
        })
        .collect();
    let widths = columns(m, &heads, &cells);
    let padding = m.size * 0.22;
    let mut block = Block::default();
    let head = one_row(m, &heads, &widths, margin, &[]);
    block.append(head, 0.0);
    block.pieces.push(Piece::Box(Rounded::filled(Rect::new(margin, block.height, m.width, 0.7), m.ink)));
    block.height += 0.7;
    for (i, (row, cells)) in rows.iter().zip(&cells).enumerate() {
        let mut one = one_row(m, cells, &widths, margin, &row.places).shifted(padding);
        let mut lines = 1;
        if !row.rules.is_empty() {
            let text = paragraphs::rules(m, &row.rules, margin + m.size * 0.6, m.width - m.size * 0.6);
            lines += text.parts.iter().map(|p| p.lines).sum::<usize>();
            one.append(Block { parts: Vec::new(), ..text }, 0.0);
        }
        one.height += padding;
        if i % 2 == 1 {
            let rect = Rect::new(margin, 0.0, m.width, one.height);
            one.pieces.insert(0, Piece::Box(Rounded::filled(rect, PAPER.mixed(m.ink, 0.07))));
        }
        one.parts.push(Part { at: row.at, top: 0.0, bottom: one.height, lines });
        block.append(one, 0.0);
    }
    block
}

/// Columns of values are as wide as they need; the first one has the rest, and gives way last.
fn columns(m: &mut Measure, heads: &[Vec<Span>], cells: &[Vec<Vec<Span>>]) -> Vec<f32> {
    let gap = m.size * 0.7;
    let mut widths: Vec<f32> = Vec::new();
    for (i, head) in heads.iter().enumerate() {
        let mut widest = m.width_of(head);
        for row in cells {
            if let Some(cell) = row.get(i) {
                widest = widest.max(m.width_of(cell));
            }
        }
        widths.push(widest + if i == 0 { 0.0 } else { gap });
    }
    let values: f32 = widths.iter().skip(1).sum();
    let least = widths.first().copied().unwrap_or(0.0).min(m.width * 0.34);
    let room = m.width - least;
    if values > room {
        // too much for one line each: the columns share what there is, by what they need
        for w in widths.iter_mut().skip(1) {
            *w *= room / values;
        }
    }
    let values: f32 = widths.iter().skip(1).sum();
    if let Some(first) = widths.first_mut() {
        *first = m.width - values;
    }
    widths
}

fn one_row(m: &mut Measure, cells: &[Vec<Span>], widths: &[f32], margin: f32, places: &[usize]) -> Block {
    let mut block = Block::default();
    let mut x = margin;
    let mut sets = Vec::new();
    for (i, (cell, w)) in cells.iter().zip(widths).enumerate() {
        let inset = if i == 0 { m.size * 0.2 } else { 0.0 };
        if !cell.is_empty() {
            let set = m.set(cell, w - inset, if i == 0 { Align::Left } else { Align::Centre });
            block.note_width(&set, cell);
            block.height = block.height.max(set.height);
            sets.push((x + inset, set, i));
        }
        x += w;
    }
    for (x, set, i) in sets {
        let y = (block.height - set.height) / 2.0;
        let width = widths.get(i).copied().unwrap_or_default();
        block.cell(places.get(i), Rect::new(x, 0.0, width, block.height));
        block.put(x, y, set);
    }
    block
}

/// A line for each thing.
pub fn lines(m: &mut Measure, rows: &[GridRow], margin: f32) -> Block {
    let mut block = Block::default();
    for row in rows {
        let mut one = Block::default();
        let mut count = 0;
        for (i, cell) in row.cells.iter().enumerate() {
            let spans = m.spans(cell, m.style(Font::Text, m.size, INK), Font::Bold);
            let set = m.set(&spans, m.width, Align::Left);
            count += set.lines;
            one.cell(row.places.get(i), Rect::new(margin, one.height, m.width, set.height));
            one.add(margin, set, &spans);
        }
        let text = paragraphs::rules(m, &row.rules, margin + m.size * 0.6, m.width - m.size * 0.6);
        count += text.parts.iter().map(|p| p.lines).sum::<usize>();
        one.append(Block { parts: Vec::new(), ..text }, 0.0);
        one.parts.push(Part { at: row.at, top: 0.0, bottom: one.height, lines: count });
        block.append(one, m.size * 0.2);
    }
    block
}
