//! Calling actions, defines, tables and facts.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Expr, ExprKind};
use crate::items::DeclKind;
use crate::names::{Found, short};
use crate::suggest::nearest;
use crate::ty::Ty;

use super::Cx;
use super::cx::{error, expr};

impl<'db> Cx<'db> {
    /// A sentence: the call of an action.
    pub(super) fn emit(&mut self, found: &'db Found<'db>, first: Option<&ast::Expr>, preps: &[(ast::Word, ast::Expr)], span: Span) -> Expr {
        if let Some(where_) = self.pure {
            self.report(
                Diagnostic::error("not-pure", span, format!("`{}` changes the game, which cannot happen in {where_}.", short(&found.key)))
                    .help("Call actions in the body of an action, an effect or a rule."),
            );
            return error(span);
        }
        self.calls.push(found.key.clone());
        self.unset_arguments.clear();
        let sig = self.sig(found);
        if sig.open {
            // what it takes is not known, but what it is given is named
            for value in first.into_iter().chain(preps.iter().map(|(_, value)| value)) {
                let _ = self.expr_quietly(value);
            }
            return error(span);
        }
        let told = self.reports().len();
        let mut args: Vec<Option<Expr>> = vec![None; sig.params.len()];
        let mut each = None;
        if let Some(first) = first {
            match sig.params.iter().position(|p| p.prep.is_none()) {
                Some(i) => args[i] = Some(self.calling(&found.key, |cx| cx.argument(first, &sig.params[i].ty, i, &mut each, preps))),
                None if self.calling(&found.key, |cx| cx.asked_here(first)) => return error(span),
                None => {
                    let known: Vec<&str> = sig.params.iter().filter_map(|p| p.prep.as_deref()).collect();
                    if self.misspelt_preposition(first, &sig.name, &known) {
                        return error(span);
                    }
                    let _ = self.expr(first, None);
                    if !self.told_within(first.span) {
                        self.report(
                            Diagnostic::error("too-many-arguments", first.span, format!("`{}` takes nothing directly after it.", sig.name))
                                .help(self.call_shape(found)),
                        );
                    }
                }
            }
        }
        for (prep, value) in preps {
            match sig.params.iter().position(|p| p.prep.as_deref() == Some(&*prep.text)) {
                Some(i) if args[i].is_none() => {
                    args[i] = Some(self.calling(&found.key, |cx| cx.argument(value, &sig.params[i].ty, i, &mut each, &[])));
                }
                Some(_) => {
                    self.report(
                        Diagnostic::error("duplicate-argument", prep.span, format!("`{}` is said twice.", prep.text))
                            .help("Leave one of them out, or write two sentences."),
                    );
                    let _ = self.expr(value, None);
                }
                None => {
                    let known: Vec<&str> = sig.params.iter().filter_map(|p| p.prep.as_deref()).collect();
                    let mut d = Diagnostic::error("unknown-preposition", prep.span, format!("`{}` has no `{}`.", sig.name, prep.text))
                        .note(self.call_shape(found));
                    // a left-out parameter is the likeliest one meant
                    let said = |k: &str| preps.iter().any(|(p, _)| &*p.text == k);
                    if let Some(n) = nearest(&prep.text, known.iter().copied()).or_else(|| likeliest(sig, said)) {
                        d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), prep.span, n, false);
                    } else {
                        d = d.help("Use one of its prepositions.");
                    }
                    self.report(d);
                    let _ = self.expr(value, None);
                    return error(span);
                }
            }
        }
        for (param, arg) in sig.params.iter().zip(&args) {
            // who acts is known from who is acting
            if arg.is_none() && !param.optional && !(param.prep.as_deref() == Some("by") && self.is_player_ty(&param.ty)) {
                let how = match &param.prep {
                    Some(p) => format!("`{p}` and {}", self.ty_words(&param.ty)),
                    None => self.ty_words(&param.ty),
                };
                // `heal ally 3`: that words do not belong together is the same mistake
                let words_apart = |d: &Diagnostic| matches!(d.code, Code::UnclearWords | Code::UnknownUnit);
                let kept: Vec<Diagnostic> = self.reports().drain(told..).filter(|d| !words_apart(d)).collect();
                self.reports().extend(kept);
                self.report(
                    Diagnostic::error("missing-argument", span, format!("`{}` needs {how}: its `{}` is missing.", sig.name, param.name))
                        .help(self.call_shape(found)),
                );
                return error(span);
            }
        }
        for (i, param) in sig.params.iter().enumerate() {
            if args[i].is_none() && !param.optional && param.prep.as_deref() == Some("by") {
                args[i] = Some(expr(ExprKind::You, self.player_ty(), span));
            }
        }
        let ty = match found.kind {
            DeclKind::Phase => Ty::Nothing,
            _ => self.outline(found).result.clone(),
        };
        // what is brought into the game is of the kind of its card
        let ty = match (found.key.as_str(), args.first()) {
            ("prelude/create", Some(Some(card))) => card.ty.clone(),
            _ => ty,
        };
        let ty = if each.is_some() { Ty::Nothing } else { ty };
        expr(ExprKind::Emit { action: found.key.clone(), args, each }, ty, span)
    }

    pub(super) fn is_player_ty(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Kind(k) if self.kind(k).is_some_and(|k| k.roles.player))
    }

    /// One argument; several things where one is wanted make the action happen for each.
    fn argument(&mut self, e: &ast::Expr, want: &Ty, i: usize, each: &mut Option<usize>, _preps: &[(ast::Word, ast::Expr)]) -> Expr {
        if let ast::ExprKind::Run { head, .. } = &e.kind
            && let ast::ExprKind::Name(word) = &head.kind
            && self.find_local(word).is_none()
            && (&**word == "roll" || self.lookup(word).iter().any(|f| f.kind == DeclKind::Action))
            && !self.lookup(word).iter().any(|f| matches!(f.kind, DeclKind::Define | DeclKind::Keyword))
        {
            if self.word_twice(word, head.span) {
                return error(e.span);
            }
            let text = e.span.of(self.text).to_string();
            self.report(
                Diagnostic::error("nested-sentence", e.span, "A sentence inside a sentence needs parentheses.")
                    .help("Put parentheses around the inner one.")
                    .fix("Add parentheses", e.span, format!("({text})"), true),
            );
            return error(e.span);
        }
        let got = self.expr(e, Some(want));
        let plural = match (&got.ty, want) {
            (Ty::Set(have) | Ty::List(have), w) if !matches!(w, Ty::Set(_) | Ty::List(_)) => {
                let w = match w {
                    Ty::Optional(inner) => inner,
                    other => other,
                };
                self.agrees(have, w)
            }
            _ => false,
        };
        if plural {
            if each.is_some() {
                self.report(
                    Diagnostic::error("two-plurals", got.span, "Only one part of a sentence can be about several things.")
                        .help("Use `for x in … { … }` for the other."),
                );
            }
            *each = Some(i);
            return got;
        }
        // what may be unset is let through: a sentence with something unset in it is skipped
        if let Ty::Optional(inner) = &got.ty
            && !matches!(want, Ty::Optional(_))
            && self.agrees(inner, want)
        {
            self.unset_arguments.push(i);
            return got;
        }
        self.coerce(got, want)
    }

    /// "It is called like this: deal (amount) to (target)."
    pub(super) fn call_shape(&self, found: &'db Found<'db>) -> String {
        let sig = self.sig(found);
        let mut out = format!("It is called like this: `{}", sig.name);
        for p in &sig.params {
            out.push(' ');
            if let Some(prep) = &p.prep {
                out.push_str(prep);
                out.push(' ');
            }
            out.push_str(&p.name.to_uppercase());
        }
        out.push_str("`.");
        out
    }

    /// Fields of an action's event: parameters, and what its head binds.
    pub(super) fn event_fields(&self, found: &'db Found<'db>) -> Vec<(SmolStr, Ty)> {
        let sig = self.sig(found);
        let mut out: Vec<(SmolStr, Ty)> = sig.params.iter().map(|p| (p.name.clone(), p.ty.clone())).collect();
        if found.item != self.item {
            let name = short(&found.key);
            let main = crate::items::declares(self.db, found.item).first().map(|d| d.name.clone());
            // a phase written in place binds nothing of its own
            if main.as_deref() == Some(name) {
                out.extend(self.outline(found).bound.iter().cloned());
            }
        }
        out
    }

    pub(super) fn call_define(&mut self, found: &'db Found<'db>, args: &[Expr], span: Span) -> Expr {
        self.uses(&found.key);
        if found.item == self.item {
            self.report(
                Diagnostic::error("recursive-term", span, format!("`{}` is explained by itself.", short(&found.key)))
                    .help("Write its values as a `table`, or add them up with `sum`."),
            );
            return error(span);
        }
        let sig = self.sig(found);
        let Some(args) = self.fit_arguments(found, args, span) else { return error(span) };
        let ty = match &sig.result {
            Some(ty) => ty.clone(),
            None => self.outline(found).result.clone(),
        };
        expr(ExprKind::Call { define: found.key.clone(), args }, ty, span)
    }

    pub(super) fn call_fact(&mut self, found: &'db Found<'db>, args: &[Expr], span: Span) -> Expr {
        self.uses(&found.key);
        let Some(args) = self.fit_arguments(found, args, span) else { return error(span) };
        let ty = self.sig(found).result.clone().unwrap_or(Ty::Bool);
        expr(ExprKind::Fact { fact: found.key.clone(), args }, ty, span)
    }

    fn fit_arguments(&mut self, found: &'db Found<'db>, args: &[Expr], span: Span) -> Option<Vec<Expr>> {
        let sig = self.sig(found);
        let least = sig.params.iter().filter(|p| !p.optional).count();
        if args.len() < least || args.len() > sig.params.len() {
            let wants = match sig.params.len() {
                0 => "nothing in parentheses".to_string(),
                1 => "one value".to_string(),
                n => format!("{n} values"),
            };
            let names: Vec<String> = sig.params.iter().map(|p| p.name.to_string()).collect();
            let mut d = Diagnostic::error("wrong-argument-count", span, format!("`{}` takes {wants}, not {}.", sig.name, args.len()));
            d = match names.is_empty() {
                true => d.help(format!("Write `{}` alone.", sig.name)),
                false => d.help(format!("It is written `{}({})`.", sig.name, names.join(", ").to_uppercase())),
            };
            self.report(d);
            return None;
        }
        let mut out = Vec::new();
        for (i, param) in sig.params.iter().enumerate() {
            out.push(match args.get(i) {
                Some(arg) => self.coerce(arg.clone(), &param.ty),
                None => expr(ExprKind::None, Ty::Unset, span),
            });
        }
        Some(out)
    }
}

/// The preposition that is most likely meant when an unknown one was written: the only one that must be said and is not, or the only one left.
pub(super) fn likeliest(sig: &crate::signature::CallSig, said: impl Fn(&str) -> bool) -> Option<&str> {
    let free = || sig.params.iter().filter_map(|p| Some((p.prep.as_deref()?, p.optional))).filter(|(k, _)| !said(k));
    let mut needed = free().filter(|(_, optional)| !optional);
    let mut any = free();
    match (needed.next(), needed.next(), any.next(), any.next()) {
        (Some((only, _)), None, _, _) | (None, _, Some((only, _)), None) => Some(only),
        _ => None,
    }
}
