//! Odds agree with trying every order of the dice, whatever a loop over them does.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;

use banneret_odds::{Fraction, odds};
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::Answer;
use banneret_runtime::value::Value;
use common::*;
use proptest::prelude::*;

const DICE: u32 = 3;
const SIDES: i64 = 3;

/// Registers: 2 the list, 3 its length, 4 the counter, 6 the element, 7 to 9 for anything, 10 and 11 outlive the loop.
fn line(body: u32) -> impl Strategy<Value = Instr> {
    let read = prop_oneof![Just(6u16), Just(7), Just(8), Just(9), Just(10), Just(11), Just(4)];
    let write = prop_oneof![Just(7u16), Just(8), Just(9), Just(10), Just(11)];
    (0..12u8, write, read.clone(), read, 0..2u16, 0..=body, -1..3i32).prop_map(|(op, dst, a, b, field, to, v)| match op {
        0 => Instr::Move { dst, src: a },
        1 | 2 => Instr::Add { dst, a, b },
        3 => Instr::AddInt { dst: 10, a: 10, v },
        4 => Instr::AddInt { dst, a, v },
        5 => Instr::Sub { dst, a, b },
        6 => Instr::Int { dst, v },
        7 => Instr::EvGet { dst, field },
        8 => Instr::EvSet { field, src: a },
        9 => Instr::Lt { dst: 12, a, b },
        10 => Instr::JumpIf { cond: 12, to },
        _ => Instr::Add { dst: 10, a: 10, b: 6 },
    })
}

fn program(asm: &mut Asm, body: &[Instr], site: SiteId) -> FragId {
    let mut code = vec![Instr::Int { dst: 0, v: 0 }, Instr::EvSet { field: 0, src: 0 }, Instr::EvSet { field: 1, src: 0 }];
    code.extend((6..12).map(|dst| Instr::Int { dst, v: 0 }));
    code.extend([Instr::Bool { dst: 12, v: false }, asm.dice(1, DICE, SIDES as u32, 0), Instr::HeadEnd]);
    code.extend([Instr::Roll { dst: 2, dice: 1 }, Instr::Len { dst: 3, list: 2 }, Instr::Int { dst: 4, v: 0 }]);
    let top = code.len() as u32;
    let start = top + 3;
    let after = start + body.len() as u32;
    code.extend([Instr::Lt { dst: 5, a: 4, b: 3 }, Instr::JumpIfNot { cond: 5, to: after + 2 }, Instr::Index { dst: 6, list: 2, i: 4 }]);
    for instr in body {
        code.push(match *instr {
            Instr::JumpIf { cond, to } => Instr::JumpIf { cond, to: (start + to).min(after) },
            other => other,
        });
    }
    code.extend([Instr::AddInt { dst: 4, a: 4, v: 1 }, Instr::Jump { to: top }]);
    // 100 a + 10 b + c: the sum, what is left in another register, and a field.
    code.extend([
        Instr::Int { dst: 20, v: 100 },
        Instr::Mul { dst: 21, a: 10, b: 20 },
        Instr::EvGet { dst: 22, field: 0 },
        Instr::Add { dst: 21, a: 21, b: 22 },
        Instr::Mul { dst: 21, a: 21, b: 20 },
        Instr::EvGet { dst: 22, field: 1 },
        Instr::Add { dst: 21, a: 21, b: 22 },
        Instr::Measure { site, src: 21 },
    ]);
    let act = asm.action("act", &[], &["a", "b"], code);
    asm.code(0, vec![Instr::Emit { dst: 0, done: 1, action: act, start: 0, n: 0 }])
}

fn started(pack: &Loaded, frag: FragId) -> Machine {
    let limits = Limits { steps: 5_000, ..Limits::default() };
    let mut machine = Machine::new(pack, 2, limits).unwrap();
    machine.start_fragment(pack, frag, &[]).unwrap();
    machine
}

/// None: some order faults.
fn by_trying(pack: &Loaded, frag: FragId) -> Option<BTreeMap<i64, u128>> {
    let mut machine = started(pack, frag);
    let Step::Asked(_) = machine.run(pack) else {
        return None;
    };
    let mut counts = BTreeMap::new();
    for n in 0..SIDES.pow(DICE) {
        let faces = (0..DICE).map(|i| n / SIDES.pow(i) % SIDES + 1).collect();
        let mut copy = machine.clone();
        copy.answer(pack, Answer::Faces(faces)).unwrap();
        let Step::Done(_) = copy.run(pack) else {
            return None;
        };
        let Value::Int(n) = copy.measured[0].1 else {
            return None;
        };
        *counts.entry(n).or_default() += 1;
    }
    Some(counts)
}

/// More of them with `PROPTEST_CASES`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn odds_agree_with_trying_every_order(body in proptest::collection::vec(line(6), 1..7)) {
        let mut asm = Asm::new();
        let site = asm.site("result");
        let frag = program(&mut asm, &body, site);
        let pack = asm.load();
        if let Some(counts) = by_trying(&pack, frag) {
            let exact = odds(started(&pack, frag), &pack, 10_000).unwrap();
            let all = SIDES.pow(DICE) as u128;
            let found: BTreeMap<i64, Fraction> = exact.spread(site).iter().map(|(v, c)| match v {
                Value::Int(n) => (*n, c.clone()),
                other => panic!("{other:?}"),
            }).collect();
            let expected: BTreeMap<i64, Fraction> = counts.into_iter().map(|(n, k)| (n, Fraction::new(k, all))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
