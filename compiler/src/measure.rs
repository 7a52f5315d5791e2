//! What comes of some statements, exactly: a test that stands in no file.
//!
//! For an editor that tells odds beside a card. Only the rules and the cards that are named are linked, however large the project is.

use banneret_grammar::parse_item;
use banneret_grammar::span::Span;
use banneret_odds::{self as exact, Fraction};
use banneret_runtime::fault::{Fault, FaultKind};
use banneret_runtime::ids::SiteId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::{TestFailure, TestOutcome, run_test, test_world};
use banneret_runtime::value::Value;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::build::{link_items, lowered, reachable_files};
use crate::db::Universe;
use crate::diagnostic::Severity;
use crate::elaborate::{elaborate, elaborate_text};
use crate::hir;
use crate::items::{DeclKind, Item, ParsedItem, rule_items};
use crate::key::item_of_key;
use crate::lower::{Lowered, lower_item};
use crate::names::{Wanted, declared};

/// How many lines of what happened are shown.
const TRACE_LINES: usize = 12;

/// The outcomes of one measure, with their chances.
pub type Spread = Vec<(Value, Fraction)>;

/// The actions a rule system names to say what using a part or a card means.
#[salsa::tracked(returns(deref))]
pub fn declared_odds(db: &dyn salsa::Database, universe: Universe) -> Vec<SmolStr> {
    of_rulesets(db, universe, |ruleset| &ruleset.odds)
}

/// The actions that rule systems keep for their own use.
#[salsa::tracked(returns(deref))]
pub fn own_use(db: &dyn salsa::Database, universe: Universe) -> Vec<SmolStr> {
    of_rulesets(db, universe, |ruleset| &ruleset.own_use)
}

/// The phases that rule systems start their games with.
#[salsa::tracked(returns(deref))]
pub fn starts(db: &dyn salsa::Database, universe: Universe) -> Vec<SmolStr> {
    of_rulesets(db, universe, |ruleset| ruleset.start.as_slice())
}

fn of_rulesets(db: &dyn salsa::Database, universe: Universe, what: fn(&hir::Ruleset) -> &[SmolStr]) -> Vec<SmolStr> {
    let files = reachable_files(db, universe);
    let rulesets = files.iter().flat_map(|file| rule_items(db, *file)).filter(|item| item.header(db).starts_with("ruleset "));
    let named = rulesets.filter_map(|item| match &elaborate(db, universe, *item).hir {
        hir::Item::Ruleset(ruleset) => Some(what(ruleset).to_vec()),
        _ => None,
    });
    named.flatten().collect()
}

/// Runs a test that is written beside an item, and gives the spreads of its measures in order; or says why there are none: it cannot be read, cannot be
/// played without someone choosing, or has more states than that.
pub fn measure(
    db: &dyn salsa::Database,
    universe: Universe,
    beside: Item<'_>,
    test: &str,
    most_states: usize,
) -> Result<Vec<Spread>, String> {
    let pack = packed(db, universe, beside, test)?;
    let test = pack.pack().tests.first().ok_or_else(|| "There is nothing to measure.".to_owned())?;
    let words = |fault: Fault| match fault.kind {
        FaultKind::Limit(_) | FaultKind::Arithmetic => format!("There is too much to look at: {}.", fault.words.trim_end_matches('.')),
        // what there is to choose from may be hundreds of places
        FaultKind::Script => {
            let words = fault.words.split(": one of").next().unwrap_or_default();
            format!("Somebody has to choose: {}.", words.trim_end_matches('.'))
        }
        _ => format!("It cannot be played: {}.", fault.words.trim_end_matches('.')),
    };
    let machine = test_world(&pack, test, Limits::default()).map_err(words)?;
    let found = exact::odds(machine, &pack, most_states).map_err(words)?;
    Ok(test.measures.iter().map(|m| found.spread(m.site).to_vec()).collect())
}

/// Runs a test that is written beside an item or is that item. None: it passes; else why not, at a place of its text, or at its words if what went wrong
/// stands elsewhere. Err: it cannot be run.
pub fn run(db: &dyn salsa::Database, universe: Universe, beside: Item<'_>, test: &str) -> Result<Option<(Span, TestFailure)>, String> {
    let pack = packed(db, universe, beside, test)?;
    let found = pack.pack().tests.first().ok_or_else(|| "There is no test here.".to_owned())?;
    let TestOutcome::Failed(failure) = run_test(&pack, found, exact::judge) else { return Ok(None) };
    let start = beside.start(db);
    let below = beside.file(db).below(db);
    let place = |id: SiteId| {
        let site = pack.pack().sites.get(id.index())?;
        let inside = pack.text(site.file) == below && site.start >= start && site.end <= start + test.len() as u32;
        inside.then(|| Span::new(site.start - start, site.end - start))
    };
    let span = failure.site.and_then(place).or_else(|| place(found.site)).unwrap_or_default();
    Ok(Some((span, *failure)))
}

/// What of a failed test is told: the headline, then what was wanted and what came, the dice, what happened.
pub fn failed(words: &str, failure: &TestFailure) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    if !failure.expected.is_empty() || !failure.actual.is_empty() {
        notes.push(format!("expected {}\n     got {}", failure.expected, failure.actual));
    }
    if !failure.dice.is_empty() {
        let dice: Vec<String> = failure.dice.iter().map(i64::to_string).collect();
        notes.push(format!("dice rolled: {}", dice.join(", ")));
    }
    if !failure.trace.is_empty() {
        let skipped = failure.trace.len().saturating_sub(TRACE_LINES);
        let mut lines = vec!["what happened:".to_owned()];
        if skipped > 0 {
            lines.push(format!("  … {skipped} more"));
        }
        lines.extend(failure.trace.iter().skip(skipped).map(|line| format!("  {line}")));
        notes.push(lines.join("\n"));
    }
    (format!("The test \"{words}\" failed: {}", failure.words), notes)
}

/// A pack of the rules, the cards that are named, and one test that is written beside an item.
fn packed(db: &dyn salsa::Database, universe: Universe, beside: Item<'_>, test: &str) -> Result<Loaded, String> {
    let parsed = parse_item(test);
    let parsed = ParsedItem { item: parsed.item, errors: parsed.errors };
    let meant = elaborate_text(db, universe, beside, &parsed);
    let wrong = parsed.errors.iter().map(|e| e.message.clone());
    let mut wrong = wrong.chain(meant.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.headline.clone()));
    if let Some(first) = wrong.next() {
        return Err(first);
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
    let linked = link_items(db, universe, parts, Default::default()).map_err(|_| "There are mistakes in the rules.".to_owned())?;
    Loaded::new(linked.pack).map_err(|fault| fault.to_string())
}

/// The items of the cards that code names.
fn cards_of<'db>(db: &'db dyn salsa::Database, universe: Universe, lowered: &Lowered) -> Vec<Item<'db>> {
    let keys = lowered.symbols.cards.iter();
    let named = keys.filter_map(|key| {
        let (module, name) = item_of_key(key)?;
        let found = declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name)));
        found.iter().find(|found| found.kind == DeclKind::Card).map(|found| found.item)
    });
    named.collect()
}
