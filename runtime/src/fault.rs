//! What goes wrong while a pack runs, in words for the person who wrote the game.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FaultKind {
    /// A bound of `Limits` was passed.
    Limit(Bound),
    /// An instruction met a value of the wrong sort.
    WrongValue,
    /// Division by zero, or a number too large to hold.
    Arithmetic,
    /// A value that is asked for while it is being worked out.
    Circle,
    /// A `todo` was run.
    NotWritten,
    /// An `expect` of a test was not met.
    Expectation,
    /// A `need` outside of any head.
    Unmet,
    /// A scripted answer was wrong, missing or left over.
    Script,
    /// The pack says something the verifier could not see and that makes no sense.
    BadPack,
}

/// Which bound of `Limits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    Steps,
    Objects,
    Depth,
    Events,
    ListLength,
    Memory,
    Candidates,
    CallDepth,
    StateChecks,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    pub site: Option<SiteId>,
    pub words: String,
    /// Of an `expect` that compares: what stands left and right.
    pub sides: Option<(String, String)>,
}

impl Fault {
    pub fn new(kind: FaultKind, words: impl Into<String>) -> Fault {
        Fault { kind, site: None, words: words.into(), sides: None }
    }

    /// Nobody wants to know any more what comes of it.
    pub fn stopped() -> Fault {
        Fault::new(FaultKind::Limit(Bound::Steps), "it was stopped before it came to an end")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Fault {}

/// Why an evaluation ended without a value. An unknown fact is no fault: the machine asks, and evaluates again when it is told.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Fault(Box<Fault>),
    Fact { fact: FactId, args: Arc<[Value]> },
}

pub(crate) type Res<T> = Result<T, Stop>;

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(Box::new(fault))
    }
}

impl Stop {
    /// The innermost place wins: it is set once, where the fault arose.
    pub fn at(mut self, site: Option<SiteId>) -> Stop {
        if let Stop::Fault(fault) = &mut self
            && fault.site.is_none()
        {
            fault.site = site;
        }
        self
    }
}

#[cold]
pub(crate) fn fail<T>(kind: FaultKind, words: impl Into<String>) -> Res<T> {
    Err(Fault::new(kind, words).into())
}

#[cold]
pub(crate) fn wrong<T>(words: impl Into<String>) -> Res<T> {
    fail(FaultKind::WrongValue, words)
}

#[cold]
pub(crate) fn bad_pack<T>(words: impl Into<String>) -> Res<T> {
    fail(FaultKind::BadPack, words)
}
