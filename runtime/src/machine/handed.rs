//! What a machine found out about the world and what it has room for make no difference to the game, so copies start without. Whoever runs many copies, one
//! after the other, hands it on.

use super::local::Alone;
use super::slots::SlotsOf;
use super::spare::Spare;
use super::{EventInstance, Kept, Machine, Task};
use crate::value::Value;

#[derive(Debug, Default)]
pub struct Handed {
    pub(super) derived: Kept,
    pub(super) slots: SlotsOf,
    pub(super) spare: Spare,
    /// Empty lists with room: a machine that starts with a test is a copy, whose lists are as short as can be and would grow again and again.
    registers: Vec<Value>,
    stack: Vec<Task>,
    events: Vec<EventInstance>,
}

impl Handed {
    /// Forgets what was found out about a world; what was found out about a pack holds as long as it is the same.
    pub fn clear(&mut self) {
        self.derived = Kept::default();
    }

    /// How much there is room for.
    pub fn room(&self) -> usize {
        self.registers.capacity().max(self.stack.capacity()).max(self.events.capacity())
    }
}

/// What stood in one list stands in the other, which was empty.
fn change_rooms<T>(list: &mut Vec<T>, room: &mut Vec<T>) {
    room.append(list);
    std::mem::swap(list, room);
}

/// The larger room of two is kept, empty.
fn keep_larger<T>(mut list: Vec<T>, room: &mut Vec<T>) {
    if list.capacity() > room.capacity() {
        list.clear();
        *room = list;
    }
}

impl Alone<'_> {
    /// It is needed no longer, nor is its machine.
    pub fn retire(mut self, handed: &mut Handed) {
        self.put_away(handed);
        handed.spare.keep_events(self.machine.events.drain(..));
        keep_larger(std::mem::take(&mut self.s.regs), &mut handed.registers);
        keep_larger(std::mem::take(&mut self.machine.stack), &mut handed.stack);
        keep_larger(std::mem::take(&mut self.machine.events), &mut handed.events);
    }
}

impl Machine {
    /// Lives in room that another left behind.
    pub fn move_in(&mut self, handed: &mut Handed) {
        change_rooms(&mut self.registers, &mut handed.registers);
        change_rooms(&mut self.stack, &mut handed.stack);
        change_rooms(&mut self.events, &mut handed.events);
    }

    /// Takes over what another left behind; a second time gives it back.
    pub fn swap_handed(&mut self, handed: &mut Handed) {
        std::mem::swap(&mut self.apart.derived, &mut handed.derived);
        std::mem::swap(&mut self.apart.spare, &mut handed.spare);
    }
}
