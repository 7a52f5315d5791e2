//! `check --fix`: applies repairs until none is left, then writes the files.

use std::collections::{BTreeMap, BTreeSet};

use banneret_compiler::diagnostic::Fix;
use banneret_compiler::fixes;

use crate::report::counted;
use crate::session::Session;
use crate::sources::files;
use crate::trouble::Trouble;

/// For each file, the repairs in the order they were made.
pub type Mended = BTreeMap<String, Vec<String>>;

pub fn run(session: &mut Session, unsafe_too: bool) -> Result<Mended, Trouble> {
    let mut mended = Mended::new();
    let mut touched = BTreeSet::new();
    for _ in 0..fixes::ROUNDS {
        let mut any = false;
        for project in 0..session.open.len() {
            for (file, text, titles) in round(session, project, unsafe_too) {
                any = true;
                touched.insert((project, file));
                if let Some(open) = session.open.get(project)
                    && let Some(source) = open.project.files.get(file)
                {
                    mended.entry(source.shown.clone()).or_default().extend(titles);
                }
                session.set_text(project, file, text);
            }
        }
        if !any {
            break;
        }
    }
    for (project, file) in touched {
        if let Some(open) = session.open.get(project)
            && let Some(source) = open.project.files.get(file)
        {
            files::write_in(&open.project.target.root, &source.path, source.text.as_bytes())?;
        }
    }
    Ok(mended)
}

/// What one check of a project offers to mend: file, new text, titles.
fn round(session: &Session, project: usize, unsafe_too: bool) -> Vec<(usize, String, Vec<String>)> {
    let Some(open) = session.open.get(project) else {
        return Vec::new();
    };
    let Some(id) = open.id else { return Vec::new() };
    let checked = session.workspace.check(id);
    let mut mended = Vec::new();
    for (i, file) in open.project.files.iter().enumerate() {
        // What could not be read as text must not be written back.
        if file.not_utf8.is_some() || !open.project.is_wanted(&file.shown) {
            continue;
        }
        let chosen: Vec<&Fix> = checked
            .found
            .iter()
            .filter(|located| located.file == file.shown)
            .filter_map(|located| fixes::choice(&located.diagnostic, unsafe_too))
            .collect();
        let (text, titles) = fixes::apply(&file.text, &chosen);
        if !titles.is_empty() {
            mended.push((i, text, titles));
        }
    }
    mended
}

/// What to say about it: one line for each file, then one for all.
pub fn lines(mended: &Mended) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (file, titles) in mended {
        lines.extend(titles.iter().map(|title| format!("{file}: mended: {title}")));
    }
    let total = mended.values().map(Vec::len).sum();
    if total > 0 {
        let files = counted(mended.len(), "file", "files");
        lines.push(format!("Mended {} in {files}.", counted(total, "mistake", "mistakes")));
    } else {
        lines.push("There is nothing to mend.".to_owned());
    }
    lines
}
