//! The ends that were met: nothing tells them apart but what was measured on the way.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::marks::Marks;
use crate::ids::SiteId;
use crate::value::Value;

type Measured = Vec<(SiteId, Value)>;

#[derive(Default)]
pub(super) struct Ends {
    /// With their states, which rise.
    all: Vec<(Measured, u32)>,
    marks: Marks,
}

impl Ends {
    /// The state of the end where that was measured, and whether it is new.
    pub fn meet(&mut self, measured: &[(SiteId, Value)], state: impl FnOnce() -> u32) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        measured.hash(&mut hasher);
        let all = &self.all;
        let same = |i: u32| all.get(i as usize).is_some_and(|(known, _)| *known == *measured);
        match self.marks.find(hasher.finish(), same) {
            Ok(i) => (all.get(i as usize).map_or(0, |(_, node)| *node), false),
            Err(_) => {
                let node = state();
                self.all.push((measured.to_vec(), node));
                (node, true)
            }
        }
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.marks.clear();
    }

    /// For how many there is room.
    pub fn room(&self) -> usize {
        self.all.capacity()
    }

    pub fn all(&self) -> &[(Measured, u32)] {
        &self.all
    }
}
