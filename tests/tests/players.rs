//! Players without a person play the actual game: the goals of the rule systems can be worked out, and what is played is watched for absurdities.
//! `BANNERET_EXHAUSTIVE=1` plays a hundred games of each system.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_players::agent::Agent;
use banneret_players::passes::Passes;
use banneret_players::random_answer;
use banneret_players::uses::Uses;
use banneret_players::watch::Watch;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::{CardId, KindId, ObjId};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::Answer;
use banneret_runtime::value::Value;
use banneret_runtime::world::{NOBODY, Outcome};
use banneret_tests::files::{below, house};
use table::{SYSTEMS, exhaustive, loaded, scenarios, start};

struct Game {
    answers: Vec<Answer>,
    winner: Option<usize>,
    uses: Uses,
    watch: Watch,
}

fn play(pack: &Loaded, scenario: CardId, seed: u64, agents: [Agent; 2], at_question: impl FnMut(&Machine)) -> Game {
    play_from(start(pack, scenario), pack, seed, agents, at_question)
}

fn play_from(mut machine: Machine, pack: &Loaded, seed: u64, agents: [Agent; 2], mut at_question: impl FnMut(&Machine)) -> Game {
    machine.keep_notes();
    let mut luck = Generator::new(seed);
    let mut minds = [Generator::new(luck.next_u64()), Generator::new(luck.next_u64())];
    let passes = Passes::of(pack);
    let mut game = Game { answers: Vec::new(), winner: None, uses: Uses::default(), watch: Watch::default() };
    loop {
        let step = run_seeded(&mut machine, pack, &mut luck);
        let notes = machine.take_notes();
        game.watch.came(&machine, &notes, pack);
        let question = match step {
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
        game.watch.answering(&machine, &passes, &question, &answer);
        game.uses.answered(pack, &machine.world, &passes, &question, &answer);
        machine.answer(pack, answer.clone()).expect("it was allowed");
        game.answers.push(answer);
        assert!(game.answers.len() < 20_000, "seed {seed}: the game does not end");
    }
    game.watch.close_round();
    if let Some(Outcome::Won(winner)) = machine.world.outcome {
        game.winner = machine.world.players.iter().position(|p| *p == winner);
    }
    game
}

/// Pieces of players with bases that stand on each other. What is of another kind may lie under somebody: a token marks a spot.
fn stacked(machine: &Machine, pack: &Loaded) -> Option<(ObjId, ObjId)> {
    let pieces: Vec<(ObjId, KindId, i64, i64, i64)> = machine
        .world
        .in_play()
        .filter(|(_, o)| o.holder == NOBODY && o.controller != NOBODY)
        .filter_map(|(id, o)| {
            let (place, card) = (o.place?, o.card?);
            let base = pack.kinds[o.kind.index()].base?;
            let (_, Value::Int(base)) = pack.cards[card.index()].values.iter().find(|(f, _)| *f == base)? else { return None };
            Some((id, o.kind, place.x as i64, place.y as i64, *base))
        })
        .collect();
    pieces.iter().enumerate().find_map(|(i, a)| {
        let on = |b: &&(ObjId, KindId, i64, i64, i64)| {
            let (dx, dy, room) = (a.2 - b.2, a.3 - b.3, (a.4 + b.4) / 2 - 20);
            a.1 == b.1 && room > 0 && dx * dx + dy * dy < room * room
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
                let stacked =
                    stacked(machine, &pack).map(|(a, b)| [a, b].map(|id| banneret_runtime::describe::object(&pack, &machine.world, id)));
                assert_eq!(stacked, None, "{system}, seed {seed}: pieces stand on each other");
            });
            uses.add(&game.uses);
        }
        assert!(uses.passes * 2 < uses.decisions, "{system}: {} passes in {} decisions", uses.passes, uses.decisions);
    }
}

/// A game of `tests/hard/`, at its start.
fn hard(name: &str) -> (Loaded, Machine) {
    let files = below(&house().join("tests/hard").join(name), ".banner");
    let files = files.iter().map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap()));
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("example"), String::new(), files.collect());
    let pack = Loaded::new(table::built(&workspace, project)).unwrap();
    let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
    machine.start_game(&pack, None).unwrap();
    (pack, machine)
}

fn watched(watch: &mut Watch, name: &str, seed: u64, game: &Game) {
    watch.add(&game.watch);
    assert_eq!(game.watch.idle, 0, "{name}, seed {seed}: everybody passed a whole round");
}

/// A hundred games of each with `BANNERET_EXHAUSTIVE=1`; else a few, with little thought.
#[test]
fn who_searches_does_nothing_absurd() {
    let (games, agent): (u64, Agent) = if exhaustive() { (100, "search:60".parse().unwrap()) } else { (1, "search:24".parse().unwrap()) };
    for system in SYSTEMS {
        let pack = loaded(system);
        let scenario = scenarios(&pack)[0];
        let mut watch = Watch::default();
        for seed in 0..games {
            let game = play(&pack, scenario, seed, [agent; 2], |machine| {
                let stacked =
                    stacked(machine, &pack).map(|(a, b)| [a, b].map(|id| banneret_runtime::describe::object(&pack, &machine.world, id)));
                assert_eq!(stacked, None, "{system}, seed {seed}: pieces stand on each other");
            });
            watched(&mut watch, system, seed, &game);
        }
        assert!(watch.nowhere * 20 <= watch.moves, "{system}: {} of {} moves go nowhere", watch.nowhere, watch.moves);
    }
    // In the game of counters most questions are whether to answer a spell: who passes there may be right.
    let (pack, machine) = hard("52-game-of-lamps");
    for seed in 0..games {
        watched(&mut Watch::default(), "52-game-of-lamps", seed, &play_from(machine.clone(), &pack, seed, [agent; 2], |_| {}));
    }
}

/// A game on squares and one of cards, whose goals only the rules know: thought beats chance.
#[test]
fn who_searches_beats_chance_in_games_of_others() {
    for name in ["49-game-of-counters", "52-game-of-lamps"] {
        let (pack, machine) = hard(name);
        let mut won = 0;
        for seed in 0..6 {
            let search: Agent = "search:80".parse().unwrap();
            let seat = (seed % 2) as usize;
            let agents = if seat == 0 { [search, Agent::Random] } else { [Agent::Random, search] };
            let game = play_from(machine.clone(), &pack, seed, agents, |_| {});
            won += usize::from(game.winner == Some(seat));
        }
        assert!(won >= 5, "{name}: {won} of 6 games won");
    }
}

/// What is hidden from a player changes nothing in what they do: the same game with other cards in the other hand and deck.
#[test]
fn nobody_looks_into_the_other_hand() {
    let (pack, mut machine) = hard("49-game-of-counters");
    let mut luck = Generator::new(3);
    let Step::Asked(question) = run_seeded(&mut machine, &pack, &mut luck) else { panic!("nobody is asked") };
    let agents: [Agent; 2] = ["search:40".parse().unwrap(), Agent::Greedy];
    for agent in agents {
        let mut answers = Vec::new();
        for seed in 0..5 {
            let mut other = machine.clone();
            other.world.redeal(&pack.hidden, question.who, &mut Generator::new(seed));
            answers.push(agent.answer(&other, &pack, &mut Generator::new(9), &question));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
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
