//! Straight ways: what lies on them, how much of one a base covers, where one ends.
//!
//! Whole numbers throughout. Two places may be `FAR` apart before a measure is taken in coarser units; no table comes near it.

use super::{Disc, distance, toward};
use crate::value::Place;

/// The longest difference of two coordinates whose products fit: 67,000 inches.
const FAR: i64 = 1 << 26;
/// Extra bits of a position along a way.
const FINE: u32 = 10;

/// Places relative to the start of a way, in halves of the smallest unit, so that a radius is whole too.
struct Way {
    /// From the start to the end, and the square of that length.
    along: (i128, i128),
    square: i128,
    /// How many bits were dropped because the way is too long to be measured in full.
    coarse: u32,
}

impl Way {
    fn new(from: Place, to: Place, near: Place) -> (Way, (i128, i128)) {
        let part = |a: i32, b: i32| b as i64 - a as i64;
        let (v, w) = ((part(from.x, to.x), part(from.y, to.y)), (part(from.x, near.x), part(from.y, near.y)));
        let most = [v.0, v.1, w.0, w.1].into_iter().map(i64::abs).max().unwrap_or(0);
        let mut coarse = 0;
        while most >> coarse > FAR {
            coarse += 1;
        }
        let scaled = |n: i64| i128::from(n >> coarse) * 2;
        let along = (scaled(v.0), scaled(v.1));
        let square = along.0 * along.0 + along.1 * along.1;
        (Way { along, square, coarse }, (scaled(w.0), scaled(w.1)))
    }

    fn dot(&self, p: (i128, i128)) -> i128 {
        self.along.0 * p.0 + self.along.1 * p.1
    }

    fn cross(&self, p: (i128, i128)) -> i128 {
        self.along.0 * p.1 - self.along.1 * p.0
    }

    /// The length of the way, with `FINE` more bits.
    fn length(&self) -> i128 {
        ((self.square << (2 * FINE)).unsigned_abs().isqrt()) as i128
    }

    /// Where the line of the way enters and leaves a disc, measured from its start with `FINE` more bits; none if it stays outside.
    fn crossing(&self, centre: (i128, i128), base: i64) -> Option<(i128, i128)> {
        let base = i128::from(base.clamp(0, FAR) >> self.coarse);
        let off = self.cross(centre);
        // The square of half the chord, times the square of the way.
        let left = base * base * self.square - off * off;
        if self.square == 0 || left <= 0 {
            return None;
        }
        let root = |n: i128| n.unsigned_abs().isqrt() as i128;
        let half = root((left / self.square << (2 * FINE)) + ((left % self.square) << (2 * FINE)) / self.square);
        let middle = (self.dot(centre) << (2 * FINE)) / self.length().max(1);
        Some((middle - half, middle + half))
    }

    /// A position along the way in the smallest unit, rounded to the nearest.
    fn unit(&self, position: i128) -> i64 {
        let unit = (position + (1 << FINE)) >> (FINE + 1);
        (unit << self.coarse).clamp(i64::MIN as i128, i64::MAX as i128) as i64
    }
}

/// The shortest distance from a place to the straight way between two others, rounded down: smaller than a whole length exactly if the true one is.
pub(crate) fn way_distance(centre: Place, from: Place, to: Place) -> i64 {
    let (way, at) = Way::new(from, to, centre);
    let ahead = way.dot(at);
    if ahead <= 0 {
        return distance(from, centre);
    }
    if ahead >= way.square {
        return distance(to, centre);
    }
    let off = way.cross(at);
    // Everything is in halves: the square of the distance in whole units is a quarter.
    let square = (off * off).unsigned_abs() / (4 * way.square).unsigned_abs();
    (square.isqrt() as i64) << way.coarse
}

/// How much of the straight way lies on a round base, to the nearest unit.
pub(crate) fn way_inside(disc: Disc, from: Place, to: Place) -> i64 {
    let (way, at) = Way::new(from, to, disc.at);
    match way.crossing(at, disc.base) {
        Some((enter, leave)) => way.unit((leave.min(way.length()) - enter.max(0)).max(0)),
        None => 0,
    }
}

/// How far the straight way leads before it enters the first of some round bases.
pub(crate) fn stop_before(from: Place, to: Place, discs: &[Disc]) -> Place {
    let mut stop = None;
    for disc in discs {
        let (way, at) = Way::new(from, to, disc.at);
        if let Some((enter, leave)) = way.crossing(at, disc.base)
            && leave > 0
            && enter < way.length()
        {
            // Rounded down: not a hair inside.
            let unit = ((enter.max(0) >> (FINE + 1)) << way.coarse).min(i64::MAX as i128) as i64;
            stop = Some(stop.map_or(unit, |s: i64| s.min(unit)));
        }
    }
    match stop {
        Some(0) => from,
        Some(length) => toward(from, to, length),
        None => to,
    }
}

/// Is a round base wholly inside the rectangle with these corners? A place is a base without width.
pub(crate) fn inside(disc: Disc, corner: Place, other: Place) -> bool {
    let fits = |at: i32, a: i32, b: i32| {
        let (low, high) = (2 * i64::from(a.min(b)), 2 * i64::from(a.max(b)));
        let (at, base) = (2 * i64::from(at), disc.base.max(0));
        at.saturating_sub(base) >= low && at.saturating_add(base) <= high
    };
    fits(disc.at.x, corner.x, other.x) && fits(disc.at.y, corner.y, other.y)
}

/// How far the straight way leads before it leaves the rectangle with these corners. Who begins outside stays where it is.
pub(crate) fn stop_at_edge(from: Place, to: Place, corner: Place, other: Place) -> Place {
    let is_inside = |p: Place| inside(Disc { at: p, base: 0 }, corner, other);
    if is_inside(to) || !is_inside(from) {
        return if is_inside(to) { to } else { from };
    }
    // The part of the way up to the nearest edge it crosses, as a fraction.
    let mut part = (1i128, 1i128);
    let mut cut = |from: i32, to: i32, a: i32, b: i32| {
        let edge = to.clamp(a.min(b), a.max(b));
        let (way, room) = ((i128::from(to) - i128::from(from)).abs(), (i128::from(edge) - i128::from(from)).abs());
        if way > 0 && room * part.1 < part.0 * way {
            part = (room, way);
        }
    };
    cut(from.x, to.x, corner.x, other.x);
    cut(from.y, to.y, corner.y, other.y);
    let at = |from: i32, to: i32| {
        let moved = (i128::from(to) - i128::from(from)) * part.0 / part.1;
        (i128::from(from) + moved).clamp(i32::MIN as i128, i32::MAX as i128) as i32
    };
    Place { x: at(from.x, to.x), y: at(from.y, to.y) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{Odd, at};

    /// Points of a way, close together.
    fn points(from: Place, to: Place, n: i64) -> impl Iterator<Item = (f64, f64)> {
        let (dx, dy) = ((to.x - from.x) as f64, (to.y - from.y) as f64);
        (0..=n).map(move |i| (from.x as f64 + dx * i as f64 / n as f64, from.y as f64 + dy * i as f64 / n as f64))
    }

    fn apart(p: (f64, f64), c: Place) -> f64 {
        (p.0 - c.x as f64).hypot(p.1 - c.y as f64)
    }

    #[test]
    fn ways_agree_with_many_points_of_them() {
        let mut odd = Odd(7);
        for _ in 0..300 {
            let (from, to, centre) = (odd.place(20_000), odd.place(20_000), odd.place(20_000));
            let disc = Disc { at: centre, base: odd.below(9000) };
            const POINTS: i64 = 4000;
            let step = distance(from, to) as f64 / POINTS as f64;
            let nearest = points(from, to, POINTS).map(|p| apart(p, centre)).fold(f64::MAX, f64::min);
            let found = way_distance(centre, from, to) as f64;
            assert!(found <= nearest && nearest - found <= 1.0 + step, "{found} {nearest} {step}");
            let on_it = points(from, to, POINTS).filter(|p| apart(*p, centre) < disc.base as f64 / 2.0).count() as f64 * step;
            assert!((way_inside(disc, from, to) as f64 - on_it).abs() <= 2.0 * step + 2.0, "{on_it} of {from:?} {to:?} {disc:?}");
            let stop = stop_before(from, to, &[disc]);
            let first = points(from, to, POINTS).find(|p| apart(*p, centre) < disc.base as f64 / 2.0);
            let free = first.map_or(distance(from, to) as f64, |p| apart(p, from));
            assert!((distance(from, stop) as f64 - free).abs() <= step + 3.0, "{free} {stop:?} of {from:?} {to:?} {disc:?}");
        }
    }

    #[test]
    fn whole_lengths_come_out_whole() {
        let rubble = Disc { at: at(5000, 0), base: 4000 };
        assert_eq!(way_inside(rubble, at(0, 0), at(10_000, 0)), 4000);
        assert_eq!(way_inside(rubble, at(5000, 0), at(10_000, 0)), 2000);
        assert_eq!(way_inside(rubble, at(0, 2000), at(10_000, 2000)), 0);
        assert_eq!(way_distance(at(5000, 2000), at(0, 0), at(10_000, 0)), 2000);
        assert_eq!(way_distance(at(3, 4), at(0, 0), at(0, 0)), 5);
        assert_eq!(stop_before(at(0, 0), at(10_000, 0), &[rubble]), at(3000, 0));
        assert_eq!(stop_before(at(5000, 0), at(10_000, 0), &[rubble]), at(5000, 0));
        // Who stands at its edge may leave it.
        assert_eq!(stop_before(at(7000, 0), at(10_000, 0), &[rubble]), at(10_000, 0));
    }

    #[test]
    fn the_table_has_edges() {
        let (low, high) = (at(0, 0), at(24_000, 24_000));
        let mini = |x, y| Disc { at: at(x, y), base: 1000 };
        assert!(inside(mini(500, 500), low, high) && !inside(mini(499, 500), low, high) && inside(mini(23_500, 1000), high, low));
        assert_eq!(stop_at_edge(at(20_000, 12_000), at(28_000, 16_000), low, high), at(24_000, 14_000));
        assert_eq!(stop_at_edge(at(20_000, 12_000), at(22_000, 12_000), low, high), at(22_000, 12_000));
        assert_eq!(stop_at_edge(at(-1, 0), at(-5000, 0), low, high), at(-1, 0));
        let mut odd = Odd(3);
        for _ in 0..500 {
            let from = Place { x: odd.below(24_000) as i32, y: odd.below(24_000) as i32 };
            let stop = stop_at_edge(from, odd.place(60_000), low, high);
            assert!(inside(Disc { at: stop, base: 0 }, low, high));
        }
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let (a, b) = (at(i32::MIN, i32::MIN), at(i32::MAX, i32::MAX));
        assert!(way_distance(at(0, 0), a, b) < 200);
        assert!(way_inside(Disc { at: at(0, 0), base: i64::MAX }, a, b) > 0);
        let _ = stop_before(a, b, &[Disc { at: at(0, 0), base: i64::MAX }]);
        let _ = stop_at_edge(a, b, at(0, 0), b);
    }
}
