//! The formatter changes white space and nothing else, and only once.

use std::cell::RefCell;

use banneret_grammar::{format, parse_item, split};
use banneret_tests::files::{below, house, shown, sources, text};
use banneret_tests::workbench::{Workbench, one_line};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use crate::programs::program;

/// Everything but white space.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The comments of a text, in order.
fn comments(text: &str) -> Vec<String> {
    text.lines().filter_map(|l| l.trim().strip_prefix("//")).map(|c| c.trim().to_string()).collect()
}

/// How many items there are and how many errors they have.
fn counted(text: &str) -> (usize, usize) {
    let chunks = split(text);
    let errors = chunks.iter().map(|c| parse_item(c.text(text)).errors.len()).sum();
    (chunks.len(), errors)
}

fn promises(what: &str, source: &str) {
    let once = format(source);
    assert_eq!(format(&once), once, "{what}: formatting twice is not formatting once");
    assert_eq!(bare(source), bare(&once), "{what}: formatting lost or made something");
    assert_eq!(comments(source), comments(&once), "{what}: formatting moved a comment");
    assert_eq!(counted(source), counted(&once), "{what}: formatting changed what is read");
}

#[test]
fn the_sources_of_the_house_keep_everything() {
    for path in sources() {
        promises(&shown(&path), &text(&path));
    }
}

#[test]
fn broken_files_keep_everything() {
    for path in below(&house().join("tests/mistakes"), ".banner") {
        promises(&shown(&path), &text(&path));
    }
}

/// The same program with white space where it does not matter.
fn untidy(program: &str, seed: u64) -> String {
    let mut state = seed | 1;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut out = String::new();
    for line in program.lines() {
        let inside = line.starts_with(' ');
        if inside {
            out.push_str(&" ".repeat(1 + next() % 7));
        }
        out.push_str(line.trim());
        out.push_str(&" ".repeat(next() % 3));
        out.push('\n');
        if next() % 5 == 0 {
            out.push_str(&"\n".repeat(1 + next() % 3));
        }
    }
    out
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 60, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn programs_keep_everything(program in program(), seed in any::<u64>()) {
        let source = program.source();
        promises("a program", &source);
        promises("an untidy program", &untidy(&source, seed));
    }
}

/// What is made at random is right, or the promises above would be about little.
#[test]
fn programs_are_right() {
    let bench = RefCell::new(Workbench::default());
    let outcome = TestRunner::new(config()).run(&program(), |program| {
        let source = program.source();
        let found = bench.borrow_mut().check(&[("program.banner", &source)]).found;
        let found: Vec<String> = found.iter().map(|f| one_line(f, &source)).collect();
        prop_assert!(found.is_empty(), "{found:?}\n{source}");
        Ok(())
    });
    if let Err(wrong) = outcome {
        panic!("{wrong}");
    }
}
