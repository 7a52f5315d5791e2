//! Ways through a fragment in packed words. A state is packed already, and most of what stands between two dice is whole numbers and conditions: it is carried
//! out on the words themselves, and no value is unpacked. Whatever is anything else is left to those who know values.

use super::local::{Alone, Came};
use super::packed::{BOOL, INT, Packed, TAG, bool_word, dice_word, int_of, int_word, simple};
use super::slots::Slots;
use super::sorts::split;
use crate::bytecode::Instr;
use crate::flow::{Known, Tells, Test};
use crate::ids::*;
use crate::quick::{From, Quick};
use crate::value::Dice;

/// What a fragment holds: its registers, then the values of its event.
#[derive(Default)]
pub(crate) struct Words {
    all: Vec<Packed>,
    registers: usize,
    /// They did not lead on: this fragment does other things too.
    pub off: bool,
}

/// Something that fits into no word.
const OTHER: Packed = TAG;

impl Words {
    pub fn clear(&mut self) {
        self.all.clear();
        self.off = false;
    }

    /// What a place holds is put there. False: it holds more than registers and values.
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

    #[inline(always)]
    fn word(&self, from: From) -> Packed {
        match from {
            From::Int(n) => (i64::from(n) << 3) as Packed | INT,
            From::Reg(r) => self.get(r as usize),
            From::Event(field) => self.get(self.registers + field as usize),
        }
    }

    #[inline(always)]
    fn number(&self, from: From) -> Option<i64> {
        int_of(self.word(from))
    }

    #[inline(always)]
    fn put_number(&mut self, at: usize, n: i64) -> Option<()> {
        self.set(at, int_word(n)?);
        Some(())
    }

    fn known_number(&self, known: &Known) -> Option<i64> {
        match known {
            Known::Int(n) => Some(i64::from(*n)),
            Known::Reg(r) => self.number(From::Reg(*r)),
            Known::Event(field) => self.number(From::Event(*field)),
            Known::Const(_) | Known::Field { .. } => None,
        }
    }

    /// As far as short cuts lead, each as it is there (`quick/run.rs`). None: one of them does not fit, or needs more than words.
    fn run(&mut self, quick: &[Quick], code: &[Instr], pc: usize, fuel: u64) -> Option<usize> {
        let (mut pc, mut fuel) = (pc, fuel);
        let event = self.registers;
        loop {
            let (steps, next) = match *quick.get(pc)? {
                Quick::Plain | Quick::Die { .. } | Quick::Roll { .. } => return Some(pc),
                Quick::Put { dst, from } => {
                    let word = self.word(from);
                    // A move and a total have the same short cut; a total is of numbers only.
                    let fits = match from {
                        From::Reg(_) => word & TAG == INT || (word != OTHER && matches!(code.get(pc), Some(Instr::Move { .. }))),
                        _ => word != OTHER,
                    };
                    fits.then(|| self.set(dst as usize, word))?;
                    (1, pc + 1)
                }
                Quick::Add { dst, a, b, steps } => {
                    self.put_number(dst as usize, self.number(a)?.checked_add(self.number(b)?)?)?;
                    (steps, pc + steps as usize)
                }
                Quick::Sub { dst, a, b, steps } => {
                    self.put_number(dst as usize, self.number(a)?.checked_sub(self.number(b)?)?)?;
                    (steps, pc + steps as usize)
                }
                Quick::Mul { dst, a, b } => {
                    let (a, b) = (self.number(From::Reg(a))?, self.number(From::Reg(b))?);
                    self.put_number(dst as usize, a.checked_mul(b)?)?;
                    (1, pc + 1)
                }
                Quick::Extreme { dst, a, b, greater, steps } => {
                    let (a, b) = (self.number(a)?, self.number(b)?);
                    self.put_number(dst as usize, if greater { a.max(b) } else { a.min(b) })?;
                    (steps, pc + steps as usize)
                }
                Quick::PutEvent { field, from, then, steps } => {
                    self.put_number(event + field as usize, self.number(from)?)?;
                    (steps, then as usize)
                }
                Quick::Bump { field, by, then, steps } => {
                    let now = self.number(From::Event(field))?;
                    self.put_number(event + field as usize, now.checked_add(self.number(by)?)?)?;
                    (steps, then as usize)
                }
                Quick::Next { i, by, n, top, out } => {
                    let next = self.number(From::Reg(i))?.checked_add(i64::from(by))?;
                    let again = next < self.number(From::Reg(n))?;
                    self.put_number(i as usize, next)?;
                    (4, if again { top } else { out } as usize)
                }
                Quick::Branch { test, a, b, to, steps } => {
                    let is = compared(test, self.word(a), self.word(b))?;
                    (steps, if is { pc + steps as usize } else { to as usize })
                }
                Quick::Compare { dst, test, a, b } => {
                    let is = compared(test, self.get(a as usize), self.get(b as usize))?;
                    self.set(dst as usize, bool_word(is));
                    (1, pc + 1)
                }
                Quick::Not { dst, a } => {
                    let is = truth(self.get(a as usize))?;
                    self.set(dst as usize, bool_word(!is));
                    (1, pc + 1)
                }
                Quick::If { cond, unless, to } => (1, if truth(self.get(cond as usize))? != unless { to as usize } else { pc + 1 }),
                Quick::Bool { dst, v } => {
                    self.set(dst as usize, bool_word(v));
                    (1, pc + 1)
                }
                Quick::Jump { to, steps } => (steps, to as usize),
                _ => return None,
            };
            fuel = fuel.checked_sub(u64::from(steps))?;
            pc = next;
        }
    }
}

#[inline(always)]
fn truth(word: Packed) -> Option<bool> {
    (word & TAG == BOOL).then_some(word >> 3 != 0)
}

/// Numbers; other things are left to those who know when they are the same.
#[inline(always)]
fn compared(test: Test, a: Packed, b: Packed) -> Option<bool> {
    Some(test.holds(int_of(a)?, int_of(b)?))
}

impl Alone<'_> {
    /// Do words lead on behind the roll at `pc`? Then all that it holds is there, as words.
    pub fn in_words(&self, pc: Pc, words: &mut Words) -> bool {
        use Quick::{Add, Branch, Bump, Compare, Extreme, If, Next, Put, PutEvent, Sub};
        let leads = self.quick.get(pc as usize + 1).is_some_and(|quick| {
            matches!(
                quick,
                Put { .. }
                    | Add { .. }
                    | Sub { .. }
                    | Extreme { .. }
                    | Branch { .. }
                    | Compare { .. }
                    | If { .. }
                    | PutEvent { .. }
                    | Bump { .. }
                    | Next { .. }
                    | Quick::Jump { .. }
            )
        });
        if leads && words.all.is_empty() {
            words.registers = self.fragment.registers as usize;
            let registers = self.s.regs.get(self.base..self.base + words.registers).unwrap_or_default();
            let both = registers.iter().chain(self.values());
            words.all.extend(both.map(|value| simple(value).unwrap_or(OTHER)));
        }
        leads && words.all.len() == words.registers + self.values().len()
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
        words.put_number(*dst as usize, face)?;
        let stop = words.run(self.quick, &self.fragment.code, pc as usize + 1, self.s.limits.steps)?;
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
    pub fn matters_at(&mut self, pc: Pc) -> &Slots {
        let at = self.slots_at(pc as usize);
        self.slots.get(at)
    }
}
