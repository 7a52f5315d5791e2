//! Applies repairs to a text: each wholly or not at all, and never two that touch the same place.

use crate::diagnostic::{Diagnostic, Fix};
use crate::suggest::{is_near, is_slip};

/// One repair may make another possible, but not for ever.
pub const ROUNDS: usize = 10;

/// The repair to apply for a diagnostic, if any may be.
pub fn choice(diagnostic: &Diagnostic, unsafe_too: bool) -> Option<&Fix> {
    let safe = diagnostic.fixes.iter().find(|fix| fix.safe);
    safe.or_else(|| diagnostic.fixes.first().filter(|_| unsafe_too))
}

/// Repairs that may change what is meant are offered, but no longer called safe: a word for one that is like it but may be another,
/// a number that loses or changes its sign or its unit.
pub fn weigh(text: &str, diagnostic: &mut Diagnostic) {
    for fix in diagnostic.fixes.iter_mut().filter(|fix| fix.safe) {
        fix.safe = fix.edits.iter().all(|(span, new)| keeps_meaning(span.of(text), new) && !is_kept_spelling(text, span.of(text), new));
    }
}

/// Fingers slip once. A word that stands elsewhere in the text as well is meant, and what it is taken for may be what is misspelt.
fn is_kept_spelling(text: &str, old: &str, new: &str) -> bool {
    let is_name = |word: &str| !word.is_empty() && word.chars().all(is_letter);
    if !is_name(old) || !is_name(new) || !is_near(old, new) {
        return false;
    }
    let stands_alone = |at: &usize| !text[..*at].ends_with(is_letter) && !text[at + old.len()..].starts_with(is_letter);
    text.match_indices(old).map(|(at, _)| at).filter(stands_alone).nth(1).is_some()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn keeps_meaning(old: &str, new: &str) -> bool {
    let (before, after) = (tokens(old), tokens(new));
    let words = |all: &[&str]| all.iter().filter(is_word).map(|t| (*t).to_owned()).collect::<Vec<_>>();
    let (was, is) = (words(&before), words(&after));
    let same_word = |(old, new): (&String, &String)| old == new || !is_near(old, new) || is_slip(old, new);
    if was.len() == is.len() && !was.iter().zip(&is).all(same_word) {
        return false;
    }
    // a number keeps what stands behind it; what is missing may be added
    let measured = |all: &[&str]| {
        let at = all.iter().position(|t| t.starts_with(|c: char| c.is_ascii_digit()));
        at.map(|at| (all[at].to_owned(), all.get(at + 1).copied().unwrap_or_default().to_owned()))
    };
    match (measured(&before), measured(&after)) {
        (Some((old, unit)), Some((new, other))) if old == new => unit.is_empty() || unit == other,
        _ => true,
    }
}

/// Words, numbers and signs; quotes around the whole count for nothing.
fn tokens(text: &str) -> Vec<&str> {
    let text = text.trim();
    let mut rest = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
    let mut out = Vec::new();
    while let Some(first) = rest.chars().next() {
        let of_kind = |c: char| match first {
            f if f.is_ascii_digit() => c.is_ascii_digit(),
            f if f.is_alphabetic() || f == '_' => is_letter(c),
            f => c == f,
        };
        let (token, behind) = rest.split_at(rest.find(|c| !of_kind(c)).unwrap_or(rest.len()));
        if !token.trim().is_empty() {
            out.push(token);
        }
        rest = behind;
    }
    out
}

fn is_word(token: &&&str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The mended text, and the titles of the repairs that are in it. What overlaps waits for another round.
pub fn apply(text: &str, fixes: &[&Fix]) -> (String, Vec<String>) {
    let mut edits: Vec<(usize, usize, &str)> = Vec::new();
    let mut titles = Vec::new();
    for fix in fixes {
        let wanted: Vec<(usize, usize, &str)> =
            fix.edits.iter().map(|(span, new)| (span.start as usize, span.end as usize, new.as_str())).collect();
        let fits = |(start, end, _): &(usize, usize, &str)| text.get(*start..*end).is_some();
        let changes = |(start, end, new): &(usize, usize, &str)| text.get(*start..*end) != Some(*new);
        let free = |(start, end, _): &(usize, usize, &str)| {
            // Two insertions at one place touch as well: their order would be a guess.
            edits.iter().all(|(s, e, _)| *end < *s || *e < *start || (s != e && start != end && (end == s || e == start)))
        };
        if wanted.iter().all(fits) && wanted.iter().all(free) && wanted.iter().any(changes) && apart(&wanted) {
            edits.extend(wanted);
            titles.push(fix.title.clone());
        }
    }
    edits.sort_by_key(|(start, end, _)| (*start, *end));
    let mut result = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        result.replace_range(start..end, new);
    }
    (result, titles)
}

/// The edits of one repair do not overlap each other.
fn apart(edits: &[(usize, usize, &str)]) -> bool {
    let mut sorted: Vec<_> = edits.iter().map(|(start, end, _)| (*start, *end)).collect();
    sorted.sort_unstable();
    sorted.iter().zip(sorted.iter().skip(1)).all(|((_, end), (start, _))| end <= start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use banneret_grammar::span::Span;

    fn fix(title: &str, edits: &[(u32, u32, &str)]) -> Fix {
        let edits = edits.iter().map(|(s, e, new)| (Span::new(*s, *e), (*new).to_owned())).collect();
        Fix { title: title.to_owned(), edits, safe: true }
    }

    #[test]
    fn what_may_mean_something_else_is_not_safe() {
        for (old, new) in [("pin", "win"), ("enemy unit", "enemy units"), ("4+", "4"), ("50%", "50+"), ("14 HP", "14 AP"), ("6s", "6")] {
            assert!(!keeps_meaning(old, new), "{old} → {new}");
        }
        for (old, new) in [
            ("helath", "health"),
            ("&&", "and"),
            ("\"4\"", "4"),
            ("4 +", "4+"),
            ("4", "4+"),
            ("Deal", "deal"),
            ("", ":"),
            ("import", "use"),
        ] {
            assert!(keeps_meaning(old, new), "{old} → {new}");
        }
    }

    #[test]
    fn a_spelling_that_stands_twice_is_meant() {
        assert!(!is_kept_spelling("helath: 4, health: 5, helaths", "helath", "health"));
        assert!(is_kept_spelling("kind A { helath: Int } health: 5, health: 6", "health", "helath"));
        // signs for words are no spellings
        assert!(!is_kept_spelling("a && b && c", "&&", "and"));
        assert!(!is_kept_spelling("import a import b", "import", "use"));
    }

    #[test]
    fn repairs_apply_whole_and_apart() {
        let (a, b) = (fix("a", &[(0, 1, "X"), (4, 5, "Y")]), fix("b", &[(2, 2, "-")]));
        assert_eq!(apply("abcde", &[&a, &b]), ("Xb-cdY".to_owned(), vec!["a".to_owned(), "b".to_owned()]));
        let overlapping = fix("c", &[(2, 3, "z"), (4, 5, "q")]);
        assert_eq!(apply("abcde", &[&a, &overlapping]), ("XbcdY".to_owned(), vec!["a".to_owned()]));
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        for wrong in [fix("far", &[(9, 12, "x")]), fix("back", &[(2, 1, "x")]), fix("same", &[(0, 1, "é")])] {
            assert_eq!(apply("éa", &[&wrong]).0, "éa", "{}", wrong.title);
        }
        let (one, two) = (fix("one", &[(1, 1, "x")]), fix("two", &[(1, 1, "y")]));
        assert_eq!(apply("ab", &[&one, &two]), ("axb".to_owned(), vec!["one".to_owned()]));
        let itself = fix("itself", &[(0, 2, "x"), (1, 2, "y")]);
        assert_eq!(apply("ab", &[&itself]).0, "ab");
    }
}
