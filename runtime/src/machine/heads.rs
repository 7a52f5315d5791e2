//! Heads: where an event is declared and may turn out to be illegal.

use super::Machine;
use super::frame::{Batch, Form, Ret, Stage, Task};
use super::run::{Acted, Halt};
use crate::eval::Scratch;
use crate::fault::{FaultKind, Res, fail, wrong};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::num;
use crate::value::Value;

impl Machine {
    /// The event whose own head is running on top of the stack.
    fn declaring(&self) -> Option<u32> {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return None;
        };
        match frame.ret {
            Ret::Body(event) if self.events.get(event as usize).is_some_and(|e| e.in_head) => Some(event),
            _ => None,
        }
    }

    /// A `need` is unmet, nothing can be chosen, something cannot be paid.
    pub(super) fn illegal(&mut self, pack: &Loaded, s: &mut Scratch, why: &'static str) -> Res<Acted> {
        if self.probing.is_some() {
            return Ok(Acted::Halt(Halt::Illegal));
        }
        if let Some(Task::Frame(frame)) = self.stack.last_mut()
            && let Some(guard) = frame.guard.take()
        {
            let to = guard.to;
            if let Some(world) = guard.world {
                self.world = world;
            }
            return Ok(Acted::Jump(to));
        }
        if let Some(index) = self.declaring() {
            self.apart.refused = Some((self.site_now(pack), why));
            if let Some(Task::Frame(frame)) = self.stack.pop() {
                s.regs.truncate(frame.base as usize);
            }
            if let Some(event) = self.events.get_mut(index as usize) {
                event.legal = false;
                event.in_head = false;
                if let Some(world) = event.before_head.take() {
                    self.world = *world;
                }
            }
            return Ok(Acted::Switch);
        }
        let frame = self.frame()?;
        if frame.ret == Ret::Root {
            return fail(FaultKind::Unmet, self.why_refused(pack, why));
        }
        // In the middle of an effect: the rest of it is skipped.
        let (base, ret) = (frame.base as usize, frame.ret);
        self.stack.pop();
        s.regs.truncate(base);
        if let (Ret::Reg(dst), Some(Task::Frame(below))) = (ret, self.stack.last()) {
            s.set(below.base as usize, dst, Value::None);
        }
        Ok(Acted::Switch)
    }

    fn site_now(&self, pack: &Loaded) -> Option<SiteId> {
        self.current(pack).and_then(|(_, site)| site)
    }

    /// Of a call in a test that was illegal: the line that refused it.
    fn why_refused(&self, pack: &Loaded, why: &str) -> String {
        match self.apart.refused {
            Some((site, why)) => {
                let at = site.and_then(|site| pack.sites.get(site.index()));
                let at = at.map(|site| format!(" ({}, line {})", pack.text(site.file), site.line)).unwrap_or_default();
                format!("this is illegal: {why}{at}")
            }
            None => why.to_owned(),
        }
    }

    pub(super) fn need(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, cond: Reg) -> Res<Acted> {
        match num::truth(s.reg(base, cond))? {
            true => Ok(Acted::Next),
            false => self.illegal(pack, s, "what it needs is not the case"),
        }
    }

    pub(super) fn head_step(&mut self, s: &mut Scratch) -> Res<Acted> {
        let Some(index) = self.declaring() else {
            return Ok(Acted::Next);
        };
        let depth = self.stack.len();
        let alone = match self.stack.get(depth.wrapping_sub(2)) {
            Some(Task::Batch(batch)) => batch.count == 1,
            _ => true,
        };
        if alone || self.probing.is_some() {
            return Ok(Acted::Next);
        }
        self.step_over();
        self.park_body(s, index);
        Ok(Acted::Switch)
    }

    fn park_body(&mut self, s: &mut Scratch, index: u32) {
        if let Some(parked) = self.park(s)
            && let Some(event) = self.events.get_mut(index as usize)
        {
            event.body = Some(Box::new(parked));
        }
    }

    pub(super) fn head_end(&mut self, pack: &Loaded, s: &mut Scratch) -> Res<Acted> {
        let Some(index) = self.declaring() else {
            return Ok(if self.probing.is_some() { Acted::Halt(Halt::Legal) } else { Acted::Next });
        };
        let Some(event) = self.events.get(index as usize) else {
            return Ok(Acted::Next);
        };
        let bound_more = event.values.len() > pack.action(event.action)?.params as usize;
        if bound_more && !pack.rules_of_action(event.action).cannot.is_empty() && self.forbidden(pack, s, index)? {
            return self.illegal(pack, s, "a rule forbids this");
        }
        if self.probing.is_some() {
            return Ok(Acted::Halt(Halt::Legal));
        }
        if let Some(event) = self.events.get_mut(index as usize) {
            event.in_head = false;
            event.before_head = None;
        }
        if self.goes_straight_on(pack, index) {
            return self.go_straight_on(pack, index);
        }
        self.step_over();
        self.park_body(s, index);
        Ok(Acted::Switch)
    }

    /// Does nothing stand between the head of the event and its body? Nobody answers it or wants to be told, and it happens alone.
    fn goes_straight_on(&self, pack: &Loaded, index: u32) -> bool {
        let [.., Task::Batch(Batch { count: 1, stage: Stage::Heads, form, .. }), _] = &self.stack[..] else { return false };
        let Some(event) = self.events.get(index as usize) else { return false };
        let rules = pack.rules_of_action(event.action);
        let unanswered = rules.before.is_empty() && rules.instead.is_empty() && rules.after.is_empty() && event.mods.is_empty();
        let told = self.apart.trace.is_some() || self.apart.notes.is_some();
        let over = self.world.outcome.is_some() || self.decided.is_some();
        *form != Form::Opening && event.legal && unanswered && !told && !over
    }

    /// What the stages between head and body would come to; the body need not wait for them.
    fn go_straight_on(&mut self, pack: &Loaded, index: u32) -> Res<Acted> {
        self.use_up_action(pack, index)?;
        self.begin_scopes(index..index + 1);
        if let Some(event) = self.events.get_mut(index as usize) {
            event.carried = true;
        }
        if let [.., Task::Batch(batch), _] = &mut self.stack[..] {
            (batch.stage, batch.cursor, batch.ordered) = (Stage::Bodies, 1, 0);
        }
        Ok(Acted::Next)
    }

    pub(super) fn mark(&mut self) -> Acted {
        if self.probing.is_some() {
            return Acted::Halt(Halt::Legal);
        }
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.guard = None;
        }
        Acted::Next
    }

    pub(super) fn pay(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, who: Reg, cost: Reg) -> Res<Acted> {
        let frame = self.frame()?;
        let (event, you) = (frame.event, frame.you);
        let who = match s.reg(base, who) {
            Value::None => Value::Obj(you),
            other => other.clone(),
        };
        let cost = s.reg(base, cost).clone();
        let Some(left) = self.view(pack, event, you).after_paying(s, &who, &cost)? else {
            return self.illegal(pack, s, "this cannot be paid");
        };
        if let Value::Obj(id) = who {
            for (field, n) in left {
                self.change_state(pack, id, field, Value::Int(n));
            }
        }
        Ok(Acted::Next)
    }

    pub(super) fn pay_cards(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, cards: Reg, pile: Reg) -> Res<Acted> {
        let frame = self.frame()?;
        let (event, you) = (frame.event, frame.you);
        let cards = match s.reg(base, cards) {
            Value::None => return self.illegal(pack, s, "there are no cards to pay with"),
            Value::Obj(id) => vec![Value::Obj(*id)],
            other => self.view(pack, event, you).items(other)?.to_vec(),
        };
        let Value::Pile(owner, field) = *s.reg(base, pile) else {
            return wrong("cards are paid to a pile");
        };
        for card in cards {
            let Value::Obj(id) = card else {
                return wrong("only cards can be paid to a pile");
            };
            self.put_on_pile(pack, s, id, (owner, field), false)?;
        }
        self.acted = true;
        Ok(Acted::Next)
    }
}
