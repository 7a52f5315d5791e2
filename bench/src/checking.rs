//! Checking a large project: cold, after an edit, and how it grows.

use std::time::{Duration, Instant};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::manifest::Manifest;

use crate::cards;
use crate::table::Table;

const MANIFEST: &str = r#"(name: "bench", version: "0.1.0", rules: "worlds_collide")"#;

struct Run {
    cold: Duration,
    /// Processor time of the cold check, of all cores together.
    work: Duration,
    /// The edits in the middle of all that were made.
    edit: Duration,
    bytes: usize,
}

pub fn run(table: &mut Table) {
    let sizes = [3_000, 30_000];
    let runs: Vec<Run> = sizes.iter().map(|n| measure(*n)).collect();
    let [small, large] = runs.as_slice() else { return };
    let mb = large.bytes as f64 / 1e6;
    table.row(
        "30,000 cards, cold check",
        ms(large.cold),
        &format!("{mb:.1} MB of source, 2.5 s"),
        ratio(large.cold, Duration::from_millis(2500)),
    );
    table.row("the same, processor time of all cores", ms(large.work), "the time on the clock", ratio(large.work, large.cold));
    table.row("30,000 cards, check after one edit", ms(large.edit), "the cold check", ratio(large.edit, large.cold));
    table.row("3,000 cards, cold check", ms(small.cold), "a tenth of the large one", ratio(large.cold, small.cold * 10));
    let memory = peak_memory();
    table.row("peak memory", format!("{} MB", memory / 1_000_000), "bound 600 MB", format!("{:.2}", memory as f64 / 6e8));
}

fn measure(cards: usize) -> Run {
    let files = cards::project(cards);
    let bytes = files.iter().map(|(_, t)| t.len()).sum();
    let edited = files[1].clone();
    let mut workspace = Workspace::new();
    let Ok(manifest) = Manifest::parse(MANIFEST, "bench/banneret.ron") else {
        eprintln!("the manifest of the benchmark is wrong");
        return Run { cold: Duration::ZERO, work: Duration::ZERO, edit: Duration::ZERO, bytes };
    };
    let before = processor_time();
    let start = Instant::now();
    let project = workspace.open(manifest, "bench".into(), files);
    tell(&workspace, project);
    let cold = start.elapsed();
    let work = processor_time() - before;
    let mut edits = Vec::new();
    for health in 20..51 {
        let text = edited.1.replacen("health: 4", &format!("health: {health}"), 1);
        let start = Instant::now();
        workspace.set_text(project, &edited.0, Some(text));
        tell(&workspace, project);
        edits.push(start.elapsed());
    }
    edits.sort();
    Run { cold, work, edit: edits[edits.len() / 2], bytes }
}

fn tell(workspace: &Workspace, project: ProjectId) {
    let checked = workspace.check(project);
    if let Some(first) = checked.found.first() {
        eprintln!("{} findings, the first: {} {}", checked.found.len(), first.file, first.diagnostic.headline);
    }
}

fn ms(d: Duration) -> String {
    format!("{:.1} ms", d.as_secs_f64() * 1e3)
}

fn ratio(a: Duration, b: Duration) -> String {
    format!("{:.2}", a.as_secs_f64() / b.as_secs_f64().max(1e-9))
}

/// What the process has computed so far, on all cores (Linux; zero elsewhere).
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // after the name, which may hold anything: user and system time are the 12th and 13th
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// The most memory the process has had, in bytes (Linux; 0 elsewhere).
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|l| l.strip_prefix("VmHWM:")).and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
