//! Hot events of packs that the compiler would not write.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_runtime::bytecode::Instr;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::limits::Limits;
use banneret_runtime::machine::Machine;
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
