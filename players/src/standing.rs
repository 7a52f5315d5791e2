//! What a stretch of play was worth to a player: a win is everything, else the goals of the rules count. Where they name none: enemies that were lost or changed count for,
//! own losses against; points are good, and so is being near to enemies and to what the scenario laid out.

use banneret_runtime::ids::*;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::FieldRole;
use banneret_runtime::value::{Place, Value};
use banneret_runtime::world::{NOBODY, Object, Outcome, World};

pub const WON: i64 = 1_000_000;
/// For each point of a goal: a goal counts in whole numbers, and ties are broken below them.
const STANDING: i64 = 20;
const LOST_CARD: i64 = 1_000;
const NEW_CARD: i64 = 300;
/// For each point of a number on an enemy's card: whoever acts on an enemy means harm.
const HARM: i64 = 100;
const DRAINED: i64 = 150;
/// Less than harm: without a goal nobody knows which numbers of a player win the game.
const SCORED: i64 = 50;
const SPENT: i64 = 5;
/// For each unit of length.
const NEARER: i64 = 10;

/// What the play from one state to another was worth to a player: by the goals of the rules, or else by what all games have in common.
pub fn worth(pack: &Loaded, before: &Machine, after: &Machine, player: ObjId) -> i64 {
    match after.world.outcome {
        Some(Outcome::Won(winner)) if winner == player => return WON,
        Some(Outcome::Won(_)) => return -WON,
        Some(Outcome::Drawn) => return 0,
        None => {}
    }
    match (before.standing(pack, player), after.standing(pack, player)) {
        (Some(before), Some(after)) => after.saturating_sub(before).saturating_mul(STANDING).clamp(-WON / 2, WON / 2),
        _ => unknown_game(pack, &before.world, &after.world, player),
    }
}

fn unknown_game(pack: &Loaded, before: &World, after: &World, player: ObjId) -> i64 {
    let mut worth = 0i64;
    for id in after.ids() {
        if let Some(now) = after.get(id) {
            worth = worth.saturating_add(of_object(pack, before.get(id), now, player));
        }
    }
    let nearer = farness(before, player).saturating_sub(farness(after, player));
    worth.saturating_add(nearer.saturating_mul(NEARER) / 1000)
}

fn of_object(pack: &Loaded, before: Option<&Object>, now: &Object, player: ObjId) -> i64 {
    let own = now.controller == player;
    let sign = if own { 1 } else { -1 };
    let of_nobody = now.controller == NOBODY;
    let is_card = now.card.is_some() && now.holder == NOBODY;
    let mut worth = 0;
    let was_in_play = before.is_some_and(|b| b.in_play);
    if is_card && !of_nobody {
        worth += match (was_in_play, now.in_play) {
            (true, false) => -sign * LOST_CARD,
            (false, true) => sign * NEW_CARD,
            _ => 0,
        };
    }
    let Some(before) = before.filter(|_| was_in_play && now.in_play && !of_nobody) else {
        return worth;
    };
    for (field, value) in &now.state {
        let (Some(old), Some(new)) = (before.state(*field).and_then(|v| v.whole()), value.whole()) else {
            continue;
        };
        let more = (new - old).clamp(-10, 10);
        if more == 0 {
            continue;
        }
        let resource = pack.fields.get(field.index()).is_some_and(|f| f.role == FieldRole::Resource);
        worth += match (own, resource, is_card) {
            // An enemy that has less than it had, by whatever means.
            (false, true, _) if more < 0 => -more * DRAINED,
            (false, true, _) => 0,
            (false, false, true) => more.abs() * HARM,
            (_, false, false) if now.card.is_none() => sign * more * SCORED,
            (true, true, _) => more * SPENT,
            _ => 0,
        };
    }
    worth
}

/// How far own pieces are from enemies, and the pieces the scenario laid out from own pieces; in thousandths.
fn farness(world: &World, player: ObjId) -> i64 {
    let (mut own, mut enemies, mut goals) = (Vec::new(), Vec::new(), Vec::new());
    for (_, object) in world.in_play() {
        let Some(place) = object.place else { continue };
        if object.holder != NOBODY {
            goals.push(place);
        } else if object.controller == player {
            own.push(place);
        } else {
            enemies.push(place);
        }
    }
    let sum = |from: &[Place], to: &[Place]| from.iter().filter_map(|p| nearest(*p, to)).sum::<i64>();
    sum(&own, &enemies).saturating_add(sum(&goals, &own))
}

fn nearest(from: Place, to: &[Place]) -> Option<i64> {
    to.iter().map(|p| distance(from, *p)).min()
}

fn distance(a: Place, b: Place) -> i64 {
    let (x, y) = ((a.x as i64 - b.x as i64).unsigned_abs(), (a.y as i64 - b.y as i64).unsigned_abs());
    (x * x).saturating_add(y * y).isqrt() as i64
}

/// The place that is nearest to an enemy, if that is what is to be chosen.
pub fn boldest(world: &World, options: &[Value], player: ObjId) -> Option<u32> {
    let is_enemy = |o: &Object| o.controller != player && o.controller != NOBODY && o.holder == NOBODY;
    let enemies: Vec<Place> = world.in_play().filter(|(_, o)| is_enemy(o)).filter_map(|(_, o)| o.place).collect();
    let far = |value: &Value| match value {
        Value::Place(place) => nearest(*place, &enemies),
        _ => None,
    };
    let all = (0u32..).zip(options).filter_map(|(i, v)| Some((far(v)?, i)));
    all.min().map(|(_, i)| i)
}
