//! Numbers with their units, signs and keywords.

use super::speaker::Speaker;
use crate::hir::{Expr, ExprKind, Key};
use crate::ty::Ty;
use crate::words::number::{MINUS, decimal, number};
use crate::words::text::bold;

impl Speaker<'_> {
    /// A constant number by its type: "4+", "6″", "50%".
    pub fn typed(&self, v: i64, ty: &Ty) -> String {
        match ty {
            Ty::Target(_) => format!("{v}+"),
            Ty::Percent => format!("{}%", number(v)),
            Ty::Length(ruleset) if ruleset == "print" => format!("{} mm", decimal(v)),
            Ty::Length(ruleset) => {
                let made = self.words.0.length(ruleset, v.saturating_abs());
                let made = made.unwrap_or_else(|| format!("{}″", decimal(v.saturating_abs())));
                if v < 0 { format!("{MINUS}{made}") } else { made }
            }
            Ty::Optional(inner) => self.typed(v, inner),
            _ => number(v),
        }
    }

    /// A constant that is added, with its sign; None if it is not constant.
    pub fn signed_value(&mut self, expr: &Expr) -> Option<String> {
        let plus = |text: String| if text.starts_with(MINUS) { text } else { format!("+{text}") };
        match &expr.kind {
            ExprKind::Int(v) => Some(plus(self.typed(*v, &expr.ty))),
            ExprKind::Neg(inner) => match &inner.kind {
                ExprKind::Int(v) => Some(plus(self.typed(v.saturating_neg(), &inner.ty))),
                ExprKind::Dice { .. } | ExprKind::Ratio(..) => Some(format!("{MINUS}{}", self.value(inner))),
                ExprKind::Pair(a, b) => Some(format!("{}/{}", self.negative(a)?, self.negative(b)?)),
                _ => None,
            },
            ExprKind::Dice { .. } | ExprKind::Ratio(..) => Some(plus(self.value(expr))),
            ExprKind::Pair(a, b) => Some(format!("{}/{}", self.signed_value(a)?, self.signed_value(b)?)),
            ExprKind::Cost { .. } => Some(plus(self.value(expr))),
            _ => None,
        }
    }

    fn negative(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Int(v) => Some(format!("{MINUS}{}", self.typed(*v, &expr.ty))),
            ExprKind::Dice { .. } => Some(format!("{MINUS}{}", self.value(expr))),
            _ => None,
        }
    }

    /// "**Shield +2**": the numbers of a keyword add up.
    pub fn keyword_given(&mut self, key: &Key, amount: Option<&Expr>) -> String {
        let Some(amount) = amount else { return self.keyword(key, None) };
        let name = self.words.keyword(key).name;
        let words = self.signed_value(amount).unwrap_or_else(|| format!("+{}", self.value(amount)));
        bold(&format!("{name} {words}"))
    }

    /// "**Shield 2**"
    pub fn keyword(&mut self, key: &Key, amount: Option<&Expr>) -> String {
        let words = self.words.keyword(key);
        match amount {
            Some(amount) => {
                let amount = self.value(amount);
                bold(&format!("{} {amount}", words.name))
            }
            None => bold(&words.name),
        }
    }
}
