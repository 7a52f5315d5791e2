//! What players have counted up in a game: the numbers beside "Player 1 wins."

use std::collections::BTreeMap;

use banneret_runtime::ids::{FieldId, ObjId};
use banneret_runtime::pack::FieldRole;
use banneret_runtime::value::Value;
use banneret_runtime::world::{Outcome, World};

use super::names::Names;

/// States of players that changed. A number that goes down again is not a score, nor is one that is only set once, like a roll.
#[derive(Clone, Debug, Default)]
pub struct Score {
    changes: BTreeMap<FieldId, Changes>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    fell: bool,
    grew_again: bool,
}

impl Score {
    pub fn note(&mut self, names: &Names<'_>, of: ObjId, field: FieldId, before: &Value, after: &Value) {
        let is_state = names.pack.fields.get(field.index()).is_some_and(|f| f.role == FieldRole::State);
        if let (Value::Int(before), Value::Int(after)) = (before, after)
            && is_state
            && names.world.players.contains(&of)
        {
            let changes = self.changes.entry(field).or_default();
            changes.fell |= after < before;
            changes.grew_again |= *before > 0 && after > before;
        }
    }

    /// `score 5 : 3`: what the winner has most of; after a draw, what both have the same of.
    pub fn words(&self, names: &Names<'_>) -> Option<String> {
        let world = names.world;
        let told: Vec<String> = self
            .changes
            .iter()
            .filter(|(_, changes)| changes.grew_again && !changes.fell)
            .filter_map(|(field, _)| {
                let counts: Vec<i64> = world.players.iter().map(|player| count(world, *player, *field)).collect();
                let explains = match world.outcome? {
                    Outcome::Won(winner) => {
                        let seat = world.players.iter().position(|player| *player == winner)?;
                        counts.iter().enumerate().all(|(i, count)| i == seat || *count < counts[seat])
                    }
                    Outcome::Drawn => counts.iter().all(|count| *count > 0 && Some(count) == counts.first()),
                };
                let counts: Vec<String> = counts.iter().map(i64::to_string).collect();
                explains.then(|| format!("{} {}", names.field(*field), counts.join(" : ")))
            })
            .collect();
        if told.is_empty() { None } else { Some(told.join(", ")) }
    }
}

fn count(world: &World, player: ObjId, field: FieldId) -> i64 {
    let state = world.get(player).and_then(|object| object.state.iter().find(|(has, _)| *has == field));
    match state {
        Some((_, Value::Int(n))) => *n,
        _ => 0,
    }
}
