//! The lossless tree: every byte of an item belongs to a leaf.
//!
//! For tools that need to know what a place in the text is (completion, highlighting). The compiler reads the typed views instead, and
//! [`crate::parse_item`] does not build this.

use pest::Parser;

use crate::layout::layout;
use crate::nodes::{Inner, Match, nodes};
use crate::parse::{Grammar, Rule};
use crate::span::Span;
use crate::token::{self, is_space};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Something the grammar has a name for.
    Named(Named),
    /// A word or sign between named things.
    Token,
    Comment,
    Space,
    /// Text that could not be read.
    Broken,
}

/// The name of a rule of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named(Rule);

impl Named {
    pub fn name(self) -> String {
        format!("{:?}", self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    pub span: Span,
    pub children: Vec<u32>,
}

/// A flat arena; node 0 is the item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The innermost nodes around an offset, outermost first.
    pub fn path_at(&self, offset: u32) -> Vec<u32> {
        let mut path = vec![0];
        let mut node = 0;
        while let Some(next) = self.nodes.get(node as usize).and_then(|n| n.children.iter().copied().find(|c| self.holds(*c, offset))) {
            path.push(next);
            node = next;
        }
        path
    }

    fn holds(&self, node: u32, offset: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|n| n.span.start <= offset && offset < n.span.end)
    }
}

/// Reads one item into its tree. An item that cannot be read is one node of tokens.
pub fn parse_tree(text: &str) -> Tree {
    let plain = layout(text);
    let whole = Span::new(0, text.len() as u32);
    let mut tree = Tree { nodes: vec![Node { kind: NodeKind::Broken, span: whole, children: Vec::new() }] };
    let readable = if plain.too_deep { None } else { crate::parse::readable(text, &plain) };
    let plain = readable.as_deref().unwrap_or("");
    match readable.as_ref().map(|_| Grammar::parse(Rule::item, plain)) {
        Some(Ok(pairs)) => {
            tree.nodes[0].kind = NodeKind::Named(Named(Rule::item));
            let matched = Match { nodes: &nodes(pairs), plain };
            if let Some(item) = matched.root() {
                tree.fill(text, 0, item.into_inner());
            }
        }
        _ => tree.leaves(text, 0, whole),
    }
    tree
}

impl Tree {
    fn add(&mut self, parent: usize, kind: NodeKind, span: Span) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { kind, span, children: Vec::new() });
        self.nodes[parent].children.push(index as u32);
        index
    }

    fn fill(&mut self, text: &str, parent: usize, pairs: Inner) {
        let Span { start, end } = self.nodes[parent].span;
        let mut at = start;
        for pair in pairs {
            let span = crate::build::span(&pair);
            if span.start == span.end {
                continue;
            }
            self.leaves(text, parent, Span::new(at, span.start));
            let kind = if pair.as_rule() == Rule::broken { NodeKind::Broken } else { NodeKind::Named(Named(pair.as_rule())) };
            let node = self.add(parent, kind, span);
            let inner = pair.into_inner();
            if inner.peek().is_some() {
                self.fill(text, node, inner);
            }
            at = span.end;
        }
        self.leaves(text, parent, Span::new(at, end));
    }

    /// Tokens, comments and white space of a stretch without named things.
    fn leaves(&mut self, text: &str, parent: usize, span: Span) {
        let (mut at, start) = (span.start, span.start as usize);
        let Some(stretch) = text.get(start..span.end as usize).filter(|s| !s.is_empty()) else {
            return;
        };
        for token in token::tokens(stretch) {
            let (from, to) = ((start + token.start) as u32, (start + token.end) as u32);
            if at < from {
                self.add(parent, NodeKind::Space, Span::new(at, from));
            }
            let kind = if token.kind == token::Kind::Comment { NodeKind::Comment } else { NodeKind::Token };
            self.add(parent, kind, Span::new(from, to));
            at = to;
        }
        if at < span.end {
            debug_assert!(text.as_bytes()[at as usize..span.end as usize].iter().all(|b| is_space(*b)));
            self.add(parent, NodeKind::Space, Span::new(at, span.end));
        }
    }
}
