//! Running on inside one fragment. As long as it only rolls, looks and changes its own event, two ways differ in nothing but its registers and the event's
//! values: odds keep these instead of whole machines.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::Machine;
use super::answers::{rolled, whole_dice};
use super::frame::Task;
use super::run::{Acted, site_at};
use crate::bytecode::Instr;
use crate::eval::{Flow, Scratch};
use crate::fault::{Fault, Stop};
use crate::flow::{Known, Tells, Test};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::num;
use crate::value::{Dice, Value};

/// Where the running fragment stands and what it holds: its registers that matter, then the values of its event.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pc: Pc,
    held: Box<[Value]>,
}

pub(crate) enum Came {
    /// To a roll in the same fragment.
    Roll(Dice),
    /// To something that concerns more than the fragment; it is not done yet.
    Away,
}

/// Faces that nothing tells apart: one of them, and how many there are.
pub(crate) type Sorts = Vec<(i64, u32)>;

impl Machine {
    /// The question is about to be answered by somebody who holds the dice himself.
    pub(crate) fn forget_question(&mut self) {
        self.pending = None;
    }

    /// Where the running fragment stands, and the values it holds, in the order of `Local`; None for registers that no longer matter.
    fn held<'m>(&'m self, pack: &'m Loaded) -> Option<(Pc, impl Iterator<Item = &'m Value> + use<'m>)> {
        let Some(Task::Frame(frame)) = self.stack.last() else { return None };
        let facts = pack.facts_of.get(frame.frag.index())?;
        let count = pack.fragments.get(frame.frag.index())?.registers as usize;
        let registers = self.registers.get(frame.base as usize..frame.base as usize + count)?;
        let values = frame.event.and_then(|e| self.events.get(e as usize)).map_or(&[][..], |e| &e.values);
        let pc = frame.pc;
        let alive = registers.iter().enumerate().map(move |(r, value)| if facts.is_live(pc as usize, r) { value } else { &Value::None });
        Some((pc, alive.chain(values)))
    }

    pub(crate) fn local(&self, pack: &Loaded) -> Option<Local> {
        let (pc, held) = self.held(pack)?;
        Some(Local { pc, held: held.cloned().collect() })
    }

    /// A number that is the same wherever the fragment stands at the same place and holds the same.
    pub(crate) fn local_mark(&self, pack: &Loaded) -> Option<u64> {
        let (pc, held) = self.held(pack)?;
        let mut hasher = FxHasher::default();
        pc.hash(&mut hasher);
        // Most values are numbers or nothing, and need no ceremony.
        held.for_each(|value| match value {
            Value::None => hasher.write_u8(0),
            Value::Int(n) => hasher.write_i64(*n),
            other => other.hash(&mut hasher),
        });
        Some(hasher.finish())
    }

    pub(crate) fn is_at(&self, pack: &Loaded, local: &Local) -> bool {
        self.held(pack).is_some_and(|(pc, held)| pc == local.pc && held.eq(local.held.iter()))
    }

    pub(crate) fn put_local(&mut self, local: &Local) {
        self.refuel();
        let Some(Task::Frame(frame)) = self.stack.last_mut() else { return };
        frame.pc = local.pc;
        let values = frame.event.and_then(|e| self.events.get_mut(e as usize)).map(|e| &mut e.values[..]).unwrap_or_default();
        let (registers, of_event) = local.held.split_at(local.held.len().saturating_sub(values.len()));
        values.clone_from_slice(of_event);
        if let Some(slots) = self.registers.get_mut(frame.base as usize..frame.base as usize + registers.len()) {
            slots.clone_from_slice(registers);
        }
    }

    /// The roll the fragment stands at comes up with these faces.
    pub(crate) fn land(&mut self, pack: &Loaded, dice: Dice, faces: &[i64]) {
        let Some((Instr::Roll { dst, .. }, _)) = self.current(pack) else { return };
        let (dst, value) = (*dst, rolled(dice, faces));
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.pc += 1;
            if let Some(slot) = self.registers.get_mut(frame.base as usize + dst as usize) {
                *slot = value;
            }
        }
    }

    /// Goes on as far as nothing but the fragment is concerned.
    pub(crate) fn run_local(&mut self, pack: &Loaded) -> Result<Came, Fault> {
        let mut s = Scratch::new(std::mem::take(&mut self.registers), self.limits, self.apart.fuel);
        let came = self.local_steps(pack, &mut s);
        self.registers = std::mem::take(&mut s.regs);
        match came {
            Ok(came) => Ok(came),
            Err(Stop::Fault(fault)) => Err(*fault),
            // Asked again, and answered, by the machine as a whole.
            Err(Stop::Fact { .. }) => Ok(Came::Away),
        }
    }

    fn local_steps(&mut self, pack: &Loaded, s: &mut Scratch) -> Result<Came, Stop> {
        let Some(Task::Frame(frame)) = self.stack.last() else { return Ok(Came::Away) };
        let (frag, base, event, you) = (frame.frag, frame.base as usize, frame.event, frame.you);
        let mut pc = frame.pc as usize;
        let fragment = pack.fragment(frag)?;
        loop {
            pc = self.short_cuts(pack, frag, pc, s, (base, event, you));
            self.set_pc(pc);
            let here = |stop: Stop| stop.at(site_at(fragment, pc));
            let Some(instr) = fragment.code.get(pc) else { return Ok(Came::Away) };
            s.burn().map_err(here)?;
            match self.view(pack, event, you).exec(s, base, instr).map_err(here)? {
                Flow::Next => pc += 1,
                Flow::Jump(to) => pc = to as usize,
                Flow::Return(_) => return Ok(Came::Away),
                Flow::NotPure => match *instr {
                    Instr::Roll { dice, .. } => match whole_dice(s.reg(base, dice)) {
                        Some(dice) if dice.count > 0 && dice.sides > 0 && dice.count <= s.limits.list_length => {
                            return Ok(Came::Roll(dice));
                        }
                        _ => pc = self.local_act(pack, s, base, instr, pc).map_err(here)?,
                    },
                    Instr::EvSet { .. } => pc = self.local_act(pack, s, base, instr, pc).map_err(here)?,
                    _ => return Ok(Came::Away),
                },
            }
        }
    }

    fn local_act(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, instr: &Instr, pc: usize) -> Result<usize, Stop> {
        match self.act(pack, s, base, instr)? {
            Acted::Jump(to) => Ok(to as usize),
            _ => Ok(pc + 1),
        }
    }

    /// Where in the source it stands.
    pub(crate) fn site(&self, pack: &Loaded) -> Option<SiteId> {
        self.current(pack).and_then(|(_, site)| site)
    }

    /// Which faces of the roll the fragment stands at are told apart. None: perhaps all of them.
    pub(crate) fn sorts_of_faces(&self, pack: &Loaded, sides: u32) -> Option<Sorts> {
        let Some(Task::Frame(frame)) = self.stack.last() else { return None };
        let tells = pack.facts_of.get(frame.frag.index())?.told_apart(frame.pc)?;
        if sides > 1_000 {
            return None;
        }
        let mut s = Scratch::new(Vec::new(), self.limits, self.limits.steps);
        let mut known: Vec<Vec<Value>> = Vec::with_capacity(tells.len());
        for tell in tells {
            known.push(match tell {
                Tells::Term { caps, .. } => caps.iter().map(|cap| self.known(pack, &mut s, cap)).collect::<Option<_>>()?,
                Tells::Compare { with, .. } => vec![self.known(pack, &mut s, with)?],
            });
        }
        let view = self.view(pack, frame.event, frame.you);
        // What each face is told by, one bit for each question that is answered by yes or no.
        let mut signs: Vec<(u64, Vec<Value>)> = Vec::new();
        let mut sorts = Sorts::new();
        for face in 1..=sides as i64 {
            let (mut bits, mut values) = (0u64, Vec::new());
            for (tell, known) in tells.iter().zip(&known) {
                let said = match tell {
                    Tells::Term { frag, .. } => {
                        let mut args = known.clone();
                        args.push(Value::Int(face));
                        view.eval(&mut s, *frag, &args).ok()?
                    }
                    Tells::Compare { test, plus, die_first, .. } => {
                        let die = Value::Int(face.checked_add(*plus)?);
                        let (a, b) = if *die_first { (&die, known.first()?) } else { (known.first()?, &die) };
                        Value::Bool(match test {
                            Test::Eq => num::same(a, b),
                            Test::Lt => num::compare(a, b).ok()?.is_lt(),
                            Test::Le => num::compare(a, b).ok()?.is_le(),
                        })
                    }
                };
                match said {
                    Value::Bool(yes) if tells.len() <= 64 => bits = bits << 1 | yes as u64,
                    other => values.push(other),
                }
            }
            match signs.iter().position(|(b, v)| *b == bits && *v == values) {
                Some(i) => sorts[i].1 += 1,
                None => {
                    signs.push((bits, values));
                    sorts.push((face, 1));
                }
            }
        }
        Some(sorts)
    }

    fn known(&self, pack: &Loaded, s: &mut Scratch, known: &Known) -> Option<Value> {
        let Some(Task::Frame(frame)) = self.stack.last() else { return None };
        match known {
            Known::Reg(r) => self.registers.get(frame.base as usize + *r as usize).cloned(),
            Known::Event(field) => self.events.get(frame.event? as usize)?.values.get(*field as usize).cloned(),
            Known::Int(n) => Some(Value::Int(*n as i64)),
            Known::Const(k) => pack.consts.get(k.index()).cloned(),
            Known::Field { of, field, raw } => {
                let of = self.known(pack, s, of)?;
                let view = self.view(pack, frame.event, frame.you);
                if *raw { view.base_value(s, &of, *field).ok() } else { view.get_value(s, &of, *field).ok() }
            }
        }
    }
}
