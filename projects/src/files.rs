//! The one layer through which files are read and written: regular files only, up to a size, inside the folder they belong to.
//!
//! A project may come from a stranger. What it names is therefore resolved first, links included, and refused if it leads out of the
//! project's folder; a pipe or a device is never opened. Nobody else in the house opens a file: a test of the house looks.

mod write;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use crate::error::ReadError;
use crate::paths::shown;

pub use write::{hold_writing, make_folder, make_folder_in, protect, remove_in, write, write_in};

/// The largest source, rulebook or manifest, in bytes.
pub const LARGEST_TEXT: u64 = 16 * 1024 * 1024;
/// The largest picture, in bytes.
pub const LARGEST_PICTURE: u64 = 32 * 1024 * 1024;
/// The largest saved game, in bytes.
pub const LARGEST_SAVE: u64 = 64 * 1024 * 1024;
/// All texts of one project together, in bytes.
pub const LARGEST_PROJECT: u64 = 64 * 1024 * 1024;
/// Files and folders that one walk looks at.
pub const MOST_ENTRIES: usize = 100_000;

/// What to do about a path that leads out.
pub const OUTSIDE_HELP: &str =
    "Put a copy into the folder instead. If you trust where this comes from, run the command again with --allow-outside.";

/// Whether the person who started the command said that links and folders may lead anywhere.
static OUTSIDE_ALLOWED: AtomicBool = AtomicBool::new(false);

/// From now on links and folders of a project may lead out of it: `--allow-outside`.
pub fn allow_outside() {
    OUTSIDE_ALLOWED.store(true, Ordering::Relaxed);
}

pub fn is_outside_allowed() -> bool {
    OUTSIDE_ALLOWED.load(Ordering::Relaxed)
}

/// The path without links, if it is inside the folder or may be anywhere.
pub fn inside(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    if is_outside_allowed() || real.starts_with(root.canonicalize()?) { Ok(real) } else { Err(leads_out()) }
}

fn leads_out() -> io::Error {
    io::Error::new(io::ErrorKind::CrossesDevices, "it leads out of the folder it belongs to")
}

/// Was a path refused because it leads out?
pub fn is_leading_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::CrossesDevices
}

/// The bytes of a regular file of at most so many. Anything else is not even opened.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // it may have been changed for another in between
    let about = file.metadata()?;
    regular(&about)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {}", size(most)));
    if about.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0));
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The same of a file that belongs to a folder.
pub fn read_in(root: &Path, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read(&inside(root, path)?, most)
}

/// The same, with the words for people.
pub fn text_in(root: &Path, path: &Path) -> Result<Vec<u8>, ReadError> {
    read_in(root, path, LARGEST_TEXT).map_err(|e| ReadError::file("read", path, &e))
}

fn regular(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() {
        Ok(())
    } else if about.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file, but a pipe or a device"))
    }
}

/// 16 MB.
fn size(bytes: u64) -> String {
    match bytes / (1024 * 1024) {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

/// The paths in a folder, in no order.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        if found.len() == MOST_ENTRIES {
            return Err(too_many());
        }
        found.push(entry?.path());
    }
    Ok(found)
}

pub(crate) fn too_many() -> io::Error {
    io::Error::new(io::ErrorKind::QuotaExceeded, format!("there are more than {MOST_ENTRIES} files and folders in it"))
}

/// Whether something is there, and whether it is a folder. Links are followed.
pub fn kind(path: &Path) -> io::Result<Kind> {
    let about = fs::metadata(path)?;
    Ok(if about.is_dir() { Kind::Folder } else { Kind::File })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Folder,
    /// Or what is no folder.
    File,
}

pub fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file())
}

pub fn is_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_dir())
}

pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
}

/// Without links, or as it is if it is not there.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// When a file was written and how long it is.
pub fn stamp(path: &Path) -> Option<(Option<SystemTime>, u64)> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok(), about.len()))
}

/// In words, why something could not be done with a file.
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// A file or folder that could not be used, in words for the one who named it.
pub(crate) fn refused(doing: &str, path: &Path, error: &io::Error) -> ReadError {
    let refused = ReadError::new(format!("Cannot {doing} `{}`: {}.", shown(path), why(error)));
    if is_leading_out(error) { refused.help(OUTSIDE_HELP) } else { refused }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("banneret-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("in")).unwrap();
        folder
    }

    #[test]
    fn only_plain_files_inside_are_read_and_only_up_to_their_cap() {
        let top = folder("read");
        let root = top.join("in");
        fs::write(root.join("a"), "12345").unwrap();
        fs::write(top.join("b"), "1").unwrap();
        symlink("../b", root.join("out")).unwrap();
        symlink("a", root.join("in")).unwrap();
        symlink("/dev/zero", root.join("zero")).unwrap();
        assert_eq!(read_in(&root, &root.join("a"), 5).unwrap(), b"12345");
        assert_eq!(read_in(&root, &root.join("in"), 5).unwrap(), b"12345");
        assert_eq!(read_in(&root, &root.join("a"), 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(is_leading_out(&read_in(&root, &root.join("out"), 5).unwrap_err()));
        assert!(is_leading_out(&read_in(&root, &root.join("../b"), 5).unwrap_err()));
        assert_eq!(read(&root.join("zero"), 5).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(read(&root, 5).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        fs::remove_dir_all(top).unwrap();
    }

    #[test]
    fn nothing_is_written_through_a_link_that_leads_out() {
        let top = folder("write");
        let root = top.join("in");
        fs::write(top.join("victim"), "safe").unwrap();
        symlink("../victim", root.join("out")).unwrap();
        symlink("../nowhere", root.join("dangling")).unwrap();
        symlink("..", root.join("up")).unwrap();
        fs::write(root.join("a"), "old").unwrap();
        symlink("a", root.join("link")).unwrap();
        for path in ["out", "dangling", "up/new", "up/victim", "../victim"] {
            assert!(write_in(&root, &root.join(path), b"new").is_err(), "{path}");
        }
        assert!(make_folder_in(&root, &root.join("up/deep/er")).is_err());
        assert_eq!(fs::read_to_string(top.join("victim")).unwrap(), "safe");
        assert!(!top.join("nowhere").exists() && !top.join("new").exists() && !top.join("deep").exists());
        write_in(&root, &root.join("link"), b"new").unwrap();
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "new");
        assert!(root.join("link").is_symlink(), "a link stays one");
        make_folder_in(&root, &root.join("deep/er")).unwrap();
        write_in(&root, &root.join("deep/er/b"), b"x").unwrap();
        fs::remove_dir_all(top).unwrap();
    }

    #[test]
    fn a_planted_temporary_file_is_not_followed_and_those_of_the_dead_are_cleaned_up() {
        let top = folder("part");
        let root = top.join("in");
        fs::write(top.join("victim"), "safe").unwrap();
        for n in 0..3 {
            symlink("../victim", root.join(format!(".a.{}.{n}.part", std::process::id()))).unwrap();
        }
        // no process has this number
        fs::write(root.join(".a.4294967295.0.part"), "half").unwrap();
        fs::write(root.join(".a.1.notes.part"), "somebody's own").unwrap();
        write_in(&root, &root.join("a"), b"new").unwrap();
        assert_eq!(fs::read_to_string(top.join("victim")).unwrap(), "safe");
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "new");
        assert!(!root.join("a").is_symlink());
        assert!(!root.join(".a.4294967295.0.part").exists() && root.join(".a.1.notes.part").exists());
        fs::remove_dir_all(top).unwrap();
    }
}
