//! What is played: a project made ready to run, and the scenario of its game.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use banneret_compiler::api::BuildError;
use banneret_compiler::manifest::nearest;
use banneret_runtime::ids::{CardId, StrId};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::{Card, Pack};

use super::fingerprint;
use crate::args::Format;
use crate::commands::build::internal;
use crate::commands::verify;
use crate::render;
use crate::report::Report;
use crate::session::Session;
use crate::sources::find;
use crate::sources::paths::shown;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub struct Setting {
    pub project: String,
    pub pack: Loaded,
    /// Nothing of the project had to be left out.
    pub is_whole: bool,
    pub scenario: Option<CardId>,
}

impl Setting {
    /// None: the project has mistakes, and they have been printed.
    pub fn read(path: &Path, scenario: Option<&str>, terminal: &Terminal, out: &mut Out) -> Result<Option<Self>, Trouble> {
        let found = match verify::is_pack(path) {
            true => Some((from_pack(path)?, true)),
            false => drafted(&one_project(path)?, terminal, out)?,
        };
        let Some(((project, pack), is_whole)) = found else {
            return Ok(None);
        };
        if pack.start.is_none() {
            return Err(Trouble::new(format!("The rules of `{project}` do not say how a game is played."))
                .help("A rule system says so with `start: PHASE` in its `ruleset`."));
        }
        let scenario = chosen(&pack, scenario)?;
        Ok(Some(Self { project, pack, is_whole, scenario }))
    }

    pub fn scenario_name(&self) -> Option<&str> {
        self.scenario.map(|card| self.pack.card_name(card))
    }

    /// A machine at the first moment of the game.
    pub fn start(&self) -> Result<Machine, Trouble> {
        let cannot = |words: String| Trouble::new(format!("The game cannot begin: {words}."));
        let mut machine = Machine::new(&self.pack, self.pack.seats(), Limits::default()).map_err(|fault| cannot(fault.words))?;
        machine.start_game(&self.pack, self.scenario).map_err(|error| cannot(error.0))?;
        Ok(machine)
    }

    /// Changes when the rules or the cards do, not when a file is moved or a comment is written.
    pub fn fingerprint(&self) -> String {
        let mut pack = self.pack.pack().clone();
        for site in std::mem::take(&mut pack.sites) {
            if let Some(path) = pack.strings.get_mut(site.file.index()) {
                path.clear();
            }
        }
        for fragment in &mut pack.fragments {
            fragment.sites.clear();
        }
        fingerprint::of(&pack.to_bytes().unwrap_or_default())
    }
}

/// A pack as `build` has written it, under its own name.
fn from_pack(path: &Path) -> Result<(String, Loaded), Trouble> {
    let refused = |why: String| {
        Trouble::new(format!("`{}` cannot be played: {why}.", shown(path))).help("`banneret build PROJECT` writes packs for this version.")
    };
    let pack = verify::read(path)?.map_err(refused)?;
    Ok((pack.name.clone(), pack))
}

/// The one project that a path means.
pub fn one_project(path: &Path) -> Result<Session, Trouble> {
    let targets = find(&[path.to_owned()])?;
    if targets.len() > 1 {
        return Err(Trouble::new(format!("There are {} projects in `{}`, and one is needed here.", targets.len(), path.display()))
            .help("Name the folder of one of them."));
    }
    Session::new(&targets)
}

/// The only project of a session, without what is not finished, which is told. None: nothing is left to play.
#[allow(clippy::type_complexity, reason = "a pack, its name, and whether it is whole")]
fn drafted(session: &Session, terminal: &Terminal, out: &mut Out) -> Result<Option<((String, Loaded), bool)>, Trouble> {
    let Some(open) = session.open.first() else {
        return Err(Trouble::new("There is no project here."));
    };
    let mut report = Report::default();
    let draft = session.draft(open, &mut report);
    if report.errors() == 0 {
        return Ok(loaded(session, terminal, out)?.map(|found| (found, true)));
    }
    render::print(out, &report, Format::Full, terminal)?;
    let sound = open.id.filter(|_| !draft.is_blocked).and_then(|id| Some((id, session.workspace.build_without(id, &draft.meaning)?)));
    let Some((id, (pack, left_out))) = sound else { return Ok(None) };
    let shown = session.workspace.files_below(id);
    let Ok(pack) = Loaded::new(with_shown_paths(pack, &shown)) else { return Ok(None) };
    if !left_out.is_empty() {
        writeln!(out, "Left out until it is mended: {}.", left_out.join(", "))?;
    }
    if pack.start.is_none() || (pack.scenario_kind.is_some() && chosen(&pack, None).is_err()) {
        writeln!(out, "Without it there is nothing to play.")?;
        return Ok(None);
    }
    Ok(Some(((open.project.name(), pack), false)))
}

/// The only project of a session, checked and packed. None: it has mistakes, and they have been printed.
pub fn loaded(session: &Session, terminal: &Terminal, out: &mut Out) -> Result<Option<(String, Loaded)>, Trouble> {
    let Some(open) = session.open.first() else {
        return Err(Trouble::new("There is no project here."));
    };
    let mut report = Report::default();
    session.check_one(open, &mut report);
    let name = open.project.name();
    if let Some(id) = open.id.filter(|_| report.errors() == 0) {
        match session.workspace.build(id) {
            Ok(pack) => {
                return match Loaded::new(with_shown_paths(pack, &session.workspace.files_below(id))) {
                    Ok(pack) => Ok(Some((name, pack))),
                    Err(refused) => Err(internal(&name, &refused.to_string())),
                };
            }
            Err(BuildError::Found(checked)) => {
                report.add(&open.project, &checked.found, &checked.problems);
            }
            Err(BuildError::Internal(words)) => return Err(internal(&name, &words)),
        }
    }
    render::print(out, &report, Format::Full, terminal)?;
    Ok(None)
}

/// The pack with its files called as they are shown, for messages: in a pack they are called by where they are in the project.
fn with_shown_paths(mut pack: Pack, shown: &HashMap<String, String>) -> Pack {
    let mut known: HashMap<StrId, StrId> = HashMap::new();
    for site in &mut pack.sites {
        let file = site.file;
        let strings = &mut pack.strings;
        site.file = *known.entry(file).or_insert_with(|| match strings.get(file.index()).and_then(|file| shown.get(file)).cloned() {
            Some(path) => {
                strings.push(path);
                StrId(u32::try_from(strings.len() - 1).unwrap_or(file.0))
            }
            None => file,
        });
    }
    pack
}

/// The scenario that is named, or else the first by name.
fn chosen(pack: &Loaded, name: Option<&str>) -> Result<Option<CardId>, Trouble> {
    let Some(kind) = pack.scenario_kind else {
        return match name {
            Some(_) => Err(Trouble::new("These rules play without a scenario.")),
            None => Ok(None),
        };
    };
    let fits = |card: &Card| {
        let kind_of = pack.kinds.get(card.kind.index());
        !card.template && card.holder.is_none() && kind_of.is_some_and(|k| k.is.contains(&kind))
    };
    let mut all: Vec<(&str, CardId)> =
        (0u32..).zip(&pack.cards).filter(|(_, card)| fits(card)).map(|(i, card)| (pack.text(card.name), CardId(i))).collect();
    all.sort();
    let what = pack.kinds.get(kind.index()).map_or("scenario", |k| pack.text(k.name)).to_lowercase();
    let Some(wanted) = name else {
        return match all.first() {
            Some((_, card)) => Ok(Some(*card)),
            None => {
                let words = format!("There is no {what} to play in this project.");
                Err(Trouble::new(words).help(format!("Write one: `{what} NAME {{ … }}`.")))
            }
        };
    };
    let title = |card: CardId| {
        let card = pack.cards.get(card.index());
        card.map_or("", |c| pack.text(c.title))
    };
    let same = |(n, card): &&(&str, CardId)| n.eq_ignore_ascii_case(wanted) || title(*card).eq_ignore_ascii_case(wanted);
    if let Some((_, card)) = all.iter().find(same) {
        return Ok(Some(*card));
    }
    let names: Vec<&str> = all.iter().map(|(n, _)| *n).collect();
    let help = match nearest(wanted, &names) {
        Some(near) => format!("Did you mean `{near}`?"),
        None if names.is_empty() => format!("The project has no {what} at all."),
        None => format!("There are {}.", names.join(", ")),
    };
    Err(Trouble::new(format!("There is no {what} called `{wanted}`.")).help(help))
}
