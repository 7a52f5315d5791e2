//! A part or a field of a card, read without the card it stands on.

use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::parse_item;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::Universe;
use crate::hir::{self, CardValue, Key};
use crate::items::DeclKind;
use crate::signature::{FieldInfo, KindInfo};
use crate::ty::Ty;

use super::Cx;
use super::card::{GENERAL, bare, is_needed};

/// A part with nothing wrong in it, and what it names. Its key is its name.
pub(crate) struct Alone {
    pub card: hir::Card,
    pub uses: Vec<Key>,
    pub calls: Vec<Key>,
    pub waits: Vec<(Key, Span)>,
}

/// Reads a part of a card that starts with some word. None if anything is wrong with it, or if it has to be read with its card.
pub(crate) fn part_alone<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    word: &str,
    text: &'db str,
) -> Option<Alone> {
    let parsed = parse_item(text);
    let ItemKind::Card(part) = &parsed.item.kind else { return None };
    let stands_alone = part.from.is_none() && part.of.is_none() && part.template.is_none();
    if !parsed.errors.is_empty() || !stands_alone {
        return None;
    }
    let mut cx = Cx::of_text(db, universe, module.clone(), text);
    let holder = cx.kind_meant(word)?;
    let name = SmolStr::new(&part.name.as_ref()?.text);
    // a name that is a field's as well may be given twice
    if holder.field(&part.word.text).is_some() || holder.field(&name).is_some() || GENERAL.contains(&name.as_str()) {
        return None;
    }
    cx.this = Some(Ty::Kind(holder.key.clone()));
    let kind = cx.part_kind(part, holder)?;
    cx.uses(&kind.key);
    let card = cx.card_body(part, kind, name.clone(), name, Some(holder));
    cx.does_something(part, kind, &card);
    if cx.asked_for_card.get() {
        return None;
    }
    let (mut calls, waits) = (std::mem::take(&mut cx.calls), std::mem::take(&mut cx.waits));
    calls.sort();
    calls.dedup();
    let (diagnostics, uses) = cx.finish();
    diagnostics.is_empty().then_some(Alone { card, uses, calls, waits })
}

/// A field with nothing wrong in it, and what it names.
pub(crate) struct AloneField {
    pub key: Key,
    pub value: CardValue,
    pub uses: Vec<Key>,
}

/// Reads the only field of a card. None if anything is wrong with it, or if it may have to be read with the rest of its card.
pub(crate) fn field_alone<'db>(db: &'db dyn salsa::Database, universe: Universe, module: &SmolStr, card: &'db str) -> Option<AloneField> {
    let parsed = parse_item(card);
    let ItemKind::Card(around) = &parsed.item.kind else { return None };
    let [Line::Field { name, binds: None, value, .. }] = around.block.as_ref()?.lines.as_slice() else { return None };
    if !parsed.errors.is_empty() {
        return None;
    }
    let mut cx = Cx::of_text(db, universe, module.clone(), card);
    let kind = cx.kind_meant(&around.word.text)?;
    cx.this = Some(Ty::Kind(kind.key.clone()));
    let (key, value) = cx.constant_field(name, value, kind)?;
    let asked = cx.asked_for_card.get();
    let (diagnostics, uses) = cx.finish();
    (diagnostics.is_empty() && !asked).then_some(AloneField { key, value, uses })
}

/// What a card says before its block, with nothing wrong in it.
pub(crate) struct AloneHead {
    pub kind: Key,
    pub values: Vec<(Key, CardValue)>,
    /// Fields that a card with this head must give.
    pub needs: Vec<Key>,
    pub uses: Vec<Key>,
}

/// Reads a card that holds nothing. None if anything is wrong with it besides that, or if there is more to such cards than fields and parts.
pub(crate) fn head_alone<'db>(db: &'db dyn salsa::Database, universe: Universe, module: &SmolStr, card: &'db str) -> Option<AloneHead> {
    let parsed = parse_item(card);
    let ItemKind::Card(empty) = &parsed.item.kind else { return None };
    let stands_alone = empty.from.is_none() && empty.template.is_none();
    if !parsed.errors.is_empty() || !stands_alone {
        return None;
    }
    let mut cx = Cx::of_text(db, universe, module.clone(), card);
    let kind = cx.kind_meant(&empty.word.text)?;
    let has_table = kind.fields.iter().any(|field| matches!(field.ty, Ty::Table { .. }));
    if kind.roles.part || has_table {
        return None;
    }
    cx.uses(&kind.key);
    let (values, needs) = cx.head_values(empty, kind);
    let (diagnostics, uses) = cx.finish();
    diagnostics.is_empty().then(|| AloneHead { kind: kind.key.clone(), values, needs, uses })
}

impl<'db> Cx<'db> {
    /// The field and what it holds, if it is a value like others and not something that is read with the rest of its card.
    fn constant_field(&mut self, name: &ast::Word, value: &ast::Expr, info: &KindInfo) -> Option<(Key, CardValue)> {
        let field = info.field(&name.text).filter(|_| !GENERAL.contains(&&*name.text))?;
        let with_the_card = match bare(&field.ty) {
            Ty::Choice(_) | Ty::Effect(_) | Ty::Rules | Ty::Table { .. } => true,
            Ty::Set(inner) | Ty::List(inner) => **inner == Ty::Keyword,
            _ => matches!(field.role, ast::FieldRole::State),
        };
        if with_the_card {
            return None;
        }
        self.uses(&field.key);
        Some((field.key.clone(), self.plain_value(field, value)))
    }

    /// What the words before the block of a card give, and the fields that it still needs.
    fn head_values(&mut self, c: &ast::Card, info: &KindInfo) -> (Vec<(Key, CardValue)>, Vec<Key>) {
        let values: Vec<(Key, CardValue)> = self.belongs(c, info).into_iter().collect();
        let is_given = |field: &FieldInfo| values.iter().any(|(key, _)| *key == field.key);
        let needs = info.fields.iter().filter(|field| is_needed(field) && !is_given(field)).map(|field| field.key.clone()).collect();
        (values, needs)
    }

    /// The kind a card's first word means. That it means none is told elsewhere.
    fn kind_meant(&self, word: &str) -> Option<&'db KindInfo> {
        let found = self.lookup(word).iter().find(|found| found.kind == DeclKind::Word)?;
        self.kind_of_word(found)
    }
}
