//! What becomes of each instruction.

use super::compile::Compiler;
use super::event::{Event, VALUE};
use super::fragment::{Onward, Running};
use super::lists::Asked;
use super::op::{Divide, Op, Slot};
use super::state::{Held, Sort, State};
use crate::bytecode::{Fun, Instr};
use crate::flow::Test;
use crate::ids::*;
use crate::value::Value;

pub(super) const NEXT: Option<Onward> = Some(Onward::Next(1));

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
            I::Each { op, list, frag, caps, n, .. } => {
                return self.each(running, event, state, pc, (op, list, Asked { frag, caps: (caps, n) }));
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
            // Who and what is in play, and what it consists of, does not change without a new stamp.
            I::AllOf { dst, .. }
            | I::Parts { dst, .. }
            | I::PartNamed { dst, .. }
            | I::IsKind { dst, .. }
            | I::Game { dst, .. }
            | I::Option { dst, .. }
            | I::Players { dst }
            | I::You { dst }
            | I::Opponent { dst, .. }
            | I::MakeList { dst, .. }
            | I::Len { dst, .. }
            | I::Index { dst, .. }
            | I::Contains { dst, .. } => self.known(running, state, instr, dst)?,
            I::Call1 { dst, fun, .. } | I::CallN { dst, fun, .. } if only_reckons(fun) => self.known(running, state, instr, dst)?,
            _ => return None,
        }
        NEXT
    }

    pub(super) fn register(&self, state: &State, register: Reg) -> Option<Held> {
        state.registers.get(register as usize).filter(|held| !matches!(held, Held::Nothing | Held::Mixed)).cloned()
    }

    /// All that it reads is known, so what it comes to is known.
    pub(super) fn known(&mut self, running: &Running<'p>, state: &mut State, instr: &Instr, dst: Reg) -> Option<()> {
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
}

/// Functions that look at nothing but what they are given, and at whose and where things are, which does not change without a new stamp.
fn only_reckons(fun: Fun) -> bool {
    use Fun as F;
    matches!(
        fun,
        F::Min
            | F::Max
            | F::Abs
            | F::Clamp
            | F::Odd
            | F::Floor
            | F::Ceil
            | F::Round
            | F::PercentOf
            | F::MakePair
            | F::PairX
            | F::PairY
            | F::Total
            | F::First
            | F::Last
            | F::Reversed
            | F::Union
            | F::Joined
            | F::Common
            | F::Subset
            | F::Distinct
            | F::Copies
            | F::Numbers
            | F::Controller
            | F::Owner
            | F::Holder
            | F::InPlay
            | F::PrintedCard
            | F::NameOf
    )
}
