//! Distances and spots on the table, in thousandths of the base length. Whole numbers throughout: the same on every machine.

use crate::value::Place;

fn squared(a: Place, b: Place) -> u128 {
    let (dx, dy) = ((a.x as i64 - b.x as i64) as i128, (a.y as i64 - b.y as i64) as i128);
    (dx * dx + dy * dy) as u128
}

pub(crate) fn distance(a: Place, b: Place) -> i64 {
    squared(a, b).isqrt() as i64
}

/// Places are whole thousandths: a piece that is put edge to edge with another may end up this far from it, and touches it all the same.
const GRAIN: i128 = 2;

/// Between the edges of two round bases, given their diameters.
pub(crate) fn gap(a: Place, base_a: i64, b: Place, base_b: i64) -> i64 {
    let twice = (4 * squared(a, b)).isqrt() as i128 - base_a as i128 - base_b as i128;
    match twice.div_euclid(2) {
        small if small < GRAIN => 0,
        wide => wide.min(i64::MAX as i128) as i64,
    }
}

pub(crate) fn touching(a: Place, base_a: i64, b: Place, base_b: i64) -> bool {
    gap(a, base_a, b, base_b) == 0
}

fn overlapping(a: Place, base_a: i64, b: Place, base_b: i64) -> bool {
    let reach = (base_a as i128 + base_b as i128).max(0).unsigned_abs();
    // A thousandth is lost in rounding: pieces put edge to edge must not count as overlapping.
    let reach = reach.saturating_sub(4);
    reach.checked_mul(reach).is_none_or(|r| 4 * squared(a, b) < r)
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
    // The root is taken with twenty more bits and rounded up unless it is exact, and the way is rounded towards its start: it is never longer
    // than allowed.
    let root = (far << 40).isqrt();
    let root = if root * root == far << 40 { root } else { root + 1 };
    let part = |from: i32, to: i32| {
        let way = ((to as i64 - from as i64) as i128 * length as i128) << 20;
        (from as i128 + way / root as i128).clamp(i32::MIN as i128, i32::MAX as i128) as i32
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
pub(crate) fn spots(at: Place, base: i64, length: i64, others: &[(Place, i64)]) -> Vec<Place> {
    const MOST: usize = 64;
    let length = length.clamp(0, i32::MAX as i64);
    let mut found = vec![at];
    let free = |p: Place| !others.iter().any(|(q, b)| overlapping(p, base, *q, *b));
    let mut offer = |p: Place| {
        if found.len() < MOST && within(at, p, length) && !found.contains(&p) && free(p) {
            found.push(p);
        }
    };
    for (other, other_base) in others {
        // Straight up to it, until the bases meet.
        let room = gap(at, base, *other, *other_base);
        offer(toward(at, *other, room.min(length)));
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
mod tests {
    use super::*;

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
    fn edges_meet_before_centres() {
        let (a, b) = (Place { x: 0, y: 0 }, Place { x: 3000, y: 4000 });
        assert_eq!(distance(a, b), 5000);
        assert_eq!(gap(a, 1000, b, 3000), 3000);
        assert!(touching(a, 5000, b, 5000));
        assert!(!touching(a, 5000, b, 4996));
    }

    #[test]
    fn who_moves_into_contact_touches() {
        let from = Place { x: 17, y: -333 };
        for (x, y) in [(7001, 13), (-5000, 4999), (3, 90_000), (4321, -8765)] {
            let other = Place { x, y };
            let there = toward(from, other, gap(from, 1000, other, 1500));
            assert!(touching(there, 1000, other, 1500) && !overlapping(there, 1000, other, 1500));
        }
    }
}
