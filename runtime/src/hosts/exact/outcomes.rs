//! All outcomes of a roll or a draw, with their weights.

use super::chance::Chance;
use crate::question::{Answer, Ask, Question};
use crate::value::Dice;

/// More outcomes of one roll than this are refused.
const MOST: u128 = 500_000;

/// None: not decided by chance. Err: too many to try.
pub(super) fn outcomes(question: &Question) -> Option<Result<Vec<(Answer, Chance)>, u128>> {
    match &question.ask {
        Ask::Roll { dice, ordered } => Some(rolls(*dice, *ordered && dice.count > 1)),
        Ask::Draw { cards, .. } => {
            let all: u128 = cards.iter().map(|(_, n)| *n as u128).sum();
            let each = cards.iter().enumerate().map(|(i, (_, n))| (Answer::Picks(vec![i as u32]), Chance::new(*n as u128, all)));
            Some(Ok(each.collect()))
        }
        _ => None,
    }
}

fn rolls(dice: Dice, ordered: bool) -> Result<Vec<(Answer, Chance)>, u128> {
    let (sides, count) = (dice.sides.max(1) as u128, dice.count);
    let all = sides.checked_pow(count).ok_or(u128::MAX)?;
    if ordered {
        if all > MOST {
            return Err(all);
        }
        let one = Chance::new(1, all);
        let faces = |mut n: u128| {
            let mut faces = Vec::with_capacity(count as usize);
            for _ in 0..count {
                faces.push((n % sides) as i64 + 1);
                n /= sides;
            }
            faces
        };
        return Ok((0..all).map(|n| (Answer::Faces(faces(n)), one)).collect());
    }
    let different = multisets(sides, count as u128);
    if different > MOST {
        return Err(different);
    }
    let mut found = Vec::with_capacity(different as usize);
    let mut faces = vec![1i64; count as usize];
    loop {
        found.push((Answer::Faces(faces.clone()), Chance::new(arrangements(&faces).ok_or(all)?, all)));
        // The next sorted sequence: raise the last face that can be raised, and all behind it to the same.
        let Some(i) = faces.iter().rposition(|f| (*f as u128) < sides) else {
            return Ok(found);
        };
        let face = faces[i] + 1;
        faces[i..].fill(face);
    }
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

/// In how many orders the sorted faces could have been rolled.
fn arrangements(faces: &[i64]) -> Option<u128> {
    let mut ways = 1u128;
    let mut placed = 0u128;
    let mut run = 0u128;
    let mut last = None;
    for face in faces {
        placed += 1;
        run = if last == Some(face) { run + 1 } else { 1 };
        last = Some(face);
        // Ends as the product of binomials, each step of which is whole.
        ways = ways.checked_mul(placed)? / run;
    }
    Some(ways)
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_roll_add_up() {
        for (count, sides) in [(1, 6), (3, 6), (5, 4), (10, 3), (2, 20)] {
            for ordered in [false, true] {
                let all = rolls(Dice { count, sides, plus: 0 }, ordered).expect("small enough");
                let sum = all.iter().try_fold(Chance::ZERO, |sum, (_, c)| sum.plus(*c)).expect("fits");
                assert_eq!(sum, Chance::ONE);
            }
        }
    }

    #[test]
    fn a_sorted_roll_counts_its_orders() {
        let all = rolls(Dice { count: 2, sides: 6, plus: 0 }, false).expect("small enough");
        assert_eq!(all.len(), 21);
        assert!(all.contains(&(Answer::Faces(vec![3, 5]), Chance::new(1, 18))));
        assert!(all.contains(&(Answer::Faces(vec![4, 4]), Chance::new(1, 36))));
    }
}
