//! Grants: what they give, to whom, and how long.

use banneret_grammar::ast::{self, Duration, Line};
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Gives, Grant, Lambda, Lasts, Local, ModOp, Modifier, Rule, RuleKind, StmtKind, Waiting};
use crate::items::DeclKind;
use crate::lower::{Seen, in_rule};
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};
use super::scaling::scaling;
use super::watch::{Asked, first_word};

impl<'db> Cx<'db> {
    /// A grant as a statement: a snapshot, with a duration.
    pub(super) fn timed_grant(&mut self, set: &ast::Expr, block: &ast::Block, durations: &[Duration], span: Span) -> Option<StmtKind> {
        let targets = self.grant_targets(set);
        let element = Self::element(&targets.ty);
        let fields = self.event.as_ref().map(|event| event.fields.clone()).unwrap_or_default();
        self.around.push(super::cx::AroundGrant { fields, taken: Vec::new() });
        let (gives, giver) = self.gives(block, &element);
        if let (Some(giver), Some(around)) = (giver, self.around.last_mut()) {
            around.taken.push(giver);
        }
        // what cannot be read is told; the others are looked at all the same
        let lasts: Vec<Option<Vec<Lasts>>> = durations.iter().map(|duration| self.duration(duration, &element)).collect();
        let captures = self.around.pop().unwrap_or_default().taken;
        if durations.is_empty() {
            if self.misspelt_duration(span) {
                return None;
            }
            self.report(
                Diagnostic::error("missing-duration", super::stmt::first_line(span, self.text), "It is not said how long this lasts.")
                    .help("End it with `until end of …`, `for … rounds` or `for the game`.")
                    .fix("Add `for the game`", Span::new(span.end, span.end), " for the game", false),
            );
            return None;
        }
        let lasts = lasts.into_iter().collect::<Option<Vec<_>>>()?.concat();
        Some(StmtKind::Grant(Box::new(Grant { targets, gives, lasts, captures })))
    }

    fn grant_targets(&mut self, set: &ast::Expr) -> Expr {
        let got = self.expr(set, None);
        match &got.ty {
            Ty::Kind(_) | Ty::Thing => {
                let ty = Ty::List(Box::new(got.ty.clone()));
                let span = got.span;
                expr(ExprKind::List(vec![got]), ty, span)
            }
            Ty::Optional(t) if matches!(**t, Ty::Kind(_)) => {
                let ty = Ty::List(t.clone());
                let span = got.span;
                expr(ExprKind::List(vec![got]), ty, span)
            }
            _ => self.as_set(got),
        }
    }

    /// A grant as a rule: continuous.
    pub(super) fn continuous_grant(&mut self, set: &ast::Expr, block: &ast::Block, durations: &[Duration], span: Span) -> Option<Rule> {
        let cond = match durations {
            [] => None,
            [Duration::While { cond, .. }] => Some(self.purely("a `while`", |cx| cx.condition(cond))),
            [other, ..] => {
                self.report(
                    Diagnostic::error("misplaced-duration", duration_span(other), "A rule that always holds has no duration.")
                        .help("Use `while …`, or put the grant in an effect or after an event."),
                );
                None
            }
        };
        let set = self.purely("a grant's selector", |cx| cx.expr(set, None));
        let (who, element, set) = match set.ty.clone() {
            Ty::Error => (None, Ty::Error, set),
            Ty::Kind(k) if set.kind == ExprKind::This => (None, Ty::Kind(k), set),
            ty @ (Ty::Kind(_) | Ty::Thing) => {
                let lambda = self.lambda(ty.clone(), "a grant", |cx| {
                    let it = cx.its.last().copied().map(|l| cx.local_expr(l, set.span)).unwrap_or_else(|| error(set.span));
                    expr(ExprKind::Compare(crate::hir::Compare::Eq, Box::new(it), Box::new(set.clone())), Ty::Bool, set.span)
                });
                (Some(lambda), ty, set)
            }
            Ty::Optional(inner) if matches!(*inner, Ty::Kind(_)) => {
                let lambda = self.lambda((*inner).clone(), "a grant", |cx| {
                    let it = cx.its.last().copied().map(|l| cx.local_expr(l, set.span)).unwrap_or_else(|| error(set.span));
                    expr(ExprKind::Compare(crate::hir::Compare::Eq, Box::new(it), Box::new(set.clone())), Ty::Bool, set.span)
                });
                (Some(lambda), *inner, set)
            }
            _ => {
                let set = self.as_set(set);
                let element = Self::element(&set.ty);
                let lambda = self.lambda(element.clone(), "a grant", |cx| {
                    let it = cx.its.last().copied().map(|l| cx.local_expr(l, set.span)).unwrap_or_else(|| error(set.span));
                    cx.predicate(set.clone(), it)
                });
                (Some(lambda), element, set)
            }
        };
        // in the values `it` is whoever gets them
        let (it, (gives, giver)) = self.scoped(|cx| {
            let it = cx.declare_silent("it", element.clone(), Span::default(), true);
            cx.its.push(it);
            let gives = cx.gives(block, &element);
            cx.its.pop();
            (it, gives)
        });
        let kind = match element {
            Ty::Kind(k) => k,
            _ => Default::default(),
        };
        Some(Rule {
            kind: RuleKind::Grant { who, set: Box::new(set), kind, it, giver: giver.map(|(local, is)| (local, Box::new(is))), gives, cond },
            span,
            of: None,
        })
    }

    /// The lines of a grant; and the name under which its rules know the card or the part that gives them, if they do.
    fn gives(&mut self, block: &ast::Block, element: &Ty) -> (Gives, Option<(Local, Expr)>) {
        let is = match (&self.part, &self.this) {
            (Some(part), _) => Some(expr(ExprKind::Part, part.clone(), block.span)),
            (None, Some(this)) => Some(self.this_expr(this.clone(), block.span)),
            (None, None) => None,
        };
        let Some(is) = is else { return (self.given_lines(block, element), None) };
        let (giver, gives) = self.scoped(|cx| {
            let giver = cx.declare_silent("giver", is.ty.clone(), block.span, true);
            (giver, cx.given_lines(block, element))
        });
        let mut named = false;
        for rule in &gives.own {
            in_rule(rule, &mut |seen| named |= matches!(seen, Seen::Expr(Expr { kind: ExprKind::Local(local), .. }) if *local == giver));
        }
        (gives, named.then_some((giver, is)))
    }

    fn given_lines(&mut self, block: &ast::Block, element: &Ty) -> Gives {
        let mut out = Gives::default();
        for line in &block.lines {
            let span = line.span();
            if self.asked(given_word(line), |_| Asked::GrantLine(element.clone())) {
                continue;
            }
            match line {
                Line::Modifier { target, value, .. } => {
                    if let Some((keyword, _)) = self.granted_keyword(target) {
                        let value = self.purely("a modifier", |cx| cx.value(value, &Ty::Int(Range::default())));
                        out.keywords.push((keyword, Some(value)));
                        continue;
                    }
                    let value = self.modifier(target, ModOp::Add, value, element, span);
                    out.mods.extend(value);
                }
                Line::Bound { target, least, value, .. } => {
                    let op = if *least { ModOp::AtLeast } else { ModOp::AtMost };
                    out.mods.extend(self.modifier(target, op, value, element, span));
                }
                Line::Assign { target, op: ast::AssignOp::Set, value, .. } => {
                    out.mods.extend(self.modifier(target, ModOp::Set, value, element, span));
                }
                Line::Assign { target, op, value, .. } => {
                    let sign = if *op == ast::AssignOp::Add { "+" } else { "-" };
                    let gap = Span::new(target.span.end, value.span.start);
                    self.report(
                        Diagnostic::error("misplaced-line", span, "A grant does not change values, it says how they are read.")
                            .help("Write `attacks +1` or `attacks = 3`.")
                            .fix(format!("Write `{sign}`"), gap, format!(" {sign}"), true),
                    );
                }
                Line::Expr(e) => match scaling(e) {
                    Some((target, op, value)) => out.mods.extend(self.modifier(target, op, value, element, span)),
                    None => self.given_value(e, &mut out),
                },
                Line::Handler(_) | Line::Cannot { .. } | Line::Grant { .. } => {
                    // rules in a grant are about whoever has them
                    let is_part = self.is_part_ty(element);
                    let (this, card, part) = (self.this.replace(element.clone()), self.this_card.take(), self.part.take());
                    let outer_is_part = std::mem::replace(&mut self.this_is_part, is_part);
                    let rule = self.granted_rule(line, element);
                    self.this = this;
                    self.this_card = card;
                    self.part = part;
                    self.this_is_part = outer_is_part;
                    out.own.extend(rule);
                }
                Line::Broken { .. } => {}
                other => self.misplaced(other, "in a grant"),
            }
        }
        out
    }

    fn granted_keyword(&mut self, target: &ast::Expr) -> Option<(smol_str::SmolStr, bool)> {
        let ast::ExprKind::Name(word) = &target.kind else { return None };
        let found = self.find_at(word, target.span, &[DeclKind::Keyword])?;
        Some((found.key.clone(), !self.sig(found).params.is_empty()))
    }

    /// A keyword, a keyword with its number, or a value of type Rules.
    fn given_value(&mut self, e: &ast::Expr, out: &mut Gives) {
        match &e.kind {
            ast::ExprKind::Name(_) => {
                if let Some((keyword, numbered)) = self.granted_keyword(e) {
                    let number = numbered.then(|| expr(ExprKind::Int(1), Ty::Int(Range::default()), e.span));
                    out.keywords.push((keyword, number));
                    return;
                }
            }
            ast::ExprKind::Run { head, arg } => {
                if let Some((keyword, numbered)) = self.granted_keyword(head) {
                    if !numbered {
                        self.report(Diagnostic::error("unexpected-number", arg.span, "This keyword has no number."));
                    }
                    let number = self.purely("a grant", |cx| cx.value(arg, &Ty::Int(Range::default())));
                    out.keywords.push((keyword, Some(number)));
                    return;
                }
            }
            _ => {}
        }
        let got = self.purely("a grant", |cx| cx.expr(e, Some(&Ty::Keyword)));
        match &got.ty {
            Ty::Rules | Ty::Error => {
                if got.ty == Ty::Rules {
                    out.rules.push(got);
                }
            }
            Ty::Optional(t) if **t == Ty::Rules => out.rules.push(got),
            // the rules of several cards, wherever they are: `grant this { map(hand, while_held) }`
            Ty::Set(t) | Ty::List(t) if matches!(&**t, Ty::Rules) || matches!(&**t, Ty::Optional(r) if **r == Ty::Rules) => {
                out.rules.push(got);
            }
            Ty::Keyword => match got.kind {
                ExprKind::Keyword(k) => out.keywords.push((k, None)),
                _ => self.report(Diagnostic::error("wrong-type", got.span, "Only a keyword that is named can be granted.")),
            },
            other => {
                let words = self.ty_words(other);
                self.report(
                    Diagnostic::error("misplaced-line", got.span, format!("A grant gives modifiers, keywords or rules; this is {words}."))
                        .help("A modifier is a field and a change: `attacks +1`."),
                );
            }
        }
    }

    fn modifier(&mut self, target: &ast::Expr, op: ModOp, value: &ast::Expr, element: &Ty, span: Span) -> Option<Modifier> {
        let ast::ExprKind::Name(name) = &target.kind else {
            self.report(Diagnostic::error("misplaced-line", target.span, "A modifier names a field of what is granted to."));
            return None;
        };
        let Ty::Kind(kind) = element else {
            return None;
        };
        let info = self.kind(kind)?;
        let Some(field) = info.field(name) else {
            let kind = kind.clone();
            let keywords = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == DeclKind::Keyword);
            let keywords: Vec<smol_str::SmolStr> = keywords.into_iter().map(|(n, _)| n).collect();
            self.unknown_member(&kind, &ast::Word { text: name.clone(), span: target.span }, &keywords);
            return None;
        };
        let (key, ty) = (field.key.clone(), field.ty.clone());
        self.uses(&key);
        self.saw_key(target.span, &key);
        let bare = match &ty {
            Ty::Optional(t) => (**t).clone(),
            t => t.clone(),
        };
        let want = match (op, &bare) {
            (
                ModOp::Mul | ModOp::Div | ModOp::DivDown | ModOp::DivUp | ModOp::DivNearest,
                Ty::Int(_) | Ty::Length(_) | Ty::Fraction | Ty::Pair(_),
            ) => Ty::Fraction,
            (ModOp::Set, _) => ty.clone(),
            (_, Ty::Target(_)) => Ty::Int(Range::default()),
            (_, Ty::Int(_) | Ty::Length(_) | Ty::Fraction | Ty::Dice | Ty::Pair(_) | Ty::Cost | Ty::Percent) => bare.clone(),
            (_, Ty::Set(_) | Ty::List(_)) if op == ModOp::Add => bare.clone(),
            (_, Ty::Error) => Ty::Error,
            _ => {
                let words = self.ty_words(&bare);
                self.report(
                    Diagnostic::error("cannot-modify", span, format!("`{name}` is {words}: nothing can be added to it."))
                        .help("Write `=` to set it."),
                );
                return None;
            }
        };
        self.must_round(op, &bare, span);
        let value = self.purely("a modifier", |cx| cx.change(value, op, &want));
        if matches!((op, &value.kind), (ModOp::Add, ExprKind::Int(0))) {
            self.report(
                Diagnostic::warning("changes-nothing", span, "This changes nothing.").help("Remove it, or write how much it changes."),
            );
        }
        Some(Modifier { field: key, op, value, span })
    }

    /// What a modifier changes by. Only here a cost has a minus: it makes something cheaper, and nothing costs less than nothing.
    fn change(&mut self, value: &ast::Expr, op: ModOp, want: &Ty) -> Expr {
        if let (ModOp::Add, Ty::Cost, ast::ExprKind::Neg(inner)) = (op, want, &value.kind) {
            let cost = self.value(inner, want);
            return match cost.kind {
                ExprKind::Cost { amount, resource } => {
                    let less = match amount.kind {
                        ExprKind::Int(n) => expr(ExprKind::Int(-n), amount.ty, amount.span),
                        _ => expr(ExprKind::Neg(amount), Ty::Int(Range::default()), value.span),
                    };
                    expr(ExprKind::Cost { amount: Box::new(less), resource }, Ty::Cost, value.span)
                }
                _ => cost,
            };
        }
        self.value(value, want)
    }

    /// When a grant ends: with the first of these, or never.
    fn duration(&mut self, d: &Duration, element: &Ty) -> Option<Vec<Lasts>> {
        match d {
            Duration::Until { at_end, next, scope, of, .. } => {
                if &*scope.text == "game" && *at_end && self.lookup("game").iter().all(|f| f.kind != DeclKind::Phase) {
                    return Some(Vec::new());
                }
                let key = self.scope_key(scope)?;
                self.waits.push((key.clone(), scope.span, Waiting::Until));
                let of = match of {
                    // `until start of your turn`
                    Some(ast::Expr { kind: ast::ExprKind::Name(n), span }) if &**n == "your" => {
                        self.needs_players(*span);
                        Some(expr(ExprKind::You, self.player_ty(), *span))
                    }
                    Some(e) => Some(self.expr(e, None)),
                    None => None,
                };
                Some(vec![Lasts::Until { at_end: *at_end, next: *next, scope: key, of }])
            }
            Duration::UntilEvent { pattern, .. } => {
                let found = self.verb(&pattern.verb)?;
                // what it is compared with is from here: the event waited for does not run yet
                let before = self.event.take();
                let matched = self.patterns(std::slice::from_ref(pattern));
                self.event = before;
                self.waits.push((found.key.clone(), pattern.verb.span, Waiting::Until));
                Some(vec![Lasts::Event { action: found.key.clone(), guard: matched.guard }])
            }
            Duration::Scopes { count, scope, .. } => {
                let count = self.value(count, &Ty::Int(Range::default()));
                let key = self.scope_key(scope)?;
                self.waits.push((key.clone(), scope.span, Waiting::Until));
                let scope = key;
                Some(vec![Lasts::Scopes { count, scope }])
            }
            Duration::Game { .. } => Some(Vec::new()),
            Duration::While { cond, .. } => {
                let before = self.event.take();
                let lambda: Lambda = self.lambda(element.clone(), "a `while`", |cx| cx.condition(cond));
                self.event = before;
                Some(vec![Lasts::While(lambda)])
            }
        }
    }
}

fn duration_span(d: &Duration) -> Span {
    match d {
        Duration::Until { span, .. }
        | Duration::UntilEvent { span, .. }
        | Duration::Scopes { span, .. }
        | Duration::Game { span }
        | Duration::While { span, .. } => *span,
    }
}

/// The word a line of a grant starts with.
fn given_word(line: &Line) -> &str {
    let start = match line {
        Line::Modifier { target, .. } | Line::Bound { target, .. } | Line::Assign { target, .. } => first_word(target),
        Line::Expr(e) => first_word(e),
        _ => None,
    };
    start.unwrap_or_default()
}
