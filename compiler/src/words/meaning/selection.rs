//! Which things are meant: a filter as one property after another.

use crate::hir::{Compare, Expr, ExprKind, Fun, Key, Local};

/// How far something may be away.
#[derive(Clone, Copy, Debug)]
pub(in crate::words) enum Reach<'e> {
    Length(&'e Expr),
    /// A field of what it is measured from: "within its Area".
    Field(&'e Key),
}

/// One property of the things that are meant.
#[derive(Clone, Debug)]
pub(in crate::words) enum Narrow<'e> {
    Yours,
    /// Of this player, or of this thing’s controller.
    Of(&'e Expr),
    Enemy,
    /// Not `this`.
    Other,
    OtherThan(&'e Expr),
    /// A card by this name.
    Named(&'e Expr),
    Keyword(&'e Key, bool),
    Kind(&'e Key),
    /// An adjective or a relation: what it is called, and everything it is asked about, the thing itself first.
    Defined(&'e Key, &'e [Expr], bool),
    Within(Reach<'e>, &'e Expr),
    Touching(&'e Expr),
    /// One of a list.
    In(&'e Expr),
    /// Something is in a list that it has.
    Has {
        field: &'e Key,
        item: &'e Expr,
        yes: bool,
    },
    /// A field of yes or no.
    Is(&'e Key, bool),
    /// A field, compared with a value.
    Measured {
        field: &'e Key,
        how: Compare,
        value: &'e Expr,
    },
    /// A distance from something, compared with a length.
    Away {
        how: Compare,
        from: &'e Expr,
        length: &'e Expr,
    },
    /// Anything else.
    Such,
}

/// A property, and the condition that asks for it with the name the thing has there.
#[derive(Clone, Debug)]
pub(in crate::words) struct Property<'e> {
    pub is: Narrow<'e>,
    pub it: Local,
    pub cond: &'e Expr,
}

/// The properties that a condition over `it` asks for, in the order they are written.
pub(in crate::words) fn narrowings<'e>(it: Local, cond: &'e Expr) -> Vec<Property<'e>> {
    let mut out = Vec::new();
    narrowed(it, cond, &mut out);
    out
}

fn narrowed<'e>(it: Local, cond: &'e Expr, out: &mut Vec<Property<'e>>) {
    let is_it = |expr: &Expr| expr.kind == ExprKind::Local(it);
    let found = match &cond.kind {
        ExprKind::Bool(true) => return,
        ExprKind::And(a, b) => {
            narrowed(it, a, out);
            return narrowed(it, b, out);
        }
        // A name given to `it`.
        ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() && is_it(subject) => {
            return narrowed(*local, body, out);
        }
        ExprKind::Compare(how, a, b) => compared(it, *how, a, b),
        ExprKind::HasKeyword { base, keyword } if is_it(base) => Some(Narrow::Keyword(keyword, true)),
        ExprKind::IsKind { base, kind } if is_it(base) => Some(Narrow::Kind(kind)),
        ExprKind::Call { define, args } | ExprKind::Fact { fact: define, args } if args.first().is_some_and(is_it) => {
            Some(Narrow::Defined(define, args, true))
        }
        ExprKind::Fun(Fun::Within, args) => match args.as_slice() {
            [a, from, Expr { kind: ExprKind::Field { base, field, .. }, .. }] if is_it(a) && base.kind == from.kind => {
                Some(Narrow::Within(Reach::Field(field), from))
            }
            [a, from, length] if is_it(a) => Some(Narrow::Within(Reach::Length(length), from)),
            _ => None,
        },
        ExprKind::Fun(Fun::Touching, args) => match args.as_slice() {
            [a, other] if is_it(a) => Some(Narrow::Touching(other)),
            _ => None,
        },
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::HasKeyword { base, keyword } if is_it(base) => Some(Narrow::Keyword(keyword, false)),
            ExprKind::Call { define, args } if args.len() == 1 && args.first().is_some_and(is_it) => {
                Some(Narrow::Defined(define, args, false))
            }
            ExprKind::Contains(list, item) => has(it, list, item, false),
            ExprKind::Field { base, field, .. } if is_it(base) => Some(Narrow::Is(field, false)),
            _ => None,
        },
        ExprKind::Contains(list, item) if is_it(item) => Some(Narrow::In(list)),
        ExprKind::Contains(list, item) => has(it, list, item, true),
        ExprKind::Field { base, field, .. } if is_it(base) => Some(Narrow::Is(field, true)),
        _ => None,
    };
    out.push(Property { is: found.unwrap_or(Narrow::Such), it, cond });
}

fn has<'e>(it: Local, list: &'e Expr, item: &'e Expr, yes: bool) -> Option<Narrow<'e>> {
    match &list.kind {
        ExprKind::Field { base, field, .. } if base.kind == ExprKind::Local(it) => Some(Narrow::Has { field, item, yes }),
        _ => None,
    }
}

fn compared<'e>(it: Local, how: Compare, a: &'e Expr, b: &'e Expr) -> Option<Narrow<'e>> {
    let is_it = |expr: &Expr| expr.kind == ExprKind::Local(it);
    match (how, &a.kind) {
        (Compare::Eq | Compare::Ne, ExprKind::Fun(Fun::Controller, args)) if args.first().is_some_and(is_it) => match (how, &b.kind) {
            (Compare::Eq, ExprKind::You) => Some(Narrow::Yours),
            (Compare::Ne, ExprKind::You) => Some(Narrow::Enemy),
            (Compare::Eq, _) => Some(Narrow::Of(b)),
            _ => None,
        },
        (Compare::Eq, ExprKind::Fun(Fun::PrintedCard, of)) if of.first().is_some_and(is_it) && matches!(b.kind, ExprKind::Card(_)) => {
            Some(Narrow::Named(b))
        }
        (Compare::Ne, _) if is_it(a) && b.kind == ExprKind::This => Some(Narrow::Other),
        (Compare::Ne, _) if is_it(a) => Some(Narrow::OtherThan(b)),
        (_, ExprKind::Field { base, field, .. }) if is_it(base) => Some(Narrow::Measured { field, how, value: b }),
        (_, ExprKind::Fun(Fun::Distance, args)) => match args.as_slice() {
            [a, from] if is_it(a) => Some(Narrow::Away { how, from, length: b }),
            _ => None,
        },
        _ => None,
    }
}
