//! Words that follow words, whatever they mean: `until end of`, `for u in`, `choose x from`.

use banneret_compiler::items::DeclKind;
use banneret_grammar::ast::ItemKind;

use super::entry::{Entry, EntryKind};
use super::marker::Marked;
use super::{Place, names};

/// What comes next when the line ends so. `true`: nothing else can.
const AFTER: &[(&str, &[&str], bool)] = &[
    ("at", &["start of", "end of"], false),
    ("at start", &["of"], true),
    ("at end", &["of"], true),
    ("until", &["end of", "start of", "end of next"], false),
    ("until end", &["of"], true),
    ("until start", &["of"], true),
    ("instead", &["of"], true),
    ("once", &["per"], true),
    ("each once", &["per"], true),
    ("for the", &["game"], true),
    ("such", &["that"], true),
    ("rounded", &["down", "up", "nearest"], true),
    ("until all", &["pass"], true),
    ("expect", &["odds of", "mean of", "spread of", "illegal"], false),
    ("choose", &["up to", "any"], false),
    ("choose up", &["to"], true),
];

/// Phrases that leave no doubt. True if nothing else is worth looking for.
pub(crate) fn only(place: &Place<'_>, out: &mut Vec<Entry>) -> bool {
    let line = place.line.trim_end();
    if line.len() == place.line.len() && !line.is_empty() {
        return false;
    }
    let mut done = false;
    for (words, next, alone) in AFTER {
        if ends_with_words(line, words) {
            // `at` is also the place in `given X at (…)`, and `for the` could be a set
            if *words == "at" && !is_start(line, "at") {
                continue;
            }
            for (i, phrase) in next.iter().enumerate() {
                out.push(Entry::new(*phrase, EntryKind::Phrase, i as u32 / 2));
            }
            done |= *alone;
        }
    }
    if !done && let Some(word) = joins(line) {
        out.push(Entry::new(word, EntryKind::Word, 0));
        return true;
    }
    if closes_grant(place) {
        durations(place, out);
        return true;
    }
    done
}

fn ends_with_words(line: &str, words: &str) -> bool {
    line.strip_suffix(words).is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.'))
}

/// Whether a word is the first of its line or block.
fn is_start(line: &str, word: &str) -> bool {
    line.strip_suffix(word).is_some_and(|before| before.trim_end().is_empty() || before.trim_end().ends_with(['{', ';', '}']))
}

/// The word that joins the halves of a statement: `for u` → `in`, `choose x` → `from`.
fn joins(line: &str) -> Option<&'static str> {
    let start = line.rfind(['{', '}', ';']).map_or(line, |i| &line[i + 1..]);
    let words: Vec<&str> = start.split_whitespace().collect();
    let name = |w: &str| w.chars().all(|c| c.is_alphanumeric() || c == '_') && !banneret_grammar::words::is_reserved(w);
    match words.as_slice() {
        ["for", x] if name(x) && x.chars().all(char::is_alphabetic) && *x != "the" => Some("in"),
        ["choose", x] if name(x) && !matches!(*x, "up" | "any") && !x.starts_with(|c: char| c.is_ascii_digit()) => Some("from"),
        ["choose", "any", x] if name(x) => Some("from"),
        ["choose", n, x] if n.chars().all(|c| c.is_ascii_digit()) && name(x) => Some("from"),
        ["choose", "up", "to", _, x] if name(x) => Some("from"),
        ["let", x] if name(x) => Some("="),
        _ => None,
    }
}

/// Whether the line so far ends with the block of a grant.
fn closes_grant(place: &Place<'_>) -> bool {
    let before = place.text.get(..place.word.start as usize).unwrap_or("").trim_end_matches([' ', '\t']);
    let Some(mut at) = before.strip_suffix('}').map(str::len) else { return false };
    let bytes = before.as_bytes();
    let mut depth = 1;
    while depth > 0 {
        let Some(next) = at.checked_sub(1) else { return false };
        at = next;
        match bytes.get(at) {
            Some(b'}') => depth += 1,
            Some(b'{') => depth -= 1,
            _ => {}
        }
    }
    let head = before.get(..at).unwrap_or("");
    let start = head.rfind(['\n', '{', '}', ';']).map_or(0, |i| i + 1);
    head.get(start..).is_some_and(|h| h.trim_start().starts_with("grant "))
}

fn durations(place: &Place<'_>, out: &mut Vec<Entry>) {
    for (i, phrase) in ["until end of", "until start of", "while", "for the game", "for"].iter().enumerate() {
        out.push(Entry::new(*phrase, EntryKind::Phrase, i as u32));
    }
    names::visible_names(place, |found, far| {
        if found.kind == DeclKind::Phase {
            let name = banneret_compiler::names::short(&found.key);
            out.push(Entry::new(format!("until end of {name}"), EntryKind::Phrase, 6 + far));
        }
    });
}

/// Words that could also stand here, whatever was looked up.
pub(crate) fn more(place: &Place<'_>, marked: &Marked, out: &mut Vec<Entry>) {
    let words: Vec<&str> = place.line.split_whitespace().collect();
    // the head of a card, before its block
    let in_head = !place.line.contains('{') && !place.line.starts_with([' ', '\t']) && !words.is_empty();
    if in_head && let ItemKind::Card(card) = &marked.parsed.item.kind {
        let last = words.last().copied().unwrap_or_default();
        if words.len() >= 2 && !matches!(last, "of" | "from") {
            for (word, given) in [("of", card.of.is_some()), ("from", card.from.is_some()), ("template", card.template.is_some())] {
                if !given || !words.contains(&word) {
                    out.push(Entry::new(word, EntryKind::Word, 0));
                }
            }
        }
    }
    if let ["given", .., last] = words.as_slice()
        && !matches!(*last, "as" | "by" | "at")
        && !last.ends_with(',')
    {
        for word in ["as", "by", "at"] {
            out.push(Entry::new(word, EntryKind::Word, 0));
        }
    }
}
