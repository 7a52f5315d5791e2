//! Two players, many games of a pack: who wins how often, and what they did. `duel PACK GAMES ONE OTHER [SCENARIO]`; in every second game they
//! change seats. `DUEL_USES=1` lists what was legal and used.

use std::time::Instant;

use banneret_players::agent::Agent;
use banneret_players::passes::Passes;
use banneret_players::random_answer;
use banneret_players::statistics::wilson;
use banneret_players::uses::Uses;
use banneret_players::watch::Watch;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;
use banneret_runtime::question::Ask;
use banneret_runtime::world::Outcome;

struct Played {
    winner: Option<usize>,
    answers: usize,
    watch: Watch,
    uses: Uses,
    /// How many sets of one, two and more were chosen where any number could be.
    sets: [u64; 3],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, games, one, other, ..] = args.as_slice() else {
        return Err("duel PACK GAMES ONE OTHER [SCENARIO]".into());
    };
    let pack = Loaded::new(Pack::from_bytes(&std::fs::read(path)?)?)?;
    let pair: [Agent; 2] = [one.parse()?, other.parse()?];
    let (mut wins, mut draws, games): ([usize; 2], usize, usize) = ([0, 0], 0, games.parse()?);
    let (begun, mut answers) = (Instant::now(), 0);
    let (mut watch, mut uses, mut sets) = (Watch::default(), Uses::default(), [0; 3]);
    for seed in 0..games as u64 {
        let swapped = seed % 2 == 1;
        let played = play(&pack, args.get(5).map(String::as_str), seed / 2, if swapped { [pair[1], pair[0]] } else { pair })?;
        answers += played.answers;
        watch.add(&played.watch);
        uses.add(&played.uses);
        (0..3).for_each(|i| sets[i] += played.sets[i]);
        match played.winner {
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
    let Watch { moves, nowhere, rounds, idle, .. } = watch;
    println!(
        "{nowhere} of {moves} places go nowhere, {idle} of {rounds} rounds all pass, {} of {} decisions pass",
        uses.passes, uses.decisions
    );
    println!("chosen sets of one, two and more: {sets:?}");
    if std::env::var_os("DUEL_USES").is_some() {
        for ((question, option), one) in &uses.of {
            println!("{:>6} of {:>6}  {question} {option}", one.used, one.legal);
        }
        uses.events.iter().for_each(|(name, count)| println!("event {name}: {count}"));
    }
    Ok(())
}

fn play(pack: &Loaded, scenario: Option<&str>, seed: u64, agents: [Agent; 2]) -> Result<Played, Box<dyn std::error::Error>> {
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
    machine.set_lazy_options(true);
    machine.keep_notes();
    machine.start_game(pack, card)?;
    let mut mixed = Generator::new(seed);
    let mut luck = Generator::new(mixed.next_u64());
    let mut minds = [Generator::new(mixed.next_u64()), Generator::new(mixed.next_u64())];
    let passes = Passes::of(pack);
    let mut played = Played { winner: None, answers: 0, watch: Watch::default(), uses: Uses::default(), sets: [0; 3] };
    loop {
        let step = run_seeded(&mut machine, pack, &mut luck);
        let notes = machine.take_notes();
        played.watch.came(&machine, &notes, pack);
        played.uses.happened(pack, &notes);
        let question = match step {
            Step::Asked(question) => machine.listed(pack).cloned().unwrap_or(question),
            Step::Done(_) => break,
            Step::Fault(fault) => return Err(fault.words.into()),
        };
        let seat = machine.world.players.iter().position(|p| *p == question.who).unwrap_or(0).min(1);
        let mut answer = agents[seat].answer(&machine, pack, &mut minds[seat], &question);
        let mut attempt = 0;
        while !machine.allows(pack, &answer) {
            attempt += 1;
            if attempt > 300 {
                return Err("no answer is allowed".into());
            }
            answer = random_answer(&machine, pack, &mut minds[seat], &question, attempt);
        }
        played.watch.answering(&machine, &passes, &question, &answer);
        played.uses.answered(pack, &machine.world, &passes, &question, &answer);
        if let (Ask::Choice { max: 2.., .. }, banneret_runtime::question::Answer::Picks(picks)) = (&question.ask, &answer)
            && !picks.is_empty()
        {
            played.sets[picks.len().min(3) - 1] += 1;
        }
        machine.answer(pack, answer).map_err(|bad| bad.0)?;
        played.answers += 1;
        if played.answers > 20_000 {
            return Err("the game does not end".into());
        }
    }
    played.watch.close_round();
    if let Some(Outcome::Won(winner)) = machine.world.outcome {
        played.winner = machine.world.players.iter().position(|p| *p == winner);
    }
    Ok(played)
}
