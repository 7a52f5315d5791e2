//! The names an item uses and the small tables its instructions point into.
//!
//! Ids in an item's own code are positions in these tables, so the lowered item is equal before and after an edit elsewhere; the linker alone
//! knows the numbers of the pack.

use std::borrow::Borrow;
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
    /// Empty while the list is short: most items have a handful of each, and are searched faster than an index is made.
    index: FxHashMap<T, u32>,
}

/// How long a list is searched from its start.
const SHORT: usize = 16;

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { list: Vec::new(), index: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub fn add(&mut self, one: T) -> u32 {
        match self.find(&one) {
            Some(at) => at,
            None => self.push(one),
        }
    }

    /// The same for what is not owned: it is made only if it is new.
    pub fn add_new<Q: Eq + Hash + ?Sized>(&mut self, one: &Q, make: impl FnOnce(&Q) -> T) -> u32
    where
        T: Borrow<Q>,
    {
        match self.find(one) {
            Some(at) => at,
            None => self.push(make(one)),
        }
    }

    fn push(&mut self, one: T) -> u32 {
        let at = self.list.len() as u32;
        if self.list.len() == SHORT {
            self.index.extend(self.list.iter().cloned().zip(0..));
        }
        if self.list.len() >= SHORT {
            self.index.insert(one.clone(), at);
        }
        self.list.push(one);
        at
    }

    fn find<Q: Eq + Hash + ?Sized>(&self, one: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        match self.index.is_empty() {
            true => self.list.iter().position(|has| has.borrow() == one).map(|at| at as u32),
            false => self.index.get(one).copied(),
        }
    }

    pub fn list(&self) -> &[T] {
        &self.list
    }

    pub fn into_list(self) -> Vec<T> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_one_number_in_short_and_in_long_tables() {
        let mut table: Interner<String> = Interner::default();
        for round in 0..2 {
            for n in 0..3 * SHORT {
                let at = if round == 0 { table.add(n.to_string()) } else { table.add_new(n.to_string().as_str(), str::to_string) };
                assert_eq!(at, n as u32);
            }
        }
        assert_eq!(table.list().len(), 3 * SHORT);
    }
}
