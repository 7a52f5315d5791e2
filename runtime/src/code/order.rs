//! In which order a predicate looks at its conditions. It is true if all of them hold, whatever their order: the cheap ones are looked at first, and what a costly
//! one needs is worked out only when those before it hold. Conditions that do not hang on the option can be asked before there is a list of options.

use std::ops::Range;

use super::inline::{Line, Lines};
use super::webs::{Web, WebLine, Webs};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::ids::*;
use crate::operands::with_registers;

/// Leads to the end at once where a jump only leads to a condition that the same value decides.
pub(super) fn thread_jumps(lines: &mut Lines) {
    let Some(exit) = exit(lines.lines.iter().map(|l| Some(&l.instr))) else { return };
    for at in 0..lines.lines.len() {
        let known = match lines.lines[at].instr {
            Instr::JumpIf { cond, .. } => Some((cond, true)),
            Instr::JumpIfNot { cond, .. } => Some((cond, false)),
            _ => None,
        };
        if let (Some(known), Some(to)) = (known, jump(&lines.lines[at].instr))
            && comes_to_exit(lines, known, to as usize, exit)
        {
            lead(&mut lines.lines[at].instr, exit as Pc);
        }
    }
}

/// The line that a predicate fails at: its last two say that it is false.
fn exit<'a>(lines: impl DoubleEndedIterator<Item = Option<&'a Instr>> + ExactSizeIterator) -> Option<usize> {
    let many = lines.len();
    let mut last = lines.rev();
    match (last.next()?, last.next()?) {
        (Some(Instr::Return { .. }), Some(Instr::Bool { v: false, .. })) => many.checked_sub(2),
        _ => None,
    }
}

/// From `to` on nothing but copies and decided jumps lead to the exit. What they write is not read there.
fn comes_to_exit(lines: &Lines, known: (Reg, bool), to: usize, exit: usize) -> bool {
    let mut known = vec![known];
    let mut at = to;
    while at < exit {
        let value = |known: &[(Reg, bool)], r: Reg| known.iter().find(|(k, _)| *k == r).map(|(_, v)| *v);
        let Some(line) = lines.lines.get(at) else { return false };
        at = match line.instr {
            Instr::Jump { to } => to as usize,
            Instr::JumpIf { cond, to } | Instr::JumpIfNot { cond, to } => {
                let wanted = matches!(line.instr, Instr::JumpIf { .. });
                match value(&known, cond) {
                    Some(v) if v == wanted => to as usize,
                    Some(_) => at + 1,
                    None => return false,
                }
            }
            Instr::Move { dst, .. } | Instr::Not { dst, .. } | Instr::Bool { dst, .. } => {
                let new = match line.instr {
                    Instr::Move { src, .. } => value(&known, src),
                    Instr::Not { a, .. } => value(&known, a).map(|v| !v),
                    Instr::Bool { v, .. } => Some(v),
                    _ => None,
                };
                known.retain(|(k, _)| *k != dst);
                known.extend(new.map(|v| (dst, v)));
                at + 1
            }
            _ => return false,
        };
    }
    at == exit
}

pub(super) fn jump(instr: &Instr) -> Option<Pc> {
    match *instr {
        Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => Some(to),
        _ => None,
    }
}

pub(super) fn lead(instr: &mut Instr, place: Pc) {
    if let Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } = instr {
        *to = place;
    }
}

/// Jumps that are taken where there is no list are left out where there is one.
pub(super) fn leave_out_absent(webs: &mut Webs) {
    let mut lists = vec![false; webs.single.len()];
    for line in &mut webs.lines {
        match line.instr {
            Some(Instr::JumpIfNone { .. }) if line.reads.first().is_some_and(|web| lists[*web as usize]) => {
                line.instr = None;
                line.reads.clear();
            }
            Some(instr) => {
                if let Some(write) = line.write.filter(|web| webs.single[*web as usize]) {
                    lists[write as usize] = makes_list(&instr);
                }
            }
            None => {}
        }
    }
}

fn makes_list(instr: &Instr) -> bool {
    let each = |op: EachOp| matches!(op, EachOp::Filter | EachOp::Map | EachOp::SortBy | EachOp::DistinctBy);
    match *instr {
        Instr::AllOf { .. } | Instr::MakeList { .. } | Instr::Parts { .. } | Instr::Players { .. } => true,
        Instr::CallN { fun: Fun::Spots, .. } => true,
        Instr::Each { op, .. } => each(op),
        _ => false,
    }
}

/// The lines once more as bytecode, a register for each web.
pub(super) fn written_out(webs: &Webs, params: u32) -> Option<Lines> {
    let mut places: Vec<Option<Reg>> = vec![None; webs.single.len()];
    let mut next = 0;
    let used = webs.lines.iter().filter(|l| l.instr.is_some()).flat_map(|l| l.reads.iter().chain(&l.row).chain(&l.write)).copied();
    for web in (0..params).chain(used) {
        let place = places.get_mut(web as usize)?;
        if place.is_none() {
            *place = Some(Reg::try_from(next).ok()?);
            next += 1;
        }
    }
    let mut code = Bytecode { lines: Vec::new(), registers: next };
    let mut starts = Vec::with_capacity(webs.lines.len());
    let mut jumps: Vec<usize> = Vec::new();
    for line in &webs.lines {
        starts.push(code.lines.len() as Pc);
        if let Some(instr) = &line.instr {
            code.add(line, |web| *places.get(web as usize)?)?;
            jumps.extend(jump(instr).map(|_| code.lines.len() - 1));
        }
    }
    for at in jumps {
        let instr = &mut code.lines.get_mut(at)?.instr;
        let to = jump(instr)?;
        lead(instr, *starts.get(to as usize)?);
    }
    Some(Lines::of(code.lines, code.registers))
}

/// Bytecode that is made of lines again.
pub(super) struct Bytecode {
    pub lines: Vec<Line>,
    pub registers: u32,
}

impl Bytecode {
    /// What must stand in a row is copied there. A jump leads where it led.
    pub fn add(&mut self, line: &WebLine, own: impl Fn(Web) -> Option<Reg>) -> Option<()> {
        let instr = line.instr.as_ref()?;
        let start = self.registers;
        for (i, web) in line.row.iter().enumerate() {
            let dst = Reg::try_from(start + i as u32).ok()?;
            self.lines.push(Line { instr: Instr::Move { dst, src: own(*web)? }, site: line.site });
        }
        self.registers += line.row.len() as u32;
        let reads: Vec<Reg> = line.reads.iter().map(|web| own(*web)).collect::<Option<_>>()?;
        let dst = line.write.map_or(Some(0), &own)?;
        let instr = with_registers(instr, &reads, Reg::try_from(start).ok()?, dst)?;
        self.lines.push(Line { instr, site: line.site });
        Some(())
    }
}

/// Lines that belong together: one that only computes, or a stretch with jumps inside.
struct Unit {
    lines: Range<usize>,
    /// It may find that the predicate is false.
    is_condition: bool,
    /// It may find that the predicate does not apply.
    is_guard: bool,
    reads: Vec<Web>,
    writes: Vec<Web>,
    cost: u32,
}

/// A condition whose work costs no more than this is cheap: it needs no list and no longer term.
const CHEAP: u32 = 24;

/// Puts the conditions in order. Gives how many lines come first that are cheap and do not hang on the option, the last parameter: they can be asked
/// before there is an option.
pub(super) fn by_cost(webs: &mut Webs, params: u32, of_option: bool) -> usize {
    sorted(webs, params, of_option).map_or(0, |(units, order, first, tail)| {
        let lines = |order: &[usize]| order.iter().flat_map(|u| units[*u].lines.clone()).collect::<Vec<_>>();
        let sequence: Vec<usize> = lines(&order).into_iter().chain(tail..webs.lines.len()).collect();
        let first = lines(&order[..first]).len();
        put_in_order(webs, &units, &sequence);
        first
    })
}

type Sorted = (Vec<Unit>, Vec<usize>, usize, usize);

/// The units, their order, how many of them come first, and the first line behind them. None: all stays as it is.
fn sorted(webs: &Webs, params: u32, of_option: bool) -> Option<Sorted> {
    let exit = exit(webs.lines.iter().map(|l| l.instr.as_ref()))?;
    let (units, tail) = units(webs, exit);
    let mut made_by: Vec<Option<usize>> = vec![None; webs.single.len()];
    for (u, unit) in units.iter().enumerate() {
        unit.writes.iter().for_each(|web| made_by[*web as usize] = Some(u));
    }
    let parameter_written = (0..params as usize).any(|p| made_by[p].is_some());
    let written_behind = webs.lines[tail..].iter().filter_map(|l| l.write).any(|web| made_by[web as usize].is_some());
    if parameter_written || written_behind {
        return None;
    }
    let option = params.checked_sub(1).filter(|_| of_option);
    let mut fixed = vec![false; units.len()];
    for (u, unit) in units.iter().enumerate() {
        fixed[u] = unit.reads.iter().all(|web| match made_by[*web as usize] {
            Some(by) => by == u || fixed[by],
            None => Some(*web) != option,
        });
    }
    let makers = |u: usize| units[u].reads.iter().filter_map(|web| made_by[*web as usize]).filter(move |by| *by != u);
    let needed = |u: usize| {
        let mut slice = vec![u];
        let mut next = 0;
        while let Some(at) = slice.get(next).copied() {
            next += 1;
            for by in makers(at) {
                if !slice.contains(&by) {
                    slice.push(by);
                }
            }
        }
        slice.sort_unstable();
        slice
    };
    let mut conditions: Vec<((bool, bool, bool), Vec<usize>)> = Vec::new();
    for (u, unit) in units.iter().enumerate().filter(|(_, unit)| unit.is_condition || unit.is_guard) {
        let slice = needed(u);
        let costly = slice.iter().map(|u| units[*u].cost).sum::<u32>() > CHEAP;
        // Whether the predicate applies at all must be known before anything else is said.
        if unit.is_guard && (costly || !fixed[u]) {
            return None;
        }
        conditions.push(((!unit.is_guard, costly, !fixed[u]), slice));
    }
    conditions.sort_by_key(|(key, _)| *key);
    let mut order: Vec<usize> = Vec::new();
    let mut first = 0;
    let add = |order: &mut Vec<usize>, slice: &[usize]| {
        for u in slice {
            if !order.contains(u) {
                order.push(*u);
            }
        }
    };
    for ((_, costly, varies), slice) in &conditions {
        add(&mut order, slice);
        if !costly && !varies {
            first = order.len();
        }
    }
    // What is only read behind the last condition.
    let behind = webs.lines[tail..].iter().flat_map(|l| l.reads.iter().chain(&l.row)).filter_map(|web| made_by[*web as usize]);
    for u in behind.collect::<std::collections::BTreeSet<_>>() {
        add(&mut order, &needed(u));
    }
    Some((units, order, first, tail))
}

/// The lines of a predicate up to where it may end otherwise than by a condition that does not hold, and where that is.
fn units(webs: &Webs, exit: usize) -> (Vec<Unit>, usize) {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(end) = stretch(webs, at, exit) {
        stretches.push(at..end);
        at = end;
    }
    let tail = at;
    // What is written in several stretches makes one of them and of all between.
    let mut last_write = vec![0; webs.single.len()];
    for (at, line) in webs.lines.iter().enumerate().take(tail) {
        if let Some(web) = line.write {
            last_write[web as usize] = at;
        }
    }
    let mut units: Vec<Unit> = Vec::new();
    let mut next = 0;
    while let Some(first) = stretches.get(next) {
        let mut lines = first.clone();
        next += 1;
        let mut seen = lines.start;
        while seen < lines.end {
            if let Some(web) = webs.lines[seen].write {
                while lines.end <= last_write[web as usize] {
                    let Some(more) = stretches.get(next) else { break };
                    lines.end = more.end;
                    next += 1;
                }
            }
            seen += 1;
        }
        units.push(unit(&webs.lines[lines.clone()], lines, exit));
    }
    (units, tail)
}

/// From a line to where all ways that lead on from it have met. None: it may end before that.
fn stretch(webs: &Webs, at: usize, exit: usize) -> Option<usize> {
    let mut end = at + 1;
    let mut line = at;
    while line < end {
        if end > exit {
            return None;
        }
        match &webs.lines.get(line)?.instr {
            Some(Instr::Return { .. }) => return None,
            Some(instr) => {
                let to = jump(instr).map(|to| to as usize).filter(|to| *to != exit);
                end = end.max(to.unwrap_or(0));
            }
            None => {}
        }
        line += 1;
    }
    Some(end)
}

fn unit(of: &[WebLine], lines: Range<usize>, exit: usize) -> Unit {
    let leads_out = |l: &WebLine| l.instr.as_ref().and_then(jump).is_some_and(|to| to as usize == exit);
    Unit {
        lines,
        is_condition: of.iter().any(leads_out),
        is_guard: of.iter().any(|l| matches!(l.instr, Some(Instr::Todo { .. }))),
        reads: of.iter().flat_map(|l| l.reads.iter().chain(&l.row)).copied().collect(),
        writes: of.iter().filter_map(|l| l.write).collect(),
        cost: of.iter().filter_map(|l| l.instr.as_ref()).map(cost).sum(),
    }
}

fn cost(instr: &Instr) -> u32 {
    match instr {
        Instr::Each { .. } | Instr::Call { .. } | Instr::CallCode { .. } | Instr::Past { .. } | Instr::Fact { .. } => 64,
        Instr::CallN { fun: Fun::Distance | Fun::Within | Fun::MakePlace | Fun::Min | Fun::Max, .. } => 2,
        Instr::CallN { .. } | Instr::AllOf { .. } => 32,
        Instr::HasKeyword { .. } | Instr::KeywordNumber { .. } => 8,
        _ => 1,
    }
}

fn put_in_order(webs: &mut Webs, units: &[Unit], sequence: &[usize]) {
    let mut place = vec![0 as Pc; webs.lines.len()];
    for (new, old) in sequence.iter().enumerate() {
        place[*old] = new as Pc;
    }
    // A jump to the end of its own stretch leads behind it, wherever that is now.
    let leads = |at: usize, to: usize| match units.iter().find(|u| u.lines.contains(&at)) {
        Some(unit) if to == unit.lines.end => place[to - 1] + 1,
        _ => place[to],
    };
    let mut lines: Vec<Option<WebLine>> = std::mem::take(&mut webs.lines).into_iter().map(Some).collect();
    for at in sequence {
        if let Some(mut line) = lines[*at].take() {
            if let Some(instr) = &mut line.instr
                && let Some(to) = jump(instr)
            {
                let to = leads(*at, to as usize);
                lead(instr, to);
            }
            webs.lines.push(line);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Op, translate};
    use crate::bytecode::{EachOp, Instr};
    use crate::ids::*;
    use crate::pack::{Fragment, Pack};

    const FALSE: [Instr; 2] = [Instr::Bool { dst: 9, v: false }, Instr::Return { src: 9 }];
    const TRUE: [Instr; 2] = [Instr::Bool { dst: 8, v: true }, Instr::Return { src: 8 }];

    /// Of something given, a Bool, and an option. Jumps to 99 lead to where it is false.
    fn made(code: &[Instr]) -> translate::Conditions {
        let mut code: Vec<Instr> = code.iter().chain(&TRUE).copied().collect();
        let exit = code.len() as Pc;
        code.iter_mut().filter(|i| super::jump(i) == Some(99)).for_each(|i| super::lead(i, exit));
        code.extend(FALSE);
        let fragment = Fragment { params: 2, registers: 10, pure: true, code, ..Fragment::default() };
        translate::predicate(&Pack::default(), &fragment, true).unwrap()
    }

    /// Is it true for all of a list? That is costly, and hangs on the option.
    fn costly() -> [Instr; 3] {
        [
            Instr::MakeList { dst: 2, start: 1, n: 1 },
            Instr::Each { dst: 3, op: EachOp::All, list: 2, frag: FragId(7), caps: 0, n: 0 },
            Instr::JumpIfNot { cond: 3, to: 99 },
        ]
    }

    fn at(ops: &[Op], wanted: impl Fn(&Op) -> bool) -> usize {
        ops.iter().position(wanted).unwrap()
    }

    #[test]
    fn what_is_cheap_and_fixed_comes_first() {
        let given = [Instr::JumpIfNot { cond: 0, to: 99 }];
        let made = made(&[&costly()[..], &given].concat());
        let ops = &made.term.ops;
        assert!(at(ops, |op| matches!(op, Op::If { cond: 0, .. })) < at(ops, |op| matches!(op, Op::Each { .. })), "{ops:?}");
        // it is also told apart, to be asked before there is an option
        assert!(matches!(made.first[..], [ref only] if matches!(only.instr, Some(Instr::JumpIfNot { .. })) && only.reads == [0]));
    }

    #[test]
    fn both_sides_of_an_and_are_conditions() {
        // need (all of the list) and given
        let and = [Instr::Move { dst: 4, src: 3 }, Instr::JumpIfNot { cond: 4, to: 5 }, Instr::Move { dst: 4, src: 0 }];
        let code = [&costly()[..2], &and, &[Instr::JumpIfNot { cond: 4, to: 99 }]].concat();
        let made = made(&code);
        let ops = &made.term.ops;
        assert!(at(ops, |op| matches!(op, Op::If { cond: 0, .. })) < at(ops, |op| matches!(op, Op::Each { .. })), "{ops:?}");
        assert_eq!(made.first.len(), 1);
    }

    #[test]
    fn the_same_costly_thing_is_asked_once() {
        let again =
            [Instr::Each { dst: 5, op: EachOp::All, list: 2, frag: FragId(7), caps: 0, n: 0 }, Instr::JumpIfNot { cond: 5, to: 99 }];
        let made = made(&[&costly()[..], &again].concat());
        assert_eq!(made.term.ops.iter().filter(|op| matches!(op, Op::Each { .. })).count(), 1);
    }

    #[test]
    fn whether_it_applies_is_known_before_anything_else() {
        // unless the option is given it comes to no value
        let guard = [Instr::JumpIf { cond: 0, to: 5 }, Instr::Todo { words: StrId(0) }];
        let code = [&costly()[..], &guard, &[Instr::JumpIfNot { cond: 0, to: 99 }]].concat();
        let made = made(&code);
        let ops = &made.term.ops;
        let todo = at(ops, |op| matches!(op, Op::Plain(Instr::Todo { .. })));
        assert!(todo < at(ops, |op| matches!(op, Op::If { is: false, .. })), "{ops:?}");
        assert!(todo < at(ops, |op| matches!(op, Op::Each { .. })));
    }

    #[test]
    fn what_hangs_on_a_costly_guard_stays_in_its_place() {
        let guard = [Instr::JumpIf { cond: 3, to: 4 }, Instr::Todo { words: StrId(0) }];
        let code = [&costly()[..2], &guard, &[Instr::JumpIfNot { cond: 0, to: 99 }]].concat();
        let made = made(&code);
        let ops = &made.term.ops;
        assert!(at(ops, |op| matches!(op, Op::Each { .. })) < at(ops, |op| matches!(op, Op::If { cond: 0, .. })), "{ops:?}");
        assert!(made.first.is_empty());
    }

    #[test]
    fn lists_that_are_there_are_not_asked_whether_they_are() {
        let absent = [Instr::JumpIfNone { src: 2, to: 5 }, Instr::JumpIfNot { cond: 0, to: 99 }];
        let code = [&costly()[..1], &absent, &costly()[1..]].concat();
        let made = made(&code);
        assert!(!made.term.ops.iter().any(|op| matches!(op, Op::IfNone { .. })));
        assert_eq!(made.first.len(), 1);
    }
}
