//! Packs that were damaged or lie: whatever is in them, nothing panics. The damage comes from a fixed generator, so that a failure can be seen again.
//!
//! `fuzz/corpus` holds small games as sources, and packs that were once made of them; a pack of an older format is as good a stranger as any.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::fault::FaultKind;
use banneret_runtime::hosts::agents::play_at_random;
use banneret_runtime::hosts::exact;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::{FieldRole, Pack};
use banneret_runtime::testing::{run_limits, test_world};
use banneret_tests::files::{below, house, shown, text};

use table::{built, exhaustive};

const LIMITS: Limits = Limits {
    steps: 20_000,
    objects: 200,
    depth: 32,
    events: 200,
    list_length: 1_000,
    memory: 10_000,
    candidates: 500,
    call_depth: 32,
    state_checks: 20,
    ask_order: false,
};

/// The games of the corpus, compiled.
fn games() -> Vec<(String, Pack)> {
    let sources = below(&house().join("tests/fuzz/corpus"), ".banner");
    assert!(!sources.is_empty());
    let one = |path: &std::path::PathBuf| {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("fuzz"), String::new(), vec![("fuzz.banner".to_owned(), text(path))]);
        (shown(path), built(&workspace, project))
    };
    sources.iter().map(one).collect()
}

/// So many rounds for each game; a hundred times as many if asked for.
fn rounds(few: u64) -> u64 {
    if exhaustive() { few * 100 } else { few }
}

/// Runs a piece of work and says what made it panic.
fn unharmed(what: &str, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        panic!("{what} made the machine panic");
    }
}

/// As far as it goes: read, verify, run the game, the tests and the limits.
fn run(bytes: &[u8], seed: u64) {
    if let Ok(pack) = Pack::from_bytes(bytes) {
        run_pack(pack, seed);
    }
}

fn run_pack(pack: Pack, seed: u64) {
    let Ok(pack) = Loaded::new(pack) else {
        return;
    };
    let mut generator = Generator::new(seed);
    if let Ok(mut machine) = Machine::new(&pack, 2, LIMITS) {
        let scenario = (0u32..).zip(&pack.cards).find(|(_, card)| Some(card.kind) == pack.scenario_kind).map(|(i, _)| CardId(i));
        if machine.start_game(&pack, scenario).is_ok() {
            let step = play_at_random(&mut machine, &pack, &mut generator, 60);
            if let Step::Fault(fault) = step {
                assert!(!fault.words.is_empty());
            }
            let saved = machine.save(&pack).expect("a machine can be saved");
            assert!(Machine::load(&saved, &pack).expect("and loaded") == machine);
        }
    }
    for test in pack.tests.iter().take(4) {
        if let Ok(machine) = test_world(&pack, test, LIMITS) {
            let mut played = machine.clone();
            play_at_random(&mut played, &pack, &mut generator, 20);
            let _ = exact::odds(machine, &pack, 50);
        }
    }
    let _ = run_limits(&pack, &banneret_runtime::limits::Work::new(50_000_000), |_, _| true);
}

#[test]
fn the_corpus_itself_is_sound() {
    for (name, pack) in games() {
        let pack = Loaded::new(pack).unwrap();
        assert!(pack.start.is_some() && pack.scenario_kind.is_some(), "{name}");
        for outcome in banneret_runtime::testing::run_tests(&pack) {
            assert!(outcome.passed(), "{name}: {outcome:?}");
        }
    }
}

#[test]
fn kept_packs_are_read_or_refused() {
    let kept = below(&house().join("tests/fuzz/corpus"), ".pack");
    assert!(!kept.is_empty());
    for path in kept {
        let bytes = fs::read(&path).unwrap();
        damage(&shown(&path), &bytes, rounds(100));
    }
}

#[test]
fn cut_packs_are_refused() {
    for (name, pack) in games() {
        let bytes = pack.to_bytes().unwrap();
        let step = if exhaustive() { 1 } else { bytes.len() / 300 + 1 };
        for end in (0..bytes.len()).step_by(step) {
            unharmed(&format!("{name} cut at {end}"), || {
                assert!(Pack::from_bytes(&bytes[..end]).is_err());
            });
        }
    }
}

#[test]
fn damaged_packs_do_no_harm() {
    for (name, pack) in games() {
        damage(&name, &pack.to_bytes().unwrap(), rounds(400));
    }
}

/// Flips bits, overwrites, copies and drops bytes.
fn damage(name: &str, bytes: &[u8], rounds: u64) {
    for seed in 0..rounds {
        let mut generator = Generator::new(seed);
        let mut bytes = bytes.to_vec();
        for _ in 0..=generator.below(3) {
            // The first bytes only say that it is a pack.
            let at = |generator: &mut Generator, len: usize| 12.min(len) + generator.below((len - 12.min(len)) as u64) as usize;
            let (i, j) = (at(&mut generator, bytes.len()), at(&mut generator, bytes.len()));
            let (i, j) = (i.min(bytes.len() - 1), j.min(bytes.len() - 1));
            match generator.below(5) {
                0 => bytes[i] = generator.below(256) as u8,
                1 => bytes[i] = bytes[j],
                2 => {
                    bytes.remove(i);
                }
                3 => bytes.insert(i, generator.below(256) as u8),
                _ => bytes[i] ^= 1 << generator.below(8),
            }
        }
        unharmed(&format!("{name} damaged with seed {seed}"), || run(&bytes, seed));
    }
}

#[test]
fn packs_that_lie_do_no_harm() {
    let (mut refused, mut ran) = (0, 0);
    for (name, pack) in games() {
        for seed in 0..rounds(600) {
            let mut lie = pack.clone();
            let mut generator = Generator::new(seed);
            for _ in 0..=generator.below(2) {
                tamper(&mut lie, &mut generator);
            }
            match Loaded::new(lie.clone()) {
                Ok(_) => ran += 1,
                Err(_) => refused += 1,
            }
            unharmed(&format!("{name} tampered with seed {seed}"), || run_pack(lie, seed));
        }
    }
    // Both the verifier and the machine had their share.
    assert!(refused > 50 && ran > 50, "{refused} refused, {ran} ran");
}

fn pick<T>(all: &[T], generator: &mut Generator) -> Option<usize> {
    (!all.is_empty()).then(|| generator.below(all.len() as u64) as usize)
}

/// Changes a pack as somebody could who knows how it is made.
fn tamper(pack: &mut Pack, generator: &mut Generator) -> Option<()> {
    match generator.below(10) {
        0..=3 => {
            // An instruction from somewhere else.
            let (a, b) = (pick(&pack.fragments, generator)?, pick(&pack.fragments, generator)?);
            let (i, j) = (pick(&pack.fragments[a].code, generator)?, pick(&pack.fragments[b].code, generator)?);
            let code = pack.fragments[b].code[j];
            match generator.below(3) {
                0 => pack.fragments[a].code[i] = code,
                1 => pack.fragments[a].code.insert(i, code),
                _ => {
                    pack.fragments[a].code.remove(i);
                }
            }
            pack.fragments[a].sites.clear();
        }
        4 => {
            let a = pick(&pack.fragments, generator)?;
            let fragment = &mut pack.fragments[a];
            match generator.below(4) {
                0 => fragment.registers = generator.below(40) as u16,
                1 => fragment.params = generator.below(6) as u16,
                2 => fragment.pure = !fragment.pure,
                _ => fragment.code.truncate(generator.below(fragment.code.len() as u64 + 1) as usize),
            }
            fragment.sites.clear();
        }
        5 => {
            let (a, b) = (pick(&pack.consts, generator)?, pick(&pack.consts, generator)?);
            pack.consts.swap(a, b);
        }
        6 => {
            let (a, b) = (pick(&pack.cards, generator)?, pick(&pack.cards, generator)?);
            match generator.below(4) {
                0 => pack.cards[a].kind = pack.cards[b].kind,
                1 => pack.cards[a].values = pack.cards[b].values.clone(),
                2 => pack.cards[a].parts.push(CardId(b as u32)),
                _ => pack.cards[a].holder = Some(CardId(b as u32)),
            }
        }
        7 => {
            let a = pick(&pack.fields, generator)?;
            let b = pick(&pack.fragments, generator)?;
            let roles = [FieldRole::Plain, FieldRole::State, FieldRole::Resource, FieldRole::Pile];
            let field = &mut pack.fields[a];
            match generator.below(3) {
                0 => field.role = roles[generator.below(4) as usize],
                1 => field.high = Some(banneret_runtime::ids::FragId(b as u32)),
                _ => field.default = Some(banneret_runtime::ids::FragId(b as u32)),
            }
        }
        8 => {
            let (a, b) = (pick(&pack.actions, generator)?, pick(&pack.fragments, generator)?);
            match generator.below(4) {
                0 => pack.actions[a].body = Some(banneret_runtime::ids::FragId(b as u32)),
                1 => pack.actions[a].params = generator.below(5) as u16,
                2 => pack.actions[a].by = Some(generator.below(4) as u16),
                _ => pack.start = Some(banneret_runtime::ids::ActionId(a as u32)),
            }
        }
        _ => {
            let (a, b) = (pick(&pack.bundles, generator)?, pick(&pack.bundles, generator)?);
            pack.bundles.swap(a, b);
        }
    }
    Some(())
}

/// Damaged saves are refused, or played on like any game.
#[test]
fn damaged_saves_are_refused_or_harmless() {
    for (name, pack) in games() {
        let pack = Loaded::new(pack).unwrap();
        let scenario = (0u32..).zip(&pack.cards).find(|(_, card)| Some(card.kind) == pack.scenario_kind).map(|(i, _)| CardId(i));
        let (mut refused, mut let_in) = (0, 0);
        for questions in [0, 3, 10, 25] {
            let mut machine = Machine::new(&pack, 2, LIMITS).unwrap();
            machine.start_game(&pack, scenario).unwrap();
            let step = play_at_random(&mut machine, &pack, &mut Generator::new(1), questions);
            assert!(!matches!(step, Step::Fault(ref f) if f.kind == FaultKind::BadPack), "{name}: {step:?}");
            let bytes = machine.save(&pack).unwrap();
            // The last one once made the machine panic: events that end were gone before.
            for seed in (0..rounds(300)).chain([2769]) {
                let mut generator = Generator::new(seed);
                let mut bytes = bytes.clone();
                for _ in 0..1 + generator.below(3) {
                    // The mark and the fingerprint come first: damage there is no news.
                    let i = 16 + generator.below(bytes.len() as u64 - 16) as usize;
                    match generator.below(3) {
                        0 => bytes[i] ^= 1 << generator.below(8),
                        1 => bytes[i] = generator.below(256) as u8,
                        _ => bytes[i] = bytes[i].wrapping_add(1),
                    }
                }
                unharmed(&format!("a save of {name} damaged with seed {seed}"), || match Machine::load(&bytes, &pack) {
                    Ok(mut machine) => {
                        let_in += 1;
                        play_at_random(&mut machine, &pack, &mut generator, 20);
                    }
                    Err(why) => {
                        refused += 1;
                        assert!(!why.to_string().is_empty());
                    }
                });
            }
        }
        assert!(refused > 0 && let_in > 0, "{name}: {refused} refused, {let_in} let in");
    }
}

#[test]
fn saves_of_other_rules_are_refused() {
    let mut packs: Vec<Loaded> = games().into_iter().map(|(_, pack)| Loaded::new(pack).unwrap()).collect();
    let (one, other) = (packs.remove(0), packs.remove(0));
    let saved = Machine::new(&one, 2, LIMITS).unwrap().save(&one).unwrap();
    assert!(Machine::load(&saved, &one).is_ok());
    let why = Machine::load(&saved, &other).unwrap_err();
    assert!(why.to_string().contains("other rules"), "{why}");
}
