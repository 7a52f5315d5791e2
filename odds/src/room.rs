//! Room that one question about odds leaves to the next: most are small, and what they take longest for is room. With it stay the outcomes of handfuls, which
//! are the same in every game.

use std::cell::Cell;

use crate::ends::Ends;
use crate::graph::Graph;
use crate::rolling::Fork;
use crate::solve::Order;
use crate::tables::Tables;
use crate::weight::Weight;
use banneret_runtime::machine::explore::{Handed, Packed};

#[derive(Default)]
pub(crate) struct Room {
    pub graph: Graph,
    pub ends: Ends,
    /// They are large, and go from hand to hand.
    #[allow(clippy::vec_box)]
    pub forks: Vec<Box<Fork>>,
    pub order: Order,
    pub arrived: Vec<Weight>,
    pub tables: Tables,
    /// What a caller holds while results come back to it.
    pub held: Vec<Packed>,
    pub handed: Handed,
}

thread_local! {
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

/// More than so much of anything is not kept.
const MOST: usize = 10_000;
const MOST_FORKS: usize = 8;

impl Room {
    pub fn take() -> Box<Room> {
        ROOM.take().unwrap_or_default()
    }

    /// For the next one, if it is not too much.
    pub fn leave(mut self: Box<Room>) {
        self.graph.clear();
        self.ends.clear();
        self.handed.clear();
        self.forks.truncate(MOST_FORKS);
        self.forks.iter_mut().for_each(|fork| fork.clear());
        self.tables.forget_places();
        let fits = self.graph.room().max(self.ends.room()).max(self.handed.room()) <= MOST
            && self.tables.room() <= MOST
            && self.forks.iter().all(|fork| fork.room() <= MOST);
        if fits {
            ROOM.set(Some(self));
        }
    }
}
