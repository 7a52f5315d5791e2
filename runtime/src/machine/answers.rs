//! Questions that stand, and what their answers do.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Machine;
use super::frame::{Task, Trigger};
use crate::bytecode::Instr;
use crate::eval::Scratch;
use crate::fault::{Res, Stop};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::num;
use crate::question::{Answer, Ask, BadAnswer, Question};
use crate::value::{Dice, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pending {
    pub(super) question: Question,
    pub(super) then: Then,
}

/// What an answer leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Then {
    Roll {
        dst: Reg,
        dice: Dice,
    },
    Draw,
    Choice {
        options: Arc<[Value]>,
    },
    Menu {
        lines: Vec<Pc>,
        none: Pc,
    },
    May {
        no: Pc,
    },
    Fact {
        fact: FactId,
        args: Arc<[Value]>,
    },
    Order {
        from: u32,
        to: u32,
    },
    /// Which of several `instead` rules comes first.
    Instead {
        rules: Vec<Trigger>,
    },
}

fn refuse<T>(words: impl Into<String>) -> Result<T, BadAnswer> {
    Err(BadAnswer(words.into()))
}

impl Machine {
    pub(super) fn ask(&mut self, pack: &Loaded, name: String, who: ObjId, ask: Ask, then: Then) {
        let site = self.current(pack).and_then(|(_, site)| site);
        self.pending = Some(Pending { question: Question { site, name, who, secret: false, ask }, then });
    }

    /// Answers the question that stands. If it is refused, the question still stands.
    pub fn answer(&mut self, pack: &Loaded, answer: Answer) -> Result<(), BadAnswer> {
        // Numbers count the options that may be chosen, whether somebody has looked at them or not: so a game that was saved is the same game.
        if matches!(answer, Answer::Picks(_)) {
            self.listed(pack);
        }
        let Some(pending) = self.pending.take() else {
            return refuse("nothing was asked");
        };
        let then = pending.then.clone();
        let taken = self.take_answer(pack, &pending.question.ask, then, answer);
        match taken {
            Ok(()) => {
                self.apart.found_allowed = None;
                self.refuel();
            }
            Err(_) => self.pending = Some(pending),
        }
        taken
    }

    /// Would this answer to the question that stands be taken? Nothing changes: the question still stands.
    pub fn allows(&mut self, pack: &Loaded, answer: &Answer) -> bool {
        if matches!(answer, Answer::Picks(_)) {
            self.listed(pack);
        }
        let Some(Pending { question, then: Then::Choice { options } }) = &self.pending else {
            return self.pending.is_some();
        };
        let Ask::Choice { min, max, checked, .. } = question.ask else { return true };
        let options = options.clone();
        let chosen = match answer {
            Answer::Picks(picks) if (min..=max).contains(&(picks.len() as u32)) => picked(picks, &options).ok(),
            Answer::Value(value) if options.contains(value) => Some(vec![value.clone()]),
            _ => None,
        };
        let Some(chosen) = chosen else { return false };
        self.choice_taken(|machine, s| machine.choice_allowed(pack, s, &chosen, !checked)).is_ok()
    }

    /// Room to look at conditions while a question stands, and what is known about the world.
    pub(super) fn with_scratch<T>(&mut self, look: impl FnOnce(&mut Machine, &mut Scratch) -> T) -> T {
        let known = std::mem::take(&mut self.apart.derived.0);
        let mut s = Scratch::knowing(known, std::mem::take(&mut self.registers), self.limits, self.limits.steps);
        let came = look(self, &mut s);
        self.apart.derived.0 = s.derived;
        self.registers = s.regs;
        came
    }

    /// Checks and stores what was chosen, with room to look at conditions.
    fn choice_taken(&mut self, take: impl FnOnce(&mut Machine, &mut Scratch) -> Res<Result<(), &'static str>>) -> Result<(), BadAnswer> {
        match self.with_scratch(|machine, s| take(machine, s)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(words)) => refuse(words),
            Err(Stop::Fault(fault)) => refuse(fault.words),
            Err(Stop::Fact { .. }) => refuse("whether this may be chosen depends on the table, which nobody has looked at yet"),
        }
    }

    fn take_answer(&mut self, pack: &Loaded, ask: &Ask, then: Then, answer: Answer) -> Result<(), BadAnswer> {
        match (ask, then, answer) {
            (_, Then::Roll { dst, dice }, Answer::Faces(faces)) => {
                if faces.len() != dice.count as usize {
                    return refuse(format!("{} dice were rolled, not {}", dice.count, faces.len()));
                }
                if let Some(face) = faces.iter().find(|f| !(1..=dice.sides as i64).contains(*f)) {
                    return refuse(format!("a die of {} sides cannot show {face}", dice.sides));
                }
                self.store(dst, rolled(dice, &faces));
                Ok(())
            }
            (Ask::Draw { pile, cards }, Then::Draw, Answer::Picks(picks)) => match picks[..] {
                [i] if (i as usize) < cards.len() => {
                    if let Some((card, _)) = cards.get(i as usize) {
                        self.world.reveal_top(*pile, *card);
                    }
                    Ok(())
                }
                _ => refuse(format!("one of {} cards is on top", cards.len())),
            },
            (Ask::Choice { min, max, checked, .. }, Then::Choice { options }, Answer::Picks(picks)) => {
                let n = picks.len() as u32;
                if n < *min || n > *max {
                    return refuse(if min == max { format!("choose {min}, not {n}") } else { format!("choose {min} to {max}, not {n}") });
                }
                let chosen = picked(&picks, &options)?;
                self.choice_taken(|machine, s| machine.take_choice(pack, s, chosen, !checked))
            }
            // One of the options, by what it is: the same thing whether all are listed or not.
            (Ask::Choice { min: 1, max: 1, checked, .. }, Then::Choice { options }, Answer::Value(value)) if options.contains(&value) => {
                self.choice_taken(|machine, s| machine.take_choice(pack, s, vec![value], !checked))
            }
            (_, Then::Choice { .. }, Answer::Value(place @ Value::Place(_))) => {
                self.choice_taken(|machine, s| machine.take_place(pack, s, place))
            }
            (_, Then::Menu { lines, none }, Answer::Picks(picks)) => match picks[..] {
                [i] if (i as usize) < lines.len() => {
                    if let Some(line) = lines.get(i as usize) {
                        self.enter(pack, *line, none);
                        self.set_pc(*line as usize);
                    }
                    Ok(())
                }
                _ => refuse(format!("choose one of {} lines", lines.len())),
            },
            (_, Then::May { no }, Answer::Yes(yes)) => {
                if yes {
                    self.step_over();
                    if let Some(Task::Frame(frame)) = self.stack.last() {
                        self.enter(pack, frame.pc, no);
                    }
                } else {
                    self.set_pc(no as usize);
                }
                Ok(())
            }
            (_, Then::Fact { fact, args }, Answer::Value(value)) => {
                if self.world.facts.len() >= self.limits.memory as usize {
                    self.world.facts.clear();
                    self.world.touch();
                }
                self.world.tell_fact(fact, args, value);
                Ok(())
            }
            (_, Then::Order { from, to }, Answer::Picks(picks)) => {
                let Some(Task::Batch(batch)) = self.stack.last_mut() else {
                    return refuse("nothing is to be ordered");
                };
                let Some(due) = batch.queue.get_mut(from as usize..to as usize) else {
                    return refuse("nothing is to be ordered");
                };
                let old = due.to_vec();
                if picks.len() != old.len() {
                    return refuse(format!("order all {} of them", old.len()));
                }
                due.clone_from_slice(&picked(&picks, &old)?);
                batch.ordered = to;
                Ok(())
            }
            (_, Then::Instead { rules }, Answer::Picks(picks)) => match (&picks[..], self.stack.last_mut()) {
                ([i], Some(Task::Resolve { chosen, .. })) if (*i as usize) < rules.len() => {
                    *chosen = rules.get(*i as usize).cloned().map(Box::new);
                    Ok(())
                }
                _ => refuse(format!("choose one of {} rules", rules.len())),
            },
            (_, Then::Roll { dice, .. }, _) => refuse(format!("the faces of {} dice are asked for", dice.count)),
            (_, Then::May { .. }, _) => refuse("yes or no is asked for"),
            (_, Then::Fact { .. }, _) => refuse("a fact about the table is asked for"),
            _ => refuse("a choice by numbers is asked for"),
        }
    }

    /// Writes the result of the current instruction and goes on behind it.
    fn store(&mut self, dst: Reg, value: Value) {
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.pc += 1;
            if let Some(slot) = self.registers.get_mut(frame.base as usize + dst as usize) {
                *slot = value;
            }
        }
    }

    /// How often a face would have to be drawn, and whether their order is read: for hosts that try all rolls.
    pub(crate) fn roll_is_ordered(&self, pack: &Loaded) -> bool {
        let Some(Task::Frame(frame)) = self.stack.last() else {
            return true;
        };
        let known = pack.facts_of.get(frame.frag.index());
        !matches!(self.current(pack), Some((Instr::Roll { .. }, _))) || known.is_none_or(|f| f.is_ordered(frame.pc))
    }

    /// What a host that cannot see the table says about it: the answer the fact's definition gives, if it gives one.
    pub fn default_fact(&self, pack: &Loaded, fact: FactId, args: &[Value]) -> Result<Option<Value>, crate::fault::Fault> {
        let Some(default) = pack.facts.get(fact.index()).and_then(|f| f.default) else {
            return Ok(None);
        };
        let you = self.world.players.first().copied().unwrap_or(crate::world::NOBODY);
        let mut s = Scratch::new(Vec::new(), self.limits, self.limits.steps);
        match self.view(pack, None, you).eval(&mut s, default, args) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Fault(fault)) => Err(*fault),
            Err(Stop::Fact { .. }) => Ok(None),
        }
    }
}

/// The result of a roll: a number for a single plain die, else the faces.
pub fn rolled(dice: Dice, faces: &[i64]) -> Value {
    match (dice.plus, faces) {
        (0, [face]) => Value::Int(*face),
        (0, _) => Value::List(faces.iter().map(|f| Value::Int(*f)).collect()),
        (plus, _) => Value::List(faces.iter().copied().chain([plus as i64]).map(Value::Int).collect()),
    }
}

fn picked<T: Clone>(picks: &[u32], from: &[T]) -> Result<Vec<T>, BadAnswer> {
    let mut chosen = Vec::with_capacity(picks.len());
    let mut taken = vec![false; from.len()];
    for i in picks {
        match (taken.get_mut(*i as usize), from.get(*i as usize)) {
            (Some(true), _) => return refuse("the same thing is chosen twice"),
            (Some(taken), Some(item)) => {
                *taken = true;
                chosen.push(item.clone());
            }
            _ => return refuse(format!("there is no option number {i}")),
        }
    }
    Ok(chosen)
}

pub(super) fn whole_dice(v: &Value) -> Option<Dice> {
    match v {
        Value::Dice(d) => Some(*d),
        other => {
            // A fixed amount where dice are expected: no dice, only `plus`.
            let (n, 1) = num::parts(other)? else {
                return None;
            };
            Some(Dice { count: 0, sides: 1, plus: i32::try_from(n).ok()? })
        }
    }
}
