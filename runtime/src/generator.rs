//! Dice and cards from a seed: the same game on every platform.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014): the state grows by the golden ratio and is mixed by two multiplications. Numbers below a
//! bound are taken by rejection, so that every face is exactly as likely as the others.

use serde::{Deserialize, Serialize};

use crate::question::{Answer, Ask, Question};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Generator {
    state: u64,
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The last, incomplete run of multiples is thrown away.
#[inline(always)]
const fn rejected_from(bound: u64) -> u64 {
    u64::MAX - u64::MAX % bound
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed }
    }

    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mixed(self.state)
    }

    /// A number below `bound`, each equally likely. 0 if the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let rejected_from = rejected_from(bound);
        loop {
            let n = self.next_u64();
            if n < rejected_from {
                return n % bound;
            }
        }
    }

    #[inline]
    pub fn die(&mut self, sides: u32) -> i64 {
        // A bound that is known is divided by without a division.
        let face = match sides {
            6 => self.below(6),
            _ => self.below(sides as u64),
        };
        face as i64 + 1
    }

    /// What chance decides: rolls and draws. None: somebody else must answer.
    pub fn answer(&mut self, question: &Question) -> Option<Answer> {
        match &question.ask {
            Ask::Roll { dice, .. } => Some(Answer::Faces((0..dice.count).map(|_| self.die(dice.sides)).collect())),
            Ask::Draw { cards, .. } => {
                let all: u64 = cards.iter().map(|(_, n)| *n as u64).sum();
                let mut left = self.below(all);
                for (i, (_, n)) in cards.iter().enumerate() {
                    match left.checked_sub(*n as u64) {
                        None => return Some(Answer::Picks(vec![i as u32])),
                        Some(rest) => left = rest,
                    }
                }
                None
            }
            _ => None,
        }
    }
}
