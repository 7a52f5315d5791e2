//! The functions of `Fun` that only look.

use std::sync::Arc;

use super::pure::long;
use super::{Scratch, View, object_or_none};
use crate::bytecode::Fun;
use crate::fault::{Res, wrong};
use crate::ids::*;
use crate::limits::Work;
use crate::num::{self, Rounding};
use crate::pack::FieldRole;
use crate::table;
use crate::value::{Dice, Place, Value};
use crate::world::{NOBODY, Used};

impl View<'_> {
    /// None: the function acts.
    pub fn fun(&self, s: &mut Scratch, fun: Fun, base: usize, start: Reg, n: u16) -> Res<Option<Value>> {
        use Fun as F;
        s.charge(work(fun, s.range(base, start, n)))?;
        let arg = |i: u16| {
            if i < n { s.reg(base, start.saturating_add(i)) } else { &Value::None }
        };
        let value = match fun {
            F::Min | F::Max => self.extreme(s.range(base, start, n), fun == F::Max)?,
            F::Abs => match num::compare(arg(0), &Value::Int(0))?.is_lt() {
                true => num::negated(arg(0))?,
                false => arg(0).clone(),
            },
            F::Clamp => {
                let low = self.extreme(&[arg(0).clone(), arg(1).clone()], true)?;
                self.extreme(&[low, arg(2).clone()], false)?
            }
            F::Odd => Value::Bool(num::int(arg(0))? % 2 != 0),
            F::Floor => num::round(arg(0), Rounding::Down)?,
            F::Ceil => num::round(arg(0), Rounding::Up)?,
            F::Round => num::round(arg(0), Rounding::Nearest)?,
            F::DiceMean => {
                let d = dice(arg(0))?;
                num::fraction(d.count as i128 * (d.sides as i128 + 1) + 2 * d.plus as i128, 2)?
            }
            F::DiceOf => match u32::try_from(num::int(arg(0))?) {
                Ok(sides @ 1..=1_000_000) => Value::Dice(Dice { count: 1, sides, plus: 0 }),
                _ => return wrong("a die needs at least one side, and a million at most"),
            },
            F::DiceTimes => num::dice_times(dice(arg(1))?, num::int(arg(0))?)?,
            F::DicePlus => num::add(arg(0), arg(1))?,
            F::MakePair => Value::Pair(Arc::new([arg(0).clone(), arg(1).clone()])),
            F::PairX | F::PairY => match arg(0) {
                Value::Pair(p) => p[(fun == F::PairY) as usize].clone(),
                Value::Place(p) => Value::Int(if fun == F::PairX { p.x } else { p.y } as i64),
                other => return wrong(format!("a pair is needed here, not {}", num::sort(other))),
            },
            F::PercentOf => num::div(&num::mul(arg(0), arg(1))?, &Value::Int(100))?,
            F::Total if matches!(arg(0), Value::Int(_)) => arg(0).clone(),
            F::Total => match num::parts(arg(0)) {
                Some((n, d)) => num::fraction(n, d)?,
                None => {
                    let items = self.items(arg(0))?;
                    let mut sum = Value::Int(0);
                    for item in items.iter() {
                        sum = num::add(&sum, item)?;
                    }
                    sum
                }
            },
            F::First => self.items(arg(0))?.first().cloned().unwrap_or(Value::None),
            F::Last => self.items(arg(0))?.last().cloned().unwrap_or(Value::None),
            F::Only => match &self.items(arg(0))?[..] {
                [one] => one.clone(),
                _ => Value::None,
            },
            F::Reversed => Value::List(self.items(arg(0))?.iter().rev().cloned().collect()),
            F::Union => {
                let mut all = distinct(&self.items(arg(0))?);
                for item in self.items(arg(1))?.iter() {
                    if !all.contains(item) {
                        all.push(item.clone());
                    }
                }
                s.check_list(all.len())?;
                Value::List(all.into())
            }
            F::Joined => {
                let mut all = self.items(arg(0))?.to_vec();
                all.extend(self.items(arg(1))?.iter().cloned());
                s.check_list(all.len())?;
                Value::List(all.into())
            }
            F::Common => {
                let other = self.items(arg(1))?;
                Value::List(self.items(arg(0))?.iter().filter(|v| other.contains(v)).cloned().collect())
            }
            F::Without => {
                let mut left = self.items(arg(0))?.to_vec();
                for gone in self.items(arg(1))?.iter() {
                    if let Some(at) = left.iter().position(|v| num::same(v, gone)) {
                        left.remove(at);
                    }
                }
                Value::List(left.into())
            }
            F::Subset => {
                let other = self.items(arg(1))?;
                Value::Bool(self.items(arg(0))?.iter().all(|v| other.contains(v)))
            }
            F::Distinct => Value::List(distinct(&self.items(arg(0))?).into()),
            F::Copies => {
                let wanted = arg(1);
                Value::Int(self.items(arg(0))?.iter().filter(|v| num::same(v, wanted)).count() as i64)
            }
            F::Nth => {
                let n = num::int(arg(1))?;
                let at = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
                at.and_then(|at| self.items(arg(0)).ok()?.get(at).cloned()).unwrap_or(Value::None)
            }
            F::Refused => {
                let by = match arg(1) {
                    Value::Text(text) => self.pack.text(*text),
                    other => return wrong(format!("a limit is named by words, not by {}", num::sort(other))),
                };
                let work = Work::new(s.fuel);
                let refused = crate::testing::is_refused(self.pack, self.world, &self.items(arg(0))?, by, &work)?;
                s.fuel = work.left();
                if work.is_spent() {
                    s.burn()?;
                }
                Value::Bool(refused)
            }
            F::Position => {
                let wanted = arg(1);
                let at = self.items(arg(0))?.iter().position(|v| num::same(v, wanted));
                at.map_or(Value::None, |at| Value::Int(at as i64 + 1))
            }
            F::Numbers => {
                let (low, high) = (num::int(arg(0))?, num::int(arg(1))?);
                let count = (high as i128 - low as i128 + 1).max(0);
                s.check_list(count.min(u32::MAX as i128) as usize)?;
                Value::List((0..count as i64).map(|i| Value::Int(low + i)).collect())
            }
            F::CostTimes => match arg(1) {
                Value::Cost(parts) => num::cost_times(parts, num::int(arg(0))?)?,
                other => return wrong(format!("a cost is needed here, not {}", num::sort(other))),
            },
            F::CostPlus => num::add(arg(0), arg(1))?,
            F::CanPay => {
                let (who, cost) = (arg(0).clone(), arg(1).clone());
                Value::Bool(self.after_paying(s, &who, &cost)?.is_some())
            }
            F::Controller => self.of_object(arg(0), |o| object_or_none(o.controller)),
            F::Owner => self.of_object(arg(0), |o| object_or_none(o.owner)),
            F::Holder => match arg(0) {
                Value::Card(card) => self.pack.card(*card)?.holder.map_or(Value::None, Value::Card),
                other => self.of_object(other, |o| object_or_none(o.holder)),
            },
            F::InPlay => match arg(0) {
                Value::Obj(id) => Value::Bool(self.world.get(*id).is_some_and(|o| o.in_play)),
                _ => Value::Bool(false),
            },
            F::PileOf => self.of_object(arg(0), |o| o.pile.map_or(Value::None, |(owner, field)| Value::Pile(owner, field))),
            F::PileCards => Value::List(self.items(arg(0))?),
            F::PrintedCard => match arg(0) {
                Value::Card(card) => Value::Card(*card),
                other => self.of_object(other, |o| o.card.map_or(Value::None, Value::Card)),
            },
            F::Usable => match arg(0) {
                Value::Obj(id) => Value::Bool(self.part_usable(*id)),
                _ => Value::Bool(true),
            },
            F::RulesOf => self.rules_of(arg(0))?,
            F::Row => self.row(arg(0), num::int(arg(1))?)?,
            F::NameOf => match arg(0) {
                Value::Card(card) => Value::Text(self.pack.card(*card)?.title),
                Value::Obj(id) => match self.world.object(*id)?.card {
                    Some(card) => Value::Text(self.pack.card(card)?.title),
                    None => Value::Text(self.pack.kind(self.world.object(*id)?.kind)?.name),
                },
                other => other.clone(),
            },
            F::Distance if n == 2 => self.distance(arg(0), arg(1)),
            F::Toward if n == 3 => self.toward(arg(0), arg(1), arg(2))?,
            F::PlaceOf => self.place(arg(0)).map_or(Value::None, Value::Place),
            F::MakePlace => make_place(arg(0), arg(1))?,
            F::Spots => {
                let args = s.range(base, start, n).to_vec();
                self.known_spots(s, &args)?
            }
            F::Distance
            | F::Gap
            | F::Touching
            | F::Within
            | F::Toward
            | F::Ahead
            | F::Bearing
            | F::InArc
            | F::WayDistance
            | F::WayInside
            | F::WayLength
            | F::StopBefore
            | F::StopAtEdge
            | F::Inside
            | F::Shown => {
                let args = s.range(base, start, n).to_vec();
                self.on_table(s, fun, &args)?
            }
            F::Relocate
            | F::ShuffleInto
            | F::Create
            | F::Remove
            | F::Become
            | F::Shuffle
            | F::Win
            | F::DrawGame
            | F::TakeControl
            | F::Attach
            | F::EndKeyword => {
                return Ok(None);
            }
        };
        Ok(Some(value))
    }

    /// Of several numbers, or of the numbers of one list.
    fn extreme(&self, values: &[Value], greatest: bool) -> Res<Value> {
        let listed;
        let values = match values {
            [Value::List(items)] => {
                listed = items.clone();
                &listed[..]
            }
            other => other,
        };
        let mut best: Option<&Value> = None;
        for value in values {
            let better = match best {
                None => true,
                Some(best) => num::compare(value, best)?.is_gt() == greatest && !num::compare(value, best)?.is_eq(),
            };
            if better {
                best = Some(value);
            }
        }
        Ok(best.cloned().unwrap_or(Value::None))
    }

    fn of_object(&self, v: &Value, read: impl Fn(&crate::world::Object) -> Value) -> Value {
        match v {
            Value::Obj(id) => self.world.get(*id).map_or(Value::None, read),
            _ => Value::None,
        }
    }

    pub fn part_usable(&self, part: ObjId) -> bool {
        !self.world.is_used(Used::Part { part })
    }

    fn rules_of(&self, v: &Value) -> Res<Value> {
        let (kind, card, this, part) = match v {
            Value::Card(card) => (self.pack.card(*card)?.kind, Some(*card), NOBODY, NOBODY),
            Value::Obj(id) => {
                let object = self.world.object(*id)?;
                let (this, part) = self.world.this_and_part(*id);
                (object.kind, object.card, this, part)
            }
            _ => return Ok(Value::List(Arc::new([]))),
        };
        let mut found: Vec<Value> = Vec::new();
        for bundle in self.pack.printed_bundles(kind, card) {
            if self.pack.bundles.get(bundle.index()).is_some_and(|b| !b.rules.is_empty()) {
                found.push(Value::Rules(*bundle, this, part));
            }
        }
        // Stored effects count as rules too: "has no rules" must not be true of a card with one.
        if let Some(card) = card {
            for (_, value) in &self.pack.card(card)?.values {
                match *value {
                    Value::Code(frag, ..) => found.push(Value::Code(frag, this, part)),
                    Value::Rules(bundle, ..) => found.push(Value::Rules(bundle, this, part)),
                    _ => {}
                }
            }
        }
        Ok(Value::List(found.into()))
    }

    fn row(&self, v: &Value, face: i64) -> Res<Value> {
        let (card, object) = match v {
            Value::Card(card) => (*card, NOBODY),
            Value::Obj(id) => match self.world.object(*id)?.card {
                Some(card) => (card, *id),
                None => return wrong("only a card has a table with rows"),
            },
            _ => return wrong("only a card has a table with rows"),
        };
        let rows = &self.pack.card(card)?.rows;
        let Some((_, _, row)) = rows.iter().find(|(low, high, _)| (*low..=*high).contains(&face)) else {
            return wrong(format!("the table of {} has no row for {face}", self.pack.card_name(card)));
        };
        let is_row = |id: &ObjId| self.world.get(*id).is_some_and(|o| o.holder == object && o.card == Some(*row));
        let part = if object == NOBODY { None } else { self.world.ids().find(is_row) };
        Ok(part.map_or(Value::Card(*row), Value::Obj))
    }

    pub(crate) fn place(&self, v: &Value) -> Option<Place> {
        match v {
            Value::Place(p) => Some(*p),
            Value::Obj(id) => {
                let object = self.world.get(*id)?;
                object.place.or_else(|| self.world.get(object.holder).and_then(|h| h.place))
            }
            _ => None,
        }
    }

    /// The diameter of a piece's base; a point of the table has none.
    pub(super) fn base_of(&self, s: &mut Scratch, v: &Value) -> Res<i64> {
        let Value::Obj(id) = v else { return Ok(0) };
        let object = self.world.object(*id)?;
        match self.pack.kind(object.kind)?.base {
            Some(field) => {
                let value = self.get_value(s, v, field)?;
                if value == Value::None { Ok(0) } else { num::int(&num::round(&value, Rounding::Down)?) }
            }
            None => Ok(0),
        }
    }

    pub(crate) fn distance(&self, a: &Value, b: &Value) -> Value {
        match (self.place(a), self.place(b)) {
            (Some(a), Some(b)) => Value::Int(table::distance(a, b)),
            _ => Value::Int(i64::MAX),
        }
    }

    pub(crate) fn toward(&self, from: &Value, to: &Value, by: &Value) -> Res<Value> {
        Ok(match (self.place(from), self.place(to)) {
            (Some(from), Some(to)) => Value::Place(table::toward(from, to, num::int(&num::round(by, Rounding::Down)?)?)),
            _ => Value::None,
        })
    }

    pub fn parts(&self, v: &Value, kind: KindId) -> Res<Value> {
        Ok(Value::List(match v {
            Value::Obj(id) => {
                let parts = &self.world.object(*id)?.parts;
                let of_kind = |p: &&ObjId| self.world.get(**p).is_some_and(|o| self.pack.is_kind(o.kind, kind));
                parts.iter().filter(of_kind).map(|p| Value::Obj(*p)).collect()
            }
            Value::Card(card) => {
                let parts = &self.pack.card(*card)?.parts;
                let of_kind = |p: &&CardId| self.pack.card(**p).is_ok_and(|c| self.pack.is_kind(c.kind, kind));
                parts.iter().filter(of_kind).map(|p| Value::Card(*p)).collect()
            }
            Value::None => Arc::new([]),
            other => return wrong(format!("only cards have parts, not {}", num::sort(other))),
        }))
    }

    pub fn part_named(&self, v: &Value, name: StrId) -> Res<Value> {
        let named = |card: CardId| self.pack.card(card).is_ok_and(|c| c.name == name || self.pack.text(c.name) == self.pack.text(name));
        Ok(match v {
            Value::Obj(id) => {
                let parts = &self.world.object(*id)?.parts;
                let found = parts.iter().find(|p| self.world.get(**p).and_then(|o| o.card).is_some_and(named));
                found.map_or(Value::None, |p| Value::Obj(*p))
            }
            Value::Card(card) => self.pack.card(*card)?.parts.iter().find(|p| named(**p)).map_or(Value::None, |p| Value::Card(*p)),
            _ => Value::None,
        })
    }

    pub fn kind_of(&self, v: &Value) -> Option<KindId> {
        match v {
            Value::Obj(id) => self.world.get(*id).map(|o| o.kind),
            Value::Card(card) => self.pack.card(*card).ok().map(|c| c.kind),
            _ => None,
        }
    }

    /// What would be left of each resource; None if one does not suffice.
    pub fn after_paying(&self, s: &mut Scratch, who: &Value, cost: &Value) -> Res<Option<Vec<(FieldId, i64)>>> {
        let parts = match cost {
            Value::Cost(parts) => parts.clone(),
            Value::None => return Ok(Some(Vec::new())),
            other => return wrong(format!("only a cost can be paid, not {}", num::sort(other))),
        };
        let mut left = Vec::with_capacity(parts.len());
        for (field, amount) in parts.iter().filter(|(_, n)| *n > 0) {
            if !matches!(self.pack.field(*field)?.role, FieldRole::Resource | FieldRole::State) {
                return wrong(format!("{} is no resource", self.pack.field_name(*field)));
            }
            let has = match self.base_value(s, who, *field)? {
                Value::None => 0,
                other => num::int(&other)?,
            };
            if has < *amount {
                return Ok(None);
            }
            left.push((*field, has - amount));
        }
        Ok(Some(left))
    }
}

pub(crate) fn make_place(x: &Value, y: &Value) -> Res<Value> {
    let whole = |v: &Value| num::int(v).map(|n| n.clamp(i32::MIN as i64, i32::MAX as i64) as i32);
    Ok(Value::Place(Place { x: whole(x)?, y: whole(y)? }))
}

fn dice(v: &Value) -> Res<Dice> {
    match v {
        Value::Dice(d) => Ok(*d),
        other => wrong(format!("dice are needed here, not {}", num::sort(other))),
    }
}

fn distinct(items: &[Value]) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for item in items {
        if !seen.contains(item) {
            seen.push(item.clone());
        }
    }
    seen
}

/// How many elements a function looks at.
fn work(fun: Fun, args: &[Value]) -> usize {
    let size = |i: usize| args.get(i).map_or(0, long);
    match fun {
        Fun::Union | Fun::Common | Fun::Subset => size(0).saturating_mul(size(1).max(size(0))),
        Fun::Distinct => size(0).saturating_mul(size(0)),
        Fun::Row | Fun::Spots => 256,
        Fun::StopBefore | Fun::Shown => args.iter().map(long).sum(),
        Fun::WayLength => 1024 + args.iter().map(long).sum::<usize>() * 1024,
        _ => size(0),
    }
}
