//! What stands on the table: a round base, or a convex shape with corners whose edge is `base / 2` farther out on all sides. A wall is two corners,
//! a rectangle four, an oval base two corners with a wide base.

use super::{distance, grown, root};
use crate::value::Place;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub at: Place,
    /// The diameter of what is drawn around each corner.
    pub base: i64,
    /// Around the shape, in order; none for a round base.
    pub corners: Vec<Place>,
}

impl Shape {
    pub fn round(at: Place, base: i64) -> Shape {
        Shape { at, base, corners: Vec::new() }
    }

    /// The same as if it stood elsewhere.
    pub fn moved(&self, to: Place) -> Shape {
        let (x, y) = (i128::from(to.x) - i128::from(self.at.x), i128::from(to.y) - i128::from(self.at.y));
        Shape { at: to, base: self.base, corners: self.corners.iter().map(|c| grown(*c, x, y)).collect() }
    }

    /// Its corners; of a round base the middle.
    pub fn points(&self) -> &[Place] {
        if self.corners.is_empty() { std::slice::from_ref(&self.at) } else { &self.corners }
    }

    /// Its sides from corner to corner; a single point is a side without length.
    pub fn sides(&self) -> impl Iterator<Item = (Place, Place)> + '_ {
        let points = self.points();
        // Two corners have one side between them.
        let n = if points.len() == 2 { 1 } else { points.len() };
        (0..n).filter_map(move |i| Some((*points.get(i)?, *points.get((i + 1) % points.len())?)))
    }

    /// Half the width of the whole thing, at most.
    pub fn reach(&self) -> i64 {
        self.points().iter().map(|c| distance(self.at, *c)).max().unwrap_or(0) + self.base.max(0) / 2
    }

    fn holds(&self, p: Place) -> bool {
        let turns: Vec<i128> = self.sides().map(|(a, b)| turn(a, b, p)).collect();
        turns.len() > 2 && (turns.iter().all(|t| *t >= 0) || turns.iter().all(|t| *t <= 0))
    }

    /// Between the corners and sides of two shapes, their bases left out: in halves of the smallest unit, rounded down.
    pub fn apart(&self, other: &Shape) -> i128 {
        if let (Some(p), Some(q)) = (self.points().first(), other.points().first())
            && (self.holds(*q) || other.holds(*p))
        {
            return 0;
        }
        let mut nearest = u128::MAX;
        for (a, b) in self.sides() {
            for (c, d) in other.sides() {
                nearest = nearest.min(between(a, b, c, d));
            }
        }
        root(nearest) as i128
    }
}

/// Twice the area of a triangle: above zero if `p` lies to the left of the way from `a` to `b`.
pub(super) fn turn(a: Place, b: Place, p: Place) -> i128 {
    let part = |from: i32, to: i32| i128::from(to) - i128::from(from);
    part(a.x, b.x) * part(a.y, p.y) - part(a.y, b.y) * part(a.x, p.x)
}

/// Do two sides cross or touch?
pub(super) fn cross(a: Place, b: Place, c: Place, d: Place) -> bool {
    let sides = |p: Place, q: Place, r: Place, s: Place| turn(p, q, r).signum() * turn(p, q, s).signum();
    // On one line there is a corner of the one on the other, at no distance: the caller finds that.
    sides(a, b, c, d) < 0 && sides(c, d, a, b) < 0
}

/// Four times the square of the distance between two sides, rounded down.
fn between(a: Place, b: Place, c: Place, d: Place) -> u128 {
    if cross(a, b, c, d) {
        return 0;
    }
    [point_to_side(a, c, d), point_to_side(b, c, d), point_to_side(c, a, b), point_to_side(d, a, b)].into_iter().min().unwrap_or(0)
}

/// Four times the square of the distance from a point to a side, rounded down.
pub(super) fn point_to_side(p: Place, a: Place, b: Place) -> u128 {
    let part = |from: i32, to: i32| i128::from(to) - i128::from(from);
    let (along, to_p) = ((part(a.x, b.x), part(a.y, b.y)), (part(a.x, p.x), part(a.y, p.y)));
    let ahead = along.0 * to_p.0 + along.1 * to_p.1;
    let square = along.0 * along.0 + along.1 * along.1;
    if ahead <= 0 {
        return 4 * super::squared(a, p);
    }
    if ahead >= square {
        return 4 * super::squared(b, p);
    }
    let off = (along.0 * to_p.1 - along.1 * to_p.0).unsigned_abs();
    // Twice the distance is `2 * off / length`; the square of `off` may need more bits than there are, its quotient does not.
    match off.checked_mul(2).and_then(|twice| twice.checked_mul(twice)) {
        Some(wide) => wide / square.unsigned_abs(),
        None => {
            let far = off / root(square.unsigned_abs()).max(1);
            4 * far * far
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{Odd, at};
    use crate::table::{gap, overlapping};

    fn square(x: i32, y: i32, half: i32) -> Shape {
        let corners = vec![at(x - half, y - half), at(x + half, y - half), at(x + half, y + half), at(x - half, y + half)];
        Shape { at: at(x, y), base: 0, corners }
    }

    #[test]
    fn distances_of_rectangles_walls_and_ovals() {
        let (a, b) = (square(0, 0, 1000), square(5000, 0, 1000));
        assert_eq!(gap(&a, &b), 3000);
        assert_eq!(gap(&a, &Shape::round(at(0, 4000), 2000)), 2000);
        assert_eq!(gap(&a, &Shape::round(at(0, 0), 10)), 0);
        assert_eq!(gap(&square(0, 0, 5000), &a), 0);
        let wall = Shape { at: at(0, 3000), base: 0, corners: vec![at(-4000, 3000), at(4000, 3000)] };
        assert_eq!(gap(&wall, &a), 2000);
        assert_eq!(gap(&wall, &Shape::round(at(7000, 7000), 2000)), 4000);
        let oval = Shape { at: at(0, 0), base: 2000, corners: vec![at(-1000, 0), at(1000, 0)] };
        assert_eq!(gap(&oval, &Shape::round(at(5000, 0), 1000)), 2500);
        assert_eq!(gap(&oval, &Shape::round(at(0, 5000), 1000)), 3500);
        assert!(overlapping(&oval, &a) && !overlapping(&oval, &wall) && overlapping(&wall, &Shape::round(at(0, 3400), 1000)));
        let crossing = Shape { at: at(0, 3000), base: 0, corners: vec![at(0, 2000), at(0, 4000)] };
        assert_eq!(gap(&wall, &crossing), 0);
    }

    #[test]
    fn sides_agree_with_many_points_of_them() {
        let mut odd = Odd(4);
        for _ in 0..200 {
            let (a, b, p) = (odd.place(9000), odd.place(9000), odd.place(9000));
            let far = |t: i32| {
                let part = |from: i32, to: i32| f64::from(from) + f64::from(to - from) * f64::from(t) / 3000.0;
                (part(a.x, b.x) - f64::from(p.x)).hypot(part(a.y, b.y) - f64::from(p.y))
            };
            let nearest = (0..=3000).map(far).fold(f64::MAX, f64::min);
            let found = root(point_to_side(p, a, b)) as f64 / 2.0;
            assert!(found <= nearest + 0.01 && nearest - found < 6.0, "{found} {nearest}");
        }
    }

    #[test]
    fn what_moves_keeps_its_shape() {
        assert_eq!(square(0, 0, 700).moved(at(3000, -50)), square(3000, -50, 700));
        assert_eq!(square(0, 0, 300).reach(), 424);
        assert_eq!(Shape::round(at(9, 9), 1000).reach(), 500);
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let far = Shape { at: at(0, 0), base: i64::MAX, corners: vec![at(i32::MIN, i32::MIN), at(i32::MAX, i32::MIN), at(0, i32::MAX)] };
        let _ = (far.apart(&far), far.moved(at(i32::MAX, 0)), gap(&far, &far), far.reach());
        assert!(point_to_side(at(i32::MIN, i32::MAX), at(i32::MIN, i32::MIN), at(i32::MAX, i32::MAX)) > 0);
    }
}
