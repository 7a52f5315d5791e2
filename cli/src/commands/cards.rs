//! `banneret cards`: prints cards into files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use banneret_cards::layout::Layouter;
use banneret_compiler::api::PrintedCard;

use super::outcome;
use crate::args::{CardFormat, Cards};
use crate::art::Art;
use crate::report::{Report, counted};
use crate::session::{Open, Session};
use crate::sources::find;
use crate::terminal::{Out, Progress, Terminal};
use crate::trouble::Trouble;
use crate::{Outcome, atomic, render};

pub fn run(args: &Cards, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let session = Session::new(&find(std::slice::from_ref(&args.path))?)?;
    let mut report = Report::default();
    let mut written = 0;
    for open in &session.open {
        let before = report.errors();
        session.check_one(open, &mut report);
        if report.errors() == before {
            written += print(args, &session, open)?;
        }
    }
    if !report.findings.is_empty() {
        render::print(out, &report, args.messages.message_format, terminal)?;
    }
    if render::for_people(args.messages.message_format) {
        writeln!(out, "Printed {}.", counted(written, "side", "sides"))?;
    }
    Ok(outcome(&report, false))
}

/// Where the files of a project go.
fn folder(args: &Cards, open: &Open) -> PathBuf {
    match (&args.output, &open.project.manifest) {
        (Some(folder), _) => folder.clone(),
        (None, Some(manifest)) => open.project.target.root.join(&manifest.cards),
        (None, None) => open.project.target.root.clone(),
    }
}

fn print(args: &Cards, session: &Session, open: &Open) -> Result<usize, Trouble> {
    let Some(id) = open.id else { return Ok(0) };
    let cards = chosen(session.workspace.printed(id), &args.names)?;
    let folder = folder(args, open);
    fs::create_dir_all(&folder).map_err(|e| Trouble::file("make the folder", &folder, &e))?;
    let art = Art::of(&open.project);
    let mut layouter = Layouter::default();
    let mut progress = Progress::new("Printing", cards.len());
    let mut written = 0;
    for card in &cards {
        progress.step(&card.printed.title);
        for face in &card.printed.faces {
            let (drawing, _) = layouter.draw(face, &art);
            let name = format!("{}.{}", card.printed.name, face.name);
            match args.format {
                CardFormat::Svg => {
                    write(&folder, &name, "svg", banneret_cards::svg(&drawing, &card.printed.title).as_bytes())?;
                }
                CardFormat::Png => {
                    let bytes = banneret_cards::png(&drawing, args.dpi as f32, false).map_err(Trouble::new)?;
                    write(&folder, &name, "png", &bytes)?;
                }
            }
            written += 1;
        }
    }
    Ok(written)
}

fn write(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<(), Trouble> {
    atomic::write(&folder.join(format!("{name}.{extension}")), bytes)
}

/// The cards that are asked for, by name or title; all of them if none is.
fn chosen(cards: Vec<PrintedCard>, names: &[String]) -> Result<Vec<PrintedCard>, Trouble> {
    if names.is_empty() {
        return Ok(cards);
    }
    let is = |card: &PrintedCard, name: &str| card.printed.name.eq_ignore_ascii_case(name) || card.printed.title.eq_ignore_ascii_case(name);
    for name in names {
        if !cards.iter().any(|card| is(card, name)) {
            return Err(Trouble::new(format!("No card called `{name}` is printed here.")).help("Without names, every card is printed."));
        }
    }
    Ok(cards.into_iter().filter(|card| names.iter().any(|name| is(card, name))).collect())
}
