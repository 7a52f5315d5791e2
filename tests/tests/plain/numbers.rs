//! Whole numbers, lists of them that count as their sum, and dice.

use banneret_runtime::bytecode::ModOp;
use banneret_runtime::value::{Dice, Value};

pub fn int(v: &Value) -> i64 {
    match v {
        Value::Int(n) => *n,
        Value::List(items) => items.iter().map(int).sum(),
        other => panic!("{other:?} is no number"),
    }
}

pub fn truth(v: &Value) -> bool {
    matches!(v, Value::Bool(true)) || (!matches!(v, Value::Bool(false)) && panic!("{v:?} is no condition"))
}

pub fn items(v: &Value) -> Vec<Value> {
    match v {
        Value::List(items) => items.to_vec(),
        Value::None => Vec::new(),
        other => vec![other.clone()],
    }
}

pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::List(items.into_iter().collect())
}

pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(x), Value::List(y)) => {
            let count = |list: &[Value], v: &Value| list.iter().filter(|w| *w == v).count();
            x.len() == y.len() && x.iter().all(|v| count(x, v) == count(y, v))
        }
        (Value::List(_), Value::Int(_)) | (Value::Int(_), Value::List(_)) => int(a) == int(b),
        _ => a == b,
    }
}

pub fn times(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Dice(d), n) | (n, Value::Dice(d)) => {
            let n = int(n).max(0);
            Value::Dice(Dice { count: d.count * n as u32, sides: d.sides, plus: d.plus * n as i32 })
        }
        _ => Value::Int(int(a) * int(b)),
    }
}

pub fn divided(a: i64, b: i64, op: ModOp) -> i64 {
    let whole = a.div_euclid(b.abs()) * b.signum();
    let even = whole * b == a;
    match op {
        // Towards minus infinity, plus infinity, and to the nearest with halves up.
        ModOp::DivDown => (a as f64 / b as f64).floor() as i64,
        ModOp::DivUp => (a as f64 / b as f64).ceil() as i64,
        ModOp::DivNearest => (a as f64 / b as f64 + 0.5).floor() as i64,
        _ if even => whole,
        _ => panic!("a fraction"),
    }
}

/// What modifiers make of a value, layer by layer.
pub fn modified(base: Value, mods: &[(ModOp, u32, Value)]) -> Value {
    if mods.is_empty() {
        return base;
    }
    let mut value = base;
    let mut rank = None;
    for (_, r, v) in mods.iter().filter(|(op, ..)| *op == ModOp::Set) {
        if rank.is_none_or(|best| *r >= best) {
            rank = Some(*r);
            value = v.clone();
        }
    }
    let mut n = int(&value);
    for layer in 1..=4 {
        for (op, _, v) in mods {
            let v = int(v);
            n = match (layer, op) {
                (1, ModOp::Add) => n + v,
                (2, ModOp::Mul) => n * v,
                (2, ModOp::DivDown | ModOp::DivUp | ModOp::DivNearest) => divided(n, v, *op),
                (3, ModOp::AtLeast) => n.max(v),
                (4, ModOp::AtMost) => n.min(v),
                _ => n,
            };
        }
    }
    Value::Int(n)
}
