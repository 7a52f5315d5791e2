//! Players without a person play the actual game: the goals of the rule systems can be worked out, and what is played is watched for absurdities.
//! `BANNERET_EXHAUSTIVE=1` plays a hundred games of each system.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use banneret_players::agent::Agent;
use banneret_players::passes::Passes;
use banneret_players::random_answer;
use banneret_players::uses::Uses;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::{CardId, ObjId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::Answer;
use banneret_runtime::value::Value;
use banneret_runtime::world::{NOBODY, Outcome};
use table::{SYSTEMS, exhaustive, loaded, scenarios, start};

struct Game {
    answers: Vec<Answer>,
    winner: Option<usize>,
    uses: Uses,
}

fn play(pack: &Loaded, scenario: CardId, seed: u64, agents: [Agent; 2], mut at_question: impl FnMut(&Machine)) -> Game {
    let mut machine = start(pack, scenario);
    let mut luck = Generator::new(seed);
    let mut minds = [Generator::new(luck.next_u64()), Generator::new(luck.next_u64())];
    let passes = Passes::of(pack);
    let mut game = Game { answers: Vec::new(), winner: None, uses: Uses::default() };
    loop {
        let question = match run_seeded(&mut machine, pack, &mut luck) {
            Step::Asked(question) => question,
            Step::Done(_) => break,
            Step::Fault(fault) => panic!("seed {seed}: {fault}"),
        };
        at_question(&machine);
        let seat = machine.world.players.iter().position(|p| *p == question.who).unwrap_or(0);
        let mind = &mut minds[seat];
        let answer = (0..200)
            .map(|attempt| match attempt {
                0 => agents[seat].answer(&machine, pack, mind, &question),
                _ => random_answer(&machine, pack, mind, &question, attempt),
            })
            .find(|answer| machine.clone().answer(pack, answer.clone()).is_ok())
            .expect("an answer");
        game.uses.answered(pack, &machine.world, &passes, &question, &answer);
        machine.answer(pack, answer.clone()).expect("it was allowed");
        game.answers.push(answer);
        assert!(game.answers.len() < 20_000, "seed {seed}: the game does not end");
    }
    if let Some(Outcome::Won(winner)) = machine.world.outcome {
        game.winner = machine.world.players.iter().position(|p| *p == winner);
    }
    game
}

/// Pieces of players with bases that stand on each other.
fn stacked(machine: &Machine, pack: &Loaded) -> Option<(ObjId, ObjId)> {
    let pieces: Vec<(ObjId, i64, i64, i64)> = machine
        .world
        .in_play()
        .filter(|(_, o)| o.holder == NOBODY && o.controller != NOBODY)
        .filter_map(|(id, o)| {
            let (place, card) = (o.place?, o.card?);
            let base = pack.kinds[o.kind.index()].base?;
            let (_, Value::Int(base)) = pack.cards[card.index()].values.iter().find(|(f, _)| *f == base)? else { return None };
            Some((id, place.x as i64, place.y as i64, *base))
        })
        .collect();
    pieces.iter().enumerate().find_map(|(i, a)| {
        let on = |b: &&(ObjId, i64, i64, i64)| {
            let (dx, dy, room) = (a.1 - b.1, a.2 - b.2, (a.3 + b.3) / 2 - 20);
            room > 0 && dx * dx + dy * dy < room * room
        };
        pieces[i + 1..].iter().find(on).map(|b| (a.0, b.0))
    })
}

#[test]
fn every_system_says_what_its_players_want() {
    for system in SYSTEMS {
        let pack = loaded(system);
        assert!(!pack.goals.is_empty(), "{system} has no goal");
        let scenario = scenarios(&pack)[0];
        let mut known = 0;
        let mut others = 0;
        play(&pack, scenario, 1, [Agent::Random; 2], |machine| {
            for player in machine.world.players.iter() {
                match machine.standing(&pack, *player) {
                    Some(_) => known += 1,
                    None => others += 1,
                }
            }
        });
        assert!(known > 0 && others == 0, "{system}: the goal was worked out {known} times, and {others} times it could not be");
    }
}

#[test]
fn greedy_players_play_the_game() {
    let games = if exhaustive() { 100 } else { 1 };
    for system in SYSTEMS {
        let pack = loaded(system);
        let scenario = scenarios(&pack)[0];
        let mut uses = Uses::default();
        for seed in 0..games {
            let game = play(&pack, scenario, seed, [Agent::Greedy; 2], |machine| {
                assert_eq!(stacked(machine, &pack), None, "{system}, seed {seed}: pieces stand on each other");
            });
            uses.add(&game.uses);
        }
        assert!(uses.passes * 2 < uses.decisions, "{system}: {} passes in {} decisions", uses.passes, uses.decisions);
    }
}

#[test]
fn the_same_seed_is_the_same_search() {
    let pack = loaded("flux");
    let scenario = scenarios(&pack)[0];
    let agents: [Agent; 2] = ["search:15".parse().unwrap(), Agent::Greedy];
    let games = [0, 0, 1].map(|seed| play(&pack, scenario, seed, agents, |_| {}));
    assert_eq!(games[0].answers, games[1].answers);
    assert_ne!(games[0].answers, games[2].answers);
    assert!(games[0].winner.is_some());
}
