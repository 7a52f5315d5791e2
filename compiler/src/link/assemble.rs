//! Filling the tables of the pack, one after another.

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack::{self, Pack};
use banneret_runtime::value::Value;

use rustc_hash::FxHashMap;

use super::handlers::Split;
use super::kinds::{KeywordState, inherit, player_kind};
use super::log::log_specs;
use super::names::Names;
use super::reloc::{Reloc, bases};
use super::start;
use super::tables::{Problems, Shared};
use super::{LinkInput, LinkProblem, Linked, Place, Project, Spans};
use crate::hir::Key;
use crate::key::last_name;
use crate::lower::Decls;

pub(super) fn assemble(project: &Project, parts: &[LinkInput]) -> Result<Linked, Vec<LinkProblem>> {
    let mut problems = Problems::new(parts);
    for (item, part) in parts.iter().enumerate() {
        for (span, words) in &part.lowered.problems {
            problems.at(item, *span, words.clone());
        }
    }
    let names = Names::of(parts, &mut problems);
    let mut shared = Shared::new();
    let all = bases(parts);
    let relocs: Vec<Reloc> =
        parts.iter().enumerate().map(|(item, part)| Reloc::of(item, part, &all, &names, &mut shared, &mut problems)).collect();

    let mut pack = Pack {
        format: pack::FORMAT,
        name: project.name.clone(),
        version: project.version.clone(),
        rulesets: start::rulesets(project, parts),
        ..Pack::default()
    };
    let mut spans = Spans::default();
    own_tables(&mut pack, &mut spans, parts, &relocs, &names, &mut shared, &mut problems);
    let mut linked = Linked { pack, spans, ..Linked::default() };
    named_tables(&mut linked, project, parts, &relocs, &names, &mut shared);

    let pack = &mut linked.pack;
    pack.pasts = shared.pasts.list().iter().map(|(actions, scope)| pack::Past { actions: actions.clone(), scope: *scope }).collect();
    log_specs(&mut pack.actions, &pack.pasts, parts, &names);
    settle_purity(&mut pack.fragments);
    rank_bundles(pack);
    pack.player_kind = player_kind(&pack.kinds, &names, &mut problems);
    (pack.start, pack.scenario_kind) = start::start(project, parts, &relocs, &names, &mut problems);
    pack.players = start::players(project, parts);
    pack.board = project.board as i64;
    pack.lengths = project.lengths.iter().map(|(name, sign)| (shared.str(name), shared.str(sign))).collect();
    pack.strings = shared.strings.into_list();
    pack.consts = shared.consts.into_list();
    if problems.list.is_empty() { Ok(linked) } else { Err(problems.list) }
}

/// Tables without names: items one after another.
fn own_tables(
    pack: &mut Pack,
    spans: &mut Spans,
    parts: &[LinkInput],
    relocs: &[Reloc],
    names: &Names,
    shared: &mut Shared,
    problems: &mut Problems,
) {
    // Items of a file stand together.
    let mut file_of = Vec::with_capacity(parts.len());
    for part in parts {
        if spans.files.last().is_none_or(|last| last != part.file) {
            spans.files.push(part.file.to_string());
        }
        file_of.push(spans.files.len() as u32 - 1);
    }
    let item_of: FxHashMap<&Key, usize> = names.cards.order.iter().map(|(key, item, _)| (key, *item)).collect();
    for (own, (part, reloc)) in parts.iter().zip(relocs).enumerate() {
        let lowered = part.lowered;
        pack.fragments.extend(lowered.fragments.iter().map(|one| reloc.moved(one)));
        pack.chooses.extend(lowered.chooses.iter().map(|one| reloc.moved(one)));
        pack.menus.extend(lowered.menus.iter().map(|one| reloc.moved(one)));
        pack.grants.extend(lowered.grants.iter().map(|one| reloc.moved(one)));
        pack.limits.extend(lowered.decls.limits.iter().map(|one| reloc.moved(one)));
        pack.tests.extend(lowered.decls.tests.iter().map(|one| reloc.moved(one)));
        pack.hidden.extend(lowered.decls.hidden.iter().map(|one| reloc.moved(one)));
        pack.goals.extend(lowered.decls.goal.iter().map(|one| reloc.moved(one)));
        pack.global_rules.extend(lowered.decls.global_rules.iter().map(|one| reloc.moved(one)));
        for site in &lowered.symbols.sites {
            // What was taken over with `from` stands where it was written.
            let card = site.of.and_then(|of| lowered.symbols.cards.get(of.index()));
            let item = card.and_then(|card| item_of.get(card)).copied().unwrap_or(own);
            let from = parts.get(item).unwrap_or(part);
            let span = site.span.shifted(from.item_start);
            pack.sites.push(pack::Site {
                file: shared.str(from.below),
                start: span.start,
                end: span.end,
                line: line(from.line_starts, span.start),
                words: reloc.moved(&site.words),
            });
            spans.sites.push(Place { file: file_of.get(item).copied().unwrap_or(0), start: span.start, end: span.end });
        }
    }
    // After every item's own fragments: splitting a rule adds more at the end.
    for (item, (part, reloc)) in parts.iter().zip(relocs).enumerate() {
        let split = Split { item, part, names, reloc };
        for bundle in &part.lowered.bundles {
            let moved = split.bundle(bundle, &mut pack.fragments, problems);
            pack.bundles.push(moved);
        }
    }
}

/// The line an offset is in, from 1.
fn line(starts: &[u32], offset: u32) -> u32 {
    (starts.partition_point(|start| *start <= offset) as u32).max(1)
}

/// Tables with names: in the order of the names.
fn named_tables(linked: &mut Linked, project: &Project, parts: &[LinkInput], relocs: &[Reloc], names: &Names, shared: &mut Shared) {
    let pack = &mut linked.pack;
    for (_, name, label) in &names.members {
        let (name, label) = (shared.str(name), shared.str(label));
        pack.symbols.push(pack::Symbol { name, label });
    }
    for (key, decl, reloc) in found(&names.kinds.order, parts, relocs, |decls| &decls.kinds) {
        linked.kinds.push(key.clone());
        pack.kinds.push(reloc.moved(&decl.kind));
    }
    for (key, decl, reloc) in found(&names.fields.order, parts, relocs, |decls| &decls.fields) {
        linked.fields.push(key.clone());
        pack.fields.push(reloc.moved(&decl.1));
    }
    let mut state = Vec::new();
    for (_, decl, reloc) in found(&names.keywords.order, parts, relocs, |decls| &decls.keywords) {
        pack.keywords.push(reloc.moved(&decl.keyword));
        if !decl.state.is_empty() {
            state.push(KeywordState { on: reloc.moved(&decl.on), fields: reloc.moved(&decl.state) });
        }
    }
    inherit(&mut pack.kinds, &state);
    for (_, decl, reloc) in found(&names.actions.order, parts, relocs, |decls| &decls.actions) {
        pack.actions.push(reloc.moved(&decl.action));
    }
    for (_, decl, reloc) in found(&names.facts.order, parts, relocs, |decls| &decls.facts) {
        pack.facts.push(reloc.moved(&decl.1));
    }
    for (key, decl, reloc) in found(&names.options.order, parts, relocs, |decls| &decls.options) {
        let name = shared.str(last_name(key));
        pack.options.push(pack::GameOption { name, value: reloc.moved(&decl.1) });
    }
    for (key, decl, reloc) in found(&names.cards.order, parts, relocs, |decls| &decls.cards) {
        let mut card = reloc.moved(&decl.card);
        if let Some(text) = project.texts.get(key) {
            card.text = shared.str(text);
        }
        linked.spans.cards.push(linked.spans.sites.get(card.site.index()).copied().unwrap_or_default());
        linked.cards.push(key.clone());
        pack.cards.push(card);
    }
}

/// Declarations in the order of their keys, each with the relocation of its item.
fn found<'a, T: 'a>(
    order: &'a [(Key, usize, usize)],
    parts: &'a [LinkInput<'a>],
    relocs: &'a [Reloc],
    list: impl Fn(&'a Decls) -> &'a Vec<T> + 'a,
) -> impl Iterator<Item = (&'a Key, &'a T, &'a Reloc)> {
    order.iter().filter_map(move |(key, item, at)| {
        let decl = list(&parts.get(*item)?.lowered.decls).get(*at)?;
        Some((key, decl, relocs.get(*item)?))
    })
}

/// A term that uses one that acts is none itself.
fn settle_purity(fragments: &mut [pack::Fragment]) {
    loop {
        let pure: Vec<bool> = fragments.iter().map(|fragment| fragment.pure).collect();
        let is_pure = |id: FragId| pure.get(id.index()).copied().unwrap_or(false);
        let mut changed = false;
        for fragment in fragments.iter_mut().filter(|fragment| fragment.pure) {
            let acts = fragment.code.iter().any(|instr| match instr {
                Instr::Call { frag, .. } | Instr::Each { frag, .. } => !is_pure(*frag),
                _ => false,
            });
            if acts {
                fragment.pure = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// The rules of a card are as specific as its kind.
fn rank_bundles(pack: &mut Pack) {
    for card in &pack.cards {
        let rank = pack.kinds.get(card.kind.index()).map_or(0, |kind| kind.rank);
        let stored = card.values.iter().filter_map(|(_, value)| match value {
            Value::Rules(bundle, ..) => Some(*bundle),
            _ => None,
        });
        for bundle in card.bundles.iter().copied().chain(stored) {
            if let Some(bundle) = pack.bundles.get_mut(bundle.index()) {
                bundle.rank = rank;
            }
        }
    }
}
