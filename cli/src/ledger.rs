//! Rulebooks with numbered rules, `RULES.md` beside the rules: which of their rules a test covers.
//!
//! A rule is a line `- WC-086 [proc] …`; a ruling or figure to test is a line `- WC-R05 …`. Rules tagged `[physical]` are about the real
//! table and need no test.

use std::collections::{BTreeSet, HashSet};

/// The name of the file.
pub const FILE_NAME: &str = "RULES.md";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    /// `proc`, `limit`, …; rulings and figures have none.
    pub tag: Option<String>,
    pub words: String,
}

impl Entry {
    pub fn is_executable(&self) -> bool {
        self.tag.as_deref() != Some("physical")
    }
}

/// The entries of a rulebook, in its order.
pub fn entries(text: &str) -> Vec<Entry> {
    text.lines().filter_map(|line| entry(line.trim_end())).collect()
}

fn entry(line: &str) -> Option<Entry> {
    let rest = line.trim_start().strip_prefix("- ")?.trim_start();
    let (id, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    if !is_id(id) {
        return None;
    }
    let rest = rest.trim_start();
    let tagged = rest.strip_prefix('[').and_then(|r| r.split_once(']'));
    let (tag, words) = tagged.map_or((None, rest), |(tag, words)| (Some(tag.trim().to_owned()), words));
    Some(Entry { id: id.to_owned(), tag, words: words.trim().to_owned() })
}

/// Capital letters, a dash, perhaps one more letter, digits.
fn is_id(word: &str) -> bool {
    let Some((book, number)) = word.split_once('-') else {
        return false;
    };
    let number = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    !book.is_empty() && book.bytes().all(|b| b.is_ascii_uppercase()) && digits(number)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub executable: usize,
    pub covered: usize,
    pub missing: Vec<Entry>,
    /// Ids that tests name and the rulebook does not have.
    pub unknown: Vec<String>,
}

pub fn coverage(entries: &[Entry], covered: &BTreeSet<String>) -> Coverage {
    let mut result = Coverage::default();
    let mut seen = HashSet::new();
    for entry in entries.iter().filter(|e| seen.insert(&e.id)).filter(|e| e.is_executable()) {
        result.executable += 1;
        if covered.contains(&entry.id) {
            result.covered += 1;
        } else {
            result.missing.push(entry.clone());
        }
    }
    result.unknown = covered.iter().filter(|id| !seen.contains(id)).cloned().collect();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "# Book\n\n- AB-001 [physical] Dice.\n- AB-002 [proc] Roll (AB-R01).\n- not a rule\n- AB-R01 What 1 means.\n\
                        - AB-P01 Odds: 1/6.\n- AB-002 [proc] again\n";

    #[test]
    fn rules_rulings_and_figures_are_entries() {
        let ids: Vec<String> = entries(BOOK).into_iter().map(|e| e.id).collect();
        assert_eq!(ids, ["AB-001", "AB-002", "AB-R01", "AB-P01", "AB-002"]);
        let first = entries(BOOK).remove(1);
        assert_eq!((first.tag.as_deref(), first.words.as_str()), (Some("proc"), "Roll (AB-R01)."));
        for no in ["- ab-001 x", "- AB 001", "- AB-00x", "AB-001", "- -001", "- AB-"] {
            assert_eq!(entry(no), None, "{no}");
        }
    }

    #[test]
    fn what_no_test_covers_is_listed_once() {
        let covered = ["AB-R01", "AB-999"].map(str::to_owned).into();
        let result = coverage(&entries(BOOK), &covered);
        assert_eq!((result.executable, result.covered), (3, 1));
        let missing: Vec<&str> = result.missing.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(missing, ["AB-002", "AB-P01"]);
        assert_eq!(result.unknown, ["AB-999"]);
    }
}
