//! What kinds take over from the kinds they extend.

use std::hash::Hash;

use banneret_runtime::ids::*;
use banneret_runtime::pack::{Kind, Roles};
use rustc_hash::FxHashSet;

use super::names::Names;
use super::tables::Problems;
use crate::names::short;

/// State that a keyword keeps on its holders: the kind that can have it (None: any), and the fields.
pub(super) struct KeywordState {
    pub on: Option<KindId>,
    pub fields: Vec<FieldId>,
}

/// Completes kinds that list only what they add themselves.
pub(super) fn inherit(kinds: &mut Vec<Kind>, state: &[KeywordState]) {
    let own = std::mem::take(kinds);
    for at in 0..own.len() {
        let is = lineage(&own, KindId(at as u32));
        let Some(mut kind) = own.get(at).cloned() else { continue };
        let family = || is.iter().filter_map(|id| own.get(id.index()));
        // The most basic kind's come first, as a reader of the sources meets them.
        kind.fields = unique(family().rev().flat_map(|one| one.fields.iter().copied()));
        kind.bundles = unique(family().rev().flat_map(|one| one.bundles.iter().copied()));
        kind.base = family().find_map(|one| one.base);
        kind.corners = family().find_map(|one| one.corners);
        kind.facing = family().find_map(|one| one.facing);
        kind.links = family().find_map(|one| one.links);
        kind.role = family().fold(Roles::default(), |all, one| join(all, one.role));
        if kind.rank == 0 {
            kind.rank = family().map(|one| one.rank).max().unwrap_or(0);
        }
        for keyword in state {
            if keyword.on.is_none_or(|on| is.contains(&on)) {
                kind.fields.extend(keyword.fields.iter().copied());
            }
        }
        kind.fields = unique(kind.fields.iter().copied());
        kind.is = is;
        kinds.push(kind);
    }
}

/// The kind and everything it extends, nearest first: a kind lists all of it.
fn lineage(kinds: &[Kind], kind: KindId) -> Vec<KindId> {
    let listed = kinds.get(kind.index()).into_iter().flat_map(|kind| kind.is.iter().copied());
    unique(std::iter::once(kind).chain(listed))
}

fn unique<T: Copy + Eq + Hash>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut met = FxHashSet::default();
    all.filter(|one| met.insert(*one)).collect()
}

fn join(a: Roles, b: Roles) -> Roles {
    Roles {
        card: a.card || b.card,
        piece: a.piece || b.piece,
        part: a.part || b.part,
        player: a.player || b.player,
        game: a.game || b.game,
    }
}

/// The kind players are made of: the one that extends all the others.
pub(super) fn player_kind(kinds: &[Kind], names: &Names, problems: &mut Problems) -> Option<KindId> {
    let players: Vec<KindId> =
        (0..kinds.len() as u32).map(KindId).filter(|id| kinds.get(id.index()).is_some_and(|kind| kind.role.player)).collect();
    let extends_all = |id: &KindId| kinds.get(id.index()).is_some_and(|kind| players.iter().all(|other| kind.is.contains(other)));
    match players.iter().find(|id| extends_all(id)) {
        Some(found) => Some(*found),
        None if players.is_empty() => None,
        None => {
            let declared = || players.iter().filter_map(|id| names.kinds.order.get(id.index()));
            let list: Vec<String> = declared().map(|(key, ..)| format!("`{}`", short(key))).collect();
            let item = declared().map(|(_, item, _)| *item).max().unwrap_or_default();
            problems.at_item(item, format!("several kinds are the player and none extends the others: {}", list.join(", ")));
            None
        }
    }
}
