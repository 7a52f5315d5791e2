//! Values known when a card is built: what a card may print.

use std::sync::Arc;

use banneret_runtime::bytecode::Fun;
use banneret_runtime::value::{Dice, Place, Ratio, Value};

use super::unit::Unit;
use crate::hir::{Compare, Expr, ExprKind, Rounding};

/// How deep values may stand in values. A pack with deeper ones could be written, but whoever reads it refuses it.
const DEEPEST: u32 = 30;

/// A value if it is not nested too deeply to be a constant.
fn flat_enough(value: Value) -> Option<Value> {
    fn depth(value: &Value) -> u32 {
        match value {
            Value::List(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
            Value::Pair(pair) => 1 + pair.iter().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }
    (depth(&value) <= DEEPEST).then_some(value)
}

/// The value of a constant expression, with ids of the item's own tables; None if it is not constant.
pub(super) fn fold(unit: &mut Unit, expr: &Expr) -> Option<Value> {
    let both = |unit: &mut Unit, a: &Expr, b: &Expr| Some((fold(unit, a)?, fold(unit, b)?));
    Some(match &expr.kind {
        ExprKind::None => Value::None,
        ExprKind::Bool(v) => Value::Bool(*v),
        ExprKind::Int(v) => Value::Int(*v),
        ExprKind::Ratio(num, den) => ratio(i128::from(*num), i128::from(*den), false)?,
        ExprKind::Text(text) => Value::Text(unit.str(text)),
        ExprKind::Dice { count, sides, plus } => {
            Value::Dice(Dice { count: u32::try_from(*count).ok()?, sides: u32::try_from(*sides).ok()?, plus: i32::try_from(*plus).ok()? })
        }
        ExprKind::Member(of, name) => Value::Sym(unit.sym(of, name)),
        ExprKind::Keyword(key) => Value::Keyword(unit.keyword(key)),
        ExprKind::Card(key) => Value::Card(unit.card(key)),
        ExprKind::InPlay => Value::InPlay,
        ExprKind::List(list) => {
            let values: Option<Vec<Value>> = list.iter().map(|one| fold(unit, one)).collect();
            flat_enough(Value::List(Arc::from(values?)))?
        }
        ExprKind::Pair(a, b) => {
            let (a, b) = both(unit, a, b)?;
            flat_enough(Value::Pair(Arc::new([a, b])))?
        }
        ExprKind::Cost { amount, resource } => {
            let Value::Int(amount) = fold(unit, amount)? else { return None };
            Value::Cost(Arc::from([(unit.field(resource), amount)]))
        }
        ExprKind::Neg(a) => negated(fold(unit, a)?)?,
        ExprKind::Not(a) => match fold(unit, a)? {
            Value::Bool(v) => Value::Bool(!v),
            _ => return None,
        },
        ExprKind::Add(a, b) => {
            let (a, b) = both(unit, a, b)?;
            sum(a, b)?
        }
        ExprKind::Sub(a, b) => {
            let (a, b) = both(unit, a, b)?;
            sum(a, negated(b)?)?
        }
        ExprKind::Mul(a, b) => {
            let (a, b) = both(unit, a, b)?;
            product(a, b)?
        }
        ExprKind::Div(a, b, how) => {
            let ((an, ad), (bn, bd)) = {
                let (a, b) = both(unit, a, b)?;
                (parts(&a)?, parts(&b)?)
            };
            quotient(an.checked_mul(bd)?, ad.checked_mul(bn)?, *how)?
        }
        ExprKind::Mod(a, b) => match both(unit, a, b)? {
            (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_rem_euclid(b)?),
            _ => return None,
        },
        ExprKind::Compare(how, a, b) => {
            let (a, b) = both(unit, a, b)?;
            compare(*how, &a, &b)?
        }
        ExprKind::Fun(fun, args) => {
            let args: Option<Vec<Value>> = args.iter().map(|arg| fold(unit, arg)).collect();
            function(*fun, &args?)?
        }
        _ => return None,
    })
}

/// Functions that cards print: places, pairs, dice and prices.
fn function(fun: Fun, args: &[Value]) -> Option<Value> {
    Some(match (fun, args) {
        (Fun::MakePlace, [Value::Int(x), Value::Int(y)]) => Value::Place(Place { x: i32::try_from(*x).ok()?, y: i32::try_from(*y).ok()? }),
        (Fun::MakePair, [a, b]) => Value::Pair(Arc::new([a.clone(), b.clone()])),
        (Fun::DicePlus | Fun::CostPlus, [a, b]) => sum(a.clone(), b.clone())?,
        (Fun::DiceTimes, [n, dice]) => product(dice.clone(), n.clone())?,
        (Fun::CostTimes, [Value::Int(n), Value::Cost(cost)]) => {
            let times: Option<Vec<_>> = cost.iter().map(|(field, one)| Some((*field, one.checked_mul(*n)?))).collect();
            Value::Cost(Arc::from(times?))
        }
        (Fun::Min, [Value::Int(a), Value::Int(b)]) => Value::Int(*a.min(b)),
        (Fun::Max, [Value::Int(a), Value::Int(b)]) => Value::Int(*a.max(b)),
        (Fun::Numbers, [Value::Int(low), Value::Int(high)]) if high.checked_sub(*low)? < 1000 => {
            Value::List((*low..=*high).map(Value::Int).collect())
        }
        _ => return None,
    })
}

/// A number as a fraction.
fn parts(value: &Value) -> Option<(i128, i128)> {
    match value {
        Value::Int(v) => Some((i128::from(*v), 1)),
        Value::Ratio(r) => Some((i128::from(r.num), i128::from(r.den))),
        _ => None,
    }
}

/// In lowest terms; a whole one is an Int if `whole`.
fn ratio(num: i128, den: i128, whole: bool) -> Option<Value> {
    if den == 0 {
        return None;
    }
    let (mut a, mut b) = (num.unsigned_abs(), den.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let by = i128::try_from(a.max(1)).ok()? * if den < 0 { -1 } else { 1 };
    let num = i64::try_from(num / by).ok()?;
    let den = i64::try_from(den / by).ok()?;
    Some(if whole && den == 1 { Value::Int(num) } else { Value::Ratio(Ratio { num, den }) })
}

fn negated(value: Value) -> Option<Value> {
    Some(match value {
        Value::Int(v) => Value::Int(v.checked_neg()?),
        Value::Ratio(r) => Value::Ratio(Ratio { num: r.num.checked_neg()?, den: r.den }),
        Value::Pair(pair) => {
            let [a, b] = pair.as_ref().clone();
            Value::Pair(Arc::new([negated(a)?, negated(b)?]))
        }
        _ => return None,
    })
}

fn sum(a: Value, b: Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_add(b)?),
        (Value::Dice(d), Value::Int(n)) | (Value::Int(n), Value::Dice(d)) => {
            Value::Dice(Dice { plus: d.plus.checked_add(i32::try_from(n).ok()?)?, ..d })
        }
        (Value::Pair(a), Value::Pair(b)) => {
            let ([ax, ay], [bx, by]) = (a.as_ref().clone(), b.as_ref().clone());
            Value::Pair(Arc::new([sum(ax, bx)?, sum(ay, by)?]))
        }
        (Value::Cost(a), Value::Cost(b)) => {
            let mut all = a.to_vec();
            for (field, amount) in b.iter() {
                match all.iter_mut().find(|(has, _)| has == field) {
                    Some((_, have)) => *have = have.checked_add(*amount)?,
                    None => all.push((*field, *amount)),
                }
            }
            Value::Cost(Arc::from(all))
        }
        (a, b) => {
            let ((an, ad), (bn, bd)) = (parts(&a)?, parts(&b)?);
            let num = an.checked_mul(bd)?.checked_add(bn.checked_mul(ad)?)?;
            ratio(num, ad.checked_mul(bd)?, true)?
        }
    })
}

fn product(a: Value, b: Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Dice(d), Value::Int(n)) | (Value::Int(n), Value::Dice(d)) => {
            let n32 = u32::try_from(n).ok()?;
            let plus = i64::from(d.plus).checked_mul(n)?;
            Value::Dice(Dice { count: d.count.checked_mul(n32)?, sides: d.sides, plus: i32::try_from(plus).ok()? })
        }
        (Value::Pair(pair), Value::Int(n)) | (Value::Int(n), Value::Pair(pair)) => {
            let [x, y] = pair.as_ref().clone();
            Value::Pair(Arc::new([product(x, Value::Int(n))?, product(y, Value::Int(n))?]))
        }
        (a, b) => {
            let ((an, ad), (bn, bd)) = (parts(&a)?, parts(&b)?);
            ratio(an.checked_mul(bn)?, ad.checked_mul(bd)?, true)?
        }
    })
}

fn quotient(num: i128, den: i128, how: Rounding) -> Option<Value> {
    if den == 0 {
        return None;
    }
    let (num, den) = if den < 0 { (-num, -den) } else { (num, den) };
    let down = num.div_euclid(den);
    let whole = match how {
        Rounding::Exact => return ratio(num, den, true),
        Rounding::Down => down,
        Rounding::Up => -(-num).div_euclid(den),
        // Halves go up, as players round.
        Rounding::Nearest => (num.checked_mul(2)?.checked_add(den)?).div_euclid(den.checked_mul(2)?),
    };
    Some(Value::Int(i64::try_from(whole).ok()?))
}

fn compare(how: Compare, a: &Value, b: &Value) -> Option<Value> {
    let order = || {
        let ((an, ad), (bn, bd)) = (parts(a)?, parts(b)?);
        Some(an.checked_mul(bd)?.cmp(&bn.checked_mul(ad)?))
    };
    Some(Value::Bool(match how {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => order()?.is_lt(),
        Compare::Le => order()?.is_le(),
        Compare::Gt => order()?.is_gt(),
        Compare::Ge => order()?.is_ge(),
    }))
}
