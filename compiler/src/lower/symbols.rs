//! The names an item uses and the small tables its instructions point into.
//!
//! Ids in an item's own code are positions in these tables, so the lowered item is equal before and after an edit elsewhere; the linker alone
//! knows the numbers of the pack.

use std::hash::Hash;

use banneret_grammar::span::Span;
use banneret_runtime::ids::{CardId, StrId};
use banneret_runtime::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::hir::{Key, Name};

/// A fragment named by an instruction: one of the item's own, or the body of a `define`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FragRef {
    Own(u32),
    Define(Key),
}

/// A field of an event, by name: the layout of an action is known to the linker. With several actions it is a field they share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventField {
    pub actions: Vec<Key>,
    pub name: Name,
}

/// A place in the item, and the words that go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalSite {
    pub span: Span,
    pub words: StrId,
    /// The card whose item the span is in, if not this one.
    pub of: Option<CardId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    pub strings: Vec<SmolStr>,
    pub consts: Vec<Value>,
    /// Enum members: key of the enum, name.
    pub syms: Vec<(Key, Name)>,
    pub kinds: Vec<Key>,
    pub fields: Vec<Key>,
    pub cards: Vec<Key>,
    pub keywords: Vec<Key>,
    pub actions: Vec<Key>,
    pub frags: Vec<FragRef>,
    pub options: Vec<Key>,
    pub facts: Vec<Key>,
    pub event_fields: Vec<EventField>,
    pub sites: Vec<LocalSite>,
}

/// A table that gives equal things the same number.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    list: Vec<T>,
    index: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { list: Vec::new(), index: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub fn add(&mut self, one: T) -> u32 {
        if let Some(&at) = self.index.get(&one) {
            return at;
        }
        let at = self.list.len() as u32;
        self.list.push(one.clone());
        self.index.insert(one, at);
        at
    }

    pub fn find(&self, one: &T) -> Option<u32> {
        self.index.get(one).copied()
    }

    pub fn list(&self) -> &[T] {
        &self.list
    }

    pub fn into_list(self) -> Vec<T> {
        self.list
    }
}
