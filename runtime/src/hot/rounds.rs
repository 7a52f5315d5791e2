//! Rounds of dice, one after the other: to hit, to wound, and not to be saved, as often as there are attacks. Nothing else is looked at before they are over.

use crate::hosts::seeded::{AHEAD, Generator};

/// The faces of a common die that reach something: so many from this one on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cube {
    least: i64,
    many: u64,
}

impl Cube {
    /// Faces from a number on, or those below it.
    pub fn new(number: i64, below: bool) -> Cube {
        let first = number.clamp(1, 7);
        match below {
            true => Cube { least: 1, many: first as u64 - 1 },
            false => Cube { least: first, many: 7 - first as u64 },
        }
    }

    #[inline(always)]
    fn is_reached(self, face: i64) -> bool {
        (face.wrapping_sub(self.least) as u64) < self.many
    }
}

/// How many rounds are left, this one included, of a loop that goes on as long as `i + by` is less than `n`. None: it does not come nearer to its end.
pub(super) fn left(i: i64, by: i64, n: i64) -> Option<u64> {
    if by <= 0 {
        return None;
    }
    let way = n.checked_sub(i)?;
    Some(if way <= by { 1 } else { (way as u64).div_ceil(by as u64) })
}

/// In how many rounds all dice reached it, and how many dice were rolled: each only if those before it did.
pub(super) fn roll(dice: &mut Generator, count: u8, cubes: [Cube; 3], rounds: u64) -> (i64, u64) {
    match (count, cubes) {
        (1, [a, ..]) => rolled(dice, [a], rounds),
        (2, [a, b, _]) => rolled(dice, [a, b], rounds),
        (_, all) => rolled(dice, all, rounds),
    }
}

/// Once for each number of dice in a round. What the next dice show does not depend on those before them, so some are looked at together: the processor can
/// work on several at once, and how they fall need not be guessed.
fn rolled<const N: usize>(dice: &mut Generator, cubes: [Cube; N], rounds: u64) -> (i64, u64) {
    // Twice as many as are looked at together, in a circle.
    let mut faces = [0u8; 2 * AHEAD];
    let (mut reached, mut rolled, mut known) = (0, 0usize, 0usize);
    for round in 0..rounds {
        if known - rolled < N {
            let Some(more) = dice.cubes_ahead(known as u64) else {
                // One in very many numbers is no face, and passed over.
                dice.skip(rolled as u64);
                let (more, others) = one_by_one(dice, cubes, rounds - round);
                return (reached + more, rolled as u64 + others);
            };
            let from = known % (2 * AHEAD);
            faces[from..from + AHEAD].copy_from_slice(&more);
            known += AHEAD;
        }
        // Each is rolled if those before it reached it.
        let (mut on, mut used) = (true, 0);
        for (i, cube) in cubes.into_iter().enumerate() {
            used += usize::from(on);
            on &= cube.is_reached(i64::from(faces[(rolled + i) % (2 * AHEAD)]));
        }
        reached += i64::from(on);
        rolled += used;
    }
    dice.skip(rolled as u64);
    (reached, rolled as u64)
}

#[cold]
fn one_by_one<const N: usize>(dice: &mut Generator, cubes: [Cube; N], rounds: u64) -> (i64, u64) {
    let (mut reached, mut rolled) = (0, 0);
    for _ in 0..rounds {
        let all = cubes.iter().all(|cube| {
            rolled += 1;
            cube.is_reached(dice.die(6))
        });
        reached += i64::from(all);
    }
    (reached, rolled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_from_a_number_on_or_below_it() {
        for number in (-2..10).chain([i64::MIN, i64::MAX]) {
            for face in 1..=6 {
                assert_eq!(Cube::new(number, false).is_reached(face), face >= number, "{face} from {number} on");
                assert_eq!(Cube::new(number, true).is_reached(face), face < number, "{face} below {number}");
            }
        }
    }

    #[test]
    fn as_many_rounds_as_a_loop_takes() {
        for (i, by, n) in (-3..4).flat_map(|i| (1..4).flat_map(move |by| (-5..9).map(move |n| (i, by, n)))) {
            let (mut now, mut rounds) = (i, 0);
            loop {
                rounds += 1;
                now += by;
                if now >= n {
                    break;
                }
            }
            assert_eq!(left(i, by, n), Some(rounds), "{i} {by} {n}");
        }
        assert_eq!((left(0, 0, 5), left(0, -1, 5), left(i64::MIN, 1, 5)), (None, None, None));
    }

    #[test]
    fn dice_are_those_that_are_rolled_one_by_one() {
        let of = |number, below| Cube::new(number, below);
        for cubes in
            [[of(3, false), of(4, false), of(5, true)], [of(1, false); 3], [of(7, false); 3], [of(2, false), of(2, false), of(6, true)]]
        {
            for (count, rounds) in (1..=3u8).flat_map(|count| [0, 1, 2, 7, 200].map(|rounds| (count, rounds))) {
                let (mut one, mut all) = (Generator::new(7), Generator::new(7));
                let (found, wanted) = match (count, cubes) {
                    (1, [a, ..]) => (roll(&mut all, 1, cubes, rounds), one_by_one(&mut one, [a], rounds)),
                    (2, [a, b, _]) => (roll(&mut all, 2, cubes, rounds), one_by_one(&mut one, [a, b], rounds)),
                    (_, cubes) => (roll(&mut all, 3, cubes, rounds), one_by_one(&mut one, cubes, rounds)),
                };
                assert_eq!((found, all), (wanted, one), "{count} dice, {rounds} rounds");
            }
        }
    }

    #[test]
    fn a_number_that_is_rolled_again_is_none_of_the_dice() {
        let cubes = [Cube::new(2, false), Cube::new(4, false), Cube::new(5, true)];
        for before in 0..20 {
            // Comes to a number that no face has, after some dice.
            let seed = Generator::rejecting_after(before);
            let (mut one, mut all) = (seed.clone(), seed);
            assert_eq!((roll(&mut all, 3, cubes, 12), all), (one_by_one(&mut one, cubes, 12), one), "{before} before it");
        }
    }
}
