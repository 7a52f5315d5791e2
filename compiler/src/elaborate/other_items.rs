//! Items that are short to say: `use`, `ruleset`, `enum`, `define`, `fact`, `table`, `limit`.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use banneret_runtime::table::Board;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, Expr, ExprKind};
use crate::items::{DeclKind, spaced};
use crate::names::{is_needed, key_of, module_at, modules};
use crate::signature::FieldInfo;
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

use super::cx::{Place, expr};
use super::{Cx, Outline};

/// How many people sit at one table at most.
const MOST_PLAYERS: i64 = banneret_runtime::pack::MOST_PLAYERS as i64;

impl<'db> Cx<'db> {
    pub(super) fn use_item(&mut self, u: &ast::Use) -> Vec<(SmolStr, hir::Expr)> {
        let path: Vec<&str> = u.path.iter().map(|w| &*w.text).collect();
        let path = path.join(".");
        let span = u.path.iter().map(|w| w.span).reduce(Span::to).unwrap_or_default();
        if module_at(self.db, self.universe, &self.module, &path).is_none() {
            if !path.contains('.') && is_needed(self.db, self.universe, &self.module, &path) {
                return Vec::new();
            }
            let mut names: Vec<String> =
                modules(self.db, self.universe).keys().map(|m| m.trim_start_matches('@').to_string()).filter(|m| !m.is_empty()).collect();
            names.sort();
            let mut d = Diagnostic::error("unknown-module", span, format!("There is no rule system and no folder called `{path}`."));
            if let Some(n) = nearest(&path, names.iter().map(String::as_str)) {
                d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), span, n, true);
            } else {
                d = d.note("`use` names a rule system, or a folder of this project with dots between: `use factions.crimson`.");
            }
            self.report(d);
            return Vec::new();
        }
        let settings = self.settings(&u.with);
        for (key, value) in &settings {
            let default = self.option_default(key);
            if default.as_ref().is_some_and(|d| d.kind == value.kind) {
                let at = u.with.iter().find(|s| key.ends_with(&format!("/{}", s.name.text))).map_or(span, |s| s.name.span.to(s.value.span));
                self.report(Diagnostic::warning("changes-nothing", at, "This option has that value already.").help("Leave it out."));
            }
        }
        settings
    }

    fn option_default(&mut self, key: &str) -> Option<hir::Expr> {
        let found = crate::signature::by_key(self.db, self.universe, key, &[DeclKind::Option])?;
        let hir::Item::Ruleset(r) = &super::elaborate(self.db, self.universe, found.item).hir else { return None };
        r.options.iter().find(|(k, _)| k == key).map(|(_, e)| e.clone())
    }

    pub(super) fn ruleset(&mut self, r: &ast::Ruleset) -> hir::Item {
        let mut version = SmolStr::default();
        let mut start = None;
        let mut players = None;
        let mut goal = None;
        let (mut single_card, mut rules_only_on, mut odds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut own_use, mut hidden) = (Vec::new(), Vec::new());
        for line in &r.lines {
            match line {
                Line::Field { name, value, .. } => match (&*name.text, &value.kind) {
                    ("version", ast::ExprKind::Str(s)) => version = SmolStr::new(&s.text),
                    ("start", ast::ExprKind::Name(n)) => {
                        start = self.scope_key(&ast::Word { text: n.clone(), span: value.span });
                        self.calls.extend(start.clone());
                    }
                    ("measure", ast::ExprKind::Name(n)) if Board::named(n).is_some() => {}
                    ("players", ast::ExprKind::Number(ast::Number::Int(n))) if (1..=MOST_PLAYERS).contains(n) => players = Some(*n as u32),
                    ("single_card", _) => single_card = self.kinds_listed(value),
                    ("rules_only_on", _) => rules_only_on = self.kinds_listed(value),
                    ("odds", _) => {
                        odds = self.listed(value, DeclKind::Action, "action", "[weapon_odds]");
                        self.calls.extend(odds.iter().cloned());
                    }
                    ("own_use", _) => own_use = self.listed(value, DeclKind::Action, "action", "[lay_out]"),
                    ("goal", _) => goal = Some(self.purely("a goal", |cx| cx.value(value, &Ty::Int(Range::default())))),
                    ("hidden", _) => hidden = self.hidden_listed(value),
                    ("version" | "start" | "measure" | "players", _) => {
                        self.report(
                            Diagnostic::error("wrong-type", value.span, format!("`{}` is not written like this.", name.text)).help(
                                match &*name.text {
                                    "version" => "Write a text: `version: \"1.0\"`.",
                                    "start" => "Name a phase: `start: match`.",
                                    "players" => "Write how many players a game has, from 1 to 8: `players: 4`.",
                                    _ => {
                                        "On a table distances are measured between `centres` or between `edges` of bases; on a board by `squares`, `orthogonal` squares, `hexes` or `areas`."
                                    }
                                },
                            ),
                        );
                    }
                    (other, _) => {
                        let mut d = Diagnostic::error("unknown-field", name.span, format!("A ruleset has no `{other}`."));
                        if let Some(n) = nearest(
                            other,
                            [
                                "version",
                                "start",
                                "option",
                                "length",
                                "measure",
                                "players",
                                "single_card",
                                "rules_only_on",
                                "odds",
                                "own_use",
                                "goal",
                                "hidden",
                            ],
                        ) {
                            d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
                        }
                        self.report(d);
                    }
                },
                Line::Broken { .. } | Line::Says { of: None, .. } => {}
                other => self.misplaced(other, "in a ruleset"),
            }
        }
        for length in &r.lengths {
            if let Some(value) = &length.value {
                let want = self.length_ty();
                let _ = self.purely("a length", |cx| cx.value(value, &want));
            }
        }
        let mut options = Vec::new();
        for option in &r.options {
            let key = key_of(&self.module, &option.name.text);
            let ty = match &option.ty.kind {
                ast::TypeKind::OneOf(_) => Ty::Enum(key.clone()),
                _ => self.resolve_type(&option.ty),
            };
            let value = match &option.default {
                Some(e) => self.purely("an option", |cx| cx.value(e, &ty)),
                None => {
                    self.report(
                        Diagnostic::error(
                            "missing-default",
                            option.name.span,
                            format!("It is not said what `{}` is by default.", option.name.text),
                        )
                        .help("Write `option NAME: TYPE = VALUE`."),
                    );
                    expr(ExprKind::Error, Ty::Error, option.span)
                }
            };
            options.push((key, value));
        }
        hir::Item::Ruleset(hir::Ruleset {
            key: key_of(&self.module, &r.name.text),
            title: r.title.as_ref().map_or_else(|| spaced(&r.name.text), |t| SmolStr::new(&t.text)),
            version,
            options,
            start,
            players,
            goal,
            hidden,
            single_card,
            rules_only_on,
            odds,
            own_use,
            covers: self.settings_cover(&r.covers, &["single_card", "rules_only_on"]),
        })
    }

    /// Which rules settings keep. Only those that a card can break may say it.
    pub(super) fn settings_cover(&mut self, covers: &[ast::Covered], breakable: &[&str]) -> hir::Covers {
        let mut out = hir::Covers::default();
        for covered in covers {
            let name = &covered.setting;
            if !breakable.contains(&&*name.text) {
                let others: Vec<String> = breakable.iter().map(|s| format!("`{s}`")).collect();
                self.report(
                    Diagnostic::error("misplaced-line", name.span, format!("No card can break `{}`, so it covers no rule.", name.text))
                        .help(format!("Only {} can say `covers`.", others.join(" and "))),
                );
                continue;
            }
            out.0.push((SmolStr::new(&name.text), covered.ids.iter().map(|id| SmolStr::new(&id.text)).collect()));
        }
        out
    }

    /// `[Mini, Scenario]`, or one kind alone.
    fn kinds_listed(&mut self, value: &ast::Expr) -> Vec<SmolStr> {
        self.listed(value, DeclKind::Kind, "kind", "[Unit, Scenario]")
    }

    /// Piles and states of the kind that players are made of, and states of others: `hidden: [hand, Ship.order]`.
    fn hidden_listed(&mut self, value: &ast::Expr) -> Vec<(SmolStr, Vec<Expr>)> {
        let entries: Vec<&ast::Expr> = match &value.kind {
            ast::ExprKind::List(entries) => entries.iter().map(|e| &e.value).collect(),
            _ => vec![value],
        };
        let player = self.player_kind().cloned().and_then(|key| self.kind(&key));
        let may_be_hidden = |f: &FieldInfo| matches!(f.ty, Ty::Pile(_)) || matches!(f.role, ast::FieldRole::State);
        let mut out = Vec::new();
        for entry in entries {
            let (of, name) = match &entry.kind {
                ast::ExprKind::Name(name) => (player, Some(&**name)),
                ast::ExprKind::Field { base, name } => match &base.kind {
                    ast::ExprKind::Name(kind) => {
                        let found = self.find_at(kind, base.span, &[DeclKind::Kind]).map(|found| found.key.clone());
                        (found.and_then(|key| self.kind(&key)), Some(&*name.text))
                    }
                    _ => (None, None),
                },
                _ => (None, None),
            };
            match of.and_then(|info| info.fields.iter().find(|f| may_be_hidden(f) && Some(f.name.as_str()) == name)) {
                Some(field) => {
                    self.uses(&field.key);
                    self.saw_key(entry.span, &field.key);
                    out.push((field.key.clone(), self.may_be(&field.ty, entry.span)));
                }
                None => {
                    let names: Vec<&str> =
                        player.iter().flat_map(|info| &info.fields).filter(|f| may_be_hidden(f)).map(|f| f.name.as_str()).collect();
                    let words = "Only piles and states can be hidden from the other players.";
                    let mut d = Diagnostic::error("wrong-type", entry.span, words);
                    d = match names.is_empty() {
                        true => d.help("A state of a thing is written with its kind: `hidden: [Ship.order]`."),
                        false => d.help(format!(
                            "Of the players there are {}; a state of a thing is written with its kind: `Ship.order`.",
                            names.join(", ")
                        )),
                    };
                    self.report(d);
                }
            }
        }
        out
    }

    /// What a state may be, if that is a short list.
    fn may_be(&self, ty: &Ty, span: Span) -> Vec<Expr> {
        const MOST: i64 = 100;
        match ty {
            Ty::Optional(inner) | Ty::Set(inner) | Ty::List(inner) => self.may_be(inner, span),
            Ty::Bool => [true, false].map(|v| expr(ExprKind::Bool(v), Ty::Bool, span)).into(),
            Ty::Enum(key) => {
                let member = |name: &SmolStr| expr(ExprKind::Member(key.clone(), name.clone()), ty.clone(), span);
                self.enum_info(key).members.iter().map(|(name, _)| member(name)).collect()
            }
            Ty::Int(Range { low: Some(low), high: Some(high) }) if high - low < MOST => {
                (*low..=*high).map(|n| expr(ExprKind::Int(n), ty.clone(), span)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Names of something that is declared, in a list or one alone.
    fn listed(&mut self, value: &ast::Expr, kind: DeclKind, word: &str, example: &str) -> Vec<SmolStr> {
        let names: Vec<&ast::Expr> = match &value.kind {
            ast::ExprKind::List(entries) => entries.iter().map(|e| &e.value).collect(),
            _ => vec![value],
        };
        let mut out = Vec::new();
        for e in names {
            let ast::ExprKind::Name(name) = &e.kind else {
                self.report(
                    Diagnostic::error("wrong-type", e.span, format!("Only {word}s can stand here."))
                        .help(format!("Write for example `{example}`.")),
                );
                continue;
            };
            match self.find_word(&ast::Word { text: name.clone(), span: e.span }, &[kind]) {
                Some(found) => out.push(found.key.clone()),
                None => {
                    let code = if kind == DeclKind::Kind { "unknown-kind" } else { "unknown-name" };
                    let d = Diagnostic::error(code, e.span, format!("There is no {word} called `{name}`."));
                    let d = self.suggest(d, name, e.span, &[], &|k| k == kind);
                    self.report(d);
                }
            }
        }
        out
    }

    pub(super) fn enum_item(&mut self, e: &ast::Enum) -> hir::Item {
        let mut members = Vec::new();
        let mut listed: FxHashSet<&str> = FxHashSet::default();
        for m in &e.members {
            if !listed.insert(&m.name.text) {
                self.report(Diagnostic::error("duplicate-name", m.name.span, format!("`{}` is listed twice.", m.name.text)));
                continue;
            }
            let label = m.label.as_ref().map_or_else(|| spaced(&m.name.text), |l| SmolStr::new(&l.text));
            members.push((SmolStr::new(&m.name.text), label));
        }
        let mut key = key_of(&self.module, &e.name.text);
        if !e.also {
            self.not_a_type(&e.name);
            self.enum_again(e, &key);
        }
        if e.also {
            match self.find_word(&e.name, &[DeclKind::Enum]) {
                Some(found) => {
                    key = found.key.clone();
                    let open = self.enum_info(&key).open;
                    if !open {
                        self.report(
                            Diagnostic::error(
                                "closed-enum",
                                e.name.span,
                                format!("{} is closed: nothing can be added to it.", e.name.text),
                            )
                            .help("Only enums declared `open` can be extended."),
                        );
                    }
                }
                None => {
                    let d = Diagnostic::error("unknown-type", e.name.span, format!("There is no enum called `{}`.", e.name.text));
                    let d = self.suggest(d, &e.name.text, e.name.span, &[], &|k| k == DeclKind::Enum);
                    self.report(d);
                }
            }
        }
        hir::Item::Enum(hir::Enum { key, members })
    }

    pub(super) fn define(&mut self, d: &ast::Define, outline: &mut Outline) -> hir::Item {
        let key = key_of(&self.module, &d.name.text);
        let mut params = Vec::new();
        if let Some(on) = &d.on {
            let ty = match self.find_word(on, &[DeclKind::Kind]) {
                Some(found) => Ty::Kind(found.key.clone()),
                None => {
                    let diagnostic = Diagnostic::error("unknown-kind", on.span, format!("There is no kind called `{}`.", on.text));
                    let diagnostic = self.suggest(diagnostic, &on.text, on.span, &[], &|k| k == DeclKind::Kind);
                    self.report(diagnostic);
                    Ty::Error
                }
            };
            let it = self.declare_silent("it", ty.clone(), on.span, true);
            self.its.push(it);
            // `this` is a natural word for it too; both mean the same
            params.push(it);
        }
        params.extend(self.params_as_locals(&d.params));
        let want = d.result.as_ref().map(|t| self.resolve_type(t));
        let body = self.purely("a `define`", |cx| match &want {
            Some(ty) => cx.value(&d.value, ty),
            None if d.on.is_some() && d.params.is_empty() => {
                let got = cx.expr(&d.value, None);
                cx.plain_number(got)
            }
            None => {
                let got = cx.expr(&d.value, None);
                cx.plain_number(got)
            }
        });
        outline.result = want.unwrap_or_else(|| body.ty.clone());
        if let Ty::Int(r) = &outline.result
            && r.low == r.high
        {
            outline.result = Ty::Int(*r);
        }
        let says = d.says.as_ref().map(|s| self.template(s));
        hir::Item::Define(hir::Define { key, params, body, says })
    }

    pub(super) fn fact(&mut self, f: &ast::Fact, outline: &mut Outline) -> hir::Item {
        let params = self.params_as_locals(&f.params);
        for local in &params {
            self.locals[local.0 as usize].silent = true;
        }
        let ty = f.result.as_ref().map_or(Ty::Bool, |t| self.resolve_type(t));
        let default = f.value.as_ref().map(|e| self.purely("a fact", |cx| cx.value(e, &ty)));
        let says = f.says.as_ref().map(|s| self.template(s));
        outline.result = ty;
        hir::Item::Fact(hir::Fact { key: key_of(&self.module, &f.name.text), params, default, says })
    }

    pub(super) fn table_item(&mut self, t: &ast::TableItem, outline: &mut Outline) -> hir::Item {
        let params = self.params_as_locals(&t.params);
        let want = t.result.as_ref().map(|r| self.resolve_type(r));
        // a table with one parameter may be keyed by it
        let subject = match (t.params.as_slice(), t.rows.first().map(|r| &r.key)) {
            ([only], Some(ast::RowKey::Expr(e))) if is_face(e) => {
                Some(ast::Expr { kind: ast::ExprKind::Name(only.name.text.clone()), span: only.name.span })
            }
            _ => None,
        };
        let span = Span::new(0, self.text.len() as u32);
        let body = self.purely("a table", |cx| cx.table_expr(subject.as_ref(), &t.rows, span, want.as_ref()));
        outline.result = want.unwrap_or_else(|| body.ty.clone());
        hir::Item::Define(hir::Define { key: key_of(&self.module, &t.name.text), params, body, says: None })
    }

    pub(super) fn limit(&mut self, l: &ast::Limit) -> hir::Item {
        let Some(on) = &l.on else {
            self.report(
                Diagnostic::error("missing-kind", l.words.span, "It is not said what this limit is about.")
                    .help("Write `limit \"…\" on Roster { … }`."),
            );
            return hir::Item::Nothing;
        };
        let Some(found) = self.find_word(on, &[DeclKind::Kind]) else {
            let d = Diagnostic::error("unknown-kind", on.span, format!("There is no kind called `{}`.", on.text));
            let d = self.suggest(d, &on.text, on.span, &[], &|k| k == DeclKind::Kind);
            self.report(d);
            return hir::Item::Nothing;
        };
        self.this = Some(Ty::Kind(found.key.clone()));
        self.place = Place::Limit;
        let body = self.purely("a limit", |cx| cx.block(&l.block));
        hir::Item::Limit(hir::Limit {
            words: SmolStr::new(&l.words.text),
            covers: l.covers.iter().map(|w| SmolStr::new(&w.text)).collect(),
            on: found.key.clone(),
            body,
            warn: l.warning,
            span: l.words.span,
        })
    }
}

fn is_face(e: &ast::Expr) -> bool {
    matches!(&e.kind, ast::ExprKind::Number(_) | ast::ExprKind::Range { .. } | ast::ExprKind::Name(_))
}
