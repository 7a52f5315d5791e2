//! Laying cards out: all of them, and one after an edit, beside parsing and typing the same cards.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_projects::{Art, PrintCheck};

use crate::cards;
use crate::table::Table;

const CARDS: usize = 3_000;
const MANIFEST: &str = r#"(name: "bench", version: "0.1.0", rules: "worlds_collide")"#;
/// What the check of a printed card may cost, in milliseconds.
const BOUND: f64 = 2.0;

pub fn run(table: &mut Table) {
    let files = cards::project(CARDS);
    let edited = files[1].clone();
    let Ok(manifest) = Manifest::parse(MANIFEST, "bench/banneret.ron") else {
        eprintln!("the manifest of the benchmark is wrong");
        return;
    };
    let mut workspace = Workspace::new();
    let start = Instant::now();
    let project = workspace.open(manifest, "bench".into(), files);
    let checked = workspace.check(project);
    let typing = start.elapsed();
    if checked.has_errors() {
        eprintln!("the cards of the benchmark have mistakes");
        return;
    }
    // the same check that the command and the editor run; these cards have no pictures
    let (checker, art) = (PrintCheck::default(), Arc::new(Art::in_folder(Path::new("bench"), Path::new("art"))));
    let lay_out = |workspace: &Workspace| checker.check(&workspace.printed_by_file(project), &art, &|| false);
    let start = Instant::now();
    lay_out(&workspace);
    let cold = start.elapsed();
    let sides = checker.laid_out().max(1);
    let mut edits = Vec::new();
    for health in 20..51 {
        let text = edited.1.replacen("health: 4", &format!("health: {health}"), 1);
        workspace.set_text(project, &edited.0, Some(text));
        workspace.check(project);
        let start = Instant::now();
        lay_out(&workspace);
        edits.push(start.elapsed());
    }
    edits.sort();
    let each = ms(cold) / checked.cards.max(1) as f64;
    let a_second = sides as f64 / cold.as_secs_f64();
    table.row(
        "one card laid out",
        format!("{each:.3} ms"),
        &format!("bound {BOUND} ms; {a_second:.0} sides a second"),
        format!("{:.2}", each / BOUND),
    );
    table.row(
        &format!("{CARDS} cards laid out"),
        format!("{:.0} ms", ms(cold)),
        &format!("parsing and typing them: {:.0} ms", ms(typing)),
        format!("{:.2}", ms(cold) / ms(typing)),
    );
    let edit = edits[edits.len() / 2];
    table.row("layout check after one edit", format!("{:.1} ms", ms(edit)), "all of them", format!("{:.3}", ms(edit) / ms(cold)));
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
