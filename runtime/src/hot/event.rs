//! An event with everything that answers it, one after the other: its head, the rules before it, its body, the rules after it.

use super::compile::Compiler;
use super::op::{Op, Slot};
use super::state::{Held, Sort};
use crate::bytecode::ModOp;
use crate::eval::{Due, Source, object_or_none};
use crate::ids::*;
use crate::loaded::RuleRef;
use crate::pack::Rule;
use crate::value::Value;
use crate::world::NOBODY;

/// Events inside events, in one program.
const DEEPEST: u32 = 8;

/// Values of one event.
const MOST_FIELDS: usize = 32;

/// Each value of an event is followed by what rules before it add to it, and the bounds they set.
pub(super) const VALUE: usize = 0;
const ADDED: usize = 1;
const LEAST: usize = 2;
const MOST: usize = 3;
pub(super) const EACH: usize = 4;

pub(super) struct Event {
    pub action: ActionId,
    pub you: ObjId,
    pub values: Vec<Held>,
    pub homes: Vec<Option<Slot>>,
    /// Rules before it are running, which may modify it.
    pub before: bool,
    /// The rules before it have run.
    pub declared: bool,
}

impl Event {
    /// Where in its values something about a field stands.
    pub fn place(field: u16, what: usize) -> usize {
        field as usize * EACH + what
    }
}

/// A rule that may answer, and the condition.
struct Answer {
    at: RuleRef,
    source: Source,
    body: FragId,
    you: ObjId,
    when: Held,
}

impl<'p> Compiler<'p, '_, '_> {
    /// An event with what its parameters are; gives its result and the slots it had.
    pub(super) fn event(&mut self, action: ActionId, args: &[Held], inherited: ObjId) -> Option<(Held, Vec<Slot>)> {
        let pack = self.view.pack;
        let described = pack.action(action).ok()?;
        let plain = described.once.is_none()
            && !described.is_phase
            && described.log.is_none()
            && !pack.forgets.get(action.index()).is_some_and(|f| *f);
        let fields = described.fields.len().max(described.params as usize);
        if !plain || self.depth >= DEEPEST || fields > MOST_FIELDS {
            return None;
        }
        let by = described.by.and_then(|by| args.get(by as usize));
        let you = match by {
            Some(Held::Known(Value::Obj(id))) => self.controller(*id).unwrap_or(inherited),
            Some(Held::Known(_)) | None => inherited,
            Some(_) => return None,
        };
        self.nobody_answers(action, you)?;
        let mut event = Event {
            action,
            you,
            values: Vec::with_capacity(fields * EACH),
            homes: vec![None; fields * EACH],
            before: false,
            declared: false,
        };
        for field in 0..fields {
            let given = args.get(field).filter(|_| field < described.params as usize);
            event.values.push(given.cloned().unwrap_or(Held::Known(Value::None)));
            event.values.extend([Held::number(0), Held::number(i64::MIN), Held::number(i64::MAX)]);
        }
        // What was handed over belongs to somebody else, who may change it.
        for place in (0..event.values.len()).step_by(EACH) {
            if let Some(Held::In(sort, slot)) = event.values.get(place).cloned() {
                let own = self.own(&mut event, place)?;
                self.push(Op::Put { dst: own, src: slot });
                event.values[place] = Held::In(sort, own);
            }
        }
        if !self.actions.contains(&action) {
            self.actions.push(action);
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.depth > 1 {
            self.event_begins();
        }
        let body = described.body?;
        if pack.facts_of.get(body.index()).is_none_or(|f| f.head_end.is_none()) {
            self.declare(&mut event)?;
        }
        let (result, mut slots) = self.fragment(body, you, Vec::new(), &mut event)?;
        if !event.declared {
            return None;
        }
        // Rules after the event may change what the result was read from.
        let result = match result {
            Held::In(sort, src) => {
                let dst = self.slots.passing()?;
                slots.push(dst);
                self.push(Op::Put { dst, src });
                Held::In(sort, dst)
            }
            other => other,
        };
        self.state_checks(&mut event)?;
        self.answers(&mut event, Due::After)?;
        self.depth -= 1;
        slots.extend(event.homes.into_iter().flatten());
        Some((result, slots))
    }

    fn controller(&self, this: ObjId) -> Option<ObjId> {
        self.view.world.get(this).map(|o| o.controller).filter(|c| *c != NOBODY)
    }

    pub(super) fn own(&mut self, event: &mut Event, place: usize) -> Option<Slot> {
        let home = event.homes.get_mut(place)?;
        if home.is_none() {
            *home = Some(self.slots.passing()?);
        }
        *home
    }

    /// Rules that forbid or replace the event, or that have their turn as it ends, make it another event than a program can be made of.
    fn nobody_answers(&mut self, action: ActionId, you: ObjId) -> Option<()> {
        for due in [Due::Instead, Due::AtEnd] {
            if !self.in_force(action, you, due)?.is_empty() {
                return None;
            }
        }
        for at in &self.view.pack.rules_of_action(action).cannot {
            let view = crate::eval::View { you, ..self.view };
            if !self.view.pack.stable().bundle(at.bundle) || !view.sources(self.s, at.bundle).ok()?.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// The rules that have their turn then, if that is the same until the world gets another stamp.
    fn in_force(&mut self, action: ActionId, you: ObjId, due: Due) -> Option<crate::machine::InForce> {
        let pack = self.view.pack;
        if !due.rules(pack, action).iter().all(|at| pack.stable().bundle(at.bundle)) {
            return None;
        }
        let before = self.s.fuel;
        let view = crate::eval::View { you, event: None, ..self.view };
        let found = view.in_force(self.s, action, due).ok();
        self.step(before.saturating_sub(self.s.fuel));
        found
    }

    /// The head is over: rules before the event run, and what they modify is reckoned up.
    pub(super) fn declare(&mut self, event: &mut Event) -> Option<()> {
        event.declared = true;
        event.before = true;
        self.answers(event, Due::Before)?;
        event.before = false;
        for field in 0..event.values.len() / EACH {
            self.modify(event, field as u16)?;
        }
        Some(())
    }

    /// `amount -1`: sums first, then bounds, as the layers of modifiers are.
    fn modify(&mut self, event: &mut Event, field: u16) -> Option<()> {
        let place = Event::place(field, VALUE);
        for (what, nothing) in [(ADDED, 0), (LEAST, i64::MIN), (MOST, i64::MAX)] {
            let by = event.values.get(Event::place(field, what)).cloned()?;
            let old = event.values.get(place).cloned()?;
            // Adding to something that is not there leaves it unset.
            if by != Held::number(nothing) && old != Held::Known(Value::None) {
                let new = self.with(event, place, what, (&old, &by))?;
                *event.values.get_mut(place)? = new;
            }
        }
        Some(())
    }

    /// A modifier of a rule before the event.
    pub(super) fn modifier(&mut self, event: &mut Event, values: &mut [Held], field: u16, op: ModOp, by: &Held) -> Option<()> {
        let what = match op {
            ModOp::Add => ADDED,
            ModOp::AtLeast => LEAST,
            ModOp::AtMost => MOST,
            _ => return None,
        };
        let place = Event::place(field, what);
        let old = values.get(place).cloned()?;
        let new = self.with(event, place, what, (&old, by))?;
        *values.get_mut(place)? = new;
        event.before.then_some(())
    }

    /// A number of the event with something added to it, or within a bound; it is to stand at that place.
    fn with(&mut self, event: &mut Event, place: usize, what: usize, (old, by): (&Held, &Held)) -> Option<Held> {
        if let (Held::Known(Value::Int(a)), Held::Known(Value::Int(b))) = (old, by) {
            return Some(Held::number(match what {
                ADDED => a.checked_add(*b)?,
                LEAST => *a.max(b),
                _ => *a.min(b),
            }));
        }
        let (a, b) = (self.number(old)?, self.number(by)?);
        let dst = self.own(event, place)?;
        self.push(match what {
            ADDED => Op::Add { dst, a, b },
            LEAST => Op::Max { dst, a, b },
            _ => Op::Min { dst, a, b },
        });
        Some(Held::In(Sort::Int, dst))
    }

    /// `at end of any event`: none may be due, or the machine sees to it.
    fn state_checks(&mut self, event: &mut Event) -> Option<()> {
        let (action, you) = (event.action, event.you);
        for (at, source) in self.in_force(action, you, Due::Check)?.iter() {
            let answer = self.answer(event, *at, source)?;
            match answer.when {
                Held::Known(Value::Bool(false)) => {}
                Held::In(Sort::Bool, slot) => {
                    let dst = self.slots.passing()?;
                    self.push(Op::Not { dst, a: slot });
                    self.push(Op::Must { cond: dst });
                    self.slots.free(dst);
                    self.slots.free(slot);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// A rule and its condition, which stands in a slot of its own if it is not known.
    fn answer(&mut self, event: &mut Event, at: RuleRef, source: &Source) -> Option<Answer> {
        let pack = self.view.pack;
        let (_, rule) = pack.rule(at).ok()?;
        let Rule::Handler { guard, body, once: None, .. } = rule else { return None };
        let part = self.view.world.get(source.part).and_then(|o| o.card).and_then(|c| pack.cards.get(c.index()));
        if part.is_some_and(|card| card.once.is_some()) {
            return None;
        }
        let you = self.controller(source.this).unwrap_or(event.you);
        let when = match guard {
            None => Held::Known(Value::Bool(true)),
            Some(guard) => {
                let (held, slots) = self.fragment(*guard, you, Self::own_values(source), event)?;
                let held = match held {
                    Held::In(sort, slot) => {
                        let own = self.slots.passing()?;
                        self.push(Op::Put { dst: own, src: slot });
                        Held::In(sort, own)
                    }
                    other => other,
                };
                slots.into_iter().for_each(|slot| self.slots.free(slot));
                held
            }
        };
        Some(Answer { at, source: source.clone(), body: *body, you, when })
    }

    /// What a fragment of a rule is given.
    fn own_values(source: &Source) -> Vec<Held> {
        let own = [object_or_none(source.this), object_or_none(source.part)];
        own.into_iter().chain(source.caps.iter().flat_map(|c| c.iter().cloned())).map(Held::Known).collect()
    }

    fn answers(&mut self, event: &mut Event, due: Due) -> Option<()> {
        let mut found = Vec::new();
        for (at, source) in self.in_force(event.action, event.you, due)?.iter() {
            let answer = self.answer(event, *at, source)?;
            if answer.when != Held::Known(Value::Bool(false)) {
                found.push(answer);
            }
        }
        // Whose rules come first may depend on whose turn it is; those of one player are in the order of their holders.
        let whose = |answer: &Answer| self.controller(answer.source.this);
        if found.windows(2).any(|pair| whose(&pair[0]) != whose(&pair[1])) {
            return None;
        }
        found.sort_by_key(|answer| (answer.source.age(), answer.at));
        for answer in found {
            match answer.when {
                Held::Known(Value::Bool(true)) => self.body(event, &answer)?,
                Held::In(Sort::Bool, slot) => {
                    self.perhaps(event, &answer, slot)?;
                    self.slots.free(slot);
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn body(&mut self, event: &mut Event, answer: &Answer) -> Option<()> {
        let (_, slots) = self.fragment(answer.body, answer.you, Self::own_values(&answer.source), event)?;
        slots.into_iter().for_each(|slot| self.slots.free(slot));
        Some(())
    }

    /// A rule that answers if something is so that is found out only then. Whatever it changes stands in its own slot, whether it answers or not.
    fn perhaps(&mut self, event: &mut Event, answer: &Answer, when: Slot) -> Option<()> {
        let begin = self.begin();
        for _ in 0..4 {
            self.go_back(begin);
            let before = event.values.clone();
            for place in 0..before.len() {
                if event.homes.get(place).copied().flatten().is_some()
                    && let Some(sort) = before.get(place).and_then(Held::sort)
                {
                    self.bring_home(event, place, sort)?;
                }
            }
            let started = event.values.clone();
            let step = self.push(Op::If { cond: when, unless: true, to: 0 });
            self.label();
            self.body(event, answer)?;
            let mut same = true;
            for place in 0..started.len() {
                let (was, is) = (started.get(place)?.clone(), event.values.get(place)?.clone());
                if was == is {
                    continue;
                }
                let sort = was.sort().filter(|sort| is.sort() == Some(*sort))?;
                let home = self.bring_home(event, place, sort)?;
                same &= was == Held::In(sort, home);
            }
            let behind = self.label();
            self.lead(step, false, behind)?;
            if same {
                return Some(());
            }
            event.values = before;
        }
        None
    }

    fn bring_home(&mut self, event: &mut Event, place: usize, sort: Sort) -> Option<Slot> {
        let held = event.values.get(place).cloned()?;
        let dst = self.own(event, place)?;
        if held != Held::In(sort, dst) {
            let src = self.slot_of(&held)?;
            self.push(Op::Put { dst, src });
            *event.values.get_mut(place)? = Held::In(sort, dst);
        }
        Some(dst)
    }
}
