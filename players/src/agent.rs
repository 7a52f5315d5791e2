//! Who plays, as it is written: `random`, `greedy`, `search`, `search:200`, `search:1s`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::{Foresight, greedy_answer, random_answer};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::question::{Answer, Question};

use crate::search::{self, Search};

/// What `search` alone means.
pub const USUAL_PLAYOUTS: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Does anything that is allowed.
    Random,
    /// Looks a little ahead and takes what seems best.
    Greedy,
    /// Tries its answers in many short games and takes the one that did best.
    Search(Budget),
}

/// How much a player may think about one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The same on every machine.
    Playouts(u32),
    Time(Duration),
}

impl Agent {
    /// An answer, which the machine may still refuse where sets of options must go together.
    pub fn answer(self, machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question) -> Answer {
        match self {
            Agent::Random => random_answer(machine, pack, generator, question, 0),
            Agent::Greedy => greedy_answer(machine, pack, generator, question, Foresight::default()),
            Agent::Search(budget) => search::answer(machine, pack, generator, question, Search::with(budget)),
        }
    }
}

impl FromStr for Agent {
    type Err = String;

    fn from_str(text: &str) -> Result<Agent, String> {
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name, Some(budget)),
            None => (text, None),
        };
        match (name, budget) {
            ("random", None) => Ok(Agent::Random),
            ("greedy", None) => Ok(Agent::Greedy),
            ("search", None) => Ok(Agent::Search(Budget::Playouts(USUAL_PLAYOUTS))),
            ("search", Some(budget)) => match read_budget(budget) {
                Some(budget) => Ok(Agent::Search(budget)),
                None => {
                    Err(format!("`{budget}` is no budget: write a number of playouts, as in `search:200`, or seconds, as in `search:1s`"))
                }
            },
            _ => Err(format!("there is no player called `{text}`: write random, greedy, search or search:200")),
        }
    }
}

/// `200`, `1s`, `0.5s` or `500ms`.
fn read_budget(text: &str) -> Option<Budget> {
    const LONGEST: u64 = 3_600_000;
    let milliseconds = |n: u64| (1..=LONGEST).contains(&n).then(|| Budget::Time(Duration::from_millis(n)));
    if let Some(number) = text.strip_suffix("ms") {
        return milliseconds(number.parse().ok()?);
    }
    if let Some(number) = text.strip_suffix('s') {
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let thousandths: u64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
        return milliseconds(whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths)?);
    }
    let playouts: u32 = text.parse().ok()?;
    (1..=10_000_000).contains(&playouts).then_some(Budget::Playouts(playouts))
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::Random => f.write_str("random"),
            Agent::Greedy => f.write_str("greedy"),
            Agent::Search(Budget::Playouts(n)) => write!(f, "search:{n}"),
            Agent::Search(Budget::Time(time)) => write!(f, "search:{}ms", time.as_millis()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_read_and_written() {
        for text in ["random", "greedy", "search:200", "search:1500ms"] {
            assert_eq!(text.parse::<Agent>().unwrap().to_string(), text);
        }
        assert_eq!("search".parse::<Agent>().unwrap().to_string(), "search:200");
        assert_eq!("search:1s".parse::<Agent>().unwrap().to_string(), "search:1000ms");
        assert_eq!("search:0.5s".parse::<Agent>().unwrap().to_string(), "search:500ms");
        for text in
            ["", "clever", "random:3", "search:", "search:0", "search:x", "search:-1", "search:s", "search:0s", "search:99999999999999s"]
        {
            assert!(text.parse::<Agent>().is_err(), "{text}");
        }
    }
}
