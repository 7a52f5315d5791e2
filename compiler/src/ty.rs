//! The types of the language.

use smol_str::SmolStr;

use crate::hir::Key;

/// A whole-number range; an open end is None.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    pub low: Option<i64>,
    pub high: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Something is wrong and has been reported: agrees with everything, silently.
    Error,
    /// What a statement gives.
    Nothing,
    /// The type of `none`.
    Unset,
    Bool,
    Int(Range),
    Text,
    Percent,
    Fraction,
    /// In thousandths of the base length of the ruleset named; `print` is millimetres on paper.
    Length(SmolStr),
    Target(Range),
    Dice,
    /// Dice that were rolled: the sides, if known.
    Rolled(Option<i64>),
    Pair(Box<Ty>),
    Set(Box<Ty>),
    List(Box<Ty>),
    Optional(Box<Ty>),
    Enum(Key),
    /// A card or object of this kind (or one that extends it).
    Kind(Key),
    /// Any object.
    Thing,
    /// A pile of cards of this kind.
    Pile(Key),
    Place,
    /// A place, a pile, or `play`.
    Spot,
    Effect(Vec<(SmolStr, Ty)>),
    Rules,
    /// A stored set of objects of this kind.
    Choice(Key),
    Cost,
    Picture,
    Keyword,
    /// An event of this action, from `past`.
    Event(Key),
    /// `table by d6 of Entry`
    Table {
        sides: i64,
        of: Key,
    },
}
