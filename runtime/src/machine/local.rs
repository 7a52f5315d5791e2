//! Running on inside one fragment. As long as it only rolls, looks and changes its own event, two ways differ in nothing but its registers and the event's
//! values: odds keep these instead of whole machines.

use super::answers::whole_dice;
use super::frame::{Ret, Task};
use super::packed::{Packed, Packer};
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
use crate::world::NOBODY;

/// A machine of which nothing but the running fragment is at work. It is put back and sent on again for every way the dice may fall.
pub(crate) struct Alone<'p> {
    pub(super) machine: Box<Machine>,
    /// The registers of the machine are in here.
    pub(super) s: Scratch<'static>,
    pub(super) pack: &'p Loaded,
    pub(super) facts: &'p FragmentFacts,
    pub(super) quick: &'p [Quick],
    pub(super) fragment: &'p Fragment,
    pub(super) base: usize,
    pub(super) event: Option<u32>,
    pub(super) pc: usize,
    pub(super) frag: FragId,
    pub(super) you: ObjId,
    private: &'p Private,
    /// The action of its event, if it is the body of it.
    body_of: Option<ActionId>,
    /// How much was measured before it set out.
    measured: usize,
    /// What matters where it last stopped, and where it was last put.
    stops: Slots,
    starts: Slots,
}

/// The registers, and the values of the event, that matter at one place.
#[derive(Default)]
struct Slots {
    at: Option<usize>,
    registers: Vec<u16>,
    values: Vec<u16>,
    /// At a roll: where among all these stand those that still matter behind it. None: there is nothing to be forgotten.
    outlive: Option<Vec<u16>>,
}

pub(crate) enum Came {
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
        let mut s = Scratch::new(std::mem::take(&mut machine.registers), machine.limits, machine.limits.steps);
        s.derived = std::mem::take(&mut handed.derived.0);
        let measured = machine.measured.len();
        let Some(Task::Frame(frame)) = machine.stack.last() else { return None };
        let frag = frame.frag;
        let mut alone = Alone {
            facts: pack.facts_of.get(frag.index())?,
            quick: pack.quick_of(frag),
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
            stops: Slots::default(),
            starts: Slots::default(),
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
        (self.facts, self.fragment, self.quick) = (facts, fragment, self.pack.quick_of(frame.frag));
        (self.frag, self.base, self.event, self.pc, self.you) =
            (frame.frag, frame.base as usize, frame.event, frame.pc as usize, frame.you);
        let instance = frame.event.filter(|e| frame.ret == Ret::Body(*e)).and_then(|e| self.machine.events.get(e as usize));
        self.body_of = instance.map(|e| e.action);
        (self.stops.at, self.starts.at) = (None, None);
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

    pub(super) fn forget_measured(&mut self) {
        self.machine.measured.truncate(self.measured);
    }

    pub fn pc(&self) -> Pc {
        self.pc as Pc
    }

    /// What matters there. Most ways stop where the one before did, so that it is found out once for many.
    fn find_slots(&self, pc: usize, slots: &mut Slots) {
        slots.at = Some(pc);
        slots.registers.clear();
        self.facts.each_live(pc, self.fragment.registers, |r| slots.registers.push(r as u16));
        // Ways differ only in values that the fragment sets.
        slots.values.clear();
        slots.values.extend(self.facts.sets.iter().filter(|f| self.reads_value(pc, **f)));
    }

    /// May anybody read the value of the event from there on?
    fn reads_value(&self, pc: usize, field: u16) -> bool {
        let live = self.body_of.map_or(u64::MAX, |action| self.private.live(action, self.frag, pc));
        field >= 64 || live >> field & 1 == 1
    }

    /// What matters at a roll but not behind it: the dice, if they are not the same every time, and what they were made of.
    fn find_outlived(&self, pc: usize, slots: &mut Slots) {
        slots.outlive = None;
        let Some(Instr::Roll { dst, dice }) = self.fragment.code.get(pc).copied() else { return };
        let fixed = matches!(pc.checked_sub(1).and_then(|at| self.fragment.code.get(at)), Some(Instr::Const { dst, .. }) if *dst == dice);
        let registers = slots.registers.iter().map(|r| (*r != dst && self.facts.is_live(pc + 1, *r as usize), fixed && *r == dice));
        let all = registers.chain(slots.values.iter().map(|f| (self.reads_value(pc + 1, *f), false)));
        let (mut outlive, mut forgets) = (Vec::new(), false);
        for (i, (lives, same)) in all.enumerate() {
            forgets |= !lives && !same;
            outlive.extend(lives.then_some(i as u16));
        }
        slots.outlive = forgets.then_some(outlive);
    }

    /// Adds what still matters behind the roll, of what it held when it was put there. False: all of it does, and no two rolls come to the same.
    pub fn outlives_roll(&self, held: &[Packed], words: &mut Vec<Packed>) -> bool {
        let (Some(outlive), Some((pc, held))) = (&self.starts.outlive, held.split_first()) else { return false };
        words.push(*pc);
        words.extend(outlive.iter().filter_map(|i| held.get(*i as usize)));
        words.extend(held.iter().skip(self.starts.registers.len() + self.starts.values.len()));
        true
    }

    /// It stops here: from now on it can be asked what it holds that still matters.
    fn stop(&mut self) {
        if self.stops.at != Some(self.pc) {
            let mut stops = std::mem::take(&mut self.stops);
            self.find_slots(self.pc, &mut stops);
            self.stops = stops;
        }
    }

    /// Registers, then values of its event, then what was measured and where.
    #[inline(always)]
    fn each_held(&self, mut then: impl FnMut(&Value)) {
        let registers = self.s.regs.get(self.base..).unwrap_or_default();
        self.stops.registers.iter().for_each(|r| then(registers.get(*r as usize).unwrap_or(&Value::None)));
        if !self.stops.values.is_empty() {
            let values = self.values();
            self.stops.values.iter().for_each(|f| then(values.get(*f as usize).unwrap_or(&Value::None)));
        }
        for (site, value) in self.measured() {
            then(&Value::Int(site.0 as i64));
            then(value);
        }
    }

    /// Where it stands and what it holds, packed, to be put back there.
    #[inline(always)]
    pub fn pack(&mut self, packer: &mut Packer, held: &mut Vec<Packed>) {
        self.stop();
        held.push(self.pc as Packed);
        self.each_held(|value| held.push(packer.pack(value)));
    }

    /// Stands again where it stood when it held that.
    pub fn put(&mut self, packer: &Packer, held: &[Packed]) {
        let Some((pc, mut held)) = held.split_first() else { return };
        self.pc = *pc as usize;
        self.s.fuel = self.s.limits.steps;
        self.machine.apart.events_left = self.s.limits.events;
        if self.starts.at != Some(self.pc) {
            let mut starts = std::mem::take(&mut self.starts);
            self.find_slots(self.pc, &mut starts);
            self.find_outlived(self.pc, &mut starts);
            self.starts = starts;
        }
        let registers = self.s.regs.get_mut(self.base..).unwrap_or_default();
        put_back(packer, &self.starts.registers, &mut held, registers);
        if !self.starts.values.is_empty()
            && let Some(event) = self.event.and_then(|e| self.machine.events.get_mut(e as usize))
        {
            put_back(packer, &self.starts.values, &mut held, &mut event.values);
        }
        self.forget_measured();
        for measured in held.chunks_exact(2) {
            if let (Value::Int(site), value) = (packer.value(measured[0]), packer.value(measured[1])) {
                self.machine.measured.push((SiteId(site as u32), value));
            }
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
            match *instr {
                Instr::Return { .. } => return Ok(Came::Away),
                Instr::Roll { dice, .. } => match whole_dice(self.s.reg(base, dice)) {
                    Some(dice) if dice.count > 0 && dice.sides > 0 && dice.count <= self.s.limits.list_length => {
                        return Ok(Came::Roll(dice));
                    }
                    _ => self.act(instr).map_err(here)?,
                },
                Instr::EvSet { .. } | Instr::Measure { .. } | Instr::Statement | Instr::Expect { .. } => {
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

/// Takes what belongs into the slots off the front of what was held.
#[inline(always)]
fn put_back(packer: &Packer, slots: &[u16], held: &mut &[Packed], values: &mut [Value]) {
    let (own, rest) = held.split_at(slots.len().min(held.len()));
    for (slot, packed) in slots.iter().zip(own) {
        if let Some(value) = values.get_mut(*slot as usize) {
            packer.unpack(*packed, value);
        }
    }
    *held = rest;
}
