//! The shortest way around things on a table without spaces.
//!
//! Around each corner (and around each round base) stand the sixteen corners of a polygon that the mover's middle may pass; the way goes straight from
//! one such corner to another. So it may be walked as it is, and is at most 1.3 % longer than one that hugs every curve.

use super::{Shape, ahead, distance, inside, overlapping, stop_before};
use crate::value::Place;

const AROUND: i64 = 16;
/// Thousandths of a radius by which a polygon with sixteen corners lies outside of its circle, rounded up.
const OUTSIDE: i64 = 21;

/// How long the way is for somebody with a base of that width, who stays inside the rectangle with these corners; none if there is no way.
pub(crate) fn way_around(from: Place, to: Place, width: i64, shapes: &[Shape], corner: Place, other: Place) -> Option<i64> {
    let stands = |p: Place| {
        let there = Shape::round(p, width);
        inside(&there, corner, other) && !shapes.iter().any(|s| overlapping(&there, s))
    };
    let free = |a: Place, b: Place| stop_before(a, b, width, shapes) == b;
    if !stands(to) {
        return None;
    }
    if free(from, to) {
        return Some(distance(from, to));
    }
    let mut corners = vec![to];
    for shape in shapes {
        let radius = shape.base.saturating_add(width).clamp(0, 1 << 24) / 2;
        let radius = radius + radius * OUTSIDE / 1000 + 4;
        for point in shape.points() {
            // Half degrees are needed for sixteen; a little beside is as good.
            let ring = (0..AROUND).map(|i| ahead(*point, i * 45 / 2, radius));
            corners.extend(ring.filter(|p| stands(*p)));
        }
    }
    shortest(from, &corners, free)
}

/// From corner to corner, the most promising first.
fn shortest(from: Place, corners: &[Place], free: impl Fn(Place, Place) -> bool) -> Option<i64> {
    let to = *corners.first()?;
    let mut far: Vec<Option<i64>> = vec![None; corners.len()];
    let mut done = vec![false; corners.len()];
    let (mut at, mut walked) = (from, 0i64);
    loop {
        for (i, corner) in corners.iter().enumerate() {
            let length = walked.saturating_add(distance(at, *corner));
            // Whether a step is free is the dear question: it is asked only where the step would help.
            if let (Some(slot), Some(false)) = (far.get_mut(i), done.get(i))
                && slot.is_none_or(|known| length < known)
                && free(at, *corner)
            {
                *slot = Some(length);
            }
        }
        let open = far.iter().enumerate().filter(|(i, _)| done.get(*i) == Some(&false));
        let ahead = |i: usize| corners.get(i).map_or(i64::MAX, |c| distance(*c, to));
        let (_, i, length) = open.filter_map(|(i, f)| f.map(|f| (f.saturating_add(ahead(i)), i, f))).min()?;
        if i == 0 {
            return Some(length);
        }
        *done.get_mut(i)? = true;
        (at, walked) = (*corners.get(i)?, length);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::table::tests::at;

    const LOW: Place = Place { x: -20_000, y: -20_000 };
    const HIGH: Place = Place { x: 20_000, y: 20_000 };

    fn way(from: Place, to: Place, width: i64, shapes: &[Shape]) -> Option<i64> {
        way_around(from, to, width, shapes, LOW, HIGH)
    }

    #[test]
    fn straight_if_nothing_is_in_the_way() {
        assert_eq!(way(at(0, 0), at(3000, 4000), 1000, &[Shape::round(at(9000, 9000), 4000)]), Some(5000));
    }

    #[test]
    fn around_a_round_base_it_is_little_longer_than_along_its_curve() {
        let rock = [Shape::round(at(5000, 0), 3000)];
        for width in [0, 1000] {
            let (r, d) = ((3000 + width) as f64 / 2.0, 5000f64);
            let best = 2.0 * (d * d - r * r).sqrt() + 2.0 * r * (r / d).asin();
            let found = way(at(0, 0), at(10_000, 0), width, &rock).unwrap_or_default() as f64;
            assert!(found >= best - 5.0 && found <= best * 1.013 + 20.0, "{found} {best}");
        }
    }

    #[test]
    fn around_the_end_of_a_wall_and_through_a_gap_that_is_wide_enough() {
        let wall = |from: i32, to: i32| Shape { at: at(5000, (from + to) / 2), base: 0, corners: vec![at(5000, from), at(5000, to)] };
        let found = way(at(0, 0), at(10_000, 0), 0, &[wall(-20_000, 3000)]).unwrap_or_default();
        assert!((11_660..11_720).contains(&found), "{found}");
        let door = [wall(-20_000, -600), wall(600, 20_000)];
        assert_eq!(way(at(0, 0), at(10_000, 0), 1000, &door), Some(10_000));
        assert_eq!(way(at(0, 0), at(10_000, 0), 1300, &door), None);
        assert_eq!(way(at(0, 0), at(5000, 3000), 1000, &door), None);
        assert_eq!(way(at(0, 0), at(25_000, 0), 0, &[]), None);
    }

    #[test]
    fn out_of_a_dead_end() {
        let side = |a: Place, b: Place| Shape { at: at((a.x + b.x) / 2, (a.y + b.y) / 2), base: 200, corners: vec![a, b] };
        let pocket =
            [side(at(4000, -3000), at(4000, 3000)), side(at(-2000, 3000), at(4000, 3000)), side(at(-2000, -3000), at(4000, -3000))];
        let found = way(at(0, 0), at(8000, 0), 1000, &pocket).unwrap_or_default();
        assert!(found > 14_000 && found < 17_000, "{found}");
    }
}
