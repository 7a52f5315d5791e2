//! Running on inside one fragment. As long as it only rolls, looks and changes its own event, two ways differ in nothing but its registers and the event's
//! values: odds keep these instead of whole machines.

use super::answers::whole_dice;
use super::frame::{Ret, Task};
use super::packed::{Packed, Packer};
use super::run::{Acted, site_at};
use super::slots::SlotsOf;
use super::{Handed, Machine};
use crate::bytecode::Instr;
use crate::eval::{Flow, Scratch, View};
use crate::fault::{Fault, Stop};
use crate::flow::{FragmentFacts, Private};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::Fragment;
use crate::value::{Dice, Value};
use crate::world::NOBODY;

/// A machine of which nothing but the running fragment is at work. It is put back and sent on again for every way the dice may fall.
pub struct Alone<'p> {
    pub(super) machine: Box<Machine>,
    /// The registers of the machine are in here.
    pub(super) s: Scratch<'static>,
    pub(super) pack: &'p Loaded,
    pub(super) facts: &'p FragmentFacts,
    pub(super) fragment: &'p Fragment,
    pub(super) base: usize,
    pub(super) event: Option<u32>,
    pub(super) pc: usize,
    pub(super) frag: FragId,
    pub(super) you: ObjId,
    pub(super) private: &'p Private,
    /// The action of its event, if it is the body of it.
    pub(super) body_of: Option<ActionId>,
    /// How much was measured before it set out.
    measured: usize,
    /// What matters at places where it stopped or was put.
    pub(super) slots: SlotsOf,
}

pub enum Came {
    /// To a roll in the same fragment.
    Roll(Dice),
    /// To something that concerns more than the fragment; it is not done yet.
    Away,
}

impl<'p> Alone<'p> {
    /// None: no fragment is running.
    pub fn new(mut machine: Box<Machine>, pack: &'p Loaded, handed: &mut Handed) -> Option<Alone<'p>> {
        // The question is answered by somebody who holds the dice himself.
        machine.pending = None;
        let derived = std::mem::take(&mut handed.derived.0);
        let s = Scratch::knowing(derived, std::mem::take(&mut machine.registers), machine.limits, machine.limits.steps);
        let measured = machine.measured.len();
        let Some(Task::Frame(frame)) = machine.stack.last() else { return None };
        let frag = frame.frag;
        let mut alone = Alone {
            facts: pack.facts_of.get(frag.index())?,
            fragment: pack.fragments.get(frag.index())?,
            machine,
            s,
            pack,
            base: 0,
            event: None,
            pc: 0,
            frag,
            you: NOBODY,
            private: pack.private(),
            body_of: None,
            measured,
            slots: std::mem::take(&mut handed.slots),
        };
        alone.take_up_frame().then_some(alone)
    }

    /// The topmost fragment is the one that runs. False: there is none.
    pub(super) fn take_up_frame(&mut self) -> bool {
        let Some(Task::Frame(frame)) = self.machine.stack.last() else { return false };
        let (Some(facts), Some(fragment)) = (self.pack.facts_of.get(frame.frag.index()), self.pack.fragments.get(frame.frag.index()))
        else {
            return false;
        };
        (self.facts, self.fragment) = (facts, fragment);
        (self.frag, self.base, self.event, self.pc, self.you) =
            (frame.frag, frame.base as usize, frame.event, frame.pc as usize, frame.you);
        let instance = frame.event.filter(|e| frame.ret == Ret::Body(*e)).and_then(|e| self.machine.events.get(e as usize));
        self.body_of = instance.map(|e| e.action);
        self.slots.stand(self.pack.number(), self.frag, self.body_of);
        true
    }

    pub(super) fn view(&self) -> View<'_> {
        self.machine.view(self.pack, self.event, self.you)
    }

    /// The values of its event.
    pub(super) fn values(&self) -> &[Value] {
        self.event.and_then(|e| self.machine.events.get(e as usize)).map_or(&[], |e| &e.values)
    }

    /// What was measured since it set out.
    pub(super) fn measured(&self) -> &[(SiteId, Value)] {
        self.machine.measured.get(self.measured..).unwrap_or_default()
    }

    pub fn forget_measured(&mut self) {
        self.machine.measured.truncate(self.measured);
    }

    pub fn pc(&self) -> Pc {
        self.pc as Pc
    }

    /// Where it stands and what it holds, packed, to be put back there: registers, values of its event, what was measured and where.
    #[inline(always)]
    pub fn pack(&mut self, packer: &mut Packer, held: &mut Vec<Packed>) {
        let at = self.slots_at(self.pc);
        let slots = self.slots.get(at);
        let registers = self.s.regs.get(self.base..).unwrap_or_default();
        held.push(self.pc as Packed);
        for r in &slots.registers {
            held.push(packer.pack(registers.get(*r as usize).unwrap_or(&Value::None)));
        }
        if !slots.values.is_empty() {
            let values = self.values();
            for field in &slots.values {
                held.push(packer.pack(values.get(*field as usize).unwrap_or(&Value::None)));
            }
        }
        for (site, value) in self.measured() {
            held.push(packer.pack(&Value::Int(site.0 as i64)));
            held.push(packer.pack(value));
        }
    }

    /// Stands again where it stood when it held that.
    pub fn put(&mut self, packer: &Packer, held: &[Packed]) {
        let Some((pc, held)) = held.split_first() else { return };
        self.pc = *pc as usize;
        self.s.fuel = self.s.limits.steps;
        self.machine.apart.events_left = self.s.limits.events;
        let at = self.slots_at(self.pc);
        let slots = self.slots.get(at);
        let registers = self.s.regs.get_mut(self.base..).unwrap_or_default();
        put_back(packer, &slots.back_registers, held, registers);
        if !slots.back_values.is_empty()
            && let Some(event) = self.event.and_then(|e| self.machine.events.get_mut(e as usize))
        {
            put_back(packer, &slots.back_values, held, &mut event.values);
        }
        let measured = slots.registers.len() + slots.values.len();
        if self.machine.measured.len() > self.measured || held.len() > measured {
            self.forget_measured();
            self.machine.measured.extend(measured_in(packer, held.get(measured..).unwrap_or_default()));
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
            let pc = self.pc;
            let here = |stop: Stop| stop.at(site_at(fragment, pc));
            let Some(instr) = fragment.code.get(pc) else { return Ok(Came::Away) };
            match *instr {
                Instr::Return { .. } => return Ok(Came::Away),
                // Dice that are about to be rolled.
                Instr::Const { dst, k } => {
                    self.s.burn().map_err(here)?;
                    self.s.set(base, dst, pack.consts.get(k.index()).cloned().unwrap_or_default());
                    self.pc += 1;
                }
                Instr::Roll { dice, .. } => match whole_dice(self.s.reg(base, dice)) {
                    Some(dice) if dice.count > 0 && dice.sides > 0 && dice.count <= self.s.limits.list_length => {
                        return Ok(Came::Roll(dice));
                    }
                    _ => self.act(instr).map_err(here)?,
                },
                Instr::Statement => {
                    self.s.burn().map_err(here)?;
                    self.pc += 1;
                }
                Instr::Measure { site, src } => {
                    self.s.burn().and_then(|()| self.s.check_list(self.machine.measured.len() + 1)).map_err(here)?;
                    self.machine.measured.push((site, self.s.reg(base, src).clone()));
                    self.pc += 1;
                }
                Instr::EvSet { .. } | Instr::Expect { .. } => {
                    self.s.burn().map_err(here)?;
                    self.act(instr).map_err(here)?;
                }
                _ => {
                    self.s.burn().map_err(here)?;
                    let view = self.machine.view(pack, self.event, self.you);
                    match view.exec(&mut self.s, base, instr).map_err(here)? {
                        Flow::Next => self.pc += 1,
                        Flow::Jump(to) => self.pc = to as usize,
                        Flow::Return(_) | Flow::NotPure => return Ok(Came::Away),
                    }
                }
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

    /// What it found out is for the next one; a second time takes it back.
    pub fn swap_handed(&mut self, handed: &mut Handed) {
        std::mem::swap(&mut handed.derived.0, &mut self.s.derived);
    }

    /// It is needed no longer; what it has room for is for the next one.
    pub fn put_away(&mut self, handed: &mut Handed) {
        handed.slots = std::mem::take(&mut self.slots);
    }

    /// Where in the source it stands.
    pub fn site(&self) -> Option<SiteId> {
        site_at(self.fragment, self.pc)
    }

    /// A whole machine that goes on from here.
    pub fn whole(&self) -> Box<Machine> {
        let mut machine = self.machine.clone();
        machine.registers = self.s.regs.clone();
        machine.refuel();
        machine.set_pc(self.pc);
        machine
    }

    /// The same, where this one is needed no longer.
    pub fn into_whole(mut self) -> Box<Machine> {
        self.machine.registers = std::mem::take(&mut self.s.regs);
        self.machine.refuel();
        self.machine.set_pc(self.pc);
        self.machine
    }
}

/// What was measured on the way, and where.
pub(super) fn measured_in<'h>(packer: &'h Packer, held: &'h [Packed]) -> impl Iterator<Item = (SiteId, Value)> + 'h {
    held.chunks_exact(2).filter_map(|pair| match packer.value(pair[0]) {
        Value::Int(site) => Some((SiteId(site as u32), packer.value(pair[1]))),
        _ => None,
    })
}

/// Into each slot what was held for it.
#[inline(always)]
fn put_back(packer: &Packer, slots: &[(u16, u16)], held: &[Packed], values: &mut [Value]) {
    for (i, slot) in slots {
        if let (Some(packed), Some(value)) = (held.get(*i as usize), values.get_mut(*slot as usize)) {
            packer.unpack(*packed, value);
        }
    }
}
