//! Runs of words. What a run means is settled by what its first word is.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{EachOp, Expr, ExprKind, Fun};
use crate::items::DeclKind;
use crate::names::Found;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};
use super::literal::peel;
use super::watch::Asked;

const QUANTIFIERS: &[&str] = &["your", "friendly", "enemy", "other", "any", "no", "all"];

impl<'db> Cx<'db> {
    /// `head arg`, perhaps with prepositions after it.
    pub(super) fn run(
        &mut self,
        head: &ast::Expr,
        arg: &ast::Expr,
        preps: &[(ast::Word, ast::Expr)],
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        if let ast::ExprKind::Name(word) = &head.kind {
            if self.asked(word, |_| Asked::Value(want.cloned())) {
                return error(span);
            }
            if QUANTIFIERS.contains(&&**word) {
                self.no_preps(head.span, preps);
                return self.quantified(word, head.span, arg, span);
            }
            if &**word == "roll" {
                self.no_preps(head.span, preps);
                return self.roll(arg, span);
            }
            let local = self.find_local(word).is_some();
            if !local {
                let found = self.lookup(word);
                let first = |kinds: &[DeclKind]| -> Option<&'db Found<'db>> { found.iter().find(|f| kinds.contains(&f.kind)) };
                if let Some(f) = first(&[DeclKind::Action, DeclKind::Phase])
                    && self.verb_fits(f, word)
                {
                    self.uses(&f.key);
                    self.saw_key(head.span, &f.key);
                    return self.emit(f, Some(arg), preps, span);
                }
                if let Some(f) = first(&[DeclKind::Define])
                    && f.of.is_some()
                {
                    self.no_preps(head.span, preps);
                    self.uses(&f.key);
                    self.saw_key(head.span, &f.key);
                    let set = self.set(arg);
                    return self.adjective(word, head.span, set, span);
                }
                if let Some(f) = first(&[DeclKind::Keyword]) {
                    self.no_preps(head.span, preps);
                    self.saw_key(head.span, &f.key);
                    return self.keyword_with(f, word, arg, span, want);
                }
                if let Some(f) = first(&[DeclKind::Define, DeclKind::Table, DeclKind::Fact])
                    && self.sig(f).params.len() == 1
                {
                    self.no_preps(head.span, preps);
                    self.uses(&f.key);
                    self.saw_key(head.span, &f.key);
                    let want = self.sig(f).params[0].ty.clone();
                    let arg = self.value(arg, &want);
                    return if f.kind == DeclKind::Fact { self.call_fact(f, &[arg], span) } else { self.call_define(f, &[arg], span) };
                }
                if found.is_empty() && self.known_name_quietly(word).is_none() {
                    return self.unknown_verb(word, head.span, arg, preps, span);
                }
            }
        }
        let out = self.words_together(head, arg, span, want);
        self.no_preps(span, preps);
        out
    }

    /// Words after each other, of which the first is no verb.
    fn words_together(&mut self, head: &ast::Expr, arg: &ast::Expr, span: Span, want: Option<&Ty>) -> Expr {
        if self.asked_after(head, arg) {
            return error(span);
        }
        if let Some(word) = super::watch::first_word(arg)
            && self.word_twice(word, Span::new(arg.span.start, arg.span.start + word.len() as u32))
        {
            return error(span);
        }
        let head_value = self.expr(head, None);
        match head_value.ty.clone() {
            Ty::Error => error(span),
            Ty::Int(_) | Ty::Rolled(_) | Ty::Fraction => self.quantity(head_value, arg, span, want),
            Ty::Set(_) | Ty::List(_) | Ty::Pile(_) => self.relation(head_value, arg, span),
            _ => {
                let d = Diagnostic::error(
                    "unclear-words",
                    span,
                    format!("It is unclear how `{}` and what follows belong together.", head.span.of(self.text)),
                )
                .help("A line starts with a verb; a value is one word, or words joined by `.`, an operator or a preposition.");
                let d = match matches!(&head_value.kind, ExprKind::Card(_) | ExprKind::Member(..)) {
                    true => d.help("Between the entries of a list stands a comma."),
                    false => d,
                };
                let d = self.meant_count(d, head, arg);
                let d = self.number_behind(d, head, arg, span);
                self.report(d);
                error(span)
            }
        }
    }

    /// An action may share its name with a field (`attack`): the field wins where it stands alone, the verb where something follows.
    fn verb_fits(&self, _found: &Found<'db>, _word: &str) -> bool {
        true
    }

    /// Whether a name is known, without a message.
    pub(super) fn known_name_quietly(&mut self, word: &str) -> Option<()> {
        let before = self.reports().len();
        let known = self.known_name(word, Span::default(), None).map(|_| ());
        self.reports().truncate(before);
        known
    }

    fn unknown_verb(&mut self, word: &str, at: Span, arg: &ast::Expr, preps: &[(ast::Word, ast::Expr)], span: Span) -> Expr {
        let d = Diagnostic::error("unknown-verb", at, format!("There is no action or adjective called `{word}`."));
        let mut more: Vec<SmolStr> = QUANTIFIERS.iter().map(|w| SmolStr::new(*w)).collect();
        more.push(SmolStr::new("roll"));
        more.push(SmolStr::new("pay"));
        let d = self.suggest(d, word, at, &more, &|k| {
            matches!(k, DeclKind::Action | DeclKind::Phase | DeclKind::Define | DeclKind::Keyword | DeclKind::Fact | DeclKind::Table)
        });
        let d = match crate::language::FUNCTIONS.iter().find(|(name, _)| *name == word) {
            Some((_, shape)) => Diagnostic { fixes: Vec::new(), ..d }.help(format!("What it is about stands in parentheses: `{shape}`.")),
            None if matches!(word, "a" | "an" | "the") && arg.span.start > at.end => {
                let gap = Span::new(at.start, arg.span.start);
                Diagnostic { fixes: Vec::new(), ..d }.help(format!("Leave `{word}` out.")).fix("Remove it", gap, "", false)
            }
            None => self.meant_line(d, word, at),
        };
        self.report(d);
        let _ = (arg, preps);
        error(span)
    }

    fn no_preps(&mut self, of: Span, preps: &[(ast::Word, ast::Expr)]) {
        if let Some((prep, value)) = preps.first().filter(|_| !self.told_within(of)) {
            self.report(
                Diagnostic::error(
                    "unexpected-preposition",
                    prep.span.to(value.span),
                    format!("`{}` belongs to no action here.", prep.text),
                )
                .help("Only calls of actions have prepositions."),
            );
        }
    }

    /// Something with prepositions.
    pub(super) fn sentence(&mut self, of: &ast::Expr, preps: &[(ast::Word, ast::Expr)], span: Span, want: Option<&Ty>) -> Expr {
        match &of.kind {
            ast::ExprKind::Run { head, arg } => self.run(head, arg, preps, span, want),
            ast::ExprKind::Name(word) => match self.lookup(word).iter().find(|f| matches!(f.kind, DeclKind::Action | DeclKind::Phase)) {
                Some(found) => {
                    self.uses(&found.key);
                    self.saw_key(of.span, &found.key);
                    self.emit(found, None, preps, span)
                }
                None if self.known_name_quietly(word).is_some() => {
                    let value = self.expr(of, want);
                    self.no_preps(of.span, preps);
                    value
                }
                None => self.unknown_verb(word, of.span, of, preps, span),
            },
            _ => {
                let value = self.expr(of, want);
                self.no_preps(of.span, preps);
                value
            }
        }
    }

    fn quantified(&mut self, word: &str, at: Span, arg: &ast::Expr, span: Span) -> Expr {
        match word {
            "any" | "no" => {
                let set = self.set(arg);
                if set.ty == Ty::Error {
                    return error(span);
                }
                let zero = expr(ExprKind::Int(0), Ty::Int(Range::default()), span);
                let all = expr(ExprKind::Bool(true), Ty::Bool, span);
                let lambda = self.lambda(Self::element(&set.ty), "a selector", |_| all);
                let _ = zero;
                let some = expr(ExprKind::Each { op: EachOp::Any, list: Box::new(set), lambda }, Ty::Bool, span);
                if word == "no" { expr(ExprKind::Not(Box::new(some)), Ty::Bool, span) } else { some }
            }
            "all" => self.set(arg),
            _ => {
                let set = self.set(arg);
                self.adjective(word, at, set, span)
            }
        }
    }

    fn roll(&mut self, arg: &ast::Expr, span: Span) -> Expr {
        if let Some(where_) = self.pure {
            self.report(
                Diagnostic::error("not-pure", span, format!("Nothing can be rolled in {where_}."))
                    .help("Roll in the body of an action, and keep the result with `let`."),
            );
            return error(span);
        }
        let dice = self.value(arg, &Ty::Dice);
        let sides = dice_sides(&dice);
        expr(ExprKind::Roll(Box::new(dice)), Ty::Rolled(sides), span)
    }

    /// `2 runs`, `1 AP`, `3 Reaver`.
    fn quantity(&mut self, amount: Expr, arg: &ast::Expr, span: Span, want: Option<&Ty>) -> Expr {
        if let ast::ExprKind::Name(word) = &arg.kind {
            let found = self.lookup(word);
            if let Some(f) = found.iter().find(|f| f.kind == DeclKind::Resource) {
                self.uses(&f.key);
                let amount = self.coerce(amount, &Ty::Int(Range::default()));
                if matches!(amount.kind, ExprKind::Int(n) if n < 0) {
                    self.report(
                        Diagnostic::error("out-of-range", amount.span, "What is paid cannot be less than 0.")
                            .help("Who gets something says so in an effect."),
                    );
                }
                return match self.resource_key(f) {
                    Some(resource) => {
                        self.saw_key(arg.span, &resource);
                        expr(ExprKind::Cost { amount: Box::new(amount), resource }, Ty::Cost, span)
                    }
                    None => error(span),
                };
            }
            if found.iter().any(|f| f.kind == DeclKind::Length) {
                let one = self.length(1000, word, span, None);
                return match (&one.kind, &amount.kind) {
                    (ExprKind::Int(n), ExprKind::Int(m)) => expr(ExprKind::Int(n * m), one.ty, span),
                    (ExprKind::Error, _) => one,
                    (_, ExprKind::Int(1)) => one,
                    _ => {
                        let ty = one.ty.clone();
                        expr(ExprKind::Mul(Box::new(one), Box::new(amount)), ty, span)
                    }
                };
            }
        }
        let d = match (peel(want), &arg.kind) {
            (Some(Ty::Cost), ast::ExprKind::Name(word)) => {
                let known = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == DeclKind::Resource);
                let names: Vec<String> = known.iter().map(|(n, _)| n.to_string()).collect();
                let d = Diagnostic::error("unknown-resource", arg.span, format!("There is no resource called `{word}`."));
                if names.is_empty() { d } else { d.note(format!("The resources here are {}.", names.join(", "))) }
            }
            _ => Diagnostic::error("unknown-unit", arg.span, "After a number comes a unit of length, a resource, or nothing."),
        };
        let d = match &arg.kind {
            ast::ExprKind::Number(_) if matches!(amount.kind, ExprKind::EventField(_) | ExprKind::Field { .. }) => {
                let (name, number) = (amount.span.of(self.text), arg.span.of(self.text));
                let d = Diagnostic::error("unclear-words", span, format!("It is not said how `{name}` is changed."));
                d.help(format!("Write `{name} +{number}` or `{name} -{number}`."))
            }
            ast::ExprKind::Name(word) if &**word == "times" => {
                let gap = Span::new(amount.span.end, arg.span.end);
                d.help("The number alone says how often.").fix("Remove it", gap, "", true)
            }
            ast::ExprKind::Name(word) if matches!(&**word, "inch" | "inches") && self.base_sign() == Some("\"") => {
                let right = format!("{}\"", amount.span.of(self.text));
                d.help(format!("Inches are written `{right}`.")).fix(format!("Write `{right}`"), span, right, true)
            }
            ast::ExprKind::Name(word) if matches!(peel(want), Some(Ty::Length(_))) && self.base_sign().is_some() => {
                let (number, sign) = (amount.span.of(self.text), self.base_sign().unwrap_or_default());
                let spaced = if sign.len() > 2 { " " } else { "" };
                let right = format!("{number}{spaced}{sign}");
                let d = self.suggest(d, &word.clone(), arg.span, &[], &|k| k == DeclKind::Length);
                if d.help.is_none() {
                    d.help(format!("A length is written `{right}`.")).fix(format!("Write `{right}`"), span, right, false)
                } else {
                    d
                }
            }
            ast::ExprKind::Name(word) => {
                let word = word.clone();
                let d = self.suggest(d, &word, arg.span, &[], &|k| matches!(k, DeclKind::Resource | DeclKind::Length));
                // `heal 1 damage`: a number counts what its verb is about
                let d = match d.help.is_none() && matches!(peel(want), Some(Ty::Int(_) | Ty::Dice)) {
                    true => {
                        let gap = Span::new(amount.span.end, arg.span.end);
                        d.help(format!("If `{word}` only says what is counted, leave it out.")).fix("Remove it", gap, "", false)
                    }
                    false => d,
                };
                let wants_cost = matches!(peel(want), None | Some(Ty::Cost));
                match self.only_resource() {
                    Some(r) if d.help.is_none() && wants_cost => {
                        d.help(format!("What is paid here is `{r}`.")).fix(format!("Write `{r}`"), arg.span, r.to_string(), false)
                    }
                    _ => d,
                }
            }
            _ => d,
        };
        self.report(d);
        error(span)
    }

    /// `units touching u`: a two-place term between.
    fn relation(&mut self, set: Expr, arg: &ast::Expr, span: Span) -> Expr {
        let set = self.as_set(set);
        let ast::ExprKind::Run { head, arg: other } = &arg.kind else {
            return self.not_a_relation(arg, span);
        };
        let ast::ExprKind::Name(word) = &head.kind else {
            return self.not_a_relation(arg, span);
        };
        let ty = set.ty.clone();
        let element = Self::element(&ty);
        if &**word == "touching" {
            let other = self.expr(other, None);
            let other = self.piece(other);
            let lambda = self.lambda(element, "a selector", |cx| {
                let it = cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span));
                let it = cx.piece(it);
                expr(ExprKind::Fun(Fun::Touching, vec![it, other]), Ty::Bool, span)
            });
            return expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(set), lambda }, ty, span);
        }
        let Some(found) = self.find_at(word, head.span, &[DeclKind::Define, DeclKind::Fact]) else {
            return self.not_a_relation(arg, span);
        };
        if self.sig(found).params.len() != 2 {
            return self.not_a_relation(arg, span);
        }
        let want = self.sig(found).params[1].ty.clone();
        let other = self.value(other, &want);
        let lambda = self.lambda(element, "a selector", |cx| {
            let it = cx.its.last().copied().map(|l| cx.local_expr(l, span)).unwrap_or_else(|| error(span));
            if found.kind == DeclKind::Fact { cx.call_fact(found, &[it, other], span) } else { cx.call_define(found, &[it, other], span) }
        });
        expr(ExprKind::Each { op: EachOp::Filter, list: Box::new(set), lambda }, ty, span)
    }

    fn not_a_relation(&mut self, arg: &ast::Expr, span: Span) -> Expr {
        self.report(
            Diagnostic::error(
                "unclear-words",
                arg.span,
                "After a set comes `where`, `within`, `of`, or a term with two parameters and what it is compared with.",
            )
            .help("For example `units touching u`, or `units where health > 3`."),
        );
        error(span)
    }

    /// `Shield 2` where keywords are listed, `Shield units` as a selector.
    fn keyword_with(&mut self, found: &'db Found<'db>, word: &str, arg: &ast::Expr, span: Span, want: Option<&Ty>) -> Expr {
        self.uses(&found.key);
        if matches!(peel(want), Some(Ty::Keyword)) {
            // the number is read by the card; here only the keyword counts
            let _ = self.value(arg, &Ty::Int(Range::default()));
            return expr(ExprKind::Keyword(found.key.clone()), Ty::Keyword, span);
        }
        let set = self.set(arg);
        self.adjective(word, span, set, span)
    }
}

/// The sides of dice, where they are known.
pub(super) fn dice_sides(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Dice { count: 1, sides, plus: 0 } => Some(*sides),
        _ => None,
    }
}
