//! What the machine asks and what it is told. Every question says where it comes from, what it is called and who answers.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::loaded::Loaded;
use crate::value::{Dice, Value};
use crate::world::World;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    pub site: Option<SiteId>,
    /// The name of a choice or fact, or the words of its place.
    pub name: String,
    /// The player who answers; `ObjId(0)` if nobody in particular.
    pub who: ObjId,
    /// Nobody else may see the question or its answer: hosts keep them until the rules reveal them.
    pub secret: bool,
    pub ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ask {
    /// Faces of `dice.count` dice, without `plus`. If not `ordered`, nothing reads which die shows which face.
    Roll {
        dice: Dice,
        ordered: bool,
    },
    /// Which card is on top: cards that cannot be told apart are one entry with a count. Answered by an index.
    Draw {
        pile: (ObjId, FieldId),
        cards: Vec<(ObjId, u32)>,
    },
    /// Answered by different indices of options, at least `min` and at most `max`. `checked`: not every such answer is allowed; a refused one
    /// may be replaced by another.
    Choice {
        options: Arc<[Value]>,
        min: u32,
        max: u32,
        checked: bool,
    },
    /// Lines that are legal. Answered by one index.
    Menu {
        labels: Vec<String>,
    },
    YesNo,
    Fact {
        fact: FactId,
        args: Arc<[Value]>,
    },
    /// Triggers of one player that are due at the same time. Answered by all indices in the order they shall happen.
    Order {
        triggers: Vec<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// Faces of a roll.
    Faces(Vec<i64>),
    /// Indices of a draw, choice, menu or order.
    Picks(Vec<u32>),
    Yes(bool),
    /// A fact.
    Value(Value),
}

/// Why an answer was refused. The question still stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAnswer(pub String);

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadAnswer {}

impl Question {
    /// Rolls and draws: nobody decides them.
    pub fn by_chance(&self) -> bool {
        matches!(self.ask, Ask::Roll { .. } | Ask::Draw { .. })
    }

    /// What is asked, for people. Words are made here, when somebody wants to read them, and not for every question.
    pub fn describe(&self, pack: &Loaded, world: &World) -> String {
        let named = if self.name.is_empty() { String::new() } else { format!(" `{}`", self.name) };
        match &self.ask {
            Ask::Roll { dice, .. } => format!("a roll of {}d{}", dice.count, dice.sides),
            Ask::Draw { .. } => "which card is on top of the pile".to_owned(),
            Ask::Choice { options, min, max, .. } => {
                let texts: Vec<String> = options.iter().map(|v| crate::describe::value(pack, world, v)).collect();
                let many = match (min, max) {
                    (1, 1) => "one".to_owned(),
                    (a, b) if a == b => a.to_string(),
                    (a, b) => format!("{a} to {b}"),
                };
                format!("the choice{named}: {many} of {}", texts.join(", "))
            }
            Ask::Menu { labels } => format!("the menu{named}: one of {}", labels.join(", ")),
            Ask::YesNo => format!("yes or no to{named}"),
            Ask::Fact { .. } => format!("the fact{named}"),
            Ask::Order { triggers } => format!("the order of {}", triggers.join(", ")),
        }
    }
}
