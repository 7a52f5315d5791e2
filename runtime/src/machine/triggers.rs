//! Which rules an event wakes, and in which order.

use std::ops::Range;
use std::sync::Arc;

use super::Machine;
use super::answers::Then;
use super::frame::Trigger;
use crate::eval::{Due, Scratch, Source};
use crate::fault::Res;
use crate::ids::*;
use crate::loaded::{Loaded, RuleRef};
use crate::pack::Rule;
use crate::question::Ask;
use crate::value::Value;
use crate::world::{NOBODY, Used};

/// What questions about the order of rules are called.
const ORDER: &str = "order";

impl Machine {
    /// Rules whose guard holds now, in the order they are to run.
    pub(super) fn due(&mut self, pack: &Loaded, s: &mut Scratch, due: Due, events: Range<u32>) -> Res<Vec<Trigger>> {
        let mut found = Vec::new();
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            let happened = event.carried || matches!(due, Due::Before | Due::Instead | Due::Check);
            if !event.legal || !happened || due.rules(pack, event.action).is_empty() {
                continue;
            }
            let you = event.you;
            let now = self.view(pack, Some(index), you).in_force(s, event.action, due)?;
            if found.capacity() == 0 {
                found = self.apart.spare.queue();
            }
            for (at, source) in now.iter() {
                self.add_if_due(pack, s, (*at, source), index, &mut found)?;
            }
            // As they were before the event; and those that came with it, for "when this enters play".
            if due == Due::After
                && let Some(before) = event.after.clone().filter(|before| !Arc::ptr_eq(before, &now))
            {
                for (at, source) in before.iter().filter(|c| !now.contains(c)) {
                    self.add_if_due(pack, s, (*at, source), index, &mut found)?;
                }
            }
        }
        if found.len() < 2 {
            return Ok(found);
        }
        // Events that happen together wake their rules together: the players' order goes before that of the events.
        let you = found.first().and_then(|t| self.events.get(t.event as usize));
        self.put_in_order(&mut found, you.map_or(NOBODY, |e| e.you), pack);
        Ok(found)
    }

    fn add_if_due(
        &self,
        pack: &Loaded,
        s: &mut Scratch,
        (at, source): (RuleRef, &Source),
        event: u32,
        found: &mut Vec<Trigger>,
    ) -> Res<()> {
        if self.guard_holds(pack, s, (at, source), event)? {
            found.push(Trigger { at, source: source.clone(), event });
        }
        Ok(())
    }

    /// `after` rules in force as an event begins. Nothing is changed if a fact is missing.
    pub(super) fn snapshot_after(&mut self, pack: &Loaded, s: &mut Scratch, events: Range<u32>) -> Res<()> {
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            if event.legal && !Due::After.rules(pack, event.action).is_empty() {
                let found = self.view(pack, Some(index), event.you).in_force(s, event.action, Due::After)?;
                if let Some(event) = self.events.get_mut(index as usize) {
                    event.after = Some(found);
                }
            }
        }
        Ok(())
    }

    pub(super) fn rule_usable(&self, pack: &Loaded, (at, source): (RuleRef, &Source)) -> Res<bool> {
        let (_, rule) = pack.rule(at)?;
        let Rule::Handler { once, .. } = rule else {
            return Ok(false);
        };
        if self.world.used.is_empty() {
            return Ok(true);
        }
        let used = Used::Rule { bundle: at.bundle, rule: at.rule, this: source.this, part: source.part };
        let part_used = source.part != NOBODY && self.world.is_used(Used::Part { part: source.part });
        // A part that is used up in this very event may finish what it began.
        let part_used = part_used && !self.events.iter().any(|e| e.parts_used.contains(&source.part));
        let rule_used = once.is_some() && self.world.is_used(used);
        Ok(!rule_used && !part_used)
    }

    pub(super) fn guard_holds(&self, pack: &Loaded, s: &mut Scratch, (at, source): (RuleRef, &Source), event: u32) -> Res<bool> {
        if !self.rule_usable(pack, (at, source))? {
            return Ok(false);
        }
        let (_, rule) = pack.rule(at)?;
        let Rule::Handler { guard: Some(guard), .. } = rule else {
            return Ok(true);
        };
        let you = self.events.get(event as usize).map_or(NOBODY, |e| e.you);
        let view = self.view(pack, Some(event), you).seen_by(source.this);
        view.is_true_for(s, *guard, source, &[])
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
