//! The nearest name to one that does not exist.

use std::cmp::Reverse;

/// The closest candidate, if it is close enough to be meant.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_first(wanted, candidates).into_iter().next()
}

/// All candidates that are close enough to be meant, the closest first.
pub fn nearest_first<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = wanted.to_lowercase();
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
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

fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_as_close_the_likeliest() {
        assert_eq!(nearest("wal", ["War", "wall"]), Some("wall"));
        assert_eq!(nearest("Falcone", ["Falcon", "Falconer"]), Some("Falconer"));
        assert_eq!(nearest("Recruti", ["Raker", "recruit"]), Some("recruit"));
        assert_eq!(nearest("Axe", ["Hammer"]), None);
    }
}
