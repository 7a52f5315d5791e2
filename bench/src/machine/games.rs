//! (d) Whole games with players who answer at random, beside the same games replayed from their answers: the machine without the players.

use banneret_players::random_answer;
use banneret_runtime::hosts::replay::{Recording, replay};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};

use super::{Told, clock, program, times};
use crate::table::Table;

const GAMES: u64 = 10;

pub fn run(table: &mut Table) -> Told {
    for system in ["affinity", "flux", "focal_point", "one_card", "worlds_collide"] {
        let pack = program::content(system)?;
        let scenarios = scenarios(&pack);
        let mut recordings = Vec::new();
        for seed in 0..GAMES {
            let scenario = scenarios.get(seed as usize % scenarios.len().max(1)).copied();
            recordings.push((scenario, play(&pack, scenario, seed)?));
        }
        let questions: usize = recordings.iter().map(|(_, r)| r.answers.len()).sum();
        let mut seed = 0;
        let played = clock::best(|| {
            let scenario = scenarios.get(seed as usize % scenarios.len().max(1)).copied();
            seed = (seed + 1) % GAMES;
            play(&pack, scenario, seed)
        });
        let mut next = 0;
        let replayed = clock::best(|| {
            let (scenario, recording) = &recordings[next];
            next = (next + 1) % recordings.len();
            start(&pack, *scenario).map(|mut machine| replay(&mut machine, &pack, recording).is_ok())
        });
        let mean = questions as u64 / GAMES;
        table.row(
            &format!("{system}: a game of {mean} questions, random agents"),
            format!("{:.0} games/s", 1e9 / played),
            &format!("replayed without agents: {:.0} games/s", 1e9 / replayed),
            times(played, replayed),
        );
    }
    Ok(())
}

fn scenarios(pack: &Loaded) -> Vec<CardId> {
    let fits = |card: &banneret_runtime::pack::Card| {
        let is = pack.kinds.get(card.kind.index()).map_or(&[][..], |k| &k.is);
        !card.template && card.holder.is_none() && pack.scenario_kind.is_some_and(|kind| is.contains(&kind))
    };
    (0u32..).zip(&pack.cards).filter(|(_, card)| fits(card)).map(|(i, _)| CardId(i)).collect()
}

fn start(pack: &Loaded, scenario: Option<CardId>) -> Result<Machine, String> {
    let mut machine = Machine::new(pack, 2, Limits::default()).map_err(|fault| fault.words)?;
    machine.start_game(pack, scenario).map_err(|e| e.0)?;
    Ok(machine)
}

fn play(pack: &Loaded, scenario: Option<CardId>, seed: u64) -> Result<Recording, String> {
    let mut machine = start(pack, scenario)?;
    let mut generator = Generator::new(seed);
    let mut recording = Recording::default();
    loop {
        let question = match machine.run(pack) {
            Step::Asked(question) => question,
            Step::Done(_) => return Ok(recording),
            Step::Fault(fault) => return Err(fault.words),
        };
        let answered = (0..200).any(|attempt| {
            let answer = random_answer(&machine, pack, &mut generator, &question, attempt);
            recording.answer(&mut machine, pack, answer).is_ok()
        });
        if !answered {
            return Err(format!("no answer to {}", question.describe(pack, &machine.world)));
        }
    }
}
