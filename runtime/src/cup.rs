//! Dice at hand: whoever rolls at once, if there is somebody.

use crate::generator::Generator;
use crate::question::Rolls;

#[derive(Default)]
pub(crate) enum Cup<'d> {
    /// Every roll is a question.
    #[default]
    Nobody,
    /// So common that it is rolled without a detour.
    Seeded(&'d mut Generator),
    Any(&'d mut dyn Rolls),
}

impl<'d> Cup<'d> {
    /// The faces of some dice.
    pub fn roll(&mut self, count: u32, sides: u32) -> Option<Vec<i64>> {
        match self {
            Cup::Nobody => None,
            Cup::Seeded(dice) => Some((0..count).map(|_| dice.die(sides)).collect()),
            Cup::Any(dice) => Some((0..count).map(|_| dice.die(sides)).collect()),
        }
    }
}
