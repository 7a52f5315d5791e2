//! `check --fix`: applies repairs until none is left, then writes the files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use banneret_compiler::diagnostic::Fix;
use banneret_compiler::fixes;

use crate::report::counted;
use crate::session::Session;
use crate::sources::files;
use crate::trouble::Trouble;

/// What repairs make of a file.
pub struct Mended {
    pub shown: String,
    /// The project's folder, out of which nothing is written.
    root: PathBuf,
    path: PathBuf,
    pub before: String,
    pub after: String,
    /// The repairs, in the order they were made.
    pub titles: Vec<String>,
}

/// Makes repairs in the session's texts until none is left. Nothing is written.
pub fn work_out(session: &mut Session, unsafe_too: bool) -> Vec<Mended> {
    let mut mended: BTreeMap<(usize, usize), Mended> = BTreeMap::new();
    for _ in 0..fixes::ROUNDS {
        let mut any = false;
        for project in 0..session.open.len() {
            for (file, text, titles) in round(session, project, unsafe_too) {
                any = true;
                if let Some(open) = session.open.get(project)
                    && let Some(source) = open.project.files.get(file)
                {
                    let entry = mended.entry((project, file)).or_insert_with(|| Mended {
                        shown: source.shown.clone(),
                        root: open.project.target.root.clone(),
                        path: source.path.clone(),
                        before: source.text.clone(),
                        after: String::new(),
                        titles: Vec::new(),
                    });
                    entry.after = text.clone();
                    entry.titles.extend(titles);
                }
                session.set_text(project, file, text);
            }
        }
        if !any {
            break;
        }
    }
    mended.into_values().collect()
}

pub fn write(mended: &[Mended]) -> Result<(), Trouble> {
    for file in mended {
        files::write_in(&file.root, &file.path, file.after.as_bytes())?;
    }
    Ok(())
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
pub fn lines(mended: &[Mended]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for file in mended {
        lines.extend(file.titles.iter().map(|title| format!("{}: mended: {title}", file.shown)));
    }
    let total = mended.iter().map(|file| file.titles.len()).sum();
    if total > 0 {
        let files = counted(mended.len(), "file", "files");
        lines.push(format!("Mended {} in {files}.", counted(total, "mistake", "mistakes")));
    } else {
        lines.push("There is nothing to mend.".to_owned());
    }
    lines
}
