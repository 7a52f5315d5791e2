//! Sets of things: `enemy units within 6" of this where …`.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key, Lambda};
use crate::items::DeclKind;
use crate::key::member_key;
use crate::names::{Found, short};
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{Place, error, expr};

impl<'db> Cx<'db> {
    /// An expression that must be a set (or list, pile, stored choice, roll).
    pub(super) fn set(&mut self, e: &ast::Expr) -> Expr {
        let got = self.expr(e, None);
        self.as_set(got)
    }

    pub(super) fn as_set(&mut self, got: Expr) -> Expr {
        let span = got.span;
        match got.ty.clone() {
            Ty::Set(_) | Ty::List(_) | Ty::Rolled(_) | Ty::Error => got,
            Ty::Pile(k) => {
                let ty = Ty::List(Box::new(Ty::Kind(k)));
                expr(ExprKind::Fun(Fun::PileCards, vec![got]), ty, span)
            }
            Ty::Choice(k) => {
                let ty = Ty::List(Box::new(Ty::Kind(k)));
                expr(ExprKind::Code { code: Box::new(got), args: Vec::new() }, ty, span)
            }
            Ty::Optional(inner) => match *inner {
                Ty::Choice(k) => {
                    let ty = Ty::List(Box::new(Ty::Kind(k)));
                    expr(ExprKind::Code { code: Box::new(got), args: Vec::new() }, ty, span)
                }
                Ty::Set(t) | Ty::List(t) => {
                    let ty = Ty::List(t);
                    let empty = expr(ExprKind::List(Vec::new()), ty.clone(), span);
                    expr(ExprKind::OrElse(Box::new(got), Box::new(empty)), ty, span)
                }
                // what may be unset is a set of at most one
                inner @ (Ty::Kind(_) | Ty::Enum(_) | Ty::Keyword | Ty::Place) => {
                    let ty = Ty::List(Box::new(inner));
                    let none = expr(ExprKind::None, Ty::Unset, span);
                    let set = expr(ExprKind::Compare(Compare::Ne, Box::new(got.clone()), Box::new(none)), Ty::Bool, span);
                    let one = expr(ExprKind::List(vec![got]), ty.clone(), span);
                    let empty = expr(ExprKind::List(Vec::new()), ty.clone(), span);
                    expr(ExprKind::If { arms: vec![(set, one)], otherwise: Box::new(empty) }, ty, span)
                }
                _ => self.not_a_set(&got),
            },
            _ => self.not_a_set(&got),
        }
    }

    fn not_a_set(&mut self, got: &Expr) -> Expr {
        if self.told_within(got.span) {
            return error(got.span);
        }
        let words = self.ty_words(&got.ty);
        self.report(Diagnostic::error(
            "not-a-set",
            got.span,
            format!("Here several things are wanted to look through, but this is {words}."),
        ));
        error(got.span)
    }

    /// What the elements of a set are.
    pub(super) fn element(set: &Ty) -> Ty {
        match set {
            Ty::Set(t) | Ty::List(t) => (**t).clone(),
            Ty::Rolled(sides) => Ty::Int(Range { low: sides.map(|_| 1), high: *sides }),
            _ => Ty::Error,
        }
    }

    /// `A of B`: those of a player or faction, the part of a number, or a field.
    pub(super) fn of(&mut self, what: &ast::Expr, of: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Name(name) = &what.kind
            && self.find_local(name).is_none()
            && self.lookup(name).iter().all(|f| !matches!(f.kind, DeclKind::Noun | DeclKind::Define))
        {
            // `blocker of a` is `a.blocker`
            let base = self.expr(of, None);
            let field = ast::Word { text: name.clone(), span: what.span };
            return self.field_of(base, &field, span);
        }
        let what = self.expr(what, None);
        match what.ty.clone() {
            Ty::Error => {
                let _ = self.expr(of, None);
                error(span)
            }
            Ty::Percent | Ty::Fraction => {
                let of = self.expr(of, None);
                let of = self.plain_number(of);
                let percent = what.ty == Ty::Percent;
                let kind =
                    if percent { ExprKind::Fun(Fun::PercentOf, vec![what, of]) } else { ExprKind::Mul(Box::new(what), Box::new(of)) };
                expr(kind, Ty::Fraction, span)
            }
            Ty::Set(element) | Ty::List(element) => {
                let of = self.expr(of, None);
                self.belonging(what, *element, of, span)
            }
            other => {
                let words = self.ty_words(&other);
                self.report(Diagnostic::error("wrong-type", span, format!("`of` cannot be said of {words}.")));
                error(span)
            }
        }
    }

    /// The elements of a set that belong to a player, or whose `of` field is the given card.
    fn belonging(&mut self, set: Expr, element: Ty, of: Expr, span: Span) -> Expr {
        let own = match &element {
            Ty::Kind(k) => self.kind(k).and_then(|k| k.of_field()).map(|f| f.ty.clone()),
            _ => None,
        };
        let by_field = own.as_ref().is_some_and(|t| self.agrees(&of.ty, t));
        let key = match &of.ty {
            Ty::Kind(key) => key.clone(),
            _ => SmolStr::default(),
        };
        if !by_field && key.is_empty() {
            if of.ty != Ty::Error {
                let words = self.ty_words(&of.ty);
                self.report(Diagnostic::error("wrong-type", of.span, format!("Things belong to a player or to a card; this is {words}.")));
            }
            return error(span);
        }
        let is_player = !by_field && self.kind(&key).is_some_and(|k| k.roles.player);
        let ty = set.ty.clone();
        let lambda = self.lambda(element.clone(), "a selector", |cx| {
            let it = cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span));
            let owner = if is_player {
                expr(ExprKind::Fun(Fun::Controller, vec![it]), of.ty.clone(), span)
            } else {
                let field = match &element {
                    Ty::Kind(k) => cx.kind(k).and_then(|k| k.of_field()).cloned(),
                    _ => None,
                };
                match field {
                    Some(f) => {
                        cx.uses(&f.key.clone());
                        expr(ExprKind::Field { base: Box::new(it), field: f.key, raw: false }, f.ty, span)
                    }
                    None => {
                        let words = cx.ty_words(&element);
                        cx.report(Diagnostic::error("wrong-type", span, format!("{words} does not belong to a card.")));
                        error(span)
                    }
                }
            };
            expr(ExprKind::Compare(Compare::Eq, Box::new(owner), Box::new(of)), Ty::Bool, span)
        });
        expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(set), lambda }, ty, span)
    }

    /// `A within L of X`: a set filtered by distance, or a condition about one thing.
    pub(super) fn within(&mut self, what: &ast::Expr, length: &ast::Expr, of: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Name(name) = &what.kind
            && &**name == "places"
        {
            let of = self.expr(of, None);
            let of = self.piece(of);
            let length = self.length_value(length);
            return expr(ExprKind::Fun(Fun::Spots, vec![of, length]), Ty::List(Box::new(Ty::Place)), span);
        }
        let what = self.expr(what, None);
        let length = self.length_value(length);
        let of = self.expr(of, None);
        let of = self.piece(of);
        match what.ty.clone() {
            Ty::Set(element) | Ty::List(element) => {
                self.must_be_piece(&element, what.span);
                let ty = what.ty.clone();
                let lambda = self.lambda(*element, "a selector", |cx| {
                    let it = cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span));
                    cx.near(it, of, length, span)
                });
                expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(what), lambda }, ty, span)
            }
            Ty::Error => error(span),
            _ => {
                let what = self.piece(what);
                self.near(what, of, length, span)
            }
        }
    }

    /// Near enough, as the rule system measures: between centres, between the edges of bases, or in spaces of a board.
    fn near(&self, a: Expr, b: Expr, length: Expr, span: Span) -> Expr {
        expr(ExprKind::Fun(Fun::Within, vec![a, b, length]), Ty::Bool, span)
    }

    fn length_value(&mut self, e: &ast::Expr) -> Expr {
        let want = self.length_ty();
        let got = self.expr(e, Some(&want));
        match &got.ty {
            Ty::Length(_) | Ty::Error => got,
            _ => self.coerce(got, &want),
        }
    }

    /// Something that has a place on the table.
    pub(super) fn piece(&mut self, e: Expr) -> Expr {
        match &e.ty {
            Ty::Place | Ty::Error | Ty::Thing => e,
            Ty::Optional(inner) if **inner == Ty::Place => e,
            ty => {
                let ty = ty.clone();
                self.must_be_piece(&ty, e.span);
                e
            }
        }
    }

    pub(super) fn must_be_piece(&mut self, ty: &Ty, span: Span) {
        let key = match ty {
            Ty::Kind(key) => key,
            Ty::Optional(inner) => return self.must_be_piece(&inner.clone(), span),
            Ty::Error | Ty::Thing | Ty::Place => return,
            other => {
                let words = self.ty_words(other);
                self.report(Diagnostic::error("no-place", span, format!("Distances are between pieces on the table; this is {words}.")));
                return;
            }
        };
        if let Some(info) = self.kind(key)
            && !info.roles.piece
        {
            self.report(
                Diagnostic::error(
                    "no-place",
                    span,
                    format!("{} has no place on the table, so nothing is near it.", super::coerce::with_capital_article(&info.name)),
                )
                .help("Distances and auras need a kind that `is piece`."),
            );
        }
    }

    /// `x is Y`: a kind, a keyword, an adjective, or an enum member.
    pub(super) fn is(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let l = self.expr(left, None);
        let ast::ExprKind::Name(name) = &right.kind else {
            if let ast::ExprKind::Of { .. } = &right.kind {
                // `types is subset of …` reads well, but is written as a term
                self.report(
                    Diagnostic::error("wrong-type", right.span, "After `is` comes one word: a kind, a keyword or an adjective.")
                        .help("Write `subset(a, b)`."),
                );
                return error(span);
            }
            let _ = self.expr(right, None);
            if self.told_within(right.span) {
                return error(span);
            }
            self.report(Diagnostic::error("wrong-type", right.span, "After `is` comes one word: a kind, a keyword or an adjective."));
            return error(span);
        };
        if l.ty == Ty::Error {
            return error(span);
        }
        if let Ty::Enum(key) = &l.ty
            && self.enum_info(key).members.iter().any(|(n, _)| **n == **name)
        {
            let key = key.clone();
            self.uses(&key);
            self.uses(&member_key(&key, name));
            let member = expr(ExprKind::Member(key.clone(), SmolStr::new(name)), Ty::Enum(key), right.span);
            return expr(ExprKind::Compare(Compare::Eq, Box::new(l), Box::new(member)), Ty::Bool, span);
        }
        if let Some(local) = self.find_local(name) {
            // a keyword held in a variable
            let r = self.local_expr(local, right.span);
            return expr(ExprKind::Compare(Compare::Eq, Box::new(l), Box::new(r)), Ty::Bool, span);
        }
        let kinds = [DeclKind::Keyword, DeclKind::Kind, DeclKind::Define, DeclKind::Card];
        let Some(found) = self.find_at(name, right.span, &kinds) else {
            let d = Diagnostic::error("unknown-name", right.span, format!("`{name}` is not a kind, a keyword or an adjective."));
            let d = self.suggest(d, name, right.span, &[], &|k| matches!(k, DeclKind::Keyword | DeclKind::Kind | DeclKind::Define));
            self.report(d);
            return error(span);
        };
        match found.kind {
            DeclKind::Keyword => {
                self.can_have(&l.ty, found, right.span);
                expr(ExprKind::HasKeyword { base: Box::new(l), keyword: found.key.clone() }, Ty::Bool, span)
            }
            DeclKind::Kind => {
                self.can_be(&l.ty, &found.key, right.span);
                expr(ExprKind::IsKind { base: Box::new(l), kind: found.key.clone() }, Ty::Bool, span)
            }
            DeclKind::Card => {
                let ty = self.card_ty(found);
                let printed = expr(ExprKind::Fun(Fun::PrintedCard, vec![l]), ty.clone(), span);
                let card = expr(ExprKind::Card(found.key.clone()), ty, right.span);
                expr(ExprKind::Compare(Compare::Eq, Box::new(printed), Box::new(card)), Ty::Bool, span)
            }
            _ => self.call_define(found, &[l], span),
        }
    }

    /// The elements for which a one-word test is true: `your units`, `damaged units`.
    pub(super) fn adjective(&mut self, word: &str, word_span: Span, set: Expr, span: Span) -> Expr {
        let element = Self::element(&set.ty);
        if element == Ty::Error {
            return error(span);
        }
        let ty = match &set.ty {
            Ty::Rolled(_) => Ty::List(Box::new(element.clone())),
            other => other.clone(),
        };
        if matches!(word, "your" | "friendly" | "enemy") {
            self.needs_players(word_span);
            self.one_side_only(word, word_span, &set);
        }
        let found = self.lookup(word).iter().find(|f| matches!(f.kind, DeclKind::Define | DeclKind::Keyword));
        let lambda = self.lambda(element, "a selector", |cx| {
            let it = cx.its.last().copied().map(|l| cx.local_expr(l, word_span)).unwrap_or_else(|| error(word_span));
            let you = expr(ExprKind::You, cx.player_ty(), word_span);
            let controller = |it: Expr, ty: Ty| expr(ExprKind::Fun(Fun::Controller, vec![it]), ty, word_span);
            match (word, found) {
                ("your" | "friendly", _) => {
                    let c = controller(it, you.ty.clone());
                    expr(ExprKind::Compare(Compare::Eq, Box::new(c), Box::new(you)), Ty::Bool, word_span)
                }
                ("enemy", _) => {
                    let c = controller(it, you.ty.clone());
                    expr(ExprKind::Compare(Compare::Ne, Box::new(c), Box::new(you)), Ty::Bool, word_span)
                }
                ("other", _) => {
                    let this = cx.name("this", word_span, None);
                    expr(ExprKind::Compare(Compare::Ne, Box::new(it), Box::new(this)), Ty::Bool, word_span)
                }
                (_, Some(found)) if found.kind == DeclKind::Keyword => {
                    cx.uses(&found.key);
                    expr(ExprKind::HasKeyword { base: Box::new(it), keyword: found.key.clone() }, Ty::Bool, word_span)
                }
                (_, Some(found)) => cx.call_define(found, &[it], word_span),
                (_, None) => error(word_span),
            }
        });
        expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(set), lambda }, ty, span)
    }

    /// `your enemy units`: nothing is both.
    fn one_side_only(&mut self, word: &str, at: Span, set: &Expr) {
        let Some((_, other)) = sides(set).into_iter().find(|(mine, _)| *mine != (word != "enemy")) else { return };
        let (rest, before) = (set.span.of(self.text), other.of(self.text));
        let d = Diagnostic::warning("never-true", at, "Nothing is yours and your enemy's at once, so there are none of these.")
            .also(other, "this says the opposite");
        let noun = rest.strip_prefix(before).map(str::trim_start).filter(|_| other.start == set.span.start);
        let d = match noun {
            Some(noun) => {
                let (noun_at, whole) = (set.span.end - noun.len() as u32, at.to(set.span));
                let first = noun.split(' ').next().unwrap_or(noun);
                d.help(format!("Write `{before} {first}` or `{word} {first}`."))
                    .fix(format!("Write `{before} {first}`"), Span::new(whole.start, set.span.start), "", false)
                    .fix(format!("Write `{word} {first}`"), Span::new(set.span.start, noun_at), "", false)
            }
            None => d.help("Leave one of the two out."),
        };
        self.report(d);
    }

    /// Whether something may be of two kinds, because one is the other or a third is both.
    fn may_be_both(&self, one: &Key, other: &Key) -> bool {
        let (one_ty, other_ty) = (Ty::Kind(one.clone()), Ty::Kind(other.clone()));
        if self.agrees(&one_ty, &other_ty) || self.agrees(&other_ty, &one_ty) {
            return true;
        }
        let module = crate::names::ModuleName::new(self.db, self.module.clone());
        let kinds = crate::signature::visible_kinds(self.db, self.universe, module);
        kinds.iter().filter_map(|key| self.kind(key)).any(|kind| kind.open || kind.is_a(one) && kind.is_a(other))
    }

    /// `plant is Rock`: that what is asked for excludes what it is.
    fn can_be(&mut self, ty: &Ty, kind: &Key, at: Span) {
        let Some(have) = of_kind(ty) else { return };
        // a test may say so
        if self.place != Place::Test && !self.may_be_both(have, kind) {
            let words = format!("A {} is never a {}.", short(have), short(kind));
            self.report(Diagnostic::warning("never-true", at, words).help("Ask for a kind that it can be."));
        }
    }

    /// `rock is Hardy`: that the keyword is none of such a thing.
    pub(super) fn can_have(&mut self, ty: &Ty, keyword: &'db Found<'db>, at: Span) {
        let (Some(have), Some(on)) = (of_kind(ty), self.sig(keyword).on.clone()) else { return };
        if self.place != Place::Test && !self.may_be_both(have, &on) {
            let name = short(&keyword.key);
            let words = format!("{name} is a keyword of a {}: a {} never has it.", short(&on), short(have));
            self.report(Diagnostic::warning("never-true", at, words).help("Ask for a keyword that it can have."));
        }
    }

    /// Whether something is one of a set, without looking at what is in play now: "is it an enemy unit?" also of one that has just left.
    pub(super) fn predicate(&mut self, set: Expr, it: Expr) -> Expr {
        let span = set.span;
        match set.kind {
            ExprKind::AllOf(kind) => expr(ExprKind::IsKind { base: Box::new(it), kind }, Ty::Bool, span),
            ExprKind::Players => expr(ExprKind::Bool(true), Ty::Bool, span),
            ExprKind::Each { op: EachOp::Filter, list, lambda } => {
                let outer = self.predicate(*list, it.clone());
                let inner = apply(lambda, it);
                expr(ExprKind::And(Box::new(outer), Box::new(inner)), Ty::Bool, span)
            }
            kind => {
                let set = Expr { kind, ty: set.ty, span };
                match &set.ty {
                    Ty::Set(_) | Ty::List(_) => expr(ExprKind::Contains(Box::new(set), Box::new(it)), Ty::Bool, span),
                    _ => expr(ExprKind::Compare(Compare::Eq, Box::new(it), Box::new(set)), Ty::Bool, span),
                }
            }
        }
    }
}

/// Which sides a set is limited to: whether it is yours, and where that is said.
fn sides(set: &Expr) -> Vec<(bool, Span)> {
    let ExprKind::Each { op: EachOp::Filter, list, lambda } = &set.kind else { return Vec::new() };
    let mut out = sides(list);
    if let ExprKind::Compare(op @ (Compare::Eq | Compare::Ne), owner, you) = &lambda.body.kind
        && matches!(&owner.kind, ExprKind::Fun(Fun::Controller, of) if matches!(of.as_slice(), [Expr { kind: ExprKind::Local(it), .. }] if lambda.params.contains(it)))
        && matches!(you.kind, ExprKind::You)
    {
        out.push((*op == Compare::Eq, lambda.body.span));
    }
    out
}

/// A lambda's body with its parameter bound: a table without rows is a `let`.
pub(super) fn apply(lambda: Lambda, to: Expr) -> Expr {
    let (ty, span) = (lambda.body.ty.clone(), lambda.body.span);
    match lambda.params.first() {
        Some(param) => {
            expr(ExprKind::Table { subject: Some((*param, Box::new(to))), rows: Vec::new(), otherwise: Some(lambda.body) }, ty, span)
        }
        None => *lambda.body,
    }
}

/// The kind of something that may be unset.
fn of_kind(ty: &Ty) -> Option<&Key> {
    match ty {
        Ty::Kind(kind) => Some(kind),
        Ty::Optional(inner) => of_kind(inner),
        _ => None,
    }
}
