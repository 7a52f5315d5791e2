//! Where something is used, and renaming it everywhere.

use banneret_compiler::build::reachable_files;
use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::{Meaning, elaborate};
use banneret_compiler::items::{DeclKind, Item, declares, is_card, items, parse, snake};
use banneret_compiler::key::split_key;
use banneret_compiler::names::short;
use banneret_compiler::signature::kind_by_key;
use banneret_grammar::ast::{ItemKind, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Ide;
use super::words::{self, Parsed, name_of, parsed};

/// A use, or the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub file: SourceFile,
    pub span: Span,
    pub is_declaration: bool,
}

/// Every place that means the same as the word at an offset.
pub fn of_place(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Site> {
    let Some(at) = words::at(ide, file, offset) else { return Vec::new() };
    match &at.meaning {
        Meaning::Local(declared) => local_sites(ide, at.item, *declared),
        Meaning::Key(key) => of_key(ide, key),
    }
}

fn local_sites(ide: Ide<'_>, item: Item<'_>, declared: Span) -> Vec<Site> {
    let (file, start) = (item.file(ide.db), item.start(ide.db));
    let all = words::of_item(ide, item).seen.into_iter().filter(|(_, m)| *m == Meaning::Local(declared));
    all.map(|(span, _)| Site { file, span: span.shifted(start), is_declaration: span == declared }).collect()
}

/// Every place of a name that one item alone knows.
pub fn of_local(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Site> {
    match words::at(ide, file, offset) {
        Some(words::At { item, meaning: Meaning::Local(declared), .. }) => local_sites(ide, item, declared),
        _ => Vec::new(),
    }
}

/// The same in this file alone.
pub fn in_file(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Site> {
    let Some(at) = words::at(ide, file, offset) else { return Vec::new() };
    let key = match &at.meaning {
        Meaning::Local(declared) => return local_sites(ide, at.item, *declared),
        Meaning::Key(key) => key,
    };
    let declared = words::place(ide, key);
    let mut out = Vec::new();
    for item in items(ide.db, file).iter().filter(|item| may_name(ide, **item, key)) {
        let start = item.start(ide.db);
        let same = words::of_item(ide, *item).seen.into_iter().filter(|(_, m)| matches!(m, Meaning::Key(k) if k == key));
        out.extend(same.map(|(span, _)| {
            let span = span.shifted(start);
            Site { file, span, is_declaration: declared == Some((file, span)) }
        }));
    }
    out
}

/// Every place that means a key, the declaration first.
pub fn of_key(ide: Ide<'_>, key: &str) -> Vec<Site> {
    let declared = words::place(ide, key);
    let mut out: Vec<Site> = declared.map(|(file, span)| Site { file, span, is_declaration: true }).into_iter().collect();
    let name = written_as(ide, key);
    let says = |text: &str| name.is_none_or(|name| text.contains(name));
    for file in reachable_files(ide.db, ide.universe).into_iter().filter(|file| says(file.text(ide.db))) {
        for item in items(ide.db, file) {
            if !says(item.text(ide.db)) || !may_name(ide, *item, key) {
                continue;
            }
            let start = item.start(ide.db);
            for (span, meaning) in words::of_item(ide, *item).seen {
                let site = Site { file, span: span.shifted(start), is_declaration: false };
                if matches!(&meaning, Meaning::Key(k) if k == key) && Some((file, site.span)) != declared {
                    out.push(site);
                }
            }
        }
    }
    out
}

/// The word that stands wherever something is used. Kinds and fields have several forms; to ask every item of a large project takes long.
fn written_as<'k>(ide: Ide<'_>, key: &'k str) -> Option<&'k str> {
    use DeclKind::*;
    let owner = match parsed(key) {
        Parsed::Whole(key) => {
            words::declaration(ide, key).filter(|f| matches!(f.kind, Card | Keyword | Action | Define | Fact | Table | Enum))
        }
        Parsed::Inside(owner, _) => words::declaration(ide, owner).filter(|f| matches!(f.kind, Card | Enum)),
        Parsed::OfEvent(..) => None,
    };
    owner.map(|_| name_of(key))
}

/// Whether it is worth looking into an item: what it uses is known from its check.
fn may_name(ide: Ide<'_>, item: Item<'_>, key: &str) -> bool {
    let meant = elaborate(ide.db, ide.universe, item);
    let used = |key: &str| meant.uses.iter().any(|used| used == key);
    let module = item.file(ide.db).module(ide.db);
    let declares_it = |key: &str| {
        let named = |name: &str| declares(ide.db, item).iter().any(|d| d.name == name);
        split_key(key).is_some_and(|(m, name)| m == module && named(name))
    };
    match parsed(key) {
        Parsed::Whole(key) => used(key) || declares_it(key),
        Parsed::OfEvent(action, _) => used(action) || declares_it(action),
        Parsed::Inside(owner, name) => {
            let whole = used(key) || declares_it(owner);
            // parts are read through their card; members are declared in other items too
            let card = words::declaration(ide, owner).is_some_and(|f| f.kind == DeclKind::Card);
            whole || card && used(owner) || !is_card(ide.db, item) && declares(ide.db, item).iter().any(|d| d.name == name)
        }
    }
}

/// What can be renamed at an offset: where its name stands, and the name.
pub fn renamable(ide: Ide<'_>, file: SourceFile, offset: u32) -> Result<(Span, String), &'static str> {
    if super::navigate::used_file(ide, file, offset).is_some() {
        return Err("A module is called as its folder is: give the folder another name in the editor, and every `use` follows.");
    }
    let at = words::at(ide, file, offset).ok_or("Nothing here has a name that could be changed.")?;
    let text = at.span.of(file.text(ide.db)).to_owned();
    if let Meaning::Key(key) = &at.meaning {
        let (declared, _) = words::place(ide, key).ok_or("Nothing here has a name that could be changed.")?;
        if !ide.universe.files(ide.db).contains(&declared) {
            return Err("This belongs to the rule system, which is not changed from here.");
        }
        if text != name_of(key) {
            return Err("Rename this where it is declared.");
        }
    }
    Ok((at.span, text))
}

/// A place, and what is written there instead.
pub type Renaming = (SourceFile, Span, String);

/// The edits that rename what stands at an offset. Whether the new name is free is not known before it was tried: see [`super::tried::taken`].
pub fn rename(ide: Ide<'_>, file: SourceFile, offset: u32, new: &str) -> Result<Vec<Renaming>, &'static str> {
    let (_, old) = renamable(ide, file, offset)?;
    can_be_name(new)?;
    let kind = words::at(ide, file, offset).and_then(|at| match at.meaning {
        Meaning::Key(key) => kind_by_key(ide.db, ide.universe, &key),
        Meaning::Local(_) => None,
    });
    let mut out = Vec::new();
    for site in of_place(ide, file, offset) {
        if !ide.universe.files(ide.db).contains(&site.file) {
            continue;
        }
        let written = site.span.of(site.file.text(ide.db));
        let text = match kind {
            _ if written == old => new.to_owned(),
            // cards of a kind start with its word, and all of it in play is its plural
            Some(k) if written == k.word => snake(new).to_string(),
            Some(k) if written == k.plural && k.plural == format!("{}s", k.word) => format!("{}s", snake(new)),
            _ => continue,
        };
        out.push((site.file, site.span, text));
    }
    out.dedup();
    Ok(out)
}

/// Whether something can be a name at all.
pub fn can_be_name(new: &str) -> Result<(), &'static str> {
    if !new.starts_with(char::is_alphabetic) || !new.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err("A name is made of letters, digits and `_`, and starts with a letter.");
    }
    if banneret_grammar::words::is_reserved(new) {
        return Err("That is a word of the language; it cannot be a name.");
    }
    Ok(())
}

/// What makes something real: the cards of a kind, those that build on a card, the rules that answer an action.
pub fn implementations(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<(SourceFile, Span)> {
    let Some(words::At { meaning: Meaning::Key(key), .. }) = words::at(ide, file, offset) else { return Vec::new() };
    let Some(found) = words::declaration(ide, &key) else { return Vec::new() };
    let mut out = Vec::new();
    for file in reachable_files(ide.db, ide.universe) {
        for item in items(ide.db, file) {
            let start = item.start(ide.db);
            match found.kind {
                DeclKind::Action | DeclKind::Phase => {
                    let waits = elaborate(ide.db, ide.universe, *item).waits.iter();
                    out.extend(waits.filter(|(action, _, _)| *action == key).map(|(_, span, _)| (file, span.shifted(start))));
                }
                DeclKind::Kind if !is_card(ide.db, *item) => {
                    if let ItemKind::Kind(k) = &parse(ide.db, *item).item.kind
                        && k.is.iter().any(|w| *w.text == *short(&key))
                    {
                        out.push((file, k.name.span.shifted(start)));
                    }
                }
                DeclKind::Kind => out.extend(card_of_kind(ide, *item, &key).map(|span| (file, span.shifted(start)))),
                DeclKind::Card if is_card(ide.db, *item) && may_name(ide, *item, &key) => {
                    if let ItemKind::Card(c) = &parse(ide.db, *item).item.kind
                        && c.from.as_ref().is_some_and(|f| *f.text == *short(&key))
                        && let Some(name) = &c.name
                    {
                        out.push((file, name.span.shifted(start)));
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// The name of an item that is a card of a kind.
fn card_of_kind(ide: Ide<'_>, item: Item<'_>, kind: &str) -> Option<Span> {
    let decl = declares(ide.db, item).iter().find(|d| d.kind == DeclKind::Card)?;
    let info = kind_by_key(ide.db, ide.universe, kind)?;
    if decl.of.as_ref() == Some(&info.word) {
        return Some(decl.span);
    }
    // parts are cards of their kind too
    if !info.roles.part {
        return None;
    }
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let parts = card.block.as_ref()?.lines.iter().filter_map(|l| match l {
        Line::Part(p) => Some(p),
        _ => None,
    });
    parts.into_iter().find(|p| SmolStr::new(&p.word.text) == info.word).and_then(|p| p.name.as_ref()).map(|n| n.span)
}
