//! Boards: what distances mean where places are spaces instead of any spot of a table.
//!
//! A space is named by a place: column and row in whole base lengths, or for areas the spot where the area's own piece lies. What is seen and what
//! stands between is judged on a plane, on which the middles of neighbouring spaces are one base length apart.

use std::collections::{HashMap, VecDeque};

use super::{Shape, distance, stop_before};
use crate::value::Place;

/// What a base length is in the smallest unit: spaces are this far apart.
pub(crate) const SPACE: i64 = 1000;

/// The most spaces a search looks at.
const MOST: usize = 1 << 14;

/// How a rule system measures. The numbers are part of packs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// A table without spaces, measured between centres.
    #[default]
    Centres = 0,
    /// A table without spaces, measured between the edges of bases.
    Edges = 1,
    /// Squares with eight neighbours.
    Squares = 2,
    /// Squares with four neighbours: a diagonal is two steps.
    Orthogonal = 3,
    /// Hexes in columns; those of odd columns lie half a hex higher.
    Hexes = 4,
    /// Areas of any shape, each with the areas that it leads to.
    Areas = 5,
}

impl Board {
    /// All of them, with the word a ruleset uses.
    pub const NAMES: [(&'static str, Board); 6] = [
        ("centres", Board::Centres),
        ("edges", Board::Edges),
        ("squares", Board::Squares),
        ("orthogonal", Board::Orthogonal),
        ("hexes", Board::Hexes),
        ("areas", Board::Areas),
    ];

    pub fn named(name: &str) -> Option<Board> {
        Board::NAMES.iter().find(|(n, _)| *n == name).map(|(_, board)| *board)
    }

    pub fn of_code(code: i64) -> Option<Board> {
        Board::NAMES.iter().map(|(_, board)| *board).find(|board| *board as i64 == code)
    }

    /// Are places spaces here?
    pub fn has_spaces(self) -> bool {
        !matches!(self, Board::Centres | Board::Edges)
    }

    /// Where a place lies on the plane.
    pub(crate) fn plane(self, p: Place) -> Place {
        if self != Board::Hexes {
            return p;
        }
        // Half a hex higher in odd columns, and in between on the way there: the middle between two hexes is the middle of their numbers.
        let within = i64::from(p.x).rem_euclid(2 * SPACE);
        let lifted = i64::from(p.y) + within.min(2 * SPACE - within) / 2;
        let across = (i64::from(p.x) * 866_025 + 500_000).div_euclid(1_000_000);
        Place { x: across as i32, y: lifted.clamp(i32::MIN as i64, i32::MAX as i64) as i32 }
    }
}

/// The spaces of a board: they go on without end, except areas, which are listed.
pub(crate) struct Spaces {
    pub board: Board,
    pub areas: Vec<(Place, Vec<Place>)>,
}

/// Column and row.
fn numbers(p: Place) -> (i64, i64) {
    let whole = |n: i32| (i64::from(n) + SPACE / 2).div_euclid(SPACE);
    (whole(p.x), whole(p.y))
}

fn space((column, row): (i64, i64)) -> Place {
    let part = |n: i64| (n * SPACE).clamp(i32::MIN as i64, i32::MAX as i64) as i32;
    Place { x: part(column), y: part(row) }
}

fn less(a: Place, b: Place) -> (i128, i128) {
    (i128::from(a.x) - i128::from(b.x), i128::from(a.y) - i128::from(b.y))
}

impl Spaces {
    /// All spaces one step away, clockwise from the one that lies up the board.
    pub fn neighbours(&self, p: Place) -> Vec<Place> {
        const AROUND: [(i64, i64); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        let (column, row) = numbers(p);
        let near = |(dx, dy): &(i64, i64)| space((column + dx, row + dy));
        match self.board {
            Board::Areas => self.areas.iter().find(|(at, _)| *at == p).map(|(_, next)| next.clone()).unwrap_or_default(),
            Board::Orthogonal => AROUND.iter().step_by(2).map(near).collect(),
            Board::Hexes => {
                let up = column.rem_euclid(2);
                [(0, 1), (1, up), (1, up - 1), (0, -1), (-1, up - 1), (-1, up)].iter().map(near).collect()
            }
            Board::Squares | Board::Centres | Board::Edges => AROUND.iter().map(near).collect(),
        }
    }

    /// How many steps apart, times a base length. Areas that no link joins are infinitely far.
    pub fn distance(&self, a: Place, b: Place) -> i64 {
        let ((ax, ay), (bx, by)) = (numbers(a), numbers(b));
        let (dx, dy) = (bx - ax, by - ay);
        SPACE
            * match self.board {
                Board::Squares => dx.abs().max(dy.abs()),
                Board::Orthogonal => dx.abs() + dy.abs(),
                Board::Hexes => {
                    // On slanted axes a step up and a step up to the right both count; of opposite signs one takes the other along.
                    let along = (by - bx.div_euclid(2)) - (ay - ax.div_euclid(2));
                    dx.abs().max(along.abs()).max((dx + along).abs())
                }
                Board::Areas => return self.way(a, b, |_, _| true).unwrap_or(i64::MAX),
                Board::Centres | Board::Edges => return distance(a, b),
            }
    }

    /// The spaces within a length, the nearest first.
    pub fn within(&self, from: Place, length: i64) -> Vec<Place> {
        let mut found = vec![from];
        self.search(
            from,
            |at, far| {
                let near = far <= length;
                if near && at != from {
                    found.push(at);
                }
                near
            },
            |_, _| true,
        );
        found
    }

    /// The length of the shortest way over open steps.
    pub fn way(&self, from: Place, to: Place, open: impl Fn(Place, Place) -> bool) -> Option<i64> {
        let mut length = None;
        self.search(
            from,
            |at, far| {
                if at == to {
                    length = Some(far);
                }
                length.is_none()
            },
            open,
        );
        length
    }

    /// Visits spaces in the order of their distance over open steps, until `go_on` declines.
    fn search(&self, from: Place, mut go_on: impl FnMut(Place, i64) -> bool, open: impl Fn(Place, Place) -> bool) {
        let mut known = HashMap::from([(from, 0i64)]);
        let mut queue = VecDeque::from([(from, 0i64)]);
        while let Some((at, far)) = queue.pop_front() {
            if !go_on(at, far) || known.len() > MOST {
                return;
            }
            for next in self.neighbours(at) {
                if !known.contains_key(&next) && open(at, next) {
                    known.insert(next, far + SPACE);
                    queue.push_back((next, far + SPACE));
                }
            }
        }
    }

    /// That many spaces on the straight way to another space, or away from it by a negative length: each step is the one that stays closest to the line.
    pub fn toward(&self, from: Place, to: Place, length: i64) -> Place {
        let (mut at, mut far) = (from, self.distance(from, to));
        if far == i64::MAX || from == to {
            return from;
        }
        let (start, line) = (self.board.plane(from), less(self.board.plane(to), self.board.plane(from)));
        let step = if length < 0 { SPACE } else { -SPACE };
        for _ in 0..(length.unsigned_abs() / SPACE as u64).min(MOST as u64) {
            if far == 0 {
                break;
            }
            let off_line = |p: &Place| {
                let (x, y) = less(self.board.plane(*p), start);
                // Away means away: never past the other side.
                let back = (line.0 * x + line.1 * y).signum() * i128::from(step.signum()) > 0;
                (back, (line.0 * y - line.1 * x).abs())
            };
            let Some(next) = self.neighbours(at).into_iter().filter(|n| self.distance(*n, to) == far + step).min_by_key(off_line) else {
                break;
            };
            (at, far) = (next, far + step);
        }
        at
    }

    /// As far as the straight way leads while each step is open.
    pub fn stop(&self, from: Place, to: Place, open: impl Fn(Place, Place) -> bool) -> Place {
        let steps = self.distance(from, to);
        let mut at = from;
        for n in 1..=(steps / SPACE).min(MOST as i64) {
            let next = self.toward(from, to, n * SPACE);
            if !open(at, next) {
                break;
            }
            at = next;
        }
        at
    }

    /// So many spaces in the direction that is nearest to the degrees. Areas lie in no direction: there it is where it began.
    pub fn ahead(&self, from: Place, degrees: i64, length: i64) -> Place {
        let ways = self.neighbours(from).len() as i64;
        if self.board == Board::Areas || ways == 0 {
            return from;
        }
        let way = ((degrees.rem_euclid(360) * ways + 180) / 360 + if length < 0 { ways / 2 } else { 0 }) % ways;
        (0..(length.unsigned_abs() / SPACE as u64).min(MOST as u64))
            .fold(from, |at, _| self.neighbours(at).get(way as usize).copied().unwrap_or(at))
    }

    /// May one go from a space to the next one, past these shapes? Neither the step nor where it ends may touch one; where it begins is left.
    pub fn open(&self, from: Place, to: Place, obstacles: &[Shape]) -> bool {
        let (a, b) = (self.board.plane(from), self.board.plane(to));
        let stands = |shape: &Shape| shape.corners.is_empty() && shape.at == b;
        let walls: Vec<Shape> = obstacles.iter().filter(|o| !o.corners.is_empty()).cloned().collect();
        !obstacles.iter().any(stands) && (walls.is_empty() || stop_before(a, b, 0, &walls) == b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::arcs;
    use crate::table::tests::Odd;

    fn spaces(board: Board) -> Spaces {
        Spaces { board, areas: Vec::new() }
    }

    fn at(column: i64, row: i64) -> Place {
        space((column, row))
    }

    #[test]
    fn neighbours_are_one_step_away_and_one_length_on_the_plane() {
        for (board, n) in [(Board::Squares, 8), (Board::Orthogonal, 4), (Board::Hexes, 6)] {
            let board = spaces(board);
            for from in [at(0, 0), at(3, -2), at(-5, 7)] {
                let near = board.neighbours(from);
                assert_eq!(near.len(), n);
                for (i, one) in near.iter().enumerate() {
                    assert_eq!((board.distance(from, *one), board.distance(*one, from)), (SPACE, SPACE));
                    let (a, b) = (board.board.plane(from), board.board.plane(*one));
                    let off = (arcs::bearing(a, b) - 360 * i as i64 / n as i64).abs();
                    assert_eq!(off, 0, "neighbour {i} of {from:?} on {:?}", board.board);
                    assert!(board.board == Board::Squares || (distance(a, b) - SPACE).abs() <= 1);
                }
            }
        }
    }

    #[test]
    fn distances_are_the_steps_of_a_search() {
        let mut odd = Odd(2);
        for board in [Board::Squares, Board::Orthogonal, Board::Hexes] {
            let board = spaces(board);
            for _ in 0..40 {
                let (a, b) = (at(odd.below(13) - 6, odd.below(13) - 6), at(odd.below(13) - 6, odd.below(13) - 6));
                assert_eq!(board.way(a, b, |_, _| true), Some(board.distance(a, b)), "{a:?} {b:?} on {:?}", board.board);
                let far = board.distance(a, b);
                for n in 0..=far / SPACE {
                    let there = board.toward(a, b, n * SPACE);
                    assert_eq!((board.distance(a, there), board.distance(there, b)), (n * SPACE, far - n * SPACE));
                }
                if a != b {
                    let away = board.toward(a, b, -3 * SPACE);
                    assert_eq!(board.distance(away, b), far + 3 * SPACE, "{a:?} {b:?} {:?}", board.board);
                }
            }
        }
        assert_eq!(spaces(Board::Hexes).within(at(2, 2), 2 * SPACE).len(), 19);
        assert_eq!(spaces(Board::Squares).within(at(2, 2), 2 * SPACE).len(), 25);
        assert_eq!(spaces(Board::Orthogonal).within(at(2, 2), 2 * SPACE).len(), 13);
    }

    #[test]
    fn ahead_goes_straight() {
        let hexes = spaces(Board::Hexes);
        assert_eq!(hexes.ahead(at(0, 0), 60, 4000), at(4, 2));
        assert_eq!(hexes.ahead(at(0, 0), 55, 1000), hexes.ahead(at(0, 0), 60, 1999));
        assert_eq!(hexes.ahead(at(1, 1), 0, -2000), at(1, -1));
        assert_eq!(spaces(Board::Squares).ahead(at(0, 0), 135, 3000), at(3, -3));
        assert_eq!(spaces(Board::Orthogonal).ahead(at(0, 0), 350, 3000), at(0, 3));
    }

    #[test]
    fn a_wall_on_an_edge_makes_a_way_longer() {
        let board = spaces(Board::Orthogonal);
        // Between the columns 0 and 1, beside the rows 0 and 1.
        let wall = |x: i32, y: i32| Shape { at: Place { x, y }, base: 0, corners: vec![Place { x, y: y - 500 }, Place { x, y: y + 500 }] };
        let walls = [wall(500, 0), wall(500, 1000)];
        let open = |a, b| board.open(a, b, &walls);
        assert_eq!(board.way(at(0, 0), at(1, 0), open), Some(3000));
        assert_eq!(board.way(at(0, 0), at(0, 1), open), Some(1000));
        assert_eq!(board.stop(at(-2, 0), at(3, 0), open), at(0, 0));
        let standing = [Shape { at: at(2, 0), base: 1000, corners: Vec::new() }];
        assert_eq!(board.way(at(0, 0), at(2, 0), |a, b| board.open(a, b, &standing)), None);
        assert_eq!(board.way(at(0, 0), at(4, 0), |a, b| board.open(a, b, &standing)), Some(6000));
    }

    #[test]
    fn areas_are_linked_as_they_say() {
        let (a, b, c) = (at(0, 0), at(7, 1), at(2, 9));
        let map = Spaces { board: Board::Areas, areas: vec![(a, vec![b]), (b, vec![a, c]), (c, vec![])] };
        assert_eq!((map.distance(a, c), map.distance(c, a), map.distance(a, a)), (2000, i64::MAX, 0));
        assert_eq!(map.within(a, 1000), [a, b]);
        assert_eq!((map.toward(a, c, 1000), map.toward(a, c, 9000)), (b, c));
    }
}
