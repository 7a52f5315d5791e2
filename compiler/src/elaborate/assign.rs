//! `x = 1`, `u.wounds += 2`: what may be changed, and by what.

use banneret_grammar::ast::{self, AssignOp};
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, StmtKind, Target};
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};

impl Cx<'_> {
    pub(super) fn assign(&mut self, target: &ast::Expr, op: AssignOp, value: &ast::Expr, span: Span) -> Option<StmtKind> {
        if let Some(where_) = self.pure {
            self.report(Diagnostic::error("not-pure", span, format!("Nothing can be changed in {where_}.")));
            return None;
        }
        let used = self.locals.iter().map(|local| local.used).collect::<Vec<_>>();
        let place = self.expr(target, None);
        // to give a name a value is not to use it
        if let (ExprKind::Local(l), AssignOp::Set) = (&place.kind, op)
            && let Some(before) = used.get(l.0 as usize)
        {
            self.locals[l.0 as usize].used = *before;
        }
        // a name that started as `none` is of the type of what it is first given
        let place = match (&place.kind, &place.ty) {
            (ExprKind::Local(l), Ty::Unset) => {
                let before = self.reports().len();
                let ty = super::builtin::optional(self.expr(value, None).ty);
                self.reports().truncate(before);
                self.locals[l.0 as usize].ty = ty.clone();
                Expr { ty, ..place }
            }
            (ExprKind::EventField(name), Ty::Unset) => {
                let before = self.reports().len();
                let ty = super::builtin::optional(self.expr(value, None).ty);
                self.reports().truncate(before);
                if let Some(event) = &mut self.event
                    && let Some((_, old)) = event.fields.iter_mut().find(|(n, _)| n == name)
                {
                    *old = ty.clone();
                }
                Expr { ty, ..place }
            }
            // what is known of the old value says nothing of the new one
            (ExprKind::Local(l), _) => {
                let ty = self.locals[l.0 as usize].ty.clone();
                Expr { ty, ..place }
            }
            _ => place,
        };
        self.known.retain(|(k, _)| !super::narrow::same_value(k, &place.kind));
        let want = match &place.ty {
            Ty::Rolled(_) => Ty::Int(Range::default()),
            other => other.clone(),
        };
        let new = {
            let got = self.expr(value, Some(&want));
            // a state that starts full is filled again with `max`
            self.coerce_for_assign(got, &want)
        };
        let raw = match place.kind.clone() {
            ExprKind::Field { base, field, .. } => ExprKind::Field { base, field, raw: true },
            other => other,
        };
        let old = Expr { kind: raw, ty: want.clone(), span: place.span };
        let value = match op {
            AssignOp::Set => new,
            AssignOp::Add => match &want {
                Ty::Set(_) => expr(ExprKind::Fun(crate::hir::Fun::Union, vec![old, new]), want.clone(), span),
                Ty::List(_) => expr(ExprKind::Fun(crate::hir::Fun::Joined, vec![old, new]), want.clone(), span),
                _ => expr(ExprKind::Add(Box::new(old), Box::new(new)), want.clone(), span),
            },
            AssignOp::Sub => match &want {
                // each takes away one that is the same: a list may hold it more than once
                Ty::List(_) => expr(ExprKind::Fun(crate::hir::Fun::Without, vec![old, new]), want.clone(), span),
                Ty::Set(t) => {
                    // what is left: those not taken away
                    let lambda = self.lambda((**t).clone(), "a term", |cx| {
                        let it = cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span));
                        let gone = expr(ExprKind::Contains(Box::new(new), Box::new(it)), Ty::Bool, span);
                        expr(ExprKind::Not(Box::new(gone)), Ty::Bool, span)
                    });
                    expr(ExprKind::Each { op: crate::hir::EachOp::Filter, list: Box::new(old), lambda }, want.clone(), span)
                }
                _ => expr(ExprKind::Sub(Box::new(old), Box::new(new)), want.clone(), span),
            },
        };
        let target = match place.kind {
            ExprKind::Local(l) => Target::Local(l),
            ExprKind::EventField(name) => Target::EventField(name),
            ExprKind::Field { base, field, .. } => {
                self.must_be_state(&base.ty, &field, target.span);
                if !super::the_one::is_through_the(&base) {
                    self.must_be_set(target);
                }
                return Some(self.changed_if_there(*base, span, |target| StmtKind::Assign { target, value }, field));
            }
            ExprKind::Error => return None,
            _ => {
                self.report(
                    Diagnostic::error("cannot-assign", target.span, "This cannot be changed.")
                        .help("Names made with `let` and state fields can be changed."),
                );
                return None;
            }
        };
        Some(StmtKind::Assign { target, value })
    }

    fn coerce_for_assign(&mut self, got: Expr, want: &Ty) -> Expr {
        self.coerce(got, want)
    }

    fn must_be_state(&mut self, base: &Ty, field: &str, at: Span) {
        let Ty::Kind(kind) = base else { return };
        let Some(info) = self.kind(kind) else { return };
        let Some(info) = info.fields.iter().find(|f| f.key == field) else { return };
        if !matches!(info.role, ast::FieldRole::State | ast::FieldRole::Resource) {
            let name = info.name.clone();
            self.report(
                Diagnostic::error("cannot-assign", at, format!("`{name}` is printed on the card and does not change."))
                    .help(format!("Declare it as `state {name}: …`, or change how it is read with `grant`.")),
            );
        }
    }

    /// Nothing can be changed of something that is not there: `u.rival.wounds += 1`.
    fn must_be_set(&mut self, target: &ast::Expr) {
        let ast::ExprKind::Field { base, .. } = &target.kind else { return };
        if !matches!(self.expr_quietly(base).ty, Ty::Optional(_)) {
            return;
        }
        let words = base.span.of(self.text);
        self.report(
            Diagnostic::error("wrong-type", base.span, "This may be unset, and then nothing can be changed.").help(format!(
                "Ask first: `if {words} != none {{ … }}`. Or `for one in {words} {{ one.… }}`: it is done once or not at all."
            )),
        );
    }
}
