//! Limits: laws over cards, rosters and decks, run on the machine while checking.
//!
//! The cards of a file are judged together, with the laws and the cards they name, and nothing else: so the work after an edit does not grow
//! with the project. When many files are new, several are judged in one go. Only a law that looks at every card there is (`units`, not `this.units`) is judged over the whole project.

mod fingerprint;
mod inline;
mod laws;
mod messages;
mod note;
mod plain;

use std::collections::BTreeMap;

use banneret_grammar::span::Span;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Work;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::run_limits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::{link_items, reachable_files, with_settings};
use crate::check::analysis;
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Diagnostic, Located};
use crate::elaborate::elaborate;
use crate::hir::{self, Key};
use crate::items::{Item, is_card, items};
use crate::key::{item_key, split_key};
use crate::link::{Linked, Spans};
use crate::lower::{Lowered, lower_printed};

use fingerprint::{Fingerprint, Fingerprints};
pub(crate) use laws::cards_named;
use laws::{Laws, with_all_they_name};
pub use plain::{PlainCard, PlainValue, Printed};

/// An item as limits see it.
pub(crate) fn as_printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> &'db Lowered {
    match is_card(db, item) {
        true => card_as_printed(db, universe, item),
        false => rule_as_printed(db, universe, item),
    }
}

/// Only for those that are judged: most look like another to the limits.
#[salsa::tracked]
fn card_as_printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Lowered {
    let printed = analysis(db, universe, item).printed.as_ref();
    printed.map_or_else(Lowered::default, |printed| lower_printed(&hir::Item::Card(printed.card())))
}

#[salsa::tracked]
fn rule_as_printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Lowered {
    let hir = with_settings(db, universe, &elaborate(db, universe, item).hir);
    lower_printed(&inline::with_comparisons(db, universe, &hir))
}

/// Steps of the machine that all limits of a check share.
const MOST_STEPS: u64 = 400_000_000;

/// How many files of a project are judged together: linking the laws and making them ready then costs little beside the cards.
const TOGETHER: usize = 8;

/// Files that are judged together, by the place of the first of them in the project.
#[salsa::interned(debug)]
pub(crate) struct Group<'db> {
    #[returns(copy)]
    pub at: usize,
}

pub(crate) fn groups<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Vec<Group<'db>> {
    (0..universe.files(db).len()).step_by(TOGETHER).map(|at| Group::new(db, at)).collect()
}

/// What the limits say of the cards of a group of files; None if that takes more than the group's share of the work.
#[salsa::tracked]
pub(crate) fn of_group<'db>(db: &'db dyn salsa::Database, universe: Universe, group: Group<'db>) -> Option<Vec<Located>> {
    let all = universe.files(db);
    let files: Vec<SourceFile> = all.iter().skip(group.at(db)).take(TOGETHER).copied().collect();
    let work = Work::new(MOST_STEPS / all.len().div_ceil(TOGETHER).max(1) as u64);
    let found = of_files(db, universe, &files, &work).into_iter().flatten().collect();
    (!work.is_spent()).then_some(found)
}

/// What the limits say of the cards of some files, for each of them: the same as if it were judged alone.
fn of_files(db: &dyn salsa::Database, universe: Universe, files: &[SourceFile], work: &Work) -> Vec<Vec<Located>> {
    let mut out = vec![Vec::new(); files.len()];
    let laws = laws::laws(db, universe);
    if laws.wide.iter().all(|wide| *wide) {
        return out;
    }
    let cards = files.iter().flat_map(|file| items(db, *file)).copied().filter(|item| is_card(db, *item));
    let found = match told_of(db, universe, laws, cards, files, work) {
        Ok(found) => found,
        // one of them cannot be linked: the others can
        Err(_) if files.len() > 1 => return files.iter().flat_map(|file| of_files(db, universe, &[*file], work)).collect(),
        // what is wrong elsewhere is told there
        Err(found) => found.into_iter().filter(|located| files.iter().any(|file| file.path(db) == located.file)).collect(),
    };
    for located in found {
        let at = files.iter().position(|file| file.path(db) == located.file).unwrap_or(0);
        out[at].push(located);
    }
    out
}

/// What the limits say of cards. Of those that look alike to them one is judged; the others only if it breaks a limit, to tell of each of them.
fn told_of<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    laws: &Laws<'db>,
    cards: impl Iterator<Item = Item<'db>>,
    files: &[SourceFile],
    work: &Work,
) -> Result<Vec<Located>, Vec<Located>> {
    let of_these: FxHashSet<&str> = files.iter().map(|file| file.path(db)).collect();
    let judge = |cards: Vec<Item<'db>>| -> Result<Judged, Vec<Located>> {
        if cards.is_empty() {
            return Ok(Judged::default());
        }
        let is_ours = |card, spans: &Spans| spans.file_of_card(card).is_some_and(|path| of_these.contains(path));
        let wanted = |limit, card, spans: &Spans| !laws.is_wide(limit) && is_ours(card, spans) && is_asked(db);
        Ok(judged(db, universe, linked(db, universe, laws, cards)?, work, wanted))
    };
    let mut fingerprints = Fingerprints::new(db, universe, laws);
    let mut first = Vec::new();
    let mut alike: FxHashMap<Vec<u8>, Vec<Item<'db>>> = FxHashMap::default();
    for item in cards {
        match fingerprints.of(analysis(db, universe, item)) {
            Fingerprint::NotJudged => {}
            Fingerprint::Unique => first.push(item),
            Fingerprint::Shared(bytes) => alike
                .entry(bytes)
                .or_insert_with(|| {
                    first.push(item);
                    Vec::new()
                })
                .push(item),
        }
    }
    let Judged { mut told, broken_by } = judge(first)?;
    let breaks = |item: &Item<'db>| analysis(db, universe, *item).printed.as_ref().is_some_and(|card| broken_by.contains(card.key()));
    let others = alike.into_values().filter(|group| group.first().is_some_and(breaks)).flat_map(|group| group.into_iter().skip(1));
    told.extend(judge(others.collect())?.told);
    Ok(told)
}

/// What those limits say that look at every card of the project.
#[salsa::tracked]
pub(crate) fn of_all(db: &dyn salsa::Database, universe: Universe) -> Option<Vec<Located>> {
    let work = Work::new(MOST_STEPS);
    let found = over_all(db, universe, &work);
    (!work.is_spent()).then_some(found)
}

/// Judging takes long: it is stopped as queries are.
fn is_asked(db: &dyn salsa::Database) -> bool {
    db.unwind_if_revision_cancelled();
    true
}

fn over_all(db: &dyn salsa::Database, universe: Universe, work: &Work) -> Vec<Located> {
    let laws = laws::laws(db, universe);
    if !laws.wide.contains(&true) {
        return Vec::new();
    }
    let files = reachable_files(db, universe);
    let cards = files.iter().flat_map(|file| items(db, *file)).copied().filter(|item| is_card(db, *item)).collect();
    match linked(db, universe, laws, cards) {
        Ok(linked) => judged(db, universe, linked, work, |limit, _, _| laws.is_wide(limit) && is_asked(db)).told,
        Err(found) => found,
    }
}

fn linked<'db>(db: &'db dyn salsa::Database, universe: Universe, laws: &Laws<'db>, cards: Vec<Item<'db>>) -> Result<Linked, Vec<Located>> {
    let all = with_all_they_name(db, universe, laws, cards);
    let parts = laws.items.iter().chain(&all).map(|item| (*item, as_printed(db, universe, *item)));
    link_items(db, universe, parts, BTreeMap::new())
}

/// What came of judging cards.
#[derive(Default)]
struct Judged {
    told: Vec<Located>,
    /// The cards that break a limit, or parts of which do.
    broken_by: FxHashSet<Key>,
}

/// That the limits were not all judged: told once, at the first limit of the project, or else at its first card.
pub(crate) fn not_all_judged(db: &dyn salsa::Database, universe: Universe) -> Option<Located> {
    let all = || universe.files(db).iter().flat_map(|file| items(db, *file)).copied();
    let item = all().find(|item| item.header(db).starts_with("limit ")).or_else(|| all().find(|item| is_card(db, *item)))?;
    let end = item.text(db).lines().next().map_or(0, |line| line.trim_end().len());
    let words = format!(
        "The limits of this project need more than {} million steps together, so not all of them were judged.",
        MOST_STEPS / 1_000_000
    );
    let d = Diagnostic::error("limits-too-costly", Span::new(0, u32::try_from(end).unwrap_or(0)), words)
        .help("Write limits that look at fewer cards each, or split the project.");
    Some(crate::api::located(item.file(db).path(db), item.start(db), d))
}

fn judged(
    db: &dyn salsa::Database,
    universe: Universe,
    mut linked: Linked,
    work: &Work,
    wanted: impl Fn(usize, CardId, &Spans) -> bool,
) -> Judged {
    let loaded = match Loaded::new(std::mem::take(&mut linked.pack)) {
        Ok(loaded) => loaded,
        Err(refused) => {
            let told = vec![Located {
                file: universe.files(db).first().map_or_else(String::new, |f| f.path(db).to_string()),
                diagnostic: Diagnostic::error("cannot-build", Span::default(), format!("The pack was refused: {refused}")),
            }];
            return Judged { told, broken_by: FxHashSet::default() };
        }
    };
    let failures = run_limits(&loaded, work, |limit, card| wanted(limit, card, &linked.spans));
    let context = messages::Context { pack: loaded.pack(), spans: &linked.spans, cards: &linked.cards };
    Judged {
        told: failures.iter().filter_map(|failure| messages::told(db, universe, context, failure)).collect(),
        broken_by: failures.iter().filter_map(|failure| whole_card(linked.cards.get(failure.card.index())?)).collect(),
    }
}

/// `module/Card.part` → `module/Card`
fn whole_card(key: &Key) -> Option<Key> {
    split_key(key).map(|_| Key::new(item_key(key)))
}
