//! Exact odds over the public interface of the machine: every roll and draw is tried, equal machines are merged, and the chances of the ends are fractions, not estimates.
//!
//! States are machines that wait for chance; choices and facts are answered by the script. The graph of states is explored first and solved
//! afterwards, so that games that come back to an earlier state (a tie that is rolled again) need no cutting off.

mod best;
mod ends;
mod expected;
mod fraction;
mod graph;
mod known;
mod landed;
mod leaving;
mod marks;
mod outcomes;
mod rolling;
mod room;
mod solve;
mod tables;
mod weight;

use std::collections::VecDeque;

pub use best::{Best, Decided, best};
pub use expected::{judge, judge_while};
pub use fraction::{Fraction, mean};

use banneret_runtime::fault::{Fault, FaultKind};
use banneret_runtime::hosts::scripted::{self, Said};
use banneret_runtime::ids::*;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::machine::explore::Ran;
use banneret_runtime::question::Ask;
use banneret_runtime::script::Script;
use banneret_runtime::value::Value;
use known::{Known, Passed};
use room::Room;
use solve::{Amount, Unsolved};
use weight::Weight;

/// Distributions of everything that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// For each `Measure` that was run, by its place: values and their chances, in the order they were first met.
    pub spreads: Vec<(SiteId, Vec<(Value, Fraction)>)>,
    /// How many different states were looked at.
    pub states: usize,
}

impl Exact {
    pub fn spread(&self, site: SiteId) -> &[(Value, Fraction)] {
        self.spreads.iter().find(|(s, _)| *s == site).map_or(&[], |(_, spread)| spread)
    }
}

/// How much is looked at before giving up.
pub const DEFAULT_STATES: usize = 200_000;

struct Explorer<'p> {
    pack: &'p Loaded,
    /// States that wait for chance, or for a choice.
    met: Known,
    passed: Passed,
    most_states: usize,
    /// Whether somebody still wants to know.
    go_on: &'p dyn Fn() -> bool,
    /// The first state. Where choices are not left open it is not among those that were met: most questions have no other that is a machine, and telling
    /// them apart takes a copy. Whoever comes back to it finds it new, once.
    first: Option<Box<Machine>>,
    /// Those that still have to be looked into, in the order they were met.
    waiting: VecDeque<u32>,
    /// Scripted answers that were used on some way.
    used: Vec<bool>,
    last_end: Option<Box<Machine>>,
    /// Choices that the script says nothing about are left open, to be decided afterwards.
    choosing: bool,
    /// The graph and its ends, and what is used again.
    room: Box<Room>,
}

/// Runs a machine that has been started through all its futures.
pub fn odds(machine: Machine, pack: &Loaded, most_states: usize) -> Result<Exact, Fault> {
    odds_while(machine, pack, most_states, &|| true)
}

/// The same, as long as somebody wants to know: that is asked at every state, and again while they are solved.
pub fn odds_while(machine: Machine, pack: &Loaded, most_states: usize, go_on: &dyn Fn() -> bool) -> Result<Exact, Fault> {
    let mut explorer = Explorer::new(pack, most_states, false, go_on);
    explorer.start(machine)?;
    while let Some((from, machine)) = explorer.next()? {
        explorer.expand(from, machine)?;
    }
    explorer.check_leftovers()?;
    let (exact, arrived) = explorer.solve()?;
    if let Arrived::Short(arrived) = arrived {
        explorer.room.arrived = arrived;
    }
    explorer.room.leave();
    Ok(exact)
}

fn too_many(states: usize, waiting: usize) -> Fault {
    let words = format!(
        "exact odds would look at more than {states} different states; {waiting} more are known already. Measure a smaller part, or let a seed play it many times"
    );
    Fault::new(FaultKind::Limit(banneret_runtime::fault::Bound::Memory), words)
}

impl<'p> Explorer<'p> {
    fn new(pack: &'p Loaded, most_states: usize, choosing: bool, go_on: &'p dyn Fn() -> bool) -> Explorer<'p> {
        Explorer {
            pack,
            met: Known::default(),
            passed: Passed::default(),
            most_states,
            go_on,
            first: None,
            waiting: VecDeque::new(),
            used: Vec::new(),
            last_end: None,
            choosing,
            room: Room::take(),
        }
    }

    fn start(&mut self, machine: Machine) -> Result<(), Fault> {
        let mut machine = Box::new(machine);
        machine.drop_trace();
        machine.drop_notes();
        machine.move_in(&mut self.room.handed);
        self.arrive(machine)?;
        Ok(())
    }

    /// The next state to look into.
    fn next(&mut self) -> Result<Option<(u32, Box<Machine>)>, Fault> {
        if let Some(machine) = self.first.take() {
            self.check_size(1)?;
            return Ok(Some((0, machine)));
        }
        let Some(index) = self.waiting.pop_front() else { return Ok(None) };
        self.check_size(1)?;
        Ok(self.met.get(index).map(|(machine, node)| (*node, machine.clone())))
    }

    /// Refuses to go on when too much was looked at; `more` states are known to wait besides those of the list.
    fn check_size(&self, more: usize) -> Result<(), Fault> {
        if !(self.go_on)() {
            return Err(Fault::stopped());
        }
        match self.room.graph.len() > self.most_states {
            true => Err(too_many(self.room.graph.len(), self.waiting.len() + more)),
            false => Ok(()),
        }
    }

    fn expand(&mut self, from: u32, machine: Box<Machine>) -> Result<(), Fault> {
        let Some(question) = machine.question() else { return Ok(()) };
        if let Ask::Roll { dice, .. } = question.ask {
            return self.roll_out(from, machine, dice);
        }
        let Some(all) = outcomes::draws(question) else {
            return Err(Fault::new(FaultKind::Script, format!("odds need an answer for {}", question.describe(self.pack, &machine.world))));
        };
        let mut ways = Vec::with_capacity(all.len());
        for (answer, weight) in all {
            let mut next = machine.clone();
            if let Err(bad) = next.answer(self.pack, answer) {
                return Err(Fault::new(FaultKind::BadPack, bad.0));
            }
            ways.push((self.arrive(next)?, weight));
        }
        self.room.graph.lead(from, &ways).map_err(|_| outgrown())
    }

    /// Runs on to the next chance or the end; the number of the state that is reached.
    fn arrive(&mut self, machine: Box<Machine>) -> Result<u32, Fault> {
        let mut machine = machine;
        if !self.passed.pays() || self.passed.known.len() > self.most_states {
            let step = self.run(&mut machine);
            return self.go_on(machine, step);
        }
        machine.swap_handed(&mut self.room.handed);
        let step = machine.run_event(self.pack);
        machine.swap_handed(&mut self.room.handed);
        if let Some(step) = step {
            return self.go_on(machine, step);
        }
        machine.forget_dead(self.pack);
        let found = self.passed.known.find(&machine);
        self.passed.looked.count(found.is_ok());
        match found {
            Ok(node) => Ok(node),
            Err(index) => {
                self.passed.known.add(machine.clone(), 0);
                let step = self.run(&mut machine);
                let node = self.go_on(machine, step)?;
                self.passed.known.settle(index, node);
                Ok(node)
            }
        }
    }

    fn run(&mut self, machine: &mut Machine) -> Ran {
        machine.swap_handed(&mut self.room.handed);
        let ran = machine.run_on(self.pack);
        machine.swap_handed(&mut self.room.handed);
        ran
    }

    /// From what its run came to.
    fn go_on(&mut self, machine: Box<Machine>, ran: Ran) -> Result<u32, Fault> {
        let (mut machine, mut ran) = (machine, ran);
        loop {
            let question = match (ran, machine.question()) {
                (Ran::Fault(fault), _) => return Err(fault),
                (Ran::Asked, Some(question)) if question.by_chance() => return Ok(self.state(machine)),
                (Ran::Asked, Some(question)) => question.clone(),
                (Ran::Asked | Ran::Done, _) => {
                    let (node, new) = self.end(&machine.measured, &machine.script);
                    if new {
                        self.last_end = Some(machine);
                    }
                    return Ok(node);
                }
            };
            match scripted::say(&mut machine, self.pack, &question) {
                Said::Answer(answer) => {
                    if let Err(bad) = machine.answer(self.pack, answer) {
                        let words = format!("the scripted answer to {} is refused: {bad}", question.describe(self.pack, &machine.world));
                        return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
                    }
                }
                Said::Nothing if self.choosing && best::is_open(&question) => return Ok(self.state(machine)),
                Said::Nothing => {
                    let words = format!("odds need an answer for {}", question.describe(self.pack, &machine.world));
                    return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
                }
                Said::Wrong(fault) => return Err(fault),
            }
            ran = self.run(&mut machine);
        }
    }

    fn state(&mut self, mut machine: Box<Machine>) -> u32 {
        if self.room.graph.len() == 0 && !self.choosing {
            self.passed.came.count(false);
            self.first = Some(machine);
            return self.room.graph.add();
        }
        machine.forget_dead(self.pack);
        let found = self.met.find(&machine);
        self.passed.came.count(found.is_ok());
        if let Ok(known) = found {
            return known;
        }
        let node = self.room.graph.add();
        self.waiting.push_back(self.met.len() as u32);
        self.met.add(machine, node);
        node
    }

    /// An end where that was measured, and whether it is new.
    fn end(&mut self, measured: &[(SiteId, Value)], script: &Script) -> (u32, bool) {
        for (i, answer) in script.answers.iter().enumerate() {
            if i >= self.used.len() {
                self.used.push(false);
            }
            self.used[i] |= answer.used;
        }
        let Room { ends, graph, .. } = &mut *self.room;
        let (node, new) = ends.meet(measured, || graph.add());
        self.passed.came.count(!new);
        (node, new)
    }

    /// An answer may be for one way only; one that no way needs is a mistake.
    fn check_leftovers(&mut self) -> Result<(), Fault> {
        let Some(mut machine) = self.last_end.take() else {
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

    /// The spreads, and how likely each state is to be met.
    fn solve(&mut self) -> Result<(Exact, Arrived), Fault> {
        let Room { order, graph, .. } = &mut *self.room;
        order.find(graph);
        let mut arrived = std::mem::take(&mut self.room.arrived);
        let exactly = solve::arrivals(&self.room.graph, &self.room.order, &mut arrived, self.go_on).and_then(|()| {
            let spreads = self.spreads(&arrived)?;
            Ok((spreads, arrived))
        });
        let states = self.room.graph.len();
        match exactly {
            Ok((spreads, arrived)) => {
                let spreads = told(spreads, Weight::exact);
                Ok((Exact { spreads, states }, Arrived::Short(arrived)))
            }
            Err(Unsolved::Endless) => Err(endless()),
            Err(Unsolved::Stopped) => Err(Fault::stopped()),
            Err(Unsolved::Outgrown) => {
                let mut arrived: Vec<Fraction> = Vec::new();
                let solved = solve::arrivals(&self.room.graph, &self.room.order, &mut arrived, self.go_on);
                let solved = solved.and_then(|()| self.spreads(&arrived));
                match solved {
                    Ok(spreads) => Ok((Exact { spreads, states }, Arrived::Long(arrived))),
                    Err(Unsolved::Endless) => Err(endless()),
                    Err(Unsolved::Stopped) => Err(Fault::stopped()),
                    Err(Unsolved::Outgrown) => Err(outgrown()),
                }
            }
        }
    }

    /// What was measured at the ends, and how likely each value is.
    fn spreads<A: Amount>(&self, arrived: &[A]) -> Result<Spreads<A>, Unsolved> {
        let mut spreads: Spreads<A> = Vec::new();
        for (measured, node) in self.room.ends.all() {
            let Some(chance) = arrived.get(node as usize) else {
                continue;
            };
            for (site, value) in measured {
                let value = value.clone().counted();
                let i = spreads.iter().position(|(s, _)| s == site).unwrap_or_else(|| {
                    spreads.push((*site, Vec::with_capacity(self.room.ends.len())));
                    spreads.len() - 1
                });
                let spread = &mut spreads[i].1;
                match spread.iter_mut().find(|(v, _)| *v == value) {
                    Some((_, sum)) => *sum = sum.plus(chance)?,
                    None => spread.push((value, chance.clone())),
                }
            }
        }
        Ok(spreads)
    }
}

/// How likely each state is to be met.
enum Arrived {
    Short(Vec<Weight>),
    Long(Vec<Fraction>),
}

impl Arrived {
    fn at(&self, node: u32) -> Fraction {
        let chance = match self {
            Arrived::Short(all) => all.get(node as usize).map(|weight| weight.exact()),
            Arrived::Long(all) => all.get(node as usize).cloned(),
        };
        chance.unwrap_or_else(Fraction::zero)
    }
}

type Spreads<A> = Vec<(SiteId, Vec<(Value, A)>)>;

fn told<A>(spreads: Spreads<A>, chance: fn(A) -> Fraction) -> Spreads<Fraction> {
    let each = |spread: Vec<(Value, A)>| spread.into_iter().map(|(v, a)| (v, chance(a))).collect();
    spreads.into_iter().map(|(site, spread)| (site, each(spread))).collect()
}

fn endless() -> Fault {
    let words = "some rolls lead into a circle that never ends, whatever is rolled";
    Fault::new(FaultKind::Limit(banneret_runtime::fault::Bound::Steps), words)
}

pub(crate) fn outgrown() -> Fault {
    Fault::new(
        FaultKind::Arithmetic,
        "the exact fraction has more than twenty thousand digits, or one roll has more ways than can be counted: measure fewer dice at a time",
    )
}
