//! Numbers as they are written.

use banneret_grammar::ast::{self, Number};
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind};
use crate::items::DeclKind;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};

/// Signs for printing, in thousandths of a millimetre.
const PRINT: &[(&str, i64)] = &[("mm", 1000), ("cm", 10_000), ("pt", 353)];

impl Cx<'_> {
    pub(super) fn number(&mut self, n: &Number, span: Span, want: Option<&Ty>) -> Expr {
        let want = peel(want);
        match n {
            Number::Int(v) => expr(ExprKind::Int(*v), Ty::Int(Range { low: Some(*v), high: Some(*v) }), span),
            Number::Decimal { .. } => {
                self.report(
                    Diagnostic::error("bad-number", span, "A number with a point needs a unit of length after it.")
                        .help("Whole numbers have no point; fractions are written like `1/2`."),
                );
                error(span)
            }
            Number::Target(v) => expr(ExprKind::Int(*v), Ty::Target(Range { low: Some(*v), high: Some(*v) }), span),
            Number::Percent(v) => expr(ExprKind::Int(*v), Ty::Percent, span),
            Number::Dice(d) => {
                if d.count < 1 || d.sides < 2 || d.sides > 1000 || d.count > 1000 {
                    self.report(
                        Diagnostic::error("impossible-dice", span, "There are no such dice.")
                            .help("A die has 2 to 1000 sides, and 1 to 1000 are rolled at once."),
                    );
                    return error(span);
                }
                expr(ExprKind::Dice { count: d.count, sides: d.sides, plus: d.plus }, Ty::Dice, span)
            }
            Number::Pair(a, b) => self.pair(a, b, span, want),
            Number::Length { thousandths, sign } => self.length(*thousandths, sign, span, want),
            Number::Bad => {
                // the parser has said why
                error(span)
            }
        }
    }

    /// `6/4`: a pair if one is wanted, else a fraction.
    fn pair(&mut self, a: &Number, b: &Number, span: Span, want: Option<&Ty>) -> Expr {
        if let Some(Ty::Pair(inner)) = want {
            let inner = (**inner).clone();
            let half = |cx: &mut Self, n: &Number| {
                let e = cx.number(n, span, Some(&inner));
                match (&e.kind, &inner) {
                    // `6/4` is how a pair of target numbers is printed
                    (ExprKind::Int(_), Ty::Target(_)) => Expr { ty: inner.clone(), ..e },
                    _ => cx.coerce(e, &inner),
                }
            };
            let (x, y) = (half(self, a), half(self, b));
            return expr(ExprKind::Pair(Box::new(x), Box::new(y)), Ty::Pair(Box::new(inner)), span);
        }
        match (a, b) {
            (Number::Int(_), Number::Int(0)) => {
                self.report(Diagnostic::error("division-by-zero", span, "Nothing can be divided by zero."));
                error(span)
            }
            (Number::Int(x), Number::Int(y)) if !matches!(want, Some(Ty::Dice | Ty::Int(_) | Ty::Target(_))) => {
                let by = gcd(*x, *y);
                let (x, y) = (*x / by, *y / by);
                // a fraction that comes out even is a number
                let kind = if y == 1 { ExprKind::Int(x) } else { ExprKind::Ratio(x, y) };
                expr(kind, Ty::Fraction, span)
            }
            _ => {
                let x = self.number(a, span, None);
                let y = self.number(b, span, None);
                let ty = x.ty.clone();
                expr(ExprKind::Pair(Box::new(x), Box::new(y)), Ty::Pair(Box::new(ty)), span)
            }
        }
    }

    pub(super) fn length(&mut self, thousandths: i64, sign: &str, span: Span, want: Option<&Ty>) -> Expr {
        let declared = self.lookup(sign).iter().find(|f| f.kind == DeclKind::Length);
        if let Some(found) = declared {
            self.uses(&found.key);
            let parsed = crate::items::parse(self.db, found.item);
            if let ast::ItemKind::Ruleset(r) = &parsed.item.kind
                && let Some(decl) = r.lengths.iter().find(|l| l.signs.iter().any(|s| *s.text == *sign))
            {
                let Some(family) = crate::signature::base_length(r) else { return error(span) };
                return match &decl.value {
                    None => expr(ExprKind::Int(thousandths), Ty::Length(family), span),
                    Some(value) => self.derived_length(thousandths, value, family, found.module.clone(), span),
                };
            }
        }
        if let Some((_, scale)) = PRINT.iter().find(|(s, _)| *s == sign) {
            return expr(ExprKind::Int(thousandths * scale / 1000), Ty::Length("print".into()), span);
        }
        let d = Diagnostic::error("unknown-unit", span, format!("`{sign}` is not a unit of length here."));
        let whole = thousandths / 1000;
        let meant: String = sign.chars().map(|c| if matches!(c, 'O' | 'o') { '0' } else { c }).collect();
        if meant.chars().all(|c| c == '0') {
            let number = format!("{whole}{meant}");
            let d = Diagnostic::error("unknown-unit", span, format!("`{sign}` is a letter, not a digit."))
                .help(format!("Did you mean `{number}`?"))
                .fix(format!("Write `{number}`"), span, number, true);
            self.report(d);
            return error(span);
        }
        if let Some(d) = self.no_length(whole, sign, span, want) {
            self.report(d);
            return error(span);
        }
        let d = match self.base_sign() {
            Some(known) => d.help(format!("This rule system measures in `{known}`.")).fix(
                format!("Write `{whole}{known}`"),
                span,
                format!("{whole}{known}"),
                thousandths % 1000 == 0,
            ),
            None => d.help("The rule system in use declares no lengths; on paper there are `mm`, `cm` and `pt`."),
        };
        self.report(d);
        error(span)
    }

    /// `1AP`, `2D6`, `6x Wick`: letters behind a number that are no unit of length.
    fn no_length(&self, whole: i64, sign: &str, span: Span, want: Option<&Ty>) -> Option<Diagnostic> {
        let told = |message: String| Diagnostic::error("unknown-unit", span, message);
        let fixed = |d: Diagnostic, right: String| d.help(format!("Write `{right}`.")).fix(format!("Write `{right}`"), span, right, true);
        if self.lookup(sign).iter().any(|f| f.kind == DeclKind::Resource) {
            return Some(fixed(told(format!("Between the number and `{sign}` a space is missing.")), format!("{whole} {sign}")));
        }
        let sides = sign.strip_prefix(['d', 'D', 'w', 'W']);
        if let Some(sides) = sides.filter(|s| s.bytes().all(|b| b.is_ascii_digit())) {
            let d = told("Dice are written with a small `d` and their sides.".into());
            return Some(if sides.is_empty() { d.help(format!("For example `{whole}d6`.")) } else { fixed(d, format!("{whole}d{sides}")) });
        }
        if matches!(sign, "x" | "X") {
            return Some(fixed(told(format!("Behind a number no `{sign}` is needed.")), whole.to_string()));
        }
        let counts = matches!(want, Some(Ty::Int(_) | Ty::Target(_) | Ty::Dice | Ty::Pair(_) | Ty::Cost | Ty::Bool | Ty::Enum(_)));
        counts.then(|| told(format!("`{sign}` means nothing behind a number here.")).help("Numbers are written like 3, 4+, 2d6+1 or 6/4."))
    }

    /// `2 ft` where a foot is `12"`, or `2 runs` where a run is read in play.
    fn derived_length(
        &mut self,
        thousandths: i64,
        value: &ast::Expr,
        family: smol_str::SmolStr,
        home: smol_str::SmolStr,
        span: Span,
    ) -> Expr {
        let ty = Ty::Length(family);
        // the declaration is read in the module it stands in
        let module = std::mem::replace(&mut self.module, home);
        let cache = std::mem::take(&mut self.cache);
        let (this, event) = (self.this.take(), self.event.take());
        let one = self.expr(value, Some(&ty));
        self.this = this;
        self.event = event;
        self.module = module;
        self.cache = cache;
        let one = Expr { span, ..self.coerce(Expr { span, ..one }, &ty) };
        match one.kind {
            ExprKind::Int(n) => expr(ExprKind::Int(thousandths * n / 1000), ty, span),
            ExprKind::Error => error(span),
            _ if thousandths == 1000 => one,
            _ if thousandths % 1000 == 0 => {
                let times = expr(ExprKind::Int(thousandths / 1000), Ty::Int(Range::default()), span);
                expr(ExprKind::Mul(Box::new(one), Box::new(times)), ty, span)
            }
            _ => {
                let times = expr(ExprKind::Ratio(thousandths, 1000), Ty::Fraction, span);
                expr(ExprKind::Mul(Box::new(one), Box::new(times)), ty, span)
            }
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1).max(1)
}

/// The type inside an optional.
pub(super) fn peel(want: Option<&Ty>) -> Option<&Ty> {
    match want {
        Some(Ty::Optional(inner)) => Some(inner),
        other => other,
    }
}
