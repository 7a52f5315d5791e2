//! Names: declared ones, known and not yet known; the fields of things.

use std::collections::HashMap;

use banneret_compiler::elaborate::{Scene, outline};
use banneret_compiler::items::{DeclKind, parse};
use banneret_compiler::language::FUNCTIONS;
use banneret_compiler::names::{Found, ModuleName, PRELUDE, Wanted, lookup, module_names, modules, short, visible};
use banneret_compiler::signature::{by_key, kind_by_key, kind_info};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{self, FieldRole, Line};
use banneret_grammar::split;
use smol_str::SmolStr;

use super::Place;
use super::entry::{Entry, EntryKind, Import};
use super::skeleton::bare;
use crate::ide::{describe, sums};

/// Calls `each` with every declaration that can be seen, nearest module first, and how far its module is: 0 own, 1 used, 2 prelude.
pub(crate) fn visible_names<'a>(place: &Place<'a>, mut each: impl FnMut(&'a Found<'a>, u32)) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    for module in visible(db, universe, ModuleName::new(db, place.module.clone())) {
        let far = if *module == place.module {
            0
        } else if module == PRELUDE {
            2
        } else {
            1
        };
        for entry in &module_names(db, universe, ModuleName::new(db, module.clone())).entries {
            for found in &entry.found {
                each(found, far);
            }
        }
    }
}

/// The same for modules that a `use` would make known.
pub(crate) fn unknown_names<'a>(place: &Place<'a>, mut each: impl FnMut(&'a Found<'a>, &Import)) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let seen = visible(db, universe, ModuleName::new(db, place.module.clone()));
    let all = modules(db, universe);
    // other rule systems are only offered where no rule system is used yet
    let has_rules = seen.iter().any(|m| !m.starts_with('@') && m != PRELUDE);
    let mut others: Vec<&SmolStr> = all.keys().filter(|m| !seen.contains(m) && *m != "@" && (m.starts_with('@') || !has_rules)).collect();
    others.sort();
    for module in others {
        let path = module.trim_start_matches('@').to_owned();
        let (at, line) = use_line(place.text, &path);
        let import = Import { module: path, at, line };
        for entry in &module_names(db, universe, ModuleName::new(db, module.clone())).entries {
            for found in &entry.found {
                each(found, &import);
            }
        }
    }
}

/// Where a `use` goes: behind the last one, else at the top.
fn use_line(text: &str, path: &str) -> (u32, String) {
    let last = split(text).into_iter().take_while(|c| c.text(text).starts_with("use ")).last();
    match last {
        Some(chunk) => (chunk.end, format!("\nuse {path}")),
        None => (0, format!("use {path}\n\n")),
    }
}

/// Names declared as one of some kinds.
pub(crate) fn declared(place: &Place<'_>, kinds: &[DeclKind], scene: &Scene, out: &mut Vec<Entry>) {
    if kinds == [DeclKind::Keyword] {
        let on = match (&scene.part, &scene.this) {
            (Some(Ty::Kind(k)), _) | (None, Some(Ty::Kind(k))) => Some(k.clone()),
            _ => None,
        };
        return keywords(place, on.as_ref(), 0, out);
    }
    if kinds == [DeclKind::Card] {
        let want = match scene.part.as_ref().or(scene.this.as_ref()) {
            Some(Ty::Kind(k)) => k.clone(),
            _ => SmolStr::default(),
        };
        return cards(place, &want, 0, out);
    }
    of_kinds(place, kinds, 0, out);
    if kinds.contains(&DeclKind::Define) && kinds.contains(&DeclKind::Table) {
        functions(1, out);
    }
    if kinds.contains(&DeclKind::Phase) && place.line.trim_end().ends_with("per") {
        out.push(Entry::new("game", EntryKind::Phase, 0).detail("the whole game"));
    }
}

/// Names of some kinds, as they are written.
pub(crate) fn of_kinds(place: &Place<'_>, kinds: &[DeclKind], tier: u32, out: &mut Vec<Entry>) {
    // scopes are phases first: `until end of round`
    let phases_first = kinds.first() == Some(&DeclKind::Phase);
    visible_names(place, |found, far| {
        if kinds.contains(&found.kind) && place.could(short(&found.key)) {
            let card = kinds.len() > 1 && found.kind == DeclKind::Card;
            let later = u32::from(phases_first && found.kind != DeclKind::Phase || card) * 3;
            let far = if matches!(found.kind, DeclKind::Action | DeclKind::Phase) { far / 2 } else { far };
            out.push(entry(place, found, tier + far + later));
        }
    });
    unknown_names(place, |found, import| {
        if kinds.contains(&found.kind) && !matches!(found.kind, DeclKind::Member | DeclKind::Noun) && place.could(short(&found.key)) {
            out.push(imported(entry(place, found, tier + 6), import));
        }
    });
}

fn imported(mut entry: Entry, import: &Import) -> Entry {
    entry.detail = format!("{} (adds `use {}`)", entry.detail, import.module).trim().to_owned();
    entry.import = Some(import.clone());
    entry
}

/// A declaration as it is written where a value or a name is wanted.
pub(crate) fn entry(place: &Place<'_>, found: &Found<'_>, tier: u32) -> Entry {
    let name = short(&found.key);
    let ide = place.ide;
    let kind = match found.kind {
        DeclKind::Card => EntryKind::Card,
        DeclKind::Kind | DeclKind::Word => EntryKind::Kind,
        DeclKind::Enum | DeclKind::Also => EntryKind::Type,
        DeclKind::Member => EntryKind::Member,
        DeclKind::Action => EntryKind::Action,
        DeclKind::Phase => EntryKind::Phase,
        DeclKind::Keyword => EntryKind::Keyword,
        DeclKind::Define | DeclKind::Fact | DeclKind::Table | DeclKind::Noun => EntryKind::Term,
        DeclKind::Option | DeclKind::Resource => EntryKind::Option,
        DeclKind::Ruleset => EntryKind::Module,
        DeclKind::Length => EntryKind::Value,
    };
    let mut out = Entry::new(name, kind, tier);
    match found.kind {
        DeclKind::Define | DeclKind::Fact | DeclKind::Table => {
            let sig = describe::signature(ide, found);
            let wanted: Vec<String> = sig.params.iter().filter(|p| !p.optional).map(|p| p.name.to_string()).collect();
            if !wanted.is_empty() && sig.on.is_none() {
                let stops: Vec<String> = wanted.iter().enumerate().map(|(i, n)| format!("${{{}:{n}}}", i + 1)).collect();
                out.insert = format!("{name}({})", stops.join(", "));
            }
            out.detail = describe::shape(sig, found.kind);
        }
        DeclKind::Noun => out.detail = format!("all {name} in play"),
        DeclKind::Card => {
            out.detail = found.of.clone().unwrap_or_default().to_string();
            out.card = Some(found.key.clone());
        }
        DeclKind::Member => out.detail = found.of.clone().unwrap_or_default().to_string(),
        DeclKind::Action | DeclKind::Phase => out.detail = describe::shape(describe::signature(ide, found), found.kind),
        _ => {}
    }
    if !matches!(found.kind, DeclKind::Card | DeclKind::Member | DeclKind::Noun | DeclKind::Option | DeclKind::Length | DeclKind::Resource)
    {
        out.doc = by_key(ide.db, ide.universe, &found.key, &[found.kind]).and_then(|f| describe::doc(ide, f.item));
    }
    out
}

/// So many numbers of a card are told beside its name.
const NUMBERS: usize = 4;

/// Tells the numbers that a card must say, beside its word: `unit: points 18, health 10`.
pub(crate) fn numbered(place: &Place<'_>, entry: &mut Entry) {
    let ide = place.ide;
    let Some(found) = entry.card.as_ref().and_then(|key| by_key(ide.db, ide.universe, key, &[DeclKind::Card])) else { return };
    let numbers: Vec<String> = sums::numbers(ide, found.item).into_iter().take(NUMBERS).map(|(field, n)| format!("{field} {n}")).collect();
    let word = found.of.as_deref().unwrap_or("");
    if let Some(rest) = entry.detail.strip_prefix(word).filter(|_| !numbers.is_empty()) {
        entry.detail = format!("{word}: {}{rest}", numbers.join(", "));
    }
}

/// Keywords that fit a kind, with a place for their number.
pub(crate) fn keywords(place: &Place<'_>, on: Option<&SmolStr>, tier: u32, out: &mut Vec<Entry>) {
    let ide = place.ide;
    let fits = |found: &Found<'_>| {
        let sig = describe::signature(ide, found);
        match (&sig.on, on) {
            (Some(wanted), Some(kind)) => kind_by_key(ide.db, ide.universe, kind).is_some_and(|k| k.is_a(wanted)),
            _ => true,
        }
    };
    let numbered = |found: &Found<'_>, tier: u32| {
        let mut entry = entry(place, found, tier);
        let sig = describe::signature(ide, found);
        if !sig.params.is_empty() {
            entry.insert = format!("{} ${{1:1}}", entry.label);
            entry.detail = describe::shape(sig, DeclKind::Keyword);
        }
        entry
    };
    visible_names(place, |found, far| {
        if found.kind == DeclKind::Keyword && fits(found) {
            out.push(numbered(found, tier + far));
        }
    });
    unknown_names(place, |found, import| {
        if found.kind == DeclKind::Keyword && fits(found) {
            out.push(imported(numbered(found, tier + 6), import));
        }
    });
}

/// So many cards are offered at most; whoever wants another one types a letter of it.
const CARDS: usize = 2_000;

/// Cards of a kind; of any kind if none is named.
pub(crate) fn cards(place: &Place<'_>, want: &SmolStr, tier: u32, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    // the kind of a card is that of its word, in its own module
    let mut known: HashMap<(SmolStr, SmolStr), bool> = HashMap::new();
    let mut fits = |found: &Found<'_>| {
        let Some(word) = &found.of else { return false };
        *known.entry((found.module.clone(), word.clone())).or_insert_with(|| {
            let words = lookup(db, universe, Wanted::new(db, found.module.clone(), word.clone()));
            let info = words.iter().find(|f| f.kind == DeclKind::Word).map(|f| kind_info(db, universe, f.item));
            info.is_some_and(|k| want.is_empty() || k.is_a(want))
        })
    };
    let mut room = CARDS;
    let mut wanted = |found: &Found<'_>| {
        let wanted = room > 0 && found.kind == DeclKind::Card && place.could(short(&found.key)) && fits(found);
        room -= usize::from(wanted);
        wanted
    };
    // cards are mostly built on templates
    let on_template = super::last_word(place.line) == "from";
    visible_names(place, |found, far| {
        if wanted(found) {
            let is_template = |line: &str| line.split('{').next().is_some_and(|head| head.trim_end().ends_with(" template"));
            let whole = on_template && !found.item.text(db).lines().any(is_template);
            out.push(entry(place, found, tier + far + u32::from(whole)));
        }
    });
    unknown_names(place, |found, import| {
        if wanted(found) {
            out.push(imported(entry(place, found, tier + 6), import));
        }
    });
}

pub(crate) fn functions(tier: u32, out: &mut Vec<Entry>) {
    for (name, shape) in FUNCTIONS {
        let inside = shape.split_once('(').and_then(|(_, r)| r.strip_suffix(')')).unwrap_or("");
        let stops: Vec<String> =
            inside.split(", ").filter(|a| !a.is_empty()).enumerate().map(|(i, a)| format!("${{{}:{}}}", i + 1, a.to_lowercase())).collect();
        out.push(Entry::new(*name, EntryKind::Function, tier).insert(format!("{name}({})", stops.join(", "))).detail(*shape));
    }
}

/// What can stand behind a dot.
pub(crate) fn members(place: &Place<'_>, of: &Ty, card: Option<&str>, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    match bare(of) {
        Ty::Pair(t) => {
            for half in ["x", "y"] {
                out.push(Entry::new(half, EntryKind::Field, 0).detail(describe::ty(t)));
            }
        }
        Ty::Event(action) => event_members(place, action, out),
        Ty::Kind(key) => {
            let Some(info) = kind_by_key(db, universe, key) else { return };
            // what changes in play is what sentences and expectations are about
            let expects = place.line.trim_start().starts_with("expect ");
            let first = if expects || place.line.trim_end().ends_with('.') && starts_line(place.line) {
                FieldRole::State
            } else {
                FieldRole::Plain
            };
            if let Some(card) = card {
                named_parts(place, card, if expects { 2 } else { 0 }, out);
            }
            for f in &info.fields {
                let tier = if f.role == first { 1 } else { 2 };
                let entry = Entry::new(f.name.as_str(), EntryKind::Field, tier);
                out.push(entry.detail(describe::field_type(place.ide, f)).doc(f.doc.as_deref()));
            }
            for part in info.parts.iter().filter_map(|p| kind_by_key(db, universe, p)) {
                out.push(Entry::new(part.plural.as_str(), EntryKind::Part, 2).detail(format!("list of {}", part.name)));
            }
            let mut fixed =
                vec![("controller", "the player who controls it"), ("owner", "the player it belongs to"), ("name", "its title")];
            if info.roles.piece {
                fixed.push(("place", "where it stands"));
            }
            if info.roles.part {
                fixed.insert(0, ("holder", "the card it is a part of"));
            }
            for (word, detail) in fixed {
                out.push(Entry::new(word, EntryKind::Field, 3).detail(detail));
            }
        }
        _ => {}
    }
}

/// Whether the line so far is one word and a dot.
fn starts_line(line: &str) -> bool {
    line.trim().trim_end_matches('.').chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The parts of a card, by their names.
fn named_parts(place: &Place<'_>, card: &str, tier: u32, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let Some(found) = by_key(db, universe, card, &[DeclKind::Card]) else { return };
    let ast::ItemKind::Card(c) = &parse(db, found.item).item.kind else { return };
    for line in c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default() {
        if let Line::Part(p) = line
            && let Some(name) = &p.name
        {
            out.push(Entry::new(&*name.text, EntryKind::Part, tier).detail(&*p.word.text));
        }
    }
    let base = c.from.as_ref().and_then(|b| banneret_compiler::signature::find(db, universe, &found.module, &b.text, &[DeclKind::Card]));
    if let Some(base) = base.filter(|b| b.key != card && out.len() < 200) {
        named_parts(place, &base.key, tier, out);
    }
}

/// The values of an action's event.
pub(crate) fn event_members(place: &Place<'_>, action: &str, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let Some(found) = by_key(db, universe, action, &[DeclKind::Action, DeclKind::Phase]) else { return };
    let sig = describe::signature(place.ide, found);
    let params = sig.params.iter().map(|p| (p.name.clone(), p.ty.clone()));
    for (name, ty) in params.chain(outline(db, universe, found.item).bound.iter().cloned()) {
        out.push(Entry::new(name.as_str(), EntryKind::Field, 0).detail(describe::ty(&ty)));
    }
}
