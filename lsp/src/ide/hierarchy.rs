//! Who uses what, and what builds on what: one step at a time, from declaration to declaration.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::{DeclKind, Item, parse};
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;

use super::outline::{self, Symbol};
use super::references::{implementations, of_key};
use super::{Ide, words};

/// Something declared, where, and the words by which it is reached from the last step.
pub struct Step {
    pub file: SourceFile,
    pub symbol: Symbol,
    pub by: Vec<(SourceFile, Span)>,
}

/// What the word at an offset names, as the start of a chain.
pub fn start(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Step> {
    let (file, span) = words::place(ide, &key(ide, file, offset)?)?;
    step(ide, file, span)
}

/// The items that use what the word at an offset names.
pub fn users(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Step> {
    let Some(key) = key(ide, file, offset) else { return Vec::new() };
    let mut out = Vec::new();
    for site in of_key(ide, &key).into_iter().filter(|site| !site.is_declaration) {
        if let Some(step) = step(ide, site.file, site.span) {
            joined(&mut out, step, (site.file, site.span));
        }
    }
    out
}

/// What the item at an offset makes use of: actions, terms, tables and keywords.
pub fn used(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Step> {
    let Some(item) = ide.item_at(file, offset) else { return Vec::new() };
    let mut out = Vec::new();
    for (span, meaning) in words::of_item(ide, item).seen {
        let Meaning::Key(key) = meaning else { continue };
        let is_deed = |kind: DeclKind| matches!(kind, DeclKind::Action | DeclKind::Define | DeclKind::Table | DeclKind::Keyword);
        if !words::declaration(ide, &key).is_some_and(|found| found.key == key && is_deed(found.kind)) {
            continue;
        }
        let own = |at: SourceFile, place: Span| at == file && ide.item_at(at, place.start) == Some(item);
        let declared = words::place(ide, &key).filter(|(at, place)| !own(*at, *place));
        if let Some(step) = declared.and_then(|(at, place)| step(ide, at, place)) {
            joined(&mut out, step, (file, span.shifted(item.start(ide.db))));
        }
    }
    out
}

/// What the item at an offset is one of: the kinds of a kind, the card that a card builds on, or its kind.
pub fn above(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Step> {
    let Some(item) = ide.item_at(file, offset) else { return Vec::new() };
    let named = match &parse(ide.db, item).item.kind {
        ItemKind::Kind(kind) => kind.is.iter().map(|word| word.span).collect(),
        ItemKind::Card(card) => vec![card.from.as_ref().unwrap_or(&card.word).span],
        _ => Vec::new(),
    };
    let places = named.into_iter().map(|span| span.shifted(item.start(ide.db)));
    places.filter_map(|span| start(ide, file, span.start)).collect()
}

/// What builds on the word at an offset: kinds and cards of a kind, cards that build on a card.
pub fn below(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Step> {
    implementations(ide, file, offset).into_iter().filter_map(|(file, span)| step(ide, file, span)).collect()
}

fn key(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<String> {
    match words::at(ide, file, offset)?.meaning {
        Meaning::Key(key) => Some(key.to_string()),
        Meaning::Local(_) => None,
    }
}

/// The item around a place.
fn step(ide: Ide<'_>, file: SourceFile, place: Span) -> Option<Step> {
    let item: Item<'_> = ide.item_at(file, place.start)?;
    Some(Step { file, symbol: outline::of_item(ide, item)?, by: Vec::new() })
}

fn joined(steps: &mut Vec<Step>, mut step: Step, by: (SourceFile, Span)) {
    match steps.iter_mut().find(|s| s.file == step.file && s.symbol.at == step.symbol.at) {
        Some(known) => known.by.push(by),
        None => {
            step.by.push(by);
            steps.push(step);
        }
    }
}
