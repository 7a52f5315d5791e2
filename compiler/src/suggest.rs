//! The nearest name to one that does not exist.

use std::cmp::Reverse;

/// The closest candidate, if it is close enough to be meant.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_first(wanted, candidates).into_iter().next()
}

/// How many letters of a word may be wrong.
fn allowed(letters: usize) -> usize {
    (letters / 3).clamp(1, 3)
}

/// What is enough to know of most pairs of words that neither can be a misspelling of the other: how long they are, and which letters they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Letters {
    length: usize,
    /// A bit for each letter, large or small; different letters may share one.
    set: u64,
}

impl Letters {
    pub fn of(word: &str) -> Self {
        let bit = |c: char| c.to_lowercase().fold(0, |set, c| set | 1 << (u32::from(c) % 64));
        Self { length: word.chars().count(), set: word.chars().fold(0, |set, c| set | bit(c)) }
    }

    /// Whether this word may be a misspelling of the other. A wrong letter changes the length by at most one, and takes away and adds at most one letter.
    pub fn may_be_near(&self, other: &Self) -> bool {
        let allowed = allowed(self.length);
        let missing = |from: u64, in_other: u64| (from & !in_other).count_ones() as usize;
        let wrong = missing(self.set, other.set).max(missing(other.set, self.set));
        self.length.abs_diff(other.length) <= allowed && wrong <= allowed
    }
}

/// All candidates that are close enough to be meant, the closest first.
pub fn nearest_first<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = wanted.to_lowercase();
    let allowed = allowed(wanted.chars().count());
    let mut near: Vec<_> = candidates
        .into_iter()
        .filter(|c| !c.is_empty() && *c != wanted)
        .map(|c| (strsim::damerau_levenshtein(&lower, &c.to_lowercase()), c))
        .filter(|(distance, _)| *distance <= allowed)
        // of several that are as close, the one that also has its capitals, and then the one that starts most alike
        .map(|(distance, c)| (distance, strsim::damerau_levenshtein(wanted, c), Reverse(common_start(wanted, c)), c))
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().map(|(.., c)| c).collect()
}

/// Whether two words are near enough that one could be a misspelling of the other.
pub fn is_near(wrong: &str, right: &str) -> bool {
    nearest(wrong, [right]).is_some()
}

/// Whether one word can hardly be anything but a misspelling of another: only capitals differ, or fingers slipped once inside a long word. A word
/// that starts or ends otherwise, or has another letter in it, may be one of its own: `pin` is no `win`, `wound` no `round`, `unit` no `units`.
pub fn is_slip(wrong: &str, right: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (wrong.to_lowercase().chars().collect(), right.to_lowercase().chars().collect());
    if a == b {
        return true;
    }
    if b.len() < 5 || a.first() != b.first() || a.last() != b.last() {
        return false;
    }
    let from = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = |word: &[char], skip: usize| word.get(from + skip..).map(<[char]>::to_vec).unwrap_or_default();
    match a.len() as i64 - b.len() as i64 {
        0 => a.get(from) == b.get(from + 1) && a.get(from + 1) == b.get(from) && rest(&a, 2) == rest(&b, 2),
        // a letter that stands twice, or any of a word that is so long that few others are like it
        -1 => rest(&a, 0) == rest(&b, 1) && (b.get(from) == b.get(from.wrapping_sub(1)) || b.len() > 6),
        1 => rest(&a, 1) == rest(&b, 0) && (a.get(from) == a.get(from.wrapping_sub(1)) || b.len() > 6),
        _ => false,
    }
}

fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_can_hardly_be_another_word() {
        for (wrong, right) in [("helath", "health"), ("atack", "attack"), ("Deal", "deal"), ("controler", "controller")] {
            assert!(is_slip(wrong, right), "{wrong}");
        }
        let others = [
            ("pin", "win"),
            ("wound", "round"),
            ("smother", "other"),
            ("unit", "units"),
            ("cast", "cost"),
            ("charge", "change"),
            ("plant", "planet"),
        ];
        for (wrong, right) in others {
            assert!(!is_slip(wrong, right), "{wrong}");
        }
    }

    #[test]
    fn what_is_near_is_not_ruled_out() {
        let pairs = [("wal", "wall"), ("Recruti", "recruit"), ("HELATH", "health"), ("controler", "controller"), ("Straße", "strase")];
        for (wrong, right) in pairs {
            assert_eq!(nearest(wrong, [right]), Some(right), "{wrong}");
            assert!(Letters::of(wrong).may_be_near(&Letters::of(right)), "{wrong}");
        }
        assert!(!Letters::of("Axe").may_be_near(&Letters::of("Hammer")));
        assert!(!Letters::of("name12").may_be_near(&Letters::of("A1000")));
    }

    #[test]
    fn of_several_as_close_the_likeliest() {
        assert_eq!(nearest("wal", ["War", "wall"]), Some("wall"));
        assert_eq!(nearest("Falcone", ["Falcon", "Falconer"]), Some("Falconer"));
        assert_eq!(nearest("Recruti", ["Raker", "recruit"]), Some("recruit"));
        assert_eq!(nearest("Axe", ["Hammer"]), None);
    }
}
