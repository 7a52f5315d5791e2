//! Running text: abilities with bold names, reminders, flavour, and the rows of die tables.

use banneret_compiler::printed::{Paragraph, TableRow};

use super::block::{Block, Measure, Part, Piece};
use crate::colour::{FADED, INK, PAPER};
use crate::display::{Font, Rect, Rounded};
use crate::text::{Align, Span};
use crate::typography::proper;

/// Abilities, one below the other.
pub fn rules(m: &mut Measure, paragraphs: &[Paragraph], x: f32, width: f32) -> Block {
    let mut block = Block::default();
    let gap = m.size * 0.38;
    for paragraph in paragraphs {
        let spans = ability(m, paragraph);
        let set = m.set(&spans, width, Align::Left);
        let lines = set.lines;
        let mut one = Block::default();
        one.add(x, set, &spans);
        one.parts.push(Part { at: paragraph.at, top: 0.0, bottom: one.height, lines });
        block.append(one, gap);
    }
    block
}

/// The name in bold, what it costs in italics, then what it does.
fn ability(m: &Measure, paragraph: &Paragraph) -> Vec<Span> {
    let style = m.style(Font::Text, m.size, INK);
    let mut spans = Vec::new();
    if let Some(title) = &paragraph.title {
        spans.extend(m.word(title, m.style(Font::Bold, m.size, m.ink)));
    }
    let costs: Vec<String> =
        paragraph.costs.iter().map(|(label, value)| if label.is_empty() { value.clone() } else { format!("{label} {value}") }).collect();
    if !costs.is_empty() {
        let lead = if spans.is_empty() { "(" } else { " (" };
        let text = proper(&format!("{lead}{})", costs.join(", ")), None);
        spans.push(Span { text, style: m.style(Font::Italic, m.size, INK) });
    }
    if !spans.is_empty() && !paragraph.text.is_empty() {
        let font = if costs.is_empty() { Font::Bold } else { Font::Italic };
        let colour = if costs.is_empty() { m.ink } else { INK };
        spans.push(Span { text: ": ".into(), style: m.style(font, m.size, colour) });
    }
    spans.extend(m.spans(&paragraph.text, style, Font::Bold));
    spans
}

/// What keywords mean, in brackets.
pub fn reminders(m: &mut Measure, paragraphs: &[Paragraph], margin: f32) -> Block {
    let mut block = Block::default();
    let size = (m.size * 0.92).max(m.smallest);
    let italic = m.style(Font::Italic, size, FADED);
    for paragraph in paragraphs {
        let mut spans = vec![Span { text: "(".into(), style: italic }];
        if let Some(title) = &paragraph.title {
            spans.extend(m.word(title, m.style(Font::Bold, size, FADED)));
            spans.push(Span { text: ": ".into(), style: italic });
        }
        spans.extend(m.spans(&paragraph.text, italic, Font::Bold));
        spans.push(Span { text: ")".into(), style: italic });
        let set = m.set(&spans, m.width, Align::Left);
        let mut one = Block::default();
        one.add(margin, set, &spans);
        block.append(one, size * 0.25);
    }
    block
}

/// The flavour of a card, below a thin line.
pub fn flavour(m: &mut Measure, text: &str, margin: f32) -> Block {
    let spans = m.word(text, m.style(Font::Italic, m.size, FADED));
    let inset = m.width * 0.04;
    let set = m.set(&spans, m.width - 2.0 * inset, Align::Centre);
    let line = m.width * 0.34;
    let mut block = Block::default();
    let rect = Rect::new(margin + (m.width - line) / 2.0, 0.0, line, 0.5);
    block.pieces.push(Piece::Box(Rounded::filled(rect, m.ink)));
    block.height = m.size * 0.3;
    block.add(margin + inset, set, &spans);
    block
}

/// The rows of a die table: the faces in a box, then the name, then what happens.
pub fn table(m: &mut Measure, rows: &[TableRow], margin: f32) -> Block {
    let style = m.style(Font::Title, m.size * 1.25, m.colour.letters());
    let mut number_width: f32 = 0.0;
    for row in rows {
        let spans = m.word(&row.faces, style);
        number_width = number_width.max(m.width_of(&spans));
    }
    let number_width = number_width + m.size * 0.9;
    let x = margin + number_width + m.size * 0.55;
    let width = m.width - (x - margin);
    let mut block = Block::default();
    for row in rows {
        let mut one = Block::default();
        let name = m.word(&row.title, m.style(Font::Bold, m.size * 1.1, m.ink));
        let set = m.set(&name, width, Align::Left);
        let mut lines = set.lines;
        one.add(x, set, &name);
        let text = rules(m, &row.text, x, width);
        lines += text.parts.iter().map(|p| p.lines).sum::<usize>();
        one.append(Block { parts: Vec::new(), ..text }, 0.0);
        let height = one.height.max(m.size * 1.6);
        let rect = Rect::new(margin, 0.0, number_width, height);
        one.pieces.push(Piece::Box(Rounded { rect, radius: m.normal * 0.25, fill: Some(m.colour), stroke: None }));
        let faces = m.word(&row.faces, style);
        let set = m.set(&faces, number_width, Align::Centre);
        one.put(margin, (height - set.height) / 2.0, set);
        one.height = height;
        one.parts.push(Part { at: row.at, top: 0.0, bottom: height, lines });
        block.append(one, m.size * 0.4);
    }
    block
}

/// A line across.
pub fn line(m: &Measure, margin: f32) -> Block {
    let rect = Rect::new(margin, 0.0, m.width, 0.5);
    Block { height: 0.5, pieces: vec![Piece::Box(Rounded::filled(rect, m.ink.mixed(PAPER, 0.3)))], ..Block::default() }
}
