//! Print sheets: as many cards on a page as there is room for, with marks for cutting, and backs that meet their fronts.

use crate::colour::INK;
use crate::display::{Drawing, Op, Rect, Rounded};
use crate::units::MM;

/// Paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    A4,
    Letter,
}

impl Paper {
    /// Width and height, in points.
    pub fn size(self) -> (f32, f32) {
        match self {
            Paper::A4 => (210.0 * MM, 297.0 * MM),
            Paper::Letter => (215.9 * MM, 279.4 * MM),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        }
    }
}

/// The two sides of a card.
pub struct TwoSides {
    pub front: Drawing,
    pub back: Option<Drawing>,
}

/// A page of a print sheet.
pub struct Page {
    pub drawing: Drawing,
    /// Which sheet it is, from 1, and whether it is its other side.
    pub sheet: usize,
    pub back: bool,
}

/// On a sheet colour goes this far over the edge of a card at most: cards lie close together.
const MOST_BLEED: f32 = 1.5 * MM;
/// How far from the edge of the paper cards stay, if they can.
const EDGE: f32 = 3.0 * MM;
const MARK: f32 = 4.0 * MM;

/// Cards on sheets. Cards of one size lie together; a sheet whose cards have backs is followed by its other side, mirrored, for printing
/// on both sides along the long edge.
pub fn sheets(cards: &[TwoSides], paper: Paper) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut left: Vec<&TwoSides> = cards.iter().collect();
    let mut sheet = 0;
    while let Some(first) = left.first() {
        let grid = Grid::of(&first.front, paper);
        let size = |d: &Drawing| (d.width.to_bits(), d.height.to_bits());
        let wanted = size(&first.front);
        let (same, others): (Vec<&TwoSides>, Vec<&TwoSides>) = left.into_iter().partition(|c| size(&c.front) == wanted);
        left = others;
        for chunk in same.chunks(grid.columns * grid.rows) {
            sheet += 1;
            let fronts: Vec<Option<&Drawing>> = chunk.iter().map(|c| Some(&c.front)).collect();
            pages.push(Page { drawing: grid.page(&fronts, false), sheet, back: false });
            if chunk.iter().any(|c| c.back.is_some()) {
                let backs: Vec<Option<&Drawing>> = chunk.iter().map(|c| c.back.as_ref()).collect();
                pages.push(Page { drawing: grid.page(&backs, true), sheet, back: true });
            }
        }
    }
    pages
}

/// Where cards of one size lie on a page.
struct Grid {
    paper: (f32, f32),
    card: (f32, f32),
    bleed: f32,
    columns: usize,
    rows: usize,
}

impl Grid {
    fn of(card: &Drawing, paper: Paper) -> Self {
        // paper always stands upright, so that turning it over the long edge is always the same
        let (w, h) = paper.size();
        let bleed = card.bleed.min(MOST_BLEED);
        let fit = |room: f32, size: f32| ((room - 2.0 * EDGE) / (size + 2.0 * bleed)).floor().max(1.0) as usize;
        let (columns, rows) = (fit(w, card.width), fit(h, card.height));
        Self { paper: (w, h), card: (card.width, card.height), bleed, columns, rows }
    }

    /// The corner of the card in a cell, counted from the left and from above.
    fn corner(&self, column: usize, row: usize) -> (f32, f32) {
        let (w, h) = (self.card.0 + 2.0 * self.bleed, self.card.1 + 2.0 * self.bleed);
        let left = (self.paper.0 - w * self.columns as f32) / 2.0;
        let top = (self.paper.1 - h * self.rows as f32) / 2.0;
        (left + w * column as f32 + self.bleed, top + h * row as f32 + self.bleed)
    }

    fn page(&self, cards: &[Option<&Drawing>], mirrored: bool) -> Drawing {
        let mut page = Drawing { width: self.paper.0, height: self.paper.1, bleed: 0.0, ops: Vec::new(), areas: Vec::new() };
        for (i, card) in cards.iter().enumerate() {
            let (column, row) = (i % self.columns, i / self.columns);
            // the page is turned over its long edge: what is left in front is right behind
            let column = if mirrored { self.columns - 1 - column } else { column };
            let (x, y) = self.corner(column, row);
            if let Some(card) = card {
                page.ops.extend(card.ops.iter().filter_map(|op| moved(op, x, y, &self.room(card))));
            }
        }
        if !mirrored {
            self.marks(&mut page);
        }
        page
    }

    /// What of a card is shown: it and a little bleed.
    fn room(&self, card: &Drawing) -> Rect {
        let bleed = self.bleed.min(card.bleed);
        Rect::new(-bleed, -bleed, card.width + 2.0 * bleed, card.height + 2.0 * bleed)
    }

    /// Short lines outside of the cards, where to cut.
    fn marks(&self, page: &mut Drawing) {
        let thin = 0.35;
        let mut line = |rect: Rect| page.ops.push(Op::Box(Rounded::filled(rect, INK)));
        let (first, last) = (self.corner(0, 0), self.corner(self.columns - 1, self.rows - 1));
        let (top, bottom) = (first.1 - self.bleed, last.1 + self.card.1 + self.bleed);
        let (left, right) = (first.0 - self.bleed, last.0 + self.card.0 + self.bleed);
        let above = MARK.min(top - 1.0).max(1.0);
        let beside = MARK.min(left - 1.0).max(1.0);
        for column in 0..self.columns {
            let (x, _) = self.corner(column, 0);
            for x in [x, x + self.card.0] {
                line(Rect::new(x - thin / 2.0, top - above, thin, above - 1.0));
                line(Rect::new(x - thin / 2.0, bottom + 1.0, thin, above - 1.0));
            }
        }
        for row in 0..self.rows {
            let (_, y) = self.corner(0, row);
            for y in [y, y + self.card.1] {
                line(Rect::new(left - beside, y - thin / 2.0, beside - 1.0, thin));
                line(Rect::new(right + 1.0, y - thin / 2.0, beside - 1.0, thin));
            }
        }
    }
}

/// Something of a card at its place on the page, cut off where the card ends.
fn moved(op: &Op, x: f32, y: f32, room: &Rect) -> Option<Op> {
    match op {
        Op::Box(rounded) => {
            let mut rounded = *rounded;
            rounded.rect = shared(rounded.rect, *room)?;
            rounded.rect.x += x;
            rounded.rect.y += y;
            Some(Op::Box(rounded))
        }
        Op::Glyphs(glyphs) => {
            let mut glyphs = glyphs.clone();
            if glyphs.y > room.bottom() {
                return None;
            }
            glyphs.x += x;
            glyphs.y += y;
            Some(Op::Glyphs(glyphs))
        }
        Op::Picture(placed) => {
            let mut placed = placed.clone();
            placed.clip = shared(placed.clip, *room)?;
            for rect in [&mut placed.clip, &mut placed.rect] {
                rect.x += x;
                rect.y += y;
            }
            Some(Op::Picture(placed))
        }
    }
}

/// What two rectangles have in common.
fn shared(a: Rect, b: Rect) -> Option<Rect> {
    let (left, top) = (a.x.max(b.x), a.y.max(b.y));
    let (right, bottom) = (a.right().min(b.right()), a.bottom().min(b.bottom()));
    (right > left && bottom > top).then(|| Rect::new(left, top, right - left, bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(mark: f32) -> TwoSides {
        let side = |x: f32| Drawing {
            width: 63.0 * MM,
            height: 88.0 * MM,
            bleed: 3.0 * MM,
            ops: vec![Op::Box(Rounded::filled(Rect::new(x, 10.0, mark, 5.0), INK))],
            areas: Vec::new(),
        };
        TwoSides { front: side(10.0), back: Some(side(10.0)) }
    }

    fn boxes(page: &Page, width: f32) -> Vec<Rect> {
        let all = page.drawing.ops.iter().filter_map(|op| match op {
            Op::Box(b) => Some(b.rect),
            _ => None,
        });
        all.filter(|r| (r.w - width).abs() < 0.01 && (r.h - 5.0).abs() < 0.01).collect()
    }

    #[test]
    fn nine_poker_cards_lie_on_a_page_and_backs_meet_their_fronts() {
        let cards: Vec<TwoSides> = (0..10).map(|i| card(20.0 + i as f32)).collect();
        for paper in [Paper::A4, Paper::Letter] {
            let pages = sheets(&cards, paper);
            let order: Vec<(usize, bool)> = pages.iter().map(|p| (p.sheet, p.back)).collect();
            assert_eq!(order, [(1, false), (1, true), (2, false), (2, true)], "{paper:?}");
            let (w, _) = paper.size();
            for i in 0..9 {
                let (front, back) = (boxes(&pages[0], 20.0 + i as f32), boxes(&pages[1], 20.0 + i as f32));
                let ([front], [back]) = (front.as_slice(), back.as_slice()) else { panic!("one of each: {front:?} {back:?}") };
                assert!((front.y - back.y).abs() < 0.01, "{paper:?}: card {i} is in the same row on both sides");
                // the corner of the card, seen from the edge that the page is turned over
                let (front_left, back_left) = (front.x - 10.0, back.x - 10.0);
                assert!((front_left - (w - back_left - 63.0 * MM)).abs() < 0.01, "{paper:?}: card {i} meets its back");
            }
        }
    }

    #[test]
    fn nothing_reaches_into_the_next_card() {
        let mut wide = card(20.0);
        wide.front.ops = vec![Op::Box(Rounded::filled(wide.front.sheet(), INK))];
        let page = &sheets(&[wide, card(30.0)], Paper::A4)[0];
        let Op::Box(first) = &page.drawing.ops[0] else { panic!("a box") };
        assert!((first.rect.w - (63.0 * MM + 2.0 * MOST_BLEED)).abs() < 0.01, "cut to the bleed of sheets: {first:?}");
    }
}
