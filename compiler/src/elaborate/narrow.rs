//! What a condition tells about the values in it: after `x != none` it is set, after `x is Spell` it is a Spell.

use banneret_grammar::ast;

use crate::hir::{Compare, Expr, ExprKind};
use crate::ty::Ty;

use super::Cx;

/// Whether two mentions are of one value, wherever they stand.
pub(super) fn same_value(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Field { base: x, field: f, .. }, ExprKind::Field { base: y, field: g, .. }) => f == g && same_value(&x.kind, &y.kind),
        _ => a == b,
    }
}

impl Cx<'_> {
    /// A value as it is known here.
    pub(super) fn narrowed(&self, e: Expr) -> Expr {
        if self.known.is_empty()
            || !matches!(e.kind, ExprKind::Local(_) | ExprKind::EventField(_) | ExprKind::Field { .. } | ExprKind::This | ExprKind::Part)
        {
            return e;
        }
        match self.known.iter().rev().find(|(k, _)| same_value(k, &e.kind)) {
            Some((_, ty)) => Expr { ty: ty.clone(), ..e },
            None => e,
        }
    }

    /// Runs something where a condition is known to hold (or, with `holds` false, not to).
    pub(super) fn knowing<T>(&mut self, cond: &Expr, holds: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.len();
        self.learn(cond, holds);
        let out = run(self);
        self.known.truncate(before);
        out
    }

    /// A condition, and whether something in it is wrong.
    pub(super) fn sure_condition(&mut self, e: &ast::Expr) -> (Expr, bool) {
        let before = self.reports().len();
        let cond = self.condition(e);
        (cond, self.reports().len() > before)
    }

    /// Whether a value may have been known more closely if a condition around it could be read.
    pub(super) fn may_be_narrower(&self, have: &Ty, want: &Ty) -> bool {
        self.doubtful && (matches!(have, Ty::Optional(_) | Ty::Thing) || self.agrees(want, have))
    }

    /// Notes what a condition tells from here on.
    pub(super) fn learn(&mut self, cond: &Expr, holds: bool) {
        match (&cond.kind, holds) {
            (ExprKind::And(a, b), true) | (ExprKind::Or(a, b), false) => {
                self.learn(a, holds);
                self.learn(b, holds);
            }
            (ExprKind::Not(inner), _) => self.learn(inner, !holds),
            (ExprKind::Compare(Compare::Ne, a, b), true) | (ExprKind::Compare(Compare::Eq, a, b), false) => {
                let value = match (&a.ty, &b.ty) {
                    (_, Ty::Unset) => a,
                    (Ty::Unset, _) => b,
                    _ => return,
                };
                if let Ty::Optional(inner) = &value.ty {
                    self.known.push((value.kind.clone(), (**inner).clone()));
                }
            }
            // equal to something that is set
            (ExprKind::Compare(Compare::Eq, a, b), true) => {
                for (x, y) in [(a, b), (b, a)] {
                    if let Ty::Optional(inner) = &x.ty
                        && !matches!(y.ty, Ty::Optional(_) | Ty::Unset | Ty::Error)
                    {
                        self.known.push((x.kind.clone(), (**inner).clone()));
                    }
                }
            }
            (ExprKind::IsKind { base, kind }, true) => {
                let sub = Ty::Kind(kind.clone());
                let have = match &base.ty {
                    Ty::Optional(t) => (**t).clone(),
                    t => t.clone(),
                };
                if self.agrees(&sub, &have) && !self.agrees(&have, &sub) || have == Ty::Thing || matches!(base.ty, Ty::Optional(_)) {
                    self.known.push((base.kind.clone(), sub));
                }
            }
            _ => {}
        }
    }
}
