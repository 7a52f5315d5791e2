//! Comparing exact odds with what a test says they are.

use std::cmp::Ordering;

use banneret_runtime::describe;
use banneret_runtime::fault::{Fault, FaultKind};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::{Expected, Measure, Test};
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use crate::{DEFAULT_STATES, Fraction, mean, odds_while};

/// Judges a test by its exact odds, for [`banneret_runtime::testing::run_test`]. Ok: how many states were looked at.
pub fn judge(pack: &Loaded, test: &Test, machine: Machine) -> Result<usize, Fault> {
    judge_while(pack, test, machine, &|| true)
}

/// The same, as long as somebody wants to know.
pub fn judge_while(pack: &Loaded, test: &Test, machine: Machine, go_on: &dyn Fn() -> bool) -> Result<usize, Fault> {
    let exact = odds_while(machine, pack, DEFAULT_STATES, go_on)?;
    for measure in &test.measures {
        if let Err((expected, actual)) = check(pack, measure, exact.spread(measure.site)) {
            let words = format!("not as expected: {}", pack.site_words(measure.site));
            return Err(Fault { site: Some(measure.site), sides: Some((actual, expected)), ..Fault::new(FaultKind::Expectation, words) });
        }
    }
    Ok(exact.states)
}

/// Err: what was expected and what came out, in words.
fn check(pack: &Loaded, measure: &Measure, spread: &[(Value, Fraction)]) -> Result<(), (String, String)> {
    let nowhere = World::default();
    let show = |v: &Value| describe::value(pack, &nowhere, v);
    if spread.is_empty() {
        return Err((String::new(), "this was never measured".to_owned()));
    }
    match &measure.expect {
        Expected::Odds(expected) => {
            let holds = spread.iter().find(|(v, _)| *v == Value::Bool(true)).map_or_else(Fraction::zero, |(_, c)| c.clone());
            if Fraction::of_value(expected).as_ref() == Some(&holds) { Ok(()) } else { Err((show(expected), holds.to_string())) }
        }
        Expected::Mean(expected) => match mean(spread) {
            Some(mean) if Fraction::of_value(expected).as_ref() == Some(&mean) => Ok(()),
            Some(mean) => Err((show(expected), mean.to_string())),
            None => Err((show(expected), "something that is not a number".to_owned())),
        },
        Expected::Spread(expected) => {
            let listed = expected.iter().all(|(value, chance)| {
                let actual = spread.iter().find(|(v, _)| v.is_same(value)).map_or_else(Fraction::zero, |(_, c)| c.clone());
                Fraction::of_value(chance) == Some(actual)
            });
            let complete = spread.iter().all(|(v, _)| expected.iter().any(|(value, _)| v.is_same(value)));
            if listed && complete {
                return Ok(());
            }
            let wanted: Vec<String> = expected.iter().map(|(v, c)| format!("{}: {}", show(v), show(c))).collect();
            let mut sorted: Vec<&(Value, Fraction)> = spread.iter().collect();
            sorted.sort_by(|a, b| a.0.order(&b.0).unwrap_or(Ordering::Equal));
            let actual: Vec<String> = sorted.iter().map(|(v, c)| format!("{}: {c}", show(v))).collect();
            Err((format!("[{}]", wanted.join(", ")), format!("[{}]", actual.join(", "))))
        }
    }
}
