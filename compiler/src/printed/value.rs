//! The values of a card as they are printed: fields, defaults and options, without running anything.

use crate::build::settings;
use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, Card, CardValue, Compare, Expr, ExprKind, Fun, Key, Template, TextPart};
use crate::items::{DeclKind, items};
use crate::key::{item_key, last_name, owner_and_member};
use crate::names::short;
use crate::signature::{by_key, kind_by_key};
use crate::words::{Lookup, Run, in_language, value_words};

use super::Text;

/// How deep values may lead to other values: a field that means itself is told elsewhere.
const DEEPEST: u32 = 16;

/// What an option is in this project.
pub(super) fn option_value(db: &dyn salsa::Database, universe: Universe, key: &Key) -> Option<Expr> {
    if let Some((_, value)) = settings(db, universe).iter().find(|(k, _)| k == key) {
        return Some(value.clone());
    }
    let found = by_key(db, universe, key, &[DeclKind::Option])?;
    let hir::Item::Ruleset(ruleset) = &elaborate(db, universe, found.item).hir else { return None };
    ruleset.options.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone())
}

/// Reads the values of one card.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub db: &'a dyn salsa::Database,
    pub universe: Universe,
    pub card: &'a Card,
}

impl<'a> Reader<'a> {
    pub fn lookup(&self) -> Lookup<'a> {
        Lookup { db: self.db, universe: self.universe }
    }

    /// The value of an expression of a face, with `this` being a card or one of its parts. None if it is unset.
    pub fn value(&self, expr: &Expr, this: &'a Card) -> Option<Expr> {
        self.read(expr, this, 0)
    }

    fn read(&self, expr: &Expr, this: &'a Card, depth: u32) -> Option<Expr> {
        if depth > DEEPEST {
            return None;
        }
        let made = |kind: ExprKind| Some(Expr { kind, ..expr.clone() });
        match &expr.kind {
            ExprKind::None | ExprKind::Error => None,
            ExprKind::This => made(ExprKind::Card(this.key.clone())),
            ExprKind::Part => made(ExprKind::Card(this.key.clone())),
            ExprKind::Option(key) => option_value(self.db, self.universe, key),
            ExprKind::Fun(Fun::NameOf, args) => {
                let of = self.card_of(args.first()?, this, depth)?;
                made(ExprKind::Text(in_language(&self.lookup(), &of.key, &of.title)))
            }
            ExprKind::Field { base, field, .. } => {
                let of = self.card_of(base, this, depth)?;
                self.field(of, field, depth)
            }
            ExprKind::Parts { base, kind } => {
                let of = self.card_of(base, this, depth)?;
                let is = |part: &&Card| kind_by_key(self.db, self.universe, &part.kind).is_some_and(|k| k.is_a(kind));
                let parts = of.parts.iter().filter(is).map(|part| Expr { kind: ExprKind::Card(part.key.clone()), ..expr.clone() });
                made(ExprKind::List(parts.collect()))
            }
            ExprKind::AllOf(kind) => made(ExprKind::List(self.belonging(kind, this, expr))),
            ExprKind::PartNamed { base, name } => {
                let of = self.card_of(base, this, depth)?;
                let part = of.parts.iter().find(|part| part.name == *name)?;
                made(ExprKind::Card(part.key.clone()))
            }
            ExprKind::KeywordNumber { base, keyword } => {
                let of = self.card_of(base, this, depth)?;
                let (_, number) = of.keywords.iter().find(|(key, _)| key == keyword)?;
                made(ExprKind::Int(*number))
            }
            ExprKind::OrElse(first, second) => self.read(first, this, depth + 1).or_else(|| self.read(second, this, depth + 1)),
            ExprKind::List(list) => {
                let list: Vec<Expr> = list.iter().filter_map(|e| self.read(e, this, depth + 1)).collect();
                if list.is_empty() { None } else { made(ExprKind::List(list)) }
            }
            ExprKind::Cost { amount, resource } => {
                let amount = self.read(amount, this, depth + 1)?;
                if amount.kind == ExprKind::Int(0) {
                    return None;
                }
                made(ExprKind::Cost { amount: Box::new(amount), resource: resource.clone() })
            }
            ExprKind::Call { define, args } => {
                let found = by_key(self.db, self.universe, define, &[DeclKind::Define, DeclKind::Table])?;
                let hir::Item::Define(define) = &elaborate(self.db, self.universe, found.item).hir else { return None };
                let given: Vec<(hir::Local, Expr)> =
                    define.params.iter().copied().zip(args.iter().filter_map(|a| self.read(a, this, depth + 1))).collect();
                let body = given.iter().fold(define.body.clone(), |body, (local, value)| put(body, *local, value));
                self.read(&body, this, depth + 1)
            }
            ExprKind::Table { subject, rows, otherwise } => {
                let subject = match subject {
                    Some((local, value)) => Some((*local, self.read(value, this, depth + 1)?)),
                    None => None,
                };
                let filled = |e: &Expr| match &subject {
                    Some((local, value)) => put(e.clone(), *local, value),
                    None => e.clone(),
                };
                let row = rows.iter().find(|(test, _)| self.holds(&filled(test), this, depth + 1) == Some(true));
                let value = row.map(|(_, value)| value).or(otherwise.as_deref())?;
                self.read(&filled(value), this, depth + 1)
            }
            ExprKind::If { arms, otherwise } => {
                let arm = arms.iter().find(|(test, _)| self.holds(test, this, depth + 1) == Some(true));
                self.read(arm.map_or(otherwise, |(_, value)| value), this, depth + 1)
            }
            _ => Some(expr.clone()),
        }
    }

    /// Whether a condition over constants holds; None if that cannot be told on paper.
    fn holds(&self, test: &Expr, this: &'a Card, depth: u32) -> Option<bool> {
        match &test.kind {
            ExprKind::Bool(yes) => Some(*yes),
            ExprKind::Not(a) => self.holds(a, this, depth + 1).map(|yes| !yes),
            ExprKind::And(a, b) => Some(self.holds(a, this, depth + 1)? && self.holds(b, this, depth + 1)?),
            ExprKind::Or(a, b) => Some(self.holds(a, this, depth + 1)? || self.holds(b, this, depth + 1)?),
            ExprKind::Compare(how, a, b) => {
                let (a, b) = (self.read(a, this, depth + 1).map(|e| e.kind), self.read(b, this, depth + 1).map(|e| e.kind));
                let numbers = match (&a, &b) {
                    (Some(ExprKind::Int(a)), Some(ExprKind::Int(b))) => Some((*a, *b)),
                    _ => None,
                };
                match (how, numbers) {
                    (Compare::Eq, _) => Some(a == b),
                    (Compare::Ne, _) => Some(a != b),
                    (Compare::Lt, Some((a, b))) => Some(a < b),
                    (Compare::Le, Some((a, b))) => Some(a <= b),
                    (Compare::Gt, Some((a, b))) => Some(a > b),
                    (Compare::Ge, Some((a, b))) => Some(a >= b),
                    _ => None,
                }
            }
            _ => match self.read(test, this, depth + 1)?.kind {
                ExprKind::Bool(yes) => Some(yes),
                _ => None,
            },
        }
    }

    fn card_of(&self, expr: &Expr, this: &'a Card, depth: u32) -> Option<&'a Card> {
        if matches!(expr.kind, ExprKind::This | ExprKind::Part) {
            return Some(this);
        }
        match self.read(expr, this, depth + 1)?.kind {
            ExprKind::Card(key) => self.card(&key),
            _ => None,
        }
    }

    /// A card or part by its key: of this card, or of the project.
    pub fn card(&self, key: &str) -> Option<&'a Card> {
        if let Some(own) = nested(self.card, key) {
            return Some(own);
        }
        let found = by_key(self.db, self.universe, item_key(key), &[DeclKind::Card])?;
        let hir::Item::Card(card) = &elaborate(self.db, self.universe, found.item).hir else { return None };
        nested(card, key)
    }

    fn field(&self, of: &'a Card, field: &Key, depth: u32) -> Option<Expr> {
        let name = last_name(field);
        let written = of.values.iter().find(|(key, _)| key == field || last_name(key) == name);
        match written {
            Some((_, CardValue::Value(value))) => self.read(value, of, depth + 1),
            Some(_) => None,
            None => {
                let (kind, _) = owner_and_member(field)?;
                let found = by_key(self.db, self.universe, kind, &[DeclKind::Kind])?;
                let hir::Item::Kind(kind) = &elaborate(self.db, self.universe, found.item).hir else { return None };
                let default = kind.fields.iter().find(|f| f.key == *field)?.default.as_ref()?;
                self.read(default, of, depth + 1)
            }
        }
    }

    /// The cards of a kind that are `of` this one, in the order of the sources.
    fn belonging(&self, kind: &Key, this: &Card, like: &Expr) -> Vec<Expr> {
        let mut out = Vec::new();
        let Some(info) = kind_by_key(self.db, self.universe, kind) else { return out };
        for file in self.universe.files(self.db) {
            for item in items(self.db, *file) {
                // told from the header: only what may belong here is looked into
                let text = item.text(self.db);
                let header = &text[..text.find(['{', '\n']).unwrap_or(text.len())];
                let mut words = header.split_whitespace().skip_while(|w| *w != "of").skip(1);
                if words.next() != Some(short(&this.key)) {
                    continue;
                }
                let hir::Item::Card(card) = &elaborate(self.db, self.universe, *item).hir else { continue };
                if !card.template && kind_by_key(self.db, self.universe, &card.kind).is_some_and(|k| k.is_a(&info.key)) {
                    out.push(Expr { kind: ExprKind::Card(card.key.clone()), ..like.clone() });
                }
            }
        }
        out
    }

    /// A template filled in; the second value says whether any of its gaps had something to say. Without gaps it always has.
    pub fn filled(&self, template: &Template, this: &'a Card) -> (Text, bool) {
        let (mut text, mut gaps, mut said) = (Text::new(), 0, 0);
        let lookup = self.lookup();
        for part in &template.parts {
            let (expr, plural) = match part {
                TextPart::Text(words) => {
                    text.push(Run { text: words.to_string(), bold: false });
                    continue;
                }
                TextPart::Value(e) | TextPart::Article(e) => (e, None),
                TextPart::Plural(e, one, many) => (e, Some((one, many))),
            };
            gaps += 1;
            let value = self.value(expr, this);
            said += usize::from(value.is_some());
            match (plural, value) {
                (Some((one, many)), value) => {
                    let single = value.is_some_and(|v| v.kind == ExprKind::Int(1));
                    text.push(Run { text: if single { one } else { many }.to_string(), bold: false });
                }
                (None, Some(value)) => text.extend(value_words(&value, &lookup)),
                (None, None) => {}
            }
        }
        (text, gaps == 0 || said > 0)
    }
}

/// An expression with a value in place of a local.
fn put(mut expr: Expr, local: hir::Local, value: &Expr) -> Expr {
    let each = |e: &mut Box<Expr>| **e = put((**e).clone(), local, value);
    match &mut expr.kind {
        ExprKind::Local(l) if *l == local => return value.clone(),
        ExprKind::Field { base, .. } | ExprKind::Parts { base, .. } | ExprKind::Not(base) => each(base),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::OrElse(a, b) | ExprKind::Compare(_, a, b) => {
            each(a);
            each(b);
        }
        ExprKind::Fun(_, args) | ExprKind::List(args) | ExprKind::Call { args, .. } => {
            args.iter_mut().for_each(|e| *e = put(e.clone(), local, value));
        }
        ExprKind::Table { subject, rows, otherwise } => {
            if let Some((_, of)) = subject {
                each(of);
            }
            for (test, row) in rows {
                *test = put(test.clone(), local, value);
                *row = put(row.clone(), local, value);
            }
            otherwise.iter_mut().for_each(each);
        }
        ExprKind::If { arms, otherwise } => {
            for (test, arm) in arms {
                *test = put(test.clone(), local, value);
                *arm = put(arm.clone(), local, value);
            }
            each(otherwise);
        }
        _ => {}
    }
    expr
}

fn nested<'a>(card: &'a Card, key: &str) -> Option<&'a Card> {
    if card.key == key {
        return Some(card);
    }
    card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row)).find_map(|part| nested(part, key))
}
