//! What an item has asked of others already. A card names the same few kinds and words again and again, and each question to the database costs
//! far more than a look in here.

use std::borrow::Borrow;
use std::cell::{OnceCell, RefCell};
use std::hash::Hash;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::hir::Key;
use crate::items::Item;
use crate::names::{Found, ModuleName, Wanted, lookup};
use crate::signature::{self, EnumInfo, KeyName, KindInfo, enum_info, kind_by_key, kind_info};

use super::Cx;

/// Answers to what was asked in one item, as seen from one module.
#[derive(Default)]
pub(super) struct Cache<'db> {
    names: RefCell<FxHashMap<SmolStr, &'db [Found<'db>]>>,
    kinds: RefCell<FxHashMap<Key, Option<&'db KindInfo>>>,
    kinds_of_items: RefCell<FxHashMap<Item<'db>, &'db KindInfo>>,
    enums: RefCell<FxHashMap<Key, &'db EnumInfo>>,
    here: OnceCell<ModuleName<'db>>,
    player: OnceCell<Option<&'db Key>>,
    length: OnceCell<Option<&'db SmolStr>>,
}

/// Keys, each once, in no order.
pub(super) struct Keys(FxHashSet<Key>);

impl Default for Keys {
    fn default() -> Self {
        // about as many as a card names besides its parts
        Self(FxHashSet::with_capacity_and_hasher(14, FxBuildHasher))
    }
}

impl Keys {
    pub fn add(&mut self, key: &Key) {
        if !self.0.contains(key) {
            self.0.insert(key.clone());
        }
    }

    pub fn into_list(self) -> Vec<Key> {
        self.0.into_iter().collect()
    }
}

/// The answer for a key, asked for if it is not known.
fn cached<K, Q, T>(known: &RefCell<FxHashMap<K, T>>, key: &Q, ask: impl FnOnce() -> (K, T)) -> T
where
    K: Eq + Hash + Borrow<Q>,
    Q: Eq + Hash + ?Sized,
    T: Copy,
{
    if let Some(answer) = known.borrow().get(key) {
        return *answer;
    }
    let (key, answer) = ask();
    known.borrow_mut().insert(key, answer);
    answer
}

impl<'db> Cx<'db> {
    pub(super) fn lookup(&self, name: &str) -> &'db [Found<'db>] {
        if let Some(found) = self.cache.names.borrow().get(name) {
            return found;
        }
        let name = SmolStr::new(name);
        let found = lookup(self.db, self.universe, Wanted::new(self.db, self.module.clone(), name.clone()));
        self.cache.names.borrow_mut().insert(name, found);
        found
    }

    pub(super) fn kind(&self, key: &str) -> Option<&'db KindInfo> {
        cached(&self.cache.kinds, key, || (SmolStr::new(key), kind_by_key(self.db, self.universe, key)))
    }

    /// The kind that a word for its cards or for all of it means.
    pub(super) fn kind_of_word(&self, found: &Found<'db>) -> Option<&'db KindInfo> {
        let ask = || (found.item, kind_info(self.db, self.universe, found.item));
        let info = cached(&self.cache.kinds_of_items, &found.item, ask);
        (!info.key.is_empty()).then_some(info)
    }

    /// The module the item stands in.
    pub(super) fn here(&self) -> ModuleName<'db> {
        *self.cache.here.get_or_init(|| ModuleName::new(self.db, self.module.clone()))
    }

    /// The kind players are made of.
    pub(super) fn player_kind(&self) -> Option<&'db Key> {
        *self.cache.player.get_or_init(|| signature::player_kind(self.db, self.universe, self.here()).as_ref())
    }

    /// The lengths the module measures in.
    pub(super) fn length_family(&self) -> Option<&'db SmolStr> {
        *self.cache.length.get_or_init(|| signature::length_family(self.db, self.universe, self.here()).as_ref())
    }

    pub(super) fn enum_info(&self, key: &str) -> &'db EnumInfo {
        cached(&self.cache.enums, key, || {
            let key = SmolStr::new(key);
            (key.clone(), enum_info(self.db, self.universe, KeyName::new(self.db, key)))
        })
    }
}
