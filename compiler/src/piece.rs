//! Pieces that are written on many cards word for word: a weapon, an ability, `health: 4`. What such a piece means depends on its text, on the kind of
//! card it stands on and on the names its module sees, so it is found out once for all of them.
//!
//! Only for checking, where nothing is wrong and little of a piece is wanted. What editors, packs and printed cards need is still found out
//! card by card.

use banneret_grammar::pieces::{Head, PieceKind, head, without};
use banneret_grammar::span::Span;
use banneret_grammar::{Parsed, ast, parse_item};
use smol_str::SmolStr;

use crate::check::todos;
use crate::db::Universe;
use crate::elaborate::{Alone, AloneField, AloneHead, field_alone, head_alone, part_alone};
use crate::hir::Key;
use crate::items::{Item, ParsedItem};
use crate::limits::{PlainCard, PlainValue};

/// The cards that a piece may stand on.
#[salsa::interned(debug)]
pub struct Cards<'db> {
    #[returns(copy)]
    pub universe: Universe,
    #[returns(ref)]
    pub module: SmolStr,
    /// The word that they start with.
    #[returns(ref)]
    pub word: SmolStr,
}

/// The text of a piece, and all that its meaning depends on besides what it names.
#[salsa::interned(debug)]
pub struct PieceText<'db> {
    #[returns(copy)]
    pub cards: Cards<'db>,
    #[returns(copy)]
    pub kind: PieceKind,
    #[returns(deref)]
    pub text: Box<str>,
}

/// What a check wants to know of a piece.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// As limits see it.
    pub printed: PrintedPiece,
    /// Keys of what it names, sorted; the actions it calls, and those its rules wait for, with spans that count from its start.
    pub uses: Vec<Key>,
    pub calls: Vec<Key>,
    pub waits: Vec<(Key, Span)>,
    /// How many `todo`s are in it.
    pub todos: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub enum PrintedPiece {
    /// Spans count from its start, and its key is its name.
    Part(PlainCard),
    Field(Key, PlainValue),
    Head(PlainHead),
}

/// What a card says before its block, without its own name and title.
#[derive(Debug, PartialEq, Eq)]
pub struct PlainHead {
    pub kind: Key,
    pub values: Box<[(Key, PlainValue)]>,
    /// Fields that the card must give.
    pub needs: Box<[Key]>,
}

/// None if something is wrong with it, or if it has to be read with its card.
#[salsa::tracked]
pub fn piece<'db>(db: &'db dyn salsa::Database, text: PieceText<'db>) -> Option<Piece> {
    let cards = text.cards(db);
    let (universe, module, word) = (cards.universe(db), cards.module(db), cards.word(db));
    let of_constants = |printed, mut uses: Vec<Key>| {
        uses.sort_unstable();
        Some(Piece { printed, uses, calls: Vec::new(), waits: Vec::new(), todos: 0 })
    };
    match text.kind(db) {
        PieceKind::Part => {
            let Alone { card, mut uses, calls, waits } = part_alone(db, universe, module, word, text.text(db))?;
            uses.sort_unstable();
            Some(Piece { printed: PrintedPiece::Part(PlainCard::of(&card)?), uses, calls, waits, todos: todos(text.text(db)) })
        }
        PieceKind::Field => {
            let AloneField { key, value, uses } = field_alone(db, universe, module, card_around(db, text))?;
            of_constants(PrintedPiece::Field(key, PlainValue::of(&value)?), uses)
        }
        PieceKind::Head => {
            let AloneHead { kind, values, needs, uses } = head_alone(db, universe, module, text.text(db))?;
            let values = values.into_iter().map(|(key, value)| Some((key, PlainValue::of(&value)?))).collect::<Option<_>>()?;
            of_constants(PrintedPiece::Head(PlainHead { kind, values, needs: needs.into() }), uses)
        }
    }
}

/// A card that holds nothing but a field.
#[salsa::tracked(returns(deref))]
fn card_around<'db>(db: &'db dyn salsa::Database, field: PieceText<'db>) -> String {
    format!("{} Card {{ {} }}", field.cards(db).word(db), field.text(db))
}

/// A piece that stands on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct PieceOf<'db> {
    pub text: PieceText<'db>,
    /// Where it stands in the item of the card.
    pub span: Span,
    pub kind: PieceKind,
    /// Rules in it wait for something. Few do, and to ask a piece is not for nothing.
    pub waits: bool,
}

impl<'db> PieceOf<'db> {
    pub fn piece(self, db: &'db dyn salsa::Database) -> Option<&'db Piece> {
        piece(db, self.text).as_ref()
    }
}

/// Pieces of a card and what they mean.
pub type Pieces<'db> = Vec<(PieceOf<'db>, &'db Piece)>;

/// The pieces of a card that can be read without it. None if it has none, or if it has to be read as a whole.
pub fn pieces<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<Pieces<'db>> {
    let cut = item.pieces(db);
    let (card, header) = (item.text(db), item.header(db));
    let cards = Cards::new(db, universe, item.file(db).module(db), SmolStr::new(header.split(' ').next()?));
    // one more for the head
    let mut pieces = Vec::with_capacity(cut.len() + 1);
    for cut in cut {
        let text = PieceText::new(db, cards, cut.kind, cut.text(card));
        match piece(db, text) {
            Some(piece) => pieces.push((PieceOf { text, span: cut.span, kind: cut.kind, waits: !piece.waits.is_empty() }, piece)),
            // whatever is the matter with a field is found out with the rest
            None if !cut.is_part() => {}
            None => return None,
        }
    }
    (!pieces.is_empty()).then_some(pieces)
}

/// The head of a card that consists of these pieces, and its name. None if there is more to the card, or if something is wrong with it.
pub fn head_of<'db>(db: &'db dyn salsa::Database, item: Item<'db>, pieces: &Pieces<'db>) -> Option<(PieceOf<'db>, &'db Piece, Head<'db>)> {
    let head = head(item.text(db), pieces.iter().map(|(at, _)| at.span))?;
    let (PieceOf { text: other, .. }, _) = pieces.first()?;
    let text = PieceText::new(db, other.cards(db), PieceKind::Head, head.of_any_card().as_str());
    let piece = piece(db, text).as_ref()?;
    Some((PieceOf { text, span: head.span, kind: PieceKind::Head, waits: false }, piece, head))
}

/// What is left of a card without these pieces, and its text. None if something is wrong with it, or if its pieces cannot be read without it.
pub fn rest(card: &str, pieces: &Pieces) -> Option<(ParsedItem, String)> {
    let cut: Vec<Span> = pieces.iter().map(|(at, _)| at.span).collect();
    let text = without(card, &cut);
    let Parsed { item, errors } = parse_item(&text);
    let ast::ItemKind::Card(rest) = &item.kind else { return None };
    let lines = rest.block.as_ref().map(|block| block.lines.as_slice()).unwrap_or_default();
    // parts know the names that a card gives to what it chooses
    let names_something = lines.iter().any(|line| matches!(line, ast::Line::Field { binds: Some(_), .. }));
    // what a template says of itself does not count, so it has to be told from what others say
    let stands_alone = rest.from.is_none() && rest.template.is_none() && !names_something;
    (errors.is_empty() && stands_alone).then_some((ParsedItem { item, errors }, text))
}

/// The fields that pieces give.
pub fn fields<'db>(pieces: &Pieces<'db>) -> Vec<&'db Key> {
    let given = |piece: &'db Piece| match &piece.printed {
        PrintedPiece::Field(key, _) => Some(key),
        _ => None,
    };
    pieces.iter().filter_map(|(_, piece)| given(piece)).collect()
}

/// Whether something is given twice, by pieces or by what else the card says: that is told where the card is read as a whole.
pub fn given_twice<'a>(pieces: &Pieces<'a>, fields: impl Iterator<Item = &'a Key>, parts: impl Iterator<Item = &'a str>) -> bool {
    // keys of fields and names of parts are never the same: only keys have a module
    let mut given: Vec<&str> = Vec::with_capacity(pieces.len() + 2);
    given.extend(fields.map(Key::as_str));
    given.extend(parts);
    for (_, piece) in pieces {
        let name = match &piece.printed {
            PrintedPiece::Part(part) => part.name.as_str(),
            PrintedPiece::Field(key, _) => key.as_str(),
            PrintedPiece::Head(_) => continue,
        };
        if given.contains(&name) {
            return true;
        }
        given.push(name);
    }
    false
}
