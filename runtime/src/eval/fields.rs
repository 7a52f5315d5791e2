//! Reading a field: its base, then every modifier in force on it, by layer.

use super::{Look, Scratch, View};
use crate::bytecode::ModOp;
use crate::fault::{FaultKind, Res, fail, wrong};
use crate::ids::*;
use crate::num::{self, Rounding};
use crate::pack::{FieldRole, Rule};
use crate::value::Value;
use crate::world::{Ends, NOBODY, Timed};

/// A modifier that applies. The later of two settings with the same rank wins.
pub(crate) struct Applied {
    pub op: ModOp,
    pub rank: u32,
    pub value: Value,
}

impl View<'_> {
    #[inline]
    pub fn get(&self, s: &mut Scratch, obj: (usize, Reg), field: FieldId) -> Res<Value> {
        // The common cases without a copy of anything but the value: what is known, and what is stored or printed and nothing modifies.
        if let Value::Obj(id) = *s.reg(obj.0, obj.1)
            && let Some(value) = self.at_hand(s, id, field)
        {
            return Ok(value);
        }
        let of = s.reg(obj.0, obj.1).clone();
        self.get_value(s, &of, field)
    }

    /// The value of a field if it takes only a look.
    #[inline]
    pub(super) fn at_hand(&self, s: &mut Scratch, id: ObjId, field: FieldId) -> Option<Value> {
        let look = Look {
            pack: self.pack,
            world: self.world,
            you: self.you,
            derived: &s.derived,
            searching: s.is_searching() || s.in_circle(self.pack),
        };
        look.at_hand(id, field).cloned()
    }

    fn may_be_modified(&self, field: FieldId) -> bool {
        super::look::may_be_modified(self.pack, self.world, field)
    }

    pub fn get_value(&self, s: &mut Scratch, of: &Value, field: FieldId) -> Res<Value> {
        if let Value::Obj(id) = *of
            && let Some(value) = self.at_hand(s, id, field)
        {
            return Ok(value);
        }
        let base = self.base_value(s, of, field)?;
        let Value::Obj(id) = *of else { return Ok(base) };
        if !self.may_be_modified(field) {
            return Ok(base);
        }
        // While its own grants are looked at, a field is read as it is before them.
        if self.pack.reads_itself && s.reading.last().is_some_and(|(_, f)| *f == field) {
            let mut mods = Vec::new();
            self.timed_modifiers(s, id, field, true, &mut mods)?;
            return if mods.is_empty() { Ok(base) } else { self.clamped(s, of, field, apply(base, &mods)?) };
        }
        if s.reading.contains(&(id, field)) {
            return fail(
                FaultKind::Circle,
                format!(
                    "reading `{}` of {} asks for the same value again: a modifier may not depend on the field it changes (`printed(x).{}` is the card without modifiers)",
                    self.pack.field_name(field),
                    crate::describe::object(self.pack, self.world, id),
                    self.pack.field_name(field)
                ),
            );
        }
        s.reading.push((id, field));
        let mods = self.modifiers(s, id, field);
        s.reading.pop();
        let mods = mods?;
        let value = if mods.is_empty() { base } else { self.clamped(s, of, field, apply(base, &mods)?)? };
        if !s.in_circle(self.pack) {
            self.remember_value(s, id, field, &value);
        }
        Ok(value)
    }

    /// As stored or printed, without modifiers.
    pub fn base_value(&self, s: &mut Scratch, of: &Value, field: FieldId) -> Res<Value> {
        let card = match of {
            Value::Obj(id) => {
                let object = self.world.object(*id)?;
                if let Some(value) = object.state(field) {
                    return Ok(value.clone());
                }
                if let Some(value) = object.card.and_then(|c| self.pack.printed_value(c, field)) {
                    return Ok(self.with_holder(value, *id));
                }
                None
            }
            Value::Card(card) => Some(*card),
            Value::None => {
                return wrong(format!("there is nothing here to read `{}` of", self.pack.field_name(field)));
            }
            other => {
                return wrong(format!("`{}` cannot be read of {}", self.pack.field_name(field), num::sort(other)));
            }
        };
        if let Some(value) = card.and_then(|c| self.pack.printed_value(c, field)) {
            return Ok(value.clone());
        }
        let described = self.pack.field(field)?;
        if let (FieldRole::Pile, Value::Obj(id)) = (described.role, of) {
            return Ok(Value::Pile(*id, field));
        }
        let given = if described.starts_full { described.high } else { described.default };
        match given {
            Some(frag) => self.eval(s, frag, std::slice::from_ref(of)),
            None => Ok(Value::None),
        }
    }

    /// Printed code does not know its object yet.
    fn with_holder(&self, value: &Value, id: ObjId) -> Value {
        match value {
            Value::Code(frag, NOBODY, _) => {
                let (this, part) = self.world.this_and_part(id);
                Value::Code(*frag, this, part)
            }
            Value::Rules(bundle, NOBODY, _) => {
                let (this, part) = self.world.this_and_part(id);
                Value::Rules(*bundle, this, part)
            }
            other => other.clone(),
        }
    }

    pub fn clamped(&self, s: &mut Scratch, of: &Value, field: FieldId, value: Value) -> Res<Value> {
        let described = self.pack.field(field)?;
        if let (Value::Int(n), Some((low, high))) = (&value, self.pack.fixed_range(field)) {
            return Ok(Value::Int((*n).max(low).min(high)));
        }
        if num::parts(&value).is_none() || matches!(value, Value::List(_)) {
            return Ok(value);
        }
        let mut value = value;
        for (frag, low) in [(described.low, true), (described.high, false)] {
            if let Some(frag) = frag {
                let bound = self.eval(s, frag, std::slice::from_ref(of))?;
                if bound != Value::None {
                    let order = num::compare(&value, &bound)?;
                    if (low && order.is_lt()) || (!low && order.is_gt()) {
                        value = bound;
                    }
                }
            }
        }
        Ok(value)
    }

    fn modifiers(&self, s: &mut Scratch, it: ObjId, field: FieldId) -> Res<Vec<Applied>> {
        let mut found = Vec::new();
        let grants = self.pack.field_grants.get(field.index()).map_or(&[][..], |g| g);
        let kind = self.world.object(it)?.kind;
        for (at, m) in grants {
            let (bundle, rule) = self.pack.rule(*at)?;
            let Rule::Grant { kind: wanted, mods, .. } = rule else {
                continue;
            };
            if !self.pack.is_kind(kind, *wanted) {
                continue;
            }
            let Some(modifier) = mods.get(*m as usize) else {
                continue;
            };
            self.each_granting(s, *at, it, &mut |view, s, source| {
                let value = view.eval_for(s, modifier.value, source, &[Value::Obj(it)])?;
                found.push(Applied { op: modifier.op, rank: bundle.rank, value });
                Ok(())
            })?;
        }
        self.timed_modifiers(s, it, field, false, &mut found)?;
        Ok(found)
    }

    fn timed_modifiers(&self, s: &mut Scratch, it: ObjId, field: FieldId, sure: bool, found: &mut Vec<Applied>) -> Res<()> {
        for timed in &self.world.timed {
            let about = timed.targets.contains(&it) && timed.mods.iter().any(|(f, ..)| *f == field);
            if !about || (sure && timed.ends.iter().any(|ends| matches!(ends, Ends::While { .. }))) || !self.timed_holds(s, timed, it)? {
                continue;
            }
            for (_, op, value) in timed.mods.iter().filter(|(f, ..)| *f == field) {
                found.push(Applied { op: *op, rank: timed.rank, value: value.clone() });
            }
        }
        Ok(())
    }

    /// Has somebody taken away the keywords its card lists? What it lists instead.
    pub(super) fn listed_instead(&self, s: &mut Scratch, it: ObjId) -> Res<Option<Value>> {
        for field in &self.pack.keyword_fields {
            if !self.may_be_modified(*field) || s.reading.contains(&(it, *field)) {
                continue;
            }
            s.reading.push((it, *field));
            let mods = self.modifiers(s, it, *field);
            s.reading.pop();
            let mods = mods?;
            let set = mods.iter().enumerate().filter(|(_, m)| m.op == ModOp::Set).max_by_key(|(i, m)| (m.rank, *i));
            if let Some((_, set)) = set {
                return Ok(Some(set.value.clone()));
            }
        }
        Ok(None)
    }

    /// Can keywords be taken away at all now?
    pub(super) fn may_lose_keywords(&self) -> bool {
        self.pack.keyword_fields.iter().any(|field| self.may_be_modified(*field))
    }

    /// A card has the rules of a keyword it lists, unless somebody took it away.
    pub(super) fn keeps_keyword(&self, s: &mut Scratch, it: ObjId, bundle: BundleId) -> Res<bool> {
        let Some(keyword) = self.pack.keyword_of.get(bundle.index()).copied().flatten() else { return Ok(true) };
        Ok(match self.listed_instead(s, it)? {
            Some(list) => self.items(&list)?.contains(&Value::Keyword(keyword)),
            None => true,
        })
    }

    /// A grant with `while` counts as long as its condition is true.
    pub fn timed_holds(&self, s: &mut Scratch, timed: &Timed, it: ObjId) -> Res<bool> {
        for ends in &timed.ends {
            if let Ends::While { cond } = ends
                && !self.seen_by(timed.this).is_true_for(s, *cond, &timed.source(), &[Value::Obj(it)])?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Has it the keyword, and with which number?
    pub fn keyword(&self, s: &mut Scratch, of: &Value, keyword: KeywordId) -> Res<(bool, i64)> {
        let (mut has, mut number) = (false, 0i64);
        let mut count = |n: i64| {
            has = true;
            number = number.saturating_add(n);
        };
        let card = match of {
            Value::Card(card) => Some(*card),
            Value::Obj(id) => self.world.object(*id)?.card,
            _ => return Ok((false, 0)),
        };
        let instead = match *of {
            Value::Obj(it) if self.may_lose_keywords() => self.listed_instead(s, it)?,
            _ => None,
        };
        match (instead, card) {
            (Some(list), _) => {
                self.items(&list)?.iter().filter(|k| **k == Value::Keyword(keyword)).for_each(|_| count(1));
            }
            (None, Some(card)) => {
                self.pack.card(card)?.keywords.iter().filter(|(k, _)| *k == keyword).for_each(|(_, n)| count(*n));
            }
            (None, None) => {}
        }
        let Value::Obj(it) = *of else {
            return Ok((has, number));
        };
        for timed in &self.world.timed {
            if timed.targets.contains(&it) && timed.keywords.iter().any(|(k, _)| *k == keyword) && self.timed_holds(s, timed, it)? {
                timed.keywords.iter().filter(|(k, _)| *k == keyword).for_each(|(_, n)| count(*n));
            }
        }
        // While its own grants are looked at, a keyword is had by those who have it without them.
        if self.pack.reads_itself && s.asking.contains(&keyword) {
            return Ok((has, number));
        }
        s.asking.push(keyword);
        let granted = self.granted_numbers(s, it, keyword, &mut count);
        s.asking.pop();
        granted?;
        Ok((has, number))
    }

    fn granted_numbers(&self, s: &mut Scratch, it: ObjId, keyword: KeywordId, count: &mut dyn FnMut(i64)) -> Res<()> {
        let grants = self.pack.keyword_grants.get(keyword.index()).map_or(&[][..], |g| g);
        let kind = self.world.object(it)?.kind;
        for (at, k) in grants {
            let (_, rule) = self.pack.rule(*at)?;
            let Rule::Grant { kind: wanted, keywords, .. } = rule else {
                continue;
            };
            if !self.pack.is_kind(kind, *wanted) {
                continue;
            }
            let value = keywords.get(*k as usize).and_then(|(_, value)| *value);
            self.each_granting(s, *at, it, &mut |view, s, source| {
                let n = match value {
                    Some(frag) => num::int(&view.eval_for(s, frag, source, &[Value::Obj(it)])?)?,
                    None => 1,
                };
                count(n);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Base, then the setting of the highest rank, then sums, products, and bounds.
pub(crate) fn apply(base: Value, mods: &[Applied]) -> Res<Value> {
    if let ([Applied { op: ModOp::Add, value, .. }], Value::Int(_)) = (mods, &base) {
        return num::add(&base, value);
    }
    let set = mods.iter().enumerate().filter(|(_, m)| m.op == ModOp::Set).max_by_key(|(i, m)| (m.rank, *i));
    let mut value = set.map_or(base, |(_, m)| m.value.clone());
    for modifier in mods.iter().filter(|m| m.op == ModOp::Add) {
        // Adding to something that is not there (an unset optional) leaves it unset.
        if value != Value::None {
            value = num::add(&value, &modifier.value)?;
        }
    }
    for modifier in mods.iter().filter(|m| m.op >= ModOp::Mul && m.op <= ModOp::DivNearest) {
        if value != Value::None {
            let by = &modifier.value;
            value = match modifier.op {
                ModOp::Mul => num::mul(&value, by)?,
                ModOp::DivDown => num::div_rounded(&value, by, Rounding::Down)?,
                ModOp::DivUp => num::div_rounded(&value, by, Rounding::Up)?,
                ModOp::DivNearest => num::div_rounded(&value, by, Rounding::Nearest)?,
                _ => num::div(&value, by)?,
            };
        }
    }
    for op in [ModOp::AtLeast, ModOp::AtMost] {
        for modifier in mods.iter().filter(|m| m.op == op) {
            if value != Value::None {
                let order = num::compare(&value, &modifier.value)?;
                if (op == ModOp::AtLeast && order.is_lt()) || (op == ModOp::AtMost && order.is_gt()) {
                    value = modifier.value.clone();
                }
            }
        }
    }
    Ok(value)
}
