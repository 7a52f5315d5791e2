//! Short cuts once more, for packed words: where an operand stands is settled beforehand, be it a register, a value of the event or a number, so that a step
//! takes two words and gives one. Made once for a fragment, and nothing in it depends on a game.

use super::packed::{BOOL, INT, Packed, TAG, bool_word, int_of, int_word};
use super::word_stops::{Stop, WordRoll};
use crate::bytecode::Instr;
use crate::flow::Test;
use crate::quick::{From, Quick};

/// So many words there are: a place among them is one byte, and always there.
pub(super) const ROOM: usize = 256;

/// The last of them, which nobody reads.
pub(super) const NOWHERE: u8 = u8::MAX;

/// Something that fits into no word.
pub(super) const OTHER: Packed = TAG;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Dice, the end, or something that is no short cut. Which stop that is stands in `to`, once it is known.
    Stop,
    /// More than words can do.
    Leave,
    Move,
    /// Of a number only.
    Total,
    Add,
    Sub,
    Mul,
    Greater,
    Lesser,
    Jump,
    Is(Test),
    Not,
    /// Goes on at `to` if the test holds, else at `other`.
    Branch(Test),
    If,
    /// Counts up by what stands at `steps`, and goes on at `to` as long as there are more.
    Next,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    what: What,
    dst: u8,
    a: u8,
    b: u8,
    steps: u8,
    to: u32,
    other: u32,
}

/// The short cuts of a fragment.
#[derive(Debug, Default)]
pub(crate) struct Wording {
    steps: Vec<Step>,
    numbers: Vec<Packed>,
    /// For so many registers and values.
    of: (usize, usize),
    stops: Vec<Stop>,
    rolls: Vec<WordRoll>,
}

impl Wording {
    pub fn new(quick: &[Quick], code: &[Instr], of: (usize, usize)) -> Wording {
        let mut made = Wording { of, ..Wording::default() };
        for (pc, short) in quick.iter().enumerate() {
            let leave = Step { what: What::Leave, dst: 0, a: 0, b: 0, steps: 1, to: pc as u32 + 1, other: 0 };
            let step = made.step(*short, code.get(pc), leave).unwrap_or(leave);
            made.steps.push(step);
        }
        made
    }

    /// The numbers it is written with stand behind registers and values.
    pub fn numbers(&self) -> &[Packed] {
        &self.numbers
    }

    /// Is it for a fragment that holds so much?
    #[inline(always)]
    pub fn is_of(&self, of: (usize, usize)) -> bool {
        self.of == of
    }

    /// Is there a step at `pc`?
    pub fn leads_on(&self, pc: usize) -> bool {
        self.steps.get(pc).is_some_and(|step| !matches!(step.what, What::Leave | What::Stop))
    }

    /// Settles what each of its stops is. Those of which nothing is told are more than words can do.
    pub fn settle(&mut self, mut stop: impl FnMut(&Wording, usize) -> Option<Stop>) {
        for pc in 0..self.steps.len() {
            if self.steps[pc].what != What::Stop {
                continue;
            }
            match stop(self, pc) {
                Some(stop) => {
                    self.steps[pc].to = self.stops.len() as u32;
                    self.stops.push(stop);
                }
                None => self.steps[pc].what = What::Leave,
            }
        }
    }

    /// From now on whoever leads to a stop names it, so that no step has to be taken to find it.
    pub fn link(mut self, mut rolls: Vec<WordRoll>) -> Wording {
        let at: Vec<u32> = (0u32..).zip(&self.steps).map(|(pc, step)| if step.what == What::Stop { step.to | STOP } else { pc }).collect();
        let link = |to: &mut u32| *to = at.get(*to as usize).copied().unwrap_or(*to);
        for step in self.steps.iter_mut().filter(|step| !matches!(step.what, What::Stop | What::Leave)) {
            link(&mut step.to);
            link(&mut step.other);
        }
        rolls.iter_mut().flat_map(|roll| roll.landings()).for_each(|landing| link(&mut landing.pc));
        self.rolls = rolls;
        self
    }

    /// The die at `pc`, if words lead on behind it.
    #[inline(always)]
    pub fn roll_at(&self, pc: Packed) -> Option<&WordRoll> {
        self.rolls.iter().find(|roll| roll.pc == pc)
    }

    /// A place among the words, if there are so many.
    fn free(&self, place: usize) -> Option<u8> {
        u8::try_from(place).ok().filter(|place| *place != NOWHERE)
    }

    fn number(&mut self, word: Packed) -> Option<u8> {
        let at = self.numbers.iter().position(|known| *known == word).unwrap_or(self.numbers.len());
        if at == self.numbers.len() {
            self.numbers.push(word);
        }
        self.free(self.of.0 + self.of.1 + at)
    }

    pub fn value(&self, field: u16) -> Option<u8> {
        self.free(self.of.0 + field as usize).filter(|_| (field as usize) < self.of.1)
    }

    pub fn register(&self, r: u16) -> Option<u8> {
        self.free(r as usize).filter(|_| (r as usize) < self.of.0)
    }

    fn place(&mut self, from: From) -> Option<u8> {
        match from {
            From::Reg(r) => self.register(r),
            From::Event(field) => self.value(field),
            From::Int(n) => self.number(int_word(n.into())?),
        }
    }

    /// None: words cannot do it.
    fn step(&mut self, short: Quick, instr: Option<&Instr>, at: Step) -> Option<Step> {
        let reg = From::Reg;
        let on = |steps: u8| at.to - 1 + u32::from(steps);
        Some(match short {
            Quick::Plain | Quick::Die { .. } | Quick::Roll { .. } => Step { what: What::Stop, ..at },
            Quick::Put { dst, from } => {
                // A move and a total have the same short cut.
                let total = matches!(from, From::Reg(_)) && !matches!(instr, Some(Instr::Move { .. }));
                let what = if total { What::Total } else { What::Move };
                Step { what, dst: self.place(reg(dst))?, a: self.place(from)?, ..at }
            }
            Quick::Bool { dst, v } => Step { what: What::Move, dst: self.place(reg(dst))?, a: self.number(bool_word(v))?, ..at },
            Quick::Add { dst, a, b, steps } => self.sum(What::Add, reg(dst), (a, b), steps, on(steps), at)?,
            Quick::Sub { dst, a, b, steps } => self.sum(What::Sub, reg(dst), (a, b), steps, on(steps), at)?,
            Quick::Mul { dst, a, b } => self.sum(What::Mul, reg(dst), (reg(a), reg(b)), 1, on(1), at)?,
            Quick::Extreme { dst, a, b, greater, steps } => {
                let what = if greater { What::Greater } else { What::Lesser };
                self.sum(what, reg(dst), (a, b), steps, on(steps), at)?
            }
            Quick::PutEvent { field, from, then, steps } => self.sum(What::Total, From::Event(field), (from, from), steps, then, at)?,
            Quick::Bump { field, by, then, steps } => self.sum(What::Add, From::Event(field), (From::Event(field), by), steps, then, at)?,
            Quick::Next { i, by, n, top, out } => {
                let by = self.place(From::Int(by))?;
                Step { other: out, ..self.sum(What::Next, reg(i), (reg(i), reg(n)), by, top, at)? }
            }
            Quick::Branch { test, a, b, to, steps } => {
                Step { other: to, ..self.sum(What::Branch(test), reg(0), (a, b), steps, on(steps), at)? }
            }
            Quick::Compare { dst, test, a, b } => self.sum(What::Is(test), reg(dst), (reg(a), reg(b)), 1, on(1), at)?,
            Quick::Not { dst, a } => self.sum(What::Not, reg(dst), (reg(a), reg(a)), 1, on(1), at)?,
            Quick::If { cond, unless, to } => {
                let (to, other) = if unless { (at.to, to) } else { (to, at.to) };
                Step { other, ..self.sum(What::If, reg(cond), (reg(cond), reg(cond)), 1, to, at)? }
            }
            Quick::Jump { to, steps } => Step { what: What::Jump, steps, to, ..at },
            _ => return None,
        })
    }

    fn sum(&mut self, what: What, dst: From, (a, b): (From, From), steps: u8, to: u32, at: Step) -> Option<Step> {
        Some(Step { what, dst: self.place(dst)?, a: self.place(a)?, b: self.place(b)?, steps, to, ..at })
    }

    /// As far as they lead, each as in `quick/run.rs`; where they stop. None: one of them does not fit, or needs more than words or more steps than there
    /// are; what the words hold then is of no use.
    #[inline(always)]
    pub fn run(&self, words: &mut [Packed; ROOM], from: u32, most: u64, spent: u64) -> Option<&Stop> {
        let (mut at, mut spent, all) = (from, spent, &self.steps[..]);
        while at & STOP == 0 {
            let (to, steps) = all.get(at as usize)?.take(words)?;
            spent += u64::from(steps);
            // Only who goes back may go on for ever.
            if to <= at && spent > most {
                return None;
            }
            at = to;
        }
        self.stops.get((at & !STOP) as usize).filter(|_| spent <= most)
    }

    /// The same as long as all is known that it looks at: where it comes to, and with how many steps. What is not known is `OTHER`.
    pub fn run_known(&self, words: &mut [Packed; ROOM], from: u32) -> (u32, u64) {
        let (mut at, mut spent) = (from, 0);
        for _ in 0..MOST_KNOWN {
            let Some(step) = self.steps.get(at as usize) else { break };
            let known = |place: u8| words[place as usize] != OTHER;
            let (reads_a, reads_b) = step.what.reads();
            if matches!(step.what, What::Stop | What::Leave) || (reads_a && !known(step.a)) || (reads_b && !known(step.b)) {
                break;
            }
            let Some((to, steps)) = step.take(words) else { break };
            (at, spent) = (to, spent + u64::from(steps));
        }
        (at, spent)
    }
}

/// Marks the number of a stop, where otherwise a step stands.
const STOP: u32 = 1 << 31;

/// So many steps are looked ahead at the most.
const MOST_KNOWN: usize = 16;

impl What {
    /// Which of its two operands it looks at.
    fn reads(self) -> (bool, bool) {
        match self {
            What::Stop | What::Leave | What::Jump => (false, false),
            What::Move | What::Total | What::Not | What::If => (true, false),
            What::Add | What::Sub | What::Mul | What::Greater | What::Lesser | What::Is(_) | What::Branch(_) | What::Next => (true, true),
        }
    }
}

impl Step {
    /// Where it goes on, and how many steps it stands for. None: it does not fit, and nothing was written.
    #[inline(always)]
    fn take(&self, words: &mut [Packed; ROOM]) -> Option<(u32, u8)> {
        let (a, b) = (words[self.a as usize], words[self.b as usize]);
        let dst = &mut words[self.dst as usize];
        let mut to = self.to;
        let mut steps = self.steps;
        match self.what {
            What::Stop | What::Leave => return None,
            What::Move if a == OTHER => return None,
            What::Move => *dst = a,
            What::Total => {
                numbers(a, a)?;
                *dst = a;
            }
            What::Add => *dst = plus(a, b)?,
            What::Sub => {
                numbers(a, b)?;
                *dst = (a as i64).checked_sub((b - INT) as i64)? as Packed;
            }
            What::Mul => *dst = int_word(int_of(a)?.checked_mul(int_of(b)?)?)?,
            What::Greater => {
                numbers(a, b)?;
                *dst = (a as i64).max(b as i64) as Packed;
            }
            What::Lesser => {
                numbers(a, b)?;
                *dst = (a as i64).min(b as i64) as Packed;
            }
            What::Jump => {}
            What::Is(test) => *dst = bool_word(holds(test, a, b)?),
            What::Not => *dst = bool_word(!truth(a)?),
            What::Branch(test) => {
                if !holds(test, a, b)? {
                    to = self.other;
                }
            }
            What::If => {
                if !truth(a)? {
                    to = self.other;
                }
            }
            What::Next => {
                numbers(a, b)?;
                let next = plus(a, words[self.steps as usize])?;
                words[self.dst as usize] = next;
                steps = 4;
                if next as i64 >= b as i64 {
                    to = self.other;
                }
            }
        }
        Some((to, steps))
    }
}

/// Both are numbers. Their words are then in the same order as they are.
#[inline(always)]
fn numbers(a: Packed, b: Packed) -> Option<()> {
    (((a ^ INT) | (b ^ INT)) & TAG == 0).then_some(())
}

#[inline(always)]
fn plus(a: Packed, b: Packed) -> Option<Packed> {
    numbers(a, b)?;
    ((a - INT) as i64).checked_add(b as i64).map(|sum| sum as Packed)
}

#[inline(always)]
fn truth(word: Packed) -> Option<bool> {
    (word & TAG == BOOL).then_some(word >> 3 != 0)
}

/// Numbers; other things are left to those who know when they are the same.
#[inline(always)]
fn holds(test: Test, a: Packed, b: Packed) -> Option<bool> {
    numbers(a, b)?;
    Some(test.holds(a as i64, b as i64))
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    fn run(quick: &[Quick], words: &[Packed]) -> (Option<usize>, Vec<Packed>) {
        let mut wording = Wording::new(quick, &[], (words.len(), 0));
        wording.settle(|_, pc| Some(Stop { pc: pc as Packed, die: None, holds: Vec::new() }));
        let wording = wording.link(Vec::new());
        let mut all = [OTHER; ROOM];
        let held = words.iter().chain(wording.numbers());
        all.iter_mut().zip(held).for_each(|(word, known)| *word = *known);
        let stop = wording.run(&mut all, 0, 100, 0).map(|stop| stop.pc as usize);
        (stop, all[..words.len()].to_vec())
    }

    fn word(n: i64) -> Packed {
        int_word(n).expect("fits")
    }

    #[test]
    fn sums_and_differences_are_those_of_numbers_and_end_where_a_word_does() {
        let most = (1 << 60) - 1;
        for (a, b) in [(5, 3), (-5, 3), (3, -5), (-1, -1), (0, 0), (most, 0), (-most - 1, 0)] {
            let steps = [
                Quick::Add { dst: 2, a: From::Reg(0), b: From::Reg(1), steps: 1 },
                Quick::Sub { dst: 3, a: From::Reg(0), b: From::Reg(1), steps: 1 },
                Quick::Extreme { dst: 4, a: From::Reg(0), b: From::Reg(1), greater: true, steps: 1 },
                Quick::Extreme { dst: 5, a: From::Reg(0), b: From::Int(2), greater: false, steps: 1 },
                Quick::Compare { dst: 6, test: Test::Lt, a: 0, b: 1 },
                Quick::Plain,
            ];
            let (stop, held) = run(&steps, &[word(a), word(b), 0, 0, 0, 0, 0]);
            assert_eq!(stop, Some(5));
            assert_eq!(held[2..], [word(a + b), word(a - b), word(a.max(b)), word(a.min(2)), bool_word(a < b)]);
        }
        let over = |quick: Quick, a: i64, b: i64| run(&[quick, Quick::Plain], &[word(a), word(b)]).0;
        let (a, b) = (From::Reg(0), From::Reg(1));
        assert_eq!(over(Quick::Add { dst: 0, a, b, steps: 1 }, most, 1), None);
        assert_eq!(over(Quick::Sub { dst: 0, a, b, steps: 1 }, -most, 2), None);
        assert_eq!(over(Quick::Mul { dst: 0, a: 0, b: 1 }, most, 2), None);
        assert_eq!(over(Quick::Mul { dst: 0, a: 0, b: 1 }, 6, 7), Some(1));
    }

    #[test]
    fn what_is_no_number_is_left_to_others() {
        let add = Quick::Add { dst: 0, a: From::Reg(0), b: From::Reg(1), steps: 1 };
        for other in [0, bool_word(true), OTHER] {
            assert_eq!(run(&[add, Quick::Plain], &[word(1), other]).0, None);
            assert_eq!(run(&[Quick::Put { dst: 0, from: From::Reg(1) }, Quick::Plain], &[word(1), other]).0, None);
        }
        let count = Quick::Tally { dst: 0, list: 1, faces: crate::quick::Faces::new(Test::Eq, true, From::Int(1)) };
        assert_eq!(run(&[count, Quick::Plain], &[word(1), word(1)]).0, None);
    }

    #[test]
    fn a_loop_counts_and_a_loop_without_end_runs_out_of_steps() {
        let next = |n: u16| Quick::Next { i: 0, by: 2, n, top: 0, out: 1 };
        let (stop, held) = run(&[next(1), Quick::Plain], &[word(0), word(9)]);
        assert_eq!((stop, held), (Some(1), vec![word(10), word(9)]));
        assert_eq!(run(&[Quick::Jump { to: 0, steps: 1 }], &[]).0, None);
    }

    #[test]
    fn conditions_go_both_ways() {
        let branch = Quick::Branch { test: Test::Le, a: From::Int(3), b: From::Reg(0), to: 2, steps: 1 };
        let unless = |unless: bool| Quick::If { cond: 1, unless, to: 2 };
        for (first, n, yes, wanted) in [
            (branch, 3, true, 1),
            (branch, 2, true, 2),
            (unless(true), 0, true, 1),
            (unless(true), 0, false, 2),
            (unless(false), 0, true, 2),
            (unless(false), 0, false, 1),
        ] {
            assert_eq!(run(&[first, Quick::Plain, Quick::Plain], &[word(n), bool_word(yes)]).0, Some(wanted));
        }
    }
}
