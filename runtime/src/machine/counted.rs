//! Rolls that are only counted: how many dice show a face that the test holds for is all that anybody will know of them. Odds then need no faces.

use super::local::Alone;
use crate::bytecode::Instr;
use crate::ids::*;
use crate::quick::{self, Quick};
use crate::value::{Dice, Value};

/// The count that follows a roll.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'p> {
    /// On how many of the faces the test holds.
    pub hits: u32,
    dst: Reg,
    /// Instructions between the roll and the count, which fetch values of the event.
    fetches: &'p [Instr],
}

impl<'p> Alone<'p> {
    /// How the roll it stands at is counted, if that is all that is done with it.
    pub fn counted(&mut self, dice: Dice) -> Option<Counted<'p>> {
        if dice.plus != 0 || dice.sides > 1_000 {
            return None;
        }
        // The short cut stands where the dice are taken up, a few instructions before the roll.
        let (dst, faces, skip) = (3..=4).find_map(|lead| match self.quick.get((self.pc + 1).checked_sub(lead)?)? {
            Quick::Count { dst, faces, lead: own, skip, .. } if *own as usize == lead => Some((*dst, *faces, *skip as usize)),
            _ => None,
        })?;
        let fragment = self.fragment;
        let fetches = fragment.code.get(self.pc + 1..self.pc + 1 + skip)?;
        self.fetch(fetches);
        let (least, most) = faces.range(quick::number(self.s.regs.get(self.base..)?, self.values(), faces.with)?);
        let hits = (most.min(dice.sides as i64) - least.max(1) + 1).max(0) as u32;
        Some(Counted { hits, dst, fetches })
    }

    #[inline(always)]
    fn fetch(&mut self, fetches: &[Instr]) {
        if fetches.is_empty() {
            return;
        }
        let values = self.event.and_then(|e| self.machine.events.get(e as usize)).map_or(&[][..], |e| &e.values);
        if let Some(registers) = self.s.regs.get_mut(self.base..) {
            quick::fetch(fetches, registers, values);
        }
    }

    /// The roll it stands at comes up with that many hits.
    pub fn land_counted(&mut self, counted: Counted<'_>, hits: Value) {
        self.fetch(counted.fetches);
        // Behind the roll, the fetches and the two instructions of the count.
        self.pc += counted.fetches.len() + 3;
        self.s.set(self.base, counted.dst, hits);
    }
}
