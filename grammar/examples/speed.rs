//! How fast text becomes views, in time on the processor: `cargo run --release -p banneret-grammar --example speed [rounds [bytes]]`.

use std::time::Instant;

use banneret_grammar::{parse_item, split};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).flat_map(|a| a.parse()).collect();
    let rounds = numbers.first().copied().unwrap_or(9);
    let bytes = numbers.get(1).copied().unwrap_or(2_000_000);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    let mut rules = String::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|f| f.path()).collect();
    files.sort();
    for path in files {
        rules += &std::fs::read_to_string(path).unwrap_or_default();
        rules.push('\n');
    }
    // one of both, for a profile
    let only = std::env::var("SPEED_ONLY").unwrap_or_default();
    if only != "cards" {
        measure("rules", &rules.repeat(bytes / rules.len().max(1) + 1), rounds);
    }
    if only != "rules" {
        let cards: String = (0..bytes / 800 + 1).map(card).collect();
        measure("cards", &cards, rounds);
    }
}

/// A unit as the benchmark of the project writes them, its numbers varied by its index.
fn card(index: usize) -> String {
    let (points, health, defense) = (10 + index % 90, 4 + index % 17, index % 4);
    let (steps, attacks, damage, knack) = (4 + index % 5, 1 + index % 5, 1 + index % 7, 2 + index % 5);
    let training = ["Iron", "Blood", "Ash", "Salt"][index % 4];
    format!(
        r#"/// A soldier of the line, number {index}.
unit Soldier{index} "Soldier of the {index}th" of BenchFaction {{
  points: {points}, base: 1s, health: {health}, move: {steps}s
  defense: {defense}, types: [Plate], training: [{training}]

  weapon Blade {{ reach: [Melee], knack: {knack}+, attacks: {attacks}, damage: {damage}, effective: [Ward] }}
  weapon Bow {{ reach: [Near, Ranged], knack: 4+, attacks: 1, damage: {damage} }}

  ability Rally {{
    knack: 4+, cost: 1 AP
    target friend: your units within 8s of this where wounds > 0
    effect {{
      heal 2 to friend
      grant friend {{ move +1s }} until end of round
    }}
  }}

  ability Grudge {{
    after strike by this {{
      grant this {{ aim +1 }} until end of round
    }}
  }}
}}

"#
    )
}

fn measure(what: &str, text: &str, rounds: usize) {
    let mut best = [f64::MAX; 2];
    let mut items = 0;
    for _ in 0..rounds {
        let start = Clock::now();
        let chunks = split(text);
        best[0] = best[0].min(start.seconds());
        items = 0;
        for chunk in &chunks {
            items += usize::from(parse_item(chunk.text(text)).errors.is_empty());
        }
        best[1] = best[1].min(start.seconds());
    }
    let megabytes = text.len() as f64 / 1e6;
    println!(
        "{what}: {megabytes:.1} MB, {items} items; split {:.0} MB/s, split and parse {:.1} MB/s",
        megabytes / best[0],
        megabytes / best[1]
    );
}

/// Time on the processor where the system tells it, else time on the wall: other programs must not count.
enum Clock {
    Processor(f64),
    Wall(Instant),
}

impl Clock {
    fn now() -> Self {
        processor().map_or_else(|| Self::Wall(Instant::now()), Self::Processor)
    }

    fn seconds(&self) -> f64 {
        match self {
            Self::Processor(start) => processor().unwrap_or(*start) - start,
            Self::Wall(start) => start.elapsed().as_secs_f64(),
        }
    }
}

fn processor() -> Option<f64> {
    // the count is brought up to date when somebody else may run
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    (nanoseconds > 0.0).then_some(nanoseconds / 1e9)
}
