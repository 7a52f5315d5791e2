//! Adds a card to the lists of other cards: rosters, decks, armies. Which lists take it is said by the kinds.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::{DeclKind, Item, is_card, items, parse};
use banneret_compiler::names::short;
use banneret_compiler::signature::{KindInfo, find, kind_by_key, kind_info};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{self, ExprKind, FieldRole, ItemKind, Line};
use banneret_grammar::span::Span;

use super::super::words::{self, Parsed, parsed};
use super::super::{Ide, navigate};
use super::Assist;

/// More than anybody reads in a menu.
const MOST: usize = 8;

pub fn joined(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Assist> {
    let Some(words::At { meaning: Meaning::Key(key), .. }) = words::at(ide, file, offset) else { return Vec::new() };
    let Parsed::Whole(_) = parsed(&key) else { return Vec::new() };
    let Some(Ty::Kind(kind)) =
        words::declaration(ide, &key).filter(|f| f.kind == DeclKind::Card).and_then(|_| navigate::type_of(ide, &key))
    else {
        return Vec::new();
    };
    let Some(found) = words::declaration(ide, &key) else { return Vec::new() };
    let (Some(info), module) = (kind_by_key(ide.db, ide.universe, &kind), &found.module) else { return Vec::new() };
    let of = match &parse(ide.db, found.item).item.kind {
        ItemKind::Card(card) if card.template.is_none() => card.of.as_ref().map(|of| of.text.clone()),
        _ => return Vec::new(),
    };
    let mut out = Vec::new();
    let own = ide.universe.files(ide.db).iter().filter(|file| file.module(ide.db) == module);
    for item in own.flat_map(|file| items(ide.db, *file)).filter(|item| **item != found.item && is_card(ide.db, **item)) {
        let ItemKind::Card(card) = &parse(ide.db, *item).item.kind else { continue };
        // what belongs to another faction cannot be in it
        let foreign = matches!((&of, &card.of), (Some(a), Some(b)) if *a != b.text);
        if out.len() < MOST
            && !foreign
            && let Some(edit) = entry(ide, *item, card, info, short(&key))
            && let Some(name) = &card.name
        {
            out.push(Assist {
                title: format!("Add `{}` to `{}`", short(&key), name.text),
                edits: vec![(item.file(ide.db), edit.0.shifted(item.start(ide.db)), edit.1)],
                mends: None,
            });
        }
    }
    out
}

/// What is written into a card so that one of its lists holds another: where in the item, and what.
fn entry(ide: Ide<'_>, item: Item<'_>, card: &ast::Card, joins: &KindInfo, name: &str) -> Option<(Span, String)> {
    let kind = find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &card.word.text, &[DeclKind::Word])?;
    let kind = kind_info(ide.db, ide.universe, kind.item);
    let lists = kind.fields.iter().filter(|f| f.role == FieldRole::Plain);
    let taking = lists.filter(|f| matches!(&f.ty, Ty::List(t) if matches!(&**t, Ty::Kind(k) if joins.is_a(k))));
    let block = card.block.as_ref()?;
    for f in taking {
        let value = block.lines.iter().find_map(|line| match line {
            Line::Field { name, value, .. } if *name.text == *f.name => Some(value),
            _ => None,
        });
        let Some(value) = value else { continue };
        let ExprKind::List(entries) = &value.kind else { continue };
        let text = value.span.of(item.text(ide.db));
        // it is in it already: then how many is the author's business
        if text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name) {
            return None;
        }
        let at = match entries.last() {
            Some(last) => last.value.span.end,
            None => value.span.start + 1,
        };
        let comma = if entries.is_empty() { "" } else { ", " };
        return Some((Span::new(at, at), format!("{comma}{name}")));
    }
    None
}
