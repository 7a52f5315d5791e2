//! Rhai, with dice from the host: it has none of its own.

use std::cell::RefCell;
use std::rc::Rc;

use banneret_runtime::hosts::seeded::Generator;
use rhai::{Engine, Scope};

use crate::machine::attack::Attack;
use crate::machine::clock;

const PROGRAM: &str = "
fn attacks(times, dice, hit, wound, save) {
    let total = 0;
    for i in 0..times {
        for j in 0..dice {
            if die() >= hit { if die() >= wound { if die() < save { total += 1; } } }
        }
    }
    total
}
";

pub fn attack(a: &Attack, attacks: u64) -> Result<f64, String> {
    let mut engine = Engine::new();
    engine.set_max_operations(0);
    let dice = Rc::new(RefCell::new(Generator::new(1)));
    engine.register_fn("die", move || dice.borrow_mut().die(6));
    let program = engine.compile(PROGRAM).map_err(|e| e.to_string())?;
    let once = || engine.call_fn::<i64>(&mut Scope::new(), &program, "attacks", (attacks as i64, a.dice, a.hit, a.wound, a.save));
    once().map_err(|e| e.to_string())?;
    Ok(clock::best(once) / attacks as f64)
}
