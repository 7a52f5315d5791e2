//! Limits: laws over cards, rosters and decks, run on the machine while checking.
//!
//! The cards of a file are judged together, with the laws and the cards they name, and nothing else: so the work after an edit does not grow
//! with the project. Only a law that looks at every card there is (`units`, not `this.units`) is judged over the whole project.

mod laws;
mod note;
mod told;

use std::collections::BTreeMap;

use banneret_grammar::span::Span;
use banneret_runtime::ids::CardId;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::run_limits;

use crate::build::{link_items, reachable_files, with_settings};
use crate::check::analysis;
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Diagnostic, Located};
use crate::elaborate::elaborate;
use crate::items::{Item, is_card, items};
use crate::link::Linked;
use crate::lower::{Lowered, lower_printed};

pub(crate) use laws::cards_named;
use laws::{Laws, with_all_they_name};

/// An item as limits see it.
pub(crate) fn as_printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> &'db Lowered {
    match &analysis(db, universe, item).for_limits {
        Some(card) => card,
        None => rule_as_printed(db, universe, item),
    }
}

#[salsa::tracked]
fn rule_as_printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Lowered {
    lower_printed(&with_settings(db, universe, &elaborate(db, universe, item).hir))
}

/// What the limits say of the cards of one file.
pub fn of_file(db: &dyn salsa::Database, universe: Universe, file: SourceFile) -> Vec<Located> {
    let laws = laws::laws(db, universe);
    let cards: Vec<Item> = items(db, file).iter().copied().filter(|item| is_card(db, *item)).collect();
    if cards.is_empty() || laws.wide.iter().all(|wide| *wide) {
        return Vec::new();
    }
    let path = file.path(db);
    match linked(db, universe, laws, cards) {
        Ok(linked) => judged(db, universe, &linked, |limit, card| !laws.is_wide(limit) && linked.spans.is_card_of(card, path)),
        // what is wrong elsewhere is told there
        Err(found) => found.into_iter().filter(|located| located.file == path).collect(),
    }
}

/// What those limits say that look at every card of the project.
pub fn of_all(db: &dyn salsa::Database, universe: Universe) -> Vec<Located> {
    let laws = laws::laws(db, universe);
    if !laws.wide.contains(&true) {
        return Vec::new();
    }
    let files = reachable_files(db, universe);
    let cards = files.iter().flat_map(|file| items(db, *file)).copied().filter(|item| is_card(db, *item)).collect();
    match linked(db, universe, laws, cards) {
        Ok(linked) => judged(db, universe, &linked, |limit, _| laws.is_wide(limit)),
        Err(found) => found,
    }
}

fn linked<'db>(db: &'db dyn salsa::Database, universe: Universe, laws: &Laws<'db>, cards: Vec<Item<'db>>) -> Result<Linked, Vec<Located>> {
    let all = with_all_they_name(db, universe, laws, cards);
    let parts = laws.items.iter().chain(&all).map(|item| (*item, as_printed(db, universe, *item)));
    link_items(db, universe, parts, BTreeMap::new())
}

fn judged(db: &dyn salsa::Database, universe: Universe, linked: &Linked, wanted: impl Fn(usize, CardId) -> bool) -> Vec<Located> {
    match Loaded::new(linked.pack.clone()) {
        Ok(loaded) => run_limits(&loaded, wanted).iter().filter_map(|failure| told::told(db, universe, linked, failure)).collect(),
        Err(refused) => vec![Located {
            file: universe.files(db).first().map_or_else(String::new, |f| f.path(db).to_string()),
            diagnostic: Diagnostic::error("cannot-build", Span::default(), format!("The pack was refused: {refused}")),
        }],
    }
}
