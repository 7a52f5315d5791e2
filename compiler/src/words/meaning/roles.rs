//! Who an event happens to, by whom and with what: the pattern of a rule and the rest of its conditions.

use super::is_thing;
use crate::hir::{Compare, Expr, ExprKind, Fun, Name};

/// What is known of a name of an event.
#[derive(Clone, Copy, Debug)]
pub(in crate::words) enum Role<'e> {
    /// One of these, as the pattern asks for it.
    OneOf(&'e Expr),
    /// This one and no other.
    Is(&'e Expr),
    You,
    Opponent,
    /// Something that you control.
    Yours,
    /// Something that you do not control.
    Enemys,
}

/// Takes the conditions of an event apart: what is known of each of its names, and the conditions beyond that. `speaks_of` tells whether the words
/// of the event have a place for a name; of the others everything is a condition. Names that the pattern matches come first, in its order.
pub(in crate::words) fn roles<'e>(
    guard: Option<&'e Expr>,
    matches: &'e [(Name, Expr)],
    speaks_of: &dyn Fn(&Name) -> bool,
) -> (Vec<(Name, Role<'e>)>, Vec<&'e Expr>) {
    let mut known: Vec<(Name, Role<'e>)> = matches.iter().map(|(name, want)| (name.clone(), Role::OneOf(want))).collect();
    let mut rest = Vec::new();
    if let Some(guard) = guard {
        terms(guard, matches, speaks_of, &mut known, &mut rest);
    }
    (known, rest)
}

fn terms<'e>(
    guard: &'e Expr,
    matches: &[(Name, Expr)],
    speaks_of: &dyn Fn(&Name) -> bool,
    known: &mut Vec<(Name, Role<'e>)>,
    rest: &mut Vec<&'e Expr>,
) {
    // A test that the pattern itself makes; what `where` asks of the same field is another matter.
    let said = |expr: &Expr| {
        matches!(&expr.kind, ExprKind::EventField(name)
            if matches.iter().any(|(has, want)| has == name && want.span.start <= guard.span.start && guard.span.end <= want.span.end))
    };
    let is_open = |name: &Name| speaks_of(name) && !known.iter().any(|(has, _)| has == name);
    match &guard.kind {
        ExprKind::And(a, b) => {
            terms(a, matches, speaks_of, known, rest);
            terms(b, matches, speaks_of, known, rest);
        }
        ExprKind::Bool(true) => {}
        ExprKind::Compare(Compare::Eq, a, _) if said(a) => {}
        ExprKind::IsKind { base, .. } if said(base) => {}
        ExprKind::Contains(_, item) if said(item) => {}
        ExprKind::Table { subject: Some((_, subject)), rows, .. } if rows.is_empty() && said(subject) => {}
        ExprKind::Compare(how, a, b) => {
            let found = match itself(guard).filter(|(name, _)| is_open(name)) {
                Some((name, this)) => Some((name, Role::Is(this))),
                None if b.kind == ExprKind::You => whose(a).filter(|(name, _)| is_open(name)).and_then(|(name, direct)| {
                    let role = match (how, direct) {
                        (Compare::Eq, true) => Role::You,
                        (Compare::Ne, true) => Role::Opponent,
                        (Compare::Eq, false) => Role::Yours,
                        (Compare::Ne, false) => Role::Enemys,
                        _ => return None,
                    };
                    Some((name, role))
                }),
                None => None,
            };
            match found {
                Some((name, role)) => known.push((name.clone(), role)),
                None => rest.push(guard),
            }
        }
        _ => rest.push(guard),
    }
}

/// `p` or `controller(p)`: the field, and whether it is the player itself.
fn whose(expr: &Expr) -> Option<(&Name, bool)> {
    match &expr.kind {
        ExprKind::EventField(name) => Some((name, true)),
        ExprKind::Fun(Fun::Controller, args) => match &args.first()?.kind {
            ExprKind::EventField(name) => Some((name, false)),
            _ => None,
        },
        _ => None,
    }
}

/// `unit == this`: the field, and what it is.
fn itself(cond: &Expr) -> Option<(&Name, &Expr)> {
    let ExprKind::Compare(Compare::Eq, a, b) = &cond.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::EventField(name), _) if is_thing(&b.ty) && !asks_event(b) => Some((name, b)),
        (ExprKind::This | ExprKind::Part, ExprKind::EventField(name)) => Some((name, a)),
        _ => None,
    }
}

/// Does it speak of the event, or of anything else that has no words before the event is told?
fn asks_event(value: &Expr) -> bool {
    let mut found = matches!(value.kind, ExprKind::EventField(_) | ExprKind::Local(_) | ExprKind::None | ExprKind::You);
    crate::lower::each_child(value, &mut |child| found = found || asks_event(child));
    found
}
