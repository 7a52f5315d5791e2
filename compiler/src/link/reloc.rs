//! Moving one item's ids to the numbers of the pack.

use banneret_runtime::ids::*;

use super::LinkInput;
use super::names::{Names, Table};
use super::tables::{Problems, Shared};
use crate::hir::Key;
use crate::lower::{EventField, FragRef, IdMut, Ids};

/// Where an item's own tables start in the pack's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bases {
    pub fragments: u32,
    pub bundles: u32,
    pub chooses: u32,
    pub menus: u32,
    pub grants: u32,
    pub sites: u32,
}

/// New numbers for the ids of one item.
#[derive(Clone, Debug, Default)]
pub(super) struct Reloc {
    pub bases: Bases,
    pub strs: Vec<u32>,
    pub consts: Vec<u32>,
    pub syms: Vec<u32>,
    pub kinds: Vec<u32>,
    pub fields: Vec<u32>,
    pub cards: Vec<u32>,
    pub keywords: Vec<u32>,
    pub actions: Vec<u32>,
    pub frags: Vec<u32>,
    pub options: Vec<u32>,
    pub facts: Vec<u32>,
    pub pasts: Vec<u32>,
    pub events: Vec<u16>,
}

/// A number no table has; the problem is in the list, so no pack is made with it.
const LOST: u32 = u32::MAX;

impl Reloc {
    pub fn of(item: usize, part: &LinkInput, all: &[Bases], names: &Names, shared: &mut Shared, problems: &mut Problems) -> Self {
        let symbols = &part.lowered.symbols;
        let mut missing = |what: &str, key: &str| {
            problems.at_item(item, format!("there is no {what} called `{key}`"));
            LOST
        };
        let mut keys = |what: &str, table: &Table, keys: &[Key]| -> Vec<u32> {
            keys.iter().map(|key| table.id(key).unwrap_or_else(|| missing(what, key))).collect()
        };
        let bases = all.get(item).copied().unwrap_or_default();
        let mut reloc = Self {
            bases,
            strs: symbols.strings.iter().map(|text| shared.str(text).0).collect(),
            syms: symbols.syms.iter().map(|sym| names.syms.get(sym).copied().unwrap_or(LOST)).collect(),
            kinds: keys("kind", &names.kinds, &symbols.kinds),
            fields: keys("field", &names.fields, &symbols.fields),
            cards: keys("card", &names.cards, &symbols.cards),
            keywords: keys("keyword", &names.keywords, &symbols.keywords),
            actions: keys("action", &names.actions, &symbols.actions),
            options: keys("option", &names.options, &symbols.options),
            facts: keys("fact", &names.facts, &symbols.facts),
            ..Self::default()
        };
        reloc.frags = symbols
            .frags
            .iter()
            .map(|frag| match frag {
                FragRef::Own(own) => bases.fragments + own,
                FragRef::Define(key) => match names.defines.get(key) {
                    Some((at, own)) => all.get(*at).map_or(LOST, |bases| bases.fragments + own),
                    None => missing("definition", key),
                },
            })
            .collect();
        reloc.events = symbols
            .event_fields
            .iter()
            .map(|field| {
                let first = field.actions.first().map(|action| position(names, action, field));
                first.flatten().unwrap_or_else(|| {
                    problems.at_item(item, format!("`{}` has no field `{}`", field.actions.join("`, `"), field.name));
                    u16::MAX
                })
            })
            .collect();
        // Last: constants are made of the numbers above.
        let consts: Vec<u32> = symbols.consts.iter().map(|value| shared.consts.add(reloc.moved(value))).collect();
        reloc.consts = consts;
        for past in &part.lowered.pasts {
            let past = reloc.moved(past);
            reloc.pasts.push(shared.pasts.add((past.actions, past.scope)));
        }
        reloc
    }

    /// A copy with the numbers of the pack.
    pub fn moved<T: Ids + Clone>(&self, one: &T) -> T {
        let mut copy = one.clone();
        copy.each_id(&mut |id| self.fix(id));
        copy
    }

    fn fix(&self, id: IdMut) {
        let look = |list: &[u32], at: &mut u32| *at = list.get(*at as usize).copied().unwrap_or(LOST);
        let bases = &self.bases;
        match id {
            IdMut::Str(id) => look(&self.strs, &mut id.0),
            IdMut::Const(id) => look(&self.consts, &mut id.0),
            IdMut::Kind(id) => look(&self.kinds, &mut id.0),
            IdMut::Field(id) => look(&self.fields, &mut id.0),
            IdMut::Card(id) => look(&self.cards, &mut id.0),
            IdMut::Sym(id) => look(&self.syms, &mut id.0),
            IdMut::Keyword(id) => look(&self.keywords, &mut id.0),
            IdMut::Action(id) => look(&self.actions, &mut id.0),
            IdMut::Frag(id) => look(&self.frags, &mut id.0),
            IdMut::Option(id) => look(&self.options, &mut id.0),
            IdMut::Fact(id) => look(&self.facts, &mut id.0),
            IdMut::Past(id) => look(&self.pasts, &mut id.0),
            IdMut::Bundle(id) => id.0 = id.0.saturating_add(bases.bundles),
            IdMut::Choose(id) => id.0 = id.0.saturating_add(bases.chooses),
            IdMut::Menu(id) => id.0 = id.0.saturating_add(bases.menus),
            IdMut::Grant(id) => id.0 = id.0.saturating_add(bases.grants),
            IdMut::Site(id) => id.0 = id.0.saturating_add(bases.sites),
            IdMut::EventField(field) => *field = self.events.get(usize::from(*field)).copied().unwrap_or(u16::MAX),
        }
    }
}

/// Where the field stands in the events of an action.
pub(super) fn position(names: &Names, action: &Key, field: &EventField) -> Option<u16> {
    let at = names.layouts.get(action)?.iter().position(|name| *name == field.name)?;
    u16::try_from(at).ok()
}

/// The number of each item's first own thing in every table.
pub(super) fn bases(parts: &[LinkInput]) -> Vec<Bases> {
    let mut next = Bases::default();
    parts
        .iter()
        .map(|part| {
            let these = next;
            let lowered = part.lowered;
            next.fragments += lowered.fragments.len() as u32;
            next.bundles += lowered.bundles.len() as u32;
            next.chooses += lowered.chooses.len() as u32;
            next.menus += lowered.menus.len() as u32;
            next.grants += lowered.grants.len() as u32;
            next.sites += lowered.symbols.sites.len() as u32;
            these
        })
        .collect()
}

/// A name of an action's number, for tables that are asked by key.
pub(super) fn action_id(names: &Names, key: &Key) -> Option<ActionId> {
    names.actions.id(key).map(ActionId)
}
