//! The loop: takes the topmost task a bit further until there is something to ask.

use super::answers::Then;
use super::frame::{Ret, Task};
use super::{Machine, Step};
use crate::bytecode::Instr;
use crate::eval::{Flow, Scratch, View};
use crate::fault::{Fault, Res, Stop};
use crate::generator::Generator;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::Fragment;
use crate::question::Ask;
use crate::value::Value;

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    Asked,
    Done,
    /// As high as was asked for.
    Paused,
    /// While probing: the end of the head was reached, or cannot be.
    Legal,
    Illegal,
    /// While probing in place: something would happen that cannot be put back.
    Unsure,
}

/// What a run came to, for those who look at the machine itself: the question that waits, or the result.
pub enum Ran {
    Asked,
    Done,
    Fault(Fault),
}

/// What an acting instruction came to.
pub(super) enum Acted {
    Next,
    Jump(Pc),
    /// The stack changed; where this fragment goes on is noted in its frame.
    Switch,
    Halt(Halt),
}

impl Machine {
    /// Runs until something is asked, all is done, or it cannot go on.
    pub fn run(&mut self, pack: &Loaded) -> Step {
        self.run_with(pack, None)
    }

    /// The same with dice from a seed: rolls are then no questions, but each counts as an answer.
    pub fn run_seeded(&mut self, pack: &Loaded, dice: &mut Generator) -> Step {
        self.run_with(pack, Some(dice))
    }

    fn run_with(&mut self, pack: &Loaded, dice: Option<&mut Generator>) -> Step {
        match (self.run_to(pack, dice), &self.pending) {
            (Ran::Asked, Some(pending)) => Step::Asked(pending.question.clone()),
            (Ran::Asked | Ran::Done, _) => Step::Done(self.result.clone()),
            (Ran::Fault(fault), _) => Step::Fault(fault),
        }
    }

    /// The same as `run`; what is asked is not told but waits.
    pub fn run_on(&mut self, pack: &Loaded) -> Ran {
        self.run_to(pack, None)
    }

    fn run_to(&mut self, pack: &Loaded, dice: Option<&mut Generator>) -> Ran {
        if self.pending.is_some() {
            return Ran::Asked;
        }
        let derived = std::mem::take(&mut self.apart.derived.0);
        let mut s = Scratch::knowing(derived, std::mem::take(&mut self.registers), self.limits, self.apart.fuel);
        s.dice = dice;
        let halt = self.drive(pack, &mut s);
        self.apart.derived.0 = std::mem::take(&mut s.derived);
        self.registers = std::mem::take(&mut s.regs);
        self.apart.fuel = s.fuel;
        match halt {
            Ok(Halt::Asked) => Ran::Asked,
            Ok(_) => Ran::Done,
            Err(Stop::Fault(fault)) => Ran::Fault(*fault),
            Err(Stop::Fact { fact, args }) => {
                let name = pack.facts.get(fact.index()).map_or("", |f| pack.text(f.name)).to_owned();
                self.ask(pack, name, NOBODY_ASKED, Ask::Fact { fact, args: args.clone() }, Then::Fact { fact, args });
                Ran::Asked
            }
        }
    }

    /// Runs until the innermost event that is under way is over. Some: the run came to this before, or there is no such event.
    pub fn run_event(&mut self, pack: &Loaded) -> Option<Ran> {
        let event = self.stack.iter().rposition(|t| matches!(t, Task::Batch(_)));
        self.apart.pause.0 = event.map(|at| at as u32);
        let ran = self.run_on(pack);
        // The loop takes it away where it pauses.
        (event.is_none() || self.apart.pause.0.take().is_some()).then_some(ran)
    }

    pub(super) fn drive(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Halt> {
        loop {
            if self.apart.pause.0.is_some_and(|height| self.stack.len() <= height as usize) {
                self.apart.pause.0 = None;
                return Ok(Halt::Paused);
            }
            if self.stop_when_won && self.world.outcome.is_some() {
                self.stack.clear();
                self.events.clear();
                s.regs.clear();
            }
            if let Some(depth) = self.decided
                && (depth == 0 || self.batches() < depth)
            {
                self.decided = None;
                self.next_statement(pack, s);
            }
            let halt = match self.stack.last() {
                None => Some(Halt::Done),
                Some(Task::Frame(_)) => self.run_frame(pack, s)?,
                Some(Task::Batch(_)) => self.advance_batch(pack, s)?,
                Some(Task::Resolve { .. }) => self.advance_resolve(pack, s)?,
            };
            if let Some(halt) = halt {
                return Ok(halt);
            }
        }
    }

    /// Events that are under way, those that happen together as one.
    pub(super) fn batches(&self) -> u32 {
        let batches = self.stack.iter().filter(|t| matches!(t, Task::Batch(_)));
        batches.count() as u32
    }

    /// The event that decided the game is over. In a test, what else is running ends, and its next statement begins; the world stays as it is,
    /// to be looked at.
    fn next_statement(&mut self, pack: &Loaded, s: &mut Scratch) {
        let Some(Task::Frame(test)) = self.stack.first_mut() else {
            return;
        };
        let Some(fragment) = pack.fragments.get(test.frag.index()) else {
            return;
        };
        let rest = fragment.code.iter().skip(test.pc as usize);
        if self.probing.is_some() || !fragment.code.contains(&Instr::Statement) {
            return;
        }
        test.pc += rest.take_while(|i| **i != Instr::Statement).count() as Pc;
        (test.scopes, test.together, test.guard) = (0, None, None);
        s.regs.truncate(test.base as usize + fragment.registers as usize);
        self.stack.truncate(1);
        self.events.clear();
        self.checking = false;
    }

    pub(super) fn view<'a>(&'a self, pack: &'a Loaded, event: Option<u32>, you: ObjId) -> View<'a> {
        View { pack, world: &self.world, events: &self.events, event, you, script: &self.script }
    }

    fn run_frame(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Option<Halt>> {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return Ok(None);
        };
        let (frag, base, event, you) = (frame.frag, frame.base as usize, frame.event, frame.you);
        let mut pc = frame.pc as usize;
        let fragment = pack.fragment(frag)?;
        loop {
            let Some(instr) = fragment.code.get(pc) else {
                self.set_pc(pc);
                return self.return_from(pack, s, Value::None);
            };
            let flow = match s.burn() {
                // What ends a fragment or changes something most often is not looked for among all the others.
                Ok(()) if matches!(instr, Instr::Set { .. } | Instr::Emit { .. } | Instr::EvMod { .. }) => Ok(Flow::NotPure),
                Ok(()) => self.view(pack, event, you).exec(s, base, instr),
                Err(stop) => Err(stop),
            };
            match flow {
                Ok(Flow::Next) => pc += 1,
                Ok(Flow::Jump(to)) => pc = to as usize,
                Ok(Flow::Return(r)) => {
                    self.set_pc(pc);
                    let value = s.reg(base, r).clone();
                    return self.return_from(pack, s, value);
                }
                Ok(Flow::NotPure) => {
                    self.set_pc(pc);
                    match self.act(pack, s, base, instr).map_err(|stop| stop.at(site_at(fragment, pc)))? {
                        Acted::Next => pc += 1,
                        Acted::Jump(to) => pc = to as usize,
                        Acted::Switch => return Ok(None),
                        Acted::Halt(halt) => return Ok(Some(halt)),
                    }
                }
                Err(stop) => {
                    self.set_pc(pc);
                    return Err(stop.at(site_at(fragment, pc)));
                }
            }
        }
    }

    pub(super) fn set_pc(&mut self, pc: usize) {
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.pc = pc as Pc;
        }
    }

    /// The running fragment goes on behind the current instruction when it is on top again.
    pub(super) fn step_over(&mut self) {
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.pc += 1;
        }
    }

    pub(super) fn return_from(&mut self, pack: &Loaded, s: &mut Scratch, value: Value) -> Res<Option<Halt>> {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return Ok(None);
        };
        if frame.scopes > 0 && self.probing.is_none() {
            // Leaving in the middle of a phase closes it; then the same return is run again.
            self.close_scope(pack)?;
            return Ok(None);
        }
        if let Ret::InPlace(at) = frame.ret {
            self.leave_phase(s, at)?;
            return Ok(None);
        }
        let Some(Task::Frame(frame)) = self.stack.pop() else {
            return Ok(None);
        };
        s.regs.truncate(frame.base as usize);
        match frame.ret {
            Ret::Root => self.result = value,
            Ret::Reg(dst) => {
                if let Some(Task::Frame(below)) = self.stack.last() {
                    s.set(below.base as usize, dst, value);
                }
            }
            Ret::Body(event) => {
                if let Some(event) = self.events.get_mut(event as usize) {
                    event.result = value;
                    if event.in_head {
                        // A fragment that returns from its head has nothing left to resolve.
                        event.in_head = false;
                        event.carried = true;
                    }
                }
            }
            Ret::Instead(event) if value != Value::None => {
                if let Some(event) = self.events.get_mut(event as usize) {
                    event.result = value;
                }
            }
            Ret::Instead(_) | Ret::InPlace(_) | Ret::Nothing => {}
        }
        if let Some(probing) = &self.probing
            && self.stack.len() < probing.floor
        {
            return Ok(Some(Halt::Legal));
        }
        Ok(None)
    }

    /// The instruction the topmost frame stands at, and its place in the source.
    pub(super) fn current<'p>(&self, pack: &'p Loaded) -> Option<(&'p Instr, Option<SiteId>)> {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return None;
        };
        let fragment = pack.fragments.get(frame.frag.index())?;
        Some((fragment.code.get(frame.pc as usize)?, site_at(fragment, frame.pc as usize)))
    }
}

pub(super) const NOBODY_ASKED: ObjId = crate::world::NOBODY;

pub(super) fn site_at(fragment: &Fragment, pc: usize) -> Option<SiteId> {
    fragment.sites.get(pc).copied()
}
