//! Hot events of packs that the compiler would not write.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::Instr;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::limits::Limits;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::value::Value;
use common::*;

/// A die is rolled in the head, and the body needs what a program cannot do without.
#[test]
fn a_head_that_has_run_is_not_run_again() {
    let mut asm = Asm::new();
    let code = vec![
        asm.dice(0, 1, 6, 0),
        Instr::Roll { dst: 1, dice: 0 },
        Instr::EvSet { field: 0, src: 1 },
        Instr::HeadEnd,
        Instr::EvGet { dst: 2, field: 0 },
        Instr::Int { dst: 3, v: 4 },
        Instr::Lt { dst: 4, a: 2, b: 3 },
        Instr::Need { cond: 4 },
        Instr::Return { src: 2 },
    ];
    let gamble = asm.action("gamble", &[], &["x"], code);
    let pack = asm.load();
    let mut hot_events = 0;
    for seed in 0..50 {
        let run = |hot: bool| {
            let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
            if hot {
                machine.heat_up();
            }
            let mut dice = Generator::new(seed);
            machine.start_action(&pack, gamble, &[]).unwrap();
            let step = run_seeded(&mut machine, &pack, &mut dice);
            (step, machine, dice)
        };
        let hot = run(true);
        hot_events += hot.1.hot_events();
        assert_eq!(hot, run(false), "seed {seed}");
    }
    assert!(hot_events > 0);
}

/// The condition stands at the end of the loop, which the compiler never writes.
#[test]
fn loops_that_go_back_on_a_condition_end_too() {
    let mut asm = Asm::new();
    let code = vec![
        Instr::HeadEnd,
        Instr::Int { dst: 0, v: 0 },
        Instr::AddInt { dst: 0, a: 0, v: 1 },
        Instr::EvGet { dst: 1, field: 0 },
        Instr::Lt { dst: 2, a: 0, b: 1 },
        Instr::JumpIf { cond: 2, to: 2 },
        Instr::Return { src: 0 },
    ];
    let count = asm.action("count", &["to"], &[], code);
    let pack = asm.load();
    for (to, ends) in [(1, true), (1_000, true), (i64::MAX, false)] {
        let run = |hot: bool| {
            let limits = Limits { steps: 10_000, ..Limits::default() };
            let mut machine = Machine::new(&pack, 2, limits).unwrap();
            if hot {
                machine.heat_up();
            }
            machine.start_action(&pack, count, &[Value::Int(to)]).unwrap();
            let step = run_seeded(&mut machine, &pack, &mut Generator::new(1));
            assert_eq!(machine.hot_events(), u64::from(hot && ends));
            step
        };
        assert_eq!(run(true), run(false));
        assert_eq!(matches!(run(true), Step::Done(_)), ends);
    }
}
