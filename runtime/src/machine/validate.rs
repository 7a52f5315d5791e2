//! Is a machine that was read from somewhere one that could have been saved? Whatever passes can at worst fault, like a pack that passed the verifier.

use super::Machine;
use super::answers::{Pending, Then};
use super::frame::{Batch, EventInstance, Form, Frame, Ret, Task, Trigger};
use crate::eval::Source;
use crate::ids::*;
use crate::limits::Limits;
use crate::loaded::{Loaded, RuleRef};
use crate::question::Ask;
use crate::value::Value;
use crate::world::{Ends, NOBODY, Outcome, Timed, Used, World};

/// Err: what is wrong with it.
type Validity = Result<(), &'static str>;

fn need(holds: bool, words: &'static str) -> Validity {
    if holds { Ok(()) } else { Err(words) }
}

struct Judge<'m> {
    pack: &'m Loaded,
    world: &'m World,
    events: usize,
    log: usize,
}

pub(crate) fn check(machine: &Machine, pack: &Loaded) -> Validity {
    let world = &machine.world;
    let judge = Judge { pack, world, events: machine.events.len(), log: world.log.len() };
    within(&machine.limits)?;
    need(machine.probing.is_none(), "nobody saves in the middle of a thought")?;
    judge.world()?;
    machine.events.iter().try_for_each(|event| judge.event(event))?;
    judge.values(machine.registers.iter())?;
    judge.stack(&machine.stack, machine.registers.len())?;
    judge.script(machine)?;
    if let Some(pending) = &machine.pending {
        judge.pending(pending, machine.stack.last())?;
    }
    judge.value(&machine.result)
}

/// A save cannot ask for more room than a game has by default.
fn within(l: &Limits) -> Validity {
    let most = Limits::default();
    let fits = l.steps <= most.steps
        && l.objects <= most.objects
        && l.depth <= most.depth
        && l.events <= most.events
        && l.list_length <= most.list_length
        && l.memory <= most.memory
        && l.candidates <= most.candidates
        && l.call_depth <= most.call_depth
        && l.state_checks <= most.state_checks;
    need(fits, "its limits are larger than those of a game")
}

impl Judge<'_> {
    /// The same in a world that is kept to go back to.
    fn in_world<'w>(&'w self, world: &'w World) -> Judge<'w> {
        Judge { pack: self.pack, world, events: self.events, log: world.log.len() }
    }

    fn object(&self, id: ObjId) -> Validity {
        need(id.0 as usize <= self.world.len(), "an object that is not there")
    }

    fn objects(&self, ids: impl IntoIterator<Item = ObjId>) -> Validity {
        ids.into_iter().try_for_each(|id| self.object(id))
    }

    fn field(&self, id: FieldId) -> Validity {
        need(id.index() < self.pack.fields.len(), "a field that is not there")
    }

    fn action(&self, id: ActionId) -> Validity {
        need(id.index() < self.pack.actions.len(), "an action that is not there")
    }

    fn keyword(&self, id: KeywordId) -> Validity {
        need(id.index() < self.pack.keywords.len(), "a keyword that is not there")
    }

    fn term(&self, frag: FragId, params: usize) -> Validity {
        let fits = self.pack.fragments.get(frag.index()).is_some_and(|f| f.pure && f.params as usize <= params);
        need(fits, "a condition that is none")
    }

    fn rule(&self, at: RuleRef) -> Validity {
        need(self.pack.rule(at).is_ok(), "a rule that is not there")
    }

    fn source(&self, source: &Source) -> Validity {
        self.objects([source.this, source.part])?;
        self.values(source.caps.iter().flat_map(|c| c.iter()))
    }

    fn values<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Validity {
        values.into_iter().try_for_each(|v| self.value(v))
    }

    fn value(&self, value: &Value) -> Validity {
        match value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::InPlay | Value::Place(_) => Ok(()),
            Value::Ratio(r) => need(r.den > 1, "a fraction that is none"),
            Value::Dice(d) => need(d.sides > 0, "dice without sides"),
            Value::Sym(s) => need(s.index() < self.pack.symbols.len(), "a word that is not there"),
            Value::Keyword(k) => self.keyword(*k),
            Value::Text(t) => need(t.index() < self.pack.strings.len(), "a text that is not there"),
            Value::Card(c) => need(c.index() < self.pack.cards.len(), "a card that is not there"),
            Value::Obj(id) => self.object(*id),
            Value::Pile(id, field) => self.object(*id).and(self.field(*field)),
            Value::Pair(halves) => self.values(halves.iter()),
            Value::List(items) => {
                need(items.len() <= Limits::default().list_length as usize, "a list that is too long")?;
                self.values(items.iter())
            }
            Value::Cost(parts) => parts.iter().try_for_each(|(f, _)| self.field(*f)),
            Value::Code(frag, this, part) => {
                need(frag.index() < self.pack.fragments.len(), "an effect that is not there")?;
                self.objects([*this, *part])
            }
            Value::Rules(bundle, this, part) => {
                need(bundle.index() < self.pack.bundles.len(), "rules that are not there")?;
                self.objects([*this, *part])
            }
            Value::Event(n) => need((*n as usize) <= self.log, "an event that never was"),
        }
    }

    fn world(&self) -> Validity {
        let world = self.world;
        need(world.len() <= Limits::default().objects as usize, "too many objects")?;
        for id in world.ids() {
            let Some(object) = world.get(id) else { continue };
            need(object.kind.index() < self.pack.kinds.len(), "a kind that is not there")?;
            need(object.card.is_none_or(|c| c.index() < self.pack.cards.len()), "a card that is not there")?;
            self.objects([object.owner, object.controller, object.holder])?;
            let mut parts = object.parts.iter();
            need(parts.all(|p| world.get(*p).is_some_and(|o| o.holder == id)), "a part that belongs to something else")?;
            if let Some((owner, field)) = object.pile {
                self.object(owner).and(self.field(field))?;
            }
            need(object.state.is_sorted_by_key(|(f, _)| *f), "states out of order")?;
            object.state.iter().try_for_each(|(f, v)| self.field(*f).and(self.value(v)))?;
        }
        self.holders()?;
        for ((owner, field), pile) in world.piles() {
            self.object(owner).and(self.field(field))?;
            need(pile.cards().all(|c| c != NOBODY), "nobody in a pile")?;
            self.objects(pile.cards())?;
        }
        self.objects(world.players.iter().chain(world.games.iter()).copied())?;
        world.timed.iter().try_for_each(|timed| self.timed(timed))?;
        for (scope, used) in &world.used {
            self.action(*scope)?;
            match *used {
                Used::Rule { bundle, rule, this, part } => self.rule(RuleRef { bundle, rule }).and(self.objects([this, part]))?,
                Used::Part { part } => self.object(part)?,
                Used::Action { action, by } => self.action(action).and(self.object(by))?,
            }
        }
        need(world.used.is_sorted(), "what was used up is out of order")?;
        for entry in world.log.iter().flatten() {
            self.action(entry.action)?;
            self.values(entry.values.iter().map(|(_, v)| v))?;
        }
        need(world.options.len() == self.pack.options.len(), "options of another game")?;
        self.values(world.options.iter())?;
        for known in &world.facts {
            need(known.fact.index() < self.pack.facts.len(), "a fact that is not there")?;
            self.values(known.args.iter().chain([&known.value]))?;
        }
        match world.outcome {
            Some(Outcome::Won(winner)) => self.object(winner),
            _ => Ok(()),
        }
    }

    /// Nothing is a part of itself, however many lie between. Each chain of holders is followed once, to where another was followed before.
    fn holders(&self) -> Validity {
        let mut ends = vec![false; self.world.len() + 1];
        for id in self.world.ids() {
            let (mut at, mut chain) = (id, Vec::new());
            while let Some(object) = self.world.get(at)
                && !ends.get(at.index()).copied().unwrap_or(true)
            {
                need(chain.len() <= ends.len(), "a part that holds itself")?;
                chain.push(at);
                at = object.holder;
            }
            for id in chain {
                ends[id.index()] = true;
            }
        }
        Ok(())
    }

    fn timed(&self, timed: &Timed) -> Validity {
        self.objects(timed.targets.iter().copied().chain([timed.this, timed.part]))?;
        timed.mods.iter().try_for_each(|(f, _, v)| self.field(*f).and(self.value(v)))?;
        let modified = |field: FieldId| self.pack.timed_fields.get(field.index()).is_some_and(|timed| *timed);
        need(timed.mods.iter().all(|(f, ..)| modified(*f)), "a grant that nothing in the pack makes")?;
        timed.keywords.iter().try_for_each(|(k, _)| self.keyword(*k))?;
        for (bundle, holder) in &timed.bundles {
            need(bundle.index() < self.pack.bundles.len(), "rules that are not there")?;
            self.objects(holder.iter().flat_map(|(this, part)| [*this, *part]))?;
        }
        let caps = timed.caps.as_deref().unwrap_or_default();
        self.values(caps)?;
        timed.ends.iter().try_for_each(|ends| match ends {
            Ends::AtStart { scope, of, .. } | Ends::AtEnd { scope, of, .. } => self.action(*scope).and(self.value(of)),
            Ends::Event { action, guard, .. } => {
                self.action(*action)?;
                guard.map_or(Ok(()), |g| self.term(g, caps.len() + 2))
            }
            Ends::While { cond } => self.term(*cond, caps.len() + 3),
        })
    }

    fn event(&self, event: &EventInstance) -> Validity {
        self.action(event.action)?;
        let action = &self.pack.actions[event.action.index()];
        need(event.values.len() == action.fields.len().max(action.params as usize), "an event with too little or too much")?;
        self.values(event.values.iter().chain([&event.result]))?;
        self.object(event.you)?;
        self.values(event.mods.iter().map(|(.., v)| v))?;
        for (at, source) in event.replaced.iter().chain(event.after.iter().flat_map(|after| after.iter())) {
            self.rule(*at).and(self.source(source))?;
        }
        for (choose, value) in &event.chosen {
            need(choose.index() < self.pack.chooses.len(), "a choice that is not there")?;
            self.value(value)?;
        }
        self.objects(event.parts_used.iter().copied())?;
        need(event.log_mark as usize <= self.log, "an event from the future")?;
        if let Some(world) = &event.before_head {
            self.in_world(world).world()?;
        }
        match &event.body {
            Some(parked) => {
                self.values(&parked.registers)?;
                self.frame(&parked.frame)
            }
            None => Ok(()),
        }
    }

    fn frame(&self, frame: &Frame) -> Validity {
        let fragment = self.pack.fragments.get(frame.frag.index()).ok_or("code that is not there")?;
        need(frame.pc as usize <= fragment.code.len(), "a place behind the end of the code")?;
        need(frame.event.is_none_or(|e| (e as usize) < self.events), "an event that is not running")?;
        need(!matches!(frame.ret, Ret::Body(e) | Ret::Instead(e) if e as usize >= self.events), "an event that is not running")?;
        need(!matches!(frame.ret, Ret::Reg(r) if r == Reg::MAX), "a register that is not there")?;
        self.source(&frame.source).and(self.object(frame.you))?;
        if let Some(guard) = &frame.guard {
            need(guard.to as usize <= fragment.code.len(), "a place behind the end of the code")?;
            if let Some(world) = &guard.world {
                self.in_world(world).world()?;
            }
        }
        for (action, args) in frame.together.iter().flat_map(|g| &g.calls) {
            self.action(*action).and(self.values(args))?;
        }
        need(frame.scopes as usize <= self.events, "more phases than events")
    }

    /// Each fragment has its registers behind those of the one below.
    fn stack(&self, stack: &[Task], registers: usize) -> Validity {
        let mut top = 0;
        // How many registers the fragment has that the result of a task goes to.
        let mut below = 0;
        for (i, task) in stack.iter().enumerate() {
            let results = match task {
                Task::Frame(Frame { ret: Ret::Reg(dst), .. }) => vec![*dst],
                Task::Batch(Batch { form: Form::Call { dst, done }, .. }) => vec![*dst, *done],
                _ => Vec::new(),
            };
            need(results.iter().all(|r| *r < below), "a register that is not there")?;
            below = match task {
                Task::Frame(frame) => self.pack.fragments.get(frame.frag.index()).map_or(0, |f| f.registers.max(f.params)),
                _ => 0,
            };
            match task {
                Task::Frame(frame) => {
                    self.frame(frame)?;
                    if let Ret::InPlace(at) = frame.ret {
                        let below = stack.get(..i).and_then(|below| below.get(at as usize));
                        need(matches!(below, Some(Task::Frame(f)) if f.frag == frame.frag), "a phase that is written nowhere")?;
                    }
                    need(frame.base as usize == top, "registers in the wrong place")?;
                    let fragment = &self.pack.fragments[frame.frag.index()];
                    top += fragment.registers.max(fragment.params) as usize;
                }
                Task::Batch(batch) => self.batch(batch)?,
                Task::Resolve { event, chosen, .. } => {
                    need((*event as usize) < self.events, "an event that is not running")?;
                    chosen.iter().try_for_each(|trigger| self.trigger(trigger))?;
                }
            }
        }
        need(top == registers, "too few or too many registers")
    }

    fn batch(&self, batch: &Batch) -> Validity {
        let inside = batch.count > 0 && batch.first.checked_add(batch.count).is_some_and(|end| end as usize <= self.events);
        need(inside, "an event that is not running")?;
        need(batch.cursor <= batch.count.max(batch.queue.len() as u32), "a place behind the last rule")?;
        need(batch.ordered as usize <= batch.queue.len(), "a place behind the last rule")?;
        need(!matches!(batch.form, Form::Call { dst, done } if dst == Reg::MAX || done == Reg::MAX), "a register that is not there")?;
        batch.queue.iter().try_for_each(|trigger| self.trigger(trigger))
    }

    fn trigger(&self, Trigger { at, source, event }: &Trigger) -> Validity {
        need((*event as usize) < self.events, "an event that is not running")?;
        self.rule(*at).and(self.source(source))
    }

    fn script(&self, machine: &Machine) -> Validity {
        let text = |id: StrId| need(id.index() < self.pack.strings.len(), "a text that is not there");
        let site = |id: SiteId| need(id.index() < self.pack.sites.len(), "a place that is not there");
        for answer in &machine.script.answers {
            answer.label.map_or(Ok(()), text)?;
            self.value(&answer.value)?;
        }
        for known in &machine.script.facts {
            need(known.fact.index() < self.pack.facts.len(), "a fact that is not there")?;
            self.values(known.args.iter().chain([&known.value]))?;
        }
        machine.measured.iter().try_for_each(|(at, v)| site(*at).and(self.value(v)))?;
        for blamed in &machine.blamed {
            site(blamed.site)?;
            self.values([&blamed.blame, &blamed.sides.0, &blamed.sides.1, &blamed.words])?;
        }
        Ok(())
    }

    /// The question is the one its answer is for.
    fn pending(&self, pending: &Pending, top: Option<&Task>) -> Validity {
        let question = &pending.question;
        self.object(question.who)?;
        need(question.site.is_none_or(|s| s.index() < self.pack.sites.len()), "a place that is not there")?;
        let code = match top {
            Some(Task::Frame(frame)) => self.pack.fragments.get(frame.frag.index()),
            _ => None,
        };
        let inside = |pc: Pc| need(code.is_some_and(|f| pc as usize <= f.code.len()), "a place behind the end of the code");
        match (&question.ask, &pending.then) {
            (Ask::Roll { dice, .. }, Then::Roll { dst, dice: rolled }) => {
                need(dice == rolled && dice.sides > 0 && dice.count <= Limits::default().list_length, "dice that were not asked for")?;
                need(code.is_some_and(|f| *dst < f.registers), "a register that is not there")
            }
            (Ask::Draw { pile, cards }, Then::Draw) => {
                self.object(pile.0).and(self.field(pile.1))?;
                let there = |card: ObjId| self.world.pile(*pile).is_some_and(|p| p.rest.contains(&card));
                need(cards.iter().all(|(card, n)| *n > 0 && there(*card)), "a card that is not in the pile")
            }
            (Ask::Choice { options, min, max, .. }, Then::Choice { options: same }) => {
                need(options == same && min <= max, "a choice that does not fit its options")?;
                need(matches!(top, Some(Task::Frame(_))), "a choice that nobody waits for")?;
                self.values(options.iter())
            }
            (Ask::Menu { labels }, Then::Menu { lines, none }) => {
                need(labels.len() == lines.len(), "a menu that does not fit its lines")?;
                lines.iter().chain([none]).try_for_each(|pc| inside(*pc))
            }
            (Ask::Menu { labels }, Then::Instead { rules }) => {
                need(labels.len() == rules.len() && matches!(top, Some(Task::Resolve { .. })), "rules that are not due")?;
                rules.iter().try_for_each(|trigger| self.trigger(trigger))
            }
            (Ask::YesNo, Then::May { no }) => inside(*no),
            (Ask::Fact { fact, args }, Then::Fact { fact: same, args: given }) => {
                need(fact == same && args == given && fact.index() < self.pack.facts.len(), "a fact that was not asked for")?;
                self.values(args.iter())
            }
            (Ask::Order { triggers }, Then::Order { from, to }) => {
                let due = match top {
                    Some(Task::Batch(batch)) => batch.queue.get(*from as usize..*to as usize),
                    _ => None,
                };
                need(due.is_some_and(|due| due.len() == triggers.len()), "rules that are not due")
            }
            _ => Err("an answer to another question"),
        }
    }
}
