//! Kinds and keywords.

use banneret_grammar::ast::{self, FieldRole, Line, TypeKind};
use banneret_runtime::pack;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, Expr, ExprKind, Field};
use crate::items::DeclKind;
use crate::key::member_key;
use crate::names::key_of;
use crate::signature::{self, KindInfo, role};
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{Place, expr};

impl<'db> Cx<'db> {
    pub(super) fn kind_item(&mut self, k: &ast::Kind) -> hir::Item {
        let item = self.item;
        let info = signature::kind_info(self.db, self.universe, item);
        self.check_parents(k, info);
        if info.fields.len() > signature::MOST_FIELDS {
            let words = format!("{} has more than {} fields, with those of what it extends.", k.name.text, signature::MOST_FIELDS);
            let d = Diagnostic::error("too-many-fields", k.name.span, words);
            self.report(d.help("Put some of them into parts, or into a list."));
            return hir::Item::Nothing;
        }
        self.not_a_type(&k.name);
        let this = Ty::Kind(info.key.clone());
        if info.roles.part {
            self.part = Some(this.clone());
            self.this = Some(self.holder_ty(info));
        } else {
            self.this = Some(this);
        }
        let mut fields: Vec<Field> = Vec::new();
        for f in &k.fields {
            if let Some(before) = k.fields.iter().take_while(|g| g.span != f.span).find(|g| g.name.text == f.name.text) {
                self.report(
                    Diagnostic::error("duplicate-field", f.name.span, format!("There are two fields called `{}`.", f.name.text))
                        .also(before.name.span, "the first one is here"),
                );
                continue;
            }
            if let Some(parent) = self.parents(k).find(|(_, parent)| parent.field(&f.name.text).is_some()).map(|(word, _)| &word.text) {
                self.report(
                    Diagnostic::error("duplicate-field", f.name.span, format!("A {parent} has a `{}` already.", f.name.text))
                        .note(format!("A {} has every field of a {parent}.", k.name.text))
                        .help("Leave it out, or give it another name."),
                );
                continue;
            }
            fields.push(self.field_decl(f, &info.key));
        }
        self.check_inherited(k);
        if (info.roles.player || info.roles.game) && !info.roles.card {
            self.nobody_says(k, &fields);
        }
        if k.fields.iter().filter(|f| f.role == FieldRole::Of).count() > 1 {
            self.report(Diagnostic::error("duplicate-field", k.name.span, "Only one field can be set by `of`."));
        }
        let mut rules = Vec::new();
        let mut limits = Vec::new();
        let mut words = Vec::new();
        let mut says = None;
        for line in &k.lines {
            if let Line::Broken { span } = line {
                self.lose(*span);
            }
        }
        for line in &k.lines {
            match line {
                line if Self::is_rule(line) => rules.extend(self.rule(line)),
                Line::Need { covers, message, span, .. } => {
                    let before = std::mem::replace(&mut self.place, Place::Limit);
                    let block = self.lines(std::slice::from_ref(line));
                    self.place = before;
                    let words = match message {
                        Some(m) => SmolStr::new(&m.text),
                        None => SmolStr::new(span.of(self.text)),
                    };
                    limits.push(hir::Limit {
                        words,
                        covers: covers.iter().map(|w| SmolStr::new(&w.text)).collect(),
                        on: info.key.clone(),
                        body: block,
                        warn: false,
                        span: *span,
                    });
                }
                Line::Field { name, value, .. } if &*name.text == "parts" => self.check_parts(value),
                Line::Broken { .. } => {}
                Line::Says { of: None, template, .. } => match template.text.split_once('|') {
                    Some((one, many)) => says = Some((SmolStr::new(one.trim()), SmolStr::new(many.trim()))),
                    None => self.report(
                        Diagnostic::error("bad-template", template.span, "A kind has two words, for one and for several.")
                            .help("Write for example `says \"card|cards\"`."),
                    ),
                },
                Line::Says { of: Some(of), template, .. } => {
                    if !k.fields.iter().any(|field| field.name.text == of.text) {
                        let known: Vec<SmolStr> = fields.iter().map(|field| field.name.clone()).collect();
                        let d = Diagnostic::error("unknown-field", of.span, format!("This kind has no field `{}` of its own.", of.text))
                            .help("Words are given to a field where it is declared.");
                        let d = self.suggest(d, &of.text, of.span, &known, &|_| false);
                        self.report(d);
                    }
                    words.push((SmolStr::new(&of.text), SmolStr::new(&template.text)));
                }
                Line::Field { name, .. } => {
                    self.report(
                        Diagnostic::error("unknown-field", name.span, format!("`{}` has no type.", name.text))
                            .help("A field of a kind is written `name: Type`."),
                    );
                }
                other => self.misplaced(other, "in a kind"),
            }
        }
        hir::Item::Kind(hir::Kind {
            key: info.key.clone(),
            name: info.name.clone(),
            is: info.is.clone(),
            roles: info.roles,
            rank: info.rank,
            fields,
            rules,
            limits,
            words,
            says,
        })
    }

    /// A kind or enum cannot have the name of a type of the language: nobody could tell them apart.
    pub(super) fn not_a_type(&mut self, name: &ast::Word) {
        if crate::language::TYPES.contains(&&*name.text) {
            self.report(
                Diagnostic::error("type-name-taken", name.span, format!("`{}` is a type of the language already.", name.text))
                    .help("Give it another name."),
            );
        }
    }

    /// The kinds it extends, as they are written.
    fn parents<'k>(&self, k: &'k ast::Kind) -> impl Iterator<Item = (&'k ast::Word, &'db KindInfo)> + use<'k, 'db> {
        let (db, universe, module) = (self.db, self.universe, self.module.clone());
        k.is.iter().filter_map(move |word| {
            let found = signature::find(db, universe, &module, &word.text, &[DeclKind::Kind])?;
            let parent = signature::kind_info(db, universe, found.item);
            // who extends itself is told so
            let own = parent.is.iter().any(|kind| *kind == key_of(&module, &k.name.text));
            (!own).then_some((word, parent))
        })
    }

    /// What a card would say of a player or a game: there is none.
    fn nobody_says(&mut self, k: &ast::Kind, fields: &[Field]) {
        let needed = |f: &&Field| f.role == pack::FieldRole::Plain && f.default.is_none() && !f.starts_full;
        for field in fields.iter().filter(needed).filter(|f| !matches!(f.ty, Ty::Optional(_) | Ty::Error)) {
            let Some(written) = k.fields.iter().find(|f| *f.name.text == *field.name) else { continue };
            let name = &field.name;
            self.report(
                Diagnostic::error(
                    "missing-default",
                    written.name.span,
                    format!("Nothing says what `{name}` is: there is no card of a {}.", k.name.text),
                )
                .help(format!("Give it a value (`{name}: … = VALUE`), or let it be unset (`{name}: …?`).")),
            );
        }
    }

    /// Two kinds it extends each have a field of the same name, and not from a kind that both extend.
    fn check_inherited(&mut self, k: &ast::Kind) {
        let parents: Vec<(&ast::Word, &KindInfo)> = self.parents(k).collect();
        for (at, (word, parent)) in parents.iter().enumerate() {
            let earlier = || parents.iter().take(at).flat_map(|(word, other)| other.fields.iter().map(move |field| (*word, field)));
            let clash =
                parent.fields.iter().find_map(|field| earlier().find(|(_, other)| other.name == field.name && other.key != field.key));
            if let Some((other, field)) = clash {
                self.report(
                    Diagnostic::error(
                        "duplicate-field",
                        word.span,
                        format!("Both {} and {} have a `{}`.", other.text, word.text, field.name),
                    )
                    .help("Give one of them another name, or put it into a kind of its own that both extend."),
                );
            }
        }
    }

    fn check_parents(&mut self, k: &ast::Kind, info: &KindInfo) {
        for word in &k.is {
            if role(&word.text).is_some() {
                continue;
            }
            match self.find_word(word, &[DeclKind::Kind]) {
                Some(found) => {
                    let parent = signature::kind_info(self.db, self.universe, found.item);
                    if parent.is.contains(&info.key) {
                        self.report(
                            Diagnostic::error("kind-cycle", word.span, format!("{} would extend itself.", k.name.text))
                                .note(format!("{} already is a {}.", word.text, k.name.text))
                                .help("Take it away here or there."),
                        );
                    }
                }
                None => {
                    let mut d = Diagnostic::error("unknown-kind", word.span, format!("There is no kind or role called `{}`.", word.text));
                    let is_kind = |k: DeclKind| k == DeclKind::Kind;
                    let seen = crate::names::near_names(self.db, self.universe, &self.module, &word.text, &is_kind);
                    if let Some(n) = nearest(&word.text, crate::language::ROLES.iter().copied().chain(seen)) {
                        d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), word.span, n, true);
                    } else {
                        d = d.note("The roles are card, piece, part, player and game.");
                    }
                    self.report(d);
                }
            }
        }
    }

    fn check_parts(&mut self, value: &ast::Expr) {
        let ast::ExprKind::List(entries) = &value.kind else {
            self.report(
                Diagnostic::error("wrong-type", value.span, "The parts of a kind are a list of kinds.")
                    .help("Write `parts: [Weapon, Ability]`."),
            );
            return;
        };
        for entry in entries {
            let ast::ExprKind::Name(word) = &entry.value.kind else { continue };
            match self.find_at(word, entry.value.span, &[DeclKind::Kind]) {
                Some(found) => {
                    let part = signature::kind_info(self.db, self.universe, found.item);
                    if !part.roles.part {
                        self.report(
                            Diagnostic::error("not-a-part", entry.value.span, format!("A {word} is not a part of anything."))
                                .help(format!("Declare it as `kind {word} is part`.")),
                        );
                    }
                }
                None => {
                    let d = Diagnostic::error("unknown-kind", entry.value.span, format!("There is no kind called `{word}`."));
                    let d = self.suggest(d, word, entry.value.span, &[], &|k| k == DeclKind::Kind);
                    self.report(d);
                }
            }
        }
    }

    fn field_decl(&mut self, f: &ast::FieldDecl, owner: &str) -> Field {
        let ty = self.resolve_type(&f.ty);
        let name = SmolStr::new(&f.name.text);
        let mut role = match f.role {
            FieldRole::Plain | FieldRole::Of => pack::FieldRole::Plain,
            FieldRole::State => pack::FieldRole::State,
            FieldRole::Resource => pack::FieldRole::Resource,
        };
        if matches!(ty, Ty::Pile(_)) {
            role = pack::FieldRole::Pile;
        }
        if matches!((&ty, role), (Ty::Set(inner) | Ty::List(inner), pack::FieldRole::Plain) if **inner == Ty::Keyword) {
            role = pack::FieldRole::Keywords;
        }
        let (low, high) = self.bounds(&f.ty, &ty);
        let mut starts_full = false;
        let default = match &f.default {
            Some(ast::Expr { kind: ast::ExprKind::Name(word), span }) if &**word == "max" => {
                if high.is_none() {
                    self.report(
                        Diagnostic::error("no-maximum", *span, "This range has no upper end to start at.")
                            .help("Give the range an end, for example `0..10`."),
                    );
                }
                starts_full = true;
                None
            }
            Some(e) => {
                let covers: Vec<&str> = f.covers.iter().map(|id| &*id.text).collect();
                Some(self.breaking(&covers, |cx| {
                    let value = cx.purely("a default", |cx| cx.value(e, &ty));
                    cx.in_range(&value, &f.ty, &name);
                    value
                }))
            }
            None => {
                if role == pack::FieldRole::Resource {
                    Some(expr(ExprKind::Int(0), Ty::Int(Range::default()), f.span))
                } else {
                    if f.role == FieldRole::State && !f.ty.optional && !matches!(ty, Ty::Pile(_) | Ty::Error) {
                        self.report(
                            Diagnostic::error("missing-default", f.name.span, format!("It is not said what `{name}` starts with."))
                                .help(format!("Write `state {name}: … = VALUE`, or make it optional with `?`.")),
                        );
                    }
                    None
                }
            }
        };
        Field { key: member_key(owner, &name), name, role, ty, default, low, high, starts_full, span: f.name.span }
    }

    /// The written range of a type, as expressions.
    fn bounds(&mut self, written: &ast::Type, ty: &Ty) -> (Option<Expr>, Option<Expr>) {
        let TypeKind::Named { range: Some(range), .. } = &written.kind else { return (None, None) };
        let ast::ExprKind::Range { low, high } = &range.kind else { return (None, None) };
        let bare = match ty {
            Ty::Optional(t) => (**t).clone(),
            Ty::Int(_) => Ty::Int(Range::default()),
            Ty::Target(_) => Ty::Target(Range::default()),
            t => t.clone(),
        };
        let mut one = |e: &Option<Box<ast::Expr>>| {
            e.as_ref().map(|e| {
                let want = bare.clone();
                self.purely("a range", |cx| cx.value(e, &want))
            })
        };
        (one(low), one(high))
    }

    /// A constant against a written range.
    pub(super) fn in_range(&mut self, value: &Expr, written: &ast::Type, name: &str) {
        let range = signature::constant_range(written);
        self.check_range(value, range, name);
    }

    pub(super) fn check_range(&mut self, value: &Expr, range: Range, name: &str) {
        // nothing is in a range that is written backwards, and that is told where it stands
        if matches!((range.low, range.high), (Some(low), Some(high)) if low > high) {
            return;
        }
        match &value.kind {
            ExprKind::Int(n) if range.low.is_some_and(|l| *n < l) || range.high.is_some_and(|h| *n > h) => {
                self.out_of_range(value, range, name);
            }
            ExprKind::Pair(a, b) => {
                let told = self.reports().len();
                self.check_range(a, range, name);
                self.check_range(b, range, name);
                // both halves are one number to the author: one of them alone cannot be written
                self.reports().iter_mut().skip(told).for_each(|d| d.fixes.clear());
            }
            _ => {}
        }
    }

    fn out_of_range(&mut self, value: &Expr, range: Range, name: &str) {
        let show = |n: i64| -> String {
            match &value.ty {
                Ty::Length(f) if f == "print" => format!("{}mm", n / 1000),
                Ty::Length(_) => {
                    let sign = self.base_sign().unwrap_or("");
                    if n % 1000 == 0 {
                        format!("{}{sign}", n / 1000)
                    } else {
                        format!("{}.{:03}{sign}", n / 1000, n % 1000).trim_end_matches('0').to_string()
                    }
                }
                Ty::Target(_) => format!("{n}+"),
                Ty::Percent => format!("{n}%"),
                _ => n.to_string(),
            }
        };
        let words = match (range.low, range.high) {
            (Some(l), Some(h)) => format!("from {} to {}", show(l), show(h)),
            (Some(l), None) => format!("{} or more", show(l)),
            (None, Some(h)) => format!("at most {}", show(h)),
            (None, None) => return,
        };
        let ExprKind::Int(n) = value.kind else { return };
        let nearest = range.low.filter(|l| n < *l).or(range.high.filter(|h| n > *h)).unwrap_or(n);
        let (code, headline) = match &value.ty {
            Ty::Target(_) if range.high.is_some_and(|h| n > h) => {
                ("impossible-roll", format!("{} cannot be rolled: `{name}` is {words}.", show(n)))
            }
            _ => ("out-of-range", format!("`{name}` is {words}, not {}.", show(n))),
        };
        let fixed = show(nearest);
        self.report(Diagnostic::error(code, value.span, headline).help(format!("The nearest allowed value is {fixed}.")).fix(
            format!("Write `{fixed}`"),
            value.span,
            fixed,
            false,
        ));
    }

    pub(super) fn keyword(&mut self, k: &ast::Keyword) -> hir::Item {
        let key = key_of(&self.module, &k.name.text);
        let on = match &k.on {
            Some(w) => match self.find_word(w, &[DeclKind::Kind]) {
                Some(found) => Some(found.key.clone()),
                None => {
                    let d = Diagnostic::error("unknown-kind", w.span, format!("There is no kind called `{}`.", w.text));
                    let d = self.suggest(d, &w.text, w.span, &[], &|k| k == DeclKind::Kind);
                    self.report(d);
                    None
                }
            },
            None => None,
        };
        let this = on.clone().map_or(Ty::Thing, Ty::Kind);
        self.this_is_part = self.is_part_ty(&this);
        self.this = Some(this);
        if k.on.is_some() && on.is_none() {
            self.this = Some(Ty::Error);
        }
        if let Some(p) = &k.param {
            self.keyword_number = Some((SmolStr::new(&p.name.text), key.clone()));
            self.saw_alias(&p.name);
            self.saw_local(&p.name, &Ty::Int(crate::ty::Range::default()));
        }
        for line in &k.block.lines {
            if let Line::State(f) = line {
                let ty = self.resolve_type(&f.ty);
                let name = SmolStr::new(&f.name.text);
                let field = member_key(&key, &name);
                self.keyword_state.push((name, field, ty));
            }
        }
        let mut rules = Vec::new();
        let mut state: Vec<Field> = Vec::new();
        let mut says = None;
        for line in &k.block.lines {
            match line {
                line if Self::is_rule(line) => rules.extend(self.rule(line)),
                Line::Says { of: None, template, .. } => says = Some(self.template(template)),
                Line::State(f) => state.push(self.field_decl(f, &key)),
                Line::Broken { .. } => {}
                Line::Todo { .. } => {}
                other => self.misplaced(other, "in a keyword"),
            }
        }
        let (name, numbered, on_part) = (SmolStr::new(&k.name.text), k.param.is_some(), self.this_is_part);
        hir::Item::Keyword(hir::Keyword { key, name, numbered, on, on_part, rules, state, says })
    }
}
