//! Hot events: looked for where an event begins, and carried out in one go.

use super::Machine;
use super::frame::{EventInstance, Form};
use crate::cup::Cup;
use crate::eval::Scratch;
use crate::hot::{Hot, Program, Purse};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::world::Ends;

impl Machine {
    /// From now on every event counts as hot the first time, which takes longer and comes to the same. For tests.
    pub fn heat_up(&mut self) {
        self.apart.hot_at_once = true;
    }

    /// How many events were carried out in one go.
    pub fn hot_events(&self) -> u64 {
        self.apart.hot_events
    }

    /// The event that is about to begin, if it is hot. False: it is to be carried out as any other.
    pub(super) fn carry_out_hot(&mut self, pack: &Loaded, s: &mut Scratch, index: u32, form: Form) -> bool {
        if !matches!(s.dice, Cup::Seeded(_)) || !matches!(form, Form::Call { .. } | Form::Root) || self.is_watched() {
            return false;
        }
        // Once a head has run, the event is under way.
        let is_new = |e: &&EventInstance| !e.carried && e.body.as_ref().is_none_or(|body| e.in_head && body.frame.pc == 0);
        let Some(event) = self.events.get(index as usize).filter(|e| e.legal).filter(is_new) else { return false };
        let stamp = self.world.stamp();
        let Some(heat) = s.derived.heat(event.action, pack.actions.len()) else { return false };
        let params = pack.actions.get(event.action.index()).map_or(0, |a| a.params as usize);
        let values = event.values.get(..params).unwrap_or_default();
        let program = match heat.again(stamp, event.you, values, self.apart.hot_at_once) {
            Hot::Not => return false,
            Hot::Run(program) => program,
            Hot::Make => {
                let program = Program::of(self.view(pack, None, event.you), s, event.action, values, event.you);
                if let Some(heat) = s.derived.heat(event.action, pack.actions.len()) {
                    heat.made(program.clone());
                }
                match program {
                    Some(program) => program,
                    None => return false,
                }
            }
        };
        self.run_program(pack, s, index, &program)
    }

    /// Somebody wants to know about each event, or something else is under way that a program knows nothing about.
    fn is_watched(&self) -> bool {
        self.apart.trace.is_some()
            || self.apart.notes.is_some()
            || self.apart.pause.0.is_some()
            || self.probing.is_some()
            || self.checking
            || self.decided.is_some()
            || (self.stop_when_won && self.world.outcome.is_some())
            || self.limits.ask_order
            || !self.script.answers.is_empty()
    }

    /// Would something end, or be used again, with an event of the program?
    fn ends_with(&self, program: &Program, index: u32) -> bool {
        let happens = |action: &ActionId| program.actions.contains(action);
        self.world.used.iter().any(|(scope, _)| happens(scope))
            || self.world.timed.iter().any(|timed| match &timed.ends {
                Ends::AtStart { scope, .. } => happens(scope),
                Ends::AtEnd { scope, since, .. } => happens(scope) || index < *since,
                Ends::Event { action, since, .. } => happens(action) || index < *since,
                Ends::While { .. } | Ends::Never => false,
            })
    }

    fn run_program(&mut self, pack: &Loaded, s: &mut Scratch, index: u32, program: &Program) -> bool {
        let nested = self.batches() + program.depth;
        if nested > s.limits.depth || self.ends_with(program, index) {
            return false;
        }
        let full = (s.limits.steps, self.limits.events as u64);
        let mut purse = Purse { steps: s.fuel, events: self.apart.events_left as u64, rolls: s.rolls, full };
        let view = self.view(pack, None, crate::world::NOBODY);
        let (Cup::Seeded(dice), Some(event)) = (&mut s.dice, self.events.get(index as usize)) else { return false };
        let Some(ran) = program.run(view, &event.values, dice, &mut purse) else {
            if let Some(heat) = s.derived.heat(event.action, pack.actions.len()) {
                heat.cool();
            }
            return false;
        };
        (s.fuel, s.rolls, self.apart.events_left) = (purse.steps, purse.rolls, purse.events as u32);
        for cell in &program.cells {
            let value = ran.state(cell);
            if self.world.get(cell.of).and_then(|o| o.state(cell.field)) != Some(&value) {
                self.world.set_state(cell.of, cell.field, value);
            }
        }
        self.acted |= ran.changed;
        self.apart.hot_events += 1;
        if let Some(event) = self.events.get_mut(index as usize) {
            event.result = ran.result(program);
            (event.body, event.before_head) = (None, None);
            (event.in_head, event.carried) = (false, true);
        }
        true
    }
}
