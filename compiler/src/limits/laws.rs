//! The laws, and what has to be linked so that they can be judged.

use std::collections::BTreeMap;

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::FragId;
use banneret_runtime::pack::{Limit, Pack};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::as_printed;
use super::fingerprint::{ReadSet, Reads, read_by};
use crate::build::{link_items, reachable_files};
use crate::db::Universe;
use crate::hir::Key;
use crate::items::{DeclKind, Item, rule_items};
use crate::key::item_of_key;
use crate::link::Linked;
use crate::lower::{FragRef, IdMut, Ids, Lowered};
use crate::names::{Wanted, declared};

/// Every limit of the project with what limits need besides the cards.
#[derive(Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(super) struct Laws<'db> {
    pub items: Vec<Item<'db>>,
    /// For each limit, in the order of the pack: whether it looks at every card there is.
    pub wide: Vec<bool>,
    /// For each limit, in the same order: what it can see of a card.
    pub read_sets: Vec<ReadSet>,
    /// The items that declare terms, facts and actions, sorted by key.
    homes: Vec<Home<'db>>,
}

#[derive(Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Home<'db> {
    key: Key,
    item: Item<'db>,
}

impl<'db> Laws<'db> {
    fn home(&self, key: &Key) -> Option<Item<'db>> {
        let at = self.homes.binary_search_by(|home| home.key.cmp(key)).ok()?;
        self.homes.get(at).map(|home| home.item)
    }

    pub fn is_wide(&self, limit: usize) -> bool {
        self.wide.get(limit).copied().unwrap_or(true)
    }
}

#[salsa::tracked]
pub(super) fn laws<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Laws<'db> {
    let files = reachable_files(db, universe);
    let rules = files.iter().flat_map(|file| rule_items(db, *file)).copied();
    let rules: Vec<Item<'db>> = rules.filter(|item| !item.header(db).starts_with("test ")).collect();
    let mut laws = Laws::default();
    let mut always = Vec::new();
    for item in rules {
        let decls = &as_printed(db, universe, item).decls;
        let keys = decls.defines.iter().map(|(key, _)| key).chain(decls.facts.iter().map(|(key, _)| key));
        for key in keys.chain(decls.actions.iter().map(|one| &one.key)) {
            laws.homes.push(Home { key: key.clone(), item });
        }
        // Cards are made of these, so they are always there.
        let used = !decls.kinds.is_empty() || !decls.enums.is_empty() || !decls.keywords.is_empty() || !decls.options.is_empty();
        if used || !decls.limits.is_empty() {
            always.push(item);
        }
    }
    laws.homes.sort_by(|a, b| a.key.cmp(&b.key));
    laws.items = with_all_they_name(db, universe, &laws, always);
    let parts = laws.items.iter().map(|item| (*item, as_printed(db, universe, *item)));
    if let Ok(linked) = link_items(db, universe, parts, BTreeMap::new()) {
        laws.wide = linked.pack.limits.iter().map(|limit| sees_every_card(&linked.pack, limit.body)).collect();
        laws.read_sets = linked.pack.limits.iter().map(|limit| sight(&linked, limit)).collect();
    }
    laws
}

fn sight(linked: &Linked, limit: &Limit) -> ReadSet {
    let seen = read_by(&linked.pack, limit.body).and_then(|(fields, names_of_parts)| {
        let keys = fields.iter().map(|id| linked.fields.get(id.index()).cloned());
        let mut fields = keys.collect::<Option<Vec<Key>>>()?;
        fields.sort();
        Some(Reads { fields, names_of_parts })
    });
    ReadSet { on: linked.kinds.get(limit.kind.index()).cloned().unwrap_or_default(), seen }
}

/// Items, and those that declare what they name, and so on; without what the laws have anyway.
pub(super) fn with_all_they_name<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    laws: &Laws<'db>,
    items: Vec<Item<'db>>,
) -> Vec<Item<'db>> {
    let mut met: FxHashSet<Item<'db>> = laws.items.iter().copied().collect();
    let mut all = items;
    all.retain(|item| met.insert(*item));
    let mut next = 0;
    while let Some(item) = all.get(next).copied() {
        next += 1;
        let lowered = as_printed(db, universe, item);
        let named = rules_named(laws, lowered).chain(cards_of(db, universe, lowered));
        all.extend(named.filter(|item| met.insert(*item)).collect::<Vec<_>>());
    }
    all
}

fn rules_named<'a, 'db>(laws: &'a Laws<'db>, lowered: &'a Lowered) -> impl Iterator<Item = Item<'db>> + 'a {
    let symbols = &lowered.symbols;
    let defines = symbols.frags.iter().filter_map(|frag| match frag {
        FragRef::Define(key) => Some(key),
        FragRef::Own(_) => None,
    });
    let events = symbols.event_fields.iter().flat_map(|field| &field.actions);
    let keys = defines.chain(&symbols.facts).chain(&symbols.actions).chain(events);
    keys.filter_map(|key| laws.home(key))
}

/// The items of the cards that are named, and of those they name.
pub(crate) fn cards_named<'db>(db: &'db dyn salsa::Database, universe: Universe, by: impl Iterator<Item = &'db Lowered>) -> Vec<Item<'db>> {
    let mut met = FxHashSet::default();
    let mut all: Vec<Item<'db>> = by.flat_map(|lowered| cards_of(db, universe, lowered)).filter(|item| met.insert(*item)).collect();
    let mut next = 0;
    while let Some(item) = all.get(next).copied() {
        next += 1;
        all.extend(cards_of(db, universe, as_printed(db, universe, item)).filter(|item| met.insert(*item)).collect::<Vec<_>>());
    }
    all
}

fn cards_of<'db>(db: &'db dyn salsa::Database, universe: Universe, lowered: &'db Lowered) -> impl Iterator<Item = Item<'db>> {
    // its own parts stand in it
    let others = lowered.symbols.cards.iter().filter(|key| lowered.decls.cards.iter().all(|own| own.key != **key));
    others.filter_map(move |key| {
        let (module, name) = item_of_key(key)?;
        let found = declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name)));
        found.iter().find(|found| found.kind == DeclKind::Card).map(|found| found.item)
    })
}

/// Whether code, or what it calls or reads, asks for all cards of a kind.
fn sees_every_card(pack: &Pack, body: FragId) -> bool {
    let mut met = FxHashSet::default();
    let mut todo = vec![body];
    while let Some(frag) = todo.pop() {
        let Some(fragment) = pack.fragments.get(frag.index()).filter(|_| met.insert(frag)) else { continue };
        if fragment.code.iter().any(|instr| matches!(instr, Instr::AllOf { .. })) {
            return true;
        }
        fragment.clone().each_id(&mut |id| match id {
            IdMut::Frag(id) => todo.push(*id),
            IdMut::Field(id) => {
                let field = pack.fields.get(id.index());
                todo.extend(field.into_iter().flat_map(|field| [field.default, field.low, field.high]).flatten());
            }
            IdMut::Fact(id) => todo.extend(pack.facts.get(id.index()).and_then(|fact| fact.default)),
            _ => {}
        });
    }
    false
}
