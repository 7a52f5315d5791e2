//! Choices, menus, heads, payment: what is offered and what is not.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::fault::FaultKind;
use banneret_runtime::ids::*;
use banneret_runtime::machine::Step;
use banneret_runtime::pack::*;
use banneret_runtime::question::{Answer, Ask};
use banneret_runtime::value::Value;
use common::*;

fn choose(asm: &mut Asm, name: &str, mode: ChooseMode, such_that: Option<FragId>, in_head: bool) -> ChooseId {
    let name = asm.s(name);
    asm.pack.chooses.push(Choose {
        name,
        mode,
        such_that,
        keep: None,
        any_place: None,
        each_once: None,
        in_head,
        secret: false,
        site: SiteId(0),
    });
    ChooseId(asm.pack.chooses.len() as u32 - 1)
}

fn ask(spec: ChooseId) -> Instr {
    // set in 0, count in 1, who in 2, result in 3
    Instr::Choose { dst: 3, spec, set: 0, count: 1, who: 2, caps: 0, n: 0 }
}

fn prepared(asm: &mut Asm, options: &[i64], count: i32) -> Vec<Instr> {
    vec![asm.ints(0, options), Instr::Int { dst: 1, v: count }, Instr::None { dst: 2 }]
}

#[test]
fn a_choice_is_asked_with_its_options_and_answered_by_number() {
    let mut asm = Asm::new();
    let spec = choose(&mut asm, "x", ChooseMode::One, None, false);
    let code = all(vec![prepared(&mut asm, &[4, 5, 6], 0), vec![ask(spec), Instr::Return { src: 3 }]]);
    let (pack, mut machine, step) = asm.started(code);
    let Step::Asked(question) = step else { panic!("{step:?}") };
    assert_eq!(question.name, "x");
    assert_eq!(question.who, machine.world.players[0]);
    let Ask::Choice { options, min: 1, max: 1, .. } = question.ask else { panic!() };
    assert_eq!(options[..], [4, 5, 6].map(Value::Int));
    assert!(machine.answer(&pack, Answer::Picks(vec![3])).is_err());
    assert!(machine.answer(&pack, Answer::Picks(vec![0, 1])).is_err());
    assert!(machine.answer(&pack, Answer::Yes(true)).is_err());
    machine.answer(&pack, Answer::Picks(vec![2])).unwrap();
    assert_eq!(machine.run(&pack), Step::Done(Value::Int(6)));
}

#[test]
fn what_is_forced_is_not_asked() {
    let mut asm = Asm::new();
    let one = choose(&mut asm, "one", ChooseMode::One, None, false);
    let two = choose(&mut asm, "two", ChooseMode::Exactly, None, false);
    let any = choose(&mut asm, "any", ChooseMode::Any, None, false);
    let code = all(vec![
        prepared(&mut asm, &[7], 2),
        vec![ask(one)],
        asm.expect("the only one", 3, 7),
        prepared(&mut asm, &[1, 2], 2),
        vec![ask(two), Instr::Len { dst: 4, list: 3 }],
        asm.expect("both", 4, 2),
        prepared(&mut asm, &[], 2),
        vec![ask(any), Instr::Len { dst: 4, list: 3 }],
        asm.expect("none of none", 4, 0),
        vec![ask(one), Instr::None { dst: 5 }, Instr::Eq { dst: 4, a: 3, b: 5 }],
        asm.expect_bool("nothing to choose in a body", 4, true),
    ]);
    asm.passes(code);
}

/// choose any xs such that sum(xs) >= 5
#[test]
fn such_that_holds_for_what_is_chosen_together() {
    let mut asm = Asm::new();
    let enough = asm.term(
        1,
        vec![
            Instr::Call1 { dst: 1, fun: Fun::Total, a: 0 },
            Instr::Int { dst: 2, v: 5 },
            Instr::Le { dst: 1, a: 2, b: 1 },
            Instr::Return { src: 1 },
        ],
    );
    let spec = choose(&mut asm, "xs", ChooseMode::Any, Some(enough), false);
    let code = all(vec![prepared(&mut asm, &[1, 2, 3], 0), vec![ask(spec), Instr::Return { src: 3 }]]);
    let (pack, mut machine, _) = asm.started(code);
    assert!(machine.answer(&pack, Answer::Picks(vec![0, 1])).is_err());
    machine.answer(&pack, Answer::Picks(vec![1, 2])).unwrap();
    assert_eq!(machine.run(&pack), Step::Done(Value::List([2, 3].map(Value::Int).into())));
}

/// A head: choose x from [1, 2, 3], need x >= 2, and later y from [x - 2 …]: options that cannot be completed are not offered.
fn picky(asm: &mut Asm) -> ActionId {
    let spec = choose(asm, "x", ChooseMode::One, None, true);
    let options = asm.ints(0, &[1, 2, 3, 4]);
    asm.action(
        "picky",
        &["least"],
        &["x"],
        vec![
            options,
            Instr::None { dst: 1 },
            Instr::None { dst: 2 },
            ask(spec),
            Instr::EvSet { field: 1, src: 3 },
            Instr::HeadStep,
            Instr::EvGet { dst: 4, field: 0 },
            Instr::Le { dst: 4, a: 4, b: 3 },
            Instr::Need { cond: 4 },
            Instr::HeadEnd,
            Instr::EvGet { dst: 5, field: 1 },
            Instr::Return { src: 5 },
        ],
    )
}

#[test]
fn heads_offer_only_what_lets_them_be_completed() {
    let mut asm = Asm::new();
    let act = picky(&mut asm);
    let code = vec![Instr::Int { dst: 0, v: 3 }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }, Instr::Return { src: 1 }];
    let (pack, mut machine, step) = asm.started(code);
    let Step::Asked(question) = step else { panic!("{step:?}") };
    let Ask::Choice { options, .. } = question.ask else { panic!() };
    assert_eq!(options[..], [3, 4].map(Value::Int));
    machine.answer(&pack, Answer::Picks(vec![1])).unwrap();
    assert_eq!(machine.run(&pack), Step::Done(Value::Int(4)));
}

#[test]
fn a_head_that_cannot_be_completed_is_illegal_and_nothing_happened() {
    let mut asm = Asm::new();
    let act = picky(&mut asm);
    let code = all(vec![
        vec![Instr::Int { dst: 0, v: 9 }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }],
        asm.expect_bool("illegal", 2, false),
        vec![Instr::Int { dst: 0, v: 4 }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }],
        asm.expect("the only way is not asked", 1, 4),
        vec![Instr::Int { dst: 0, v: 5 }, Instr::Bool { dst: 3, v: true }],
    ]);
    asm.passes(code);
}

fn with_money(asm: &mut Asm) -> FieldId {
    let three = asm.number(1, 3);
    let money = asm.field("AP", FieldRole::Resource, Some(three));
    let player = asm.player;
    asm.pack.kinds[player.index()].fields.push(money);
    money
}

#[test]
fn payments_of_an_illegal_head_are_given_back() {
    let mut asm = Asm::new();
    let money = with_money(&mut asm);
    let cost = asm.konst(1, Value::Cost([(money, 2)].into()));
    let act = asm.action(
        "act",
        &["ok"],
        &[],
        vec![
            Instr::You { dst: 0 },
            cost,
            Instr::Pay { who: 0, cost: 1 },
            Instr::EvGet { dst: 2, field: 0 },
            Instr::Need { cond: 2 },
            Instr::HeadEnd,
        ],
    );
    let emit =
        |ok| vec![Instr::Bool { dst: 0, v: ok }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }, Instr::You { dst: 3 }];
    let code = all(vec![
        emit(false),
        asm.expect_bool("illegal", 2, false),
        asm.expect_field("given back", 3, money, 3),
        emit(true),
        asm.expect_bool("legal", 2, true),
        asm.expect_field("paid", 3, money, 1),
        emit(true),
        asm.expect_bool("cannot be paid", 2, false),
        asm.expect_field("kept", 3, money, 1),
    ]);
    asm.passes(code);
}

#[test]
fn probes_tell_what_is_legal_without_doing_it() {
    let mut asm = Asm::new();
    let act = picky(&mut asm);
    let code = all(vec![
        vec![Instr::Int { dst: 0, v: 9 }, Instr::Probe { dst: 5, end: 3 }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 }],
        asm.expect_bool("illegal", 5, false),
    ]);
    let n = code.len() as u32;
    let code = all(vec![
        code,
        vec![
            Instr::Int { dst: 0, v: 2 },
            Instr::Probe { dst: 5, end: n + 3 },
            Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 1 },
        ],
        asm.expect_bool("legal", 5, true),
    ]);
    asm.passes(code);
}

#[test]
fn a_head_that_carries_out_an_effect_is_tried_without_doing_it() {
    let mut asm = Asm::new();
    let money = with_money(&mut asm);
    // takes all the money
    let effect = asm.code(2, vec![Instr::You { dst: 2 }, Instr::Int { dst: 3, v: 0 }, Instr::Set { obj: 2, field: money, src: 3 }]);
    let stored = asm.konst(0, Value::Code(effect, ObjId(0), ObjId(0)));
    let act = asm.action(
        "act",
        &[],
        &[],
        vec![
            stored,
            Instr::CallCode { dst: 1, code: 0, start: 0, n: 0 },
            Instr::You { dst: 2 },
            Instr::Get { dst: 3, obj: 2, field: money },
            Instr::Int { dst: 4, v: 0 },
            Instr::Eq { dst: 5, a: 3, b: 4 },
            Instr::Need { cond: 5 },
            Instr::HeadEnd,
        ],
    );
    let code = all(vec![
        vec![Instr::Probe { dst: 5, end: 2 }, Instr::Emit { dst: 1, done: 2, action: act, start: 0, n: 0 }, Instr::You { dst: 3 }],
        // what it needs is so only once the effect was carried out
        asm.expect_bool("legal", 5, true),
        asm.expect_field("nothing was taken", 3, money, 3),
    ]);
    asm.passes(code);
}

/// menu { "a" { need false }  "b" { 2 }  "c" { need true; 3 } }
fn menu_code(asm: &mut Asm, legal: [bool; 3]) -> Vec<Instr> {
    let labels = ["a", "b", "c"].map(|l| asm.s(l)).to_vec();
    let line = |i: i32, legal| {
        vec![Instr::Bool { dst: 1, v: legal }, Instr::Need { cond: 1 }, Instr::Mark, Instr::Int { dst: 2, v: i }, Instr::Return { src: 2 }]
    };
    asm.pack.menus.push(Menu { labels, lines: vec![2, 7, 12], none: 17, site: SiteId(0) });
    let menu = MenuId(asm.pack.menus.len() as u32 - 1);
    all(vec![
        vec![Instr::None { dst: 0 }, Instr::Menu { menu, who: 0 }],
        line(1, legal[0]),
        line(2, legal[1]),
        line(3, legal[2]),
        vec![Instr::Int { dst: 2, v: -1 }, Instr::Return { src: 2 }],
    ])
}

#[test]
fn menus_offer_what_is_legal() {
    let mut asm = Asm::new();
    let code = menu_code(&mut asm, [false, true, true]);
    let (pack, mut machine, step) = asm.started(code);
    let Step::Asked(question) = step else { panic!("{step:?}") };
    assert_eq!(question.ask, Ask::Menu { labels: vec!["b".to_owned(), "c".to_owned()] });
    machine.answer(&pack, Answer::Picks(vec![1])).unwrap();
    assert_eq!(machine.run(&pack), Step::Done(Value::Int(3)));
}

#[test]
fn a_menu_with_one_legal_line_or_none_asks_nobody() {
    for (legal, result) in [([true, false, false], 1), ([false; 3], -1)] {
        let mut asm = Asm::new();
        let code = menu_code(&mut asm, legal);
        let (_, _, step) = asm.started(code);
        assert_eq!(step, Step::Done(Value::Int(result)));
    }
}

#[test]
fn may_is_offered_if_its_head_is_legal() {
    for (legal, yes, result) in [(true, true, 1), (true, false, 0), (false, true, 0)] {
        let mut asm = Asm::new();
        let label = asm.s("push on");
        asm.pack.menus.push(Menu { labels: vec![label], lines: vec![2], none: 6, site: SiteId(0) });
        let answer = asm.konst(3, Value::Bool(yes));
        let mut code =
            vec![Instr::None { dst: 0 }, Instr::Int { dst: 4, v: 0 }, answer, Instr::ScriptAnswer { label: Some(label), src: 3 }];
        let no = code.len() as u32 + 5;
        code.extend([
            Instr::May { spec: MenuId(0), who: 0, no },
            Instr::Bool { dst: 1, v: legal },
            Instr::Need { cond: 1 },
            Instr::Mark,
            Instr::Int { dst: 4, v: 1 },
        ]);
        code.extend(asm.expect("result", 4, result));
        let outcome = asm.run(code);
        if legal {
            assert!(outcome.passed(), "{outcome:?}");
        } else {
            let failure = failure(outcome);
            assert!(failure.words.contains("answers were not used: push on: true"), "{}", failure.words);
        }
    }
}

#[test]
fn each_once_offers_nothing_twice_in_a_scope() {
    let mut asm = Asm::new();
    let round = asm.action("round", &[], &[], vec![]);
    let spec = choose(&mut asm, "x", ChooseMode::One, None, false);
    asm.pack.chooses[spec.index()].each_once = Some(round);
    let code = all(vec![
        vec![Instr::ScopeBegin { action: round, start: 0, n: 0 }],
        prepared(&mut asm, &[1, 2], 0),
        vec![ask(spec), Instr::Move { dst: 5, src: 3 }, ask(spec), Instr::Move { dst: 6, src: 3 }, ask(spec)],
        vec![Instr::ScopeEnd { action: round }, Instr::MakeList { dst: 8, start: 5, n: 2 }, Instr::Return { src: 8 }],
    ]);
    let (pack, mut machine, _) = asm.started(code);
    machine.answer(&pack, Answer::Picks(vec![1])).unwrap();
    // The second is forced, the third has nothing left.
    assert_eq!(machine.run(&pack), Step::Done(Value::List([2, 1].map(Value::Int).into())));
}

#[test]
fn cannot_choose_shields_from_the_opponent_only() {
    let mut asm = Asm::new();
    let (plain, ghost) = (asm.unit_card("Plain", 1), asm.unit_card("Ghost", 1));
    let guard = asm.term(
        4,
        vec![
            Instr::Eq { dst: 4, a: 0, b: 2 },
            Instr::Call1 { dst: 5, fun: Fun::Controller, a: 0 },
            Instr::Eq { dst: 5, a: 5, b: 3 },
            Instr::JumpIf { cond: 5, to: 5 },
            Instr::Return { src: 4 },
            Instr::Bool { dst: 4, v: false },
            Instr::Return { src: 4 },
        ],
    );
    let bundle = asm.bundle(vec![Rule::Cannot { actions: vec![], choose: true, must: false, guard: Some(guard), site: SiteId(0) }]);
    asm.pack.cards[ghost.index()].bundles = vec![bundle];
    let spec = choose(&mut asm, "x", ChooseMode::Any, None, false);
    let unit = asm.unit;
    let code = all(vec![
        asm.given(10, plain, true),
        asm.given(11, ghost, true),
        vec![Instr::AllOf { dst: 0, kind: unit }, Instr::None { dst: 1 }, Instr::None { dst: 2 }, ask(spec)],
        vec![Instr::Opponent { dst: 2, of: 2 }, ask(spec)],
    ]);
    let (pack, mut machine, step) = asm.started(code);
    let Step::Asked(question) = step else { panic!("{step:?}") };
    assert_eq!(question.describe(&pack, &machine.world), "the choice `x`: 0 to 1 of Plain");
    machine.answer(&pack, Answer::Picks(vec![])).unwrap();
    let Step::Asked(question) = machine.run(&pack) else { panic!() };
    assert_eq!(question.describe(&pack, &machine.world), "the choice `x`: 0 to 2 of Plain, Ghost");
    assert_eq!(question.who, machine.world.players[1]);
}

#[test]
fn scripts_say_what_is_wrong_missing_and_left_over() {
    let words = |build: fn(&mut Asm) -> Vec<Instr>| {
        let mut asm = Asm::new();
        let code = build(&mut asm);
        let failure = failure(asm.run(code));
        assert_eq!(failure.kind, FaultKind::Script, "{}", failure.words);
        failure.words
    };
    let missing = words(|asm| {
        let spec = choose(asm, "target", ChooseMode::One, None, false);
        all(vec![prepared(asm, &[1, 2], 0), vec![ask(spec)]])
    });
    assert_eq!(missing, "no scripted answer is left for the choice `target`: one of 1, 2");
    let wrong = words(|asm| {
        let spec = choose(asm, "target", ChooseMode::One, None, false);
        all(vec![prepared(asm, &[1, 2], 0), vec![Instr::Int { dst: 9, v: 5 }, Instr::ScriptAnswer { label: None, src: 9 }, ask(spec)]])
    });
    assert_eq!(wrong, "the scripted answer 5 does not fit the choice `target`: one of 1, 2");
    let left = words(|asm| vec![asm.ints(0, &[3, 4]), Instr::ScriptDice { src: 0 }]);
    assert_eq!(left, "dice were not used: 3, 4");
    let short = words(|asm| vec![asm.ints(0, &[3]), Instr::ScriptDice { src: 0 }, asm.dice(1, 2, 6, 0), Instr::Roll { dst: 2, dice: 1 }]);
    assert_eq!(short, "no scripted dice are left for a roll of 2d6");
    let face = words(|asm| vec![asm.ints(0, &[7]), Instr::ScriptDice { src: 0 }, asm.dice(1, 1, 6, 0), Instr::Roll { dst: 2, dice: 1 }]);
    assert_eq!(face, "the next scripted die shows 7, but a roll of 1d6 is due");
}

#[test]
fn facts_are_asked_once_and_forgotten_when_something_moves() {
    let mut asm = Asm::new();
    let name = asm.s("sees");
    asm.pack.facts.push(Fact { name, params: 1, default: None });
    let sees = asm.term(1, vec![Instr::Fact { dst: 1, fact: FactId(0), start: 0, n: 1 }, Instr::Return { src: 1 }]);
    let card = asm.unit_card("Wolf", 1);
    let unit = asm.unit;
    let place = asm.konst(5, Value::Place(banneret_runtime::value::Place { x: 1, y: 2 }));
    let look = || {
        vec![
            Instr::AllOf { dst: 1, kind: unit },
            // Deep inside a term.
            Instr::Each { dst: 2, op: banneret_runtime::bytecode::EachOp::Filter, list: 1, frag: sees, caps: 0, n: 0 },
        ]
    };
    let code = all(vec![
        asm.given(4, card, false),
        look(),
        look(),
        vec![place, Instr::CallN { dst: 6, fun: Fun::Relocate, start: 4, n: 2 }],
        look(),
        vec![Instr::Return { src: 2 }],
    ]);
    let (pack, mut machine, step) = asm.started(code);
    let Step::Asked(question) = step else { panic!("{step:?}") };
    assert_eq!(question.name, "sees");
    machine.answer(&pack, Answer::Value(Value::Bool(false))).unwrap();
    let step = machine.run(&pack);
    assert!(matches!(step, Step::Asked(_)), "asked again after the move: {step:?}");
    machine.answer(&pack, Answer::Value(Value::Bool(true))).unwrap();
    let Step::Done(Value::List(seen)) = machine.run(&pack) else { panic!() };
    assert_eq!(seen.len(), 1);
}
