//! What a rule system says about cards as printed things: one face a side, one card each, rules only where they may stand.

use banneret_grammar::span::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::build::reachable_files;
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Code, Diagnostic};
use crate::elaborate::elaborate;
use crate::hir::{self, CardValue, Key};
use crate::items::{Item, is_card, items, rule_items, spaced};
use crate::signature::{KeyName, kind_by_key};

use super::{Printed, Side, declared_faces, faces_of, named, printed};

type Found = (SourceFile, u32, Diagnostic);

/// Two faces of one kind under one name.
pub(crate) fn faces_said_twice(db: &dyn salsa::Database, universe: Universe) -> Vec<Found> {
    let mut out = Vec::new();
    let faces = declared_faces(db, universe);
    for (i, face) in faces.iter().enumerate() {
        let file = face.item.file(db);
        let Some(first) = faces[..i].iter().chain(&faces[i + 1..]).find(|f| f.of == face.of && f.name == face.name) else { continue };
        let is_first = faces[..i].iter().all(|f| f.of != face.of || f.name != face.name);
        // a project is told about its own
        let other_is_own = universe.files(db).contains(&first.item.file(db));
        if !universe.files(db).contains(&file) || (is_first && other_is_own) {
            continue;
        }
        let hir::Item::Face(hir) = &elaborate(db, universe, face.item).hir else { continue };
        let kind = crate::names::short(&face.of);
        out.push((
            file,
            face.item.start(db),
            Diagnostic::error("duplicate-name", hir.name_span, format!("There already is a face `{}` of `{kind}`.", face.name))
                .note(format!("The other one is in {}.", first.item.file(db).path(db)))
                .help("Give one of them another name, or make it the face of a more special kind."),
        ));
    }
    out
}

/// What the rule systems of a project say of its cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    single_card: Vec<Demand>,
    rules_only_on: Vec<Demand>,
    /// Where rulesets stand: their own rules are the game itself.
    homes: Vec<SmolStr>,
}

/// A kind, and the numbered rules that ask this of its cards.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Demand {
    kind: Key,
    covers: Vec<SmolStr>,
}

#[salsa::tracked]
fn demands(db: &dyn salsa::Database, universe: Universe) -> Demands {
    let mut out = Demands::default();
    for file in reachable_files(db, universe) {
        for item in rule_items(db, file).iter().filter(|i| i.header(db).starts_with("ruleset ")) {
            let hir::Item::Ruleset(ruleset) = &elaborate(db, universe, *item).hir else { continue };
            let named = |setting: &str, kinds: &[Key]| -> Vec<Demand> {
                kinds.iter().map(|kind| Demand { kind: kind.clone(), covers: ruleset.covers.of(setting).to_vec() }).collect()
            };
            out.single_card.extend(named("single_card", &ruleset.single_card));
            out.rules_only_on.extend(named("rules_only_on", &ruleset.rules_only_on));
            out.homes.push(file.module(db).clone());
        }
    }
    out
}

/// Does an item stand where a ruleset does? What is there is the game itself.
pub(crate) fn is_home<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> bool {
    demands(db, universe).homes.contains(item.file(db).module(db))
}

/// Cards that have to have one card each: with a front, a back, and a name of their own.
pub(crate) fn single_card(db: &dyn salsa::Database, universe: Universe) -> Vec<Found> {
    let demands = demands(db, universe);
    let mut out = Vec::new();
    if demands.single_card.is_empty() {
        return out;
    }
    let mut titles: FxHashMap<(Key, SmolStr), String> = FxHashMap::default();
    for file in universe.files(db) {
        for item in items(db, *file).iter().filter(|i| is_card(db, **i)) {
            let Some(printed) = printed(db, universe, *item).as_ref() else {
                out.extend(without_a_face(db, universe, *item, demands).map(|d| (*file, item.start(db), d)));
                continue;
            };
            let Some(demand) = owner_of(db, universe, &printed.kind, &demands.single_card) else { continue };
            let mut say = |d: Diagnostic| out.push((*file, item.start(db), d.breaks(&demand.covers)));
            out_of_reach(db, universe, *item, printed).into_iter().for_each(&mut say);
            let faces = faces_of(db, universe, KeyName::new(db, printed.kind.clone()));
            for (side, word) in [(Side::Front, "front"), (Side::Back, "back")] {
                let count = faces.iter().filter(|f| f.side == side).count();
                if count == 0 {
                    say(no_card(&printed.title, printed.name_span, word));
                } else if count > 1 {
                    let names: Vec<String> = faces.iter().filter(|f| f.side == side).map(|f| format!("`{}`", f.name)).collect();
                    say(Diagnostic::error(
                        "two-cards",
                        printed.name_span,
                        format!("“{}” would have {count} cards: its kind has {count} faces for the {word}.", printed.title),
                    )
                    .note(format!("The faces are {}.", names.join(", ")))
                    .help("Keep one of them."));
                }
            }
            let at = file.path(db).to_string();
            if let Some(first) = titles.insert((demand.kind.clone(), printed.title.clone()), at) {
                say(Diagnostic::error("two-cards", printed.name_span, format!("There are two cards called “{}”.", printed.title))
                    .note(format!("The other one is in {first}."))
                    .help("Give one of them another title, or remove it: each has one card only."));
            }
        }
    }
    out
}

/// What a card names and nobody could look up: where each thing has one card only, all of it stands there.
fn out_of_reach<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, printed: &Printed) -> Option<Diagnostic> {
    let stays = |strip: &super::Strip| matches!(strip.kind, super::StripKind::Reminders(_)) && !strip.optional;
    if printed.faces.iter().any(|face| face.strips.iter().any(stays)) {
        return None;
    }
    let hir::Item::Card(card) = &elaborate(db, universe, item).hir else { return None };
    let named = [named::had(card), named::spoken_of(card)].concat();
    let (_, first) = named::all_explained(db, universe, named, &mut Vec::new()).into_iter().next()?;
    let what = first.title.unwrap_or_default();
    let front = printed.faces.iter().find(|face| face.side == Side::Front).map_or("front", |face| face.name.as_str());
    let headline = format!("“{}” speaks of {what}, and what that means is printed nowhere for certain.", printed.title);
    let help =
        format!("Put `reminders` into the face `{front}`, without `optional`: here everything about a thing stands on its own card.");
    Some(Diagnostic::error(Code::PrintedNowhere, printed.name_span, headline).help(help))
}

fn no_card(title: &str, span: Span, side: &str) -> Diagnostic {
    Diagnostic::error("no-card", span, format!("“{title}” has no card: nothing says how its {side} is printed."))
        .help(format!("Declare a face for it: `face {side} of … {{ side: {side}  title \"{{name}}\" … }}`."))
}

fn owner_of<'d>(db: &dyn salsa::Database, universe: Universe, kind: &Key, owners: &'d [Demand]) -> Option<&'d Demand> {
    let info = kind_by_key(db, universe, kind)?;
    owners.iter().find(|owner| info.is_a(&owner.kind))
}

/// A card whose kind has no face at all is not printed, which may be forbidden.
fn without_a_face<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, demands: &Demands) -> Option<Diagnostic> {
    let hir::Item::Card(card) = &elaborate(db, universe, item).hir else { return None };
    let demand = owner_of(db, universe, &card.kind, &demands.single_card).filter(|_| !card.template)?;
    Some(no_card(&card.title, card.name_span, "front").breaks(&demand.covers))
}

/// Rules that stand where the rule system allows none.
pub(crate) fn homeless_rules<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, hir: &hir::Item) -> Vec<Diagnostic> {
    // cards are many: most have nothing to ask for
    let (subject, span) = match hir {
        hir::Item::Rules(rules) => ("This rule belongs to no card".to_string(), rules.first().map(|r| r.span)),
        hir::Item::Card(card) => (card.kind.to_string(), first_rule(card)),
        hir::Item::Kind(kind) if !kind.roles.part && !kind.roles.game && !kind.roles.player => {
            (kind.key.to_string(), kind.rules.first().map(|r| r.span))
        }
        _ => return Vec::new(),
    };
    let Some(span) = span else { return Vec::new() };
    let demands = demands(db, universe);
    if demands.rules_only_on.is_empty() || demands.homes.contains(item.file(db).module(db)) {
        return Vec::new();
    }
    let subject = match hir {
        hir::Item::Card(hir::Card { kind, .. }) | hir::Item::Kind(hir::Kind { key: kind, .. }) => {
            if owner_of(db, universe, kind, &demands.rules_only_on).is_some() {
                return Vec::new();
            }
            let Some(info) = kind_by_key(db, universe, kind) else { return Vec::new() };
            if info.roles.part {
                return Vec::new();
            }
            format!("{} cannot hold rules", crate::elaborate::with_capital_article(&info.name))
        }
        _ => subject,
    };
    let owners: Vec<String> = demands
        .rules_only_on
        .iter()
        .filter_map(|owner| kind_by_key(db, universe, &owner.kind))
        .map(|k| spaced(&k.plural).to_string())
        .collect();
    let owners = owners.join(" and ");
    let covers: Vec<&SmolStr> = demands.rules_only_on.iter().flat_map(|demand| &demand.covers).collect();
    let line = crate::elaborate::first_line(span, item.text(db));
    vec![
        Diagnostic::error("rule-without-owner", line, format!("{subject}: in this rule system rules belong to {owners}."))
            .breaks(&covers)
            .help("Put it on the card that it belongs to, or give it a card of its own."),
    ]
}

fn first_rule(card: &hir::Card) -> Option<Span> {
    let stored = card.values.iter().filter_map(|(_, v)| match v {
        CardValue::Rules(rules) => rules.first().map(|r| r.span),
        CardValue::Effect { body, .. } => body.stmts.first().map(|s| s.span),
        _ => None,
    });
    card.rules.iter().map(|r| r.span).chain(stored).min()
}
