//! What the text generator asks about other items. Everything may be unknown: then the words are made from the key.

use smol_str::SmolStr;

use super::english::plural;
use super::speech::Language;
use super::text::{capital, spaced};
use crate::hir::{Expr, ExprKind, Key, Local, Name, Template};
use crate::ty::Ty;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionWords {
    pub name: Name,
    pub params: Vec<ParamWords>,
    pub by: Option<usize>,
    pub is_phase: bool,
    pub says: Option<Template>,
    /// Words for one of its names. With the name in them they are a clause of the whole, "against {target}"; without, they are what the name
    /// stands for, "the damage", and of yes and no what is then so, "the target is in cover".
    pub words: Vec<(Name, Template)>,
}

impl ActionWords {
    /// The clause for a name of the action, if it has one.
    pub fn clause(&self, name: &Name) -> Option<&Template> {
        self.words.iter().find(|(has, template)| has == name && template.speaks_of(name)).map(|(_, template)| template)
    }

    /// What a name of the action stands for.
    pub fn meaning(&self, name: &Name) -> Option<&Template> {
        self.words.iter().find(|(has, template)| has == name && !template.speaks_of(name)).map(|(_, template)| template)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamWords {
    pub prep: Option<Name>,
    pub name: Name,
    pub ty: Ty,
    /// What it is where a sentence leaves it out.
    pub default: Option<Expr>,
}

impl ParamWords {
    /// The number that it is where a sentence leaves it out.
    pub fn number_by_itself(&self) -> Option<&Expr> {
        self.default.as_ref().filter(|default| matches!(default.kind, ExprKind::Int(_) | ExprKind::Dice { .. } | ExprKind::Ratio(..)))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefineWords {
    pub name: Name,
    pub params: Vec<Local>,
    pub says: Option<Template>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeywordWords {
    pub name: SmolStr,
    pub numbered: bool,
}

/// "unit", "units"
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindWords {
    pub one: SmolStr,
    pub many: SmolStr,
    pub is_player: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldWords {
    /// "Move"
    pub label: SmolStr,
    /// For a field of type `Effect(…)`: its parameters, in order.
    pub effect: Vec<(Name, Ty)>,
    /// A number to be reached: more of it is harder.
    pub is_target: bool,
    /// It stands on a card and does not change by itself.
    pub is_printed: bool,
    /// Of yes and no: what is said of the thing then, "is pinned".
    pub says: Option<SmolStr>,
}

/// Looks words up by key.
pub trait SaysOf {
    fn action(&self, key: &Key) -> Option<ActionWords>;

    /// A `define`, an adjective, a `table` or a fact.
    fn define(&self, _key: &Key) -> Option<DefineWords> {
        None
    }

    fn keyword(&self, _key: &Key) -> Option<KeywordWords> {
        None
    }

    fn kind(&self, _key: &Key) -> Option<KindWords> {
        None
    }

    fn field(&self, _key: &Key) -> Option<FieldWords> {
        None
    }

    /// The title of a card.
    fn card(&self, _key: &Key) -> Option<SmolStr> {
        None
    }

    /// The label of an enum member.
    fn member(&self, _of: &Key, _name: &Name) -> Option<SmolStr> {
        None
    }

    /// The language to speak, if it is not that of the rule system itself.
    fn language(&self) -> Option<Language> {
        None
    }

    /// What a catalogue has for the words of something.
    fn translated(&self, _of: &str, _id: &str) -> Option<SmolStr> {
        None
    }

    /// A length as the rule system writes it; given the ruleset and thousandths of its base length.
    fn length(&self, _ruleset: &str, _thousandths: i64) -> Option<String> {
        None
    }
}

/// `module/Name.part` → `part`
pub(super) fn last(key: &str) -> &str {
    crate::key::last_name(key)
}

/// Lookups that always answer.
pub(super) struct Words<'a>(pub &'a dyn SaysOf);

impl Words<'_> {
    pub fn action(&self, key: &Key) -> ActionWords {
        self.0.action(key).unwrap_or_else(|| ActionWords { name: last(key).into(), ..ActionWords::default() })
    }

    pub fn define(&self, key: &Key) -> DefineWords {
        self.0.define(key).unwrap_or_else(|| DefineWords { name: last(key).into(), ..DefineWords::default() })
    }

    pub fn keyword(&self, key: &Key) -> KeywordWords {
        self.0.keyword(key).unwrap_or_else(|| KeywordWords { name: spaced(last(key)).into(), numbered: false })
    }

    pub fn kind(&self, key: &Key) -> KindWords {
        self.0.kind(key).unwrap_or_else(|| {
            let one = spaced(last(key)).to_lowercase();
            KindWords { many: plural(&one).into(), one: one.into(), is_player: last(key) == "Player" }
        })
    }

    pub fn field(&self, key: &Key) -> FieldWords {
        self.0.field(key).unwrap_or_else(|| FieldWords { label: self.label(key), ..FieldWords::default() })
    }

    fn label(&self, key: &Key) -> SmolStr {
        capital(&spaced(last(key))).into()
    }

    pub fn card(&self, key: &Key) -> SmolStr {
        self.0.card(key).unwrap_or_else(|| spaced(last(key)).into())
    }

    pub fn member(&self, of: &Key, name: &Name) -> SmolStr {
        self.0.member(of, name).unwrap_or_else(|| spaced(name).into())
    }
}
