//! (a) An attack of eight dice again and again: sixteen rolls on the average, and nothing but dice and numbers.

use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::value::Value;

use super::{Told, clock, peers, percent, program, time};
use crate::table::Table;

/// So many attacks in one call.
const ATTACKS: u64 = 100;

pub struct Attack {
    pub dice: i64,
    pub hit: i64,
    pub wound: i64,
    pub save: i64,
}

const ATTACK: Attack = Attack { dice: 8, hit: 3, wound: 4, save: 5 };

pub fn run(table: &mut Table) -> Told {
    let pack = program::compiled("attack", include_str!("../../rules/attack/attack.banner"))?;
    let mut dice = Generator::new(1);
    let native = clock::best(|| natively(&mut dice, ATTACKS)) / ATTACKS as f64;
    table.row("attack, native Rust", time(native), "itself", percent(native, native));
    let mut total = 0;
    for (name, action) in [("attack, die by die", "attacks"), ("attack, in handfuls", "handfuls")] {
        let mut machine = program::world(&pack)?;
        let mut dice = Generator::new(1);
        let first = in_machine(&pack, &mut machine, action, &mut dice)?;
        if action == "attacks" {
            // The same dice in the same order: the same attack, or it would not be a comparison.
            let same = natively(&mut Generator::new(1), ATTACKS);
            if first != same {
                return Err(format!("the machine comes to {first}, native code to {same}"));
            }
        }
        let one = clock::best(|| total += in_machine(&pack, &mut machine, action, &mut dice).unwrap_or(0)) / ATTACKS as f64;
        let aim = if action == "attacks" { "native Rust; aim 40%" } else { "native Rust; aim 70%" };
        table.row(name, time(one), aim, percent(native, one));
    }
    std::hint::black_box(total);
    for (name, one) in peers::attacks(&ATTACK, ATTACKS) {
        let one = one?;
        table.row(&format!("attack, {name}"), time(one), "native Rust", percent(native, one));
    }
    Ok(())
}

fn natively(dice: &mut Generator, attacks: u64) -> i64 {
    let a = std::hint::black_box(ATTACK);
    let mut total = 0;
    for _ in 0..attacks {
        for _ in 0..a.dice {
            if dice.die(6) >= a.hit && dice.die(6) >= a.wound && dice.die(6) < a.save {
                total += 1;
            }
        }
    }
    total
}

fn in_machine(pack: &Loaded, machine: &mut Machine, action: &str, dice: &mut Generator) -> Result<i64, String> {
    let Attack { dice: n, hit, wound, save } = ATTACK;
    let args = [ATTACKS as i64, n, hit, wound, save].map(Value::Int);
    machine.start_action(pack, program::action(pack, action)?, &args).map_err(|fault| fault.words)?;
    match run_seeded(machine, pack, dice) {
        Step::Done(Value::Int(total)) => Ok(total),
        other => Err(format!("`{action}` ended with {other:?}")),
    }
}
