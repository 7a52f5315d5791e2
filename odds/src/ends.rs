//! The ends that were met: nothing tells them apart but what was measured on the way.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::marks::Marks;
use banneret_runtime::ids::SiteId;
use banneret_runtime::value::Value;

#[derive(Default)]
pub(crate) struct Ends {
    /// What was measured on the way to each of them, one behind the other.
    measured: Vec<(SiteId, Value)>,
    /// Where that ends in the list, and their states, which rise.
    all: Vec<(usize, u32)>,
    marks: Marks,
}

impl Ends {
    /// The state of the end where that was measured, and whether it is new.
    pub fn meet(&mut self, measured: &[(SiteId, Value)], state: impl FnOnce() -> u32) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        measured.hash(&mut hasher);
        let Ends { measured: known, all, marks } = self;
        match marks.find(hasher.finish(), |i| measured_at(known, all, i as usize) == measured) {
            Ok(i) => (all.get(i as usize).map_or(0, |(_, node)| *node), false),
            Err(_) => {
                let node = state();
                known.extend_from_slice(measured);
                all.push((known.len(), node));
                (node, true)
            }
        }
    }

    pub fn clear(&mut self) {
        self.measured.clear();
        self.all.clear();
        self.marks.clear();
    }

    /// For how much there is room.
    pub fn room(&self) -> usize {
        self.all.capacity().max(self.measured.capacity())
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// What was measured at each of them, and their states.
    pub fn all(&self) -> impl Iterator<Item = (&[(SiteId, Value)], u32)> {
        self.all.iter().enumerate().map(|(i, (_, node))| (measured_at(&self.measured, &self.all, i), *node))
    }
}

fn measured_at<'m>(measured: &'m [(SiteId, Value)], all: &[(usize, u32)], i: usize) -> &'m [(SiteId, Value)] {
    let until = |i: usize| all.get(i).map_or(0, |(until, _)| *until);
    measured.get(i.checked_sub(1).map_or(0, until)..until(i)).unwrap_or_default()
}
