//! Lines of words that were shaped before: as many on each as there is room for.

use std::ops::Range;
use std::sync::Arc;

use super::words::{Word, Words};
use super::{Align, How, ROUNDING, SetText, Span, Style, first_style};
use crate::display::{Glyph, Glyphs};

/// A line does not begin with these, even after a space, nor end with those.
const NEVER_FIRST: &[char] = &[')', ']', '}', '!', '?', '/', '.', ',', ';', ':', '…', '”', '’', '»'];
const NEVER_LAST: &[char] = &['(', '[', '{', '“', '‘', '«'];
const DASHES: &[char] = &['-', '–', '—'];

/// Words on lines.
#[derive(Clone, Default)]
pub struct Lines {
    atoms: Vec<Atom>,
    lines: Vec<Line>,
}

/// A stretch of a word that stands on one line.
#[derive(Clone)]
struct Atom {
    word: Arc<Word>,
    glyphs: Range<usize>,
    style: Style,
    advance: f32,
    space: bool,
    /// A line may begin with it.
    begins: bool,
}

#[derive(Clone, Default)]
struct Line {
    /// The atom after its last one.
    end: usize,
    /// Without the spaces at its end.
    width: f32,
    /// Where it starts, after aligning.
    x: f32,
    over: f32,
    under: f32,
}

/// How wide text is on one line.
pub fn width(words: &mut Words, spans: &[Span]) -> f32 {
    let (mut pen, mut width) = (0.0, 0.0);
    for span in spans {
        for token in tokens(&span.text) {
            pen += words.word(token, span.style.font).advance * span.style.size;
            if token != " " {
                width = pen;
            }
        }
    }
    width
}

pub fn set(words: &mut Words, spans: &[Span], width: f32, align: Align) -> SetText {
    let atoms = atoms(words, spans);
    let mut filling = Filling { set: Lines::default(), line: Line::default(), pen: 0.0, room: width + ROUNDING };
    let mut widest: f32 = 0.0;
    let mut rest = atoms.as_slice();
    while !rest.is_empty() {
        let (together, later) = rest.split_at(1 + rest[1..].iter().take_while(|a| !a.begins).count());
        rest = later;
        widest = widest.max(filling.put(together));
    }
    if atoms.is_empty() {
        let style = first_style(spans);
        let nothing = words.word("", style.font);
        (filling.line.over, filling.line.under) = (nothing.over * style.size, nothing.under * style.size);
    }
    filling.end_line();
    let mut set = filling.set;
    for line in &mut set.lines {
        let spare = (width - line.width).max(0.0);
        line.x = match align {
            Align::Left => 0.0,
            Align::Centre => spare / 2.0,
            Align::Right => spare,
        };
    }
    SetText {
        width: set.lines.iter().map(|l| l.width).fold(0.0, f32::max),
        height: set.lines.iter().map(|l| l.over + l.under).sum(),
        lines: set.lines.len(),
        too_wide: (widest > width + ROUNDING).then_some(widest),
        how: How::Words(set),
    }
}

/// Words and single spaces.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find(' ').unwrap_or(rest.len());
        let (token, later) = rest.split_at(end.max(1).min(rest.len()));
        rest = later;
        (!token.is_empty()).then_some(token)
    })
}

fn atoms(words: &mut Words, spans: &[Span]) -> Vec<Atom> {
    let mut out: Vec<Atom> = Vec::new();
    // the last letter before, and whether a space stands between
    let (mut last, mut spaced) = (None, false);
    for span in spans {
        for token in tokens(&span.text) {
            let word = words.word(token, span.style.font);
            let (style, size) = (span.style, span.style.size);
            if token == " " {
                out.push(Atom { glyphs: 0..word.glyphs.len(), advance: word.advance * size, word, style, space: true, begins: false });
                spaced = true;
                continue;
            }
            let mut begins = token.chars().next().is_some_and(|next| may_begin(last, spaced, next));
            let mut start = 0;
            for piece in &word.pieces {
                let (glyphs, advance) = (start..piece.end, piece.advance * size);
                out.push(Atom { word: word.clone(), glyphs, style, advance, space: false, begins });
                (start, begins) = (piece.end, true);
            }
            (last, spaced) = (token.chars().next_back(), false);
        }
    }
    out
}

/// Whether a line may begin with a word, after what stands before it.
fn may_begin(last: Option<char>, spaced: bool, next: char) -> bool {
    let Some(last) = last else { return false };
    if spaced {
        !NEVER_FIRST.contains(&next) && !NEVER_LAST.contains(&last)
    } else {
        // one word in two styles
        DASHES.contains(&last) && next.is_alphanumeric()
    }
}

/// Lines while they are filled.
struct Filling {
    set: Lines,
    line: Line,
    /// How far the line is filled, with the spaces at its end.
    pen: f32,
    room: f32,
}

impl Filling {
    /// Puts down what must stay together, and says how wide it is.
    fn put(&mut self, together: &[Atom]) -> f32 {
        let solid = together.iter().rposition(|a| !a.space).map_or(0, |i| i + 1);
        let advance: f32 = together[..solid].iter().map(|a| a.advance).sum();
        if self.pen + advance > self.room && self.pen > 0.0 {
            self.end_line();
        }
        for atom in together {
            if !atom.space && self.pen + atom.advance > self.room {
                self.broken(atom);
            } else {
                self.push(atom.clone());
            }
        }
        advance
    }

    fn push(&mut self, atom: Atom) {
        self.pen += atom.advance;
        if !atom.space {
            self.line.width = self.pen;
        }
        self.line.over = self.line.over.max(atom.word.over * atom.style.size);
        self.line.under = self.line.under.max(atom.word.under * atom.style.size);
        self.set.atoms.push(atom);
    }

    /// What no line is wide enough for is broken between letters.
    fn broken(&mut self, atom: &Atom) {
        let size = atom.style.size;
        let mut part = Atom { glyphs: atom.glyphs.start..atom.glyphs.start, advance: 0.0, ..atom.clone() };
        while part.glyphs.end < atom.glyphs.end {
            let letter = &atom.word.glyphs[part.glyphs.end..atom.glyphs.end];
            let count = 1 + letter.iter().skip(1).take_while(|g| g.text.is_empty()).count();
            let advance: f32 = letter[..count].iter().map(|g| g.advance * size).sum();
            let filled = self.pen + part.advance;
            if filled + advance > self.room && filled > 0.0 {
                let end = part.glyphs.end;
                let rest = Atom { glyphs: end..end, advance: 0.0, ..part.clone() };
                self.push(std::mem::replace(&mut part, rest));
                self.end_line();
            }
            part.glyphs.end += count;
            part.advance += advance;
        }
        self.push(part);
    }

    fn end_line(&mut self) {
        self.pen = 0.0;
        let line = std::mem::take(&mut self.line);
        self.set.lines.push(Line { end: self.set.atoms.len(), ..line });
    }
}

impl Lines {
    pub fn glyphs(&self, left: f32, top: f32, out: &mut Vec<Glyphs>) {
        let (mut start, mut top) = (0, top);
        for line in &self.lines {
            let mut pen = left + line.x;
            let y = top + line.over;
            let mut run: Option<Glyphs> = None;
            for atom in &self.atoms[start..line.end] {
                let (size, colour) = (atom.style.size, atom.style.colour);
                for shape in &atom.word.glyphs[atom.glyphs.clone()] {
                    if run.as_ref().is_some_and(|r| r.font != shape.font || r.size != size || r.colour != colour) {
                        out.extend(run.take());
                    }
                    let run = run.get_or_insert_with(|| Glyphs { font: shape.font, size, colour, x: pen, y, glyphs: Vec::new() });
                    run.glyphs.push(Glyph {
                        id: shape.id,
                        x: pen - run.x + shape.x * size,
                        y: shape.y * size,
                        advance: shape.advance * size,
                        text: shape.text.to_string(),
                    });
                    pen += shape.advance * size;
                }
            }
            out.extend(run);
            start = line.end;
            top += line.over + line.under;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Setter, paragraph};
    use super::*;
    use crate::colour::Colour;
    use crate::fonts::Font;

    fn span(text: &str, font: Font) -> Span {
        Span { text: text.into(), style: Style { font, size: 8.0, colour: Colour::default() } }
    }

    fn shown(set: &SetText) -> Vec<String> {
        let mut glyphs = Vec::new();
        set.glyphs(0.0, 0.0, &mut glyphs);
        let mut lines: Vec<(f32, String)> = Vec::new();
        for run in glyphs {
            let text: String = run.glyphs.iter().map(|g| g.text.as_str()).collect();
            match lines.last_mut().filter(|(y, _)| *y == run.y) {
                Some((_, line)) => line.push_str(&text),
                None => lines.push((run.y, text)),
            }
        }
        lines.into_iter().map(|(_, line)| line.trim_end().to_string()).collect()
    }

    #[test]
    fn lines_are_broken_as_a_whole_paragraph_would_be() {
        let texts = [
            "When this unit is dealt damage, roll a die: on 4+ it is dealt 1 less (to a minimum of 1).",
            "A half-cut stone — old, grey, and heavy! — lies within 12″ of “Mother Bisque” and/or her well-kept kiln …",
            "Donaudampfschifffahrtsgesellschaftskapitänsmütze ist ein langes Wort",
        ];
        for text in texts {
            let spans = [span("Gold Mend", Font::Bold), span(": ", Font::Bold), span(text, Font::Text)];
            for width in [60.0, 90.0, 130.0, 170.0] {
                let mut setter = Setter::default();
                let set = setter.set(&spans, width, Align::Left);
                let whole = paragraph::set(&mut setter.words.shaper, &spans, width, Align::Left);
                assert_eq!(shown(&set), shown(&whole), "{width}");
                assert!((set.height - whole.height).abs() < 0.05, "{} {}", set.height, whole.height);
                assert!((set.width - whole.width).abs() < 0.5, "{} {}", set.width, whole.width);
                assert_eq!(set.too_wide.is_some(), whole.too_wide.is_some());
                assert!(set.width <= width + ROUNDING);
            }
            let mut setter = Setter::default();
            let wide = setter.set(&spans, 10_000.0, Align::Left).width;
            assert!((setter.width(&spans) - wide).abs() < 0.01);
        }
    }

    #[test]
    fn text_stands_where_it_is_aligned() {
        let mut setter = Setter::default();
        let spans = [span("Move ", Font::Bold)];
        let natural = setter.width(&spans);
        for (align, x) in [(Align::Left, 5.0), (Align::Centre, 5.0 + (100.0 - natural) / 2.0), (Align::Right, 105.0 - natural)] {
            let mut glyphs = Vec::new();
            setter.set(&spans, 100.0, align).glyphs(5.0, 7.0, &mut glyphs);
            assert!((glyphs[0].x - x).abs() < 0.01, "{align:?}");
            assert!(glyphs[0].y > 7.0 && glyphs[0].y < 7.0 + 8.0 * super::super::LEADING);
        }
    }

    #[test]
    fn nothing_has_the_height_of_a_line() {
        let set = Setter::default().set(&[span("", Font::Title)], 100.0, Align::Left);
        assert_eq!(set.lines, 1);
        assert!((set.height - 8.0 * super::super::LEADING).abs() < 0.01);
    }
}
