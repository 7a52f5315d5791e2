//! Rolls that are only counted: how many dice show a face that the test holds for is all that anybody will know of them. Odds then need no faces.

use super::Machine;
use super::frame::Task;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::quick::{self, Quick};
use crate::value::{Dice, Value};

/// The count that follows a roll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// On how many of the faces the test holds.
    pub hits: u32,
    dst: Reg,
    /// Instructions between the roll and the count.
    skip: usize,
}

impl Machine {
    /// How the roll the fragment stands at is counted, if that is all that is done with it.
    pub(crate) fn counted(&mut self, pack: &Loaded, dice: Dice) -> Option<Counted> {
        let Some(Task::Frame(frame)) = self.stack.last() else { return None };
        let (frag, pc) = (frame.frag, frame.pc as usize);
        if dice.plus != 0 || dice.sides > 1_000 {
            return None;
        }
        // The short cut stands where the dice are taken up, a few instructions before the roll.
        let (dst, faces, skip) = (3..=4).find_map(|lead| match pack.quick_of(frag).get((pc + 1).checked_sub(lead)?)? {
            Quick::Count { dst, faces, lead: own, skip, .. } if *own as usize == lead => Some((*dst, *faces, *skip as usize)),
            _ => None,
        })?;
        self.fetch(pack, skip);
        let Some(Task::Frame(frame)) = self.stack.last() else { return None };
        let registers = self.registers.get(frame.base as usize..)?;
        let values = frame.event.and_then(|e| self.events.get(e as usize)).map_or(&[][..], |e| &e.values);
        let (least, most) = faces.range(quick::number(registers, values, faces.with)?);
        let hits = (most.min(dice.sides as i64) - least.max(1) + 1).max(0) as u32;
        Some(Counted { hits, dst, skip })
    }

    /// Runs the instructions behind the roll that fetch values of the event.
    fn fetch(&mut self, pack: &Loaded, skip: usize) {
        let Some(Task::Frame(frame)) = self.stack.last() else { return };
        let code = pack.fragments.get(frame.frag.index()).map_or(&[][..], |f| &f.code);
        let after = frame.pc as usize + 1;
        let values = frame.event.and_then(|e| self.events.get(e as usize)).map_or(&[][..], |e| &e.values);
        if let Some(registers) = self.registers.get_mut(frame.base as usize..) {
            quick::fetch(code.get(after..after + skip).unwrap_or_default(), registers, values);
        }
    }

    /// The roll the fragment stands at comes up with that many hits.
    pub(crate) fn land_counted(&mut self, pack: &Loaded, counted: Counted, hits: i64) {
        self.fetch(pack, counted.skip);
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            // Behind the roll, the fetches and the two instructions of the count.
            frame.pc += counted.skip as Pc + 3;
            if let Some(slot) = self.registers.get_mut(frame.base as usize + counted.dst as usize) {
                *slot = Value::Int(hits);
            }
        }
    }
}
