//! How fast text becomes trees, on one core: the cards of the other benchmarks, and the rules of the standard library.

use std::time::{Duration, Instant};

use banneret_compiler::stdlib;
use banneret_grammar::{parse_item, split};

use crate::cards;
use crate::table::Table;

const ROUNDS: usize = 9;

pub fn run(table: &mut Table) {
    let cards: String = cards::project(3_000).into_iter().map(|(_, text)| text).collect();
    let sources = stdlib::files().iter().filter(|(path, _)| path.ends_with(".banner"));
    let rules: String = sources.map(|(_, text)| format!("{text}\n")).collect();
    for (what, text) in [("cards, parsed", &cards), ("rules, parsed", &rules)] {
        let (splitting, parsing) = best(text);
        let speed = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        let beside = format!("finding where items begin and end alone: {:.0} MB/s", speed(splitting));
        let ratio = format!("{:.2}", speed(parsing) / speed(splitting).max(1e-9));
        table.row(what, format!("{:.1} MB/s", speed(parsing)), &beside, ratio);
    }
}

/// The best of some rounds: splitting alone, and splitting with parsing.
fn best(text: &str) -> (Duration, Duration) {
    (0..ROUNDS)
        .map(|_| round(text))
        .fold((Duration::MAX, Duration::MAX), |best, (splitting, parsing)| (best.0.min(splitting), best.1.min(parsing)))
}

fn round(text: &str) -> (Duration, Duration) {
    let start = Instant::now();
    let chunks = split(text);
    let splitting = start.elapsed();
    let broken = chunks.iter().filter(|chunk| !parse_item(chunk.text(text)).errors.is_empty()).count();
    let parsing = start.elapsed();
    if broken > 0 {
        eprintln!("{broken} items could not be read");
    }
    (splitting, parsing)
}
