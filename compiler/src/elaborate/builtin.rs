//! `f(…)`: terms of the project, and the functions the language brings.

use banneret_grammar::ast;
use banneret_grammar::span::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::{EachOp, Expr, ExprKind, Fun};
use crate::items::DeclKind;
use crate::language::FUNCTIONS;
use crate::names::PRELUDE;
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};

impl<'db> Cx<'db> {
    pub(super) fn call(&mut self, name: &ast::Word, args: &[ast::Expr], span: Span, want: Option<&Ty>) -> Expr {
        if let Some(found) = self.find_word(name, &[DeclKind::Define, DeclKind::Table, DeclKind::Fact]) {
            let sig = self.sig(found);
            let mut values = Vec::new();
            for (i, arg) in args.iter().enumerate() {
                values.push(match sig.params.get(i) {
                    Some(p) => self.expr(arg, Some(&p.ty)),
                    None => self.expr(arg, None),
                });
            }
            if found.kind == DeclKind::Fact {
                return self.call_fact(found, &values, span);
            }
            return self.call_define(found, &values, span);
        }
        if self.module == PRELUDE
            && let Some(e) = self.intrinsic(&name.text, args, span)
        {
            return e;
        }
        match FUNCTIONS.iter().find(|(f, _)| *f == &*name.text) {
            Some((f, shape)) => match self.function(f, args, span, want) {
                Some(e) => e,
                None => {
                    self.report(
                        Diagnostic::error("wrong-argument-count", span, format!("`{f}` is not used like this."))
                            .note(format!("It is written `{shape}`.")),
                    );
                    error(span)
                }
            },
            None => {
                let mut d = Diagnostic::error("unknown-function", name.span, format!("There is no term called `{}`.", name.text));
                let is_term = |k: DeclKind| matches!(k, DeclKind::Define | DeclKind::Table | DeclKind::Fact);
                let seen = crate::names::near_names(self.db, self.universe, &self.module, &name.text, &is_term);
                let candidates = FUNCTIONS.iter().map(|(f, _)| *f).chain(seen);
                if let Some(n) = nearest(&name.text, candidates) {
                    d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
                }
                if self.lookup(&name.text).iter().any(|f| matches!(f.kind, DeclKind::Action | DeclKind::Phase)) {
                    d = d.help("It is an action: call it as a sentence, without parentheses.");
                }
                self.report(d);
                error(span)
            }
        }
    }

    fn function(&mut self, name: &str, args: &[ast::Expr], span: Span, want: Option<&Ty>) -> Option<Expr> {
        let int = Ty::Int(Range::default());
        let natural = Ty::Int(Range { low: Some(0), high: None });
        let fun = |f: Fun, args: Vec<Expr>, ty: Ty| Some(expr(ExprKind::Fun(f, args), ty, span));
        match (name, args) {
            ("count", [set]) => {
                let set = self.set(set);
                if set.ty == Ty::Error {
                    return Some(error(span));
                }
                let one = expr(ExprKind::Int(1), int.clone(), span);
                let lambda = self.lambda(Self::element(&set.ty), "a count", |_| one);
                Some(expr(ExprKind::Each { op: EachOp::Sum, list: Box::new(set), lambda }, natural, span))
            }
            ("sum", [set]) => {
                let set = self.set(set);
                fun(Fun::Total, vec![set], int)
            }
            ("sum" | "lowest" | "highest" | "ordered" | "distinct" | "map" | "every", [set, value]) => self.over(name, set, value, span),
            ("min" | "max", [set, value]) if self.looks_like_set(set) => self.over(name, set, value, span),
            ("min" | "max", [one]) => {
                let one = self.expr(one, None);
                match &one.ty {
                    Ty::Set(t) | Ty::List(t) => {
                        let ty = Ty::Optional(t.clone());
                        let op = if name == "min" { EachOp::MinOf } else { EachOp::MaxOf };
                        let lambda = self.lambda(Self::element(&one.ty), "a term", |cx| {
                            cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span))
                        });
                        Some(expr(ExprKind::Each { op, list: Box::new(one), lambda }, ty, span))
                    }
                    _ => Some(self.full(one, span)),
                }
            }
            ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => {
                let first = self.expr(first, want);
                let first = self.plain_number(first);
                let mut ty = first.ty.clone();
                if let Ty::Int(_) = ty {
                    ty = int;
                }
                let f = if name == "min" { Fun::Min } else { Fun::Max };
                let mut out = first;
                for arg in rest {
                    let got = self.expr(arg, Some(&ty));
                    let arg = if matches!((&ty, &got.ty), (Ty::Int(_), Ty::Fraction)) {
                        ty = Ty::Fraction;
                        got
                    } else {
                        self.coerce(got, &ty)
                    };
                    out = expr(ExprKind::Fun(f, vec![out, arg]), ty.clone(), span);
                }
                Some(out)
            }
            ("first" | "last", [list]) => {
                let list = self.set(list);
                // there always are players
                let sure = matches!(list.kind, ExprKind::Players);
                let ty = if sure { Self::element(&list.ty) } else { optional(Self::element(&list.ty)) };
                fun(if name == "first" { Fun::First } else { Fun::Last }, vec![list], ty)
            }
            ("top", [pile]) => {
                let pile = self.expr(pile, None);
                match pile.ty.clone() {
                    Ty::Pile(k) => {
                        if let Some(where_) = self.pure {
                            self.report(Diagnostic::error("not-pure", span, format!("The top of a pile cannot be looked at in {where_}.")));
                            return Some(error(span));
                        }
                        Some(expr(ExprKind::Top(Box::new(pile)), optional(Ty::Kind(k)), span))
                    }
                    Ty::Error => Some(error(span)),
                    other => {
                        let words = self.ty_words(&other);
                        self.report(Diagnostic::error("wrong-type", pile.span, format!("Only a pile has a top; this is {words}.")));
                        Some(error(span))
                    }
                }
            }
            ("distinct", [set]) => {
                let set = self.set(set);
                let ty = set.ty.clone();
                fun(Fun::Distinct, vec![set], ty)
            }
            ("reversed", [list]) => {
                let list = self.set(list);
                let ty = list.ty.clone();
                fun(Fun::Reversed, vec![list], ty)
            }
            ("union" | "common", [a, b]) => {
                let a = self.expr(a, want);
                let a = self.as_set(a);
                let ty = a.ty.clone();
                let b = self.value(b, &ty);
                fun(if name == "union" { Fun::Union } else { Fun::Common }, vec![a, b], ty)
            }
            ("subset", [a, b]) => {
                let a = self.set(a);
                let ty = a.ty.clone();
                let b = self.value(b, &ty);
                fun(Fun::Subset, vec![a, b], Ty::Bool)
            }
            ("copies", [list, x]) => {
                let list = self.set(list);
                let x = self.value(x, &Self::element(&list.ty));
                fun(Fun::Copies, vec![list, x], natural)
            }
            ("nth", [list, n]) => {
                let list = self.set(list);
                let n = self.value(n, &int);
                let ty = optional(Self::element(&list.ty));
                fun(Fun::Nth, vec![list, n], ty)
            }
            ("position", [list, x]) => {
                let list = self.set(list);
                let x = self.value(x, &Self::element(&list.ty));
                fun(Fun::Position, vec![list, x], optional(Ty::Int(Range { low: Some(1), high: None })))
            }
            ("die", [sides]) => {
                let sides = self.value(sides, &int);
                fun(Fun::DiceOf, vec![sides], Ty::Dice)
            }
            ("random", [set]) => self.random(set, span),
            ("clamp", [n, low, high]) => {
                let n = self.expr(n, want);
                let n = self.plain_number(n);
                let ty = if matches!(n.ty, Ty::Int(_)) { int } else { n.ty.clone() };
                let (low, high) = (self.value(low, &ty), self.value(high, &ty));
                let ty = match (&ty, &low.kind, &high.kind) {
                    (Ty::Int(_), ExprKind::Int(a), ExprKind::Int(b)) => Ty::Int(Range { low: Some(*a), high: Some(*b) }),
                    _ => ty,
                };
                fun(Fun::Clamp, vec![n, low, high], ty)
            }
            ("abs", [n]) => {
                let n = self.value(n, &int);
                fun(Fun::Abs, vec![n], natural)
            }
            ("odd", [n]) => {
                let n = self.value(n, &int);
                fun(Fun::Odd, vec![n], Ty::Bool)
            }
            ("floor" | "ceil" | "round", [q]) => {
                let q = self.value(q, &Ty::Fraction);
                let f = match name {
                    "floor" => Fun::Floor,
                    "ceil" => Fun::Ceil,
                    _ => Fun::Round,
                };
                fun(f, vec![q], int)
            }
            ("printed", [x]) => {
                let x = self.expr(x, None);
                let ty = x.ty.clone();
                if !matches!(ty, Ty::Kind(_) | Ty::Error | Ty::Thing) {
                    let words = self.ty_words(&ty);
                    self.report(Diagnostic::error("wrong-type", x.span, format!("Only cards are printed; this is {words}.")));
                    return Some(error(span));
                }
                fun(Fun::PrintedCard, vec![x], ty)
            }
            ("row", [card, face]) => {
                let card = self.expr(card, None);
                let face = self.value(face, &int);
                let entry = match &card.ty {
                    Ty::Kind(k) => self.kind(k).and_then(|k| {
                        k.fields.iter().find_map(|f| match &f.ty {
                            Ty::Table { of, .. } => Some(of.clone()),
                            _ => None,
                        })
                    }),
                    Ty::Table { of, .. } => Some(of.clone()),
                    _ => None,
                };
                match entry {
                    Some(of) => {
                        // `row(e.rows, n)` reads the table of the card that holds it
                        let card = match card.kind {
                            ExprKind::Field { base, .. } if matches!(card.ty, Ty::Table { .. }) => *base,
                            _ => card,
                        };
                        fun(Fun::Row, vec![card, face], Ty::Kind(of))
                    }
                    None if card.ty == Ty::Error => Some(error(span)),
                    None => {
                        self.report(Diagnostic::error("wrong-type", card.span, "This card has no table to read a row of."));
                        Some(error(span))
                    }
                }
            }
            ("distance" | "gap" | "touching", [a, b]) => {
                let a = self.expr(a, None);
                let a = self.piece(a);
                let b = self.expr(b, None);
                let b = self.piece(b);
                let (f, ty) = match name {
                    "distance" => (Fun::Distance, self.length_ty()),
                    "gap" => (Fun::Gap, self.length_ty()),
                    _ => (Fun::Touching, Ty::Bool),
                };
                fun(f, vec![a, b], ty)
            }
            ("connected", [set, relation]) => self.connected(set, relation, span),
            ("connected", [set]) => {
                let relation = ast::Expr { kind: ast::ExprKind::Name("touching".into()), span };
                self.connected(set, &relation, span)
            }
            ("controller" | "owner", [x]) => {
                let x = self.expr(x, None);
                let f = if name == "owner" { Fun::Owner } else { Fun::Controller };
                let ty = self.player_ty();
                fun(f, vec![x], ty)
            }
            ("opponent_of", [p]) => {
                let ty = self.player_ty();
                let p = self.value(p, &ty);
                Some(expr(ExprKind::Opponent(Box::new(p)), ty, span))
            }
            ("holder", [x]) => {
                let x = self.expr(x, None);
                let ty = match &x.ty {
                    Ty::Kind(k) => match self.kind(k) {
                        Some(info) => self.holder_ty(&info.clone()),
                        None => Ty::Thing,
                    },
                    _ => Ty::Thing,
                };
                fun(Fun::Holder, vec![x], ty)
            }
            ("in_play", [x]) => {
                let x = self.expr(x, None);
                fun(Fun::InPlay, vec![x], Ty::Bool)
            }
            ("pile_of", [x]) => {
                let x = self.expr(x, None);
                let ty = match &x.ty {
                    Ty::Kind(k) => Ty::Optional(Box::new(Ty::Pile(k.clone()))),
                    _ => Ty::Error,
                };
                fun(Fun::PileOf, vec![x], ty)
            }
            ("rules", [x]) => {
                let x = self.expr(x, None);
                fun(Fun::RulesOf, vec![x], Ty::List(Box::new(Ty::Rules)))
            }
            ("usable", [x]) => {
                let x = self.expr(x, None);
                fun(Fun::Usable, vec![x], Ty::Bool)
            }
            ("away", [place, from, length]) => {
                let place = self.expr(place, None);
                let place = self.as_place(place);
                let from = self.expr(from, None);
                let from = self.as_place(from);
                let want = self.length_ty();
                let length = self.value(length, &want);
                let back = expr(ExprKind::Neg(Box::new(length)), want, span);
                fun(Fun::Toward, vec![place, from, back], Ty::Place)
            }
            ("toward", [from, to, length]) => {
                let from = self.expr(from, None);
                let from = self.as_place(from);
                let to = self.expr(to, None);
                let to = self.as_place(to);
                let length = {
                    let want = self.length_ty();
                    self.value(length, &want)
                };
                fun(Fun::Toward, vec![from, to, length], Ty::Place)
            }
            ("place_at", [x, y]) => {
                let want = self.length_ty();
                let (x, y) = (self.value(x, &want), self.value(y, &want));
                fun(Fun::MakePlace, vec![x, y], Ty::Place)
            }
            (
                "ahead" | "bearing" | "in_arc" | "way_length" | "way_distance" | "way_inside" | "stop_before" | "stop_at_edge" | "inside"
                | "shown",
                args,
            ) => self.table_function(name, args, span),
            ("mean", [dice]) => {
                let dice = self.value(dice, &Ty::Dice);
                fun(Fun::DiceMean, vec![dice], Ty::Fraction)
            }
            ("numbers", [low, high]) => {
                let (low, high) = (self.value(low, &int), self.value(high, &int));
                fun(Fun::Numbers, vec![low, high], Ty::List(Box::new(int)))
            }
            ("can_pay", [who, cost]) => {
                let who = self.expr(who, None);
                let cost = self.value(cost, &Ty::Cost);
                fun(Fun::CanPay, vec![who, cost], Ty::Bool)
            }
            // a target number as a plain number, and back: the same value, another type
            ("number", [t]) => {
                let t = self.expr(t, None);
                let ty = match &t.ty {
                    Ty::Target(r) => Ty::Int(*r),
                    Ty::Error => Ty::Error,
                    _ => return Some(self.coerce(t, &int)),
                };
                Some(Expr { ty, ..t })
            }
            ("target" | "target_number", [n]) => {
                let n = self.value(n, &int);
                Some(Expr { ty: Ty::Target(Range { low: Some(1), high: None }), ..n })
            }
            _ => None,
        }
    }

    /// Directions, ways, edges and sight. First come places or pieces, then numbers or sets.
    fn table_function(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let (int, length) = (Ty::Int(Range::default()), self.length_ty());
        let (f, ty, things, numbers) = match (name, args.len()) {
            ("ahead", 3) => (Fun::Ahead, Ty::Place, 1, vec![int, length]),
            ("bearing", 2) => (Fun::Bearing, int, 2, vec![]),
            ("in_arc", 4) => (Fun::InArc, Ty::Bool, 2, vec![int.clone(), int]),
            ("way_length", 4..) => (Fun::WayLength, length, 4, vec![]),
            ("way_distance", 3) => (Fun::WayDistance, length, 3, vec![]),
            ("way_inside", 3) => (Fun::WayInside, length, 3, vec![]),
            ("stop_before", 3..) => (Fun::StopBefore, Ty::Place, 2, vec![]),
            ("stop_at_edge", 4) => (Fun::StopAtEdge, Ty::Place, 4, vec![]),
            ("inside", 3) => (Fun::Inside, Ty::Bool, 3, vec![]),
            ("shown", 2..) => (Fun::Shown, length, 2, vec![]),
            _ => return None,
        };
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            values.push(if i < things {
                let thing = self.expr(arg, None);
                self.piece(thing)
            } else if let Some(want) = numbers.get(i - things) {
                self.value(arg, want)
            } else {
                let set = self.set(arg);
                self.must_be_piece(&Self::element(&set.ty), set.span);
                set
            });
        }
        Some(expr(ExprKind::Fun(f, values), ty, span))
    }

    fn looks_like_set(&mut self, e: &ast::Expr) -> bool {
        let before = self.reports().len();
        let got = self.expr(e, None);
        self.reports().truncate(before);
        matches!(got.ty, Ty::Set(_) | Ty::List(_) | Ty::Pile(_) | Ty::Choice(_))
    }

    fn as_place(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match &e.ty {
            Ty::Place | Ty::Error => e,
            Ty::Optional(t) if **t == Ty::Place => e,
            Ty::Kind(_) | Ty::Thing => {
                let e = self.piece(e);
                expr(ExprKind::Fun(Fun::PlaceOf, vec![e]), Ty::Place, span)
            }
            _ => self.coerce(e, &Ty::Place),
        }
    }

    /// A function over the elements of a set, whose fields can be named directly.
    fn over(&mut self, name: &str, set: &ast::Expr, value: &ast::Expr, span: Span) -> Option<Expr> {
        let set = self.set(set);
        if set.ty == Ty::Error {
            return Some(error(span));
        }
        let element = Self::element(&set.ty);
        if let Ty::Event(_) = element {
            // fields of an event are named directly too
            let lambda = self.lambda(element, "a sum", |cx| match (&value.kind, cx.its.last().copied()) {
                (ast::ExprKind::Name(word), Some(it)) => {
                    let base = cx.local_expr(it, value.span);
                    cx.field_of(base, &ast::Word { text: word.clone(), span: value.span }, value.span)
                }
                _ => cx.expr(value, None),
            });
            let ty = if name == "sum" { Ty::Int(Range::default()) } else { Ty::Error };
            let op = if name == "sum" { EachOp::Sum } else { EachOp::Map };
            return Some(expr(ExprKind::Each { op, list: Box::new(set), lambda }, ty, span));
        }
        let want = if name == "every" { Some(Ty::Bool) } else { None };
        let lambda = self.lambda(element.clone(), "a term", |cx| {
            let got = cx.expr(value, want.as_ref());
            cx.plain_number(got)
        });
        let value_ty = lambda.body.ty.clone();
        let (op, ty) = match name {
            "sum" => {
                let ty = match value_ty {
                    Ty::Int(_) => Ty::Int(Range::default()),
                    t @ (Ty::Fraction | Ty::Length(_) | Ty::Pair(_) | Ty::Error) => t,
                    other => {
                        let words = self.ty_words(&other);
                        self.report(Diagnostic::error("wrong-type", value.span, format!("Only numbers add up; this is {words}.")));
                        Ty::Error
                    }
                };
                (EachOp::Sum, ty)
            }
            "lowest" => (EachOp::Lowest, optional(element)),
            "highest" => (EachOp::Highest, optional(element)),
            "min" => (EachOp::MinOf, optional(value_ty)),
            "max" => (EachOp::MaxOf, optional(value_ty)),
            "ordered" => (EachOp::SortBy, Ty::List(Box::new(element))),
            "map" => (EachOp::Map, Ty::List(Box::new(value_ty))),
            "every" => (EachOp::All, Ty::Bool),
            "distinct" => {
                // the distinct values themselves
                let ty = Ty::List(Box::new(value_ty));
                let mapped = expr(ExprKind::Each { op: EachOp::Map, list: Box::new(set), lambda }, ty.clone(), span);
                return Some(expr(ExprKind::Fun(Fun::Distinct, vec![mapped]), ty, span));
            }
            _ => return None,
        };
        Some(expr(ExprKind::Each { op, list: Box::new(set), lambda }, ty, span))
    }

    fn connected(&mut self, set: &ast::Expr, relation: &ast::Expr, span: Span) -> Option<Expr> {
        let set = self.set(set);
        let element = Self::element(&set.ty);
        let ast::ExprKind::Name(word) = &relation.kind else { return None };
        let found = self.find_at(word, relation.span, &[DeclKind::Define, DeclKind::Fact]);
        let lambda = self.scoped(|cx| {
            let a = cx.declare_silent("it", element.clone(), Span::default(), true);
            let b = cx.declare_silent("other", element, Span::default(), true);
            let (x, y) = (cx.local_expr(a, span), cx.local_expr(b, span));
            let body = match (&**word, found) {
                (_, Some(f)) if f.kind == DeclKind::Fact => cx.call_fact(f, &[x, y], span),
                (_, Some(f)) => cx.call_define(f, &[x, y], span),
                ("touching", None) => {
                    let (x, y) = (cx.piece(x), cx.piece(y));
                    expr(ExprKind::Fun(Fun::Touching, vec![x, y]), Ty::Bool, span)
                }
                _ => {
                    cx.report(Diagnostic::error("unknown-name", relation.span, format!("There is no relation called `{word}`.")));
                    error(span)
                }
            };
            crate::hir::Lambda { params: vec![a, b], body: Box::new(body) }
        });
        Some(expr(ExprKind::Each { op: EachOp::Connected, list: Box::new(set), lambda }, Ty::Bool, span))
    }

    /// A value that is already as full as it can be: `max(x)` of a state is its upper bound.
    fn full(&mut self, e: Expr, span: Span) -> Expr {
        self.report(
            Diagnostic::error("wrong-argument-count", span, "`max` and `min` compare two values, or look through several things.")
                .help("Write `max(a, b)` or `max(SET, VALUE)`."),
        );
        let _ = e;
        error(span)
    }

    /// `random(SET)`: one of them by lot, none if there is none. A die with as many sides decides, so that it is played, scripted and counted like every roll.
    fn random(&mut self, set: &ast::Expr, span: Span) -> Option<Expr> {
        if let Some(where_) = self.pure {
            self.report(Diagnostic::error("not-pure", span, format!("Nothing can be drawn by lot in {where_}.")));
            return Some(error(span));
        }
        let set = self.set(set);
        if set.ty == Ty::Error {
            return Some(error(span));
        }
        let int = Ty::Int(Range::default());
        let element = Self::element(&set.ty);
        let one = expr(ExprKind::Int(1), int.clone(), span);
        let lambda = self.lambda(element.clone(), "a count", |_| one);
        let many = expr(ExprKind::Each { op: EachOp::Sum, list: Box::new(set.clone()), lambda }, int.clone(), span);
        let many = expr(ExprKind::Fun(Fun::Max, vec![many, expr(ExprKind::Int(1), int.clone(), span)]), int.clone(), span);
        let die = expr(ExprKind::Fun(Fun::DiceOf, vec![many]), Ty::Dice, span);
        let rolled = expr(ExprKind::Roll(Box::new(die)), int, span);
        Some(expr(ExprKind::Fun(Fun::Nth, vec![set, rolled]), optional(element), span))
    }

    /// What only the prelude may do: the machine's own verbs.
    fn intrinsic(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let (f, ty) = match name {
            "relocate" => (Fun::Relocate, Ty::Nothing),
            "shuffle_into" => (Fun::ShuffleInto, Ty::Nothing),
            "make" => (Fun::Create, Ty::Thing),
            "take_out" => (Fun::Remove, Ty::Nothing),
            "turn_into" => (Fun::Become, Ty::Nothing),
            "mix" => (Fun::Shuffle, Ty::Nothing),
            "declare_winner" => (Fun::Win, Ty::Nothing),
            "declare_draw" => (Fun::DrawGame, Ty::Nothing),
            "hand_over" => (Fun::TakeControl, Ty::Nothing),
            "add_part" => (Fun::Attach, Ty::Thing),
            "end_keyword" => (Fun::EndKeyword, Ty::Nothing),
            "place_of" => (Fun::PlaceOf, Ty::Optional(Box::new(Ty::Place))),
            _ => return None,
        };
        let args = args.iter().map(|a| self.expr(a, None)).collect();
        Some(expr(ExprKind::Fun(f, args), ty, span))
    }
}

pub(super) fn optional(ty: Ty) -> Ty {
    match ty {
        Ty::Error => Ty::Error,
        Ty::Optional(_) => ty,
        other => Ty::Optional(Box::new(other)),
    }
}
