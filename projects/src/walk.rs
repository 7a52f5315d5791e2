//! Walks folders: sorted, without hidden folders and build output, and without going round in circles.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use banneret_compiler::manifest::FILE_NAME;

use crate::error::ReadError;
use crate::files::{self, MOST_ENTRIES};

/// Folders that hold what programs made.
pub(crate) const SKIPPED: [&str; 6] = ["target", "node_modules", "build", "dist", "out", "__pycache__"];

/// What one folder holds, sorted by name.
#[derive(Debug, Default)]
pub struct Folder {
    pub has_manifest: bool,
    /// `.banner` files.
    pub sources: Vec<PathBuf>,
    /// Folders worth looking into.
    pub folders: Vec<PathBuf>,
}

/// Stays inside a folder and remembers where it was, so that links in circles end.
#[derive(Debug)]
pub struct Walk {
    root: PathBuf,
    entries: usize,
    seen: HashSet<PathBuf>,
}

impl Walk {
    /// A walk that refuses links that lead out of this folder.
    pub fn inside(root: &Path) -> Self {
        Self { root: root.to_owned(), entries: 0, seen: HashSet::new() }
    }

    /// What is in a folder; None if it was visited before.
    pub fn enter(&mut self, path: &Path) -> Result<Option<Folder>, ReadError> {
        let trouble = |error| ReadError::file("read the folder", path, &error);
        if !self.seen.insert(files::inside(&self.root, path).map_err(trouble)?) {
            return Ok(None);
        }
        let mut folder = Folder::default();
        let entries = files::list(path).map_err(trouble)?;
        self.entries += entries.len();
        if self.entries > MOST_ENTRIES {
            return Err(ReadError::file("read the folder", &self.root, &files::too_many()));
        }
        for entry in entries {
            let Some(name) = entry.file_name().and_then(|n| n.to_str()) else {
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            // Follows links; a link to nowhere that looks like a source is kept, so that reading it says what is wrong.
            if files::is_folder(&entry) {
                if !SKIPPED.contains(&name) {
                    folder.folders.push(entry);
                }
            } else if name == FILE_NAME {
                folder.has_manifest = true;
            } else if is_source(&entry) {
                folder.sources.push(entry);
            }
        }
        folder.sources.sort();
        folder.folders.sort();
        Ok(Some(folder))
    }

    /// Every source below a folder. With `own`, other projects below it are left out.
    pub fn sources(&mut self, path: &Path, own: bool) -> Result<Vec<PathBuf>, ReadError> {
        let mut found = Vec::new();
        let mut waiting = vec![path.to_owned()];
        while let Some(next) = waiting.pop() {
            let Some(folder) = self.enter(&next)? else {
                continue;
            };
            if own && folder.has_manifest && next != path {
                continue;
            }
            found.extend(folder.sources);
            waiting.extend(folder.folders.into_iter().rev());
        }
        Ok(found)
    }
}

/// Whether a path below a folder is in one that is not looked into.
pub fn is_passed_over(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(Path::new(""));
    below.iter().filter_map(|part| part.to_str()).any(|name| name.starts_with('.') || SKIPPED.contains(&name))
}

pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "banner")
}
