//! The words that start items, `use` paths, and types.

use banneret_compiler::items::DeclKind;
use banneret_compiler::language::{FACE_SETTINGS, REGIONS, TYPES};
use banneret_compiler::names::{ModuleName, PRELUDE, modules, visible};
use banneret_compiler::signature::{kind_by_key, visible_kinds};
use banneret_grammar::ast::ItemKind;
use smol_str::SmolStr;

use super::entry::{Entry, EntryKind};
use super::marker::Marked;
use super::{Place, names, skeleton};
use crate::ide::describe;

/// Items that every game has: their words and what they look like.
const ITEMS: &[(&str, &str, &str)] = &[
    ("use", "use ${1:rules}", "Makes the names of a rule system or a folder known."),
    ("test", "test \"${1:what is tested}\" {\n  given ${2:Card} as ${3:name}\n  $0\n\\}", "A test of cards and rules."),
    ("keyword", "keyword ${1:Name} on ${2:Kind} {\n  $0\n\\}", "Rules that cards can share by name."),
    ("enum", "enum ${1:Name} { ${2:A}, ${3:B} \\}", "A list of words to choose from."),
    ("enum … also", "enum ${1:Name} also { $0 \\}", "Adds words to an open enum."),
    ("define", "define ${1:name} on ${2:Kind} = ${3:condition}", "A word for a condition or a value."),
    ("action", "action ${1:name}(${2:what}: ${3:Type}) {\n  $0\n\\}", "Something that can happen."),
    ("after", "after ${1:action} {\n  $0\n\\}", "A rule of the whole game that answers an event."),
    ("before", "before ${1:action} {\n  $0\n\\}", "A rule of the whole game that changes an event."),
    ("instead of", "instead of ${1:action} {\n  $0\n\\}", "A rule of the whole game that replaces an event."),
    ("at start of", "at start of ${1:phase} {\n  $0\n\\}", "A rule for the start of a phase."),
    ("at end of", "at end of ${1:phase} {\n  $0\n\\}", "A rule for the end of a phase."),
    ("limit", "limit \"${1:what must hold}\" on ${2:Kind} {\n  need ${3:condition}\n\\}", "What a card must keep to."),
    ("kind", "kind ${1:Name} (${2:names}) is card {\n  $0\n\\}", "A kind of card."),
    ("phase", "phase ${1:name} {\n  $0\n\\}", "A part of the game."),
    ("fact", "fact ${1:name}(${2:a}: ${3:Type})", "Something only the table knows."),
    ("table", "table ${1:name}(${2:n}: Int): Int {\n  ${3:1} -> ${4:1}\n  else -> ${5:0}\n\\}", "A table to look things up in."),
    ("face", "face ${1:name} of ${2:Kind} {\n  $0\n\\}", "What a card looks like."),
    ("grant", "grant ${1:units} { ${2:field} +1 \\}", "A modifier for the whole game."),
    ("cannot", "cannot ${1:action}", "Forbids something in the whole game."),
    ("must choose", "must choose ${1:units} by ${2:opponent}", "What is chosen before anything else, in the whole game."),
    ("ruleset", "ruleset ${1:name} \"${2:Title}\" {\n  version: \"1.0\"\n  $0\n\\}", "A rule system of its own."),
];

/// Words that start an item: the cards of the rule system first.
pub(crate) fn words(place: &Place<'_>, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let module = ModuleName::new(db, place.module.clone());
    let mut kinds: Vec<_> = visible_kinds(db, universe, module).iter().filter_map(|k| kind_by_key(db, universe, k)).collect();
    // rows of a table and the like are cards too, but stand in others
    let rows: Vec<&str> = kinds.iter().flat_map(|k| &k.fields).filter_map(|f| describe::table_of(&f.ty)).collect();
    kinds.retain(|k| k.roles.card && !k.roles.part && !k.roles.player && !k.roles.game && !rows.contains(&k.key.as_str()));
    kinds.sort_by_key(|k| (std::cmp::Reverse(k.rank), k.name.clone()));
    let none = kinds.is_empty();
    for info in kinds {
        let doc = describe::doc_of_key(place.ide, &info.key, &[DeclKind::Kind]);
        let entry = Entry::new(info.word.as_str(), EntryKind::Kind, 1).insert(skeleton::card(place, info));
        out.push(entry.detail(format!("a card of the kind {}", info.name)).doc(doc));
    }
    for (i, (word, snippet, doc)) in ITEMS.iter().enumerate() {
        // without a rule system the first thing to say is which
        let first = *word == "use" && none;
        let tier = if first { 0 } else { 2 + u32::from(i > 3) };
        let label = word.replace(" … ", " ");
        out.push(Entry::new(label, EntryKind::Phrase, tier).insert(*snippet).detail(*doc));
    }
    if none {
        for module in module_paths(place) {
            out.push(Entry::new(format!("use {module}"), EntryKind::Module, 1));
        }
    }
}

/// Modules that could be used here and are not.
fn module_paths(place: &Place<'_>) -> Vec<String> {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let seen = visible(db, universe, ModuleName::new(db, place.module.clone()));
    let rules = universe.rules(db).clone().unwrap_or_default();
    // a file without a `use` sees the rules of its project, and may say so
    let unsaid = |m: &str| m.trim_start_matches('@') == rules && !place.text.lines().any(|line| line.trim() == format!("use {rules}"));
    let could = |m: &&SmolStr| **m != PRELUDE && **m != "@" && **m != place.module && (!seen.contains(*m) || unsaid(m));
    let all = modules(db, universe).keys().filter(could);
    let mut own: Vec<(bool, String)> = all.map(|m| (!m.starts_with('@'), m.trim_start_matches('@').to_owned())).collect();
    // the rules of the project come before those of other games
    own.sort_by_key(|(library, path)| (path.as_str() != rules, *library, path.clone()));
    own.into_iter().map(|(_, path)| path).collect()
}

/// The marker was read, but nothing was looked up: a path, a type, or a new name.
pub(crate) fn without_meaning(place: &Place<'_>, marked: &Marked, out: &mut Vec<Entry>) {
    match &marked.parsed.item.kind {
        ItemKind::Use(u) if u.path.iter().any(|w| w.span.end > marked.at) => {
            let before = place.line.trim_start().strip_prefix("use ").unwrap_or("").trim_start();
            for (i, path) in module_paths(place).into_iter().enumerate() {
                if let Some(rest) = path.strip_prefix(before) {
                    out.push(Entry::new(rest, EntryKind::Module, i as u32));
                }
            }
        }
        ItemKind::Use(_) => {}
        ItemKind::Face(_) => face(out),
        _ if wants_type(place.line) => types(place, out),
        _ => {}
    }
}

fn face(out: &mut Vec<Entry>) {
    for region in REGIONS {
        let insert = format!("{}{}", region.word, region.snippet);
        out.push(Entry::new(region.word, EntryKind::Word, 0).insert(insert).detail(region.doc));
    }
    for setting in FACE_SETTINGS {
        let insert = format!("{}: ${{1:{}}}", setting.word, setting.sample);
        out.push(Entry::new(setting.word, EntryKind::Field, 1).insert(insert).detail(setting.doc));
    }
}

/// Whether a type comes next: behind the colon of a declaration, or behind `set of`.
fn wants_type(line: &str) -> bool {
    let before = line.trim_end();
    before.ends_with(':')
        || ["set of", "list of", "pair of", "pile of", "Choice of"].iter().any(|w| before.ends_with(w))
        || is_table(before)
}

fn is_table(before: &str) -> bool {
    before.ends_with(" of") && before.contains("table by d")
}

pub(crate) fn types(place: &Place<'_>, out: &mut Vec<Entry>) {
    names::of_kinds(place, &[DeclKind::Kind, DeclKind::Enum], 1, out);
    for (i, name) in TYPES.iter().enumerate() {
        out.push(Entry::new(*name, EntryKind::Type, if i < 9 { 0 } else { 2 }).detail("a type of the language"));
    }
    for head in ["set of", "list of", "pair of", "pile of", "Choice of", "table by d6 of"] {
        out.push(
            Entry::new(head, EntryKind::Phrase, 0)
                .insert(format!("{head} ${{1:Type\\}}").replace("\\}", "}"))
                .detail("a type of the language"),
        );
    }
}
