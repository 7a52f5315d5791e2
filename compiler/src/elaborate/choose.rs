//! Questions to players: `choose` and its menu.

use banneret_grammar::ast::{self, ChooseCount, MenuLine};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, ChooseMode, Expr, ExprKind, Lambda, StmtKind, Target};
use crate::items::DeclKind;
use crate::ty::{Range, Ty};

use super::Cx;
use super::builtin::optional;

impl<'db> Cx<'db> {
    pub(super) fn choose(&mut self, c: &ast::Choose, span: Span) -> Option<StmtKind> {
        if let Some(where_) = self.pure {
            self.report(Diagnostic::error("not-pure", span, format!("Nothing can be chosen in {where_}.")));
            return None;
        }
        let stored = self.expr(&c.from, None);
        let from = self.as_set(stored);
        // an absent choice asks nothing and gives none
        let may_be_absent = stored_choice(&from).is_some_and(|code| matches!(code.ty, Ty::Optional(_)));
        let element = Self::element(&from.ty);
        let by = c.by.as_ref().map(|e| self.player(e));
        let int = Ty::Int(Range::default());
        let (mode, count, ty) = match &c.count {
            ChooseCount::One if may_be_absent => (ChooseMode::One, None, optional(element.clone())),
            ChooseCount::One => (ChooseMode::One, None, element.clone()),
            ChooseCount::Exactly(n) => (ChooseMode::Exactly, Some(self.value(n, &int)), Ty::List(Box::new(element.clone()))),
            ChooseCount::UpTo(n) => {
                let n = self.value(n, &int);
                // `choose up to 1 x` gives one or none
                let one = matches!(n.kind, ExprKind::Int(1));
                let ty = if one { optional(element.clone()) } else { Ty::List(Box::new(element.clone())) };
                (ChooseMode::UpTo, Some(n), ty)
            }
            ChooseCount::Any => (ChooseMode::Any, None, Ty::List(Box::new(element.clone()))),
        };
        let each_once = c.each_once_per.as_ref().and_then(|w| self.scope_key(w));
        let such_that = c.such_that.as_ref().map(|cond| {
            self.scoped(|cx| {
                let chosen = cx.declare_silent(&c.name.text, ty.clone(), c.name.span, true);
                let body = cx.purely("a `such that`", |cx| cx.condition(cond));
                Lambda { params: vec![chosen], body: Box::new(body) }
            })
        });
        let local = self.declare(&c.name, ty);
        Some(StmtKind::Choose(Box::new(hir::Choose {
            name: SmolStr::new(&c.name.text),
            into: Target::Local(local),
            mode,
            count,
            from,
            by,
            each_once,
            such_that,
            secret: c.secret,
            in_head: false,
        })))
    }

    /// The same, of something that happens once in it.
    pub(super) fn once_key(&mut self, word: &ast::Word) -> Option<SmolStr> {
        let key = self.scope_key(word)?;
        self.waits.push((key.clone(), word.span, crate::hir::Waiting::Once));
        Some(key)
    }

    /// The phase or action a scope is named after.
    pub(super) fn scope_key(&mut self, word: &ast::Word) -> Option<SmolStr> {
        const SCOPES: &[DeclKind] = &[DeclKind::Phase, DeclKind::Action];
        // `for 2 rounds` names the phase in the plural
        let name: &str = &word.text;
        let singular = name.strip_suffix('s').unwrap_or(name);
        if let Some(found) = self.find_word(word, SCOPES).or_else(|| self.find_at(singular, word.span, SCOPES)) {
            return Some(found.key.clone());
        }
        if name == "game" {
            return Some(SmolStr::new("prelude/whole_game"));
        }
        let d = Diagnostic::error("unknown-scope", word.span, format!("There is no phase or action called `{name}`."));
        let mut d = self.suggest(d, name, word.span, &[SmolStr::new("game")], &|k| matches!(k, DeclKind::Phase | DeclKind::Action));
        if d.help.is_none() {
            let phases = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == DeclKind::Phase);
            let mut names: Vec<String> = phases.iter().map(|(name, _)| format!("`{name}`")).collect();
            names.sort();
            names.dedup();
            names.retain(|name| name != "`whole_game`");
            names.push("`game`".to_owned());
            d = d.help(format!("What things last for here: {}.", names.join(", ")));
        }
        self.report(d);
        None
    }

    pub(super) fn menu(&mut self, by: Option<Expr>, lines: &[MenuLine]) -> StmtKind {
        let mut out = Vec::new();
        for line in lines {
            let (label, mut body, span) = match line {
                MenuLine::Labelled { label, block, span } => (SmolStr::new(&label.text), self.block(block), *span),
                MenuLine::Line(line) => {
                    let span = line.span();
                    let label = match line {
                        ast::Line::Pass { .. } => SmolStr::new("pass"),
                        _ => SmolStr::new(first_words(span.of(self.text))),
                    };
                    let body = self.scoped(|cx| cx.lines(std::slice::from_ref(line)));
                    (label, body, span)
                }
            };
            // two calls of one action are told apart by their whole words
            let label = if matches!(line, MenuLine::Line(_)) && out.iter().any(|l: &hir::MenuLine| l.label == label) {
                SmolStr::new(span.of(self.text).lines().next().unwrap_or("").trim())
            } else {
                label
            };
            if out.iter().any(|l: &hir::MenuLine| l.label == label) {
                self.report(
                    Diagnostic::error("duplicate-label", span, format!("There are two lines called \"{label}\" in this menu."))
                        .help("Give one of them another label."),
                );
            }
            out.push(hir::MenuLine { label, head: super::action::mark_head(&mut body), body, span });
        }
        StmtKind::Menu { by, lines: out }
    }
}

/// The stored choice of a card that a set comes down to, whatever it is narrowed by.
pub(crate) fn stored_choice(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        ExprKind::Each { op: hir::EachOp::Filter, list, .. } => stored_choice(list),
        ExprKind::Code { code, .. } => Some(code),
        _ => None,
    }
}

/// The verb of a sentence, as its label.
fn first_words(text: &str) -> String {
    let line = text.lines().next().unwrap_or("").trim();
    let line = line.strip_prefix("do ").unwrap_or(line);
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(line).to_string()
}
