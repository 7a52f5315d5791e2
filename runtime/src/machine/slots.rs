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
    /// At a roll: where among all these stand those that still matter behind it. None: there is nothing to be forgotten.
    outlive: Option<Vec<u16>>,
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

    /// What matters at a roll but not behind it: the dice, if they are not the same every time, and what they were made of.
    fn find_outlived(&self, pc: usize, slots: &mut Slots) {
        slots.outlive = None;
        let Some(Instr::Roll { dst, dice }) = self.fragment.code.get(pc).copied() else { return };
        let fixed = matches!(pc.checked_sub(1).and_then(|at| self.fragment.code.get(at)), Some(Instr::Const { dst, .. }) if *dst == dice);
        let registers = slots.registers.iter().map(|r| (*r != dst && self.facts.is_live(pc + 1, *r as usize), fixed && *r == dice));
        let all = registers.chain(slots.values.iter().map(|f| (self.reads_value(pc + 1, *f), false)));
        let (mut outlive, mut forgets) = (Vec::new(), false);
        for (i, (lives, same)) in all.enumerate() {
            forgets |= !lives && !same;
            outlive.extend(lives.then_some(i as u16));
        }
        slots.outlive = forgets.then_some(outlive);
    }

    /// Adds what still matters behind the roll, of what it held when it was put there. False: all of it does, and no two rolls come to the same.
    pub fn outlives_roll(&self, held: &[Packed], words: &mut Vec<Packed>) -> bool {
        let Some(slots) = self.slots.find(self.pc) else { return false };
        let (Some(outlive), Some((pc, held))) = (&slots.outlive, held.split_first()) else { return false };
        words.push(*pc);
        words.extend(outlive.iter().filter_map(|i| held.get(*i as usize)));
        words.extend(held.iter().skip(slots.registers.len() + slots.values.len()));
        true
    }
}
