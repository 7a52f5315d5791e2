//! The best chance of a condition: choices that the script leaves open are decided by looking at everything that could come of them. The first player
//! decides for the condition, everybody else against it.
//!
//! Which choice is better is found by value iteration in floating point; the odds that come of these choices are then exact again.

use rustc_hash::FxHashMap;

use crate::weight::Weight;
use crate::{Exact, Explorer, Fraction, outgrown};
use banneret_runtime::describe;
use banneret_runtime::fault::{Bound, Fault, FaultKind};
use banneret_runtime::ids::*;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

/// More ways than this to answer one question are not tried.
const MOST_WAYS: usize = 2_000;
/// Differences smaller than this are none.
const SAME: f64 = 1e-12;
const MOST_SWEEPS: u32 = 100_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    pub exact: Exact,
    /// What was decided where it can come to that, in the order in which the questions were met.
    pub decided: Vec<Decided>,
}

/// One question and its best answer, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    pub who: ObjId,
    pub question: String,
    pub answer: String,
    /// How likely it is to be asked at all; more than 1 if it comes again and again.
    pub chance: Fraction,
}

/// An answer that was tried: its words and where it leads.
struct Way {
    words: String,
    to: u32,
}

struct Fork {
    who: ObjId,
    question: String,
    ways: Vec<Way>,
}

/// As `odds`, with open choices decided for or against the condition that is measured at `goal`.
pub fn best(machine: Machine, pack: &Loaded, most_states: usize, goal: SiteId) -> Result<Best, Fault> {
    let you = machine.world.players.first().copied().unwrap_or_default();
    let mut explorer = Explorer::new(pack, most_states, true, &|| true);
    explorer.start(machine)?;
    let mut forks: FxHashMap<u32, Fork> = FxHashMap::default();
    while let Some((from, machine)) = explorer.next()? {
        match machine.question().filter(|question| !question.by_chance()) {
            Some(question) => forks.insert(from, fork(&mut explorer, &machine, question)?),
            None => {
                explorer.expand(from, machine)?;
                continue;
            }
        };
    }
    explorer.check_leftovers()?;
    let values = values(&explorer, &forks, you, goal);
    let mut order: Vec<u32> = forks.keys().copied().collect();
    order.sort_unstable();
    let mut taken: Vec<(u32, usize)> = Vec::new();
    for node in order {
        let Some(fork) = forks.get(&node) else { continue };
        let value = |way: &Way| values.get(way.to as usize).copied().unwrap_or(0.0);
        let mut pick = 0;
        for (i, way) in fork.ways.iter().enumerate() {
            let better = fork.ways.get(pick).map_or(0.0, |p| value(way) - value(p));
            let better = if fork.who == you { better } else { -better };
            if better > SAME {
                pick = i;
            }
        }
        if let Some(way) = fork.ways.get(pick) {
            explorer.room.graph.lead(node, &[(way.to, Weight::ONE)]).map_err(|_| outgrown())?;
            taken.push((node, pick));
        }
    }
    let (exact, arrived) = explorer.solve()?;
    explorer.room.leave();
    let mut decided: Vec<Decided> = Vec::new();
    for (node, pick) in taken {
        let chance = arrived.at(node);
        let Some(fork) = forks.get(&node).filter(|_| !chance.is_zero()) else { continue };
        let answer = fork.ways.get(pick).map_or("", |way| &way.words);
        let same = |d: &&mut Decided| d.who == fork.who && d.question == fork.question && d.answer == answer;
        match decided.iter_mut().find(same) {
            Some(known) => known.chance = known.chance.plus(&chance),
            None => {
                decided.push(Decided { who: fork.who, question: fork.question.clone(), answer: answer.to_owned(), chance });
            }
        }
    }
    Ok(Best { exact, decided })
}

/// Can all answers be tried?
pub(crate) fn is_open(question: &Question) -> bool {
    matches!(question.ask, Ask::Choice { .. } | Ask::Menu { .. } | Ask::YesNo)
}

fn fork(explorer: &mut Explorer<'_>, machine: &Machine, question: &Question) -> Result<Fork, Fault> {
    let mut ways: Vec<Way> = Vec::new();
    for answer in answers(explorer.pack, machine, question)? {
        let mut next = Box::new(machine.clone());
        // A refused answer is no way; a choice whose every answer is refused is said below.
        if next.answer(explorer.pack, answer.clone()).is_err() {
            continue;
        }
        let words = said(explorer.pack, machine, question, &answer);
        let to = explorer.arrive(next)?;
        if !ways.iter().any(|way| way.to == to) {
            ways.push(Way { words, to });
        }
    }
    if ways.is_empty() {
        let words = format!("every answer is refused to {}", question.describe(explorer.pack, &machine.world));
        return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
    }
    Ok(Fork { who: question.who, question: question.describe(explorer.pack, &machine.world), ways })
}

/// Every answer to a choice.
fn answers(pack: &Loaded, machine: &Machine, question: &Question) -> Result<Vec<Answer>, Fault> {
    let (n, min, max) = match &question.ask {
        Ask::YesNo => return Ok(vec![Answer::Yes(true), Answer::Yes(false)]),
        Ask::Menu { labels } => (labels.len(), 1, 1),
        Ask::Choice { options, min, max, .. } => (options.len(), *min as usize, *max as usize),
        _ => return Ok(Vec::new()),
    };
    // Sets of options, each once, the smaller ones first.
    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut sets: Vec<Vec<u32>> = vec![Vec::new()];
    while let Some(set) = sets.first() {
        if set.len() >= min {
            found.extend(sets.iter().cloned());
        }
        if found.len() > MOST_WAYS || sets.len() > MOST_WAYS {
            let words =
                format!("there are more than {MOST_WAYS} ways to answer {}: give an answer", question.describe(pack, &machine.world));
            return Err(Fault { site: question.site, ..Fault::new(FaultKind::Limit(Bound::Candidates), words) });
        }
        if set.len() >= max.min(n) {
            break;
        }
        let longer = |set: &Vec<u32>| {
            let from = set.last().map_or(0, |last| last + 1);
            let set = set.clone();
            (from..n as u32).map(move |i| set.iter().copied().chain([i]).collect::<Vec<u32>>())
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    Ok(found.into_iter().map(Answer::Picks).collect())
}

fn said(pack: &Loaded, machine: &Machine, question: &Question, answer: &Answer) -> String {
    let text = |i: u32| match &question.ask {
        Ask::Choice { options, .. } => options.get(i as usize).map(|v| describe::value(pack, &machine.world, v)),
        Ask::Menu { labels } => labels.get(i as usize).cloned(),
        _ => None,
    };
    match answer {
        Answer::Yes(true) => "yes".to_owned(),
        Answer::Picks(picks) if !picks.is_empty() => picks.iter().filter_map(|i| text(*i)).collect::<Vec<_>>().join(", "),
        Answer::Picks(_) => "none".to_owned(),
        _ => "no".to_owned(),
    }
}

/// How likely the goal is from each node, if everybody decides well.
fn values(explorer: &Explorer<'_>, forks: &FxHashMap<u32, Fork>, you: ObjId, goal: SiteId) -> Vec<f64> {
    let mut values = vec![0.0f64; explorer.room.graph.len()];
    for (measured, node) in explorer.room.ends.all() {
        let reached = measured.iter().any(|(site, value)| *site == goal && *value == Value::Bool(true));
        if let Some(slot) = values.get_mut(node as usize) {
            *slot = f64::from(u8::from(reached));
        }
    }
    for _ in 0..MOST_SWEEPS {
        let mut change = 0.0f64;
        for node in (0..values.len()).rev() {
            let of = |to: u32| values.get(to as usize).copied().unwrap_or(0.0);
            let new = match forks.get(&(node as u32)) {
                Some(fork) => {
                    let all = fork.ways.iter().map(|way| of(way.to));
                    if fork.who == you { all.fold(0.0, f64::max) } else { all.fold(1.0, f64::min) }
                }
                None => {
                    let edges = explorer.room.graph.of(node as u32);
                    if edges.is_empty() {
                        continue;
                    }
                    edges.iter().map(|(to, chance)| chance.approximate() * of(*to)).sum()
                }
            };
            if let Some(slot) = values.get_mut(node) {
                change = change.max((new - *slot).abs());
                *slot = new;
            }
        }
        if change < SAME {
            break;
        }
    }
    values
}
