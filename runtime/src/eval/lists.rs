//! Lists and what is done with each of their elements.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Scratch, View};
use crate::bytecode::EachOp;
use crate::fault::{Bound, FaultKind, Res, fail, wrong};
use crate::ids::*;
use crate::num;
use crate::value::Value;

impl View<'_> {
    /// A set as a list: piles are sets of their cards, none is the empty set, a single die is a roll of one.
    pub fn items(&self, v: &Value) -> Res<Arc<[Value]>> {
        match v {
            Value::Int(_) => Ok(Arc::new([v.clone()])),
            Value::List(items) => Ok(items.clone()),
            Value::None => Ok(Arc::new([])),
            Value::Pile(owner, field) => {
                let pile = self.world.pile((*owner, *field));
                Ok(pile.map_or_else(|| Arc::from([]), |p| p.cards().map(Value::Obj).collect()))
            }
            other => wrong(format!("a list is needed here, not {}", num::sort(other))),
        }
    }

    pub fn length(&self, v: &Value) -> Res<i64> {
        match v {
            Value::List(items) => Ok(items.len() as i64),
            other => Ok(self.items(other)?.len() as i64),
        }
    }

    pub fn index(&self, v: &Value, i: i64) -> Res<Value> {
        let found = match v {
            Value::List(items) => usize::try_from(i).ok().and_then(|i| items.get(i).cloned()),
            other => usize::try_from(i).ok().and_then(|i| self.items(other).ok()?.get(i).cloned()),
        };
        match found {
            Some(value) => Ok(value),
            None => wrong(format!("the list has no element number {i}")),
        }
    }

    pub fn contains(&self, v: &Value, item: &Value) -> Res<bool> {
        match v {
            Value::List(items) => Ok(items.iter().any(|x| num::same(x, item))),
            other => Ok(self.items(other)?.contains(item)),
        }
    }

    pub fn make_list(&self, s: &mut Scratch, base: usize, start: Reg, n: u16) -> Res<Value> {
        for i in 0..n {
            check_weight(s, s.reg(base, start.saturating_add(i)))?;
        }
        Ok(Value::List(s.range(base, start, n).into()))
    }

    pub fn push(&self, s: &mut Scratch, base: usize, list: Reg, item: Reg) -> Res<()> {
        let item = s.reg(base, item).clone();
        check_weight(s, &item)?;
        let items = self.items(s.reg(base, list))?;
        s.check_list(items.len() + 1)?;
        s.charge(items.len())?;
        let longer: Arc<[Value]> = items.iter().cloned().chain([item]).collect();
        s.set(base, list, Value::List(longer));
        Ok(())
    }

    pub fn each(&self, s: &mut Scratch, op: EachOp, list: (usize, Reg), frag: FragId, caps: (usize, Reg, u16)) -> Res<Value> {
        let items = self.items(s.reg(list.0, list.1))?;
        if op == EachOp::Connected {
            return self.connected(s, &items, frag, caps);
        }
        if let Some(term) = self.asked_of_each(frag, caps.2 as usize) {
            let from = caps.0 + caps.1 as usize;
            return self.each_term(s, op, &items, term, from..from + caps.2 as usize);
        }
        self.fold(s, op, &items, |view, s, item| view.eval_captured(s, frag, caps, std::slice::from_ref(item)))
    }

    /// What the values of the elements come to.
    pub(crate) fn fold(
        &self,
        s: &mut Scratch,
        op: EachOp,
        items: &[Value],
        mut value_of: impl FnMut(&Self, &mut Scratch, &Value) -> Res<Value>,
    ) -> Res<Value> {
        match op {
            EachOp::Filter => {
                let mut kept = Vec::new();
                for item in items.iter() {
                    if num::truth(&value_of(self, s, item)?)? {
                        kept.push(item.clone());
                    }
                }
                Ok(Value::List(kept.into()))
            }
            EachOp::Map => {
                let mut values = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let value = value_of(self, s, item)?;
                    check_weight(s, &value)?;
                    values.push(value);
                }
                Ok(Value::List(values.into()))
            }
            EachOp::Sum => {
                let mut sum: Option<Value> = None;
                for item in items.iter() {
                    let value = value_of(self, s, item)?;
                    sum = Some(match sum {
                        None => value,
                        Some(sum) => num::add(&sum, &value)?,
                    });
                }
                Ok(sum.unwrap_or(Value::Int(0)))
            }
            EachOp::Any | EachOp::All => {
                let wanted = op == EachOp::Any;
                for item in items.iter() {
                    if num::truth(&value_of(self, s, item)?)? == wanted {
                        return Ok(Value::Bool(wanted));
                    }
                }
                Ok(Value::Bool(!wanted))
            }
            EachOp::MaxOf | EachOp::MinOf | EachOp::Highest | EachOp::Lowest => {
                let better = if matches!(op, EachOp::MaxOf | EachOp::Highest) { Ordering::Greater } else { Ordering::Less };
                let mut best: Option<(Value, &Value, bool)> = None;
                for item in items.iter() {
                    let value = value_of(self, s, item)?;
                    match &mut best {
                        None => best = Some((value, item, false)),
                        Some((so_far, _, tied)) => match num::compare(&value, so_far)? {
                            Ordering::Equal => *tied = true,
                            o if o == better => best = Some((value, item, false)),
                            _ => {}
                        },
                    }
                }
                Ok(match best {
                    None => Value::None,
                    Some((value, item, tied)) => match op {
                        EachOp::MaxOf | EachOp::MinOf => value,
                        _ if tied => Value::None,
                        _ => item.clone(),
                    },
                })
            }
            EachOp::SortBy => {
                let mut keyed = Vec::with_capacity(items.len());
                for item in items.iter() {
                    keyed.push((value_of(self, s, item)?, item.clone()));
                }
                let mut trouble = None;
                keyed.sort_by(|a, b| {
                    num::compare(&a.0, &b.0).unwrap_or_else(|stop| {
                        trouble.get_or_insert(stop);
                        Ordering::Equal
                    })
                });
                match trouble {
                    Some(stop) => Err(stop),
                    None => Ok(Value::List(keyed.into_iter().map(|(_, item)| item).collect())),
                }
            }
            EachOp::DistinctBy => {
                let mut seen: Vec<Value> = Vec::new();
                let mut firsts = Vec::new();
                for item in items.iter() {
                    let value = value_of(self, s, item)?;
                    s.charge(seen.len())?;
                    if !seen.contains(&value) {
                        seen.push(value);
                        firsts.push(item.clone());
                    }
                }
                Ok(Value::List(firsts.into()))
            }
            EachOp::Connected => wrong("this is no question of single elements"),
        }
    }

    fn connected(&self, s: &mut Scratch, items: &[Value], frag: FragId, caps: (usize, Reg, u16)) -> Res<Value> {
        let mut reached = vec![false; items.len()];
        let mut todo: Vec<usize> = Vec::new();
        if let Some(first) = reached.first_mut() {
            *first = true;
            todo.push(0);
        }
        while let Some(at) = todo.pop() {
            for other in 0..items.len() {
                if reached[other] {
                    continue;
                }
                let pair = [items[at].clone(), items[other].clone()];
                let turned = [items[other].clone(), items[at].clone()];
                if num::truth(&self.eval_captured(s, frag, caps, &pair)?)? || num::truth(&self.eval_captured(s, frag, caps, &turned)?)? {
                    reached[other] = true;
                    todo.push(other);
                }
            }
        }
        Ok(Value::Bool(reached.into_iter().all(|r| r)))
    }
}

/// Lists of lists may share their insides, so that a short program could make one that takes for ever to compare. They are measured
/// when they are made, up to the limit.
fn check_weight(s: &Scratch, v: &Value) -> Res<()> {
    fn weigh(v: &Value, depth: u32, left: &mut u32) -> bool {
        if depth > 16 || *left == 0 {
            return false;
        }
        *left -= 1;
        match v {
            Value::List(items) => items.iter().all(|v| weigh(v, depth + 1, left)),
            Value::Pair(halves) => halves.iter().all(|v| weigh(v, depth + 1, left)),
            _ => true,
        }
    }
    let nested = match v {
        Value::List(items) => items.iter().any(|v| matches!(v, Value::List(_) | Value::Pair(_))),
        Value::Pair(halves) => halves.iter().any(|v| matches!(v, Value::List(_) | Value::Pair(_))),
        _ => false,
    };
    if nested && !weigh(v, 0, &mut s.limits.list_length.clone()) {
        return fail(FaultKind::Limit(Bound::ListLength), "lists inside lists hold more than the limit in all");
    }
    Ok(())
}
