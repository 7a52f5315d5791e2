//! What is known about a fragment before it runs: where its head ends, which registers still matter where, which rolls may be told by
//! their faces alone.

mod compare;
mod faces;
mod loops;
mod order;
mod private;
mod tried;

pub(crate) use compare::Test;
pub(crate) use faces::{Known, Tells};
pub(crate) use loops::Summed;
pub(crate) use private::{Private, private};
pub(crate) use tried::{Trial, Tried, tried};

use crate::bytecode::Instr;
use crate::ids::{Pc, Reg};
use crate::operands::{acts, operands, targets};
use crate::pack::{Fragment, Pack};

#[derive(Clone, Debug, Default)]
pub(crate) struct FragmentFacts {
    /// Where the head ends, if the fragment has one.
    pub head_end: Option<u32>,
    /// The head changes the world, so that an illegal one must be undone.
    pub head_acts: bool,
    words: usize,
    /// For each instruction, the registers whose values are still read from there on. Only for fragments that can be waiting while
    /// something is asked.
    live: Vec<u64>,
    /// Values of the event that the fragment sets.
    pub sets: Vec<u16>,
    /// Rolls of dice that are the same every time.
    fixed_rolls: Vec<u32>,
    /// Rolls whose faces are read one by one in their order.
    ordered_rolls: Vec<u32>,
    /// Rolls that are only added up.
    summed: Vec<(u32, Summed)>,
    /// What tells faces apart, for rolls of which something is known.
    told_apart: Vec<(u32, Vec<Tells>)>,
    /// Rolls of which only the dice that pass one comparison count.
    filtered: Vec<u32>,
}

impl FragmentFacts {
    /// Is the register read from this instruction on?
    pub fn is_live(&self, pc: usize, register: usize) -> bool {
        let word = pc * self.words + register / 64;
        self.live.get(word).is_none_or(|w| w & (1 << (register % 64)) != 0)
    }

    /// Every register of so many that is read from this instruction on.
    #[inline(always)]
    pub fn each_live(&self, pc: usize, registers: u16, mut then: impl FnMut(usize)) {
        match self.live.get(pc * self.words..(pc + 1) * self.words) {
            Some(words) if self.knows_registers() => {
                for (i, word) in words.iter().enumerate() {
                    let mut left = *word;
                    while left != 0 {
                        then(i * 64 + left.trailing_zeros() as usize);
                        left &= left - 1;
                    }
                }
            }
            _ => (0..registers as usize).for_each(then),
        }
    }

    /// Are the dice of the roll at `pc` the same every time?
    pub fn is_fixed(&self, pc: u32) -> bool {
        self.fixed_rolls.contains(&pc)
    }

    pub fn is_ordered(&self, pc: u32) -> bool {
        self.ordered_rolls.contains(&pc)
    }

    /// Is it known which registers are still read?
    pub fn knows_registers(&self) -> bool {
        !self.live.is_empty()
    }

    /// The loop that adds up the roll at `pc`, if nothing else is done with it.
    pub fn summed(&self, pc: u32) -> Option<&Summed> {
        self.summed.iter().find(|(at, _)| *at == pc).map(|(_, summed)| summed)
    }

    /// Does nothing of the roll at `pc` matter but how many dice pass the comparison that tells them apart?
    pub fn is_filtered(&self, pc: u32) -> bool {
        self.filtered.contains(&pc)
    }

    /// What tells faces of the roll at `pc` apart. None: perhaps everything.
    pub fn told_apart(&self, pc: u32) -> Option<&[Tells]> {
        self.told_apart.iter().find(|(at, _)| *at == pc).map(|(_, tells)| &tells[..])
    }
}

pub(crate) fn fragment_facts(pack: &Pack, fragment: &Fragment) -> FragmentFacts {
    let head_end = fragment.code.iter().position(|i| matches!(i, Instr::HeadEnd));
    let mut facts = FragmentFacts {
        head_end: head_end.map(|end| end as u32),
        head_acts: head_end.is_some_and(|end| fragment.code[..end].iter().any(|i| acts(pack, i))),
        ..FragmentFacts::default()
    };
    if fragment.pure {
        return facts;
    }
    facts.words = (fragment.registers as usize).div_ceil(64).max(1);
    facts.live = live_registers(pack, fragment, facts.words);
    facts.sets = fragment.code.iter().filter_map(|i| if let Instr::EvSet { field, .. } = i { Some(*field) } else { None }).collect();
    facts.sets.sort_unstable();
    facts.sets.dedup();
    for (pc, instr) in fragment.code.iter().enumerate() {
        let Instr::Roll { dst, dice } = *instr else { continue };
        if is_fixed(pack, fragment, pc, dice) {
            facts.fixed_rolls.push(pc as u32);
        }
        if order::is_read(pack, fragment, &facts, pc, dst) {
            facts.ordered_rolls.push(pc as u32);
        }
        if let Some(summed) = loops::summed(pack, fragment, &facts, pc) {
            facts.summed.push((pc as u32, summed));
        }
        if let Some(told) = faces::told_apart(pack, fragment, &facts, pc, dst, dice) {
            facts.told_apart.push((pc as u32, told.tells));
            facts.filtered.extend(told.filtered.then_some(pc as u32));
        }
    }
    facts
}

/// Is the roll reached in no other way than with the dice that are written down right before it?
fn is_fixed(pack: &Pack, fragment: &Fragment, pc: usize, dice: Reg) -> bool {
    let before = pc.checked_sub(1).and_then(|at| fragment.code.get(at));
    let written = matches!(before, Some(Instr::Const { dst, .. }) if *dst == dice);
    let elsewhere = |(at, instr): (usize, &Instr)| at + 1 != pc && targets(pack, at, instr).contains(&(pc as Pc));
    // A line of a menu, or the way out of a `may`, is led to in a way that is not told.
    let told = |instr: &Instr| !matches!(instr, Instr::May { .. } | Instr::Menu { .. } | Instr::Probe { .. });
    written && fragment.code.iter().all(told) && !fragment.code.iter().enumerate().any(elsewhere)
}

fn live_registers(pack: &Pack, fragment: &Fragment, words: usize) -> Vec<u64> {
    let n = fragment.code.len();
    // Wide and long fragments are left alone: knowing less only means merging less.
    if n.saturating_mul(words) > 4_000_000 {
        return Vec::new();
    }
    let uses: Vec<_> = fragment.code.iter().map(|i| operands(pack, i)).collect();
    let mut goes: Vec<_> = fragment.code.iter().enumerate().map(|(pc, i)| targets(pack, pc, i)).collect();
    // In the head of a `may` or of a line of a menu, whatever is not met leads out of the innermost one.
    let mut ways_out: Vec<u32> = Vec::new();
    for (pc, instr) in fragment.code.iter().enumerate() {
        while ways_out.last().is_some_and(|out| *out as usize <= pc) {
            ways_out.pop();
        }
        goes[pc].extend(ways_out.last());
        match instr {
            Instr::May { no, .. } => ways_out.push(*no),
            Instr::Menu { menu, .. } => ways_out.extend(pack.menus.get(menu.index()).map(|menu| menu.none)),
            _ => {}
        }
    }
    let mut live = vec![0u64; n * words];
    let mut set = vec![0u64; words];
    loop {
        let mut changed = false;
        for pc in (0..n).rev() {
            set.fill(0);
            for to in &goes[pc] {
                let from = *to as usize * words;
                if let Some(other) = live.get(from..from + words) {
                    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                }
            }
            for r in &uses[pc].writes {
                if let Some(w) = set.get_mut(*r as usize / 64) {
                    *w &= !(1 << (r % 64));
                }
            }
            for r in uses[pc].all_reads() {
                if let Some(w) = set.get_mut(r as usize / 64) {
                    *w |= 1 << (r % 64);
                }
            }
            let here = &mut live[pc * words..(pc + 1) * words];
            if *here != *set {
                here.copy_from_slice(&set);
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}
