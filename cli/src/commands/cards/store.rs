//! The folder that cards are printed into. A small file in it says what was drawn, so that the same card is not drawn twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::atomic;
use crate::trouble::Trouble;

const FILE: &str = ".banneret-cards";
/// Changes whenever the same card would look different.
const LOOK: u64 = 1;

pub struct Store {
    folder: PathBuf,
    /// By name of the file.
    known: BTreeMap<String, u64>,
}

impl Store {
    pub fn open(folder: PathBuf) -> Self {
        let text = fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        let known = text.lines().filter_map(|line| {
            let (hash, name) = line.split_once(' ')?;
            Some((name.to_owned(), u64::from_str_radix(hash, 16).ok()?))
        });
        let known = known.collect();
        Self { folder, known }
    }

    /// Whether the file is there and was made from the same.
    pub fn has(&self, name: &str, hash: u64) -> bool {
        self.known.get(name) == Some(&looks(hash)) && self.folder.join(name).is_file()
    }

    pub fn write(&mut self, name: &str, hash: u64, bytes: &[u8]) -> Result<(), Trouble> {
        atomic::write(&self.folder.join(name), bytes)?;
        self.known.insert(name.to_owned(), looks(hash));
        Ok(())
    }

    /// Writes down what is there now.
    pub fn close(self) -> Result<(), Trouble> {
        let lines: String = self
            .known
            .iter()
            .filter(|(name, _)| self.folder.join(name).is_file())
            .map(|(name, hash)| format!("{hash:016x} {name}\n"))
            .collect();
        atomic::write(&self.folder.join(FILE), lines.as_bytes())
    }
}

fn looks(hash: u64) -> u64 {
    hash ^ LOOK.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
