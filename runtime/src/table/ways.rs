//! Straight ways: what lies on them, how much of one a base covers, where one ends.
//!
//! Whole numbers throughout. Two places may be `FAR` apart before a measure is taken in coarser units; no table comes near it.

use super::shape::point_to_side;
use super::{Shape, grown, root, toward};
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

type Vector = (i128, i128);

fn dot(a: Vector, b: Vector) -> i128 {
    a.0 * b.0 + a.1 * b.1
}

fn turn(a: Vector, b: Vector) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

impl Way {
    /// A way and some points relative to its start.
    fn new(from: Place, to: Place, near: &[Place]) -> (Way, Vec<Vector>) {
        let part = |a: i32, b: i32| b as i64 - a as i64;
        let relative = |p: Place| (part(from.x, p.x), part(from.y, p.y));
        let most = near.iter().chain([&to]).map(|p| relative(*p)).map(|(x, y)| x.abs().max(y.abs())).max().unwrap_or(0);
        let mut coarse = 0;
        while most >> coarse > FAR {
            coarse += 1;
        }
        let scaled = |p: Place| {
            let (x, y) = relative(p);
            (i128::from(x >> coarse) * 2, i128::from(y >> coarse) * 2)
        };
        let along = scaled(to);
        (Way { along, square: dot(along, along), coarse }, near.iter().map(|p| scaled(*p)).collect())
    }

    /// The length of the way, with `FINE` more bits.
    fn length(&self) -> i128 {
        ((self.square << (2 * FINE)).unsigned_abs().isqrt()) as i128
    }

    /// Where the line of the way enters and leaves a shape, measured from its start with `FINE` more bits; none if it stays outside.
    fn crossing(&self, points: &[Vector], base: i64) -> Option<(i128, i128)> {
        if self.square == 0 {
            return None;
        }
        let base = i128::from(base.clamp(0, FAR) >> self.coarse);
        let mut found: Option<(i128, i128)> = None;
        let mut add = |part: Option<(i128, i128)>| {
            if let Some((enter, leave)) = part {
                found = Some(found.map_or((enter, leave), |(e, l)| (e.min(enter), l.max(leave))));
            }
        };
        // The whole is its corners with what is around them, its sides likewise, and what they enclose. Together they are convex.
        if base > 0 {
            points.iter().for_each(|p| add(self.disc(*p, base)));
        }
        if points.len() > 2 {
            add(self.clip(points));
        }
        if points.len() > 1 {
            for (i, a) in points.iter().enumerate() {
                let b = points.get((i + 1) % points.len()).unwrap_or(a);
                if base > 0 {
                    let (x, y) = (b.0 - a.0, b.1 - a.1);
                    let long = root((x * x + y * y).unsigned_abs()).max(1) as i128;
                    let (x, y) = (-y * base / long, x * base / long);
                    add(self.clip(&[(a.0 + x, a.1 + y), (a.0 - x, a.1 - y), (b.0 - x, b.1 - y), (b.0 + x, b.1 + y)]));
                } else if points.len() == 2 {
                    add(self.wall(*a, *b));
                }
            }
        }
        found
    }

    fn disc(&self, centre: Vector, radius: i128) -> Option<(i128, i128)> {
        let off = turn(self.along, centre);
        // The square of half the chord, times the square of the way.
        let left = radius * radius * self.square - off * off;
        if left <= 0 {
            return None;
        }
        let half =
            (((left / self.square) << (2 * FINE)) + ((left % self.square) << (2 * FINE)) / self.square).unsigned_abs().isqrt() as i128;
        let middle = (dot(self.along, centre) << (2 * FINE)) / self.length().max(1);
        Some((middle - half, middle + half))
    }

    /// Inside all sides of a convex shape.
    fn clip(&self, points: &[Vector]) -> Option<(i128, i128)> {
        let (mut enter, mut leave) = (i128::MIN, i128::MAX);
        let sides = || points.iter().enumerate().filter_map(|(i, a)| points.get((i + 1) % points.len()).map(|b| (*a, *b)));
        let area: i128 = sides().map(|(a, b)| turn(a, b)).sum();
        let length = self.length();
        for (a, b) in sides() {
            let side = (b.0 - a.0, b.1 - a.1);
            // How far inside the start of the way is, and how much farther its end.
            let (start, more) = (-turn(side, a) * area.signum(), turn(side, self.along) * area.signum());
            if more == 0 {
                if start <= 0 {
                    return None;
                }
                continue;
            }
            let position = -start * length / more;
            if more > 0 { enter = enter.max(position) } else { leave = leave.min(position) }
        }
        (area != 0 && enter < leave).then_some((enter, leave))
    }

    /// A wall without width; its ends belong to it.
    fn wall(&self, a: Vector, b: Vector) -> Option<(i128, i128)> {
        let (left, right) = (turn(self.along, a), turn(self.along, b));
        if left.signum() * right.signum() > 0 || left == right {
            return None;
        }
        // Where the line meets the wall: as far from one end as the ends' distances from the line say.
        let ahead = (dot(self.along, a) * right - dot(self.along, b) * left) / (right - left);
        let position = (ahead << (2 * FINE)) / self.length().max(1);
        Some((position, position))
    }

    /// A position along the way in the smallest unit, rounded to the nearest.
    fn unit(&self, position: i128) -> i64 {
        let unit = (position + (1 << FINE)) >> (FINE + 1);
        (unit << self.coarse).clamp(i64::MIN as i128, i64::MAX as i128) as i64
    }
}

/// From the middle of a round base, or from the sides of a shape with corners, to the straight way between two places: rounded down, so that it is
/// smaller than a whole length exactly if the true one is.
pub(crate) fn way_distance(shape: &Shape, from: Place, to: Place) -> i64 {
    match shape.points() {
        [centre] => (root(point_to_side(*centre, from, to)) / 2) as i64,
        _ => {
            let way = Shape { at: from, base: 0, corners: vec![from, to] };
            (shape.apart(&way) / 2) as i64
        }
    }
}

/// How much of the straight way lies on a shape, to the nearest unit.
pub(crate) fn way_inside(shape: &Shape, from: Place, to: Place) -> i64 {
    let (way, points) = Way::new(from, to, shape.points());
    match way.crossing(&points, shape.base) {
        Some((enter, leave)) => way.unit((leave.min(way.length()) - enter.max(0)).max(0)),
        None => 0,
    }
}

/// How far along the line between two places a shape begins, in the smallest unit; none if the line misses it.
pub(super) fn entry(shape: &Shape, from: Place, to: Place) -> Option<i64> {
    let (way, points) = Way::new(from, to, shape.points());
    way.crossing(&points, shape.base).filter(|(_, leave)| *leave > 0).map(|(enter, _)| way.unit(enter.max(0)))
}

/// How far the straight way leads before somebody with a base of that width enters the first of some shapes.
pub(crate) fn stop_before(from: Place, to: Place, base: i64, shapes: &[Shape]) -> Place {
    let mut stop = None;
    for shape in shapes {
        let (way, points) = Way::new(from, to, shape.points());
        // Who touches stands a hair inside at times: places are whole thousandths.
        let width = shape.base.saturating_add(base) - if base > 0 { 4 } else { 0 };
        if let Some((enter, leave)) = way.crossing(&points, width)
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

/// Is something wholly inside the rectangle with these corners? A place is a base without width.
pub(crate) fn inside(shape: &Shape, corner: Place, other: Place) -> bool {
    let fits = |at: i32, a: i32, b: i32| {
        let (low, high) = (2 * i64::from(a.min(b)), 2 * i64::from(a.max(b)));
        let (at, base) = (2 * i64::from(at), shape.base.max(0));
        at.saturating_sub(base) >= low && at.saturating_add(base) <= high
    };
    shape.points().iter().all(|at| fits(at.x, corner.x, other.x) && fits(at.y, corner.y, other.y))
}

/// How far the straight way leads before it leaves the rectangle with these corners. Who begins outside stays where it is.
/// A base that is `rim` wide around its middle stays wholly inside.
pub(crate) fn stop_at_edge(from: Place, to: Place, corner: Place, other: Place, rim: i128) -> Place {
    let narrowed = |a: i32, b: i32| if a < b { rim } else { -rim };
    let corner = grown(corner, narrowed(corner.x, other.x), narrowed(corner.y, other.y));
    let other = grown(other, narrowed(other.x, corner.x), narrowed(other.y, corner.y));
    let is_inside = |p: Place| inside(&Shape::round(p, 0), corner, other);
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
    use crate::table::distance;
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
            let disc = Shape::round(centre, odd.below(9000));
            const POINTS: i64 = 4000;
            let step = distance(from, to) as f64 / POINTS as f64;
            let nearest = points(from, to, POINTS).map(|p| apart(p, centre)).fold(f64::MAX, f64::min);
            let found = way_distance(&disc, from, to) as f64;
            assert!(found <= nearest && nearest - found <= 1.0 + step, "{found} {nearest} {step}");
            let on_it = points(from, to, POINTS).filter(|p| apart(*p, centre) < disc.base as f64 / 2.0).count() as f64 * step;
            assert!((way_inside(&disc, from, to) as f64 - on_it).abs() <= 2.0 * step + 2.0, "{on_it} of {from:?} {to:?} {disc:?}");
            let stop = stop_before(from, to, 0, std::slice::from_ref(&disc));
            let first = points(from, to, POINTS).find(|p| apart(*p, centre) < disc.base as f64 / 2.0);
            let free = first.map_or(distance(from, to) as f64, |p| apart(p, from));
            assert!((distance(from, stop) as f64 - free).abs() <= step + 3.0, "{free} {stop:?} of {from:?} {to:?} {disc:?}");
        }
    }

    #[test]
    fn whole_lengths_come_out_whole() {
        let rubble = Shape::round(at(5000, 0), 4000);
        let point = |x, y| Shape::round(at(x, y), 0);
        assert_eq!(way_inside(&rubble, at(0, 0), at(10_000, 0)), 4000);
        assert_eq!(way_inside(&rubble, at(5000, 0), at(10_000, 0)), 2000);
        assert_eq!(way_inside(&rubble, at(0, 2000), at(10_000, 2000)), 0);
        assert_eq!(way_distance(&point(5000, 2000), at(0, 0), at(10_000, 0)), 2000);
        assert_eq!(way_distance(&point(3, 4), at(0, 0), at(0, 0)), 5);
        assert_eq!(stop_before(at(0, 0), at(10_000, 0), 0, std::slice::from_ref(&rubble)), at(3000, 0));
        assert_eq!(stop_before(at(5000, 0), at(10_000, 0), 0, std::slice::from_ref(&rubble)), at(5000, 0));
        // Who stands at its edge may leave it.
        assert_eq!(stop_before(at(7000, 0), at(10_000, 0), 0, std::slice::from_ref(&rubble)), at(10_000, 0));
    }

    #[test]
    fn the_table_has_edges() {
        let (low, high) = (at(0, 0), at(24_000, 24_000));
        let mini = |x, y| Shape::round(at(x, y), 1000);
        assert!(inside(&mini(500, 500), low, high) && !inside(&mini(499, 500), low, high) && inside(&mini(23_500, 1000), high, low));
        assert_eq!(stop_at_edge(at(20_000, 12_000), at(28_000, 16_000), low, high, 0), at(24_000, 14_000));
        assert_eq!(stop_at_edge(at(20_000, 12_000), at(22_000, 12_000), low, high, 0), at(22_000, 12_000));
        assert_eq!(stop_at_edge(at(20_000, 12_000), at(28_000, 12_000), low, high, 500), at(23_500, 12_000));
        assert_eq!(stop_at_edge(at(-1, 0), at(-5000, 0), low, high, 0), at(-1, 0));
        let mut odd = Odd(3);
        for _ in 0..500 {
            let from = Place { x: odd.below(24_000) as i32, y: odd.below(24_000) as i32 };
            let stop = stop_at_edge(from, odd.place(60_000), low, high, 0);
            assert!(inside(&Shape::round(stop, 0), low, high));
        }
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let (a, b) = (at(i32::MIN, i32::MIN), at(i32::MAX, i32::MAX));
        assert!(way_distance(&Shape::round(at(0, 0), 0), a, b) < 200);
        assert!(way_inside(&Shape::round(at(0, 0), i64::MAX), a, b) > 0);
        let _ = stop_before(a, b, i64::MAX, &[Shape::round(at(0, 0), i64::MAX)]);
        let _ = stop_at_edge(a, b, at(0, 0), b, 0);
    }

    /// Walls, rectangles and ovals against many points of a way.
    #[test]
    fn shapes_with_corners_agree_with_many_points_too() {
        let mut odd = Odd(21);
        for round in 0..300 {
            let (from, to, centre) = (odd.place(20_000), odd.place(20_000), odd.place(12_000));
            let (w, h) = (500 + odd.below(6000) as i32, 500 + odd.below(6000) as i32);
            let degrees = odd.below(360);
            let corner = |x: i32, y: i32| {
                let c = crate::table::turned(at(x, y), degrees);
                at(centre.x + c.x, centre.y + c.y)
            };
            let corners = if round % 2 == 0 {
                vec![corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)]
            } else {
                vec![corner(-w, 0), corner(w, 0)]
            };
            let shape = Shape { at: centre, base: odd.below(3) * 1500 + i64::from(round % 2) * 100, corners };
            const POINTS: i64 = 2000;
            let step = distance(from, to) as f64 / POINTS as f64;
            let on_it = |p: (f64, f64)| crate::table::gap(&Shape::round(at(p.0.round() as i32, p.1.round() as i32), 0), &shape) == 0;
            let covered = points(from, to, POINTS).filter(|p| on_it(*p)).count() as f64 * step;
            let found = way_inside(&shape, from, to) as f64;
            // A grazing line may count a few points more or less.
            assert!(
                (found - covered).abs() <= 2.0 * step + 400.0 && (found == 0.0 || covered > 0.0 || found < 400.0),
                "{found} {covered} {shape:?}"
            );
            let stop = stop_before(from, to, 0, std::slice::from_ref(&shape));
            if found > 500.0 {
                let first = points(from, to, POINTS).find(|p| on_it(*p)).map_or(f64::MAX, |p| apart(p, from));
                assert!((distance(from, stop) as f64 - first).abs() <= step + 100.0, "{first} {stop:?} {shape:?}");
            }
        }
    }

    #[test]
    fn a_wall_stops_and_its_end_too() {
        let wall = [Shape { at: at(5000, 0), base: 0, corners: vec![at(5000, -500), at(5000, 500)] }];
        assert_eq!(stop_before(at(0, 0), at(9000, 0), 0, &wall), at(5000, 0));
        assert_eq!(stop_before(at(0, 0), at(9000, 0), 1000, &wall), at(4502, 0));
        assert!(distance(stop_before(at(4500, 0), at(5500, 1000), 0, &wall), at(5000, 500)) <= 2);
        assert_eq!(stop_before(at(4500, 100), at(5500, 1100), 0, &wall), at(5500, 1100));
        assert_eq!(way_distance(&wall[0], at(0, 0), at(4000, 0)), 1000);
        assert_eq!(way_distance(&wall[0], at(0, 0), at(9000, 0)), 0);
    }
}
