//! Random programs are run by the machine and by a slow, obvious interpreter; both come to the same world.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod plain;
mod programs;
mod table;

use std::cell::RefCell;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;

use plain::Plain;
use table::{built, exhaustive};

/// One dice after the other, and how many there were.
struct Dice {
    generator: Generator,
    rolled: u64,
}

/// What a run came to: the state of everything, what was measured, and how many dice were rolled.
#[derive(Debug, PartialEq)]
struct Came {
    state: Vec<Vec<(u32, Value)>>,
    measured: Vec<Value>,
    rolled: u64,
}

fn by_machine(pack: &Loaded, seed: u64) -> Result<Came, String> {
    let mut machine = test_world(pack, &pack.tests[0], Limits::default()).unwrap();
    let mut dice = Dice { generator: Generator::new(seed), rolled: 0 };
    loop {
        match machine.run(pack) {
            Step::Asked(question) => {
                let answer = dice.generator.answer(&question).unwrap();
                if let banneret_runtime::question::Answer::Faces(faces) = &answer {
                    dice.rolled += faces.len() as u64;
                }
                machine.answer(pack, answer).unwrap();
            }
            Step::Done(_) => return Ok(came(&machine, dice.rolled)),
            Step::Fault(fault) => return Err(fault.words),
        }
    }
}

fn came(machine: &Machine, rolled: u64) -> Came {
    let state = machine.world.ids().map(|id| machine.world.get(id).unwrap().state.iter().map(|(f, v)| (f.0, v.clone())).collect());
    Came { state: state.collect(), measured: machine.measured.iter().map(|(_, v)| v.clone()).collect(), rolled }
}

/// The same, by a host that rolls as soon as it is asked.
fn by_seed(pack: &Loaded, seed: u64, rolled: u64) -> Result<Came, String> {
    let mut machine = test_world(pack, &pack.tests[0], Limits::default()).unwrap();
    match run_seeded(&mut machine, pack, &mut Generator::new(seed)) {
        Step::Done(_) => Ok(came(&machine, rolled)),
        other => Err(format!("{other:?}")),
    }
}

fn by_reference(pack: &Loaded, seed: u64) -> Came {
    let generator = RefCell::new(Generator::new(seed));
    let mut plain = Plain::new(pack.pack(), |sides| generator.borrow_mut().die(sides));
    plain.run(pack.tests[0].body);
    let state = plain.things.iter().map(|t| t.state.iter().map(|(f, v)| (f.0, v.clone())).collect());
    Came { state: state.collect(), measured: plain.measured.clone(), rolled: plain.rolled }
}

#[test]
fn random_programs_come_to_the_same() {
    let (programs, games) = if exhaustive() { (2_000, 20) } else { (120, 4) };
    let mut rolled = 0;
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("random"), String::new(), Vec::new());
    for seed in 0..programs {
        let text = programs::source(seed);
        workspace.set_text(project, "random.banner", Some(text.clone()));
        let pack = Loaded::new(built(&workspace, project)).unwrap();
        for game in 0..games {
            let machine = by_machine(&pack, game);
            let seeded = by_seed(&pack, game, machine.as_ref().map_or(0, |m| m.rolled));
            let reference = by_reference(&pack, game);
            rolled += reference.rolled;
            assert_eq!(machine.as_ref(), Ok(&reference), "program {seed}, game {game}:\n{text}");
            assert_eq!(seeded, machine, "program {seed}, game {game}, with its own dice:\n{text}");
        }
    }
    // Programs that never roll or change anything would agree about nothing.
    assert!(rolled > programs, "only {rolled} dice were rolled");
}
