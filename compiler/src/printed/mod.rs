//! What a card prints: its faces with every text filled in, as plain data. Whoever sets type needs nothing else.
//!
//! A [`Printed`] is equal while nothing that is printed changes: places in the source stand apart from the faces, so that a layout can be
//! remembered by its face. Deliberately absent: fonts, sizes of letters on paper, files.

mod card;
mod check;
mod faces;
mod rules;
mod value;

use banneret_grammar::span::Span;
use smol_str::SmolStr;

pub use card::{face_key, printed};
pub(crate) use check::{faces_said_twice, homeless_rules, single_card};
pub use faces::{FaceDecl, declared_faces, faces_of};

use crate::hir::{Key, Name};
use crate::words::Run;

pub type Text = Vec<Run>;

/// A card and its sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    pub key: Key,
    pub name: Name,
    pub title: SmolStr,
    pub kind: Key,
    /// What it is `of`: its faction, realm or collection.
    pub of: Option<Key>,
    pub faces: Vec<Face>,
    /// Where the name of the card stands in its item.
    pub name_span: Span,
    /// Where the things stand in its item that strips mention by number.
    pub places: Vec<Place>,
}

/// Something of a card that has a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The printed name of the ability; empty for the card's own rules.
    pub what: SmolStr,
    pub span: Span,
}

/// One side, filled in. Lengths are thousandths of a millimetre.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    pub name: Name,
    pub side: Side,
    pub width: i64,
    pub height: i64,
    pub margin: i64,
    pub bleed: i64,
    pub normal: i64,
    pub smallest: i64,
    /// What does not fit is an error.
    pub strict: bool,
    /// The numbered rules that are broken then.
    pub must_fit: Vec<SmolStr>,
    pub colour: Option<SmolStr>,
    pub strips: Vec<Strip>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Front,
    Back,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strip {
    pub kind: StripKind,
    /// The places of what its own texts show: of the left and the right one, or of each in the order of the strip.
    pub places: Vec<usize>,
    /// Left out if there is no room.
    pub optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StripKind {
    Title {
        left: Text,
        right: Text,
    },
    Subtitle {
        left: Text,
        right: Text,
    },
    Footer {
        left: Text,
        right: Text,
    },
    Row(Vec<Text>),
    /// Label and value.
    Stats(Vec<(SmolStr, Text)>),
    Lines(Vec<GridRow>),
    Grid {
        heads: Vec<SmolStr>,
        rows: Vec<GridRow>,
    },
    Rules(Vec<Paragraph>),
    Reminders(Vec<Paragraph>),
    Flavour(SmolStr),
    Table(Vec<TableRow>),
    Line,
    Picture(Picture),
}

/// One thing of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GridRow {
    pub cells: Vec<Text>,
    /// The places of what the cells show.
    pub places: Vec<usize>,
    pub rules: Vec<Paragraph>,
    pub at: usize,
}

/// An ability with its name, or rules without one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Paragraph {
    pub title: Option<SmolStr>,
    /// Label and value of what it costs; a label may be empty.
    pub costs: Vec<(SmolStr, String)>,
    pub text: Text,
    /// Its place.
    pub at: usize,
}

/// A row of a die table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableRow {
    /// "3–4"
    pub faces: String,
    pub title: SmolStr,
    pub text: Vec<Paragraph>,
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    /// As it is written in the card; None if the card has none.
    pub path: Option<SmolStr>,
    pub height: Option<i64>,
    pub full: bool,
    pub own: bool,
    pub at: usize,
}
