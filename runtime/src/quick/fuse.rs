//! Finding short cuts in a fragment.

use super::{Faces, From, Quick, Test};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::flow::{Against, FragmentFacts, comparison};
use crate::ids::*;
use crate::pack::{Fragment, Pack};
use crate::value::{Dice, Value};

pub(super) struct Fuser<'p> {
    pack: &'p Pack,
    code: &'p [Instr],
    facts: &'p FragmentFacts,
}

/// One short cut for each instruction, or none at all where nothing is known about the fragment's registers.
pub(crate) fn fuse(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts) -> Vec<Quick> {
    if !facts.knows_registers() {
        return Vec::new();
    }
    let fuser = Fuser { pack, code: &fragment.code, facts };
    (0..fragment.code.len()).map(|pc| fuser.at(pc)).collect()
}

impl Fuser<'_> {
    fn at(&self, pc: usize) -> Quick {
        let found = self
            .roll(pc)
            .or_else(|| self.count(pc))
            .or_else(|| self.tally(pc))
            .or_else(|| self.die(pc))
            .or_else(|| self.bump(pc))
            .or_else(|| self.field(pc))
            .or_else(|| self.branch(pc))
            .or_else(|| self.next(pc))
            .or_else(|| self.folded(pc));
        found.or_else(|| self.single(pc)).unwrap_or(Quick::Plain)
    }

    pub(super) fn get(&self, pc: usize) -> Option<Instr> {
        self.code.get(pc).copied()
    }

    /// Registers that are written on the way of a short cut but not by it: nobody may read them afterwards.
    pub(super) fn dead(&self, registers: &[Reg], ways: &[usize]) -> bool {
        registers.iter().all(|r| ways.iter().all(|pc| !self.facts.is_live(*pc, *r as usize)))
    }

    /// A number that is fetched right before it is used: where from, and into which register.
    fn fetched(&self, pc: usize) -> Option<(Reg, From)> {
        match self.get(pc)? {
            Instr::Int { dst, v } => Some((dst, From::Int(v))),
            Instr::EvGet { dst, field } => Some((dst, From::Event(field))),
            _ => None,
        }
    }

    pub(super) fn compared(&self, pc: usize) -> Option<(Test, Reg, Reg, Reg)> {
        match self.get(pc)? {
            Instr::Lt { dst, a, b } => Some((Test::Lt, dst, a, b)),
            Instr::Le { dst, a, b } => Some((Test::Le, dst, a, b)),
            Instr::Eq { dst, a, b } => Some((Test::Eq, dst, a, b)),
            _ => None,
        }
    }

    fn one_die(&self, k: ConstId) -> Option<u32> {
        match self.pack.consts.get(k.index())? {
            Value::Dice(Dice { count: 1, sides, plus: 0 }) if *sides > 0 => Some(*sides),
            _ => None,
        }
    }

    fn single(&self, pc: usize) -> Option<Quick> {
        let reg = From::Reg;
        Some(match self.get(pc)? {
            Instr::Int { dst, v } => Quick::Put { dst, from: From::Int(v) },
            Instr::Move { dst, src } | Instr::Call1 { dst, fun: Fun::Total, a: src } => Quick::Put { dst, from: reg(src) },
            Instr::EvGet { dst, field } => Quick::Put { dst, from: From::Event(field) },
            Instr::Const { dst, k } => Quick::Const { dst, k },
            Instr::Bool { dst, v } => Quick::Bool { dst, v },
            Instr::None { dst } => Quick::None { dst },
            Instr::Not { dst, a } => Quick::Not { dst, a },
            Instr::Lt { dst, a, b } => Quick::Compare { dst, test: Test::Lt, a, b },
            Instr::Le { dst, a, b } => Quick::Compare { dst, test: Test::Le, a, b },
            Instr::Eq { dst, a, b } => Quick::Compare { dst, test: Test::Eq, a, b },
            Instr::Get { dst, obj, field } => Quick::Get { dst, obj, field, raw: false },
            Instr::GetRaw { dst, obj, field } => Quick::Get { dst, obj, field, raw: true },
            Instr::JumpIf { cond, to } => Quick::If { cond, unless: false, to },
            Instr::JumpIfNot { cond, to } => Quick::If { cond, unless: true, to },
            Instr::JumpIfNone { src, to } => Quick::IfNone { src, to },
            Instr::Mul { dst, a, b } => Quick::Mul { dst, a, b },
            Instr::Jump { .. } => {
                let (to, steps) = self.landing(pc as Pc);
                Quick::Jump { to, steps }
            }
            _ => return None,
        })
    }

    /// A jump to a jump goes where that goes; a few are followed. Also gives how many.
    pub(super) fn landing(&self, pc: Pc) -> (Pc, u8) {
        let (mut to, mut steps) = (pc, 0);
        while let Some(Instr::Jump { to: next }) = self.get(to as usize)
            && steps < 8
        {
            to = next;
            steps += 1;
        }
        (to, steps)
    }

    /// `[fetch] compare; jump if not`
    fn branch(&self, pc: usize) -> Option<Quick> {
        let fetched = self.fetched(pc);
        let at = pc + usize::from(fetched.is_some());
        let (test, cond, a, b) = self.compared(at)?;
        let Instr::JumpIfNot { cond: of, to } = self.get(at + 1)? else { return None };
        let next = at + 2;
        let temporary: Vec<Reg> = fetched.iter().map(|(r, _)| *r).chain([cond]).collect();
        if of != cond || !self.dead(&temporary, &[next, to as usize]) {
            return None;
        }
        let from = |r: Reg| fetched.filter(|(f, _)| *f == r).map_or(From::Reg(r), |(_, from)| from);
        Some(Quick::Branch { test, a: from(a), b: from(b), to: self.landing(to).0, steps: (next - pc) as u8 })
    }

    /// `i += by; jump top`, where `top` is `i < n; jump if not out`
    fn next(&self, pc: usize) -> Option<Quick> {
        let Instr::AddInt { dst: i, a, v } = self.get(pc)? else { return None };
        let Instr::Jump { to: top } = self.get(pc + 1)? else { return None };
        let (Test::Lt, cond, of, n) = self.compared(top as usize)? else { return None };
        let Instr::JumpIfNot { cond: tested, to: out } = self.get(top as usize + 1)? else { return None };
        let whole = a == i && of == i && n != i && tested == cond && cond != i;
        let dead = self.dead(&[cond], &[top as usize + 2, out as usize]);
        (whole && dead).then_some(Quick::Next { i, by: v, n, top: top + 2, out })
    }

    /// `fetch from the event; add; put back`
    fn bump(&self, pc: usize) -> Option<Quick> {
        let Instr::EvGet { dst: old, field } = self.get(pc)? else { return None };
        let (new, by) = match self.get(pc + 1)? {
            Instr::AddInt { dst, a, v } if a == old => (dst, From::Int(v)),
            Instr::Add { dst, a, b } if a == old && b != old => (dst, From::Reg(b)),
            _ => return None,
        };
        let Instr::EvSet { field: to, src } = self.get(pc + 2)? else { return None };
        let (then, jumps) = self.landing(pc as Pc + 3);
        (to == field && src == new && self.dead(&[old, new], &[pc + 3])).then_some(Quick::Bump { field, by, then, steps: 3 + jumps })
    }

    /// `one die; roll; [total;] [fetch] compare; jump if not`
    fn roll(&self, pc: usize) -> Option<Quick> {
        let Instr::Const { dst: dice, k } = self.get(pc)? else { return None };
        let sides = self.one_die(k)?;
        let Instr::Roll { dst: rolled, dice: of } = self.get(pc + 1)? else { return None };
        if of != dice {
            return None;
        }
        let mut temporary = vec![dice, rolled];
        let mut at = pc + 2;
        let mut die = rolled;
        if let Instr::Call1 { dst, fun: Fun::Total, a } = self.get(at)?
            && a == rolled
        {
            die = dst;
            temporary.push(dst);
            at += 1;
        }
        let fetched = self.fetched(at).filter(|(r, _)| *r != die);
        if let Some((r, _)) = fetched {
            temporary.push(r);
            at += 1;
        }
        let (test, cond, a, b) = self.compared(at)?;
        let Instr::JumpIfNot { cond: tested, to } = self.get(at + 1)? else { return None };
        let die_first = a == die;
        let other = if die_first { b } else { a };
        let with = fetched.filter(|(r, _)| *r == other).map_or(From::Reg(other), |(_, from)| from);
        let known = with != From::Reg(other) || !temporary.contains(&other);
        temporary.push(cond);
        let next = at + 2;
        let fits = tested == cond && (die_first || b == die) && other != die && known && self.dead(&temporary, &[next, to as usize]);
        let to = self.landing(to).0;
        fits.then_some(Quick::Roll { sides, faces: Faces::new(test, die_first, with), to, steps: (next - pc) as u8 })
    }

    /// `fetch whose; field of it`
    fn field(&self, pc: usize) -> Option<Quick> {
        let Instr::EvGet { dst: whose, field: of } = self.get(pc)? else { return None };
        let (dst, obj, field, raw) = match self.get(pc + 1)? {
            Instr::Get { dst, obj, field } => (dst, obj, field, false),
            Instr::GetRaw { dst, obj, field } => (dst, obj, field, true),
            _ => return None,
        };
        (obj == whose).then_some(Quick::GetOf { dst, of, obj, field, raw })
    }

    /// `one die; roll[; total]`
    fn die(&self, pc: usize) -> Option<Quick> {
        let Instr::Const { dst: dice, k } = self.get(pc)? else { return None };
        let Instr::Roll { dst, dice: of } = self.get(pc + 1)? else { return None };
        let sides = self.one_die(k)?;
        let (total, next) = match self.get(pc + 2) {
            Some(Instr::Call1 { dst: total, fun: Fun::Total, a }) if a == dst && self.dead(&[dst], &[pc + 3]) => (total, pc + 3),
            _ => (dst, pc + 2),
        };
        let fits = of == dice && (total == dice || self.dead(&[dice], &[next])) && (total == dst || self.dead(&[dst], &[next]));
        fits.then_some(Quick::Die { dst: total, sides, steps: (next - pc) as u8 })
    }

    /// `one die; [fetch] times; roll; … filter; count`
    fn count(&self, pc: usize) -> Option<Quick> {
        let Instr::Const { dst: one, k } = self.get(pc)? else { return None };
        let sides = self.one_die(k)?;
        let fetched = self.fetched(pc + 1);
        let mut at = pc + 1 + usize::from(fetched.is_some());
        let Instr::Mul { dst: many, a, b } = self.get(at)? else { return None };
        let times = if a == one { b } else { a };
        let Instr::Roll { dst: shown, dice } = self.get(at + 1)? else { return None };
        if !(a == one || b == one) || times == one || dice != many {
            return None;
        }
        let mut temporary = vec![one, many, shown];
        let from = fetched.filter(|(r, _)| *r == times);
        temporary.extend(fetched.map(|(r, _)| r));
        let dice = from.map_or(From::Reg(times), |(_, from)| from);
        at += 2;
        let lead = at - pc;
        let mut fetches = Vec::new();
        while let Some((dst, _)) = self.fetched(at) {
            fetches.push(dst);
            at += 1;
        }
        let Instr::Each { dst: kept, op: EachOp::Filter, list, frag, caps, n } = self.get(at)? else { return None };
        let Instr::Each { dst, op: EachOp::Sum, list: counted, frag: one_each, n: 0, .. } = self.get(at + 1)? else { return None };
        let next = at + 2;
        temporary.retain(|r| *r != dst && !fetches.contains(r));
        let faces = self.faces(frag, caps, n)?;
        // What the fetches overwrite may not be needed for the roll, nor what the count is compared with come from what is left out.
        let apart = (from.is_some() || !fetches.contains(&times)) && !fetches.contains(&shown) && faces.with != From::Reg(shown);
        let compared = !matches!(faces.with, From::Reg(r) if temporary.contains(&r) || (r == kept && !fetches.contains(&kept)));
        // The filter writes over what was fetched into its own register: nobody may miss it.
        if kept != dst {
            temporary.push(kept);
        }
        let fits = list == shown && counted == kept && self.is_one(one_each) && apart && compared && fetches.len() < 8;
        (fits && self.dead(&temporary, &[next])).then_some(Quick::Count {
            dst,
            sides,
            dice,
            faces,
            lead: lead as u8,
            skip: fetches.len() as u8,
        })
    }

    /// `filter; count`
    fn tally(&self, pc: usize) -> Option<Quick> {
        let Instr::Each { dst: kept, op: EachOp::Filter, list, frag, caps, n } = self.get(pc)? else { return None };
        let Instr::Each { dst, op: EachOp::Sum, list: counted, frag: one_each, n: 0, .. } = self.get(pc + 1)? else { return None };
        let fits = counted == kept && self.is_one(one_each) && (kept == dst || self.dead(&[kept], &[pc + 2]));
        let faces = self.faces(frag, caps, n)?;
        fits.then_some(Quick::Tally { dst, list, faces })
    }

    fn is_one(&self, frag: FragId) -> bool {
        let code = self.pack.fragments.get(frag.index()).map(|f| &f.code[..]);
        matches!(code, Some([Instr::Int { dst, v: 1 }, Instr::Return { src }]) if dst == src)
    }

    /// A term that compares the element with a number or with the one value it captures.
    fn faces(&self, frag: FragId, caps: Reg, n: u16) -> Option<Faces> {
        let found = comparison(self.pack, frag, n)?;
        let with = match found.with {
            Against::Int(v) => From::Int(v),
            Against::Captured => From::Reg(caps),
        };
        Some(Faces::new(found.test, found.it_first, with))
    }
}
