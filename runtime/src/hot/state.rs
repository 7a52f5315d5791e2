//! What is known about the registers of a fragment and the values of its event at one place of it, whichever way led there.

use super::op::Slot;
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Int,
    Bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    /// Never written, or not read again.
    Nothing,
    /// The same every time.
    Known(Value),
    /// It stands in a slot.
    In(Sort, Slot),
    /// Different sorts of things on different ways.
    Mixed,
}

impl Held {
    pub fn number(n: i64) -> Held {
        Held::Known(Value::Int(n))
    }

    pub fn sort(&self) -> Option<Sort> {
        match self {
            Held::Known(Value::Int(_)) => Some(Sort::Int),
            Held::Known(Value::Bool(_)) => Some(Sort::Bool),
            Held::In(sort, _) => Some(*sort),
            _ => None,
        }
    }

    pub fn known(&self) -> Option<&Value> {
        match self {
            Held::Known(value) => Some(value),
            _ => None,
        }
    }

    /// What is known where two ways meet. If they differ, it is to stand in the slot that is its own.
    fn met(&self, other: &Held, own: impl FnOnce() -> Option<Slot>) -> Option<Held> {
        if self == other {
            return Some(self.clone());
        }
        Some(match (self.sort(), other.sort()) {
            (Some(a), Some(b)) if a == b => Held::In(a, own()?),
            _ if *self == Held::Nothing || *other == Held::Nothing => Held::Nothing,
            _ => Held::Mixed,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// Registers, and one more for the result.
    pub registers: Vec<Held>,
    /// Values of the event, each followed by what modifies it.
    pub values: Vec<Held>,
}

impl State {
    /// Where two ways meet. `own` gives the slots of registers (true) and of values.
    pub fn meet(&self, other: &State, mut own: impl FnMut(bool, usize) -> Option<Slot>) -> Option<State> {
        let mut registers = Vec::with_capacity(self.registers.len());
        for (i, (a, b)) in self.registers.iter().zip(&other.registers).enumerate() {
            registers.push(a.met(b, || own(true, i))?);
        }
        let mut values = Vec::with_capacity(self.values.len());
        for (i, (a, b)) in self.values.iter().zip(&other.values).enumerate() {
            values.push(a.met(b, || own(false, i))?);
        }
        Some(State { registers, values })
    }
}
