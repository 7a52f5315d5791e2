//! The same odds by hand: every roll of every die, counted. Shares nothing with the machine.

use std::collections::BTreeMap;

/// Chances by outcome, as fractions in lowest terms.
pub type Odds = BTreeMap<i64, (u128, u128)>;

fn lowest(num: u128, den: u128) -> (u128, u128) {
    let (mut a, mut b) = (num, den);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (num / a.max(1), den / a.max(1))
}

fn odds(counts: BTreeMap<i64, u128>) -> Odds {
    let all: u128 = counts.values().sum();
    counts.into_iter().map(|(value, n)| (value, lowest(n, all))).collect()
}

/// Every outcome of so many six-sided dice.
fn rolls(dice: u32) -> impl Iterator<Item = Vec<u32>> {
    (0..6u32.pow(dice)).map(move |mut n| {
        (0..dice)
            .map(|_| {
                let face = n % 6 + 1;
                n /= 6;
                face
            })
            .collect()
    })
}

/// How many dice show at least the number, by enumeration: how often of all 6^dice rolls.
fn reaching(dice: u32, number: u32) -> BTreeMap<u32, u128> {
    let mut counts = BTreeMap::new();
    for roll in rolls(dice) {
        *counts.entry(roll.iter().filter(|face| **face >= number).count() as u32).or_default() += 1;
    }
    counts
}

/// A die for each attack, a die for each hit, then damage as long as the target stands. Gives its wounds.
pub fn strike(attacks: u32, skill: u32, defense: u32, damage: i64, health: i64) -> Odds {
    let mut counts: BTreeMap<i64, u128> = BTreeMap::new();
    for (hits, ways) in reaching(attacks, skill) {
        // Over one denominator: dice that are not rolled could show anything.
        let idle = 6u128.pow(attacks - hits);
        for (saved, more) in reaching(hits, defense) {
            let mut wounds = 0;
            for _ in 0..hits - saved {
                if wounds < health {
                    wounds += damage;
                }
            }
            *counts.entry(wounds).or_default() += ways * more * idle;
        }
    }
    odds(counts)
}

/// `each` for every success of `n` trials.
pub fn binomial(n: u32, chance: (u128, u128), each: i64) -> Odds {
    // One trial after the other, by convolution.
    let (yes, no) = (chance.0, chance.1 - chance.0);
    let mut counts: BTreeMap<i64, u128> = BTreeMap::from([(0, 1)]);
    for _ in 0..n {
        let mut next = BTreeMap::new();
        for (value, ways) in counts {
            *next.entry(value).or_default() += ways * no;
            *next.entry(value + each).or_default() += ways * yes;
        }
        counts = next;
    }
    odds(counts)
}

/// A die that is rolled once more if it fails. 1 for success.
pub fn reroll(number: u32) -> Odds {
    let mut counts = BTreeMap::new();
    for roll in rolls(2) {
        let done = roll[0] >= number || roll[1] >= number;
        *counts.entry(i64::from(done)).or_default() += 1;
    }
    odds(counts)
}

/// Two things that have nothing to do with each other: their sum.
pub fn plus(a: &Odds, b: &Odds) -> Odds {
    let mut sums: BTreeMap<i64, (u128, u128)> = BTreeMap::new();
    for (x, (n, d)) in a {
        for (y, (m, e)) in b {
            let sum = sums.entry(x + y).or_insert((0, 1));
            // Over the product of all denominators, and back to lowest terms.
            *sum = lowest(sum.0 * d * e + n * m * sum.1, sum.1 * d * e);
        }
    }
    sums
}

pub fn times(a: &Odds, by: i64) -> Odds {
    a.iter().map(|(value, chance)| (value * by, *chance)).collect()
}

/// What is left of a health after so many blows, each of which takes one of several amounts.
pub fn left(health: i64, blows: u32, takes: &[(i64, u128)]) -> Odds {
    let mut counts: BTreeMap<i64, u128> = BTreeMap::from([(health, 1)]);
    for _ in 0..blows {
        let mut next = BTreeMap::new();
        for (value, ways) in counts {
            for (amount, n) in takes {
                *next.entry((value - amount).max(0)).or_default() += ways * n;
            }
        }
        counts = next;
    }
    odds(counts)
}

/// The higher die wins, equal ones are rolled again: what is left over after ties is shared as the other rolls are. 1 if the first wins.
pub fn roll_off() -> Odds {
    let mut counts = BTreeMap::new();
    for roll in rolls(2).filter(|roll| roll[0] != roll[1]) {
        *counts.entry(i64::from(roll[0] > roll[1])).or_default() += 1;
    }
    odds(counts)
}
