//! Dice and loops, as the short cuts know them.

use super::compile::Compiler;
use super::event::{Event, VALUE};
use super::fragment::{Onward, Running};
use super::op::{Op, Reach, Slot};
use super::state::{Held, Sort, State};
use crate::bytecode::{Fun, Instr};
use crate::flow::Test;
use crate::ids::*;
use crate::quick::{Faces, From, Quick};
use crate::value::{Dice, Value};

impl<'p> Compiler<'p, '_, '_> {
    /// Dice and loops, which short cuts know.
    pub(super) fn short_cut(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        pc: usize,
        quick: Quick,
    ) -> Option<Option<Onward>> {
        match quick {
            Quick::Roll { sides, faces, to, steps } => {
                let (reach, with) = self.faces(running, state, faces)?;
                self.step(steps as u64);
                self.edge(running, event, state, to as usize)?;
                self.jump(running, Op::roll(u16::try_from(sides).ok()?, reach, with), &[to as usize]);
                Some(Some(Onward::Next(steps as usize)))
            }
            Quick::Die { dst, sides, steps } => {
                self.step(steps as u64);
                let own = self.hold(running, state, dst, Sort::Int)?;
                let step = self.push(Op::Die { dst: own, sides: u16::try_from(sides).ok()? });
                running.die = Some((step, dst));
                Some(Some(Onward::Next(steps as usize)))
            }
            Quick::Count { dst, sides, dice, faces, lead, skip } => {
                let Some(many) = self.from(state, dice) else { return Some(None) };
                for at in pc + lead as usize..pc + lead as usize + skip as usize {
                    match *running.fragment.code.get(at)? {
                        Instr::Int { dst, v } => self.set(state, dst, Held::number(v as i64))?,
                        Instr::EvGet { dst, field } => {
                            let held = state.values.get(Event::place(field, VALUE)).cloned()?;
                            self.set(state, dst, held)?;
                        }
                        _ => return None,
                    }
                }
                let (reach, with) = self.faces(running, state, faces)?;
                let length = lead as usize + skip as usize + 2;
                self.step(length as u64);
                let own = self.hold(running, state, dst, Sort::Int)?;
                self.push(Op::Count { dst: own, sides: u16::try_from(sides).ok()?, many, reach, with });
                Some(Some(Onward::Next(length)))
            }
            Quick::Next { i, by, n, top, out } => {
                let (Some(count), Some(end)) = (self.register(state, i), self.register(state, n)) else { return Some(None) };
                if count.sort() != Some(Sort::Int) || end.sort() != Some(Sort::Int) {
                    return Some(None);
                }
                let own = self.home(running, i)?;
                if count != Held::In(Sort::Int, own) {
                    let src = self.slot_of(&count)?;
                    self.push(Op::Put { dst: own, src });
                }
                self.set(state, i, Held::In(Sort::Int, own))?;
                self.step(4);
                self.edge(running, event, state, top as usize)?;
                self.edge(running, event, state, out as usize)?;
                let (by, end) = (self.slots.constant(by as i64)?, self.number(&end)?);
                self.jump(running, Op::Next { i: own, by, n: end, top: 0, out: 0 }, &[top as usize, out as usize]);
                Some(Some(Onward::Nowhere))
            }
            _ => Some(None),
        }
    }

    /// The faces a comparison holds for.
    pub(super) fn reach(&mut self, running: &mut Running<'p>, test: Test, die_first: bool, with: Slot) -> Option<(Reach, Slot)> {
        let (reach, one_more) = match (test, die_first) {
            (Test::Eq, _) => (Reach::Is, false),
            (Test::Lt, true) => (Reach::Below, false),
            (Test::Le, true) => (Reach::Below, true),
            (Test::Lt, false) => (Reach::AtLeast, true),
            (Test::Le, false) => (Reach::AtLeast, false),
        };
        let with = match self.slots.always(with) {
            _ if !one_more => with,
            Some(n) => self.slots.constant(n.checked_add(1)?)?,
            None => {
                let (dst, one) = (self.spare(running)?, self.slots.constant(1)?);
                self.push(Op::Add { dst, a: with, b: one });
                dst
            }
        };
        Some((reach, with))
    }

    pub(super) fn from(&mut self, state: &State, from: From) -> Option<Slot> {
        let held = match from {
            From::Int(n) => Held::number(n as i64),
            From::Reg(register) => self.register(state, register)?,
            From::Event(field) => state.values.get(Event::place(field, VALUE)).cloned()?,
        };
        self.number(&held)
    }

    pub(super) fn faces(&mut self, running: &mut Running<'p>, state: &State, faces: Faces) -> Option<(Reach, Slot)> {
        let with = self.from(state, faces.with)?;
        let (test, die_first) = faces.comparison();
        self.reach(running, test, die_first, with)
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
