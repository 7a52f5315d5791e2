//! Cards that build on another: `unit Veteran from Guard`.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, Missing};
use crate::hir::{self, CardValue, Key};
use crate::items::{DeclKind, Item};
use crate::key::member_key;
use crate::limits::PlainValue;
use crate::names::{Found, Wanted, lookup, short};
use crate::signature::KindInfo;
use crate::ty::Ty;

use super::Cx;
use super::card::{bare, line_word};

impl<'db> Cx<'db> {
    /// Starts from another card of the same kind. False if that could not be done.
    pub(super) fn inherit(&mut self, from: &ast::Word, info: &KindInfo, card: &mut hir::Card) -> bool {
        let Some(found) = self.find_word(from, &[DeclKind::Card]) else {
            let d = Diagnostic::error("unknown-name", from.span, format!("There is no {} called `{}` to build on.", info.name, from.text))
                .missing(Missing::Card(info.key.clone()));
            let d = self.suggest(d, &from.text, from.span, &[], &|k| k == DeclKind::Card);
            self.report(d);
            return false;
        };
        if let Some(circle) = self.circle(found) {
            let place = |i: &Item<'db>| (i.file(self.db).path(self.db), i.start(self.db));
            // one message for all who are in it
            if circle.iter().min_by_key(|i| place(i)).copied() == Some(self.item) {
                self.report(
                    Diagnostic::error("card-cycle", from.span, format!("{} would build on itself.", card.name))
                        .help("Let one of them stand alone: leave its `from …` out."),
                );
            }
            return false;
        }
        if let Ty::Kind(kind) = self.card_ty(found)
            && kind != info.key
        {
            self.report(
                Diagnostic::error("wrong-type", from.span, format!("{} is a {}, not a {}.", from.text, short(&kind), info.name))
                    .help("A card builds on a card of its own kind."),
            );
            return false;
        }
        let hir::Item::Card(base) = &super::elaborate(self.db, self.universe, found.item).hir else { return false };
        let of = base.key.clone();
        card.values = base.values.clone();
        card.values_of = base.values_of.clone();
        for (field, _) in &base.values {
            if !card.values_of.iter().any(|(known, _)| known == field) {
                card.values_of.push((field.clone(), of.clone()));
            }
        }
        card.keywords = base.keywords.clone();
        card.rules = base.rules.clone();
        card.parts = base.parts.iter().map(|p| rekeyed(p, &card.key)).collect();
        card.rows = base.rows.clone();
        card.says = base.says.clone();
        card.todos = base.todos.clone();
        for rule in &mut card.rules {
            rule.of.get_or_insert_with(|| of.clone());
        }
        for part in card.parts.iter_mut().chain(card.rows.iter_mut().map(|(_, _, row)| row)) {
            part.of.get_or_insert_with(|| of.clone());
        }
        self.is_error_free(found, info)
    }

    /// A field that is written although the card builds on another has another value than there.
    pub(super) fn changes_something(&mut self, at: Span, name: &str, field: &Key, value: &CardValue, card: &hir::Card) {
        let Some((_, base)) = card.values_of.iter().find(|(known, _)| known == field) else { return };
        let inherited = card.values.iter().find(|(known, _)| known == field).and_then(|(_, value)| PlainValue::of(value));
        // of an effect or a choice it is not known what it comes to
        if inherited.is_some_and(|old| old != PlainValue::Code && Some(old) == PlainValue::of(value)) {
            let words = format!("{} has the same `{name}`, so this changes nothing.", short(base));
            self.report(Diagnostic::warning("changes-nothing", at, words).help("Leave it out, or write what is different here."));
        }
    }

    /// The cards from a base on that build on each other, if they end in a circle. A circle that this card only leads into is none of its business.
    fn circle(&self, base: &Found<'db>) -> Option<Vec<Item<'db>>> {
        let (mut met, mut order) = (FxHashSet::default(), Vec::new());
        let mut at = base.item;
        while met.insert(at) {
            order.push(at);
            let wanted = Wanted::new(self.db, at.file(self.db).module(self.db).clone(), at.base(self.db).clone()?);
            at = lookup(self.db, self.universe, wanted).iter().find(|f| f.kind == DeclKind::Card)?.item;
        }
        let start = order.iter().position(|item| *item == at)?;
        Some(order.split_off(start))
    }
}

/// Does a line of a card change what its words have to tell?
pub(super) fn changes_rules(line: &Line, info: &KindInfo) -> bool {
    let word = line_word(line);
    let told = || info.field(word).is_some_and(|f| matches!(bare(&f.ty), Ty::Effect(_) | Ty::Rules | Ty::Choice(_)));
    matches!(line, Line::Todo { .. }) || Cx::is_rule(line) || word == "keywords" || told()
}

/// A part of a base card, as a part of the card that builds on it.
fn rekeyed(part: &hir::Card, holder: &str) -> hir::Card {
    let mut part = part.clone();
    part.key = member_key(holder, &part.name);
    let key = part.key.clone();
    part.parts = part.parts.iter().map(|p| rekeyed(p, &key)).collect();
    part
}
