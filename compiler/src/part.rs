//! Parts that are written on many cards word for word: a weapon, an ability. What such a part means depends on its text, on the kind of card it
//! stands on and on the names its module sees, so it is found out once for all of them.
//!
//! Only for checking, where nothing is wrong and little of a part is wanted. What editors, packs and printed cards need is still found out
//! card by card.

use banneret_grammar::parts::without;
use banneret_grammar::span::Span;
use banneret_grammar::{Parsed, ast, parse_item};

use crate::check::todos;
use crate::db::Universe;
use crate::elaborate::{Alone, part_alone};
use crate::hir::{self, Key};
use crate::items::{Item, ParsedItem};
use crate::limits::PlainCard;
use crate::names::ModuleName;

/// The text of a part, and all that its meaning depends on besides what it names.
#[salsa::interned(debug)]
pub struct PartText<'db> {
    #[returns(copy)]
    pub universe: Universe,
    #[returns(copy)]
    pub module: ModuleName<'db>,
    /// The kind of the card it stands on.
    #[returns(ref)]
    pub holder: Key,
    #[returns(deref)]
    pub text: Box<str>,
}

/// What a check wants to know of a part. Spans count from its start, and its key is its name.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// As limits see it.
    pub printed: PlainCard,
    /// Keys of what it names, sorted; the actions it calls, and those its rules wait for.
    pub uses: Vec<Key>,
    pub calls: Vec<Key>,
    pub waits: Vec<(Key, Span)>,
    /// How many `todo`s are in it.
    pub todos: usize,
}

/// None if something is wrong with it, or if it has to be read with its card.
#[salsa::tracked]
pub fn part<'db>(db: &'db dyn salsa::Database, text: PartText<'db>) -> Option<Part> {
    let Alone { card, mut uses, calls, waits } =
        part_alone(db, text.universe(db), text.module(db).text(db), text.holder(db), text.text(db))?;
    uses.sort_unstable();
    Some(Part { printed: PlainCard::of(&card)?, uses, calls, waits, todos: todos(text.text(db)) })
}

/// A part that stands on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct PartOf<'db> {
    pub text: PartText<'db>,
    /// Where it starts in the item of the card.
    pub start: u32,
}

impl<'db> PartOf<'db> {
    pub fn part(self, db: &'db dyn salsa::Database) -> Option<&'db Part> {
        part(db, self.text).as_ref()
    }

    /// The part as limits see it, on its card.
    pub fn printed(self, db: &'db dyn salsa::Database, card: &Key) -> Option<hir::Card> {
        Some(self.part(db)?.printed.placed(card, self.start).card())
    }
}

/// What is left of a card that is read in parts. None if it has none that other cards have, if something is wrong with it, or if its parts cannot
/// be read without it.
pub fn rest<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Option<ParsedItem> {
    let parts = item.shared_parts(db);
    if parts.is_empty() {
        return None;
    }
    let Parsed { item, errors } = parse_item(&without(item.text(db), parts));
    let ast::ItemKind::Card(card) = &item.kind else { return None };
    let lines = card.block.as_ref().map(|block| block.lines.as_slice()).unwrap_or_default();
    // parts know the names that a card gives to what it chooses
    let names_something = lines.iter().any(|line| matches!(line, ast::Line::Field { binds: Some(_), .. }));
    (errors.is_empty() && card.from.is_none() && !names_something).then_some(ParsedItem { item, errors })
}

/// The shared parts of a card whose rest means this. None if one of them has to be read with its card.
pub fn shared<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, rest: &hir::Card) -> Option<Vec<PartOf<'db>>> {
    let module = ModuleName::new(db, item.file(db).module(db));
    let spans = item.shared_parts(db);
    let mut parts = Vec::with_capacity(spans.len());
    let mut names: Vec<&str> = rest.parts.iter().map(|part| part.name.as_str()).collect();
    for span in spans {
        let text = PartText::new(db, universe, module, &rest.kind, span.of(item.text(db)));
        let name = part(db, text).as_ref()?.printed.name.as_str();
        // that one is there twice is told where the card is read as a whole
        if names.contains(&name) {
            return None;
        }
        names.push(name);
        parts.push(PartOf { text, start: span.start });
    }
    Some(parts)
}

/// How many `todo`s stand in a card outside of its shared parts.
pub fn todos_of_rest<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> usize {
    let (text, parts) = (item.text(db), item.shared_parts(db));
    let ends = parts.iter().map(|part| part.end as usize);
    let starts = parts.iter().map(|part| part.start as usize).chain([text.len()]);
    [0].into_iter().chain(ends).zip(starts).filter_map(|(from, to)| text.get(from..to)).map(todos).sum()
}
