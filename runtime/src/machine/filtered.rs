//! Rolls that are filtered and then counted, somewhere behind the roll: dice that do not pass need not be there. A handful that is rolled for its hits is the
//! same as one with as many hits and fewer misses.

use super::local::Alone;
use crate::flow::Tells;
use crate::value::{Dice, Value};

/// The comparison that dice must pass.
#[derive(Clone, Copy)]
pub struct Filtered {
    /// How many faces pass, and one of them.
    pub hits: u32,
    face: i64,
}

impl Alone<'_> {
    /// How the roll it stands at is filtered, if that is all that is done with it.
    pub fn filtered(&self, dice: Dice) -> Option<Filtered> {
        if dice.plus != 0 || dice.sides > 1_000 || !self.facts.is_filtered(self.pc()) {
            return None;
        }
        let [Tells::Compare { test, plus: 0, die_first, with }] = self.facts.told_apart(self.pc())? else { return None };
        let with = self.known_number(with)?;
        let passes = |face: &i64| if *die_first { test.holds(*face, with) } else { test.holds(with, *face) };
        let mut passing = (1..=dice.sides as i64).filter(passes);
        let face = passing.next().unwrap_or_default();
        Some(Filtered { hits: u32::from(face > 0) + passing.count() as u32, face })
    }

    /// The roll it stands at comes up with that many hits, and nobody asks for the rest.
    pub fn land_filtered(&mut self, filtered: Filtered, hits: &Value) {
        let many = if let Value::Int(n) = hits { *n } else { 0 };
        self.land(Value::List((0..many).map(|_| Value::Int(filtered.face)).collect()));
    }
}
