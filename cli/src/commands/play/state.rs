//! How things stand: players, what is in play and where, and their piles.

use std::io::Write;

use banneret_runtime::ids::{FieldId, ObjId};
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::FieldRole;
use banneret_runtime::question::{Ask, Question};
use banneret_runtime::value::Value;
use banneret_runtime::world::{NOBODY, Object};

use super::map;
use super::names::Names;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// As somebody may see it: what others hide is counted and not told.
pub fn print(names: &Names<'_>, machine: &Machine, viewer: ObjId, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let world = &machine.world;
    for (id, object) in world.in_play() {
        let common = object.holder == NOBODY && !world.players.contains(&object.controller);
        if common {
            writeln!(out, "{}{}", names.object(id), details(names, id, viewer))?;
        }
    }
    for player in world.players.iter() {
        let Some(object) = world.get(*player) else {
            continue;
        };
        let name = terminal.bold(&names.player(*player));
        writeln!(out, "{name}{}", details(names, *player, viewer))?;
        for field in piles(names, object) {
            let Some(pile) = world.pile((*player, field)) else {
                continue;
            };
            if !world.shows(&names.pack.hidden, *player, field, viewer) {
                writeln!(out, "  {}: {} hidden", names.field(field), pile.known.len() + pile.rest.len())?;
                continue;
            }
            let known = pile.known.iter().map(|c| names.object(*c));
            let rest = match pile.rest.len() {
                0 => None,
                n => Some(format!("{n} shuffled")),
            };
            let cards: Vec<String> = known.chain(rest).collect();
            writeln!(out, "  {}: {}", names.field(field), cards.join(", "))?;
        }
        for (id, object) in world.in_play() {
            if object.holder == NOBODY && object.controller == *player && id != *player {
                writeln!(out, "  {}{}", names.object(id), details(names, id, viewer))?;
            }
        }
    }
    for line in map::lines(names) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// What an option is: the words of its card, what it has and how it stands.
pub fn explain(names: &Names<'_>, question: &Question, option: usize, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let value = match &question.ask {
        Ask::Choice { options, .. } => options.get(option),
        _ => None,
    };
    let (card, stands) = match value {
        Some(Value::Card(card)) => (Some(*card), String::new()),
        Some(Value::Obj(id)) => {
            let object = names.world.get(*id);
            (object.and_then(|object| object.card), details(names, *id, question.who))
        }
        _ => (None, String::new()),
    };
    let Some((id, card)) = card.and_then(|id| Some((id, names.pack.cards.get(id.index())?))) else {
        writeln!(out, "There is nothing more to say of it; `odds {}` shows what it may lead to.", option + 1)?;
        return Ok(());
    };
    writeln!(out, "{}{stands}", terminal.bold(&names.card(id)))?;
    let numbers = card.values.iter().filter(|(_, value)| matches!(value, Value::Int(_) | Value::Dice(_)));
    let numbers: Vec<String> = numbers.map(|(field, value)| format!("{} {}", names.field(*field), names.held(*field, value))).collect();
    if !numbers.is_empty() {
        writeln!(out, "  {}", numbers.join(", "))?;
    }
    let words = card.parts.iter().filter_map(|part| names.pack.cards.get(part.index()).map(|card| (*part, card)));
    for (title, card) in std::iter::once((None, card)).chain(words.map(|(id, card)| (Some(names.card(id)), card))) {
        let text = names.pack.text(card.text);
        let title = title.map_or(String::new(), |title| format!("{title}: "));
        if !(title.is_empty() && text.is_empty()) {
            writeln!(out, "  {title}{}", text.replace('\n', " "))?;
        }
    }
    Ok(())
}

fn piles(names: &Names<'_>, object: &Object) -> Vec<FieldId> {
    let fields = &names.pack.fields;
    let is_pile = |field: &FieldId| {
        let field = fields.get(field.index());
        field.is_some_and(|f| f.role == FieldRole::Pile)
    };
    let kind = names.pack.kinds.get(object.kind.index());
    let all = kind.map_or(&[][..], |k| &k.fields);
    all.iter().copied().filter(is_pile).collect()
}

/// Where it is and what of its state is not nothing; what somebody must not see is only said to be there.
fn details(names: &Names<'_>, id: ObjId, viewer: ObjId) -> String {
    let Some(object) = names.world.get(id) else { return String::new() };
    let place = object.place.map(|p| format!("at {}", names.value(&Value::Place(p))));
    let empty = |value: &Value| match value {
        Value::None | Value::Bool(false) | Value::Int(0) => true,
        Value::List(items) => items.is_empty(),
        _ => false,
    };
    let state = object.state.iter().filter(|(_, value)| !empty(value));
    let state = state.map(|(field, value)| match value {
        _ if !names.world.shows(&names.pack.hidden, id, *field, viewer) => format!("{} hidden", names.field(*field)),
        Value::Bool(true) => names.field(*field),
        value => format!("{} {}", names.field(*field), names.held(*field, value)),
    });
    let all: Vec<String> = place.into_iter().chain(state).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(": {}", all.join(", ")),
    }
}
