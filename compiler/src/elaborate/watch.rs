//! What an elaboration notes for editors: what each word was taken for, and what could stand at one place.
//!
//! The words are noted whenever an item is elaborated, so that a hover need not do it again. The place that is asked about is a word that is no
//! name, put into the text where the cursor is: whatever it is looked up as is what could stand there.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::hir::{Expr, ExprKind, Key};
use crate::items::DeclKind;
use crate::key::{event_value_key, member_key};
use crate::ty::Ty;

use super::Cx;

/// The word that stands where the cursor is. No author writes it.
pub const MARKER: &str = "zq_cursor_qz";

/// What a word means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Something declared: `module/Name`, a field or member or part `module/Owner.name`, a value of an action `module/action@name`.
    Key(Key),
    /// A name of this item alone, by where it is declared.
    Local(Span),
}

/// What is looked for where the marker stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A value, of this type if one is wanted.
    Value(Option<Ty>),
    /// The field of something; of a printed card also its parts.
    Member { of: Ty, card: Option<Key> },
    /// A field of a running phase, or of an event.
    EventMember(Key),
    /// A name declared as one of these.
    Declared(Vec<DeclKind>),
    /// A line of a card of this kind.
    CardLine(Key),
    /// A line of a grant to things of this type.
    GrantLine(Ty),
    /// What may follow a value of this type.
    After(Ty),
}

/// What is known around the marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Names of this place, nearest first, and the types of what they stand for.
    pub names: Vec<(SmolStr, Ty)>,
    pub this: Option<Ty>,
    pub part: Option<Ty>,
    /// What `it` is in the `where`s around, innermost last.
    pub its: Vec<Ty>,
    /// The action whose sentence is being written.
    pub calling: Option<Key>,
    /// Nothing may happen here, and where that is: "a card", "a pattern".
    pub pure: Option<&'static str>,
    pub in_test: bool,
    /// A new line is begun.
    pub statement: bool,
    /// The event can be changed (`before`) or replaced (`instead of`).
    pub modifiable: bool,
    pub replaceable: bool,
    pub loops: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub asked: Asked,
    pub scene: Scene,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub seen: Vec<(Span, Meaning)>,
    pub probe: Option<Probe>,
    /// The types of names of this item alone, by where they are declared.
    pub locals: Vec<(Span, Ty)>,
    /// `target foe: …`
    aliases: Vec<(SmolStr, Span)>,
    calling: Vec<Key>,
    statement: bool,
    /// The text has the marker in it. Else the word is one like all others.
    pub(super) marked: bool,
}

impl<'db> Cx<'db> {
    fn see(&mut self, span: Span, meaning: Meaning) {
        if span.start < span.end {
            self.watching.seen.push((span, meaning));
        }
    }

    /// A word was taken for something declared.
    pub(super) fn saw_key(&mut self, span: Span, key: &Key) {
        self.see(span, Meaning::Key(key.clone()));
    }

    /// A word was read as an expression.
    pub(super) fn saw(&mut self, word: &str, span: Span, e: &Expr) {
        let meaning = match &e.kind {
            ExprKind::Local(local) => match self.locals.get(local.0 as usize) {
                Some(info) if info.span.start < info.span.end => Some(Meaning::Local(info.span)),
                // bound by the card's own words: `target foe: …`
                _ => self.alias_span(word).map(Meaning::Local),
            },
            ExprKind::EventField(name) => self.event_key(name),
            ExprKind::Member(key, name) => Some(Meaning::Key(member_key(key, name))),
            ExprKind::Keyword(key) | ExprKind::Card(key) | ExprKind::Option(key) | ExprKind::AllOf(key) | ExprKind::Game(key) => {
                Some(Meaning::Key(key.clone()))
            }
            ExprKind::Field { field, .. } => Some(Meaning::Key(field.clone())),
            ExprKind::Parts { kind, .. } => Some(Meaning::Key(kind.clone())),
            // by the name the keyword gives it, or by the keyword's own
            ExprKind::KeywordNumber { keyword, .. } => {
                Some(self.alias_span(word).map_or_else(|| Meaning::Key(keyword.clone()), Meaning::Local))
            }
            ExprKind::PartNamed { base, name } => self.card_of(base).map(|card| Meaning::Key(member_key(&card, name))),
            ExprKind::Call { define: key, .. } | ExprKind::Fact { fact: key, .. } | ExprKind::Emit { action: key, .. } => {
                Some(Meaning::Key(key.clone()))
            }
            ExprKind::Cost { resource, .. } => Some(Meaning::Key(resource.clone())),
            ExprKind::ScopeField(action, name) | ExprKind::LogField { action, field: name, .. } => {
                Some(Meaning::Key(event_value_key(action, name)))
            }
            // a set that was made from the word alone: an adjective, a stored choice
            ExprKind::Code { code, .. } => return self.saw(word, span, &code.clone()),
            ExprKind::Fun(_, args) => match args.first() {
                Some(inner) if inner.span == span => return self.saw(word, span, &inner.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(meaning) = meaning {
            self.see(span, meaning);
        }
    }

    fn event_key(&self, name: &str) -> Option<Meaning> {
        let action = self.event.as_ref().and_then(|e| e.actions.first())?;
        Some(Meaning::Key(event_value_key(action, name)))
    }

    /// A name of this item was declared.
    pub(super) fn saw_local(&mut self, name: &ast::Word, ty: &Ty) {
        self.watching.locals.push((name.span, ty.clone()));
        self.watching.seen.push((name.span, Meaning::Local(name.span)));
    }

    /// The card a value is known to come from.
    pub(super) fn card_of(&self, base: &Expr) -> Option<Key> {
        match &base.kind {
            ExprKind::Card(key) => Some(key.clone()),
            ExprKind::Local(l) => self.locals.get(l.0 as usize)?.card.clone(),
            ExprKind::This => self.this_card.clone(),
            _ => None,
        }
    }

    pub(super) fn saw_alias(&mut self, alias: &ast::Word) {
        self.watching.aliases.push((SmolStr::new(&alias.text), alias.span));
        self.watching.seen.push((alias.span, Meaning::Local(alias.span)));
    }

    fn alias_span(&self, word: &str) -> Option<Span> {
        self.watching.aliases.iter().rev().find(|(a, _)| a == word).map(|(_, span)| *span)
    }

    /// The words of a type.
    pub(super) fn saw_type(&mut self, ty: &ast::Type) {
        match &ty.kind {
            ast::TypeKind::Named { name, .. } => {
                if let Some(found) = self.lookup(&name.text).iter().find(|f| matches!(f.kind, DeclKind::Kind | DeclKind::Enum)) {
                    self.saw_key(name.span, &found.key.clone());
                }
            }
            ast::TypeKind::Of { of, .. } | ast::TypeKind::Table { of, .. } => self.saw_type(of),
            ast::TypeKind::Effect { params } => params.iter().filter_map(|p| p.ty.as_ref()).for_each(|t| self.saw_type(t)),
            ast::TypeKind::OneOf(_) | ast::TypeKind::Broken => {}
        }
    }

    // ---- the marker

    /// Whether a word is where the cursor is; if so, remembers what is asked there. The first thing asked is what is meant.
    pub(super) fn asked(&mut self, word: &str, asked: impl FnOnce(&Self) -> Asked) -> bool {
        if word != MARKER || !self.watching.marked {
            return false;
        }
        if self.watching.probe.is_none() {
            self.watching.probe = Some(Probe { asked: asked(self), scene: self.scene() });
        }
        true
    }

    fn scene(&self) -> Scene {
        let mut names: Vec<(SmolStr, Ty)> = Vec::new();
        let mut add = |name: &SmolStr, ty: &Ty| {
            if !names.iter().any(|(n, _)| n == name) {
                names.push((name.clone(), ty.clone()));
            }
        };
        for local in self.scope.iter().rev() {
            let Some(info) = self.locals.get(local.0 as usize) else { continue };
            // an effect's parameter is called as the card calls it
            let name = self.aliases.iter().find(|(_, n)| *n == info.name).map_or(&info.name, |(alias, _)| alias);
            if info.name != "it" {
                add(name, &info.ty);
            }
        }
        if let Some(event) = &self.event {
            event.fields.iter().for_each(|(n, t)| add(n, t));
        }
        for around in self.around.iter().rev() {
            around.fields.iter().for_each(|(n, t)| add(n, t));
        }
        if let Some((number, _)) = &self.keyword_number {
            add(number, &Ty::Int(crate::ty::Range::default()));
        }
        self.keyword_state.iter().for_each(|(n, _, t)| add(n, t));
        Scene {
            names,
            this: self.this.clone(),
            part: self.part.clone(),
            its: self.its.iter().filter_map(|l| self.locals.get(l.0 as usize)).map(|l| l.ty.clone()).collect(),
            calling: self.watching.calling.last().cloned(),
            pure: self.pure,
            in_test: self.place == super::cx::Place::Test,
            statement: self.watching.statement,
            modifiable: self.event.as_ref().is_some_and(|e| e.modifiable),
            replaceable: self.event.as_ref().is_some_and(|e| e.replaceable),
            loops: self.loops > 0,
        }
    }

    /// Runs the reading of a sentence's arguments.
    pub(super) fn calling<T>(&mut self, action: &Key, run: impl FnOnce(&mut Self) -> T) -> T {
        self.watching.calling.push(action.clone());
        let out = run(self);
        self.watching.calling.pop();
        out
    }

    /// A line of statements begins with this expression.
    pub(super) fn begins(&mut self, e: &ast::Expr) {
        self.watching.statement = first_word(e) == Some(MARKER);
    }

    /// The marker stands where no value can: something else must follow.
    pub(super) fn asked_here(&mut self, e: &ast::Expr) -> bool {
        self.asked(first_word(e).unwrap_or_default(), |_| Asked::After(Ty::Nothing))
    }

    /// The marker stands behind a value, as in `3 MARKER`.
    pub(super) fn asked_after(&mut self, head: &ast::Expr, arg: &ast::Expr) -> bool {
        if !self.watching.marked || first_word(arg) != Some(MARKER) {
            return false;
        }
        let head = self.expr(head, None);
        self.asked(MARKER, |_| Asked::After(head.ty))
    }
}

/// The word an expression starts with, if it starts with one.
pub(super) fn first_word(e: &ast::Expr) -> Option<&str> {
    match &e.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Field { base, .. } => first_word(base),
        ast::ExprKind::Run { head, .. } => first_word(head),
        ast::ExprKind::Sentence { of, .. } => first_word(of),
        ast::ExprKind::Of { what, .. } | ast::ExprKind::Within { what, .. } | ast::ExprKind::Where { what, .. } => first_word(what),
        ast::ExprKind::Binary { left, .. } => first_word(left),
        ast::ExprKind::Call { name, .. } => Some(&name.text),
        _ => None,
    }
}
