//! Cards: the content of a game, checked against their kind.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, CardValue, Expr, ExprKind, Key};
use crate::items::{DeclKind, spaced};
use crate::key::{key_of, member_key};
use crate::language::{CARD_FIELDS, ITEMS, is_item_word};
use crate::signature::{FieldInfo, KindInfo};
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

use super::Cx;
use super::inherit::changes_rules;
use super::table::face_range;
use super::watch::{Asked, first_word};

impl<'db> Cx<'db> {
    pub(super) fn card(&mut self, c: &ast::Card) -> hir::Item {
        let Some(info) = self.word_kind(&c.word) else { return hir::Item::Nothing };
        if info.roles.part && c.template.is_none() {
            self.report(
                Diagnostic::error(
                    "misplaced-line",
                    c.word.span,
                    format!("{} is a part: it stands inside a card.", super::coerce::with_capital_article(&info.name)),
                )
                .help("Move it into the card that has it."),
            );
        }
        let name = match &c.name {
            Some(n) => SmolStr::new(&n.text),
            // a card without a name is called after what it belongs to
            None => match &c.of {
                Some(of) => SmolStr::new(format!("{}Of{}", info.name, of.text)),
                None => {
                    self.report(
                        Diagnostic::error("missing-name", c.word.span, format!("This {} has no name.", info.word))
                            .help(format!("Write `{} NAME {{ … }}`.", c.word.text)),
                    );
                    SmolStr::new("_")
                }
            },
        };
        let key = key_of(&self.module, &name);
        self.uses(&info.key);
        self.saw_key(c.word.span, &info.key);
        if let Some(name) = &c.name {
            self.saw_key(name.span, &key);
        }
        hir::Item::Card(self.card_body(c, info, key, name, None))
    }

    /// The kind a card's first word means.
    pub(super) fn word_kind(&mut self, word: &ast::Word) -> Option<&'db KindInfo> {
        if self.asked(&word.text, |_| Asked::Declared(vec![DeclKind::Word])) {
            return None;
        }
        if let Some(found) = self.lookup(&word.text).iter().find(|f| f.kind == DeclKind::Word) {
            return self.kind_of_word(found);
        }
        let d = Diagnostic::error(
            "unknown-item",
            word.span,
            format!("`{}` starts no item: there is no kind of card with this word.", word.text),
        );
        let seen = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == DeclKind::Word);
        let candidates = ITEMS.iter().map(|item| item.word).chain(seen.iter().map(|(n, _)| n.as_str()));
        let d = match nearest(&word.text, candidates) {
            // a card does not become an action by itself
            Some(n) => {
                let same = !is_item_word(n) || n.eq_ignore_ascii_case(word.text.trim_end_matches('s'));
                d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), word.span, n, same)
            }
            None if seen.iter().all(|(_, m)| m == crate::names::PRELUDE) => {
                d.help("Name the rule system first: `use NAME` at the top of the file.")
            }
            None => {
                let mut words: Vec<String> = seen.iter().map(|(n, _)| format!("`{n}`")).collect();
                words.sort();
                words.dedup();
                d.help(format!("The cards here start with {}.", words.join(", ")))
            }
        };
        self.report(d);
        None
    }

    pub(super) fn card_body(
        &mut self,
        c: &ast::Card,
        info: &'db KindInfo,
        key: Key,
        name: SmolStr,
        holder: Option<&'db KindInfo>,
    ) -> hir::Card {
        let ty = Ty::Kind(info.key.clone());
        let mut card = hir::Card {
            key: key.clone(),
            title: c.title.as_ref().map_or_else(|| spaced(&name), |t| SmolStr::new(&t.text)),
            name,
            kind: info.key.clone(),
            values: Vec::new(),
            keywords: Vec::new(),
            rules: Vec::new(),
            parts: Vec::new(),
            once: None,
            rows: Vec::new(),
            values_of: Vec::new(),
            of: None,
            template: c.template.is_some(),
            says: None,
            flavour: None,
            todos: Vec::new(),
            span: c.span,
            name_span: c.name.as_ref().map_or(c.word.span, |n| n.span),
        };
        let (this, part, this_card) = (self.this.clone(), self.part.clone(), self.this_card.clone());
        match holder {
            Some(_) => self.part = Some(ty),
            // a template of a part: what takes it over stands inside a card
            None if info.roles.part => {
                self.this = Some(self.holder_ty(info));
                self.part = Some(ty);
            }
            None => {
                self.this = Some(ty);
                self.this_card = Some(key.clone());
            }
        }
        let aliases = self.aliases.len();
        let aims = std::mem::take(&mut self.aims);
        for line in c.block.iter().flat_map(|b| &b.lines) {
            if let Line::Broken { span } = line {
                self.lose(*span);
            }
        }
        let whole = c.from.as_ref().is_none_or(|from| self.inherit(from, info, &mut card));
        if let Some((field, value)) = self.belongs(c, info) {
            put(&mut card, &field, value);
        }
        let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
        // `target foe: …` gives a name to what the effects of this card are about
        for line in lines {
            if let Line::Field { name, binds: Some(alias), .. } = line {
                self.saw_alias(alias);
                match info.field(&name.text) {
                    Some(_) => self.aliases.push((SmolStr::new(&alias.text), SmolStr::new(&name.text))),
                    // that there is no such field is told
                    None => self.lost.push(SmolStr::new(&alias.text)),
                }
            }
        }
        let mut given: Vec<(SmolStr, Span)> = Vec::new();
        // choices first: what they choose from is what the effects are about
        let chosen: Vec<&str> = info.fields.iter().filter(|f| matches!(bare(&f.ty), Ty::Choice(_))).map(|f| f.name.as_str()).collect();
        let (choices, others): (Vec<&Line>, Vec<&Line>) =
            lines.iter().partition(|l| matches!(l, Line::Field { name, .. } if chosen.contains(&&*name.text)));
        // words taken over tell of the rules taken over, not of others
        if card.says.is_some() && lines.iter().any(|line| changes_rules(line, info)) {
            card.says = None;
        }
        for line in choices.into_iter().chain(others) {
            self.card_line(line, info, &mut card, &mut given);
        }
        self.aliases.truncate(aliases);
        let aims = std::mem::replace(&mut self.aims, aims);
        self.aims_at_something(lines, info, &aims);
        self.complete(c, info, &card, whole);
        self.this = this;
        self.part = part;
        self.this_card = this_card;
        card
    }

    /// `unit Reaver of CrimsonVow`
    pub(super) fn belongs(&mut self, c: &ast::Card, info: &KindInfo) -> Option<(Key, CardValue)> {
        let of = c.of.as_ref()?;
        match info.of_field() {
            Some(field) => {
                let want = field.ty.clone();
                let value = self.breaking(&field.covers, |cx| {
                    let value = cx.name(&of.text, of.span, Some(&want));
                    cx.coerce(value, &want)
                });
                self.uses(&field.key);
                Some((field.key.clone(), CardValue::Value(value)))
            }
            None => {
                self.report(
                    Diagnostic::error(
                        "unexpected-of",
                        of.span,
                        format!("{} does not belong to anything.", super::coerce::with_capital_article(&info.name)),
                    )
                    .help("Leave `of …` out.")
                    .fix("Remove it", self.with_word_before(of.span, "of"), "", true),
                );
                None
            }
        }
    }

    /// A span together with the word before it and the space before that.
    pub(super) fn with_word_before(&self, span: Span, word: &str) -> Span {
        let before = self.text.get(..span.start as usize).unwrap_or("");
        let cut = before.trim_end().strip_suffix(word).map_or(before, str::trim_end);
        Span::new(cut.len() as u32, span.end)
    }

    fn card_line(&mut self, line: &Line, info: &'db KindInfo, card: &mut hir::Card, given: &mut Vec<(SmolStr, Span)>) {
        match line {
            line if self.asked(line_word(line), |_| Asked::CardLine(info.key.clone())) => {}
            Line::Field { name, binds, value, .. } => {
                if self.given_again(name, value, given, info) {
                    return;
                }
                // both spellings are one field
                if CARD_FIELDS.contains(&&*name.text) && given.iter().filter(|(n, _)| CARD_FIELDS.contains(&n.as_str())).count() > 1 {
                    self.said_twice(name, given);
                }
                self.card_field(name, binds.as_ref(), value, info, card);
            }
            Line::Part(part) => self.card_part(part, info, card, given),
            Line::Entry { key, card: entry, .. } => self.row(key, entry, info, card),
            line if Self::is_rule(line) => card.rules.extend(self.rule(line)),
            Line::Says { of: None, template, .. } => card.says = Some(SmolStr::new(&template.text)),
            Line::Todo { words, .. } => card.todos.push(SmolStr::new(&words.text)),
            Line::Once { scope, .. } => {
                if info.roles.part {
                    card.once = self.once_key(scope);
                } else {
                    self.misplaced(line, "in a whole card");
                }
            }
            Line::Expr(ast::Expr { kind: ast::ExprKind::Run { head, .. }, span }) if self.looks_like_field(head, info) => {
                let ast::ExprKind::Name(name) = &head.kind else { return };
                self.without_colon(name, head.span, *span, info);
            }
            Line::Expr(ast::Expr { kind: ast::ExprKind::Sentence { of, .. }, span }) if self.begins_like_field(of, info).is_some() => {
                if let Some((name, at)) = self.begins_like_field(of, info) {
                    self.without_colon(&name, at, *span, info);
                }
            }
            Line::Expr(e) if self.decimal_comma(e.span, info, given) => {}
            Line::Assign { target, op: ast::AssignOp::Set, span, .. } => {
                let text = target.span.of(self.text).to_string();
                let gap = Span::new(target.span.end, span.end);
                let rest = gap.of(self.text);
                let offset = rest.find('=').unwrap_or(0) as u32;
                self.report(Diagnostic::error("missing-colon", *span, format!("A field is written with a colon: `{text}: …`.")).fix(
                    "Write a colon",
                    Span::new(target.span.end, target.span.end + offset + 1),
                    ":",
                    true,
                ));
            }
            Line::Broken { .. } => {}
            other => {
                // `1, 15, 2`, `spot: 18s, 6s`: of several in one line the first is enough
                let span = other.span();
                let before = |d: &Diagnostic| Span::new(d.span.end, span.start).of(self.text);
                let told = self.diagnostics().last().filter(|d| !before(d).contains('\n'));
                match told {
                    Some(d) if d.code == Code::MisplacedLine => {}
                    Some(d) if d.code == Code::WrongType && before(d).trim() == "," => self.both_in_parentheses(span, info, given),
                    _ => self.misplaced(other, "in a card"),
                }
            }
        }
    }

    /// The field that words with prepositions start with.
    fn begins_like_field(&self, of: &ast::Expr, info: &KindInfo) -> Option<(SmolStr, Span)> {
        let ast::ExprKind::Run { head, .. } = &of.kind else { return None };
        let ast::ExprKind::Name(name) = &head.kind else { return None };
        info.field(name).map(|field| (field.name.clone(), head.span))
    }

    fn looks_like_field(&self, head: &ast::Expr, info: &KindInfo) -> bool {
        matches!(&head.kind, ast::ExprKind::Name(n) if info.field(n).is_some())
    }

    pub(super) fn once_only(&mut self, name: &ast::Word, given: &mut Vec<(SmolStr, Span)>) {
        if let Some((_, before)) = given.iter().find(|(n, _)| **n == *name.text) {
            let before = *before;
            self.report(
                Diagnostic::error("duplicate-field", name.span, format!("`{}` is given twice.", name.text))
                    .also(before, "the first time is here")
                    .help("Remove one of the two."),
            );
        }
        given.push((SmolStr::new(&name.text), name.span));
    }

    fn card_field(&mut self, name: &ast::Word, binds: Option<&ast::Word>, value: &ast::Expr, info: &KindInfo, card: &mut hir::Card) {
        if CARD_FIELDS.contains(&&*name.text) {
            if let ast::ExprKind::Str(s) = &value.kind {
                card.flavour = Some(SmolStr::new(&s.text));
            } else {
                // commas are a part of it, and the brace of a card in one line is not
                let rest = self.text.get(value.span.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("").trim_end();
                let rest = rest.split(" }").next().unwrap_or(rest);
                let is_field = |part: &str| part.trim().split_once(':').is_some_and(|(word, _)| info.field(word).is_some());
                let fields = rest.match_indices(',').find(|(i, _)| is_field(&rest[i + 1..])).map(|(i, _)| i);
                let words = rest[..fields.unwrap_or(rest.len())].trim_end();
                let at = Span::new(value.span.start, value.span.start + words.len() as u32);
                self.report(
                    Diagnostic::error("wrong-type", value.span, format!("`{}` is a text.", name.text))
                        .help("Words are written in quotes.")
                        .fix("Put it in quotes", at, format!("\"{words}\""), true),
                );
            }
            return;
        }
        let Some(field) = info.field(&name.text) else {
            let _ = self.expr_quietly(value);
            let kind = info.key.clone();
            self.unknown_card_field(&kind, name, info);
            return;
        };
        self.uses(&field.key);
        self.saw_key(name.span, &field.key);
        if matches!(field.role, ast::FieldRole::State) {
            self.report(
                Diagnostic::error("state-on-card", name.span, format!("`{}` changes in play; it is not printed on a card.", name.text))
                    .help("Leave it out: it starts as the kind says."),
            );
            return;
        }
        if let Some(binds) = binds
            && !matches!(bare(&field.ty), Ty::Choice(_))
        {
            self.report(
                Diagnostic::error(
                    "unexpected-name",
                    binds.span,
                    format!("`{}` is not a choice, so nothing is named by `{}`.", name.text, binds.text),
                )
                .help(format!("Write `{}: …`.", name.text)),
            );
        }
        let at = value.span;
        let value = self.breaking(&field.covers, |cx| cx.field_value(field, binds, value, card));
        if let Some(value) = value {
            self.changes_something(name.span.to(at), &name.text, &field.key, &value, card);
            put(card, &field.key, value);
        }
    }

    pub(super) fn expr_quietly(&mut self, e: &ast::Expr) -> Expr {
        let before = self.reports().len();
        let got = self.expr(e, None);
        self.reports().truncate(before);
        got
    }

    fn field_value(&mut self, field: &FieldInfo, binds: Option<&ast::Word>, value: &ast::Expr, card: &mut hir::Card) -> Option<CardValue> {
        match bare(&field.ty) {
            Ty::Choice(kind) => {
                let want = Ty::Set(Box::new(Ty::Kind(kind.clone())));
                let got = self.purely("a choice", |cx| cx.expr(value, Some(&want)));
                let set = self.as_set(got);
                let fits = matches!(&set.ty, Ty::Set(t) | Ty::List(t) if self.agrees(t, &Ty::Kind(kind.clone())));
                let set = if fits { set } else { self.coerce(set, &want) };
                Some(CardValue::Choice { binds: binds.map(|w| SmolStr::new(&w.text)), set })
            }
            Ty::Set(inner) | Ty::List(inner) if **inner == Ty::Keyword => {
                self.keywords(value, card);
                None
            }
            Ty::Effect(_) | Ty::Rules => {
                let colon = self.text.get(..value.span.start as usize).and_then(|before| before.rfind(':')).map(|at| at as u32);
                let colon = colon.filter(|_| self.is_deed(value));
                let d = Diagnostic::error("wrong-type", value.span, format!("`{}` is a block of lines, not a value.", field.name))
                    .help(format!("Write `{} {{ … }}` without a colon.", field.name));
                self.report(match colon {
                    Some(colon) => {
                        let block = format!(" {{ {} }}", value.span.of(self.text));
                        d.fix("Put it in braces", Span::new(colon, value.span.end), block, false)
                    }
                    None => d,
                });
                None
            }
            Ty::Table { .. } => {
                self.report(Diagnostic::error("wrong-type", value.span, "A table is written as rows: `1 NAME { … }`."));
                None
            }
            // nobody knows what it is: that is told where it is declared
            ty if matches!(ty, Ty::Error) || matches!(ty, Ty::Set(of) | Ty::List(of) if **of == Ty::Error) => {
                let _ = self.expr_quietly(value);
                None
            }
            _ => Some(self.plain_value(field, value)),
        }
    }

    pub(super) fn plain_value(&mut self, field: &FieldInfo, value: &ast::Expr) -> CardValue {
        let want = field.ty.clone();
        if self.without_quotes(value, &want) {
            return CardValue::Value(super::cx::error(value.span));
        }
        let got = self.purely("a card", |cx| cx.value(value, &want));
        self.check_range(&got, field.range, &field.name);
        self.check_elements(&got, &field.ty);
        CardValue::Value(got)
    }

    /// Ranges of the elements of a list are those of its element type.
    fn check_elements(&mut self, got: &Expr, ty: &Ty) {
        if let (ExprKind::List(items), Ty::Set(t) | Ty::List(t)) = (&got.kind, bare(ty))
            && let Ty::Int(range) | Ty::Target(range) = &**t
        {
            let range: Range = *range;
            for item in items.clone() {
                self.check_range(&item, range, "each entry");
            }
        }
        if let (ExprKind::Pair(..), Ty::Pair(t)) = (&got.kind, bare(ty))
            && let Ty::Int(range) | Ty::Target(range) = &**t
        {
            let range: Range = *range;
            self.check_range(got, range, "each half");
        }
    }

    /// A block with a word before it: an effect, rules, or a nested card.
    fn card_part(&mut self, part: &ast::Card, info: &'db KindInfo, card: &mut hir::Card, given: &mut Vec<(SmolStr, Span)>) {
        if part.name.is_none()
            && let Some(field) = info.field(&part.word.text)
        {
            self.once_only(&part.word, given);
            self.uses(&field.key);
            self.saw_key(part.word.span, &field.key);
            let lines = part.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
            match bare(&field.ty) {
                Ty::Effect(params) => {
                    let params = params
                        .iter()
                        .map(|(name, ty)| {
                            // of the kind this card chooses from, which may be narrower
                            let chosen = info.field(name).and_then(|f| card.values.iter().find(|(k, _)| *k == f.key));
                            match chosen {
                                Some((_, CardValue::Choice { set, .. })) => (name.clone(), Self::element(&set.ty)),
                                _ => (name.clone(), ty.clone()),
                            }
                        })
                        .collect::<Vec<_>>();
                    self.not_empty(part);
                    let value = self.effect(&params, lines);
                    put(card, &field.key, value);
                }
                Ty::Rules => {
                    let rules = lines.iter().filter(|l| !matches!(l, Line::Broken { .. })).flat_map(|l| self.rule(l)).collect();
                    put(card, &field.key, CardValue::Rules(rules));
                }
                other => {
                    let words = self.ty_words(other);
                    self.report(
                        Diagnostic::error("wrong-type", part.word.span, format!("`{}` is {words}, not a block.", field.name))
                            .help(format!("Write `{}: …`.", field.name)),
                    );
                }
            }
            return;
        }
        let Some(part_info) = self.part_kind(part, info) else { return };
        self.uses(&part_info.key);
        self.saw_key(part.word.span, &part_info.key);
        let name = match &part.name {
            Some(n) => SmolStr::new(&n.text),
            None => SmolStr::new(&part_info.name),
        };
        let at = part.name.as_ref().map_or(part.word.span, |n| n.span);
        if given.iter().any(|(n, _)| *n == name) {
            self.report(
                Diagnostic::error("duplicate-name", at, format!("There are two parts called `{name}` in this card."))
                    .help("Give one of them another name."),
            );
        } else if card.rows.iter().any(|(_, _, row)| row.name == name) {
            self.report(row_and_part(&name, at));
        }
        given.push((name.clone(), at));
        let key = member_key(&card.key, &name);
        if let Some(name) = &part.name {
            self.saw_key(name.span, &key);
        }
        let nested = self.card_body(part, part_info, key, name.clone(), Some(info));
        self.does_something(part, part_info, &nested);
        // a part given again replaces the one it builds on
        card.parts.retain(|p| p.name != name);
        card.parts.push(nested);
    }

    /// The kind of a part, if a card of this kind may have it.
    pub(super) fn part_kind(&mut self, part: &ast::Card, info: &KindInfo) -> Option<&'db KindInfo> {
        let kinds: Vec<&'db KindInfo> = info.parts.iter().filter_map(|p| self.kind(p)).collect();
        let found = self.lookup(&part.word.text).iter().find(|f| f.kind == DeclKind::Word).and_then(|f| self.kind_of_word(f));
        let allowed = found.filter(|f| kinds.iter().any(|k| f.is_a(&k.key)));
        if allowed.is_none() && !info.open {
            let blocks: Vec<&str> =
                info.fields.iter().filter(|f| matches!(bare(&f.ty), Ty::Effect(_) | Ty::Rules)).map(|f| f.name.as_str()).collect();
            let words = kinds.iter().map(|k| k.word.as_str()).chain(blocks.iter().copied());
            let all: Vec<&str> = words.collect();
            let mut d = match found {
                Some(f) => Diagnostic::error(
                    "wrong-part",
                    part.word.span,
                    format!("{} has no {}.", super::coerce::with_capital_article(&info.name), f.word),
                ),
                None => Diagnostic::error(
                    "unknown-part",
                    part.word.span,
                    format!("{} has no `{}`.", super::coerce::with_capital_article(&info.name), part.word.text),
                ),
            };
            match nearest(&part.word.text, all.iter().copied()) {
                Some(n) => d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), part.word.span, n, true),
                None if matches!(&*part.word.text, "when" | "whenever" | "on" | "if" | "once" | "while") => {
                    d = d.help("A rule starts with what it waits for: `after … { … }`, `before … { … }` or `at start of … { … }`.");
                }
                None if !all.is_empty() => d = d.note(format!("What may stand in it: {}.", all.join(", "))),
                None => {}
            }
            self.report(d);
        }
        allowed
    }

    /// A stored effect: statements that may use `this` and the names the kind lists.
    fn effect(&mut self, params: &[(SmolStr, Ty)], lines: &[Line]) -> CardValue {
        let event = self.event.take();
        let value = self.scoped(|cx| {
            let locals = params.iter().map(|(n, t)| cx.declare_silent(n, t.clone(), Span::default(), true)).collect();
            let first = cx.locals.len() - params.len();
            let body = cx.lines(lines);
            cx.do_nothing(&body.stmts);
            // what is not written yet may name everything
            let unwritten = lines.iter().all(|line| matches!(line, Line::Todo { .. }));
            cx.aims.extend(params.iter().zip(first..).map(|((name, _), i)| (name.clone(), unwritten || cx.locals[i].used)));
            CardValue::Effect { params: locals, body }
        });
        self.event = event;
        value
    }

    /// A row of a `table by` field.
    fn row(&mut self, key: &ast::Expr, entry: &ast::Card, info: &'db KindInfo, card: &mut hir::Card) {
        let table = info.fields.iter().find_map(|f| match &f.ty {
            Ty::Table { sides, of } => Some((*sides, of.clone(), f.key.clone())),
            _ => None,
        });
        let Some((sides, of, field)) = table else {
            self.report(
                Diagnostic::error(
                    "unexpected-row",
                    key.span,
                    format!("{} has no table, so it has no rows.", super::coerce::with_capital_article(&info.name)),
                )
                .help("Rows stand in a card whose kind has a table; a part needs its word before its name."),
            );
            return;
        };
        self.uses(&field);
        let range = Range { low: Some(1), high: Some(sides) };
        let Some((low, high)) = face_range(key, range) else {
            self.report(Diagnostic::error("wrong-type", key.span, "A row starts with a face of the die, or a range of faces."));
            return;
        };
        let Some(row_info) = self.kind(&of) else { return };
        // what starts the row is its name, there is no kind word
        let name = match &entry.name {
            Some(n) => SmolStr::new(&n.text),
            None => SmolStr::new(format!("Row{low}")),
        };
        if let Some((_, _, before)) = card.rows.iter().find(|(_, _, row)| row.name == name) {
            let before = before.name_span;
            self.report(
                Diagnostic::error(
                    "duplicate-name",
                    entry.name.as_ref().map_or(key.span, |n| n.span),
                    format!("There are two rows called `{name}` in this table."),
                )
                .also(before, "the first one is here")
                .help("Give one of them another name, or write one row for both: `1..2 NAME { … }`."),
            );
            return;
        }
        if card.parts.iter().any(|part| part.name == name) {
            self.report(row_and_part(&name, entry.name.as_ref().map_or(key.span, |n| n.span)));
            return;
        }
        let row_key = member_key(&card.key, &name);
        if let Some(name) = &entry.name {
            self.saw_key(name.span, &row_key);
        }
        let outer_card = self.this_card.take();
        let nested = self.card_body(entry, row_info, row_key, name, None);
        self.this_card = outer_card;
        card.rows.push((low, high, nested));
    }

    /// Nothing a kind requires is missing, and tables cover every face.
    fn complete(&mut self, c: &ast::Card, info: &KindInfo, card: &hir::Card, whole: bool) {
        let at = c.name.as_ref().map_or(c.word.span, |n| n.span);
        if let Some((field, sides)) = info.fields.iter().find_map(|f| match &f.ty {
            Ty::Table { sides, .. } => Some((f, *sides)),
            _ => None,
        }) && c.template.is_none()
        {
            let range = Range { low: Some(1), high: Some(sides) };
            let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
            let faces: Vec<(i64, i64, Span)> = lines
                .iter()
                .filter_map(|l| match l {
                    Line::Entry { key, .. } => face_range(key, range).map(|(a, b)| (a, b, key.span)),
                    _ => None,
                })
                .collect();
            let number = |l: &Line| matches!(l, Line::Expr(ast::Expr { kind: ast::ExprKind::Number(_), .. }));
            // `1, 2 Mist { … }`: the number alone is told about already
            if !(faces.is_empty() && c.from.is_some() || lines.iter().any(number)) {
                self.breaking(&field.covers, |cx| cx.faces_covered(&faces, range, false, at, &[]));
            }
        }
        if c.template.is_some() {
            return;
        }
        let has_broken = c.block.as_ref().is_some_and(|b| b.lines.iter().any(|l| matches!(l, Line::Broken { .. })));
        let mentioned = |name: &str| {
            c.block.as_ref().is_some_and(|b| {
                b.lines.iter().any(|l| match l {
                    Line::Field { name: n, .. } => *n.text == *name,
                    Line::Part(p) => *p.word.text == *name,
                    Line::Expr(ast::Expr { kind: ast::ExprKind::Run { head, .. }, .. }) => {
                        matches!(&head.kind, ast::ExprKind::Name(n) if **n == *name)
                    }
                    Line::Assign { target, .. } => matches!(&target.kind, ast::ExprKind::Name(n) if **n == *name),
                    Line::Expr(ast::Expr { kind: ast::ExprKind::Name(n), .. }) => **n == *name,
                    _ => false,
                })
            })
        };
        let unknown_fields = c.block.as_ref().is_some_and(|b| {
            b.lines.iter().any(|l| match l {
                Line::Field { name, .. } => info.field(&name.text).is_none() && !CARD_FIELDS.contains(&&*name.text),
                // a block under a word that nobody knows
                Line::Part(p) => p.name.is_none() && info.field(&p.word.text).is_none() && self.lookup(&p.word.text).is_empty(),
                Line::Expr(_) => true,
                _ => false,
            })
        });
        let is_given = |f: &FieldInfo| {
            let before_block = f.role == ast::FieldRole::Of && c.of.is_some();
            before_block || card.values.iter().any(|(k, _)| *k == f.key) || mentioned(&f.name)
        };
        let missing: Vec<&FieldInfo> = info.fields.iter().map(|f| &**f).filter(|f| is_needed(f) && !is_given(f)).collect();
        let header_end = c.block.as_ref().map_or(c.span.end, |b| b.span.start);
        let header_broken = self.broken.iter().any(|e| c.span.start <= e.start && e.start < header_end);
        // a misspelt or broken line, or base, is the likelier cause
        if missing.is_empty() || has_broken || unknown_fields || header_broken || !whole {
            return;
        }
        let names: Vec<String> = missing.iter().map(|f| format!("`{}`", f.name)).collect();
        let what = match names.as_slice() {
            [one] => format!("its {one} is missing"),
            [init @ .., last] => format!("its {} and {last} are missing", init.join(", ")),
            [] => return,
        };
        let text = self.text;
        let broken: Vec<&SmolStr> = missing.iter().flat_map(|f| &f.covers).collect();
        let mut d = Diagnostic::error("missing-field", at, format!("{} is not complete: {what}.", card.name)).breaks(&broken);
        if let Some(block) = &c.block {
            let indent = "  ";
            let lines: Vec<String> = missing
                .iter()
                .filter(|f| f.role != ast::FieldRole::Of)
                .map(|f| match bare(&f.ty) {
                    Ty::Effect(_) | Ty::Rules => format!("{indent}{} {{ }}", f.name),
                    ty => format!("{indent}{}: {}", f.name, self.sample(ty)),
                })
                .collect();
            let brace = block.span.start + 1;
            let fields: Vec<&str> = lines.iter().map(|l| l.trim()).collect();
            let inline = !block.span.of(text).contains('\n');
            let added = match (inline, block.lines.is_empty()) {
                (true, true) => format!(" {}", fields.join(", ")),
                (true, false) => format!(" {},", fields.join(", ")),
                (false, _) => format!("\n{}", lines.join("\n")),
            };
            if !lines.is_empty() {
                let shown: Vec<String> = fields.iter().map(|f| format!("`{f}`")).collect();
                let value = if shown.len() > 1 { ", each with its own value" } else { " with its own value" };
                d = d.help(format!("Add {}{value}.", shown.join(" and "))).fix(
                    "Add the missing fields",
                    Span::new(brace, brace),
                    added,
                    false,
                );
            } else if let Some(field) = missing.first() {
                d = d.help(format!("Say it before the block: `{} {} of NAME {{ … }}`; it is the {}.", c.word.text, card.name, field.name));
            }
        }
        let hints: Vec<String> = missing.iter().filter_map(|f| f.doc.as_ref().map(|doc| format!("`{}`: {doc}", f.name))).collect();
        for hint in hints {
            d = d.note(hint);
        }
        self.report(d);
    }
}

/// Whether every card must give a field.
pub(super) fn is_needed(field: &FieldInfo) -> bool {
    matches!(field.role, ast::FieldRole::Plain | ast::FieldRole::Of)
        && !field.has_default
        && !matches!(field.ty, Ty::Table { .. } | Ty::Error)
        && !matches!(bare(&field.ty), Ty::Set(t) | Ty::List(t) if **t == Ty::Keyword)
}

/// The type inside an optional.
pub(super) fn bare(ty: &Ty) -> &Ty {
    match ty {
        Ty::Optional(t) => t,
        t => t,
    }
}

fn put(card: &mut hir::Card, field: &Key, value: CardValue) {
    card.values_of.retain(|(known, _)| known != field);
    match card.values.iter_mut().find(|(k, _)| k == field) {
        Some((_, old)) => *old = value,
        None => card.values.push((field.clone(), value)),
    }
}

/// The word a line starts with.
pub(super) fn line_word(line: &Line) -> &str {
    match line {
        Line::Field { name, .. } => &name.text,
        Line::Part(part) => &part.word.text,
        Line::Entry { card, .. } => card.name.as_ref().map_or("", |n| &n.text),
        Line::Expr(e) => first_word(e).unwrap_or_default(),
        Line::Assign { target, .. } | Line::Modifier { target, .. } | Line::Bound { target, .. } => first_word(target).unwrap_or_default(),
        _ => "",
    }
}

/// Both are found by their name in the card that holds them.
fn row_and_part(name: &str, at: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", at, format!("A row and a part of this card are both called `{name}`."))
        .help("Give one of them another name.")
}
