//! Running straight terms.

use super::{Count, Op, Straight};
use crate::bytecode::EachOp;
use crate::eval::{Flow, Scratch, View};
use crate::fault::{Res, bad_pack, wrong};
use crate::flow::Test;
use crate::ids::*;
use crate::num::{self, Rounding};
use crate::value::Value;

/// May terms be run in their straight form?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Straightly {
    #[default]
    Yes,
    /// One is running: what goes wrong in here is for it to take back.
    Inside,
    /// Something went wrong: as it is written.
    No,
}

/// Nothing has been worked out for an element yet.
const UNKNOWN: u64 = u64::MAX;

impl View<'_> {
    /// The straight way; where that comes to nothing, everything is as before and the plain way is taken.
    pub(crate) fn straight_or<T>(
        &self,
        s: &mut Scratch,
        straight: impl FnOnce(&Self, &mut Scratch) -> Res<T>,
        plain: impl FnOnce(&Self, &mut Scratch) -> Res<T>,
    ) -> Res<T> {
        match s.straightly {
            Straightly::No => plain(self, s),
            Straightly::Inside => straight(self, s),
            Straightly::Yes => {
                let (fuel, depth, registers, onces) = (s.fuel, s.depth, s.regs.len(), s.onces.len());
                s.straightly = Straightly::Inside;
                let came = straight(self, s);
                s.straightly = Straightly::Yes;
                if came.is_ok() {
                    return came;
                }
                (s.fuel, s.depth) = (fuel, depth);
                s.regs.truncate(registers);
                s.onces.truncate(onces);
                s.straightly = Straightly::No;
                let came = plain(self, s);
                s.straightly = Straightly::Yes;
                came
            }
        }
    }

    /// Is there room for the terms inside it?
    pub(crate) fn straight_fits(&self, s: &Scratch, term: &Straight) -> bool {
        s.depth + term.depth < s.limits.call_depth
    }

    /// The arguments stand at `base`, behind everything else.
    pub(crate) fn run_straight(&self, s: &mut Scratch, term: &Straight, base: usize) -> Res<Value> {
        s.depth += 1;
        s.regs.resize(base + term.registers as usize, Value::None);
        let value = self.run_ops(s, term, base, 0)?;
        s.regs.truncate(base);
        s.depth -= 1;
        Ok(value)
    }

    /// What is asked of each element, which is its last parameter; the others are captured from registers of the caller.
    pub(crate) fn each_straight(
        &self,
        s: &mut Scratch,
        op: EachOp,
        items: &[Value],
        term: &Straight,
        captured: impl Iterator<Item = usize>,
    ) -> Res<Value> {
        self.of_each_straight(s, term, captured, |view, s, ask| view.fold(s, op, items, ask))
    }

    /// Registers for a term that is asked of each element, and what is known of it, while `fold` asks it.
    fn of_each_straight(
        &self,
        s: &mut Scratch,
        term: &Straight,
        captured: impl Iterator<Item = usize>,
        fold: impl FnOnce(&Self, &mut Scratch, &mut dyn FnMut(&Self, &mut Scratch, &Value) -> Res<Value>) -> Res<Value>,
    ) -> Res<Value> {
        let (base, onces) = (s.regs.len(), s.onces.len());
        for at in captured {
            let value = s.regs.get(at).cloned().unwrap_or_default();
            s.regs.push(value);
        }
        let element = s.regs.len();
        s.regs.resize(base + term.registers as usize, Value::None);
        s.onces.resize(onces + term.onces as usize, UNKNOWN);
        s.depth += 1;
        let value = fold(self, s, &mut |view, s, item| {
            if let Some(slot) = s.regs.get_mut(element) {
                *slot = item.clone();
            }
            view.run_ops(s, term, base, onces)
        })?;
        s.depth -= 1;
        s.regs.truncate(base);
        s.onces.truncate(onces);
        Ok(value)
    }

    /// The first items of which it is true, as many as are wanted. What is asked of each is its last parameter.
    pub(crate) fn first_straight(
        &self,
        s: &mut Scratch,
        items: &[Value],
        term: &Straight,
        captured: impl Iterator<Item = usize>,
        wanted: usize,
    ) -> Res<std::sync::Arc<[Value]>> {
        let mut found = Vec::new();
        self.of_each_straight(s, term, captured, |view, s, ask| {
            for item in items {
                if num::truth(&ask(view, s, item)?)? {
                    found.push(item.clone());
                    if found.len() >= wanted {
                        break;
                    }
                }
            }
            Ok(Value::None)
        })?;
        Ok(found.into())
    }

    fn run_ops(&self, s: &mut Scratch, term: &Straight, base: usize, onces: usize) -> Res<Value> {
        let mut pc = 0usize;
        let mut once_from = 0;
        while let Some(op) = term.ops.get(pc) {
            pc += 1;
            let (dst, value) = match op {
                Op::Spend(steps) => {
                    let Some(left) = s.fuel.checked_sub(*steps as u64) else {
                        return wrong("too few steps");
                    };
                    s.fuel = left;
                    continue;
                }
                Op::Once { number, to } => {
                    match s.onces.get(onces + *number as usize) {
                        Some(steps) if *steps != UNKNOWN => {
                            let Some(left) = s.fuel.checked_sub(*steps) else {
                                return wrong("too few steps");
                            };
                            s.fuel = left;
                            pc = *to as usize;
                        }
                        _ => once_from = s.fuel,
                    }
                    continue;
                }
                Op::Known { number } => {
                    let steps = once_from.saturating_sub(s.fuel);
                    if let Some(slot) = s.onces.get_mut(onces + *number as usize) {
                        *slot = steps;
                    }
                    continue;
                }
                Op::Jump(to) => {
                    pc = *to as usize;
                    continue;
                }
                Op::If { cond, is, to } => {
                    if num::truth(s.reg(base, *cond))? == *is {
                        pc = *to as usize;
                    }
                    continue;
                }
                Op::IfNone { src, to } => {
                    if *s.reg(base, *src) == Value::None {
                        pc = *to as usize;
                    }
                    continue;
                }
                Op::IfCompare { test, a, b, is, to } => {
                    if compared(s, base, *test, *a, *b)? == *is {
                        pc = *to as usize;
                    }
                    continue;
                }
                Op::Plain(instr) => match self.exec(s, base, instr)? {
                    Flow::Next => continue,
                    _ => return bad_pack("a term tries to act or to ask"),
                },
                Op::Return(src) => return Ok(s.reg(base, *src).clone()),
                Op::Move { dst, src } => (*dst, s.reg(base, *src).clone()),
                Op::Int { dst, v } => (*dst, Value::Int(*v as i64)),
                Op::Not { dst, a } => (*dst, Value::Bool(!num::truth(s.reg(base, *a))?)),
                Op::Compare { dst, test, a, b } => (*dst, Value::Bool(compared(s, base, *test, *a, *b)?)),
                Op::Count { dst, how, a, b } => {
                    let (a, b) = (s.reg(base, *a), s.reg(base, *b));
                    let whole = match (how, a, b) {
                        (Count::Add, Value::Int(a), Value::Int(b)) => a.checked_add(*b),
                        (Count::Sub, Value::Int(a), Value::Int(b)) => a.checked_sub(*b),
                        (Count::Mul, Value::Int(a), Value::Int(b)) => a.checked_mul(*b),
                        (Count::DivDown, Value::Int(a), Value::Int(b)) if *b > 0 => Some(a.div_euclid(*b)),
                        _ => None,
                    };
                    let value = match (whole, how) {
                        (Some(whole), _) => Value::Int(whole),
                        (None, Count::Add) => num::add(a, b)?,
                        (None, Count::Sub) => num::sub(a, b)?,
                        (None, Count::Mul) => num::mul(a, b)?,
                        (None, Count::DivDown) => num::div_rounded(a, b, Rounding::Down)?,
                    };
                    (*dst, value)
                }
                Op::Get { dst, obj, field } => (*dst, self.get(s, (base, *obj), *field)?),
                Op::Distance { dst, a, b } => (*dst, self.distance(no_list(s.reg(base, *a))?, s.reg(base, *b))),
                Op::Toward { dst, from, to, by } => (*dst, self.toward(no_list(s.reg(base, *from))?, s.reg(base, *to), s.reg(base, *by))?),
                Op::MakePlace { dst, x, y } => (*dst, crate::eval::make_place(no_list(s.reg(base, *x))?, s.reg(base, *y))?),
                Op::PlaceOf { dst, of } => (*dst, self.place(no_list(s.reg(base, *of))?).map_or(Value::None, Value::Place)),
                Op::Each { dst, op, list, frag, caps } => (*dst, self.each_op(s, *op, (base, *list), *frag, caps)?),
            };
            s.set(base, dst, value);
        }
        Ok(Value::None)
    }

    fn each_op(&self, s: &mut Scratch, op: EachOp, list: (usize, Reg), frag: FragId, caps: &[Reg]) -> Res<Value> {
        let base = list.0;
        if let Some(term) = self.asked_of_each(s, op, frag, caps.len()) {
            let items = self.items(s.reg(base, list.1))?;
            return self.each_straight(s, op, &items, term, caps.iter().map(|r| base + *r as usize));
        }
        let row = s.regs.len();
        for r in caps {
            let value = s.reg(base, *r).clone();
            s.regs.push(value);
        }
        let value = self.each(s, op, list, frag, (row, 0, caps.len() as u16))?;
        s.regs.truncate(row);
        Ok(value)
    }

    /// The straight form of what is asked of each element, if there is one that fits.
    pub(crate) fn asked_of_each(&self, s: &Scratch, op: EachOp, frag: FragId, captured: usize) -> Option<&Straight> {
        if op == EachOp::Connected || s.straightly == Straightly::No {
            return None;
        }
        self.pack.straight_of_each(frag).filter(|term| term.params as usize == captured + 1 && self.straight_fits(s, term))
    }
}

#[inline(always)]
fn compared(s: &mut Scratch, base: usize, test: Test, a: Reg, b: Reg) -> Res<bool> {
    Ok(match (test, s.reg(base, a), s.reg(base, b)) {
        (Test::Lt, Value::Int(a), Value::Int(b)) => a < b,
        (Test::Le, Value::Int(a), Value::Int(b)) => a <= b,
        (Test::Eq, Value::Int(a), Value::Int(b)) => a == b,
        (Test::Lt, a, b) => num::compare(a, b)?.is_lt(),
        (Test::Le, a, b) => num::compare(a, b)?.is_le(),
        (Test::Eq, a, b) => {
            let work = crate::eval::long(a).saturating_mul(crate::eval::long(b));
            let is = num::same(a, b);
            s.charge(work)?;
            is
        }
    })
}

/// Looking at a list takes more steps the longer it is: that is for the plain way.
fn no_list(value: &Value) -> Res<&Value> {
    match value {
        Value::List(_) => wrong("a list"),
        other => Ok(other),
    }
}
