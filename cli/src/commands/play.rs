//! `banneret play`: plays a scenario to its end and tells what happened.

mod chances;
mod drawing;
mod fingerprint;
mod lines;
pub mod log;
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
use std::path::{Path, PathBuf};

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
use crate::sources::files;
use crate::sources::paths::shown;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub fn run(args: &Play, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let resumed = args.resume.as_deref().map(Record::read).transpose()?;
    let record = args.replay.as_deref().map(Record::read).transpose()?;
    if args.games.is_some() && args.agents.contains(&Agent::Person) {
        return Err(Trouble::new("Many games at once are played without people.").help("Leave out `person` or `--games`."));
    }
    let saved_scenario = record.as_ref().or(resumed.as_ref()).and_then(|r| r.scenario.as_deref());
    let scenario = args.scenario.as_deref().or(saved_scenario);
    let Some(setting) = Setting::read(&args.path, scenario, terminal, out)? else {
        return Ok(Outcome::Found);
    };
    let agents = match &resumed {
        Some(resumed) => resumed.agents.clone(),
        None => seats(&args.agents, setting.pack.seats() as usize)?,
    };
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
            None => played(args, agents, resumed.as_ref(), &setting, log, terminal, out)?,
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
    resumed: Option<&Record>,
    setting: &Setting,
    mut log: Log<'_>,
    terminal: &Terminal,
    out: &mut Out,
) -> Result<Outcome, Trouble> {
    let seed = resumed.map_or(args.seed, |record| record.seed);
    let mut table = Table::new(setting, agents, seed)?;
    if let Some(record) = resumed {
        table.resume(&record.answers)?;
    }
    table.machine.keep_notes();
    title(setting, seed, terminal, out)?;
    let mut pictures = args.draw.as_deref().map(Pictures::new).transpose()?;
    let ended = game(&mut table, args.save.is_some(), &mut log, pictures.as_mut(), terminal, out)?;
    log.flush(out)?;
    if let Some(pictures) = &mut pictures {
        pictures.draw(&table, "The end")?;
        writeln!(out, "{} drawn into {}.", counted(pictures.drawn, "picture", "pictures"), shown(&pictures.folder))?;
    }
    let words = ended.as_ref().map_or(UNFINISHED.to_owned(), Ended::words);
    match &ended {
        Some(ended) => result(setting, ended, log.score(&table.machine.world), terminal, out)?,
        None => {
            let answers = counted(table.answers.len(), "answer", "answers");
            writeln!(out, "Nothing more is typed: the game stops here, after {answers}.")?;
        }
    }
    if let Some(path) = &args.save {
        Record::of(&table, seed, words).write(path)?;
        writeln!(out, "Saved to {}.", shown(path))?;
    }
    Ok(match ended {
        Some(ended) if ended.is_regular() => Outcome::Fine,
        // whoever stops reading has seen enough
        None if out.is_closed() => Outcome::Fine,
        _ => Outcome::Found,
    })
}

/// Where the table is drawn, round by round.
struct Pictures {
    folder: PathBuf,
    drawn: usize,
}

impl Pictures {
    fn new(folder: &Path) -> Result<Self, Trouble> {
        files::make_folder(folder)?;
        Ok(Self { folder: folder.to_owned(), drawn: 0 })
    }

    /// Nothing is drawn while nobody has a place.
    fn draw(&mut self, table: &Table<'_>, title: &str) -> Result<(), Trouble> {
        let names = Names { pack: &table.setting.pack, world: &table.machine.world };
        if let Some(svg) = drawing::svg(&names, title) {
            self.drawn += 1;
            files::write(&self.folder.join(format!("{:02}.svg", self.drawn)), svg.as_bytes())?;
        }
        Ok(())
    }
}

/// None: somebody left before the end. `kept`: the game is wanted even if nobody reads along.
fn game(
    table: &mut Table<'_>,
    kept: bool,
    log: &mut Log<'_>,
    mut pictures: Option<&mut Pictures>,
    terminal: &Terminal,
    out: &mut Out,
) -> Result<Option<Ended>, Trouble> {
    let mut input = std::io::stdin().lock();
    let mut own = Vec::new();
    loop {
        let next = table.next();
        log.notes(&mut table.machine, out)?;
        if let (Some(round), Some(pictures)) = (log.new_round(), pictures.as_deref_mut()) {
            pictures.draw(table, &round)?;
        }
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

/// Of so many options it is told what they may lead to, if nobody says which.
const MOST_ODDS: usize = 12;

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
            state::print(&names, &table.machine, question.who, terminal, out)?;
            Ok(Said::Again)
        }
        Reply::Explain(option) => {
            state::explain(&names, question, option, terminal, out)?;
            Ok(Said::Again)
        }
        Reply::Odds(option) => {
            let all = person::options(&names, question);
            let wanted = option.map_or(0..all.len().min(MOST_ODDS), |one| one..one + 1);
            for (i, words) in all.iter().enumerate().filter(|(i, _)| wanted.contains(i)) {
                writeln!(out, "{}", terminal.bold(words))?;
                match chances::lines(&names, &table.machine, question, i) {
                    Some(lines) => lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?,
                    None => writeln!(out, "  It cannot be looked ahead from here.")?,
                }
            }
            Ok(Said::Again)
        }
        Reply::Save(path) => {
            Record::of(table, table.seed, UNFINISHED.to_owned()).write(&path)?;
            writeln!(out, "Saved to {}.", shown(&path))?;
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
