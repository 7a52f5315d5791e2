//! Running on inside one fragment. As long as it only rolls, looks and changes its own event, two ways differ in nothing but its registers and the event's
//! values: odds keep these instead of whole machines.

use super::answers::whole_dice;
use super::frame::{Ret, Task};
use super::run::{Acted, site_at};
use super::{Handed, Machine};
use crate::bytecode::Instr;
use crate::eval::{Flow, Scratch, View};
use crate::fault::{Fault, Stop};
use crate::flow::{FragmentFacts, Private};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::Fragment;
use crate::quick::Quick;
use crate::value::{Dice, Value};

/// A machine of which nothing but the running fragment is at work. It is put back and sent on again for every way the dice may fall.
pub(crate) struct Alone<'p> {
    pub(super) machine: Machine,
    /// The registers of the machine are in here.
    pub(super) s: Scratch<'static>,
    pub(super) pack: &'p Loaded,
    pub(super) facts: &'p FragmentFacts,
    pub(super) quick: &'p [Quick],
    pub(super) fragment: &'p Fragment,
    pub(super) base: usize,
    pub(super) event: Option<u32>,
    pub(super) pc: usize,
    frag: FragId,
    pub(super) you: ObjId,
    private: &'p Private,
    /// The action of its event, if it is the body of it.
    body_of: Option<ActionId>,
}

pub(crate) enum Came {
    /// To a roll in the same fragment.
    Roll(Dice),
    /// To something that concerns more than the fragment; it is not done yet.
    Away,
}

impl<'p> Alone<'p> {
    /// None: no fragment is running.
    pub fn new(mut machine: Machine, pack: &'p Loaded, handed: &mut Handed) -> Option<Alone<'p>> {
        let Some(Task::Frame(frame)) = machine.stack.last() else { return None };
        let (frag, base, event, pc, you) = (frame.frag, frame.base as usize, frame.event, frame.pc as usize, frame.you);
        let instance = event.filter(|e| frame.ret == Ret::Body(*e)).and_then(|e| machine.events.get(e as usize));
        let body_of = instance.map(|e| e.action);
        // The question is answered by somebody who holds the dice himself.
        machine.pending = None;
        let mut s = Scratch::new(std::mem::take(&mut machine.registers), machine.limits, machine.limits.steps);
        s.derived = std::mem::take(&mut handed.derived.0);
        let fragment = pack.fragments.get(frag.index())?;
        let (facts, quick) = (pack.facts_of.get(frag.index())?, pack.quick_of(frag));
        Some(Alone { machine, s, pack, facts, quick, fragment, base, event, pc, frag, you, private: pack.private(), body_of })
    }

    pub(super) fn view(&self) -> View<'_> {
        self.machine.view(self.pack, self.event, self.you)
    }

    /// The values of its event.
    pub(super) fn values(&self) -> &[Value] {
        self.event.and_then(|e| self.machine.events.get(e as usize)).map_or(&[], |e| &e.values)
    }

    pub fn pc(&self) -> Pc {
        self.pc as Pc
    }

    /// Each value of the event in which ways may differ that still matters.
    #[inline(always)]
    fn each_value(&self, mut then: impl FnMut(usize)) {
        if self.facts.sets.is_empty() {
            return;
        }
        let live = self.body_of.map_or(u64::MAX, |action| self.private.live(action, self.frag, self.pc));
        for field in &self.facts.sets {
            if *field >= 64 || live >> field & 1 == 1 {
                then(*field as usize);
            }
        }
    }

    /// Adds what the fragment holds that still matters: registers, then values of its event.
    pub fn hold(&self, held: &mut Vec<Value>) {
        let registers = self.s.regs.get(self.base..).unwrap_or_default();
        self.facts.each_live(self.pc, self.fragment.registers, |r| held.push(copy(registers, r)));
        self.each_value(|f| held.push(copy(self.values(), f)));
    }

    /// Stands again where it stood when it held that.
    pub fn put(&mut self, pc: Pc, held: &[Value]) {
        self.pc = pc as usize;
        self.s.fuel = self.s.limits.steps;
        self.machine.apart.events_left = self.s.limits.events;
        let mut held = held.iter();
        let registers = self.s.regs.get_mut(self.base..).unwrap_or_default();
        self.facts.each_live(self.pc, self.fragment.registers, |r| {
            if let (Some(slot), Some(value)) = (registers.get_mut(r), held.next()) {
                put_back(slot, value);
            }
        });
        if held.len() == 0 {
            return;
        }
        let Some(event) = self.event.and_then(|e| self.machine.events.get_mut(e as usize)) else { return };
        let mut values = std::mem::take(&mut event.values);
        self.each_value(|f| {
            if let (Some(slot), Some(value)) = (values.get_mut(f), held.next()) {
                put_back(slot, value);
            }
        });
        if let Some(event) = self.event.and_then(|e| self.machine.events.get_mut(e as usize)) {
            event.values = values;
        }
    }

    /// The roll it stands at comes to that.
    pub fn land(&mut self, value: Value) {
        if let Some(Instr::Roll { dst, .. }) = self.fragment.code.get(self.pc) {
            self.s.set(self.base, *dst, value);
            self.pc += 1;
        }
    }

    /// Goes on as far as nothing but the fragment is concerned.
    pub fn run(&mut self) -> Result<Came, Fault> {
        match self.steps() {
            Ok(came) => Ok(came),
            Err(Stop::Fault(fault)) => Err(*fault),
            // Asked again, and answered, by the machine as a whole.
            Err(Stop::Fact { .. }) => Ok(Came::Away),
        }
    }

    fn steps(&mut self) -> Result<Came, Stop> {
        let (fragment, pack, base) = (self.fragment, self.pack, self.base);
        loop {
            self.pc = self.machine.short_cuts(pack, self.frag, self.pc, &mut self.s, (base, self.event, self.you));
            let pc = self.pc;
            let here = |stop: Stop| stop.at(site_at(fragment, pc));
            let Some(instr) = fragment.code.get(pc) else { return Ok(Came::Away) };
            self.s.burn().map_err(here)?;
            let view = self.machine.view(pack, self.event, self.you);
            match view.exec(&mut self.s, base, instr).map_err(here)? {
                Flow::Next => self.pc += 1,
                Flow::Jump(to) => self.pc = to as usize,
                Flow::Return(_) => return Ok(Came::Away),
                Flow::NotPure => match *instr {
                    Instr::Roll { dice, .. } => match whole_dice(self.s.reg(base, dice)) {
                        Some(dice) if dice.count > 0 && dice.sides > 0 && dice.count <= self.s.limits.list_length => {
                            return Ok(Came::Roll(dice));
                        }
                        _ => self.act(instr).map_err(here)?,
                    },
                    Instr::EvSet { .. } => self.act(instr).map_err(here)?,
                    _ => return Ok(Came::Away),
                },
            }
        }
    }

    pub(super) fn act(&mut self, instr: &Instr) -> Result<(), Stop> {
        self.machine.set_pc(self.pc);
        self.pc = match self.machine.act(self.pack, &mut self.s, self.base, instr)? {
            Acted::Jump(to) => to as usize,
            _ => self.pc + 1,
        };
        Ok(())
    }

    /// What it found out is for the next one.
    pub fn hand_back(&mut self, handed: &mut Handed) {
        handed.derived.0 = std::mem::take(&mut self.s.derived);
    }

    /// Where in the source it stands.
    pub fn site(&self) -> Option<SiteId> {
        site_at(self.fragment, self.pc)
    }

    /// A whole machine that goes on from here.
    pub fn whole(&self) -> Machine {
        let mut machine = self.machine.clone();
        machine.registers = self.s.regs.clone();
        machine.refuel();
        machine.set_pc(self.pc);
        machine
    }

    /// The same, where this one is needed no longer.
    pub fn into_whole(mut self) -> Machine {
        self.machine.registers = std::mem::take(&mut self.s.regs);
        self.machine.refuel();
        self.machine.set_pc(self.pc);
        self.machine
    }
}

/// Most values are numbers, and need no ceremony.
#[inline(always)]
fn copy(values: &[Value], i: usize) -> Value {
    match values.get(i) {
        Some(Value::Int(n)) => Value::Int(*n),
        Some(other) => other.clone(),
        None => Value::None,
    }
}

#[inline(always)]
fn put_back(slot: &mut Value, value: &Value) {
    match (slot, value) {
        (Value::Int(old), Value::Int(new)) => *old = *new,
        (slot, value) => *slot = value.clone(),
    }
}
