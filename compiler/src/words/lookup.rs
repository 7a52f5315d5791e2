//! The words of a project, asked of its database.

use banneret_grammar::ast;
use smol_str::SmolStr;

use super::says::{ActionWords, DefineWords, FieldWords, KeywordWords, KindWords, ParamWords, SaysOf, last};
use super::speech::Language;
use super::text::{capital, spaced};
use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, Item, Key, Name};
use crate::items::DeclKind;
use crate::key::{item_key, owner_and_member};
use crate::signature::{KeyName, base_signs, by_key, enum_info, kind_by_key};
use crate::ty::Ty;

/// Looks words up in the items of a project and of what it uses.
#[derive(Clone, Copy)]
pub struct Lookup<'db> {
    pub db: &'db dyn salsa::Database,
    pub universe: Universe,
}

/// What an action or a phase is called and how it is said: equal while its body changes, so that whoever speaks of it need not be asked again.
#[salsa::tracked]
fn action_words<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<ActionWords> {
    let key = key.text(db);
    let Item::Action(action) = (Lookup { db, universe }).item(key, &[DeclKind::Action, DeclKind::Phase])? else { return None };
    let action = action_in(action, key)?;
    let param = |param: &hir::ActionParam| ParamWords {
        prep: param.prep.clone(),
        name: param.name.clone(),
        ty: param.ty.clone(),
        default: param.default.clone(),
    };
    Some(ActionWords {
        name: action.name.clone(),
        params: action.params.iter().map(param).collect(),
        by: action.by,
        is_phase: action.is_phase,
        says: action.says.clone(),
        words: action.words.clone(),
    })
}

/// The same of a definition, a table or a fact.
#[salsa::tracked]
fn define_words<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<DefineWords> {
    let key = key.text(db);
    match (Lookup { db, universe }).item(key, &[DeclKind::Define, DeclKind::Table, DeclKind::Fact])? {
        Item::Define(define) => Some(DefineWords { name: last(key).into(), params: define.params.clone(), says: define.says.clone() }),
        Item::Fact(fact) => Some(DefineWords { name: last(key).into(), params: fact.params.clone(), says: fact.says.clone() }),
        _ => None,
    }
}

/// The same of a keyword.
#[salsa::tracked]
fn keyword_words<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<KeywordWords> {
    let Item::Keyword(keyword) = (Lookup { db, universe }).item(key.text(db), &[DeclKind::Keyword])? else { return None };
    Some(KeywordWords { name: spaced(&keyword.name).into(), numbered: keyword.numbered })
}

/// What a kind is called, and the words for its own fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KindSays {
    called: Option<(SmolStr, SmolStr)>,
    fields: Vec<(Name, SmolStr)>,
}

#[salsa::tracked(returns(ref))]
fn kind_says<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> KindSays {
    match (Lookup { db, universe }).item(key.text(db), &[DeclKind::Kind]) {
        Some(Item::Kind(kind)) => KindSays { called: kind.says.clone(), fields: kind.words.clone() },
        _ => KindSays::default(),
    }
}

/// What one of a kind is called, and several.
#[salsa::tracked(returns(ref))]
fn kind_words<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<KindWords> {
    let kind = kind_by_key(db, universe, key.text(db))?;
    let says = kind_says(db, universe, key).called.clone();
    let (one, many) = says.unwrap_or_else(|| (spaced(&kind.word).into(), spaced(&kind.plural).into()));
    Some(KindWords { one, many, is_player: kind.roles.player })
}

/// What is said of a field.
#[salsa::tracked(returns(ref))]
fn field_words<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<FieldWords> {
    let (kind_key, name) = owner_and_member(key.text(db))?;
    let words = kind_says(db, universe, KeyName::new(db, SmolStr::new(kind_key)));
    let says = words.fields.iter().find(|(has, _)| has == name).map(|(_, words)| words.clone());
    let kind = kind_by_key(db, universe, kind_key)?;
    let field = kind.field(name)?;
    let effect = match &field.ty {
        Ty::Effect(params) => params.clone(),
        Ty::Optional(inner) => match &**inner {
            Ty::Effect(params) => params.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let name = spaced(name);
    // A pile is a common noun, "your hand"; everything else is printed under its label.
    let label = if matches!(field.ty, Ty::Pile(_)) { name.to_lowercase() } else { capital(&name) };
    let asks = matches!(field.ty, Ty::Bool);
    let label = says.clone().filter(|_| !asks).unwrap_or_else(|| label.into());
    let is_printed = !matches!(field.role, ast::FieldRole::State | ast::FieldRole::Resource);
    Some(FieldWords { label, effect, is_target: is_target(&field.ty), is_printed, says: says.filter(|_| asks) })
}

/// The same of a card, a part or a row.
#[salsa::tracked]
fn card_title<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> Option<SmolStr> {
    let key = key.text(db);
    let Item::Card(card) = (Lookup { db, universe }).item(item_key(key), &[DeclKind::Card])? else { return None };
    card_in(card, key).map(|card| card.title.clone())
}

impl<'db> Lookup<'db> {
    fn key(&self, key: &Key) -> KeyName<'db> {
        KeyName::new(self.db, key.clone())
    }

    fn item(&self, key: &str, kinds: &[DeclKind]) -> Option<&'db Item> {
        let found = by_key(self.db, self.universe, key, kinds)?;
        Some(&elaborate(self.db, self.universe, found.item).hir)
    }

    /// The sign of a base length, by its name.
    fn base_sign(&self, length: &str) -> Option<SmolStr> {
        base_signs(self.db, self.universe).iter().find(|(name, _)| name == length).map(|(_, sign)| sign.clone())
    }
}

fn action_in<'a>(action: &'a hir::Action, key: &Key) -> Option<&'a hir::Action> {
    if action.key == *key { Some(action) } else { action.inner.iter().find_map(|inner| action_in(inner, key)) }
}

fn card_in<'a>(card: &'a hir::Card, key: &Key) -> Option<&'a hir::Card> {
    let nested = || card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row));
    if card.key == *key { Some(card) } else { nested().find_map(|part| card_in(part, key)) }
}

fn is_target(ty: &Ty) -> bool {
    match ty {
        Ty::Target(_) => true,
        Ty::Optional(inner) | Ty::Pair(inner) => is_target(inner),
        _ => false,
    }
}

impl SaysOf for Lookup<'_> {
    fn action(&self, key: &Key) -> Option<ActionWords> {
        action_words(self.db, self.universe, self.key(key)).clone()
    }

    fn define(&self, key: &Key) -> Option<DefineWords> {
        define_words(self.db, self.universe, self.key(key)).clone()
    }

    fn keyword(&self, key: &Key) -> Option<KeywordWords> {
        keyword_words(self.db, self.universe, self.key(key)).clone()
    }

    fn kind(&self, key: &Key) -> Option<KindWords> {
        kind_words(self.db, self.universe, self.key(key)).clone()
    }

    fn field(&self, key: &Key) -> Option<FieldWords> {
        field_words(self.db, self.universe, self.key(key)).clone()
    }

    fn card(&self, key: &Key) -> Option<SmolStr> {
        card_title(self.db, self.universe, self.key(key)).clone()
    }

    fn member(&self, of: &Key, name: &Name) -> Option<SmolStr> {
        let info = enum_info(self.db, self.universe, self.key(of));
        info.members.iter().find(|(has, _)| has == name).map(|(_, label)| label.clone())
    }

    fn language(&self) -> Option<Language> {
        self.universe.speech(self.db).as_ref().map(|speech| speech.language)
    }

    fn translated(&self, of: &str, id: &str) -> Option<SmolStr> {
        self.universe.speech(self.db).as_ref()?.catalogue.get(of, id).cloned()
    }

    fn length(&self, ruleset: &str, thousandths: i64) -> Option<String> {
        let sign = self.base_sign(ruleset)?;
        let amount = super::number::decimal(thousandths);
        Some(match sign.as_str() {
            "\"" => format!("{amount}″"),
            "'" => format!("{amount}′"),
            // A sign stands at the number, a word beside it.
            sign if sign.chars().count() <= 2 => format!("{amount}{sign}"),
            _ if amount == "1" => format!("1 {ruleset}"),
            sign => format!("{amount} {sign}"),
        })
    }
}
