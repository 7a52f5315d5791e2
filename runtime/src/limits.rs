//! Bounds on what a game may cost, so that no pack can run for ever or fill the memory.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Instructions between two answers.
    pub steps: u64,
    /// Objects of a world, counting those that left it.
    pub objects: u32,
    /// Events inside events.
    pub depth: u32,
    /// Events between two answers.
    pub events: u32,
    pub list_length: u32,
    /// Registers of all running fragments, entries of the history and cached facts, each.
    pub memory: u32,
    /// Sets tried for one `such that`, or ways tried to complete one head.
    pub candidates: u32,
    /// Terms inside terms.
    pub call_depth: u32,
    /// Rounds of state checks after one event.
    pub state_checks: u32,
    /// Ask players to order their simultaneous triggers, instead of taking them in the order of their objects.
    pub ask_order: bool,
}

/// Steps that several runs share, on several threads: when they are gone, those that are left are not run.
#[derive(Debug)]
pub struct Work {
    left: AtomicU64,
}

impl Work {
    pub fn new(steps: u64) -> Self {
        Self { left: AtomicU64::new(steps) }
    }

    /// Every run costs at least a little, whatever it does.
    pub fn spend(&self, steps: u64) {
        let less = |left: u64| Some(left.saturating_sub(steps.max(16)));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }
}

/// Dice in one run with somebody who rolls at once. Each of them counts as an answer, so that nothing else would stop a loop that rolls for ever.
pub const ROLLS_AT_ONCE: u64 = 100_000_000;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 20_000_000,
            objects: 20_000,
            depth: 64,
            events: 10_000,
            list_length: 100_000,
            memory: 1_000_000,
            candidates: 100_000,
            call_depth: 64,
            state_checks: 100,
            ask_order: false,
        }
    }
}
