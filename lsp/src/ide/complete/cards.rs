//! The lines of a card, and of a grant.

use banneret_compiler::elaborate::elaborate;
use banneret_compiler::hir;
use banneret_compiler::items::DeclKind;
use banneret_compiler::signature::{FieldInfo, find, kind_by_key};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{self, FieldRole, Line};

use super::entry::{Entry, EntryKind};
use super::marker::Marked;
use super::skeleton::{self, Stops};
use super::{Place, names};
use crate::ide::describe;

/// Rules that may stand in any card.
pub(crate) const RULES: &[(&str, &str, &str)] = &[
    ("after", "after ${1:action} {\n  $0\n\\}", "When something has happened."),
    ("before", "before ${1:action} {\n  $0\n\\}", "When something is about to happen; its values can be changed."),
    ("instead of", "instead of ${1:action} {\n  $0\n\\}", "Something else happens instead; `proceed` lets it happen after all."),
    ("at start of", "at start of ${1:phase} {\n  $0\n\\}", "When a phase begins."),
    ("at end of", "at end of ${1:phase} {\n  $0\n\\}", "When a phase ends."),
    ("grant", "grant ${1:this} { ${2:field} +1 \\}", "A modifier that holds as long as the card does."),
    ("cannot", "cannot ${1:action}", "Forbids something."),
    ("must choose", "must choose ${1:this} by ${2:opponent}", "Is chosen before anything else."),
];

/// What a card of this kind still lacks, the required first.
pub(crate) fn lines(place: &Place<'_>, marked: &Marked, kind: &str, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let Some(info) = kind_by_key(db, universe, kind) else { return };
    let card = match &marked.parsed.item.kind {
        ast::ItemKind::Card(card) => innermost(card, marked.at),
        _ => None,
    };
    let given: Vec<&str> = card.map(given).unwrap_or_default();
    let inherited = card.and_then(|c| c.from.as_ref()).map(|from| inherited(place, &from.text)).unwrap_or_default();
    let rolled = info.fields.iter().find_map(|f| match &f.ty {
        Ty::Table { of, .. } => Some(of.clone()),
        _ => None,
    });
    for f in info.fields.iter().filter(|f| f.role == FieldRole::Plain && !given.contains(&f.name.as_str())) {
        if matches!(f.ty, Ty::Table { .. }) {
            continue;
        }
        let required = !f.has_default && !inherited.contains(&f.key.to_string());
        out.push(field(place, f, if required { 0 } else { 2 }));
    }
    for part in info.parts.iter().filter_map(|p| kind_by_key(db, universe, p)) {
        let doc = describe::doc_of_key(place.ide, &part.key, &[DeclKind::Kind]);
        let entry = Entry::new(part.word.as_str(), EntryKind::Part, 1).insert(skeleton::part(place, part));
        out.push(entry.detail(format!("a part: {}", part.name)).doc(doc));
    }
    if let Some(row) = rolled.and_then(|of| kind_by_key(db, universe, &of)) {
        let entry = Entry::new("1", EntryKind::Part, 1).insert("${1:1} ${2:Name} { $0 \\}");
        out.push(entry.detail(format!("a row: {}", row.name)));
    }
    for (word, snippet, doc) in RULES {
        out.push(Entry::new(*word, EntryKind::Phrase, 3).insert(*snippet).detail(*doc));
    }
    if !given.contains(&"flavour") {
        out.push(Entry::new("flavour", EntryKind::Field, 4).insert("flavour: \"$1\"").detail("words without meaning for the rules"));
    }
    out.push(Entry::new("says", EntryKind::Word, 4).insert("says \"$1\"").detail("your own words instead of those made from the rules"));
    out.push(Entry::new("todo", EntryKind::Word, 5).insert("todo \"$1\"").detail("something still to be written"));
    if info.roles.part {
        out.push(Entry::new("once per", EntryKind::Phrase, 4).insert("once per ${1:phase}").detail("how often it can be used"));
    }
}

/// A field with its colon or block.
fn field(place: &Place<'_>, f: &FieldInfo, tier: u32) -> Entry {
    let snippet = match skeleton::bare(&f.ty) {
        Ty::Effect(_) | Ty::Rules => format!("{} {{\n  $0\n\\}}", f.name),
        Ty::Choice(_) => skeleton::field(place, f, &mut Stops::new()),
        Ty::Set(_) | Ty::List(_) => format!("{}: [$1]", f.name),
        Ty::Text | Ty::Picture => format!("{}: \"$1\"", f.name),
        _ => format!("{}: ", f.name),
    };
    let required = if tier == 0 { "required" } else { "optional" };
    let detail = format!("{} ({required})", describe::field_type(place.ide, f));
    Entry::new(f.name.as_str(), EntryKind::Field, tier).insert(snippet).detail(detail).doc(f.doc.as_deref())
}

/// The innermost card or part around an offset.
fn innermost(card: &ast::Card, at: u32) -> Option<&ast::Card> {
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let parts = lines.iter().filter_map(|l| match l {
        Line::Part(p) | Line::Entry { card: p, .. } => Some(p),
        _ => None,
    });
    for part in parts {
        // the marker may itself look like the start of a part
        if part.block.as_ref().is_some_and(|b| b.span.start < at && at < b.span.end) {
            return innermost(part, at);
        }
    }
    Some(card)
}

fn given(card: &ast::Card) -> Vec<&str> {
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let names = lines.iter().filter_map(|l| match l {
        Line::Field { name, .. } => Some(&*name.text),
        Line::Part(p) if p.name.is_none() => Some(&*p.word.text),
        _ => None,
    });
    names.collect()
}

/// Keys of the fields that the card it builds on gives.
fn inherited(place: &Place<'_>, base: &str) -> Vec<String> {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let Some(found) = find(db, universe, &place.module, base, &[DeclKind::Card]) else { return Vec::new() };
    match &elaborate(db, universe, found.item).hir {
        hir::Item::Card(card) => card.values.iter().map(|(key, _)| key.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Modifiers of what is granted to, keywords, rules.
pub(crate) fn grant_lines(place: &Place<'_>, ty: &Ty, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    if let Ty::Kind(key) = skeleton::bare(ty)
        && let Some(info) = kind_by_key(db, universe, key)
    {
        for f in &info.fields {
            let snippet = match skeleton::bare(&f.ty) {
                Ty::Int(_) | Ty::Target(_) | Ty::Fraction | Ty::Dice | Ty::Pair(_) => format!("{} ${{1:+1}}", f.name),
                Ty::Length(_) => {
                    let sign = super::values::signs(place).into_iter().next().unwrap_or_default();
                    format!("{} ${{1:+1{sign}}}", f.name)
                }
                Ty::Bool | Ty::Enum(_) => format!("{} = $1", f.name),
                Ty::Set(t) | Ty::List(t) if **t != Ty::Keyword => format!("{} +[$1]", f.name),
                _ => continue,
            };
            let tier = match f.role {
                FieldRole::Plain => 0,
                FieldRole::State => 3,
                _ => 2,
            };
            let entry = Entry::new(f.name.as_str(), EntryKind::Field, tier).insert(snippet);
            out.push(entry.detail(describe::field_type(place.ide, f)).doc(f.doc.as_deref()));
        }
        names::keywords(place, Some(key), 1, out);
    }
    for (word, snippet, doc) in RULES.iter().filter(|(w, ..)| *w != "grant") {
        out.push(Entry::new(*word, EntryKind::Phrase, 4).insert(*snippet).detail(*doc));
    }
}
