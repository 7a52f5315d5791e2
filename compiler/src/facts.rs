//! What a project says about its cards and rules, to be compared with what another version of it says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use banneret_grammar::ast::ItemKind;

use crate::db::{SourceFile, Universe};
use crate::elaborate::elaborate;
use crate::hir::{self, CardValue};
use crate::items::{Item, declares, is_card, items};
use crate::key::{last_name, split_key};
use crate::names::short;
use crate::words::{self, Lookup, value_words};

/// Everything that a version of a project says, by what it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub name: String,
    pub version: String,
    /// Cards, and parts as `Card.part`. Two cards of one name are in two modules: the second is called by its module too.
    pub cards: BTreeMap<String, CardFacts>,
    /// What is no card, by its first words: its lines without comments and without how they are indented. Several rules without names may
    /// start with the same words.
    pub rules: BTreeMap<String, Vec<Vec<String>>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardFacts {
    pub title: String,
    /// Its fields, in words.
    pub stats: BTreeMap<String, Stat>,
    /// What its rules say.
    pub words: String,
    /// Whether the words are the author's own, so that they do not follow its rules.
    pub own_words: bool,
    /// What its rules are, however they are written.
    pub meaning: String,
    /// The lines of the card it stands in, as in [`Facts::rules`].
    pub source: Vec<String>,
}

/// A value of a card: as players read it, and as it is. Two things may be called the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    pub shown: String,
    pub meaning: String,
}

impl Stat {
    fn said(shown: impl Into<String>) -> Stat {
        Stat { shown: shown.into(), meaning: String::new() }
    }
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
    let of_packages = universe.library(db).iter().filter(|file| universe.is_of_package(db, **file));
    let all: Vec<SourceFile> = universe.files(db).iter().chain(of_packages).copied().collect();
    let modules = universe.files(db).iter().chain(universe.library(db)).map(|file| file.module(db).as_str()).collect();
    let teller = Teller { lookup: Lookup { db, universe }, modules };
    for file in all {
        for item in items(db, file) {
            let source = lines(item.text(db));
            match &elaborate(db, universe, *item).hir {
                hir::Item::Card(card) if is_card(db, *item) => {
                    let texts = words::card_texts(card, &teller.lookup).into_iter().collect();
                    let is_taken = out.cards.contains_key(card.name.as_str());
                    let name = if is_taken { card.key.replace('.', " ") } else { card.name.to_string() };
                    teller.add(&mut out.cards, &name, card, &texts, &source);
                }
                _ => out.rules.entry(called(db, *item)).or_default().push(source),
            }
        }
    }
    out
}

/// Takes cards apart.
struct Teller<'db> {
    lookup: Lookup<'db>,
    modules: BTreeSet<&'db str>,
}

impl Teller<'_> {
    fn add(
        &self,
        out: &mut BTreeMap<String, CardFacts>,
        path: &str,
        card: &hir::Card,
        texts: &BTreeMap<hir::Key, String>,
        source: &[String],
    ) {
        let mut stats = BTreeMap::new();
        let mut rules = Vec::new();
        for (field, value) in &card.values {
            let name = last_name(field).replace('_', " ");
            if let CardValue::Value(expr) = value {
                let shown: String = value_words(expr, &self.lookup).iter().map(|run| run.text.as_str()).collect();
                stats.insert(name, Stat { shown, meaning: self.meaning(&expr.kind) });
            } else {
                rules.push(format!("{name}: {}", self.meaning(value)));
            }
        }
        // the order of fields means nothing, that of rules does
        rules.sort();
        rules.extend(card.rules.iter().map(|rule| self.meaning(&rule.kind)));
        rules.extend(card.once.iter().map(|scope| format!("once per {}", short(scope))));
        stats.insert("kind".to_owned(), Stat::said(short(&card.kind)));
        let keyword = |(key, number): &(hir::Key, i64)| match number {
            0 => short(key).to_owned(),
            n => format!("{} {n}", short(key)),
        };
        if !card.keywords.is_empty() {
            let all: BTreeSet<String> = card.keywords.iter().map(keyword).collect();
            stats.insert("keywords".to_owned(), Stat::said(all.into_iter().collect::<Vec<_>>().join(", ")));
        }
        if let Some(flavour) = &card.flavour {
            stats.insert("flavour".to_owned(), Stat::said(flavour.as_str()));
        }
        if !card.todos.is_empty() {
            stats.insert("unfinished".to_owned(), Stat::said(card.todos.join(", ")));
        }
        if card.template {
            stats.insert("template".to_owned(), Stat::said("yes"));
        }
        let words = texts.get(&card.key).cloned().unwrap_or_default();
        let (title, own_words, meaning) = (card.title.to_string(), card.says.is_some(), rules.join("\n"));
        out.insert(path.to_owned(), CardFacts { title, stats, words, own_words, meaning, source: source.to_vec() });
        for part in &card.parts {
            self.add(out, &format!("{path}.{}", part.name), part, texts, source);
        }
        for (low, high, row) in &card.rows {
            let faces = if low == high { low.to_string() } else { format!("{low}..{high}") };
            let name = format!("{path}.{}", row.name);
            self.add(out, &name, row, texts, source);
            if let Some(facts) = out.get_mut(&name) {
                facts.stats.insert("row".to_owned(), Stat::said(faces));
            }
        }
    }

    /// What something is, without where it stands: no spans, no modules, and locals numbered as they come.
    fn meaning(&self, of: &impl Debug) -> String {
        let text = format!("{of:?}");
        let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
        let mut locals: Vec<&str> = Vec::new();
        while !rest.is_empty() {
            let start = ["Span {", "Local(", "\""].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
            let (before, found) = rest.split_at(start);
            out.push_str(before);
            rest = found;
            if rest.starts_with("Span {") {
                rest = rest.split_once('}').map_or("", |(_, behind)| behind);
            } else if let Some((number, behind)) = rest.strip_prefix("Local(").and_then(|inside| inside.split_once(')')) {
                let at = locals.iter().position(|known| *known == number).unwrap_or_else(|| {
                    locals.push(number);
                    locals.len() - 1
                });
                out.push_str(&format!("Local {at}"));
                rest = behind;
            } else if let Some(inside) = rest.strip_prefix('"') {
                let end = quote_end(inside);
                let (quoted, behind) = inside.split_at(end);
                let is_key = split_key(quoted).is_some_and(|(module, _)| self.modules.contains(module));
                out.push_str(&format!("\"{}\"", if is_key { short(quoted) } else { quoted }));
                rest = behind.strip_prefix('"').unwrap_or(behind);
            } else {
                break;
            }
        }
        out
    }
}

/// Where a quoted text ends, of which some signs may be escaped.
fn quote_end(inside: &str) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    inside.len()
}

/// What an item is called: its first word and its name, or its first line.
fn called<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> String {
    let header = item.header(db).split('{').next().unwrap_or_default().trim();
    let word = header.split_whitespace().next().unwrap_or_default();
    let kind = &crate::items::parse(db, item).item.kind;
    if let ItemKind::Use(used) = kind {
        let path: Vec<&str> = used.path.iter().map(|word| &*word.text).collect();
        return format!("use {}", path.join("."));
    }
    let adds = matches!(kind, ItemKind::Enum(_)) && header.contains(" also");
    match declares(db, item).first() {
        Some(decl) if !adds && !matches!(word, "test" | "face") => format!("{word} {}", decl.name),
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
    let (before, renamed) = &renamed(before, after);
    let names: BTreeSet<&String> = before.cards.keys().chain(after.cards.keys()).collect();
    for name in names {
        let mut changes = match (before.cards.get(name), after.cards.get(name)) {
            (None, Some(_)) => vec![Change::New],
            (Some(_), None) => vec![Change::Gone],
            (Some(was), Some(is)) => of_card(was, is),
            (None, None) => Vec::new(),
        };
        if let Some(old) = renamed.get(name) {
            let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
            changes.push(Change::Value { what: NAME_IN_SOURCES.to_owned(), before: last(old), after: last(name) });
        }
        // with a card its parts come and go
        let whole = name.split_once('.').map(|(card, _)| card);
        let is_said = whole.is_some_and(|card| before.cards.contains_key(card) != after.cards.contains_key(card));
        if !changes.is_empty() && !is_said {
            out.push(Changed { group: "Cards", title: title(name, before, after), changes });
        }
    }
    let names: BTreeSet<&String> = before.rules.keys().chain(after.rules.keys()).collect();
    for name in names {
        let of = |facts: &Facts| facts.rules.get(name).cloned().unwrap_or_default();
        let changes = of_rules(of(before), of(after));
        let group = if name.starts_with("test ") { "Tests" } else { "Rules" };
        if !changes.is_empty() {
            out.push(Changed { group, title: name.clone(), changes });
        }
    }
    out
}

/// Of rules that are called the same: those that are as they were are left out, the others are taken in their order.
fn of_rules(mut was: Vec<Vec<String>>, mut is: Vec<Vec<String>>) -> Vec<Change> {
    was.retain(|old| match is.iter().position(|new| is_same(old, new)) {
        Some(at) => {
            is.remove(at);
            false
        }
        None => true,
    });
    let (mut was, mut is) = (was.into_iter(), is.into_iter());
    let next = std::iter::from_fn(|| match (was.next(), is.next()) {
        (Some(before), Some(after)) => Some(Change::Rewritten { before, after }),
        (Some(_), None) => Some(Change::Gone),
        (None, Some(_)) => Some(Change::New),
        (None, None) => None,
    });
    next.collect()
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
    let (none, mut is_hidden) = (Stat::default(), false);
    for stat in stats {
        let (old, new) = (was.stats.get(stat).unwrap_or(&none), is.stats.get(stat).unwrap_or(&none));
        value(stat, &old.shown, &new.shown);
        is_hidden |= old.shown == new.shown && old.meaning != new.meaning;
    }
    value("rules", &was.words, &is.words);
    // words that the author wrote do not say what became of the rules
    let is_told = was.words != is.words && !was.own_words && !is.own_words;
    if is_hidden || (was.meaning != is.meaning && !is_told) {
        changes.push(Change::Rewritten { before: was.source.clone(), after: is.source.clone() });
    }
    changes
}

/// Whether lines say the same, however they are broken: a line break stands for a comma.
fn is_same(was: &[String], is: &[String]) -> bool {
    tokens(&was.join(" ")) == tokens(&is.join(" "))
}

/// The words, numbers, signs and texts of a line; commas between them only lay it out.
fn tokens(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if first == '"' && !is_inch(line, rest) {
            1 + quote_end(&rest[1..]) + 1
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(end.min(rest.len()));
        if token != "," {
            out.push(token);
        }
        rest = behind.trim_start();
    }
    out
}

/// Whether the sign at the start of `rest` is the mark of a length: it stands right behind a digit.
fn is_inch(line: &str, rest: &str) -> bool {
    line[..line.len() - rest.len()].ends_with(|c: char| c.is_ascii_digit())
}

/// What a card is called in the sources of a version, when it has the same title and another name in the other version.
pub const NAME_IN_SOURCES: &str = "name in the files";

/// The older version with the names of the newer one, as far as a title says that they mean the same; and those names, new and old.
fn renamed(before: &Facts, after: &Facts) -> (Facts, BTreeMap<String, String>) {
    let (mut before, mut names) = (before.clone(), BTreeMap::new());
    for depth in 0..2 {
        let parent = |path: &str| path.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        let left = |of: &Facts, other: &Facts| -> Vec<(String, (Option<String>, String))> {
            let missing = of.cards.iter().filter(|(path, _)| path.matches('.').count() == depth && !other.cards.contains_key(*path));
            missing.map(|(path, card)| (path.clone(), (parent(path), card.title.clone()))).collect()
        };
        let (gone, new) = (left(&before, after), left(after, &before));
        for (old, key) in &gone {
            let same: Vec<&String> = new.iter().filter(|(_, other)| other == key).map(|(path, _)| path).collect();
            if let [path] = same.as_slice()
                && gone.iter().filter(|(_, other)| other == key).count() == 1
            {
                rename(&mut before, old, path);
                names.insert((*path).clone(), old.clone());
            }
        }
    }
    (before, names)
}

fn rename(facts: &mut Facts, old: &str, new: &str) {
    let is_below = |path: &str| path == old || path.strip_prefix(old).is_some_and(|rest| rest.starts_with('.'));
    let moved: Vec<String> = facts.cards.keys().filter(|path| is_below(path)).cloned().collect();
    for path in moved {
        if let Some(card) = facts.cards.remove(&path) {
            facts.cards.insert(path.replacen(old, new, 1), card);
        }
    }
    // who speaks of it speaks of the same
    let speak = |text: &mut String| {
        for end in ['"', '.'] {
            *text = text.replace(&format!("\"{old}{end}"), &format!("\"{new}{end}"));
        }
    };
    for card in facts.cards.values_mut() {
        speak(&mut card.meaning);
        card.stats.values_mut().for_each(|stat| speak(&mut stat.meaning));
    }
}

/// What players call it: a card by its title, a part behind its card.
pub fn title(name: &str, before: &Facts, after: &Facts) -> String {
    let of = |name: &str| after.cards.get(name).or_else(|| before.cards.get(name)).map_or(name, |card| card.title.as_str()).to_owned();
    match name.split_once('.') {
        Some((card, _)) => format!("{}, {}", of(card), of(name)),
        None => of(name),
    }
}
