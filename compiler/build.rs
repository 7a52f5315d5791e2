//! Puts every file below `stdlib/` into the binary: writes a table of `include_str!` that `src/stdlib.rs` reads.
//!
//! The folder is taken from the workspace, beside this crate. A crate published on its own would need the files inside its own folder:
//! copy `stdlib/` here and change `STDLIB` before that.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const STDLIB: &str = "../stdlib";

fn main() -> io::Result<()> {
    let var = |name: &str| env::var(name).map_err(io::Error::other);
    let root = Path::new(&var("CARGO_MANIFEST_DIR")?).join(STDLIB);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, "", &mut files)?;
    }
    files.sort();

    let mut table = String::from("&[\n");
    for (name, path) in &files {
        // A name or path may hold anything: {:?} writes it as a Rust string.
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    table.push_str("]\n");
    fs::write(Path::new(&var("OUT_DIR")?).join("stdlib.rs"), table)
}

/// Text files only: pictures and hidden files are left out silently, a source that is not UTF-8 with a warning.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let shown = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
        if path.is_dir() {
            // A folder's own line makes cargo notice files that are added to it.
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, &shown, files)?;
        } else if String::from_utf8(fs::read(&path)?).is_ok() {
            files.push((shown, path.canonicalize()?));
        } else if shown.ends_with(".banner") || shown.ends_with(".md") {
            println!("cargo::warning=stdlib/{shown} is not UTF-8 and is left out");
        }
    }
    Ok(())
}
