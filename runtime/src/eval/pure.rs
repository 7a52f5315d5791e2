//! The instructions that only look, for terms and for everything else: there is one implementation.

use std::sync::Arc;

use super::{Scratch, View, object_or_none};
use crate::bytecode::Instr;
use crate::fault::{FaultKind, Res, Stop, fail, wrong};
use crate::ids::*;
use crate::loaded::or_bad;
use crate::num::{self, Rounding};
use crate::value::Value;

pub(crate) enum Flow {
    Next,
    Jump(Pc),
    Return(Reg),
    /// This one acts or asks: the machine's business.
    NotPure,
}

impl View<'_> {
    #[inline]
    pub fn exec(&self, s: &mut Scratch, base: usize, instr: &Instr) -> Res<Flow> {
        use Instr as I;
        let (dst, value) = match *instr {
            I::Int { dst, v } => (dst, Value::Int(v as i64)),
            I::Bool { dst, v } => (dst, Value::Bool(v)),
            I::None { dst } => (dst, Value::None),
            I::Move { dst, src } => (dst, s.reg(base, src).clone()),
            I::Const { dst, k } => (dst, or_bad(self.pack.consts.get(k.index()), "constant")?.clone()),
            I::Add { dst, a, b } => (dst, num::add(s.reg(base, a), s.reg(base, b))?),
            I::Sub { dst, a, b } => (dst, num::sub(s.reg(base, a), s.reg(base, b))?),
            I::Mul { dst, a, b } => (dst, num::mul(s.reg(base, a), s.reg(base, b))?),
            I::Div { dst, a, b } => (dst, num::div(s.reg(base, a), s.reg(base, b))?),
            I::DivDown { dst, a, b } => (dst, num::div_rounded(s.reg(base, a), s.reg(base, b), Rounding::Down)?),
            I::DivUp { dst, a, b } => (dst, num::div_rounded(s.reg(base, a), s.reg(base, b), Rounding::Up)?),
            I::DivNearest { dst, a, b } => (dst, num::div_rounded(s.reg(base, a), s.reg(base, b), Rounding::Nearest)?),
            I::Mod { dst, a, b } => (dst, num::modulo(s.reg(base, a), s.reg(base, b))?),
            I::Neg { dst, a } => (dst, num::negated(s.reg(base, a))?),
            I::Not { dst, a } => (dst, Value::Bool(!num::truth(s.reg(base, a))?)),
            I::Eq { dst, a, b } => {
                // Sets are compared whatever their order: each element is looked for.
                s.charge(long(s.reg(base, a)).saturating_mul(long(s.reg(base, b))))?;
                (dst, Value::Bool(num::same(s.reg(base, a), s.reg(base, b))))
            }
            I::Lt { dst, a, b } => (dst, Value::Bool(num::compare(s.reg(base, a), s.reg(base, b))?.is_lt())),
            I::Le { dst, a, b } => (dst, Value::Bool(num::compare(s.reg(base, a), s.reg(base, b))?.is_le())),
            I::AddInt { dst, a, v } => match s.reg(base, a) {
                Value::Int(n) if n.checked_add(v as i64).is_some() => (dst, Value::Int(n + v as i64)),
                other => (dst, num::add(other, &Value::Int(v as i64))?),
            },
            I::Jump { to } => return Ok(Flow::Jump(to)),
            I::JumpIf { cond, to } => {
                return Ok(if num::truth(s.reg(base, cond))? { Flow::Jump(to) } else { Flow::Next });
            }
            I::JumpIfNot { cond, to } => {
                return Ok(if num::truth(s.reg(base, cond))? { Flow::Next } else { Flow::Jump(to) });
            }
            I::JumpIfNone { src, to } => {
                return Ok(if *s.reg(base, src) == Value::None { Flow::Jump(to) } else { Flow::Next });
            }
            I::Return { src } => return Ok(Flow::Return(src)),
            I::MakeList { dst, start, n } => (dst, self.make_list(s, base, start, n)?),
            I::Push { list, item } => {
                self.push(s, base, list, item)?;
                return Ok(Flow::Next);
            }
            I::Len { dst, list } => (dst, Value::Int(self.length(s.reg(base, list))?)),
            I::Index { dst, list, i } => (dst, self.index(s.reg(base, list), num::int(s.reg(base, i))?)?),
            I::Contains { dst, list, item } => {
                s.charge(long(s.reg(base, list)))?;
                (dst, Value::Bool(self.contains(s.reg(base, list), s.reg(base, item))?))
            }
            I::Each { dst, op, list, frag, caps, n } => (dst, self.each(s, op, (base, list), frag, (base, caps, n))?),
            I::Call1 { dst, fun, a } => match self.fun(s, fun, base, a, 1)? {
                Some(value) => (dst, value),
                None => return Ok(Flow::NotPure),
            },
            I::CallN { dst, fun, start, n } => match self.fun(s, fun, base, start, n)? {
                Some(value) => (dst, value),
                None => return Ok(Flow::NotPure),
            },
            I::Get { dst, obj, field } => (dst, self.get(s, (base, obj), field)?),
            I::GetRaw { dst, obj, field } => {
                let of = s.reg(base, obj).clone();
                (dst, self.base_value(s, &of, field)?)
            }
            I::AllOf { dst, kind } => {
                if self.world.printed {
                    s.charge(self.pack.cards.len())?;
                    let all = self.pack.cards.iter().enumerate();
                    let all =
                        all.filter(|(_, c)| !c.template && self.pack.is_kind(c.kind, kind)).map(|(i, _)| Value::Card(CardId(i as u32)));
                    s.set(base, dst, Value::List(all.collect()));
                    return Ok(Flow::Next);
                }
                (dst, self.all_of(s, kind)?)
            }
            I::Parts { dst, obj, kind } => (dst, self.parts(s.reg(base, obj), kind)?),
            I::PartNamed { dst, obj, name } => (dst, self.part_named(s.reg(base, obj), name)?),
            I::IsKind { dst, obj, kind } => {
                let is = self.kind_of(s.reg(base, obj)).is_some_and(|k| self.pack.is_kind(k, kind));
                (dst, Value::Bool(is))
            }
            I::HasKeyword { dst, obj, keyword } => {
                let of = s.reg(base, obj).clone();
                (dst, Value::Bool(self.keyword(s, &of, keyword)?.0))
            }
            I::KeywordNumber { dst, obj, keyword } => {
                let of = s.reg(base, obj).clone();
                (dst, Value::Int(self.keyword(s, &of, keyword)?.1))
            }
            I::Game { dst, kind } => {
                let found = self.world.games.iter().find(|g| self.world.get(**g).is_some_and(|o| self.pack.is_kind(o.kind, kind)));
                (dst, found.map_or(Value::None, |g| Value::Obj(*g)))
            }
            I::Option { dst, option } => (dst, or_bad(self.world.options.get(option.index()), "option")?.clone()),
            I::Players { dst } => (dst, Value::List(self.world.players.iter().map(|p| Value::Obj(*p)).collect())),
            I::You { dst } => (dst, object_or_none(self.you)),
            I::Opponent { dst, of } => (dst, self.opponent(s.reg(base, of))),
            I::Fact { dst, fact, start, n } => (dst, self.fact(s, fact, base, start, n)?),
            I::Call { dst, frag, start, n } => {
                if !self.pack.fragment(frag)?.pure {
                    return Ok(Flow::NotPure);
                }
                (dst, self.call_term(s, frag, (base, start, n))?)
            }
            I::CallCode { dst, code, start, n } => match *s.reg(base, code) {
                Value::None => (dst, Value::None),
                Value::Code(frag, this, part) => {
                    let fragment = self.pack.fragment(frag)?;
                    if !fragment.pure {
                        return Ok(Flow::NotPure);
                    }
                    let mut args = vec![object_or_none(this), object_or_none(part)];
                    args.extend_from_slice(s.range(base, start, n));
                    (dst, self.seen_by(this).eval(s, frag, &args)?)
                }
                _ => return wrong("only an effect or a choice can be carried out"),
            },
            I::EvGet { dst, field } => {
                let event = self.event.and_then(|e| self.events.get(e as usize));
                match event.and_then(|e| e.values.get(field as usize)) {
                    Some(value) => (dst, value.clone()),
                    None => return wrong("no event is running here whose value could be read"),
                }
            }
            I::ScopeGet { dst, action, field } => match self.events.iter().rev().find(|e| e.action == action) {
                Some(event) => (dst, event.values.get(field as usize).cloned().unwrap_or(Value::None)),
                None => {
                    return wrong(format!("no {} is running", self.pack.action_name(action)));
                }
            },
            I::Past { dst, spec } => (dst, self.past(spec)?),
            I::LogGet { dst, event, field } => (dst, self.logged(s.reg(base, event), field)?),
            I::Todo { words } => {
                return fail(FaultKind::NotWritten, format!("not written yet: {}", self.pack.text(words)));
            }
            _ => return Ok(Flow::NotPure),
        };
        s.set(base, dst, value);
        Ok(Flow::Next)
    }

    fn opponent(&self, of: &Value) -> Value {
        let of = match of {
            Value::Obj(id) => self.world.get(*id).map_or(*id, |o| o.controller),
            _ => self.you,
        };
        let players = &self.world.players;
        let seat = players.iter().position(|p| *p == of).unwrap_or(0);
        match players.get((seat + 1) % players.len().max(1)) {
            Some(next) if *next != of => Value::Obj(*next),
            _ => Value::None,
        }
    }

    fn fact(&self, s: &mut Scratch, fact: FactId, base: usize, start: Reg, n: u16) -> Res<Value> {
        let args = s.range(base, start, n);
        let given = self.script.facts.iter().rev();
        if let Some(given) = { given }.find(|k| k.fact == fact && *k.args == *args) {
            return Ok(given.value.clone());
        }
        if let Some(known) = self.world.fact(fact, args) {
            return Ok(known.clone());
        }
        let described = or_bad(self.pack.facts.get(fact.index()), "fact")?;
        if self.world.blind
            && let Some(default) = described.default
            && !self.script.names(self.pack, described.name)
        {
            return self.call_term(s, default, (base, start, n));
        }
        Err(Stop::Fact { fact, args: args.into() })
    }

    fn past(&self, spec: PastId) -> Res<Value> {
        let spec = or_bad(self.pack.pasts.get(spec.index()), "past")?;
        let from = match spec.scope {
            None => 0,
            Some(scope) => match self.events.iter().rev().find(|e| e.action == scope) {
                Some(event) => event.log_mark as usize,
                None => return Ok(Value::List(Arc::new([]))),
            },
        };
        let entries = self.world.log.iter().enumerate().skip(from);
        let matching = entries.filter(|(_, e)| e.as_ref().is_some_and(|e| spec.actions.contains(&e.action)));
        Ok(Value::List(matching.map(|(i, _)| Value::Event(i as u32)).collect()))
    }

    fn logged(&self, event: &Value, field: u16) -> Res<Value> {
        let Value::Event(n) = event else {
            return wrong("only an event of the past has been noted");
        };
        match self.world.log.get(*n as usize) {
            Some(Some(entry)) => Ok(entry.values.iter().find(|(f, _)| *f == field).map_or(Value::None, |(_, v)| v.clone())),
            _ => wrong("that event is forgotten: the scope it was noted for is over"),
        }
    }
}

/// How many elements a list has, 0 for everything else.
pub(crate) fn long(v: &Value) -> usize {
    match v {
        Value::List(items) => items.len(),
        _ => 0,
    }
}
