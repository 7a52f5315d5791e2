//! Numbers, lists, places: what terms come to.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::{EachOp, Fun, Instr};
use banneret_runtime::fault::{Bound, FaultKind};
use banneret_runtime::machine::Step;
use banneret_runtime::pack::*;
use banneret_runtime::value::{Dice, Place, Ratio, Value};
use common::*;

/// The value of code that returns register 0.
fn value_of(asm: Asm, mut code: Vec<Instr>) -> Value {
    code.push(Instr::Return { src: 0 });
    match asm.started(code).2 {
        Step::Done(value) => value,
        other => panic!("{other:?}"),
    }
}

fn fault_of(asm: Asm, code: Vec<Instr>) -> (FaultKind, String) {
    match asm.started(code).2 {
        Step::Fault(fault) => (fault.kind, fault.words),
        other => panic!("{other:?}"),
    }
}

/// Calls a function on constants.
fn call(fun: Fun, args: &[Value]) -> Value {
    let mut asm = Asm::new();
    let mut code: Vec<Instr> = args.iter().enumerate().map(|(i, v)| asm.konst(10 + i as u16, v.clone())).collect();
    code.push(Instr::CallN { dst: 0, fun, start: 10, n: args.len() as u16 });
    value_of(asm, code)
}

fn binary(a: Value, b: Value, op: fn(u16, u16, u16) -> Instr) -> Value {
    let mut asm = Asm::new();
    let code = vec![asm.konst(1, a), asm.konst(2, b), op(0, 1, 2)];
    value_of(asm, code)
}

fn int(n: i64) -> Value {
    Value::Int(n)
}

fn ratio(num: i64, den: i64) -> Value {
    Value::Ratio(Ratio { num, den })
}

fn list(items: &[i64]) -> Value {
    Value::List(items.iter().map(|n| int(*n)).collect())
}

fn pair(a: i64, b: i64) -> Value {
    Value::Pair(std::sync::Arc::new([int(a), int(b)]))
}

fn dice(count: u32, sides: u32, plus: i32) -> Value {
    Value::Dice(Dice { count, sides, plus })
}

#[test]
fn division_is_exact_unless_it_says_how_to_round() {
    assert_eq!(binary(int(7), int(2), |dst, a, b| Instr::Div { dst, a, b }), ratio(7, 2));
    assert_eq!(binary(int(8), int(-2), |dst, a, b| Instr::Div { dst, a, b }), int(-4));
    for (n, down, up, nearest) in [(7, 3, 4, 4), (-7, -4, -3, -3), (6, 3, 3, 3), (5, 2, 3, 3)] {
        assert_eq!(binary(int(n), int(2), |dst, a, b| Instr::DivDown { dst, a, b }), int(down));
        assert_eq!(binary(int(n), int(2), |dst, a, b| Instr::DivUp { dst, a, b }), int(up));
        assert_eq!(binary(int(n), int(2), |dst, a, b| Instr::DivNearest { dst, a, b }), int(nearest));
    }
    assert_eq!(binary(ratio(1, 2), ratio(1, 3), |dst, a, b| Instr::Add { dst, a, b }), ratio(5, 6));
    assert_eq!(binary(ratio(1, 2), ratio(2, 3), |dst, a, b| Instr::Mul { dst, a, b }), ratio(1, 3));
    assert_eq!(binary(ratio(1, 2), ratio(1, 3), |dst, a, b| Instr::Lt { dst, a, b }), Value::Bool(false));
    assert_eq!(binary(int(-7), int(3), |dst, a, b| Instr::Mod { dst, a, b }), int(2));
}

#[test]
fn pairs_dice_and_costs_add_by_their_parts() {
    assert_eq!(binary(pair(1, 2), pair(3, 4), |dst, a, b| Instr::Add { dst, a, b }), pair(4, 6));
    assert_eq!(binary(pair(1, 2), int(3), |dst, a, b| Instr::Mul { dst, a, b }), pair(3, 6));
    assert_eq!(binary(dice(2, 6, 1), int(2), |dst, a, b| Instr::Add { dst, a, b }), dice(2, 6, 3));
    assert_eq!(binary(dice(2, 6, 1), int(3), |dst, a, b| Instr::Mul { dst, a, b }), dice(6, 6, 3));
    let cost = |n| Value::Cost([(banneret_runtime::ids::FieldId(0), n)].into());
    assert_eq!(binary(cost(2), cost(3), |dst, a, b| Instr::Add { dst, a, b }), cost(5));
    assert_eq!(call(Fun::CostTimes, &[int(4), cost(1)]), cost(4));
    assert_eq!(call(Fun::DiceMean, &[dice(2, 6, 1)]), int(8));
    assert_eq!(call(Fun::DiceMean, &[dice(1, 6, 0)]), ratio(7, 2));
}

#[test]
fn what_does_not_fit_is_a_fault() {
    let mut asm = Asm::new();
    let code = vec![asm.konst(1, int(i64::MAX)), Instr::AddInt { dst: 1, a: 1, v: 1 }];
    assert_eq!(fault_of(asm, code), (FaultKind::Arithmetic, "a number grew too large".to_owned()));
    let mut asm = Asm::new();
    let code = vec![asm.konst(1, int(1)), Instr::Int { dst: 2, v: 0 }, Instr::Div { dst: 1, a: 1, b: 2 }];
    assert_eq!(fault_of(asm, code), (FaultKind::Arithmetic, "division by zero".to_owned()));
    let code = vec![Instr::None { dst: 1 }, Instr::AddInt { dst: 1, a: 1, v: 1 }];
    assert_eq!(fault_of(Asm::new(), code), (FaultKind::WrongValue, "a number is needed here, not nothing".to_owned()));
}

#[test]
fn functions_over_numbers_and_lists() {
    assert_eq!(call(Fun::Min, &[int(3), int(1), int(2)]), int(1));
    assert_eq!(call(Fun::Max, &[list(&[3, 1, 2])]), int(3));
    assert_eq!(call(Fun::Max, &[list(&[])]), Value::None);
    assert_eq!(call(Fun::Clamp, &[int(9), int(1), int(6)]), int(6));
    assert_eq!(call(Fun::Abs, &[ratio(-1, 2)]), ratio(1, 2));
    assert_eq!(call(Fun::Floor, &[ratio(-1, 2)]), int(-1));
    assert_eq!(call(Fun::Ceil, &[ratio(-1, 2)]), int(0));
    assert_eq!(call(Fun::PercentOf, &[int(50), int(7)]), ratio(7, 2));
    assert_eq!(call(Fun::Total, &[list(&[1, 2, 3])]), int(6));
    assert_eq!(call(Fun::First, &[list(&[])]), Value::None);
    assert_eq!(call(Fun::Last, &[list(&[1, 2])]), int(2));
    assert_eq!(call(Fun::Reversed, &[list(&[1, 2])]), list(&[2, 1]));
    assert_eq!(call(Fun::Union, &[list(&[1, 2]), list(&[2, 3])]), list(&[1, 2, 3]));
    assert_eq!(call(Fun::Common, &[list(&[1, 2]), list(&[2, 3])]), list(&[2]));
    assert_eq!(call(Fun::Subset, &[list(&[2]), list(&[2, 3])]), Value::Bool(true));
    assert_eq!(call(Fun::Distinct, &[list(&[2, 1, 2])]), list(&[2, 1]));
    assert_eq!(call(Fun::Copies, &[list(&[2, 1, 2]), int(2)]), int(2));
    assert_eq!(call(Fun::Numbers, &[int(2), int(4)]), list(&[2, 3, 4]));
    assert_eq!(call(Fun::Numbers, &[int(4), int(2)]), list(&[]));
    assert_eq!(call(Fun::PairY, &[pair(1, 2)]), int(2));
    // The order of a set does not matter.
    assert_eq!(binary(list(&[1, 2, 2]), list(&[2, 1, 2]), |dst, a, b| Instr::Eq { dst, a, b }), Value::Bool(true));
    assert_eq!(binary(list(&[1, 2, 2]), list(&[1, 1, 2]), |dst, a, b| Instr::Eq { dst, a, b }), Value::Bool(false));
}

#[test]
fn each_element_of_a_list() {
    let each = |op, items: &[i64], build: fn(&mut Asm) -> banneret_runtime::ids::FragId| {
        let mut asm = Asm::new();
        let frag = build(&mut asm);
        let code = vec![asm.ints(1, items), Instr::Each { dst: 0, op, list: 1, frag, caps: 0, n: 0 }];
        value_of(asm, code)
    };
    // x mod 3, and x mod 3 == 0
    let rest = |asm: &mut Asm| asm.term(1, vec![Instr::Int { dst: 1, v: 3 }, Instr::Mod { dst: 1, a: 0, b: 1 }, Instr::Return { src: 1 }]);
    let even = |asm: &mut Asm| {
        asm.term(
            1,
            vec![
                Instr::Int { dst: 1, v: 3 },
                Instr::Mod { dst: 1, a: 0, b: 1 },
                Instr::Int { dst: 2, v: 0 },
                Instr::Eq { dst: 1, a: 1, b: 2 },
                Instr::Return { src: 1 },
            ],
        )
    };
    assert_eq!(each(EachOp::Filter, &[3, 4, 6], even), list(&[3, 6]));
    assert_eq!(each(EachOp::Any, &[1, 4, 6], even), Value::Bool(true));
    assert_eq!(each(EachOp::All, &[1, 4, 6], even), Value::Bool(false));
    assert_eq!(each(EachOp::All, &[], even), Value::Bool(true));
    assert_eq!(each(EachOp::Map, &[3, 4, 5], rest), list(&[0, 1, 2]));
    assert_eq!(each(EachOp::Sum, &[3, 4, 5], rest), int(3));
    assert_eq!(each(EachOp::Sum, &[], rest), int(0));
    assert_eq!(each(EachOp::MaxOf, &[3, 4, 5], rest), int(2));
    assert_eq!(each(EachOp::MinOf, &[], rest), Value::None);
    assert_eq!(each(EachOp::Highest, &[3, 4, 5], rest), int(5));
    assert_eq!(each(EachOp::Highest, &[5, 4, 8], rest), Value::None);
    assert_eq!(each(EachOp::Lowest, &[5, 4, 8], rest), int(4));
    assert_eq!(each(EachOp::SortBy, &[5, 4, 8, 3], rest), list(&[3, 4, 5, 8]));
    assert_eq!(each(EachOp::DistinctBy, &[5, 4, 8, 3], rest), list(&[5, 4, 3]));
    // Neighbours: |a - b| <= 1, one way round is enough.
    let near = |asm: &mut Asm| {
        asm.term(
            2,
            vec![
                Instr::Sub { dst: 2, a: 0, b: 1 },
                Instr::Int { dst: 3, v: 1 },
                Instr::Eq { dst: 2, a: 2, b: 3 },
                Instr::Return { src: 2 },
            ],
        )
    };
    assert_eq!(each(EachOp::Connected, &[3, 1, 2], near), Value::Bool(true));
    assert_eq!(each(EachOp::Connected, &[4, 1, 2], near), Value::Bool(false));
}

#[test]
fn lists_and_loops_have_limits() {
    let mut asm = Asm::new();
    let code = vec![asm.konst(1, int(1)), asm.konst(2, int(1_000_000)), Instr::CallN { dst: 0, fun: Fun::Numbers, start: 1, n: 2 }];
    assert_eq!(fault_of(asm, code).0, FaultKind::Limit(Bound::ListLength));
    let (kind, words) = fault_of(Asm::new(), vec![Instr::Jump { to: 0 }]);
    assert_eq!(kind, FaultKind::Limit(Bound::Steps));
    assert!(words.contains("a loop here may never end"), "{words}");
    // A list that doubles by holding itself twice.
    let mut asm = Asm::new();
    let code = vec![asm.ints(1, &[1]), Instr::Move { dst: 2, src: 1 }, Instr::MakeList { dst: 1, start: 1, n: 2 }, Instr::Jump { to: 1 }];
    assert_eq!(fault_of(asm, code).0, FaultKind::Limit(Bound::ListLength));
    // Objects without end.
    let mut asm = Asm::new();
    let wolf = asm.unit_card("Wolf", 1);
    let mut code = asm.given(0, wolf, false);
    code.push(Instr::Jump { to: 0 });
    assert_eq!(fault_of(asm, code).0, FaultKind::Limit(Bound::Objects));
}

#[test]
fn pieces_have_distances() {
    let mut asm = Asm::new();
    let base = asm.field("base", FieldRole::Plain, None);
    let unit = asm.unit;
    asm.pack.kinds[unit.index()].base = Some(base);
    let wolf = asm.unit_card("Wolf", 1);
    asm.pack.cards[wolf.index()].values.push((base, int(1000)));
    let place = |asm: &mut Asm, dst, x, y| asm.konst(dst, Value::Place(Place { x, y }));
    let measure = |dst, fun| Instr::CallN { dst, fun, start: 1, n: 2 };
    let code = all(vec![
        asm.given(1, wolf, false),
        asm.given(2, wolf, false),
        vec![measure(3, Fun::Distance), Instr::Const { dst: 4, k: asm.k(int(i64::MAX)) }, Instr::Eq { dst: 3, a: 3, b: 4 }],
        asm.expect_bool("nowhere is far away", 3, true),
        vec![
            Instr::Move { dst: 10, src: 1 },
            place(&mut asm, 11, 0, 0),
            Instr::CallN { dst: 5, fun: Fun::Relocate, start: 10, n: 2 },
            Instr::Move { dst: 10, src: 2 },
            place(&mut asm, 11, 3000, 4000),
            Instr::CallN { dst: 5, fun: Fun::Relocate, start: 10, n: 2 },
            measure(3, Fun::Distance),
        ],
        asm.expect("distance", 3, 5000),
        vec![measure(3, Fun::Gap)],
        asm.expect("gap", 3, 4000),
        vec![measure(3, Fun::Touching)],
        asm.expect_bool("touching", 3, false),
        vec![
            Instr::Move { dst: 10, src: 1 },
            Instr::Move { dst: 11, src: 2 },
            Instr::Int { dst: 12, v: 5000 },
            Instr::CallN { dst: 3, fun: Fun::Within, start: 10, n: 3 },
        ],
        asm.expect_bool("within", 3, true),
        vec![
            Instr::Int { dst: 11, v: 2000 },
            Instr::CallN { dst: 3, fun: Fun::Spots, start: 10, n: 2 },
            Instr::Call1 { dst: 4, fun: Fun::First, a: 3 },
            Instr::Call1 { dst: 5, fun: Fun::PlaceOf, a: 1 },
            Instr::Eq { dst: 4, a: 4, b: 5 },
        ],
        asm.expect_bool("its own spot first", 4, true),
        vec![Instr::Len { dst: 4, list: 3 }, Instr::Int { dst: 5, v: 64 }, Instr::Le { dst: 4, a: 4, b: 5 }],
        asm.expect_bool("a bounded choice", 4, true),
    ]);
    asm.passes(code);
}
