//! `x.f`

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Fun};
use crate::items::{DeclKind, parse};
use crate::key::member_key;
use crate::names::short;
use crate::signature::by_key;
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};
use super::watch::Asked;

impl<'db> Cx<'db> {
    pub(super) fn field(&mut self, base: &ast::Expr, name: &ast::Word, span: Span) -> Expr {
        if let ast::ExprKind::Name(word) = &base.kind
            && self.find_local(word).is_none()
            && !self.event.as_ref().is_some_and(|e| e.fields.iter().any(|(n, _)| **n == **word))
        {
            if let Some(e) = self.scope_field(word, base.span, name, span) {
                self.saw(&name.text, name.span, &e);
                return e;
            }
            if let Some(found) = self.lookup(word).iter().find(|f| matches!(f.kind, DeclKind::Enum | DeclKind::Option))
                && (self.enum_info(&found.key).members.iter().any(|(n, _)| **n == *name.text)
                    || self.asked(&name.text, |_| Asked::Value(Some(Ty::Enum(found.key.clone())))))
            {
                let key = member_key(&found.key, &name.text);
                self.uses(&found.key);
                self.uses(&key);
                self.saw_key(base.span, &found.key);
                self.saw_key(name.span, &key);
                let member = SmolStr::new(&name.text);
                return expr(ExprKind::Member(found.key.clone(), member), Ty::Enum(found.key.clone()), span);
            }
        }
        self.read_next = matches!(base.kind, ast::ExprKind::Name(_)).then(|| name.clone());
        let base = self.expr(base, None);
        self.read_next = None;
        let out = self.field_of(base, name, span);
        self.narrowed(out)
    }

    pub(super) fn field_of(&mut self, base: Expr, name: &ast::Word, span: Span) -> Expr {
        if self.asked(&name.text, |cx| Asked::Member { card: cx.card_of(&base), of: base.ty.clone() }) {
            return error(span);
        }
        let out = self.read_field(base, name, span);
        self.saw(&name.text, name.span, &out);
        out
    }

    fn read_field(&mut self, base: Expr, name: &ast::Word, span: Span) -> Expr {
        match base.ty.clone() {
            Ty::Error => error(span),
            Ty::Pair(inner) => match &*name.text {
                "x" => expr(ExprKind::Fun(Fun::PairX, vec![base]), *inner, span),
                "y" => expr(ExprKind::Fun(Fun::PairY, vec![base]), *inner, span),
                other => {
                    self.report(
                        Diagnostic::error("unknown-field", name.span, format!("A pair has no `{other}`."))
                            .help("Its halves are `.x` and `.y`."),
                    );
                    error(span)
                }
            },
            Ty::Event(action) => {
                let found = by_key(self.db, self.universe, &action, &[DeclKind::Action, DeclKind::Phase]);
                let ty = found.and_then(|f| self.event_fields(f).into_iter().find(|(n, _)| **n == *name.text));
                match ty {
                    Some((field, ty)) => expr(ExprKind::LogField { event: Box::new(base), action, field }, ty, span),
                    None => {
                        self.report(Diagnostic::error("unknown-field", name.span, format!("`{}` has no `{}`.", short(&action), name.text)));
                        error(span)
                    }
                }
            }
            Ty::Optional(inner) => {
                // reading through something unset gives something unset
                let unset = Ty::Optional(inner.clone());
                let mut out = self.read_field(Expr { ty: *inner, ..base }, name, span);
                if let ExprKind::Field { base, .. } | ExprKind::PartNamed { base, .. } = &mut out.kind {
                    base.ty = unset;
                }
                let ty = match out.ty {
                    Ty::Error => Ty::Error,
                    Ty::Optional(t) => Ty::Optional(t),
                    t => Ty::Optional(Box::new(t)),
                };
                Expr { ty, ..out }
            }
            Ty::Kind(key) => {
                if let Some(e) = self.member_of(base.clone(), &name.text, span) {
                    return e;
                }
                if &*name.text == "name" {
                    return expr(ExprKind::Fun(Fun::NameOf, vec![base]), Ty::Text, span);
                }
                if let Some(found) = self.find(&name.text, &[DeclKind::Keyword]) {
                    return expr(
                        ExprKind::KeywordNumber { base: Box::new(base), keyword: found.key.clone() },
                        Ty::Int(Range { low: Some(0), high: None }),
                        span,
                    );
                }
                if let Some(ty) = self.named_part(&base, &name.text) {
                    return expr(ExprKind::PartNamed { base: Box::new(base), name: SmolStr::new(&name.text) }, ty, span);
                }
                let card = self.card_of(&base);
                // of a card that could not be read nobody knows what it has
                if card.as_ref().is_some_and(|card| !self.is_whole(card)) {
                    return error(span);
                }
                let parts = card.map(|card| self.parts_of_card(&card)).unwrap_or_default();
                // it is there, but nobody knows what it is: that is told there
                if parts.iter().any(|part| **part == *name.text) {
                    return error(span);
                }
                self.unknown_member(&key, name, &parts);
                error(span)
            }
            Ty::Thing => match self.member_of(base, &name.text, span) {
                Some(e) => e,
                None => {
                    self.report(
                        Diagnostic::error(
                            "unknown-field",
                            name.span,
                            format!("It is not known here what kind of thing this is, so `{}` cannot be read.", name.text),
                        )
                        .help("Say its kind where it is declared."),
                    );
                    error(span)
                }
            },
            Ty::Enum(key) if matches!(base.kind, ExprKind::Member(..)) => {
                self.field_of_member(&base, &key, name);
                error(span)
            }
            other => {
                let words = self.ty_words(&other);
                self.report(Diagnostic::error("unknown-field", name.span, format!("This is {words}; it has no `{}`.", name.text)));
                error(span)
            }
        }
    }

    /// A name that is no field, where names of parts or keywords could stand too.
    pub(super) fn unknown_member(&mut self, kind: &str, name: &ast::Word, more: &[SmolStr]) {
        let Some(info) = self.kind(kind).filter(|info| !info.open) else { return };
        let mut names: Vec<&str> = info.fields.iter().map(|f| f.name.as_str()).collect();
        names.sort_unstable();
        let mut d = Diagnostic::error(
            "unknown-field",
            name.span,
            format!("{} has no `{}`.", super::coerce::with_capital_article(&info.name), name.text),
        );
        match nearest(&name.text, names.iter().copied().chain(more.iter().map(SmolStr::as_str))) {
            Some(n) => d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true),
            None => {
                d = d.note(format!("It has {}.", names.join(", "))).help("Remove it, or use one of the fields there are.");
                // a weapon of another card
                if let Some(card) = self.has_part(&name.text) {
                    d = d.help(format!("`{}` is a part of {card}.", name.text));
                }
            }
        }
        self.report(d);
    }

    /// A field of a running phase: `combat.attackers`.
    fn scope_field(&mut self, phase: &str, at: Span, name: &ast::Word, span: Span) -> Option<Expr> {
        let found = self.lookup(phase).iter().find(|f| matches!(f.kind, DeclKind::Phase | DeclKind::Action))?;
        self.uses(&found.key);
        self.saw_key(at, &found.key);
        if self.asked(&name.text, |_| Asked::EventMember(found.key.clone())) {
            return Some(error(span));
        }
        let fields = self.event_fields(found);
        match fields.iter().find(|(n, _)| **n == *name.text) {
            Some((field, ty)) => Some(expr(ExprKind::ScopeField(found.key.clone(), field.clone()), ty.clone(), span)),
            None => {
                let mut d = Diagnostic::error("unknown-field", name.span, format!("`{phase}` has no `{}`.", name.text));
                if let Some(n) = nearest(&name.text, fields.iter().map(|(n, _)| n.as_str())) {
                    d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
                }
                self.report(d);
                Some(error(span))
            }
        }
    }

    /// The kind of the part of that name, where the card is known; else of any part of any card, if there is one.
    fn named_part(&mut self, base: &Expr, name: &str) -> Option<Ty> {
        let card = self.card_of(base)?;
        self.part_of_card(&card, name)
    }

    /// Whether a card could be read, with its block.
    fn is_whole(&self, card: &str) -> bool {
        let Some(found) = by_key(self.db, self.universe, card, &[DeclKind::Card]) else { return true };
        let parsed = parse(self.db, found.item);
        parsed.errors.is_empty() && matches!(&parsed.item.kind, ast::ItemKind::Card(c) if c.block.is_some())
    }

    /// The names of the parts of a card and of those it builds on.
    pub(super) fn parts_of_card(&self, card: &str) -> Vec<SmolStr> {
        let mut out = Vec::new();
        let mut at = by_key(self.db, self.universe, card, &[DeclKind::Card]);
        // whoever builds on itself is told so elsewhere
        for _ in 0..16 {
            let Some(found) = at else { break };
            let ast::ItemKind::Card(c) = &parse(self.db, found.item).item.kind else { break };
            let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
            out.extend(lines.iter().filter_map(|line| match line {
                ast::Line::Part(part) => part.name.as_ref().map(|n| SmolStr::new(&n.text)),
                _ => None,
            }));
            at = c
                .from
                .as_ref()
                .and_then(|base| crate::signature::find(self.db, self.universe, &found.module, &base.text, &[DeclKind::Card]));
        }
        out
    }

    pub(super) fn part_of_card(&mut self, card: &str, name: &str) -> Option<Ty> {
        let found = by_key(self.db, self.universe, card, &[DeclKind::Card])?;
        let parsed = parse(self.db, found.item);
        let ast::ItemKind::Card(c) = &parsed.item.kind else { return None };
        let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
        for line in lines {
            if let ast::Line::Part(part) = line
                && part.name.as_ref().is_some_and(|n| *n.text == *name)
            {
                let words = crate::names::lookup(
                    self.db,
                    self.universe,
                    crate::names::Wanted::new(self.db, found.module.clone(), SmolStr::new(&part.word.text)),
                );
                let info = words.iter().find(|f| f.kind == DeclKind::Word).and_then(|f| self.kind_of_word(f))?;
                return Some(Ty::Kind(info.key.clone()));
            }
        }
        // parts of the card it builds on
        let base = c.from.as_ref()?;
        let base = crate::signature::find(self.db, self.universe, &found.module, &base.text, &[DeclKind::Card])?.key.clone();
        if base == card { None } else { self.part_of_card(&base, name) }
    }
}
