//! What rules mean, taken apart for whoever puts it into words: without a word of any language.
//!
//! The tree of a rule is its HIR, from which the machine code is made too. What is here sees in a piece of it what people would speak of: that
//! `where controller(it) == you` is whose things they are, that `target == this` says to whom it is done. Each function takes one node and gives
//! plain data about it whose children are nodes again, and what it does not know it hands on whole: nothing gets lost on the way.

mod roles;
mod selection;

pub(super) use roles::{Role, roles};
pub(super) use selection::{Narrow, Property, Reach, narrowings};

use crate::hir::{Block, Compare, EachOp, Expr, ExprKind, Fun, Local, Name, Stmt, StmtKind, Template, TextPart};
use crate::ty::Ty;

/// Something on the table, or a player.
pub(super) fn is_thing(ty: &Ty) -> bool {
    match ty {
        Ty::Kind(_) => true,
        Ty::Optional(inner) => is_thing(inner),
        _ => false,
    }
}

/// For `x += by` and `x -= by`: whether it grows, and by how much.
pub(super) fn change<'e>(value: &'e Expr, is_old: &dyn Fn(&Expr) -> bool) -> Option<(bool, &'e Expr)> {
    match &value.kind {
        ExprKind::Add(old, by) if is_old(old) => Some((true, by)),
        ExprKind::Sub(old, by) if is_old(old) => Some((false, by)),
        _ => None,
    }
}

/// The dice of a roll, through what only adds it up.
pub(super) fn rolled(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Roll(dice) => Some(dice),
        ExprKind::Fun(Fun::Total, args) => rolled(args.first()?),
        _ => None,
    }
}

/// What may be unset, as the set of at most one that it is: `if x != none { [x] } else { [] }`.
pub(super) fn one_if_set(set: &Expr) -> Option<&Expr> {
    let ExprKind::If { arms, otherwise } = &set.kind else { return None };
    let ([(asked, some)], ExprKind::List(none)) = (arms.as_slice(), &otherwise.kind) else { return None };
    match (&asked.kind, &some.kind) {
        (ExprKind::Compare(Compare::Ne, x, unset), ExprKind::List(one)) if unset.kind == ExprKind::None && none.is_empty() => {
            match one.as_slice() {
                [one] if one.kind == x.kind => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A sentence with a condition that was not written: it is skipped if something in it is unset.
pub(super) fn is_skipped_if_unset(arms: &[(Expr, Block)], otherwise: Option<&Block>, line: crate::hir::Span) -> bool {
    let ([(cond, block)], None) = (arms, otherwise) else { return false };
    match block.stmts.as_slice() {
        [Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Emit { .. }, .. }) | StmtKind::Assign { .. }, span }] => {
            *span == line && only_asks_if_set(cond)
        }
        _ => false,
    }
}

fn only_asks_if_set(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::And(a, b) => only_asks_if_set(a) && only_asks_if_set(b),
        ExprKind::Compare(Compare::Ne, _, none) => none.kind == ExprKind::None,
        _ => false,
    }
}

/// Is a value read after something has been done, so that saying it there would be another value?
pub(super) fn is_read_late(local: Local, value: &Expr, after: &[Stmt]) -> bool {
    let deed = after.iter().position(|stmt| !matches!(stmt.kind, StmtKind::Let(..) | StmtKind::Need(_)));
    let late = deed.and_then(|first| after.get(first + 1..)).unwrap_or_default();
    changes_with_the_game(value) && late.iter().any(|stmt| super::vary::names(stmt, local))
}

/// A name, a constant or what is made of them stays as it is.
fn changes_with_the_game(value: &Expr) -> bool {
    let mut found = matches!(
        value.kind,
        ExprKind::Field { .. }
            | ExprKind::KeywordNumber { .. }
            | ExprKind::AllOf(_)
            | ExprKind::Parts { .. }
            | ExprKind::Call { .. }
            | ExprKind::Fact { .. }
            | ExprKind::Top(_)
            | ExprKind::Past { .. }
            | ExprKind::Fun(Fun::PlaceOf | Fun::PileOf | Fun::PileCards | Fun::Controller | Fun::Distance | Fun::Gap, _)
    );
    crate::lower::each_child(value, &mut |child| found = found || changes_with_the_game(child));
    found
}

/// `unit == this or target == this`: the receiver itself, and nothing else is asked.
pub(super) fn is_receiver(guard: &Expr) -> bool {
    match &guard.kind {
        ExprKind::Or(a, b) => is_receiver(a) && is_receiver(b),
        ExprKind::Compare(Compare::Eq, a, b) => matches!((&a.kind, &b.kind), (ExprKind::EventField(_), ExprKind::This)),
        _ => false,
    }
}

pub(super) fn opposite(how: Compare) -> Compare {
    match how {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        Compare::Lt => Compare::Ge,
        Compare::Ge => Compare::Lt,
        Compare::Gt => Compare::Le,
        Compare::Le => Compare::Gt,
    }
}

/// The faces a row of a table by a roll is for: how they are compared with a number, from one to another, or some of both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Faces<'e> {
    Are(Compare, &'e Expr),
    From(&'e Expr, &'e Expr),
    Or(&'e Expr, &'e Expr),
}

/// None if the row asks for anything else.
pub(super) fn faces(local: Local, cond: &Expr) -> Option<Faces<'_>> {
    let is_it = |expr: &Expr| expr.kind == ExprKind::Local(local);
    match &cond.kind {
        ExprKind::Compare(how, a, b) if is_it(a) => Some(Faces::Are(*how, b)),
        ExprKind::And(low, high) => match (&low.kind, &high.kind) {
            (ExprKind::Compare(Compare::Ge, a, low), ExprKind::Compare(Compare::Le, b, high)) if is_it(a) && is_it(b) => {
                Some(Faces::From(low, high))
            }
            _ => None,
        },
        ExprKind::Or(a, b) => Some(Faces::Or(a, b)),
        _ => None,
    }
}

/// A number, of whatever kind.
pub(super) fn is_number(ty: &Ty) -> bool {
    match ty {
        Ty::Int(_) | Ty::Fraction | Ty::Rolled(_) | Ty::Dice => true,
        Ty::Optional(inner) => is_number(inner),
        _ => false,
    }
}

/// The question about the past that a list of events comes from.
pub(super) fn past_of(set: &Expr) -> Option<&ExprKind> {
    match &set.kind {
        ExprKind::Past { .. } => Some(&set.kind),
        ExprKind::Each { op: EachOp::Filter, list, .. } => past_of(list),
        _ => None,
    }
}

/// Does a value speak of a name of the event?
pub(super) fn reads(value: &Expr, name: &Name) -> bool {
    if matches!(&value.kind, ExprKind::EventField(field) if field == name) {
        return true;
    }
    let mut found = false;
    crate::lower::each_child(value, &mut |child| found = found || reads(child, name));
    found
}

impl Template {
    /// Does it put a name in?
    pub fn speaks_of(&self, name: &Name) -> bool {
        self.parts.iter().any(|part| match part {
            TextPart::Text(_) => false,
            TextPart::Value(value) | TextPart::Plural(value, _, _) | TextPart::Article(value) => reads(value, name),
        })
    }
}
