//! What the grammar matched, as one flat list that is cheap to walk: the views are built from it.

use pest::Token;
use pest::iterators::Pairs;

use crate::parse::Rule;
use crate::span::Span;

#[derive(Clone, Copy)]
struct Node {
    rule: Rule,
    start: u32,
    end: u32,
    /// The node behind this one and all that lies in it.
    next: u32,
}

pub(crate) struct Nodes {
    list: Vec<Node>,
}

impl Nodes {
    /// `place` says where in the whole text something is that was matched.
    pub fn new(pairs: Pairs<Rule>, place: impl Fn(usize) -> u32) -> Self {
        let tokens = pairs.tokens();
        let mut list: Vec<Node> = Vec::with_capacity(tokens.len() / 2);
        let mut open = Vec::with_capacity(32);
        for token in tokens {
            match token {
                Token::Start { rule, pos } => {
                    open.push(list.len());
                    let at = place(pos.pos());
                    list.push(Node { rule, start: at, end: at, next: 0 });
                }
                Token::End { pos, .. } => {
                    let next = list.len() as u32;
                    if let Some(node) = open.pop().and_then(|i| list.get_mut(i)) {
                        node.end = place(pos.pos());
                        node.next = next;
                    }
                }
            }
        }
        Self { list }
    }

    /// The first node. `plain` is the whole text.
    pub fn root<'i>(&'i self, plain: &'i str) -> Option<P<'i>> {
        let all = Inner { nodes: &self.list, plain, at: 0, end: self.list.len() as u32 };
        all.peek()
    }
}

/// One thing that was matched.
#[derive(Clone, Copy)]
pub(crate) struct P<'i> {
    nodes: &'i [Node],
    plain: &'i str,
    node: Node,
    at: u32,
}

impl<'i> P<'i> {
    pub fn as_rule(&self) -> Rule {
        self.node.rule
    }

    pub fn as_str(&self) -> &'i str {
        self.span().of(self.plain)
    }

    pub fn span(&self) -> Span {
        Span::new(self.node.start, self.node.end)
    }

    pub fn into_inner(self) -> Inner<'i> {
        Inner { nodes: self.nodes, plain: self.plain, at: self.at + 1, end: self.node.next }
    }
}

/// What lies in one thing, in order.
#[derive(Clone)]
pub(crate) struct Inner<'i> {
    nodes: &'i [Node],
    plain: &'i str,
    at: u32,
    end: u32,
}

impl<'i> Inner<'i> {
    pub fn peek(&self) -> Option<P<'i>> {
        if self.at >= self.end {
            return None;
        }
        let node = *self.nodes.get(self.at as usize)?;
        Some(P { nodes: self.nodes, plain: self.plain, node, at: self.at })
    }

    /// What lies before `part` and what lies behind it.
    pub fn around(&self, part: P<'i>) -> (Self, Self) {
        let (mut before, mut behind) = (self.clone(), self.clone());
        before.end = part.at;
        behind.at = part.node.next;
        (before, behind)
    }
}

impl<'i> Iterator for Inner<'i> {
    type Item = P<'i>;

    fn next(&mut self) -> Option<P<'i>> {
        let p = self.peek()?;
        self.at = p.node.next;
        Some(p)
    }
}
