//! Short texts that were read before, with what the grammar matched in them: cards of one kind are often of one shape, and their short texts
//! are then the same.

use std::cell::RefCell;
use std::rc::Rc;

use pest::Parser;
use rustc_hash::FxHashMap;

use crate::nodes::{Node, nodes};
use crate::parse::{Grammar, Rule};

/// How much each thread keeps. About a thousand cards of different shapes fit in.
pub(crate) const MOST_BYTES: usize = 2 << 20;

#[derive(Default)]
struct Shapes {
    known: FxHashMap<Box<str>, Rc<[Node]>>,
    bytes: usize,
}

thread_local! {
    // one for each thread: nobody waits for another
    static SHAPES: RefCell<Shapes> = RefCell::default();
}

/// What the grammar matches in a short text; None if it refuses it.
pub(crate) fn matched(short: &str) -> Option<Rc<[Node]>> {
    SHAPES.with_borrow_mut(|shapes| {
        if let Some(nodes) = shapes.known.get(short) {
            return Some(nodes.clone());
        }
        let nodes = read(short)?;
        shapes.keep(short, nodes.clone());
        Some(nodes)
    })
}

#[cfg(test)]
pub(crate) fn kept_bytes() -> usize {
    SHAPES.with_borrow(|shapes| shapes.bytes)
}

/// The same without remembering anything.
pub(crate) fn read(short: &str) -> Option<Rc<[Node]>> {
    let pairs = Grammar::parse(Rule::item, short).ok()?;
    Some(nodes(pairs).into())
}

impl Shapes {
    fn keep(&mut self, short: &str, nodes: Rc<[Node]>) {
        let size = short.len() + size_of_val(&*nodes);
        // nothing as large comes twice
        if size > MOST_BYTES / 16 {
            return;
        }
        // what is used much is soon known again
        if self.bytes + size > MOST_BYTES {
            *self = Self::default();
        }
        self.bytes += size;
        self.known.insert(short.into(), nodes);
    }
}
