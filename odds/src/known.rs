//! Machines that were met, and the states they came to: equal machines come to the same.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::marks::Marks;
use banneret_runtime::machine::Machine;

#[derive(Default)]
pub(crate) struct Known {
    machines: Vec<(Box<Machine>, u32)>,
    marks: Marks,
}

fn mark(machine: &Machine) -> u64 {
    let mut hasher = FxHasher::default();
    machine.hash(&mut hasher);
    hasher.finish()
}

impl Known {
    /// The state that an equal machine came to. Err: there is none yet, and the next one that is added is this.
    pub fn find(&mut self, machine: &Machine) -> Result<u32, u32> {
        // The first one is marked when there is another to be told from it: often there is none.
        let Some((first, _)) = self.machines.first() else { return Err(0) };
        if self.marks.is_empty() {
            let _new = self.marks.find(mark(first), |_| false);
        }
        let machines = &self.machines;
        let same = |i: u32| machines.get(i as usize).is_some_and(|(known, _)| **known == *machine);
        self.marks.find(mark(machine), same).map(|i| machines.get(i as usize).map_or(0, |(_, node)| *node))
    }

    pub fn add(&mut self, machine: Box<Machine>, node: u32) {
        self.machines.push((machine, node));
    }

    /// Where it comes to has turned out.
    pub fn settle(&mut self, index: u32, node: u32) {
        if let Some(known) = self.machines.get_mut(index as usize) {
            known.1 = node;
        }
    }

    pub fn get(&self, index: u32) -> Option<&(Box<Machine>, u32)> {
        self.machines.get(index as usize)
    }

    pub fn len(&self) -> usize {
        self.machines.len()
    }
}

/// Machines at the end of the event in which dice were rolled: many ways are the same from there on, long before they come to the next roll. Keeping them
/// costs a copy of each, so it is done only as long as it pays.
#[derive(Default)]
pub(crate) struct Passed {
    pub known: Known,
    /// How many came to a state, and how many of these to one that was known.
    pub came: Tally,
    /// How many were looked for at the end of an event, and how many of these were known.
    pub looked: Tally,
}

#[derive(Default)]
pub(crate) struct Tally {
    all: u32,
    known: u32,
}

impl Tally {
    pub fn count(&mut self, known: bool) {
        self.all += 1;
        self.known += u32::from(known);
    }

    /// After enough of them: was it more than half? None: not enough yet.
    fn mostly(&self) -> Option<bool> {
        (self.all >= 64).then_some(self.known > self.all / 2)
    }
}

impl Passed {
    pub fn pays(&self) -> bool {
        self.looked.mostly().unwrap_or_else(|| self.came.mostly() == Some(true))
    }
}
