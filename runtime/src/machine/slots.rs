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
struct Places {
    /// Whose they are: a fragment, and the action whose body it is.
    of: (FragId, Option<ActionId>),
    all: Vec<Slots>,
}

/// The places of the fragments of one pack, and which of the fragments is running.
#[derive(Debug, Default)]
pub(crate) struct SlotsOf {
    pack: u64,
    fragments: Vec<Places>,
    now: usize,
    nowhere: Slots,
}

/// More fragments than this are rare, and found out anew.
const MOST: usize = 32;

impl SlotsOf {
    /// From now on those of this fragment.
    pub fn stand(&mut self, pack: u64, frag: FragId, body_of: Option<ActionId>) {
        if self.pack != pack || self.fragments.len() > MOST {
            self.fragments.clear();
            self.pack = pack;
        }
        let of = (frag, body_of);
        self.now = self.fragments.iter().position(|places| places.of == of).unwrap_or_else(|| {
            self.fragments.push(Places { of, ..Places::default() });
            self.fragments.len() - 1
        });
    }

    #[inline(always)]
    fn all(&self) -> &[Slots] {
        self.fragments.get(self.now).map_or(&[], |places| &places.all)
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> &Slots {
        self.all().get(index).unwrap_or(&self.nowhere)
    }

    fn find(&self, pc: usize) -> Option<&Slots> {
        self.all().iter().find(|slots| slots.at == pc)
    }
}

impl Alone<'_> {
    /// Which of its places that is. There are few of them: where it rolls, and where it comes out.
    #[inline(always)]
    pub(super) fn slots_at(&mut self, pc: usize) -> usize {
        match self.slots.all().iter().position(|slots| slots.at == pc) {
            Some(index) => index,
            None => self.find_slots(pc),
        }
    }

    #[cold]
    fn find_slots(&mut self, pc: usize) -> usize {
        let mut slots = Slots { at: pc, ..Slots::default() };
        self.facts.each_live(pc, self.fragment.registers, |r| slots.registers.push(r as u16));
        // Dice that are the same every time tell no two ways apart.
        if let Some(Instr::Roll { dice, .. }) = self.fragment.code.get(pc)
            && self.facts.is_fixed(pc as Pc)
            && !self.facts.is_live(pc + 1, *dice as usize)
        {
            slots.registers.retain(|r| r != dice);
        }
        // Ways differ only in values that the fragment sets.
        slots.values.extend(self.facts.sets.iter().filter(|f| self.reads_value(pc, **f)));
        self.find_outlived(pc, &mut slots);
        let Some(places) = self.slots.fragments.get_mut(self.slots.now) else { return 0 };
        places.all.push(slots);
        places.all.len() - 1
    }

    /// May anybody read the value of the event from there on?
    fn reads_value(&self, pc: usize, field: u16) -> bool {
        let live = self.body_of.map_or(u64::MAX, |action| self.private.live(action, self.frag, pc));
        field >= 64 || live >> field & 1 == 1
    }

    /// What matters at a roll but not behind it: the dice, and what they were made of.
    fn find_outlived(&self, pc: usize, slots: &mut Slots) {
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
