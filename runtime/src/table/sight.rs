//! What can be seen of a round base from a point, past any number of round bases together.
//!
//! Every base takes up a range of directions between its two tangents. What the bases in front of the target leave free of the target's range is seen.
//! Directions are pairs of whole numbers, so that the result is the same on every machine; it is right to about a millionth of the target's width.

use super::Disc;
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
    fn new(from: Place, disc: Disc) -> Seen {
        let (centre, radius) = (relative(from, disc.at), i128::from(disc.base.clamp(0, FAR)));
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

/// How much of the target's width is seen from a point past all obstacles together: from 0 to its base, to the nearest unit.
/// Who stands on an obstacle sees nothing past it; who stands on the target sees all of it.
pub(crate) fn shown(from: Place, target: Disc, obstacles: &[Disc]) -> i64 {
    let base = target.base.clamp(0, FAR);
    // A place without width is taken as the smallest base.
    let goal = Seen::new(from, Disc { base: base.max(1), ..target });
    if goal.power <= 0 {
        return target.base.max(0);
    }
    let mut shadows: Vec<(i128, i128)> = Vec::new();
    for obstacle in obstacles {
        let seen = Seen::new(from, *obstacle);
        // Points of equal power form a line between two bases that do not overlap: what is on the viewer's side is in front.
        if seen.radius == 0 || seen.power >= goal.power {
            continue;
        }
        if seen.power <= 0 {
            return 0;
        }
        let side = cross(goal.centre, seen.centre);
        // Straight behind the viewer counts as on the left, straight ahead no tangent leads backward.
        let on_the_left = side > 0 || (side == 0 && dot(goal.centre, seen.centre) < 0);
        let (right, left) = (position(&goal, seen.edge(false), on_the_left), position(&goal, seen.edge(true), on_the_left));
        if right < left {
            shadows.push((right, left));
        }
    }
    shadows.sort_unstable();
    let (mut hidden, mut end) = (0, -WHOLE);
    for (right, left) in shadows {
        hidden += (left - right.max(end)).max(0);
        end = end.max(left);
    }
    let free = 2 * WHOLE - hidden;
    ((i128::from(base) * free + WHOLE) / (2 * WHOLE)) as i64
}

/// Where a direction lies between the target's tangents: from `-WHOLE` on the right to `WHOLE` on the left. A direction that does not lead forward is
/// beyond the one or the other, as told.
fn position(goal: &Seen, direction: Vector, to_the_left: bool) -> i128 {
    let (ahead, aside) = (dot(goal.centre, direction), cross(goal.centre, direction));
    if ahead <= 0 {
        return if to_the_left { WHOLE } else { -WHOLE };
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

    fn disc(x: i32, y: i32, base: i64) -> Disc {
        Disc { at: at(x, y), base }
    }

    /// Rays between the target's tangents, evenly spread over its width.
    fn by_rays(target: Disc, obstacles: &[Disc]) -> f64 {
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
            let entry = |c: &Disc| {
                let (cx, cy, r) = (c.at.x as f64, c.at.y as f64, c.base as f64 / 2.0);
                let (along, off) = (cx * x + cy * y, cx * y - cy * x);
                (off.abs() < r && along > 0.0).then(|| along - (r * r - off * off).sqrt())
            };
            let goal = entry(&target).unwrap_or(d);
            free += i32::from(!obstacles.iter().any(|o| entry(o).is_some_and(|e| e < goal)));
        }
        target.base as f64 * free as f64 / RAYS as f64
    }

    #[test]
    fn sight_agrees_with_many_rays() {
        let mut odd = Odd(11);
        let mut partly = 0;
        for _ in 0..400 {
            let mut discs: Vec<Disc> = Vec::new();
            while discs.len() < 7 {
                let new = Disc { at: odd.place(12_000), base: 500 + odd.below(4000) };
                let apart = |a: &Disc, b: &Disc| 2 * crate::table::distance(a.at, b.at) > a.base + b.base + 4;
                if discs.iter().all(|d| apart(d, &new)) && apart(&Disc { at: EYE, base: 0 }, &new) {
                    discs.push(new);
                }
            }
            let (target, obstacles) = (discs[0], &discs[1..]);
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
        assert!(shown(EYE, target, &[left]) > 400 && shown(EYE, target, &[right]) > 400);
        assert_eq!(shown(EYE, target, &[left, right]), 0);
        assert_eq!(shown(EYE, target, &[]), 1000);
    }

    #[test]
    fn what_is_behind_or_aside_hides_nothing() {
        let target = disc(10_000, 0, 1000);
        assert_eq!(shown(EYE, target, &[disc(12_000, 0, 2000), disc(-3000, 0, 4000), disc(0, 3000, 5900), disc(0, -3000, 5900)]), 1000);
        assert_eq!(shown(EYE, target, &[disc(1000, 0, 1900)]), 0);
        assert_eq!(shown(EYE, target, &[disc(200, 0, 1000)]), 0);
        assert_eq!(shown(at(10_000, 100), target, &[]), 1000);
    }

    #[test]
    fn left_and_right_are_alike() {
        let mut odd = Odd(5);
        for _ in 0..200 {
            let target = disc(9000 + odd.below(3000) as i32, 0, 500 + odd.below(3000));
            let obstacle = disc(1500 + odd.below(5000) as i32, odd.below(2000) as i32, 300 + odd.below(1500));
            let mirrored = disc(obstacle.at.x, -obstacle.at.y, obstacle.base);
            assert!((shown(EYE, target, &[obstacle]) - shown(EYE, target, &[mirrored])).abs() <= 1);
        }
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let far = disc(i32::MAX, i32::MIN, i64::MAX);
        let _ = shown(at(i32::MIN, i32::MAX), far, &[far, disc(0, 0, 1), disc(1, 1, i64::MAX)]);
        assert_eq!(shown(EYE, disc(i32::MAX, 0, 1000), &[]), 1000);
    }
}
