//! Rules: what waits for an event, holds all the time, or forbids.

use banneret_grammar::ast::{self, Line};

use crate::diagnostic::Diagnostic;
use crate::hir::{self, Block, Compare, Expr, ExprKind, Key, Lambda, Rule, RuleKind, Stmt, StmtKind, Target, Waiting, When};
use crate::items::DeclKind;
use crate::lower::Seen;
use crate::ty::Ty;

use super::Cx;
use super::cx::{EventCx, expr};

impl<'db> Cx<'db> {
    /// A rule at column 0: of the whole ruleset.
    pub(super) fn global_rule(&mut self, line: &Line) -> hir::Item {
        hir::Item::Rules(self.rule(line))
    }

    /// The rules a line makes: one, or one for each of several patterns that say more than their verb.
    pub(super) fn rule(&mut self, line: &Line) -> Vec<Rule> {
        if let Line::Handler(h) = line
            && h.patterns.len() > 1
            && h.patterns.iter().any(|p| p.first.is_some() || !p.preps.is_empty())
        {
            let one = |pattern: &ast::Pattern| ast::Handler { patterns: vec![pattern.clone()], ..h.clone() };
            return h.patterns.iter().map(|p| self.handler(&one(p))).collect();
        }
        self.single_rule(line).into_iter().collect()
    }

    /// A rule given away by a grant. `cannot VERB` without more is about what its receiver does, or what is done to it.
    pub(super) fn granted_rule(&mut self, line: &Line, receiver: &Ty) -> Vec<Rule> {
        let Line::Cannot { must, patterns, cond, span } = line else { return self.rule(line) };
        if *must || patterns.iter().any(|p| p.first.is_some() || !p.preps.is_empty() || &*p.verb.text == "choose") {
            return self.rule(line);
        }
        let mut out = Vec::new();
        for pattern in patterns {
            let one = Line::Cannot { must: *must, patterns: vec![pattern.clone()], cond: cond.clone(), span: *span };
            let mut rules = self.rule(&one);
            let about = self.about_receiver(pattern, receiver);
            for rule in &mut rules {
                if let (RuleKind::Cannot { guard, .. }, Some(about)) = (&mut rule.kind, about.clone()) {
                    *guard = Some(match guard.take() {
                        Some(guard) => expr(ExprKind::And(Box::new(about), Box::new(guard)), Ty::Bool, pattern.span),
                        None => about,
                    });
                }
            }
            out.append(&mut rules);
        }
        out
    }

    /// Whether the first argument of the event, or who does it, is the receiver. None: neither can be.
    fn about_receiver(&mut self, pattern: &ast::Pattern, receiver: &Ty) -> Option<Expr> {
        let found = self.find(&pattern.verb.text, &[DeclKind::Action, DeclKind::Phase])?;
        let sig = self.sig(found);
        let first = sig.params.iter().position(|p| p.prep.is_none());
        let mut about: Option<Expr> = None;
        for param in first.into_iter().chain(sig.by).filter_map(|i| sig.params.get(i)) {
            let bare = match &param.ty {
                Ty::Optional(inner) => (**inner).clone(),
                ty => ty.clone(),
            };
            if !matches!(bare, Ty::Kind(_) | Ty::Thing) || !(self.agrees(receiver, &bare) || self.agrees(&bare, receiver)) {
                continue;
            }
            let field = expr(ExprKind::EventField(param.name.clone()), param.ty.clone(), pattern.span);
            let this = self.this_expr(receiver.clone(), pattern.span);
            let is = expr(ExprKind::Compare(Compare::Eq, Box::new(field), Box::new(this)), Ty::Bool, pattern.span);
            about = Some(match about {
                Some(other) => expr(ExprKind::Or(Box::new(other), Box::new(is)), Ty::Bool, pattern.span),
                None => is,
            });
        }
        about
    }

    fn single_rule(&mut self, line: &Line) -> Option<Rule> {
        match line {
            Line::Grant { set, block, durations, span } => self.continuous_grant(set, block, durations, *span),
            Line::Handler(h) => Some(self.handler(h)),
            Line::Cannot { must, patterns, cond, span } => {
                if let [only] = patterns.as_slice()
                    && &*only.verb.text == "choose"
                {
                    return self.cannot_choose(only, cond.as_ref(), *must);
                }
                if *must {
                    let words = "`must` says what must be chosen before anything else.";
                    let help = "Write `must choose …`. What must be done is called in a rule; what must not be done instead is forbidden with `cannot`.";
                    self.report(Diagnostic::error("misplaced-line", super::stmt::first_line(*span, self.text), words).help(help));
                    return None;
                }
                let (guard, matched) = self.matched(patterns, cond.as_ref());
                let span = *span;
                if let ([action], [pattern]) = (matched.actions.as_slice(), patterns.as_slice()) {
                    self.waits.push((action.clone(), pattern.verb.span, Waiting::Forbid));
                }
                Some(Rule {
                    kind: RuleKind::Cannot { actions: matched.actions, choose: None, must: false, guard, matches: matched.matches },
                    span,
                    of: None,
                })
            }
            other => {
                self.misplaced(other, "among rules");
                None
            }
        }
    }

    /// Patterns and `where` as one condition.
    fn matched(&mut self, patterns: &[ast::Pattern], cond: Option<&ast::Expr>) -> (Option<Expr>, super::pattern::Matched) {
        let outer = self.event.take();
        let mut matched = self.patterns(patterns);
        let (fields, actions) = (matched.fields.clone(), matched.actions.clone());
        self.event = Some(EventCx { fields, actions, outer: self.scope.len(), unknown: matched.unknown, ..EventCx::default() });
        let cond = cond.map(|c| self.purely("a `where`", |cx| cx.condition(c)));
        self.event = outer;
        let guard = match (matched.guard.take(), cond) {
            (Some(g), Some(c)) => {
                let span = c.span;
                Some(expr(ExprKind::And(Box::new(g), Box::new(c)), Ty::Bool, span))
            }
            (g, c) => g.or(c),
        };
        (guard, matched)
    }

    fn handler(&mut self, h: &ast::Handler) -> Rule {
        let (guard, matched) = self.matched(&h.patterns, h.cond.as_ref());
        let when = match h.when {
            ast::When::Before => When::Before,
            ast::When::After => When::After,
            ast::When::Instead => When::Instead,
            ast::When::AtStart => When::AtStart,
            ast::When::AtEnd => When::AtEnd,
        };
        if h.patterns.is_empty() && !matches!(when, When::AtEnd | When::After) {
            self.report(Diagnostic::error("missing-event", h.span, "It is not said which event this waits for."));
        }
        // a rule for several events is reachable if one of them is
        if let ([action], [pattern]) = (matched.actions.as_slice(), h.patterns.as_slice()) {
            self.waits.push((action.clone(), pattern.verb.span, Waiting::Answer));
        }
        // who replaces something by nothing prevents it
        if h.block.lines.is_empty() && when != When::Instead {
            self.report(
                Diagnostic::warning(
                    "does-nothing",
                    super::stmt::first_line(h.span, self.text),
                    "This rule does nothing: its block is empty.",
                )
                .help("Write what happens between `{` and `}`, or remove the rule."),
            );
        }
        let once = h.once_per.as_ref().and_then(|w| self.once_key(w));
        let outer = self.event.replace(EventCx {
            fields: matched.fields.clone(),
            actions: matched.actions.clone(),
            modifiable: h.when == ast::When::Before,
            replaceable: h.when == ast::When::Instead,
            outer: self.scope.len(),
            unknown: matched.unknown,
        });
        let loops = std::mem::take(&mut self.loops);
        let mut body = self.block(&h.block);
        match when {
            When::Instead => self.replaces_result(&matched.actions, &mut body, h),
            _ => {
                self.do_nothing(body.stmts.last().map(std::slice::from_ref).unwrap_or_default());
                self.sets_too_late(when, &body);
            }
        }
        self.loops = loops;
        self.event = outer;
        Rule {
            kind: RuleKind::Handler { when, actions: matched.actions, guard, once, body, matches: matched.matches },
            span: h.span,
            of: None,
        }
    }

    /// What replaces an action that gives a value gives one too: its last line, or what `proceed` gives.
    fn replaces_result(&mut self, actions: &[Key], body: &mut Block, h: &ast::Handler) {
        let kinds = [DeclKind::Action, DeclKind::Phase];
        let found = actions.iter().filter_map(|key| crate::signature::by_key(self.db, self.universe, key, &kinds));
        let results: Vec<Ty> = found.map(|found| self.outline(found).result.clone()).collect();
        let wanted = match results.as_slice() {
            [first, rest @ ..] if rest.iter().all(|ty| ty == first) => first.clone(),
            _ => Ty::Nothing,
        };
        let wanted = if matches!(wanted, Ty::Rolled(_)) { Ty::Int(crate::ty::Range::default()) } else { wanted };
        if matches!(wanted, Ty::Nothing | Ty::Error) {
            return self.do_nothing(body.stmts.last().map(std::slice::from_ref).unwrap_or_default());
        }
        super::action::result_of(body);
        if crate::lower::gives_result(body)
            && let Some(Stmt { kind: StmtKind::Expr(given), .. }) = body.stmts.last_mut()
        {
            let value = std::mem::replace(given, super::cx::error(given.span));
            *given = self.coerce(value, &wanted);
            return;
        }
        // a thing may be missing wherever it is looked for; a number may not
        let may_be_missing = matches!(wanted, Ty::Optional(_) | Ty::Unset | Ty::Thing | Ty::Kind(_));
        if !may_be_missing && !proceeds(body) && !body.stmts.iter().any(|s| matches!(s.kind, StmtKind::Todo(_))) {
            let words = self.ty_words(&wanted);
            self.report(
                Diagnostic::error(
                    "missing-result",
                    super::stmt::first_line(h.span, self.text),
                    format!("What is replaced here gives {words}, and this gives nothing instead."),
                )
                .help("End the block with the value it gives instead, or with `proceed`."),
            );
        }
    }

    /// `after roll_for this where pips == 1 { pips = roll d6 }`: the event is over, nobody reads its fields any more.
    fn sets_too_late(&mut self, when: When, body: &Block) {
        if !matches!(when, When::After | When::AtEnd) {
            return;
        }
        let (mut set, mut read) = (Vec::new(), Vec::new());
        crate::lower::in_block(body, &mut |seen| match seen {
            Seen::Set(Target::EventField(name), at) => set.push((name.clone(), at)),
            Seen::Expr(Expr { kind: ExprKind::EventField(name), span, .. }) => read.push((name.clone(), *span)),
            _ => {}
        });
        for (name, at) in set {
            if !read.iter().any(|(n, span)| *n == name && span.start >= at.end) {
                self.report(
                    Diagnostic::warning(
                        "changes-nothing",
                        at,
                        format!("`{name}` is changed when the event is over: nobody reads it any more."),
                    )
                    .help("Answer the event `before` it happens, or `instead of` it and `proceed` with the new value."),
                );
            }
        }
    }

    /// `cannot choose this by opponent`, `must choose this by opponent`
    fn cannot_choose(&mut self, pattern: &ast::Pattern, cond: Option<&ast::Expr>, must: bool) -> Option<Rule> {
        let span = pattern.span;
        let player = self.player_ty();
        let first = pattern.first.as_ref().map(|e| self.purely("a pattern", |cx| cx.expr(e, None)));
        let by = pattern.preps.iter().find(|(p, _)| &*p.text == "by").map(|(_, e)| self.purely("a pattern", |cx| cx.expr(e, None)));
        let element = match first.as_ref().map(|e| &e.ty) {
            Some(Ty::Set(t) | Ty::List(t)) => (**t).clone(),
            Some(t) => t.clone(),
            None => Ty::Thing,
        };
        let lambda = self.scoped(|cx| {
            let it = cx.declare_silent("it", element, span, true);
            let chooser = cx.declare_silent("chooser", player, span, true);
            let mut body = expr(ExprKind::Bool(true), Ty::Bool, span);
            let and = |a: Expr, b: Expr| expr(ExprKind::And(Box::new(a), Box::new(b)), Ty::Bool, span);
            if let Some(first) = first {
                let subject = cx.local_expr(it, span);
                body = and(body, cx.predicate(first, subject));
            }
            if let Some(by) = by {
                let subject = cx.local_expr(chooser, span);
                let test = match &by.ty {
                    Ty::Set(_) | Ty::List(_) => cx.predicate(by, subject),
                    _ => expr(ExprKind::Compare(Compare::Eq, Box::new(subject), Box::new(by)), Ty::Bool, span),
                };
                body = and(body, test);
            }
            if let Some(cond) = cond {
                cx.its.push(it);
                let cond = cx.purely("a `where`", |cx| cx.condition(cond));
                cx.its.pop();
                body = and(body, cond);
            }
            Lambda { params: vec![it, chooser], body: Box::new(body) }
        });
        Some(Rule {
            kind: RuleKind::Cannot { actions: Vec::new(), choose: Some(lambda), must, guard: None, matches: Vec::new() },
            span,
            of: None,
        })
    }

    /// The rule lines of a card, kind or keyword; other lines are left to the caller.
    pub(super) fn is_rule(line: &Line) -> bool {
        matches!(line, Line::Grant { .. } | Line::Handler(_) | Line::Cannot { .. })
    }
}

/// Whether a block carries out what it replaces, whatever happens in it.
fn proceeds(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Proceed => true,
        StmtKind::If { arms, otherwise: Some(otherwise) } => arms.iter().all(|(_, b)| proceeds(b)) && proceeds(otherwise),
        StmtKind::Menu { lines, .. } => lines.iter().all(|line| proceeds(&line.body)),
        StmtKind::RepeatTimes { body, .. } => proceeds(body),
        _ => false,
    })
}
