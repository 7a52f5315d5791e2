//! The standard library from a folder instead of from the binary.

use std::path::Path;

use banneret_compiler::api::Workspace;
use banneret_compiler::db::Db;
use banneret_compiler::stdlib;

use crate::error::ReadError;
use crate::files;

/// Names a folder that stands in for the built-in library, for those who work on the library itself.
pub const FOLDER_VARIABLE: &str = "BANNERET_STDLIB";

/// A workspace over the built-in standard library or, for those who work on the library itself, over the folder that the variable names.
pub fn workspace() -> Result<Workspace, ReadError> {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE) else {
        return Ok(Workspace::new());
    };
    let files = library_files(Path::new(&folder))?;
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    Ok(Workspace::with_library(Db::default(), files))
}

/// How the compiler calls a file of the library.
pub fn library_path(path: &str) -> String {
    format!("stdlib/{path}")
}

/// The text of a file of the library by what the compiler calls it, for messages that point into it.
pub fn library_text(shown: &str) -> Option<String> {
    let path = shown.strip_prefix("stdlib/")?;
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        let bytes = files::text_in(Path::new(&folder), &Path::new(&folder).join(path)).ok()?;
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    let known = stdlib::files().iter().find(|(known, _)| *known == path);
    known.map(|(_, text)| (*text).to_owned())
}

/// Every `.banner` file below a folder: its path below it, with `/`, and its text.
pub fn library_files(folder: &Path) -> Result<Vec<(String, String)>, ReadError> {
    let mut out = Vec::new();
    gather(folder, "", &mut out)?;
    out.sort();
    Ok(out)
}

fn gather(folder: &Path, below: &str, out: &mut Vec<(String, String)>) -> Result<(), ReadError> {
    for path in files::list(folder).map_err(|e| ReadError::file("read", folder, &e))? {
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            continue;
        };
        let shown = format!("{below}{name}");
        if files::is_folder(&path) && !files::is_link(&path) {
            gather(&path, &format!("{shown}/"), out)?;
        } else if name.ends_with(".banner") {
            let text = files::text_in(folder, &path)?;
            out.push((shown, String::from_utf8_lossy(&text).into_owned()));
        }
    }
    Ok(())
}
