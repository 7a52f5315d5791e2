//! How often names are used around: of two that fit equally well, the one the author uses is meant.

use std::collections::HashMap;

use banneret_compiler::names::{ModuleName, visible};

use super::Place;
use super::entry::{Entry, EntryKind};

/// How much text is looked through, in bytes: a folder of a faction, not a library of thousands of cards.
const MOST: usize = 64 * 1024;

pub(super) struct Used<'t> {
    times: HashMap<&'t str, u32>,
    /// How often a word stands behind the one that was written last; in the own folder it counts more than in the rules.
    behind: HashMap<&'t str, u32>,
}

/// What a use in the own folder weighs.
const OWN: u32 = 4;

impl<'t> Used<'t> {
    /// Counts the words of the file and of those in its folder.
    pub fn around(place: &Place<'t>) -> Self {
        let db = place.ide.db;
        let beside = place.ide.universe.files(db).iter().filter(|f| **f != place.file && *f.module(db) == place.module);
        let mut times = HashMap::new();
        let mut behind = HashMap::new();
        let before = last_token(place.line);
        let seen = visible(db, place.ide.universe, ModuleName::new(db, place.module.clone()));
        for file in place.ide.universe.library(db).iter().filter(|f| !before.is_empty() && seen.contains(f.module(db))) {
            follow(file.text(db), before, 1, &mut behind);
        }
        let mut left = MOST;
        for text in std::iter::once(place.text).chain(beside.map(|f| &**f.text(db))) {
            if text.len() > left {
                // the file itself counts at least around the cursor
                if left == MOST {
                    let near = around(text, place.word.start as usize);
                    count(near, &mut times);
                    follow(near, before, OWN, &mut behind);
                }
                break;
            }
            left -= text.len();
            count(text, &mut times);
            follow(text, before, OWN, &mut behind);
        }
        Self { times, behind }
    }

    /// 0 for what mostly stands behind the word before, more for what seldom does.
    pub fn unlikely(&self, entry: &Entry) -> u32 {
        let counted =
            matches!(entry.kind, EntryKind::Action | EntryKind::Phase | EntryKind::Local | EntryKind::Keyword | EntryKind::Member);
        let times = if counted { self.behind.get(entry.label.as_str()).copied().unwrap_or(0) } else { 0 };
        // halves again and again: what is used a little more often is no likelier
        6 - (times + 1).ilog2().min(6)
    }

    /// 0 for what is used all the time, more for what is not. What is no name, or comes in an order of its own, stands between.
    pub fn seldom(&self, entry: &Entry) -> u32 {
        if !matches!(
            entry.kind,
            EntryKind::Member
                | EntryKind::Action
                | EntryKind::Keyword
                | EntryKind::Kind
                | EntryKind::Term
                | EntryKind::Local
                | EntryKind::Phase
        ) {
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

/// The word a line ends with, or the brace.
fn last_token(line: &str) -> &str {
    let line = line.trim_end();
    if line.ends_with('{') { "{" } else { super::last_word(line) }
}

/// Counts the words that stand behind another.
fn follow<'t>(text: &'t str, before: &str, weight: u32, behind: &mut HashMap<&'t str, u32>) {
    if before.is_empty() {
        return;
    }
    for (at, _) in text.match_indices(before) {
        let whole = before == "{" || !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &text[at + before.len()..];
        if !whole || !rest.starts_with([' ', '\n']) {
            continue;
        }
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end > 0 {
            *behind.entry(&rest[..end]).or_default() += weight;
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
