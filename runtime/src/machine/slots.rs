//! Which registers and values of its event matter where a fragment stands: found out once for each place, not for each way.

use super::local::Alone;
use super::packed::Packed;
use crate::bytecode::Instr;
use crate::ids::*;

/// The registers, and the values of the event, that matter at one place.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    at: usize,
    pub registers: Vec<u16>,
    pub values: Vec<u16>,
    /// Where among all these stand those that are put back, and which they are. At a roll they are those that matter behind it: whoever puts it there
    /// knows the dice.
    pub back_registers: Vec<(u16, u16)>,
    pub back_values: Vec<(u16, u16)>,
    /// At a roll: something does not matter behind it any more.
    forgets: bool,
}

/// The places of one fragment that were asked for.
#[derive(Debug, Default)]
pub(crate) struct SlotsOf {
    /// Whose they are: a fragment, and the action whose body it is.
    of: (FragId, Option<ActionId>),
    all: Vec<Slots>,
    /// So many of them are; the others are room to be used again.
    used: usize,
    nowhere: Slots,
}

impl SlotsOf {
    /// From now on those of this fragment.
    pub fn stand(&mut self, frag: FragId, body_of: Option<ActionId>) {
        if self.of != (frag, body_of) {
            self.used = 0;
            self.of = (frag, body_of);
        }
    }

    /// Nothing that was found out about fragments holds any more.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> &Slots {
        self.all.get(index).unwrap_or(&self.nowhere)
    }

    fn find(&self, pc: usize) -> Option<&Slots> {
        self.all.iter().take(self.used).find(|slots| slots.at == pc)
    }
}

impl Alone<'_> {
    /// Which of its places that is. There are few of them: where it rolls, and where it comes out.
    #[inline(always)]
    pub(super) fn slots_at(&mut self, pc: usize) -> usize {
        match self.slots.all.iter().take(self.slots.used).position(|slots| slots.at == pc) {
            Some(index) => index,
            None => self.find_slots(pc),
        }
    }

    #[cold]
    fn find_slots(&mut self, pc: usize) -> usize {
        let index = self.slots.used;
        if index == self.slots.all.len() {
            self.slots.all.push(Slots::default());
        }
        self.slots.used += 1;
        let mut slots = self.slots.all.get_mut(index).map(std::mem::take).unwrap_or_default();
        slots.at = pc;
        slots.registers.clear();
        self.facts.each_live(pc, self.fragment.registers, |r| slots.registers.push(r as u16));
        // Dice that are the same every time tell no two ways apart.
        if let Some(Instr::Roll { dice, .. }) = self.fragment.code.get(pc)
            && self.facts.is_fixed(pc as Pc)
            && !self.facts.is_live(pc + 1, *dice as usize)
        {
            slots.registers.retain(|r| r != dice);
        }
        // Ways differ only in values that the fragment sets.
        slots.values.clear();
        slots.values.extend(self.facts.sets.iter().filter(|f| self.reads_value(pc, **f)));
        self.find_outlived(pc, &mut slots);
        if let Some(slot) = self.slots.all.get_mut(index) {
            *slot = slots;
        }
        index
    }

    /// May anybody read the value of the event from there on?
    fn reads_value(&self, pc: usize, field: u16) -> bool {
        let live = self.body_of.map_or(u64::MAX, |action| self.private.live(action, self.frag, pc));
        field >= 64 || live >> field & 1 == 1
    }

    /// What matters at a roll but not behind it: the dice, and what they were made of.
    fn find_outlived(&self, pc: usize, slots: &mut Slots) {
        slots.forgets = false;
        slots.back_registers.clear();
        slots.back_values.clear();
        let roll = match self.fragment.code.get(pc) {
            Some(Instr::Roll { dst, .. }) => Some(*dst),
            _ => None,
        };
        for (i, r) in (0u16..).zip(&slots.registers) {
            let outlives = roll.is_none_or(|dst| *r != dst && self.facts.is_live(pc + 1, *r as usize));
            slots.forgets |= !outlives;
            slots.back_registers.extend(outlives.then_some((i, *r)));
        }
        for (i, field) in (slots.registers.len() as u16..).zip(&slots.values) {
            let outlives = roll.is_none() || self.reads_value(pc + 1, *field);
            slots.forgets |= !outlives;
            slots.back_values.extend(outlives.then_some((i, *field)));
        }
    }

    /// Adds what still matters behind the roll, of what it held when it was put there. False: all of it does, and no two rolls come to the same.
    pub fn outlives_roll(&self, held: &[Packed], words: &mut Vec<Packed>) -> bool {
        let Some(slots) = self.slots.find(self.pc).filter(|slots| slots.forgets) else { return false };
        let Some((pc, held)) = held.split_first() else { return false };
        words.push(*pc);
        words.extend(slots.back_registers.iter().chain(&slots.back_values).filter_map(|(i, _)| held.get(*i as usize)));
        words.extend(held.iter().skip(slots.registers.len() + slots.values.len()));
        true
    }
}
