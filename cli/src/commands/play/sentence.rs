//! Events and answers in words.

use banneret_runtime::describe;
use banneret_runtime::ids::ActionId;
use banneret_runtime::pack::{Action, Phrase};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

use super::lines::Event;
use super::names::{Names, spaced};

/// `Wasp Rider: attack Picker 2 with Sting`: who does it, and what, in the words of the action.
pub fn event(names: &Names<'_>, action: ActionId, values: &[Value]) -> (String, Event) {
    let Some(described) = names.pack.actions.get(action.index()) else {
        return (names.action(action), Event::default());
    };
    let by = described.by.map(usize::from);
    let own = own_words(names, described, values);
    let (mut words, says_who) = match own {
        Some(words) => (words, described.says.iter().any(|piece| matches!(piece, Phrase::Field(at) if Some(usize::from(*at)) == by))),
        None => (named(names, action, described, values), false),
    };
    if let Some(subject) = by.and_then(|by| values.get(by))
        && is_told(subject)
        && !says_who
    {
        words = format!("{}: {words}", names.value(subject));
    }
    // Where it is done is never left out, whatever the words of the action.
    let given = || values.iter().take(usize::from(described.params));
    let done_to = given().enumerate().find(|(at, value)| Some(*at) != by && matches!(value, Value::Obj(_) | Value::Card(_)));
    for place in given().filter(|value| matches!(value, Value::Place(_) | Value::Pile(..))) {
        let written = names.value(place);
        if words.contains(&written) {
            continue;
        }
        // Something goes to a pile, or something is done to the pile itself.
        let to = if done_to.is_none() && matches!(place, Value::Pile(..)) { "the" } else { "→" };
        words = format!("{words} {to} {written}");
    }
    let thing = done_to.and_then(|(_, value)| {
        let name = names.value(value);
        let (before, after) = words.split_once(name.as_str())?;
        Some([before.to_owned(), name, after.to_owned()])
    });
    let tells = !described.says.is_empty() || given().enumerate().any(|(at, value)| Some(at) != by && is_told(value) && !is_nothing(value));
    (words, Event { values: values.to_vec(), tells, thing, is_told: false })
}

/// The words the action says of itself. None if it has none, or what they speak of is not there.
fn own_words(names: &Names<'_>, action: &Action, values: &[Value]) -> Option<String> {
    let mut words = String::new();
    for (n, piece) in action.says.iter().enumerate() {
        match piece {
            Phrase::Text(text) if n == 0 => words.push_str(&small(names.pack.text(*text))),
            Phrase::Text(text) => words.push_str(names.pack.text(*text)),
            Phrase::Field(at) => {
                let value = values.get(usize::from(*at)).filter(|value| is_told(value))?;
                words.push_str(&written(names, action, usize::from(*at), value));
            }
            Phrase::Plural(at, one, many) => {
                let single = values.get(usize::from(*at)) == Some(&Value::Int(1));
                words.push_str(names.pack.text(if single { *one } else { *many }));
            }
        }
    }
    let words = words.trim().trim_end_matches('.');
    if words.is_empty() { None } else { Some(words.to_owned()) }
}

/// What an action says of itself once it is over. What adds nothing is left out: `4 + 0 against 4+` is `4 against 4+`. None: it says nothing.
pub fn told(names: &Names<'_>, action: ActionId, values: &[Value]) -> Option<String> {
    let action = names.pack.actions.get(action.index())?;
    let mut words = String::new();
    for piece in &action.told {
        match piece {
            Phrase::Text(text) => words.push_str(names.pack.text(*text)),
            Phrase::Field(at) => {
                let value = values.get(usize::from(*at))?;
                let sum = [" + ", " − "].into_iter().find_map(|sign| words.strip_suffix(sign));
                match (value, sum.map(str::len)) {
                    (Value::Int(0), Some(before)) => words.truncate(before),
                    _ => words.push_str(&written(names, action, usize::from(*at), value)),
                }
            }
            Phrase::Plural(at, one, many) => {
                let is_one = matches!(values.get(usize::from(*at)), Some(Value::Int(1) | Value::Bool(true)));
                words.push_str(names.pack.text(if is_one { *one } else { *many }));
            }
        }
    }
    let words = words.trim().trim_end_matches('.');
    if words.is_empty() { None } else { Some(words.to_owned()) }
}

/// What it was given, by the names of its parameters: `  {amount 3, target Roper}`.
pub fn parameters(names: &Names<'_>, action: ActionId, values: &[Value]) -> String {
    let Some(action) = names.pack.actions.get(action.index()) else { return String::new() };
    let given = values.iter().enumerate().take(usize::from(action.params)).filter(|(_, value)| is_told(value));
    let given = given.filter_map(|(at, value)| {
        let name = names.pack.text(*action.fields.get(at)?);
        Some(format!("{name} {}", written(names, action, at, value)))
    });
    let given: Vec<String> = given.collect();
    if given.is_empty() { String::new() } else { format!("  {{{}}}", given.join(", ")) }
}

/// Its name and its parameters, but for those that say nothing.
fn named(names: &Names<'_>, id: ActionId, action: &Action, values: &[Value]) -> String {
    let by = action.by.map(usize::from);
    let mut others = Vec::new();
    for (at, value) in values.iter().enumerate().take(usize::from(action.params)) {
        match value {
            _ if Some(at) == by || !is_told(value) || is_nothing(value) => {}
            // Places are told by whoever asked for the name.
            Value::Place(_) | Value::Pile(..) => {}
            Value::Bool(_) => others.extend(action.fields.get(at).map(|name| spaced(names.pack.text(*name)))),
            value => others.push(written(names, action, at, value)),
        }
    }
    format!("{} {}", names.action(id), others.join(", ")).trim_end().to_owned()
}

/// As the parameter is written: `4+`, `6"`.
fn written(names: &Names<'_>, action: &Action, at: usize, value: &Value) -> String {
    match (value, action.shows.get(at)) {
        (Value::Int(_), Some(how)) => describe::written(names.pack, names.world, value, *how),
        _ => names.value(value),
    }
}

/// Words may be written as a sentence; here they are part of a line. A name of several words (`Strike Phase`) stays one.
fn small(text: &str) -> String {
    let mut letters = text.chars();
    if text.split(' ').nth(1).is_some_and(|word| word.starts_with(char::is_uppercase)) {
        return text.to_owned();
    }
    match (letters.next(), letters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn is_told(value: &Value) -> bool {
    !matches!(value, Value::None | Value::Code(..) | Value::Rules(..) | Value::Event(_))
}

/// What a parameter is that nobody gave.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Int(0) | Value::Bool(false) => true,
        Value::List(items) => items.is_empty(),
        Value::Pair(halves) => halves.iter().all(is_nothing),
        _ => false,
    }
}

/// An answer in the words of its question.
pub fn said(names: &Names<'_>, question: &Question, answer: &Answer) -> String {
    match (&question.ask, answer) {
        (Ask::Roll { dice, .. }, Answer::Faces(faces)) => {
            let count = match dice.count {
                1 => String::new(),
                n => n.to_string(),
            };
            let plus = match dice.plus {
                0 => String::new(),
                plus => format!("{plus:+}"),
            };
            let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
            format!("{count}d{}{plus}: {}", dice.sides, faces.join(", "))
        }
        (Ask::Choice { options, .. }, Answer::Picks(picks)) => match listed(picks, |i| options.get(i).map(|v| names.value(v))) {
            chosen if chosen.is_empty() => "none".to_owned(),
            chosen => chosen,
        },
        (Ask::Menu { labels }, Answer::Picks(picks)) => listed(picks, |i| labels.get(i).map(|label| spaced(label))),
        (Ask::Order { triggers }, Answer::Picks(picks)) => listed(picks, |i| triggers.get(i).cloned()),
        (Ask::Draw { cards, .. }, Answer::Picks(picks)) => {
            let drawn = listed(picks, |i| cards.get(i).map(|(id, _)| names.object(*id)));
            format!("the top card is {drawn}")
        }
        (_, Answer::Yes(true)) => "yes".to_owned(),
        (_, Answer::Yes(false)) => "no".to_owned(),
        (_, Answer::Value(value)) => names.value(value),
        (_, Answer::Faces(faces)) => format!("{faces:?}"),
        (_, Answer::Picks(picks)) => format!("{picks:?}"),
    }
}

/// What was chosen, if a line that follows may tell it as well.
pub fn chosen(names: &Names<'_>, question: &Question, answer: &Answer) -> Option<String> {
    match (&question.ask, answer) {
        (Ask::Draw { cards, .. }, Answer::Picks(picks)) => Some(listed(picks, |i| cards.get(i).map(|(id, _)| names.object(*id)))),
        (Ask::Choice { .. } | Ask::Menu { .. }, Answer::Picks(picks)) if !picks.is_empty() => Some(said(names, question, answer)),
        (_, Answer::Value(value @ Value::Place(_))) => Some(names.value(value)),
        _ => None,
    }
}

fn listed(picks: &[u32], text: impl Fn(usize) -> Option<String>) -> String {
    let texts: Vec<String> = picks.iter().filter_map(|i| text(*i as usize)).collect();
    texts.join(", ")
}
