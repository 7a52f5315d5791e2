//! Writes a file beside its place and moves it there, so that nobody ever sees half of it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::trouble::Trouble;

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    // A device or a pipe is written into: a file moved to its place would take it away from everybody.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return through(path, bytes).map_err(|e| Trouble::file("write", path, &e));
    }
    // A link keeps being a link: its target is replaced.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let beside = beside(&real);
    let result = fill(&real, &beside, bytes);
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result.map_err(|e| Trouble::file("write", path, &e))
}

fn through(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn fill(real: &Path, beside: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    if let Ok(data) = fs::metadata(real) {
        if data.permissions().readonly() {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        }
        fs::set_permissions(beside, data.permissions())?;
    }
    fs::rename(beside, real)
}

/// A name in the same folder that no two running commands share.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
