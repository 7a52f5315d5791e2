//! The folder that cards are printed into. A small file in it says what was drawn and what came of it, so that the same card is not drawn
//! twice; what lies there is compared with it, never believed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use banneret_cards::picture::fingerprint;

use crate::sources::files;
use crate::trouble::Trouble;

const FILE: &str = ".banneret-cards";
/// Changes whenever the same card would look different.
const LOOK: u64 = 1;

pub struct Store {
    /// Nothing is written outside of it.
    root: PathBuf,
    folder: PathBuf,
    /// Cards or sheets, and of what form: files of one group are made together.
    group: String,
    /// By name of the file.
    known: BTreeMap<String, Entry>,
    /// Files of this time.
    current: BTreeSet<String>,
}

struct Entry {
    /// What it was made from.
    made_from: u64,
    /// The bytes that were written.
    content: u64,
    group: String,
}

impl Store {
    pub fn open(root: &Path, folder: &Path, group: String) -> Self {
        let bytes = files::read_in(root, &folder.join(FILE), files::LARGEST_TEXT).unwrap_or_default();
        let known = String::from_utf8_lossy(&bytes).lines().filter_map(line).collect();
        Self { root: root.to_owned(), folder: folder.to_owned(), group, known, current: BTreeSet::new() }
    }

    /// Whether the file is there, was made from the same, and is as it was made.
    pub fn has(&mut self, name: &str, hash: u64) -> bool {
        let same = self.known.get(name).is_some_and(|entry| entry.made_from == looks(hash) && self.is_as_written(name, entry));
        if same {
            self.current.insert(name.to_owned());
        }
        same
    }

    fn is_as_written(&self, name: &str, entry: &Entry) -> bool {
        let bytes = files::read_in(&self.root, &self.folder.join(name), files::LARGEST_SAVE);
        bytes.is_ok_and(|bytes| fingerprint(&bytes) == entry.content)
    }

    pub fn write(&mut self, name: &str, hash: u64, bytes: &[u8]) -> Result<(), Trouble> {
        files::write_in(&self.root, &self.folder.join(name), bytes)?;
        let entry = Entry { made_from: looks(hash), content: fingerprint(bytes), group: self.group.clone() };
        self.known.insert(name.to_owned(), entry);
        self.current.insert(name.to_owned());
        Ok(())
    }

    /// Writes down what is there now. If `all` cards were printed, files of cards that are no more are removed, unless somebody changed them;
    /// says how many.
    pub fn close(mut self, all: bool) -> Result<usize, Trouble> {
        let gone = |name: &String, entry: &Entry| all && entry.group == self.group && !self.current.contains(name);
        let stale: Vec<String> = self.known.iter().filter(|(name, entry)| gone(name, entry)).map(|(name, _)| name.clone()).collect();
        let mut removed = 0;
        for name in stale {
            let ours = self.known.remove(&name).is_some_and(|entry| self.is_as_written(&name, &entry));
            if ours && files::remove_in(&self.root, &self.folder.join(&name)).is_ok() {
                removed += 1;
            }
        }
        let lines: String = self
            .known
            .iter()
            .filter(|(name, _)| files::is_file(&self.folder.join(name)))
            .map(|(name, entry)| format!("{:016x} {:016x} {} {name}\n", entry.made_from, entry.content, entry.group))
            .collect();
        files::write_in(&self.root, &self.folder.join(FILE), lines.as_bytes())?;
        Ok(removed)
    }
}

/// One line of the small file. Only files beside it are meant.
fn line(line: &str) -> Option<(String, Entry)> {
    let mut parts = line.splitn(4, ' ');
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let (made_from, content) = (number()?, number()?);
    let (group, name) = (parts.next()?.to_owned(), parts.next()?);
    let mut components = Path::new(name).components();
    let beside = matches!(components.next(), Some(Component::Normal(_))) && components.next().is_none();
    beside.then(|| (name.to_owned(), Entry { made_from, content, group }))
}

fn looks(hash: u64) -> u64 {
    hash ^ LOOK.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
