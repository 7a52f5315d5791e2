//! `banneret build`: packs projects into files that a machine can run.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use banneret_compiler::api::BuildError;
use banneret_runtime::pack::Pack;

use super::{cards, outcome};
use crate::args::Build;
use crate::report::{Report, counted};
use crate::session::{Open, Session};
use crate::sources::{files, find, paths::shown};
use crate::terminal::{Out, Progress, Terminal};
use crate::trouble::Trouble;
use crate::{Outcome, render};

pub fn run(args: &Build, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let format = args.format.message_format;
    let session = Session::new(&find(&args.paths.paths)?)?;
    let places = places(&session, args.output.as_deref())?;
    let mut report = Report::default();
    let mut written = Vec::new();
    {
        let mut progress = Progress::new("Building", session.open.len());
        for (open, place) in session.open.iter().zip(&places) {
            progress.step(&open.project.name());
            let before = report.errors();
            session.check_one(open, &mut report);
            let Some(id) = open.id.filter(|_| report.errors() == before) else {
                continue;
            };
            match session.workspace.build(id) {
                Ok(pack) => {
                    written.extend(write(&pack, root(args, open), place, args.ron)?);
                    if let (Some(paper), Some(folder)) = (args.cards, place.parent()) {
                        written.extend(cards::on_sheets(&session, open, paper, folder)?);
                    }
                }
                // Only a limit that the check did not run could be here.
                Err(BuildError::Found(checked)) => report.add(&open.project, &checked.found, &checked.problems),
                Err(BuildError::Internal(words)) => {
                    return Err(internal(&open.project.name(), &words));
                }
            }
        }
    }
    if render::for_people(format) {
        if !report.findings.is_empty() {
            render::print(out, &report, format, terminal)?;
        }
        for path in &written {
            writeln!(out, "wrote {}", shown(path))?;
        }
        writeln!(out, "Built {} of {}.", built(&written), counted(session.open.len(), "project", "projects"))?;
    } else {
        render::print(out, &report, format, terminal)?;
    }
    Ok(outcome(&report, false))
}

fn built(written: &[PathBuf]) -> usize {
    written.iter().filter(|path| path.extension().is_some_and(|e| e == "pack")).count()
}

pub fn internal(project: &str, words: &str) -> Trouble {
    Trouble::new(format!("`{project}` passed every check and still cannot be packed: {words}."))
        .help("This is a mistake in Banneret, not in your project; please report it with the project.")
}

/// Where each project's pack goes: `target/banneret/NAME.pack` in its folder, or into the folder asked for.
fn places(session: &Session, output: Option<&Path>) -> Result<Vec<PathBuf>, Trouble> {
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut places = Vec::new();
    for open in &session.open {
        let project = &open.project;
        let folder = output.map_or_else(|| project.target.root.join("target").join("banneret"), Path::to_owned);
        let place = folder.join(format!("{}.pack", project.name()));
        if let Some(other) = taken.insert(place.clone(), project.root.clone()) {
            return Err(Trouble::new(format!("`{other}` and `{}` would both be written to `{}`.", project.root, shown(&place)))
                .help("Give one of them another name in its banneret.ron, or build them one at a time."));
        }
        places.push(place);
    }
    Ok(places)
}

/// The folder that nothing is written outside of: the one that was asked for, or the project's.
fn root<'a>(args: &'a Build, open: &'a Open) -> &'a Path {
    args.output.as_deref().unwrap_or(&open.project.target.root)
}

fn write(pack: &Pack, root: &Path, place: &Path, ron: bool) -> Result<Vec<PathBuf>, Trouble> {
    let folder = place.parent().unwrap_or(place);
    if folder == root {
        files::make_folder(folder)?;
    } else {
        files::make_folder_in(root, folder)?;
    }
    let cannot = |e: &dyn std::fmt::Display| Trouble::new(format!("Cannot write the pack: {e}."));
    files::write_in(root, place, &pack.to_bytes().map_err(|e| cannot(&e))?)?;
    let mut written = vec![place.to_owned()];
    if ron {
        let beside = place.with_extension("ron");
        files::write_in(root, &beside, pack.to_ron().map_err(|e| cannot(&e))?.as_bytes())?;
        written.push(beside);
    }
    Ok(written)
}
