//! How a game starts, and which rule systems it is played by.

use std::collections::BTreeSet;

use banneret_runtime::ids::*;

use super::names::Names;
use super::reloc::Reloc;
use super::tables::Problems;
use super::{LinkInput, Project};
use crate::hir::Key;
use crate::names::short;

/// How many play the game that starts: what the ruleset says that names its first phase.
pub(super) fn players(project: &Project, parts: &[LinkInput]) -> u32 {
    let starts = |part: &&LinkInput| {
        part.lowered.decls.start.is_some() && project.start.as_ref().is_none_or(|key| part.lowered.decls.start.as_ref() == Some(key))
    };
    let said = parts.iter().find(starts).and_then(|part| part.lowered.decls.players);
    // A project that has no game yet has tests: their players are those of its only ruleset.
    said.or_else(|| parts.iter().find_map(|part| part.lowered.decls.players)).unwrap_or(2)
}

/// The phase that plays a game, and the kind its `with` parameter takes.
pub(super) fn start(
    project: &Project,
    parts: &[LinkInput],
    relocs: &[Reloc],
    names: &Names,
    problems: &mut Problems,
) -> (Option<ActionId>, Option<KindId>) {
    let declared: BTreeSet<&Key> = parts.iter().filter_map(|part| part.lowered.decls.start.as_ref()).collect();
    let key = match (&project.start, declared.len()) {
        (Some(key), _) => key,
        (None, 0) => return (None, None),
        (None, 1) => match declared.first() {
            Some(key) => *key,
            None => return (None, None),
        },
        (None, _) => {
            let list: Vec<String> = declared.iter().map(|key| format!("`{}`", short(key))).collect();
            problems.at_item(last_start(parts), format!("several rule systems say how a game starts: {}", list.join(", ")));
            return (None, None);
        }
    };
    let Some(id) = names.actions.id(key) else {
        problems.at_item(last_start(parts), format!("there is no phase called `{}` to start with", short(key)));
        return (None, None);
    };
    let kind = names.actions.order.get(id as usize).and_then(|(_, item, at)| {
        let with = parts.get(*item)?.lowered.decls.actions.get(*at)?.with?;
        Some(relocs.get(*item)?.moved(&with))
    });
    (Some(ActionId(id)), kind)
}

/// The last item that says how a game starts: where it is told that it cannot.
fn last_start(parts: &[LinkInput]) -> usize {
    parts.iter().rposition(|part| part.lowered.decls.start.is_some()).unwrap_or_default()
}

/// What the manifest says, or else what the sources declare.
pub(super) fn rulesets(project: &Project, parts: &[LinkInput]) -> Vec<(String, String)> {
    if !project.rulesets.is_empty() {
        return project.rulesets.clone();
    }
    let declared: BTreeSet<(String, String)> = parts
        .iter()
        .filter_map(|part| part.lowered.decls.ruleset.as_ref())
        .map(|(name, version)| (name.to_string(), version.to_string()))
        .collect();
    declared.into_iter().collect()
}
