//! Words that follow words, whatever they mean: `until end of`, `for u in`, `choose x from`.

use banneret_compiler::items::{DeclKind, parse};
use banneret_compiler::language::ITEMS;
use banneret_compiler::names::{ModuleName, visible};
use banneret_compiler::stdlib;
use banneret_grammar::ast::ItemKind;

use super::entry::{Entry, EntryKind};
use super::{Place, names};

/// What comes next when the line ends so. `true`: nothing else can.
const AFTER: &[(&str, &[&str], bool)] = &[
    ("at", &["start of", "end of"], false),
    ("until end of", &["next"], false),
    ("is", &["not"], false),
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
    ("expect odds", &["of"], true),
    ("expect mean", &["of"], true),
    ("expect spread", &["of"], true),
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
            let later = if matches!(*words, "is" | "until end of") { 3 } else { 0 };
            for (i, phrase) in next.iter().enumerate() {
                out.push(Entry::new(*phrase, EntryKind::Phrase, later + i as u32 / 2));
            }
            done |= *alone;
        }
    }
    if !done && let Some(word) = joins(line) {
        out.push(Entry::new(word, EntryKind::Word, 0));
        return true;
    }
    if let Some((_, length)) = line.rsplit_once("within ")
        && length.starts_with(|c: char| c.is_ascii_digit())
        && !length.contains(' ')
    {
        out.push(Entry::new("of", EntryKind::Word, 0).insert("of ${1:this}"));
        return true;
    }
    if line == "enum" {
        open_enums(place, out);
        return !out.is_empty() && place.typed.is_empty();
    }
    if closes(place, &["if ", "else if "]) && !line.is_empty() {
        out.push(Entry::new("else", EntryKind::Phrase, 0).insert("else {\n  $0\n\\}").detail("what happens if it does not hold"));
        out.push(Entry::new("else if", EntryKind::Phrase, 0).insert("else if ${1:condition} {\n  $0\n\\}").detail("another condition"));
        return true;
    }
    if given(place, out) || card_head(place, out) {
        return true;
    }
    around(place, out);
    if closes(place, &["grant "]) {
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

/// Enums that a project may add words to.
fn open_enums(place: &Place<'_>, out: &mut Vec<Entry>) {
    names::visible_names(place, |found, far| {
        if found.kind == DeclKind::Enum
            && let Some(declared) = banneret_compiler::signature::by_key(place.ide.db, place.ide.universe, &found.key, &[DeclKind::Enum])
            && matches!(&parse(place.ide.db, declared.item).item.kind, ItemKind::Enum(e) if e.open && !e.also)
        {
            let name = banneret_compiler::names::short(&found.key);
            let entry = names::entry(place, found, far).insert(format!("{name} also {{ $0 \\}}"));
            out.push(entry.detail("adds words to it"));
        }
    });
}

/// The numbers of rules behind `covers`, and where the one that is being written starts.
pub(crate) fn covered(place: &Place<'_>) -> Option<(u32, Vec<Entry>)> {
    let (_, ids) = place.line.rsplit_once("covers ")?;
    let is_list = ids.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | ',' | ' '));
    if !is_list || place.line.contains("//") {
        return None;
    }
    let begun = ids.rsplit([',', ' ']).next().unwrap_or_default();
    let said: Vec<&str> = ids.split([',', ' ']).collect();
    let db = place.ide.db;
    let modules = visible(db, place.ide.universe, ModuleName::new(db, place.module.clone()));
    let books = stdlib::files()
        .iter()
        .filter(|(path, _)| path.strip_suffix("/RULES.md").is_some_and(|folder| modules.iter().any(|module| *module == folder)));
    let mut out = Vec::new();
    for line in books.flat_map(|(_, text)| text.lines()) {
        let Some((id, words)) = line.strip_prefix("- ").and_then(|l| l.split_once([' ', ':'])) else { continue };
        if id.contains('-') && id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-') && !said.contains(&id) {
            let words: String = words.trim_start_matches([':', ' ']).chars().take(80).collect();
            out.push(Entry::new(id, EntryKind::Value, 0).detail(words));
        }
    }
    Some((place.word.start - begun.len() as u32, out))
}

/// Whether the line so far ends with the block of a statement that starts so.
fn closes(place: &Place<'_>, starts: &[&str]) -> bool {
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
    head.get(start..).is_some_and(|h| starts.iter().any(|start| h.trim_start().starts_with(start)))
}

fn durations(place: &Place<'_>, out: &mut Vec<Entry>) {
    for (i, phrase) in ["until end of", "until start of", "while", "for the game", "for", "until"].iter().enumerate() {
        out.push(Entry::new(*phrase, EntryKind::Phrase, i as u32));
    }
    names::visible_names(place, |found, far| {
        if found.kind == DeclKind::Phase {
            let name = banneret_compiler::names::short(&found.key);
            out.push(Entry::new(format!("until end of {name}"), EntryKind::Phrase, 6 + far));
        }
    });
}

/// The parts of `given CARD as NAME by PLAYER at (X, Y), …`.
fn given(place: &Place<'_>, out: &mut Vec<Entry>) -> bool {
    let Some(rest) = place.line.trim_start().strip_prefix("given ") else { return false };
    let mut depth = 0;
    let start = rest.char_indices().filter(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == ',' && depth == 0
    });
    let start = start.last().map_or(0, |(i, _)| i + 1);
    if depth > 0 {
        return false;
    }
    let words: Vec<&str> = rest.get(start..).unwrap_or("").split_whitespace().collect();
    match words.last() {
        None => {
            names::cards(place, &Default::default(), 0, out);
            true
        }
        Some(&"as" | &"by" | &"at" | &"=") => false,
        Some(_) => {
            let said: Vec<&str> = words.iter().copied().filter(|w| matches!(*w, "as" | "by" | "at")).collect();
            let next = ["as", "by", "at"].into_iter().filter(|w| !said.contains(w) && (*w != "as" || said.is_empty()));
            out.extend(next.map(|word| Entry::new(word, EntryKind::Word, 0)));
            true
        }
    }
}

/// The head of a card or part, and of an action, before its block.
fn card_head(place: &Place<'_>, out: &mut Vec<Entry>) -> bool {
    let start = place.line.rfind(['{', '}', ';']).map_or(place.line, |i| &place.line[i + 1..]);
    let words: Vec<&str> = start.split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    if words.len() < 2 || matches!(*last, "of" | "from" | "by" | "to" | "with" | "on") || start.contains(['=', '[']) {
        return false;
    }
    let in_first_column = !place.line.starts_with([' ', '\t']);
    let head = ITEMS.iter().find(|item| in_first_column && item.word == *first && !item.head.is_empty());
    if let Some(next) = head.map(|item| item.head)
        && !last.ends_with([':', ',', '='])
        && !next.contains(last)
    {
        let unsaid = next.iter().filter(|w| !words.contains(w));
        out.extend(unsaid.map(|word| Entry::new(*word, EntryKind::Word, 0)));
        return true;
    }
    if in_first_column && matches!(*first, "action" | "phase") && (last.len() > 1 || words.len() > 2) && !last.ends_with(':') {
        for word in ["to", "by", "with", "from", "on", "into", "against", "using", "for", "at", "once per"] {
            if !words.contains(&word) {
                out.push(Entry::new(word, EntryKind::Word, u32::from(word == "once per")));
            }
        }
        return true;
    }
    let mut is_word = false;
    names::visible_names(place, |found, _| {
        is_word |= found.kind == DeclKind::Word && banneret_compiler::names::short(&found.key) == *first
    });
    if !is_word || start.contains(':') || !words.get(1).is_some_and(|w| w.starts_with(char::is_uppercase)) {
        return false;
    }
    for word in if in_first_column { &["of", "from", "template"][..] } else { &["from"] } {
        if !words.contains(word) {
            out.push(Entry::new(*word, EntryKind::Word, 0));
        }
    }
    true
}

/// Words that may also follow in a rule's head, or in a choice.
fn around(place: &Place<'_>, out: &mut Vec<Entry>) {
    let start = place.line.rfind(['{', '}', ';']).map_or(place.line, |i| &place.line[i + 1..]).trim_start();
    let words: Vec<&str> = start.split_whitespace().collect();
    let rule =
        ["before ", "after ", "instead of ", "at start of ", "at end of ", "cannot ", "must "].into_iter().find(|w| start.starts_with(w));
    if let Some(rule) = rule {
        let verb = start.get(rule.len()..).and_then(|r| r.split_whitespace().next()).unwrap_or_default();
        let last = words.last().copied().unwrap_or_default();
        if !verb.is_empty()
            && !banneret_grammar::words::is_preposition(last)
            && !matches!(last, "where" | "or" | "and" | "not" | "per" | "once")
        {
            names::visible_names(place, |found, _| {
                let is = matches!(found.kind, DeclKind::Action | DeclKind::Phase) && banneret_compiler::names::short(&found.key) == verb;
                if is && !words.contains(&"where") {
                    super::sentences::prepositions(place, &found.key, out);
                }
            });
            for word in ["where", "once per"] {
                if !start.contains(word) {
                    out.push(Entry::new(word, EntryKind::Word, 1));
                }
            }
        }
    }
    if let ["choose", rest @ ..] = words.as_slice()
        && rest.contains(&"from")
        && !matches!(rest.last(), Some(&"from" | &"by" | &"of" | &"within" | &"where"))
    {
        for word in ["by", "such that"] {
            if !start.contains(&format!(" {word} ")) {
                out.push(Entry::new(word, EntryKind::Word, 0));
            }
        }
    }
}
