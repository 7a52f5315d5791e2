//! Which projects the paths on the command line mean.

use std::path::{Path, PathBuf};

use banneret_compiler::manifest::FILE_NAME;

use crate::error::ReadError;
use crate::files;
use crate::paths::{absolute, shown};
use crate::walk::{Walk, is_source};

/// A project, or files that belong to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder, from the root of the file system.
    pub root: PathBuf,
    pub kind: Kind,
    /// Show only what is wrong at or below these; empty: everything.
    pub only: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Has a manifest.
    Project,
    /// Has none: every file below the folder.
    Folder,
    /// Has none: this file alone.
    File(PathBuf),
}

/// Everything the paths mean, each once. No path means the current folder.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Target>, ReadError> {
    let here = [PathBuf::from(".")];
    let mut targets: Vec<Target> = Vec::new();
    for path in if paths.is_empty() { &here } else { paths } {
        for target in meant_by(path)? {
            match targets.iter_mut().find(|t| t.root == target.root && t.kind == target.kind) {
                // Naming the whole project beats naming a file of it.
                Some(known) if known.only.is_empty() || target.only.is_empty() => known.only.clear(),
                Some(known) => known.only.extend(target.only),
                None => targets.push(target),
            }
        }
    }
    Ok(targets)
}

fn meant_by(path: &Path) -> Result<Vec<Target>, ReadError> {
    let full = absolute(path);
    if files::kind(&full).map_err(|e| ReadError::file("open", path, &e))? == files::Kind::Folder {
        return folder(&full);
    }
    if full.file_name().is_some_and(|name| name == FILE_NAME) {
        let root = full.parent().unwrap_or(&full).to_owned();
        return Ok(vec![Target { root, kind: Kind::Project, only: Vec::new() }]);
    }
    if !is_source(&full) {
        let help = "Name a project, a folder, or files that end in .banner.";
        return Err(ReadError::new(format!("`{}` is not a Banneret file.", shown(&full))).help(help));
    }
    let parent = full.parent().unwrap_or(&full).to_owned();
    Ok(vec![match around(&parent) {
        Some(root) => Target { root, kind: Kind::Project, only: vec![full] },
        None => Target { root: parent, kind: Kind::File(full), only: Vec::new() },
    }])
}

fn folder(full: &Path) -> Result<Vec<Target>, ReadError> {
    let mut found = Vec::new();
    below(full, &mut Walk::inside(full), &mut found)?;
    if found.iter().all(|t| t.kind != Kind::Project)
        && let Some(root) = around(full)
    {
        // A folder inside a project.
        return Ok(vec![Target { root, kind: Kind::Project, only: vec![full.to_owned()] }]);
    }
    if found.is_empty() {
        return Err(ReadError::new(format!("There is nothing to work on in `{}`.", shown(full)))
            .help(format!("A project has a `{FILE_NAME}`; make one with `banneret new NAME`.")));
    }
    Ok(found)
}

/// Projects below a folder, itself included. Files outside of projects go with the uppermost folder that has some.
fn below(full: &Path, walk: &mut Walk, found: &mut Vec<Target>) -> Result<(), ReadError> {
    let mut waiting = vec![(full.to_owned(), false)];
    while let Some((path, loose)) = waiting.pop() {
        let Some(inside) = walk.enter(&path)? else {
            continue;
        };
        let mut loose = loose;
        if inside.has_manifest {
            found.push(Target { root: path, kind: Kind::Project, only: Vec::new() });
            // Projects may lie in projects; loose files there are the outer one's.
            loose = true;
        } else if !loose && !inside.sources.is_empty() {
            found.push(Target { root: path, kind: Kind::Folder, only: Vec::new() });
            loose = true;
        }
        waiting.extend(inside.folders.into_iter().rev().map(|folder| (folder, loose)));
    }
    Ok(())
}

/// The project around a folder.
fn around(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|f| files::is_file(&f.join(FILE_NAME))).map(Path::to_owned)
}
