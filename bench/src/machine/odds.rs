//! (c) Exact odds: the rules themselves, run through all their dice, beside a calculation written for each case.

use banneret_odds::{self as exact, DEFAULT_STATES, Exact};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;

use super::by_hand::{self, Spread};
use super::{Told, clock, program, time, times};
use crate::table::Table;

/// The calculation by hand, and how many nanoseconds are aimed at.
type Case = (&'static str, fn() -> Spread, f64);

const CASES: [Case; 5] =
    [("J1", by_hand::j1, 30e3), ("J2", by_hand::j2, 3e3), ("J3", by_hand::j3, 150e3), ("J4", by_hand::j4, 30e6), ("J5", by_hand::j5, 3e3)];

pub fn run(table: &mut Table) -> Told {
    let pack = program::compiled("odds", include_str!("../../rules/odds/odds.banner"))?;
    for (name, hand, aim) in CASES {
        if let Err(words) = case(&pack, name, hand, aim, table) {
            eprintln!("{name}: {words}");
        }
    }
    Ok(())
}

fn case(pack: &Loaded, name: &str, hand: fn() -> Spread, aim: f64, table: &mut Table) -> Told {
    let test = pack.tests.iter().find(|t| pack.text(t.words) == name).ok_or("there is no such test")?;
    let machine = test_world(pack, test, Limits::default()).map_err(|fault| fault.words)?;
    let exactly = |machine: &Machine| exact::odds(machine.clone(), pack, DEFAULT_STATES);
    let exact = exactly(&machine).map_err(|fault| fault.words)?;
    let found = spread(&exact);
    let expected = hand();
    let near = |(a, p): (&(i64, f64), &(i64, f64))| a.0 == p.0 && (a.1 - p.1).abs() < 1e-12;
    if found.len() != expected.len() || !found.iter().zip(&expected).all(near) {
        return Err(format!("the machine says {found:?}, by hand it is {expected:?}"));
    }
    let by_hand = clock::best(hand);
    let one = clock::best(|| exactly(&machine));
    let states = exact.states;
    table.row(&format!("{name}, exact odds ({states} states)"), time(one), &format!("aim {}", time(aim)), times(one, aim));
    table.row(&format!("{name}, the same"), time(one), &format!("by hand, in floating point: {}", time(by_hand)), times(one, by_hand));
    Ok(())
}

/// What the only measure of the test came to, rising.
fn spread(exact: &Exact) -> Spread {
    let all = exact.spreads.first().map_or(&[][..], |(_, spread)| spread);
    let number = |value: &Value| match value {
        Value::Int(n) => *n,
        Value::Bool(yes) => i64::from(*yes),
        _ => i64::MIN,
    };
    let mut all: Spread = all.iter().map(|(value, chance)| (number(value), chance.approximate())).collect();
    all.sort_by_key(|(value, _)| *value);
    all
}
