//! The loop that runs the code of terms.

use super::{Count, Op, Term};
use crate::bytecode::EachOp;
use crate::eval::{Flow, Scratch, View};
use crate::fault::{Bound, FaultKind, Res, bad_pack, fail};
use crate::flow::Test;
use crate::ids::*;
use crate::num::{self, Rounding};
use crate::value::Value;

impl View<'_> {
    /// The arguments stand at `base`, behind everything else. They are gone afterwards, whatever it comes to.
    pub(crate) fn run_term(&self, s: &mut Scratch, term: &Term, base: usize) -> Res<Value> {
        let came = self.nested(s, |view, s| {
            s.regs.resize(base + term.registers as usize, Value::None);
            view.run_ops(s, term, base, 0)
        });
        s.regs.truncate(base);
        came
    }

    fn nested<T>(&self, s: &mut Scratch, run: impl FnOnce(&Self, &mut Scratch) -> Res<T>) -> Res<T> {
        if s.depth >= s.limits.call_depth {
            return fail(FaultKind::Limit(Bound::CallDepth), format!("terms inside terms, more than {} deep", s.limits.call_depth));
        }
        s.depth += 1;
        let came = run(self, s);
        s.depth -= 1;
        came
    }

    /// What is asked of each element, which is its last parameter; the others are captured from registers of the caller.
    pub(crate) fn each_term(
        &self,
        s: &mut Scratch,
        op: EachOp,
        items: &[Value],
        term: &Term,
        captured: impl Iterator<Item = usize>,
    ) -> Res<Value> {
        self.of_each(s, term, captured, |view, s, asked| view.fold(s, op, items, |view, s, item| asked.of(view, s, item)))
    }

    /// Registers for a term that is asked of each element, and what is known of it, while `fold` asks it.
    fn of_each<T>(
        &self,
        s: &mut Scratch,
        term: &Term,
        captured: impl Iterator<Item = usize>,
        fold: impl FnOnce(&Self, &mut Scratch, Asked<'_>) -> Res<T>,
    ) -> Res<T> {
        let (base, onces) = (s.regs.len(), s.onces.len());
        for at in captured {
            let value = s.regs.get(at).cloned().unwrap_or_default();
            s.regs.push(value);
        }
        let element = s.regs.len();
        let came = self.nested(s, |view, s| {
            s.regs.resize(base + term.registers as usize, Value::None);
            s.onces.resize(onces + term.onces as usize, false);
            fold(view, s, Asked { term, base, element, onces })
        });
        s.regs.truncate(base);
        s.onces.truncate(onces);
        came
    }

    /// The first items of which it is true, as many as are wanted. What is asked of each is its last parameter.
    pub(crate) fn first_of_term(
        &self,
        s: &mut Scratch,
        items: &[Value],
        term: &Term,
        captured: impl Iterator<Item = usize>,
        wanted: usize,
    ) -> Res<std::sync::Arc<[Value]>> {
        self.of_each(s, term, captured, |view, s, asked| {
            let mut found = Vec::new();
            for item in items {
                if num::truth(&asked.of(view, s, item)?)? {
                    found.push(item.clone());
                    if found.len() >= wanted {
                        break;
                    }
                }
            }
            Ok(found.into())
        })
    }

    /// Work is charged when it is done: operations only lead on, or are charged where they go back.
    fn run_ops(&self, s: &mut Scratch, term: &Term, base: usize, onces: usize) -> Res<Value> {
        s.burn()?;
        let mut pc = 0usize;
        let came = self.run_from(s, term, base, onces, &mut pc);
        match came {
            Ok(value) => {
                s.fuel = s.fuel.saturating_sub(pc as u64);
                Ok(value)
            }
            Err(stop) => Err(stop.at(pc.checked_sub(1).and_then(|at| term.sites.get(at)).copied().flatten())),
        }
    }

    #[inline(always)]
    fn run_from(&self, s: &mut Scratch, term: &Term, base: usize, onces: usize, pc: &mut usize) -> Res<Value> {
        while let Some(op) = term.ops.get(*pc) {
            *pc += 1;
            let (dst, value) = match op {
                Op::Once { number, to } => {
                    if s.onces.get(onces + *number as usize).is_some_and(|known| *known) {
                        *pc = *to as usize;
                    }
                    continue;
                }
                Op::Known { number } => {
                    if let Some(known) = s.onces.get_mut(onces + *number as usize) {
                        *known = true;
                    }
                    continue;
                }
                Op::Jump(to) => {
                    s.go(pc, *to)?;
                    continue;
                }
                Op::If { cond, is, to } => {
                    if num::truth(s.reg(base, *cond))? == *is {
                        s.go(pc, *to)?;
                    }
                    continue;
                }
                Op::IfNone { src, to } => {
                    if *s.reg(base, *src) == Value::None {
                        s.go(pc, *to)?;
                    }
                    continue;
                }
                Op::IfCompare { test, a, b, is, to } => {
                    if compared(s, base, *test, *a, *b)? == *is {
                        s.go(pc, *to)?;
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
                Op::Distance { dst, a, b } => (*dst, self.distance(s.reg(base, *a), s.reg(base, *b))),
                Op::Toward { dst, from, to, by } => (*dst, self.toward(s.reg(base, *from), s.reg(base, *to), s.reg(base, *by))?),
                Op::MakePlace { dst, x, y } => (*dst, crate::eval::make_place(s.reg(base, *x), s.reg(base, *y))?),
                Op::PlaceOf { dst, of } => (*dst, self.place(s.reg(base, *of)).map_or(Value::None, Value::Place)),
                Op::Each { dst, op, list, frag, caps } => (*dst, self.each_op(s, *op, (base, *list), *frag, caps)?),
            };
            s.set(base, dst, value);
        }
        Ok(Value::None)
    }

    fn each_op(&self, s: &mut Scratch, op: EachOp, list: (usize, Reg), frag: FragId, caps: &[Reg]) -> Res<Value> {
        let base = list.0;
        if op != EachOp::Connected
            && let Some(term) = self.asked_of_each(frag, caps.len())
        {
            let items = self.items(s.reg(base, list.1))?;
            return self.each_term(s, op, &items, term, caps.iter().map(|r| base + *r as usize));
        }
        let row = s.regs.len();
        for r in caps {
            let value = s.reg(base, *r).clone();
            s.regs.push(value);
        }
        let came = self.each(s, op, list, frag, (row, 0, caps.len() as u16));
        s.regs.truncate(row);
        came
    }

    /// The code of what is asked of each element, if it is made for that.
    pub(crate) fn asked_of_each(&self, frag: FragId, captured: usize) -> Option<&Term> {
        self.pack.term_of_each(frag).filter(|term| term.params as usize == captured + 1)
    }
}

/// A term that is asked of one element after the other, with its registers ready.
#[derive(Clone, Copy)]
struct Asked<'t> {
    term: &'t Term,
    base: usize,
    element: usize,
    onces: usize,
}

impl Asked<'_> {
    #[inline]
    fn of(&self, view: &View<'_>, s: &mut Scratch, item: &Value) -> Res<Value> {
        if let Some(slot) = s.regs.get_mut(self.element) {
            *slot = item.clone();
        }
        view.run_ops(s, self.term, self.base, self.onces)
    }
}

impl Scratch<'_> {
    /// A jump. Whoever goes back may do so for ever: that is charged at once.
    #[inline(always)]
    fn go(&mut self, pc: &mut usize, to: u32) -> Res<()> {
        if (to as usize) < *pc {
            self.burn()?;
            self.charge(16 * (*pc - to as usize))?;
        }
        *pc = to as usize;
        Ok(())
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
