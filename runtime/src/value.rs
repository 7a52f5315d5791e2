//! What a register, a field or a constant holds. Types are checked by the compiler; the verifier and the machine check tags where a
//! stranger's pack could lie, and a wrong tag is a fault, never a panic.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::num;

/// An exact fraction in lowest terms, denominator above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ratio {
    pub num: i64,
    pub den: i64,
}

/// `count` dice of `sides` sides, and `plus`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dice {
    pub count: u32,
    pub sides: u32,
    pub plus: i32,
}

/// A point of the table, in thousandths of the base length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// An unset optional.
    #[default]
    None,
    Bool(bool),
    /// Whole numbers; target numbers; percents; lengths in thousandths of the base length.
    Int(i64),
    Ratio(Ratio),
    /// An enum member.
    Sym(SymId),
    Keyword(KeywordId),
    Text(StrId),
    /// A card as printed, not an object in a game.
    Card(CardId),
    Obj(ObjId),
    /// A pile is a field of an object (a player's hand, the game's source deck).
    Pile(ObjId, FieldId),
    /// The spot "in play" that cards are moved to.
    InPlay,
    Dice(Dice),
    Place(Place),
    Pair(#[serde(deserialize_with = "crate::nesting::pair")] Arc<[Value; 2]>),
    /// Sets and lists. Sets are kept without repeats, in the order of their making.
    List(#[serde(deserialize_with = "crate::nesting::list")] Arc<[Value]>),
    /// A price: resources and amounts, without repeats.
    Cost(Arc<[(FieldId, i64)]>),
    /// A stored effect or choice: its fragment, the object that is `this` in it and the part it stands in.
    Code(FragId, ObjId, ObjId),
    /// A stored bundle of rules, with its holder and part.
    Rules(BundleId, ObjId, ObjId),
    /// An event of the past: its number in the world's log.
    Event(u32),
}

impl Value {
    /// A number as numerator and denominator. Rolled dice count as their total. None: it is no number.
    pub fn parts(&self) -> Option<(i128, i128)> {
        num::parts(self)
    }

    /// The same, if it is whole and fits.
    pub fn whole(&self) -> Option<i64> {
        num::int(self).ok()
    }

    /// Equality as the language has it: the order of a set does not matter, and rolled dice equal their total.
    pub fn is_same(&self, other: &Value) -> bool {
        num::same(self, other)
    }

    /// Which of two is greater, where the language compares them.
    pub fn order(&self, other: &Value) -> Option<Ordering> {
        num::compare(self, other).ok()
    }

    /// Rolled dice are measured by their total.
    pub fn counted(self) -> Value {
        match (&self, num::parts(&self)) {
            (Value::List(_), Some((n, d))) => num::fraction(n, d).unwrap_or(self),
            _ => self,
        }
    }

    /// The value and every value in it.
    pub(crate) fn each(&self, found: &mut impl FnMut(&Value)) {
        found(self);
        match self {
            Value::List(items) => items.iter().for_each(|v| v.each(found)),
            Value::Pair(halves) => halves.iter().for_each(|v| v.each(found)),
            _ => {}
        }
    }
}
