//! Arithmetic on values. Exact: whole numbers and fractions, no floats; what does not fit is a fault.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::fault::{FaultKind, Res, fail, wrong};
use crate::ids::FieldId;
use crate::value::{Dice, Ratio, Value};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Down,
    Up,
    /// Halves go up.
    Nearest,
}

pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // Division of 128 bits is slow, and most numbers are small.
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return small_gcd(a, b) as u128;
        }
        (a, b) = (b, a % b);
    }
    a
}

/// By halving and taking away: a division takes longer than a dozen of such steps.
pub(crate) fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 && a != 1 {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
    }
    a << twos
}

#[cold]
fn too_large<T>() -> Res<T> {
    fail(FaultKind::Arithmetic, "a number grew too large")
}

fn small(n: i128) -> Res<i64> {
    match i64::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => too_large(),
    }
}

/// With a denominator above 0.
#[inline]
fn small_fraction(num: i64, den: i64) -> Value {
    if den == 1 || num % den == 0 {
        return Value::Int(num / den);
    }
    match small_gcd(num.unsigned_abs(), den.unsigned_abs()) as i64 {
        1 => Value::Ratio(Ratio { num, den }),
        common => Value::Ratio(Ratio { num: num / common, den: den / common }),
    }
}

/// The value of a fraction: an Int where it comes out even.
pub(crate) fn fraction(num: i128, den: i128) -> Res<Value> {
    if den == 0 {
        return fail(FaultKind::Arithmetic, "division by zero");
    }
    if let (Ok(num), Ok(den)) = (i64::try_from(num), i64::try_from(den))
        && den > 0
    {
        return Ok(small_fraction(num, den));
    }
    let sign = if den < 0 { -1 } else { 1 };
    let common = gcd(num.unsigned_abs(), den.unsigned_abs()) as i128;
    let (num, den) = (sign * num / common, sign * den / common);
    if den == 1 { Ok(Value::Int(small(num)?)) } else { Ok(Value::Ratio(Ratio { num: small(num)?, den: small(den)? })) }
}

/// The same for most numbers, which need no more than 64 bits.
#[inline]
fn small_parts(v: &Value) -> Option<(i64, i64)> {
    match v {
        Value::Int(n) => Some((*n, 1)),
        Value::Ratio(r) if r.den > 0 => Some((r.num, r.den)),
        _ => None,
    }
}

/// The value of top by bottom, if both fit and the bottom is above 0.
#[inline]
fn small_quotient(top: Option<i64>, bottom: Option<i64>) -> Option<Value> {
    Some(small_fraction(top?, bottom.filter(|b| *b > 0)?))
}

fn small_sum(a: &Value, b: &Value, sign: i64) -> Option<Value> {
    let ((n, d), (m, e)) = (small_parts(a)?, small_parts(b)?);
    // Over the least denominator both have, so that most sums fit.
    let common = if d == e { d } else { small_gcd(d.unsigned_abs(), e.unsigned_abs()) as i64 };
    let (more, other) = (e / common, d / common);
    small_quotient(n.checked_mul(more)?.checked_add(m.checked_mul(other)?.checked_mul(sign)?), d.checked_mul(more))
}

fn small_product(a: &Value, b: &Value) -> Option<Value> {
    let ((n, d), (m, e)) = (small_parts(a)?, small_parts(b)?);
    small_quotient(n.checked_mul(m), d.checked_mul(e))
}

fn small_division(a: &Value, b: &Value) -> Option<Value> {
    let ((n, d), (m, e)) = (small_parts(a)?, small_parts(b)?);
    small_quotient(n.checked_mul(e), d.checked_mul(m))
}

/// A number as numerator and denominator. Rolled dice count as their total.
pub(crate) fn parts(v: &Value) -> Option<(i128, i128)> {
    match v {
        Value::Int(n) => Some((*n as i128, 1)),
        Value::Ratio(r) if r.den != 0 => Some((r.num as i128, r.den as i128)),
        Value::List(items) => {
            let mut sum = 0i128;
            for item in items.iter() {
                match item {
                    Value::Int(n) => sum += *n as i128,
                    _ => return None,
                }
            }
            Some((sum, 1))
        }
        _ => None,
    }
}

fn number(v: &Value) -> Res<(i128, i128)> {
    match parts(v) {
        Some(p) => Ok(p),
        None => wrong(format!("a number is needed here, not {}", sort(v))),
    }
}

pub(crate) fn int(v: &Value) -> Res<i64> {
    match v {
        Value::Int(n) => Ok(*n),
        _ => match number(v)? {
            (n, 1) => small(n),
            _ => wrong("a whole number is needed here, not a fraction"),
        },
    }
}

pub(crate) fn truth(v: &Value) -> Res<bool> {
    match v {
        Value::Bool(b) => Ok(*b),
        _ => wrong(format!("a condition must be true or false, not {}", sort(v))),
    }
}

/// What sort of thing a value is, for messages.
pub(crate) fn sort(v: &Value) -> &'static str {
    match v {
        Value::None => "nothing",
        Value::Bool(_) => "true or false",
        Value::Int(_) => "a number",
        Value::Ratio(_) => "a fraction",
        Value::Sym(_) => "a word of an enum",
        Value::Keyword(_) => "a keyword",
        Value::Text(_) => "text",
        Value::Card(_) => "a printed card",
        Value::Obj(_) => "an object",
        Value::Pile(..) => "a pile",
        Value::InPlay => "the table",
        Value::Dice(_) => "dice",
        Value::Place(_) => "a place",
        Value::Pair(_) => "a pair",
        Value::List(_) => "a list",
        Value::Cost(_) => "a cost",
        Value::Code(..) => "an effect",
        Value::Rules(..) => "rules",
        Value::Event(_) => "an event of the past",
    }
}

fn pair(x: Value, y: Value) -> Value {
    Value::Pair(Arc::new([x, y]))
}

pub(crate) fn cost(mut parts: Vec<(FieldId, i64)>) -> Value {
    parts.sort_unstable_by_key(|(f, _)| *f);
    Value::Cost(parts.into())
}

pub(crate) fn add_costs(a: &[(FieldId, i64)], b: &[(FieldId, i64)], sign: i64) -> Res<Value> {
    let mut sum = a.to_vec();
    for (field, n) in b {
        let Some(n) = n.checked_mul(sign) else {
            return too_large();
        };
        match sum.iter_mut().find(|(f, _)| f == field) {
            Some((_, m)) => match m.checked_add(n) {
                Some(s) => *m = s,
                None => return too_large(),
            },
            None => sum.push((*field, n)),
        }
    }
    Ok(cost(sum))
}

pub(crate) fn add(a: &Value, b: &Value) -> Res<Value> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_add(*y) {
            Some(n) => Ok(Value::Int(n)),
            None => too_large(),
        },
        (Value::Pair(p), Value::Pair(q)) => Ok(pair(add(&p[0], &q[0])?, add(&p[1], &q[1])?)),
        (Value::Dice(d), Value::Int(_)) => dice_plus(*d, int(b)?),
        (Value::Int(n), Value::Dice(d)) => dice_plus(*d, *n),
        (Value::Dice(d), Value::Dice(e)) if d.sides == e.sides => match (d.count.checked_add(e.count), d.plus.checked_add(e.plus)) {
            (Some(count), Some(plus)) => Ok(Value::Dice(Dice { count, sides: d.sides, plus })),
            _ => too_large(),
        },
        (Value::Cost(x), Value::Cost(y)) => add_costs(x, y, 1),
        // A modifier may add to a set; a rolled pool is a number.
        (Value::List(x), Value::List(y)) if parts(a).is_none() || parts(b).is_none() => {
            let mut all = x.to_vec();
            all.extend(y.iter().filter(|v| !x.contains(v)).cloned());
            Ok(Value::List(all.into()))
        }
        (Value::List(x), y) if parts(y).is_none() => {
            if x.contains(y) {
                return Ok(a.clone());
            }
            let mut all = x.to_vec();
            all.push(y.clone());
            Ok(Value::List(all.into()))
        }
        _ => {
            if let Some(sum) = small_sum(a, b, 1) {
                return Ok(sum);
            }
            let ((n, d), (m, e)) = (number(a)?, number(b)?);
            sum_of(n, d, m, e)
        }
    }
}

fn sum_of(n: i128, d: i128, m: i128, e: i128) -> Res<Value> {
    // Numerators and denominators are 64 bit: the products fit.
    match (n * e).checked_add(m * d) {
        Some(s) => fraction(s, d * e),
        None => too_large(),
    }
}

fn dice_plus(d: Dice, n: i64) -> Res<Value> {
    match i32::try_from(n).ok().and_then(|n| d.plus.checked_add(n)) {
        Some(plus) => Ok(Value::Dice(Dice { plus, ..d })),
        None => too_large(),
    }
}

pub(crate) fn sub(a: &Value, b: &Value) -> Res<Value> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_sub(*y) {
            Some(n) => Ok(Value::Int(n)),
            None => too_large(),
        },
        (Value::Pair(p), Value::Pair(q)) => Ok(pair(sub(&p[0], &q[0])?, sub(&p[1], &q[1])?)),
        (Value::Dice(d), Value::Int(n)) => match n.checked_neg() {
            Some(n) => dice_plus(*d, n),
            None => too_large(),
        },
        (Value::Cost(x), Value::Cost(y)) => add_costs(x, y, -1),
        (Value::List(x), Value::List(y)) if parts(a).is_none() || parts(b).is_none() => {
            Ok(Value::List(x.iter().filter(|v| !y.contains(v)).cloned().collect()))
        }
        (Value::List(x), y) if parts(y).is_none() => Ok(Value::List(x.iter().filter(|v| *v != y).cloned().collect())),
        _ => {
            if let Some(sum) = small_sum(a, b, -1) {
                return Ok(sum);
            }
            let ((n, d), (m, e)) = (number(a)?, number(b)?);
            sum_of(n, d, -m, e)
        }
    }
}

pub(crate) fn mul(a: &Value, b: &Value) -> Res<Value> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_mul(*y) {
            Some(n) => Ok(Value::Int(n)),
            None => too_large(),
        },
        (Value::Pair(p), _) => Ok(pair(mul(&p[0], b)?, mul(&p[1], b)?)),
        (_, Value::Pair(p)) => Ok(pair(mul(a, &p[0])?, mul(a, &p[1])?)),
        (Value::Dice(d), n) | (n, Value::Dice(d)) => dice_times(*d, int(n)?),
        (Value::Cost(c), n) | (n, Value::Cost(c)) => cost_times(c, int(n)?),
        _ => {
            if let Some(product) = small_product(a, b) {
                return Ok(product);
            }
            let ((n, d), (m, e)) = (number(a)?, number(b)?);
            match n.checked_mul(m) {
                Some(top) => fraction(top, d * e),
                None => too_large(),
            }
        }
    }
}

pub(crate) fn dice_times(d: Dice, n: i64) -> Res<Value> {
    let count = u32::try_from(n.max(0)).ok().and_then(|n| d.count.checked_mul(n));
    let plus = i32::try_from(n.max(0)).ok().and_then(|n| d.plus.checked_mul(n));
    match (count, plus) {
        (Some(count), Some(plus)) => Ok(Value::Dice(Dice { count, sides: d.sides, plus })),
        _ => too_large(),
    }
}

pub(crate) fn cost_times(c: &[(FieldId, i64)], n: i64) -> Res<Value> {
    let mut all = Vec::with_capacity(c.len());
    for (field, m) in c {
        match m.checked_mul(n) {
            Some(p) => all.push((*field, p)),
            None => return too_large(),
        }
    }
    Ok(cost(all))
}

pub(crate) fn div(a: &Value, b: &Value) -> Res<Value> {
    if let Value::Pair(p) = a {
        return Ok(pair(div(&p[0], b)?, div(&p[1], b)?));
    }
    if let (Value::Int(n), Value::Int(m)) = (a, b)
        && *m > 0
    {
        return Ok(small_fraction(*n, *m));
    }
    if let Some(quotient) = small_division(a, b) {
        return Ok(quotient);
    }
    let ((n, d), (m, e)) = (number(a)?, number(b)?);
    match n.checked_mul(e) {
        Some(top) => fraction(top, d * m),
        None => too_large(),
    }
}

pub(crate) fn div_rounded(a: &Value, b: &Value, how: Rounding) -> Res<Value> {
    match (a, b) {
        (Value::Pair(p), _) => return Ok(pair(div_rounded(&p[0], b, how)?, div_rounded(&p[1], b, how)?)),
        (Value::Int(n), Value::Int(d)) if *d > 0 && how != Rounding::Nearest => {
            // Whole numbers need no fraction on the way; -n does not fit for the very least one only.
            let whole = match how {
                Rounding::Down => Some(n.div_euclid(*d)),
                _ => n.checked_neg().map(|n| -n.div_euclid(*d)),
            };
            if let Some(whole) = whole {
                return Ok(Value::Int(whole));
            }
        }
        _ => {}
    }
    round(&div(a, b)?, how)
}

pub(crate) fn round(v: &Value, how: Rounding) -> Res<Value> {
    if let Value::Int(_) = v {
        return Ok(v.clone());
    }
    let (n, d) = number(v)?;
    let whole = match how {
        Rounding::Down => n.div_euclid(d),
        Rounding::Up => -((-n).div_euclid(d)),
        Rounding::Nearest => (2 * n + d).div_euclid(2 * d),
    };
    Ok(Value::Int(small(whole)?))
}

pub(crate) fn modulo(a: &Value, b: &Value) -> Res<Value> {
    let (x, y) = (int(a)?, int(b)?);
    match (x as i128).checked_rem_euclid(y as i128) {
        Some(n) => Ok(Value::Int(small(n)?)),
        None => fail(FaultKind::Arithmetic, "division by zero"),
    }
}

pub(crate) fn negated(a: &Value) -> Res<Value> {
    match a {
        Value::Pair(p) => Ok(pair(negated(&p[0])?, negated(&p[1])?)),
        _ => {
            let (n, d) = number(a)?;
            fraction(-n, d)
        }
    }
}

/// Numbers by size, pairs by their halves, words of an enum in the order they were declared.
pub(crate) fn compare(a: &Value, b: &Value) -> Res<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(x.cmp(y)),
        (Value::Sym(x), Value::Sym(y)) => Ok(x.cmp(y)),
        (Value::Bool(x), Value::Bool(y)) => Ok(x.cmp(y)),
        (Value::Text(x), Value::Text(y)) => Ok(x.cmp(y)),
        (Value::Obj(x), Value::Obj(y)) => Ok(x.cmp(y)),
        (Value::Card(x), Value::Card(y)) => Ok(x.cmp(y)),
        (Value::Place(x), Value::Place(y)) => Ok(x.cmp(y)),
        (Value::Pair(p), Value::Pair(q)) => Ok(compare(&p[0], &q[0])?.then(compare(&p[1], &q[1])?)),
        _ => {
            let ((n, d), (m, e)) = (number(a)?, number(b)?);
            match (n.checked_mul(e), m.checked_mul(d)) {
                (Some(x), Some(y)) => Ok(x.cmp(&y)),
                _ => too_large(),
            }
        }
    }
}

/// Equality as the language has it: the order of a set does not matter, and rolled dice equal their total.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    if a == b {
        return true;
    }
    match (a, b) {
        (Value::List(x), Value::List(y)) => {
            if x.len() != y.len() {
                return false;
            }
            let mut left: Vec<&Value> = y.iter().collect();
            x.iter().all(|v| match left.iter().position(|w| *w == v) {
                Some(i) => {
                    left.swap_remove(i);
                    true
                }
                None => false,
            })
        }
        (Value::List(_), Value::Int(_)) | (Value::Int(_), Value::List(_)) => parts(a).is_some() && parts(a) == parts(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_common_divisor() {
        for a in (0..50).chain([360, 1 << 40, u64::MAX]) {
            for b in (0..50).chain([84, 3 << 38, u64::MAX - 1]) {
                let (mut x, mut y) = (a, b);
                while y != 0 {
                    (x, y) = (y, x % y);
                }
                assert_eq!(small_gcd(a, b), x, "{a} {b}");
            }
        }
    }

    #[test]
    fn fractions_are_in_their_lowest_terms() {
        let of = |num, den| fraction(num, den).ok();
        let ratio = |num, den| Some(Value::Ratio(Ratio { num, den }));
        assert_eq!(of(6, 3), Some(Value::Int(2)));
        assert_eq!(of(-6, 4), ratio(-3, 2));
        assert_eq!(of(6, -4), ratio(-3, 2));
        assert_eq!(of(0, 7), Some(Value::Int(0)));
        assert_eq!(of(i64::MIN as i128, 3), ratio(i64::MIN, 3));
        assert_eq!(of(1, 0), None);
    }
}
