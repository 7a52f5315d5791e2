//! Outcomes of rolls that came up before: the same handful is rolled in many states.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::outcomes;
use crate::weight::Weight;
use banneret_runtime::ids::*;
use banneret_runtime::machine::explore::{Sorts, rolled};
use banneret_runtime::value::{Dice, Value};

/// What a roll may come to, and how likely that is.
pub(crate) type Outcomes = Rc<[(Value, Weight)]>;

/// So many outcomes altogether are kept, so that memory stays bounded; more are worked out anew.
const MOST_KEPT: usize = 100_000;

#[derive(PartialEq, Eq, Hash)]
struct Faces {
    dice: Dice,
    ordered: bool,
    sorts: Option<Sorts>,
}

#[derive(Default)]
pub(crate) struct Tables {
    /// By the dice, and on how many faces they count.
    counts: FxHashMap<(Dice, u32), Outcomes>,
    faces: FxHashMap<Faces, Outcomes>,
    kept: usize,
    /// Rolls whose faces are only compared with numbers, and what was found for them lately.
    compared: Vec<(Compared, Outcomes)>,
    /// Room to ask with.
    pub asked: Compared,
}

/// A roll by its place in the pack, and the numbers that its faces are compared with.
#[derive(PartialEq, Eq, Default)]
pub(crate) struct Compared {
    pub place: (FragId, Pc),
    pub dice: Dice,
    pub with: Vec<i64>,
}

/// So many of them are looked through sooner than worked out.
const MOST_COMPARED: usize = 16;

impl Tables {
    /// How many of the dice show one of `hits` faces. None: the numbers outgrew 128 bits.
    pub fn counts(&mut self, dice: Dice, hits: u32) -> Option<Outcomes> {
        if let Some(known) = self.counts.get(&(dice, hits)) {
            return Some(known.clone());
        }
        let found: Outcomes = outcomes::counts(dice, hits)?.into_iter().map(|(n, weight)| (Value::Int(n), weight)).collect();
        if self.has_room(found.len()) {
            self.counts.insert((dice, hits), found.clone());
        }
        Some(found)
    }

    /// What is rolled; of faces that nothing tells apart one stands for all. Err: too many to try, and how many.
    pub fn rolls(&mut self, dice: Dice, ordered: bool, sorts: Option<Sorts>) -> Result<Outcomes, u128> {
        let roll = Faces { dice, ordered, sorts };
        if let Some(known) = self.faces.get(&roll) {
            return Ok(known.clone());
        }
        let mut found = Vec::with_capacity(32);
        outcomes::rolls(dice, ordered, roll.sorts.as_ref(), |faces, weight| found.push((rolled(dice, faces), weight)))?;
        let found: Outcomes = found.into();
        if self.has_room(found.len()) {
            self.faces.insert(roll, found.clone());
        }
        Ok(found)
    }

    /// What was found for the same roll lately.
    pub fn lately(&self, compared: &Compared) -> Option<Outcomes> {
        self.compared.iter().find(|(known, _)| known == compared).map(|(_, found)| found.clone())
    }

    pub fn keep_lately(&mut self, compared: Compared, found: &Outcomes) {
        if self.compared.len() >= MOST_COMPARED {
            self.compared.clear();
        }
        self.compared.push((compared, found.clone()));
    }

    /// Places belong to a pack; the rest is the same for all.
    pub fn forget_places(&mut self) {
        self.compared.clear();
    }

    /// How many outcomes are kept.
    pub fn room(&self) -> usize {
        self.kept
    }

    fn has_room(&mut self, more: usize) -> bool {
        let room = self.kept + more <= MOST_KEPT;
        self.kept += if room { more } else { 0 };
        room
    }
}
