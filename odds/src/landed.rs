//! Rolls that have landed: where they come to depends on how they fell and on what still matters behind them. Twenty dice with seven hits and nineteen with
//! seven hits go the same way from there, and only one of them has to be sent on it.

use crate::marks::Marks;
use banneret_runtime::machine::explore::{Packed, mark};

#[derive(Default)]
pub(crate) struct Landed {
    /// What is looked for: which roll it is, what matters behind it, and how it fell.
    words: Vec<Packed>,
    known: Vec<Packed>,
    /// Where in the list of what is known, and the way it came to.
    rolls: Vec<(u32, u32, u32)>,
    marks: Marks,
}

impl Landed {
    pub fn clear(&mut self) {
        self.known.clear();
        self.rolls.clear();
        self.marks.clear();
    }

    /// How much there is room for.
    pub fn room(&self) -> usize {
        self.known.capacity().max(self.rolls.capacity())
    }

    /// Another roll; what matters behind it is put into the list, unless all rolls come to different things.
    pub fn stand(&mut self, matters: impl FnOnce(&mut Vec<Packed>) -> bool) -> bool {
        self.words.clear();
        let merges = matters(&mut self.words);
        self.words.push(0);
        merges
    }

    /// The way it came to when it fell like this before. None: it is to be told by `settle`.
    pub fn find(&mut self, fell: Packed) -> Option<u32> {
        if let Some(last) = self.words.last_mut() {
            *last = fell;
        }
        let (words, known, rolls) = (&self.words, &self.known, &self.rolls);
        let same =
            |i: u32| rolls.get(i as usize).is_some_and(|(from, until, _)| known.get(*from as usize..*until as usize) == Some(&words[..]));
        if let Ok(i) = self.marks.find(mark(words), same) {
            return self.rolls.get(i as usize).map(|(_, _, way)| *way);
        }
        let from = self.known.len() as u32;
        self.known.extend_from_slice(&self.words);
        self.rolls.push((from, self.known.len() as u32, 0));
        None
    }

    /// What was looked for last comes to that.
    pub fn settle(&mut self, way: u32) {
        if let Some(roll) = self.rolls.last_mut() {
            roll.2 = way;
        }
    }
}
