//! Actions without an end: whenever they happen, they happen again.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{self, Block, Expr, ExprKind, Key, Span, Stmt, StmtKind};

/// An action, and the actions it calls whatever happens, each with where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Always {
    pub action: Key,
    pub calls: Vec<(Key, Span)>,
}

impl Always {
    /// With places that count from where the item starts.
    pub fn shifted(&self, start: u32) -> Self {
        let calls = self.calls.iter().map(|(called, span)| (called.clone(), span.shifted(start)));
        Self { action: self.action.clone(), calls: calls.collect() }
    }
}

/// What the action that an item declares always does. None if that is nothing, or if something may keep it from happening.
pub(crate) fn always(item: &hir::Item) -> Option<Always> {
    let hir::Item::Action(action) = item else { return None };
    let body = action.body.as_ref().filter(|_| action.once.is_none())?;
    let mut calls = Vec::new();
    block(body, &mut calls);
    (!calls.is_empty()).then(|| Always { action: action.key.clone(), calls })
}

/// Collects the calls that nothing stands in the way of. False if the lines behind the block may not be reached.
fn block(block: &Block, calls: &mut Vec<(Key, Span)>) -> bool {
    block.stmts.iter().all(|stmt| statement(stmt, calls))
}

fn statement(stmt: &Stmt, calls: &mut Vec<(Key, Span)>) -> bool {
    match &stmt.kind {
        // without what they ask for, nothing happens
        StmtKind::Need(_) | StmtKind::Choose(_) | StmtKind::Pay { .. } | StmtKind::PayCards { .. } | StmtKind::Pass => false,
        StmtKind::Let(_, value) | StmtKind::LetField(_, value) | StmtKind::Assign { value, .. } | StmtKind::Expr(value) => {
            call(value, calls);
            true
        }
        StmtKind::Together(inner) | StmtKind::Repeat { body: inner } | StmtKind::Scope { body: inner, .. } => block(inner, calls),
        StmtKind::If { arms, otherwise } => {
            let mut ways: Vec<Vec<(Key, Span)>> = Vec::new();
            let mut goes_on = true;
            for inner in arms.iter().map(|(_, block)| block).chain(otherwise) {
                let mut way = Vec::new();
                goes_on &= block(inner, &mut way);
                ways.push(way);
            }
            // what happens on every way, if one of them is always taken
            if otherwise.is_some()
                && let Some((first, others)) = ways.split_first()
            {
                let everywhere = |key: &Key| others.iter().all(|way| way.iter().any(|(other, _)| other == key));
                calls.extend(first.iter().filter(|(key, _)| everywhere(key)).cloned());
            }
            goes_on
        }
        StmtKind::For { body, .. } | StmtKind::RepeatTimes { body, .. } | StmtKind::RepeatUntil { body, .. } => {
            block(body, &mut Vec::new())
        }
        _ => true,
    }
}

/// A sentence that is not about several things, of which there may be none.
fn call(value: &Expr, calls: &mut Vec<(Key, Span)>) {
    if let ExprKind::Emit { action, each: None, .. } = &value.kind {
        calls.push((action.clone(), value.span));
    }
}

/// The circles in which actions always call each other, each once and starting with the first of `own` that is in it.
pub(crate) fn circles<'a>(own: impl Iterator<Item = &'a Always>, all: impl Iterator<Item = &'a Always>) -> Vec<Vec<&'a Key>> {
    let calls: FxHashMap<&Key, &Vec<(Key, Span)>> = all.map(|always| (&always.action, &always.calls)).collect();
    let mut told: FxHashSet<&Key> = FxHashSet::default();
    let mut out = Vec::new();
    for Always { action, .. } in own {
        if let Some(circle) = back_to(action, &calls).filter(|circle| circle.iter().all(|on_it| !told.contains(on_it))) {
            told.extend(circle.iter().copied());
            out.push(circle);
        }
    }
    out
}

/// The shortest way from an action over what it always calls back to it.
fn back_to<'a>(action: &'a Key, calls: &FxHashMap<&'a Key, &'a Vec<(Key, Span)>>) -> Option<Vec<&'a Key>> {
    let mut ways = VecDeque::from([vec![action]]);
    let mut seen: FxHashSet<&Key> = FxHashSet::default();
    while let Some(way) = ways.pop_front() {
        for (next, _) in way.last().and_then(|last| calls.get(last)).into_iter().flat_map(|next| next.iter()) {
            if next == action {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push_back(way.iter().copied().chain([next]).collect());
            }
        }
    }
    None
}
