//! Worlds as data: copies, saves, piles, seeds, recordings, agents.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use banneret_players::{Foresight, greedy_answer, play_at_random};
use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::hosts::replay::{Recording, replay};
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::*;
use banneret_runtime::question::Answer;
use banneret_runtime::value::Value;
use common::*;

fn hash(machine: &Machine) -> u64 {
    let mut hasher = DefaultHasher::new();
    machine.hash(&mut hasher);
    hasher.finish()
}

/// Rolls three dice one after the other and returns their sum.
fn three_rolls(asm: &mut Asm) -> Vec<Instr> {
    let mut code = vec![asm.dice(0, 1, 6, 0), Instr::Int { dst: 1, v: 0 }];
    for _ in 0..3 {
        code.extend([Instr::Roll { dst: 2, dice: 0 }, Instr::Add { dst: 1, a: 1, b: 2 }]);
    }
    code.push(Instr::Return { src: 1 });
    code
}

#[test]
fn copies_are_equal_until_they_are_answered_differently() {
    let mut asm = Asm::new();
    let code = three_rolls(&mut asm);
    let (pack, mut machine, _) = asm.started(code);
    let mut other = machine.clone();
    assert_eq!((&machine, hash(&machine)), (&other, hash(&other)));
    machine.answer(&pack, Answer::Faces(vec![2])).unwrap();
    other.answer(&pack, Answer::Faces(vec![5])).unwrap();
    assert_ne!(machine, other);
    machine.run(&pack);
    other.run(&pack);
    assert_ne!(machine, other);
    machine.answer(&pack, Answer::Faces(vec![5])).unwrap();
    other.answer(&pack, Answer::Faces(vec![2])).unwrap();
    machine.run(&pack);
    other.run(&pack);
    // The sums are the same; the last face is still in a register.
    machine.answer(&pack, Answer::Faces(vec![1])).unwrap();
    other.answer(&pack, Answer::Faces(vec![1])).unwrap();
    assert_eq!((machine.run(&pack), other.run(&pack)), (Step::Done(Value::Int(8)), Step::Done(Value::Int(8))));
    assert_eq!(machine, other);
}

#[test]
fn a_save_is_the_machine() {
    let mut asm = Asm::new();
    let code = three_rolls(&mut asm);
    let (pack, mut machine, _) = asm.started(code);
    machine.answer(&pack, Answer::Faces(vec![2])).unwrap();
    machine.run(&pack);
    let mut back = Machine::load(&machine.save(&pack).unwrap(), &pack).unwrap();
    assert_eq!(back, machine);
    back.answer(&pack, Answer::Faces(vec![3])).unwrap();
    back.run(&pack);
    back.answer(&pack, Answer::Faces(vec![4])).unwrap();
    assert_eq!(back.run(&pack), Step::Done(Value::Int(9)));
    assert!(Machine::load(&[1, 2, 3], &pack).is_err());
}

#[test]
fn a_recording_plays_again() {
    let mut asm = Asm::new();
    let code = three_rolls(&mut asm);
    let (pack, start, _) = asm.started(code);
    let mut machine = start.clone();
    let (mut recording, mut generator) = (Recording::default(), Generator::new(7));
    let result = loop {
        match machine.run(&pack) {
            Step::Asked(question) => {
                let answer = generator.answer(&question).unwrap();
                recording.answer(&mut machine, &pack, answer).unwrap();
            }
            other => break other,
        }
    };
    assert_eq!(recording.answers.len(), 3);
    assert_eq!(replay(&mut start.clone(), &pack, &recording), Ok(result));
    recording.answers.push(Answer::Yes(true));
    assert_eq!(replay(&mut start.clone(), &pack, &recording).unwrap_err().at, 3);
}

#[test]
fn seeds_give_the_same_dice_everywhere_and_fair_ones() {
    // The published sequence of SplitMix64 for this seed.
    let mut generator = Generator::new(1_234_567);
    let published = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(published.map(|_| generator.next_u64()), published);
    let mut counts = [0u32; 6];
    for _ in 0..60_000 {
        counts[generator.die(6) as usize - 1] += 1;
    }
    // Five standard deviations are 456.
    assert!(counts.iter().all(|c| c.abs_diff(10_000) < 456), "{counts:?}");
}

#[test]
fn seeded_games_run_to_their_end() {
    let mut asm = Asm::new();
    let code = three_rolls(&mut asm);
    let (pack, machine, _) = asm.started(code);
    let mut sums = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let Step::Done(Value::Int(sum)) = run_seeded(&mut machine.clone(), &pack, &mut Generator::new(seed)) else { panic!() };
        assert!((3..=18).contains(&sum));
        sums.insert(sum);
    }
    assert!(sums.len() > 6);
}

/// Each die counts as an answer, so that the steps never run out.
#[test]
fn rolling_for_ever_ends_with_a_fault() {
    for count in [1, 20_000] {
        let mut asm = Asm::new();
        let code = vec![asm.dice(0, count, 6, 0), Instr::Roll { dst: 1, dice: 0 }, Instr::Jump { to: 0 }];
        let (pack, machine, _) = asm.started(code);
        let Step::Fault(fault) = run_seeded(&mut machine.clone(), &pack, &mut Generator::new(1)) else { panic!() };
        assert_eq!(fault.words, "100000000 dice without coming to a question: a loop here may never end");
    }
}

/// A game: in turn, take 1 to 3 from a heap of ten; who takes the last wins.
fn heap() -> (Loaded, Machine) {
    let mut asm = Asm::new();
    let game = asm.kind("Table", Roles { game: true, ..Roles::default() });
    let ten = asm.number(1, 10);
    let heap = asm.field("heap", FieldRole::State, Some(ten));
    asm.pack.kinds[game.index()].fields = vec![heap];
    let labels = ["one", "two", "three"].map(|l| asm.s(l)).to_vec();
    asm.pack.menus.push(Menu { labels, lines: vec![], none: 0, site: SiteId(0) });
    let mut code = vec![Instr::HeadEnd, Instr::Game { dst: 0, kind: game }, Instr::You { dst: 1 }];
    let top = code.len() as u32;
    code.extend([Instr::Get { dst: 2, obj: 0, field: heap }, Instr::Menu { menu: MenuId(0), who: 1 }]);
    let mut ends = vec![];
    for n in 1..=3 {
        let here = code.len() as u32;
        asm.pack.menus[0].lines.push(here);
        code.extend([
            Instr::Int { dst: 3, v: n },
            Instr::Le { dst: 4, a: 3, b: 2 },
            Instr::Need { cond: 4 },
            Instr::Mark,
            Instr::Sub { dst: 2, a: 2, b: 3 },
        ]);
        ends.push(code.len());
        code.push(Instr::Jump { to: 0 });
    }
    let after = code.len() as u32;
    ends.iter().for_each(|e| code[*e] = Instr::Jump { to: after });
    asm.pack.menus[0].none = after + 7;
    code.extend([
        Instr::Set { obj: 0, field: heap, src: 2 },
        Instr::Int { dst: 3, v: 0 },
        Instr::Eq { dst: 4, a: 2, b: 3 },
        Instr::JumpIf { cond: 4, to: after + 6 },
        Instr::Opponent { dst: 1, of: 1 },
        Instr::Jump { to: top },
        Instr::Call1 { dst: 5, fun: Fun::Win, a: 1 },
    ]);
    let play = asm.action("play", &[], &[], code);
    asm.pack.start = Some(play);
    let pack = asm.load();
    let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
    machine.start_game(&pack, None).unwrap();
    (pack, machine)
}

#[test]
fn random_players_finish_a_game() {
    let (pack, machine) = heap();
    for seed in 0..20 {
        let mut machine = machine.clone();
        let step = play_at_random(&mut machine, &pack, &mut Generator::new(seed), 100);
        assert!(matches!(step, Step::Done(_)), "{step:?}");
        assert!(machine.world.outcome.is_some());
    }
}

#[test]
fn a_greedy_player_takes_the_win_that_is_there() {
    let (pack, mut machine) = heap();
    let heap = FieldId(2);
    machine.run(&pack);
    // Take three, three, one: three are left.
    for pick in [2, 2, 0] {
        machine.answer(&pack, Answer::Picks(vec![pick])).unwrap();
        machine.run(&pack);
    }
    let table = machine.world.games[0];
    assert_eq!(machine.world.get(table).unwrap().state(heap), Some(&Value::Int(3)));
    let question = machine.question().unwrap().clone();
    let answer = greedy_answer(&machine, &pack, &mut Generator::new(1), &question, Foresight::default());
    assert_eq!(answer, Answer::Picks(vec![2]));
}

#[test]
fn cards_move_between_piles_and_play() {
    let mut asm = Asm::new();
    let hand = asm.field("hand", FieldRole::Pile, None);
    let wolf = asm.unit_card("Wolf", 3);
    let (wounds, unit) = (asm.wounds, asm.unit);
    let code = all(vec![
        asm.given(0, wolf, false),
        vec![Instr::Int { dst: 5, v: 2 }, Instr::Set { obj: 0, field: wounds, src: 5 }],
        vec![
            Instr::You { dst: 2 },
            Instr::Get { dst: 1, obj: 2, field: hand },
            Instr::CallN { dst: 3, fun: Fun::Relocate, start: 0, n: 2 },
        ],
        vec![Instr::Call1 { dst: 4, fun: Fun::InPlay, a: 0 }],
        asm.expect_bool("not in play", 4, false),
        asm.expect_field("healed", 0, wounds, 0),
        vec![Instr::Len { dst: 4, list: 1 }],
        asm.expect("in hand", 4, 1),
        vec![Instr::Call1 { dst: 4, fun: Fun::PileOf, a: 0 }, Instr::Eq { dst: 4, a: 4, b: 1 }],
        asm.expect_bool("pile of", 4, true),
        vec![asm.konst(1, Value::InPlay), Instr::CallN { dst: 3, fun: Fun::Relocate, start: 0, n: 2 }],
        vec![Instr::AllOf { dst: 4, kind: unit }, Instr::Len { dst: 4, list: 4 }],
        asm.expect("back", 4, 1),
        vec![
            Instr::Get { dst: 1, obj: 2, field: hand },
            Instr::Top { dst: 4, pile: 1 },
            Instr::None { dst: 5 },
            Instr::Eq { dst: 4, a: 4, b: 5 },
        ],
        asm.expect_bool("the hand is empty", 4, true),
    ]);
    asm.passes(code);
}

#[test]
fn control_changes_and_cards_become_others() {
    let mut asm = Asm::new();
    let (wolf, bear) = (asm.unit_card("Wolf", 3), asm.unit_card("Bear", 8));
    let ability = asm.kind("Ability", Roles { part: true, ..Roles::default() });
    asm.part(bear, "Roar", ability);
    let (wounds, power) = (asm.wounds, asm.power);
    let code = all(vec![
        asm.given(0, wolf, true),
        vec![Instr::You { dst: 1 }, Instr::CallN { dst: 3, fun: Fun::TakeControl, start: 0, n: 2 }],
        vec![Instr::Call1 { dst: 3, fun: Fun::Controller, a: 0 }, Instr::Eq { dst: 3, a: 3, b: 1 }],
        asm.expect_bool("taken", 3, true),
        vec![Instr::Int { dst: 5, v: 2 }, Instr::Set { obj: 0, field: wounds, src: 5 }],
        vec![asm.konst(1, Value::Card(bear)), Instr::Bool { dst: 2, v: true }, Instr::CallN { dst: 3, fun: Fun::Become, start: 0, n: 3 }],
        asm.expect_field("a bear", 0, power, 8),
        asm.expect_field("still wounded", 0, wounds, 2),
        vec![Instr::Parts { dst: 4, obj: 0, kind: ability }, Instr::Len { dst: 4, list: 4 }],
        asm.expect("with its part", 4, 1),
        vec![Instr::Bool { dst: 2, v: false }, Instr::CallN { dst: 3, fun: Fun::Become, start: 0, n: 3 }],
        asm.expect_field("afresh", 0, wounds, 0),
    ]);
    asm.passes(code);
}
