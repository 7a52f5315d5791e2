//! Numbers as they are printed.

use super::english::bold;
use super::speaker::Speaker;
use crate::hir::{Expr, ExprKind, Key};
use crate::ty::Ty;

pub(super) const MINUS: char = '−';

/// With a proper minus sign.
pub(super) fn number(v: i64) -> String {
    if v < 0 { format!("{MINUS}{}", v.unsigned_abs()) } else { v.to_string() }
}

/// Always with a sign: what is added.
pub(super) fn signed(v: i64) -> String {
    if v < 0 { number(v) } else { format!("+{v}") }
}

/// Thousandths as a decimal without idle zeros.
pub(super) fn decimal(thousandths: i64) -> String {
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    let sign = if thousandths < 0 { MINUS.to_string() } else { String::new() };
    let rest = format!("{rest:03}");
    match rest.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        rest => format!("{sign}{whole}.{rest}"),
    }
}

pub(super) fn dice(count: i64, sides: i64, plus: i64) -> String {
    // a number where dice could stand
    if count == 0 {
        return number(plus);
    }
    let mut out = if count == 1 { format!("d{sides}") } else { format!("{count}d{sides}") };
    if plus != 0 {
        out.push_str(&signed(plus));
    }
    out
}

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
