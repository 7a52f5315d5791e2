//! Handfuls of which only some dice count: misses need not be rolled, and handfuls of different sizes with as many hits go the same way. Unless somebody looks
//! at the rest.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;
mod trying;

use banneret_runtime::bytecode::{EachOp, Fun, Instr};
use banneret_runtime::ids::*;
use common::*;
use proptest::prelude::*;
use trying::*;

/// `it >= r` with a captured register.
fn at_least(asm: &mut Asm) -> FragId {
    asm.term(2, vec![Instr::Le { dst: 2, a: 0, b: 1 }, Instr::Return { src: 2 }])
}

fn filter(dst: Reg, list: Reg, frag: FragId, cap: Reg) -> Instr {
    Instr::Each { dst, op: EachOp::Filter, list, frag, caps: cap, n: 1 }
}

/// As many dice as the first one shows, in register 5; `needed` is in 4.
fn as_many_as_rolled(asm: &mut Asm, needed: i32) -> Vec<Instr> {
    vec![
        asm.dice(0, 1, 4, 0),
        Instr::Roll { dst: 1, dice: 0 },
        asm.dice(2, 1, 4, 0),
        Instr::Mul { dst: 3, a: 2, b: 1 },
        Instr::Int { dst: 4, v: needed },
        Instr::Roll { dst: 5, dice: 3 },
    ]
}

#[test]
fn hits_of_handfuls_of_any_size_are_the_same() {
    let mut asm = Asm::new();
    let (high, site) = (at_least(&mut asm), asm.site("hits"));
    let mut code = as_many_as_rolled(&mut asm, 3);
    // Something between the roll and the count, so that it is no count of a roll.
    code.extend([Instr::Int { dst: 9, v: 1 }, Instr::You { dst: 10 }, filter(6, 5, high, 4), Instr::Len { dst: 7, list: 6 }]);
    code.extend([Instr::Add { dst: 7, a: 7, b: 9 }, Instr::Measure { site, src: 7 }]);
    // The first roll, four handfuls, none to four hits.
    assert_eq!(agreed(asm, code).states, 10);
}

#[test]
fn whoever_looks_at_the_others_sees_them() {
    for look in 0..5 {
        let mut asm = Asm::new();
        let (high, site) = (at_least(&mut asm), asm.site("hits"));
        let ten = asm.term(1, vec![Instr::Int { dst: 1, v: 10 }, Instr::Mul { dst: 1, a: 0, b: 1 }, Instr::Return { src: 1 }]);
        let mut code = as_many_as_rolled(&mut asm, 3);
        code.extend([Instr::You { dst: 10 }, filter(6, 5, high, 4), Instr::Len { dst: 7, list: 6 }]);
        code.push(match look {
            0 => Instr::Len { dst: 8, list: 5 },
            1 => Instr::Call1 { dst: 8, fun: Fun::Total, a: 5 },
            2 => Instr::Each { dst: 8, op: EachOp::Sum, list: 5, frag: ten, caps: 0, n: 0 },
            3 => Instr::Each { dst: 8, op: EachOp::Sum, list: 6, frag: ten, caps: 0, n: 0 },
            _ => Instr::Call1 { dst: 8, fun: Fun::Max, a: 5 },
        });
        code.extend([Instr::Measure { site, src: 7 }, Instr::Measure { site, src: 8 }]);
        agreed(asm, code);
    }
}

#[test]
fn two_comparisons_tell_three_sorts() {
    let mut asm = Asm::new();
    let (high, site) = (at_least(&mut asm), asm.site("hits"));
    let mut code = as_many_as_rolled(&mut asm, 3);
    code.extend([Instr::You { dst: 10 }, filter(6, 5, high, 4), Instr::Len { dst: 7, list: 6 }, Instr::Int { dst: 4, v: 2 }]);
    code.extend([filter(6, 5, high, 4), Instr::Len { dst: 8, list: 6 }, Instr::Measure { site, src: 7 }, Instr::Measure { site, src: 8 }]);
    agreed(asm, code);
}

#[test]
fn the_number_that_is_needed_may_come_of_dice_too() {
    let mut asm = Asm::new();
    let (high, site) = (at_least(&mut asm), asm.site("hits"));
    let mut code = as_many_as_rolled(&mut asm, 3);
    code.insert(5, Instr::Move { dst: 4, src: 1 });
    code.extend([Instr::You { dst: 10 }, filter(6, 5, high, 4), Instr::Len { dst: 7, list: 6 }, Instr::Measure { site, src: 7 }]);
    agreed(asm, code);
}

/// What is done with a handful, one after the other: 7 and 8 hold numbers, 4 what is needed, 5 the handful, 6 what was filtered.
fn uses() -> impl Strategy<Value = Vec<(u8, i32, bool)>> {
    proptest::collection::vec((0..9u8, 1..4i32, any::<bool>()), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn odds_agree_with_trying_every_roll(first in uses(), second in uses(), in_event in any::<bool>()) {
        let mut asm = Asm::new();
        let (high, site) = (at_least(&mut asm), asm.site("sum"));
        let mut code: Vec<Instr> = (4..11).map(|dst| Instr::Int { dst, v: 0 }).collect();
        code.extend([Instr::Int { dst: 1, v: 0 }, Instr::Int { dst: 20, v: 0 }]);
        if in_event {
            code.extend([Instr::EvSet { field: 0, src: 20 }, Instr::HeadEnd]);
        }
        for uses in [&first, &second] {
            // The second handful has as many dice as the first one hit, and one more.
            code.extend([asm.dice(2, 1, 3, 0), Instr::AddInt { dst: 1, a: 7, v: 1 }, Instr::Mul { dst: 3, a: 2, b: 1 }]);
            code.extend([Instr::Int { dst: 4, v: 2 }, Instr::Roll { dst: 5, dice: 3 }]);
            for (what, v, other) in uses {
                let dst = if *other { 8 } else { 7 };
                match what {
                    0 | 1 => code.extend([filter(6, 5, high, 4), Instr::Len { dst, list: 6 }]),
                    2 => code.extend([filter(6, 5, high, 4), Instr::Len { dst: 9, list: 6 }, Instr::Add { dst, a: dst, b: 9 }]),
                    3 => code.push(Instr::Int { dst: 4, v: *v }),
                    4 => code.push(Instr::Add { dst: 8, a: 7, b: 8 }),
                    5 => code.push(Instr::Move { dst: 4, src: 7 }),
                    6 => code.push(Instr::You { dst: 10 }),
                    7 if in_event => code.push(Instr::EvSet { field: 0, src: dst }),
                    8 if in_event => code.push(Instr::EvGet { dst, field: 0 }),
                    _ => code.push(Instr::Len { dst: 8, list: 5 }),
                }
            }
            // Not more than a few.
            code.extend([Instr::Int { dst: 9, v: 2 }, Instr::CallN { dst: 7, fun: Fun::Min, start: 7, n: 3 }]);
        }
        code.extend([Instr::Measure { site, src: 7 }, Instr::Measure { site, src: 8 }, Instr::Measure { site, src: 1 }]);
        let frag = if in_event {
            let act = asm.action("act", &[], &["kept"], code);
            asm.code(0, vec![Instr::Emit { dst: 0, done: 1, action: act, start: 0, n: 0 }])
        } else {
            asm.code(0, code)
        };
        agrees(&asm.load(), frag)?;
    }
}

/// A roll that some ways lead to with one die and others with two.
#[test]
fn dice_from_elsewhere_are_not_those_written_before_the_roll() {
    let mut asm = Asm::new();
    let site = asm.site("reached");
    let code = vec![
        asm.dice(0, 2, 6, 0),
        asm.dice(1, 1, 2, 0),
        Instr::Roll { dst: 2, dice: 1 },
        Instr::Int { dst: 3, v: 1 },
        Instr::Eq { dst: 4, a: 2, b: 3 },
        Instr::JumpIf { cond: 4, to: 7 },
        asm.dice(0, 1, 6, 0),
        Instr::Roll { dst: 5, dice: 0 },
        Instr::Int { dst: 6, v: 4 },
        Instr::Le { dst: 7, a: 6, b: 5 },
        Instr::Measure { site, src: 7 },
    ];
    agreed(asm, code);
}
