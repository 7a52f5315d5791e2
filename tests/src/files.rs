//! Files of the house, found at run time and in a fixed order.
//!
//! The tests of crates that this one depends on take this file in as a module of their own: there is one walk over files for all of them.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder that holds the crates.
pub fn house() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Every file below a folder whose name ends like this, sorted; none if there is no such folder.
pub fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && name != "node_modules" && !name.to_string_lossy().starts_with('.') {
                collect(&path, ending, found);
            }
        } else if name.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// The text of a file; whatever is not UTF-8 is replaced.
pub fn text(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A path as people see it: from the house on, with `/`.
pub fn shown(path: &Path) -> String {
    let below = path.strip_prefix(house()).unwrap_or(path);
    below.to_string_lossy().replace('\\', "/")
}

/// Every Banneret source of the rule systems and of the content written for them.
pub fn sources() -> Vec<PathBuf> {
    let mut all = below(&house().join("stdlib"), ".banner");
    all.extend(below(&house().join("content"), ".banner"));
    all
}
