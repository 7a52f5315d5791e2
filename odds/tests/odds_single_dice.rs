//! Dice one after the other, with numbers and conditions between them: odds agree with trying everything.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;
mod trying;

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::*;
use common::*;
use proptest::prelude::*;
use trying::*;

/// Registers: 2 the die, 3 how many rounds, 4 which one, 6 to 11 for numbers, 12 and 13 for conditions.
fn line(body: u32) -> impl Strategy<Value = Instr> {
    let read = prop_oneof![Just(2u16), Just(4), 6..12u16];
    (0..16u8, 6..12u16, read.clone(), read, 0..2u16, 1..=body, -2..4i32).prop_map(|(op, dst, a, b, field, to, v)| match op {
        0 => Instr::Move { dst, src: a },
        1 => Instr::Add { dst, a, b },
        2 => Instr::AddInt { dst, a, v },
        3 | 4 => Instr::Sub { dst, a, b },
        5 => Instr::Mul { dst, a, b },
        6 => Instr::Int { dst, v },
        7 => Instr::EvGet { dst, field },
        8 | 9 => Instr::EvSet { field, src: a },
        10 => Instr::CallN { dst, fun: if v > 0 { Fun::Max } else { Fun::Min }, start: dst.min(10), n: 2 },
        11 => Instr::Lt { dst: 12, a, b },
        12 => Instr::Not { dst: 13, a: 12 },
        13 => Instr::Move { dst: 12, src: 13 },
        // Ahead only, by so many lines.
        14 => Instr::JumpIf { cond: 12, to },
        _ => Instr::JumpIfNot { cond: 13, to },
    })
}

/// Each round rolls a die, compares it with a number, and does something if it reaches it.
fn program(asm: &mut Asm, rounds: i32, (plus, needed): (i32, i32), body: &[Instr]) -> FragId {
    let mut code = vec![Instr::Int { dst: 0, v: 0 }, Instr::EvSet { field: 0, src: 0 }, Instr::EvSet { field: 1, src: 0 }, Instr::HeadEnd];
    code.extend((6..12).map(|dst| Instr::Int { dst, v: 0 }));
    code.extend([Instr::Bool { dst: 12, v: false }, Instr::Bool { dst: 13, v: true }]);
    code.extend([Instr::Int { dst: 3, v: rounds }, Instr::Int { dst: 4, v: 0 }]);
    let top = code.len() as u32;
    let start = top + 8;
    let after = start + body.len() as u32;
    code.extend([
        Instr::Lt { dst: 5, a: 4, b: 3 },
        Instr::JumpIfNot { cond: 5, to: after + 2 },
        asm.dice(1, 1, 3, 0),
        Instr::Roll { dst: 2, dice: 1 },
        Instr::AddInt { dst: 14, a: 2, v: plus },
        Instr::Int { dst: 15, v: needed },
        Instr::Le { dst: 16, a: 15, b: 14 },
        Instr::JumpIfNot { cond: 16, to: after },
    ]);
    for (at, instr) in (start..).zip(body) {
        code.push(match *instr {
            Instr::JumpIf { cond, to } => Instr::JumpIf { cond, to: (at + to).min(after) },
            Instr::JumpIfNot { cond, to } => Instr::JumpIfNot { cond, to: (at + to).min(after) },
            other => other,
        });
    }
    code.extend([Instr::AddInt { dst: 4, a: 4, v: 1 }, Instr::Jump { to: top }]);
    // Something of all that is left.
    code.extend([Instr::EvGet { dst: 20, field: 0 }, Instr::EvGet { dst: 21, field: 1 }, Instr::Sub { dst: 20, a: 20, b: 21 }]);
    code.extend([Instr::Int { dst: 21, v: 10 }, Instr::Mul { dst: 20, a: 20, b: 21 }, Instr::Add { dst: 20, a: 20, b: 10 }]);
    code.push(Instr::Return { src: 20 });
    let action = asm.action("rounds", &[], &["x", "y"], code);
    let site = asm.site("left");
    asm.code(0, vec![Instr::Emit { dst: 0, done: 1, action, start: 2, n: 0 }, Instr::Measure { site, src: 0 }])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn rounds_agree_with_trying_everything(
        rounds in 1..5i32,
        against in (-1..2i32, 0..5i32),
        body in (1..9u32).prop_flat_map(|n| proptest::collection::vec(line(n), n as usize)),
    ) {
        let mut asm = Asm::new();
        let frag = program(&mut asm, rounds, against, &body);
        agrees(&asm.load(), frag)?;
    }
}

/// Rounds with this at the end of each that hits; what is left is register 10.
fn rounds(body: Vec<Instr>) -> (Asm, FragId) {
    let mut asm = Asm::new();
    let frag = program(&mut asm, 3, (1, 3), &body);
    (asm, frag)
}

#[test]
fn numbers_that_outgrow_a_word_are_numbers_still() {
    // 2^59, doubled and doubled again: the last two need more than a word has for them.
    let mut body = vec![Instr::Int { dst: 6, v: 1 << 29 }, Instr::Int { dst: 7, v: 1 << 30 }, Instr::Mul { dst: 8, a: 6, b: 7 }];
    body.extend([Instr::Add { dst: 9, a: 8, b: 8 }, Instr::Add { dst: 11, a: 9, b: 9 }]);
    body.extend([Instr::Lt { dst: 12, a: 8, b: 11 }, Instr::JumpIfNot { cond: 12, to: 2 }, Instr::AddInt { dst: 10, a: 10, v: 1 }]);
    let (asm, frag) = rounds(body);
    agrees(&asm.load(), frag).unwrap();
}

#[test]
fn what_is_fetched_for_a_sum_and_read_again_is_there() {
    // Each of the registers between is read afterwards: none may be left out.
    for read in 6..10 {
        let body = vec![
            Instr::EvGet { dst: 6, field: 0 },
            Instr::Int { dst: 7, v: 6 },
            Instr::Int { dst: 8, v: 1 },
            Instr::Sub { dst: 9, a: 7, b: 8 },
            Instr::Sub { dst: 11, a: 6, b: 9 },
            Instr::EvSet { field: 0, src: 11 },
            Instr::Add { dst: 10, a: 10, b: read },
        ];
        let (asm, frag) = rounds(body);
        let pack = asm.load();
        let exact = banneret_odds::odds(started(&pack, frag), &pack, 100).unwrap();
        // After so many hits `x` is five less each time, and the register was added as often: 0, -5 and -10, or a number that is always the same.
        let left = |hits: i64| match read {
            6 => -50 * hits - 5 * (hits * (hits - 1) / 2),
            7 => -50 * hits + 6 * hits,
            8 => -50 * hits + hits,
            _ => -50 * hits + 5 * hits,
        };
        let found: Vec<String> = spreads(&exact).into_keys().map(|(_, value)| value).collect();
        let mut wanted: Vec<String> = (0..=3).map(|hits| format!("Int({})", left(hits))).collect();
        wanted.sort();
        assert_eq!(found, wanted, "register {read}");
        agrees(&pack, frag).unwrap();
    }
}
