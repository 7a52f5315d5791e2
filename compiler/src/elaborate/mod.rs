//! From an item's views to its meaning: names resolved, types settled, mistakes told.
//!
//! One item at a time. What is seen of other items comes through `signature` and `outline`, so that an edit inside one item touches no other.

mod action;
mod advice;
mod assign;
mod builtin;
mod cache;
mod card;
mod choose;
mod coerce;
mod cx;
mod emit;
mod expr;
mod face;
mod field_access;
mod grant;
mod inherit;
mod keyword_list;
mod kind;
mod literal;
mod name;
mod narrow;
mod other_items;
mod pattern;
mod refused;
mod rule;
mod run;
mod scaling;
mod selector;
mod stmt;
mod table;
mod template;
mod test;
mod the_one;
mod typos;
mod watch;

use banneret_grammar::SyntaxError;
use banneret_grammar::ast::ItemKind;
use smol_str::SmolStr;

use crate::chains::refusal;
use crate::db::Universe;
use crate::diagnostic::Diagnostic;
use crate::hir::{self, Key};
use crate::items::{Item, ParsedItem, is_card, parse, parse_now};
use crate::ty::Ty;

pub(crate) use choose::stored_choice;
pub(crate) use coerce::with_capital_article;
pub use cx::Cx;
pub(crate) use stmt::first_line;
pub(crate) use the_one::is_through_the;
pub use watch::{Asked, MARKER, Meaning, Probe, Scene};

/// What other items may see of a body: the result, and the fields a head binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub result: Ty,
    pub bound: Vec<(SmolStr, Ty)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elaborated {
    pub hir: hir::Item,
    /// What is wrong with its syntax.
    pub errors: Vec<SyntaxError>,
    /// It could be read at all.
    pub readable: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// Keys of everything the item names, each once.
    pub uses: Vec<Key>,
    /// Actions it calls, sorted.
    pub calls: Vec<Key>,
    /// Actions its rules wait for, and where that is said.
    pub waits: Vec<(Key, banneret_grammar::span::Span, hir::Waiting)>,
    pub outline: Outline,
    /// Options a `use … with` sets.
    pub settings: Vec<(Key, hir::Expr)>,
    /// What each word was taken for, in the order they were looked up: for editors, which would have to elaborate the item again to know it.
    pub seen: Box<[(banneret_grammar::span::Span, Meaning)]>,
    /// The types of names of this item alone, by where they are declared.
    pub locals: Box<[(banneret_grammar::span::Span, Ty)]>,
}

fn in_a_cycle<'db>(_db: &'db dyn salsa::Database, _id: salsa::Id, _universe: Universe, _item: Item<'db>) -> Elaborated {
    nothing()
}

/// What an item comes to that means nothing.
fn nothing() -> Elaborated {
    Elaborated {
        hir: hir::Item::Nothing,
        errors: Vec::new(),
        readable: true,
        diagnostics: Vec::new(),
        uses: Vec::new(),
        calls: Vec::new(),
        waits: Vec::new(),
        outline: Outline { result: Ty::Error, bound: Vec::new() },
        settings: Vec::new(),
        seen: Box::default(),
        locals: Box::default(),
    }
}

fn outline_in_a_cycle<'db>(_db: &'db dyn salsa::Database, _id: salsa::Id, _universe: Universe, _item: Item<'db>) -> Outline {
    Outline { result: Ty::Error, bound: Vec::new() }
}

/// What an item means, worked out once: checks, words, faces, limits and bytecode are all made from this.
#[salsa::tracked(cycle_initial = in_a_cycle)]
pub fn elaborate<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Elaborated {
    match is_card(db, item) {
        // cards are many, and after this hardly anybody looks at their trees
        true => elaborate_text(db, universe, item, &parse_now(db, item)),
        false => elaborate_text(db, universe, item, parse(db, item)),
    }
}

/// The same of another text than the item's own, without keeping it.
pub(crate) fn elaborate_text<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, parsed: &ParsedItem) -> Elaborated {
    if let Some(told) = refusal(db, universe, item) {
        return Elaborated { diagnostics: told.into_iter().collect(), ..nothing() };
    }
    elaborate_in(Cx::new(db, universe, item), parsed).0
}

/// The same of a text with the marker in it: what could stand there.
pub fn probed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, parsed: &ParsedItem) -> Option<Probe> {
    let mut cx = Cx::new(db, universe, item);
    cx.watching.marked = true;
    elaborate_in(cx, parsed).1
}

/// What a person would call a type, seen from an item.
pub(crate) fn type_in_words<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, ty: &Ty) -> String {
    Cx::new(db, universe, item).ty_words(ty)
}

fn elaborate_in(mut cx: Cx<'_>, parsed: &ParsedItem) -> (Elaborated, Option<Probe>) {
    cx.broken = parsed.errors.iter().map(|e| e.span).collect();
    let mut outline = Outline { result: Ty::Nothing, bound: Vec::new() };
    let mut settings = Vec::new();
    let hir = match &parsed.item.kind {
        ItemKind::Use(u) => {
            settings = cx.use_item(u);
            hir::Item::Nothing
        }
        ItemKind::Ruleset(r) => cx.ruleset(r),
        ItemKind::Enum(e) => cx.enum_item(e),
        ItemKind::Kind(k) => cx.kind_item(k),
        ItemKind::Define(d) => cx.define(d, &mut outline),
        ItemKind::Fact(f) => cx.fact(f, &mut outline),
        ItemKind::Table(t) => cx.table_item(t, &mut outline),
        ItemKind::Action(a) => {
            // what a broken first line would have named is not missing
            if cx.broken.iter().any(|e| e.start < a.block.span.start) {
                cx.lose(banneret_grammar::span::Span::new(0, a.block.span.start));
            }
            cx.action(a, &mut outline)
        }
        ItemKind::Keyword(k) => cx.keyword(k),
        ItemKind::Limit(l) => cx.limit(l),
        ItemKind::Face(f) => cx.face(f),
        ItemKind::Test(t) => cx.test(t),
        ItemKind::Rule(line) => cx.global_rule(line),
        ItemKind::Card(c) => cx.card(c),
        ItemKind::Broken => hir::Item::Nothing,
    };
    let mut calls = std::mem::take(&mut cx.calls);
    let mut waits = std::mem::take(&mut cx.waits);
    if matches!(hir, hir::Item::Test(_)) {
        // what a test gives lasts as long as the test does
        waits.clear();
    }
    let watch = std::mem::take(&mut cx.watching);
    calls.sort();
    calls.dedup();
    let (diagnostics, uses) = cx.finish();
    let readable = !matches!(parsed.item.kind, ItemKind::Broken);
    (
        Elaborated {
            // a copy has no room left to grow in: of a large project this is most of what is kept
            hir: hir.clone(),
            errors: parsed.errors.clone(),
            readable,
            diagnostics,
            uses,
            calls,
            waits,
            outline,
            settings,
            seen: watch.seen.into(),
            locals: watch.locals.into(),
        },
        watch.probe,
    )
}

/// The part of an elaboration that others depend on: equal while the item's face is equal.
#[salsa::tracked(cycle_initial = outline_in_a_cycle)]
pub fn outline<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Outline {
    elaborate(db, universe, item).outline.clone()
}
