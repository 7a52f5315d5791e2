//! Piles know as much about their order as the players do.

use serde::{Deserialize, Serialize};

use crate::ids::ObjId;

/// Cards whose position is known lie on top of those that were shuffled. The shuffled ones are kept sorted, so that equal piles are equal data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pile {
    /// Top first.
    pub known: Vec<ObjId>,
    /// In no order.
    pub rest: Vec<ObjId>,
}

impl Pile {
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.rest.is_empty()
    }

    /// Known cards from the top, then the others by age.
    pub fn cards(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.known.iter().chain(&self.rest).copied()
    }

    pub fn put_on_top(&mut self, card: ObjId) {
        self.known.insert(0, card);
    }

    /// After this nobody knows where any card lies: a card at an unknown place makes every place unknown.
    pub fn shuffle(&mut self) {
        self.rest.append(&mut self.known);
        self.rest.sort_unstable();
    }

    pub fn remove(&mut self, card: ObjId) {
        self.known.retain(|c| *c != card);
        self.rest.retain(|c| *c != card);
    }

    /// The shuffled card that turned out to be on top.
    pub fn reveal(&mut self, card: ObjId) {
        self.rest.retain(|c| *c != card);
        self.put_on_top(card);
    }
}
