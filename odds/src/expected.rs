//! Comparing exact odds with what a test says they are.

use std::cmp::Ordering;

use banneret_runtime::describe;
use banneret_runtime::fault::{Fault, FaultKind};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::{Expected, Measure, Test};
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use crate::{Chance, DEFAULT_STATES, Outgrown, odds, outgrown};

/// Judges a test by its exact odds, for [`banneret_runtime::testing::run_test`]. Ok: how many states were looked at.
pub fn judge(pack: &Loaded, test: &Test, machine: Machine) -> Result<usize, Fault> {
    let exact = odds(machine, pack, DEFAULT_STATES)?;
    if exact.rounded {
        // A test says what is, not what is nearly.
        return Err(outgrown());
    }
    for measure in &test.measures {
        if let Err((expected, actual)) = check(pack, measure, exact.spread(measure.site)) {
            let words = format!("not as expected: {}", pack.site_words(measure.site));
            return Err(Fault { site: Some(measure.site), sides: Some((actual, expected)), ..Fault::new(FaultKind::Expectation, words) });
        }
    }
    Ok(exact.states)
}

/// Err: what was expected and what came out, in words.
fn check(pack: &Loaded, measure: &Measure, spread: &[(Value, Chance)]) -> Result<(), (String, String)> {
    let nowhere = World::default();
    let show = |v: &Value| describe::value(pack, &nowhere, v);
    if spread.is_empty() {
        return Err((String::new(), "this was never measured".to_owned()));
    }
    match &measure.expect {
        Expected::Odds(expected) => {
            let holds = spread.iter().find(|(v, _)| *v == Value::Bool(true)).map_or(Chance::ZERO, |(_, c)| *c);
            if as_chance(expected) == Some(holds) { Ok(()) } else { Err((show(expected), holds.to_string())) }
        }
        Expected::Mean(expected) => match mean(spread) {
            Ok(Some((negative, size))) => {
                let wanted = expected.parts().map(|(n, d)| (n < 0, Chance::new(n.unsigned_abs(), d.unsigned_abs())));
                let actual = format!("{}{size}", if negative { "-" } else { "" });
                if wanted == Some((negative, size)) { Ok(()) } else { Err((show(expected), actual)) }
            }
            Ok(None) => Err((show(expected), "something that is not a number".to_owned())),
            Err(Outgrown) => Err((show(expected), "a fraction that outgrew 128 bits".to_owned())),
        },
        Expected::Spread(expected) => {
            let listed = expected.iter().all(|(value, chance)| {
                let actual = spread.iter().find(|(v, _)| v.is_same(value)).map_or(Chance::ZERO, |(_, c)| *c);
                as_chance(chance) == Some(actual)
            });
            let complete = spread.iter().all(|(v, _)| expected.iter().any(|(value, _)| v.is_same(value)));
            if listed && complete {
                return Ok(());
            }
            let wanted: Vec<String> = expected.iter().map(|(v, c)| format!("{}: {}", show(v), show(c))).collect();
            let mut sorted: Vec<&(Value, Chance)> = spread.iter().collect();
            sorted.sort_by(|a, b| a.0.order(&b.0).unwrap_or(Ordering::Equal));
            let actual: Vec<String> = sorted.iter().map(|(v, c)| format!("{}: {c}", show(v))).collect();
            Err((format!("[{}]", wanted.join(", ")), format!("[{}]", actual.join(", "))))
        }
    }
}

fn as_chance(v: &Value) -> Option<Chance> {
    match v.parts()? {
        (n, d) if n >= 0 && d > 0 => Some(Chance::new(n.unsigned_abs(), d.unsigned_abs())),
        _ => None,
    }
}

/// Sign and size. None: not numbers.
fn mean(spread: &[(Value, Chance)]) -> Result<Option<(bool, Chance)>, Outgrown> {
    let (mut above, mut below) = (Chance::ZERO, Chance::ZERO);
    for (value, chance) in spread {
        let value = if let Value::Bool(b) = value { Value::Int(*b as i64) } else { value.clone() };
        let Some((n, d)) = value.parts() else {
            return Ok(None);
        };
        let part = Chance::new(n.unsigned_abs(), d.unsigned_abs()).times(*chance)?;
        if n < 0 {
            below = below.plus(part)?;
        } else {
            above = above.plus(part)?;
        }
    }
    // Above minus below, over a common denominator.
    let common = above.den.checked_mul(below.den).ok_or(Outgrown)?;
    let a = above.num.checked_mul(below.den).ok_or(Outgrown)?;
    let b = below.num.checked_mul(above.den).ok_or(Outgrown)?;
    Ok(Some((a < b, Chance::new(a.abs_diff(b), common))))
}
