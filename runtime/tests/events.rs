//! The stages of an event, in order.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::{Fun, Instr, ModOp};
use banneret_runtime::fault::{Bound, FaultKind};
use banneret_runtime::pack::*;
use banneret_runtime::value::Value;
use common::*;

/// Notes a digit: wounds of the unit in event field 0 times 10 plus the digit.
fn note(asm: &Asm, digit: i32) -> Vec<Instr> {
    let wounds = asm.wounds;
    vec![
        Instr::EvGet { dst: 10, field: 0 },
        Instr::Get { dst: 11, obj: 10, field: wounds },
        Instr::Int { dst: 12, v: 10 },
        Instr::Mul { dst: 11, a: 11, b: 12 },
        Instr::AddInt { dst: 11, a: 11, v: digit },
        Instr::Set { obj: 10, field: wounds, src: 11 },
    ]
}

fn emit(action: banneret_runtime::ids::ActionId, start: u16, n: u16) -> Instr {
    Instr::Emit { dst: 20, done: 21, action, start, n }
}

#[test]
fn an_action_changes_state_and_has_a_result() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 2 }, emit(deal, 0, 2), emit(deal, 0, 2)],
        asm.expect_field("wounds", 0, asm.wounds, 4),
        asm.expect("result", 20, 2),
        asm.expect_bool("done", 21, true),
    ]);
    asm.passes(code);
}

#[test]
fn stages_run_in_order() {
    let mut asm = Asm::new();
    let body = all(vec![note(&asm, 1), vec![Instr::HeadEnd], note(&asm, 4)]);
    let act = asm.action("act", &["target"], &[], body);
    let before = {
        let c = note(&asm, 2);
        asm.handler(When::Before, vec![act], None, c)
    };
    let instead = {
        let c = all(vec![note(&asm, 3), vec![Instr::Proceed], note(&asm, 5)]);
        asm.handler(When::Instead, vec![act], None, c)
    };
    let at_end = {
        let c = note(&asm, 6);
        asm.handler(When::AtEnd, vec![act], None, c)
    };
    let after = {
        let c = note(&asm, 7);
        asm.handler(When::After, vec![act], None, c)
    };
    asm.global(vec![after, at_end, instead, before]);
    let card = asm.unit_card("Wolf", 3);
    let code = all(vec![asm.given(0, card, false), vec![emit(act, 0, 1)], asm.expect_field("order", 0, asm.wounds, 1234567)]);
    asm.passes(code);
}

#[test]
fn modifiers_of_an_event_apply_by_layer_whatever_their_order() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let modify = |op, v| vec![Instr::Int { dst: 5, v }, Instr::EvMod { field: 1, op, src: 5 }];
    let double = asm.handler(When::Before, vec![deal], None, modify(ModOp::Mul, 2));
    let more = asm.handler(When::Before, vec![deal], None, modify(ModOp::Add, 1));
    let least = asm.handler(When::Before, vec![deal], None, modify(ModOp::AtLeast, 5));
    let most = asm.handler(When::Before, vec![deal], None, modify(ModOp::AtMost, 9));
    asm.global(vec![double, most, least, more]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 2 }, emit(deal, 0, 2)],
        asm.expect_field("(2 + 1) * 2", 0, asm.wounds, 6),
        vec![Instr::Int { dst: 1, v: 0 }, emit(deal, 0, 2)],
        asm.expect_field("at least 5", 0, asm.wounds, 11),
        vec![Instr::Int { dst: 1, v: 20 }, emit(deal, 0, 2)],
        asm.expect_field("at most 9", 0, asm.wounds, 20),
    ]);
    asm.passes(code);
}

#[test]
fn instead_without_proceed_prevents_and_nothing_comes_after() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let prevent = asm.handler(When::Instead, vec![deal], None, vec![]);
    let after = {
        let c = note(&asm, 9);
        asm.handler(When::After, vec![deal], None, c)
    };
    asm.global(vec![prevent, after]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 2 }, emit(deal, 0, 2)],
        asm.expect_field("wounds", 0, asm.wounds, 0),
        asm.expect_bool("done", 21, true),
    ]);
    asm.passes(code);
}

#[test]
fn each_instead_applies_once_and_proceed_runs_the_rest() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    // Twice; and one more each time: (amount + 1), then again with another one refused by "once".
    let twice = asm.handler(When::Instead, vec![deal], None, vec![Instr::Proceed, Instr::Proceed]);
    let more = asm.handler(
        When::Instead,
        vec![deal],
        None,
        vec![Instr::EvGet { dst: 5, field: 1 }, Instr::AddInt { dst: 5, a: 5, v: 1 }, Instr::EvSet { field: 1, src: 5 }, Instr::Proceed],
    );
    asm.global(vec![twice, more]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 2 }, emit(deal, 0, 2)],
        asm.expect_field("3 and 3", 0, asm.wounds, 6),
    ]);
    asm.passes(code);
}

#[test]
fn own_death_triggers_work_and_so_do_arrivals() {
    let mut asm = Asm::new();
    let destroy = asm.action(
        "destroy",
        &["target"],
        &[],
        vec![Instr::HeadEnd, Instr::EvGet { dst: 0, field: 0 }, Instr::Call1 { dst: 1, fun: Fun::Remove, a: 0 }],
    );
    let witness = asm.unit_card("Witness", 1);
    let martyr = asm.unit_card("Martyr", 1);
    let is_this = asm.term(2, vec![Instr::EvGet { dst: 2, field: 0 }, Instr::Eq { dst: 2, a: 2, b: 0 }, Instr::Return { src: 2 }]);
    let (unit, wounds) = (asm.unit, asm.wounds);
    let mourn = asm.handler(
        When::After,
        vec![destroy],
        Some(is_this),
        vec![
            Instr::AllOf { dst: 3, kind: unit },
            Instr::Int { dst: 4, v: 0 },
            Instr::Index { dst: 5, list: 3, i: 4 },
            Instr::Int { dst: 6, v: 7 },
            Instr::Set { obj: 5, field: wounds, src: 6 },
        ],
    );
    let bundle = asm.bundle(vec![mourn]);
    asm.pack.cards[martyr.index()].bundles = vec![bundle];
    let code = all(vec![
        asm.given(0, witness, false),
        asm.given(1, martyr, false),
        vec![emit(destroy, 1, 1), Instr::Call1 { dst: 5, fun: Fun::InPlay, a: 1 }],
        asm.expect_bool("gone", 5, false),
        asm.expect_field("the witness was told", 0, wounds, 7),
    ]);
    asm.passes(code);
}

#[test]
fn state_checks_run_to_a_fixpoint_before_triggers() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let (unit, wounds) = (asm.unit, asm.wounds);
    // While any unit has more than 3 wounds, take one off.
    let over = asm.term(
        2,
        vec![
            Instr::AllOf { dst: 2, kind: unit },
            Instr::Int { dst: 3, v: 0 },
            Instr::Index { dst: 2, list: 2, i: 3 },
            Instr::Get { dst: 4, obj: 2, field: wounds },
            Instr::Int { dst: 3, v: 3 },
            Instr::Lt { dst: 3, a: 3, b: 4 },
            Instr::Return { src: 3 },
        ],
    );
    let check = asm.handler(
        When::AtEnd,
        vec![],
        Some(over),
        vec![
            Instr::AllOf { dst: 2, kind: unit },
            Instr::Int { dst: 3, v: 0 },
            Instr::Index { dst: 2, list: 2, i: 3 },
            Instr::Get { dst: 4, obj: 2, field: wounds },
            Instr::AddInt { dst: 4, a: 4, v: -1 },
            Instr::Set { obj: 2, field: wounds, src: 4 },
        ],
    );
    let after = {
        let c = note(&asm, 5);
        asm.handler(When::After, vec![deal], None, c)
    };
    asm.global(vec![after, check]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 9 }, emit(deal, 0, 2)],
        asm.expect_field("3, then the trigger", 0, wounds, 35),
    ]);
    asm.passes(code);
}

#[test]
fn chains_without_end_name_the_cycle() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let again =
        asm.handler(When::After, vec![deal], None, vec![Instr::EvGet { dst: 2, field: 0 }, Instr::Int { dst: 3, v: 1 }, emit(deal, 2, 2)]);
    asm.global(vec![again]);
    let code = all(vec![asm.given(0, card, false), vec![Instr::Int { dst: 1, v: 2 }, emit(deal, 0, 2)]]);
    let failure = failure(asm.run(code));
    assert_eq!(failure.kind, FaultKind::Limit(Bound::Depth));
    assert!(failure.words.contains("`deal` → `deal`"), "{}", failure.words);
}

#[test]
fn once_per_scope_counts_and_forgets() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let turn = asm.action("turn", &[], &[], vec![]);
    asm.pack.actions[turn.index()].is_phase = true;
    let mut extra =
        asm.handler(When::Before, vec![deal], None, vec![Instr::Int { dst: 5, v: 10 }, Instr::EvMod { field: 1, op: ModOp::Add, src: 5 }]);
    if let Rule::Handler { once, .. } = &mut extra {
        *once = Some(turn);
    }
    asm.global(vec![extra]);
    let scope = |inner: Vec<Instr>| {
        all(vec![vec![Instr::ScopeBegin { action: turn, start: 0, n: 0 }], inner, vec![Instr::ScopeEnd { action: turn }]])
    };
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 1 }],
        scope(vec![emit(deal, 0, 2), emit(deal, 0, 2)]),
        asm.expect_field("11 and 1", 0, asm.wounds, 12),
        scope(vec![emit(deal, 0, 2)]),
        asm.expect_field("again", 0, asm.wounds, 23),
    ]);
    asm.passes(code);
}

#[test]
fn cannot_forbids() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let big = asm.term(
        2,
        vec![Instr::EvGet { dst: 2, field: 1 }, Instr::Int { dst: 3, v: 3 }, Instr::Lt { dst: 2, a: 3, b: 2 }, Instr::Return { src: 2 }],
    );
    asm.global(vec![Rule::Cannot {
        actions: vec![deal],
        choose: false,
        must: false,
        guard: Some(big),
        site: banneret_runtime::ids::SiteId(0),
    }]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 4 }, emit(deal, 0, 2)],
        asm.expect_bool("forbidden", 21, false),
        vec![Instr::Int { dst: 1, v: 3 }, emit(deal, 0, 2)],
        asm.expect_field("allowed", 0, asm.wounds, 3),
    ]);
    asm.passes(code);
}

#[test]
fn the_past_of_a_scope_is_remembered_and_forgotten() {
    let mut asm = Asm::new();
    let (deal, card) = (asm.deal(), asm.unit_card("Wolf", 3));
    let turn = asm.action("turn", &[], &[], vec![]);
    asm.pack.actions[deal.index()].log = Some(LogSpec { fields: vec![1], scopes: vec![Some(turn)] });
    asm.pack.pasts.push(Past { actions: vec![deal], scope: Some(turn) });
    let past = banneret_runtime::ids::PastId(0);
    let amount = asm.term(1, vec![Instr::LogGet { dst: 1, event: 0, field: 1 }, Instr::Return { src: 1 }]);
    let sum = |dst| {
        vec![
            Instr::Past { dst, spec: past },
            Instr::Each { dst, op: banneret_runtime::bytecode::EachOp::Sum, list: dst, frag: amount, caps: 0, n: 0 },
        ]
    };
    let code = all(vec![
        asm.given(0, card, false),
        vec![Instr::Int { dst: 1, v: 4 }, emit(deal, 0, 2)],
        vec![Instr::ScopeBegin { action: turn, start: 0, n: 0 }],
        sum(5),
        asm.expect("not before the turn", 5, 0),
        vec![emit(deal, 0, 2), emit(deal, 0, 2)],
        sum(5),
        asm.expect("in the turn", 5, 8),
        vec![Instr::ScopeEnd { action: turn }, Instr::ScopeBegin { action: turn, start: 0, n: 0 }],
        sum(5),
        asm.expect("the next turn", 5, 0),
        vec![Instr::ScopeEnd { action: turn }],
    ]);
    let (_, machine, step) = asm.started(code);
    assert_eq!(step, banneret_runtime::machine::Step::Done(Value::None));
    assert!(machine.world.log.is_empty());
}

#[test]
fn together_declares_in_step_then_resolves_then_triggers() {
    let mut asm = Asm::new();
    let wounds = asm.wounds;
    let card = asm.unit_card("Wolf", 3);
    // All notes go to the first unit in play.
    let unit = asm.unit;
    let log = move |digit: i32| {
        vec![
            Instr::AllOf { dst: 10, kind: unit },
            Instr::Int { dst: 12, v: 0 },
            Instr::Index { dst: 10, list: 10, i: 12 },
            Instr::Get { dst: 11, obj: 10, field: wounds },
            Instr::Int { dst: 12, v: 10 },
            Instr::Mul { dst: 11, a: 11, b: 12 },
            Instr::EvGet { dst: 13, field: 0 },
            Instr::Add { dst: 11, a: 11, b: 13 },
            Instr::AddInt { dst: 11, a: 11, v: digit },
            Instr::Set { obj: 10, field: wounds, src: 11 },
        ]
    };
    let act = asm.action("act", &["n"], &[], all(vec![log(0), vec![Instr::HeadStep], log(2), vec![Instr::HeadEnd], log(4)]));
    let after = asm.handler(When::After, vec![act], None, log(6));
    asm.global(vec![after]);
    let code = all(vec![
        asm.given(0, card, false),
        vec![
            Instr::TogetherBegin,
            Instr::Int { dst: 1, v: 1 },
            emit(act, 1, 1),
            Instr::Int { dst: 1, v: 2 },
            emit(act, 1, 1),
            Instr::TogetherEnd,
        ],
        asm.expect_field("order", 0, wounds, 12_34_56_78),
    ]);
    asm.passes(code);
}

/// Both units are poked at the same time; the active player's rule comes first, whosever unit was named first.
#[test]
fn triggers_of_events_that_happen_together_go_by_player() {
    let mut asm = Asm::new();
    let (wounds, unit) = (asm.wounds, asm.unit);
    let poke = asm.action("poke", &["target"], &[], vec![Instr::HeadEnd]);
    let is_this = asm.term(2, vec![Instr::EvGet { dst: 2, field: 0 }, Instr::Eq { dst: 2, a: 2, b: 0 }, Instr::Return { src: 2 }]);
    let log = |digit: i32| {
        vec![
            Instr::AllOf { dst: 10, kind: unit },
            Instr::Int { dst: 12, v: 0 },
            Instr::Index { dst: 10, list: 10, i: 12 },
            Instr::Get { dst: 11, obj: 10, field: wounds },
            Instr::Int { dst: 12, v: 10 },
            Instr::Mul { dst: 11, a: 11, b: 12 },
            Instr::AddInt { dst: 11, a: 11, v: digit },
            Instr::Set { obj: 10, field: wounds, src: 11 },
        ]
    };
    let (witness, mine, theirs) = (asm.unit_card("Witness", 1), asm.unit_card("Mine", 1), asm.unit_card("Theirs", 1));
    for (card, digit) in [(mine, 1), (theirs, 2)] {
        let rule = asm.handler(When::After, vec![poke], Some(is_this), log(digit));
        let bundle = asm.bundle(vec![rule]);
        asm.pack.cards[card.index()].bundles = vec![bundle];
    }
    let code = all(vec![
        asm.given(0, witness, false),
        asm.given(1, theirs, true),
        asm.given(2, mine, false),
        vec![Instr::TogetherBegin, emit(poke, 1, 1), emit(poke, 2, 1), Instr::TogetherEnd],
        asm.expect_field("mine, then theirs", 0, wounds, 12),
    ]);
    asm.passes(code);
}
