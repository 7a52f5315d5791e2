//! Exact odds: every roll and draw is tried, equal machines are merged, and the chances of the ends are fractions, not estimates.
//!
//! States are machines that wait for chance; choices and facts are answered by the script. The graph of states is explored first and solved
//! afterwards, so that games that come back to an earlier state (a tie that is rolled again) need no cutting off.

mod best;
mod chance;
mod outcomes;
mod solve;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use best::{Best, Decided, best};
pub use chance::{Chance, Outgrown};

use super::scripted::{self, Said};
use crate::fault::{Fault, FaultKind};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::question::Question;
use crate::value::Value;

/// Distributions of everything that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// For each `Measure` that was run, by its place: values and their chances, in the order they were first met.
    pub spreads: Vec<(SiteId, Vec<(Value, Chance)>)>,
    /// How many different states were looked at.
    pub states: usize,
}

impl Exact {
    pub fn spread(&self, site: SiteId) -> &[(Value, Chance)] {
        self.spreads.iter().find(|(s, _)| *s == site).map_or(&[], |(_, spread)| spread)
    }
}

/// How much is looked at before giving up.
pub const DEFAULT_STATES: usize = 200_000;

type Measured = Vec<(SiteId, Value)>;

struct Explorer<'p> {
    pack: &'p Loaded,
    known: FxHashMap<Arc<Machine>, u32>,
    ends: FxHashMap<Measured, u32>,
    edges: Vec<Vec<(u32, Chance)>>,
    waiting: Vec<(u32, Arc<Machine>, Question)>,
    /// Scripted answers that were used on some way.
    used: Vec<bool>,
    last_end: Option<Machine>,
    /// Choices that the script says nothing about are left open, to be decided afterwards.
    choosing: bool,
}

/// Runs a machine that has been started through all its futures.
pub fn odds(machine: Machine, pack: &Loaded, most_states: usize) -> Result<Exact, Fault> {
    let mut explorer = Explorer::start(machine, pack, false)?;
    while let Some((from, machine, question)) = explorer.next(most_states)? {
        explorer.expand(from, &machine, &question)?;
    }
    explorer.check_leftovers()?;
    explorer.solve()
}

fn too_many(states: usize, waiting: usize) -> Fault {
    let words = format!(
        "exact odds would look at more than {states} different states; {waiting} more are known already. Measure a smaller part, or let a seed play it many times"
    );
    Fault::new(FaultKind::Limit(crate::fault::Bound::Memory), words)
}

impl<'p> Explorer<'p> {
    fn start(machine: Machine, pack: &'p Loaded, choosing: bool) -> Result<Explorer<'p>, Fault> {
        let mut start = machine;
        start.drop_trace();
        start.drop_notes();
        let mut explorer = Explorer {
            pack,
            known: FxHashMap::default(),
            ends: FxHashMap::default(),
            edges: Vec::new(),
            waiting: Vec::new(),
            used: Vec::new(),
            last_end: None,
            choosing,
        };
        explorer.arrive(start)?;
        Ok(explorer)
    }

    /// The next state to look into.
    fn next(&mut self, most_states: usize) -> Result<Option<(u32, Arc<Machine>, Question)>, Fault> {
        let next = self.waiting.pop();
        match next {
            Some(_) if self.edges.len() > most_states => Err(too_many(self.edges.len(), self.waiting.len() + 1)),
            next => Ok(next),
        }
    }

    fn expand(&mut self, from: u32, machine: &Machine, question: &Question) -> Result<(), Fault> {
        let all = match outcomes::outcomes(question) {
            Some(Ok(all)) => all,
            Some(Err(n)) => {
                let words = format!("{} has {n} different outcomes, too many to try them all", question.describe());
                return Err(Fault { site: question.site, ..Fault::new(FaultKind::Limit(crate::fault::Bound::Candidates), words) });
            }
            None => {
                return Err(Fault::new(FaultKind::Script, format!("odds need an answer for {}", question.describe())));
            }
        };
        let mut edges: Vec<(u32, Chance)> = Vec::new();
        let mut at: FxHashMap<u32, usize> = FxHashMap::default();
        for (answer, chance) in all {
            let mut next = machine.clone();
            if let Err(bad) = next.answer(self.pack, answer) {
                return Err(Fault::new(FaultKind::BadPack, bad.0));
            }
            let to = self.arrive(next)?;
            match at.get(&to).and_then(|i| edges.get_mut(*i)) {
                Some((_, sum)) => *sum = sum.plus(chance).map_err(|_| outgrown())?,
                None => {
                    at.insert(to, edges.len());
                    edges.push((to, chance));
                }
            }
        }
        if let Some(slot) = self.edges.get_mut(from as usize) {
            *slot = edges;
        }
        Ok(())
    }

    /// Runs on to the next chance or the end; the number of the state that is reached.
    fn arrive(&mut self, machine: Machine) -> Result<u32, Fault> {
        let mut machine = machine;
        loop {
            match machine.run(self.pack) {
                Step::Fault(fault) => return Err(fault),
                Step::Done(_) => return Ok(self.end(machine)),
                Step::Asked(question) if question.by_chance() => {
                    machine.forget_dead(self.pack);
                    return Ok(self.state(machine, question));
                }
                Step::Asked(question) => match scripted::say(&mut machine, self.pack, &question) {
                    Said::Answer(answer) => {
                        if let Err(bad) = machine.answer(self.pack, answer) {
                            let words = format!("the scripted answer to {} is refused: {bad}", question.describe());
                            return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
                        }
                    }
                    Said::Nothing if self.choosing && best::is_open(&question) => {
                        machine.forget_dead(self.pack);
                        return Ok(self.state(machine, question));
                    }
                    Said::Nothing => {
                        let words = format!("odds need an answer for {}", question.describe());
                        return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
                    }
                    Said::Wrong(fault) => return Err(fault),
                },
            }
        }
    }

    fn state(&mut self, machine: Machine, question: Question) -> u32 {
        let machine = Arc::new(machine);
        if let Some(known) = self.known.get(&machine) {
            return *known;
        }
        let node = self.edges.len() as u32;
        self.edges.push(Vec::new());
        self.known.insert(machine.clone(), node);
        self.waiting.push((node, machine, question));
        node
    }

    fn end(&mut self, machine: Machine) -> u32 {
        for (i, answer) in machine.script.answers.iter().enumerate() {
            if i >= self.used.len() {
                self.used.push(false);
            }
            self.used[i] |= answer.used;
        }
        if let Some(known) = self.ends.get(&machine.measured) {
            return *known;
        }
        let node = self.edges.len() as u32;
        self.edges.push(Vec::new());
        self.ends.insert(machine.measured.clone(), node);
        self.last_end = Some(machine);
        node
    }

    /// An answer may be for one way only; one that no way needs is a mistake.
    fn check_leftovers(&self) -> Result<(), Fault> {
        let Some(mut machine) = self.last_end.clone() else {
            return Ok(());
        };
        for (answer, used) in machine.script.answers.iter_mut().zip(&self.used) {
            answer.used |= used;
        }
        match scripted::leftovers(&machine, self.pack) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    fn solve(self) -> Result<Exact, Fault> {
        self.solve_all().map(|(exact, _)| exact)
    }

    /// The spreads, and how likely each state is to be met.
    fn solve_all(self) -> Result<(Exact, Vec<Chance>), Fault> {
        let arrived = solve::arrivals(&self.edges).map_err(|unsolved| match unsolved {
            solve::Unsolved::Outgrown => outgrown(),
            solve::Unsolved::Endless => Fault::new(
                FaultKind::Limit(crate::fault::Bound::Steps),
                "some rolls lead into a circle that never ends, whatever is rolled",
            ),
        })?;
        let mut ends: Vec<(Measured, u32)> = self.ends.into_iter().collect();
        ends.sort_by_key(|(_, node)| *node);
        let mut spreads: Vec<(SiteId, Vec<(Value, Chance)>)> = Vec::new();
        for (measured, node) in ends {
            let Some(chance) = arrived.get(node as usize) else {
                continue;
            };
            for (site, value) in measured {
                let value = as_number(value);
                let i = spreads.iter().position(|(s, _)| *s == site).unwrap_or_else(|| {
                    spreads.push((site, Vec::new()));
                    spreads.len() - 1
                });
                let spread = &mut spreads[i].1;
                match spread.iter_mut().find(|(v, _)| *v == value) {
                    Some((_, sum)) => *sum = sum.plus(*chance).map_err(|_| outgrown())?,
                    None => spread.push((value, *chance)),
                }
            }
        }
        Ok((Exact { spreads, states: self.edges.len() }, arrived))
    }
}

/// Rolled dice are measured by their total.
pub(super) fn as_number(value: Value) -> Value {
    match (&value, crate::num::parts(&value)) {
        (Value::List(_), Some((n, d))) => crate::num::fraction(n, d).unwrap_or(value),
        _ => value,
    }
}

fn outgrown() -> Fault {
    Fault::new(FaultKind::Arithmetic, "the exact fraction outgrew 128 bits: measure fewer dice at a time")
}
