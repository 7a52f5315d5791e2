//! Expressions, one construct after another.

use banneret_grammar::ast::{self, BinaryOp};
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Lambda, Rounding};
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};
use super::literal::peel;

impl<'db> Cx<'db> {
    pub(super) fn expr(&mut self, e: &ast::Expr, want: Option<&Ty>) -> Expr {
        let span = e.span;
        if let Some(one) = self.the_one(e, span) {
            return one;
        }
        match &e.kind {
            ast::ExprKind::Number(n) => self.number(n, span, want),
            ast::ExprKind::Str(s) => {
                let ty = if matches!(peel(want), Some(Ty::Picture)) { Ty::Picture } else { Ty::Text };
                expr(ExprKind::Text(s.text.as_ref().into()), ty, span)
            }
            ast::ExprKind::Name(name) => self.name(name, span, want),
            ast::ExprKind::Field { base, name } => self.field(base, name, span),
            ast::ExprKind::Call { name, args } => self.call(name, args, span, want),
            ast::ExprKind::Run { head, arg } => self.run(head, arg, &[], span, want),
            ast::ExprKind::Sentence { of, preps } => self.sentence(of, preps, span, want),
            ast::ExprKind::Of { what, of } => self.of(what, of, span),
            ast::ExprKind::Within { what, length, of } => self.within(what, length, of, span),
            ast::ExprKind::Where { what, cond } => {
                let set = self.set(what);
                self.filtered(set, cond, span)
            }
            ast::ExprKind::Binary { op, left, right, op_span } => self.binary(*op, left, right, *op_span, span, want),
            ast::ExprKind::Rounded { of, how } => self.rounded(of, how, span),
            ast::ExprKind::Not(inner) => {
                let inner = self.condition(inner);
                expr(ExprKind::Not(Box::new(inner)), Ty::Bool, span)
            }
            ast::ExprKind::Neg(inner) => {
                let inner = self.expr(inner, want);
                match (&inner.kind, &inner.ty) {
                    (ExprKind::Int(n), Ty::Int(_)) => {
                        let n = -*n;
                        expr(ExprKind::Int(n), Ty::Int(Range { low: Some(n), high: Some(n) }), span)
                    }
                    (_, Ty::Int(_)) => expr(ExprKind::Neg(Box::new(inner)), Ty::Int(Range::default()), span),
                    (_, Ty::Fraction | Ty::Length(_) | Ty::Error) => {
                        let ty = inner.ty.clone();
                        expr(ExprKind::Neg(Box::new(inner)), ty, span)
                    }
                    _ => {
                        let words = self.ty_words(&inner.ty);
                        self.report(Diagnostic::error("wrong-type", span, format!("Only numbers have a minus; this is {words}.")));
                        error(span)
                    }
                }
            }
            ast::ExprKind::Range { low, high } => self.range(low.as_deref(), high.as_deref(), span),
            ast::ExprKind::List(entries) => self.list(entries, span, want),
            ast::ExprKind::Paren(inner) => match inner.as_slice() {
                [one] => self.expr(one, want),
                [x, y] => self.place(x, y, span),
                _ => {
                    self.report(Diagnostic::error("wrong-type", span, "Parentheses hold one value, or the two numbers of a place."));
                    error(span)
                }
            },
            ast::ExprKind::If { arms, otherwise } => self.if_expr(arms, otherwise.as_deref(), span, want),
            ast::ExprKind::Table { subject, rows } => self.table_expr(subject.as_deref(), rows, span, want),
            ast::ExprKind::Past { patterns, cond, scope } => self.past(patterns, cond.as_deref(), scope.as_ref(), span),
            ast::ExprKind::Broken => error(span),
        }
    }

    /// A value of the wanted type.
    pub(super) fn value(&mut self, e: &ast::Expr, want: &Ty) -> Expr {
        let got = self.expr(e, Some(want));
        self.coerce(got, want)
    }

    /// A yes-or-no value.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Expr {
        let got = self.expr(e, Some(&Ty::Bool));
        match &got.ty {
            Ty::Bool | Ty::Error => got,
            Ty::Optional(inner) if **inner == Ty::Bool => {
                let span = got.span;
                let no = expr(ExprKind::Bool(false), Ty::Bool, span);
                expr(ExprKind::OrElse(Box::new(got), Box::new(no)), Ty::Bool, span)
            }
            _ if self.told_within(got.span) => error(got.span),
            other => {
                let words = self.ty_words(other);
                let mut d = Diagnostic::error("wrong-type", got.span, format!("Here a condition is wanted, but this is {words}."));
                if matches!(other, Ty::Set(_) | Ty::List(_)) {
                    let text = got.span.of(self.text).to_string();
                    d = d.help("Ask whether there are any.").fix("Write `any …`", got.span, format!("any {text}"), true);
                } else if matches!(other, Ty::Optional(_)) {
                    d = d.help("Ask whether it is set: `x != none`.");
                } else if matches!(other, Ty::Int(_)) {
                    let text = got.span.of(self.text).to_string();
                    d = d.help(format!("Compare it: `{text} > 0`.")).fix("Add `> 0`", Span::new(got.span.end, got.span.end), " > 0", false);
                }
                self.report(d);
                error(got.span)
            }
        }
    }

    fn place(&mut self, x: &ast::Expr, y: &ast::Expr, span: Span) -> Expr {
        let length = self.length_ty();
        let (x, y) = (self.value(x, &length), self.value(y, &length));
        expr(ExprKind::Fun(Fun::MakePlace, vec![x, y]), Ty::Place, span)
    }

    fn range(&mut self, low: Option<&ast::Expr>, high: Option<&ast::Expr>, span: Span) -> Expr {
        let int = Ty::Int(Range::default());
        match (low, high) {
            (Some(low), Some(high)) => {
                let (low, high) = (self.value(low, &int), self.value(high, &int));
                let bounds = match (&low.kind, &high.kind) {
                    (ExprKind::Int(a), ExprKind::Int(b)) => Range { low: Some(*a), high: Some(*b) },
                    (ExprKind::Int(a), _) => Range { low: Some(*a), high: None },
                    _ => Range::default(),
                };
                expr(ExprKind::Fun(Fun::Numbers, vec![low, high]), Ty::List(Box::new(Ty::Int(bounds))), span)
            }
            _ => {
                self.report(
                    Diagnostic::error("open-range", span, "A range of numbers to choose from needs both ends.")
                        .help("Write for example `0..3`."),
                );
                error(span)
            }
        }
    }

    fn list(&mut self, entries: &[ast::ListEntry], span: Span, want: Option<&Ty>) -> Expr {
        let inner = match peel(want) {
            Some(Ty::Set(t) | Ty::List(t)) => Some((**t).clone()),
            _ => None,
        };
        let mut out: Vec<Expr> = Vec::new();
        let mut ty = inner.clone();
        for entry in entries {
            if let Some(label) = &entry.label {
                self.report(
                    Diagnostic::error("unexpected-label", label.span, "The entries of this list have no names.")
                        .help("Leave the name and its colon out."),
                );
            }
            let (times, value) = self.entry(&entry.value, ty.as_ref());
            let value = match &ty {
                // cards of different kinds: what they have in common
                Some(Ty::Kind(a)) if inner.is_none() && matches!(&value.ty, Ty::Kind(b) if a != b) => {
                    if let Ty::Kind(b) = &value.ty
                        && let Some(common) = self.common_kind(a, b)
                    {
                        ty = Some(common);
                        value
                    } else {
                        self.coerce(value, &Ty::Kind(a.clone()))
                    }
                }
                Some(t) => self.coerce(value, t),
                None => {
                    ty = Some(value.ty.clone());
                    value
                }
            };
            for _ in 0..times {
                out.push(value.clone());
            }
        }
        let element = ty.unwrap_or(Ty::Error);
        let element = match element {
            Ty::Int(_) if inner.is_none() => Ty::Int(Range::default()),
            other => other,
        };
        if let Some(Ty::Set(_)) = peel(want) {
            self.repeated(&out, entries);
            return expr(ExprKind::List(out), Ty::Set(Box::new(element)), span);
        }
        expr(ExprKind::List(out), Ty::List(Box::new(element)), span)
    }

    /// The nearest kind that both are.
    fn common_kind(&self, a: &str, b: &str) -> Option<Ty> {
        let other = self.kind(b)?;
        self.kind(a)?.is.iter().find(|k| other.is_a(k)).map(|k| Ty::Kind(k.clone()))
    }

    /// An entry of a list and how often it is meant: `3 Reaver`.
    fn entry(&mut self, e: &ast::Expr, want: Option<&Ty>) -> (usize, Expr) {
        if let ast::ExprKind::Run { head, arg } = &e.kind
            && let ast::ExprKind::Number(ast::Number::Int(n)) = &head.kind
            && matches!(want, Some(Ty::Kind(_)) | None)
        {
            let value = self.expr(arg, want);
            if matches!(value.ty, Ty::Kind(_) | Ty::Error) {
                if !(1..=1000).contains(n) {
                    self.report(
                        Diagnostic::error("out-of-range", head.span, "There can be 1 to 1000 copies of a card.")
                            .help("Write a number from 1 to 1000, or leave the card out."),
                    );
                    return (1, value);
                }
                return (usize::try_from(*n).unwrap_or(1), value);
            }
        }
        (1, self.expr(e, want))
    }

    /// A set does not hold a thing twice.
    fn repeated(&mut self, out: &[Expr], entries: &[ast::ListEntry]) {
        for (i, e) in out.iter().enumerate() {
            if matches!(e.kind, ExprKind::Error) {
                continue;
            }
            if let Some(before) = out[..i].iter().find(|b| b.kind == e.kind) {
                let before = before.span;
                let mut d = Diagnostic::warning("duplicate-entry", e.span, "This is in the set already.").also(before, "here");
                if let Some(previous) = entries.get(i.wrapping_sub(1)) {
                    d = d.fix("Remove it", Span::new(previous.value.span.end, e.span.end), "", true);
                }
                self.report(d);
            }
        }
    }

    fn if_expr(&mut self, arms: &[(ast::Expr, ast::Expr)], otherwise: Option<&ast::Expr>, span: Span, want: Option<&Ty>) -> Expr {
        let mut out = Vec::new();
        let mut ty: Option<Ty> = want.cloned();
        let known = self.known.len();
        for (cond, value) in arms {
            let cond = self.condition(cond);
            let value = self.knowing(&cond, true, |cx| cx.arm(value, &mut ty, want));
            // in what follows it is known not to hold
            self.learn(&cond, false);
            out.push((cond, value));
        }
        let otherwise = match otherwise {
            Some(e) => self.arm(e, &mut ty, want),
            None => {
                self.report(
                    Diagnostic::error("missing-else", span, "This value is missing when the condition is not true.")
                        .help("Add `else { … }`."),
                );
                error(span)
            }
        };
        self.known.truncate(known);
        let ty = ty.unwrap_or(Ty::Error);
        expr(ExprKind::If { arms: out, otherwise: Box::new(otherwise) }, ty, span)
    }

    /// One of several values that must agree; the first settles the type.
    pub(super) fn arm(&mut self, e: &ast::Expr, ty: &mut Option<Ty>, want: Option<&Ty>) -> Expr {
        let got = self.expr(e, ty.as_ref().or(want));
        match ty {
            Some(t) => {
                let t = t.clone();
                if let (Ty::Int(a), Ty::Int(b)) = (&t, &got.ty) {
                    let merged = Range { low: a.low.min(b.low), high: a.high.zip(b.high).map(|(x, y)| x.max(y)) };
                    *ty = Some(Ty::Int(merged));
                    return got;
                }
                if got.ty == Ty::Unset && !matches!(t, Ty::Optional(_)) {
                    *ty = Some(Ty::Optional(Box::new(t)));
                    return got;
                }
                self.coerce(got, &t)
            }
            None => {
                *ty = Some(got.ty.clone());
                got
            }
        }
    }

    fn rounded(&mut self, of: &ast::Expr, how: &ast::Word, span: Span) -> Expr {
        let rounding = match &*how.text {
            "down" => Rounding::Down,
            "up" => Rounding::Up,
            "nearest" => Rounding::Nearest,
            other => {
                let d = Diagnostic::error("unknown-rounding", how.span, format!("Nothing is rounded `{other}`."));
                let d = match crate::suggest::nearest(other, ["down", "up", "nearest"]) {
                    Some(n) => d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), how.span, n, true),
                    None => d.help("Rounding is `down`, `up` or `nearest`."),
                };
                self.report(d);
                Rounding::Down
            }
        };
        if let ast::ExprKind::Binary { op: BinaryOp::Div, left, right, .. } = &of.kind {
            let left = self.expr(left, None);
            let right = self.expr(right, None);
            let (left, right) = (self.plain_number(left), self.plain_number(right));
            if right.kind == ExprKind::Int(0) {
                self.divided_by_zero(right.span);
                return error(span);
            }
            let ty = match (&left.ty, &right.ty) {
                (Ty::Length(f), Ty::Int(_) | Ty::Fraction) => Ty::Length(f.clone()),
                _ => Ty::Int(Range::default()),
            };
            return expr(ExprKind::Div(Box::new(left), Box::new(right), rounding), ty, span);
        }
        let inner = self.value(of, &Ty::Fraction);
        let fun = match rounding {
            Rounding::Up => Fun::Ceil,
            Rounding::Nearest => Fun::Round,
            _ => Fun::Floor,
        };
        expr(ExprKind::Fun(fun, vec![inner]), Ty::Int(Range::default()), span)
    }

    fn divided_by_zero(&mut self, at: Span) {
        self.report(Diagnostic::error("division-by-zero", at, "Nothing can be divided by zero.").help("Divide by 1 or more."));
    }

    /// A roll used as a number.
    pub(super) fn plain_number(&mut self, e: Expr) -> Expr {
        if matches!(e.ty, Ty::Rolled(_)) { self.coerce(e, &Ty::Int(Range::default())) } else { e }
    }

    fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, op_span: Span, span: Span, want: Option<&Ty>) -> Expr {
        match op {
            BinaryOp::And => {
                let l = self.condition(left);
                let r = self.knowing(&l, true, |cx| cx.condition(right));
                expr(ExprKind::And(Box::new(l), Box::new(r)), Ty::Bool, span)
            }
            BinaryOp::Or => self.or(left, right, span, want),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.compare(op, left, right, op_span, span)
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let e = self.contains(left, right, span);
                if op == BinaryOp::NotIn { expr(ExprKind::Not(Box::new(e)), Ty::Bool, span) } else { e }
            }
            BinaryOp::Is | BinaryOp::IsNot => {
                let e = self.is(left, right, span);
                if op == BinaryOp::IsNot { expr(ExprKind::Not(Box::new(e)), Ty::Bool, span) } else { e }
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => {
                self.arithmetic(op, left, right, op_span, span, want)
            }
        }
    }

    fn or(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span, want: Option<&Ty>) -> Expr {
        let l = self.expr(left, want);
        match l.ty.clone() {
            Ty::Optional(inner) if *inner != Ty::Bool || !matches!(want, Some(Ty::Bool)) => {
                let r = self.expr(right, Some(&inner));
                if let Ty::Optional(_) = r.ty {
                    return expr(ExprKind::OrElse(Box::new(l), Box::new(r)), Ty::Optional(inner), span);
                }
                let r = self.coerce(r, &inner);
                expr(ExprKind::OrElse(Box::new(l), Box::new(r)), *inner, span)
            }
            // known to be set here: what would count otherwise does not matter
            other if other != Ty::Bool && self.known.iter().any(|(k, _)| super::narrow::same_value(k, &l.kind)) => {
                let _ = self.value(right, &other);
                l
            }
            Ty::Bool | Ty::Error => {
                let r = self.knowing(&l, false, |cx| cx.condition(right));
                expr(ExprKind::Or(Box::new(l), Box::new(r)), Ty::Bool, span)
            }
            Ty::Int(_) if self.or_more(left, right, span) => error(span),
            other => {
                let words = self.ty_words(&other);
                self.report(
                    Diagnostic::error(
                        "wrong-type",
                        l.span,
                        format!("`or` stands between conditions, or after something that may be unset; this is {words}."),
                    )
                    .help("To allow several values write `x in [a, b]`."),
                );
                let _ = self.expr_quietly(right);
                error(span)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, op_span: Span, span: Span) -> Expr {
        let l = self.expr(left, None);
        let l = self.plain_number(l);
        let want = match &l.ty {
            Ty::Error => None,
            other => Some(other.clone()),
        };
        let r = self.expr(right, want.as_ref());
        let r = self.plain_number(r);
        let (l, r) = (self.if_there(l.clone(), &r.ty), self.if_there(r, &l.ty));
        // a pile is compared by the cards in it
        let l = if matches!(l.ty, Ty::Pile(_)) && matches!(r.ty, Ty::Set(_) | Ty::List(_)) { self.as_set(l) } else { l };
        let kind = match op {
            BinaryOp::Eq => Compare::Eq,
            BinaryOp::Ne => Compare::Ne,
            BinaryOp::Lt => Compare::Lt,
            BinaryOp::Le => Compare::Le,
            BinaryOp::Gt => Compare::Gt,
            _ => Compare::Ge,
        };
        let ordered = !matches!(kind, Compare::Eq | Compare::Ne);
        let fine = match (&l.ty, &r.ty) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            // a die against a target number: what target numbers are for
            (Ty::Int(_), Ty::Target(_)) | (Ty::Target(_), Ty::Int(_)) => true,
            (Ty::Int(_) | Ty::Fraction | Ty::Percent, Ty::Int(_) | Ty::Fraction | Ty::Percent) => true,
            (Ty::Target(_), Ty::Target(_)) => true,
            (Ty::Length(a), Ty::Length(b)) => a == b,
            (Ty::Cost, Ty::Cost) => true,
            _ if ordered => false,
            (Ty::Optional(_), Ty::Unset) | (Ty::Unset, Ty::Optional(_)) => true,
            (Ty::Optional(a), Ty::Optional(b)) => self.agrees(a, b) || self.agrees(b, a),
            (Ty::Optional(a), b) | (b, Ty::Optional(a)) => self.agrees(a, b) || self.agrees(b, a),
            (a, b) => self.agrees(a, b) || self.agrees(b, a),
        };
        if !fine {
            let (a, b) = (self.ty_words(&l.ty), self.ty_words(&r.ty));
            let mut d =
                Diagnostic::error("cannot-compare", op_span, format!("The left side is {a}, the right side {b}: they cannot be compared."));
            if let (Ty::Length(a), Ty::Length(b)) = (&l.ty, &r.ty) {
                d = mixed_lengths(op_span, a, b);
            }
            if matches!(l.ty, Ty::Optional(_)) || matches!(r.ty, Ty::Optional(_)) {
                d = d.help("One of them may be unset: say what counts then, for example `(x or 0)`.");
            } else if let (Ty::Length(_), ExprKind::Int(n)) = (&l.ty, &r.kind)
                && let Some(sign) = self.base_sign()
            {
                d = d.help(format!("A length needs its unit: `{n}{sign}`.")).fix(
                    format!("Write `{n}{sign}`"),
                    r.span,
                    format!("{n}{sign}"),
                    true,
                );
            } else if matches!((&l.ty, &r.ty), (Ty::Kind(_), Ty::Int(_)) | (Ty::Int(_), Ty::Kind(_))) {
                d = d.help("Compare one of its fields: `x.points > 3`.");
            }
            self.report(d);
            return error(span);
        }
        self.never(kind, &l, &r, op_span);
        let (l, r) = super::pattern::as_printed(l, r);
        expr(ExprKind::Compare(kind, Box::new(l), Box::new(r)), Ty::Bool, span)
    }

    /// A comparison whose answer is settled by the ranges of both sides: `roll d6 >= 7`.
    fn never(&mut self, op: Compare, l: &Expr, r: &Expr, at: Span) {
        let bounds = |e: &Expr| match &e.ty {
            Ty::Int(x) | Ty::Target(x) => Some(*x),
            _ => None,
        };
        let (Some(a), Some(b)) = (bounds(l), bounds(r)) else { return };
        if matches!((&l.kind, &r.kind), (ExprKind::Int(_), ExprKind::Int(_))) {
            return;
        }
        let above = |x: Option<i64>, y: Option<i64>| x.zip(y).is_some_and(|(x, y)| x > y);
        let impossible = match op {
            Compare::Ge => above(b.low, a.high),
            Compare::Gt => above(b.low.map(|n| n + 1), a.high),
            Compare::Le => above(a.low, b.high),
            Compare::Lt => above(a.low.map(|n| n + 1), b.high),
            Compare::Eq => above(b.low, a.high) || above(a.low, b.high),
            Compare::Ne => false,
        };
        if impossible {
            self.report(
                Diagnostic::warning("never-true", at, "This can never be true.")
                    .note(range_note(&a, &b))
                    .help("Compare it with a number that it can be."),
            );
        }
    }

    fn contains(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let l = self.expr(left, None);
        if let ast::ExprKind::Range { low, high } = &right.kind {
            // a range may be open at one end here
            let want = l.ty.clone();
            let l = self.plain_number(l);
            let mut cond: Option<Expr> = None;
            for (end, op) in [(low, Compare::Ge), (high, Compare::Le)] {
                if let Some(end) = end {
                    let end = self.value(end, &want);
                    let one = expr(ExprKind::Compare(op, Box::new(l.clone()), Box::new(end)), Ty::Bool, span);
                    cond = Some(match cond {
                        Some(c) => expr(ExprKind::And(Box::new(c), Box::new(one)), Ty::Bool, span),
                        None => one,
                    });
                }
            }
            return cond.unwrap_or_else(|| error(span));
        }
        let want = match &l.ty {
            Ty::Error => None,
            Ty::Optional(t) => Some(Ty::Set(t.clone())),
            t => Some(Ty::Set(Box::new(t.clone()))),
        };
        let set = self.expr(right, want.as_ref());
        if set.ty == Ty::Spot {
            // `x in play`
            return expr(ExprKind::Fun(Fun::InPlay, vec![l]), Ty::Bool, span);
        }
        let set = match (&want, &set.ty) {
            // a wider or narrower kind may still hold it
            (Some(Ty::Set(t)), Ty::Set(have) | Ty::List(have)) if self.agrees(t, have) => set,
            (Some(Ty::Set(t)), Ty::Pile(have)) if self.agrees(t, &Ty::Kind(have.clone())) => self.as_set(set),
            (Some(w), _) => self.coerce(set, w),
            (None, _) => set,
        };
        expr(ExprKind::Contains(Box::new(set), Box::new(l)), Ty::Bool, span)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, op_span: Span, span: Span, want: Option<&Ty>) -> Expr {
        let want = match peel(want) {
            Some(t @ (Ty::Int(_) | Ty::Length(_) | Ty::Dice | Ty::Pair(_) | Ty::Target(_))) => Some(t.clone()),
            _ => None,
        };
        let l = self.expr(left, want.as_ref());
        let r = self.expr(right, if matches!(op, BinaryOp::Add | BinaryOp::Sub) { want.as_ref() } else { None });
        use BinaryOp::*;
        // dice that are rolled join others: `faces + (roll d6 * 2)`
        if let (Add, Ty::List(t), Ty::Rolled(_)) = (op, &l.ty, &r.ty)
            && matches!(**t, Ty::Int(_))
        {
            let ty = l.ty.clone();
            return expr(ExprKind::Fun(Fun::Joined, vec![l, r]), ty, span);
        }
        let (l, r) = (self.plain_number(l), self.plain_number(r));
        let ty = match (op, &l.ty, &r.ty) {
            (_, Ty::Error, _) | (_, _, Ty::Error) => return error(span),
            (Add, Ty::Int(a), Ty::Int(b)) => Ty::Int(Range { low: sum(a.low, b.low), high: sum(a.high, b.high) }),
            (Sub, Ty::Int(a), Ty::Int(b)) => Ty::Int(Range { low: difference(a.low, b.high), high: difference(a.high, b.low) }),
            (Mul | Mod, Ty::Int(_), Ty::Int(_)) => Ty::Int(Range::default()),
            (Div, Ty::Int(_) | Ty::Fraction, Ty::Int(_) | Ty::Fraction) => Ty::Fraction,
            (Add | Sub | Mul, Ty::Int(_) | Ty::Fraction, Ty::Int(_) | Ty::Fraction) => Ty::Fraction,
            (Add | Sub, Ty::Length(a), Ty::Length(b)) if a == b => Ty::Length(a.clone()),
            (Mul | Div, Ty::Length(a), Ty::Int(_) | Ty::Fraction) => Ty::Length(a.clone()),
            (Mul, Ty::Int(_) | Ty::Fraction, Ty::Length(a)) => Ty::Length(a.clone()),
            (Div, Ty::Length(a), Ty::Length(b)) if a == b => Ty::Fraction,
            (Add | Sub, Ty::Target(_), Ty::Int(_)) => Ty::Target(Range::default()),
            (Add | Sub, Ty::Dice, Ty::Int(_)) => Ty::Dice,
            (Mul, Ty::Dice, Ty::Int(_)) | (Mul, Ty::Int(_), Ty::Dice) => Ty::Dice,
            (Add | Sub, Ty::Pair(a), Ty::Pair(b)) if self.agrees(a, b) || self.agrees(b, a) => Ty::Pair(a.clone()),
            (Mul, Ty::Pair(a), Ty::Int(_)) => Ty::Pair(a.clone()),
            (Add, Ty::Cost, Ty::Cost) => Ty::Cost,
            (Mul, Ty::Cost, Ty::Int(_)) => Ty::Cost,
            (Add, Ty::Text, Ty::Text) => Ty::Text,
            (Add, Ty::Set(a) | Ty::List(a), Ty::Set(_) | Ty::List(_)) => {
                let ty = Ty::List(a.clone());
                // a set has each thing once, a list as often as it is put in
                let sets = matches!((&l.ty, &r.ty), (Ty::Set(_), Ty::Set(_)));
                return expr(ExprKind::Fun(if sets { Fun::Union } else { Fun::Joined }, vec![l, r]), ty, span);
            }
            (Add | Sub, Ty::Length(a), Ty::Length(b)) => {
                let d = mixed_lengths(op_span, a, b);
                self.report(d);
                return error(span);
            }
            (Add | Sub, Ty::Length(_), Ty::Int(_)) | (Add | Sub, Ty::Int(_), Ty::Length(_)) => {
                let number = if matches!(l.ty, Ty::Int(_)) { &l } else { &r };
                let mut d = Diagnostic::error("mixed-lengths", op_span, "A length and a plain number do not add up.");
                if let (ExprKind::Int(n), Some(sign)) = (&number.kind, self.base_sign()) {
                    d = d.help(format!("Write the unit: `{n}{sign}`.")).fix(
                        format!("Write `{n}{sign}`"),
                        number.span,
                        format!("{n}{sign}"),
                        true,
                    );
                }
                self.report(d);
                return error(span);
            }
            (_, a, b) => {
                let mut d = Diagnostic::error(
                    "cannot-calculate",
                    op_span,
                    format!(
                        "The left side is {}, the right side {}: they cannot be put together like this.",
                        self.ty_words(a),
                        self.ty_words(b)
                    ),
                );
                if matches!(a, Ty::Optional(_)) || matches!(b, Ty::Optional(_)) {
                    d = d.help("One of them may be unset: say what counts then, for example `(x or 0)`.");
                } else if matches!((a, b), (Ty::Dice, Ty::Dice)) {
                    d = d.help("Different dice are rolled one after another: `(roll d6) + (roll d3)`.");
                } else if matches!((op, a, b), (Mul, Ty::Length(_), Ty::Length(_))) {
                    d = d.help("A length is multiplied by a plain number.");
                }
                self.report(d);
                return error(span);
            }
        };
        if let (Div | Mod, ExprKind::Int(0)) = (op, &r.kind) {
            self.divided_by_zero(r.span);
            return error(span);
        }
        let (l, r) = (Box::new(l), Box::new(r));
        let kind = match op {
            Add => ExprKind::Add(l, r),
            Sub => ExprKind::Sub(l, r),
            Mul if matches!(r.ty, Ty::Dice) => ExprKind::Mul(r, l),
            Mul => ExprKind::Mul(l, r),
            Div => ExprKind::Div(l, r, Rounding::Exact),
            _ => ExprKind::Mod(l, r),
        };
        expr(kind, ty, span)
    }

    /// A filter over a set: `where` with `it`.
    pub(super) fn filtered(&mut self, set: Expr, cond: &ast::Expr, span: Span) -> Expr {
        let element = match &set.ty {
            Ty::Set(t) | Ty::List(t) => (**t).clone(),
            Ty::Rolled(_) => Ty::Int(Range::default()),
            Ty::Error => Ty::Error,
            _ => return error(span),
        };
        let ty = match &set.ty {
            Ty::Rolled(_) => Ty::List(Box::new(element.clone())),
            other => other.clone(),
        };
        let lambda = self.lambda(element, "a `where`", |cx| cx.condition(cond));
        if ty == Ty::Error {
            return error(span);
        }
        expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(set), lambda }, ty, span)
    }

    /// A small function over `it`.
    pub(super) fn lambda(&mut self, element: Ty, where_: &'static str, body: impl FnOnce(&mut Self) -> Expr) -> Lambda {
        self.scoped(|cx| {
            let it = cx.declare_silent("it", element, Span::default(), true);
            cx.its.push(it);
            let body = cx.purely(where_, body);
            cx.its.pop();
            Lambda { params: vec![it], body: Box::new(body) }
        })
    }
}

fn mixed_lengths(at: Span, a: &str, b: &str) -> Diagnostic {
    if a == "print" || b == "print" {
        return Diagnostic::error("mixed-lengths", at, "Lengths on the table and lengths on paper do not mix.")
            .help("`mm`, `cm` and `pt` are for paper; use the unit of the rule system.");
    }
    Diagnostic::error("mixed-lengths", at, format!("Lengths of {a} and of {b} do not mix.")).help("Convert one of them by hand.")
}

fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

fn difference(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.zip(b).and_then(|(a, b)| a.checked_sub(b))
}

fn range_note(a: &Range, b: &Range) -> String {
    let words = |r: &Range| match (r.low, r.high) {
        (Some(l), Some(h)) if l == h => format!("{l}"),
        (Some(l), Some(h)) => format!("{l} to {h}"),
        (Some(l), None) => format!("{l} or more"),
        (None, Some(h)) => format!("at most {h}"),
        (None, None) => "any number".into(),
    };
    format!("The left side is {}, the right side {}.", words(a), words(b))
}
