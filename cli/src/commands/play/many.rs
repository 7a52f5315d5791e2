//! Many games at once, counted.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use banneret_players::passes::Passes;
use banneret_players::statistics::{Results, warnings, wilson};
use banneret_players::uses::{Use, Uses};
use rayon::prelude::*;
use serde_json::json;

use super::setting::Setting;
use super::table::{Ended, Next, Table};
use crate::Outcome;
use crate::args::{Agent, Play, Within};
use crate::report::counted;
use crate::terminal::{Out, Progress};
use crate::trouble::Trouble;

/// So many lines of what was done most; JSON and CSV have all of them.
const MOST_LINES: usize = 24;

/// What was legal less often than this and never used is no news; JSON and CSV have it all the same.
const OFTEN: u64 = 10;

struct Played {
    seed: u64,
    ended: Ended,
    answers: usize,
    uses: Uses,
}

pub struct Tally {
    pub results: Results,
    pub undecided: usize,
    /// Seeds by what went wrong.
    pub failures: BTreeMap<String, Vec<u64>>,
    /// Answers of the games that ended, sorted.
    pub lengths: Vec<usize>,
    pub uses: Uses,
}

impl Tally {
    pub fn warnings(&self) -> Vec<String> {
        warnings(&self.results, self.uses.decisions, self.uses.passes)
    }
}

pub fn run(args: &Play, setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>, out: &mut Out) -> Result<Outcome, Trouble> {
    let tally = played(setting, agents, seeds)?;
    if args.json {
        writeln!(out, "{}", as_json(setting, &tally))?;
    } else if args.csv {
        print_csv(&tally, out)?;
    } else {
        print(&tally, out)?;
    }
    let unfair = match args.fail_outside {
        Some(within) => !is_within(within, &tally.results, out, args.json || args.csv)?,
        None => false,
    };
    Ok(if tally.failures.is_empty() && !unfair { Outcome::Fine } else { Outcome::Found })
}

/// Whether every seat wins as often as it may. Says which does not.
fn is_within(within: Within, results: &Results, out: &mut Out, silent: bool) -> Result<bool, Trouble> {
    let mut fine = true;
    for seat in 0..results.wins.len() {
        let share = 100.0 * results.share(seat);
        if !within.holds(share) {
            fine = false;
            if !silent {
                writeln!(out, "Player {} has {share:.1} % of the games, draws shared: outside {within}.", seat + 1)?;
            }
        }
    }
    Ok(fine)
}

/// Plays and counts.
pub fn played(setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>) -> Result<Tally, Trouble> {
    Ok(tally(&play(setting, agents, seeds)?, setting.pack.seats() as usize))
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
    let mut uses = Uses::default();
    played.iter().for_each(|p| uses.add(&p.uses));
    let wins = (0..seats).map(|seat| count(&Ended::Won(seat))).collect();
    Tally {
        results: Results { games: played.len(), wins, draws: count(&Ended::Drawn) },
        undecided: count(&Ended::Undecided),
        failures,
        lengths,
        uses,
    }
}

fn print(tally: &Tally, out: &mut Out) -> Result<(), Trouble> {
    let games = tally.results.games;
    let share = |n: usize| 100.0 * n as f64 / games.max(1) as f64;
    for (seat, n) in (1..).zip(&tally.results.wins) {
        let (low, high) = wilson(*n, games);
        writeln!(
            out,
            "{:<14}{n:>6} {:>6.1} %   between {:.0} and {:.0} %",
            format!("Player {seat} wins"),
            share(*n),
            100.0 * low,
            100.0 * high
        )?;
    }
    let mut rows = vec![("Draws", tally.results.draws)];
    if tally.undecided > 0 {
        rows.push(("No winner", tally.undecided));
    }
    rows.push(("Faults", tally.failures.values().map(Vec::len).sum()));
    for (words, n) in rows {
        writeln!(out, "{words:<14}{n:>6} {:>6.1} %", share(n))?;
    }
    if let (Some(shortest), Some(longest)) = (tally.lengths.first(), tally.lengths.last()) {
        let median = tally.lengths.get(tally.lengths.len() / 2).unwrap_or(longest);
        writeln!(out, "Answers in a game: {shortest} to {longest}, {median} in the middle.")?;
    }
    let uses = &tally.uses;
    if uses.decisions > 0 {
        let share = 100.0 * uses.passes as f64 / uses.decisions as f64;
        writeln!(out, "{}, {share:.1} % of them passes.", counted(uses.decisions as usize, "decision", "decisions"))?;
    }
    print_uses(uses, out)?;
    for (words, seeds) in &tally.failures {
        let seed = seeds.first().copied().unwrap_or_default();
        let games = counted(seeds.len(), "game", "games");
        writeln!(out, "{games}, first with seed {seed}: {words}")?;
    }
    for warning in tally.warnings() {
        writeln!(out, "Take care: {warning}")?;
    }
    Ok(())
}

fn print_uses(uses: &Uses, out: &mut Out) -> Result<(), Trouble> {
    let mut used: Vec<(&(String, String), &Use)> = uses.of.iter().filter(|(_, one)| one.used > 0).collect();
    used.sort_by_key(|(key, one)| (std::cmp::Reverse(one.used), *key));
    if !used.is_empty() {
        writeln!(out, "\n  used   legal")?;
    }
    for (key, one) in used.iter().take(MOST_LINES) {
        writeln!(out, "{:>6}  {:>6}  {}", one.used, one.legal, option_words(key))?;
    }
    if used.len() > MOST_LINES {
        writeln!(out, "… and {} more: --csv lists all.", used.len() - MOST_LINES)?;
    }
    let mut unused: Vec<(&(String, String), &Use)> = uses.unused().filter(|(_, one)| one.legal >= OFTEN).collect();
    unused.sort_by_key(|(key, one)| (std::cmp::Reverse(one.legal), *key));
    for (key, one) in unused.iter().take(MOST_LINES) {
        writeln!(out, "{} was legal {} times and used 0 times.", option_words(key), one.legal)?;
    }
    if unused.len() > MOST_LINES {
        writeln!(out, "… and {} more that were never used.", unused.len() - MOST_LINES)?;
    }
    Ok(())
}

fn option_words((question, option): &(String, String)) -> String {
    if question.is_empty() { option.clone() } else { format!("{option} (as {question})") }
}

pub fn as_json(setting: &Setting, tally: &Tally) -> serde_json::Value {
    let failures: Vec<_> = tally.failures.iter().map(|(why, seeds)| json!({ "why": why, "seeds": seeds })).collect();
    let intervals: Vec<_> =
        tally.results.wins.iter().map(|n| wilson(*n, tally.results.games)).map(|(low, high)| json!([low, high])).collect();
    let choices: Vec<_> = tally
        .uses
        .of
        .iter()
        .map(|((question, option), one)| json!({ "question": question, "option": option, "legal": one.legal, "used": one.used }))
        .collect();
    json!({
        "project": setting.project,
        "scenario": setting.scenario_name(),
        "games": tally.results.games,
        "wins": tally.results.wins,
        "intervals": intervals,
        "draws": tally.results.draws,
        "undecided": tally.undecided,
        "failures": failures,
        "answers": {
            "shortest": tally.lengths.first(),
            "median": tally.lengths.get(tally.lengths.len() / 2),
            "longest": tally.lengths.last(),
        },
        "decisions": tally.uses.decisions,
        "passes": tally.uses.passes,
        "choices": choices,
        "events": tally.uses.events,
        "warnings": tally.warnings(),
    })
}

fn print_csv(tally: &Tally, out: &mut Out) -> Result<(), Trouble> {
    writeln!(out, "what,name,legal,used")?;
    for (seat, n) in (1..).zip(&tally.results.wins) {
        writeln!(out, "wins,Player {seat},{},{n}", tally.results.games)?;
    }
    writeln!(out, "draws,,{},{}", tally.results.games, tally.results.draws)?;
    writeln!(out, "passes,,{},{}", tally.uses.decisions, tally.uses.passes)?;
    for ((question, option), one) in &tally.uses.of {
        let what = if question.is_empty() { "menu" } else { question };
        writeln!(out, "{},{},{},{}", cell(what), cell(option), one.legal, one.used)?;
    }
    for (name, count) in &tally.uses.events {
        writeln!(out, "event,{},,{count}", cell(name))?;
    }
    Ok(())
}

/// A text as a cell of a table: in quotes where it would be taken apart, and never a formula.
pub fn cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn play(setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>) -> Result<Vec<Played>, Trouble> {
    crate::budget::doing(format!("playing `{}`", setting.project));
    let done = AtomicUsize::new(0);
    let seeds: Vec<u64> = seeds.collect();
    let passes = Passes::of(&setting.pack);
    let one = |seed: &u64| {
        let played = game(setting, agents, *seed, &passes);
        done.fetch_add(1, Ordering::Relaxed);
        played
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

fn game(setting: &Setting, agents: &[Agent], seed: u64, passes: &Passes) -> Result<Played, Trouble> {
    let mut table = Table::new(setting, agents.to_vec(), seed)?;
    table.machine.keep_notes();
    let mut uses = Uses::default();
    let ended = loop {
        let next = table.next();
        uses.happened(&setting.pack, &table.machine.take_notes());
        match next {
            Next::Answered(question, answer) => {
                uses.answered(&setting.pack, &table.machine.world, passes, &question, &answer);
                if let Err(why) = table.give(answer) {
                    break Ended::Stuck(format!("{}: {why}", table.words_of(&question)));
                }
            }
            Next::Person(question) => break Ended::Stuck(table.words_of(&question)),
            Next::Ended(ended) => break ended,
        }
    };
    Ok(Played { seed, ended, answers: table.answers.len(), uses })
}
