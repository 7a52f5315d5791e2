//! Modifiers, keywords and rules that are granted, and when they end.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::{Fun, Instr, ModOp};
use banneret_runtime::fault::FaultKind;
use banneret_runtime::ids::*;
use banneret_runtime::pack::*;
use banneret_runtime::value::Value;
use common::*;

fn continuous(asm: &mut Asm, who: Option<FragId>, op: ModOp, value: FragId) -> Rule {
    let field = asm.power;
    Rule::Grant {
        who,
        kind: asm.unit,
        cond: None,
        mods: vec![Mod { field, op, value }],
        keywords: vec![],
        bundles: vec![],
        rules: vec![],
        site: SiteId(0),
    }
}

#[test]
fn layers_apply_in_order_and_the_highest_rank_sets() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let all_units = asm.term(3, vec![Instr::Bool { dst: 3, v: true }, Instr::Return { src: 3 }]);
    let numbers = [(ModOp::Mul, 2), (ModOp::Add, 1), (ModOp::AtMost, 11), (ModOp::Set, 9)];
    let mut rules = Vec::new();
    for (op, v) in numbers {
        let value = asm.number(3, v);
        rules.push(continuous(&mut asm, Some(all_units), op, value));
    }
    asm.global(rules);
    let value = asm.number(3, 4);
    let special = continuous(&mut asm, Some(all_units), ModOp::Set, value);
    asm.global(vec![special]);
    asm.pack.bundles[1].rank = 5;
    // 4 by rank, + 1, * 2, at most 11.
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.expect_field("power", 0, asm.power, 10),
        vec![Instr::GetRaw { dst: 1, obj: 0, field: asm.power }],
        asm.expect("as printed", 1, 3),
    ]);
    asm.passes(code);
}

#[test]
fn a_grant_holds_while_its_source_is_in_play() {
    let mut asm = Asm::new();
    let (wolf, banner) = (asm.unit_card("Wolf", 3), asm.unit_card("Banner", 0));
    // Others of the same controller.
    let others = asm.term(
        3,
        vec![
            Instr::Eq { dst: 3, a: 0, b: 2 },
            Instr::Not { dst: 3, a: 3 },
            Instr::JumpIfNot { cond: 3, to: 6 },
            Instr::Call1 { dst: 4, fun: Fun::Controller, a: 2 },
            Instr::You { dst: 5 },
            Instr::Eq { dst: 3, a: 4, b: 5 },
            Instr::Return { src: 3 },
        ],
    );
    let one = asm.number(3, 1);
    let rule = continuous(&mut asm, Some(others), ModOp::Add, one);
    let bundle = asm.bundle(vec![rule]);
    asm.pack.cards[banner.index()].bundles = vec![bundle];
    let power = asm.power;
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.given(1, wolf, true),
        asm.expect_field("alone", 0, power, 3),
        asm.given(2, banner, false),
        asm.expect_field("with the banner", 0, power, 4),
        asm.expect_field("not the enemy", 1, power, 3),
        asm.expect_field("not itself", 2, power, 0),
        vec![Instr::Call1 { dst: 5, fun: Fun::Remove, a: 2 }],
        asm.expect_field("banner gone", 0, power, 3),
    ]);
    asm.passes(code);
}

#[test]
fn parts_speak_of_their_holder_as_this() {
    let mut asm = Asm::new();
    let ability = asm.kind("Ability", Roles { part: true, ..Roles::default() });
    let wolf = asm.unit_card("Wolf", 3);
    let fury = asm.part(wolf, "Fury", ability);
    let two = asm.number(3, 2);
    let rule = continuous(&mut asm, None, ModOp::Add, two);
    let bundle = asm.bundle(vec![rule]);
    asm.pack.cards[fury.index()].bundles = vec![bundle];
    let name = asm.s("Fury");
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.expect_field("power", 0, asm.power, 5),
        vec![Instr::PartNamed { dst: 1, obj: 0, name }, Instr::Call1 { dst: 2, fun: Fun::Holder, a: 1 }, Instr::Eq { dst: 3, a: 0, b: 2 }],
        asm.expect_bool("holder", 3, true),
        vec![Instr::Parts { dst: 4, obj: 0, kind: ability }, Instr::Len { dst: 4, list: 4 }],
        asm.expect("parts", 4, 1),
    ]);
    asm.passes(code);
}

/// While its own grants are looked at, a field is read as it is before them.
#[test]
fn a_modifier_that_reads_its_own_field_reads_it_before_the_grants() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let power = asm.power;
    let as_much_again = asm.term(3, vec![Instr::Get { dst: 3, obj: 2, field: power }, Instr::Return { src: 3 }]);
    let rule = continuous(&mut asm, None, ModOp::Add, as_much_again);
    let bundle = asm.bundle(vec![rule]);
    asm.pack.cards[wolf.index()].bundles = vec![bundle];
    let code = all(vec![asm.given(0, wolf, false), asm.expect_field("twice as much", 0, power, 6)]);
    asm.passes(code);
}

#[test]
fn two_fields_that_ask_for_each_other_are_a_fault_with_words() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let (power, wounds) = (asm.power, asm.wounds);
    let by_wounds = asm.term(3, vec![Instr::Get { dst: 3, obj: 2, field: wounds }, Instr::Return { src: 3 }]);
    let by_power = asm.term(3, vec![Instr::Get { dst: 3, obj: 2, field: power }, Instr::Return { src: 3 }]);
    let rules = [(power, by_wounds), (wounds, by_power)].map(|(field, value)| {
        let Rule::Grant { who, kind, cond, keywords, bundles, rules, site, .. } = continuous(&mut asm, None, ModOp::Add, value) else {
            unreachable!()
        };
        Rule::Grant { who, kind, cond, mods: vec![Mod { field, op: ModOp::Add, value }], keywords, bundles, rules, site }
    });
    let bundle = asm.bundle(rules.to_vec());
    asm.pack.cards[wolf.index()].bundles = vec![bundle];
    let code = all(vec![asm.given(0, wolf, false), vec![Instr::Get { dst: 1, obj: 0, field: power }]]);
    let failure = failure(asm.run(code));
    assert_eq!(failure.kind, FaultKind::Circle);
    assert!(failure.words.starts_with("reading `power` of Wolf asks for the same value again"), "{}", failure.words);
}

#[test]
fn keywords_add_up_and_bring_their_rules() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let two = asm.number(3, 2);
    let rule = continuous(&mut asm, None, ModOp::Add, two);
    let fierce = asm.keyword("Fierce", vec![rule]);
    // A keyword that brings another.
    let unit = asm.unit;
    let brings = Rule::Grant {
        who: None,
        kind: unit,
        cond: None,
        mods: vec![],
        keywords: vec![(fierce, None)],
        bundles: vec![],
        rules: vec![],
        site: SiteId(0),
    };
    let wild = asm.keyword("Wild", vec![brings]);
    let alpha = asm.unit_card("Alpha", 5);
    asm.pack.cards[alpha.index()].keywords = vec![(wild, 1), (fierce, 3)];
    asm.pack.grants.push(Grant {
        mods: vec![],
        keywords: vec![(fierce, true)],
        bundles: vec![],
        rules: 0,
        captures: 0,
        lasts: vec![],
        site: SiteId(0),
    });
    let power = asm.power;
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.given(1, alpha, false),
        asm.expect_field("alpha", 1, power, 7),
        vec![Instr::KeywordNumber { dst: 2, obj: 1, keyword: fierce }],
        asm.expect("3 printed and 1 brought", 2, 4),
        vec![Instr::HasKeyword { dst: 2, obj: 0, keyword: fierce }],
        asm.expect_bool("wolf", 2, false),
        vec![
            Instr::Int { dst: 3, v: 2 },
            Instr::Grant { spec: GrantId(0), targets: 0, start: 3 },
            Instr::KeywordNumber { dst: 2, obj: 0, keyword: fierce },
        ],
        asm.expect("granted", 2, 2),
        asm.expect_field("with its rules", 0, power, 5),
    ]);
    asm.passes(code);
}

/// Grants +1 power to register 0; the duration's register is 4.
fn timed(asm: &mut Asm, lasts: Lasts) -> Vec<Instr> {
    let power = asm.power;
    asm.pack.grants.push(Grant {
        mods: vec![(power, ModOp::Add)],
        keywords: vec![],
        bundles: vec![],
        rules: 0,
        captures: 0,
        lasts: vec![lasts],
        site: SiteId(0),
    });
    let spec = GrantId(asm.pack.grants.len() as u32 - 1);
    vec![Instr::Int { dst: 3, v: 1 }, Instr::Grant { spec, targets: 0, start: 3 }]
}

#[test]
fn timed_grants_end_with_their_scope() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let round = asm.action("round", &[], &[], vec![]);
    let begin = Instr::ScopeBegin { action: round, start: 0, n: 0 };
    let end = Instr::ScopeEnd { action: round };
    let until = |at_end, skip_running| Lasts::Until { at_end, scope: round, skip_running, of: false };
    let (this_end, next_end, next_start) =
        (timed(&mut asm, until(true, false)), timed(&mut asm, until(true, true)), timed(&mut asm, until(false, false)));
    let two_rounds = timed(&mut asm, Lasts::Scopes { scope: round });
    let power = asm.power;
    let code = all(vec![
        asm.given(0, wolf, false),
        vec![Instr::Int { dst: 4, v: 2 }, begin],
        this_end,
        next_end,
        next_start,
        two_rounds,
        asm.expect_field("all four", 0, power, 7),
        vec![end],
        asm.expect_field("one ended with the round", 0, power, 6),
        vec![begin],
        asm.expect_field("one ended with the start of the next", 0, power, 5),
        vec![end],
        asm.expect_field("the others ended with the next", 0, power, 3),
    ]);
    asm.passes(code);
}

#[test]
fn grants_until_an_event_skip_the_one_that_runs() {
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 3);
    let poke = asm.action("poke", &["target"], &[], vec![]);
    let until = Lasts::Event { action: poke, guard: None };
    let mut grant = timed(&mut asm, until);
    grant.insert(0, Instr::HeadEnd);
    grant.insert(1, Instr::EvGet { dst: 0, field: 0 });
    let body = asm.code(0, grant);
    let first = asm.action("first", &["target"], &[], vec![]);
    asm.pack.actions[first.index()].body = Some(body);
    let emit = |action| Instr::Emit { dst: 10, done: 11, action, start: 0, n: 1 };
    let power = asm.power;
    let code = all(vec![
        asm.given(0, wolf, false),
        vec![emit(first)],
        asm.expect_field("granted", 0, power, 4),
        vec![emit(poke)],
        asm.expect_field("ended", 0, power, 3),
    ]);
    asm.passes(code);
}

#[test]
fn state_is_clamped_and_resources_start_full() {
    let mut asm = Asm::new();
    let five = asm.number(1, 5);
    let mana = asm.field("mana", FieldRole::Resource, None);
    asm.pack.fields[mana.index()].high = Some(five);
    asm.pack.fields[mana.index()].starts_full = true;
    let unit = asm.unit;
    asm.pack.kinds[unit.index()].fields.push(mana);
    let wolf = asm.unit_card("Wolf", 3);
    let wounds = asm.wounds;
    let code = all(vec![
        asm.given(0, wolf, false),
        asm.expect_field("full", 0, mana, 5),
        vec![Instr::Int { dst: 1, v: 9 }, Instr::Set { obj: 0, field: mana, src: 1 }],
        asm.expect_field("not more", 0, mana, 5),
        vec![Instr::Int { dst: 1, v: -2 }, Instr::Set { obj: 0, field: wounds, src: 1 }],
        asm.expect_field("not less", 0, wounds, 0),
    ]);
    asm.passes(code);
}

#[test]
fn limits_blame_cards_as_printed() {
    let mut asm = Asm::new();
    asm.unit_card("Wolf", 3);
    let bear = asm.unit_card("Bear", 12);
    let (power, unit) = (asm.power, asm.unit);
    let site = asm.site("power is at most 10");
    let body = asm.code(
        1,
        vec![
            Instr::Get { dst: 1, obj: 0, field: power },
            Instr::Int { dst: 2, v: 10 },
            Instr::Move { dst: 3, src: 1 },
            Instr::Move { dst: 4, src: 2 },
            Instr::None { dst: 5 },
            Instr::Le { dst: 2, a: 1, b: 2 },
            Instr::Blame { cond: 2, blame: 1, start: 3, site, shows: Notation::Plain },
        ],
    );
    let words = asm.s("balance");
    asm.pack.limits.push(Limit { words, covers: vec![], kind: unit, body, warn: false, site });
    let failures = banneret_runtime::testing::run_limits(&asm.load(), &banneret_runtime::limits::Work::new(u64::MAX), |_, _| true);
    assert_eq!(failures.len(), 1);
    assert_eq!((failures[0].card, &failures[0].words[..]), (bear, "power is at most 10"));
    assert_eq!(failures[0].blame, [Value::Int(12)]);
    assert_eq!(failures[0].sides, Some((Value::Int(12), Value::Int(10))));
}
