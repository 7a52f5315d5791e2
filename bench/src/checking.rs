//! Checking a large project: cold, after an edit, and how it grows.

use std::time::{Duration, Instant};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::manifest::Manifest;

use crate::cards;
use crate::peer;
use crate::table::Table;

const MANIFEST: &str = r#"(name: "bench", version: "0.1.0", rules: "worlds_collide")"#;

struct Run {
    cold: Duration,
    edit: Duration,
    bytes: usize,
}

pub fn run(table: &mut Table) {
    let sizes = [3_000, 30_000];
    let runs: Vec<Run> = sizes.iter().map(|n| measure(*n)).collect();
    let [small, large] = runs.as_slice() else { return };
    let (alone, whole) = peer::validate(&cards::as_json(sizes[1]));
    let mb = large.bytes as f64 / 1e6;
    table.row(
        "30,000 cards, cold check",
        ms(large.cold),
        &format!("{mb:.1} MB of source; JSON read and validated by jsonschema: {}", ms(whole)),
        ratio(large.cold, whole),
    );
    table.row("the same", ms(large.cold), &format!("JSON already read, validation alone: {}", ms(alone)), ratio(large.cold, alone));
    table.row("30,000 cards, check after one edit", ms(large.edit), "the cold check", ratio(large.edit, large.cold));
    table.row("3,000 cards, cold check", ms(small.cold), "a tenth of the large one", ratio(large.cold, small.cold * 10));
    table.row("peak memory", format!("{} MB", peak_memory() / 1_000_000), "bound 600 MB", format!("{:.2}", peak_memory() as f64 / 6e8));
}

fn measure(cards: usize) -> Run {
    let files = cards::project(cards);
    let bytes = files.iter().map(|(_, t)| t.len()).sum();
    let edited = files[1].clone();
    let mut workspace = Workspace::new();
    let Ok(manifest) = Manifest::parse(MANIFEST, "bench/banneret.ron") else {
        eprintln!("the manifest of the benchmark is wrong");
        return Run { cold: Duration::ZERO, edit: Duration::ZERO, bytes };
    };
    let start = Instant::now();
    let project = workspace.open(manifest, "bench".into(), files);
    tell(&workspace, project);
    let cold = start.elapsed();
    let mut edit = Duration::MAX;
    for health in 20..25 {
        let text = edited.1.replacen("health: 4", &format!("health: {health}"), 1);
        let start = Instant::now();
        workspace.set_text(project, &edited.0, Some(text));
        tell(&workspace, project);
        edit = edit.min(start.elapsed());
    }
    Run { cold, edit, bytes }
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

/// The most memory the process has had, in bytes (Linux; 0 elsewhere).
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|l| l.strip_prefix("VmHWM:")).and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
