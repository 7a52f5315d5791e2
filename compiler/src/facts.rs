//! What a project says about its cards and rules, to be compared with what another version of it says.

use std::collections::{BTreeMap, BTreeSet};

use banneret_grammar::ast::ItemKind;

use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, CardValue};
use crate::items::{Item, declares, is_card, items};
use crate::names::short;
use crate::words::{self, Lookup, value_words};

/// Everything that a version of a project says, by what it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub name: String,
    pub version: String,
    /// Cards, and parts as `Card.part`.
    pub cards: BTreeMap<String, CardFacts>,
    /// What is no card, by its first words: its lines without comments and without how they are indented.
    pub rules: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardFacts {
    pub title: String,
    /// Its fields, in words.
    pub stats: BTreeMap<String, String>,
    /// What its rules say.
    pub words: String,
    /// The lines of its rules, as in [`Facts::rules`]: two rules may have the same words, if they are the author's own.
    pub source: Vec<String>,
}

/// One thing that is other than it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    New,
    Gone,
    /// What of it, what it was and what it is; empty if there was or is none.
    Value {
        what: String,
        before: String,
        after: String,
    },
    Odds {
        before: String,
        after: String,
    },
    /// Its lines, as they were and as they are.
    Rewritten {
        before: Vec<String>,
        after: Vec<String>,
    },
}

/// A card or rule with everything that changed about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    pub group: &'static str,
    pub title: String,
    pub changes: Vec<Change>,
}

pub fn facts(db: &dyn salsa::Database, universe: Universe) -> Facts {
    let mut out = Facts { name: universe.name(db).clone(), version: universe.version(db).clone(), ..Facts::default() };
    for file in universe.files(db) {
        for item in items(db, *file) {
            match &elaborate(db, universe, *item).hir {
                hir::Item::Card(card) if is_card(db, *item) => {
                    let texts: BTreeMap<_, _> = words::card_texts(card, &Lookup { db, universe }).into_iter().collect();
                    let source = lines(item.text(db));
                    add(&mut out.cards, &card.name, card, &|key| texts.get(key).cloned().unwrap_or_default(), &Lookup { db, universe });
                    if let Some(facts) = out.cards.get_mut(card.name.as_str()) {
                        facts.source = source;
                    }
                }
                _ => {
                    out.rules.insert(called(db, *item), lines(item.text(db)));
                }
            }
        }
    }
    out
}

fn add(out: &mut BTreeMap<String, CardFacts>, path: &str, card: &hir::Card, text: &dyn Fn(&hir::Key) -> String, lookup: &Lookup<'_>) {
    let mut stats = BTreeMap::new();
    for (field, value) in &card.values {
        if let CardValue::Value(expr) = value {
            let shown: String = value_words(expr, lookup).iter().map(|run| run.text.as_str()).collect();
            stats.insert(short(field).rsplit('.').next().unwrap_or(field).replace('_', " "), shown);
        }
    }
    let keyword = |(key, number): &(hir::Key, i64)| match number {
        0 => short(key).to_owned(),
        n => format!("{} {n}", short(key)),
    };
    if !card.keywords.is_empty() {
        stats.insert("keywords".to_owned(), card.keywords.iter().map(keyword).collect::<Vec<_>>().join(", "));
    }
    if let Some(flavour) = &card.flavour {
        stats.insert("flavour".to_owned(), flavour.to_string());
    }
    let facts = CardFacts { title: card.title.to_string(), stats, words: text(&card.key), source: Vec::new() };
    out.insert(path.to_owned(), facts);
    for part in &card.parts {
        add(out, &format!("{path}.{}", part.name), part, text, lookup);
    }
    for (low, high, row) in &card.rows {
        let faces = if low == high { low.to_string() } else { format!("{low}..{high}") };
        let name = format!("{path}.{}", row.name);
        add(out, &name, row, text, lookup);
        if let Some(facts) = out.get_mut(&name) {
            facts.stats.insert("row".to_owned(), faces);
        }
    }
}

/// What an item is called: its first word and its name, or its first line.
fn called<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> String {
    let header = item.header(db).split('{').next().unwrap_or_default().trim();
    let word = header.split_whitespace().next().unwrap_or_default();
    let adds = matches!(&crate::items::parse(db, item).item.kind, ItemKind::Enum(_)) && header.contains(" also");
    match declares(db, item).first() {
        Some(decl) if !adds && !matches!(word, "use" | "test" | "face") => format!("{word} {}", decl.name),
        _ => header.to_owned(),
    }
}

/// The lines of a text without comments, empty lines and the spaces that only lay it out.
fn lines(text: &str) -> Vec<String> {
    let plain = |line: &str| {
        let mut quoted = false;
        let mut end = line.len();
        for (at, c) in line.char_indices() {
            // an inch mark behind a digit opens no text
            if c == '"' && (quoted || !line[..at].ends_with(|c: char| c.is_ascii_digit())) {
                quoted = !quoted;
            } else if !quoted && line[at..].starts_with("//") {
                end = at;
                break;
            }
        }
        line.get(..end).unwrap_or(line).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    text.lines().map(plain).filter(|line| !line.is_empty()).collect()
}

/// Everything that is other in a newer version.
pub fn compared(before: &Facts, after: &Facts) -> Vec<Changed> {
    let mut out = Vec::new();
    let names: BTreeSet<&String> = before.cards.keys().chain(after.cards.keys()).collect();
    for name in names {
        let changes = match (before.cards.get(name), after.cards.get(name)) {
            (None, Some(_)) => vec![Change::New],
            (Some(_), None) => vec![Change::Gone],
            (Some(was), Some(is)) => of_card(was, is),
            (None, None) => Vec::new(),
        };
        // with a card its parts come and go
        let whole = name.split_once('.').map(|(card, _)| card);
        let is_said = whole.is_some_and(|card| before.cards.contains_key(card) != after.cards.contains_key(card));
        if !changes.is_empty() && !is_said {
            out.push(Changed { group: "Cards", title: title(name, before, after), changes });
        }
    }
    let names: BTreeSet<&String> = before.rules.keys().chain(after.rules.keys()).collect();
    for name in names {
        let change = match (before.rules.get(name), after.rules.get(name)) {
            (None, Some(_)) => Change::New,
            (Some(_), None) => Change::Gone,
            (Some(was), Some(is)) if !is_same(was, is) => Change::Rewritten { before: was.clone(), after: is.clone() },
            _ => continue,
        };
        let group = if name.starts_with("test ") { "Tests" } else { "Rules" };
        out.push(Changed { group, title: name.clone(), changes: vec![change] });
    }
    out
}

fn of_card(was: &CardFacts, is: &CardFacts) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut value = |what: &str, before: &str, after: &str| {
        if before != after {
            changes.push(Change::Value { what: what.to_owned(), before: before.to_owned(), after: after.to_owned() });
        }
    };
    value("name", &was.title, &is.title);
    let stats: BTreeSet<&String> = was.stats.keys().chain(is.stats.keys()).collect();
    let of = |stats: &BTreeMap<String, String>, name: &String| stats.get(name).cloned().unwrap_or_default();
    for stat in stats {
        value(stat, &of(&was.stats, stat), &of(&is.stats, stat));
    }
    value("rules", &was.words, &is.words);
    if changes.is_empty() && !is_same(&was.source, &is.source) {
        // the words are the author's own, or it is only written in another way
        changes.push(Change::Rewritten { before: was.source.clone(), after: is.source.clone() });
    }
    changes
}

/// Whether lines say the same, however they are broken: a line break stands for a comma.
fn is_same(was: &[String], is: &[String]) -> bool {
    let words = |lines: &[String]| lines.join(" ").split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    words(was) == words(is)
}

/// What players call it: a card by its title, a part behind its card.
pub fn title(name: &str, before: &Facts, after: &Facts) -> String {
    let of = |name: &str| after.cards.get(name).or_else(|| before.cards.get(name)).map_or(name, |card| card.title.as_str()).to_owned();
    match name.split_once('.') {
        Some((card, _)) => format!("{}, {}", of(card), of(name)),
        None => of(name),
    }
}
