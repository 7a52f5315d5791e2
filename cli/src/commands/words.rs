//! `banneret words`: the catalogue of a language, for translators.

use std::io::Write;

use banneret_compiler::api::{Catalogue, written};

use crate::Outcome;
use crate::args::Words;
use crate::session::Session;
use crate::sources::paths::shown;
use crate::sources::{catalogue, files, find};
use crate::terminal::Out;
use crate::trouble::Trouble;

pub fn run(args: &Words, out: &mut Out) -> Result<Outcome, Trouble> {
    let session = Session::new(&find(std::slice::from_ref(&args.path))?)?;
    let mut missing = 0;
    for open in &session.open {
        let Some(id) = open.id else { continue };
        let path = catalogue::path(&open.project, args.language);
        let mut known = Catalogue::default();
        if files::is_file(&path) {
            known = catalogue::own(&open.project, args.language)?;
        }
        let all = session.workspace.to_say(id);
        let left = all.iter().filter(|one| known.get(&one.of, &one.id).is_none()).count();
        missing += left;
        if let Some(folder) = path.parent() {
            files::make_folder_in(&open.project.target.root, folder)?;
        }
        files::write_in(&open.project.target.root, &path, written(args.language, &all, &known).as_bytes())?;
        let name = args.language.name();
        writeln!(out, "{}: {} texts, {left} of them without {name} words.", shown(&path), all.len())?;
    }
    Ok(if missing == 0 { Outcome::Fine } else { Outcome::Found })
}
