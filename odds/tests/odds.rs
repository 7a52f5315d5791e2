//! Exact odds against plain enumeration.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;

use banneret_odds::{Exact, Fraction, judge, odds};
use banneret_runtime::bytecode::{EachOp, Fun, Instr};
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::*;
use banneret_runtime::testing::run_test;
use banneret_runtime::value::{Ratio, Value};
use common::*;

fn exact(mut asm: Asm, code: Vec<Instr>) -> Exact {
    let frag = asm.code(0, code);
    let pack = asm.load();
    let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
    machine.start_fragment(&pack, frag, &[]).unwrap();
    odds(machine, &pack, 100_000).unwrap()
}

fn spread(exact: &Exact, site: SiteId) -> Vec<(i64, Fraction)> {
    let mut found: Vec<(i64, Fraction)> = exact
        .spread(site)
        .iter()
        .map(|(v, c)| match v {
            Value::Int(n) => (*n, c.clone()),
            Value::Bool(b) => (*b as i64, c.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    found.sort_by_key(|(n, _)| *n);
    found
}

fn c(num: u128, den: u128) -> Fraction {
    Fraction::new(num, den)
}

/// Three attacks at 4+, each for 6 - 1, one die at a time.
fn attacks(asm: &mut Asm, n: i32, target: i32, damage: i32) -> (Vec<Instr>, SiteId) {
    let site = asm.site("damage");
    let die = asm.dice(1, 1, 6, 0);
    let code = vec![
        Instr::Int { dst: 0, v: 0 },
        die,
        Instr::Int { dst: 2, v: target },
        Instr::Int { dst: 3, v: 0 },
        Instr::Int { dst: 4, v: n },
        // 5: loop
        Instr::Lt { dst: 5, a: 3, b: 4 },
        Instr::JumpIfNot { cond: 5, to: 13 },
        Instr::AddInt { dst: 3, a: 3, v: 1 },
        Instr::Roll { dst: 6, dice: 1 },
        Instr::Le { dst: 7, a: 2, b: 6 },
        Instr::JumpIfNot { cond: 7, to: 12 },
        Instr::AddInt { dst: 0, a: 0, v: damage },
        Instr::Jump { to: 5 },
        Instr::Measure { site, src: 0 },
    ];
    (code, site)
}

#[test]
fn three_attacks() {
    let mut asm = Asm::new();
    let (code, site) = attacks(&mut asm, 3, 4, 5);
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, site), [(0, c(1, 8)), (5, c(3, 8)), (10, c(3, 8)), (15, c(1, 8))]);
    // 1 + 2 + 3 states that wait for a die, 4 ends: hits merge, dead registers do not tell them apart.
    assert_eq!(exact.states, 10);
}

#[test]
fn against_plain_enumeration() {
    for (n, target) in [(1, 2), (2, 5), (4, 3), (5, 6)] {
        let mut asm = Asm::new();
        let (code, site) = attacks(&mut asm, n, target, 1);
        let exact = exact(asm, code);
        let mut counts = vec![0u128; n as usize + 1];
        for roll in 0..6u32.pow(n as u32) {
            let hits = (0..n as u32).filter(|i| (roll / 6u32.pow(*i) % 6 + 1) as i32 >= target).count();
            counts[hits] += 1;
        }
        let all = 6u128.pow(n as u32);
        let expected: Vec<(i64, Fraction)> = counts.iter().enumerate().map(|(i, k)| (i as i64, c(*k, all))).collect();
        assert_eq!(spread(&exact, site), expected);
    }
}

#[test]
fn a_pool_is_rolled_as_a_multiset() {
    let mut asm = Asm::new();
    let site = asm.site("hits");
    let hit = asm.term(1, vec![Instr::Int { dst: 1, v: 4 }, Instr::Le { dst: 1, a: 1, b: 0 }, Instr::Return { src: 1 }]);
    let code = vec![
        asm.dice(0, 10, 6, 0),
        Instr::Roll { dst: 1, dice: 0 },
        Instr::Each { dst: 2, op: EachOp::Filter, list: 1, frag: hit, caps: 0, n: 0 },
        Instr::Len { dst: 3, list: 2 },
        Instr::Measure { site, src: 3 },
    ];
    let exact = exact(asm, code);
    let choose = [1u128, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1];
    let expected: Vec<(i64, Fraction)> = choose.iter().enumerate().map(|(i, k)| (i as i64, c(*k, 1024))).collect();
    assert_eq!(spread(&exact, site), expected);
}

#[test]
fn dice_with_a_bonus_total_it() {
    let mut asm = Asm::new();
    let site = asm.site("total");
    let code = vec![
        asm.dice(0, 2, 6, 3),
        Instr::Roll { dst: 1, dice: 0 },
        Instr::Call1 { dst: 2, fun: Fun::Total, a: 1 },
        Instr::Measure { site, src: 2 },
    ];
    let exact = exact(asm, code);
    let spread = spread(&exact, site);
    assert_eq!((spread[0].clone(), spread[5].clone(), spread.len()), ((5, c(1, 36)), (10, c(6, 36)), 11));
}

/// Both roll a d6 until they differ.
#[test]
fn ties_that_are_rolled_again_are_solved() {
    let mut asm = Asm::new();
    let (first, rolls) = (asm.site("first wins"), asm.site("tied before"));
    let code = vec![
        asm.dice(0, 1, 6, 0),
        Instr::Bool { dst: 5, v: false },
        Instr::Roll { dst: 1, dice: 0 },
        Instr::Roll { dst: 2, dice: 0 },
        Instr::Eq { dst: 3, a: 1, b: 2 },
        Instr::JumpIfNot { cond: 3, to: 8 },
        Instr::Bool { dst: 5, v: true },
        Instr::Jump { to: 2 },
        Instr::Lt { dst: 4, a: 2, b: 1 },
        Instr::Measure { site: first, src: 4 },
        Instr::Measure { site: rolls, src: 5 },
    ];
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, first), [(0, c(1, 2)), (1, c(1, 2))]);
    assert_eq!(spread(&exact, rolls), [(0, c(5, 6)), (1, c(1, 6))]);
}

/// A gambler's walk: up on 5+, down otherwise, from 2 until 0 or 4. Solved by the well-known formula: (q/p)^2 = 4, so 1 / (1 + 4).
#[test]
fn walks_with_many_circles_are_solved() {
    let mut asm = Asm::new();
    let site = asm.site("rich");
    let code = vec![
        asm.dice(0, 1, 6, 0),
        Instr::Int { dst: 1, v: 2 },
        Instr::Int { dst: 2, v: 5 },
        Instr::Int { dst: 3, v: 0 },
        Instr::Int { dst: 4, v: 4 },
        // 5
        Instr::Roll { dst: 5, dice: 0 },
        Instr::Le { dst: 5, a: 2, b: 5 },
        Instr::JumpIf { cond: 5, to: 10 },
        Instr::AddInt { dst: 1, a: 1, v: -1 },
        Instr::Jump { to: 11 },
        Instr::AddInt { dst: 1, a: 1, v: 1 },
        // 11
        Instr::Eq { dst: 6, a: 1, b: 3 },
        Instr::JumpIf { cond: 6, to: 15 },
        Instr::Eq { dst: 7, a: 1, b: 4 },
        Instr::JumpIfNot { cond: 7, to: 5 },
        Instr::Eq { dst: 7, a: 1, b: 4 },
        Instr::Measure { site, src: 7 },
    ];
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, site), [(0, c(4, 5)), (1, c(1, 5))]);
}

#[test]
fn order_is_kept_where_it_is_read() {
    let mut asm = Asm::new();
    let site = asm.site("tens and ones");
    let code = vec![
        asm.dice(0, 2, 6, 0),
        Instr::Roll { dst: 1, dice: 0 },
        Instr::Int { dst: 2, v: 0 },
        Instr::Int { dst: 3, v: 1 },
        Instr::Index { dst: 4, list: 1, i: 2 },
        Instr::Index { dst: 5, list: 1, i: 3 },
        Instr::Lt { dst: 6, a: 4, b: 5 },
        Instr::Measure { site, src: 6 },
    ];
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, site), [(0, c(21, 36)), (1, c(15, 36))]);
}

fn deck(asm: &mut Asm) -> (FieldId, Vec<Instr>) {
    let deck = asm.field("deck", FieldRole::Pile, None);
    let player = asm.player;
    asm.pack.kinds[player.index()].fields.push(deck);
    let (red, blue) = (asm.unit_card("Red", 1), asm.unit_card("Blue", 2));
    let mut code = vec![Instr::You { dst: 0 }, Instr::Get { dst: 1, obj: 0, field: deck }];
    for card in [red, red, red, blue] {
        code.extend([asm.konst(30, Value::Card(card)), Instr::You { dst: 31 }, Instr::Move { dst: 32, src: 1 }]);
        code.push(Instr::CallN { dst: 2, fun: Fun::Create, start: 30, n: 3 });
    }
    code.push(Instr::Call1 { dst: 3, fun: Fun::Shuffle, a: 1 });
    (deck, code)
}

#[test]
fn cards_that_look_alike_are_drawn_as_one() {
    let mut asm = Asm::new();
    let site = asm.site("power drawn");
    let (_, mut code) = deck(&mut asm);
    let power = asm.power;
    let field = asm.field("discard", FieldRole::Pile, None);
    // Draw two, without putting back.
    for _ in 0..2 {
        code.extend([
            Instr::Top { dst: 4, pile: 1 },
            Instr::Get { dst: 5, obj: 0, field },
            Instr::CallN { dst: 6, fun: Fun::Relocate, start: 4, n: 2 },
            Instr::Get { dst: 7, obj: 4, field: power },
        ]);
    }
    code.push(Instr::Measure { site, src: 7 });
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, site), [(1, c(3, 4)), (2, c(1, 4))]);
    // First draw, two second draws (of which one is certain), two ends.
    assert!(exact.states <= 5, "{}", exact.states);
}

#[test]
fn the_top_card_stays_on_top_once_it_was_seen() {
    let mut asm = Asm::new();
    let site = asm.site("the same");
    let (_, mut code) = deck(&mut asm);
    code.extend([
        Instr::Top { dst: 4, pile: 1 },
        Instr::Top { dst: 5, pile: 1 },
        Instr::Eq { dst: 6, a: 4, b: 5 },
        Instr::Call1 { dst: 7, fun: Fun::PileCards, a: 1 },
        Instr::Len { dst: 7, list: 7 },
    ]);
    code.extend(asm.expect("all there", 7, 4));
    code.push(Instr::Measure { site, src: 6 });
    assert_eq!(spread(&exact(asm, code), site), [(1, Fraction::one())]);
}

#[test]
fn measured_tests_pass_and_fail_with_both_numbers() {
    let ratio = |num, den| Value::Ratio(Ratio { num, den });
    let spread_of =
        |points: &[(i64, (i64, i64))]| Expected::Spread(points.iter().map(|(n, (a, b))| (Value::Int(*n), ratio(*a, *b))).collect());
    let right = [Expected::Mean(ratio(15, 2)), spread_of(&[(0, (1, 8)), (5, (3, 8)), (10, (3, 8)), (15, (1, 8))])];
    let wrong = [
        (Expected::Mean(Value::Int(7)), "7", "15/2"),
        (spread_of(&[(0, (1, 8)), (5, (7, 8))]), "[0: 1/8, 5: 7/8]", "[0: 1/8, 5: 3/8, 10: 3/8, 15: 1/8]"),
    ];
    for expect in right {
        let mut asm = Asm::new();
        let (code, site) = attacks(&mut asm, 3, 4, 5);
        let test = asm.exact_test(code, vec![Measure { site, expect }]);
        let pack = asm.load();
        assert!(run_test(&pack, &pack.tests[test].clone(), judge).passed());
    }
    for (expect, expected, actual) in wrong {
        let mut asm = Asm::new();
        let (code, site) = attacks(&mut asm, 3, 4, 5);
        let test = asm.exact_test(code, vec![Measure { site, expect }]);
        let pack = asm.load();
        let failure = failure(run_test(&pack, &pack.tests[test].clone(), judge));
        assert_eq!((&failure.expected[..], &failure.actual[..]), (expected, actual));
        assert_eq!(failure.site, Some(site));
    }
}

#[test]
fn a_choice_under_odds_needs_an_answer() {
    let mut asm = Asm::new();
    let name = asm.s("reroll");
    asm.pack.menus.push(Menu { labels: vec![name], lines: vec![3], none: 4, site: SiteId(0) });
    let code = vec![
        asm.dice(0, 1, 6, 0),
        Instr::Roll { dst: 1, dice: 0 },
        Instr::May { spec: MenuId(0), who: 1, no: 5 },
        Instr::Mark,
        Instr::Roll { dst: 1, dice: 0 },
    ];
    let test = asm.exact_test(code, vec![]);
    let pack = asm.load();
    let failure = failure(run_test(&pack, &pack.tests[test].clone(), judge));
    assert_eq!(failure.words, "odds need an answer for yes or no to `reroll`");
}

/// `for pips in roll n d6 { if pips >= 4 { hits += 1 } }`, as it is lowered, with the sum in a register or in a field of the event.
fn counting_loop(asm: &mut Asm, n: u32, first_only: bool) -> Vec<Instr> {
    let roll = asm.dice(1, n, 6, 0);
    let from = if first_only { 1 } else { 0 };
    vec![
        Instr::Int { dst: 0, v: 0 },
        Instr::EvSet { field: 0, src: 0 },
        Instr::HeadEnd,
        roll,
        Instr::Roll { dst: 2, dice: 1 },
        Instr::Len { dst: 3, list: 2 },
        Instr::Int { dst: 4, v: from },
        // 7
        Instr::Lt { dst: 5, a: 4, b: 3 },
        Instr::JumpIfNot { cond: 5, to: 18 },
        Instr::Index { dst: 6, list: 2, i: 4 },
        Instr::Int { dst: 7, v: 4 },
        Instr::Le { dst: 7, a: 7, b: 6 },
        Instr::JumpIfNot { cond: 7, to: 16 },
        Instr::EvGet { dst: 8, field: 0 },
        Instr::AddInt { dst: 8, a: 8, v: 1 },
        Instr::EvSet { field: 0, src: 8 },
        Instr::AddInt { dst: 4, a: 4, v: 1 },
        Instr::Jump { to: 7 },
        // 18
        Instr::EvGet { dst: 9, field: 0 },
        Instr::Return { src: 9 },
    ]
}

#[test]
fn a_loop_that_only_counts_does_not_read_the_order() {
    // Twelve dice have two thousand million orders, but six thousand multisets.
    let mut asm = Asm::new();
    let site = asm.site("hits");
    let code = counting_loop(&mut asm, 12, false);
    let count = asm.action("count", &[], &["hits"], code);
    let code = vec![Instr::Emit { dst: 0, done: 1, action: count, start: 0, n: 0 }, Instr::Measure { site, src: 0 }];
    let exact = exact(asm, code);
    let spread = spread(&exact, site);
    assert_eq!((spread.len(), spread[6].clone()), (13, (6, c(924, 4096))));
}

#[test]
fn a_loop_that_leaves_out_the_first_die_reads_the_order() {
    let mut asm = Asm::new();
    let site = asm.site("hits");
    let code = counting_loop(&mut asm, 3, true);
    let count = asm.action("count", &[], &["hits"], code);
    let code = vec![Instr::Emit { dst: 0, done: 1, action: count, start: 0, n: 0 }, Instr::Measure { site, src: 0 }];
    let exact = exact(asm, code);
    assert_eq!(spread(&exact, site), [(0, c(1, 4)), (1, c(1, 2)), (2, c(1, 4))]);
}

/// Twelve times, an event adds a die to the wounds of a unit: there are many ways to the same wounds, and they are one as soon as the event is over.
#[test]
fn ways_that_meet_at_the_end_of_an_event_are_one() {
    const ROUNDS: i32 = 12;
    let mut asm = Asm::new();
    let (card, wounds, site) = (asm.unit_card("Wolf", 3), asm.wounds, asm.site("wounds"));
    let body = vec![
        asm.dice(1, 1, 6, 0),
        Instr::HeadEnd,
        Instr::Roll { dst: 2, dice: 1 },
        Instr::EvGet { dst: 3, field: 0 },
        Instr::Get { dst: 4, obj: 3, field: wounds },
        Instr::Add { dst: 4, a: 4, b: 2 },
        Instr::Set { obj: 3, field: wounds, src: 4 },
        Instr::Return { src: 4 },
    ];
    let bite = asm.action("bite", &["target"], &[], body);
    let mut code = asm.given(0, card, false);
    code.extend([Instr::Int { dst: 10, v: 0 }, Instr::Int { dst: 11, v: ROUNDS }]);
    let top = code.len() as Pc;
    code.extend([
        Instr::Lt { dst: 12, a: 10, b: 11 },
        Instr::JumpIfNot { cond: 12, to: top + 5 },
        Instr::Emit { dst: 20, done: 21, action: bite, start: 0, n: 1 },
        Instr::AddInt { dst: 10, a: 10, v: 1 },
        Instr::Jump { to: top },
        Instr::Get { dst: 13, obj: 0, field: wounds },
        Instr::Measure { site, src: 13 },
    ]);
    let exact = exact(asm, code);
    // By convolution.
    let mut ways = vec![1u128];
    for _ in 0..ROUNDS {
        let mut more = vec![0u128; ways.len() + 6];
        for (sum, n) in ways.iter().enumerate() {
            (1..=6).for_each(|face| more[sum + face] += n);
        }
        ways = more;
    }
    let all = 6u128.pow(ROUNDS as u32);
    let expected: Vec<(i64, Fraction)> = (0i64..).zip(ways).filter(|(_, n)| *n > 0).map(|(sum, n)| (sum, c(n, all))).collect();
    assert_eq!(spread(&exact, site), expected);
    // A state for each sum before each round, and the ends.
    let sums = |rounds: i32| (5 * rounds + 1) as usize;
    assert_eq!(exact.states, (0..ROUNDS).map(sums).sum::<usize>() + sums(ROUNDS));
}

/// Whoever gets out of the head of a `may` goes on behind it, with what he held before.
#[test]
fn what_is_read_behind_a_head_that_fails_is_kept() {
    let mut asm = Asm::new();
    let (label, site) = (asm.s("push on"), asm.site("left"));
    asm.pack.menus.push(Menu { labels: vec![label], lines: vec![6], none: 12, site: SiteId(0) });
    let code = vec![
        Instr::None { dst: 0 },
        Instr::Int { dst: 4, v: 7 },
        asm.konst(3, Value::Bool(true)),
        Instr::ScriptAnswer { label: Some(label), src: 3 },
        asm.dice(6, 1, 6, 0),
        Instr::May { spec: MenuId(0), who: 0, no: 12 },
        Instr::Roll { dst: 1, dice: 6 },
        Instr::Int { dst: 2, v: 5 },
        Instr::Le { dst: 5, a: 2, b: 1 },
        Instr::Need { cond: 5 },
        Instr::Mark,
        Instr::Int { dst: 4, v: 0 },
        Instr::Measure { site, src: 4 },
    ];
    assert_eq!(spread(&exact(asm, code), site), [(0, c(1, 3)), (7, c(2, 3))]);
}

#[test]
fn chances_of_any_length_are_exact() {
    // How many of a hundred dice, rolled one after the other, show a six: over 6^100, which has 259 bits.
    const DICE: i32 = 100;
    let mut asm = Asm::new();
    let site = asm.site("sixes");
    let code = vec![
        Instr::Int { dst: 0, v: 0 },
        Instr::Int { dst: 1, v: 0 },
        asm.dice(2, 1, 6, 0),
        Instr::Roll { dst: 3, dice: 2 },
        Instr::Int { dst: 4, v: 6 },
        Instr::Eq { dst: 5, a: 3, b: 4 },
        Instr::JumpIfNot { cond: 5, to: 8 },
        Instr::AddInt { dst: 1, a: 1, v: 1 },
        Instr::AddInt { dst: 0, a: 0, v: 1 },
        Instr::Int { dst: 6, v: DICE },
        Instr::Lt { dst: 7, a: 0, b: 6 },
        Instr::JumpIf { cond: 7, to: 3 },
        Instr::Measure { site, src: 1 },
    ];
    let spread = spread(&exact(asm, code), site);
    let (sixth, rest) = (c(1, 6), c(5, 6));
    let power = |of: &Fraction, n: i32| (0..n).fold(Fraction::one(), |product, _| product.times(of));
    let ways = |n: i64| (0..n).fold(Fraction::one(), |ways, i| ways.times(&c((i64::from(DICE) - i) as u128, (i + 1) as u128)));
    for (n, chance) in &spread {
        let expected = ways(*n).times(&power(&sixth, *n as i32)).times(&power(&rest, DICE - *n as i32));
        assert_eq!(chance, &expected, "{n}");
    }
    assert_eq!(spread.len(), DICE as usize + 1);
}
