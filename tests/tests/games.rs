//! Whole games of the five systems: they end, they can be put away and taken up anywhere, and their dice are fair.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fair;
mod table;

use banneret_players::random_answer;
use banneret_runtime::hosts::replay::{Recording, replay};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::{Answer, Ask};
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

/// A game saved at any question, loaded and answered as before comes to the same next question, byte for byte: so it comes to the same end from each of
/// them. From a few it is played to the end.
fn games_resume(system: &str) {
    let pack = loaded(system);
    let scenario = scenarios(&pack)[0];
    let mut saves = Vec::new();
    let mut machine = start(&pack, scenario);
    let answers = play(&mut machine, &pack, 3, |machine, answers| {
        assert_eq!(saves.len(), answers.len());
        saves.push(machine.save(&pack).unwrap());
    });
    saves.push(machine.save(&pack).unwrap());
    assert!(answers.len() > 20, "{system}: a game of {} questions shows little", answers.len());
    let resumed = |at: usize| {
        let machine = Machine::load(&saves[at], &pack).unwrap();
        assert!(machine.save(&pack).unwrap() == saves[at], "{system}: the save of question {at} is not what was saved");
        machine
    };
    for (at, answer) in answers.iter().enumerate() {
        let mut machine = resumed(at);
        assert!(matches!(machine.run(&pack), Step::Asked(_)));
        machine.answer(&pack, answer.clone()).unwrap();
        let over = at + 1 == answers.len();
        assert_eq!(matches!(machine.run(&pack), Step::Done(_)), over, "{system}, question {at}");
        assert!(machine.save(&pack).unwrap() == saves[at + 1], "{system}: resumed at question {at}, the game goes on otherwise");
    }
    for at in (0..answers.len()).step_by(if exhaustive() { 1 } else { answers.len() / 3 }) {
        let mut machine = resumed(at);
        let rest = Recording { answers: answers[at..].to_vec() };
        assert!(matches!(replay(&mut machine, &pack, &rest), Ok(Step::Done(_))));
        assert!(machine.save(&pack).unwrap() == saves[answers.len()], "{system}: resumed at question {at}, the game ends otherwise");
    }
    let mut again = start(&pack, scenario);
    assert!(matches!(replay(&mut again, &pack, &Recording { answers: answers.clone() }), Ok(Step::Done(_))));
    assert!(again.save(&pack).unwrap() == saves[answers.len()], "{system}: replayed, the game ends otherwise");
}

/// It is the same game, question by question and byte by byte, where each event goes through all its stages because somebody wants to be told.
fn games_are_the_same_when_told(system: &str) {
    let pack = loaded(system);
    let scenario = scenarios(&pack)[0];
    let mut told = start(&pack, scenario);
    told.keep_trace();
    same_game(system, (&pack, start(&pack, scenario)), (&pack, told));
}

/// And where options are listed late: what is taken of the candidates is what is listed, and so is what is listed later.
fn games_are_the_same_with_lazy_options(system: &str) {
    let pack = loaded(system);
    let scenario = scenarios(&pack)[0];
    let (mut eager, mut lazy) = (start(&pack, scenario), start(&pack, scenario));
    lazy.set_lazy_options(true);
    let mut dice = [Generator::new(5), Generator::new(5)];
    let mut agent = Generator::new(9);
    let mut late = 0;
    loop {
        let steps = [eager.run_seeded(&pack, &mut dice[0]), lazy.run_seeded(&pack, &mut dice[1])];
        let (Step::Asked(asked), Step::Asked(unlisted)) = (&steps[0], &steps[1]) else {
            assert!(matches!(steps[0], Step::Done(_)) && steps[0] == steps[1], "{system}: {steps:?}");
            assert!(late > 0, "{system}: no choice was listed late");
            return;
        };
        if asked != unlisted {
            late += 1;
            let (Ask::Choice { options, .. }, Ask::Choice { options: candidates, checked: true, .. }) = (&asked.ask, &unlisted.ask) else {
                panic!("{system}: {asked:?} is {unlisted:?}");
            };
            for candidate in candidates.iter().take(12) {
                assert_eq!(lazy.allows(&pack, &Answer::Value(candidate.clone())), options.contains(candidate), "{system}: {candidate:?}");
            }
        }
        let given = (0..200).find_map(|attempt| {
            let answer = random_answer(&lazy, &pack, &mut agent, unlisted, attempt);
            lazy.allows(&pack, &answer).then_some(answer)
        });
        assert_eq!(lazy.listed(&pack), Some(asked), "{system}");
        let given = given.expect("an answer");
        assert!(eager.answer(&pack, given.clone()).is_ok() && lazy.answer(&pack, given).is_ok());
        assert!(eager == lazy, "{system}: the worlds differ");
    }
}

fn same_game(system: &str, (pack, mut plain): (&Loaded, Machine), (as_other, mut other): (&Loaded, Machine)) {
    let mut dice = [Generator::new(5), Generator::new(5)];
    let mut agent = Generator::new(9);
    for question in 0..20_000 {
        let steps = [plain.run_seeded(pack, &mut dice[0]), other.run_seeded(as_other, &mut dice[1])];
        assert!(steps[0] == steps[1] && dice[0] == dice[1], "{system}, question {question}: {steps:?}");
        assert!(plain == other, "{system}: at question {question} the worlds differ");
        let asked = match &steps[0] {
            Step::Asked(asked) => asked,
            Step::Done(_) => return,
            Step::Fault(fault) => panic!("{system}: {fault}"),
        };
        let given = (0..200).find_map(|attempt| {
            let answer = random_answer(&plain, pack, &mut agent, asked, attempt);
            plain.answer(pack, answer.clone()).is_ok().then_some(answer)
        });
        assert!(other.answer(as_other, given.expect("an answer")).is_ok());
    }
    panic!("{system}: the game does not end");
}

macro_rules! systems {
    ($($name:ident),*) => {$(
        mod $name {
            #[test]
            fn games_end() {
                super::games_end(stringify!($name));
            }

            #[test]
            fn games_are_the_same_when_told() {
                super::games_are_the_same_when_told(stringify!($name));
            }


            #[test]
            fn games_are_the_same_with_lazy_options() {
                super::games_are_the_same_with_lazy_options(stringify!($name));
            }

            #[test]
            fn games_resume() {
                super::games_resume(stringify!($name));
            }
        }
    )*};
}

systems!(affinity, flux, focal_point, one_card, worlds_collide);
