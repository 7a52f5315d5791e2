//! Limits: what must be true of every card of a kind. They run on cards as printed; no game is under way.

use crate::fault::{FaultKind, Res, wrong};
use crate::ids::*;
use crate::limits::{Limits, Work};
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::pack::{Limit, Notation};
use crate::value::Value;
use crate::world::World;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitFailure {
    /// Index in `Pack::limits`.
    pub limit: usize,
    pub card: CardId,
    /// The `need` that failed.
    pub site: Option<SiteId>,
    /// Values to blame: where to point.
    pub blame: Vec<Value>,
    /// The two sides of the comparison that failed, and how they are written.
    pub sides: Option<(Value, Value)>,
    pub shows: Notation,
    pub words: String,
    pub warn: bool,
    /// The limit itself could not be run.
    pub fault: Option<FaultKind>,
}

/// Whether a limit refuses one of these cards or of their parts: one that is called so, by its number or by its words. The world tells what is set.
pub(crate) fn is_refused(pack: &Loaded, world: &World, cards: &[Value], by: &str, work: &Work) -> Res<bool> {
    if world.printed {
        return wrong("a limit cannot ask whether a limit refuses something");
    }
    let is_called = |limit: &Limit| pack.text(limit.words) == by || limit.covers.iter().any(|id| pack.text(*id) == by);
    let kinds: Vec<bool> = pack.limits.iter().map(is_called).collect();
    if !kinds.contains(&true) {
        return wrong(format!("no limit is called {by}"));
    }
    let mut meant: Vec<CardId> = cards.iter().filter_map(|card| if let Value::Card(id) = card { Some(*id) } else { None }).collect();
    let mut next = 0;
    while let Some(card) = meant.get(next).and_then(|id| pack.cards.get(id.index())) {
        next += 1;
        let inside = card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row));
        let fresh: Vec<CardId> = inside.filter(|id| !meant.contains(id)).copied().collect();
        meant.extend(fresh);
    }
    let wanted = |limit: usize, card: CardId| kinds.get(limit) == Some(&true) && meant.contains(&card);
    let found = judge(pack, work, Some(world), wanted);
    match found.iter().find(|failure| failure.fault.is_some()) {
        Some(failure) => wrong(failure.words.clone()),
        None => Ok(found.iter().any(|failure| !failure.warn)),
    }
}

/// Runs the limits (by their index) on the cards that are wanted, as long as there is work left: who asks looks whether it is spent.
pub fn run_limits(pack: &Loaded, work: &Work, wanted: impl Fn(usize, CardId) -> bool) -> Vec<LimitFailure> {
    judge(pack, work, None, |limit, card| pack.cards.get(card.index()).is_some_and(|card| !card.template) && wanted(limit, card))
}

fn judge(pack: &Loaded, work: &Work, options: Option<&World>, wanted: impl Fn(usize, CardId) -> bool) -> Vec<LimitFailure> {
    let mut failures = Vec::new();
    if pack.limits.is_empty() {
        return failures;
    }
    let mut fresh = match Machine::new(pack, pack.seats(), Limits::default()) {
        Ok(machine) => machine,
        Err(fault) => {
            let (site, words) = (fault.site, fault.words);
            let fault = Some(fault.kind);
            failures.push(LimitFailure {
                limit: 0,
                card: CardId(0),
                site,
                blame: Vec::new(),
                sides: None,
                shows: Notation::Plain,
                words,
                warn: false,
                fault,
            });
            return failures;
        }
    };
    fresh.world.printed = true;
    if let Some(world) = options {
        fresh.world.options = world.options.clone();
    }
    let mut machine = fresh.clone();
    for (i, limit) in pack.limits.iter().enumerate() {
        for (c, card) in pack.cards.iter().enumerate() {
            if !pack.is_kind(card.kind, limit.kind) {
                continue;
            }
            let card = CardId(c as u32);
            if !wanted(i, card) {
                continue;
            }
            if work.is_spent() {
                return failures;
            }
            let step = match machine.start_fragment(pack, limit.body, &[Value::Card(card)]) {
                Ok(()) => machine.run(pack),
                Err(fault) => Step::Fault(fault),
            };
            work.spend(machine.spent());
            let fail = |site, blame, words: String, fault| LimitFailure {
                limit: i,
                card,
                site,
                blame,
                sides: None,
                shows: Notation::Plain,
                words,
                warn: limit.warn,
                fault,
            };
            for told in &machine.blamed {
                let blame = match &told.blame {
                    Value::None => Vec::new(),
                    Value::List(items) => items.to_vec(),
                    one => vec![one.clone()],
                };
                let composed = crate::describe::composed(pack, &machine.world, &told.words);
                let words = composed.unwrap_or_else(|| match pack.site_words(told.site) {
                    "" => pack.text(limit.words).to_owned(),
                    words => words.to_owned(),
                });
                let compared = told.sides != (Value::None, Value::None);
                failures.push(LimitFailure {
                    sides: compared.then(|| told.sides.clone()),
                    shows: told.shows,
                    ..fail(Some(told.site), blame, words, None)
                });
            }
            match step {
                Step::Fault(fault) => failures.push(fail(fault.site, Vec::new(), fault.words, Some(fault.kind))),
                Step::Asked(question) => {
                    let words = format!("a limit cannot ask: {}", question.describe(pack, &machine.world));
                    failures.push(fail(question.site, Vec::new(), words, Some(FaultKind::BadPack)));
                }
                Step::Done(_) => {
                    // Limits change nothing, so the machine can be used again as it is.
                    machine.blamed.clear();
                    continue;
                }
            }
            machine = fresh.clone();
        }
    }
    failures
}
