//! The state of elaborating one item.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::Universe;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::hir::{Expr, ExprKind, Key, Local};
use crate::items::{DeclKind, Item};
use crate::names::{Found, Wanted, near_names, short};
use crate::signature::{self, CallSig};
use crate::suggest::nearest_first;
use crate::ty::Ty;

use super::cache::{Cache, Keys};

pub(super) struct LocalInfo {
    pub name: SmolStr,
    pub ty: Ty,
    pub span: Span,
    pub used: bool,
    /// In tests: the card it was made from.
    pub card: Option<Key>,
    /// Bound by the language (`it`), not by the author.
    pub silent: bool,
}

/// Fields of the event that a body can read: parameters, and names bound in the head.
#[derive(Clone, Default)]
pub(super) struct EventCx {
    pub fields: Vec<(SmolStr, Ty)>,
    /// The actions whose event it is.
    pub actions: Vec<Key>,
    /// Modifier lines on them are allowed (`before`).
    pub modifiable: bool,
    /// `proceed` is allowed (`instead of`).
    pub replaceable: bool,
    /// How many locals were in scope around the event: its own fields are nearer than those.
    pub outer: usize,
    /// Its name means nothing, which is told: what it would have brought along is not missing.
    pub unknown: bool,
}

/// The event a timed grant is written in, and what the grant takes along of it.
#[derive(Clone, Default)]
pub(super) struct AroundGrant {
    pub fields: Vec<(SmolStr, Ty)>,
    pub taken: Vec<(Local, Expr)>,
}

/// What kind of place a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Body,
    Limit,
    Test,
}

pub struct Cx<'db> {
    pub(super) db: &'db dyn salsa::Database,
    pub(super) universe: Universe,
    /// The item this is about.
    pub(super) item: Item<'db>,
    /// What the spans are places of.
    pub(super) text: &'db str,
    pub(super) module: SmolStr,
    diagnostics: Vec<Diagnostic>,
    uses: Keys,
    pub(super) cache: Cache<'db>,
    pub(super) locals: Vec<LocalInfo>,
    /// Locals that can be named now, innermost last.
    pub(super) scope: Vec<Local>,
    pub(super) this: Option<Ty>,
    /// `this` is a part: in a keyword on parts, and in rules granted to parts.
    pub(super) this_is_part: bool,
    /// Fields of the event whose effects the body carries out: what works once per scope must still be usable.
    pub(super) used_parts: Vec<Expr>,
    /// The key of the card whose rules these are, where it is one card.
    pub(super) this_card: Option<Key>,
    pub(super) part: Option<Ty>,
    /// `it` of the enclosing `where`s.
    pub(super) its: Vec<Local>,
    pub(super) event: Option<EventCx>,
    pub(super) place: Place,
    /// Events around the timed grants we are in, innermost last: their fields can be taken along.
    pub(super) around: Vec<AroundGrant>,
    /// Inside something that may be left with `pass`.
    pub(super) loops: u32,
    /// Rolls, calls and changes are not allowed here; the words say where.
    pub(super) pure: Option<&'static str>,
    /// Another name for an effect's parameter: `target foe: …`.
    pub(super) aliases: Vec<(SmolStr, SmolStr)>,
    /// What the effects of the card being read are about, and whether they say anything of it.
    pub(super) aims: Vec<(SmolStr, bool)>,
    /// What is chosen and then left alone: the words for it and where it stands. Told if nothing else is wrong.
    pub(super) idle: Vec<(SmolStr, Span)>,
    /// The name of what is about to be read of the value that is being read: `power` in `one.power`.
    pub(super) read_next: Option<ast::Word>,
    /// A condition around this could not be read, and with it what it says about the values in it.
    pub(super) doubtful: bool,
    /// Where a line starts that belongs to the one before it, which is told.
    pub(super) misread: Option<u32>,
    /// Cards written in the block around: they are known there and nowhere else.
    pub(super) own_cards: Vec<(SmolStr, Key, Ty)>,
    /// Keyword whose number `x` is readable.
    pub(super) keyword_number: Option<(SmolStr, Key)>,
    /// State of the keyword being declared.
    pub(super) keyword_state: Vec<(SmolStr, Key, Ty)>,
    /// Phases written in place, found on the way.
    pub(super) inner: Vec<crate::hir::Action>,
    /// Actions called, and actions that rules wait for.
    pub(super) calls: Vec<Key>,
    /// Where the item's syntax is broken.
    pub(super) broken: Vec<Span>,
    /// What is known of some values here: `if x != none`, `if x is Spell`.
    pub(super) known: Vec<(ExprKind, Ty)>,
    /// Arguments that may be unset, of the sentence being read: it is skipped then.
    pub(super) unset_arguments: Vec<usize>,
    pub(super) waits: Vec<(Key, Span, crate::hir::Waiting)>,
    /// Words of lines that could not be read: names they would have made are not missing.
    pub(super) lost: Vec<SmolStr>,
    /// Somebody wants to know what each word was taken for.
    pub(super) watching: super::watch::Watch,
}

impl<'db> Cx<'db> {
    pub fn new(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Self {
        Self {
            db,
            universe,
            item,
            text: item.text(db),
            module: item.file(db).module(db).clone(),
            diagnostics: Vec::new(),
            uses: Keys::default(),
            cache: Cache::default(),
            locals: Vec::new(),
            scope: Vec::new(),
            this: None,
            this_is_part: false,
            used_parts: Vec::new(),
            this_card: None,
            part: None,
            its: Vec::new(),
            event: None,
            around: Vec::new(),
            place: Place::Body,
            loops: 0,
            pure: None,
            aliases: Vec::new(),
            aims: Vec::new(),
            idle: Vec::new(),
            read_next: None,
            doubtful: false,
            misread: None,
            own_cards: Vec::new(),
            keyword_number: None,
            keyword_state: Vec::new(),
            inner: Vec::new(),
            calls: Vec::new(),
            broken: Vec::new(),
            known: Vec::new(),
            unset_arguments: Vec::new(),
            waits: Vec::new(),
            lost: Vec::new(),
            watching: super::watch::Watch::default(),
        }
    }

    pub fn finish(mut self) -> (Vec<Diagnostic>, Vec<Key>) {
        // what is not read because of a mistake is not the author's doing
        let clean = self.broken.is_empty() && self.diagnostics.iter().all(|d| d.severity != Severity::Error);
        for local in self.locals.iter().filter(|_| clean) {
            if !local.used && !local.silent {
                self.diagnostics.push(
                    Diagnostic::warning("unused-name", local.span, format!("`{}` is never used.", local.name))
                        .help("Remove it, or use it."),
                );
            }
        }
        for (name, span) in self.idle.iter().filter(|_| clean) {
            self.diagnostics.push(
                Diagnostic::warning("unused-name", *span, format!("Nothing is done to `{name}`: the effect does not name it."))
                    .help(format!("Name `{name}` in the effect, or leave this line out.")),
            );
        }
        (self.diagnostics, self.uses.into_list())
    }

    pub(super) fn report(&mut self, d: Diagnostic) {
        self.diagnostics.push(d);
    }

    /// Whether something is told to be wrong within a span: what follows from it is not told again.
    pub(super) fn told_within(&self, span: Span) -> bool {
        let is_in = |d: &Diagnostic| d.severity == Severity::Error && span.start <= d.span.start && d.span.end <= span.end;
        self.diagnostics.iter().any(is_in)
    }

    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(super) fn reports(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }

    /// What is found wrong meanwhile breaks these rules.
    pub(super) fn breaking<S: AsRef<str>, T>(&mut self, rules: &[S], check: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.diagnostics.len();
        let out = check(self);
        if !rules.is_empty() {
            let found: Vec<Diagnostic> = self.diagnostics.drain(before..).collect();
            self.diagnostics.extend(found.into_iter().map(|d| d.breaks(rules)));
        }
        out
    }

    pub(super) fn uses(&mut self, key: &Key) {
        self.uses.add(key);
    }

    /// What a word names, if it is one of these.
    pub(super) fn find_word(&mut self, word: &ast::Word, kinds: &[DeclKind]) -> Option<&'db Found<'db>> {
        self.find_at(&word.text, word.span, kinds)
    }

    pub(super) fn find_at(&mut self, name: &str, span: Span, kinds: &[DeclKind]) -> Option<&'db Found<'db>> {
        if self.asked(name, |_| super::watch::Asked::Declared(kinds.to_vec())) {
            return None;
        }
        let found = self.find(name, kinds)?;
        self.saw_key(span, &found.key);
        Some(found)
    }

    pub(super) fn find(&mut self, name: &str, kinds: &[DeclKind]) -> Option<&'db Found<'db>> {
        let found = self.lookup(name).iter().find(|f| kinds.contains(&f.kind))?;
        self.uses(&found.key);
        Some(found)
    }

    pub(super) fn sig(&self, found: &Found<'db>) -> &'db CallSig {
        let name = SmolStr::new(short(&found.key));
        signature::call_sig(self.db, self.universe, found.item, Wanted::new(self.db, found.module.clone(), name))
    }

    pub(super) fn outline(&self, found: &Found<'db>) -> &'db super::Outline {
        super::outline(self.db, self.universe, found.item)
    }

    pub(super) fn player_ty(&self) -> Ty {
        match self.player_kind() {
            Some(key) => Ty::Kind(key.clone()),
            None => Ty::Thing,
        }
    }

    /// `you`, `your` and `enemy` mean something only if there are players. The prelude is for every rule system, whatever its players are.
    pub(super) fn needs_players(&mut self, span: Span) {
        let said = self.diagnostics.iter().any(|d| d.code == Code::NoPlayers);
        if said || self.module == crate::names::PRELUDE || self.player_kind().is_some() {
            return;
        }
        // where no kinds are known at all, a rule system is missing, and that is told already
        if !signature::visible_kinds(self.db, self.universe, self.here()).is_empty() {
            self.report(
                Diagnostic::error("no-players", span, "No kind of this rule system is a player.")
                    .help("Declare one, for example `kind Side is player { … }`."),
            );
        }
    }

    pub(super) fn length_ty(&self) -> Ty {
        match self.length_family() {
            Some(family) => Ty::Length(family.clone()),
            None => Ty::Error,
        }
    }

    pub(super) fn resolve_type(&mut self, ty: &ast::Type) -> Ty {
        let out = crate::resolve_type::resolve_type(self.db, self.universe, &self.module, ty, &mut self.diagnostics);
        self.saw_type(ty);
        let mut keys = Vec::new();
        type_keys(&out, &mut keys);
        for key in keys {
            self.uses(&key);
        }
        out
    }

    /// Words of something that could not be read: whatever it would have named is not missing.
    pub(super) fn lose(&mut self, span: Span) {
        let words = span.of(self.text).split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        self.lost.extend(words.map(SmolStr::new));
    }

    // ---- locals

    pub(super) fn declare(&mut self, name: &ast::Word, ty: Ty) -> Local {
        if banneret_grammar::words::is_reserved(&name.text) {
            self.report(
                Diagnostic::error("reserved-word", name.span, format!("`{}` is a word of the language and cannot be a name.", name.text))
                    .help(format!("Use another name, for example `{}_`.", name.text)),
            );
        }
        if let Some(old) = self.scope.iter().rev().find(|l| self.locals[l.0 as usize].name == *name.text) {
            let before = self.locals[old.0 as usize].span;
            self.report(
                Diagnostic::error("duplicate-name", name.span, format!("`{}` is already the name of something here.", name.text))
                    .also(before, "it was named here")
                    .help("Give one of them another name."),
            );
        }
        self.saw_local(name, &ty);
        self.declare_silent(&name.text, ty, name.span, false)
    }

    pub(super) fn declare_silent(&mut self, name: &str, ty: Ty, span: Span, silent: bool) -> Local {
        let local = Local(u32::try_from(self.locals.len()).unwrap_or(u32::MAX));
        self.locals.push(LocalInfo { name: SmolStr::new(name), ty, span, used: false, card: None, silent });
        self.scope.push(local);
        local
    }

    /// Runs something whose names end with it.
    pub(super) fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        let out = run(self);
        self.scope.truncate(depth);
        out
    }

    /// Runs something where nothing may happen; `where_` completes "… cannot happen in ".
    pub(super) fn purely<T>(&mut self, where_: &'static str, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.pure.replace(where_);
        let out = run(self);
        self.pure = before;
        out
    }

    pub(super) fn find_local(&mut self, name: &str) -> Option<Local> {
        let name: &str = self.aliases.iter().find(|(a, _)| a == name).map_or(name, |(_, n)| n.as_str());
        let outer = match &self.event {
            // fields of the event are nearer than names from around it
            Some(event) if event.fields.iter().any(|(n, _)| *n == name) => event.outer,
            _ => 0,
        };
        let local = self.scope[outer.min(self.scope.len())..].iter().rev().copied().find(|l| self.locals[l.0 as usize].name == name)?;
        self.locals[local.0 as usize].used = true;
        Some(local)
    }

    pub(super) fn local_expr(&self, local: Local, span: Span) -> Expr {
        Expr { kind: ExprKind::Local(local), ty: self.locals[local.0 as usize].ty.clone(), span }
    }

    // ---- suggestions

    /// Completes a diagnostic about an unknown name with the nearest one of the right kind.
    pub(super) fn suggest(
        &mut self,
        d: Diagnostic,
        wanted: &str,
        span: Span,
        more: &[SmolStr],
        kinds: &dyn Fn(DeclKind) -> bool,
    ) -> Diagnostic {
        self.suggest_fitting(d, wanted, span, more, kinds, &mut |_, _| true)
    }

    /// The same with the nearest name that would be right.
    pub(super) fn suggest_fitting(
        &mut self,
        d: Diagnostic,
        wanted: &str,
        span: Span,
        more: &[SmolStr],
        kinds: &dyn Fn(DeclKind) -> bool,
        fits: &mut dyn FnMut(&mut Self, &str) -> bool,
    ) -> Diagnostic {
        let seen = near_names(self.db, self.universe, &self.module, wanted, kinds);
        let candidates = more.iter().map(SmolStr::as_str).chain(seen);
        match nearest_first(wanted, candidates).into_iter().find(|n| fits(self, n)) {
            Some(n) => d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), span, n, true),
            None => d,
        }
    }
}

/// A type's own kinds and enums.
fn type_keys(ty: &Ty, out: &mut Vec<Key>) {
    match ty {
        Ty::Kind(k) | Ty::Enum(k) | Ty::Pile(k) | Ty::Choice(k) | Ty::Table { of: k, .. } => out.push(k.clone()),
        Ty::Pair(t) | Ty::Set(t) | Ty::List(t) | Ty::Optional(t) => type_keys(t, out),
        Ty::Effect(params) => params.iter().for_each(|(_, t)| type_keys(t, out)),
        _ => {}
    }
}

pub(super) fn error(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, ty: Ty::Error, span }
}

pub(super) fn expr(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span }
}
