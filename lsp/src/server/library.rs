//! Files of the standard library and the pages about messages, where an editor can open them.
//!
//! The library travels inside the binary. An editor that can ask for texts opens it under a scheme of its own, where nothing can be changed; for others what
//! someone jumps to is written into a folder for temporary files, read-only: nobody reads it again.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use banneret_compiler::stdlib;
use banneret_projects::files;
use banneret_projects::library::{FOLDER_VARIABLE, library_text};
use tower_lsp::ls_types::Uri;

use super::address::LIBRARY;

/// The folder the library's files are in, or are written to.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| match std::env::var_os(FOLDER_VARIABLE) {
        Some(folder) => banneret_projects::paths::absolute(Path::new(&folder)),
        None => {
            // another library is another folder: what is open stays what it is
            let mut hasher = DefaultHasher::new();
            stdlib::files().hash(&mut hasher);
            std::env::temp_dir().join(format!("banneret-{:016x}", hasher.finish())).join("stdlib")
        }
    })
}

static PAGES: OnceLock<&[(&str, &str)]> = OnceLock::new();

/// Says what each message means, by its code.
pub fn explain(pages: &'static [(&'static str, &'static str)]) {
    let _ = PAGES.set(pages);
}

/// Where the page about a message can be opened.
pub fn page(code: &str) -> Option<Uri> {
    static WRITTEN: Mutex<BTreeMap<String, Option<Uri>>> = Mutex::new(BTreeMap::new());
    let mut written = WRITTEN.lock().ok()?;
    if let Some(known) = written.get(code) {
        return known.clone();
    }
    let text = PAGES.get()?.iter().find(|(known, _)| *known == code).map(|(_, text)| *text);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let folder = std::env::temp_dir().join(format!("banneret-{:016x}", hasher.finish()));
    let place = text.and_then(|text| kept(&folder, &folder.join(format!("{code}.md")), text)).and_then(|path| Uri::from_file_path(&path));
    written.insert(code.to_owned(), place.clone());
    place
}

/// A file that is only read, as it should be: somebody may have changed it, and then lines would be others.
fn kept(folder: &Path, path: &Path, text: &str) -> Option<PathBuf> {
    if !files::text_in(folder, path).is_ok_and(|there| there == text.as_bytes()) {
        files::make_folder(path.parent()?).ok()?;
        let _ = files::remove_in(folder, path);
        files::write_in(folder, path, text.as_bytes()).ok()?;
    }
    let _ = files::protect(path);
    Some(path.to_owned())
}

/// Where a file of the library can be opened, by what the compiler calls it.
pub fn place(shown: &str) -> Option<PathBuf> {
    let path = folder().join(shown.strip_prefix("stdlib/")?);
    // a library that a folder was named for is the author's own
    if std::env::var_os(FOLDER_VARIABLE).is_none() {
        return kept(folder(), &path, &library_text(shown)?);
    }
    Some(path)
}

/// The address of a file of the library, for editors that ask for its text; an author's own library is opened as the files it is.
pub fn address(shown: &str) -> Option<Uri> {
    let below = shown.strip_prefix("stdlib/")?;
    if std::env::var_os(FOLDER_VARIABLE).is_some() {
        return Uri::from_file_path(place(shown)?);
    }
    library_text(shown)?;
    format!("{LIBRARY}{below}").parse().ok()
}

/// Where a file of the library would be, by its path in it.
pub fn path_of(below: &str) -> PathBuf {
    folder().join(below)
}

/// What the compiler calls the file at a path, if it is one of the library.
pub fn shown(path: &Path) -> Option<String> {
    let below = path.strip_prefix(folder()).ok()?.to_str()?.replace('\\', "/");
    Some(format!("stdlib/{below}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_of_the_library_can_be_opened_and_is_known_again() {
        let (path, text) = stdlib::files().iter().find(|(p, _)| p.ends_with(".banner")).copied().unwrap();
        let called = format!("stdlib/{path}");
        let place = place(&called).unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), text);
        assert_eq!(shown(&place), Some(called));
        assert_eq!(super::place("stdlib/no_such.banner"), None);
        assert_eq!(shown(Path::new("/elsewhere/x.banner")), None);
    }
}
