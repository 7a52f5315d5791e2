//! Jumps, and comparisons that decide them.

use super::compile::Compiler;
use super::event::Event;
use super::fragment::{Onward, Running};
use super::instr::NEXT;
use super::op::Op;
use super::state::{Held, Sort, State};
use crate::bytecode::Instr;
use crate::flow::Test;
use crate::ids::*;
use crate::value::Value;

impl<'p> Compiler<'p, '_, '_> {
    pub(super) fn go_to(&mut self, running: &mut Running<'p>, event: &mut Event, state: &State, (pc, to): (usize, Pc)) -> Option<Onward> {
        if to as usize == pc + 1 {
            return NEXT;
        }
        self.edge(running, event, state, to as usize)?;
        self.jump(running, Op::Jump { to: 0 }, &[to as usize]);
        Some(Onward::Nowhere)
    }

    pub(super) fn branch(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &State,
        (cond, unless): (Reg, bool),
        (pc, to): (usize, Pc),
    ) -> Option<Onward> {
        match self.register(state, cond)? {
            Held::Known(Value::Bool(is)) if is != unless => self.go_to(running, event, state, (pc, to)),
            Held::Known(Value::Bool(_)) => NEXT,
            Held::In(Sort::Bool, slot) => {
                self.edge(running, event, state, to as usize)?;
                self.jump(running, Op::If { cond: slot, unless, to: 0 }, &[to as usize]);
                NEXT
            }
            _ => None,
        }
    }

    /// A comparison, together with the jump that follows it.
    pub(super) fn compare(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        pc: usize,
        (test, dst, a, b): (Test, Reg, Reg, Reg),
    ) -> Option<Onward> {
        let (x, y) = (self.register(state, a)?, self.register(state, b)?);
        if x.known().is_some() && y.known().is_some() {
            let instr = running.fragment.code.get(pc)?;
            self.known(running, state, instr, dst)?;
            return NEXT;
        }
        if x.sort() != y.sort() || (x.sort() == Some(Sort::Bool) && test != Test::Eq) {
            return None;
        }
        let (left, right) = (self.slot_of(&x)?, self.slot_of(&y)?);
        if let Some(Instr::JumpIfNot { cond, to }) = running.fragment.code.get(pc + 1).copied()
            && cond == dst
            && running.is_dead(dst, &[pc + 2, to as usize])
        {
            self.step(1);
            let die = running.die.filter(|(step, _)| *step == self.last_index()).map(|(_, register)| register);
            let rolled = die.filter(|die| (*die == a) != (*die == b) && running.is_dead(*die, &[pc + 2, to as usize]));
            if let (Some(die), Some(Op::Die { sides, dst })) = (rolled, self.last())
                && dst == if die == a { left } else { right }
            {
                // A die that is only compared needs no slot.
                self.take_last();
                let (reach, with) = self.reach(running, test, die == a, if die == a { right } else { left })?;
                self.edge(running, event, state, to as usize)?;
                self.jump(running, Op::roll(sides, reach, with), &[to as usize]);
                return Some(Onward::Next(2));
            }
            self.edge(running, event, state, to as usize)?;
            self.jump(running, Op::Branch { test, a: left, b: right, to: 0 }, &[to as usize]);
            return Some(Onward::Next(2));
        }
        let own = self.hold(running, state, dst, Sort::Bool)?;
        self.push(Op::Compare { dst: own, test, a: left, b: right });
        NEXT
    }
}
