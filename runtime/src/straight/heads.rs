//! Heads as predicates. What stands between a choice and the end of its head says which options may be chosen. Where it only looks, it is written out as
//! a term of the option, the head of the action that is called included, and that term is asked of all options at once: what does not hang on the
//! option is worked out for the first of them only.

use crate::bytecode::Instr;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::operands::{acts_or_asks, operands, targets};
use crate::pack::{ChooseMode, Fragment};

use super::inline::renamed;
use super::{Straight, ops};

/// Where a value comes from that the rest of a head reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Register(Reg),
    /// A value of the event that the head declares.
    Event(u16),
    /// The option.
    Option,
}

#[derive(Debug)]
pub(crate) struct Predicate {
    pub term: Straight,
    /// What is given to it before the option.
    pub given: Vec<Given>,
    /// Whose controller must be the one who is `you` in the head already: `you` in the head of the action that is called.
    pub by: Vec<Given>,
}

/// The rest of the head behind the choice at `pc`, if it can be written as a term.
pub(crate) fn predicate(pack: &Loaded, frag: FragId, pc: Pc) -> Option<Predicate> {
    let fragment = pack.fragments.get(frag.index()).filter(|f| !f.pure)?;
    let Instr::Choose { dst, spec, .. } = *fragment.code.get(pc as usize)? else { return None };
    let spec = pack.chooses.get(spec.index())?;
    if spec.mode != ChooseMode::One || !spec.in_head || spec.such_that.is_some() {
        return None;
    }
    // A rule that forbids the action is asked at the end of its head.
    if pack.actions.iter().enumerate().any(|(i, a)| a.body == Some(frag) && forbidden(pack, ActionId(i as u32))) {
        return None;
    }
    let region = region(pack, fragment, pc + 1)?;
    let mut given: Vec<Given> = Vec::new();
    for instr in region.iter().filter_map(|at| fragment.code.get(*at)) {
        let used = operands(pack, instr);
        let registers = used.all_reads().filter_map(|r| Reg::try_from(r).ok()).map(Given::Register);
        let event = match *instr {
            Instr::EvGet { field, .. } => Some(Given::Event(field)),
            _ => None,
        };
        for new in registers.chain(event) {
            if new != Given::Register(dst) && !given.contains(&new) {
                given.push(new);
            }
        }
    }
    let params = given.len() as u32 + 1;
    let mut writer = Writer { pack, code: Vec::new(), next: params, fails: Vec::new(), by: Vec::new() };
    let registers = writer.room(fragment.registers.max(fragment.params) as u32);
    let values = writer.room(event_values(fragment, &region));
    for (i, from) in given.iter().enumerate() {
        let to = match *from {
            Given::Register(r) => registers + r as u32,
            Given::Event(field) => values + field as u32,
            Given::Option => continue,
        };
        writer.add(Instr::Move { dst: reg(to)?, src: reg(i as u32)? });
    }
    writer.add(Instr::Move { dst: reg(registers + dst as u32)?, src: reg(params - 1)? });
    writer.level(fragment, &region, Level { registers, values, outermost: Some(dst), action: None, depth: 0 })?;
    writer.end(false)?;
    let last = writer.code.len() as Pc - 2;
    for at in std::mem::take(&mut writer.fails) {
        if let Some(Instr::JumpIfNot { to, .. }) = writer.code.get_mut(at) {
            *to = last;
        }
    }
    let whole = Fragment {
        params: Reg::try_from(params).ok()?,
        registers: reg(writer.next)?,
        pure: true,
        sites: Vec::new(),
        code: writer.code,
        ..Fragment::default()
    };
    Some(Predicate { term: ops::straight_of(pack, &whole, true)?, given, by: writer.by })
}

fn reg(r: u32) -> Option<Reg> {
    Reg::try_from(r).ok()
}

fn forbidden(pack: &Loaded, action: ActionId) -> bool {
    !pack.rules_of_action(action).cannot.is_empty()
}

/// Room for all values of the event that are read or written.
fn event_values(fragment: &Fragment, region: &[usize]) -> u32 {
    let fields = region.iter().filter_map(|at| match fragment.code.get(*at)? {
        Instr::EvGet { field, .. } | Instr::EvSet { field, .. } => Some(*field as u32 + 1),
        _ => None,
    });
    fields.max().unwrap_or(0)
}

/// The head ends here, whatever follows.
fn ends(instr: &Instr) -> bool {
    use Instr as I;
    matches!(instr, I::Mark | I::HeadEnd | I::ScopeEnd { .. } | I::Emit { .. } | I::Return { .. } | I::Todo { .. } | I::Roll { .. })
}

/// Instructions from here to the end of the head, in their order. None: some lead back.
fn region(pack: &Loaded, fragment: &Fragment, from: Pc) -> Option<Vec<usize>> {
    let mut seen = vec![false; fragment.code.len()];
    let mut todo = vec![from as usize];
    while let Some(pc) = todo.pop() {
        let instr = fragment.code.get(pc)?;
        if std::mem::replace(&mut seen[pc], true) || ends(instr) {
            continue;
        }
        match *instr {
            // Who is only tried is never asked.
            Instr::May { no, .. } => todo.push(no as usize),
            _ => todo.extend(targets(pack, pc, instr).into_iter().map(|to| to as usize)),
        }
    }
    Some(seen.iter().enumerate().filter(|(_, s)| **s).map(|(pc, _)| pc).collect())
}

/// Where the registers of a fragment and the values of its event stand.
#[derive(Clone, Copy)]
struct Level {
    registers: u32,
    values: u32,
    /// The fragment of the choice itself, with the register of the option.
    outermost: Option<Reg>,
    /// The action whose head it is.
    action: Option<ActionId>,
    depth: u32,
}

struct Writer<'p> {
    pack: &'p Loaded,
    code: Vec<Instr>,
    next: u32,
    /// Jumps to where it comes to nothing.
    fails: Vec<usize>,
    by: Vec<Given>,
}

const DEEPEST: u32 = 4;

impl Writer<'_> {
    fn room(&mut self, n: u32) -> u32 {
        self.next += n;
        self.next - n
    }

    fn add(&mut self, instr: Instr) -> usize {
        self.code.push(instr);
        self.code.len() - 1
    }

    fn end(&mut self, legal: bool) -> Option<()> {
        let dst = self.room(1);
        self.add(Instr::Bool { dst: reg(dst)?, v: legal });
        self.add(Instr::Return { src: reg(dst)? });
        Some(())
    }

    fn level(&mut self, fragment: &Fragment, region: &[usize], level: Level) -> Option<()> {
        let own = |r: Reg| (level.registers + r as u32) as Reg;
        let value = |field: u16| reg(level.values + field as u32);
        let mut starts: Vec<Option<Pc>> = vec![None; fragment.code.len()];
        let mut jumps: Vec<(usize, Pc)> = Vec::new();
        for pc in region.iter().copied() {
            let instr = fragment.code.get(pc)?;
            starts[pc] = Some(self.code.len() as Pc);
            match *instr {
                Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => {
                    if to as usize <= pc {
                        return None;
                    }
                    let at = self.add(renamed(self.pack, instr, own)?);
                    jumps.push((at, to));
                }
                Instr::May { no, .. } => {
                    let at = self.add(Instr::Jump { to: 0 });
                    jumps.push((at, no));
                }
                Instr::Need { cond } => {
                    let at = self.add(Instr::JumpIfNot { cond: own(cond), to: 0 });
                    self.fails.push(at);
                }
                Instr::HeadStep => {}
                Instr::Mark | Instr::HeadEnd | Instr::ScopeEnd { .. } | Instr::Roll { .. } => self.end(true)?,
                // Who returns from the head has nothing left to do. In the fragment of the choice somebody waits for what it returns.
                Instr::Return { .. } if level.outermost.is_none() => self.end(true)?,
                Instr::EvGet { dst, field } => _ = self.add(Instr::Move { dst: own(dst), src: value(field)? }),
                Instr::EvSet { field, src } => _ = self.add(Instr::Move { dst: value(field)?, src: own(src) }),
                Instr::Emit { action, start, n, .. } => self.call(fragment, region, level, (action, start, n))?,
                Instr::Call { frag, .. } if !self.pack.fragments.get(frag.index()).is_some_and(|f| f.pure) => return None,
                Instr::CallCode { .. } | Instr::Push { .. } | Instr::Return { .. } | Instr::Todo { .. } => return None,
                Instr::ScopeGet { action, .. } if Some(action) == level.action => return None,
                Instr::Past { .. } if level.action.is_some() => return None,
                Instr::Call { frag, .. } | Instr::Each { frag, .. } if !self.may_ask(frag, fragment, region, level) => return None,
                _ if acts_or_asks(instr) => return None,
                _ => _ = self.add(renamed(self.pack, instr, own)?),
            }
        }
        for (at, to) in jumps {
            let place = (*starts.get(to as usize)?)?;
            if let Some(
                Instr::Jump { to: t } | Instr::JumpIf { to: t, .. } | Instr::JumpIfNot { to: t, .. } | Instr::JumpIfNone { to: t, .. },
            ) = self.code.get_mut(at)
            {
                *t = place;
            }
        }
        Some(())
    }

    /// May a term be asked from here? In the head of an action that is called it would look at an event that is not there; in the fragment of the choice at
    /// values that the head has not set.
    fn may_ask(&self, frag: FragId, fragment: &Fragment, region: &[usize], level: Level) -> bool {
        let sets = region.iter().any(|at| matches!(fragment.code.get(*at), Some(Instr::EvSet { .. })));
        (level.action.is_none() && !sets) || !looks_at_event(self.pack, frag, level.action, &mut Vec::new())
    }

    /// The head of an action that is called.
    fn call(&mut self, fragment: &Fragment, region: &[usize], level: Level, (action, start, n): (ActionId, Reg, u16)) -> Option<()> {
        let described = self.pack.actions.get(action.index())?;
        if described.once.is_some() || forbidden(self.pack, action) || level.depth >= DEEPEST {
            return None;
        }
        if let Some(by) = described.by {
            let dst = level.outermost?;
            let by = came_from(self.pack, fragment, region, start.checked_add(by).filter(|_| by < n)?, dst)?;
            self.by.push(by);
        }
        let head = described.body.and_then(|body| Some((body, self.pack.facts_of.get(body.index())?.head_end.filter(|end| *end > 0)?)));
        let Some((body, _)) = head else { return self.end(true) };
        let called = self.pack.fragments.get(body.index())?;
        let region = self::region(self.pack, called, 0)?;
        let registers = self.room(called.registers.max(called.params) as u32);
        let many = (described.fields.len() as u32).max(described.params as u32);
        let values = self.room(many);
        for i in 0..many {
            let dst = reg(values + i)?;
            let instr = match i < n as u32 && i < described.params as u32 {
                true => Instr::Move { dst, src: reg(level.registers + start as u32 + i)? },
                false => Instr::None { dst },
            };
            self.add(instr);
        }
        if event_values(called, &region) > many {
            return None;
        }
        self.level(called, &region, Level { registers, values, outermost: None, action: Some(action), depth: level.depth + 1 })
    }
}

/// Where the value of a register comes from, if it is the same on every way.
fn came_from(pack: &Loaded, fragment: &Fragment, region: &[usize], register: Reg, option: Reg) -> Option<Given> {
    let code = || region.iter().filter_map(|at| fragment.code.get(*at));
    let mut register = register;
    for _ in 0..4 {
        let writers: Vec<&Instr> = code().filter(|i| operands(pack, i).writes.contains(&register)).collect();
        match writers[..] {
            [] if register == option => return Some(Given::Option),
            [] => return Some(Given::Register(register)),
            [Instr::Move { src, .. }] => register = *src,
            [Instr::EvGet { field, .. }] if !code().any(|i| matches!(i, Instr::EvSet { field: f, .. } if f == field)) => {
                return Some(Given::Event(*field));
            }
            _ => return None,
        }
    }
    None
}

/// Does a term, or one that it calls, look at the event it is asked in, or at this action as one that is under way? Where a head is only read there is no
/// such event.
fn looks_at_event(pack: &Loaded, frag: FragId, action: Option<ActionId>, seen: &mut Vec<FragId>) -> bool {
    if seen.contains(&frag) {
        return false;
    }
    seen.push(frag);
    let Some(fragment) = pack.fragments.get(frag.index()) else { return true };
    fragment.code.iter().any(|instr| match *instr {
        Instr::EvGet { .. } | Instr::Past { .. } | Instr::CallCode { .. } => true,
        Instr::ScopeGet { action: scope, .. } => Some(scope) == action,
        Instr::Call { frag, .. } | Instr::Each { frag, .. } => looks_at_event(pack, frag, action, seen),
        _ => false,
    })
}
