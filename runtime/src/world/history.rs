//! What the world remembers beyond the state of its objects: modifiers that run out, what was used up, what happened.

use serde::{Deserialize, Serialize};

use crate::bytecode::ModOp;
use crate::eval::Source;
use crate::ids::*;
use crate::value::Value;

/// A grant made by a statement: who and how much were settled when it was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timed {
    pub targets: Vec<ObjId>,
    pub mods: Vec<(FieldId, ModOp, Value)>,
    pub keywords: Vec<(KeywordId, i64)>,
    /// Rules put in force on each target; `None`: the target itself is `this`.
    pub bundles: Vec<(BundleId, Option<(ObjId, ObjId)>)>,
    /// Orders `=` modifiers.
    pub rank: u32,
    /// `this` and `part` of the statement.
    pub this: ObjId,
    pub part: ObjId,
    /// What its rules, its `while` and its `until` read from there, as it was.
    pub caps: Option<std::sync::Arc<[Value]>>,
    /// It ends with the first of these; none: never.
    pub ends: Vec<Ends>,
}

impl Timed {
    /// The statement's side of it, for `while` and `until`.
    pub(crate) fn source(&self) -> Source {
        Source { this: self.this, part: self.part, caps: self.caps.clone() }
    }
}

/// When a timed grant ends. `since` is how many events were running when it was made: those do not count as "the next".
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ends {
    AtStart { scope: ActionId, of: Value, left: u32 },
    AtEnd { scope: ActionId, of: Value, left: u32, since: u32 },
    Event { action: ActionId, guard: Option<FragId>, since: u32 },
    While { cond: FragId },
}

/// What `once per` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Used {
    Rule { bundle: BundleId, rule: u32, this: ObjId, part: ObjId },
    Part { part: ObjId },
    Action { action: ActionId, by: ObjId },
}

/// An event kept for `past`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Logged {
    pub action: ActionId,
    pub values: Vec<(u16, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    Won(ObjId),
    Drawn,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KnownFact {
    pub fact: FactId,
    pub args: std::sync::Arc<[Value]>,
    pub value: Value,
}
