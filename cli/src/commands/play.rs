//! `banneret play`: plays a scenario to its end and tells what happened.

mod fingerprint;
mod lines;
mod log;
mod many;
mod map;
mod matrix;
mod names;
mod person;
mod record;
mod rows;
mod score;
mod sentence;
pub mod setting;
mod state;
mod table;

use std::io::{BufRead, Write};

use banneret_runtime::question::{Answer, Question};
use banneret_runtime::world::World;

use self::log::{Detail, Log};
use self::names::Names;
use self::person::Reply;
use self::record::{Record, UNFINISHED};
use self::setting::Setting;
use self::table::{Ended, Next, Sources, Table};
use crate::Outcome;
use crate::args::{Agent, Play};
use crate::report::counted;
use crate::sources::paths::shown;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub fn run(args: &Play, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let record = args.replay.as_deref().map(Record::read).transpose()?;
    if args.games.is_some() && args.agents.contains(&Agent::Person) {
        return Err(Trouble::new("Many games at once are played without people.").help("Leave out `person` or `--games`."));
    }
    let saved_scenario = record.as_ref().and_then(|r| r.scenario.as_deref());
    let scenario = args.scenario.as_deref().or(saved_scenario);
    let Some(setting) = Setting::read(&args.path, scenario, terminal, out)? else {
        return Ok(Outcome::Found);
    };
    let agents = seats(&args.agents, setting.pack.seats() as usize)?;
    let outcome = if let Some(games) = args.games {
        let seeds = args.seed..args.seed.saturating_add(u64::from(games));
        match args.matrix {
            true => matrix::run(args, &setting, &agents, seeds, out)?,
            false => many::run(args, &setting, &agents, seeds, out)?,
        }
    } else {
        let detail = Detail { all: args.verbose, places: args.trace };
        let log = Log::new(&setting.pack, terminal, detail);
        match record {
            Some(record) => record.replay(&setting, log, terminal, out)?,
            None => played(args, agents, &setting, log, terminal, out)?,
        }
    };
    Ok(if setting.is_whole { outcome } else { Outcome::Found })
}

/// One agent is for all seats.
fn seats(agents: &[Agent], players: usize) -> Result<Vec<Agent>, Trouble> {
    match agents {
        [one] => Ok(vec![*one; players]),
        several if several.len() == players => Ok(several.to_vec()),
        several => {
            let all =
                vec!["person"; players.min(1)].into_iter().chain(vec!["greedy"; players.saturating_sub(1)]).collect::<Vec<_>>().join(",");
            let help = format!("Name one agent for all, or one for each player with commas between them: `--agents {all}`.");
            let players = counted(players, "player", "players");
            Err(Trouble::new(format!("The game has {players}, not {}.", several.len())).help(help))
        }
    }
}

fn played(
    args: &Play,
    agents: Vec<Agent>,
    setting: &Setting,
    mut log: Log<'_>,
    terminal: &Terminal,
    out: &mut Out,
) -> Result<Outcome, Trouble> {
    let mut table = Table::new(setting, agents, args.seed)?;
    table.machine.keep_notes();
    title(setting, args.seed, terminal, out)?;
    let ended = game(&mut table, args.save.is_some(), &mut log, terminal, out)?;
    log.flush(out)?;
    let words = ended.as_ref().map_or(UNFINISHED.to_owned(), Ended::words);
    match &ended {
        Some(ended) => result(setting, ended, log.score(&table.machine.world), terminal, out)?,
        None => {
            let answers = counted(table.answers.len(), "answer", "answers");
            writeln!(out, "Nothing more is typed: the game stops here, after {answers}.")?;
        }
    }
    if let Some(path) = &args.save {
        Record::of(&table, args.seed, words).write(path)?;
        writeln!(out, "Saved to {}.", shown(path))?;
    }
    Ok(match ended {
        Some(ended) if ended.is_regular() => Outcome::Fine,
        // whoever stops reading has seen enough
        None if out.is_closed() => Outcome::Fine,
        _ => Outcome::Found,
    })
}

/// None: somebody left before the end. `kept`: the game is wanted even if nobody reads along.
fn game(table: &mut Table<'_>, kept: bool, log: &mut Log<'_>, terminal: &Terminal, out: &mut Out) -> Result<Option<Ended>, Trouble> {
    let mut input = std::io::stdin().lock();
    let mut own = Vec::new();
    loop {
        let next = table.next();
        log.notes(&mut table.machine, out)?;
        let (question, answer) = match next {
            Next::Ended(ended) => return Ok(Some(ended)),
            Next::Answered(question, answer) => (question, answer),
            Next::Person(question) => {
                log.flush(out)?;
                match dialog(table, &question, &mut own, terminal, &mut input, out)? {
                    Said::Answer(answer) => (question, answer),
                    Said::Again => continue,
                    Said::Back => {
                        log.forget();
                        continue;
                    }
                    Said::End => return Ok(None),
                }
            }
        };
        let before = table.machine.clone();
        match table.give(answer.clone()) {
            Ok(()) => log.answered(&before, &question, &answer),
            Err(why) => writeln!(out, "That is not allowed: {why}.")?,
        }
        if out.is_closed() && !kept {
            return Ok(None);
        }
    }
}

enum Said {
    Answer(Answer),
    /// Something was shown: ask again.
    Again,
    /// The game went back to an earlier question.
    Back,
    End,
}

/// `own` are the questions people were asked: how many answers there were, and the state of chance.
fn dialog(
    table: &mut Table<'_>,
    question: &Question,
    own: &mut Vec<(usize, Sources)>,
    terminal: &Terminal,
    input: &mut dyn BufRead,
    out: &mut Out,
) -> Result<Said, Trouble> {
    let now = table.answers.len();
    if own.last().is_none_or(|(at, _)| *at < now) {
        own.push((now, table.sources.clone()));
    }
    let names = Names { pack: &table.setting.pack, world: &table.machine.world };
    match person::ask(&names, question, terminal, input, out)? {
        Reply::Answer(answer) => Ok(Said::Answer(answer)),
        Reply::End => Ok(Said::End),
        Reply::State => {
            state::print(&names, &table.machine, terminal, out)?;
            Ok(Said::Again)
        }
        Reply::Undo => {
            let last = own.len().checked_sub(2).and_then(|i| own.get(i).cloned());
            let Some((at, sources)) = last else {
                writeln!(out, "There is nothing to take back.")?;
                return Ok(Said::Again);
            };
            own.truncate(own.len().saturating_sub(2));
            table.rewind(at, sources)?;
            table.machine.keep_notes();
            writeln!(out, "Back to your last answer.")?;
            Ok(Said::Back)
        }
    }
}

fn title(setting: &Setting, seed: u64, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let names = Names { pack: &setting.pack, world: &World::default() };
    let what = match setting.scenario {
        Some(card) => names.card(card),
        None => setting.project.clone(),
    };
    writeln!(out, "{}", terminal.bold(&format!("{what}, seed {seed}")))?;
    Ok(())
}

/// The last line; for a fault also where it happened.
fn result(setting: &Setting, ended: &Ended, score: Option<String>, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let score = score.filter(|_| ended.is_regular()).map_or(String::new(), |score| format!(" ({score})"));
    writeln!(out, "{}{score}", terminal.bold(&ended.words()))?;
    if let Ended::Fault(fault) = ended
        && let Some(site) = fault.site.and_then(|id| setting.pack.sites.get(id.index()))
    {
        let file = setting.pack.text(site.file);
        writeln!(out, "It happened at {file}:{}.", site.line)?;
    }
    Ok(())
}
