//! Where ways in packed words begin and end: behind a die that one comparison reads, and at the next die or the end of the fragment. What is held there is
//! settled once for a fragment, not for each way.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::local::Alone;
use super::packed::{Packed, dice_word, int_of, int_word};
use super::slots::Slots;
use super::sorts::split;
use super::wording::{NOWHERE, OTHER, ROOM, Wording};
use crate::bytecode::Instr;
use crate::flow::{Known, Tells, Test};
use crate::num::small_gcd;
use crate::quick::Quick;
use crate::value::Dice;

/// One die of which nothing matters but how one comparison turns out.
#[derive(Debug)]
pub(crate) struct WordRoll {
    pub pc: Packed,
    /// Where its face goes.
    dst: u8,
    /// Where the words that are held at it go: those that do not matter behind it go where nobody looks.
    back: Vec<u8>,
    test: Test,
    die_first: bool,
    plus: i64,
    with: With,
    /// With the sides it usually has, if it is compared with the same number every time.
    usual: Option<(u32, TwoSorts)>,
}

/// The number that a face is compared with.
#[derive(Clone, Copy, Debug)]
enum With {
    Number(i64),
    At(u8),
}

/// The faces for which the comparison turns out like for a 1, and the others.
#[derive(Debug)]
pub(crate) struct TwoSorts {
    pub each: [Landing; 2],
    /// How many parts the whole has.
    pub whole: u32,
}

/// One of two sorts of faces.
#[derive(Debug)]
pub(crate) struct Landing {
    /// How many parts of the whole it is; perhaps none.
    pub parts: u32,
    /// Where it goes on, having spent so many steps: as far as the face alone leads, what comes of it is known.
    pub pc: u32,
    pub spent: u64,
    /// What is known there then.
    known: Vec<(u8, Packed)>,
}

impl Landing {
    #[inline(always)]
    pub fn put(&self, words: &mut [Packed; ROOM]) {
        for (place, word) in &self.known {
            words[*place as usize] = *word;
        }
    }
}

impl WordRoll {
    /// What was held at it goes to its place. False: something else was held too.
    #[inline(always)]
    pub fn put(&self, words: &mut [Packed; ROOM], held: &[Packed]) -> bool {
        for (word, place) in held.iter().zip(&self.back) {
            words[*place as usize] = *word;
        }
        held.len() == self.back.len()
    }

    pub fn landings(&mut self) -> impl Iterator<Item = &mut Landing> {
        self.usual.iter_mut().flat_map(|(_, sorts)| &mut sorts.each)
    }

    #[inline(always)]
    pub fn usual(&self, sides: u32) -> Option<&TwoSorts> {
        self.usual.as_ref().filter(|(usual, _)| *usual == sides).map(|(_, sorts)| sorts)
    }

    /// None: it is not compared with a number.
    #[cold]
    pub fn sorts(&self, words: &[Packed; ROOM], sides: u32) -> Option<TwoSorts> {
        let with = match self.with {
            With::Number(n) => n,
            With::At(place) => int_of(words[place as usize])?,
        };
        let [one, other] = split(self.test, self.die_first, with.checked_sub(self.plus)?, i64::from(sides));
        let common = small_gcd(one.1.into(), sides.into()).max(1) as u32;
        let landing = |(face, many): (i64, u32)| {
            let face = int_word(face)?;
            Some(Landing { parts: many / common, pc: self.pc as u32 + 1, spent: 0, known: vec![(self.dst, face)] })
        };
        Some(TwoSorts { each: [landing(one)?, landing(other)?], whole: sides / common })
    }
}

/// Where words come to.
#[derive(Debug)]
pub(crate) struct Stop {
    /// Where the fragment then stands.
    pub pc: Packed,
    /// At a die: which, and where it is taken up. Otherwise it is the end.
    pub die: Option<(Dice, u8, Packed)>,
    /// The places of what is held there.
    pub holds: Vec<u8>,
}

impl Stop {
    /// The mark of where it stands and what it holds, as `mark` would find it; the die is taken up. None: some of it is not known here.
    #[inline(always)]
    pub fn mark(&self, words: &mut [Packed; ROOM]) -> Option<u64> {
        if let Some((_, place, die)) = self.die {
            words[place as usize] = die;
        }
        let mut known = true;
        let mut hasher = FxHasher::default();
        hasher.write_u64(self.pc);
        for place in &self.holds {
            let word = words[*place as usize];
            known &= word != OTHER;
            hasher.write_u64(word);
        }
        known.then_some(hasher.finish())
    }

    /// Is it that which is held somewhere?
    #[inline(always)]
    pub fn is_at(&self, words: &[Packed; ROOM], held: &[Packed]) -> bool {
        let Some((pc, held)) = held.split_first() else { return false };
        *pc == self.pc
            && held.len() == self.holds.len()
            && held.iter().zip(&self.holds).all(|(word, place)| *word == words[*place as usize])
    }

    /// Adds where it stands and what it holds.
    #[inline(always)]
    pub fn hold(&self, words: &[Packed; ROOM], held: &mut Vec<Packed>) {
        held.push(self.pc);
        // They are few: one by one is quicker than all at once.
        for place in &self.holds {
            held.push(words[*place as usize]);
        }
    }
}

/// Where all that a place holds stands among the words. None: some of it has no place there.
fn places(wording: &Wording, slots: &Slots) -> Option<Vec<u8>> {
    let registers = slots.registers.iter().map(|r| wording.register(*r));
    registers.chain(slots.values.iter().map(|field| wording.value(*field))).collect()
}

impl Alone<'_> {
    /// The short cuts of the fragment for words, with where they begin and end.
    #[cold]
    pub(super) fn make_wording(&mut self) -> Wording {
        let (quick, code) = (self.quick, &self.fragment.code);
        let mut wording = Wording::new(quick, code, self.holds_words());
        wording.settle(|wording, pc| self.word_stop(wording, pc));
        let rolls = (0..code.len()).filter_map(|pc| self.word_roll(&wording, pc)).collect();
        wording.link(rolls)
    }

    fn word_stop(&mut self, wording: &Wording, pc: usize) -> Option<Stop> {
        let (at, die) = match (self.fragment.code.get(pc), self.quick.get(pc)) {
            (Some(Instr::Return { .. }), _) => (pc, None),
            (Some(Instr::Const { dst, .. }), Some(Quick::Die { sides, .. } | Quick::Roll { sides, .. })) => {
                let die = Dice { count: 1, sides: *sides, plus: 0 };
                (pc + 1, Some((die, wording.register(*dst)?, dice_word(die)?)))
            }
            _ => return None,
        };
        let slots = self.slots_at(at);
        Some(Stop { pc: at as Packed, die, holds: places(wording, self.slots.get(slots))? })
    }

    fn word_roll(&mut self, wording: &Wording, pc: usize) -> Option<WordRoll> {
        let Some(Instr::Roll { dst, .. }) = self.fragment.code.get(pc) else { return None };
        let [Tells::Compare { test, plus, die_first, with }] = self.facts.told_apart(pc as u32)? else { return None };
        // No face is so large that it could not be added to what was added up when the pack was loaded.
        plus.checked_add(i64::from(u32::MAX))?;
        let with = match with {
            Known::Int(n) => With::Number(i64::from(*n)),
            Known::Reg(r) => With::At(wording.register(*r)?),
            Known::Event(field) => With::At(wording.value(*field)?),
            Known::Const(_) | Known::Field { .. } => return None,
        };
        if !wording.leads_on(pc + 1) {
            return None;
        }
        let slots = self.slots_at(pc);
        let slots = self.slots.get(slots);
        let mut back = places(wording, slots)?;
        let matters = |i: usize| slots.back_registers.iter().chain(&slots.back_values).any(|(at, _)| *at as usize == i);
        back.iter_mut().enumerate().filter(|(i, _)| !matters(*i)).for_each(|(_, place)| *place = NOWHERE);
        let dst = wording.register(*dst)?;
        let mut roll = WordRoll { pc: pc as Packed, dst, back, test: *test, die_first: *die_first, plus: *plus, with, usual: None };
        if let (Some(Quick::Die { sides, .. } | Quick::Roll { sides, .. }), With::Number(_)) =
            (pc.checked_sub(1).and_then(|at| self.quick.get(at)), with)
        {
            let nothing = [OTHER; ROOM];
            roll.usual = roll.sorts(&nothing, *sides).map(|sorts| (*sides, self.look_ahead(wording, sorts)));
        }
        Some(roll)
    }

    /// As far as the face alone leads, which is mostly to one of the two ways of the comparison, it goes on from there.
    fn look_ahead(&self, wording: &Wording, mut sorts: TwoSorts) -> TwoSorts {
        let (registers, values) = self.holds_words();
        for landing in &mut sorts.each {
            let mut words = [OTHER; ROOM];
            words.iter_mut().skip(registers + values).zip(wording.numbers()).for_each(|(word, number)| *word = *number);
            landing.put(&mut words);
            let (pc, spent) = wording.run_known(&mut words, landing.pc);
            let held = words.iter().take(registers + values).enumerate().filter(|(_, word)| **word != OTHER);
            let known = held
                .filter(|(place, _)| *place >= registers || self.facts.is_live(pc as usize, *place))
                .map(|(place, word)| (place as u8, *word))
                .collect();
            (landing.pc, landing.spent, landing.known) = (pc, spent, known);
        }
        sorts
    }
}
