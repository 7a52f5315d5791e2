//! The answers to a question that are worth a thought, the likeliest first.

use crate::{boldest, one_option, random_answer};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::{Place, Value};

/// An answer and what it says, whatever its number is among the options: the same answer after other dice is the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Said {
    Yes(bool),
    Label(String),
    Values(Vec<Value>),
    Picks(Vec<u32>),
}

/// Sets of options that are made by chance.
const SETS: u32 = 12;
/// Options of which sets of one and two are made.
const ALONE: u32 = 12;
const PAIRS: u32 = 8;

/// Candidates in the order in which they are tried.
pub(crate) fn candidates(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question) -> Vec<Answer> {
    match &question.ask {
        Ask::YesNo => vec![Answer::Yes(true), Answer::Yes(false)],
        Ask::Menu { labels } => (0..labels.len() as u32).map(|i| Answer::Picks(vec![i])).collect(),
        Ask::Choice { options, min: 1, max: 1, .. } => {
            let bold = boldest(&machine.world, options, question.who);
            let rest = scattered(options.len() as u32).filter(|i| Some(*i) != bold);
            // Where somebody of one's own stands already a move may lead nowhere: last of all.
            let taken: Vec<Place> = machine
                .world
                .in_play()
                .filter(|(_, object)| object.controller == question.who)
                .filter_map(|(_, object)| object.place)
                .collect();
            let is_taken = |i: &u32| matches!(options.get(*i as usize), Some(Value::Place(place)) if taken.contains(place));
            let (last, first): (Vec<u32>, Vec<u32>) = bold.into_iter().chain(rest).partition(is_taken);
            first.into_iter().chain(last).map(|i| one_option(question, i)).collect()
        }
        Ask::Choice { options, min, max, .. } => sets(options.len() as u32, *min, *max),
        _ => vec![random_answer(machine, pack, generator, question, 0)],
    }
}

/// As many as may be, each alone, all pairs of the first few, the first ones in a row (for what is paid); then some by chance, always the same, so
/// that what was learnt of one is not lost.
fn sets(n: u32, min: u32, max: u32) -> Vec<Answer> {
    let mut some: Vec<Vec<u32>> = Vec::new();
    let most = max.min(n);
    let mut add = |picks: Vec<u32>| {
        let size = picks.len() as u32;
        if (min..=most).contains(&size) && !some.contains(&picks) {
            some.push(picks);
        }
    };
    add((0..most).collect());
    (0..n.min(ALONE)).for_each(|i| add(vec![i]));
    (0..n.min(PAIRS)).for_each(|i| (i + 1..n.min(PAIRS)).for_each(|j| add(vec![i, j])));
    (2..n.min(ALONE)).for_each(|k| add((0..k).collect()));
    let mut luck = Generator::new(u64::from(n) << 32 | u64::from(min) << 16 | u64::from(most));
    for _ in 0..SETS {
        let size = min + luck.below(u64::from(most.saturating_sub(min)) + 1) as u32;
        let mut left: Vec<u32> = (0..n).collect();
        let mut picks: Vec<u32> = (0..size.min(n)).map(|_| left.swap_remove(luck.below(left.len() as u64) as usize)).collect();
        picks.sort_unstable();
        add(picks);
    }
    add(Vec::new());
    some.into_iter().map(Answer::Picks).collect()
}

/// Whether the options are places: then a few stand for all until there is time for more.
pub(crate) fn are_places(question: &Question) -> bool {
    matches!(&question.ask, Ask::Choice { options, .. } if matches!(options.first(), Some(Value::Place(_))))
}

/// All numbers below `n`, so that the first few are spread over all: steps of the golden ratio, which no row of places repeats.
fn scattered(n: u32) -> impl Iterator<Item = u32> {
    let step = (1..n.max(2)).map(|k| (u64::from(n) * 618 / 1000) as u32 + k).find(|step| common_divisor(*step, n) == 1).unwrap_or(1);
    (0..n).map(move |i| ((u64::from(i) * u64::from(step)) % u64::from(n.max(1))) as u32)
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

pub(crate) fn said(question: &Question, answer: &Answer) -> Said {
    match (answer, &question.ask) {
        (Answer::Yes(yes), _) => Said::Yes(*yes),
        (Answer::Picks(picks), Ask::Menu { labels }) => {
            let label = picks.first().and_then(|i| labels.get(*i as usize));
            label.map_or_else(|| Said::Picks(picks.clone()), |label| Said::Label(label.clone()))
        }
        (Answer::Picks(picks), Ask::Choice { options, .. }) => {
            Said::Values(picks.iter().filter_map(|i| options.get(*i as usize).cloned()).collect())
        }
        (Answer::Picks(picks), _) => Said::Picks(picks.clone()),
        (Answer::Value(value), _) => Said::Values(vec![value.clone()]),
        (Answer::Faces(_), _) => Said::Picks(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_numbers_are_all_numbers() {
        for n in 0..200 {
            let mut all: Vec<u32> = scattered(n).collect();
            all.sort_unstable();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
        }
    }
}
