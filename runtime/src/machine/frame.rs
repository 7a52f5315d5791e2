//! What the machine is in the middle of: running fragments and the stages of events, as a stack.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bytecode::ModOp;
use crate::eval::Source;
use crate::ids::*;
use crate::loaded::RuleRef;
use crate::value::Value;
use crate::world::World;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Task {
    Frame(Frame),
    Batch(Batch),
    /// Carrying out an event: `instead` rules, and at last its body.
    Resolve {
        event: u32,
        started: bool,
        /// The `instead` rule that somebody wants first.
        chosen: Option<Box<Trigger>>,
    },
}

/// A running fragment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    pub(crate) frag: FragId,
    pub(crate) pc: Pc,
    /// Its first register.
    pub(crate) base: u32,
    /// The event it reads and writes.
    pub(crate) event: Option<u32>,
    pub(crate) source: Source,
    pub(crate) you: ObjId,
    /// How specific its rule is.
    pub(crate) rank: u32,
    pub(crate) ret: Ret,
    /// In the head of a `may` block or menu line: how to get out.
    pub(crate) guard: Option<Box<Guard>>,
    /// Phases written in place that are open.
    pub(crate) scopes: u32,
    pub(crate) together: Option<Box<Gathering>>,
}

/// Where the result of a fragment goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ret {
    /// To the machine: this is what was run.
    Root,
    /// To a register of the fragment below.
    Reg(Reg),
    /// To the event whose body it is.
    Body(u32),
    /// To the event that a rule replaces; nothing leaves the result that `proceed` gave.
    Instead(u32),
    /// Nowhere: it is a phase that is replaced, written in the fragment at this place of the stack.
    InPlace(u32),
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Guard {
    /// The world to go back to, if the head could change it.
    pub(crate) world: Option<World>,
    pub(crate) to: Pc,
}

/// Calls inside `together`, held back until its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gathering {
    pub(crate) depth: u32,
    pub(crate) calls: Vec<(ActionId, Vec<Value>)>,
}

/// A body that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parked {
    pub(crate) frame: Frame,
    pub(crate) registers: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EventInstance {
    pub action: ActionId,
    /// Parameters, then the names bound in its head.
    pub values: Vec<Value>,
    pub you: ObjId,
    pub(crate) result: Value,
    pub(crate) legal: bool,
    pub(crate) in_head: bool,
    /// Its body ran at least once.
    pub(crate) carried: bool,
    /// The body, waiting at the end of the head or between its steps. None: there is no head to it.
    pub(crate) body: Option<Box<Parked>>,
    /// The world before a head that changes it.
    pub(crate) before_head: Option<Box<World>>,
    pub(crate) mods: Vec<(u16, ModOp, u32, Value)>,
    /// `instead` rules that had their turn.
    pub(crate) replaced: Vec<(RuleRef, Source)>,
    /// `after` rules in force when it began.
    pub(crate) after: Option<InForce>,
    /// What was chosen in this scope by `each once per`.
    pub(crate) chosen: Vec<(ChooseId, Value)>,
    /// Parts used up in the course of this event.
    pub(crate) parts_used: Vec<ObjId>,
    /// How long the history was when it began.
    pub(crate) log_mark: u32,
}

/// Rules with everyone through whom they are in force, in the order of their bundles.
pub(crate) type InForce = Arc<[(RuleRef, Source)]>;

/// Events that happen at the same time: usually one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Batch {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) stage: Stage,
    pub(crate) cursor: u32,
    pub(crate) queue: Vec<Trigger>,
    /// Up to where the order of the queue is settled.
    pub(crate) ordered: u32,
    pub(crate) rounds: u32,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// A call: result and success go to these registers.
    Call {
        dst: Reg,
        done: Reg,
    },
    Together,
    /// Opening or closing a phase written in place.
    Opening,
    Closing,
    /// Started by the host.
    Root,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    Heads,
    CollectBefore,
    Before,
    Bodies,
    CollectAtEnd,
    AtEnd,
    Expire,
    CollectChecks,
    Checks,
    CollectAfter,
    After,
    Finish,
}

/// A rule that is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trigger {
    pub(crate) at: RuleRef,
    pub(crate) source: Source,
    pub(crate) event: u32,
}
