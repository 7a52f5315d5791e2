//! Who has which slot. Numbers that come and go share those at the bottom; constants and state of the world have theirs, at the top, for good.

use super::op::{SLOTS, Slot};

pub(super) struct Slots {
    taken: [bool; SLOTS],
    /// Below this, slots come and go; one that ever did cannot become a constant, which must stand from the start.
    passing: usize,
    /// From here on, slots are taken for good.
    lasting: usize,
    pub start: [i64; SLOTS],
    constants: Vec<(i64, Slot)>,
}

impl Slots {
    pub fn new() -> Slots {
        Slots { taken: [false; SLOTS], passing: 0, lasting: SLOTS, start: [0; SLOTS], constants: Vec::new() }
    }

    /// None: there are too few.
    pub fn passing(&mut self) -> Option<Slot> {
        let slot = self.taken.iter().take(self.lasting).position(|taken| !taken)?;
        self.taken[slot] = true;
        self.passing = self.passing.max(slot + 1);
        Some(slot as Slot)
    }

    pub fn free(&mut self, slot: Slot) {
        self.taken[slot as usize] = false;
    }

    pub fn lasting(&mut self) -> Option<Slot> {
        if self.lasting <= self.passing {
            return None;
        }
        self.lasting -= 1;
        Some(self.lasting as Slot)
    }

    pub fn constant(&mut self, n: i64) -> Option<Slot> {
        if let Some((_, slot)) = self.constants.iter().find(|(m, _)| *m == n) {
            return Some(*slot);
        }
        let slot = self.lasting()?;
        self.start[slot as usize] = n;
        self.constants.push((n, slot));
        Some(slot)
    }

    /// The number that a slot always holds.
    pub fn always(&self, slot: Slot) -> Option<i64> {
        self.constants.iter().find(|(_, s)| *s == slot).map(|(n, _)| *n)
    }
}
