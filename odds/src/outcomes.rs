//! All outcomes of a roll or a draw, with their weights.

use crate::weight::Weight;
use banneret_runtime::machine::explore::Sorts;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Dice;

/// More outcomes of one roll than this are refused.
const MOST: u128 = 500_000;

/// Which card may be on top. None: it is not a draw.
pub(crate) fn draws(question: &Question) -> Option<Vec<(Answer, Weight)>> {
    let Ask::Draw { cards, .. } = &question.ask else { return None };
    let all: u128 = cards.iter().map(|(_, n)| *n as u128).sum();
    let each = cards.iter().enumerate().map(|(i, (_, n))| (Answer::Picks(vec![i as u32]), Weight::new(*n as u128, all)));
    Some(each.collect())
}

/// Each way the dice may fall with how likely it is; of faces that nothing tells apart one stands for all. Err: too many to try, and how many.
pub(crate) fn rolls(dice: Dice, ordered: bool, sorts: Option<&Sorts>, each: impl FnMut(&[i64], Weight)) -> Result<(), u128> {
    let (sides, count) = (dice.sides.max(1) as u128, dice.count as usize);
    let all = sides.checked_pow(dice.count);
    if ordered {
        return in_order(sides, count, all.ok_or(u128::MAX)?, each);
    }
    let kinds = sorts.map_or(sides, |sorts| sorts.len() as u128);
    // before the faces are listed: a die may have thousands of millions of them
    let different = multisets(kinds, count as u128).max(kinds);
    if different > MOST {
        return Err(different);
    }
    let every = || (1..=dice.sides.max(1) as i64).map(|face| (face, 1)).collect();
    let sorts: Sorts = sorts.cloned().unwrap_or_else(every);
    // Sorts that are equally large may be counted by sorts instead of faces: smaller numbers for the same chances.
    let common = sorts.iter().fold(sides, |c, (_, n)| crate::weight::gcd(c, *n as u128)).max(1);
    let all = (sides / common).checked_pow(dice.count).ok_or(u128::MAX)?;
    let sorts: Sorts = sorts.into_iter().map(|(face, n)| (face, n / common as u32)).collect();
    // one die is not dealt out sort by sort, each inside the one before: it may have very many
    if count == 1 {
        let mut each = each;
        sorts.iter().for_each(|(face, n)| each(&[*face], Weight::new(*n as u128, all)));
        return Ok(());
    }
    let mut counts = Counts { all, each, faces: Vec::with_capacity(count) };
    counts.split(&sorts, count, 1).ok_or(all)
}

/// How many of the dice show one of `hits` faces, and how likely that is. None: the numbers outgrew 128 bits.
pub(crate) fn counts(dice: Dice, hits: u32) -> Option<Vec<(i64, Weight)>> {
    let misses = dice.sides.saturating_sub(hits);
    let common = crate::weight::gcd(hits as u128, misses as u128).max(1);
    let (hits, misses) = (hits as u128 / common, misses as u128 / common);
    let all = (hits + misses).checked_pow(dice.count)?;
    if hits == 0 || misses == 0 {
        return Some(vec![(if hits == 0 { 0 } else { dice.count as i64 }, Weight::ONE)]);
    }
    let mut found = Vec::with_capacity(dice.count as usize + 1);
    // All miss; then one more hits instead, again and again.
    let mut ways = misses.checked_pow(dice.count)?;
    // No step is larger than all of them times the dice times the faces.
    let largest = all.checked_mul(dice.count as u128 * hits.max(misses)).and_then(|n| u64::try_from(n).ok());
    if let (Some(_), Ok(mut ways)) = (largest, u64::try_from(ways)) {
        let (hits, misses) = (hits as u64, misses as u64);
        for n in 0..=dice.count as u64 {
            found.push((n as i64, Weight::new(ways as u128, all)));
            ways = ways * ((dice.count as u64 - n) * hits) / ((n + 1) * misses);
        }
        return Some(found);
    }
    for n in 0..=dice.count {
        found.push((n as i64, Weight::new(ways, all)));
        if n < dice.count {
            ways = divided(ways.checked_mul((dice.count - n) as u128 * hits)?, (n + 1) as u128 * misses);
        }
    }
    Some(found)
}

/// How many dice show each sort, and in how many ways.
struct Counts<F> {
    all: u128,
    each: F,
    /// Those that are settled already.
    faces: Vec<i64>,
}

impl<F: FnMut(&[i64], Weight)> Counts<F> {
    /// Deals `left` dice out to the sorts, after `ways` to deal the others. None: the numbers outgrew 128 bits.
    fn split(&mut self, sorts: &[(i64, u32)], left: usize, ways: u128) -> Option<()> {
        let Some(((face, size), rest)) = sorts.split_first() else { return Some(()) };
        let settled = self.faces.len();
        if rest.is_empty() {
            let ways = ways.checked_mul((*size as u128).checked_pow(left as u32)?)?;
            self.faces.resize(settled + left, *face);
            (self.each)(&self.faces, Weight::new(ways, self.all));
            self.faces.truncate(settled);
            return Some(());
        }
        let mut chosen = ways;
        for n in 0..=left {
            self.split(rest, left - n, chosen)?;
            if n < left {
                // n + 1 of them instead of n: each step is whole, as the way of binomials is.
                chosen = divided(chosen.checked_mul(((left - n) * *size as usize) as u128)?, n as u128 + 1);
                self.faces.push(*face);
            }
        }
        self.faces.truncate(settled);
        Some(())
    }
}

/// Most numbers are small, and their division is quick.
fn divided(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => (a / b.max(1)) as u128,
        _ => a / b.max(1),
    }
}

fn in_order(sides: u128, count: usize, all: u128, mut each: impl FnMut(&[i64], Weight)) -> Result<(), u128> {
    if all > MOST {
        return Err(all);
    }
    let one = Weight::new(1, all);
    let mut faces = vec![0i64; count];
    for n in 0..all {
        let mut left = n;
        for face in &mut faces {
            *face = (left % sides) as i64 + 1;
            left /= sides;
        }
        each(&faces, one);
    }
    Ok(())
}

/// How many sorted sequences there are: n + s - 1 over s - 1.
fn multisets(sides: u128, count: u128) -> u128 {
    let mut n = 1u128;
    for i in 1..=count.min(u32::MAX as u128) {
        n = match n.checked_mul(sides - 1 + i) {
            Some(m) => m / i,
            None => return u128::MAX,
        };
        if n > u64::MAX as u128 {
            return n;
        }
    }
    n
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use crate::Fraction;

    #[test]
    fn dice_with_very_many_sides_are_refused_before_their_faces_are_listed() {
        for count in [0, 1, 2, 100_000] {
            let dice = Dice { count, sides: u32::MAX, plus: 0 };
            assert!(super::rolls(dice, false, None, |_, _| ()).is_err(), "{count}");
        }
        let (mut ways, dice) = (0, Dice { count: 1, sides: 400_000, plus: 0 });
        assert_eq!(super::rolls(dice, false, None, |_, _| ways += 1), Ok(()));
        assert_eq!(ways, 400_000);
    }

    fn rolls(dice: Dice, ordered: bool, sorts: Option<Sorts>) -> Result<Vec<(Vec<i64>, Weight)>, u128> {
        let mut all = Vec::new();
        super::rolls(dice, ordered, sorts.as_ref(), |faces, weight| all.push((faces.to_vec(), weight)))?;
        Ok(all)
    }

    fn sum(all: &[(Vec<i64>, Weight)]) -> Fraction {
        all.iter().try_fold(Weight::ZERO, |sum, (_, w)| sum.plus(*w)).expect("fits").exact()
    }

    #[test]
    fn weights_of_a_roll_add_up() {
        for (count, sides) in [(1, 6), (3, 6), (5, 4), (10, 3), (2, 20)] {
            for ordered in [false, true] {
                let all = rolls(Dice { count, sides, plus: 0 }, ordered, None).expect("small enough");
                assert_eq!(sum(&all), Fraction::one());
            }
        }
    }

    #[test]
    fn a_sorted_roll_counts_its_orders() {
        let all = rolls(Dice { count: 2, sides: 6, plus: 0 }, false, None).expect("small enough");
        assert_eq!(all.len(), 21);
        let chance = |faces: &[i64]| all.iter().find(|(f, _)| f == faces).map(|(_, w)| w.exact());
        assert_eq!((chance(&[3, 5]), chance(&[4, 4])), (Some(Fraction::new(1, 18)), Some(Fraction::new(1, 36))));
    }

    #[test]
    fn faces_that_are_not_told_apart_are_one_outcome() {
        // Ones to threes, fours and fives, sixes.
        let sorts = vec![(1, 3), (4, 2), (6, 1)];
        let all = rolls(Dice { count: 4, sides: 6, plus: 0 }, false, Some(sorts)).expect("small enough");
        assert_eq!((all.len(), sum(&all)), (15, Fraction::one()));
        // 4!/(2! 1! 1!) orders of 3 * 3 * 2 * 1 faces.
        let chance = all.iter().find(|(f, _)| f == &[1, 1, 4, 6]).map(|(_, w)| w.exact());
        assert_eq!(chance, Some(Fraction::new(12 * 18, 1296)));
    }

    #[test]
    fn counting_agrees_with_looking_at_faces() {
        for (count, sides, hits) in [(5, 6, 2), (7, 6, 3), (3, 10, 0), (3, 10, 10), (1, 6, 5)] {
            let dice = Dice { count, sides, plus: 0 };
            let counted = counts(dice, hits).expect("fits");
            let all = rolls(dice, false, None).expect("small enough");
            for n in 0..=count as i64 {
                let shown = |faces: &[i64]| faces.iter().filter(|f| **f <= hits as i64).count() as i64;
                let sum = all.iter().filter(|(f, _)| shown(f) == n).try_fold(Weight::ZERO, |sum, (_, w)| sum.plus(*w)).expect("fits");
                let chance = counted.iter().find(|(m, _)| *m == n).map_or(Weight::ZERO, |(_, w)| *w);
                assert_eq!(chance.exact(), sum.exact(), "{n} of {count}d{sides}");
            }
        }
    }

    #[test]
    fn two_equal_halves_need_no_large_numbers() {
        let all = rolls(Dice { count: 100, sides: 6, plus: 0 }, false, Some(vec![(1, 3), (4, 3)])).expect("small enough");
        assert_eq!((all.len(), sum(&all)), (101, Fraction::one()));
    }
}
