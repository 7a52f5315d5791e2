//! Answers laid out in a test. Every mismatch is said in full: what was asked, what could have been answered.

use crate::describe;
use crate::fault::{Fault, FaultKind};
use crate::ids::*;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::num;
use crate::question::{Answer, Ask, Question};
use crate::value::Value;

/// What the script says to a question.
pub enum Said {
    Answer(Answer),
    /// It says nothing: there is no die or answer left for it.
    Nothing,
    Wrong(Fault),
}

/// Runs on with the script until all is done, or nobody wants to know any more; what chance decides must be scripted too. Keeps the dice that were rolled.
pub fn run_scripted(machine: &mut Machine, pack: &Loaded, dice: &mut Vec<i64>, go_on: &dyn Fn() -> bool) -> Step {
    loop {
        if !go_on() {
            return Step::Fault(Fault::stopped());
        }
        let question = match machine.run(pack) {
            Step::Asked(question) => question,
            Step::Done(value) => {
                return match leftovers(machine, pack) {
                    Some(fault) => Step::Fault(fault),
                    None => Step::Done(value),
                };
            }
            fault => return fault,
        };
        match say(machine, pack, &question) {
            Said::Answer(answer) => {
                if let Answer::Faces(faces) = &answer {
                    dice.extend(faces);
                }
                if let Err(bad) = machine.answer(pack, answer) {
                    return Step::Fault(script_fault(
                        &question,
                        format!("the scripted answer to {} is refused: {bad}", question.describe(pack, &machine.world)),
                    ));
                }
            }
            Said::Nothing => return Step::Fault(missing(machine, pack, &question)),
            Said::Wrong(fault) => return Step::Fault(fault),
        }
    }
}

pub fn missing(machine: &Machine, pack: &Loaded, question: &Question) -> Fault {
    let what = match question.ask {
        Ask::Roll { .. } => "no scripted dice are left for",
        _ => "no scripted answer is left for",
    };
    script_fault(question, format!("{what} {}", question.describe(pack, &machine.world)))
}

fn script_fault(question: &Question, words: String) -> Fault {
    Fault { site: question.site, ..Fault::new(FaultKind::Script, words) }
}

/// Dice and answers that nobody asked for.
pub fn leftovers(machine: &Machine, pack: &Loaded) -> Option<Fault> {
    let dice: Vec<String> = machine.script.dice.iter().map(|f| f.to_string()).collect();
    if !dice.is_empty() {
        return Some(Fault::new(FaultKind::Script, format!("dice were not used: {}", dice.join(", "))));
    }
    let unused: Vec<String> = machine
        .script
        .answers
        .iter()
        .filter(|a| !a.used)
        .map(|a| {
            let value = describe::value(pack, &machine.world, &a.value);
            a.label.map_or(value.clone(), |label| format!("{}: {value}", pack.text(label)))
        })
        .collect();
    match unused.is_empty() {
        true => None,
        false => Some(Fault::new(FaultKind::Script, format!("answers were not used: {}", unused.join(", ")))),
    }
}

/// Takes the answer to a question out of the machine's script.
pub fn say(machine: &mut Machine, pack: &Loaded, question: &Question) -> Said {
    if let Ask::Roll { dice, .. } = &question.ask {
        if machine.script.dice.len() < dice.count as usize {
            return Said::Nothing;
        }
        let faces: Vec<i64> = machine.script.dice.drain(..dice.count as usize).collect();
        if let Some(face) = faces.iter().find(|f| !(1..=dice.sides as i64).contains(*f)) {
            let words = format!("the next scripted die shows {face}, but {} is due", question.describe(pack, &machine.world));
            return Said::Wrong(script_fault(question, words));
        }
        return Said::Answer(Answer::Faces(faces));
    }
    let named = |a: &crate::script::Scripted| a.label.is_some_and(|l| pack.text(l) == question.name && !question.name.is_empty());
    let answers = &mut machine.script.answers;
    let at = answers.iter().rposition(named).or_else(|| {
        // Facts are only answered by name: a test that says nothing about the table gets the usual answer.
        let by_name_only = matches!(question.ask, Ask::Fact { .. });
        answers.iter().position(|a| a.label.is_none() && !a.used && !by_name_only)
    });
    let Some(scripted) = at.and_then(|i| answers.get_mut(i)) else {
        return match &question.ask {
            Ask::Fact { fact, args } => match machine.default_fact(pack, *fact, args) {
                Ok(Some(value)) => Said::Answer(Answer::Value(value)),
                Ok(None) => Said::Nothing,
                Err(fault) => Said::Wrong(fault),
            },
            Ask::Order { triggers } => Said::Answer(Answer::Picks((0..triggers.len() as u32).collect())),
            _ => Said::Nothing,
        };
    };
    scripted.used = true;
    let value = scripted.value.clone();
    match fit(machine, pack, question, &value) {
        Some(answer) => Said::Answer(answer),
        None => {
            let said = describe::value(pack, &machine.world, &value);
            let asked = question.describe(pack, &machine.world);
            Said::Wrong(script_fault(question, format!("the scripted answer {said} does not fit {asked}")))
        }
    }
}

/// The scripted value as an answer to this question.
fn fit(machine: &Machine, pack: &Loaded, question: &Question, value: &Value) -> Option<Answer> {
    match &question.ask {
        Ask::Roll { .. } => None,
        Ask::Draw { cards, .. } => {
            let options: Vec<Value> = cards.iter().map(|(id, _)| Value::Obj(*id)).collect();
            Some(Answer::Picks(vec![find(machine, pack, &options, value, &[])?]))
        }
        Ask::Choice { options, min, max, .. } => {
            // A list of options stands for several; where options are lists themselves, it may be one of them.
            let whole = find(machine, pack, options, value, &[]);
            if let (Some(i), 1) = (whole, *max) {
                return Some(Answer::Picks(vec![i]));
            }
            match value {
                Value::List(items) => {
                    let mut picks = Vec::new();
                    for item in items.iter() {
                        picks.push(find(machine, pack, options, item, &picks)?);
                    }
                    Some(Answer::Picks(picks))
                }
                Value::None if *min == 0 => Some(Answer::Picks(Vec::new())),
                Value::Place(_) if whole.is_none() && matches!(options.first(), Some(Value::Place(_))) => {
                    Some(Answer::Value(value.clone()))
                }
                _ => Some(Answer::Picks(vec![whole?])),
            }
        }
        Ask::Menu { labels } => {
            let i = match value {
                Value::Text(text) => labels.iter().position(|l| loosely_equal(l, pack.text(*text)))?,
                Value::Int(n) => usize::try_from(*n).ok()?.checked_sub(1)?,
                Value::Bool(false) | Value::None => labels.iter().position(|l| l == "pass")?,
                other => {
                    let said = describe::value(pack, &machine.world, other);
                    labels.iter().position(|l| loosely_equal(l, &said))?
                }
            };
            (i < labels.len()).then_some(Answer::Picks(vec![i as u32]))
        }
        Ask::YesNo => match value {
            Value::Bool(yes) => Some(Answer::Yes(*yes)),
            Value::Text(text) => match pack.text(*text) {
                "yes" => Some(Answer::Yes(true)),
                "no" | "pass" => Some(Answer::Yes(false)),
                label if loosely_equal(label, &question.name) => Some(Answer::Yes(true)),
                _ => None,
            },
            _ => None,
        },
        Ask::Fact { .. } => Some(Answer::Value(value.clone())),
        Ask::Order { .. } => {
            let Value::List(items) = value else {
                return None;
            };
            let picks: Option<Vec<u32>> =
                items.iter().map(|v| num::int(v).ok()?.checked_sub(1).and_then(|n| u32::try_from(n).ok())).collect();
            picks.map(Answer::Picks)
        }
    }
}

fn loosely_equal(a: &str, b: &str) -> bool {
    a.trim().eq_ignore_ascii_case(b.trim())
}

/// An option by its value, by its card, or by its name; `taken` ones are left out.
fn find(machine: &Machine, pack: &Loaded, options: &[Value], wanted: &Value, taken: &[u32]) -> Option<u32> {
    let free = |i: &usize| !taken.contains(&(*i as u32));
    let by = |test: &dyn Fn(&Value) -> bool| (0..options.len()).filter(free).find(|i| options.get(*i).is_some_and(test));
    let card_of = |id: ObjId| machine.world.get(id).and_then(|o| o.card);
    let same = by(&|o| num::same(o, wanted));
    let printed = || match wanted {
        Value::Card(card) => by(&|o| matches!(o, Value::Obj(id) if card_of(*id) == Some(*card))),
        Value::Obj(wanted) => by(&|o| matches!(o, Value::Card(card) if card_of(*wanted) == Some(*card))),
        Value::Text(text) => by(&|o| loosely_equal(&describe::value(pack, &machine.world, o), pack.text(*text))),
        _ => None,
    };
    same.or_else(printed).map(|i| i as u32)
}
