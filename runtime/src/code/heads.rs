//! Heads as predicates. What stands between a choice and the end of its head says which options may be chosen, and what stands in a line of a menu whether it
//! is offered. Where it only looks, it is written out as a term, the head of the action that is called included, and that term is asked of all options
//! at once: what does not hang on the option is worked out for the first of them only. A choice inside the head is a question whether there is an
//! option with which the rest can be completed.
//!
//! Where a term comes to no value (a fault, a fact that nobody told, somebody else who is `you`), the head is tried as it is written.

use rustc_hash::FxHashMap;

use super::inline::renamed;
use super::order::{Bytecode, jump, lead};
use super::translate::Conditions;
use super::webs::WebLine;
use super::{Term, translate};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::operands::{acts_or_asks, operands, targets};
use crate::pack::{Choose, ChooseMode, Fragment};

/// Where a value comes from that the rest of a head reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Register(Reg),
    /// A value of the event that the head declares.
    Event(u16),
}

#[derive(Debug)]
pub(crate) struct Predicate {
    pub term: Term,
    /// What is given to it, before the option if there is one.
    pub given: Vec<Given>,
    /// It holds while nothing forbids these actions.
    pub actions: Vec<ActionId>,
    /// It holds while nothing forbids to choose something.
    pub chooses: bool,
}

/// All that are known of a pack.
#[derive(Debug, Default)]
pub(crate) struct Predicates {
    /// For each choice, by its place: what an option must satisfy.
    choices: FxHashMap<(FragId, Pc), Predicate>,
    /// For each place from which a head is tried: whether it can be completed.
    heads: FxHashMap<(FragId, Pc), Predicate>,
    /// What is asked of the options of choices inside heads. Numbered behind the fragments of the pack.
    inner: Vec<Term>,
}

impl Predicates {
    pub fn of_choice(&self, frag: FragId, pc: Pc) -> Option<&Predicate> {
        self.choices.get(&(frag, pc))
    }

    pub fn of_head(&self, frag: FragId, pc: Pc) -> Option<&Predicate> {
        self.heads.get(&(frag, pc))
    }

    pub fn inner(&self, number: usize) -> Option<&Term> {
        self.inner.get(number)
    }
}

pub(crate) fn predicates(pack: &Loaded) -> Predicates {
    let mut builder = Builder { pack, inner: Vec::new(), actions: Vec::new(), chooses: false };
    let mut all = Predicates::default();
    for (f, fragment) in pack.fragments.iter().enumerate().filter(|(_, f)| !f.pure) {
        let frag = FragId(f as u32);
        for (pc, instr) in fragment.code.iter().enumerate() {
            let pc = pc as Pc;
            let starts = match *instr {
                Instr::Choose { dst, spec, caps, n, .. } => {
                    let spec = pack.chooses.get(spec.index()).filter(|s| s.mode == ChooseMode::One && s.in_head && s.such_that.is_none());
                    let head = |spec: &Choose| Head { option: Some(dst), keep: kept(spec, caps, n), ..Head::at(frag, pc + 1) };
                    if let Some(predicate) = spec.and_then(|spec| builder.predicate(head(spec))) {
                        all.choices.insert((frag, pc), predicate);
                    }
                    Vec::new()
                }
                Instr::May { .. } | Instr::Probe { .. } => vec![pc + 1],
                Instr::Menu { menu, .. } => pack.menus.get(menu.index()).map_or_else(Vec::new, |menu| menu.lines.clone()),
                _ => Vec::new(),
            };
            for start in starts {
                if let Some(predicate) = builder.predicate(Head::at(frag, start)) {
                    all.heads.insert((frag, start), predicate);
                }
            }
        }
    }
    all.inner = builder.inner;
    all
}

/// A head, or the rest of one.
#[derive(Clone, Copy)]
struct Head {
    frag: FragId,
    from: Pc,
    /// The register of the option that the rest is asked of.
    option: Option<Reg>,
    /// What an option must satisfy before the rest is asked, with the registers it captures.
    keep: Option<(FragId, Reg, u16)>,
    /// The action that is called, if it is its head.
    action: Option<ActionId>,
    /// Values of the event were set before.
    sets: bool,
    depth: u32,
}

impl Head {
    fn at(frag: FragId, from: Pc) -> Head {
        Head { frag, from, option: None, keep: None, action: None, sets: false, depth: 0 }
    }
}

struct Builder<'p> {
    pack: &'p Loaded,
    inner: Vec<Term>,
    actions: Vec<ActionId>,
    chooses: bool,
}

/// Heads inside heads.
const DEEPEST: u32 = 4;

impl Builder<'_> {
    fn predicate(&mut self, head: Head) -> Option<Predicate> {
        let before = self.inner.len();
        (self.actions, self.chooses) = (Vec::new(), false);
        let Some((Conditions { term, .. }, given)) = self.term(head) else {
            self.inner.truncate(before);
            return None;
        };
        Some(Predicate { term, given, actions: std::mem::take(&mut self.actions), chooses: self.chooses })
    }

    /// Something may forbid this action: that is for whoever asks to look at.
    fn may_be_forbidden(&mut self, action: ActionId) {
        if !self.pack.rules_of_action(action).cannot.is_empty() && !self.actions.contains(&action) {
            self.actions.push(action);
        }
    }

    fn term(&mut self, head: Head) -> Option<(Conditions, Vec<Given>)> {
        let pack = self.pack;
        let fragment = pack.fragments.get(head.frag.index())?;
        // A rule that forbids the action is asked at the end of its head.
        let declared = pack.actions.iter().enumerate().filter(|(_, a)| a.body == Some(head.frag));
        declared.for_each(|(i, _)| self.may_be_forbidden(ActionId(i as u32)));
        let region = region(pack, fragment, head.from)?;
        let given = given(pack, fragment, &region, head);
        let params = given.len() as u32 + u32::from(head.option.is_some());
        let mut writer = Writer { builder: self, code: Vec::new(), next: params, fails: Vec::new() };
        let level = Level {
            registers: writer.room(fragment.registers.max(fragment.params) as u32),
            values: writer.room(event_values(fragment, &region)),
            head,
        };
        for (i, from) in given.iter().enumerate() {
            let to = match *from {
                Given::Register(r) => level.registers + r as u32,
                Given::Event(field) => level.values + field as u32,
            };
            writer.add(Instr::Move { dst: reg(to)?, src: reg(i as u32)? });
        }
        if let Some(option) = head.option {
            writer.add(Instr::Move { dst: reg(level.registers + option as u32)?, src: reg(params - 1)? });
        }
        if let (Some((keep, caps, n)), Some(option)) = (head.keep, head.option) {
            let row = writer.room(n as u32 + 2);
            for i in 0..n as u32 {
                writer.add(Instr::Move { dst: reg(row + i)?, src: reg(level.registers + caps as u32 + i)? });
            }
            writer.add(Instr::Move { dst: reg(row + n as u32)?, src: reg(level.registers + option as u32)? });
            let dst = reg(row + n as u32 + 1)?;
            writer.add(Instr::Call { dst, frag: keep, start: reg(row)?, n: n.checked_add(1)? });
            writer.need(dst);
        }
        writer.level(fragment, &region, level)?;
        writer.end(false)?;
        let last = writer.code.len() as Pc - 2;
        for at in std::mem::take(&mut writer.fails) {
            writer.lead(at, last);
        }
        let (code, registers) = (std::mem::take(&mut writer.code), reg(writer.next)?);
        let whole = Fragment { params: reg(params)?, registers, pure: true, code, ..Fragment::default() };
        let is_asked_of_each = head.option.is_some();
        let as_it_is = || Some(Conditions { term: translate::optimized(pack, &whole, is_asked_of_each)?, first: Vec::new() });
        Some((translate::predicate(pack, &whole, is_asked_of_each).or_else(as_it_is)?, given))
    }
}

fn kept(spec: &Choose, caps: Reg, n: u16) -> Option<(FragId, Reg, u16)> {
    spec.keep.map(|keep| (keep, caps, n))
}

fn reg(r: u32) -> Option<Reg> {
    Reg::try_from(r).ok()
}

/// What a head may read that was there before it, without the option.
fn given(pack: &Loaded, fragment: &Fragment, region: &[usize], head: Head) -> Vec<Given> {
    let option = head.option;
    let captured = head.keep.map_or(0..0, |(_, caps, n)| caps..caps.saturating_add(n));
    let mut given: Vec<Given> = captured.map(Given::Register).collect();
    for instr in region.iter().filter_map(|at| fragment.code.get(*at)) {
        let used = operands(pack, instr);
        let registers = used.all_reads().filter_map(reg).filter(|r| Some(*r) != option).map(Given::Register);
        let event = match *instr {
            Instr::EvGet { field, .. } => Some(Given::Event(field)),
            _ => None,
        };
        for new in registers.chain(event) {
            if !given.contains(&new) {
                given.push(new);
            }
        }
    }
    given
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
    let over = matches!(instr, I::Mark | I::HeadEnd | I::ScopeBegin { .. } | I::ScopeEnd { .. } | I::Return { .. } | I::Todo { .. });
    over || matches!(instr, I::Emit { .. } | I::Roll { .. })
}

/// Instructions from here to the end of the head, in their order. None: it has no end.
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

/// Where the registers of a fragment and the values of its event stand.
#[derive(Clone, Copy)]
struct Level {
    registers: u32,
    values: u32,
    head: Head,
}

impl Level {
    fn place(&self, of: Given) -> Option<Reg> {
        match of {
            Given::Register(r) => reg(self.registers + r as u32),
            Given::Event(field) => reg(self.values + field as u32),
        }
    }
}

struct Writer<'b, 'p> {
    builder: &'b mut Builder<'p>,
    code: Vec<Instr>,
    next: u32,
    /// Jumps to where it comes to nothing.
    fails: Vec<usize>,
}

impl Writer<'_, '_> {
    fn room(&mut self, n: u32) -> u32 {
        self.next += n;
        self.next - n
    }

    fn add(&mut self, instr: Instr) -> usize {
        self.code.push(instr);
        self.code.len() - 1
    }

    /// Says where a jump leads.
    fn lead(&mut self, at: usize, place: Pc) {
        if let Some(instr) = self.code.get_mut(at) {
            lead(instr, place);
        }
    }

    fn lead_here(&mut self, jumps: &[usize]) {
        jumps.iter().for_each(|at| self.lead(*at, self.code.len() as Pc));
    }

    fn need(&mut self, cond: Reg) {
        let at = self.add(Instr::JumpIfNot { cond, to: 0 });
        self.fails.push(at);
    }

    fn end(&mut self, legal: bool) -> Option<()> {
        let dst = reg(self.room(1))?;
        self.add(Instr::Bool { dst, v: legal });
        self.add(Instr::Return { src: dst });
        Some(())
    }

    fn level(&mut self, fragment: &Fragment, region: &[usize], level: Level) -> Option<()> {
        let pack = self.builder.pack;
        let own = |r: Reg| (level.registers + r as u32) as Reg;
        let action = level.head.action;
        let sets = level.head.sets || region.iter().any(|at| matches!(fragment.code.get(*at), Some(Instr::EvSet { .. })));
        // In the head of an action that is called a term would look at an event that is not there, else at values that the head has not set.
        let may_ask = |frag| (action.is_none() && !sets) || !looks_at_event(pack, frag, action, &mut Vec::new());
        let mut starts: Vec<Option<Pc>> = vec![None; fragment.code.len()];
        let mut jumps: Vec<(usize, Pc)> = Vec::new();
        for pc in region.iter().copied() {
            let instr = fragment.code.get(pc)?;
            starts[pc] = Some(self.code.len() as Pc);
            match *instr {
                Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => {
                    let at = self.add(renamed(pack, instr, own)?);
                    jumps.push((at, to));
                }
                Instr::May { no, .. } => {
                    let at = self.add(Instr::Jump { to: 0 });
                    jumps.push((at, no));
                }
                Instr::Need { cond } => self.need(own(cond)),
                Instr::HeadStep => {}
                Instr::Mark | Instr::HeadEnd | Instr::ScopeBegin { .. } | Instr::ScopeEnd { .. } | Instr::Roll { .. } => self.end(true)?,
                // Who returns from the head has nothing left to do. In other fragments somebody waits for what they return.
                Instr::Return { .. } if action.is_some() => self.end(true)?,
                Instr::EvGet { dst, field } => _ = self.add(Instr::Move { dst: own(dst), src: level.place(Given::Event(field))? }),
                Instr::EvSet { field, src } => _ = self.add(Instr::Move { dst: level.place(Given::Event(field))?, src: own(src) }),
                Instr::Emit { action, start, n, .. } => self.call(level, (action, start, n))?,
                Instr::Choose { dst, spec, set, caps, n, .. } => {
                    let spec = pack.chooses.get(spec.index())?;
                    if !spec.in_head {
                        self.end(true)?;
                        continue;
                    }
                    let plain = spec.mode == ChooseMode::One && spec.such_that.is_none() && spec.each_once.is_none();
                    if !plain {
                        return None;
                    }
                    self.builder.chooses = true;
                    let rest = Head {
                        from: pc as Pc + 1,
                        option: Some(dst),
                        keep: kept(spec, caps, n),
                        sets,
                        depth: level.head.depth + 1,
                        ..level.head
                    };
                    if rest.keep.is_some_and(|(keep, ..)| !may_ask(keep)) {
                        return None;
                    }
                    self.choose(level, rest, own(set))?;
                    self.add(Instr::None { dst: own(dst) });
                }
                Instr::Call { frag, .. } if !pack.fragments.get(frag.index()).is_some_and(|f| f.pure) => return None,
                Instr::CallCode { .. } | Instr::Push { .. } | Instr::Return { .. } | Instr::Todo { .. } => return None,
                Instr::ScopeGet { action: scope, .. } if Some(scope) == action => return None,
                Instr::Past { .. } if action.is_some() => return None,
                Instr::Call { frag, .. } | Instr::Each { frag, .. } if !may_ask(frag) => return None,
                _ if acts_or_asks(instr) => return None,
                _ => _ = self.add(renamed(pack, instr, own)?),
            }
        }
        for (at, to) in jumps {
            self.lead(at, (*starts.get(to as usize)?)?);
        }
        Some(())
    }

    /// A choice: is there an option with which the rest can be completed? Where there is nothing to choose from at all, the head goes on without.
    fn choose(&mut self, level: Level, rest: Head, set: Reg) -> Option<()> {
        if rest.depth > DEEPEST {
            return None;
        }
        let (Conditions { term, first }, given) = self.builder.term(rest)?;
        let frag = FragId((self.builder.pack.fragments.len() + self.builder.inner.len()) as u32);
        self.builder.inner.push(term);
        let absent = self.add(Instr::JumpIfNone { src: set, to: 0 });
        let row = self.room(given.len() as u32);
        for (i, from) in given.iter().enumerate() {
            self.add(Instr::Move { dst: reg(row + i as u32)?, src: level.place(*from)? });
        }
        self.conditions(&first, row, given.len() as u32)?;
        let dst = reg(self.room(1))?;
        self.add(Instr::Each { dst, op: EachOp::Any, list: set, frag, caps: reg(row)?, n: u16::try_from(given.len()).ok()? });
        self.need(dst);
        self.end(true)?;
        self.lead_here(&[absent]);
        Some(())
    }

    /// Conditions of the options that do not hang on the option, which is behind what is given: they are asked before there is one.
    fn conditions(&mut self, lines: &[WebLine], row: u32, given: u32) -> Option<()> {
        let webs = lines.iter().flat_map(|l| l.reads.iter().chain(&l.row).chain(&l.write)).max().map_or(0, |web| *web + 1);
        let own = self.room(webs);
        let mut code = Bytecode { lines: Vec::new(), registers: self.next };
        let mut starts = Vec::with_capacity(lines.len() + 1);
        let mut jumps: Vec<(usize, usize)> = Vec::new();
        for line in lines {
            starts.push((self.code.len() + code.lines.len()) as Pc);
            let Some(instr) = &line.instr else { continue };
            code.add(line, |web| reg(if web < given { row + web } else { own + web }))?;
            jumps.extend(jump(instr).map(|to| (self.code.len() + code.lines.len() - 1, to as usize)));
        }
        self.next = code.registers;
        self.code.extend(code.lines.into_iter().map(|line| line.instr));
        starts.push(self.code.len() as Pc);
        for (at, to) in jumps {
            match starts.get(to) {
                Some(place) => lead(self.code.get_mut(at)?, *place),
                None => self.fails.push(at),
            }
        }
        Some(())
    }

    /// The head of an action that is called.
    fn call(&mut self, level: Level, (action, start, n): (ActionId, Reg, u16)) -> Option<()> {
        let pack = self.builder.pack;
        let described = pack.actions.get(action.index())?;
        if described.once.is_some() || level.head.depth >= DEEPEST {
            return None;
        }
        self.builder.may_be_forbidden(action);
        if let Some(by) = described.by {
            self.same_you(reg(level.registers + start as u32 + u32::from(by).min(u32::from(n).checked_sub(1)?))?)?;
        }
        let head_end = |body: FragId| pack.facts_of.get(body.index()).and_then(|f| f.head_end);
        let Some(body) = described.body.filter(|body| head_end(*body).is_some_and(|end| end > 0)) else { return self.end(true) };
        let called = pack.fragments.get(body.index())?;
        let region = region(pack, called, 0)?;
        let many = (described.fields.len() as u32).max(described.params as u32);
        let registers = self.room(called.registers.max(called.params) as u32);
        let values = self.room(many);
        if event_values(called, &region) > many {
            return None;
        }
        for i in 0..many {
            let dst = reg(values + i)?;
            self.add(match i < n as u32 && i < described.params as u32 {
                true => Instr::Move { dst, src: reg(level.registers + start as u32 + i)? },
                false => Instr::None { dst },
            });
        }
        let head = Head { frag: body, from: 0, option: None, keep: None, action: Some(action), sets: true, depth: level.head.depth + 1 };
        self.level(called, &region, Level { registers, values, head })
    }

    /// In the head of an action `you` is whoever controls the one that does it. Here it must be the same player.
    fn same_you(&mut self, by: Reg) -> Option<()> {
        let [controller, you, same] = [reg(self.room(1))?, reg(self.room(1))?, reg(self.room(1))?];
        let nobody = self.add(Instr::JumpIfNone { src: by, to: 0 });
        self.add(Instr::Call1 { dst: controller, fun: Fun::Controller, a: by });
        let uncontrolled = self.add(Instr::JumpIfNone { src: controller, to: 0 });
        self.add(Instr::You { dst: you });
        self.add(Instr::Eq { dst: same, a: controller, b: you });
        let fine = self.add(Instr::JumpIf { cond: same, to: 0 });
        // Comes to no value.
        self.add(Instr::Todo { words: StrId(0) });
        self.lead_here(&[nobody, uncontrolled, fine]);
        Some(())
    }
}
