//! The thirty hard constructs of published games, and a rule system that nobody shipped: each is a folder of files in `hard/` with tests in the language.
//!
//! A file `error-CODE.banner` stands for itself and gives exactly this code.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_tests::files::{below, house};
use project::{Bench, Files};

fn folders() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(house().join("tests/hard")).unwrap().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The files of a folder that belong together, and those that are wrong on purpose with their code.
fn split(folder: &Path) -> (Files, Vec<(String, String)>) {
    let mut files = Vec::new();
    let mut wrong = Vec::new();
    for path in below(folder, ".banner") {
        let (name, text) = (name(&path), fs::read_to_string(&path).unwrap());
        match name.strip_prefix("error-").and_then(|n| n.strip_suffix(".banner")) {
            Some(code) => wrong.push((code.to_string(), text)),
            None => files.push((name, text)),
        }
    }
    (files, wrong)
}

#[test]
fn hard_constructs_work() {
    let mut bench = Bench::default();
    let mut complaints: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in folders() {
        let (files, wrong) = split(&folder);
        let outcome = bench.run(&files);
        let mut found = outcome.complaints();
        if outcome.passed == 0 {
            found.push("no test was run".to_string());
        }
        for (code, text) in wrong {
            let outcome = bench.run(&vec![("wrong.banner".to_string(), text)]);
            if outcome.codes() != [code.clone()] {
                found.push(format!("{code} is promised, but: {:?}", outcome.complaints()));
            }
        }
        if !found.is_empty() {
            complaints.insert(name(&folder), found);
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Whole games, played at random by nobody, come to their end.
#[test]
fn games_play_to_their_end() {
    let mut played = 0;
    for folder in folders().iter().filter(|folder| name(folder).contains("-game-")) {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("example"), String::new(), split(folder).0);
        let pack = Loaded::new(table::built(&workspace, project)).unwrap();
        for seed in 0..20 {
            let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
            machine.start_game(&pack, None).unwrap();
            table::play(&mut machine, &pack, seed, |_, _| {});
            assert!(machine.world.outcome.is_some(), "{}, seed {seed}: nobody has won or drawn", name(folder));
            played += 1;
        }
    }
    assert_eq!(played, 80);
}

/// Each of the thirty has a folder or a section in `docs/limits.md`, and the page names every folder.
#[test]
fn none_of_the_thirty_is_passed_over() {
    let page = fs::read_to_string(house().join("docs/limits.md")).unwrap();
    let names: Vec<String> = folders().iter().map(|f| name(f)).collect();
    let mut missing = Vec::new();
    for n in 1..=30 {
        let folder = names.iter().find(|name| name.starts_with(&format!("{n:02}-")));
        let told = page.lines().any(|l| l.starts_with(&format!("| {n} |")));
        if folder.is_none() || !told {
            missing.push(n);
        }
    }
    assert!(missing.is_empty(), "nothing is said about {missing:?}");
    let unnamed: Vec<&String> = names.iter().filter(|name| !page.contains(name.as_str())).collect();
    assert!(unnamed.is_empty(), "docs/limits.md does not name {unnamed:?}");
}
