//! Choosing from a set: what may be chosen, whether anybody needs to be asked, and what an answer must satisfy.

use std::sync::Arc;

use super::Machine;
use super::answers::Then;
use super::probe::SAMPLED;
use super::run::{Acted, Halt};
use crate::bytecode::Instr;
use crate::eval::{Scratch, object_or_none};
use crate::fault::{Bound, FaultKind, Res, bad_pack, fail};
use crate::ids::*;
use crate::loaded::{Loaded, RuleRef, or_bad};
use crate::num;
use crate::pack::{Choose, ChooseMode, Rule};
use crate::question::{Ask, Question};
use crate::value::Value;

/// The operands of a `Choose`.
#[derive(Clone, Copy)]
pub(super) struct Asking {
    pub dst: Reg,
    pub spec: ChooseId,
    pub set: Reg,
    pub count: Reg,
    pub who: Reg,
    pub caps: Reg,
    pub n: u16,
}

impl Asking {
    pub fn of(instr: &Instr) -> Option<Asking> {
        match *instr {
            Instr::Choose { dst, spec, set, count, who, caps, n } => Some(Asking { dst, spec, set, count, who, caps, n }),
            _ => None,
        }
    }
}

impl Machine {
    pub(super) fn choose(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking) -> Res<Acted> {
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        if self.probing.is_some() && !spec.in_head {
            return Ok(Acted::Halt(Halt::Legal));
        }
        let Some(options) = self.options(pack, s, base, asking)? else {
            // An absent choice asks nothing.
            s.set(base, asking.dst, Value::None);
            return Ok(Acted::Next);
        };
        let who = self.who(s, base, asking.who)?;
        let one = spec.mode == ChooseMode::One;
        let available = options.len() as u32;
        let (mut min, max) = bounds(s, base, asking, spec, available)?;
        if available < min {
            return self.nothing_to_choose(pack, s, base, asking, spec.in_head, one);
        }
        let pc = self.frame()?.pc + 1;
        let certain = !spec.in_head || self.cannot_fail(pack, pc);
        let due = self.due_first(pack, s, base, asking, &options, (min, max))?;
        let free = spec.keep.is_none() && spec.such_that.is_none() && certain && (one || due.is_empty());
        let mut options = if one && !due.is_empty() { due.clone() } else { options };
        let mut listed = true;
        if one && !free {
            let wanted = match (self.probing.is_some(), self.apart.lazy_options) {
                (true, _) => 1,
                (false, true) => 2,
                (false, false) => usize::MAX,
            };
            let mut allowed = self.allowed_of(pack, s, base, asking, &options, wanted)?;
            if allowed.is_empty() {
                return self.nothing_to_choose(pack, s, base, asking, spec.in_head, one);
            }
            // Two are enough to know that somebody must be asked; which of all the others are allowed is found out when they are picked.
            listed = allowed.len() < wanted;
            if listed || wanted == 1 {
                options = std::mem::take(&mut allowed);
            }
        } else if !free {
            let found = self.allowed_sets(pack, s, base, asking, &options, &due, (min, max))?;
            match &found[..] {
                [] => return self.nothing_to_choose(pack, s, base, asking, spec.in_head, one),
                // The only way: a payment that takes everything, an attack by the only unit.
                [only] if self.probing.is_none() => {
                    self.note_chosen(pack, asking.spec, only);
                    s.set(base, asking.dst, result(one, only.clone()));
                    return Ok(Acted::Next);
                }
                _ => {}
            }
        }
        if self.probing.is_some() {
            return Ok(Acted::Halt(Halt::Legal));
        }
        // Nobody is asked where there is nothing to decide.
        if (one && options.len() == 1) || (!one && (max == 0 || (min == options.len() as u32 && min == max))) {
            let chosen = if max == 0 { Vec::new() } else { options };
            self.note_chosen(pack, asking.spec, &chosen);
            s.set(base, asking.dst, result(one, chosen));
            return Ok(Acted::Next);
        }
        if !one {
            min = min.min(options.len() as u32);
        }
        let options: Arc<[Value]> = options.into();
        let ask = Ask::Choice { options: options.clone(), min, max, checked: if one { !listed } else { !free } };
        self.ask(pack, pack.text(spec.name).to_owned(), who, ask, Then::Choice { options });
        if let Some(pending) = &mut self.pending {
            pending.question.secret = spec.secret;
        }
        Ok(Acted::Halt(Halt::Asked))
    }

    pub(super) fn who(&self, s: &Scratch, base: usize, who: Reg) -> Res<ObjId> {
        Ok(match s.reg(base, who) {
            Value::Obj(id) => self.controller(*id).unwrap_or(*id),
            _ => self.frame()?.you,
        })
    }

    fn nothing_to_choose(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking, in_head: bool, one: bool) -> Res<Acted> {
        if in_head {
            return self.illegal(pack, s, "there is nothing to choose here");
        }
        s.set(base, asking.dst, result(one, Vec::new()));
        Ok(Acted::Next)
    }

    /// None: there is no such choice at all.
    fn options(&self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking) -> Res<Option<Vec<Value>>> {
        let frame = self.frame()?;
        let view = self.view(pack, frame.event, frame.you);
        let set = match s.reg(base, asking.set).clone() {
            Value::None => return Ok(None),
            Value::Code(frag, this, part) => view.seen_by(this).eval(s, frag, &[object_or_none(this), object_or_none(part)])?,
            other => other,
        };
        if set == Value::None {
            return Ok(None);
        }
        let mut options = view.items(&set)?.to_vec();
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        if let Some(scope) = spec.each_once
            && let Some(event) = self.events.iter().rev().find(|e| e.action == scope)
        {
            options.retain(|o| !event.chosen.iter().any(|(c, v)| *c == asking.spec && v == o));
        }
        if !pack.cannot_choose.is_empty() {
            let chooser = object_or_none(self.who(s, base, asking.who)?);
            let mut left = Vec::with_capacity(options.len());
            for option in options {
                if !self.some_rule_says(pack, s, &pack.cannot_choose, &option, &chooser)? {
                    left.push(option);
                }
            }
            options = left;
        }
        Ok(Some(options))
    }

    /// Those of the options that must be chosen before others, if they can be: of one thing it is one of them, of several as many as may be.
    fn due_first(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        asking: Asking,
        options: &[Value],
        (min, max): (u32, u32),
    ) -> Res<Vec<Value>> {
        // Whether anything can be chosen at all does not depend on it.
        if pack.must_choose.is_empty() || self.probing.is_some() {
            return Ok(Vec::new());
        }
        let chooser = object_or_none(self.who(s, base, asking.who)?);
        let mut due = Vec::new();
        for option in options {
            if self.some_rule_says(pack, s, &pack.must_choose, option, &chooser)? {
                due.push(option.clone());
            }
        }
        if due.is_empty() || due.len() == options.len() {
            return Ok(Vec::new());
        }
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        if spec.mode == ChooseMode::One {
            return self.allowed_of(pack, s, base, asking, &due, usize::MAX);
        }
        let can_be = self.allowed_sets(pack, s, base, asking, options, &due, (min.max(1).min(max), max))?;
        Ok(if can_be.is_empty() { Vec::new() } else { due })
    }

    /// Does a rule of these speak of the option?
    fn some_rule_says(&self, pack: &Loaded, s: &mut Scratch, rules: &[RuleRef], it: &Value, chooser: &Value) -> Res<bool> {
        if !matches!(it, Value::Obj(_)) {
            return Ok(false);
        }
        let frame = self.frame()?;
        let view = self.view(pack, frame.event, frame.you);
        for at in rules {
            let (_, rule) = pack.rule(*at)?;
            let Rule::Cannot { guard, .. } = rule else {
                continue;
            };
            for source in view.sources(s, at.bundle)?.iter() {
                let args = [it.clone(), chooser.clone()];
                let holds = match guard {
                    Some(frag) => view.seen_by(source.this).is_true_for(s, *frag, source, &args)?,
                    None => Value::Obj(source.this) == *it,
                };
                if holds {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The first options, as many as are wanted, that may be chosen.
    fn allowed_of(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        asking: Asking,
        options: &[Value],
        wanted: usize,
    ) -> Res<Vec<Value>> {
        let frame = self.frame()?;
        let (frag, pc) = (frame.frag, frame.pc);
        if let Some(predicate) = pack.predicates().of_choice(frag, pc) {
            let few = wanted.min(options.len());
            let said = self.ask_predicate(pack, s, base, predicate, |view, s, given| {
                view.first_of_term(s, options, &predicate.term, given, few).map(Value::List)
            })?;
            if let Some(Value::List(allowed)) = said {
                debug_assert!(
                    !s.fuel.is_multiple_of(SAMPLED) || self.agrees_about_first(pack, s, base, asking, options, &allowed),
                    "a choice and its predicate differ"
                );
                return Ok(allowed.to_vec());
            }
        }
        let mut allowed = Vec::new();
        for option in options {
            if self.allowed(pack, s, base, asking, std::slice::from_ref(option))? {
                allowed.push(option.clone());
                if allowed.len() >= wanted {
                    break;
                }
            }
        }
        Ok(allowed)
    }

    /// Is the first option allowed where the head is run exactly if it is by the predicate?
    fn agrees_about_first(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        asking: Asking,
        options: &[Value],
        allowed: &[Value],
    ) -> bool {
        let Some(first) = options.first() else { return allowed.is_empty() };
        let tried = self.allowed(pack, s, base, asking, std::slice::from_ref(first));
        !tried.is_ok_and(|tried| tried != allowed.contains(first))
    }

    /// May this one be chosen? By the predicate if there is one.
    fn one_allowed(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking, option: &Value) -> Res<bool> {
        Ok(!self.allowed_of(pack, s, base, asking, std::slice::from_ref(option), 1)?.is_empty())
    }

    /// Does this choice satisfy `such that`, and can the head be completed with it?
    pub(super) fn allowed(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking, chosen: &[Value]) -> Res<bool> {
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        let frame = self.frame()?;
        if let Some(frag) = spec.keep {
            let view = self.view(pack, frame.event, frame.you);
            for option in chosen {
                if !num::truth(&view.eval_captured(s, frag, (base, asking.caps, asking.n), std::slice::from_ref(option))?)? {
                    return Ok(false);
                }
            }
        }
        if let Some(frag) = spec.such_that {
            let list = Value::List(chosen.into());
            let view = self.view(pack, frame.event, frame.you);
            if !num::truth(&view.eval_captured(s, frag, (base, asking.caps, asking.n), &[list])?)? {
                return Ok(false);
            }
        }
        if !spec.in_head {
            return Ok(true);
        }
        let next = frame.pc + 1;
        let value = result(spec.mode == ChooseMode::One, chosen.to_vec());
        self.could(pack, s, next, Some((asking.dst, value)))
    }

    /// The first two sets that are allowed, the smallest first; fewer if there are no more. While probing one is enough. A second one is
    /// not looked for for ever: if there are so many sets, somebody is asked.
    #[allow(clippy::too_many_arguments)]
    fn allowed_sets(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        asking: Asking,
        options: &[Value],
        due: &[Value],
        (min, max): (u32, u32),
    ) -> Res<Vec<Vec<Value>>> {
        const PATIENCE: u32 = 4096;
        if due.is_empty()
            && let Some(found) = self.large_sets(pack, s, base, asking, options, (min, max))
        {
            return Ok(found);
        }
        let mut tried = 0u32;
        let mut found: Vec<Vec<Value>> = Vec::new();
        for size in min..=max {
            let mut picks: Vec<usize> = (0..size as usize).collect();
            loop {
                tried += 1;
                if tried > s.limits.candidates && found.is_empty() {
                    let words = "ways to choose were tried and none is allowed: the condition is too hard to meet by trying";
                    return fail(FaultKind::Limit(Bound::Candidates), format!("{} {words}", s.limits.candidates));
                }
                let chosen: Vec<Value> = picks.iter().filter_map(|i| options.get(*i).cloned()).collect();
                if takes_due(&chosen, due) && self.allowed(pack, s, base, asking, &chosen)? {
                    found.push(chosen);
                }
                let enough = found.len() > 1 || (found.len() == 1 && self.probing.is_some());
                if !enough && !found.is_empty() && tried > PATIENCE {
                    // Two, as far as anyone can tell.
                    found.push(Vec::new());
                }
                if enough || found.len() > 1 {
                    return Ok(found);
                }
                if !next_picks(&mut picks, options.len()) {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// What is paid is enough if it is much: whether there are as many allowed sets as anybody wants to know of is seen soonest by the largest ones. None: not
    /// among the few that are tried here.
    fn large_sets(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        base: usize,
        asking: Asking,
        options: &[Value],
        (min, max): (u32, u32),
    ) -> Option<Vec<Vec<Value>>> {
        const MOST: usize = 16;
        let wanted = if self.probing.is_some() { 1 } else { 2 };
        let mut found: Vec<Vec<Value>> = Vec::new();
        for size in [max, max.saturating_sub(1)].into_iter().filter(|size| *size > min) {
            let mut picks: Vec<usize> = (0..size as usize).collect();
            for _ in 0..MOST {
                let chosen: Vec<Value> = picks.iter().filter_map(|i| options.get(*i).cloned()).collect();
                // What goes wrong is told where sets are tried in their order.
                let Ok(allowed) = self.allowed(pack, s, base, asking, &chosen) else { return None };
                if allowed {
                    found.push(chosen);
                }
                if found.len() >= wanted {
                    return Some(found);
                }
                if !next_picks(&mut picks, options.len()) {
                    break;
                }
            }
            // Where not even much is enough, a little less is not.
            if found.is_empty() {
                return None;
            }
        }
        None
    }

    /// Remembers what `each once per` may not offer again.
    pub(super) fn note_chosen(&mut self, pack: &Loaded, spec: ChooseId, chosen: &[Value]) {
        let scope = pack.chooses.get(spec.index()).and_then(|c| c.each_once);
        if let Some(scope) = scope
            && let Some(event) = self.events.iter_mut().rev().find(|e| e.action == scope)
        {
            event.chosen.extend(chosen.iter().map(|v| (spec, v.clone())));
        }
    }

    /// May a host pick these?
    pub(super) fn choice_allowed(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        chosen: &[Value],
        listed: bool,
    ) -> Res<Result<(), &'static str>> {
        let Some(asking) = self.current(pack).and_then(|(i, _)| Asking::of(i)) else {
            return bad_pack("no choice is under way");
        };
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        let base = self.frame()?.base as usize;
        let fine = match (spec.mode, chosen) {
            // Single options were tried before they were listed.
            (ChooseMode::One, _) if listed => true,
            (ChooseMode::One, [option]) => {
                let known = self.apart.found_allowed.as_ref() == Some(option);
                let fine = known || self.one_allowed(pack, s, base, asking, option)?;
                if fine && !known {
                    self.apart.found_allowed = Some(option.clone());
                }
                fine
            }
            _ => self.allowed(pack, s, base, asking, chosen)? && self.takes_what_is_due(pack, s, base, asking, chosen)?,
        };
        Ok(if fine { Ok(()) } else { Err("these cannot be chosen together here") })
    }

    fn takes_what_is_due(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, asking: Asking, chosen: &[Value]) -> Res<bool> {
        if pack.must_choose.is_empty() {
            return Ok(true);
        }
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        let options = self.options(pack, s, base, asking)?.unwrap_or_default();
        let bounds = bounds(s, base, asking, spec, options.len() as u32)?;
        let due = self.due_first(pack, s, base, asking, &options, bounds)?;
        Ok(takes_due(chosen, &due))
    }

    /// Checks the picks of a host and stores what was chosen.
    pub(super) fn take_choice(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        chosen: Vec<Value>,
        listed: bool,
    ) -> Res<Result<(), &'static str>> {
        if let Err(words) = self.choice_allowed(pack, s, &chosen, listed)? {
            return Ok(Err(words));
        }
        let Some(asking) = self.current(pack).and_then(|(i, _)| Asking::of(i)) else {
            return bad_pack("no choice is under way");
        };
        let one = pack.chooses.get(asking.spec.index()).is_some_and(|spec| spec.mode == ChooseMode::One);
        let base = self.frame()?.base as usize;
        self.note_chosen(pack, asking.spec, &chosen);
        s.set(base, asking.dst, result(one, chosen));
        self.step_over();
        Ok(Ok(()))
    }
}

impl Machine {
    /// Lets the machine ask for one of several options before it knows of all of them whether they may be chosen: two that may are enough. Such a question is
    /// `checked`, and a refused answer may be replaced by another. For hosts that pick one without looking at the others; [`Machine::listed`] is for
    /// the rest.
    pub fn set_lazy_options(&mut self, lazy: bool) {
        self.apart.lazy_options = lazy;
    }

    /// The question that stands, with those options only that may be chosen. None: nothing is asked.
    pub fn listed(&mut self, pack: &Loaded) -> Option<&Question> {
        let pending = self.pending.as_ref()?;
        if let (Ask::Choice { options, max: 1, checked: true, min: 1 }, true) = (&pending.question.ask, self.chooses_one(pack)) {
            let all = options.clone();
            let asking = self.current(pack).and_then(|(i, _)| Asking::of(i));
            let base = self.frame().map_or(0, |f| f.base as usize);
            let allowed = asking.and_then(|asking| self.with_scratch(|m, s| m.allowed_of(pack, s, base, asking, &all, usize::MAX)).ok());
            if let (Some(allowed), Some(pending)) = (allowed, &mut self.pending) {
                let now: Arc<[Value]> = allowed.into();
                pending.question.ask = Ask::Choice { options: now.clone(), min: 1, max: 1, checked: false };
                pending.then = Then::Choice { options: now };
            }
        }
        self.pending.as_ref().map(|pending| &pending.question)
    }

    fn chooses_one(&self, pack: &Loaded) -> bool {
        let spec = self.current(pack).and_then(|(i, _)| Asking::of(i)).and_then(|asking| pack.chooses.get(asking.spec.index()));
        spec.is_some_and(|spec| spec.mode == ChooseMode::One)
    }

    /// A place that was not listed: the list is a help for those who do not look at a table.
    pub(super) fn take_place(&mut self, pack: &Loaded, s: &mut Scratch, place: Value) -> Res<Result<(), &'static str>> {
        let Some(asking) = self.current(pack).and_then(|(i, _)| Asking::of(i)) else {
            return bad_pack("no choice is under way");
        };
        let spec = or_bad(pack.chooses.get(asking.spec.index()), "choice")?;
        let Some(frag) = spec.any_place else {
            return Ok(Err("this place is not one of those to choose from"));
        };
        let frame = self.frame()?;
        let base = frame.base as usize;
        let view = self.view(pack, frame.event, frame.you);
        let caps = (base, asking.caps, asking.n);
        let near = num::truth(&view.eval_captured(s, frag, caps, std::slice::from_ref(&place))?)?;
        if !near || !self.allowed(pack, s, base, asking, std::slice::from_ref(&place))? {
            return Ok(Err("this place cannot be chosen here"));
        }
        self.note_chosen(pack, asking.spec, std::slice::from_ref(&place));
        s.set(base, asking.dst, result(spec.mode == ChooseMode::One, vec![place]));
        self.step_over();
        Ok(Ok(()))
    }
}

fn result(one: bool, chosen: Vec<Value>) -> Value {
    if one { chosen.into_iter().next().unwrap_or(Value::None) } else { Value::List(Arc::from(chosen)) }
}

/// How many are chosen, at least and at most, if so many are there.
fn bounds(s: &Scratch, base: usize, asking: Asking, spec: &Choose, available: u32) -> Res<(u32, u32)> {
    let counted = || num::int(s.reg(base, asking.count)).map(|n| n.clamp(0, u32::MAX as i64) as u32);
    Ok(match spec.mode {
        ChooseMode::One => (1, 1),
        ChooseMode::Exactly => {
            let n = counted()?;
            // In a body as much as possible is done.
            if spec.in_head { (n, n) } else { (n.min(available), n.min(available)) }
        }
        ChooseMode::UpTo => (0, counted()?.min(available)),
        ChooseMode::Any => (0, available),
    })
}

/// As many of those that are due as there can be.
fn takes_due(chosen: &[Value], due: &[Value]) -> bool {
    chosen.iter().filter(|one| due.contains(one)).count() == chosen.len().min(due.len())
}

/// The next set of indices of the same size, in order. False: that was the last.
fn next_picks(picks: &mut [usize], of: usize) -> bool {
    let n = picks.len();
    for i in (0..n).rev() {
        if picks[i] + (n - i) < of {
            picks[i] += 1;
            for j in i + 1..n {
                picks[j] = picks[j - 1] + 1;
            }
            return true;
        }
    }
    false
}
