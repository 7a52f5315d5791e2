//! Sentences to match, in rules and in `past`.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{Compare, Expr, ExprKind, Key, Lambda, Name};
use crate::items::DeclKind;
use crate::names::Found;
use crate::ty::Ty;

use super::Cx;
use super::cx::{error, expr};

/// What some patterns match, together.
pub(super) struct Matched {
    pub actions: Vec<Key>,
    /// Fields that all of them have, with their types.
    pub fields: Vec<(SmolStr, Ty)>,
    pub guard: Option<Expr>,
    pub matches: Vec<(Name, Expr)>,
    /// What one of them waits for is not known, or could not be read.
    pub unknown: bool,
}

impl<'db> Cx<'db> {
    /// The action a pattern's verb names.
    pub(super) fn verb(&mut self, verb: &ast::Word) -> Option<&'db Found<'db>> {
        let found = self.find_word(verb, &[DeclKind::Action, DeclKind::Phase]);
        if found.is_none() && !self.word_twice(&verb.text, verb.span) {
            let d = Diagnostic::error("unknown-verb", verb.span, format!("There is no action or phase called `{}`.", verb.text));
            let mut d = self.suggest(d, &verb.text, verb.span, &[], &|k| matches!(k, DeclKind::Action | DeclKind::Phase));
            if d.help.is_none() {
                let mut phases: Vec<String> = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == DeclKind::Phase)
                    .iter()
                    .map(|(n, _)| format!("`{n}`"))
                    .collect();
                phases.sort();
                phases.dedup();
                d = match phases.is_empty() {
                    true => d.help("Declare it with `action` or `phase`."),
                    false => d.help(format!("The phases here are {}.", phases.join(", "))),
                };
            }
            self.report(d);
        }
        found
    }

    /// Patterns of a handler: which actions, which fields, and a condition over them. The event's fields are in scope after this only
    /// through `Matched::fields`.
    pub(super) fn patterns(&mut self, patterns: &[ast::Pattern]) -> Matched {
        let mut out = Matched { actions: Vec::new(), fields: Vec::new(), guard: None, matches: Vec::new(), unknown: false };
        let mut first = true;
        for pattern in patterns {
            let Some(found) = self.verb(&pattern.verb).filter(|found| !self.sig(found).open) else {
                out.unknown = true;
                continue;
            };
            let fields = self.event_fields(found);
            let guard = self.pattern_guard(pattern, found, &fields, &mut out.matches, None);
            if first {
                out.fields = fields;
                out.guard = guard;
            } else {
                out.fields.retain(|(n, t)| fields.iter().any(|(m, u)| n == m && t == u));
                if guard.is_some() || out.guard.is_some() {
                    self.report(
                        Diagnostic::error("mixed-patterns", pattern.span, "Where several actions are named, none of them can say more.")
                            .help("Write one rule for each, or use `where`."),
                    );
                    out.guard = None;
                }
            }
            first = false;
            out.actions.push(found.key.clone());
        }
        out
    }

    /// The condition a pattern makes. Fields are read from the running event, or from an event of the past (`event`).
    fn pattern_guard(
        &mut self,
        pattern: &ast::Pattern,
        found: &'db Found<'db>,
        fields: &[(SmolStr, Ty)],
        matches: &mut Vec<(Name, Expr)>,
        event: Option<&Expr>,
    ) -> Option<Expr> {
        let sig = self.sig(found);
        let mut guard: Option<Expr> = None;
        let mut parts: Vec<(usize, &ast::Expr)> = Vec::new();
        if let Some(first) = &pattern.first {
            // `at start of your turn`: whose turn
            let position = sig.params.iter().position(|p| p.prep.is_none());
            let your = matches!(&first.kind, ast::ExprKind::Name(n) if matches!(&**n, "your" | "enemy"));
            match position {
                Some(i) if !your => parts.push((i, first)),
                _ => match (sig.by, your) {
                    (Some(i), true) => parts.push((i, first)),
                    _ => {
                        let mut d =
                            Diagnostic::error("too-many-arguments", first.span, format!("`{}` takes nothing directly after it.", sig.name))
                                .help(self.call_shape(found));
                        if let Some(prep) = super::emit::likeliest(sig, |k| pattern.preps.iter().any(|(p, _)| &*p.text == k)) {
                            d = d.fix(
                                format!("Write `{prep}` before it"),
                                Span::new(first.span.start, first.span.start),
                                format!("{prep} "),
                                false,
                            );
                        }
                        self.report(d);
                    }
                },
            }
        }
        for (prep, value) in &pattern.preps {
            match sig.params.iter().position(|p| p.prep.as_deref() == Some(&*prep.text)) {
                Some(i) => parts.push((i, value)),
                None => {
                    let d = Diagnostic::error("unknown-preposition", prep.span, format!("`{}` has no `{}`.", sig.name, prep.text))
                        .note(self.call_shape(found));
                    let known = sig.params.iter().filter_map(|p| p.prep.as_deref());
                    let said = |k: &str| pattern.preps.iter().any(|(p, _)| &*p.text == k);
                    let d = match crate::suggest::nearest(&prep.text, known).or_else(|| super::emit::likeliest(sig, said)) {
                        Some(n) => d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), prep.span, n, false),
                        None => d.help("Use one of its prepositions."),
                    };
                    self.report(d);
                }
            }
        }
        for (i, value) in parts {
            let (name, ty) = &fields[i];
            let span = value.span;
            let field = match event {
                None => expr(ExprKind::EventField(name.clone()), ty.clone(), span),
                Some(e) => expr(
                    ExprKind::LogField { event: Box::new(e.clone()), action: found.key.clone(), field: name.clone() },
                    ty.clone(),
                    span,
                ),
            };
            let bare = match ty {
                Ty::Optional(t) => (**t).clone(),
                t => t.clone(),
            };
            let test = match &value.kind {
                ast::ExprKind::Name(word) if matches!(&**word, "your" | "enemy") => {
                    self.needs_players(value.span);
                    let you = expr(ExprKind::You, self.player_ty(), span);
                    let op = if &**word == "your" { Compare::Eq } else { Compare::Ne };
                    let whose = if self.is_player_ty(&bare) {
                        field.clone()
                    } else {
                        expr(ExprKind::Fun(crate::hir::Fun::Controller, vec![field.clone()]), self.player_ty(), span)
                    };
                    expr(ExprKind::Compare(op, Box::new(whose), Box::new(you)), Ty::Bool, span)
                }
                _ => {
                    let want = self.purely("a pattern", |cx| cx.expr(value, Some(&bare)));
                    matches.push((name.clone(), want.clone()));
                    match &want.ty {
                        Ty::Error => error(span),
                        Ty::Set(t) | Ty::List(t) => {
                            if !self.agrees(t, &bare) && !self.agrees(&bare, t) {
                                self.report_mismatch(&want, ty);
                            }
                            self.predicate(want, field)
                        }
                        have if pattern.first.as_ref().is_some_and(|f| f.span == span)
                            && !self.agrees(have, &bare)
                            && !self.agrees(&bare, have)
                            && sig.params.iter().any(|p| p.prep.is_some() && self.agrees(have, &p.ty)) =>
                        {
                            let prep =
                                sig.params.iter().find(|p| self.agrees(have, &p.ty)).and_then(|p| p.prep.clone()).unwrap_or_default();
                            let (have, wanted) = (self.ty_words(have), self.ty_words(&bare));
                            self.report(
                                Diagnostic::error(
                                    "wrong-type",
                                    span,
                                    format!("This is {have}, but directly after `{}` comes {wanted}.", sig.name),
                                )
                                .help(format!("Did you mean `{prep}`?"))
                                .fix(
                                    format!("Write `{prep}` before it"),
                                    Span::new(span.start, span.start),
                                    format!("{prep} "),
                                    true,
                                ),
                            );
                            error(span)
                        }
                        _ => {
                            let fits = match &want.ty {
                                // what is unset matches nothing
                                Ty::Optional(t) => self.agrees(&bare, t) || self.agrees(t, &bare),
                                t => self.agrees(&bare, t),
                            };
                            let want = if fits { want } else { self.coerce(want, &bare) };
                            let (field, want) = as_printed(field, want);
                            expr(ExprKind::Compare(Compare::Eq, Box::new(field), Box::new(want)), Ty::Bool, span)
                        }
                    }
                }
            };
            guard = Some(match guard {
                Some(g) => expr(ExprKind::And(Box::new(g), Box::new(test)), Ty::Bool, span),
                None => test,
            });
        }
        guard
    }

    /// `past(PATTERN) this S`
    pub(super) fn past(&mut self, patterns: &[ast::Pattern], cond: Option<&ast::Expr>, scope: Option<&ast::Word>, span: Span) -> Expr {
        let mut actions = Vec::new();
        let mut filter = None;
        let mut ty = Ty::Error;
        for (i, pattern) in patterns.iter().enumerate() {
            let Some(found) = self.verb(&pattern.verb) else { continue };
            let fields = self.event_fields(found);
            actions.push(found.key.clone());
            if i == 0 {
                ty = Ty::Event(found.key.clone());
                let element = ty.clone();
                let mut body = None;
                let lambda = self.scoped(|cx| {
                    let it = cx.declare_silent("it", element, Span::default(), true);
                    let event = cx.local_expr(it, span);
                    let mut matches = Vec::new();
                    body = cx.pattern_guard(pattern, found, &fields, &mut matches, Some(&event));
                    if let Some(cond) = cond {
                        cx.its.push(it);
                        let c = cx.purely("a pattern", |cx| cx.event_condition(cond, it));
                        cx.its.pop();
                        body = Some(match body.take() {
                            Some(b) => expr(ExprKind::And(Box::new(b), Box::new(c)), Ty::Bool, span),
                            None => c,
                        });
                    }
                    vec![it]
                });
                filter = body.map(|body| Box::new(Lambda { params: lambda, body: Box::new(body) }));
            } else if pattern.first.is_some() || !pattern.preps.is_empty() {
                self.report(
                    Diagnostic::error("mixed-patterns", pattern.span, "Where several actions are named, none of them can say more.")
                        .help("Count each in a `past(…)` of its own."),
                );
            }
        }
        let scope = scope.and_then(|w| self.verb(w)).map(|f| f.key.clone());
        if actions.is_empty() {
            return error(span);
        }
        expr(ExprKind::Past { actions, scope, filter }, Ty::List(Box::new(ty)), span)
    }

    /// A condition over an event of the past: its fields are named directly.
    fn event_condition(&mut self, cond: &ast::Expr, it: crate::hir::Local) -> Expr {
        let Ty::Event(action) = self.locals[it.0 as usize].ty.clone() else { return error(cond.span) };
        let found = crate::signature::by_key(self.db, self.universe, &action, &[DeclKind::Action, DeclKind::Phase]);
        let Some(found) = found else { return error(cond.span) };
        // the event's fields stand in for the running event's
        let fields = self.event_fields(found);
        let before = self.event.replace(super::cx::EventCx { fields, actions: vec![action.clone()], ..Default::default() });
        let out = self.condition(cond);
        self.event = before;
        read_from_log(out, it, &action)
    }
}

/// A card in play is compared with a card as printed by what it was made of: `until play DeathMark` is about every copy.
pub(super) fn as_printed(a: Expr, b: Expr) -> (Expr, Expr) {
    let is_thing = |ty: &Ty| match ty {
        Ty::Optional(inner) => matches!(**inner, Ty::Kind(_) | Ty::Thing),
        ty => matches!(ty, Ty::Kind(_) | Ty::Thing),
    };
    let is_card = |e: &Expr| matches!(e.kind, ExprKind::Card(_));
    let printed = |e: Expr| {
        let (ty, span) = (e.ty.clone(), e.span);
        expr(ExprKind::Fun(crate::hir::Fun::PrintedCard, vec![e]), ty, span)
    };
    match (is_card(&a), is_card(&b)) {
        (false, true) if is_thing(&a.ty) => (printed(a), b),
        (true, false) if is_thing(&b.ty) => (a, printed(b)),
        _ => (a, b),
    }
}

/// Turns reads of the running event into reads of an event of the past.
fn read_from_log(e: Expr, it: crate::hir::Local, action: &Key) -> Expr {
    let Expr { kind, ty, span } = e;
    let again = |e: Box<Expr>| Box::new(read_from_log(*e, it, action));
    let kind = match kind {
        ExprKind::EventField(name) => {
            let event = expr(ExprKind::Local(it), Ty::Event(action.clone()), span);
            ExprKind::LogField { event: Box::new(event), action: action.clone(), field: name }
        }
        ExprKind::And(a, b) => ExprKind::And(again(a), again(b)),
        ExprKind::Or(a, b) => ExprKind::Or(again(a), again(b)),
        ExprKind::Not(a) => ExprKind::Not(again(a)),
        ExprKind::OrElse(a, b) => ExprKind::OrElse(again(a), again(b)),
        ExprKind::Compare(op, a, b) => ExprKind::Compare(op, again(a), again(b)),
        ExprKind::Contains(a, b) => ExprKind::Contains(again(a), again(b)),
        ExprKind::Add(a, b) => ExprKind::Add(again(a), again(b)),
        ExprKind::Sub(a, b) => ExprKind::Sub(again(a), again(b)),
        ExprKind::Field { base, field, raw } => ExprKind::Field { base: again(base), field, raw },
        ExprKind::HasKeyword { base, keyword } => ExprKind::HasKeyword { base: again(base), keyword },
        ExprKind::IsKind { base, kind } => ExprKind::IsKind { base: again(base), kind },
        ExprKind::Fun(f, args) => ExprKind::Fun(f, args.into_iter().map(|a| read_from_log(a, it, action)).collect()),
        ExprKind::Call { define, args } => {
            ExprKind::Call { define, args: args.into_iter().map(|a| read_from_log(a, it, action)).collect() }
        }
        other => other,
    };
    Expr { kind, ty, span }
}
