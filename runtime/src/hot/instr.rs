//! What becomes of each instruction.

use super::compile::Compiler;
use super::event::{Event, VALUE};
use super::fragment::{Onward, Running};
use super::lists::Asked;
use super::op::{Divide, Op, Reach, Slot};
use super::state::{Held, Sort, State};
use crate::bytecode::{Fun, Instr};
use crate::flow::Test;
use crate::ids::*;
use crate::quick::{Faces, From, Quick};
use crate::value::Value;

const NEXT: Option<Onward> = Some(Onward::Next(1));

impl<'p> Compiler<'p, '_, '_> {
    /// None: this cannot be part of a program.
    pub(super) fn instruction(&mut self, running: &mut Running<'p>, event: &mut Event, state: &mut State, pc: usize) -> Option<Onward> {
        if let Some(quick) = running.quick.get(pc).copied()
            && let Some(onward) = self.short_cut(running, event, state, pc, quick)?
        {
            return Some(onward);
        }
        self.step(1);
        let instr = running.fragment.code.get(pc)?;
        use Instr as I;
        match *instr {
            I::Int { dst, v } => self.set(state, dst, Held::number(v as i64))?,
            I::Bool { dst, v } => self.set(state, dst, Held::Known(Value::Bool(v)))?,
            I::None { dst } => self.set(state, dst, Held::Known(Value::None))?,
            I::Const { dst, k } => self.set(state, dst, Held::Known(self.view.pack.consts.get(k.index())?.clone()))?,
            I::Move { dst, src } => self.copy(running, state, dst, src)?,
            I::Call1 { dst, fun: Fun::Total, a } if self.register(state, a)?.sort() == Some(Sort::Int) => {
                self.copy(running, state, dst, a)?
            }
            I::Add { dst, a, b } => self.reckon(running, state, instr, dst, (a, b), |dst, a, b| Op::Add { dst, a, b })?,
            I::Sub { dst, a, b } => self.reckon(running, state, instr, dst, (a, b), |dst, a, b| Op::Sub { dst, a, b })?,
            I::Mul { dst, a, b } => self.reckon(running, state, instr, dst, (a, b), |dst, a, b| Op::Mul { dst, a, b })?,
            I::CallN { dst, fun: Fun::Min, start, n: 2 } => {
                self.reckon(running, state, instr, dst, (start, start.checked_add(1)?), |dst, a, b| Op::Min { dst, a, b })?;
            }
            I::CallN { dst, fun: Fun::Max, start, n: 2 } => {
                self.reckon(running, state, instr, dst, (start, start.checked_add(1)?), |dst, a, b| Op::Max { dst, a, b })?;
            }
            I::DivDown { dst, a, b } => self.divide(running, state, instr, dst, (a, b), Divide::Down)?,
            I::DivUp { dst, a, b } => self.divide(running, state, instr, dst, (a, b), Divide::Up)?,
            I::DivNearest { dst, a, b } => self.divide(running, state, instr, dst, (a, b), Divide::Nearest)?,
            I::Mod { dst, a, b } => self.divide(running, state, instr, dst, (a, b), Divide::Rest)?,
            I::Call1 { dst, fun: Fun::Abs, a } if matches!(self.register(state, a)?, Held::In(Sort::Int, _)) => {
                let b = self.number(&self.register(state, a)?)?;
                let (zero, less) = (self.slots.constant(0)?, self.spare(running)?);
                self.push(Op::Sub { dst: less, a: zero, b });
                let dst = self.hold(running, state, dst, Sort::Int)?;
                self.push(Op::Max { dst, a: less, b });
            }
            I::CallN { dst, fun: Fun::Clamp, start, n: 3 } if matches!(self.register(state, start)?, Held::In(Sort::Int, _)) => {
                let registers = [start, start.checked_add(1)?, start.checked_add(2)?];
                let [value, low, high] = registers.map(|r| self.register(state, r).and_then(|held| self.number(&held)));
                let (value, low, high, between) = (value?, low?, high?, self.spare(running)?);
                self.push(Op::Max { dst: between, a: value, b: low });
                let dst = self.hold(running, state, dst, Sort::Int)?;
                self.push(Op::Min { dst, a: between, b: high });
            }
            I::Each { dst, op, list, frag, caps, n } => {
                return self.each(running, event, state, (pc, dst, op), Asked { list, frag, caps: (caps, n) });
            }
            I::Roll { dst, dice } => return self.pool(running, state, pc, (dst, dice)),
            I::AddInt { dst, a, v } => match self.register(state, a)? {
                Held::In(Sort::Int, a) => {
                    let b = self.slots.constant(v as i64)?;
                    let dst = self.hold(running, state, dst, Sort::Int)?;
                    self.push(Op::Add { dst, a, b });
                }
                _ => self.known(running, state, instr, dst)?,
            },
            I::Neg { dst, a } => match self.register(state, a)? {
                Held::In(Sort::Int, b) => {
                    let a = self.slots.constant(0)?;
                    let dst = self.hold(running, state, dst, Sort::Int)?;
                    self.push(Op::Sub { dst, a, b });
                }
                _ => self.known(running, state, instr, dst)?,
            },
            I::Not { dst, a } => match self.register(state, a)? {
                Held::In(Sort::Bool, a) => {
                    let dst = self.hold(running, state, dst, Sort::Bool)?;
                    self.push(Op::Not { dst, a });
                }
                _ => self.known(running, state, instr, dst)?,
            },
            I::Lt { dst, a, b } => return self.compare(running, event, state, pc, (Test::Lt, dst, a, b)),
            I::Le { dst, a, b } => return self.compare(running, event, state, pc, (Test::Le, dst, a, b)),
            I::Eq { dst, a, b } => return self.compare(running, event, state, pc, (Test::Eq, dst, a, b)),
            I::Jump { to } => return self.go_to(running, event, state, (pc, to)),
            I::JumpIf { cond, to } => return self.branch(running, event, state, (cond, false), (pc, to)),
            I::JumpIfNot { cond, to } => return self.branch(running, event, state, (cond, true), (pc, to)),
            I::JumpIfNone { src, to } => match self.register(state, src)? {
                Held::Known(Value::None) => return self.go_to(running, event, state, (pc, to)),
                Held::Known(_) | Held::In(..) => {}
                _ => return None,
            },
            I::Return { src } => {
                let result = self.register(state, src)?;
                // A result that is looked for in a head has no body behind it.
                if running.facts.and_then(|f| f.head_end).is_some_and(|end| (pc as u32) < end) {
                    return None;
                }
                *state.registers.get_mut(running.result())? = result;
                return self.go_to(running, event, state, (pc, running.fragment.code.len() as Pc));
            }
            I::Get { dst, obj, field } | I::GetRaw { dst, obj, field } => self.field(running, state, instr, dst, obj, field)?,
            I::Set { obj, field, src } => self.change(running, event, state, (obj, field, src), pc + 1)?,
            I::EvGet { dst, field } => {
                let held = state.values.get(Event::place(field, VALUE)).cloned()?;
                self.set(state, dst, held)?;
            }
            I::EvSet { field, src } => self.set_value(running, event, state, field, src, pc + 1)?,
            I::EvMod { field, op, src } => {
                let by = self.register(state, src)?;
                self.modifier(event, &mut state.values, field, op, &by)?;
            }
            I::HeadStep | I::Statement => {}
            I::HeadEnd => {
                self.keep_all_apart(running, state, pc + 1)?;
                event.values = std::mem::take(&mut state.values);
                self.declare(event)?;
                state.values = std::mem::take(&mut event.values);
            }
            I::Need { cond } => match self.register(state, cond)? {
                Held::Known(Value::Bool(true)) => {}
                Held::In(Sort::Bool, cond) => {
                    self.push(Op::Must { cond });
                }
                _ => return None,
            },
            I::Emit { dst, done, action, start, n } => {
                let args = state.registers.get(start as usize..start as usize + n as usize)?.to_vec();
                self.keep_all_apart(running, state, pc + 1)?;
                let (result, slots) = self.event(action, &args, running.you)?;
                self.take_result(running, state, dst, result, slots)?;
                self.set(state, done, Held::Known(Value::Bool(true)))?;
            }
            I::Call { dst, frag, start, n } => {
                let args = state.registers.get(start as usize..start as usize + n as usize)?.to_vec();
                if !self.view.pack.fragment(frag).ok()?.pure {
                    self.keep_all_apart(running, state, pc + 1)?;
                }
                event.values = std::mem::take(&mut state.values);
                let called = self.fragment(frag, running.you, args, event)?;
                state.values = std::mem::take(&mut event.values);
                self.take_result(running, state, dst, called.0, called.1)?;
            }
            I::HasKeyword { dst, keyword, .. } | I::KeywordNumber { dst, keyword, .. } if self.view.pack.stable().keyword(keyword) => {
                self.known(running, state, instr, dst)?;
            }
            I::AllOf { dst, .. } | I::IsKind { dst, .. } | I::Players { dst } | I::You { dst } | I::Opponent { dst, .. } => {
                self.known(running, state, instr, dst)?
            }
            I::Call1 { dst, fun, .. } | I::CallN { dst, fun, .. } if only_reckons(fun) => self.known(running, state, instr, dst)?,
            _ => return None,
        }
        NEXT
    }

    pub(super) fn register(&self, state: &State, register: Reg) -> Option<Held> {
        state.registers.get(register as usize).filter(|held| !matches!(held, Held::Nothing | Held::Mixed)).cloned()
    }

    /// All that it reads is known, so what it comes to is known.
    fn known(&mut self, running: &Running<'p>, state: &mut State, instr: &Instr, dst: Reg) -> Option<()> {
        let operands = crate::operands::operands(self.view.pack.pack(), instr);
        for register in operands.all_reads() {
            self.register(state, register as Reg)?.known()?;
        }
        let value = self.work_out(instr, &state.registers, running.you, dst)?;
        self.set(state, dst, Held::Known(value))
    }

    fn copy(&mut self, running: &mut Running<'p>, state: &mut State, dst: Reg, src: Reg) -> Option<()> {
        let held = self.register(state, src)?;
        match held {
            Held::In(sort, slot) => {
                let own = self.hold(running, state, dst, sort)?;
                if own != slot {
                    self.push(Op::Put { dst: own, src: slot });
                }
                Some(())
            }
            other => self.set(state, dst, other),
        }
    }

    fn reckon(
        &mut self,
        running: &mut Running<'p>,
        state: &mut State,
        instr: &Instr,
        dst: Reg,
        (a, b): (Reg, Reg),
        op: impl Fn(Slot, Slot, Slot) -> Op,
    ) -> Option<()> {
        let (a, b) = (self.register(state, a)?, self.register(state, b)?);
        if a.known().is_some() && b.known().is_some() {
            return self.known(running, state, instr, dst);
        }
        let (a, b) = (self.number(&a)?, self.number(&b)?);
        let dst = self.hold(running, state, dst, Sort::Int)?;
        self.push(op(dst, a, b));
        Some(())
    }

    fn divide(
        &mut self,
        running: &mut Running<'p>,
        state: &mut State,
        instr: &Instr,
        dst: Reg,
        operands: (Reg, Reg),
        how: Divide,
    ) -> Option<()> {
        self.reckon(running, state, instr, dst, operands, |dst, a, b| Op::Divide { dst, a, b, how })
    }

    fn go_to(&mut self, running: &mut Running<'p>, event: &mut Event, state: &State, (pc, to): (usize, Pc)) -> Option<Onward> {
        if to as usize == pc + 1 {
            return NEXT;
        }
        self.edge(running, event, state, to as usize)?;
        self.jump(running, Op::Jump { to: 0 }, &[to as usize]);
        Some(Onward::Nowhere)
    }

    fn branch(
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
    fn compare(
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

    /// The faces a comparison holds for.
    fn reach(&mut self, running: &mut Running<'p>, test: Test, die_first: bool, with: Slot) -> Option<(Reach, Slot)> {
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

    fn field(&mut self, running: &mut Running<'p>, state: &mut State, instr: &Instr, dst: Reg, obj: Reg, field: FieldId) -> Option<()> {
        let Held::Known(Value::Obj(of)) = self.register(state, obj)? else { return None };
        let stored = self.view.world.get(of)?.state(field).is_some();
        let stable = self.view.pack.stable();
        if stored && !stable.depends_on(field) {
            let (sort, slot) = self.cell(of, field)?;
            return self.set(state, dst, Held::In(sort, slot));
        }
        // State that rules in force depend on does not change without a new stamp; the rest of a card is printed.
        if !stored && !stable.field(field) {
            return None;
        }
        self.known(running, state, instr, dst)
    }

    fn change(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        (obj, field, src): (Reg, FieldId, Reg),
        next: usize,
    ) -> Option<()> {
        let Held::Known(Value::Obj(of)) = self.register(state, obj)? else { return None };
        let value = self.register(state, src)?;
        let (sort, cell) = self.cell(of, field)?;
        if value.sort() != Some(sort) {
            return None;
        }
        let described = self.view.pack.field(field).ok()?;
        let low = self.bound(running, event, described.low, of, i64::MIN)?;
        let high = self.bound(running, event, described.high, of, i64::MAX)?;
        self.keep_apart(running, state, cell, next)?;
        let src_slot = self.slot_of(&value)?;
        match self.last() {
            // `wounds += amount`
            Some(Op::Add { dst, a, b }) if dst == src_slot && dst != cell && a == cell && b != cell && running.is_dead(src, &[next]) => {
                self.take_last();
                self.push(Op::Bump { cell, by: b, low, high });
            }
            _ => {
                self.push(Op::Store { cell, src: src_slot, low, high });
            }
        }
        Some(())
    }

    /// A bound of a state, which must be known.
    fn bound(&mut self, running: &Running<'p>, event: &mut Event, frag: Option<FragId>, of: ObjId, without: i64) -> Option<Slot> {
        let Some(frag) = frag else { return self.slots.constant(without) };
        let (bound, slots) = self.fragment(frag, running.you, vec![Held::Known(Value::Obj(of))], event)?;
        slots.into_iter().for_each(|slot| self.slots.free(slot));
        match bound {
            Held::Known(Value::Int(n)) => self.slots.constant(n),
            Held::Known(Value::None) => self.slots.constant(without),
            _ => None,
        }
    }

    fn set_value(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        field: u16,
        src: Reg,
        next: usize,
    ) -> Option<()> {
        let place = Event::place(field, VALUE);
        let held = self.register(state, src)?;
        let held = match held {
            Held::In(sort, slot) => {
                let home = self.own(event, place)?;
                self.keep_apart(running, state, home, next)?;
                match self.last() {
                    // `total += 1`
                    Some(Op::Add { dst, a, b }) if dst == slot && running.is_dead(src, &[next]) => {
                        self.take_last();
                        self.push(Op::Add { dst: home, a, b });
                    }
                    _ => {
                        self.push(Op::Put { dst: home, src: slot });
                    }
                }
                Held::In(sort, home)
            }
            known => {
                if let Some(home) = event.homes.get(place).copied().flatten() {
                    self.keep_apart(running, state, home, next)?;
                }
                known
            }
        };
        *state.values.get_mut(place)? = held;
        Some(())
    }

    /// The result of something that was run inside goes into a register.
    fn take_result(&mut self, running: &mut Running<'p>, state: &mut State, dst: Reg, result: Held, slots: Vec<Slot>) -> Option<()> {
        let result = match result {
            Held::Nothing | Held::Mixed => return None,
            Held::In(sort, slot) => {
                let own = self.hold(running, state, dst, sort)?;
                self.push(Op::Put { dst: own, src: slot });
                Held::In(sort, own)
            }
            known => known,
        };
        self.set(state, dst, result)?;
        slots.into_iter().for_each(|slot| self.slots.free(slot));
        Some(())
    }

    /// Dice and loops, which short cuts know.
    fn short_cut(
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

    fn from(&mut self, state: &State, from: From) -> Option<Slot> {
        let held = match from {
            From::Int(n) => Held::number(n as i64),
            From::Reg(register) => self.register(state, register)?,
            From::Event(field) => state.values.get(Event::place(field, VALUE)).cloned()?,
        };
        self.number(&held)
    }

    fn faces(&mut self, running: &mut Running<'p>, state: &State, faces: Faces) -> Option<(Reach, Slot)> {
        let with = self.from(state, faces.with)?;
        let (test, die_first) = faces.comparison();
        self.reach(running, test, die_first, with)
    }
}

/// Functions that look at nothing but numbers and who things belong to, which changes with the stamp.
fn only_reckons(fun: Fun) -> bool {
    use Fun as F;
    matches!(
        fun,
        F::Min | F::Max | F::Abs | F::Clamp | F::Odd | F::Floor | F::Ceil | F::Round | F::Total | F::Controller | F::Owner | F::Holder
    )
}
