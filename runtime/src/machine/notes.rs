//! What happened, for those who want to tell it: events, the rules that answered them, and what changed. Kept only on request, and no part of the game.

use super::Machine;
use super::frame::{Form, Stage, Task};
use super::run::site_at;
use crate::eval::Source;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::pack::Rule;
use crate::value::Value;

/// More than this between two answers is not kept.
const MOST: usize = 20_000;

/// One thing that happened, and how deep inside other events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub level: u32,
    /// The place in the source that brought it about.
    pub site: Option<SiteId>,
    pub what: Noted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noted {
    /// An action was declared, with its parameters and the names its head bound.
    Event { action: ActionId, values: Vec<Value> },
    /// The action itself was carried out, with the values of its event as they are now: what answers it at its end and after it comes later.
    Over { action: ActionId, values: Vec<Value> },
    /// A rule of `this` answers an event.
    Rule { bundle: BundleId, this: ObjId },
    /// A state has another value than before.
    Changed { of: ObjId, field: FieldId, before: Value, after: Value },
    /// Something was moved, made, removed or handed over by the event that runs: its line says what.
    Done,
}

impl Machine {
    /// From now on, note what happens.
    pub fn keep_notes(&mut self) {
        self.apart.notes = Some(Vec::new());
    }

    /// What was noted since this was last asked.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.apart.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub fn drop_notes(&mut self) {
        self.apart.notes = None;
    }

    /// How many events are open around what runs now, phases written in place among them.
    pub fn level(&self) -> u32 {
        let of = |task: &Task| match task {
            // What a head binds and pays comes before its event.
            Task::Batch(batch) if batch.stage == Stage::Heads => 0,
            Task::Batch(batch) if matches!(batch.form, Form::Opening | Form::Closing) => 0,
            Task::Batch(_) => 1,
            Task::Frame(frame) => frame.scopes,
            Task::Resolve { .. } => 0,
        };
        self.stack.iter().map(of).sum()
    }

    fn note(&mut self, level: u32, site: Option<SiteId>, what: Noted) {
        if let Some(notes) = &mut self.apart.notes
            && notes.len() < MOST
        {
            notes.push(Note { level, site, what });
        }
    }

    pub(super) fn note_event(&mut self, pack: &Loaded, index: u32) {
        if self.apart.notes.is_none() {
            return;
        }
        let Some(event) = self.events.get(index as usize).filter(|e| e.legal) else {
            return;
        };
        let (action, values) = (event.action, event.values.clone());
        let caller = self.stack.iter().rev().find_map(|task| match task {
            Task::Frame(frame) => Some(frame),
            _ => None,
        });
        let site = caller.and_then(|frame| {
            let fragment = pack.fragments.get(frame.frag.index())?;
            site_at(fragment, (frame.pc as usize).saturating_sub(1))
        });
        self.note(self.level(), site, Noted::Event { action, values });
    }

    pub(super) fn note_over(&mut self, index: u32) {
        if self.apart.notes.is_none() {
            return;
        }
        if let Some(event) = self.events.get(index as usize).filter(|e| e.legal && e.carried) {
            let (action, values) = (event.action, event.values.clone());
            // It stands where the event itself was noted, around which its batch is open now.
            self.note(self.level().saturating_sub(1), None, Noted::Over { action, values });
        }
    }

    pub(super) fn note_rule(&mut self, bundle: BundleId, rule: &Rule, source: &Source) {
        if self.apart.notes.is_none() {
            return;
        }
        let Rule::Handler { site, .. } = rule else {
            return;
        };
        let this = source.this;
        self.note(self.level(), Some(*site), Noted::Rule { bundle, this });
    }

    /// Before a state changes.
    pub(super) fn note_change(&mut self, pack: &Loaded, of: ObjId, field: FieldId, after: &Value) {
        if self.apart.notes.is_none() {
            return;
        }
        let site = self.current(pack).and_then(|(_, site)| site);
        let before = self.world.get(of).and_then(|object| object.state(field)).cloned().unwrap_or_default();
        let what = Noted::Changed { of, field, before, after: after.clone() };
        self.note(self.level(), site, what);
    }

    pub(super) fn note_done(&mut self, pack: &Loaded) {
        if self.apart.notes.is_some() {
            let site = self.current(pack).and_then(|(_, site)| site);
            self.note(self.level(), site, Noted::Done);
        }
    }
}
