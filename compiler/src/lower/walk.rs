//! The ids inside the tables a fragment refers to, and inside values: the same closure as for instructions.

use std::sync::Arc;

use banneret_runtime::ids::*;
use banneret_runtime::pack;
use banneret_runtime::value::Value;

use super::ids::{IdMut, for_each_id};

/// Something that holds ids.
pub trait Ids {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut));
}

impl<T: Ids> Ids for Option<T> {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        if let Some(inner) = self {
            inner.each_id(f);
        }
    }
}

impl<T: Ids> Ids for Vec<T> {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.iter_mut().for_each(|one| one.each_id(f));
    }
}

impl<A: Ids, B: Ids> Ids for (A, B) {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.0.each_id(f);
        self.1.each_id(f);
    }
}

macro_rules! leaf {
    ($($id:ident => $variant:ident),* $(,)?) => {$(
        impl Ids for $id {
            fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
                f(IdMut::$variant(self));
            }
        }
    )*};
}

leaf! {
    StrId => Str, ConstId => Const, KindId => Kind, FieldId => Field, CardId => Card, SymId => Sym, KeywordId => Keyword,
    ActionId => Action, FragId => Frag, BundleId => Bundle, OptId => Option, FactId => Fact, ChooseId => Choose, MenuId => Menu,
    GrantId => Grant, PastId => Past, SiteId => Site,
}

/// Structs, by the fields of theirs that hold ids.
macro_rules! fields {
    ($($ty:ty { $($field:ident),* }),* $(,)?) => {$(
        impl Ids for $ty {
            fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
                $(self.$field.each_id(f);)*
            }
        }
    )*};
}

fields! {
    pack::Kind { name, is, fields, bundles, base, corners, facing, links },
    pack::Field { name, default, low, high, shows },
    pack::Keyword { name, bundle },
    pack::Bundle { name, rules },
    pack::Mod { field, value },
    pack::Action { name, fields, shows, says, told, once, body, site },
    pack::Fact { name, default },
    pack::GameOption { name, value },
    pack::Choose { name, keep, such_that, any_place, each_once, site },
    pack::Menu { labels, site },
    pack::Past { actions, scope },
    pack::Limit { words, covers, kind, body, site },
    pack::Measure { site, expect },
    pack::Test { words, covers, body, measures, with, site },
}

impl Ids for pack::Notation {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        if let pack::Notation::Length(name) = self {
            name.each_id(f);
        }
    }
}

impl Ids for pack::Phrase {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        match self {
            pack::Phrase::Text(text) => text.each_id(f),
            pack::Phrase::Field(_) => {}
            pack::Phrase::Plural(_, one, many) => {
                one.each_id(f);
                many.each_id(f);
            }
        }
    }
}

impl Ids for pack::Fragment {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.name.each_id(f);
        self.code.iter_mut().for_each(|instr| for_each_id(instr, f));
        self.sites.each_id(f);
    }
}

impl Ids for pack::Card {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.name.each_id(f);
        self.title.each_id(f);
        self.kind.each_id(f);
        self.values.each_id(f);
        self.keywords.iter_mut().for_each(|(keyword, _)| keyword.each_id(f));
        self.bundles.each_id(f);
        self.parts.each_id(f);
        self.holder.each_id(f);
        self.once.each_id(f);
        self.rows.iter_mut().for_each(|(_, _, card)| card.each_id(f));
        self.site.each_id(f);
        self.text.each_id(f);
    }
}

impl Ids for pack::Rule {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        match self {
            pack::Rule::Handler { when: _, actions, guard, body, once, site } => {
                actions.each_id(f);
                guard.each_id(f);
                body.each_id(f);
                once.each_id(f);
                site.each_id(f);
            }
            pack::Rule::Grant { who, kind, cond, mods, keywords, bundles, rules, site } => {
                who.each_id(f);
                kind.each_id(f);
                cond.each_id(f);
                mods.each_id(f);
                keywords.each_id(f);
                bundles.each_id(f);
                rules.each_id(f);
                site.each_id(f);
            }
            pack::Rule::Cannot { actions, choose: _, must: _, guard, site } => {
                actions.each_id(f);
                guard.each_id(f);
                site.each_id(f);
            }
        }
    }
}

impl Ids for pack::Hidden {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.field.each_id(f);
        self.values.each_id(f);
    }
}

impl Ids for pack::Grant {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        self.mods.iter_mut().for_each(|(field, _)| field.each_id(f));
        self.keywords.iter_mut().for_each(|(keyword, _)| keyword.each_id(f));
        self.bundles.each_id(f);
        self.lasts.each_id(f);
        self.site.each_id(f);
    }
}

impl Ids for pack::Lasts {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        match self {
            pack::Lasts::Until { scope, .. } | pack::Lasts::Scopes { scope } => scope.each_id(f),
            pack::Lasts::Event { action, guard } => {
                action.each_id(f);
                guard.each_id(f);
            }
            pack::Lasts::While { cond } => cond.each_id(f),
        }
    }
}

impl Ids for pack::Expected {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        match self {
            pack::Expected::Odds(value) | pack::Expected::Mean(value) => value.each_id(f),
            pack::Expected::Spread(points) => points.each_id(f),
        }
    }
}

impl Ids for Value {
    fn each_id(&mut self, f: &mut impl FnMut(IdMut)) {
        match self {
            Value::Sym(id) => id.each_id(f),
            Value::Keyword(id) => id.each_id(f),
            Value::Text(id) => id.each_id(f),
            Value::Card(id) => id.each_id(f),
            Value::Pile(_, id) => id.each_id(f),
            Value::Pair(pair) => Arc::make_mut(pair).iter_mut().for_each(|half| half.each_id(f)),
            Value::List(list) => Arc::make_mut(list).iter_mut().for_each(|one| one.each_id(f)),
            Value::Cost(cost) => Arc::make_mut(cost).iter_mut().for_each(|(field, _)| field.each_id(f)),
            Value::Code(frag, _, _) => frag.each_id(f),
            Value::Rules(bundle, _, _) => bundle.each_id(f),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Ratio(_)
            | Value::Obj(_)
            | Value::InPlay
            | Value::Dice(_)
            | Value::Place(_)
            | Value::Event(_) => {}
        }
    }
}
