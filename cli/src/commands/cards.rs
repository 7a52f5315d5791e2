//! `banneret cards`: prints cards into files.

pub mod files;
mod single;
mod sheets;
mod store;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use banneret_compiler::api::{PrintedCard, ProjectId};

use self::store::Store;
use super::{outcome, watch};
use crate::args::{CardFormat, Cards, Format, MessageFormat, Sheet};
use crate::report::{Report, counted};
use crate::session::{Open, Session};
use crate::sources::paths::shown;
use crate::sources::{Art, files as disk, find};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;
use crate::{Outcome, render};

/// What was done with files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    pub drawn: usize,
    /// What was there already and is the same still.
    pub kept: usize,
    /// What was printed of cards that are no more.
    pub removed: usize,
}

pub fn run(args: &Cards, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let args = &with_path(args);
    let format = args.messages.message_format;
    let mut is_open = !args.open;
    if args.watch {
        return watch::follow(std::slice::from_ref(&args.path), format, terminal, out, &mut |session, out| {
            let mut report = Report::default();
            match printed(args, session, &mut report, terminal, out) {
                Ok(printed) if !is_open => {
                    is_open = true;
                    show(printed)
                }
                Ok(_) => Ok(()),
                // a name that is not there yet may come
                Err(trouble) => {
                    trouble.print(terminal);
                    Ok(())
                }
            }
        });
    }
    let mut session = Session::new(&find(std::slice::from_ref(&args.path))?)?;
    session.speak(args.language)?;
    let mut report = Report::default();
    let printed = printed(args, &session, &mut report, terminal, out)?;
    if args.open {
        out.flush()?;
        show(printed)?;
    }
    Ok(outcome(&report, false))
}

/// What is no path is the name of a card in the folder you are in.
fn with_path(args: &Cards) -> Cards {
    let mut args = args.clone();
    if disk::kind(&args.path).is_err() && args.path.components().count() == 1 && args.path.extension().is_none() {
        args.names.insert(0, args.path.display().to_string());
        args.path = PathBuf::from(".");
    }
    args
}

/// Prints every card that is finished and tells of the others. Where the files are.
fn printed(args: &Cards, session: &Session, report: &mut Report, terminal: &Terminal, out: &mut Out) -> Result<Vec<PathBuf>, Trouble> {
    let mut lines = Vec::new();
    let mut places = Vec::new();
    let mut known = false;
    for open in &session.open {
        let draft = session.draft(open, report);
        let Some(id) = open.id.filter(|_| !draft.is_blocked) else { continue };
        let mut wrong = draft.meaning;
        if !args.draft {
            wrong.extend(draft.print);
        }
        let Some((cards, left_out)) = session.workspace.printed_without(id, &wrong) else { continue };
        if !left_out.is_empty() {
            lines.push(format!("Left out until it is mended: {}.", left_out.join(", ")));
        }
        let mut cards = cards;
        cards.extend(banneret_cards::reference_cards(&session.workspace.reference(id)));
        let cards = chosen(cards, &args.names);
        if cards.is_empty() {
            continue;
        }
        known = true;
        let folder = folder(args, open, session.open.len());
        let done = print(args, open, &cards, folder.clone(), args.names.is_empty() && left_out.is_empty())?;
        let kept = if done.kept > 0 { format!(", {} unchanged", done.kept) } else { String::new() };
        let removed = if done.removed > 0 { format!(", {} of cards that are no more removed", done.removed) } else { String::new() };
        lines.push(format!(
            "{}: {} written into {}{kept}{removed}.",
            open.project.name(),
            counted(done.drawn, "file", "files"),
            shown(&folder)
        ));
        places.push(match args.sheet {
            Some(paper) if args.format == CardFormat::Pdf => folder.join(format!("{}.pdf", sheets::stem(&open.project.name(), paper))),
            _ => folder,
        });
    }
    if !report.findings.is_empty() {
        render::print(out, report, args.messages.message_format, terminal)?;
    }
    if report.errors() == 0 && !known {
        return Err(nothing(args));
    }
    if render::for_people(args.messages.message_format) {
        for line in lines {
            writeln!(out, "{line}")?;
        }
    }
    Ok(places)
}

/// Hands files to the program that the system has for them.
fn show(places: Vec<PathBuf>) -> Result<(), Trouble> {
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    for place in places {
        let started = Command::new(program).arg(&place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        started.map_err(|e| {
            Trouble::new(format!("Cannot show `{}`: {e}.", shown(&place)))
                .help("Everything is printed; open it yourself, or leave --open out.")
        })?;
    }
    Ok(())
}

fn nothing(args: &Cards) -> Trouble {
    if args.names.is_empty() {
        return Trouble::new("There are no cards to print here.").help("A kind is printed if it has a `face`: see the reference.");
    }
    Trouble::new(format!("No card called {} is printed here.", args.names.join(", "))).help("Without names, every card is printed.")
}

/// Where the files of a project go: each of several has a folder of its own.
fn folder(args: &Cards, open: &Open, projects: usize) -> PathBuf {
    match (&args.output, &open.project.manifest) {
        (Some(folder), _) if projects > 1 => folder.join(open.project.name()),
        (Some(folder), _) => folder.clone(),
        (None, Some(manifest)) => open.project.target.root.join(&manifest.cards),
        (None, None) => open.project.target.root.clone(),
    }
}

/// Every card of a project, and behind them what no card tells for certain.
pub fn with_reference(session: &Session, id: ProjectId) -> Vec<PrintedCard> {
    let mut cards = session.workspace.printed(id);
    cards.extend(banneret_cards::reference_cards(&session.workspace.reference(id)));
    cards
}

/// Every card of a project on pages to cut, as one PDF in this folder; None if there is nothing to print.
pub fn on_sheets(session: &Session, open: &Open, paper: Sheet, folder: &Path) -> Result<Option<PathBuf>, Trouble> {
    let cards = open.id.map(|id| with_reference(session, id)).unwrap_or_default();
    if cards.is_empty() {
        return Ok(None);
    }
    let args = Cards {
        path: open.project.target.root.clone(),
        names: Vec::new(),
        output: Some(folder.to_owned()),
        format: CardFormat::Pdf,
        sheet: Some(paper),
        bleed: false,
        language: None,
        draft: false,
        watch: false,
        open: false,
        dpi: 300,
        messages: MessageFormat { message_format: Format::Full },
    };
    print(&args, open, &cards, folder.to_owned(), true)?;
    Ok(Some(folder.join(format!("{}.pdf", sheets::stem(&open.project.name(), paper)))))
}

/// `all`: whatever else was printed there before is of cards that are no more.
fn print(args: &Cards, open: &Open, cards: &[PrintedCard], folder: PathBuf, all: bool) -> Result<Done, Trouble> {
    let root = if args.output.is_some() { &folder } else { &open.project.target.root };
    if *root == folder {
        disk::make_folder(&folder)?;
    } else {
        disk::make_folder_in(root, &folder)?;
    }
    let art = Art::of(&open.project);
    let group = match args.sheet {
        None => files::extension(args.format).to_owned(),
        Some(paper) => format!("{}.{}", sheets::stem(&open.project.name(), paper), files::extension(args.format)),
    };
    let mut store = Store::open(root, &folder, group);
    let mut done = match args.sheet {
        None => single::print(args, cards, &art, &mut store)?,
        Some(paper) => sheets::print(args, paper, &open.project.name(), cards, &art, &mut store)?,
    };
    done.removed = store.close(all)?;
    Ok(done)
}

/// The cards that are asked for, by name or title; all of them if none is.
fn chosen(cards: Vec<PrintedCard>, names: &[String]) -> Vec<PrintedCard> {
    if names.is_empty() {
        return cards;
    }
    let is = |card: &PrintedCard, name: &str| card.printed.name.eq_ignore_ascii_case(name) || card.printed.title.eq_ignore_ascii_case(name);
    cards.into_iter().filter(|card| names.iter().any(|name| is(card, name))).collect()
}
