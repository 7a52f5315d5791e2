//! Where the faces of dice come from: a seed, a host that rolls at once, or a question to whoever answers the machine.

use crate::generator::Generator;
use crate::question::Rolls;

#[derive(Default)]
pub(crate) enum DiceSource<'d> {
    /// Every roll is a question.
    #[default]
    Nobody,
    /// So common that it is rolled without a detour.
    Seeded(&'d mut Generator),
    Any(&'d mut dyn Rolls),
}

impl<'d> DiceSource<'d> {
    /// The faces of some dice.
    pub fn roll(&mut self, count: u32, sides: u32) -> Option<Vec<i64>> {
        match self {
            DiceSource::Nobody => None,
            DiceSource::Seeded(dice) => Some((0..count).map(|_| dice.die(sides)).collect()),
            DiceSource::Any(dice) => Some((0..count).map(|_| dice.die(sides)).collect()),
        }
    }
}
