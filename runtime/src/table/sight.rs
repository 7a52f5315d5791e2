//! What can be seen of a piece from a point, past any number of others together.
//!
//! Every piece takes up a range of directions between its two tangents. What the pieces in front of the target leave free of the target's range is seen.
//! Directions are pairs of whole numbers, so that the result is the same on every machine; it is right to about a millionth of the target's width.

use super::ways::entry;
use super::{Shape, grown, root};
use crate::value::Place;

/// The share of the target that is seen, in parts of this. From one tangent to the other, measured straight across.
const WHOLE: i128 = 1 << 30;
/// Farther away than this a place is taken to be at this distance: 16,000 inches.
const FAR: i64 = 1 << 24;

type Vector = (i128, i128);

fn relative(from: Place, to: Place) -> Vector {
    let part = |a: i32, b: i32| i128::from((b as i64 - a as i64).clamp(-FAR, FAR)) * 2;
    (part(from.x, to.x), part(from.y, to.y))
}

fn dot(a: Vector, b: Vector) -> i128 {
    a.0 * b.0 + a.1 * b.1
}

fn cross(a: Vector, b: Vector) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

/// A base as the viewer sees it, in halves of the smallest unit: there a radius is what a diameter is in whole ones.
struct Seen {
    centre: Vector,
    radius: i128,
    /// The square of the length of a tangent: what lies nearer has less of it.
    power: i128,
}

impl Seen {
    fn new(from: Place, at: Place, base: i64) -> Seen {
        let (centre, radius) = (relative(from, at), i128::from(base.clamp(0, FAR)));
        Seen { centre, radius, power: dot(centre, centre) - radius * radius }
    }

    fn tangent(&self) -> i128 {
        // Eight more bits; the caller shifts the radius likewise.
        ((self.power << 16).unsigned_abs()).isqrt() as i128
    }

    /// The direction of the tangent on the left (seen from the viewer) or on the right.
    fn edge(&self, left: bool) -> Vector {
        let (t, r) = (self.tangent(), if left { self.radius << 8 } else { -(self.radius << 8) });
        let (x, y) = self.centre;
        (x * t - y * r, y * t + x * r)
    }
}

/// The directions of a whole piece: farthest to the right and farthest to the left. None: the viewer stands on it.
fn range(from: Place, shape: &Shape) -> Option<(Vector, Vector)> {
    let mut found: Option<(Vector, Vector)> = None;
    for corner in shape.points() {
        let seen = Seen::new(from, *corner, shape.base);
        if seen.power <= 0 {
            return None;
        }
        let (right, left) = (seen.edge(false), seen.edge(true));
        // Less than half the compass is covered by what one stands outside of: there right and left have an order.
        found = Some(
            found.map_or((right, left), |(r, l)| (if cross(r, right) < 0 { right } else { r }, if cross(l, left) > 0 { left } else { l })),
        );
    }
    let on_it = shape.corners.len() > 1 && super::clear(&Shape::round(from, 0), shape) <= 0;
    found.filter(|_| !on_it)
}

/// How much of the target's width is seen from a point past all obstacles together: from 0 (1 for a mere place that is seen) to its base (to its width across the line of sight if it has
/// corners), to the nearest unit. Who stands on an obstacle sees nothing past it, but a wall without width hides nothing from who stands on it; who
/// stands on the target, or nearer to the middle of one with corners than those are, sees all of it.
pub(crate) fn shown(from: Place, target: &Shape, obstacles: &[Shape]) -> i64 {
    // A place without width is taken as the smallest base.
    let base = if target.corners.is_empty() { target.base } else { 2 * target.reach() }.clamp(1, FAR);
    let goal = Seen::new(from, target.at, base);
    if goal.power <= 0 {
        return base;
    }
    let span = |(right, left): (Vector, Vector)| (position(&goal, right, -WHOLE), position(&goal, left, WHOLE));
    let (low, high) = if target.corners.is_empty() { (-WHOLE, WHOLE) } else { range(from, target).map_or((-WHOLE, WHOLE), span) };
    let mut shadows: Vec<(i128, i128)> = Vec::new();
    for obstacle in obstacles {
        let flat = obstacle.base <= 0;
        if flat && obstacle.corners.len() < 2 {
            continue;
        }
        let round = target.corners.is_empty() && obstacle.corners.is_empty();
        // Points of equal power form a line between two round bases that do not overlap: what is on the viewer's side is in front.
        if round && Seen::new(from, obstacle.at, obstacle.base).power >= goal.power {
            continue;
        }
        let Some(edges) = range(from, obstacle) else {
            if flat && obstacle.corners.len() == 2 {
                continue;
            }
            return 0;
        };
        // Wholly behind the viewer.
        if dot(goal.centre, edges.0) <= 0 && dot(goal.centre, edges.1) <= 0 {
            continue;
        }
        let (right, left) = span(edges);
        let (right, left) = (right.max(low), left.min(high));
        if right < left && (round || in_front(from, &goal, (right + left) / 2, obstacle, target)) {
            shadows.push((right, left));
        }
    }
    shadows.sort_unstable();
    let (mut hidden, mut end) = (0, low);
    for (right, left) in shadows {
        hidden += (left - right.max(end)).max(0);
        end = end.max(left);
    }
    let free = high - low - hidden;
    // The width of a round base is its own; of what has corners it is what its tangents cut off beside its middle.
    let width = match target.corners.is_empty() {
        true => i128::from(base),
        false => i128::from(base) * root((dot(goal.centre, goal.centre) << 16).unsigned_abs()) as i128 / goal.tangent().max(1),
    };
    ((width * free + WHOLE) / (2 * WHOLE)) as i64
}

/// Two pieces that do not overlap lie one behind the other, on every line from the viewer alike: one line tells which.
fn in_front(from: Place, goal: &Seen, position: i128, obstacle: &Shape, target: &Shape) -> bool {
    // The direction at that position between the target's tangents, as long as it takes to pass both.
    let (ahead, aside) = ((goal.tangent() * WHOLE) >> 8, position * goal.radius);
    let (x, y) = goal.centre;
    let (x, y) = ((x * ahead - y * aside) >> 30, (y * ahead + x * aside) >> 30);
    let length = root((x * x + y * y).unsigned_abs()).max(1) as i128;
    let reach = root(dot(goal.centre, goal.centre).unsigned_abs()) as i128 + goal.radius;
    let far = grown(from, x * reach / length, y * reach / length);
    match (entry(obstacle, from, far), entry(target, from, far)) {
        // A wall at the edge of a space is in front of what fills the space.
        (Some(a), Some(b)) => a <= b,
        (found, _) => found.is_some(),
    }
}

/// Where a direction lies between the target's tangents: from `-WHOLE` on the right to `WHOLE` on the left. A direction that does not lead forward is
/// beyond the one or the other, as told.
fn position(goal: &Seen, direction: Vector, behind: i128) -> i128 {
    let (ahead, aside) = (dot(goal.centre, direction), cross(goal.centre, direction));
    if ahead <= 0 {
        return behind;
    }
    // tan of the angle, over tan of the target's own: aside / ahead * tangent / radius. Dropping low bits of both keeps it within 128.
    let drop = (128 - ahead.max(aside.abs()).leading_zeros()).saturating_sub(60);
    let (ahead, aside) = ((ahead >> drop).max(1), aside >> drop);
    let tangent = goal.tangent();
    // Far outside the target nothing more is asked than on which side.
    let limit = ahead / tangent.max(1) * (goal.radius << 8) * 2 + 2 * (goal.radius << 8);
    if aside.abs() > limit {
        return if aside > 0 { WHOLE } else { -WHOLE };
    }
    let share = aside * tangent / (goal.radius << 8);
    (share * WHOLE / ahead).clamp(-WHOLE, WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{Odd, at};

    const EYE: Place = Place { x: 0, y: 0 };

    fn disc(x: i32, y: i32, base: i64) -> Shape {
        Shape::round(at(x, y), base)
    }

    /// Rays between the target's tangents, evenly spread over its width.
    fn by_rays(target: &Shape, obstacles: &[Shape]) -> f64 {
        let (d, r) = ((target.at.x as f64).hypot(target.at.y as f64), target.base as f64 / 2.0);
        let (ux, uy) = (target.at.x as f64 / d, target.at.y as f64 / d);
        let reach = r / (d * d - r * r).sqrt();
        const RAYS: i32 = 20_000;
        let mut free = 0;
        for i in 0..RAYS {
            let s = reach * (2.0 * (i as f64 + 0.5) / RAYS as f64 - 1.0);
            let (x, y) = (ux - uy * s, uy + ux * s);
            let length = x.hypot(y);
            let (x, y) = (x / length, y / length);
            let entry = |c: &Shape| {
                let (cx, cy, r) = (c.at.x as f64, c.at.y as f64, c.base as f64 / 2.0);
                let (along, off) = (cx * x + cy * y, cx * y - cy * x);
                (off.abs() < r && along > 0.0).then(|| along - (r * r - off * off).sqrt())
            };
            let goal = entry(target).unwrap_or(d);
            free += i32::from(!obstacles.iter().any(|o| entry(o).is_some_and(|e| e < goal)));
        }
        target.base as f64 * free as f64 / RAYS as f64
    }

    #[test]
    fn sight_agrees_with_many_rays() {
        let mut odd = Odd(11);
        let mut partly = 0;
        for _ in 0..400 {
            let mut discs: Vec<Shape> = Vec::new();
            while discs.len() < 7 {
                let new = Shape::round(odd.place(12_000), 500 + odd.below(4000));
                let apart = |a: &Shape, b: &Shape| 2 * crate::table::distance(a.at, b.at) > a.base + b.base + 4;
                if discs.iter().all(|d| apart(d, &new)) && apart(&Shape::round(EYE, 0), &new) {
                    discs.push(new);
                }
            }
            let (target, obstacles) = (&discs[0], &discs[1..]);
            let (found, rays) = (shown(EYE, target, obstacles) as f64, by_rays(target, obstacles));
            assert!((found - rays).abs() <= 3.0 + target.base as f64 / 1000.0, "{found} {rays} {discs:?}");
            partly += i32::from(found > 0.0 && found < target.base as f64);
        }
        assert!(partly > 30, "only {partly} were partly hidden");
    }

    #[test]
    fn two_shoulder_to_shoulder_hide_what_neither_hides_alone() {
        let target = disc(10_000, 0, 1000);
        let (left, right) = (disc(5000, 500, 1000), disc(5000, -500, 1000));
        let alone = |one: &Shape| shown(EYE, &target, std::slice::from_ref(one));
        assert!(alone(&left) > 400 && alone(&right) > 400);
        assert_eq!(shown(EYE, &target, &[left, right]), 0);
        assert_eq!(shown(EYE, &target, &[]), 1000);
    }

    #[test]
    fn what_is_behind_or_aside_hides_nothing() {
        let target = disc(10_000, 0, 1000);
        assert_eq!(shown(EYE, &target, &[disc(12_000, 0, 2000), disc(-3000, 0, 4000), disc(0, 3000, 5900), disc(0, -3000, 5900)]), 1000);
        assert_eq!(shown(EYE, &target, &[disc(1000, 0, 1900)]), 0);
        assert_eq!(shown(EYE, &target, &[disc(200, 0, 1000)]), 0);
        assert_eq!(shown(at(10_000, 100), &target, &[]), 1000);
    }

    #[test]
    fn left_and_right_are_alike() {
        let mut odd = Odd(5);
        for _ in 0..200 {
            let target = disc(9000 + odd.below(3000) as i32, 0, 500 + odd.below(3000));
            let obstacle = disc(1500 + odd.below(5000) as i32, odd.below(2000) as i32, 300 + odd.below(1500));
            let mirrored = disc(obstacle.at.x, -obstacle.at.y, obstacle.base);
            assert!((shown(EYE, &target, &[obstacle]) - shown(EYE, &target, &[mirrored])).abs() <= 1);
        }
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let far = disc(i32::MAX, i32::MIN, i64::MAX);
        let _ = shown(at(i32::MIN, i32::MAX), &far, &[far.clone(), disc(0, 0, 1), disc(1, 1, i64::MAX)]);
        assert_eq!(shown(EYE, &disc(i32::MAX, 0, 1000), &[]), 1000);
    }

    /// A shape with three or four corners somewhere, turned anyhow.
    fn block(odd: &mut Odd) -> Shape {
        let middle = odd.place(10_000);
        let (w, h, degrees) = (200 + odd.below(2000) as i32, 200 + odd.below(2000) as i32, odd.below(360));
        let corner = |x: i32, y: i32| {
            let c = crate::table::turned(at(x, y), degrees);
            at(middle.x + c.x, middle.y + c.y)
        };
        let mut corners = vec![corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)];
        corners.truncate(2 + odd.below(3) as usize);
        Shape { at: middle, base: odd.below(2) * 600, corners }
    }

    #[test]
    fn corners_and_walls_agree_with_many_rays() {
        let mut odd = Odd(17);
        let mut partly = 0;
        for _ in 0..300 {
            let mut all: Vec<Shape> = vec![];
            while all.len() < 5 {
                let new = if all.is_empty() { Shape::round(odd.place(11_000), 400 + odd.below(3000)) } else { block(&mut odd) };
                let apart = |a: &Shape, b: &Shape| crate::table::clear(a, b) > 20;
                if all.iter().all(|one| apart(one, &new)) && apart(&Shape::round(EYE, 0), &new) {
                    all.push(new);
                }
            }
            let (target, obstacles) = (&all[0], &all[1..]);
            let (d, r) = ((target.at.x as f64).hypot(target.at.y as f64), target.base as f64 / 2.0);
            let (ux, uy, reach) = (target.at.x as f64 / d, target.at.y as f64 / d, r / (d * d - r * r).sqrt());
            const RAYS: i32 = 1000;
            let mut free = 0;
            for i in 0..RAYS {
                let s = reach * (2.0 * (i as f64 + 0.5) / RAYS as f64 - 1.0);
                let (x, y) = ((ux - uy * s) * 2.0 * d, (uy + ux * s) * 2.0 * d);
                let end = at(x.round() as i32, y.round() as i32);
                let goal = entry(target, EYE, end).unwrap_or(d as i64);
                free += i32::from(!obstacles.iter().any(|o| entry(o, EYE, end).is_some_and(|e| e < goal)));
            }
            let (found, rays) = (shown(EYE, target, obstacles) as f64, target.base as f64 * free as f64 / RAYS as f64);
            assert!((found - rays).abs() <= 4.0 + target.base as f64 / 100.0, "{found} {rays} {all:?}");
            partly += i32::from(found > 0.0 && found < target.base as f64);
        }
        assert!(partly > 20, "only {partly} were partly hidden");
    }

    #[test]
    fn walls_hide_together_and_show_themselves() {
        let wall = |y: i32, half: i32| Shape { at: at(5000, y), base: 0, corners: vec![at(5000, y - half), at(5000, y + half)] };
        let target = disc(10_000, 0, 2000);
        assert_eq!(shown(EYE, &target, &[wall(0, 1000)]), 0);
        assert_eq!(shown(EYE, &target, &[wall(500, 500), wall(-500, 500)]), 0);
        let half = shown(EYE, &target, &[wall(600, 600)]);
        assert!((990..=1010).contains(&half), "{half}");
        // A wall as a target: seen across, and hidden by what stands before it.
        assert_eq!(shown(EYE, &wall(0, 1000), &[]), 2000);
        assert_eq!(shown(EYE, &wall(0, 1000), &[disc(2000, 0, 1500)]), 0);
        assert_eq!(shown(EYE, &wall(0, 1000), &[disc(8000, 0, 1500)]), 2000);
        // Past the end of a wall that goes on behind the viewer.
        let long = Shape { at: at(0, 500), base: 0, corners: vec![at(-9000, 500), at(9000, 500)] };
        assert_eq!(shown(EYE, &disc(8000, 3000, 1000), std::slice::from_ref(&long)), 0);
        assert_eq!(shown(EYE, &disc(8000, -3000, 1000), std::slice::from_ref(&long)), 1000);
    }
}
