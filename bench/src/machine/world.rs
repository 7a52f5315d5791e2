//! (b) An attack through the whole world: stats with modifiers, events with listeners before and after, damage to somebody.

use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::ObjId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;

use super::{Told, clock, peers, program, time, times};
use crate::table::Table;

/// So many strikes in one call.
const STRIKES: u64 = 20;

pub fn run(table: &mut Table) -> Told {
    let pack = program::compiled("world", include_str!("../../rules/world/world.banner"))?;
    let (mut machine, by, target) = muster(&pack)?;
    let mut dice = Generator::new(1);
    let found = in_machine(&pack, &mut machine, by, target, &mut dice)?;
    let mut ogre = Ogre::default();
    let same = natively(&mut Generator::new(1), &mut ogre, STRIKES);
    if found != same {
        return Err(format!("the machine comes to {found}, native code to {same}"));
    }
    let native = clock::best(|| natively(&mut dice, &mut ogre, STRIKES)) / STRIKES as f64;
    let one = clock::best(|| in_machine(&pack, &mut machine, by, target, &mut dice)) / STRIKES as f64;
    table.row("strike in a world, native Rust for this one case", time(native), "itself", times(native, native));
    table.row("strike in a world", time(one), "native Rust for this one case; aim below 10×", times(one, native));
    for (name, peer) in peers::strikes(STRIKES) {
        let peer = peer?;
        table.row(&format!("strike in a world, {name} over tables"), time(peer), "native Rust for this one case", times(peer, native));
        table.row("strike in a world", time(one), &format!("{name} over tables: {}", time(peer)), times(one, peer));
    }
    Ok(())
}

/// A captain and a veteran on one side, an ogre on the other: those of the file's own test, which is over.
fn muster(pack: &Loaded) -> Result<(Machine, ObjId, ObjId), String> {
    let test = pack.tests.first().ok_or("there is no test")?;
    let limits = Limits { steps: u64::MAX, events: u32::MAX, ..Limits::default() };
    let mut machine = test_world(pack, test, limits).map_err(|fault| fault.words)?;
    if !matches!(run_seeded(&mut machine, pack, &mut Generator::new(1)), Step::Done(_)) {
        return Err("the test asks for somebody".to_owned());
    }
    let mut found = Vec::new();
    for name in ["Veteran", "Ogre"] {
        let card = program::card(pack, name)?;
        let one = machine.world.ids().find(|id| machine.world.get(*id).is_some_and(|object| object.in_play && object.card == Some(card)));
        found.push(one.ok_or("somebody is missing")?);
    }
    match found[..] {
        [veteran, ogre] => Ok((machine, veteran, ogre)),
        _ => Err("somebody is missing".to_owned()),
    }
}

fn in_machine(pack: &Loaded, machine: &mut Machine, by: ObjId, target: ObjId, dice: &mut Generator) -> Result<i64, String> {
    let args = [Value::Int(STRIKES as i64), Value::Obj(target), Value::Obj(by)];
    machine.start_action(pack, program::action(pack, "strikes")?, &args).map_err(|fault| fault.words)?;
    match run_seeded(machine, pack, dice) {
        Step::Done(Value::Int(total)) => Ok(total),
        other => Err(format!("`strikes` ended with {other:?}")),
    }
}

/// What the case needs and nothing else.
#[derive(Default)]
struct Ogre {
    wounds: i64,
    scars: i64,
}

struct Striker {
    attacks: i64,
    fierce: i64,
    skill: i64,
    led: i64,
    damage: i64,
}

fn natively(dice: &mut Generator, ogre: &mut Ogre, strikes: u64) -> i64 {
    let (health, defense, armour) = std::hint::black_box((30, 5, 1));
    let s = std::hint::black_box(Striker { attacks: 3, fierce: 2, skill: 4, led: 1, damage: 3 });
    let mut total = 0;
    for _ in 0..strikes {
        ogre.wounds = 0;
        for _ in 0..s.attacks + s.fierce {
            if dice.die(6) >= s.skill - s.led && dice.die(6) < defense {
                ogre.wounds = (ogre.wounds + s.damage - armour).min(health);
                ogre.scars += 1;
            }
        }
        total += ogre.wounds;
    }
    total
}
