//! The instructions that change the world or ask.

use super::answers::{Then, rolled, whole_dice};
use super::choose::Asking;
use super::frame::{Ret, Task};
use super::probe::Probing;
use super::run::{Acted, Halt};
use super::{Blamed, Machine};
use crate::bytecode::{Fun, Instr};
use crate::eval::Scratch;
use crate::fault::{Bound, Fault, FaultKind, Res, bad_pack, fail, wrong};
use crate::ids::*;
use crate::limits::ROLLS_AT_ONCE;
use crate::loaded::Loaded;
use crate::num;
use crate::question::Ask;
use crate::script::Scripted;
use crate::value::Value;
use crate::world::{KnownFact, NOBODY, Outcome};

impl Machine {
    /// The first outcome stays.
    fn decide(&mut self, outcome: Outcome) {
        if self.world.outcome.is_none() {
            self.world.outcome = Some(outcome);
            self.decided = Some(self.batches());
        }
    }

    pub(super) fn act(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, instr: &Instr) -> Res<Acted> {
        use Instr as I;
        match *instr {
            I::Set { obj, field, src } => {
                let (of, value) = (s.reg(base, obj).clone(), s.reg(base, src).clone());
                self.set_state(pack, s, &of, field, value)?;
            }
            I::Call1 { dst, fun, a } => {
                let args = [s.reg(base, a).clone()];
                let value = self.act_fun(pack, s, fun, &args)?;
                s.set(base, dst, value);
            }
            I::CallN { dst, fun, start, n } => {
                let args = s.range(base, start, n).to_vec();
                let value = self.act_fun(pack, s, fun, &args)?;
                s.set(base, dst, value);
            }
            I::Call { dst, frag, start, n } => return self.call(pack, s, dst, frag, start, n),
            // Stored choices only look and do not come here. An effect may do anything.
            I::CallCode { .. } if self.probing.as_ref().is_some_and(Probing::is_in_place) => return Ok(Acted::Halt(Halt::Unsure)),
            I::CallCode { dst, code, start, n } => return self.call_code(pack, s, dst, code, start, n),
            I::EvSet { field, src } => {
                let value = s.reg(base, src).clone();
                let event = self.frame()?.event;
                match event.and_then(|e| self.events.get_mut(e as usize)).and_then(|e| e.values.get_mut(field as usize)) {
                    Some(slot) => *slot = value,
                    None => return bad_pack("no event is running here whose value could be set"),
                }
            }
            I::SetYou { src } => {
                let you = match *s.reg(base, src) {
                    Value::Obj(id) => id,
                    _ => NOBODY,
                };
                self.step_over();
                if let Some(Task::Frame(frame)) = self.stack.last_mut() {
                    frame.you = you;
                }
                // The loop reads `you` afresh when it comes back to this frame.
                return Ok(Acted::Switch);
            }
            I::EvMod { field, op, src } => {
                let (frame, value) = (self.frame()?, s.reg(base, src).clone());
                let (event, rank) = (frame.event, frame.rank);
                match event.and_then(|e| self.events.get_mut(e as usize)) {
                    Some(event) => {
                        s.check_list(event.mods.len() + 1)?;
                        event.mods.push((field, op, rank, value));
                    }
                    None => return bad_pack("no event is running here that could be modified"),
                }
            }
            I::Emit { dst, done, action, start, n } => {
                return self.emit(pack, s, dst, done, action, (base, start, n));
            }
            I::ScopeBegin { action, start, n } => {
                let args = s.range(base, start, n).to_vec();
                return self.open_scope(pack, s, action, args);
            }
            I::ScopeEnd { action } => {
                let open = self.frame()?.scopes > 0 && self.events.last().is_some_and(|e| e.action == action);
                if self.probing.is_some() {
                    return Ok(Acted::Halt(Halt::Legal));
                }
                if let (Ret::InPlace(at), 0) = (self.frame()?.ret, self.frame()?.scopes) {
                    return self.leave_phase(s, at);
                }
                if !open {
                    return bad_pack("a phase ends that is not the innermost one");
                }
                self.step_over();
                self.close_scope(pack)?;
                return Ok(Acted::Switch);
            }
            I::Proceed => return self.proceed(),
            I::TogetherBegin => return Ok(self.together_begin()),
            I::TogetherEnd => return self.together_end(pack, s),
            I::HeadStep => return self.head_step(s),
            I::HeadEnd => return self.head_end(pack, s),
            I::Mark => return Ok(self.mark()),
            I::Need { cond } => return self.need(pack, s, base, cond),
            I::Pay { who, cost } => return self.pay(pack, s, base, who, cost),
            I::PayCards { cards, pile } => return self.pay_cards(pack, s, base, cards, pile),
            I::Roll { dst, dice } => return self.roll(pack, s, base, dst, dice),
            I::Top { dst, pile } => return self.top(pack, s, base, dst, pile),
            I::Choose { .. } => match Asking::of(instr) {
                Some(asking) => return self.choose(pack, s, base, asking),
                None => return bad_pack("no choice"),
            },
            I::Menu { menu, who } => return self.menu(pack, s, base, menu, who),
            I::May { spec, who, no } => return self.may(pack, s, base, spec, who, no),
            I::Grant { spec, targets, start } => self.grant(pack, s, base, spec, targets, start)?,
            I::Probe { dst, end } => return self.probe(pack, s, base, dst, end),
            I::Blame { cond, blame, start, site, shows } => {
                if !num::truth(s.reg(base, cond))? {
                    s.check_list(self.blamed.len() + 1)?;
                    let value = |r| s.reg(base, r).clone();
                    self.blamed.push(Blamed {
                        site,
                        blame: value(blame),
                        sides: (value(start), value(start.saturating_add(1))),
                        words: value(start.saturating_add(2)),
                        shows,
                    });
                }
            }
            I::Statement => {}
            I::Expect { cond, site, left, right, shows } => {
                if !num::truth(s.reg(base, cond))? {
                    let show = |r| crate::describe::written(pack, &self.world, s.reg(base, r), shows);
                    let compared = *s.reg(base, left) != Value::None || *s.reg(base, right) != Value::None;
                    let sides = compared.then(|| (show(left), show(right)));
                    let words = format!("not as expected: {}", pack.site_words(site));
                    return Err(Fault { kind: FaultKind::Expectation, site: Some(site), words, sides }.into());
                }
            }
            I::Measure { site, src } => {
                s.check_list(self.measured.len() + 1)?;
                self.measured.push((site, s.reg(base, src).clone()));
            }
            I::ScriptDice { src } => {
                let list = s.reg(base, src).clone();
                let faces = self.view(pack, None, NOBODY).items(&list)?;
                s.check_list(self.script.dice.len() + faces.len())?;
                for face in faces.iter() {
                    self.script.dice.push_back(num::int(face)?);
                }
            }
            I::ScriptFact { fact, start, n, src } => {
                s.check_list(self.script.facts.len() + 1)?;
                self.world.touch();
                self.script.facts.push(KnownFact { fact, args: s.range(base, start, n).into(), value: s.reg(base, src).clone() });
            }
            I::ScriptAnswer { label, src } => {
                s.check_list(self.script.answers.len() + 1)?;
                self.world.touch();
                self.script.answers.push(Scripted { label, value: s.reg(base, src).clone(), used: false });
            }
            _ => return bad_pack("an instruction in the wrong place"),
        }
        Ok(Acted::Next)
    }

    pub(super) fn set_state(&mut self, pack: &Loaded, s: &mut Scratch, of: &Value, field: FieldId, value: Value) -> Res<()> {
        let Value::Obj(id) = *of else {
            return wrong(format!("`{}` can only be set on something in the game", pack.field_name(field)));
        };
        let value = {
            let (event, you) = match self.stack.last() {
                Some(Task::Frame(frame)) => (frame.event, frame.you),
                _ => (None, NOBODY),
            };
            self.view(pack, event, you).clamped(s, of, field, value)?
        };
        match self.world.get(id) {
            Some(object) if object.state(field) == Some(&value) => Ok(()),
            Some(_) => {
                self.change_state(pack, id, field, value);
                Ok(())
            }
            None => wrong("there is nothing here to change"),
        }
    }

    /// The one way by which state changes in the course of a game.
    pub(super) fn change_state(&mut self, pack: &Loaded, id: ObjId, field: FieldId, value: Value) {
        self.acted = true;
        if pack.stable().depends_on(field) {
            self.world.touch_state();
        }
        self.note_change(pack, id, field, &value);
        self.world.set_state(id, field, value);
    }

    fn roll(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, dst: Reg, dice: Reg) -> Res<Acted> {
        if self.probing.is_some() {
            return Ok(Acted::Halt(Halt::Legal));
        }
        let Some(dice) = whole_dice(s.reg(base, dice)) else {
            return wrong(format!("only dice can be rolled, not {}", num::sort(s.reg(base, dice))));
        };
        s.check_list(dice.count as usize)?;
        if dice.count == 0 {
            s.set(base, dst, rolled(dice, &[]));
            return Ok(Acted::Next);
        }
        if dice.sides == 0 {
            return wrong("a die needs at least one side");
        }
        if s.dice.is_some() && s.rolls < dice.count as u64 {
            let words = format!("{ROLLS_AT_ONCE} dice without coming to a question: a loop here may never end");
            return fail(FaultKind::Limit(Bound::Steps), words);
        }
        if let Some(generator) = &mut s.dice {
            let faces: Vec<i64> = (0..dice.count).map(|_| generator.die(dice.sides)).collect();
            s.rolls -= dice.count as u64;
            self.refuel();
            s.fuel = s.limits.steps;
            s.set(base, dst, rolled(dice, &faces));
            return Ok(Acted::Next);
        }
        let you = self.frame()?.you;
        let ordered = self.roll_is_ordered(pack);
        self.ask(pack, String::new(), you, Ask::Roll { dice, ordered }, Then::Roll { dst, dice });
        Ok(Acted::Halt(Halt::Asked))
    }

    fn top(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, dst: Reg, pile: Reg) -> Res<Acted> {
        let key = match *s.reg(base, pile) {
            Value::Pile(owner, field) => (owner, field),
            Value::None => {
                s.set(base, dst, Value::None);
                return Ok(Acted::Next);
            }
            _ => return wrong("only a pile has a top card"),
        };
        let known = self.world.pile(key).map(|p| (p.known.first().copied(), p.rest.len()));
        match known {
            None | Some((None, 0)) => s.set(base, dst, Value::None),
            Some((Some(card), _)) => s.set(base, dst, Value::Obj(card)),
            Some((None, _)) => {
                let cards = self.world.draws(key);
                match cards[..] {
                    [(card, _)] => {
                        self.world.reveal_top(key, card);
                        s.set(base, dst, Value::Obj(card));
                    }
                    _ if self.probing.is_some() => return Ok(Acted::Halt(Halt::Legal)),
                    _ => {
                        let you = self.frame()?.you;
                        self.ask(pack, String::new(), you, Ask::Draw { pile: key, cards }, Then::Draw);
                        return Ok(Acted::Halt(Halt::Asked));
                    }
                }
            }
        }
        Ok(Acted::Next)
    }

    fn act_fun(&mut self, pack: &Loaded, s: &mut Scratch, fun: Fun, args: &[Value]) -> Res<Value> {
        let arg = |i: usize| args.get(i).unwrap_or(&Value::None);
        let thing = || match arg(0) {
            Value::Obj(id) => Ok(*id),
            other => wrong(format!("something in the game is needed here, not {}", num::sort(other))),
        };
        self.acted = true;
        self.note_done(pack);
        match fun {
            Fun::Relocate => self.relocate(pack, s, thing()?, arg(1))?,
            Fun::ShuffleInto => match *arg(1) {
                Value::Pile(owner, field) => self.put_on_pile(pack, s, thing()?, (owner, field), true)?,
                // "Into play" has no order to be lost.
                Value::InPlay => self.world.put_in_play(thing()?),
                _ => return wrong("cards are shuffled into a pile"),
            },
            Fun::Create => {
                let card = match *arg(0) {
                    Value::Card(card) => card,
                    Value::Obj(id) => match self.world.object(id)?.card {
                        Some(card) => card,
                        None => return wrong("only a card can be created"),
                    },
                    _ => return wrong("only a card can be created"),
                };
                let owner = match *arg(1) {
                    Value::Obj(id) => self.controller(id).unwrap_or(id),
                    _ => self.frame().map_or(NOBODY, |f| f.you),
                };
                let id = self.create(pack, s, card, owner)?;
                match arg(2) {
                    Value::None => self.world.put_in_play(id),
                    spot => self.relocate(pack, s, id, spot)?,
                }
                self.initialise(pack, s, id)?;
                return Ok(Value::Obj(id));
            }
            Fun::Remove => self.world.remove(thing()?),
            Fun::Become => {
                let Value::Card(card) = *arg(1) else {
                    return wrong("an object can only become a card");
                };
                self.become_card(pack, s, thing()?, card, *arg(2) == Value::Bool(true))?;
            }
            Fun::Shuffle => match *arg(0) {
                Value::Pile(owner, field) => self.world.shuffle((owner, field)),
                _ => return wrong("only a pile can be shuffled"),
            },
            Fun::Win => {
                let who = thing()?;
                let winner = self.controller(who).unwrap_or(who);
                self.decide(Outcome::Won(winner));
            }
            Fun::DrawGame => {
                self.decide(Outcome::Drawn);
            }
            Fun::TakeControl => {
                let Value::Obj(player) = *arg(1) else {
                    return wrong("only a player can take control");
                };
                let mut todo = vec![thing()?];
                while let Some(id) = todo.pop() {
                    if let Some(object) = self.world.object_mut(id) {
                        object.controller = player;
                        todo.extend(object.parts.iter().copied());
                    }
                }
            }
            Fun::EndKeyword => {
                let Value::Keyword(keyword) = *arg(0) else { return wrong("only a keyword can be lost") };
                let Value::Obj(id) = *arg(1) else { return wrong("only something in the game can lose a keyword") };
                self.end_keyword(keyword, id);
            }
            Fun::Attach => return self.attach(pack, s, arg(0), arg(1)),
            _ => return bad_pack("a function in the wrong place"),
        }
        Ok(Value::None)
    }

    /// Makes something a part of a holder: anew from a card, or one that another holder gives up.
    fn attach(&mut self, pack: &Loaded, s: &mut Scratch, what: &Value, to: &Value) -> Res<Value> {
        let Value::Obj(holder) = *to else {
            return wrong(format!("only something in the game can hold parts, not {}", num::sort(to)));
        };
        let owner = self.world.object(holder)?.controller;
        let (part, made) = match *what {
            Value::Card(card) => (self.create(pack, s, card, owner)?, true),
            Value::Obj(part) => (part, false),
            _ => return wrong(format!("only a card or a part can be attached, not {}", num::sort(what))),
        };
        let mut above = holder;
        while above != NOBODY {
            if above == part {
                return wrong("nothing can be a part of itself");
            }
            above = self.world.get(above).map_or(NOBODY, |o| o.holder);
        }
        self.world.attach(part, holder, owner);
        if made {
            self.initialise(pack, s, part)?;
        }
        Ok(Value::Obj(part))
    }

    fn relocate(&mut self, pack: &Loaded, s: &mut Scratch, id: ObjId, spot: &Value) -> Res<()> {
        self.world.object(id)?;
        match *spot {
            Value::Place(place) => self.world.put_at(id, place),
            Value::InPlay => self.world.put_in_play(id),
            Value::Pile(owner, field) => self.put_on_pile(pack, s, id, (owner, field), false)?,
            Value::Obj(other) => match self.world.object(other)?.place {
                Some(place) => self.world.put_at(id, place),
                None => self.world.put_in_play(id),
            },
            _ => {
                return wrong(format!("things are moved to a place, a pile or into play, not to {}", num::sort(spot)));
            }
        }
        Ok(())
    }

    /// A card that leaves play for a pile is again as printed, and its owner's.
    pub(super) fn put_on_pile(&mut self, pack: &Loaded, s: &mut Scratch, id: ObjId, key: (ObjId, FieldId), shuffled_in: bool) -> Res<()> {
        let was_in_play = self.world.object(id)?.in_play;
        if self.world.object(id)?.holder != NOBODY {
            return wrong("a part of a card cannot lie in a pile by itself");
        }
        self.world.put_on_pile(id, key, shuffled_in);
        if was_in_play {
            if let Some(object) = self.world.object_mut(id) {
                object.controller = object.owner;
            }
            self.initialise(pack, s, id)?;
        }
        Ok(())
    }

    pub(super) fn check_objects(&self, s: &Scratch) -> Res<()> {
        if self.world.len() >= s.limits.objects as usize {
            return fail(FaultKind::Limit(Bound::Objects), format!("the world holds {} objects, which is the limit", self.world.len()));
        }
        Ok(())
    }

    /// A frame that runs by itself, without a caller.
    pub(super) fn push_root(&mut self, pack: &Loaded, frag: FragId, args: &[Value], you: ObjId) -> Res<()> {
        let mut s = Scratch::new(std::mem::take(&mut self.registers), self.limits, self.limits.steps);
        let setting = super::calls::Setting { event: None, source: super::calls::NO_SOURCE, you, rank: 0, ret: Ret::Root };
        let pushed = self.push_frame(pack, &mut s, frag, args.iter().cloned(), setting);
        self.registers = s.regs;
        pushed
    }
}
