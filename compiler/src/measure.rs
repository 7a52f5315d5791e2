//! What comes of some statements, exactly: a test that stands in no file.
//!
//! For an editor that tells odds beside a card. Only the rules and the cards that are named are linked, however large the project is.

use banneret_grammar::parse_item;
use banneret_runtime::hosts::exact::{self, Chance};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::build::{link_items, lowered, reachable_files};
use crate::db::Universe;
use crate::diagnostic::Severity;
use crate::elaborate::elaborate_text;
use crate::items::{DeclKind, Item, ParsedItem, rule_items};
use crate::lower::{Lowered, lower_item};
use crate::names::{Wanted, declared};

/// The outcomes of one measure, with their chances.
pub type Spread = Vec<(Value, Chance)>;

/// Runs a test that is written beside an item, and gives the spreads of its measures in order. None: it cannot be read, cannot be played
/// without someone choosing, or has more states than that.
pub fn measure(db: &dyn salsa::Database, universe: Universe, beside: Item<'_>, test: &str, most_states: usize) -> Option<Vec<Spread>> {
    let parsed = parse_item(test);
    let parsed = ParsedItem { item: parsed.item, errors: parsed.errors };
    let meant = elaborate_text(db, universe, beside, &parsed);
    if !parsed.errors.is_empty() || meant.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    let test = lower_item(&meant.hir, crate::build::board_of(db, universe, beside));
    let files = reachable_files(db, universe);
    let rules = files.iter().flat_map(|file| rule_items(db, *file)).copied();
    let mut wanted: Vec<Item<'_>> = rules.filter(|item| !item.header(db).starts_with("test ")).collect();
    let mut met: FxHashSet<Item<'_>> = wanted.iter().copied().collect();
    let mut next = 0;
    wanted.extend(cards_of(db, universe, &test).into_iter().filter(|item| met.insert(*item)));
    while let Some(item) = wanted.get(next).copied() {
        next += 1;
        wanted.extend(cards_of(db, universe, lowered(db, universe, item)).into_iter().filter(|item| met.insert(*item)));
    }
    let parts = wanted.iter().map(|item| (*item, lowered(db, universe, *item))).chain(std::iter::once((beside, &test)));
    let linked = link_items(db, universe, parts, Default::default()).ok()?;
    let pack = Loaded::new(linked.pack).ok()?;
    let test = pack.pack().tests.first()?;
    let machine = test_world(&pack, test, Limits::default()).ok()?;
    let found = exact::odds(machine, &pack, most_states).ok()?;
    Some(test.measures.iter().map(|m| found.spread(m.site).to_vec()).collect())
}

/// The items of the cards that code names.
fn cards_of<'db>(db: &'db dyn salsa::Database, universe: Universe, lowered: &Lowered) -> Vec<Item<'db>> {
    let keys = lowered.symbols.cards.iter();
    let named = keys.filter_map(|key| {
        let (module, rest) = key.split_once('/')?;
        // parts stand in the item of their card
        let name = rest.split('.').next().unwrap_or(rest);
        let found = declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name)));
        found.iter().find(|found| found.kind == DeclKind::Card).map(|found| found.item)
    });
    named.collect()
}
