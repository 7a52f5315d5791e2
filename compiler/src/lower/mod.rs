//! From the meaning of an item to symbolic bytecode.
//!
//! One item at a time, nothing looked up in others: the third firewall of the query graph. The tables of the pack are reused with ids that are
//! positions in the item's own [`Symbols`]; `link` turns them into the numbers of a pack. Deliberately absent: types, names, the order of files.

pub mod ids;
pub mod symbols;
pub mod walk;

mod unit;
mod body;
mod constant;
pub(crate) mod free;
mod expr;
mod calls;
mod stmt;
mod flow;
mod ask;
mod alternate;
mod grant;
mod captures;
mod trial;
mod rules;
mod action;
mod card;
mod items;

use banneret_grammar::span::Span;
use banneret_runtime::ids::*;
use banneret_runtime::pack;
use banneret_runtime::table::Board;
use banneret_runtime::value::Value;
use smol_str::SmolStr;

pub(crate) use calls::is_effect;
pub(crate) use captures::{Seen, in_block, in_expr, in_rule};
pub(crate) use free::each_child;
pub use ids::{IdMut, for_each_id};
pub(crate) use rules::gives_result;
pub use symbols::{EventField, FragRef, LocalSite, Symbols};
pub use walk::Ids;

use crate::hir::{Item, Key, Name};

/// An item as symbolic bytecode and declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    pub symbols: Symbols,
    /// `FragRef::Own` counts these.
    pub fragments: Vec<pack::Fragment>,
    pub bundles: Vec<pack::Bundle>,
    pub chooses: Vec<pack::Choose>,
    pub menus: Vec<pack::Menu>,
    pub grants: Vec<pack::Grant>,
    pub pasts: Vec<pack::Past>,
    pub decls: Decls,
    /// What could not be said in bytecode, with where.
    pub problems: Vec<(Span, String)>,
}

/// What the item adds to the pack under a name. Ids in here are local too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decls {
    pub defines: Vec<(Key, FragId)>,
    pub facts: Vec<(Key, pack::Fact)>,
    pub options: Vec<(Key, Value)>,
    pub enums: Vec<(Key, Vec<(Name, SmolStr)>)>,
    pub kinds: Vec<KindDecl>,
    pub fields: Vec<(Key, pack::Field)>,
    pub keywords: Vec<KeywordDecl>,
    pub cards: Vec<CardDecl>,
    pub actions: Vec<ActionDecl>,
    pub limits: Vec<pack::Limit>,
    pub tests: Vec<pack::Test>,
    pub global_rules: Vec<BundleId>,
    /// The phase a ruleset names as the one that plays a game.
    pub start: Option<Key>,
    /// How many players a game has that starts so.
    pub players: Option<u32>,
    /// What the players of a ruleset want.
    pub goal: Option<FragId>,
    /// What nobody but its player sees.
    pub hidden: Vec<pack::Hidden>,
    /// Name and version of a ruleset.
    pub ruleset: Option<(SmolStr, SmolStr)>,
}

/// `kind` lists only what the kind adds itself; the linker adds what it takes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindDecl {
    pub key: Key,
    pub kind: pack::Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeywordDecl {
    pub key: Key,
    pub keyword: pack::Keyword,
    /// The kind that can have it, and the state it keeps on the holder.
    pub on: Option<KindId>,
    pub state: Vec<FieldId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDecl {
    pub key: Key,
    pub card: pack::Card,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionDecl {
    pub key: Key,
    pub action: pack::Action,
    /// The kind its `with` parameter takes, if it takes a kind.
    pub with: Option<KindId>,
}

/// Lowers one item of a module that measures on this board. Never fails: what cannot be lowered is in `problems`.
pub fn lower_item(item: &Item, board: Board) -> Lowered {
    lower(item, false, board)
}

/// The same as limits see it, who look at cards as printed: values and parts; that there are effects and rules, but not what they do.
pub fn lower_printed(item: &Item) -> Lowered {
    lower(item, true, Board::Centres)
}

fn lower(item: &Item, printed: bool, board: Board) -> Lowered {
    let mut unit = unit::Unit::default();
    (unit.printed, unit.board) = (printed, board);
    items::item(&mut unit, item);
    // a copy has no room left to grow in
    unit.finish().clone()
}
