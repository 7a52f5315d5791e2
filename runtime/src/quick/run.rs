//! Taking short cuts.

use super::{Faces, From, Quick, Test};
use crate::bytecode::Instr;
use crate::eval::Look;
use crate::ids::*;
use crate::question::Rolls;
use crate::value::Value;

/// What a short cut works on: the registers of one fragment, the values of its event, and the steps and dice there are.
pub(crate) struct Room<'a, D: ?Sized> {
    pub registers: &'a mut [Value],
    pub event: &'a mut [Value],
    pub fuel: u64,
    /// What the steps are after a roll: it is an answer, and they start afresh.
    pub full: u64,
    pub dice: Option<&'a mut D>,
    /// How many may be rolled.
    pub rolls: u64,
    pub look: Look<'a>,
}

/// Goes on from `pc` as far as short cuts lead; the instruction it stops at has none, or it does not fit. There is one of it for each kind of dice, so that
/// rolling a seeded die is not even a call. Gives the instruction, the steps and the dice that are left.
pub(crate) fn run<D: Rolls + ?Sized>(quick: &[Quick], code: &[Instr], pc: usize, room: Room<'_, D>) -> (usize, u64, u64) {
    let mut pc = pc;
    // What changes all the time is kept close.
    let Room { registers, event, mut fuel, full, dice: mut roller, mut rolls, look } = room;
    while let Some(short) = quick.get(pc) {
        match *short {
            Quick::Plain => break,
            Quick::Roll { .. } => {
                let Some(dice) = roller.as_deref_mut() else { break };
                let from = pc;
                // Dice follow dice, in the same round of a loop or in the next. Going on right here, the processor can guess how they fall.
                while let Some(Quick::Roll { sides, faces, to, steps }) = quick.get(pc) {
                    let Some(with) = number(registers, event, faces.with).filter(|_| fuel >= *steps as u64) else { break };
                    let Some(left) = rolls.checked_sub(1) else { break };
                    fuel = full;
                    rolls = left;
                    if faces.meets(dice.die(*sides), with) {
                        pc += *steps as usize;
                        continue;
                    }
                    pc = *to as usize;
                    if let Some(Quick::Next { i, by, n, top, out }) = quick.get(pc) {
                        let Some(again) = next(registers, *i, *by, *n, &mut fuel) else { break };
                        pc = if again { *top } else { *out } as usize;
                    }
                }
                if pc == from {
                    break;
                }
            }
            Quick::Next { i, by, n, top, out } => {
                let Some(again) = next(registers, i, by, n, &mut fuel) else { break };
                pc = if again { top } else { out } as usize;
            }
            Quick::Branch { test, a, b, to, steps } => {
                let Some(is) = branched(registers, event, test, a, b) else { break };
                let Some(left) = fuel.checked_sub(steps as u64) else { break };
                fuel = left;
                pc = if is { pc + steps as usize } else { to as usize };
            }
            Quick::Bump { field, by, then, steps } => {
                let (Some(Value::Int(now)), Some(by)) = (event.get(field as usize), number(registers, event, by)) else { break };
                let (Some(next), Some(left)) = (now.checked_add(by), fuel.checked_sub(steps as u64)) else { break };
                fuel = left;
                put(event, field, next);
                pc = then as usize;
            }
            Quick::Jump { to, steps } => {
                let Some(left) = fuel.checked_sub(steps as u64) else { break };
                fuel = left;
                pc = to as usize;
            }
            Quick::Put { dst, from } => {
                let Some(left) = fuel.checked_sub(1) else { break };
                match from {
                    From::Int(n) => put(registers, dst, n.into()),
                    From::Event(field) => {
                        let Some(value) = event.get(field as usize) else { break };
                        place(registers, dst, value);
                    }
                    From::Reg(r) => match registers.get(r as usize) {
                        Some(Value::Int(n)) => put(registers, dst, *n),
                        _ => break,
                    },
                }
                fuel = left;
                pc += 1;
            }
            Quick::Get { dst, obj, field, raw } => {
                let (Some(Value::Obj(id)), Some(mut left)) = (registers.get(obj as usize), fuel.checked_sub(1)) else { break };
                let Some(value) = looked(&look, &mut left, *id, field, raw) else { break };
                fuel = left;
                place(registers, dst, value);
                pc += 1;
            }
            Quick::GetOf { dst, of, obj, field, raw } => {
                let (Some(Value::Obj(id)), Some(mut left)) = (event.get(of as usize), fuel.checked_sub(2)) else { break };
                let Some(value) = looked(&look, &mut left, *id, field, raw) else { break };
                fuel = left;
                if let Some(slot) = registers.get_mut(obj as usize) {
                    *slot = Value::Obj(*id);
                }
                place(registers, dst, value);
                pc += 2;
            }
            Quick::Const { dst, k } => {
                let (Some(value), Some(left)) = (look.pack.consts.get(k.index()), fuel.checked_sub(1)) else { break };
                fuel = left;
                place(registers, dst, value);
                pc += 1;
            }
            Quick::Bool { dst, v } => {
                let (Some(slot), Some(left)) = (registers.get_mut(dst as usize), fuel.checked_sub(1)) else { break };
                fuel = left;
                *slot = Value::Bool(v);
                pc += 1;
            }
            Quick::None { dst } => {
                let (Some(slot), Some(left)) = (registers.get_mut(dst as usize), fuel.checked_sub(1)) else { break };
                fuel = left;
                *slot = Value::None;
                pc += 1;
            }
            Quick::Not { dst, a } => {
                let (Some(Value::Bool(is)), Some(left)) = (registers.get(a as usize), fuel.checked_sub(1)) else { break };
                fuel = left;
                let not = Value::Bool(!is);
                if let Some(slot) = registers.get_mut(dst as usize) {
                    *slot = not;
                }
                pc += 1;
            }
            Quick::Compare { dst, test, a, b } => {
                let (Some(a), Some(b), Some(left)) = (registers.get(a as usize), registers.get(b as usize), fuel.checked_sub(1)) else {
                    break;
                };
                let Some(is) = compared(test, a, b) else { break };
                fuel = left;
                if let Some(slot) = registers.get_mut(dst as usize) {
                    *slot = Value::Bool(is);
                }
                pc += 1;
            }
            Quick::If { cond, unless, to } => {
                let (Some(Value::Bool(is)), Some(left)) = (registers.get(cond as usize), fuel.checked_sub(1)) else { break };
                fuel = left;
                pc = if *is != unless { to as usize } else { pc + 1 };
            }
            Quick::IfNone { src, to } => {
                let (Some(value), Some(left)) = (registers.get(src as usize), fuel.checked_sub(1)) else { break };
                fuel = left;
                pc = if matches!(value, Value::None) { to as usize } else { pc + 1 };
            }
            Quick::PutEvent { field, from, then, steps } => {
                let (Some(n), Some(left)) = (number(registers, event, from), fuel.checked_sub(steps as u64)) else { break };
                if field as usize >= event.len() {
                    break;
                }
                fuel = left;
                put(event, field, n);
                pc = then as usize;
            }
            Quick::Add { dst, a, b, steps } => {
                let (Some(a), Some(b)) = (number(registers, event, a), number(registers, event, b)) else { break };
                let (Some(n), Some(left)) = (a.checked_add(b), fuel.checked_sub(steps as u64)) else { break };
                fuel = left;
                put(registers, dst, n);
                pc += steps as usize;
            }
            Quick::Mul { dst, a, b } => {
                let (Some(Value::Int(a)), Some(Value::Int(b))) = (registers.get(a as usize), registers.get(b as usize)) else { break };
                let (Some(n), Some(left)) = (a.checked_mul(*b), fuel.checked_sub(1)) else { break };
                fuel = left;
                put(registers, dst, n);
                pc += 1;
            }
            Quick::Extreme { dst, a, b, greater, steps } => {
                let (Some(a), Some(b)) = (number(registers, event, a), number(registers, event, b)) else { break };
                let (n, Some(left)) = (if greater { a.max(b) } else { a.min(b) }, fuel.checked_sub(steps as u64)) else { break };
                fuel = left;
                put(registers, dst, n);
                pc += steps as usize;
            }
            Quick::Sub { dst, a, b, steps } => {
                let (Some(a), Some(b)) = (number(registers, event, a), number(registers, event, b)) else { break };
                let (Some(n), Some(left)) = (a.checked_sub(b), fuel.checked_sub(steps as u64)) else { break };
                fuel = left;
                put(registers, dst, n);
                pc += steps as usize;
            }
            Quick::Die { dst, sides, steps } => {
                let Some(dice) = roller.as_deref_mut().filter(|_| fuel >= steps as u64 && rolls > 0) else { break };
                put(registers, dst, dice.die(sides));
                fuel = full;
                rolls -= 1;
                pc += steps as usize;
            }
            Quick::Tally { dst, list, faces } => {
                let (Some(n), Some(left)) = (tally(registers, event, list, faces), fuel.checked_sub(2)) else { break };
                fuel = left;
                put(registers, dst, n);
                pc += 2;
            }
            Quick::Count { dst, sides, dice, faces, lead, skip } => {
                let (lead, skip) = (lead as usize, skip as usize);
                let (Some(many), Some(roller)) = (number(registers, event, dice), roller.as_deref_mut()) else { break };
                // None, or more than a handful: the plain way knows what to say.
                if !(1..=10_000).contains(&many) || fuel < 100 || rolls < many as u64 {
                    break;
                }
                fetch(code.get(pc + lead..pc + lead + skip).unwrap_or_default(), registers, event);
                let Some(with) = number(registers, event, faces.with) else { break };
                let n = roller.count(many as u32, sides, faces.range(with));
                fuel = full;
                rolls -= many as u64;
                put(registers, dst, n as i64);
                pc += lead + skip + 2;
            }
        }
    }
    (pc, fuel, rolls)
}

#[inline(always)]
fn looked<'a>(look: &Look<'a>, fuel: &mut u64, id: ObjId, field: FieldId, raw: bool) -> Option<&'a Value> {
    if raw { look.unmodified(id, field) } else { look.at_hand(fuel, id, field) }
}

/// The end of a round: whether there is another one.
#[inline(always)]
fn next(registers: &mut [Value], i: u16, by: i32, n: u16, fuel: &mut u64) -> Option<bool> {
    let (Some(Value::Int(now)), Some(Value::Int(end))) = (registers.get(i as usize), registers.get(n as usize)) else { return None };
    let (next, left) = (now.checked_add(by as i64)?, fuel.checked_sub(4)?);
    let again = next < *end;
    *fuel = left;
    put(registers, i, next);
    Some(again)
}

/// The instructions between a roll and its count, which fetch numbers and values of the event.
#[inline(always)]
pub(crate) fn fetch(code: &[Instr], registers: &mut [Value], event: &[Value]) {
    for instr in code {
        match *instr {
            Instr::Int { dst, v } => put(registers, dst, v as i64),
            Instr::EvGet { dst, field } => match (registers.get_mut(dst as usize), event.get(field as usize)) {
                (Some(_), Some(Value::Int(n))) => put(registers, dst, *n),
                (Some(slot), Some(value)) => *slot = value.clone(),
                _ => {}
            },
            _ => {}
        }
    }
}

fn tally(registers: &[Value], event: &[Value], list: u16, faces: Faces) -> Option<i64> {
    let (least, most) = faces.range(number(registers, event, faces.with)?);
    let met = |value: &Value| match value {
        Value::Int(n) => Some(i64::from(least <= *n && *n <= most)),
        _ => None,
    };
    match registers.get(list as usize)? {
        Value::List(items) => items.iter().map(met).sum(),
        other => met(other),
    }
}

#[inline(always)]
fn branched(registers: &[Value], event: &[Value], test: Test, a: From, b: From) -> Option<bool> {
    if let (Some(a), Some(b)) = (number(registers, event, a), number(registers, event, b)) {
        return Some(holds(test, a, b));
    }
    let value = |from: From| match from {
        From::Reg(r) => registers.get(r as usize),
        From::Event(f) => event.get(f as usize),
        From::Int(_) => None,
    };
    compared(test, value(a)?, value(b)?)
}

/// What needs no more than a look: numbers, and whether two things are the same that are no lists.
#[inline(always)]
fn compared(test: Test, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(holds(test, *a, *b)),
        (Value::List(_), _) | (_, Value::List(_)) => None,
        _ if test == Test::Eq => Some(a == b),
        _ => None,
    }
}

#[inline(always)]
fn holds(test: Test, a: i64, b: i64) -> bool {
    test.holds(a, b)
}

#[inline(always)]
pub(crate) fn number(registers: &[Value], event: &[Value], from: From) -> Option<i64> {
    let value = match from {
        From::Int(n) => return Some(n as i64),
        From::Reg(r) => registers.get(r as usize)?,
        From::Event(f) => event.get(f as usize)?,
    };
    match value {
        Value::Int(n) => Some(*n),
        _ => None,
    }
}

#[inline(always)]
fn place(slots: &mut [Value], at: u16, value: &Value) {
    if let Value::Int(n) = value {
        return put(slots, at, *n);
    }
    if let Some(slot) = slots.get_mut(at as usize) {
        *slot = value.clone();
    }
}

#[inline(always)]
fn put(slots: &mut [Value], at: u16, n: i64) {
    if let Some(slot) = slots.get_mut(at as usize) {
        // Most hold a number already: nothing has to be let go.
        match slot {
            Value::Int(old) => *old = n,
            other => *other = Value::Int(n),
        }
    }
}
