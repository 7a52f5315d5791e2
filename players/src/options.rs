//! The answers to a question that are worth a thought, the likeliest first.

use crate::{boldest, one_option, random_answer};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

/// An answer and what it says, whatever its number is among the options: the same answer after other dice is the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Said {
    Yes(bool),
    Label(String),
    Values(Vec<Value>),
    Picks(Vec<u32>),
}

/// Sets of options that are looked at: a first few, and as many more by chance.
const SETS: u32 = 12;

/// Candidates in the order in which they are tried. `wide`: there are places among them, of which some stand for the others.
pub(crate) fn candidates(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question) -> Vec<Answer> {
    match &question.ask {
        Ask::YesNo => vec![Answer::Yes(true), Answer::Yes(false)],
        Ask::Menu { labels } => (0..labels.len() as u32).map(|i| Answer::Picks(vec![i])).collect(),
        Ask::Choice { options, min: 1, max: 1, .. } => {
            let bold = boldest(&machine.world, options, question.who);
            let rest = scattered(options.len() as u32).filter(|i| Some(*i) != bold);
            bold.into_iter().chain(rest).map(|i| one_option(question, i)).collect()
        }
        Ask::Choice { options, min, max, .. } => {
            // All of them, each alone, as many as may be: then some by chance.
            let n = options.len() as u32;
            let mut some: Vec<Answer> = Vec::new();
            let mut add = |picks: Vec<u32>| {
                let answer = Answer::Picks(picks);
                if !some.contains(&answer) {
                    some.push(answer);
                }
            };
            let most = (*max).min(n);
            if most >= *min {
                add((0..most).collect());
            }
            if *min <= 1 && most >= 1 {
                (0..n.min(SETS)).for_each(|i| add(vec![i]));
            }
            for attempt in 0..SETS {
                if let Answer::Picks(mut picks) = random_answer(machine, pack, generator, question, attempt) {
                    picks.sort_unstable();
                    add(picks);
                }
            }
            if *min == 0 {
                add(Vec::new());
            }
            some
        }
        _ => vec![random_answer(machine, pack, generator, question, 0)],
    }
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
