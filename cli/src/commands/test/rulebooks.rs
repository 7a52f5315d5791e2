//! The rulebooks beside the rules of a project or library.

use std::path::PathBuf;

use banneret_compiler::stdlib::Library;

use crate::ledger::{self, Entry};
use crate::sources::Project;
use crate::sources::files;
use crate::sources::paths::{plain, shown};
use crate::trouble::Trouble;

pub struct Rulebook {
    pub path: String,
    pub entries: Vec<Entry>,
}

/// In the project's folder, in the folders of its sources, and beside any of its files.
pub fn of_project(project: &Project) -> Result<Vec<Rulebook>, Trouble> {
    let root = &project.target.root;
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    folders.extend(project.manifest.iter().flat_map(|m| &m.sources).map(|folder| plain(&root.join(folder))));
    folders.extend(project.files.iter().filter_map(|f| f.path.parent().map(PathBuf::from)));
    folders.sort();
    folders.dedup();
    let mut books = Vec::new();
    for folder in folders {
        let path = folder.join(ledger::FILE_NAME);
        if files::kind(&path).is_ok() || files::is_link(&path) {
            let bytes = files::text_in(root, &path)?;
            books.push(Rulebook { path: shown(&path), entries: ledger::entries(&String::from_utf8_lossy(&bytes)) });
        }
    }
    Ok(books)
}

pub fn of_library(library: &Library) -> Vec<Rulebook> {
    let is_book = |path: &str| path.rsplit('/').next() == Some(ledger::FILE_NAME);
    let books = library.files().iter().filter(|(path, _)| is_book(path));
    books.map(|(path, text)| Rulebook { path: (*path).to_owned(), entries: ledger::entries(text) }).collect()
}
