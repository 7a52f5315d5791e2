//! Whole games of the five systems: they end, they can be put away and taken up anywhere, and their dice are fair.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fair;
mod table;

use banneret_runtime::hosts::replay::{Recording, replay};
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::world::Outcome;

use table::{exhaustive, loaded, play, scenarios, start};

/// Games at random over all scenarios end without a fault; of many, everybody wins some.
fn games_end(system: &str) {
    let pack = loaded(system);
    let scenarios = scenarios(&pack);
    let games = if exhaustive() { 200 } else { 20 };
    let mut wins = [0; 2];
    for seed in 0..games {
        let mut machine = start(&pack, scenarios[seed as usize % scenarios.len()]);
        play(&mut machine, &pack, seed, |_, _| {});
        match machine.world.outcome {
            Some(Outcome::Won(winner)) => wins[usize::from(winner != machine.world.players[0])] += 1,
            Some(Outcome::Drawn) => {}
            None => panic!("{system}, seed {seed}: the game is over, and nobody has won or drawn"),
        }
    }
    if exhaustive() {
        assert!(wins.iter().all(|n| *n > 0), "{system}: {wins:?} wins of {games}");
    }
}

/// A game saved at a question, loaded and played on comes to the same end, byte for byte.
fn games_resume(system: &str) {
    let pack = loaded(system);
    let scenario = scenarios(&pack)[0];
    let mut saves = Vec::new();
    let mut machine = start(&pack, scenario);
    let answers = play(&mut machine, &pack, 3, |machine, answers| {
        saves.push((answers.len(), machine.save().unwrap()));
    });
    let end = machine.save().unwrap();
    let end_of = |mut machine: Machine, from: usize| {
        for answer in &answers[from..] {
            assert!(matches!(machine.run(&pack), Step::Asked(_)));
            machine.answer(&pack, answer.clone()).unwrap();
        }
        assert!(matches!(machine.run(&pack), Step::Done(_)));
        machine.save().unwrap()
    };
    // A few questions, spread over the game; the end is near for most of them.
    let every = if exhaustive() { 1 } else { (saves.len() / 8).max(1) };
    for (at, bytes) in saves.iter().rev().step_by(every) {
        let loaded = Machine::load(bytes).unwrap();
        assert_eq!(loaded.save().unwrap(), *bytes, "{system}: the save of question {at} is not what was saved");
        assert!(end_of(loaded, *at) == end, "{system}: resumed at question {at}, the game ends otherwise");
    }
    let mut again = start(&pack, scenario);
    let recording = Recording { answers: answers.clone() };
    assert!(matches!(replay(&mut again, &pack, &recording), Ok(Step::Done(_))));
    assert!(again.save().unwrap() == end, "{system}: replayed, the game ends otherwise");
}

macro_rules! systems {
    ($($name:ident),*) => {$(
        mod $name {
            #[test]
            fn games_end() {
                super::games_end(stringify!($name));
            }

            #[test]
            fn games_resume() {
                super::games_resume(stringify!($name));
            }
        }
    )*};
}

systems!(affinity, flux, focal_point, one_card, worlds_collide);
