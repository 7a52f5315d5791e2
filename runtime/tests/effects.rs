//! Stored effects, parts that work once, whose turn it is, the order of triggers.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::fault::FaultKind;
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::*;
use banneret_runtime::question::{Answer, Ask};
use banneret_runtime::value::Value;
use common::*;

/// A wolf whose part Fury holds an effect (this, part, n) that puts n wounds on `this`.
fn wolf_with_effect(asm: &mut Asm) -> (CardId, CardId, FieldId) {
    let effect = asm.field("effect", FieldRole::Plain, None);
    let ability = asm.kind("Ability", Roles { part: true, ..Roles::default() });
    let wounds = asm.wounds;
    let code = asm.code(
        3,
        vec![Instr::Get { dst: 3, obj: 0, field: wounds }, Instr::Add { dst: 3, a: 3, b: 2 }, Instr::Set { obj: 0, field: wounds, src: 3 }],
    );
    let wolf = asm.unit_card("Wolf", 1);
    let fury = asm.part(wolf, "Fury", ability);
    asm.pack.cards[fury.index()].values = vec![(effect, Value::Code(code, ObjId(0), ObjId(0)))];
    (wolf, fury, effect)
}

fn use_effect(asm: &mut Asm, effect: FieldId) -> Vec<Instr> {
    let name = asm.s("Fury");
    vec![
        Instr::PartNamed { dst: 1, obj: 0, name },
        Instr::Get { dst: 2, obj: 1, field: effect },
        Instr::Int { dst: 3, v: 2 },
        Instr::CallCode { dst: 4, code: 2, start: 3, n: 1 },
    ]
}

#[test]
fn a_stored_effect_knows_its_holder() {
    let mut asm = Asm::new();
    let (wolf, _, effect) = wolf_with_effect(&mut asm);
    let (used, wounds) = (use_effect(&mut asm, effect), asm.wounds);
    let code = all(vec![asm.given(0, wolf, false), used.clone(), used, asm.expect_field("twice", 0, wounds, 4)]);
    asm.passes(code);
}

#[test]
fn a_part_that_works_once_per_turn() {
    let mut asm = Asm::new();
    let (wolf, fury, effect) = wolf_with_effect(&mut asm);
    let turn = asm.action("turn", &[], &[], vec![]);
    asm.pack.cards[fury.index()].once = Some(turn);
    let (used, wounds) = (use_effect(&mut asm, effect), asm.wounds);
    // Each use is an event of its own.
    let body = all(vec![vec![Instr::HeadEnd, Instr::EvGet { dst: 0, field: 0 }], used]);
    let act = asm.action("use", &["u"], &[], body);
    let emit = Instr::Emit { dst: 10, done: 11, action: act, start: 0, n: 1 };
    let (begin, end) = (Instr::ScopeBegin { action: turn, start: 0, n: 0 }, Instr::ScopeEnd { action: turn });
    let name = asm.s("Fury");
    let code = all(vec![
        asm.given(0, wolf, false),
        vec![begin, Instr::PartNamed { dst: 1, obj: 0, name }, Instr::Call1 { dst: 2, fun: Fun::Usable, a: 1 }],
        asm.expect_bool("usable", 2, true),
        vec![emit, Instr::Call1 { dst: 2, fun: Fun::Usable, a: 1 }],
        asm.expect_bool("used up", 2, false),
        vec![emit],
        asm.expect_field("once", 0, wounds, 2),
        vec![end, begin, emit, end],
        asm.expect_field("once more in the next turn", 0, wounds, 4),
    ]);
    asm.passes(code);
}

#[test]
fn you_is_whose_turn_it_is() {
    let mut asm = Asm::new();
    let who = asm.action("who", &[], &[], vec![Instr::HeadEnd, Instr::You { dst: 0 }, Instr::Return { src: 0 }]);
    let by = asm.action("who_by", &["by"], &[], vec![Instr::HeadEnd, Instr::You { dst: 0 }, Instr::Return { src: 0 }]);
    let card = asm.unit_card("Wolf", 1);
    let emit = |action, n| Instr::Emit { dst: 3, done: 4, action, start: 0, n };
    let code = all(vec![
        asm.given(0, card, true),
        vec![Instr::You { dst: 1 }, Instr::Opponent { dst: 2, of: 1 }, emit(who, 0), Instr::Eq { dst: 5, a: 3, b: 1 }],
        asm.expect_bool("inherited", 5, true),
        vec![emit(by, 1), Instr::Eq { dst: 5, a: 3, b: 2 }],
        asm.expect_bool("the controller of `by`", 5, true),
        vec![Instr::SetYou { src: 2 }, emit(who, 0), Instr::Eq { dst: 5, a: 3, b: 2 }, Instr::SetYou { src: 1 }],
        asm.expect_bool("set", 5, true),
        vec![Instr::You { dst: 3 }, Instr::Eq { dst: 5, a: 3, b: 1 }],
        asm.expect_bool("put back", 5, true),
    ]);
    asm.passes(code);
}

#[test]
fn returning_from_the_middle_of_a_phase_closes_it() {
    let mut asm = Asm::new();
    let (turn, wolf, wounds) = (asm.action("turn", &["u"], &[], vec![]), asm.unit_card("Wolf", 1), asm.wounds);
    let at_end = asm.handler(
        When::AtEnd,
        vec![turn],
        None,
        vec![Instr::EvGet { dst: 2, field: 0 }, Instr::Int { dst: 3, v: 5 }, Instr::Set { obj: 2, field: wounds, src: 3 }],
    );
    asm.global(vec![at_end]);
    let act = asm.action(
        "act",
        &["u"],
        &[],
        vec![
            Instr::HeadEnd,
            Instr::EvGet { dst: 0, field: 0 },
            Instr::ScopeBegin { action: turn, start: 0, n: 1 },
            Instr::ScopeGet { dst: 1, action: turn, field: 0 },
            Instr::Return { src: 1 },
        ],
    );
    let code = all(vec![
        asm.given(0, wolf, false),
        vec![Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }, Instr::Eq { dst: 3, a: 0, b: 1 }],
        asm.expect_bool("the result", 3, true),
        asm.expect_field("the phase ended", 0, wounds, 5),
    ]);
    asm.passes(code);
}

#[test]
fn players_may_order_their_own_triggers() {
    let mut asm = Asm::new();
    let wounds = asm.wounds;
    let poke = asm.action("poke", &["u"], &[], vec![]);
    let (wolf, one, two) = (asm.unit_card("Wolf", 1), asm.unit_card("One", 1), asm.unit_card("Two", 1));
    for (card, digit) in [(one, 1), (two, 2)] {
        let rule = asm.handler(
            When::After,
            vec![poke],
            None,
            vec![
                Instr::EvGet { dst: 2, field: 0 },
                Instr::Get { dst: 3, obj: 2, field: wounds },
                Instr::Int { dst: 4, v: 10 },
                Instr::Mul { dst: 3, a: 3, b: 4 },
                Instr::AddInt { dst: 3, a: 3, v: digit },
                Instr::Set { obj: 2, field: wounds, src: 3 },
            ],
        );
        let bundle = asm.bundle(vec![rule]);
        asm.pack.cards[card.index()].bundles = vec![bundle];
    }
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.given(1, one, false),
        asm.given(2, two, false),
        vec![
            Instr::Emit { dst: 3, done: 4, action: poke, start: 0, n: 1 },
            Instr::Get { dst: 5, obj: 0, field: wounds },
            Instr::Return { src: 5 },
        ],
    ]);
    let frag = asm.code(0, code);
    let pack = asm.load();
    for (ask_order, result) in [(false, 12), (true, 21)] {
        let mut machine = Machine::new(&pack, 2, Limits { ask_order, ..Limits::default() }).unwrap();
        machine.start_fragment(&pack, frag, &[]).unwrap();
        let mut step = machine.run(&pack);
        if ask_order {
            let Step::Asked(question) = &step else { panic!("{step:?}") };
            assert!(matches!(&question.ask, Ask::Order { triggers } if triggers.len() == 2));
            assert!(machine.answer(&pack, Answer::Picks(vec![1])).is_err());
            machine.answer(&pack, Answer::Picks(vec![1, 0])).unwrap();
            step = machine.run(&pack);
        }
        assert_eq!(step, Step::Done(Value::Int(result)));
    }
}

#[test]
fn what_is_not_written_yet_faults_with_its_words() {
    let mut asm = Asm::new();
    let words = asm.s("the storm");
    let failure = failure(asm.run(vec![Instr::Todo { words }]));
    assert_eq!((failure.kind, &failure.words[..]), (FaultKind::NotWritten, "not written yet: the storm"));
}

#[test]
fn options_are_as_the_test_wants_them() {
    let mut asm = Asm::new();
    let name = asm.s("touch");
    asm.pack.options.push(GameOption { name, value: Value::Int(1) });
    let code = |asm: &mut Asm, v| all(vec![vec![Instr::Option { dst: 0, option: OptId(0) }], asm.expect("option", 0, v)]);
    let (plain, set) = (code(&mut asm, 1), code(&mut asm, 5));
    let (plain, set) = (asm.test(plain), asm.test(set));
    asm.pack.tests[set].with = vec![(OptId(0), Value::Int(5))];
    let pack = asm.load();
    for test in [plain, set] {
        assert!(banneret_runtime::testing::run_test(&pack, &pack.tests[test], no_odds).passed());
    }
}

#[test]
fn a_failed_expectation_tells_both_sides_and_what_happened() {
    let mut asm = Asm::new();
    let (deal, wolf, wounds) = (asm.deal(), asm.unit_card("Wolf", 1), asm.wounds);
    let code = all(vec![
        vec![asm.ints(5, &[4]), Instr::ScriptDice { src: 5 }, asm.dice(6, 1, 6, 0), Instr::Roll { dst: 1, dice: 6 }],
        asm.given(0, wolf, false),
        vec![Instr::Emit { dst: 2, done: 3, action: deal, start: 0, n: 2 }],
        asm.expect_field("s.wounds == 3", 0, wounds, 3),
    ]);
    let failure = failure(asm.run(code));
    assert_eq!(failure.kind, FaultKind::Expectation);
    assert_eq!((&failure.actual[..], &failure.expected[..]), ("4", "3"));
    assert_eq!(failure.words, "not as expected: s.wounds == 3");
    assert_eq!((failure.dice, failure.trace), (vec![4], vec!["deal Wolf, 4".to_owned()]));
}
