//! A bounded run of every target, and those who watch caught at their work.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use banneret_fuzz::machine::{LIMITS, games, scenario, tampered};
use banneret_fuzz::watch::LONGEST;
use banneret_fuzz::{NAMES, Target};
use banneret_players::play_at_random;
use banneret_runtime::fault::FaultKind;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).to_path_buf()
}

fn run(target: &str, executions: u64) -> Output {
    let keep = folder().join("found");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fuzz"));
    command.args(["run", target, "--executions", &executions.to_string(), "--keep"]).arg(keep);
    command.output().unwrap()
}

/// The kept inputs, which are run first, and a few made of them.
fn nothing_is_found(target: &str, more: u64) {
    assert!(NAMES.contains(&target));
    let kept = Target::named(target).unwrap().seeds.len().min(400) as u64;
    let ended = run(target, kept + more);
    assert!(ended.status.success(), "{target}: {}", String::from_utf8_lossy(&ended.stderr));
    let line = format!("| {target} | {} | 0 |", kept + more);
    assert!(String::from_utf8_lossy(&ended.stdout).contains(&line), "{ended:?}");
}

#[test]
fn texts() {
    nothing_is_found("reader", 400);
    nothing_is_found("manifest", 3000);
    nothing_is_found("compiler", 5);
}

#[test]
fn packs_and_saves() {
    nothing_is_found("pack", 100);
    nothing_is_found("save", 2000);
}

#[test]
fn pictures() {
    nothing_is_found("picture", 20);
}

#[test]
fn the_protocol() {
    nothing_is_found("wire", 3000);
    nothing_is_found("server", 5);
}

#[test]
fn who_watches_sees_panics_hangs_and_memory() {
    let ended = run("trap", 10);
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let (told, found) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(told.contains("| trap | 10 | 3 |"), "{told}");
    let too_long = format!("input 5: more than {} seconds", LONGEST.as_secs());
    for words in ["input 3: signal", "a trap", &too_long, "input 7: more than 1000 MB of memory"] {
        assert!(found.contains(words), "no {words:?} in {found}");
    }
    assert_eq!(std::fs::read(folder().join("found/trap-1-5")).unwrap(), [5], "what was found is kept");
}

#[test]
fn the_same_number_is_the_same_input() {
    for name in ["reader", "pack", "picture", "wire"] {
        let (one, other) = (Target::named(name).unwrap(), Target::named(name).unwrap());
        let first = one.seeds.len() as u64;
        for number in first..first + 5 {
            assert_eq!(one.input(7, number), other.input(7, number), "{name} {number}");
        }
        assert_ne!(one.input(7, first), one.input(8, first), "{name}");
    }
}

#[test]
fn the_games_of_the_corpus_are_sound() {
    let all = games();
    assert_eq!(all.len(), 2, "each can be built");
    for pack in all {
        let pack = Loaded::new(pack).unwrap();
        assert!(pack.start.is_some() && pack.scenario_kind.is_some(), "{}", pack.name);
        for test in &pack.tests {
            let outcome = banneret_runtime::testing::run_test(&pack, test, banneret_odds::judge);
            assert!(outcome.passed(), "{}: {outcome:?}", pack.name);
        }
    }
}

/// Otherwise only the verifier would be tried, and never the machine.
#[test]
fn many_packs_that_lie_pass_the_verifier() {
    let all = games();
    let (mut passed, mut changed) = (0, 0);
    for seed in 0..200 {
        let lie = tampered(&all, &mut Generator::new(seed)).unwrap();
        changed += u32::from(!all.contains(&lie));
        passed += u32::from(Loaded::new(lie).is_ok());
    }
    assert!(changed > 100 && (100..200).contains(&passed), "{changed} changed, {passed} passed");
}

#[test]
fn cut_packs_are_refused() {
    for pack in games() {
        let bytes = pack.to_bytes().unwrap();
        for end in (0..bytes.len()).step_by(bytes.len() / 300 + 1) {
            assert!(Pack::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        }
    }
}

/// This one once made the machine panic: events that end were gone before.
#[test]
fn a_save_in_which_events_are_gone_is_refused_or_harmless() {
    for pack in games() {
        let pack = Loaded::new(pack).unwrap();
        for questions in [0, 3, 10, 25] {
            let mut machine = Machine::new(&pack, 2, LIMITS).unwrap();
            machine.start_game(&pack, scenario(&pack)).unwrap();
            let step = play_at_random(&mut machine, &pack, &mut Generator::new(1), questions);
            assert!(!matches!(step, Step::Fault(ref fault) if fault.kind == FaultKind::BadPack), "{step:?}");
            let (mut bytes, mut generator) = (machine.save(&pack).unwrap(), Generator::new(2769));
            for _ in 0..1 + generator.below(3) {
                let at = 16 + generator.below(bytes.len() as u64 - 16) as usize;
                match generator.below(3) {
                    0 => bytes[at] ^= 1 << generator.below(8),
                    1 => bytes[at] = generator.below(256) as u8,
                    _ => bytes[at] = bytes[at].wrapping_add(1),
                }
            }
            if let Ok(mut machine) = Machine::load(&bytes, &pack) {
                play_at_random(&mut machine, &pack, &mut generator, 20);
            }
        }
    }
}

#[test]
fn saves_of_other_rules_are_refused() {
    let mut packs: Vec<Loaded> = games().into_iter().map(|pack| Loaded::new(pack).unwrap()).collect();
    let (one, other) = (packs.remove(0), packs.remove(0));
    let saved = Machine::new(&one, 2, LIMITS).unwrap().save(&one).unwrap();
    assert!(Machine::load(&saved, &one).is_ok());
    let why = Machine::load(&saved, &other).unwrap_err();
    assert!(why.to_string().contains("other rules"), "{why}");
}
