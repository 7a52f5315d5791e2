//! Terms so short that they need no room of their own: a value, a parameter, or a comparison of two of these. Most conditions and modifiers are.

use super::{Scratch, View};
use crate::bytecode::Instr;
use crate::fault::Res;
use crate::flow::Test;
use crate::ids::{FieldId, Reg};
use crate::num;
use crate::pack::{Fragment, Pack};
use crate::value::Value;

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Value(Value),
    Param(Reg),
    /// A value of the event.
    Event(u16),
    /// A field of a parameter.
    Field(Reg, FieldId),
}

#[derive(Clone, Debug)]
pub(crate) enum Simple {
    Is(Part),
    Compare(Test, Part, Part),
}

impl Simple {
    /// The number it always is.
    pub fn fixed_number(&self) -> Option<i64> {
        match self {
            Simple::Is(Part::Value(Value::Int(n))) => Some(*n),
            _ => None,
        }
    }
}

/// What a fragment comes to, if it is simple.
pub(crate) fn simple(pack: &Pack, fragment: &Fragment) -> Option<Simple> {
    if !fragment.pure || fragment.code.len() > 4 {
        return None;
    }
    let (last, lead) = fragment.code.split_last()?;
    let Instr::Return { src } = *last else { return None };
    let mut held: Vec<(Reg, Part)> = (0..fragment.params).map(|r| (r, Part::Param(r))).collect();
    let mut compared = None;
    for instr in lead {
        let get = |r: Reg| held.iter().rev().find(|(h, _)| *h == r).map(|(_, part)| part.clone());
        let (dst, part) = match *instr {
            // Nothing may follow a comparison but its return.
            _ if compared.is_some() => return None,
            Instr::Int { dst, v } => (dst, Part::Value(Value::Int(v as i64))),
            Instr::Bool { dst, v } => (dst, Part::Value(Value::Bool(v))),
            Instr::None { dst } => (dst, Part::Value(Value::None)),
            Instr::Const { dst, k } => (dst, Part::Value(pack.consts.get(k.index())?.clone())),
            Instr::Move { dst, src } => (dst, get(src)?),
            Instr::EvGet { dst, field } => (dst, Part::Event(field)),
            Instr::Get { dst, obj, field } => match get(obj)? {
                Part::Param(r) => (dst, Part::Field(r, field)),
                _ => return None,
            },
            Instr::Lt { dst, a, b } => {
                compared = Some((dst, Simple::Compare(Test::Lt, get(a)?, get(b)?)));
                continue;
            }
            Instr::Le { dst, a, b } => {
                compared = Some((dst, Simple::Compare(Test::Le, get(a)?, get(b)?)));
                continue;
            }
            Instr::Eq { dst, a, b } => {
                compared = Some((dst, Simple::Compare(Test::Eq, get(a)?, get(b)?)));
                continue;
            }
            _ => return None,
        };
        held.push((dst, part));
    }
    match compared {
        Some((dst, simple)) => (dst == src).then_some(simple),
        None => held.into_iter().rev().find(|(h, _)| *h == src).map(|(_, part)| Simple::Is(part)),
    }
}

impl View<'_> {
    /// The value of a simple term. None: it is not, or something is wrong with it, which the long way says better.
    #[inline]
    pub(super) fn simply<'a>(&'a self, s: &mut Scratch, simple: &'a Simple, param: impl Fn(Reg) -> Option<&'a Value>) -> Option<Value> {
        s.fuel = s.fuel.checked_sub(1)?;
        // Fields that take more than a look are left to the long way, which also sees circles.
        let field = |s: &mut Scratch, r: Reg, field: FieldId| match param(r)? {
            Value::Obj(id) => self.at_hand(s, *id, field),
            _ => None,
        };
        let value = |part: &'a Part| match part {
            Part::Value(value) => Some(value),
            Part::Param(r) => param(*r),
            Part::Event(field) => self.events.get(self.event? as usize)?.values.get(*field as usize),
            Part::Field(..) => None,
        };
        match simple {
            Simple::Is(Part::Field(r, f)) => field(s, *r, *f),
            Simple::Is(part) => value(part).cloned(),
            Simple::Compare(test, Part::Field(r, f), Part::Field(q, g)) => {
                let (a, b) = (field(s, *r, *f)?, field(s, *q, *g)?);
                compared(*test, &a, &b).map(Value::Bool)
            }
            Simple::Compare(test, Part::Field(r, f), b) => compared(*test, &field(s, *r, *f)?, value(b)?).map(Value::Bool),
            Simple::Compare(test, a, Part::Field(r, f)) => compared(*test, value(a)?, &field(s, *r, *f)?).map(Value::Bool),
            Simple::Compare(test, a, b) => compared(*test, value(a)?, value(b)?).map(Value::Bool),
        }
    }
}

#[inline]
fn compared(test: Test, a: &Value, b: &Value) -> Option<bool> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Some(match test {
            Test::Lt => a < b,
            Test::Le => a <= b,
            Test::Eq => a == b,
        });
    }
    if matches!(a, Value::List(_)) || matches!(b, Value::List(_)) {
        return None;
    }
    let order = || -> Res<_> { num::compare(a, b) };
    match test {
        Test::Eq => Some(num::same(a, b)),
        Test::Lt => order().ok().map(|o| o.is_lt()),
        Test::Le => order().ok().map(|o| o.is_le()),
    }
}
