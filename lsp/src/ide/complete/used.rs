//! How often names are used around: of two that fit equally well, the one the author uses is meant.

use std::collections::HashMap;

use super::Place;
use super::entry::{Entry, EntryKind};

/// How much text is looked through, in bytes: a folder of a faction, not a library of thousands of cards.
const MOST: usize = 64 * 1024;

pub(super) struct Used<'t> {
    times: HashMap<&'t str, u32>,
}

impl<'t> Used<'t> {
    /// Counts the words of the file and of those in its folder.
    pub fn around(place: &Place<'t>) -> Self {
        let db = place.ide.db;
        let beside = place.ide.universe.files(db).iter().filter(|f| **f != place.file && *f.module(db) == place.module);
        let mut times = HashMap::new();
        let mut left = MOST;
        for text in std::iter::once(place.text).chain(beside.map(|f| &**f.text(db))) {
            if text.len() > left {
                // the file itself counts at least around the cursor
                if left == MOST {
                    count(around(text, place.word.start as usize), &mut times);
                }
                break;
            }
            left -= text.len();
            count(text, &mut times);
        }
        Self { times }
    }

    /// 0 for what is used all the time, more for what is not. What is no name, or comes in an order of its own, stands between.
    pub fn seldom(&self, entry: &Entry) -> u32 {
        if !matches!(entry.kind, EntryKind::Member | EntryKind::Action | EntryKind::Keyword | EntryKind::Kind | EntryKind::Term) {
            return 2;
        }
        match self.times.get(entry.label.as_str()).copied().unwrap_or(0) {
            0 => 3,
            1..3 => 2,
            3..10 => 1,
            _ => 0,
        }
    }
}

fn count<'t>(text: &'t str, times: &mut HashMap<&'t str, u32>) {
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()) {
        *times.entry(word).or_default() += 1;
    }
}

fn around(text: &str, at: usize) -> &str {
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (from, to) = (boundary(at.saturating_sub(MOST / 2)), boundary((at + MOST / 2).min(text.len())));
    text.get(from..to).unwrap_or("")
}
