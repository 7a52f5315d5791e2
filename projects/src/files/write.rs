//! Writing: a file is made beside its place, exclusively, and moved there, so that nobody ever sees half of it.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use super::{inside, is_outside_allowed, leads_out, refused, regular};
use crate::error::ReadError;

/// Names that are tried for a file beside another; more are only taken where somebody plants them.
const TRIES: u32 = 1000;

/// Where nothing tells whether a command still runs, what it left is old after this long.
const OLD: Duration = Duration::from_secs(60 * 60);

/// Writes a file that the person named. A device or a pipe is written into.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReadError> {
    let named = || match fs::metadata(path) {
        // a file moved to its place would take it away from everybody
        Ok(about) if !about.is_file() && !about.is_dir() => through(path, bytes),
        // a link keeps being a link: its target is replaced
        _ => replace(&super::real(path), bytes),
    };
    named().map_err(|e| refused("write", path, &e))
}

/// Writes a file that belongs to a folder: never through a link that leads out of it, never into anything but a plain file.
pub fn write_in(root: &Path, path: &Path, bytes: &[u8]) -> Result<(), ReadError> {
    let placed = || {
        let place = match fs::symlink_metadata(path) {
            Ok(_) => {
                // a link to nowhere cannot be told from one that leads out
                let place = inside(root, path).map_err(|e| if e.kind() == io::ErrorKind::NotFound { leads_out() } else { e })?;
                regular(&fs::metadata(&place)?)?;
                place
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                inside(root, path.parent().unwrap_or(path))?.join(name)
            }
            Err(error) => return Err(error),
        };
        replace(&place, bytes)
    };
    placed().map_err(|e| refused("write", path, &e))
}

/// Removes a plain file of a folder, or a link in it; what the link leads to stays.
pub fn remove_in(root: &Path, path: &Path) -> io::Result<()> {
    inside(root, path.parent().unwrap_or(path))?;
    if fs::symlink_metadata(path)?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { fs::remove_file(path) }
}

/// Makes a plain file one that can only be read.
pub fn protect(path: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(path, permissions)
}

/// Makes a folder that the person named.
pub fn make_folder(path: &Path) -> Result<(), ReadError> {
    fs::create_dir_all(path).map_err(|e| refused("make the folder", path, &e))
}

/// Makes a folder that belongs to another: nothing is made outside of it.
pub fn make_folder_in(root: &Path, path: &Path) -> Result<(), ReadError> {
    let made = || {
        // of what is there already, the last part decides where the rest would go
        let there = path.ancestors().find(|part| fs::symlink_metadata(part).is_ok()).unwrap_or(root);
        inside(root, there)?;
        if !is_outside_allowed() && path.components().any(|part| part == std::path::Component::ParentDir) {
            return Err(leads_out());
        }
        fs::create_dir_all(path)
    };
    made().map_err(|e| refused("make the folder", path, &e))
}

fn through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// Held while a file is written, by everybody who writes one.
static WRITING: RwLock<()> = RwLock::new(());

/// As long as this is held no file is being written, nor is any begun: for whoever ends the command.
pub fn hold_writing() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

fn replace(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    clean_up(place.parent().unwrap_or(place));
    let (file, beside) = beside(place)?;
    let result = fill(file, place, &beside, bytes);
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result
}

fn fill(mut file: File, place: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    if let Ok(about) = fs::metadata(place) {
        if about.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        fs::set_permissions(beside, about.permissions())?;
    }
    fs::rename(beside, place)
}

/// A new file in the same folder. It is made by us or not at all: a link that waits under its name is not followed.
fn beside(place: &Path) -> io::Result<(File, PathBuf)> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    for n in 0..TRIES {
        let beside = place.with_file_name(format!(".{name}.{}.{n}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, beside)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "its folder is full of files that end in `.part`"))
}

/// Removes what commands left that were ended in the middle of writing; once for each folder.
fn clean_up(folder: &Path) {
    static DONE: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !done.get_or_insert_default().insert(folder.to_owned()) {
        return;
    }
    for path in super::list(folder).unwrap_or_default() {
        if path.file_name().and_then(|n| n.to_str()).and_then(maker).is_some_and(|pid| is_left(pid, &path)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Which process made a temporary file, from its name.
fn maker(name: &str) -> Option<u32> {
    let mut parts = name.strip_prefix('.')?.strip_suffix(".part")?.rsplit('.');
    let number: Option<u32> = parts.next()?.parse().ok();
    number.and_then(|_| parts.next()?.parse().ok())
}

/// Whether the process that made it is gone.
fn is_left(pid: u32, path: &Path) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    if pid == std::process::id() || about.is_dir() {
        return false;
    }
    let processes = Path::new("/proc");
    match fs::metadata(processes.join("self")) {
        Ok(_) => fs::metadata(processes.join(pid.to_string())).is_err(),
        Err(_) => about.modified().ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > OLD),
    }
}
