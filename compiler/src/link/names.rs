//! Numbers for everything that has a key.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::LinkInput;
use super::tables::Problems;
use crate::hir::{Key, Name};
use crate::lower::FragRef;

/// Keys in their order, and the place each came from (index of the item, index in its list).
#[derive(Default)]
pub(super) struct Table {
    pub order: Vec<(Key, usize, usize)>,
    ids: FxHashMap<Key, u32>,
}

impl Table {
    fn new<'a>(what: &str, keys: impl Iterator<Item = (&'a Key, usize, usize)>, problems: &mut Problems) -> Self {
        let mut order: Vec<(Key, usize, usize)> = keys.map(|(key, item, at)| (key.clone(), item, at)).collect();
        order.sort();
        // of two the later one counts
        order.dedup_by(|later, kept| {
            let twice = later.0 == kept.0;
            if twice {
                problems.at_item(later.1, format!("there are two {what}s called `{}`", later.0));
                std::mem::swap(later, kept);
            }
            twice
        });
        let ids = order.iter().enumerate().map(|(id, (key, ..))| (key.clone(), id as u32)).collect();
        Self { order, ids }
    }

    pub fn id(&self, key: &str) -> Option<u32> {
        self.ids.get(key).copied()
    }
}

/// Every named thing of the project.
pub(super) struct Names {
    pub kinds: Table,
    pub fields: Table,
    pub cards: Table,
    pub keywords: Table,
    pub actions: Table,
    pub facts: Table,
    pub options: Table,
    /// The fragment of each `define`: item and index among the item's own.
    pub defines: FxHashMap<Key, (usize, u32)>,
    /// Enum members in order: enum, name, label.
    pub members: Vec<(Key, Name, SmolStr)>,
    pub syms: FxHashMap<(Key, Name), u32>,
    /// The names of the fields of each action's events.
    pub layouts: FxHashMap<Key, Vec<Name>>,
}

impl Names {
    pub fn of(parts: &[LinkInput], problems: &mut Problems) -> Self {
        macro_rules! table {
            ($what:literal, $list:ident, $one:ident => $key:expr) => {
                Table::new(
                    $what,
                    parts
                        .iter()
                        .enumerate()
                        .flat_map(|(item, part)| part.lowered.decls.$list.iter().enumerate().map(move |(at, $one)| ($key, item, at))),
                    problems,
                )
            };
        }
        let mut names = Self {
            kinds: table!("kind", kinds, one => &one.key),
            fields: table!("field", fields, one => &one.0),
            cards: table!("card", cards, one => &one.key),
            keywords: table!("keyword", keywords, one => &one.key),
            actions: table!("action", actions, one => &one.key),
            facts: table!("fact", facts, one => &one.0),
            options: table!("option", options, one => &one.0),
            defines: FxHashMap::default(),
            members: Vec::new(),
            syms: FxHashMap::default(),
            layouts: FxHashMap::default(),
        };
        names.add_defines(parts, problems);
        names.add_members(parts);
        for (item, part) in parts.iter().enumerate() {
            let strings = &part.lowered.symbols.strings;
            for one in &part.lowered.decls.actions {
                let fields: Option<Vec<Name>> = one.action.fields.iter().map(|id| strings.get(id.index()).cloned()).collect();
                match fields {
                    Some(fields) => {
                        names.layouts.insert(one.key.clone(), fields);
                    }
                    None => problems.at_item(item, format!("the fields of `{}` have no names", one.key)),
                }
            }
        }
        names
    }

    fn add_defines(&mut self, parts: &[LinkInput], problems: &mut Problems) {
        for (item, part) in parts.iter().enumerate() {
            for (key, frag) in &part.lowered.decls.defines {
                match part.lowered.symbols.frags.get(frag.index()) {
                    Some(FragRef::Own(own)) => {
                        if self.defines.insert(key.clone(), (item, *own)).is_some() {
                            problems.at_item(item, format!("there are two definitions called `{key}`"));
                        }
                    }
                    _ => problems.at_item(item, format!("`{key}` has no body")),
                }
            }
        }
    }

    /// Members keep the order they are declared in; those of an open enum follow in the order of the files that add them. A member that is only
    /// used (of an enum made on the spot) comes after the declared ones, by name.
    fn add_members(&mut self, parts: &[LinkInput]) {
        let mut enums: BTreeMap<Key, Vec<(Name, SmolStr)>> = BTreeMap::new();
        let mut numbered: FxHashSet<(&Key, &Name)> = FxHashSet::default();
        for part in parts {
            for (key, members) in &part.lowered.decls.enums {
                let list = enums.entry(key.clone()).or_default();
                list.extend(members.iter().filter(|(name, _)| numbered.insert((key, name))).cloned());
            }
        }
        let used: BTreeSet<&(Key, Name)> = parts.iter().flat_map(|part| &part.lowered.symbols.syms).collect();
        for (key, name) in used {
            if numbered.insert((key, name)) {
                enums.entry(key.clone()).or_default().push((name.clone(), name.clone()));
            }
        }
        for (key, members) in enums {
            for (name, label) in members {
                self.syms.insert((key.clone(), name.clone()), self.members.len() as u32);
                self.members.push((key.clone(), name, label));
            }
        }
    }
}
