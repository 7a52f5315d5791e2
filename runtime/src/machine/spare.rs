//! Room that is used again: events come and go by the thousand, and what one held its values in serves the next.

use super::frame::{EventInstance, Trigger};
use crate::ids::*;
use crate::value::Value;

/// More than so many at once are rare, and let go.
const MOST: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Spare {
    events: Vec<EventInstance>,
    queues: Vec<Vec<Trigger>>,
}

/// Copies of a machine are short-lived: they start without.
impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl Spare {
    /// An event of which nothing but this is known.
    pub fn event(&mut self, action: ActionId, you: ObjId, log_mark: u32) -> EventInstance {
        match self.events.pop() {
            Some(event) => EventInstance { action, you, log_mark, ..event },
            None => EventInstance {
                action,
                values: Vec::new(),
                you,
                result: Value::None,
                legal: true,
                in_head: false,
                carried: false,
                body: None,
                before_head: None,
                mods: Vec::new(),
                replaced: Vec::new(),
                after: None,
                chosen: Vec::new(),
                parts_used: Vec::new(),
                log_mark,
            },
        }
    }

    pub fn queue(&mut self) -> Vec<Trigger> {
        self.queues.pop().unwrap_or_default()
    }

    /// Events that are over.
    pub fn keep_events(&mut self, over: impl Iterator<Item = EventInstance>) {
        for mut event in over {
            if self.events.len() >= MOST {
                continue;
            }
            event.values.clear();
            event.mods.clear();
            event.replaced.clear();
            event.chosen.clear();
            event.parts_used.clear();
            (event.result, event.after, event.body, event.before_head) = (Value::None, None, None, None);
            (event.legal, event.in_head, event.carried) = (true, false, false);
            self.events.push(event);
        }
    }

    pub fn keep_queue(&mut self, mut queue: Vec<Trigger>) {
        if queue.capacity() > 0 && self.queues.len() < MOST {
            queue.clear();
            self.queues.push(queue);
        }
    }
}
