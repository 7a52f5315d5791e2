//! Many games at once, counted.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;

use super::setting::Setting;
use super::table::{Ended, Table};
use crate::Outcome;
use crate::args::Agent;
use crate::report::counted;
use crate::terminal::{Out, Progress};
use crate::trouble::Trouble;

struct Played {
    seed: u64,
    ended: Ended,
    answers: usize,
    time: Duration,
}

struct Tally {
    games: usize,
    wins: Vec<usize>,
    draws: usize,
    undecided: usize,
    /// Seeds by what went wrong.
    failures: BTreeMap<String, Vec<u64>>,
    /// Answers of the games that ended, sorted.
    lengths: Vec<usize>,
    slowest: Duration,
}

pub fn run(setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>, as_json: bool, out: &mut Out) -> Result<Outcome, Trouble> {
    let tally = tally(&play(setting, agents, seeds)?, setting.pack.seats() as usize);
    match as_json {
        true => print_json(setting, &tally, out)?,
        false => print(&tally, out)?,
    }
    Ok(match tally.failures.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Found,
    })
}

fn tally(played: &[Played], seats: usize) -> Tally {
    let count = |wanted: &Ended| played.iter().filter(|p| p.ended == *wanted).count();
    let (regular, failed): (Vec<&Played>, Vec<&Played>) = played.iter().partition(|p| p.ended.is_regular());
    let mut failures: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for game in failed {
        let seeds = failures.entry(game.ended.words()).or_default();
        seeds.push(game.seed);
    }
    let mut lengths: Vec<usize> = regular.iter().map(|p| p.answers).collect();
    lengths.sort_unstable();
    Tally {
        games: played.len(),
        wins: (0..seats).map(|seat| count(&Ended::Won(seat))).collect(),
        draws: count(&Ended::Drawn),
        undecided: count(&Ended::Undecided),
        failures,
        lengths,
        slowest: played.iter().map(|p| p.time).max().unwrap_or_default(),
    }
}

fn print(tally: &Tally, out: &mut Out) -> Result<(), Trouble> {
    let share = |n: usize| 100.0 * n as f64 / tally.games.max(1) as f64;
    let faults = tally.failures.values().map(Vec::len).sum();
    let mut rows: Vec<(String, usize)> = (1..).zip(&tally.wins).map(|(seat, n)| (format!("Player {seat} wins"), *n)).collect();
    rows.push(("Draws".to_owned(), tally.draws));
    if tally.undecided > 0 {
        rows.push(("No winner".to_owned(), tally.undecided));
    }
    rows.push(("Faults".to_owned(), faults));
    for (words, n) in rows {
        writeln!(out, "{words:<14}{n:>6} {:>6.1} %", share(n))?;
    }
    if let (Some(shortest), Some(longest)) = (tally.lengths.first(), tally.lengths.last()) {
        let median = tally.lengths.get(tally.lengths.len() / 2).unwrap_or(longest);
        writeln!(
            out,
            "Answers in a game: {shortest} to {longest}, {median} in the middle; the slowest game took {:.1} s.",
            tally.slowest.as_secs_f64()
        )?;
    }
    for (words, seeds) in &tally.failures {
        let seed = seeds.first().copied().unwrap_or_default();
        let games = counted(seeds.len(), "game", "games");
        writeln!(out, "{games}, first with seed {seed}: {words}")?;
    }
    Ok(())
}

fn print_json(setting: &Setting, tally: &Tally, out: &mut Out) -> Result<(), Trouble> {
    let failures: Vec<_> = tally.failures.iter().map(|(why, seeds)| json!({ "why": why, "seeds": seeds })).collect();
    let object = json!({
        "project": setting.project,
        "scenario": setting.scenario_name(),
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "undecided": tally.undecided,
        "failures": failures,
        "answers": {
            "shortest": tally.lengths.first(),
            "median": tally.lengths.get(tally.lengths.len() / 2),
            "longest": tally.lengths.last(),
        },
    });
    writeln!(out, "{object}")?;
    Ok(())
}

fn play(setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>) -> Result<Vec<Played>, Trouble> {
    crate::budget::doing(format!("playing `{}`", setting.project));
    let done = AtomicUsize::new(0);
    let seeds: Vec<u64> = seeds.collect();
    let one = |seed: &u64| {
        let start = Instant::now();
        let mut table = Table::new(setting, agents.to_vec(), *seed)?;
        let ended = table.play_out();
        done.fetch_add(1, Ordering::Relaxed);
        Ok(Played { seed: *seed, ended, answers: table.answers.len(), time: start.elapsed() })
    };
    std::thread::scope(|threads| {
        let work = threads.spawn(|| seeds.par_iter().map(one).collect());
        let mut progress = Progress::new("Playing", seeds.len());
        let mut told = 0;
        while !work.is_finished() {
            let now = done.load(Ordering::Relaxed);
            while told < now {
                progress.step("");
                told += 1;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(progress);
        let crashed = |_| Err(Trouble::new("A game ended in a crash of the command."));
        work.join().unwrap_or_else(crashed)
    })
}
