//! Which rules an event wakes, and in which order.

use std::ops::Range;
use std::sync::Arc;

use super::Machine;
use super::answers::Then;
use super::frame::Trigger;
use crate::eval::{Scratch, Source};
use crate::fault::Res;
use crate::ids::*;
use crate::loaded::{Loaded, RuleRef};
use crate::pack::Rule;
use crate::question::Ask;
use crate::value::Value;
use crate::world::{NOBODY, Used};

/// What questions about the order of rules are called.
const ORDER: &str = "order";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Before,
    Instead,
    AtEnd,
    Check,
    After,
}

impl Machine {
    /// Rules whose guard holds now, in the order they are to run.
    pub(super) fn due(&self, pack: &Loaded, s: &mut Scratch, due: Due, events: Range<u32>) -> Res<Vec<Trigger>> {
        let mut found = Vec::new();
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            let happened = event.carried || matches!(due, Due::Before | Due::Instead | Due::Check);
            if !event.legal || !happened {
                continue;
            }
            let of_action = pack.rules_of_action(event.action);
            let rules = match due {
                Due::Before => &of_action.before,
                Due::Instead => &of_action.instead,
                Due::AtEnd => &of_action.at_end,
                Due::After => &of_action.after,
                Due::Check => &pack.state_checks,
            };
            if rules.is_empty() {
                continue;
            }
            if due == Due::After {
                let mut candidates = self.candidates(pack, s, index, rules)?;
                // As they were before the event; and those that came with it, for "when this enters play".
                if candidates != event.after {
                    candidates.extend(event.after.iter().filter(|c| !candidates.contains(c)).cloned().collect::<Vec<_>>());
                }
                for (at, source) in candidates {
                    self.add_if_due(pack, s, Trigger { at, source, event: index }, &mut found)?;
                }
                continue;
            }
            self.each_candidate(pack, s, index, rules, |s, at, source| {
                self.add_if_due(pack, s, Trigger { at, source: source.clone(), event: index }, &mut found)
            })?;
        }
        if found.len() < 2 {
            return Ok(found);
        }
        // Events that happen together wake their rules together: the players' order goes before that of the events.
        let you = found.first().and_then(|t| self.events.get(t.event as usize));
        self.put_in_order(&mut found, you.map_or(NOBODY, |e| e.you), pack);
        Ok(found)
    }

    fn add_if_due(&self, pack: &Loaded, s: &mut Scratch, trigger: Trigger, found: &mut Vec<Trigger>) -> Res<()> {
        if self.guard_holds(pack, s, &trigger)? {
            found.push(trigger);
        }
        Ok(())
    }

    fn candidates(&self, pack: &Loaded, s: &mut Scratch, event: u32, rules: &[RuleRef]) -> Res<Vec<(RuleRef, Source)>> {
        let mut found = Vec::new();
        self.each_candidate(pack, s, event, rules, |_, at, source| {
            found.push((at, source.clone()));
            Ok(())
        })?;
        Ok(found)
    }

    /// Each of the rules with everyone through whom it is in force.
    fn each_candidate(
        &self,
        pack: &Loaded,
        s: &mut Scratch,
        event: u32,
        rules: &[RuleRef],
        mut then: impl FnMut(&mut Scratch, RuleRef, &Source) -> Res<()>,
    ) -> Res<()> {
        let you = self.events.get(event as usize).map_or(NOBODY, |e| e.you);
        let view = self.view(pack, Some(event), you);
        let mut last: Option<(BundleId, Arc<[Source]>)> = None;
        for at in rules {
            // Rules of one bundle stand together: its holders are looked up once.
            if last.as_ref().is_none_or(|(bundle, _)| *bundle != at.bundle) {
                last = Some((at.bundle, view.sources(s, at.bundle)?));
            }
            if let Some((_, sources)) = &last {
                for source in sources.iter() {
                    then(s, *at, source)?;
                }
            }
        }
        Ok(())
    }

    /// `after` rules in force as an event begins. Nothing is changed if a fact is missing.
    pub(super) fn snapshot_after(&mut self, pack: &Loaded, s: &mut Scratch, events: Range<u32>) -> Res<()> {
        for index in events {
            let rules = match self.events.get(index as usize) {
                Some(event) if event.legal => &pack.rules_of_action(event.action).after[..],
                _ => &[],
            };
            if !rules.is_empty() {
                let found = self.candidates(pack, s, index, rules)?;
                if let Some(event) = self.events.get_mut(index as usize) {
                    event.after = found;
                }
            }
        }
        Ok(())
    }

    pub(super) fn rule_usable(&self, pack: &Loaded, trigger: &Trigger) -> Res<bool> {
        let Trigger { at, source, .. } = trigger;
        let (_, rule) = pack.rule(*at)?;
        let Rule::Handler { once, .. } = rule else {
            return Ok(false);
        };
        let used = Used::Rule { bundle: at.bundle, rule: at.rule, this: source.this, part: source.part };
        let part_used = source.part != NOBODY && self.world.is_used(Used::Part { part: source.part });
        // A part that is used up in this very event may finish what it began.
        let part_used = part_used && !self.events.iter().any(|e| e.parts_used.contains(&source.part));
        let rule_used = once.is_some() && self.world.is_used(used);
        Ok(!rule_used && !part_used)
    }

    pub(super) fn guard_holds(&self, pack: &Loaded, s: &mut Scratch, trigger: &Trigger) -> Res<bool> {
        if !self.rule_usable(pack, trigger)? {
            return Ok(false);
        }
        let (_, rule) = pack.rule(trigger.at)?;
        let Rule::Handler { guard: Some(guard), .. } = rule else {
            return Ok(true);
        };
        let you = self.events.get(trigger.event as usize).map_or(NOBODY, |e| e.you);
        let view = self.view(pack, Some(trigger.event), you).seen_by(trigger.source.this);
        view.is_true_for(s, *guard, &trigger.source, &[])
    }

    /// The active player's first, then by seat; rules of the whole ruleset before all.
    fn put_in_order(&self, triggers: &mut [Trigger], you: ObjId, pack: &Loaded) {
        let phase_of = |e: &&super::EventInstance| pack.action(e.action).is_ok_and(|a| a.is_phase && a.by.is_some());
        let active = self.events.iter().rev().find(phase_of).map_or(you, |e| e.you);
        let seats = self.world.players.len();
        let active = self.world.players.iter().position(|p| *p == active).unwrap_or(0);
        let turn = |source: &Source| match self.controller(source.this) {
            None => 0,
            Some(c) => self.world.players.iter().position(|p| *p == c).map_or(1, |seat| 1 + (seat + seats - active) % seats.max(1)),
        };
        triggers.sort_by_key(|t| (turn(&t.source), t.event, t.source.age(), t.at));
    }

    /// Players are asked if the host wants it, or if a test says what they answer.
    fn asks_for_order(&self, pack: &Loaded) -> bool {
        self.limits.ask_order || self.script.answers.iter().any(|a| a.label.is_some_and(|l| pack.text(l) == ORDER))
    }

    fn name_of(&self, pack: &Loaded, trigger: &Trigger) -> String {
        let name = pack.bundles.get(trigger.at.bundle.index()).map_or("", |b| pack.text(b.name));
        format!("{name} of {}", crate::describe::object(pack, &self.world, trigger.source.this))
    }

    /// Of several rules that replace an event, the player whose thing it happens to says which comes first; then the rest is looked at again. True: a
    /// question stands.
    pub(super) fn ask_which_first(&mut self, pack: &Loaded, event: u32, due: &[Trigger]) -> bool {
        let Some(instance) = self.events.get(event as usize).filter(|_| due.len() > 1 && self.asks_for_order(pack)) else {
            return false;
        };
        let by = pack.actions.get(instance.action.index()).and_then(|a| a.by);
        let affected = instance.values.iter().enumerate().find_map(|(i, value)| match value {
            Value::Obj(id) if by != Some(i as u16) => Some(*id),
            _ => None,
        });
        let who = affected.and_then(|id| self.controller(id)).unwrap_or(instance.you);
        let labels = due.iter().map(|t| self.name_of(pack, t)).collect();
        self.ask(pack, ORDER.to_owned(), who, Ask::Menu { labels }, Then::Instead { rules: due.to_vec() });
        true
    }

    /// Asks the next player with several triggers to order them. True: a question stands.
    pub(super) fn ask_for_order(&mut self, pack: &Loaded) -> Res<bool> {
        if !self.asks_for_order(pack) {
            return Ok(false);
        }
        let batch = self.batch()?;
        let (from, ordered) = (batch.cursor as usize, batch.ordered as usize);
        let queue = batch.queue.clone();
        if ordered > from || from >= queue.len() {
            return Ok(false);
        }
        let whose = |t: &Trigger| self.controller(t.source.this);
        let player = queue.get(from).and_then(whose);
        let run = queue.iter().skip(from).take_while(|t| whose(t) == player).count();
        let to = (from + run) as u32;
        match player {
            Some(player) if run > 1 => {
                let names = queue.iter().skip(from).take(run).map(|t| self.name_of(pack, t));
                let ask = Ask::Order { triggers: names.collect() };
                self.ask(pack, ORDER.to_owned(), player, ask, Then::Order { from: from as u32, to });
                Ok(true)
            }
            _ => {
                self.batch()?.ordered = to;
                Ok(false)
            }
        }
    }
}
