//! What a bare word means where it stands.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::{Diagnostic, Missing};
use crate::hir::{Expr, ExprKind, Fun};
use crate::items::DeclKind;
use crate::key::{key_of, member_key};
use crate::names::{Found, short};
use crate::signature::KindInfo;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};
use super::literal::peel;
use super::watch::Asked;

/// What people write who write numbers out, from one on.
const NUMBERS: [&str; 12] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

impl<'db> Cx<'db> {
    pub(super) fn name(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Expr {
        if self.asked(name, |_| Asked::Value(want.cloned())) {
            return error(span);
        }
        if let Some(e) = self.known_name(name, span, want) {
            self.saw(name, span, &e);
            return self.narrowed(e);
        }
        self.unknown_name(name, span, want)
    }

    /// The meaning of a word, if it has one here.
    pub(super) fn known_name(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Expr> {
        if let Some(e) = self.fixed_name(name, span) {
            return Some(e);
        }
        if let Some((_, key, ty)) = self.own_cards.iter().find(|(n, ..)| n == name) {
            return Some(expr(ExprKind::Card(key.clone()), ty.clone(), span));
        }
        if let Some(local) = self.find_local(name) {
            return Some(self.local_expr(local, span));
        }
        if let Some(e) = self.event_field(name, span) {
            return Some(e);
        }
        if let Some(e) = self.taken_field(name, span) {
            return Some(e);
        }
        if let Some(e) = self.wanted_member(name, span, want) {
            return Some(e);
        }
        // a card of the kind that is wanted comes before a field that happens to share its name
        if let Some(Ty::Kind(_)) = peel(want)
            && let Some(found) = self.lookup(name).iter().find(|f| f.kind == DeclKind::Card)
        {
            return Some(self.global(name, found, span));
        }
        if let Some(local) = self.its.last().copied() {
            let it = self.local_expr(local, span);
            if let Some(e) = self.member_of(it, name, span) {
                self.locals[local.0 as usize].used = true;
                return Some(e);
            }
        }
        if let Some(e) = self.own_field(name, span) {
            return Some(e);
        }
        self.global_name(name, span, want)
    }

    /// Whoever the rule belongs to. The machine knows a part beside the card that holds it.
    pub(super) fn this_expr(&self, ty: Ty, span: Span) -> Expr {
        expr(if self.this_is_part { ExprKind::Part } else { ExprKind::This }, ty, span)
    }

    /// Is this the type of something that lives inside a card?
    pub(super) fn is_part_ty(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Kind(kind) if self.kind(kind).is_some_and(|k| k.roles.part))
    }

    fn fixed_name(&mut self, name: &str, span: Span) -> Option<Expr> {
        let e = match name {
            "this" => match &self.this {
                Some(ty) => self.this_expr(ty.clone(), span),
                None => {
                    let word = if self.its.is_empty() { "" } else { " Use `it` for the thing the `where` is about." };
                    self.report(
                        Diagnostic::error("no-this", span, "`this` means nothing here.")
                            .help(format!("`this` is the card whose rule is written; here no card is.{word}")),
                    );
                    error(span)
                }
            },
            "part" => match &self.part {
                Some(ty) => expr(ExprKind::Part, ty.clone(), span),
                None => return None,
            },
            "it" => match self.its.last().copied() {
                Some(local) => {
                    self.locals[local.0 as usize].used = true;
                    self.local_expr(local, span)
                }
                None => return None,
            },
            "you" => {
                self.needs_players(span);
                expr(ExprKind::You, self.player_ty(), span)
            }
            "opponent" => {
                self.needs_players(span);
                let you = expr(ExprKind::You, self.player_ty(), span);
                expr(ExprKind::Opponent(Box::new(you)), self.player_ty(), span)
            }
            "players" => {
                self.needs_players(span);
                expr(ExprKind::Players, Ty::List(Box::new(self.player_ty())), span)
            }
            "none" => expr(ExprKind::None, Ty::Unset, span),
            "true" => expr(ExprKind::Bool(true), Ty::Bool, span),
            "false" => expr(ExprKind::Bool(false), Ty::Bool, span),
            "play" => expr(ExprKind::InPlay, Ty::Spot, span),
            _ => return None,
        };
        Some(e)
    }

    fn event_field(&mut self, name: &str, span: Span) -> Option<Expr> {
        let ty = self.event.as_ref()?.fields.iter().find(|(n, _)| n == name)?.1.clone();
        Some(expr(ExprKind::EventField(SmolStr::new(name)), ty, span))
    }

    /// A field of the event around a timed grant: its value is taken along.
    fn taken_field(&mut self, name: &str, span: Span) -> Option<Expr> {
        let at = self.around.iter().rposition(|around| around.fields.iter().any(|(n, _)| n == name))?;
        let kind = ExprKind::EventField(SmolStr::new(name));
        let known = self.around[at].taken.iter().find(|(_, e)| e.kind == kind).map(|(local, _)| *local);
        let local = known.unwrap_or_else(|| {
            let ty = self.around[at].fields.iter().find(|(n, _)| n == name).map_or(Ty::Error, |(_, ty)| ty.clone());
            let local = self.scoped(|cx| cx.declare_silent(name, ty.clone(), span, true));
            self.around[at].taken.push((local, expr(kind, ty, span)));
            local
        });
        Some(self.local_expr(local, span))
    }

    /// An enum member, if a value of an enum that has it is wanted.
    fn wanted_member(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Expr> {
        let inner = match peel(want)? {
            Ty::Set(t) | Ty::List(t) => t,
            other => other,
        };
        match inner {
            Ty::Enum(key) => {
                let key = key.clone();
                self.enum_info(&key).members.iter().any(|(n, _)| n == name).then(|| {
                    self.uses(&key);
                    self.uses(&member_key(&key, name));
                    expr(ExprKind::Member(key.clone(), SmolStr::new(name)), Ty::Enum(key), span)
                })
            }
            Ty::Keyword => {
                let found = self.find(name, &[DeclKind::Keyword])?;
                Some(expr(ExprKind::Keyword(found.key.clone()), Ty::Keyword, span))
            }
            _ => None,
        }
    }

    fn own_field(&mut self, name: &str, span: Span) -> Option<Expr> {
        if let Some((param, keyword)) = self.keyword_number.clone()
            && param == name
            && let Some(ty) = &self.this
        {
            let this = self.this_expr(ty.clone(), span);
            return Some(expr(ExprKind::KeywordNumber { base: Box::new(this), keyword }, Ty::Int(Range::default()), span));
        }
        if let Some((_, key, ty)) = self.keyword_state.iter().find(|(n, _, _)| n == name).cloned()
            && let Some(this) = &self.this
        {
            let this = self.this_expr(this.clone(), span);
            return Some(expr(ExprKind::Field { base: Box::new(this), field: key, raw: false }, ty, span));
        }
        if let Some(ty) = self.this.clone() {
            let this = self.this_expr(ty, span);
            if let Some(e) = self.member_of(this, name, span) {
                return Some(e);
            }
        }
        if let Some(ty) = self.part.clone() {
            let part = expr(ExprKind::Part, ty, span);
            return self.member_of(part, name, span);
        }
        None
    }

    fn global_name(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Expr> {
        let found = self.lookup(name);
        // what is wanted first, then the usual meaning of a bare word
        let order: &[DeclKind] = match peel(want) {
            Some(Ty::Kind(_)) => &[DeclKind::Card, DeclKind::Define, DeclKind::Action],
            Some(Ty::Keyword) => &[DeclKind::Keyword],
            _ => &[],
        };
        const USUAL: &[DeclKind] = &[
            DeclKind::Option,
            DeclKind::Noun,
            DeclKind::Define,
            DeclKind::Fact,
            DeclKind::Table,
            DeclKind::Word,
            DeclKind::Action,
            DeclKind::Phase,
            DeclKind::Card,
            DeclKind::Member,
            DeclKind::Keyword,
            DeclKind::Resource,
        ];
        // where one of an enum's values is wanted, nothing happens
        let values_only = matches!(peel(want), Some(Ty::Enum(_)))
            || matches!(peel(want), Some(Ty::Set(of) | Ty::List(of)) if matches!(**of, Ty::Enum(_)));
        for kind in order.iter().chain(USUAL) {
            if values_only && matches!(kind, DeclKind::Action | DeclKind::Phase) {
                continue;
            }
            let of_kind: Vec<&'db Found<'db>> = found.iter().filter(|f| f.kind == *kind).collect();
            let Some(first) = of_kind.first() else { continue };
            match kind {
                DeclKind::Word => {
                    // the one object of a kind that `is game` is named by its item word
                    let info = self.kind_of_word(first)?;
                    if !info.roles.game {
                        continue;
                    }
                    self.uses(&info.key);
                    return Some(expr(ExprKind::Game(info.key.clone()), Ty::Kind(info.key.clone()), span));
                }
                DeclKind::Member => {
                    let mut enums: Vec<&str> = of_kind.iter().filter_map(|f| f.of.as_deref()).collect();
                    enums.dedup();
                    if enums.len() > 1 {
                        self.report(
                            Diagnostic::error("ambiguous-name", span, format!("`{name}` could be {} or {}.", enums[0], enums[1]))
                                .help(format!("Say which: `{}.{name}`.", enums[0])),
                        );
                        return Some(error(span));
                    }
                }
                _ => {}
            }
            return Some(self.global(name, first, span));
        }
        None
    }

    /// A name declared outside this item.
    pub(super) fn global(&mut self, name: &str, found: &'db Found<'db>, span: Span) -> Expr {
        self.uses(&found.key);
        match found.kind {
            DeclKind::Option => {
                let ty = self.option_ty(found);
                expr(ExprKind::Option(found.key.clone()), ty, span)
            }
            DeclKind::Noun => match self.kind_of_word(found) {
                Some(info) => {
                    self.uses(&info.key);
                    expr(ExprKind::AllOf(info.key.clone()), Ty::Set(Box::new(Ty::Kind(info.key.clone()))), span)
                }
                None => error(span),
            },
            DeclKind::Define | DeclKind::Table => self.call_define(found, &[], span),
            DeclKind::Fact => self.call_fact(found, &[], span),
            DeclKind::Action | DeclKind::Phase => self.emit(found, None, &[], span),
            DeclKind::Card => {
                let ty = self.card_ty(found);
                expr(ExprKind::Card(found.key.clone()), ty, span)
            }
            DeclKind::Member => {
                let owner = found.of.clone().unwrap_or_default();
                // who adds to an enum that is not there is told so
                let Some(owner) = self.lookup(&owner).iter().find(|f| matches!(f.kind, DeclKind::Enum | DeclKind::Option)) else {
                    return error(span);
                };
                let key = owner.key.clone();
                self.uses(&key);
                self.uses(&member_key(&key, name));
                expr(ExprKind::Member(key.clone(), SmolStr::new(name)), Ty::Enum(key), span)
            }
            DeclKind::Keyword => expr(ExprKind::Keyword(found.key.clone()), Ty::Keyword, span),
            DeclKind::Resource => {
                let one = expr(ExprKind::Int(1), Ty::Int(Range::default()), span);
                match self.resource_key(found) {
                    Some(key) => expr(ExprKind::Cost { amount: Box::new(one), resource: key }, Ty::Cost, span),
                    None => error(span),
                }
            }
            _ => error(span),
        }
    }

    /// The key of the field a resource name stands for: `module/Kind.Name`.
    pub(super) fn resource_key(&mut self, found: &Found<'db>) -> Option<SmolStr> {
        let kind = found.of.as_ref()?;
        let key = member_key(&key_of(&found.module, kind), short(&found.key));
        self.uses(&key);
        Some(key)
    }

    /// The kind of a card declared by `word Name …`.
    pub(super) fn card_ty(&mut self, found: &Found<'db>) -> Ty {
        let Some(word) = &found.of else { return Ty::Error };
        // the word is resolved where the card stands
        let at = match found.module == self.module {
            true => self.lookup(word),
            false => crate::names::lookup(self.db, self.universe, crate::names::Wanted::new(self.db, found.module.clone(), word.clone())),
        };
        match at.iter().find(|f| f.kind == DeclKind::Word).and_then(|f| self.kind_of_word(f)) {
            Some(info) => Ty::Kind(info.key.clone()),
            None => Ty::Error,
        }
    }

    pub(super) fn option_decl(&self, found: &Found<'db>) -> Option<&'db banneret_grammar::ast::OptionDecl> {
        match &crate::items::parse(self.db, found.item).item.kind {
            banneret_grammar::ast::ItemKind::Ruleset(r) => r.options.iter().find(|o| *o.name.text == *short(&found.key)),
            _ => None,
        }
    }

    pub(super) fn option_ty(&mut self, found: &Found<'db>) -> Ty {
        let Some(option) = self.option_decl(found) else { return Ty::Error };
        if let banneret_grammar::ast::TypeKind::OneOf(_) = option.ty.kind {
            return Ty::Enum(found.key.clone());
        }
        let mut ignored = Vec::new();
        crate::resolve_type::resolve_type(self.db, self.universe, &found.module, &option.ty, &mut ignored)
    }

    /// Whether a word could stand here instead of one that nobody knows: it means something, something that is wanted.
    pub(super) fn would_fit(&mut self, name: &str, span: Span, want: Option<&Ty>, next: Option<&ast::Word>) -> bool {
        if banneret_grammar::words::is_reserved(name) {
            return false;
        }
        let before = self.reports().len();
        let calls = self.calls.len();
        let mut got = self.known_name(name, span, want);
        if let (Some(value), Some(next)) = (&got, next) {
            got = Some(self.field_of(value.clone(), next, span));
        }
        let fits = got.is_some_and(|value| match want.filter(|_| next.is_none()) {
            // any card
            Some(Ty::Kind(any)) if any.is_empty() => matches!(value.ty, Ty::Kind(_)),
            Some(want) => self.try_coerce(value, want).is_ok(),
            None => value.ty != Ty::Error,
        });
        let fine = self.reports().len() == before;
        self.reports().truncate(before);
        self.calls.truncate(calls);
        fits && fine
    }

    fn unknown_name(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Expr {
        let next = self.read_next.take();
        if self.lost.iter().any(|w| w == name) || self.event.as_ref().is_some_and(|e| e.unknown) || self.vague_owner() {
            return error(span);
        }
        let mut more: Vec<SmolStr> = self.scope.iter().map(|l| self.locals[l.0 as usize].name.clone()).collect();
        more.extend(self.aliases.iter().map(|(a, _)| a.clone()));
        more.extend(self.keyword_number.iter().map(|(n, _)| n.clone()));
        if let Some(event) = &self.event {
            more.extend(event.fields.iter().map(|(n, _)| n.clone()));
        }
        more.extend(self.around.iter().flat_map(|around| around.fields.iter().map(|(n, _)| n.clone())));
        for ty in self.its.iter().map(|l| &self.locals[l.0 as usize].ty).chain(&self.this).chain(&self.part) {
            if let Ty::Kind(key) = ty
                && let Some(info) = self.kind(key)
            {
                more.extend(info.fields.iter().map(|f| f.name.clone()));
            }
        }
        // one value stands for a set of one
        let d = match peel(want).map(|ty| {
            if let Ty::Set(one) | Ty::List(one) = ty
                && matches!(**one, Ty::Enum(_))
            {
                one
            } else {
                ty
            }
        }) {
            Some(Ty::Enum(key)) => {
                let info = self.enum_info(key);
                more = info.members.iter().map(|(n, _)| n.clone()).collect();
                let what = short(key);
                let d = Diagnostic::error("unknown-member", span, format!("`{name}` is not one of the values of {what}."));
                let listed: Vec<String> = more.iter().take(8).map(|n| format!("`{n}`")).collect();
                let d = if listed.is_empty() { d } else { d.note(format!("{what} has {}.", listed.join(", "))) };
                let d = if info.open { d.missing(Missing::Member(key.clone())) } else { d };
                let d = self.suggest(d, name, span, &more, &|_| false);
                match d.help {
                    None if info.open => d.help(format!("If it is new, declare it: `enum {what} also {{ {name} }}`.")),
                    None => d.help("Write one of its values."),
                    Some(_) => d,
                }
            }
            Some(Ty::Text | Ty::Picture) => Diagnostic::error("unknown-name", span, format!("Nothing here is called `{name}`."))
                .help("Words are written in quotes.")
                .fix("Put it in quotes", span, format!("\"{name}\""), true),
            Some(Ty::Keyword) => {
                let d = Diagnostic::error("unknown-keyword", span, format!("There is no keyword `{name}`.")).missing(Missing::Keyword);
                self.suggest(d, name, span, &[], &|k| k == DeclKind::Keyword)
            }
            Some(Ty::Kind(key)) => {
                let what = if key.is_empty() { "card".to_string() } else { short(key).to_string() };
                let d = Diagnostic::error("unknown-name", span, format!("There is no {what} called `{name}` here."));
                let d = if key.is_empty() { d } else { d.missing(Missing::Card(key.clone())) };
                let d = self.elsewhere(d, name);
                let d = self.only_titled(d, name);
                if d.help.is_some() {
                    self.report(d);
                    return error(span);
                }
                let d = self.suggest_fitting(d, name, span, &more, &|k| matches!(k, DeclKind::Card | DeclKind::Define), &mut |cx, n| {
                    cx.would_fit(n, span, want, next.as_ref())
                });
                let d = self.meant_part(d, name, span);
                let d = match matches!(name, "self" | "This" | "me" | "itself") && self.this.is_some() {
                    true => d.help("The card itself is called `this`.").fix("Write `this`", span, "this", true),
                    false => d,
                };
                if d.help.is_none() && self.aims() && name.starts_with(char::is_lowercase) {
                    d.help(format!("If it is what the card is aimed at, name it there: `target {name}: …`."))
                } else {
                    d
                }
            }
            Some(Ty::Int(_)) if NUMBERS.contains(&name) => {
                let n = NUMBERS.iter().position(|word| *word == name).unwrap_or(0) + 1;
                Diagnostic::error("unknown-name", span, format!("Nothing here is called `{name}`."))
                    .help("Numbers are written with digits.")
                    .fix(format!("Write `{n}`"), span, n.to_string(), true)
            }
            _ if self.plural_of(name).is_some() => {
                let plural = self.plural_of(name).unwrap_or_default();
                Diagnostic::error("unknown-name", span, format!("Nothing here is called `{name}`."))
                    .help(format!("All of them in play are `{plural}`."))
                    .fix(format!("Write `{plural}`"), span, plural, true)
            }
            _ => {
                let d = Diagnostic::error("unknown-name", span, format!("Nothing here is called `{name}`."));
                let d = self.elsewhere(d, name);
                let named = |k| !matches!(k, DeclKind::Length | DeclKind::Word | DeclKind::Ruleset | DeclKind::Phase | DeclKind::Kind);
                self.suggest_fitting(d, name, span, &more, &named, &mut |cx, n| cx.would_fit(n, span, want, next.as_ref()))
            }
        };
        self.report(d);
        // a name of the author's own that is not there is missing once
        if name.starts_with(char::is_lowercase) {
            self.lost.push(SmolStr::new(name));
        }
        error(span)
    }

    /// Whether a name may be a field of something whose kind could not be read as a whole.
    fn vague_owner(&self) -> bool {
        let its = self.its.iter().map(|l| &self.locals[l.0 as usize].ty);
        its.chain(&self.this).chain(&self.part).any(|ty| self.is_vague(ty))
    }

    /// Whether the card being read can be aimed at something.
    fn aims(&self) -> bool {
        let kinds = self.this.iter().chain(&self.part);
        let infos = kinds.filter_map(|ty| if let Ty::Kind(key) = ty { self.kind(key) } else { None });
        infos.flat_map(|info| &info.fields).any(|f| matches!(peel(Some(&f.ty)), Some(Ty::Choice(_))))
    }

    /// The noun for all cards of a kind, by its item word.
    pub(super) fn plural_of(&self, word: &str) -> Option<SmolStr> {
        let found = self.lookup(word).iter().find(|f| f.kind == DeclKind::Word)?;
        let info = self.kind_of_word(found)?;
        (!info.roles.game).then(|| info.plural.clone())
    }

    /// Notes that a name exists in a module that is not used.
    fn elsewhere(&self, d: Diagnostic, name: &str) -> Diagnostic {
        let mut modules: Vec<SmolStr> = crate::names::modules(self.db, self.universe).keys().cloned().collect();
        modules.sort();
        let seen = crate::names::visible(self.db, self.universe, self.here());
        let uses_rules = seen.iter().any(|module| !module.starts_with('@') && module != crate::names::PRELUDE);
        for module in modules {
            let names = crate::names::module_names(self.db, self.universe, crate::names::ModuleName::new(self.db, module.clone()));
            if !names.get(name).is_empty() {
                let path = module.trim_start_matches('@').to_string();
                if path.is_empty() {
                    continue;
                }
                // who plays by one rule system does not mean another
                if !module.starts_with('@') && uses_rules {
                    continue;
                }
                // the project's own folders are likelier meant than a rule system it does not use
                return match module.starts_with('@') {
                    true => d.help(format!("There is a `{name}` in the folder `{path}`: write `use {path}` at the top of the file.")),
                    false => d.note(format!("There is a `{name}` in `{path}`: write `use {path}` at the top of the file.")),
                };
            }
        }
        d
    }

    /// A field, number of a keyword, or list of parts of something; None if it has nothing of that name.
    pub(super) fn member_of(&mut self, base: Expr, name: &str, span: Span) -> Option<Expr> {
        let Ty::Kind(key) = &base.ty else {
            return match (name, &base.ty) {
                ("place", Ty::Thing) => Some(expr(ExprKind::Fun(Fun::PlaceOf, vec![base]), Ty::Optional(Box::new(Ty::Place)), span)),
                _ => None,
            };
        };
        let info = self.kind(key)?;
        if let Some(field) = info.field(name) {
            self.uses(&field.key);
            return Some(expr(ExprKind::Field { base: Box::new(base), field: field.key.clone(), raw: false }, field.ty.clone(), span));
        }
        for part in &info.parts {
            if let Some(part) = self.kind(part)
                && part.plural == name
            {
                let ty = Ty::List(Box::new(Ty::Kind(part.key.clone())));
                return Some(expr(ExprKind::Parts { base: Box::new(base), kind: part.key.clone() }, ty, span));
            }
        }
        match name {
            "place" if info.roles.piece => Some(expr(ExprKind::Fun(Fun::PlaceOf, vec![base]), Ty::Optional(Box::new(Ty::Place)), span)),
            "controller" => Some(expr(ExprKind::Fun(Fun::Controller, vec![base]), self.player_ty(), span)),
            "owner" => Some(expr(ExprKind::Fun(Fun::Owner, vec![base]), self.player_ty(), span)),
            "holder" if info.roles.part => {
                let info = info.clone();
                let ty = self.holder_ty(&info);
                Some(expr(ExprKind::Fun(Fun::Holder, vec![base]), ty, span))
            }
            _ => None,
        }
    }

    /// What holds parts of this kind: one kind, or any object.
    pub(super) fn holder_ty(&self, part: &KindInfo) -> Ty {
        let mut holders = crate::signature::holders_of(self.db, self.universe, &self.module, part);
        // a kind and those that extend it: the widest one
        if let Some(widest) = holders.iter().find(|w| holders.iter().all(|h| h == *w || self.kind(h).is_some_and(|k| k.is_a(w)))).cloned() {
            holders = vec![widest];
        }
        match holders.as_slice() {
            [one] => Ty::Kind(one.clone()),
            _ => Ty::Thing,
        }
    }
}
