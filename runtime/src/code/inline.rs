//! The terms that a term calls, written out in its place.

use crate::bytecode::Instr;
use crate::ids::*;
use crate::operands::{operands, with_registers};
use crate::pack::{Fragment, Pack};

/// An instruction and where it comes from.
pub(super) struct Line {
    pub instr: Instr,
    pub site: Option<SiteId>,
}

pub(super) struct Lines {
    pub lines: Vec<Line>,
    registers: u32,
    /// Terms with conditions inside stay calls.
    straight_only: bool,
}

/// Longer ones are called: what they came to is remembered.
const SHORT: usize = 32;
const MOST_LINES: usize = 400;
const MOST_REGISTERS: u32 = 1000;
const DEEPEST: usize = 8;

/// None: it goes back somewhere, or does something that is not for here.
pub(super) fn inlined(pack: &Pack, fragment: &Fragment) -> Option<Lines> {
    with_terms(pack, fragment, false)
}

/// The same with those terms only that have no jumps: whoever asks one of the others twice is seen to do so.
pub(super) fn inlined_straight(pack: &Pack, fragment: &Fragment) -> Option<Lines> {
    with_terms(pack, fragment, true)
}

fn with_terms(pack: &Pack, fragment: &Fragment, straight_only: bool) -> Option<Lines> {
    if !goes_on(fragment) {
        return None;
    }
    let registers = fragment.registers.max(fragment.params) as u32;
    if registers > MOST_REGISTERS {
        return None;
    }
    let mut lines = Lines { lines: Vec::new(), registers, straight_only };
    lines.write_out(pack, fragment, &mut Vec::new(), 0, None)?;
    Some(lines)
}

/// Jumps lead on only, so that every instruction is run once at most, and the end is a value.
fn goes_on(fragment: &Fragment) -> bool {
    let ahead = |(pc, instr): (usize, &Instr)| match *instr {
        Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => {
            to as usize > pc && (to as usize) < fragment.code.len()
        }
        Instr::Push { .. } => false,
        _ => true,
    };
    fragment.pure && matches!(fragment.code.last(), Some(Instr::Return { .. })) && fragment.code.iter().enumerate().all(ahead)
}

pub(super) fn renamed(pack: &Pack, instr: &Instr, to: impl Fn(Reg) -> Reg) -> Option<Instr> {
    let used = operands(pack, instr);
    let reads: Vec<Reg> = used.reads.iter().map(|r| to(*r)).collect();
    let start = used.ranges.first().map_or(0, |(start, _)| to(*start));
    with_registers(instr, &reads, start, used.writes.first().map_or(0, |r| to(*r)))
}

impl Lines {
    pub fn of(lines: Vec<Line>, registers: u32) -> Lines {
        Lines { lines, registers, straight_only: false }
    }

    pub fn registers(&self) -> u32 {
        self.registers
    }

    fn add(&mut self, instr: Instr, site: Option<SiteId>) -> usize {
        self.lines.push(Line { instr, site });
        self.lines.len() - 1
    }

    /// A term, called through `chain`, its registers from `base` on. Its value goes to `result`; without one it is the value of all.
    fn write_out(&mut self, pack: &Pack, fragment: &Fragment, chain: &mut Vec<FragId>, base: u32, result: Option<Reg>) -> Option<()> {
        let reg = |r: Reg| (base + r as u32) as Reg;
        let mut starts = Vec::with_capacity(fragment.code.len());
        // Jumps, and where they lead in the fragment.
        let mut jumps: Vec<(usize, usize)> = Vec::new();
        for (pc, instr) in fragment.code.iter().enumerate() {
            if self.lines.len() > MOST_LINES {
                return None;
            }
            starts.push(self.lines.len());
            let site = fragment.sites.get(pc).copied();
            match *instr {
                Instr::Return { src } => match result {
                    None => _ = self.add(Instr::Return { src: reg(src) }, site),
                    Some(dst) => {
                        self.add(Instr::Move { dst, src: reg(src) }, site);
                        if pc + 1 < fragment.code.len() {
                            let line = self.add(Instr::Jump { to: 0 }, site);
                            jumps.push((line, fragment.code.len()));
                        }
                    }
                },
                Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => {
                    let line = self.add(renamed(pack, instr, reg)?, site);
                    jumps.push((line, to as usize));
                }
                Instr::Call { dst, frag, start, n } if self.fits(pack, chain, frag, n) => {
                    let called = pack.fragments.get(frag.index())?;
                    let own = self.registers;
                    self.registers += called.registers.max(called.params) as u32;
                    for i in 0..called.params {
                        self.add(Instr::Move { dst: (own + i as u32) as Reg, src: reg(start.saturating_add(i)) }, site);
                    }
                    chain.push(frag);
                    self.write_out(pack, called, chain, own, Some(reg(dst)))?;
                    chain.pop();
                }
                _ => _ = self.add(renamed(pack, instr, reg)?, site),
            }
        }
        starts.push(self.lines.len());
        for (line, to) in jumps {
            let to = *starts.get(to)? as Pc;
            if let Some(
                Instr::Jump { to: t } | Instr::JumpIf { to: t, .. } | Instr::JumpIfNot { to: t, .. } | Instr::JumpIfNone { to: t, .. },
            ) = self.lines.get_mut(line).map(|l| &mut l.instr)
            {
                *t = to;
            }
        }
        Some(())
    }

    fn fits(&self, pack: &Pack, chain: &[FragId], frag: FragId, given: u16) -> bool {
        let Some(called) = pack.fragments.get(frag.index()) else { return false };
        let long = |i: &Instr| matches!(i, Instr::Each { .. });
        let jumps = || called.code.iter().any(|i| super::order::jump(i).is_some());
        called.code.len() <= SHORT
            && !(self.straight_only && jumps())
            && (called.code.len() <= 20 || !called.code.iter().any(long))
            && goes_on(called)
            && given >= called.params
            && chain.len() < DEEPEST
            && !chain.contains(&frag)
            && self.registers + (called.registers.max(called.params) as u32) < MOST_REGISTERS
    }
}
