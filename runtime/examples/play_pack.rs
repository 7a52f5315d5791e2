//! Plays a pack from a file with this crate alone, and a player of `banneret-players` in the place of a person. Chance comes from a seed; whatever a player would decide is answered at random.
//!
//! ```sh
//! banneret build my_faction
//! cargo run -p banneret-runtime --example play_pack my_faction/target/banneret/my_faction.pack 7
//! ```

use std::error::Error;

use banneret_players::random_answer;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("Which pack? Name its file, and a seed behind it if you like.")?;
    let seed = args.next().map_or(Ok(1), |seed| seed.parse())?;

    // Reading says whether it is a pack at all; loading verifies it, once.
    let pack = Loaded::new(Pack::from_bytes(&std::fs::read(path)?)?)?;
    let mut machine = Machine::new(&pack, pack.seats(), Limits::default())?;
    machine.start_game(&pack, scenario(&pack))?;

    let mut generator = Generator::new(seed);
    let mut answers = 0u32;
    loop {
        match machine.run(&pack) {
            // The machine has stopped and waits. This is where a program of your own would ask somebody.
            Step::Asked(question) => {
                // A choice may have a condition on the whole: a refused answer leaves the question standing.
                let accepted = (0..200).any(|attempt| {
                    let answer = random_answer(&machine, &pack, &mut generator, &question, attempt);
                    machine.answer(&pack, answer).is_ok()
                });
                if !accepted {
                    return Err(format!("nobody knows an answer to {}", question.describe(&pack, &machine.world)).into());
                }
                answers += 1;
            }
            Step::Done(_) => break,
            Step::Fault(fault) => return Err(fault.into()),
        }
    }
    println!("{} {}, seed {seed}: over after {answers} answers, {:?}", pack.name, pack.version, machine.world.outcome);
    Ok(())
}

/// The first card that a game of these rules can be set up from.
fn scenario(pack: &Loaded) -> Option<CardId> {
    let kind = pack.scenario_kind?;
    let is_scenario = |card: &banneret_runtime::pack::Card| {
        !card.template && card.holder.is_none() && pack.kinds.get(card.kind.index()).is_some_and(|k| k.is.contains(&kind))
    };
    pack.cards.iter().position(is_scenario).map(|i| CardId(i as u32))
}
