//! Calls of actions: how an event comes into being.

use super::Machine;
use super::batch::no_event;
use super::calls::{NO_SOURCE, Setting, new_frame};
use super::frame::{EventInstance, Form, Gathering, Parked, Ret, Stage, Task};
use super::run::{Acted, Halt};
use crate::eval::Scratch;
use crate::fault::{Bound, FaultKind, Res, Stop, bad_pack, fail};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::Rule;
use crate::value::Value;
use crate::world::{NOBODY, Used};

impl Machine {
    pub(super) fn emit(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        dst: Reg,
        done: Reg,
        action: ActionId,
        args: (usize, Reg, u16),
    ) -> Res<Acted> {
        let Some(Task::Frame(frame)) = self.stack.last_mut() else {
            return bad_pack("an event without a caller");
        };
        if let Some(gathering) = &mut frame.together {
            s.check_list(gathering.calls.len() + 1)?;
            gathering.calls.push((action, s.range(args.0, args.1, args.2).to_vec()));
            let base = frame.base as usize;
            s.set(base, dst, Value::None);
            s.set(base, done, Value::Bool(true));
            return Ok(Acted::Next);
        }
        let (you, caller) = (self.you_now(), self.stack.len() - 1);
        let first = self.new_event(pack, action, s.range(args.0, args.1, args.2), you)?;
        let acted = self.start_event(pack, s, first, Form::Call { dst, done })?;
        self.leave_head(caller);
        Ok(acted)
    }

    /// A sentence that comes first in a menu line is its head: once it is under way the line is begun.
    fn leave_head(&mut self, caller: usize) {
        if let Some(Task::Frame(frame)) = self.stack.get_mut(caller) {
            frame.guard = None;
        }
    }

    pub(super) fn together_begin(&mut self) -> Acted {
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            match &mut frame.together {
                Some(gathering) => gathering.depth += 1,
                None => frame.together = Some(Box::new(Gathering::default())),
            }
        }
        Acted::Next
    }

    pub(super) fn together_end(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Acted> {
        let Some(Task::Frame(frame)) = self.stack.last_mut() else {
            return Ok(Acted::Next);
        };
        let Some(gathering) = &mut frame.together else {
            return bad_pack("`together` ends without a beginning");
        };
        if gathering.depth > 0 {
            gathering.depth -= 1;
            return Ok(Acted::Next);
        }
        let calls = gathering.calls.clone();
        if calls.is_empty() {
            frame.together = None;
            return Ok(Acted::Next);
        }
        if self.probing.is_some() {
            // Several calls at once are legal if one of them is.
            for call in calls {
                let mut copy = self.clone();
                let mut t = Scratch::new(s.regs.clone(), s.limits, s.fuel);
                copy.start_batch(pack, &mut t, vec![call], Form::Together)?;
                t.derived = std::mem::take(&mut s.derived);
                let halt = copy.drive(pack, &mut t);
                s.derived = t.derived;
                s.fuel = t.fuel;
                let halt = halt?;
                if halt != Halt::Illegal {
                    return Ok(Acted::Halt(Halt::Legal));
                }
            }
            return Ok(Acted::Halt(Halt::Illegal));
        }
        let acted = self.start_batch(pack, s, calls, Form::Together)?;
        // Cleared only now: an unknown fact in a `cannot` rule makes this instruction run again.
        let caller = self.stack.len().wrapping_sub(2);
        if let Some(Task::Frame(frame)) = self.stack.get_mut(caller) {
            frame.together = None;
        }
        self.leave_head(caller);
        Ok(acted)
    }

    /// Opens the newest event, which happens by itself. If that cannot be, it is taken back.
    pub(super) fn start_event(&mut self, pack: &Loaded, s: &mut Scratch, first: u32, form: Form) -> Res<Acted> {
        let begun = self.check_events(pack, s, None, 1).and_then(|()| self.may_begin(pack, s, first));
        let legal = match begun {
            Ok(legal) if legal || self.probing.is_none() => legal,
            other => {
                self.apart.spare.keep_events(self.events.drain(first as usize..));
                return other.map(|_| Acted::Halt(Halt::Illegal));
            }
        };
        let head = self.head_of(pack, first, legal)?;
        self.apart.events_left -= 1;
        self.step_over();
        self.push_batch(first, 1, Stage::Heads, form);
        if let Some((frag, setting)) = head {
            self.batch()?.cursor = 1;
            self.push_frame(pack, s, frag, [], setting)?;
        }
        Ok(Acted::Switch)
    }

    fn check_events(&self, pack: &Loaded, s: &Scratch, next: Option<ActionId>, count: u32) -> Res<()> {
        let nested = self.stack.iter().filter(|t| matches!(t, Task::Batch(_))).count();
        if nested >= s.limits.depth as usize {
            let chain = self.chain(pack, next);
            return fail(FaultKind::Limit(Bound::Depth), format!("events caused events {nested} deep; the chain is {chain}"));
        }
        if self.apart.events_left < count {
            let chain = self.chain(pack, next);
            return fail(
                FaultKind::Limit(Bound::Events),
                format!("more than {} events without a question; running are {chain}", s.limits.events),
            );
        }
        Ok(())
    }

    /// Opens events that happen at the same time. Illegal ones are kept, so that their callers can be told.
    pub(super) fn start_batch(&mut self, pack: &Loaded, s: &mut Scratch, calls: Vec<(ActionId, Vec<Value>)>, form: Form) -> Res<Acted> {
        let count = calls.len() as u32;
        self.check_events(pack, s, calls.first().map(|c| c.0), count)?;
        let inherited = self.you_now();
        let (mut born, mut legals) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
        let first = self.events.len() as u32;
        let mut any_legal = false;
        for (action, args) in calls {
            let index = self.new_event(pack, action, &args, inherited)?;
            let legal = self.may_begin(pack, s, index);
            // None of them has begun for the others.
            born.extend(self.events.pop());
            let legal = legal?;
            any_legal |= legal;
            legals.push(legal);
        }
        if self.probing.is_some() && !any_legal {
            return Ok(Acted::Halt(Halt::Illegal));
        }
        self.apart.events_left -= count;
        self.events.append(&mut born);
        for (index, legal) in (first..).zip(legals) {
            let head = self.head_of(pack, index, legal)?;
            if let (Some((frag, setting)), Some(event)) = (head, self.events.get_mut(index as usize)) {
                event.body = Some(Box::new(Parked { frame: new_frame(frag, 0, setting), registers: Vec::new() }));
            }
        }
        self.step_over();
        self.push_batch(first, count, Stage::Heads, form);
        Ok(Acted::Switch)
    }

    pub(super) fn you_now(&self) -> ObjId {
        match self.stack.last() {
            Some(Task::Frame(frame)) => frame.you,
            _ => self.world.players.first().copied().unwrap_or(NOBODY),
        }
    }

    /// Puts an event behind those that are under way; gives its place among them.
    pub(super) fn new_event(&mut self, pack: &Loaded, action: ActionId, args: &[Value], inherited: ObjId) -> Res<u32> {
        let described = pack.action(action)?;
        let by = described.by.and_then(|by| args.get(by as usize));
        let you = match by {
            Some(Value::Obj(id)) => self.controller(*id).unwrap_or(inherited),
            _ => inherited,
        };
        let mut event = self.apart.spare.event(action, you, self.world.log.len() as u32);
        event.values.extend_from_slice(args.get(..described.params as usize).unwrap_or(args));
        event.values.resize(described.fields.len().max(described.params as usize), Value::None);
        self.events.push(event);
        Ok(self.events.len() as u32 - 1)
    }

    /// The head of an event that begins, if it has one.
    fn head_of(&mut self, pack: &Loaded, index: u32, legal: bool) -> Res<Option<(FragId, Setting)>> {
        let Some(event) = self.events.get_mut(index as usize) else { return no_event() };
        event.legal = legal;
        let described = pack.action(event.action)?;
        let Some(frag) = described.body.filter(|_| legal) else {
            return Ok(None);
        };
        let facts = pack.facts_of.get(frag.index());
        // Where nothing stands before the end of the head, it is passed here; unless a rule that forbids the action is to look again.
        let looks_again = event.values.len() > described.params as usize && !pack.rules_of_action(event.action).cannot.is_empty();
        let has_head = facts.and_then(|f| f.head_end).is_some_and(|end| end > 0 || looks_again);
        if !has_head {
            return Ok(None);
        }
        if facts.is_some_and(|f| f.head_acts) && self.probing.is_none() {
            event.before_head = Some(Box::new(self.world.clone()));
        }
        let setting = Setting { event: Some(index), source: NO_SOURCE, you: event.you, rank: 0, ret: Ret::Body(index) };
        event.in_head = true;
        Ok(Some((frag, setting)))
    }

    /// Before the head: not used up, not forbidden. It is the newest event.
    fn may_begin(&mut self, pack: &Loaded, s: &mut Scratch, index: u32) -> Res<bool> {
        let Some(event) = self.events.get(index as usize) else { return no_event() };
        let described = pack.action(event.action)?;
        if described.once.is_some() && self.world.is_used(self.once_of(pack, event)) {
            self.apart.refused = Some((None, "it was done already, and works only once"));
            return Ok(false);
        }
        if pack.rules_of_action(event.action).cannot.is_empty() {
            return Ok(true);
        }
        let has_head = event.values.len() > described.params as usize;
        match self.forbidden(pack, s, index) {
            Ok(forbidden) => {
                if forbidden {
                    self.apart.refused = Some((None, "a rule forbids it"));
                }
                Ok(!forbidden)
            }
            // A rule that speaks of names the head has yet to bind is asked again when they are bound.
            Err(Stop::Fault(_)) if has_head => Ok(true),
            Err(stop) => Err(stop),
        }
    }

    pub(super) fn once_of(&self, pack: &Loaded, event: &EventInstance) -> Used {
        let by = pack.pack().actions.get(event.action.index()).and_then(|a| a.by).and_then(|by| event.values.get(by as usize));
        let by = match by {
            Some(Value::Obj(id)) => *id,
            _ => event.you,
        };
        Used::Action { action: event.action, by }
    }

    /// Is there a `cannot` for this event?
    pub(super) fn forbidden(&self, pack: &Loaded, s: &mut Scratch, index: u32) -> Res<bool> {
        let Some(event) = self.events.get(index as usize) else {
            return Ok(false);
        };
        let view = self.view(pack, Some(index), event.you);
        for at in &pack.rules_of_action(event.action).cannot {
            let (_, rule) = pack.rule(*at)?;
            let Rule::Cannot { guard, .. } = rule else {
                continue;
            };
            for source in view.sources(s, at.bundle)?.iter() {
                let holds = match guard {
                    Some(frag) => view.seen_by(source.this).is_true_for(s, *frag, source, &[])?,
                    None => true,
                };
                if holds {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The actions that are running, innermost last: what a chain without end goes through.
    pub(super) fn chain(&self, pack: &Loaded, last: Option<ActionId>) -> String {
        let all: Vec<ActionId> = self.events.iter().map(|e| e.action).chain(last).collect();
        let from = all.len().saturating_sub(8);
        all[from..].iter().map(|a| format!("`{}`", pack.action_name(*a))).collect::<Vec<_>>().join(" → ")
    }
}
