//! Leaving a fragment for the one that called it. Where nobody listens to the end of an event and nothing ends with it, nothing but the result reaches the caller: odds then go on in
//! the caller with small states, and no machine is sent through the stages of an event.

use super::frame::{Form, Frame, Ret, Stage, Task};
use super::local::{Alone, measured_in};
use super::packed::{Packed, Packer};
use super::{Handed, Machine};
use crate::bytecode::Instr;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::script::Script;
use crate::value::Value;

/// Where a fragment goes when it is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WayUp {
    /// On in its caller: registers for its result, and for whether it was done.
    Caller { dst: Reg, done: Option<Reg> },
    /// All is done.
    End,
}

/// What a fragment leaves behind when it is over.
pub struct Outcome {
    value: Value,
    measured: Vec<(SiteId, Value)>,
}

impl Machine {
    /// None: its end concerns more than its caller.
    fn way_up(&self, pack: &Loaded) -> Option<WayUp> {
        let (Task::Frame(frame), below) = self.stack.split_last()? else { return None };
        let decided = self.decided.is_some() || (self.stop_when_won && self.world.outcome.is_some());
        if frame.scopes > 0 || decided || self.probing.is_some() {
            return None;
        }
        match (frame.ret, below) {
            (Ret::Root, []) => Some(WayUp::End),
            // Both work on the same event: what one has set the other may read.
            (Ret::Reg(dst), [.., Task::Frame(_)]) if pack.facts_of.get(frame.frag.index())?.sets.is_empty() => {
                Some(WayUp::Caller { dst, done: None })
            }
            (Ret::Body(event), [.., Task::Frame(_), Task::Batch(batch)]) => {
                let Form::Call { dst, done } = batch.form else { return None };
                let alone = (batch.first, batch.count, batch.cursor, batch.rounds) == (event, 1, 1, 0) && batch.stage == Stage::Bodies;
                (alone && self.ends_quietly(pack, event)).then_some(WayUp::Caller { dst, done: Some(done) })
            }
            _ => None,
        }
    }

    /// Nobody listens to the end of the innermost event, nothing ends with it, and no trace of it is left.
    fn ends_quietly(&self, pack: &Loaded, event: u32) -> bool {
        let Some(instance) = self.events.get(event as usize).filter(|_| self.events.len() == event as usize + 1) else { return false };
        let (action, rules) = (instance.action, pack.rules_of_action(instance.action));
        let listened_to = !rules.at_end.is_empty() || !rules.after.is_empty() || !(pack.state_checks.is_empty() || self.checking);
        let noted = pack.actions.get(action.index()).is_none_or(|a| a.log.is_some());
        let ends_something =
            !self.world.used.is_empty() || !self.world.timed.is_empty() || pack.forgets.get(action.index()).is_none_or(|forgets| *forgets);
        instance.legal && !instance.in_head && instance.carried && !listened_to && !noted && !ends_something
    }
}

impl Alone<'_> {
    /// Where it goes when it is over. None: only the machine as a whole can say.
    pub fn way_up(&self) -> Option<WayUp> {
        self.machine.way_up(self.pack)
    }

    /// Is it over there?
    pub fn is_over_at(&self, pc: Pc) -> bool {
        matches!(self.fragment.code.get(pc as usize), None | Some(Instr::Return { .. }))
    }

    /// What reaches the caller, where it is over and holds that.
    pub fn outcome(&mut self, packer: &Packer, held: &[Packed]) -> Outcome {
        let Some((pc, held)) = held.split_first() else { return Outcome { value: Value::None, measured: Vec::new() } };
        let at = self.slots_at(*pc as usize);
        let slots = self.slots.get(at);
        let returned = match self.fragment.code.get(*pc as usize) {
            Some(Instr::Return { src }) => slots.registers.iter().position(|r| r == src).and_then(|i| held.get(i)),
            _ => None,
        };
        let measured = held.get(slots.registers.len() + slots.values.len()..).unwrap_or_default();
        Outcome {
            value: returned.map_or(Value::None, |word| packer.value(*word)),
            measured: if measured.is_empty() { Vec::new() } else { measured_in(packer, measured).collect() },
        }
    }

    /// Goes over to the caller, which waits for a result. False: there is none.
    pub fn return_to_caller(&mut self, handed: &mut Handed) -> bool {
        self.forget_measured();
        let Some(Task::Frame(Frame { base, .. })) = self.machine.stack.pop() else { return false };
        self.s.regs.truncate(base as usize);
        if let Some(Task::Batch(batch)) = self.machine.stack.last() {
            let first = self.machine.events.len().min(batch.first as usize);
            handed.spare.keep_events(self.machine.events.drain(first..));
            self.machine.stack.pop();
        }
        self.take_up_frame()
    }

    /// The caller has that result.
    pub fn take_outcome(&mut self, way: WayUp, outcome: Outcome) {
        let WayUp::Caller { dst, done } = way else { return };
        self.s.set(self.base, dst, outcome.value);
        if let Some(done) = done {
            self.s.set(self.base, done, Value::Bool(true));
        }
        self.machine.measured.extend(outcome.measured);
    }

    /// Where the caller measures the result, if that is all it does with it before it is over. None: it does more.
    pub fn only_measures<'o>(&self, way: WayUp, mut outcomes: impl Iterator<Item = &'o Outcome>) -> Option<Vec<SiteId>> {
        let WayUp::Caller { dst, .. } = way else { return None };
        let mut sites = Vec::new();
        for instr in self.fragment.code.get(self.pc..).unwrap_or_default() {
            match instr {
                Instr::Statement => {}
                Instr::Measure { site, src } if *src == dst => sites.push(*site),
                Instr::None { dst: other } if *other != dst => {}
                Instr::Return { .. } => break,
                _ => return None,
            }
        }
        // Where something would run out, the machine says so.
        let (limits, all) = (self.s.limits, self.machine.measured.len() + sites.len());
        let fits = outcomes.all(|outcome| all + outcome.measured.len() <= limits.list_length as usize);
        (fits && self.fragment.code.len() as u64 <= limits.steps).then_some(sites)
    }

    /// The result is measured in all these places.
    pub fn measure(&mut self, outcome: Outcome, sites: &[SiteId]) {
        self.machine.measured.extend(outcome.measured);
        self.machine.measured.extend(sites.iter().map(|site| (*site, outcome.value.clone())));
    }

    /// All that was measured on the way to where it stands.
    pub fn all_measured(&self) -> &[(SiteId, Value)] {
        &self.machine.measured
    }

    pub fn script(&self) -> &Script {
        &self.machine.script
    }
}
