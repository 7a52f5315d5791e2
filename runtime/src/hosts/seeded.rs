//! Dice and cards from a seed: the same game on every platform.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014): the state grows by the golden ratio and is mixed by two multiplications. Numbers below a
//! bound are taken by rejection, so that every face is exactly as likely as the others.

use serde::{Deserialize, Serialize};

use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::question::{Answer, Ask, Question, Rolls};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Generator {
    state: u64,
}

/// So many dice are looked at together.
pub(crate) const AHEAD: usize = 8;

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

    /// What the next common dice will show after so many numbers. None: one of these numbers stands for no face and would be passed over.
    #[inline(always)]
    pub(crate) fn cubes_ahead(&self, numbers: u64) -> Option<[u8; AHEAD]> {
        let mut state = self.state.wrapping_add(GOLDEN.wrapping_mul(numbers));
        let (mut faces, mut all) = ([0; AHEAD], true);
        for face in &mut faces {
            state = state.wrapping_add(GOLDEN);
            let n = mixed(state);
            all &= n < rejected_from(6);
            *face = (n % 6) as u8 + 1;
        }
        all.then_some(faces)
    }

    /// So many numbers are passed over.
    #[inline(always)]
    pub(crate) fn skip(&mut self, numbers: u64) {
        self.state = self.state.wrapping_add(GOLDEN.wrapping_mul(numbers));
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

#[cfg(test)]
impl Generator {
    /// Gives so many numbers, and then one that stands for no face of a common die: mixing is undone to find where it begins.
    pub(crate) fn rejecting_after(numbers: u64) -> Generator {
        let unshift = |z: u64, by: u32| (0..64 / by).fold(z, |found, _| z ^ (found >> by));
        // The other factor of a product that is 1: each step of Newton's doubles the bits that are right.
        let inverse = |factor: u64| (0..6).fold(factor, |found, _| found.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(found))));
        let z = unshift(u64::MAX, 31).wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
        let z = unshift(z, 27).wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
        let mut found = Generator { state: unshift(z, 30).wrapping_sub(GOLDEN) };
        assert_eq!(found.clone().next_u64(), u64::MAX);
        found.state = found.state.wrapping_sub(GOLDEN.wrapping_mul(numbers));
        found
    }
}

impl Rolls for Generator {
    fn die(&mut self, sides: u32) -> i64 {
        Generator::die(self, sides)
    }

    fn count(&mut self, many: u32, sides: u32, (least, most): (i64, i64)) -> u32 {
        // One loop for each kind of die, so that the common one is divided by without a division.
        let mut count = |sides: u32| (0..many).map(|_| self.die(sides)).filter(|face| least <= *face && *face <= most).count() as u32;
        if sides == 6 { count(6) } else { count(sides) }
    }
}

/// Runs on, answering chance from the generator, until something else is asked or all is done.
pub fn run_seeded(machine: &mut Machine, pack: &Loaded, generator: &mut Generator) -> Step {
    loop {
        let step = machine.run_seeded(pack, generator);
        let Step::Asked(question) = &step else {
            return step;
        };
        match generator.answer(question) {
            Some(answer) => {
                if machine.answer(pack, answer).is_err() {
                    return step;
                }
            }
            None => return step,
        }
    }
}
