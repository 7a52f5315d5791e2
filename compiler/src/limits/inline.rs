//! A `need` that asks a term (`need affordable(this)`) is as good as the comparison in that term: the sides of it are what a message tells of.

use std::borrow::Cow;

use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{Block, Compare, Expr, ExprKind, Item, Stmt, StmtKind, Through};
use crate::items::DeclKind;
use crate::signature::by_key;

/// Terms that lead to terms are followed so far.
const DEEPEST: usize = 8;

/// The item with the comparisons behind its conditions.
pub(super) fn with_comparisons<'a>(db: &dyn salsa::Database, universe: Universe, item: &'a Item) -> Cow<'a, Item> {
    let mut item = Cow::Borrowed(item);
    let bodies: Vec<&mut Block> = match &*item {
        Item::Limit(_) => match item.to_mut() {
            Item::Limit(limit) => vec![&mut limit.body],
            _ => Vec::new(),
        },
        Item::Kind(kind) if !kind.limits.is_empty() => match item.to_mut() {
            Item::Kind(kind) => kind.limits.iter_mut().map(|limit| &mut limit.body).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    for body in bodies {
        in_block(db, universe, body);
    }
    item
}

fn in_block(db: &dyn salsa::Database, universe: Universe, block: &mut Block) {
    for Stmt { kind, .. } in &mut block.stmts {
        match kind {
            StmtKind::Blame { cond, through, .. } => *through = comparison(db, universe, cond),
            StmtKind::If { arms, otherwise } | StmtKind::Table { rows: arms, otherwise, .. } => {
                arms.iter_mut().map(|(_, block)| block).chain(otherwise).for_each(|block| in_block(db, universe, block));
            }
            StmtKind::For { body, .. } | StmtKind::RepeatTimes { body, .. } | StmtKind::RepeatUntil { body, .. } => {
                in_block(db, universe, body);
            }
            _ => {}
        }
    }
}

/// The terms from a condition to a comparison of more and less; none if it leads to something else. Whether two things are equal is no matter
/// of how much, and the term's own words say it better.
fn comparison(db: &dyn salsa::Database, universe: Universe, cond: &Expr) -> Vec<Through> {
    let mut through: Vec<Through> = Vec::new();
    while let ExprKind::Call { define, args } = &through.last().map_or(cond, |last| &last.body).kind {
        let Some(found) = by_key(db, universe, define, &[DeclKind::Define]) else { return Vec::new() };
        let Item::Define(term) = &elaborate(db, universe, found.item).hir else { return Vec::new() };
        if through.len() == DEEPEST || term.params.len() != args.len() {
            return Vec::new();
        }
        let params = term.params.iter().copied().zip(args.iter().cloned()).collect();
        through.push(Through { params, body: term.body.clone() });
    }
    let compares = |e: &Expr| matches!(e.kind, ExprKind::Compare(Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge, ..));
    if through.last().is_some_and(|last| compares(&last.body)) { through } else { Vec::new() }
}
