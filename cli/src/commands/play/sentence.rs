//! Events and answers in words.

use banneret_runtime::ids::ActionId;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

use super::names::{Names, spaced};

/// `Wasp Rider: strike Picker 2, Sting`: who does it, what, and with what.
pub fn event(names: &Names<'_>, action: ActionId, values: &[Value]) -> String {
    let described = names.pack.actions.get(action.index());
    let by = described.and_then(|a| a.by).map(usize::from);
    let params = described.map_or(0, |a| usize::from(a.params));
    let subject = by.and_then(|by| values.get(by));
    let others: Vec<String> =
        values.iter().enumerate().take(params).filter(|(i, v)| Some(*i) != by && is_told(v)).map(|(_, v)| names.value(v)).collect();
    let verb = names.action(action);
    let mut words = match subject {
        Some(Value::None) | None => verb,
        Some(subject) => format!("{}: {verb}", names.value(subject)),
    };
    if !others.is_empty() {
        words.push(' ');
        words.push_str(&others.join(", "));
    }
    words
}

fn is_told(value: &Value) -> bool {
    !matches!(value, Value::None | Value::Code(..) | Value::Rules(..) | Value::Event(_))
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

fn listed(picks: &[u32], text: impl Fn(usize) -> Option<String>) -> String {
    let texts: Vec<String> = picks.iter().filter_map(|i| text(*i as usize)).collect();
    texts.join(", ")
}
