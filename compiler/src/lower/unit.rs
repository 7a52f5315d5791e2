//! What is gathered while one item is lowered.

use banneret_grammar::span::Span;
use banneret_runtime::ids::*;
use banneret_runtime::pack;
use banneret_runtime::table::Board;
use banneret_runtime::value::Value;
use smol_str::SmolStr;

use super::symbols::{EventField, FragRef, Interner, LocalSite, Symbols};
use super::{Decls, Lowered};
use crate::hir::{Key, Name};
use crate::ty::Ty;

/// The tables of the item being lowered.
#[derive(Default)]
pub(super) struct Unit {
    strings: Interner<SmolStr>,
    consts: Interner<Value>,
    syms: Interner<(Key, Name)>,
    kinds: Interner<Key>,
    fields: Interner<Key>,
    cards: Interner<Key>,
    keywords: Interner<Key>,
    actions: Interner<Key>,
    frags: Interner<FragRef>,
    options: Interner<Key>,
    facts: Interner<Key>,
    event_fields: Interner<EventField>,
    sites: Interner<LocalSite>,
    pub fragments: Vec<pack::Fragment>,
    pub bundles: Vec<pack::Bundle>,
    pub chooses: Vec<pack::Choose>,
    pub menus: Vec<pack::Menu>,
    pub grants: Vec<pack::Grant>,
    pub pasts: Vec<pack::Past>,
    pub decls: Decls,
    /// The card that what is being lowered was written in, if not the item's own.
    pub origin: Option<Key>,
    pub problems: Vec<(Span, String)>,
    /// Only what limits can see: that there are effects and rules, but not what they do.
    pub printed: bool,
    /// How distances are measured.
    pub board: Board,
}

impl Unit {
    pub fn str(&mut self, text: &str) -> StrId {
        StrId(self.strings.add_new(text, |text| SmolStr::new(text)))
    }

    pub fn constant(&mut self, value: Value) -> ConstId {
        ConstId(self.consts.add(value))
    }

    pub fn sym(&mut self, of: &Key, name: &Name) -> SymId {
        SymId(self.syms.add((of.clone(), name.clone())))
    }

    pub fn kind(&mut self, key: &Key) -> KindId {
        KindId(self.kinds.add_new(key, Key::clone))
    }

    pub fn field(&mut self, key: &Key) -> FieldId {
        FieldId(self.fields.add_new(key, Key::clone))
    }

    pub fn card(&mut self, key: &Key) -> CardId {
        CardId(self.cards.add_new(key, Key::clone))
    }

    pub fn keyword(&mut self, key: &Key) -> KeywordId {
        KeywordId(self.keywords.add_new(key, Key::clone))
    }

    pub fn action(&mut self, key: &Key) -> ActionId {
        ActionId(self.actions.add_new(key, Key::clone))
    }

    pub fn actions(&mut self, keys: &[Key]) -> Vec<ActionId> {
        keys.iter().map(|key| self.action(key)).collect()
    }

    pub fn define(&mut self, key: &Key) -> FragId {
        FragId(self.frags.add(FragRef::Define(key.clone())))
    }

    pub fn option(&mut self, key: &Key) -> OptId {
        OptId(self.options.add_new(key, Key::clone))
    }

    pub fn fact(&mut self, key: &Key) -> FactId {
        FactId(self.facts.add_new(key, Key::clone))
    }

    pub fn event_field(&mut self, actions: &[Key], name: &Name) -> u16 {
        let at = self.event_fields.add(EventField { actions: actions.to_vec(), name: name.clone() });
        // An item with more than 65,535 distinct event fields does not exist: names are short and the source is bounded.
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub fn site(&mut self, span: Span, words: &str) -> SiteId {
        let words = self.str(words);
        let of = self.origin.clone().map(|key| self.card(&key));
        SiteId(self.sites.add(LocalSite { span, words, of }))
    }

    /// How a value of this type is written.
    pub fn notation(&mut self, ty: &Ty) -> pack::Notation {
        match ty {
            Ty::Target(_) => pack::Notation::Target,
            Ty::Percent => pack::Notation::Percent,
            Ty::Length(base) => pack::Notation::Length(self.str(base)),
            Ty::Optional(inner) => self.notation(inner),
            _ => pack::Notation::Plain,
        }
    }

    /// Lowers what was written in that card.
    pub fn from<T>(&mut self, origin: Option<&Key>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let Some(origin) = origin else { return lower(self) };
        let before = self.origin.replace(origin.clone());
        let out = lower(self);
        self.origin = before;
        out
    }

    /// Takes in a finished fragment.
    pub fn fragment(&mut self, fragment: pack::Fragment) -> FragId {
        let own = self.fragments.len() as u32;
        self.fragments.push(fragment);
        FragId(self.frags.add(FragRef::Own(own)))
    }

    pub fn bundle(&mut self, bundle: pack::Bundle) -> BundleId {
        self.bundles.push(bundle);
        BundleId(self.bundles.len() as u32 - 1)
    }

    pub fn problem(&mut self, span: Span, words: impl Into<String>) {
        let problem = (span, words.into());
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub fn finish(mut self) -> Lowered {
        self.decls.cards = exact(self.decls.cards);
        Lowered {
            symbols: Symbols {
                strings: exact(self.strings.into_list()),
                consts: exact(self.consts.into_list()),
                syms: exact(self.syms.into_list()),
                kinds: exact(self.kinds.into_list()),
                fields: exact(self.fields.into_list()),
                cards: exact(self.cards.into_list()),
                keywords: exact(self.keywords.into_list()),
                actions: exact(self.actions.into_list()),
                frags: exact(self.frags.into_list()),
                options: exact(self.options.into_list()),
                facts: exact(self.facts.into_list()),
                event_fields: exact(self.event_fields.into_list()),
                sites: exact(self.sites.into_list()),
            },
            fragments: exact(self.fragments),
            bundles: exact(self.bundles),
            chooses: self.chooses,
            menus: self.menus,
            grants: self.grants,
            pasts: self.pasts,
            decls: self.decls,
            problems: self.problems,
        }
    }
}

/// A list without room to grow. What is lowered is kept, for tens of thousands of cards. Shrinking in place would not do: allocators leave a list
/// where it is if half of its room is used.
fn exact<T>(mut list: Vec<T>) -> Vec<T> {
    if list.capacity() == list.len() {
        return list;
    }
    let mut exact = Vec::with_capacity(list.len());
    exact.append(&mut list);
    exact
}
