//! From checked items to a linked pack.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::api::located;
use crate::check::{analysis, cannot_build};
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Located, Severity};
use crate::elaborate::elaborate;
use crate::hir;
use crate::items::{Item, items, rule_items};
use crate::limits;
use crate::link::{self, LinkInput, Linked};
use crate::lower::{Lowered, lower_item};
use crate::names::{ModuleName, visible};
use crate::signature::{base_signs, board, boards, own_length};
use banneret_runtime::table::Board;

/// The item's own bytecode, symbolic.
#[salsa::tracked]
pub fn lowered<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Lowered {
    lower_item(&with_settings(db, universe, &elaborate(db, universe, item).hir), board_of(db, universe, item))
}

/// How the module of an item measures.
pub(crate) fn board_of(db: &dyn salsa::Database, universe: Universe, item: Item<'_>) -> Board {
    board(db, universe, ModuleName::new(db, item.file(db).module(db).clone()))
}

/// Base lengths and their signs, that of the project's own rules first.
fn lengths(db: &dyn salsa::Database, universe: Universe) -> Vec<(String, String)> {
    let own = own_length(db, universe).as_ref();
    let others = base_signs(db, universe).iter().filter(|(name, _)| own.is_none_or(|(own, _)| own != name));
    own.into_iter().chain(others).map(|(name, sign)| (name.to_string(), sign.to_string())).collect()
}

/// A ruleset's options have the values the project gives them.
pub(crate) fn with_settings<'a>(db: &dyn salsa::Database, universe: Universe, item: &'a hir::Item) -> Cow<'a, hir::Item> {
    let hir::Item::Ruleset(ruleset) = item else { return Cow::Borrowed(item) };
    let mut ruleset = ruleset.clone();
    for (key, value) in settings(db, universe) {
        if let Some((_, old)) = ruleset.options.iter_mut().find(|(k, _)| k == key) {
            *old = value.clone();
        }
    }
    Cow::Owned(hir::Item::Ruleset(ruleset))
}

/// Files whose items are part of the project: its own, and those of every library it reaches.
pub fn reachable_files(db: &dyn salsa::Database, universe: Universe) -> Vec<SourceFile> {
    // there may be as many modules as files
    let own: FxHashSet<&SmolStr> = universe.files(db).iter().map(|file| file.module(db)).collect();
    let seen = |module: &&SmolStr| visible(db, universe, ModuleName::new(db, (*module).clone())).iter();
    let modules: FxHashSet<&SmolStr> = own.iter().flat_map(seen).collect();
    let mut out = universe.files(db).clone();
    out.extend(universe.library(db).iter().filter(|f| modules.contains(f.module(db))));
    out
}

#[salsa::tracked(returns(deref))]
pub fn line_starts(db: &dyn salsa::Database, file: SourceFile) -> Vec<u32> {
    let text = file.text(db);
    std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect()
}

/// What is linked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A whole pack.
    Pack,
    /// To see whether the rules fit together: no words, no tests, and of the cards only those the rules name, as printed.
    Rules,
}

/// Links everything. Errors are what the checks of single items could not see.
pub fn link(db: &dyn salsa::Database, universe: Universe, purpose: Purpose) -> Result<Linked, Vec<Located>> {
    let files = reachable_files(db, universe);
    match purpose {
        Purpose::Pack => {
            let all = linked_items(db, universe, &files);
            let texts = crate::show::texts(db, universe, &files);
            link_items(db, universe, all.map(|item| (item, lowered(db, universe, item))), texts)
        }
        Purpose::Rules => {
            let rules = files.iter().flat_map(|file| rule_items(db, *file)).copied();
            // a `use` becomes nothing, and stands in every file: lines need not be counted there
            let is_linked = |item: &Item| !["test ", "use "].iter().any(|word| item.header(db).starts_with(word));
            let rules: Vec<Item> = rules.filter(is_linked).collect();
            let named = limits::cards_named(db, universe, rules.iter().map(|item| lowered(db, universe, *item)));
            let cards = named.into_iter().map(|item| (item, limits::as_printed(db, universe, item)));
            link_items(db, universe, rules.iter().map(|item| (*item, lowered(db, universe, *item))).chain(cards), BTreeMap::new())
        }
    }
}

/// Everything in the files; tests only of the project itself, as those of packages are their own business.
fn linked_items<'db>(db: &'db dyn salsa::Database, universe: Universe, files: &[SourceFile]) -> impl Iterator<Item = Item<'db>> {
    let own: FxHashSet<SourceFile> = universe.files(db).iter().copied().collect();
    let of_file = move |file: &SourceFile| {
        let is_own = own.contains(file);
        items(db, *file).iter().copied().filter(move |item| is_own || !item.header(db).starts_with("test "))
    };
    files.iter().flat_map(of_file).collect::<Vec<_>>().into_iter()
}

/// What is wrong with the rules as a whole: where they do not fit together.
#[salsa::tracked(returns(deref))]
pub(crate) fn wrong_rules(db: &dyn salsa::Database, universe: Universe) -> Vec<Located> {
    link(db, universe, Purpose::Rules).err().unwrap_or_default()
}

/// Links what has no mistake in it, so that one broken card does not stop the tests and games of others. What cannot be linked without what is
/// left out is left out too: the first words of all that was, of the project. None: nothing is left that could run.
pub fn link_error_free(db: &dyn salsa::Database, universe: Universe, found: &[Located], words: bool) -> Option<(Linked, Vec<SmolStr>)> {
    let files = reachable_files(db, universe);
    let is_error_free = |item: &Item| {
        let has_error = || analysis(db, universe, *item).found.iter().any(|d| d.severity == Severity::Error);
        !(is_blamed(db, *item, found) || has_error())
    };
    let all: Vec<Item> = linked_items(db, universe, &files).collect();
    let mut error_free: Vec<Item> = all.iter().copied().filter(is_error_free).collect();
    let texts = if words { crate::show::texts(db, universe, &files) } else { BTreeMap::new() };
    loop {
        let linked = link_items(db, universe, error_free.iter().map(|item| (*item, lowered(db, universe, *item))), texts.clone());
        let wrong = match linked {
            Ok(linked) => {
                let is_told = |item: &&Item| !error_free.contains(item) && !item.stray(db) && universe.files(db).contains(&item.file(db));
                return Some((linked, all.iter().filter(is_told).map(|item| item.header(db).clone()).collect()));
            }
            Err(wrong) => wrong,
        };
        let before = error_free.len();
        error_free.retain(|item| !is_blamed(db, *item, &wrong));
        if error_free.len() == before || error_free.is_empty() {
            return None;
        }
    }
}

/// One of these errors stands in the item.
pub(crate) fn is_blamed(db: &dyn salsa::Database, item: Item<'_>, found: &[Located]) -> bool {
    let errors = || found.iter().filter(|l| l.diagnostic.severity == Severity::Error && l.file == *item.file(db).path(db));
    if errors().next().is_none() {
        return false;
    }
    let start = item.start(db);
    let end = start + item.text(db).len() as u32;
    errors().any(|l| (start..end.max(start + 1)).contains(&l.diagnostic.span.start))
}

/// Joins items, each as it was lowered for the purpose.
pub fn link_items<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    parts: impl Iterator<Item = (Item<'db>, &'db Lowered)>,
    texts: BTreeMap<SmolStr, String>,
) -> Result<Linked, Vec<Located>> {
    let mut inputs = Vec::new();
    let mut wrong = Vec::new();
    for (item, lowered) in parts {
        let (file, item_start) = (item.file(db), item.start(db));
        for (span, words) in &lowered.problems {
            wrong.push(located(file.path(db), item_start, cannot_build(*span, words)));
        }
        inputs.push(LinkInput { file: file.path(db), below: file.below(db), item_start, line_starts: line_starts(db, file), lowered });
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let project = link::Project {
        name: universe.name(db).clone(),
        version: universe.version(db).clone(),
        texts,
        board: boards(db, universe),
        lengths: lengths(db, universe),
        ..link::Project::default()
    };
    link::link(&project, &inputs)
        .map_err(|problems| problems.into_iter().map(|p| Located { file: p.file, diagnostic: cannot_build(p.span, &p.words) }).collect())
}

/// Options as the project's `use … with` items set them.
#[salsa::tracked(returns(deref))]
pub(crate) fn settings(db: &dyn salsa::Database, universe: Universe) -> Vec<(SmolStr, crate::hir::Expr)> {
    let mut out: Vec<(SmolStr, crate::hir::Expr)> = Vec::new();
    for file in universe.files(db) {
        for item in rule_items(db, *file).iter().filter(|i| i.header(db).starts_with("use ")) {
            for (key, value) in &elaborate(db, universe, *item).settings {
                if !out.iter().any(|(k, _)| k == key) {
                    out.push((key.clone(), value.clone()));
                }
            }
        }
    }
    out
}
