//! Running what a pack says about itself: its tests and its limits.

mod cards;

pub(crate) use cards::is_refused;
pub use cards::{LimitFailure, run_limits};

use std::sync::Arc;

use crate::fault::{Fault, FaultKind};
use crate::hosts::scripted;
use crate::ids::*;
use crate::limits::Limits;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::pack::Test;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// `states` is how many were looked at for exact odds.
    Passed {
        states: usize,
    },
    Failed(Box<TestFailure>),
}

impl TestOutcome {
    pub fn passed(&self) -> bool {
        matches!(self, TestOutcome::Passed { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFailure {
    pub kind: FaultKind,
    /// Where it went wrong, if that is known.
    pub site: Option<SiteId>,
    pub words: String,
    /// What an expectation wanted and what it got; empty if it compares nothing.
    pub expected: String,
    pub actual: String,
    /// Scripted dice that were rolled, in order.
    pub dice: Vec<i64>,
    /// Events, indented by what caused them.
    pub trace: Vec<String>,
}

/// A world for a test: two players, the game, the options as the test wants them.
pub fn test_world(pack: &Loaded, test: &Test, limits: Limits) -> Result<Machine, Fault> {
    let mut machine = Machine::new(pack, pack.seats(), limits)?;
    for (option, value) in &test.with {
        if let Some(slot) = Arc::make_mut(&mut machine.world.options).get_mut(option.index()) {
            *slot = value.clone();
        }
    }
    machine.start_fragment(pack, test.body, &[])?;
    Ok(machine)
}

/// Who judges a test that says how likely something is: looks at everything that may come of the machine and compares it with the measures of the test. Ok: how
/// many states it looked at. Nobody in this crate does; `banneret_odds::judge` does.
pub type Judge = fn(&Loaded, &Test, Machine) -> Result<usize, Fault>;

/// Runs one test; where it speaks of odds, the judge says whether it holds.
pub fn run_test(pack: &Loaded, test: &Test, judge: Judge) -> TestOutcome {
    let mut machine = match test_world(pack, test, Limits::default()) {
        Ok(machine) => machine,
        Err(fault) => return failed(fault, Vec::new(), Vec::new()),
    };
    if test.exact {
        return match judge(pack, test, machine) {
            Ok(states) => TestOutcome::Passed { states },
            Err(fault) => failed(fault, Vec::new(), Vec::new()),
        };
    }
    machine.keep_trace();
    let mut dice = Vec::new();
    match scripted::run_scripted(&mut machine, pack, &mut dice) {
        Step::Fault(fault) => failed(fault, dice, machine.trace().to_vec()),
        _ => TestOutcome::Passed { states: 1 },
    }
}

fn failed(fault: Fault, dice: Vec<i64>, trace: Vec<String>) -> TestOutcome {
    let (actual, expected) = fault.sides.unwrap_or_default();
    TestOutcome::Failed(Box::new(TestFailure { kind: fault.kind, site: fault.site, words: fault.words, expected, actual, dice, trace }))
}
