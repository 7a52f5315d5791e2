//! Dice and answers a test has laid out. They are part of the machine, so that equal machines have the same future.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::ids::StrId;
use crate::pack::Pack;
use crate::value::Value;
use crate::world::KnownFact;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Script {
    pub dice: VecDeque<i64>,
    pub answers: Vec<Scripted>,
    pub facts: Vec<KnownFact>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scripted {
    /// Serves every question of this name; without one, the next question that has no named answer.
    pub label: Option<StrId>,
    pub value: Value,
    pub used: bool,
}

impl Script {
    pub fn is_empty(&self) -> bool {
        self.dice.is_empty() && self.answers.is_empty()
    }

    pub fn names(&self, pack: &Pack, name: StrId) -> bool {
        self.answers.iter().any(|a| a.label.is_some_and(|l| pack.text(l) == pack.text(name)))
    }
}
