//! `the commander of p`: the one thing there is, or none.

use banneret_grammar::ast;
use banneret_grammar::span::Span;

use crate::hir::{Compare, Expr, ExprKind, Fun, Stmt, StmtKind, Target};
use crate::items::DeclKind;
use crate::ty::Ty;

use super::Cx;
use super::builtin::optional;
use super::cx::expr;

impl Cx<'_> {
    /// Words that begin with `the`: whatever follows it is a set, in the singular or the plural. None: they do not.
    pub(super) fn the_one(&mut self, e: &ast::Expr, span: Span) -> Option<Expr> {
        let mut rest = without_the(e)?;
        if self.find_local("the").is_some() || !self.lookup("the").is_empty() {
            return None;
        }
        let is_narrowed = !matches!(rest.kind, ast::ExprKind::Name(_) | ast::ExprKind::Field { .. } | ast::ExprKind::Run { .. });
        // `the foe`: an article before something that has a name
        let read = self.in_the_plural(&mut rest).or_else(|| is_narrowed.then(Vec::new))?;
        let set = self.set(&rest);
        let ty = match &set.ty {
            Ty::Error => Ty::Error,
            of => optional(Self::element(of)),
        };
        let mut one = expr(ExprKind::Fun(Fun::Only, vec![set]), ty, span);
        for name in read {
            one = self.field_of(one, &name, span);
        }
        Some(one)
    }

    /// The noun of a run of words, in the plural as sets are written. What is read of the one thing is taken off and returned: `commander.wounds`.
    /// None: there is no noun.
    fn in_the_plural(&mut self, e: &mut ast::Expr) -> Option<Vec<ast::Word>> {
        let is_noun = self.is_noun(e);
        match &mut e.kind {
            ast::ExprKind::Run { head, arg } => match self.is_noun(head) {
                true => self.in_the_plural(head),
                false => self.in_the_plural(arg),
            },
            ast::ExprKind::Of { what, .. } | ast::ExprKind::Within { what, .. } | ast::ExprKind::Where { what, .. } => {
                self.in_the_plural(what)
            }
            ast::ExprKind::Field { .. } => {
                let (mut base, mut read) = (e.clone(), Vec::new());
                while let ast::ExprKind::Field { base: of, name } = base.kind {
                    read.insert(0, name);
                    base = *of;
                }
                if !self.is_noun(&base) {
                    return None;
                }
                *e = base;
                self.in_the_plural(e).map(|_| read)
            }
            ast::ExprKind::Name(word) if is_noun => {
                if let Some(plural) = self.plural_of(word).filter(|_| self.is_singular(word)) {
                    *word = plural.as_str().into();
                }
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn is_noun(&mut self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(word) = &e.kind else { return false };
        let is_plural = self.find_local(word).is_none() && self.lookup(word).iter().any(|found| found.kind == DeclKind::Noun);
        is_plural || self.is_singular(word)
    }

    /// The word that cards of a kind begin with, and nothing else here.
    fn is_singular(&mut self, word: &str) -> bool {
        let named = |kind: &DeclKind| !matches!(kind, DeclKind::Word | DeclKind::Kind);
        self.find_local(word).is_none() && self.plural_of(word).is_some() && self.lookup(word).iter().all(|found| !named(&found.kind))
    }

    /// `the commander.wounds < 3` does not hold if there is none: it is compared as what it is if there is one.
    pub(super) fn if_there(&self, e: Expr, other: &Ty) -> Expr {
        match &e.ty {
            Ty::Optional(inner) if is_through_the(&e) && !matches!(other, Ty::Optional(_) | Ty::Unset) => {
                let ty = (**inner).clone();
                Expr { ty, ..e }
            }
            _ => e,
        }
    }

    /// `the commander.wounds += 1`: is done if there is one.
    pub(super) fn changed_if_there(
        &mut self,
        mut base: Expr,
        span: Span,
        change: impl FnOnce(Target) -> StmtKind,
        field: crate::hir::Key,
    ) -> StmtKind {
        if !is_through_the(&base) {
            return change(Target::Field { base, field });
        }
        if let Ty::Optional(inner) = &base.ty {
            base.ty = (**inner).clone();
        }
        let none = expr(ExprKind::None, Ty::Unset, base.span);
        let set = expr(ExprKind::Compare(Compare::Ne, Box::new(base.clone()), Box::new(none)), Ty::Bool, base.span);
        let stmts = vec![Stmt { kind: change(Target::Field { base, field }), span }];
        StmtKind::If { arms: vec![(set, crate::hir::Block { stmts })], otherwise: None }
    }
}

/// Whether a value is that of what `the` speaks of, or of something that is read of it.
pub(crate) fn is_through_the(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Fun(Fun::Only, _) => true,
        ExprKind::Field { base, .. } | ExprKind::KeywordNumber { base, .. } | ExprKind::PartNamed { base, .. } => is_through_the(base),
        ExprKind::Fun(Fun::PlaceOf | Fun::Controller | Fun::Owner | Fun::Holder, of) => of.first().is_some_and(is_through_the),
        _ => false,
    }
}

/// The same words without the `the` they begin with.
fn without_the(e: &ast::Expr) -> Option<ast::Expr> {
    let is_the = |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Name(word) if &**word == "the");
    let mut e = e.clone();
    match &mut e.kind {
        ast::ExprKind::Run { head, arg } if is_the(head) => return Some((**arg).clone()),
        ast::ExprKind::Of { what, .. } | ast::ExprKind::Within { what, .. } | ast::ExprKind::Where { what, .. } => {
            **what = without_the(what)?;
        }
        _ => return None,
    }
    Some(e)
}
