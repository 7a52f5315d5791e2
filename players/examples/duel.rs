//! Two players, many games of a pack: who wins how often. `duel PACK GAMES ONE OTHER [SCENARIO]`; in every second game they change seats.

use std::time::Instant;

use banneret_players::agent::Agent;
use banneret_players::random_answer;
use banneret_players::statistics::wilson;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;
use banneret_runtime::world::Outcome;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, games, one, other, ..] = args.as_slice() else {
        return Err("duel PACK GAMES ONE OTHER [SCENARIO]".into());
    };
    let pack = Loaded::new(Pack::from_bytes(&std::fs::read(path)?)?)?;
    let pair: [Agent; 2] = [one.parse()?, other.parse()?];
    let (mut wins, mut draws, games): ([usize; 2], usize, usize) = ([0, 0], 0, games.parse()?);
    let (begun, mut answers) = (Instant::now(), 0);
    for seed in 0..games as u64 {
        let swapped = seed % 2 == 1;
        let (outcome, given) = play(&pack, args.get(5).map(String::as_str), seed / 2, if swapped { [pair[1], pair[0]] } else { pair })?;
        answers += given;
        match outcome {
            Some(seat) => wins[if swapped { 1 - seat } else { seat }] += 1,
            None => draws += 1,
        }
        eprintln!("after {} games: {one} {} : {} {other}, {draws} drawn", seed + 1, wins[0], wins[1]);
    }
    let (low, high) = wilson(wins[0], games);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{one} {} : {} {other}, {draws} drawn; {one} wins {:.0} to {:.0} %; {answers} answers, {seconds:.1} s",
        wins[0],
        wins[1],
        100.0 * low,
        100.0 * high
    );
    Ok(())
}

/// The seat that won, and how many answers players gave.
fn play(
    pack: &Loaded,
    scenario: Option<&str>,
    seed: u64,
    agents: [Agent; 2],
) -> Result<(Option<usize>, usize), Box<dyn std::error::Error>> {
    let mut cards: Vec<(String, CardId)> = pack
        .cards
        .iter()
        .zip(0..)
        .filter(|(card, _)| !card.template && pack.scenario_kind.is_some_and(|kind| pack.kinds[card.kind.index()].is.contains(&kind)))
        .map(|(card, i)| (pack.text(card.name).to_owned(), CardId(i)))
        .collect();
    cards.sort();
    let card = cards.iter().find(|(name, _)| scenario.is_none_or(|wanted| name == wanted)).map(|(_, card)| *card);
    let mut machine = Machine::new(pack, pack.seats(), Limits::default())?;
    machine.start_game(pack, card)?;
    let mut mixed = Generator::new(seed);
    let mut luck = Generator::new(mixed.next_u64());
    let mut minds = [Generator::new(mixed.next_u64()), Generator::new(mixed.next_u64())];
    let mut given = 0;
    loop {
        let question = match run_seeded(&mut machine, pack, &mut luck) {
            Step::Asked(question) => question,
            Step::Done(_) => break,
            Step::Fault(fault) => return Err(fault.words.into()),
        };
        let seat = machine.world.players.iter().position(|p| *p == question.who).unwrap_or(0).min(1);
        let mut answer = agents[seat].answer(&machine, pack, &mut minds[seat], &question);
        let mut attempt = 0;
        while machine.answer(pack, answer).is_err() {
            attempt += 1;
            if attempt > 300 {
                return Err("no answer is allowed".into());
            }
            answer = random_answer(&machine, pack, &mut minds[seat], &question, attempt);
        }
        given += 1;
        if given > 20_000 {
            return Err("the game does not end".into());
        }
    }
    let winner = match machine.world.outcome {
        Some(Outcome::Won(winner)) => machine.world.players.iter().position(|p| *p == winner),
        _ => None,
    };
    Ok((winner, given))
}
