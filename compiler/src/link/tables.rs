//! Tables the items share, and the list of what does not fit.

use banneret_grammar::span::Span;
use banneret_runtime::ids::*;
use banneret_runtime::value::Value;

use super::{LinkInput, LinkProblem};
use crate::lower::symbols::Interner;

/// What goes wrong, with where.
pub(super) struct Problems<'a> {
    parts: &'a [LinkInput<'a>],
    pub list: Vec<LinkProblem>,
}

impl<'a> Problems<'a> {
    pub fn new(parts: &'a [LinkInput<'a>]) -> Self {
        Self { parts, list: Vec::new() }
    }

    pub fn at_item(&mut self, item: usize, words: String) {
        self.at(item, Span::default(), words);
    }

    pub fn at(&mut self, item: usize, span: Span, words: String) {
        let problem = match self.parts.get(item) {
            Some(part) => LinkProblem { file: part.file.to_string(), span: span.shifted(part.item_start), words },
            None => LinkProblem { file: String::new(), span, words },
        };
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }
}

/// Texts and constants, each once.
#[derive(Default)]
pub(super) struct Shared {
    pub strings: Interner<String>,
    pub consts: Interner<Value>,
    pub pasts: Interner<(Vec<ActionId>, Option<ActionId>)>,
}

impl Shared {
    /// The empty text is number 0, so that a site without words needs no thought.
    pub fn new() -> Self {
        let mut shared = Self::default();
        shared.str("");
        shared
    }

    pub fn str(&mut self, text: &str) -> StrId {
        StrId(self.strings.add_new(text, str::to_string))
    }
}
