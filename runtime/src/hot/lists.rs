//! Lists of things that are known: what is asked of each is asked one after the other. And dice that are only added up.

use super::compile::Compiler;
use super::event::Event;
use super::fragment::{Onward, Running};
use super::op::Op;
use super::state::{Held, Sort, State};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::ids::*;
use crate::value::{Dice, Value};

/// Longer lists are left to the machine.
const LONGEST: usize = 16;

/// Something that is asked of each thing of a list: the fragment, and the registers it is given.
pub(super) struct Asked {
    pub list: Reg,
    pub frag: FragId,
    pub caps: (Reg, u16),
}

impl<'p> Compiler<'p, '_, '_> {
    /// What an instruction over a list comes to, and how many instructions that is.
    pub(super) fn each(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        (pc, dst, op): (usize, Reg, EachOp),
        asked: Asked,
    ) -> Option<Onward> {
        // `count(units where …)` keeps some, and adds up one for each.
        let counted = match running.fragment.code.get(pc + 1) {
            Some(Instr::Each { dst: sum, op: EachOp::Sum, list, frag, .. })
                if op == EachOp::Filter && *list == dst && self.is_one(*frag) && (*sum == dst || running.is_dead(dst, &[pc + 2])) =>
            {
                Some(*sum)
            }
            _ => None,
        };
        let (dst, length) = counted.map_or((dst, 1), |sum| (sum, 2));
        let result = match (op, counted) {
            (EachOp::Filter, Some(_)) => {
                self.summed(running, event, state, &asked, Held::number(0), Some(Sort::Bool), |dst, a, b| Op::Add { dst, a, b })
            }
            (EachOp::Sum, _) => {
                self.summed(running, event, state, &asked, Held::number(0), Some(Sort::Int), |dst, a, b| Op::Add { dst, a, b })
            }
            (EachOp::Any, _) => {
                self.summed(running, event, state, &asked, Held::Known(Value::Bool(false)), Some(Sort::Bool), |dst, a, b| Op::Max {
                    dst,
                    a,
                    b,
                })
            }
            (EachOp::All, _) => {
                self.summed(running, event, state, &asked, Held::Known(Value::Bool(true)), Some(Sort::Bool), |dst, a, b| Op::Min {
                    dst,
                    a,
                    b,
                })
            }
            _ => None,
        }?;
        match result {
            Held::In(sort, slot) => {
                let own = self.hold(running, state, dst, sort)?;
                if own != slot {
                    self.push(Op::Put { dst: own, src: slot });
                }
            }
            known => self.set(state, dst, known)?,
        }
        Some(Onward::Next(length))
    }

    fn is_one(&self, frag: FragId) -> bool {
        self.view.pack.simple_of(frag).and_then(|simple| simple.fixed_number()) == Some(1)
    }

    /// What each thing comes to, put together.
    fn summed(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        asked: &Asked,
        start: Held,
        of: Option<Sort>,
        together: impl Fn(u8, u8, u8) -> Op,
    ) -> Option<Held> {
        let Held::Known(Value::List(items)) = self.register(state, asked.list)? else { return None };
        if items.len() > LONGEST {
            return None;
        }
        let sort = start.sort()?;
        let captured = asked.caps.0 as usize..asked.caps.0 as usize + asked.caps.1 as usize;
        let mut all = start;
        for item in items.iter() {
            let mut given = state.registers.get(captured.clone())?.to_vec();
            given.push(Held::Known(item.clone()));
            event.values = std::mem::take(&mut state.values);
            let (value, slots) = self.fragment(asked.frag, running.you, given, event)?;
            state.values = std::mem::take(&mut event.values);
            if value.sort() != of {
                return None;
            }
            let (a, b) = (self.slot_of(&all)?, self.slot_of(&value)?);
            let dst = self.spare(running)?;
            self.push(together(dst, a, b));
            all = Held::In(sort, dst);
            slots.into_iter().for_each(|slot| self.slots.free(slot));
        }
        Some(all)
    }

    /// `roll 2d6`, only added up.
    pub(super) fn pool(&mut self, running: &mut Running<'p>, state: &mut State, pc: usize, (dst, dice): (Reg, Reg)) -> Option<Onward> {
        let Held::Known(Value::Dice(Dice { count, sides, plus })) = self.register(state, dice)? else { return None };
        let Some(Instr::Call1 { dst: total, fun: Fun::Total, a }) = running.fragment.code.get(pc + 1).copied() else { return None };
        if a != dst || (total != dst && !running.is_dead(dst, &[pc + 2])) || count == 0 || sides == 0 {
            return None;
        }
        self.step(1);
        let plus = self.slots.constant(plus as i64)?;
        let own = self.hold(running, state, total, Sort::Int)?;
        self.push(Op::Sum { dst: own, count: u16::try_from(count).ok()?, sides: u16::try_from(sides).ok()?, plus });
        Some(Onward::Next(2))
    }
}
