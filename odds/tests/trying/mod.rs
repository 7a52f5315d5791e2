//! Odds by trying every roll in every order, question by question.
#![allow(dead_code)] // each file of tests uses some of it

use std::collections::BTreeMap;

use banneret_odds::{Exact, Fraction, odds};
use banneret_runtime::bytecode::Instr;
use banneret_runtime::hosts::scripted::{Said, say};
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::{Answer, Ask};
use proptest::prelude::*;

use crate::common::Asm;

pub type Spreads = BTreeMap<(u32, String), Fraction>;

pub fn started(pack: &Loaded, frag: FragId) -> Machine {
    let limits = Limits { steps: 5_000, ..Limits::default() };
    let mut machine = Machine::new(pack, 2, limits).unwrap();
    machine.start_fragment(pack, frag, &[]).unwrap();
    machine
}

/// Every roll in every order. None: some way faults, or there are too many.
pub fn by_trying(pack: &Loaded, machine: &mut Machine, chance: Fraction, found: &mut Spreads, left: &mut u32) -> Option<()> {
    *left = left.checked_sub(1)?;
    match machine.run(pack) {
        Step::Fault(_) => None,
        Step::Done(_) => {
            let mut last: BTreeMap<(u32, String), u32> = BTreeMap::new();
            for (site, value) in &machine.measured {
                *last.entry((site.0, format!("{value:?}"))).or_default() += 1;
            }
            for (what, times) in last {
                for _ in 0..times {
                    let sum = found.entry(what.clone()).or_insert(Fraction::zero());
                    *sum = sum.plus(&chance);
                }
            }
            Some(())
        }
        Step::Asked(question) => match question.ask {
            Ask::Roll { dice, .. } => {
                let (sides, all) = (dice.sides as i64, (dice.sides as i64).pow(dice.count));
                for n in 0..all {
                    let faces = (0..dice.count).map(|i| n / sides.pow(i) % sides + 1).collect();
                    let mut copy = machine.clone();
                    copy.answer(pack, Answer::Faces(faces)).unwrap();
                    by_trying(pack, &mut copy, chance.times(&Fraction::new(1, all as u128)), found, left)?;
                }
                Some(())
            }
            _ => {
                let Said::Answer(answer) = say(machine, pack, &question) else { return None };
                machine.answer(pack, answer).unwrap();
                by_trying(pack, machine, chance, found, left)
            }
        },
    }
}

/// The odds, which are those of trying everything.
pub fn agreed(mut asm: Asm, code: Vec<Instr>) -> Exact {
    let frag = asm.code(0, code);
    let pack = asm.load();
    let mut expected = Spreads::new();
    by_trying(&pack, &mut started(&pack, frag), Fraction::one(), &mut expected, &mut 3_000).expect("no way faults");
    let exact = odds(started(&pack, frag), &pack, 10_000).unwrap();
    assert_eq!(spreads(&exact), expected);
    exact
}

pub fn spreads(exact: &Exact) -> Spreads {
    let each = exact.spreads.iter().flat_map(|(site, all)| all.iter().map(|(v, c)| ((site.0, format!("{v:?}")), c.clone())));
    each.collect()
}

/// The same for random programs: those that fault, or have too many ways, are let pass.
pub fn agrees(pack: &Loaded, frag: FragId) -> Result<(), TestCaseError> {
    let mut expected = Spreads::new();
    if by_trying(pack, &mut started(pack, frag), Fraction::one(), &mut expected, &mut 3_000).is_some() {
        let exact = odds(started(pack, frag), pack, 50_000).unwrap();
        prop_assert_eq!(spreads(&exact), expected);
    }
    Ok(())
}

/// More of them with `PROPTEST_CASES`.
pub fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}
