//! Tables: rows by face, range, enum member or condition. Faces and members must be covered exactly once.

use std::collections::BTreeMap;

use banneret_grammar::ast::{self, RowKey, RowValue};
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{Block, Compare, Expr, ExprKind, Local, StmtKind};
use crate::names::short;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};

/// More rows than this are not written for anybody: an `else` is meant.
const MOST_ROWS: usize = 12;

impl<'db> Cx<'db> {
    pub(super) fn table_expr(&mut self, subject: Option<&ast::Expr>, rows: &[ast::Row], span: Span, want: Option<&Ty>) -> Expr {
        let (bound, element) = self.subject(subject);
        let mut ty: Option<Ty> = want.cloned();
        let mut out = Vec::new();
        let mut otherwise = None;
        for row in rows {
            let value = match &row.value {
                RowValue::Expr(e) => self.arm(e, &mut ty, want),
                RowValue::Block(b) => match b.lines.as_slice() {
                    [ast::Line::Expr(e)] => self.arm(e, &mut ty, want),
                    _ => {
                        self.report(
                            Diagnostic::error("wrong-type", row.span, "Here each row gives a value.").help("Write `KEY -> VALUE`."),
                        );
                        error(row.span)
                    }
                },
            };
            match &row.key {
                RowKey::Else(_) => otherwise = Some(Box::new(value)),
                RowKey::Expr(key) => {
                    let test = self.row_test(key, bound.as_ref().map(|(l, _)| *l), &element);
                    out.push((test, value));
                }
            }
        }
        self.covered(rows, subject.map(|_| &element), span);
        if out.is_empty() && otherwise.is_none() {
            return error(span);
        }
        if otherwise.is_none() && bound.is_none() {
            return error(span);
        }
        let subject = bound.map(|(l, e)| (l, Box::new(e)));
        expr(ExprKind::Table { subject, rows: out, otherwise }, ty.unwrap_or(Ty::Error), span)
    }

    pub(super) fn table_stmt(&mut self, subject: Option<&ast::Expr>, rows: &[ast::Row], span: Span) -> StmtKind {
        let (bound, element) = self.subject(subject);
        let mut out = Vec::new();
        let mut otherwise = None;
        for row in rows {
            let block = match &row.value {
                RowValue::Block(b) => self.block(b),
                RowValue::Expr(e) => {
                    let line = ast::Line::Expr(e.clone());
                    self.block(&ast::Block { lines: vec![line], span: e.span })
                }
            };
            match &row.key {
                RowKey::Else(_) => otherwise = Some(block),
                RowKey::Expr(key) => {
                    let test = self.row_test(key, bound.as_ref().map(|(l, _)| *l), &element);
                    out.push((test, block));
                }
            }
        }
        self.covered(rows, subject.map(|_| &element), span);
        let _: Option<&Block> = otherwise.as_ref();
        StmtKind::Table { subject: bound, rows: out, otherwise }
    }

    fn subject(&mut self, subject: Option<&ast::Expr>) -> (Option<(Local, Expr)>, Ty) {
        let Some(subject) = subject else { return (None, Ty::Bool) };
        let mut value = self.expr(subject, None);
        if let Ty::Rolled(_) = value.ty {
            let range = roll_range(&value);
            value = self.coerce(value, &Ty::Int(Range::default()));
            if let Some(range) = range {
                value.ty = Ty::Int(range);
            }
        }
        let ty = value.ty.clone();
        let local = self.scoped(|cx| cx.declare_silent("the subject", ty.clone(), subject.span, true));
        (Some((local, value)), ty)
    }

    fn row_test(&mut self, key: &ast::Expr, subject: Option<Local>, ty: &Ty) -> Expr {
        let span = key.span;
        let Some(local) = subject else { return self.condition(key) };
        let value = expr(ExprKind::Local(local), ty.clone(), span);
        if let ast::ExprKind::Range { low, high } = &key.kind {
            let mut cond: Option<Expr> = None;
            for (end, op) in [(low, Compare::Ge), (high, Compare::Le)] {
                let Some(end) = end else { continue };
                let end = self.value(end, ty);
                let one = expr(ExprKind::Compare(op, Box::new(value.clone()), Box::new(end)), Ty::Bool, span);
                cond = Some(match cond {
                    Some(c) => expr(ExprKind::And(Box::new(c), Box::new(one)), Ty::Bool, span),
                    None => one,
                });
            }
            return cond.unwrap_or_else(|| error(span));
        }
        // a row may be a condition even where there is a subject
        if let ast::ExprKind::Binary { op, .. } = &key.kind
            && !matches!(op, ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Mul | ast::BinaryOp::Div)
        {
            return self.condition(key);
        }
        let key = self.value(key, ty);
        expr(ExprKind::Compare(Compare::Eq, Box::new(value), Box::new(key)), Ty::Bool, span)
    }

    /// Every face or member has one row; condition rows end with `else`.
    fn covered(&mut self, rows: &[ast::Row], subject: Option<&Ty>, span: Span) {
        let has_else = rows.iter().any(|r| matches!(r.key, RowKey::Else(_)));
        let head = Span::new(span.start, span.start + 5);
        match subject {
            Some(Ty::Error) => {}
            Some(Ty::Enum(key)) => {
                let members = self.enum_info(key).members.clone();
                let mut seen: Vec<(&str, Span)> = Vec::new();
                for row in rows {
                    if let RowKey::Expr(ast::Expr { kind: ast::ExprKind::Name(name), span }) = &row.key {
                        if let Some((_, before)) = seen.iter().find(|(n, _)| *n == &**name) {
                            let before = *before;
                            self.report(
                                Diagnostic::error("row-twice", *span, format!("`{name}` has a row already."))
                                    .also(before, "the first one is here")
                                    .help("Remove one of the two."),
                            );
                        }
                        seen.push((name, *span));
                    }
                }
                let missing: Vec<&str> = members.iter().map(|(n, _)| n.as_str()).filter(|n| !seen.iter().any(|(s, _)| s == n)).collect();
                // a misspelt row is the likelier cause
                let misspelt = seen.iter().any(|(s, _)| !members.iter().any(|(n, _)| n == s));
                if !has_else && !missing.is_empty() && !misspelt {
                    let help = format!("Add a row for {}, or `else`: each value of {} needs one.", list(&missing), short(key));
                    let keys = missing.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
                    let d = Diagnostic::error("row-missing", head, format!("This table says nothing about {}.", list(&missing))).help(help);
                    self.report(self.with_rows(d, rows, &keys));
                }
            }
            Some(Ty::Int(range)) => {
                let faces = self.faces(rows, *range);
                self.faces_covered(&faces, *range, has_else, head, rows);
            }
            _ if !has_else => {
                self.report(
                    Diagnostic::error("row-missing", head, "This table says nothing for when none of its conditions is true.")
                        .help("End it with an `else` row."),
                );
            }
            _ => {}
        }
    }

    fn faces(&mut self, rows: &[ast::Row], range: Range) -> Vec<(i64, i64, Span)> {
        let mut out = Vec::new();
        for row in rows {
            if let RowKey::Expr(key) = &row.key
                && let Some((a, b)) = face_range(key, range)
            {
                out.push((a, b, key.span));
            }
        }
        out
    }

    /// Reports gaps, overlaps and rows that cannot be rolled.
    pub(super) fn faces_covered(&mut self, faces: &[(i64, i64, Span)], range: Range, has_else: bool, at: Span, rows: &[ast::Row]) {
        let mut taken = Taken::default();
        for (i, (a, b, span)) in faces.iter().enumerate() {
            if a > b {
                self.report(Diagnostic::error("empty-range", *span, "This range is empty: its start is above its end.").fix(
                    "Swap the ends",
                    *span,
                    format!("{b}..{a}"),
                    true,
                ));
                continue;
            }
            if range.low.is_some_and(|l| *b < l) || range.high.is_some_and(|h| *a > h) {
                let (low, high) = (range.low.unwrap_or(1), range.high.unwrap_or(*a));
                self.report(
                    Diagnostic::error("row-impossible", *span, "This row can never come up.")
                        .help(format!("Remove it: the result is always from {low} to {high}.")),
                );
            } else if range.low.is_some_and(|l| *a < l) || range.high.is_some_and(|h| *b > h) {
                let (low, high) = (range.low.unwrap_or(*a), range.high.unwrap_or(*b));
                let (low, high) = ((*a).max(low), (*b).min(high));
                let fixed = if low == high { format!("{low}") } else { format!("{low}..{high}") };
                self.report(
                    Diagnostic::error("row-impossible", *span, "Part of this row can never come up.")
                        .help(format!("The result is always from {} to {}.", range.low.unwrap_or(0), range.high.unwrap_or(0)))
                        .fix(format!("Write `{fixed}`"), *span, fixed, true),
                );
            }
            if let Some((c, d, before)) = taken.by(*a, *b).and_then(|row| faces.get(row)) {
                let (low, high) = ((*a).max(*c), (*b).min(*d));
                let what = if low == high { format!("{low}") } else { format!("{low} to {high}") };
                let mut twice = Diagnostic::error("row-twice", *span, format!("There is a row for {what} already."))
                    .also(*before, "the other one is here");
                // what the earlier row leaves of this one
                let left = match (c <= a && d < b, b <= d && a < c) {
                    (true, _) => Some((d + 1, *b)),
                    (_, true) => Some((*a, c - 1)),
                    _ => None,
                };
                twice = match left {
                    Some((low, high)) => {
                        let rest = if low == high { low.to_string() } else { format!("{low}..{high}") };
                        twice.help(format!("Write `{rest}`, or change the other row.")).fix(format!("Write `{rest}`"), *span, rest, false)
                    }
                    None => twice.help("Remove one of the two."),
                };
                self.report(twice);
            }
            taken.take(*a, *b, i);
        }
        let (Some(low), Some(high)) = (range.low, range.high) else {
            if !has_else && !without_gaps(faces, range) {
                self.report(
                    Diagnostic::error("row-missing", at, "This table does not cover every number there can be.")
                        .help("End it with an `else` row."),
                );
            }
            return;
        };
        if has_else || high - low > 10_000 {
            return;
        }
        // a row the wrong way round is the likelier cause
        if faces.iter().any(|(a, b, _)| a > b) {
            return;
        }
        let missing: Vec<String> = (low..=high).filter(|n| taken.by(*n, *n).is_none()).map(|n| n.to_string()).collect();
        if !missing.is_empty() {
            let words: Vec<&str> = missing.iter().map(String::as_str).collect();
            let d = Diagnostic::error("row-missing", at, format!("This table says nothing about {}.", list(&words)))
                .help(format!("Add a row for {}: each face needs exactly one.", list(&words)));
            self.report(self.with_rows(d, rows, &missing));
        }
    }

    /// Offers to write the rows that are missing, each as the last one: their author says what is different. Only where each row has a line of its own.
    fn with_rows(&self, d: Diagnostic, rows: &[ast::Row], keys: &[String]) -> Diagnostic {
        let added = || {
            let last = rows.last().filter(|_| keys.len() <= MOST_ROWS)?;
            let before = self.text.get(..last.span.start as usize)?.rsplit('\n').next().filter(|before| before.trim().is_empty())?;
            let key = match &last.key {
                RowKey::Expr(key) => key.span,
                RowKey::Else(span) => *span,
            };
            let value = self.text.get(key.end as usize..last.span.end as usize)?.trim_end();
            let all: String = keys.iter().map(|key| format!("\n{before}{key}{value}")).collect();
            Some((Span::new(last.span.end, last.span.end), all))
        };
        match added() {
            Some((at, text)) => d.fix(if keys.len() == 1 { "Write the row" } else { "Write the rows" }, at, text, false),
            None => d,
        }
    }
}

/// Which numbers have a row already: where each stretch of them starts, where it ends, and the last row that it belongs to.
#[derive(Default)]
struct Taken(BTreeMap<i64, (i64, usize)>);

impl Taken {
    /// A row that has some of these numbers.
    fn by(&self, low: i64, high: i64) -> Option<usize> {
        let before = self.0.range(..=low).next_back().filter(|(_, (end, _))| *end >= low);
        before.or_else(|| self.0.range(low..=high).next()).map(|(_, (_, row))| *row)
    }

    /// A row has these numbers. What was there keeps only what is left of it on both sides, so each row costs little however many it covers.
    fn take(&mut self, low: i64, high: i64, row: usize) {
        let mut covered: Vec<i64> = self.0.range(low..=high).map(|(start, _)| *start).collect();
        covered.extend(self.0.range(..low).next_back().filter(|(_, (end, _))| *end >= low).map(|(start, _)| *start));
        for start in covered {
            let Some((end, of)) = self.0.remove(&start) else { continue };
            if start < low {
                self.0.insert(start, (low - 1, of));
            }
            if end > high {
                self.0.insert(high + 1, (end, of));
            }
        }
        self.0.insert(low, (high, row));
    }
}

/// From the least to the most that written dice can show.
fn roll_range(roll: &Expr) -> Option<Range> {
    let ExprKind::Roll(dice) = &roll.kind else { return None };
    let ExprKind::Dice { count, sides, plus } = &dice.kind else { return None };
    Some(Range { low: Some(count + plus), high: Some(count.checked_mul(*sides)?.checked_add(*plus)?) })
}

/// The faces a literal key stands for.
pub(super) fn face_range(key: &ast::Expr, range: Range) -> Option<(i64, i64)> {
    fn number(e: &ast::Expr) -> Option<i64> {
        match &e.kind {
            ast::ExprKind::Number(ast::Number::Int(n) | ast::Number::Target(n)) => Some(*n),
            ast::ExprKind::Neg(inner) => number(inner).map(|n| -n),
            _ => None,
        }
    }
    match &key.kind {
        ast::ExprKind::Number(ast::Number::Target(n)) => Some((*n, range.high.unwrap_or(i64::MAX))),
        ast::ExprKind::Range { low, high } => {
            let a = match low {
                Some(e) => number(e)?,
                None => range.low.unwrap_or(i64::MIN),
            };
            let b = match high {
                Some(e) => number(e)?,
                None => range.high.unwrap_or(i64::MAX),
            };
            Some((a, b))
        }
        _ => number(key).map(|n| (n, n)),
    }
}

/// Whether ranges follow each other from the lowest number there is to the highest.
fn without_gaps(faces: &[(i64, i64, Span)], range: Range) -> bool {
    let mut sorted: Vec<(i64, i64)> = faces.iter().map(|(a, b, _)| (*a, *b)).collect();
    sorted.sort_unstable();
    let mut next = range.low.unwrap_or(i64::MIN);
    for (a, b) in sorted {
        if a > next {
            return false;
        }
        match b.checked_add(1) {
            Some(after) => next = next.max(after),
            None => return true,
        }
    }
    range.high.is_some_and(|h| next > h)
}

fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_string(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
