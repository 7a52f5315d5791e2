//! Puts the pages of `docs/diagnostics/` into the binary, for `banneret explain`: writes a table of `include_str!` that `src/pages.rs` reads.
//!
//! The folder is taken from the workspace. A crate published on its own would need the pages inside its own folder: copy them here and
//! change `PAGES` before that.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const PAGES: &str = "../docs/diagnostics";

fn main() -> io::Result<()> {
    let var = |name: &str| env::var(name).map_err(io::Error::other);
    let root = Path::new(&var("CARGO_MANIFEST_DIR")?).join(PAGES);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());

    let mut pages = Vec::new();
    if root.is_dir() {
        for entry in fs::read_dir(&root)? {
            let path = entry?.path();
            let code = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(".md"));
            if let Some(code) = code.filter(|code| *code != "README") {
                pages.push((code.to_owned(), path.canonicalize()?));
            }
        }
    }
    pages.sort();

    let mut table = String::from("&[\n");
    for (code, path) in &pages {
        let _ = writeln!(table, "    ({code:?}, include_str!({:?})),", path.display().to_string());
    }
    table.push_str("]\n");
    fs::write(Path::new(&var("OUT_DIR")?).join("pages.rs"), table)
}
