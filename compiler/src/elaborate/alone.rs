//! A part of a card, read without the card it stands on.

use banneret_grammar::ast::ItemKind;
use banneret_grammar::parse_item;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::Universe;
use crate::hir::{self, Key};
use crate::ty::Ty;

use super::Cx;
use super::card::GENERAL;

/// A part with nothing wrong in it, and what it names. Its key is its name.
pub(crate) struct Alone {
    pub card: hir::Card,
    pub uses: Vec<Key>,
    pub calls: Vec<Key>,
    pub waits: Vec<(Key, Span)>,
}

/// Reads a part of a card of some kind. None if anything is wrong with it, or if it has to be read with its card.
pub(crate) fn part_alone<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    holder: &str,
    text: &'db str,
) -> Option<Alone> {
    let parsed = parse_item(text);
    let ItemKind::Card(part) = &parsed.item.kind else { return None };
    let stands_alone = part.from.is_none() && part.of.is_none() && part.template.is_none();
    if !parsed.errors.is_empty() || !stands_alone {
        return None;
    }
    let mut cx = Cx::of_text(db, universe, module.clone(), text);
    let holder = cx.kind(holder)?;
    let name = SmolStr::new(&part.name.as_ref()?.text);
    // a name that is a field's as well may be given twice
    if holder.field(&part.word.text).is_some() || holder.field(&name).is_some() || GENERAL.contains(&name.as_str()) {
        return None;
    }
    cx.this = Some(Ty::Kind(holder.key.clone()));
    let kind = cx.part_kind(part, holder)?;
    cx.uses(&kind.key);
    let card = cx.card_body(part, kind, name.clone(), name, Some(holder));
    if cx.asked_for_card.get() {
        return None;
    }
    let (mut calls, waits) = (std::mem::take(&mut cx.calls), std::mem::take(&mut cx.waits));
    calls.sort();
    calls.dedup();
    let (diagnostics, uses) = cx.finish();
    diagnostics.is_empty().then_some(Alone { card, uses, calls, waits })
}
