//! From bytecode to operations: copies are left out, and what is the same for all elements of a list stands first in each stretch.

use super::inline::{Lines, inlined, inlined_straight};
use super::order::{self, jump};
use super::webs::{Web, WebLine, Webs, webs};
use super::{Count, Op, Term};
use crate::bytecode::{Fun, Instr};
use crate::flow::Test;
use crate::ids::*;
use crate::operands::with_registers;
use crate::pack::{Fragment, Pack};

pub(super) fn term(pack: &Pack, fragment: &Fragment) -> Term {
    optimized(pack, fragment, false).unwrap_or_else(|| one_by_one(fragment))
}

/// A term that goes back somewhere, or is too large for the passes: each instruction is an operation.
fn one_by_one(fragment: &Fragment) -> Term {
    let op = |instr: &Instr| match *instr {
        Instr::Jump { to } => Op::Jump(to),
        Instr::JumpIf { cond, to } => Op::If { cond, is: true, to },
        Instr::JumpIfNot { cond, to } => Op::If { cond, is: false, to },
        Instr::JumpIfNone { src, to } => Op::IfNone { src, to },
        Instr::Return { src } => Op::Return(src),
        other => Op::Plain(other),
    };
    Term {
        ops: fragment.code.iter().map(op).collect(),
        sites: fragment.sites.iter().copied().map(Some).collect(),
        params: fragment.params,
        registers: fragment.registers.max(fragment.params),
        onces: 0,
    }
}

/// None: the passes do not know it well enough.
pub(super) fn optimized(pack: &Pack, fragment: &Fragment, of_each: bool) -> Option<Term> {
    let webs = simplified(pack, fragment.params, inlined(pack, fragment)?)?;
    written(&webs, fragment.params, of_each)
}

/// A predicate: it ends with saying that it is false, or before that otherwise. Its conditions are in an order of our own.
pub(super) struct Conditions {
    pub term: Term,
    /// Lines that come first and do not hang on the option. They lead on among themselves, to the line behind them, or to where it is false.
    pub first: Vec<WebLine>,
}

pub(super) fn predicate(pack: &Pack, fragment: &Fragment, of_option: bool) -> Option<Conditions> {
    let params = fragment.params;
    // What is asked twice is seen as long as it is one call.
    let mut calls = inlined_straight(pack, fragment)?;
    order::thread_jumps(&mut calls);
    let calls = order::written_out(&simplified(pack, params, calls)?, params as u32)?;
    let registers = u16::try_from(calls.registers()).ok()?;
    let calls = Fragment { params, registers, pure: true, code: calls.lines.iter().map(|l| l.instr).collect(), ..Fragment::default() };
    let mut lines = inlined(pack, &calls)?;
    order::thread_jumps(&mut lines);
    let mut webs = simplified(pack, params, lines)?;
    order::leave_out_absent(&mut webs);
    let first = order::by_cost(&mut webs, params as u32, of_option);
    let term = written(&webs, params, of_option)?;
    webs.lines.truncate(first);
    Some(Conditions { term, first: webs.lines })
}

fn simplified(pack: &Pack, params: u16, lines: Lines) -> Option<Webs> {
    let mut webs = webs(pack, params as u32, lines)?;
    leave_out_copies(&mut webs);
    Some(webs)
}

fn written(webs: &Webs, params: u16, of_each: bool) -> Option<Term> {
    // Parameters must be there still for the next element.
    if of_each && !webs.single.iter().take(params as usize).all(|s| *s) {
        return None;
    }
    let fixed = if of_each { fixed(webs, params as u32) } else { vec![false; webs.lines.len()] };
    let mut writer = Writer::new(webs, params, &fixed)?;
    let starts = starts(&webs.lines);
    let mut jumps: Vec<(usize, u32)> = Vec::new();
    let mut placed: Vec<u32> = vec![0; webs.lines.len() + 1];
    let mut onces = 0u16;
    let mut from = 0;
    while from < webs.lines.len() {
        let to = (from + 1..webs.lines.len()).find(|at| starts[*at]).unwrap_or(webs.lines.len());
        placed[from] = writer.ops.len() as u32;
        if fixed[from..to].contains(&true) {
            let once = writer.ops.len();
            writer.add(Op::Once { number: onces, to: 0 }, webs.lines[from].site);
            for at in (from..to).filter(|at| fixed[*at]) {
                writer.line(at, &webs.lines[at])?;
            }
            writer.add(Op::Known { number: onces }, webs.lines[from].site);
            writer.ops[once] = Op::Once { number: onces, to: writer.ops.len() as u32 };
            onces = onces.checked_add(1)?;
        }
        let mut ahead = (from..to).filter(|at| !fixed[*at] && webs.lines[*at].instr.is_some()).peekable();
        while let Some(at) = ahead.next() {
            let line = &webs.lines[at];
            let next = ahead.peek().map(|next| &webs.lines[*next]);
            if let Some((op, to)) = next.and_then(|next| writer.tested(line, next)) {
                jumps.push((writer.ops.len(), to));
                writer.add(op, line.site);
                ahead.next();
                continue;
            }
            if let Some(to) = line.instr.as_ref().and_then(jump) {
                jumps.push((writer.ops.len(), to));
            }
            writer.line(at, line)?;
        }
        from = to;
    }
    for (at, to) in jumps {
        let place = *placed.get(to as usize).filter(|_| (to as usize) < webs.lines.len())?;
        if let Some(Op::Jump(to) | Op::If { to, .. } | Op::IfNone { to, .. } | Op::IfCompare { to, .. }) = writer.ops.get_mut(at) {
            *to = place;
        }
    }
    Some(Term { ops: writer.ops, sites: writer.sites, params, registers: u16::try_from(writer.next).ok()?, onces })
}

/// Where stretches begin that are run as a whole.
fn starts(lines: &[WebLine]) -> Vec<bool> {
    let mut starts = vec![false; lines.len() + 1];
    for (at, line) in lines.iter().enumerate() {
        if let Some(to) = line.instr.as_ref().and_then(jump) {
            starts[at + 1] = true;
            if let Some(start) = starts.get_mut(to as usize) {
                *start = true;
            }
        }
    }
    starts
}

/// A value that is only handed on is read where it comes from, and what was worked out on every way that leads here is not worked out again.
fn leave_out_copies(webs: &mut Webs) {
    let mut stands_for: Vec<Web> = (0..webs.single.len() as u32).collect();
    // For each line: lines whose values are there, as far as is known.
    let mut arriving: Vec<Option<Vec<usize>>> = vec![None; webs.lines.len() + 1];
    let mut here: Option<Vec<usize>> = Some(Vec::new());
    // Where a predicate says that it is false must stay to be found.
    let last = webs.lines.len().saturating_sub(2);
    for at in 0..webs.lines.len() {
        let there = match (here.take(), arriving[at].take()) {
            (Some(mut a), Some(b)) => {
                a.retain(|line| b.contains(line));
                Some(a)
            }
            (a, b) => a.or(b),
        };
        let Some(mut there) = there else { continue };
        let (done, rest) = webs.lines.split_at_mut(at);
        let Some(line) = rest.first_mut() else { continue };
        for web in line.reads.iter_mut().chain(&mut line.row) {
            *web = stands_for[*web as usize];
        }
        let single = |web: &Web| webs.single[*web as usize];
        if let (Some(instr), Some(dst)) = (line.instr, line.write)
            && single(&dst)
            && line.reads.iter().chain(&line.row).all(single)
        {
            let same = |other: &WebLine| {
                other.reads == line.reads && other.row == line.row && other.instr.as_ref().is_some_and(|o| bare(o) == bare(&instr))
            };
            let known = match instr {
                Instr::Move { .. } => line.reads.first().copied(),
                _ if looks_only(&instr) && at != last => there.iter().filter_map(|l| done.get(*l)).find(|o| same(o)).and_then(|o| o.write),
                _ => None,
            };
            match known {
                Some(known) => {
                    stands_for[dst as usize] = known;
                    (line.instr, line.write) = (None, None);
                    line.reads.clear();
                    line.row.clear();
                }
                None if looks_only(&instr) => there.push(at),
                None => {}
            }
        }
        if let Some(waiting) = line.instr.as_ref().and_then(jump).and_then(|to| arriving.get_mut(to as usize)) {
            *waiting = Some(match waiting.take() {
                Some(mut other) => {
                    other.retain(|l| there.contains(l));
                    other
                }
                None => there.clone(),
            });
        }
        here = (!matches!(line.instr, Some(Instr::Jump { .. } | Instr::Return { .. } | Instr::Todo { .. }))).then_some(there);
    }
}

/// An instruction without its registers.
fn bare(instr: &Instr) -> Option<Instr> {
    with_registers(instr, &[0; 4], 0, 0)
}

/// It comes to the same wherever it is asked the same: nothing changes while a term is asked.
fn looks_only(instr: &Instr) -> bool {
    !matches!(instr, Instr::Return { .. } | Instr::Todo { .. } | Instr::CallCode { .. }) && jump(instr).is_none()
}

/// Lines that come to the same for all elements of a list: they look at nothing that hangs on the last parameter.
fn fixed(webs: &Webs, params: u32) -> Vec<bool> {
    let mut known = vec![false; webs.single.len()];
    for param in 0..params.saturating_sub(1) {
        known[param as usize] = webs.single[param as usize];
    }
    let mut fixed = Vec::with_capacity(webs.lines.len());
    for line in &webs.lines {
        let same = line.reads.iter().chain(&line.row).all(|web| known[*web as usize]);
        let is = match line.write {
            Some(write) if same && webs.single[write as usize] => {
                known[write as usize] = true;
                true
            }
            _ => false,
        };
        fixed.push(is);
    }
    fixed
}

struct Writer {
    ops: Vec<Op>,
    sites: Vec<Option<SiteId>>,
    /// The register of each web.
    places: Vec<u32>,
    /// For each line: where its row begins.
    rows: Vec<u32>,
    /// For each web: how often it is read.
    uses: Vec<u32>,
    next: u32,
}

const NOWHERE: u32 = u32::MAX;

impl Writer {
    /// A register serves again once its value is read no more. What is worked out once for all elements has one of its own.
    fn new(webs: &Webs, params: u16, fixed: &[bool]) -> Option<Writer> {
        let mut places = vec![NOWHERE; webs.single.len()];
        let mut stays = vec![false; webs.single.len()];
        for (line, _) in webs.lines.iter().zip(fixed).filter(|(_, fixed)| **fixed) {
            line.write.iter().for_each(|web| stays[*web as usize] = true);
        }
        (0..params as usize).for_each(|p| places[p] = p as u32);
        let mut uses = vec![0u32; webs.single.len()];
        for web in webs.lines.iter().flat_map(|l| l.reads.iter().chain(&l.row)) {
            uses[*web as usize] += 1;
        }
        let mut next = params as u32;
        let mut rows = vec![0; webs.lines.len()];
        for (at, line) in webs.lines.iter().enumerate() {
            if !needs_row(line) {
                continue;
            }
            rows[at] = next;
            for web in &line.row {
                // What is used nowhere else is put there in the first place.
                let place = places.get_mut(*web as usize)?;
                if *place == NOWHERE && uses[*web as usize] == 1 {
                    *place = next;
                }
                next += 1;
            }
        }
        // Ways lead on only: behind its last line nobody reads a value.
        let mut last = vec![0usize; webs.single.len()];
        for (at, line) in webs.lines.iter().enumerate() {
            line.reads.iter().chain(&line.row).chain(&line.write).for_each(|web| last[*web as usize] = at);
        }
        let mut free: Vec<u32> = Vec::new();
        let mut held: Vec<Web> = Vec::new();
        for (at, line) in webs.lines.iter().enumerate() {
            held.retain(|web| {
                let over = last[*web as usize] < at;
                if over {
                    free.push(places[*web as usize]);
                }
                !over
            });
            for web in line.reads.iter().chain(&line.row).chain(&line.write) {
                let place = places.get_mut(*web as usize)?;
                if *place == NOWHERE {
                    let stays = stays[*web as usize];
                    *place = free.pop_if(|_| !stays).unwrap_or(next);
                    next += u32::from(*place == next);
                    held.extend((!stays).then_some(*web));
                }
            }
        }
        (next < Reg::MAX as u32).then_some(Writer { ops: Vec::new(), sites: Vec::new(), places, rows, uses, next })
    }

    fn add(&mut self, op: Op, site: Option<SiteId>) {
        self.sites.push(site);
        self.ops.push(op);
    }

    fn reg(&self, web: Web) -> Reg {
        self.places.get(web as usize).map_or(0, |p| *p as Reg)
    }

    /// A comparison and the jump that hangs on it, in one.
    fn tested(&self, line: &WebLine, next: &WebLine) -> Option<(Op, Pc)> {
        let test = match line.instr? {
            Instr::Lt { .. } => Test::Lt,
            Instr::Le { .. } => Test::Le,
            Instr::Eq { .. } => Test::Eq,
            _ => return None,
        };
        let (is, to) = match next.instr? {
            Instr::JumpIf { to, .. } => (true, to),
            Instr::JumpIfNot { to, .. } => (false, to),
            _ => return None,
        };
        let alone = next.reads.first() == line.write.as_ref() && self.uses.get(line.write? as usize) == Some(&1);
        let (a, b) = (self.reg(*line.reads.first()?), self.reg(*line.reads.get(1)?));
        alone.then_some((Op::IfCompare { test, a, b, is, to: 0 }, to))
    }

    fn line(&mut self, at: usize, line: &WebLine) -> Option<()> {
        let Some(instr) = &line.instr else { return Some(()) };
        let read = |i: usize| line.reads.get(i).map(|web| self.reg(*web));
        let row = |i: usize| line.row.get(i).map(|web| self.reg(*web));
        let dst = line.write.map_or(0, |web| self.reg(web));
        let two = || Some((read(0)?, read(1)?));
        let count = |how| two().map(|(a, b)| Op::Count { dst, how, a, b });
        let compare = |test| two().map(|(a, b)| Op::Compare { dst, test, a, b });
        let op = match *instr {
            Instr::Move { .. } => Op::Move { dst, src: read(0)? },
            Instr::Int { v, .. } => Op::Int { dst, v },
            Instr::Jump { .. } => Op::Jump(0),
            Instr::JumpIf { .. } => Op::If { cond: read(0)?, is: true, to: 0 },
            Instr::JumpIfNot { .. } => Op::If { cond: read(0)?, is: false, to: 0 },
            Instr::JumpIfNone { .. } => Op::IfNone { src: read(0)?, to: 0 },
            Instr::Not { .. } => Op::Not { dst, a: read(0)? },
            Instr::Lt { .. } => compare(Test::Lt)?,
            Instr::Le { .. } => compare(Test::Le)?,
            Instr::Eq { .. } => compare(Test::Eq)?,
            Instr::Add { .. } => count(Count::Add)?,
            Instr::Sub { .. } => count(Count::Sub)?,
            Instr::Mul { .. } => count(Count::Mul)?,
            Instr::DivDown { .. } => count(Count::DivDown)?,
            Instr::Get { field, .. } => Op::Get { dst, obj: read(0)?, field },
            Instr::CallN { fun: Fun::Distance, n: 2, .. } => Op::Distance { dst, a: row(0)?, b: row(1)? },
            Instr::CallN { fun: Fun::MakePlace, n: 2, .. } => Op::MakePlace { dst, x: row(0)?, y: row(1)? },
            Instr::Call1 { fun: Fun::PlaceOf, .. } => Op::PlaceOf { dst, of: read(0)? },
            Instr::CallN { fun: Fun::Toward, n: 3, .. } => Op::Toward { dst, from: row(0)?, to: row(1)?, by: row(2)? },
            Instr::Each { op, frag, .. } => {
                Op::Each { dst, op, list: read(0)?, frag, caps: line.row.iter().map(|web| self.reg(*web)).collect() }
            }
            Instr::Return { .. } => Op::Return(read(0)?),
            _ => {
                let start = self.rows.get(at).copied().unwrap_or(0);
                for (place, web) in (start..).zip(&line.row) {
                    let src = self.places.get(*web as usize).copied()?;
                    if src != place {
                        self.add(Op::Move { dst: place as Reg, src: src as Reg }, line.site);
                    }
                }
                let reads: Vec<Reg> = line.reads.iter().map(|web| self.reg(*web)).collect();
                Op::Plain(with_registers(instr, &reads, start as Reg, dst)?)
            }
        };
        self.add(op, line.site);
        Some(())
    }
}

/// Reads registers that must stand one behind the other.
fn needs_row(line: &WebLine) -> bool {
    match line.instr {
        None => false,
        Some(Instr::Each { .. } | Instr::CallN { fun: Fun::Toward, n: 3, .. }) => false,
        Some(Instr::CallN { fun: Fun::Distance | Fun::MakePlace, n: 2, .. }) => false,
        Some(_) => !line.row.is_empty(),
    }
}
