//! Ways through a fragment in packed words. A state is packed already, and most of what stands between two dice is whole numbers and conditions: it is carried
//! out on the words themselves, and no value is unpacked. Whatever is anything else is left to those who know values.

use super::local::{Alone, Came};
use super::packed::{Packed, dice_word, int_of, int_word, simple};
use super::slots::Slots;
use super::sorts::split;
use super::wording::{OTHER, ROOM};
use crate::bytecode::Instr;
use crate::flow::{Known, Tells};
use crate::ids::*;
use crate::quick::Quick;
use crate::value::Dice;

/// What a fragment holds: its registers, the values of its event, and the numbers that it is written with.
pub(crate) struct Words {
    all: [Packed; ROOM],
    registers: usize,
    loaded: bool,
    /// They did not lead on: this fragment does other things too.
    pub off: bool,
}

impl Default for Words {
    fn default() -> Words {
        Words { all: [OTHER; ROOM], registers: 0, loaded: false, off: false }
    }
}

impl Words {
    pub fn clear(&mut self) {
        (self.loaded, self.off) = (false, false);
    }

    /// What a place holds is put there. False: it holds more than registers and values.
    #[inline(always)]
    pub fn put(&mut self, slots: &Slots, held: &[Packed]) -> bool {
        let Some((_, held)) = held.split_first() else { return false };
        for (i, r) in &slots.back_registers {
            if let (Some(word), Some(packed)) = (self.all.get_mut(*r as usize), held.get(*i as usize)) {
                *word = *packed;
            }
        }
        for (i, field) in &slots.back_values {
            if let (Some(word), Some(packed)) = (self.all.get_mut(self.registers + *field as usize), held.get(*i as usize)) {
                *word = *packed;
            }
        }
        held.len() == slots.registers.len() + slots.values.len()
    }

    /// Adds what a place holds. False: some of it is not known here.
    #[inline(always)]
    pub fn hold(&self, slots: &Slots, pc: Pc, held: &mut Vec<Packed>) -> bool {
        let mut known = true;
        let mut add = |word: Packed| {
            known &= word != OTHER;
            held.push(word);
        };
        add(pc as Packed);
        slots.registers.iter().for_each(|r| add(self.get(*r as usize)));
        slots.values.iter().for_each(|field| add(self.get(self.registers + *field as usize)));
        known
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Packed {
        self.all.get(at).copied().unwrap_or(OTHER)
    }

    #[inline(always)]
    fn set(&mut self, at: usize, word: Packed) {
        if let Some(slot) = self.all.get_mut(at) {
            *slot = word;
        }
    }

    fn known_number(&self, known: &Known) -> Option<i64> {
        match known {
            Known::Int(n) => Some(i64::from(*n)),
            Known::Reg(r) => int_of(self.get(*r as usize)),
            Known::Event(field) => int_of(self.get(self.registers + *field as usize)),
            Known::Const(_) | Known::Field { .. } => None,
        }
    }
}

impl Alone<'_> {
    /// Do words lead on behind the roll at `pc`? Then all that it holds is there, as words.
    pub fn in_words(&mut self, pc: Pc, words: &mut Words) -> bool {
        let (quick, code) = (self.quick, &self.fragment.code);
        let (registers, values) = (self.fragment.registers as usize, self.values().len());
        let wording = self.slots.wording(quick, code, (registers, values));
        if !wording.is_some_and(|wording| wording.leads_on(pc as usize + 1, (registers, values))) {
            return false;
        }
        if !words.loaded {
            words.loaded = true;
            words.registers = registers;
            let both = self.s.regs.get(self.base..self.base + registers).unwrap_or_default().iter().chain(self.values());
            let numbers = self.slots.worded().map_or(&[][..], |wording| wording.numbers());
            let all = both.map(|value| simple(value).unwrap_or(OTHER)).chain(numbers.iter().copied());
            words.all.iter_mut().zip(all).for_each(|(word, known)| *word = known);
        }
        true
    }

    /// The two sorts of faces of the roll at `pc`, as `two_sorts`.
    pub fn two_sorts_in(&self, words: &Words, pc: Pc, sides: u32) -> Option<[(i64, u32); 2]> {
        let [Tells::Compare { test, plus, die_first, with }] = self.facts.told_apart(pc)? else { return None };
        plus.checked_add(sides as i64)?;
        Some(split(*test, *die_first, words.known_number(with)?.checked_sub(*plus)?, sides as i64))
    }

    /// The roll at `pc` comes to that, and it goes on as far as nothing but the fragment is concerned. None: words do not lead there.
    pub fn run_words(&self, words: &mut Words, pc: Pc, face: i64) -> Option<(Pc, Came)> {
        let Some(Instr::Roll { dst, .. }) = self.fragment.code.get(pc as usize) else { return None };
        words.set(*dst as usize, int_word(face)?);
        let stop = self.slots.worded()?.run(&mut words.all, pc as usize + 1, self.s.limits.steps)?;
        match (self.fragment.code.get(stop), self.quick.get(stop)) {
            (None | Some(Instr::Return { .. }), _) => Some((stop as Pc, Came::Away)),
            (Some(Instr::Const { dst, .. }), Some(Quick::Die { sides, .. } | Quick::Roll { sides, .. }))
                if self.s.limits.list_length > 0 =>
            {
                let die = Dice { count: 1, sides: *sides, plus: 0 };
                words.set(*dst as usize, dice_word(die)?);
                Some((stop as Pc + 1, Came::Roll(die)))
            }
            _ => None,
        }
    }

    /// What matters at that place.
    #[inline(always)]
    pub fn matters_at(&mut self, pc: Pc) -> &Slots {
        let at = self.slots_at(pc as usize);
        self.slots.get(at)
    }
}
