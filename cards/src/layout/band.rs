//! The band in the colour of the faction: title, subtitle, and what stands at their right.

use banneret_compiler::printed::Text;

use super::block::{Block, Measure, Piece};
use crate::colour::PAPER;
use crate::display::{Font, Rect, Rounded};
use crate::text::{Align, Span};

/// How large a title is, in sizes of normal type: at best, and at least.
const LARGE: f32 = 1.8;
const SMALL: f32 = 1.2;

/// A title; what stands at its right is in a white badge.
pub fn title(m: &mut Measure, left: &Text, right: &Text, margin: f32, places: &[usize]) -> Block {
    let letters = m.colour.letters();
    let normal = m.normal;
    let mut block = Block::default();
    let badge_style = m.style(Font::Title, normal * 1.5, m.ink);
    let badge = m.spans(right, badge_style, Font::Title);
    let badge_width = if right.is_empty() { 0.0 } else { (m.width_of(&badge) + normal * 0.9).max(normal * 2.3) };
    let room = m.width - if right.is_empty() { 0.0 } else { badge_width + normal * 0.5 };
    let mut scale = LARGE;
    let mut spans = words(m, left, normal * scale, letters);
    while scale > SMALL && m.width_of(&spans) > room {
        scale -= 0.1;
        spans = words(m, left, normal * scale, letters);
    }
    let set = m.set(&spans, room, Align::Left);
    let height = set.height.max(if right.is_empty() { 0.0 } else { normal * 2.0 });
    block.note_width(&set, &spans);
    let top = (height - set.height) / 2.0;
    block.put(margin, top, set);
    block.cell(places.first(), Rect::new(margin, 0.0, room, height));
    if !right.is_empty() {
        let x = margin + m.width - badge_width;
        let rect = Rect::new(x, (height - normal * 2.0) / 2.0, badge_width, normal * 2.0);
        block.pieces.push(Piece::Box(Rounded { rect, radius: normal * 0.5, fill: Some(PAPER), stroke: None }));
        let set = m.set(&badge, badge_width, Align::Centre);
        block.put(x, rect.y + (rect.h - set.height) / 2.0, set);
        block.cell(places.get(1), rect);
    }
    block.height = height;
    block
}

fn words(m: &Measure, text: &Text, size: f32, colour: crate::colour::Colour) -> Vec<Span> {
    m.spans(text, m.style(Font::Title, size, colour), Font::Title)
}

/// A smaller line in the band.
pub fn subtitle(m: &mut Measure, left: &Text, right: &Text, margin: f32, places: &[usize]) -> Block {
    let style = m.style(Font::Bold, m.normal.max(m.smallest), m.colour.letters());
    sides(m, left, right, margin, style, places)
}

/// A line with something at its left and something at its right.
pub fn sides(m: &mut Measure, left: &Text, right: &Text, margin: f32, style: crate::text::Style, places: &[usize]) -> Block {
    let mut block = Block::default();
    let (left, right) = (m.spans(left, style, Font::Bold), m.spans(right, style, Font::Bold));
    let right_width = if right.is_empty() { 0.0 } else { m.width_of(&right) + style.size * 0.8 };
    let width = m.width;
    // what is too wide for one line stands on two
    if right_width > width * 0.7 {
        for (text, align, at) in [(&left, Align::Left, places.first()), (&right, Align::Right, places.get(1))] {
            let set = m.set(text, width, align);
            block.cell(at, Rect::new(margin, block.height, width, set.height));
            block.add(margin, set, text);
        }
        return block;
    }
    let set = m.set(&left, width - right_width, Align::Left);
    block.cell(places.first(), Rect::new(margin, 0.0, width - right_width, set.height));
    block.add(margin, set, &left);
    if !right.is_empty() {
        let set = m.set(&right, width, Align::Right);
        block.cell(places.get(1), Rect::new(margin + width - right_width, 0.0, right_width, set.height));
        block.put(margin, 0.0, set);
    }
    block
}
