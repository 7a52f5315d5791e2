//! The stages of an event, in the order of the language reference, section 7. Every stage first looks, then changes: an unknown fact
//! makes it run again from its start.

use std::sync::Arc;

use super::Machine;
use super::calls::{NO_SOURCE, Setting};
use super::frame::{Batch, Form, Parked, Ret, Stage, Task, Trigger};
use super::run::{Acted, Halt};
use crate::eval::{Due, Scratch, object_or_none};
use crate::fault::{Bound, FaultKind, Res, bad_pack, fail};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::{Rule, When};
use crate::value::Value;
use crate::world::{Logged, NOBODY, Used};

pub(super) fn no_event<T>() -> Res<T> {
    bad_pack("no event is under way")
}

impl Machine {
    pub(super) fn batch(&mut self) -> Res<&mut Batch> {
        match self.stack.last_mut() {
            Some(Task::Batch(batch)) => Ok(batch),
            _ => no_event(),
        }
    }

    fn go(&mut self, stage: Stage) -> Res<()> {
        let batch = self.batch()?;
        batch.stage = stage;
        batch.cursor = 0;
        Ok(())
    }

    /// Rules that are due wait for their turn in this stage. If there are none it is passed.
    fn queue(&mut self, stage: Stage, due: Vec<Trigger>, next: Stage) -> Res<()> {
        let batch = self.batch()?;
        batch.stage = if due.is_empty() { next } else { stage };
        let last = std::mem::replace(&mut batch.queue, due);
        (batch.cursor, batch.ordered) = (0, 0);
        self.apart.spare.keep_queue(last);
        Ok(())
    }

    /// On to where something runs or is asked: stages in which nothing is due are passed in one go.
    pub(super) fn advance_batch(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Option<Halt>> {
        let depth = self.stack.len();
        loop {
            let halt = self.advance_stage(pack, s)?;
            if halt.is_some() || self.stack.len() != depth {
                return Ok(halt);
            }
        }
    }

    fn advance_stage(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Option<Halt>> {
        let batch = self.batch()?;
        let (first, count, stage, form) = (batch.first, batch.count, batch.stage, batch.form);
        let events = first..first + count;
        match stage {
            Stage::Heads => {
                return self.next_head(pack, s, events);
            }
            Stage::CollectBefore => {
                self.begin_scopes(events.clone());
                let due = self.due(pack, s, Due::Before, events.clone())?;
                self.snapshot_after(pack, s, events.clone())?;
                // A phase written in place may be replaced, and that is seen to there.
                let next = if form == Form::Opening { Stage::Before } else { Stage::Bodies };
                if due.is_empty() {
                    self.apply_event_modifiers(events)?;
                }
                self.queue(Stage::Before, due, next)?;
            }
            Stage::Before => {
                if !self.next_trigger(pack, s)? {
                    self.apply_event_modifiers(events)?;
                    // A phase written in place is replaced like any other event.
                    if form == Form::Opening && self.due(pack, s, Due::Instead, first..first + count)?.is_empty() {
                        self.stack.pop();
                        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
                            frame.scopes += 1;
                        }
                        return Ok(None);
                    }
                    self.go(Stage::Bodies)?;
                }
            }
            Stage::Bodies => {
                let batch = self.batch()?;
                let event = first + batch.cursor;
                if batch.cursor >= count && form == Form::Opening {
                    self.pass_phase(pack, first)?;
                    self.stack.pop();
                } else if batch.cursor >= count {
                    self.go(Stage::CollectAtEnd)?;
                } else {
                    batch.cursor += 1;
                    let Some(instance) = self.events.get_mut(event as usize).filter(|e| e.legal && !e.carried) else {
                        return Ok(None);
                    };
                    if pack.rules_of_action(instance.action).instead.is_empty() {
                        instance.carried = true;
                        let parked = instance.body.take();
                        self.run_body(pack, s, event, parked)?;
                    } else {
                        self.stack.push(Task::Resolve { event, started: false, chosen: None });
                    }
                }
            }
            Stage::CollectAtEnd => {
                let due = self.due(pack, s, Due::AtEnd, events.clone())?;
                for event in events {
                    self.note_in_history(pack, s, event)?;
                    self.note_over(event);
                }
                self.queue(Stage::AtEnd, due, Stage::Expire)?;
            }
            Stage::AtEnd => {
                if !self.next_trigger(pack, s)? {
                    self.go(Stage::Expire)?;
                }
            }
            Stage::Expire => {
                self.expire(pack, s, events)?;
                self.go(Stage::CollectChecks)?;
            }
            Stage::CollectChecks => self.collect_checks(pack, s, events)?,
            Stage::Checks => {
                if !self.next_trigger(pack, s)? {
                    if self.acted {
                        self.go(Stage::CollectChecks)?;
                    } else {
                        self.checking = false;
                        self.go(Stage::CollectAfter)?;
                    }
                }
            }
            Stage::CollectAfter => {
                let due = self.due(pack, s, Due::After, events)?;
                self.queue(Stage::After, due, Stage::Finish)?;
            }
            Stage::After => {
                if self.ask_for_order(pack)? {
                    return Ok(Some(Halt::Asked));
                }
                if !self.next_trigger(pack, s)? {
                    self.go(Stage::Finish)?;
                }
            }
            Stage::Finish => self.finish_batch(s)?,
        }
        Ok(None)
    }

    /// Heads are taken a step at a time in turn; a single one runs through.
    fn next_head(&mut self, pack: &Loaded, s: &mut Scratch, events: std::ops::Range<u32>) -> Res<Option<Halt>> {
        let batch = self.batch()?;
        let from = batch.cursor;
        let count = events.len() as u32;
        for i in 0..count {
            let turn = (from + i) % count;
            let index = events.start + turn;
            let Some(event) = self.events.get_mut(index as usize) else {
                continue;
            };
            if event.in_head
                && let Some(parked) = event.body.take()
            {
                self.batch()?.cursor = turn + 1;
                self.unpark(pack, s, *parked)?;
                return Ok(None);
            }
        }
        let any_legal = events.clone().any(|e| self.events.get(e as usize).is_some_and(|e| e.legal));
        if self.probing.is_some() {
            // Nothing is left to declare.
            return Ok(Some(if any_legal { Halt::Legal } else { Halt::Illegal }));
        }
        for index in events {
            self.use_up_action(pack, index)?;
            self.trace_event(pack, index);
            self.note_event(pack, index);
        }
        self.go(if any_legal { Stage::CollectBefore } else { Stage::Finish })?;
        Ok(None)
    }

    pub(super) fn use_up_action(&mut self, pack: &Loaded, index: u32) -> Res<()> {
        if let Some(event) = self.events.get(index as usize)
            && event.legal
            && let Some(scope) = pack.action(event.action)?.once
        {
            let used = self.once_of(pack, event);
            self.world.use_up(scope, used);
        }
        Ok(())
    }

    pub(super) fn trace_event(&mut self, pack: &Loaded, index: u32) {
        let depth = self.stack.iter().filter(|t| matches!(t, Task::Batch(_))).count();
        let (Some(trace), Some(event)) = (&mut self.apart.trace, self.events.get(index as usize)) else {
            return;
        };
        if event.legal && trace.len() < 500 {
            let shows = pack.actions.get(event.action.index()).map(|a| &a.shows[..]);
            let notation = |i: usize| shows.and_then(|s| s.get(i)).copied().unwrap_or_default();
            let values: Vec<String> =
                event.values.iter().enumerate().map(|(i, v)| crate::describe::written(pack, &self.world, v, notation(i))).collect();
            trace.push(format!("{}{} {}", "  ".repeat(depth.saturating_sub(1)), pack.action_name(event.action), values.join(", ")));
        }
    }

    /// Runs the next rule of the queue. False: there is none.
    fn next_trigger(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<bool> {
        loop {
            let batch = self.batch()?;
            let Some(trigger) = batch.queue.get(batch.cursor as usize).cloned() else {
                return Ok(false);
            };
            let checking = batch.stage == Stage::Checks;
            // What an earlier check has put right needs no other; what was used up meanwhile is used up.
            let rule = (trigger.at, &trigger.source);
            let still = if checking { self.guard_holds(pack, s, rule, trigger.event)? } else { self.rule_usable(pack, rule)? };
            self.batch()?.cursor += 1;
            if still {
                self.run_rule(pack, s, trigger)?;
                return Ok(true);
            }
        }
    }

    pub(super) fn run_rule(&mut self, pack: &Loaded, s: &mut Scratch, trigger: Trigger) -> Res<()> {
        let Trigger { at, source, event } = trigger;
        let (bundle, rule) = pack.rule(at)?;
        let Rule::Handler { when, body, once, .. } = rule else {
            return Ok(());
        };
        if let Some(scope) = once {
            self.world.use_up(*scope, Used::Rule { bundle: at.bundle, rule: at.rule, this: source.this, part: source.part });
        }
        self.note_rule(at.bundle, rule, &source);
        self.use_part(pack, source.part);
        let you = match self.controller(source.this) {
            Some(controller) => controller,
            None => self.events.get(event as usize).map_or(NOBODY, |e| e.you),
        };
        let own = [object_or_none(source.this), object_or_none(source.part)];
        let caps = source.caps.clone();
        let ret = if *when == When::Instead { Ret::Instead(event) } else { Ret::Nothing };
        let setting = Setting { event: Some(event), source, you, rank: bundle.rank, ret };
        self.push_frame(pack, s, *body, own.into_iter().chain(caps.iter().flat_map(|c| c.iter().cloned())), setting)
    }

    fn apply_event_modifiers(&mut self, events: std::ops::Range<u32>) -> Res<()> {
        for index in events {
            let Some(event) = self.events.get_mut(index as usize) else {
                continue;
            };
            if let [(field, op, rank, value)] = &event.mods[..] {
                // Most are alone.
                let applied = [crate::eval::Applied { op: *op, rank: *rank, value: value.clone() }];
                if let Some(slot) = event.values.get_mut(*field as usize) {
                    *slot = crate::eval::apply(slot.clone(), &applied)?;
                }
                event.mods.clear();
                continue;
            }
            let mods = std::mem::take(&mut event.mods);
            if mods.is_empty() {
                continue;
            }
            let mut fields: Vec<u16> = mods.iter().map(|(f, ..)| *f).collect();
            fields.sort_unstable();
            fields.dedup();
            for field in fields {
                let of_field = mods.iter().filter(|(f, ..)| *f == field);
                let applied = of_field.map(|(_, op, rank, value)| crate::eval::Applied { op: *op, rank: *rank, value: value.clone() });
                if let Some(slot) = event.values.get_mut(field as usize) {
                    *slot = crate::eval::apply(slot.clone(), &applied.collect::<Vec<_>>())?;
                }
            }
        }
        Ok(())
    }

    /// `instead` rules one after the other, each at most once, then the body.
    pub(super) fn advance_resolve(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Option<Halt>> {
        let (event, chosen) = match self.stack.last_mut() {
            Some(Task::Resolve { event, started: false, chosen }) => (*event, chosen.take()),
            Some(Task::Resolve { .. }) => {
                self.stack.pop();
                return Ok(None);
            }
            _ => return Ok(None),
        };
        let next = match chosen {
            Some(chosen) => Some(*chosen),
            None => {
                let mut due = self.due(pack, s, Due::Instead, event..event + 1)?;
                let replaced = self.events.get(event as usize).map_or(&[][..], |e| &e.replaced);
                due.retain(|t| !replaced.iter().any(|(at, by)| (at, by) == (&t.at, &t.source)));
                if self.ask_which_first(pack, event, &due) {
                    return Ok(Some(Halt::Asked));
                }
                due.into_iter().next()
            }
        };
        let Some(instance) = self.events.get_mut(event as usize) else {
            self.stack.pop();
            return Ok(None);
        };
        // A body that was replaced may be carried out several times; the others are taken, not copied.
        let parked = match &next {
            Some(_) => None,
            None if instance.replaced.is_empty() => instance.body.take(),
            None => instance.body.clone(),
        };
        // Only what was replaced is carried out again.
        let over = next.is_none() && instance.carried && instance.replaced.is_empty();
        match &next {
            Some(trigger) => instance.replaced.push((trigger.at, trigger.source.clone())),
            None => instance.carried = true,
        }
        if let Some(Task::Resolve { started, .. }) = self.stack.last_mut() {
            *started = true;
        }
        match next {
            Some(trigger) => self.run_rule(pack, s, trigger)?,
            None if over => {}
            None => self.run_body(pack, s, event, parked)?,
        }
        Ok(None)
    }

    /// What an event does: the rest of a fragment that declared it, a whole fragment, or a part of the one it is written in.
    fn run_body(&mut self, pack: &Loaded, s: &mut Scratch, event: u32, parked: Option<Box<Parked>>) -> Res<()> {
        if let Some(parked) = parked {
            return self.unpark(pack, s, *parked);
        }
        // also one that has a body of its own elsewhere: a test may stand inside of a phase
        if self.written_in(event).is_some() {
            return self.run_phase(pack, s, event);
        }
        let Some(instance) = self.events.get(event as usize) else { return no_event() };
        let Some(frag) = pack.action(instance.action)?.body else {
            return Ok(());
        };
        let setting = Setting { event: Some(event), source: NO_SOURCE, you: instance.you, rank: 0, ret: Ret::Body(event) };
        self.push_frame(pack, s, frag, [], setting)?;
        let head_end = pack.facts_of.get(frag.index()).and_then(|f| f.head_end);
        self.set_pc(head_end.map_or(0, |end| end as usize + 1));
        Ok(())
    }

    pub(super) fn proceed(&mut self) -> Res<Acted> {
        let Some(event) = self.frame()?.event else {
            return bad_pack("`proceed` outside of an event");
        };
        self.step_over();
        self.stack.push(Task::Resolve { event, started: false, chosen: None });
        Ok(Acted::Switch)
    }

    fn note_in_history(&mut self, pack: &Loaded, s: &Scratch, index: u32) -> Res<()> {
        let Some(event) = self.events.get(index as usize) else {
            return Ok(());
        };
        let Some(spec) = &pack.action(event.action)?.log else {
            return Ok(());
        };
        let wanted = spec.scopes.iter().any(|scope| match scope {
            None => true,
            Some(scope) => self.events.iter().any(|e| e.action == *scope),
        });
        if !event.carried || !wanted {
            return Ok(());
        }
        if self.world.log.len() >= s.limits.memory as usize {
            return fail(FaultKind::Limit(Bound::Memory), "the history of this game is too long");
        }
        let values = spec.fields.iter().map(|f| (*f, event.values.get(*f as usize).cloned().unwrap_or(Value::None))).collect();
        let entry = Arc::new(Logged { action: event.action, values });
        Arc::make_mut(&mut self.world.log).push(Some(entry));
        Ok(())
    }

    fn collect_checks(&mut self, pack: &Loaded, s: &mut Scratch, events: std::ops::Range<u32>) -> Res<()> {
        let batch = self.batch()?;
        let rounds = batch.rounds;
        if pack.state_checks.is_empty() || (self.checking && rounds == 0) {
            return self.go(Stage::CollectAfter);
        }
        if rounds >= s.limits.state_checks {
            return fail(
                FaultKind::Limit(Bound::StateChecks),
                format!("rules `at end of any event` still changed something after {rounds} rounds: two of them may undo each other"),
            );
        }
        let last = events.end - 1;
        // Of an event that was illegal nothing is learnt.
        let (you, legal) = self.events.get(last as usize).map_or((NOBODY, false), |e| (e.you, e.legal));
        let known = self.view(pack, Some(last), you).nothing_to_check(s);
        let due = if known { Vec::new() } else { self.due(pack, s, Due::Check, last..events.end)? };
        if due.is_empty() {
            if !known && legal {
                self.view(pack, Some(last), you).remember_nothing_to_check(s);
            }
            if rounds > 0 {
                self.checking = false;
            }
            return self.go(Stage::CollectAfter);
        }
        self.batch()?.rounds += 1;
        self.checking = true;
        self.acted = false;
        self.queue(Stage::Checks, due, Stage::Checks)
    }

    fn finish_batch(&mut self, s: &mut Scratch) -> Res<()> {
        let Some(Task::Batch(batch)) = self.stack.pop() else {
            return Ok(());
        };
        let first = self.events.get(batch.first as usize);
        let (result, legal) = first.map_or((Value::None, false), |e| (e.result.clone(), e.legal));
        // In a save that was tampered with, the events may be gone before their batch.
        let from = (batch.first as usize).min(self.events.len());
        self.apart.spare.keep_events(self.events.drain(from..));
        self.no_longer_running(from as u32);
        self.apart.spare.keep_queue(batch.queue);
        match (batch.form, self.stack.last_mut()) {
            (Form::Call { dst, done }, Some(Task::Frame(frame))) => {
                let base = frame.base as usize;
                s.set(base, dst, if legal { result } else { Value::None });
                s.set(base, done, Value::Bool(legal));
            }
            (Form::Closing, Some(Task::Frame(frame))) => frame.scopes = frame.scopes.saturating_sub(1),
            (Form::Root, _) => self.result = result,
            _ => {}
        }
        Ok(())
    }

    // ---- phases written in place

    pub(super) fn open_scope(&mut self, pack: &Loaded, s: &mut Scratch, action: ActionId, args: Vec<Value>) -> Res<Acted> {
        if self.probing.is_some() {
            return Ok(Acted::Halt(Halt::Legal));
        }
        if self.events.len() > s.limits.depth as usize * 16 {
            return fail(FaultKind::Limit(Bound::Depth), format!("phases inside phases, without end: {}", self.chain(pack, Some(action))));
        }
        let you = self.frame()?.you;
        let first = self.new_event(pack, action, &args, you)?;
        self.step_over();
        self.push_batch(first, 1, Stage::CollectBefore, Form::Opening);
        self.trace_event(pack, first);
        self.note_event(pack, first);
        Ok(Acted::Switch)
    }

    /// Closes the innermost phase written in place. Where the fragment goes on is up to the caller.
    pub(super) fn close_scope(&mut self, _pack: &Loaded) -> Res<()> {
        let Some(last) = self.events.len().checked_sub(1) else {
            return bad_pack("a phase ends that never began");
        };
        if let Some(event) = self.events.get_mut(last) {
            // One that was replaced, and never carried out, did not happen.
            event.carried |= event.replaced.is_empty();
        }
        self.push_batch(last as u32, 1, Stage::CollectAtEnd, Form::Closing);
        Ok(())
    }

    pub(super) fn push_batch(&mut self, first: u32, count: u32, stage: Stage, form: Form) {
        let batch = Batch { first, count, stage, cursor: 0, queue: Vec::new(), ordered: 0, rounds: 0, form };
        self.stack.push(Task::Batch(batch));
    }
}
