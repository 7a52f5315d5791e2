//! Comparing exact odds with what a test says they are.

use crate::hosts::exact::{Chance, Outgrown};
use crate::loaded::Loaded;
use crate::num;
use crate::pack::{Expected, Measure};
use crate::value::Value;
use crate::world::World;

/// Err: what was expected and what came out, in words.
pub(super) fn check(pack: &Loaded, measure: &Measure, spread: &[(Value, Chance)]) -> Result<(), (String, String)> {
    let nowhere = World::default();
    let show = |v: &Value| crate::describe::value(pack, &nowhere, v);
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
                let wanted = num::parts(expected).map(|(n, d)| (n < 0, Chance::new(n.unsigned_abs(), d.unsigned_abs())));
                let actual = format!("{}{size}", if negative { "-" } else { "" });
                if wanted == Some((negative, size)) { Ok(()) } else { Err((show(expected), actual)) }
            }
            Ok(None) => Err((show(expected), "something that is not a number".to_owned())),
            Err(Outgrown) => Err((show(expected), "a fraction that outgrew 128 bits".to_owned())),
        },
        Expected::Spread(expected) => {
            let listed = expected.iter().all(|(value, chance)| {
                let actual = spread.iter().find(|(v, _)| num::same(v, value)).map_or(Chance::ZERO, |(_, c)| *c);
                as_chance(chance) == Some(actual)
            });
            let complete = spread.iter().all(|(v, _)| expected.iter().any(|(value, _)| num::same(v, value)));
            if listed && complete {
                return Ok(());
            }
            let wanted: Vec<String> = expected.iter().map(|(v, c)| format!("{}: {}", show(v), show(c))).collect();
            let mut sorted: Vec<&(Value, Chance)> = spread.iter().collect();
            sorted.sort_by(|a, b| num::compare(&a.0, &b.0).unwrap_or(std::cmp::Ordering::Equal));
            let actual: Vec<String> = sorted.iter().map(|(v, c)| format!("{}: {c}", show(v))).collect();
            Err((format!("[{}]", wanted.join(", ")), format!("[{}]", actual.join(", "))))
        }
    }
}

fn as_chance(v: &Value) -> Option<Chance> {
    match num::parts(v)? {
        (n, d) if n >= 0 && d > 0 => Some(Chance::new(n.unsigned_abs(), d.unsigned_abs())),
        _ => None,
    }
}

/// Sign and size. None: not numbers.
fn mean(spread: &[(Value, Chance)]) -> Result<Option<(bool, Chance)>, Outgrown> {
    let (mut above, mut below) = (Chance::ZERO, Chance::ZERO);
    for (value, chance) in spread {
        let value = if let Value::Bool(b) = value { Value::Int(*b as i64) } else { value.clone() };
        let Some((n, d)) = num::parts(&value) else {
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
