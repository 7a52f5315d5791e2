//! Documents by their address.
//!
//! Only `file:` names a file on the disk. A text that was never saved (`untitled:`) is kept under its address, as if that were a path; what other schemes
//! show, such as an old version out of `git:`, is not the file it is called after, and nothing is said about it.

use std::path::{Path, PathBuf};

use tower_lsp::ls_types::Uri;

/// The scheme of texts that were never saved.
const UNSAVED: &str = "untitled:";
/// The texts of the library, for editors that ask for them here: `banneret://library/prelude/prelude.banner`.
pub const LIBRARY: &str = "banneret://library/";
/// What a source ends with.
const ENDING: &str = ".banner";

/// Where the text of an address is kept.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let scheme = uri.scheme().as_str();
    if scheme.eq_ignore_ascii_case("file") {
        return uri.to_file_path().map(|p| banneret_projects::paths::absolute(&p));
    }
    let address = uri.as_str();
    if let Some(below) = address.strip_prefix(LIBRARY) {
        return Some(super::library::path_of(below));
    }
    address.starts_with(UNSAVED).then(|| PathBuf::from(format!("{address}{ENDING}")))
}

/// The address of a path.
pub fn uri(path: &Path) -> Option<Uri> {
    match path.to_str().filter(|_| is_unsaved(path)).and_then(|address| address.strip_suffix(ENDING)) {
        Some(address) => address.parse().ok(),
        None => Uri::from_file_path(path),
    }
}

/// Whether there is no such file: the text is only in the editor.
pub fn is_unsaved(path: &Path) -> bool {
    path.to_str().is_some_and(|p| p.starts_with(UNSAVED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_files_and_unsaved_texts_keep_their_address() {
        let at = |address: &str| path(&address.parse::<Uri>().unwrap());
        assert_eq!(at("file:///anywhere/x.banner"), Some(PathBuf::from("/anywhere/x.banner")));
        for other in [
            "git:/anywhere/x.banner?ref=HEAD",
            "fugitive:///anywhere/.git//0/x.banner",
            "diffview:///anywhere/x.banner",
            "gitlens://a/x.banner",
        ] {
            assert_eq!(at(other), None, "{other}");
        }
        for unsaved in ["untitled:Untitled-1", "untitled:/anywhere/new.banner"] {
            let kept = at(unsaved).unwrap();
            assert!(is_unsaved(&kept) && banneret_projects::walk::is_source(&kept));
            assert_eq!(uri(&kept).unwrap().as_str(), unsaved);
        }
    }
}
