//! Lists of things that are known: what is asked of each is asked one after the other.

use super::compile::Compiler;
use super::event::Event;
use super::fragment::{Onward, Running};
use super::op::Op;
use super::state::{Held, Sort, State};
use crate::bytecode::{EachOp, Instr};
use crate::ids::*;
use crate::operands::operands;
use crate::value::Value;

/// Longer lists are left to the machine.
const LONGEST: usize = 16;

/// Something that is asked of each thing of a list: the fragment, and the registers it is given.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub frag: FragId,
    pub caps: (Reg, u16),
}

impl<'p> Compiler<'p, '_, '_> {
    /// What an instruction over a list comes to, together with the one before it that keeps some of its things: `any units where …`.
    pub(super) fn each(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        pc: usize,
        (op, list, asked): (EachOp, Reg, Asked),
    ) -> Option<Onward> {
        let Held::Known(Value::List(items)) = self.register(state, list)? else { return None };
        if items.len() > LONGEST {
            return None;
        }
        let Some(Instr::Each { dst: kept, .. }) = running.fragment.code.get(pc).copied() else { return None };
        let (dst, op, kept, asked, length) = match (op, running.fragment.code.get(pc + 1).copied()) {
            (EachOp::Filter, Some(Instr::Each { dst, op, list, frag, caps, n }))
                if list == kept && self.is_only_read(running, kept, pc + 1) =>
            {
                (dst, op, Some(asked), Asked { frag, caps: (caps, n) }, 2)
            }
            _ => (kept, op, None, asked, 1),
        };
        let (start, sort) = match op {
            EachOp::Sum => (Held::number(0), Sort::Int),
            EachOp::Any => (Held::Known(Value::Bool(false)), Sort::Bool),
            EachOp::All => (Held::Known(Value::Bool(true)), Sort::Bool),
            _ => return None,
        };
        let mut all = start;
        for item in items.iter() {
            let is_kept = match kept {
                Some(kept) => Some(self.asked(running, event, state, kept, item).filter(|held| held.sort() == Some(Sort::Bool))?),
                None => None,
            };
            let value = self.asked(running, event, state, asked, item).filter(|held| held.sort() == Some(sort))?;
            let value = match is_kept {
                Some(is_kept) => self.if_kept(running, op, &is_kept, &value)?,
                None => value,
            };
            let (a, b) = (self.slot_of(&all)?, self.slot_of(&value)?);
            let dst = self.spare(running)?;
            self.push(match op {
                EachOp::Sum => Op::Add { dst, a, b },
                EachOp::Any => Op::Max { dst, a, b },
                _ => Op::Min { dst, a, b },
            });
            all = Held::In(sort, dst);
        }
        match all {
            Held::In(sort, src) => {
                let dst = self.hold(running, state, dst, sort)?;
                self.push(Op::Put { dst, src });
            }
            known => self.set(state, dst, known)?,
        }
        Some(Onward::Next(length))
    }

    /// Does nothing but this one instruction read the register?
    fn is_only_read(&self, running: &Running<'p>, register: Reg, by: usize) -> bool {
        let reads = |instr: &Instr| operands(self.view.pack.pack(), instr).all_reads().any(|r| r == register as u32);
        running.fragment.code.iter().enumerate().all(|(pc, instr)| pc == by || !reads(instr))
    }

    /// What is asked of one thing comes to.
    fn asked(&mut self, running: &mut Running<'p>, event: &mut Event, state: &mut State, asked: Asked, item: &Value) -> Option<Held> {
        let (first, n) = (asked.caps.0 as usize, asked.caps.1 as usize);
        let mut given = state.registers.get(first..first + n)?.to_vec();
        given.push(Held::Known(item.clone()));
        event.values = std::mem::take(&mut state.values);
        let (value, slots) = self.fragment(asked.frag, running.you, given, event)?;
        state.values = std::mem::take(&mut event.values);
        let value = match value {
            Held::In(sort, src) => {
                let dst = self.spare(running)?;
                self.push(Op::Put { dst, src });
                Held::In(sort, dst)
            }
            known => known,
        };
        slots.into_iter().for_each(|slot| self.slots.free(slot));
        Some(value)
    }

    /// Things that are not kept make no difference.
    fn if_kept(&mut self, running: &mut Running<'p>, op: EachOp, is_kept: &Held, value: &Held) -> Option<Held> {
        let sort = value.sort()?;
        let (kept, b) = (self.slot_of(is_kept)?, self.slot_of(value)?);
        let dst = self.spare(running)?;
        if op == EachOp::All {
            self.push(Op::Not { dst, a: kept });
            self.push(Op::Max { dst, a: dst, b });
        } else {
            self.push(Op::Mul { dst, a: kept, b });
        }
        Some(Held::In(sort, dst))
    }
}
