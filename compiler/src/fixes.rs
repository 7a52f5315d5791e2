//! Applies repairs to a text: each wholly or not at all, and never two that touch the same place.

use crate::diagnostic::{Diagnostic, Fix};

/// One repair may make another possible, but not for ever.
pub const ROUNDS: usize = 10;

/// The repair to apply for a diagnostic, if any may be.
pub fn choice(diagnostic: &Diagnostic, unsafe_too: bool) -> Option<&Fix> {
    let safe = diagnostic.fixes.iter().find(|fix| fix.safe);
    safe.or_else(|| diagnostic.fixes.first().filter(|_| unsafe_too))
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
