//! Two builds of the command in one run, on one core, in turn: what people wait for, and how many times as fast the second one is.
//!
//! `cargo run --release -p banneret-bench -- beside OLD NEW`, each the path of a command `banneret`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::table::Table;

/// Games of which one is set apart: reading the project takes the same in both runs.
const GAMES: u32 = 60;
/// The quickest run of so many counts: whatever else the machine does only takes longer.
const RUNS: u32 = 3;

/// None: this was not asked for.
pub fn run(table: &mut Table) -> Option<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [asked, old, new] = &args[..] else { return None };
    if asked != "beside" {
        return None;
    }
    let content = Path::new("content");
    let mut folders: Vec<_> = std::fs::read_dir(content).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.join("banneret.ron").is_file());
    folders.sort();
    for folder in &folders {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let [before, now] = in_turn([old, new], |command| answers_a_second(command, folder));
        let words = format!("{name}: answers a second, random players");
        table.row(&words, told(now), &format!("the other build: {}", told(before)), ratio(now, before));
    }
    let checks = ["check", "content"];
    let tests = ["test", "--library", "all"];
    for (words, args) in [("content/ is checked", &checks[..]), ("the tests of the rule systems", &tests[..])] {
        let [before, now] = in_turn([old, new], |command| Some(1.0 / took(command, args)?.as_secs_f64()));
        let time = |per_second: Option<f64>| per_second.map_or_else(|| "–".to_owned(), |n| format!("{:.0} ms", 1000.0 / n));
        table.row(words, time(now), &format!("the other build: {}", time(before)), ratio(now, before));
    }
    Some(())
}

fn told(n: Option<f64>) -> String {
    n.map_or_else(|| "–".to_owned(), |n| format!("{n:.0}"))
}

fn ratio(now: Option<f64>, before: Option<f64>) -> String {
    now.zip(before).map_or_else(|| "–".to_owned(), |(now, before)| format!("{:.2}×", now / before))
}

/// The best of some runs of both, one after the other.
fn in_turn(commands: [&String; 2], measure: impl Fn(&str) -> Option<f64>) -> [Option<f64>; 2] {
    let mut best = [None, None];
    for _ in 0..RUNS {
        for (best, command) in best.iter_mut().zip(commands) {
            *best = measure(command).into_iter().chain(*best).reduce(f64::max);
        }
    }
    best
}

/// On one core. None: it failed.
fn took(command: &str, args: &[&str]) -> Option<Duration> {
    let began = Instant::now();
    let ended = Command::new(command).args(args).env("RAYON_NUM_THREADS", "1").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    ended.success().then(|| began.elapsed())
}

/// Dice count as answers. The games of two builds differ where their rules do.
fn answers_a_second(command: &str, folder: &Path) -> Option<f64> {
    let folder = folder.to_str()?;
    let games = GAMES.to_string();
    let args = |games| ["play", folder, "--agents", "random", "--seed", "1", "--json", "--games", games];
    let said = Command::new(command).args(args(&games)).env("RAYON_NUM_THREADS", "1").output().ok()?;
    let said: Value = serde_json::from_slice(&said.stdout).ok()?;
    let answers = said.get("answers")?.get("median")?.as_f64()?;
    let (many, one) = (took(command, &args(&games))?, took(command, &args("1"))?);
    let each = many.checked_sub(one)?.as_secs_f64() / f64::from(GAMES - 1);
    Some(answers / each)
}
