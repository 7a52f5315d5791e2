//! Modifier lines that multiply and divide: `amount * 2`, `amount / 2 rounded down`.

use banneret_grammar::ast;
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::ModOp;
use crate::ty::Ty;

use super::Cx;

/// What is changed, how, and by how much.
pub(super) fn scaling(e: &ast::Expr) -> Option<(&ast::Expr, ModOp, &ast::Expr)> {
    use ast::{BinaryOp, ExprKind};
    match &e.kind {
        ExprKind::Binary { op: BinaryOp::Mul, left, right, .. } => Some((left, ModOp::Mul, right)),
        ExprKind::Binary { op: BinaryOp::Div, left, right, .. } => Some((left, ModOp::Div, right)),
        ExprKind::Rounded { of, how } => {
            let ExprKind::Binary { op: BinaryOp::Div, left, right, .. } = &of.kind else { return None };
            let op = match &*how.text {
                "down" => ModOp::DivDown,
                "up" => ModOp::DivUp,
                "nearest" => ModOp::DivNearest,
                _ => return None,
            };
            Some((left, op, right))
        }
        _ => None,
    }
}

impl Cx<'_> {
    /// A whole number or a length that is divided has to say how it is rounded: half a wound is not a wound.
    pub(super) fn must_round(&mut self, op: ModOp, ty: &Ty, span: Span) {
        let whole = match ty {
            Ty::Optional(inner) => matches!(**inner, Ty::Int(_) | Ty::Length(_)),
            ty => matches!(ty, Ty::Int(_) | Ty::Length(_)),
        };
        if op != ModOp::Div || !whole {
            return;
        }
        let text = span.of(self.text).trim_end();
        self.report(
            Diagnostic::error("missing-rounding", span, "It is not said how this is rounded.")
                .help(format!("Write `{text} rounded down`, or `up`, or `nearest`."))
                .fix("Round down", Span::new(span.end, span.end), " rounded down", false),
        );
    }
}
