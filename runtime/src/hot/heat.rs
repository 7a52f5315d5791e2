//! Which events are hot: those that have happened often with the same things while the world kept its stamp.

use std::sync::Arc;

use super::Program;
use crate::ids::*;
use crate::value::Value;

/// As often as this before a program is made: making one takes as long as some dozens of events.
const OFTEN: u32 = 24;
/// After so many times in vain it is not tried again.
const TRIES: u32 = 3;

/// How often an action was carried out with the same things, and its program.
#[derive(Debug, Default)]
pub(crate) struct Heat {
    stamp: u64,
    you: ObjId,
    /// What the event has besides numbers.
    things: Vec<Value>,
    seen: u32,
    failed: u32,
    program: Option<Arc<Program>>,
}

/// What to do about an event.
pub(crate) enum Hot {
    /// Nothing.
    Not,
    /// It has become hot.
    Make,
    Run(Arc<Program>),
}

fn things(values: &[Value]) -> impl Iterator<Item = &Value> {
    values.iter().filter(|value| !matches!(value, Value::Int(_)))
}

impl Heat {
    /// The action is carried out once more. `at_once`: it counts as hot the first time.
    pub fn again(&mut self, stamp: u64, you: ObjId, values: &[Value], at_once: bool) -> Hot {
        if self.failed >= TRIES && !at_once {
            return Hot::Not;
        }
        if self.stamp != stamp || self.you != you || !things(values).eq(&self.things) {
            (self.stamp, self.you, self.seen, self.program) = (stamp, you, 0, None);
            self.things.clear();
            self.things.extend(things(values).cloned());
        }
        match &self.program {
            Some(program) => Hot::Run(program.clone()),
            None if self.seen == OFTEN || at_once => Hot::Make,
            None => {
                self.seen += 1;
                Hot::Not
            }
        }
    }

    pub fn made(&mut self, program: Option<Arc<Program>>) {
        self.failed = if program.is_some() { 0 } else { self.failed + 1 };
        self.seen = 0;
        self.program = program;
    }

    /// The program did not come to its end.
    pub fn cool(&mut self) {
        self.failed += 1;
        self.seen = 0;
        self.program = None;
    }
}
