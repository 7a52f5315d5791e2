//! What the grammar matched, as one flat list that is cheap to walk: the views are built from it.

use pest::Token;
use pest::iterators::Pairs;

use crate::parse::Rule;
use crate::span::Span;

/// One thing that was matched.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    rule: Rule,
    start: u32,
    end: u32,
    /// The node behind this one and all that lies in it.
    next: u32,
}

/// What only says that a sign stands where it must: no view is made of it.
fn is_sign(rule: Rule) -> bool {
    matches!(rule, Rule::open | Rule::close | Rule::close_paren | Rule::close_bracket | Rule::end_of_line | Rule::from_word | Rule::EOI)
}

pub(crate) fn nodes(pairs: Pairs<Rule>) -> Vec<Node> {
    let tokens = pairs.tokens();
    let mut list: Vec<Node> = Vec::with_capacity(tokens.len() / 2);
    let mut open = Vec::with_capacity(32);
    for token in tokens.filter(|token| !is_sign(rule_of(token))) {
        match token {
            Token::Start { rule, pos } => {
                open.push(list.len());
                let at = pos.pos() as u32;
                list.push(Node { rule, start: at, end: at, next: 0 });
            }
            Token::End { pos, .. } => {
                let next = list.len() as u32;
                if let Some(node) = open.pop().and_then(|i| list.get_mut(i)) {
                    node.end = pos.pos() as u32;
                    node.next = next;
                }
            }
        }
    }
    list
}

fn rule_of(token: &Token<Rule>) -> Rule {
    match token {
        Token::Start { rule, .. } | Token::End { rule, .. } => *rule,
    }
}

/// What was matched, and the text it is about.
pub(crate) struct Match<'i> {
    pub nodes: &'i [Node],
    pub plain: &'i str,
}

impl<'i> Match<'i> {
    /// The first node.
    pub fn root(&'i self) -> Option<P<'i>> {
        let all = Inner { all: self, at: 0, end: self.nodes.len() as u32 };
        all.peek()
    }
}

/// One thing that was matched.
#[derive(Clone, Copy)]
pub(crate) struct P<'i> {
    all: &'i Match<'i>,
    node: Node,
    at: u32,
}

impl<'i> P<'i> {
    pub fn as_rule(&self) -> Rule {
        self.node.rule
    }

    pub fn as_str(&self) -> &'i str {
        self.span().of(self.all.plain)
    }

    pub fn span(&self) -> Span {
        Span::new(self.node.start, self.node.end)
    }

    pub fn into_inner(self) -> Inner<'i> {
        Inner { all: self.all, at: self.at + 1, end: self.node.next }
    }
}

/// What lies in one thing, in order.
#[derive(Clone)]
pub(crate) struct Inner<'i> {
    all: &'i Match<'i>,
    at: u32,
    end: u32,
}

impl<'i> Inner<'i> {
    pub fn peek(&self) -> Option<P<'i>> {
        if self.at >= self.end {
            return None;
        }
        let node = *self.all.nodes.get(self.at as usize)?;
        Some(P { all: self.all, node, at: self.at })
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
