//! What an author probably meant: advice that needs to look further than the line that is wrong.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, Expr, ExprKind, Key};
use crate::items::DeclKind;
use crate::key::module_of_key;
use crate::language::CARD_FIELDS;
use crate::names::{Found, ModuleName, short, visible};
use crate::signature::{FieldInfo, KindInfo};
use crate::suggest::nearest;
use crate::ty::Ty;

use super::Cx;
use super::card::{bare, is_needed};

/// Words that start a line of a test, a limit or a rule: who misspells them gets told about verbs.
const LINE_WORDS: &[&str] = &["expect", "answers", "given", "dice", "order", "need", "grant", "choose", "repeat", "let", "says"];

/// The same in other languages and rulebooks.
const OTHER_WORDS: &[(&str, &str)] =
    &[("assert", "expect"), ("check", "expect"), ("require", "need"), ("requires", "need"), ("must", "need")];

impl<'db> Cx<'db> {
    /// `bonus - 1` in a rule is a value; `bonus -1` changes it.
    pub(super) fn meant_change(&self, d: Diagnostic, e: &Expr) -> Diagnostic {
        let (sign, (a, b)) = match &e.kind {
            ExprKind::Add(a, b) => ("+", (a, b)),
            ExprKind::Sub(a, b) => ("-", (a, b)),
            _ => return d.help("Remove it, or say what happens with it."),
        };
        let (left, right) = (a.span.of(self.text), b.span.of(self.text));
        match &a.kind {
            ExprKind::EventField(_) if self.event.as_ref().is_some_and(|e| e.modifiable) => d
                .help(format!("To change it, leave no space behind the sign: `{left} {sign}{right}`."))
                .fix(format!("Write `{left} {sign}{right}`"), Span::new(a.span.end, b.span.end), format!(" {sign}{right}"), false),
            ExprKind::Field { .. } | ExprKind::Local(_) | ExprKind::EventField(_) => {
                d.help(format!("To change it, write `{left} {sign}= {right}`."))
            }
            _ => d.help("Remove it, or say what happens with it."),
        }
    }

    /// Whether everything that a card is made of could be read, and so could those it builds on.
    pub(super) fn is_error_free(&self, card: &Found<'db>, info: &KindInfo) -> bool {
        let mut at = Some(card);
        // whoever builds on itself is told so elsewhere
        for _ in 0..16 {
            let Some(found) = at else { break };
            let parsed = crate::items::parse(self.db, found.item);
            let ast::ItemKind::Card(c) = &parsed.item.kind else { return false };
            let lines = c.block.as_ref().map(|block| block.lines.as_slice()).unwrap_or_default();
            let unknown = |line: &Line| match line {
                Line::Field { name, .. } => info.field(&name.text).is_none() && !CARD_FIELDS.contains(&&*name.text),
                Line::Expr(_) => true,
                _ => false,
            };
            if !parsed.errors.is_empty() || lines.iter().any(unknown) {
                return false;
            }
            at = c
                .from
                .as_ref()
                .and_then(|base| crate::signature::find(self.db, self.universe, &found.module, &base.text, &[DeclKind::Card]));
        }
        true
    }

    /// Whether a line gives names to things, or is a part of a `given` that does.
    pub(super) fn gives_names(&self, line: &Line) -> bool {
        let of_given = |at: Span| {
            let before = self.text.get(..at.start as usize).and_then(|before| before.rsplit('\n').next());
            before.is_some_and(|before| before.trim_start().starts_with("given "))
        };
        match line {
            Line::Let { .. } | Line::Choose(_) | Line::Given { .. } => true,
            Line::Expr(e) => of_given(e.span),
            _ => false,
        }
    }

    /// `one.power`, where `one` is nothing but a value of an enum: another name was meant.
    pub(super) fn field_of_member(&mut self, base: &Expr, ty: &str, name: &ast::Word) {
        let word = base.span.of(self.text);
        if self.lost.iter().any(|lost| lost == word) {
            return;
        }
        let words = format!("`{word}` is a value of {} and has no `{}`.", short(ty), name.text);
        let names: Vec<SmolStr> = self.scope.iter().map(|l| self.locals[l.0 as usize].name.clone()).collect();
        let d = Diagnostic::error("unknown-field", name.span, words);
        let d = self.suggest_fitting(d, word, base.span, &names, &|_| false, &mut |cx, n| cx.would_fit(n, base.span, None, Some(name)));
        self.report(if d.help.is_some() { d } else { d.help("If something else was meant, it has another name here.") });
    }

    /// `repeat 0 { … }`
    pub(super) fn repeats(&mut self, count: &Expr) {
        if matches!(count.kind, ExprKind::Int(n) if n < 1) {
            let n = count.span.of(self.text);
            self.report(
                Diagnostic::warning("does-nothing", count.span, format!("What is repeated {n} times never happens."))
                    .help("Write how often it happens: 1 or more."),
            );
        }
    }

    /// An effect, or a part that could have one, with nothing in it.
    pub(super) fn not_empty(&mut self, part: &ast::Card) {
        if part.block.as_ref().is_none_or(|b| b.lines.is_empty()) {
            let (at, name) = part.name.as_ref().map_or((part.word.span, &part.word.text), |n| (n.span, &n.text));
            self.report(
                Diagnostic::warning("does-nothing", at, format!("`{name}` is empty, so it does nothing."))
                    .help("Write what happens between `{` and `}`, or `todo \"…\"` until you know."),
            );
        }
    }

    /// A part that could have an effect has one, or rules, or at least values that rules may look at.
    pub(super) fn does_something(&mut self, part: &ast::Card, info: &KindInfo, card: &hir::Card) {
        let lines = part.block.as_ref().map(|block| block.lines.as_slice()).unwrap_or_default();
        let has_effects = info.fields.iter().any(|f| matches!(bare(&f.ty), Ty::Effect(_)));
        if part.from.is_some() || !has_effects && card.says.is_none() {
            return;
        }
        if lines.is_empty() {
            return self.not_empty(part);
        }
        // what it costs, how likely it is and whom it is aimed at is nothing without what it does
        let is_about_effect = |key: &Key| {
            let field = info.fields.iter().find(|f| f.key == *key);
            field.is_some_and(|f| matches!(bare(&f.ty), Ty::Choice(_) | Ty::Cost | Ty::Target(_) | Ty::Text | Ty::Picture))
        };
        let holds = !card.rules.is_empty() || !card.parts.is_empty() || !card.rows.is_empty() || !card.keywords.is_empty();
        // lines that mean nothing are told about; whatever they were meant to be, they were meant to do something
        let is_plain = |line: &Line| match line {
            Line::Field { name, .. } => {
                let is_value = |f: &FieldInfo| !matches!(bare(&f.ty), Ty::Effect(_) | Ty::Rules);
                info.field(&name.text).is_some_and(is_value) || CARD_FIELDS.contains(&&*name.text)
            }
            Line::Says { .. } | Line::Once { .. } => true,
            _ => false,
        };
        if holds || !card.todos.is_empty() || !card.values.iter().all(|(key, _)| is_about_effect(key)) || !lines.iter().all(is_plain) {
            return;
        }
        // that an effect is missing which the kind demands is told as such
        if info.fields.iter().any(|f| is_needed(f) && matches!(bare(&f.ty), Ty::Effect(_) | Ty::Rules)) {
            return;
        }
        let (at, name) = part.name.as_ref().map_or((part.word.span, &part.word.text), |n| (n.span, &n.text));
        let words = match card.says {
            Some(_) => format!("`{name}` has words, but no rules: in play it does nothing."),
            None => format!("`{name}` does nothing: it has neither an effect nor a rule."),
        };
        let block = info.fields.iter().find(|f| matches!(bare(&f.ty), Ty::Effect(_))).map_or("after …", |f| f.name.as_str());
        self.report(
            Diagnostic::warning("does-nothing", at, words)
                .help(format!("Write what happens in `{block} {{ … }}`, or `todo \"…\"` until you know.")),
        );
    }

    /// What a card chooses is what its effects are about.
    pub(super) fn aims_at_something(&mut self, lines: &[Line], info: &KindInfo, aims: &[(SmolStr, bool)]) {
        for line in lines {
            let Line::Field { name, binds, .. } = line else { continue };
            if !info.field(&name.text).is_some_and(|f| matches!(bare(&f.ty), Ty::Choice(_))) {
                continue;
            }
            let mut of_effects = aims.iter().filter(|(about, _)| **about == *name.text).peekable();
            if of_effects.peek().is_some() && of_effects.all(|(_, named)| !named) {
                let called = binds.as_ref().unwrap_or(name);
                self.idle.push((SmolStr::new(&called.text), called.span));
            }
        }
    }

    /// Whether a text would be right as a name here.
    pub(super) fn known_here(&self, text: &str, want: &Ty) -> bool {
        match want {
            Ty::Enum(key) => self.enum_info(key).members.iter().any(|(n, _)| n == text),
            Ty::Kind(_) => self.lookup(text).iter().any(|f| f.kind == DeclKind::Card),
            _ => false,
        }
    }

    /// Two enums of one name, of which one was meant to add to the other: that is told where it stands.
    pub(super) fn is_enum_again(&self, have: &Ty, want: &Ty) -> bool {
        let (Ty::Enum(a), Ty::Enum(b)) = (innermost(have), innermost(want)) else { return false };
        let module = |key: &str| SmolStr::new(module_of_key(key));
        let sees = |from: &str, to: &str| visible(self.db, self.universe, ModuleName::new(self.db, module(from))).contains(&module(to));
        a != b && short(a) == short(b) && (sees(a, b) || sees(b, a))
    }

    /// An enum that has the name of one that is used here already.
    pub(super) fn enum_again(&mut self, e: &ast::Enum, own: &str) {
        let Some(other) = self.lookup(&e.name.text).iter().find(|f| f.kind == DeclKind::Enum && f.key != own) else { return };
        let open = self.enum_info(&other.key).open;
        let d =
            Diagnostic::error("duplicate-name", e.name.span, format!("There is an enum `{}` in {} already.", e.name.text, other.module));
        self.report(match open {
            true => d.help(format!("To add values to it, write `enum {} also {{ … }}`.", e.name.text)).fix(
                "Write `also`",
                Span::new(e.name.span.end, e.name.span.end),
                " also",
                true,
            ),
            false => d.help("Give this one another name."),
        });
    }

    /// A word that starts a line elsewhere, or one like it.
    pub(super) fn meant_line(&self, d: Diagnostic, word: &str, at: Span) -> Diagnostic {
        // a word processor begins every line with a capital
        let small = word.to_lowercase();
        if small != word && (LINE_WORDS.contains(&small.as_str()) || banneret_grammar::words::is_reserved(&small)) {
            let d = Diagnostic { fixes: Vec::new(), ..d };
            return d.help(format!("Write it small: `{small}`.")).fix(format!("Write `{small}`"), at, small, true);
        }
        if d.help.is_some() {
            return d;
        }
        let other = OTHER_WORDS.iter().find(|(wrong, _)| *wrong == word).map(|(_, right)| *right);
        match other.or_else(|| nearest(word, LINE_WORDS.iter().copied())) {
            Some(right) => d.help(format!("Did you mean `{right}`?")).fix(format!("Write `{right}`"), at, right, true),
            None => d,
        }
    }

    /// A part is named by what has it: `bow.Arbalest`.
    pub(super) fn meant_part(&self, d: Diagnostic, name: &str, span: Span) -> Diagnostic {
        if d.help.is_some() {
            return d;
        }
        let has = |card: &SmolStr| self.parts_of_card(card).iter().any(|part| part == name);
        let mut owners = self.scope.iter().map(|l| &self.locals[l.0 as usize]).filter(|l| l.card.as_ref().is_some_and(has));
        match (owners.next(), owners.next()) {
            (Some(only), None) => d.help(format!("It is a part: write `{}.{name}`.", only.name)).fix(
                format!("Write `{}.{name}`", only.name),
                span,
                format!("{}.{name}", only.name),
                true,
            ),
            (Some(one), Some(_)) => d.help(format!("It is a part: say of what, for example `{}.{name}`.", one.name)),
            _ => d,
        }
    }

    /// What is paid is written with its number first, and so are copies of cards.
    pub(super) fn meant_count(&self, d: Diagnostic, head: &ast::Expr, arg: &ast::Expr) -> Diagnostic {
        let (ast::ExprKind::Name(word), ast::ExprKind::Number(ast::Number::Int(n))) = (&head.kind, &arg.kind) else { return d };
        let counted = self.lookup(word).iter().any(|f| matches!(f.kind, DeclKind::Card | DeclKind::Resource));
        match counted {
            true => d.help(format!("The number comes first: `{n} {word}`.")).fix(
                format!("Write `{n} {word}`"),
                head.span.to(arg.span),
                format!("{n} {word}"),
                true,
            ),
            false => d,
        }
    }

    pub(super) fn said_twice(&mut self, name: &ast::Word, given: &[(SmolStr, Span)]) {
        let Some((other, before)) = given.iter().find(|(n, _)| CARD_FIELDS.contains(&n.as_str()) && **n != *name.text).cloned() else {
            return;
        };
        self.report(
            Diagnostic::error(
                "duplicate-field",
                name.span,
                format!("`{}` and `{other}` are the same, and only one is printed.", name.text),
            )
            .also(before, "the first one is here")
            .help("Remove one of the two."),
        );
    }

    /// A value to start from.
    pub(super) fn sample(&self, ty: &Ty) -> String {
        match super::card::bare(ty) {
            Ty::Int(r) => r.low.unwrap_or(0).max(0).to_string(),
            Ty::Target(_) => "4+".into(),
            Ty::Length(_) => format!("1{}", self.base_sign().unwrap_or("")),
            Ty::Bool => "false".into(),
            Ty::Text | Ty::Picture => "\"\"".into(),
            Ty::Dice => "d6".into(),
            Ty::Pair(_) => "4/6".into(),
            Ty::Set(_) | Ty::List(_) => "[]".into(),
            Ty::Enum(k) => self.enum_info(k).members.first().map_or_else(|| "NAME".into(), |(n, _)| n.to_string()),
            _ => "NAME".into(),
        }
    }

    /// A line of a card whose kind has no such field.
    pub(super) fn unknown_card_field(&mut self, kind: &str, name: &ast::Word, info: &KindInfo) {
        let fields =
            info.fields.iter().filter(|f| f.role != ast::FieldRole::State).map(|f| f.name.as_str()).chain(CARD_FIELDS.iter().copied());
        let parts: Vec<SmolStr> = info.parts.iter().filter_map(|p| self.kind(p)).map(|p| p.word.clone()).collect();
        let all: Vec<&str> = fields.chain(parts.iter().map(SmolStr::as_str)).collect();
        let mut d = Diagnostic::error(
            "unknown-field",
            name.span,
            format!("{} has no `{}`.", super::coerce::with_capital_article(short(kind)), name.text),
        );
        if info.open {
            return;
        }
        match nearest(&name.text, all.iter().copied()) {
            Some(n) => d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true),
            None => d = d.note(format!("It has {}.", all.join(", "))).help("Remove it, or use one of the fields there are."),
        }
        self.report(d);
    }
}

fn innermost(ty: &Ty) -> &Ty {
    match ty {
        Ty::Set(t) | Ty::List(t) | Ty::Optional(t) => innermost(t),
        other => other,
    }
}
