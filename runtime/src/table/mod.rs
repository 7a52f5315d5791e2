//! Distances and spots on the table, in thousandths of the base length. Whole numbers throughout: the same on every machine.

mod arcs;
mod around;
mod board;
mod shape;
mod sight;
mod ways;

pub(crate) use arcs::{ahead, bearing, in_arc, turned};
pub(crate) use around::way_around;
pub use board::Board;
pub(crate) use board::{SPACE, Spaces};
pub(crate) use shape::Shape;
pub(crate) use sight::shown;
pub(crate) use ways::{inside, stop_at_edge, stop_before, way_distance, way_inside};

use crate::value::Place;

/// A place that far from another, kept within the numbers there are.
pub(crate) fn grown(p: Place, x: i128, y: i128) -> Place {
    let part = |n: i32, by: i128| i128::from(n).saturating_add(by).clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i32;
    Place { x: part(p.x, x), y: part(p.y, y) }
}

#[inline]
fn squared(a: Place, b: Place) -> u128 {
    let (dx, dy) = ((a.x as i64 - b.x as i64).unsigned_abs(), (a.y as i64 - b.y as i64).unsigned_abs());
    // Numbers of 128 bits are slow, and tables are small.
    match (dx | dy) < 1 << 31 {
        true => u128::from(dx * dx + dy * dy),
        false => u128::from(dx) * u128::from(dx) + u128::from(dy) * u128::from(dy),
    }
}

/// The whole root, rounded down. Numbers of 128 bits are slow and most distances are short: there the root of the processor is off by one at
/// most, which is put right, so that it is the same on every machine.
fn root(n: u128) -> u128 {
    match u64::try_from(n) {
        Ok(n) if n < 1 << 53 => {
            let near = (n as f64).sqrt() as u64;
            let root = if near * near > n { near - 1 } else { near };
            u128::from(if (root + 1) * (root + 1) <= n { root + 1 } else { root })
        }
        _ => n.isqrt(),
    }
}

/// The root of `n` with twenty more bits, rounded up unless it is exact.
fn fine_root(n: u128) -> u128 {
    let wide = n << 40;
    let root = match u64::try_from(n) {
        Ok(n) if n < 1 << 53 => {
            let near = ((n as f64).sqrt() * (1u64 << 20) as f64) as u128;
            let root = if near * near > wide { near - 1 } else { near };
            if (root + 1) * (root + 1) <= wide { root + 1 } else { root }
        }
        _ => wide.isqrt(),
    };
    if root * root == wide { root } else { root + 1 }
}

pub(crate) fn distance(a: Place, b: Place) -> i64 {
    root(squared(a, b)) as i64
}

/// Places are whole thousandths: a piece that is put edge to edge with another may end up this far from it, and touches it all the same.
const GRAIN: i128 = 2;

/// Between the edges of two shapes, in halves of the smallest unit: below zero where bases overlap.
fn clear(a: &Shape, b: &Shape) -> i128 {
    let apart = if a.corners.is_empty() && b.corners.is_empty() { root(4 * squared(a.at, b.at)) as i128 } else { a.apart(b) };
    apart - a.base as i128 - b.base as i128
}

/// Between the edges of two shapes.
pub(crate) fn gap(a: &Shape, b: &Shape) -> i64 {
    match clear(a, b).div_euclid(2) {
        small if small < GRAIN => 0,
        wide => wide.min(i64::MAX as i128) as i64,
    }
}

/// A thousandth is lost in rounding: pieces put edge to edge must not count as overlapping.
fn least(a: &Shape, b: &Shape) -> i128 {
    // What has no width of its own overlaps where it lies on the other.
    let flat = |s: &Shape| s.base == 0;
    if flat(a) && flat(b) { 1 } else { -3 }
}

fn overlapping(a: &Shape, b: &Shape) -> bool {
    let least = least(a, b);
    if a.corners.is_empty() && b.corners.is_empty() {
        // The same without a root: whole numbers whose roots are below a whole number are below its square.
        let wide = a.base as i128 + b.base as i128 + least;
        return wide > 0 && (wide >= 1 << 40 || 4 * squared(a.at, b.at) < (wide * wide) as u128);
    }
    clear(a, b) < least
}

/// Where the centre of a round base overlaps another, in numbers that are quick: spots are compared with every other piece.
struct Round {
    at: Place,
    /// Twice the distance of the centres is less than this.
    wide: i64,
}

impl Round {
    /// None: one of them is not round, or very large.
    fn of(piece: &Shape, other: &Shape) -> Option<Round> {
        let wide = piece.base as i128 + other.base as i128 + least(piece, other);
        let small = wide < 1 << 30 && piece.corners.is_empty() && other.corners.is_empty();
        small.then_some(Round { at: other.at, wide: wide as i64 })
    }

    fn overlaps(&self, p: Place) -> bool {
        let (dx, dy) = (2 * (p.x as i64 - self.at.x as i64).abs(), 2 * (p.y as i64 - self.at.y as i64).abs());
        dx < self.wide && dy < self.wide && dx * dx + dy * dy < self.wide * self.wide
    }
}

pub(crate) fn within(a: Place, b: Place, length: i64) -> bool {
    length >= 0 && squared(a, b) <= (length as u128) * (length as u128)
}

/// From `from` towards `to`, by at most `length`; away from it by a negative one.
pub(crate) fn toward(from: Place, to: Place, length: i64) -> Place {
    let far = squared(from, to);
    if far == 0 || (length >= 0 && far <= (length as u128) * (length as u128)) {
        return to;
    }
    // The root is rounded up unless it is exact, and the way towards its start: it is never longer than allowed.
    let root = fine_root(far);
    let part = |from: i32, to: i32| {
        let way = ((to as i64 - from as i64) as i128 * length as i128) << 20;
        let part = match (i64::try_from(way), i64::try_from(root)) {
            (Ok(way), Ok(root)) => i128::from(way / root),
            _ => way / root as i128,
        };
        (from as i128 + part).clamp(i32::MIN as i128, i32::MAX as i128) as i32
    };
    Place { x: part(from.x, to.x), y: part(from.y, to.y) }
}

/// Sixteen directions, as thousandths.
const DIRECTIONS: [(i64, i64); 16] = [
    (1000, 0),
    (923, 382),
    (707, 707),
    (382, 923),
    (0, 1000),
    (-382, 923),
    (-707, 707),
    (-923, 382),
    (-1000, 0),
    (-923, -382),
    (-707, -707),
    (-382, -923),
    (0, -1000),
    (382, -923),
    (707, -707),
    (923, -382),
];

/// A bounded choice of places a piece could be moved to: where it is, edge to edge with others, and rings at the full and half length.
pub(crate) fn spots(piece: &Shape, length: i64, others: &[Shape]) -> Vec<Place> {
    const MOST: usize = 64;
    let (at, length) = (piece.at, length.clamp(0, i32::MAX as i64));
    let mut found = vec![at];
    let round: Vec<Option<Round>> = others.iter().map(|other| Round::of(piece, other)).collect();
    let free = |p: Place| {
        !round.iter().zip(others).any(|(round, other)| match round {
            Some(round) => round.overlaps(p),
            None => overlapping(&piece.moved(p), other),
        })
    };
    let mut offer = |p: Place| {
        if found.len() < MOST && within(at, p, length) && !found.contains(&p) && free(p) {
            found.push(p);
        }
    };
    for other in others {
        // Straight up to it, until the bases meet.
        offer(toward(at, other.at, gap(piece, other).min(length)));
    }
    for far in [length, length / 2] {
        for (dx, dy) in DIRECTIONS {
            let part = |from: i32, d: i64| (from as i64 + d * far / 1000).clamp(i32::MIN as i64, i32::MAX as i64) as i32;
            offer(Place { x: part(at.x, dx), y: part(at.y, dy) });
        }
    }
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn at(x: i32, y: i32) -> Place {
        Place { x, y }
    }

    /// Numbers without a pattern, always the same.
    pub struct Odd(pub u64);

    impl Odd {
        pub fn below(&mut self, n: i64) -> i64 {
            self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x14057B7EF767814F);
            ((self.0 >> 33) as i64) % n
        }

        pub fn place(&mut self, far: i64) -> Place {
            Place { x: (self.below(2 * far) - far) as i32, y: (self.below(2 * far) - far) as i32 }
        }
    }

    #[test]
    fn a_move_is_never_longer_than_allowed() {
        let from = Place { x: 0, y: 0 };
        for (x, y) in [(7001, 13), (-5000, 4999), (3, 90_000)] {
            let to = toward(from, Place { x, y }, 4000);
            assert!(within(from, to, 4000));
        }
        assert_eq!(toward(from, Place { x: 10, y: 0 }, 4000), Place { x: 10, y: 0 });
    }

    #[test]
    fn roots_are_whole_and_exact() {
        let mut numbers: Vec<u128> = (0..2000).collect();
        for bits in 6..65 {
            let n = 1u128 << bits;
            let side = n.isqrt();
            numbers.extend([n - 1, n, n + 1, side * side - 1, side * side, side * side + 1, (side + 1) * (side + 1) - 1]);
        }
        let mut odd = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..2000 {
            odd = odd.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            numbers.push(u128::from(odd >> (odd % 40)));
        }
        for n in numbers {
            assert_eq!(root(n), n.isqrt(), "{n}");
            let fine = (n << 40).isqrt();
            assert_eq!(fine_root(n), fine + u128::from(fine * fine != n << 40), "{n}");
        }
    }

    #[test]
    fn straight_ways_are_exact() {
        let at = |x, y| Place { x, y };
        assert_eq!(toward(at(10_000, 0), at(0, 0), 3000), at(7000, 0));
        assert_eq!(toward(at(0, 0), at(3000, 4000), 2500), at(1500, 2000));
    }

    #[test]
    fn a_negative_length_leads_away() {
        let at = |x, y| Place { x, y };
        assert_eq!(toward(at(1000, 0), at(0, 0), -3000), at(4000, 0));
        assert_eq!(toward(at(0, 0), at(3000, 4000), -5000), at(-3000, -4000));
        assert_eq!(toward(at(5, 5), at(5, 5), -5000), at(5, 5));
    }

    #[test]
    fn round_bases_overlap_where_they_do() {
        let mut odd = Odd(7);
        let (mut apart, mut over) = (0, 0);
        for _ in 0..20_000 {
            let (a, b) = (Shape::round(odd.place(1500), odd.below(1200)), Shape::round(odd.place(1500), odd.below(1200)));
            let is = overlapping(&a, &b);
            assert_eq!(Round::of(&a, &b).map(|round| round.overlaps(a.at)), Some(is), "{a:?} {b:?}");
            (apart, over) = (apart + u32::from(!is), over + u32::from(is));
        }
        assert!(apart > 1000 && over > 1000);
        assert!(Round::of(&Shape::round(at(0, 0), i64::MAX / 4), &Shape::round(at(0, 0), 1)).is_none());
    }

    #[test]
    fn edges_meet_before_centres() {
        let (a, b) = (Place { x: 0, y: 0 }, Place { x: 3000, y: 4000 });
        assert_eq!(distance(a, b), 5000);
        let disc = Shape::round;
        assert_eq!(gap(&disc(a, 1000), &disc(b, 3000)), 3000);
        assert_eq!(gap(&disc(a, 5000), &disc(b, 5000)), 0);
        assert_ne!(gap(&disc(a, 5000), &disc(b, 4996)), 0);
    }

    #[test]
    fn who_moves_into_contact_touches() {
        let from = Place { x: 17, y: -333 };
        for (x, y) in [(7001, 13), (-5000, 4999), (3, 90_000), (4321, -8765)] {
            let other = Place { x, y };
            let (moving, other) = (Shape::round(from, 1000), Shape::round(other, 1500));
            let there = moving.moved(toward(from, other.at, gap(&moving, &other)));
            assert!(gap(&there, &other) == 0 && !overlapping(&there, &other));
        }
    }
}
