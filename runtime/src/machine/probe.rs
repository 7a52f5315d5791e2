//! Is it legal? The machine runs on to the end of the head, trying every choice, and everything is put back. Where more may change than a head holds
//! itself, a copy of the machine does it, and is thrown away.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Machine;
use super::frame::Task;
use super::run::{Acted, Halt};
use crate::bytecode::Instr;
use crate::code::{Given, Predicate};
use crate::eval::{Scratch, View};
use crate::fault::{Bound, FaultKind, Res, fail};
use crate::flow::Trial;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::num;
use crate::operands::acts;
use crate::value::Value;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Probing {
    /// When the stack is shorter than this, the code in question has ended without a hitch.
    pub(super) floor: usize,
    depth: u32,
    /// No copy of the machine does it: what cannot be put back must not happen.
    in_place: bool,
}

impl Probing {
    pub(super) fn is_in_place(&self) -> bool {
        self.in_place
    }
}

/// Probes inside probes: each is a choice of the same head, and each has a copy of the machine on the Rust stack.
const DEEPEST: u32 = 24;

/// One predicate in so many is compared with its head, where what is believed is checked.
pub(super) const SAMPLED: u64 = 8;

impl Machine {
    /// Could the code at `pc` of the running fragment come to the end of its head, with this register set?
    pub(super) fn could(&mut self, pack: &Loaded, s: &mut Scratch, pc: Pc, with: Option<(Reg, Value)>) -> Res<bool> {
        if self.cannot_fail(pack, pc) {
            return Ok(true);
        }
        if with.is_none()
            && let Some(can) = self.by_term(pack, s, pc)?
        {
            // A head may come to a fault that the predicate has no need to look at.
            debug_assert!(
                !s.fuel.is_multiple_of(SAMPLED) || !self.tried(pack, s, pc, None).is_ok_and(|tried| tried != can),
                "a head and its predicate differ"
            );
            return Ok(can);
        }
        self.tried(pack, s, pc, with)
    }

    /// The same, found out by running it.
    fn tried(&mut self, pack: &Loaded, s: &mut Scratch, pc: Pc, with: Option<(Reg, Value)>) -> Res<bool> {
        let depth = self.probing.as_ref().map_or(0, |p| p.depth);
        if depth >= DEEPEST {
            return fail(FaultKind::Limit(Bound::Depth), "the head of an action holds too many choices inside choices");
        }
        let probing = |in_place| Probing { floor: self.stack.len(), depth: depth + 1, in_place };
        let (here, on_a_copy) = (probing(true), probing(false));
        if let Some(trial) = self.trial(pack, pc)
            && let Some(could) = self.try_in_place(pack, s, pc, with.as_ref(), here, trial)?
        {
            return Ok(could);
        }
        let mut copy = self.clone();
        copy.apart.trace = None;
        copy.drop_notes();
        copy.set_pc(pc as usize);
        copy.probing = Some(on_a_copy);
        let mut t = Scratch::new(s.regs.clone(), s.limits, s.fuel);
        if let (Some((r, value)), Some(Task::Frame(frame))) = (with, copy.stack.last()) {
            t.set(frame.base as usize, r, value);
        }
        t.derived = std::mem::take(&mut s.derived);
        let halt = copy.drive(pack, &mut t);
        s.derived = t.derived;
        s.fuel = t.fuel;
        // What depends on a roll or on something not yet asked is allowed.
        Ok(halt? != Halt::Illegal)
    }

    /// Can the head that starts here be completed, as far as a term can say that?
    fn by_term(&mut self, pack: &Loaded, s: &mut Scratch, pc: Pc) -> Res<Option<bool>> {
        let frame = self.frame()?;
        let Some(predicate) = pack.predicates().of_head(frame.frag, pc) else { return Ok(None) };
        let base = frame.base as usize;
        let said = self.ask_predicate(pack, s, base, predicate, |view, s, given| view.run_term(s, &predicate.term, given.start))?;
        said.map(|said| num::truth(&said)).transpose()
    }

    /// Asks a predicate, with what it is given behind all registers. None: it comes to no value, and the head has to be tried.
    pub(super) fn ask_predicate(
        &self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        predicate: &Predicate,
        ask: impl FnOnce(&View<'_>, &mut Scratch, Range<usize>) -> Res<Value>,
    ) -> Res<Option<Value>> {
        let frame = self.frame()?;
        let view = self.view(pack, frame.event, frame.you);
        let undecided = self.world.outcome.is_none() && self.decided.is_none() && frame.together.is_none();
        let cannot = predicate.actions.iter().flat_map(|a| &pack.rules_of_action(*a).cannot);
        let cannot_choose = pack.cannot_choose.iter().filter(|_| predicate.chooses);
        for at in cannot.chain(cannot_choose) {
            // What goes wrong here goes wrong where the head is tried, too.
            if !undecided || !view.sources(s, at.bundle).is_ok_and(|sources| sources.is_empty()) {
                return Ok(None);
            }
        }
        if !undecided {
            return Ok(None);
        }
        let behind = s.regs.len();
        let event = frame.event.and_then(|e| self.events.get(e as usize));
        for given in &predicate.given {
            let value = match *given {
                Given::Register(r) => s.reg(base, r),
                Given::Event(field) => event.and_then(|e| e.values.get(field as usize)).unwrap_or(&Value::None),
            };
            s.regs.push(value.clone());
        }
        let came = ask(&view, s, behind..behind + predicate.given.len());
        s.regs.truncate(behind);
        // What goes wrong here goes wrong where the head is tried, or does not come to it there.
        Ok(came.ok())
    }

    /// What has to be put back if the head is tried where it stands. None: that is too much.
    fn trial<'p>(&self, pack: &'p Loaded, pc: Pc) -> Option<&'p Trial> {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return None;
        };
        let undecided = self.world.outcome.is_none() && self.decided.is_none() && frame.together.is_none();
        pack.tried().in_place(frame.frag, pc).filter(|_| undecided)
    }

    /// Runs on to the end of the head, and puts back what that has changed. None: more would have changed than can be put back.
    fn try_in_place(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        pc: Pc,
        with: Option<&(Reg, Value)>,
        probing: Probing,
        trial: &Trial,
    ) -> Res<Option<bool>> {
        let (tasks, events, events_left) = (self.stack.len(), self.events.len(), self.apart.events_left);
        let (world, acted) = (trial.acts.then(|| self.world.clone()), self.acted);
        let Some(Task::Frame(frame)) = self.stack.last_mut() else {
            return Ok(Some(false));
        };
        let (base, event, was_at, guard) = (frame.base as usize, frame.event, frame.pc, frame.guard.take());
        frame.pc = pc;
        let (kept, held) = (s.kept.len(), s.regs.len());
        let values = event.and_then(|e| self.events.get(e as usize)).map_or(&[][..], |e| &e.values);
        s.kept.extend_from_slice(values);
        let registers = s.kept.len();
        let written = || trial.writes.iter().copied();
        s.kept.extend(written().map(|r| s.regs.get(base + r as usize).cloned().unwrap_or_default()));
        let chosen = with.map(|(r, value)| {
            let before = s.reg(base, *r).clone();
            s.set(base, *r, value.clone());
            (*r, before)
        });
        let outer = self.probing.replace(probing);
        let watched = (self.apart.trace.take(), self.apart.notes.take(), self.apart.pause.0.take());
        let dice = s.dice.take();
        let halt = self.drive(pack, s);
        s.dice = dice;
        (self.apart.trace, self.apart.notes, self.apart.pause.0) = watched;
        self.probing = outer;
        self.apart.events_left = events_left;
        s.regs.truncate(held);
        for (i, r) in written().enumerate() {
            let value = s.kept.get_mut(registers + i).map(std::mem::take).unwrap_or_default();
            s.set(base, r, value);
        }
        if let Some((r, value)) = chosen {
            s.set(base, r, value);
        }
        s.kept.truncate(registers);
        self.stack.truncate(tasks);
        self.apart.spare.keep_events(self.events.drain(events..));
        if let Some(event) = event.and_then(|e| self.events.get_mut(e as usize)) {
            event.values.clear();
            event.values.extend(s.kept.drain(kept..));
        }
        s.kept.truncate(kept);
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            (frame.pc, frame.guard) = (was_at, guard);
        }
        if let Some(world) = world {
            (self.world, self.acted) = (world, acted);
        }
        Ok(match halt? {
            Halt::Unsure => None,
            halt => Some(halt != Halt::Illegal),
        })
    }

    /// Nothing between here and the end of the head can be illegal: most heads end right behind their last choice.
    pub(super) fn cannot_fail(&self, pack: &Loaded, pc: Pc) -> bool {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return false;
        };
        let Some(fragment) = pack.fragments.get(frame.frag.index()) else {
            return false;
        };
        for instr in fragment.code.iter().skip(pc as usize) {
            match instr {
                Instr::Mark => return true,
                Instr::HeadEnd => {
                    let event = frame.event.and_then(|e| self.events.get(e as usize));
                    return event.is_none_or(|e| pack.rules_of_action(e.action).cannot.is_empty());
                }
                Instr::Move { .. } | Instr::EvSet { .. } | Instr::EvGet { .. } | Instr::Int { .. } | Instr::Const { .. } => {}
                Instr::Bool { .. } | Instr::None { .. } | Instr::HeadStep | Instr::Get { .. } | Instr::You { .. } => {}
                _ => return false,
            }
        }
        false
    }

    /// Does the head that starts here change the world before it ends?
    pub(super) fn head_acts(&self, pack: &Loaded, pc: Pc) -> bool {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return false;
        };
        let Some(fragment) = pack.fragments.get(frame.frag.index()) else {
            return false;
        };
        let ends = |i: &&Instr| matches!(i, Instr::Mark | Instr::HeadEnd | Instr::Emit { .. } | Instr::TogetherEnd);
        let head = fragment.code.iter().skip(pc as usize).take_while(|i| !ends(i));
        head.into_iter().any(|i| acts(pack, i))
    }

    /// `Probe`: legality of what follows.
    pub(super) fn probe(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, dst: Reg, end: Pc) -> Res<Acted> {
        let pc = self.frame()?.pc + 1;
        let legal = self.could(pack, s, pc, None)?;
        s.set(base, dst, Value::Bool(legal));
        Ok(Acted::Jump(end))
    }
}
