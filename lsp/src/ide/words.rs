//! What each word of an item means, and everything that is a declaration.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::{Meaning, elaborate, outline};
use banneret_compiler::items::{DeclKind, Item, declares, is_card, parse};
pub use banneret_compiler::key::{KeyParts as Parsed, key_parts as parsed, last_name as name_of};
use banneret_compiler::names::{Found, key_of, short};
use banneret_compiler::signature::{by_key, find};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Ide;

/// What a name can be declared as, the likeliest meaning of a bare word first.
pub const DECLARED: &[DeclKind] = &[
    DeclKind::Kind,
    DeclKind::Enum,
    DeclKind::Card,
    DeclKind::Keyword,
    DeclKind::Action,
    DeclKind::Phase,
    DeclKind::Define,
    DeclKind::Fact,
    DeclKind::Table,
    DeclKind::Option,
    DeclKind::Ruleset,
];

/// The words of an item with their meanings, in order; spans count from the start of the item.
pub struct Words {
    pub seen: Vec<(Span, Meaning)>,
    /// The types of names of this item alone.
    pub locals: Vec<(Span, Ty)>,
}

pub fn of_item(ide: Ide<'_>, item: Item<'_>) -> Words {
    let meant = elaborate(ide.db, ide.universe, item);
    let mut seen = meant.seen.to_vec();
    seen.extend(declarations(ide, item));
    seen.retain(|(span, _)| is_word(span.of(item.text(ide.db))));
    // what was read twice was first read as it is meant
    seen.sort_by_key(|(span, _)| (span.start, span.end));
    seen.dedup_by(|later, first| later.0 == first.0);
    Words { seen, locals: meant.locals.to_vec() }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The names an item declares, its members, fields and parameters included.
fn declarations(ide: Ide<'_>, item: Item<'_>) -> Vec<(Span, Meaning)> {
    let module = item.file(ide.db).module(ide.db);
    let mut out: Vec<(Span, Meaning)> = Vec::new();
    let mut add = |span: Span, key: String| out.push((span, Meaning::Key(SmolStr::new(key))));
    for decl in declares(ide.db, item) {
        match (decl.kind, &decl.of) {
            (DeclKind::Noun | DeclKind::Word | DeclKind::Length | DeclKind::Also, _) => {}
            (DeclKind::Member, Some(of)) => {
                let owner = find(ide.db, ide.universe, module, of, &[DeclKind::Enum, DeclKind::Option]);
                let owner = owner.map_or_else(|| key_of(module, of), |f| f.key.clone());
                add(decl.span, format!("{owner}.{}", decl.name));
            }
            (DeclKind::Resource, Some(of)) => add(decl.span, format!("{module}/{of}.{}", decl.name)),
            _ => add(decl.span, key_of(module, &decl.name).to_string()),
        }
    }
    // a card declares its name alone, and its tree is not kept
    if is_card(ide.db, item) {
        return out;
    }
    match &parse(ide.db, item).item.kind {
        ItemKind::Kind(kind) => {
            for field in &kind.fields {
                add(field.name.span, format!("{module}/{}.{}", kind.name.text, field.name.text));
            }
        }
        ItemKind::Action(action) => {
            let key = key_of(module, &action.name.text);
            for p in &action.params {
                add(p.param.name.span, format!("{key}@{}", p.param.name.text));
            }
            let bound = &outline(ide.db, ide.universe, item).bound;
            for name in bound_names(&action.block).filter(|n| bound.iter().any(|(b, _)| **b == *n.text)) {
                add(name.span, format!("{key}@{}", name.text));
            }
        }
        _ => {}
    }
    out
}

/// Names that `let` and `choose` lines directly in a block give.
fn bound_names(block: &ast::Block) -> impl Iterator<Item = &ast::Word> {
    block.lines.iter().flat_map(|line| match line {
        Line::Let { names, .. } => names.iter().map(|(n, _)| n).collect(),
        Line::Choose(c) => vec![&c.name],
        _ => Vec::new(),
    })
}

/// The word at an offset of a file.
pub struct At<'a> {
    pub item: Item<'a>,
    /// In the file.
    pub span: Span,
    pub meaning: Meaning,
    /// The type, of a name of this item alone.
    pub ty: Option<Ty>,
}

pub fn at(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<At<'_>> {
    let item = ide.item_at(file, offset)?;
    let start = item.start(ide.db);
    let words = of_item(ide, item);
    let within = offset - start;
    let (span, meaning) = words.seen.into_iter().find(|(s, _)| s.start <= within && within <= s.end)?;
    let ty = match &meaning {
        Meaning::Local(at) => words.locals.into_iter().find(|(s, _)| s == at).map(|(_, t)| t),
        Meaning::Key(_) => None,
    };
    Some(At { item, span: span.shifted(start), meaning, ty })
}

/// The declaration of a whole thing.
pub fn declaration<'a>(ide: Ide<'a>, key: &str) -> Option<&'a Found<'a>> {
    DECLARED.iter().find_map(|kind| by_key(ide.db, ide.universe, key, &[*kind]))
}

/// Where something is declared: file and place.
pub fn place(ide: Ide<'_>, key: &str) -> Option<(SourceFile, Span)> {
    match parsed(key) {
        Parsed::Whole(_) => {
            let found = declaration(ide, key)?;
            let decl = declares(ide.db, found.item).iter().find(|d| d.name == short(key) && d.kind == found.kind)?;
            Some((found.item.file(ide.db), decl.span.shifted(found.item.start(ide.db))))
        }
        Parsed::OfEvent(owner, _) => in_item(ide, declaration(ide, owner)?.item, key),
        Parsed::Inside(owner, name) => {
            let found = declaration(ide, owner)?;
            if found.kind == DeclKind::Card {
                return part(ide, found.item, name);
            }
            // members may be added elsewhere
            in_item(ide, found.item, key).or_else(|| {
                let files = ide.universe.files(ide.db).iter().chain(ide.universe.library(ide.db));
                let also =
                    files.flat_map(|f| banneret_compiler::items::items(ide.db, *f)).filter(|i| i.header(ide.db).starts_with("enum "));
                also.into_iter().find_map(|item| in_item(ide, *item, key))
            })
        }
    }
}

fn in_item(ide: Ide<'_>, item: Item<'_>, key: &str) -> Option<(SourceFile, Span)> {
    let (span, _) = declarations(ide, item).into_iter().find(|(_, m)| matches!(m, Meaning::Key(k) if k == key))?;
    Some((item.file(ide.db), span.shifted(item.start(ide.db))))
}

/// A part of a card by its name; one it only inherits stands in the card it builds on.
fn part(ide: Ide<'_>, item: Item<'_>, name: &str) -> Option<(SourceFile, Span)> {
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    if let Some(part) = card_part(card, name) {
        let span = part.name.as_ref().map_or(part.word.span, |n| n.span);
        return Some((item.file(ide.db), span.shifted(item.start(ide.db))));
    }
    let base = find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &card.from.as_ref()?.text, &[DeclKind::Card])?;
    if base.item == item { None } else { part(ide, base.item, name) }
}

/// `Part` or `Part.Inner` of a card.
pub fn card_part<'c>(card: &'c ast::Card, path: &str) -> Option<&'c ast::Card> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let lines = card.block.as_ref()?.lines.iter();
    let found = lines.filter_map(|l| match l {
        Line::Part(p) | Line::Entry { card: p, .. } => Some(p),
        _ => None,
    });
    let part = found.into_iter().find(|p| p.name.as_ref().is_some_and(|n| &*n.text == first))?;
    match rest {
        Some(rest) => card_part(part, rest),
        None => Some(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_apart_behind_their_module() {
        assert!(matches!(parsed("@a.b/Unit"), Parsed::Whole("@a.b/Unit")));
        assert!(matches!(parsed("@a.b/Unit.health"), Parsed::Inside("@a.b/Unit", "health")));
        assert!(matches!(parsed("prelude/move@what"), Parsed::OfEvent("prelude/move", "what")));
        assert_eq!(name_of("@/Card.Part.Inner"), "Inner");
        assert_eq!(name_of("@/Card"), "Card");
    }
}
