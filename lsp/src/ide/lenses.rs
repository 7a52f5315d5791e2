//! What can be done with something, shown above it: run a test, measure odds, look at a card.

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{Item, items, parse};
use banneret_compiler::measure::starts;
use banneret_compiler::names::key_of;
use banneret_compiler::printed::printed;
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{ItemKind, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::{Ide, describe, odds, sums, words};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub at: Span,
    pub does: Does,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Runs the test with these words.
    Run(String),
    /// Measures the card or part with this key.
    Measure(String),
    /// Shows the card that starts here.
    Show,
    /// Plays the scenario of this name.
    Play(String),
}

pub fn lenses(ide: Ide<'_>, file: SourceFile) -> Vec<Lens> {
    let mut out = Vec::new();
    let played = scenarios(ide);
    for item in items(ide.db, file) {
        let start = item.start(ide.db);
        match &parse(ide.db, *item).item.kind {
            ItemKind::Test(test) => out.push(Lens { at: test.words.span.shifted(start), does: Does::Run(test.words.text.to_string()) }),
            ItemKind::Card(card) if card.template.is_none() => {
                let Some(name) = &card.name else { continue };
                let key = key_of(file.module(ide.db), &name.text).to_string();
                if printed(ide.db, ide.universe, *item).as_ref().is_some_and(|printed| !printed.faces.is_empty()) {
                    out.push(Lens { at: name.span.shifted(start), does: Does::Show });
                }
                if sums::kind(ide, *item, card).is_some_and(|kind| played.iter().any(|scenario| kind.is_a(scenario))) {
                    out.push(Lens { at: name.span.shifted(start), does: Does::Play(name.text.to_string()) });
                }
                let parts = card.block.iter().flat_map(|b| &b.lines).filter_map(|line| match line {
                    Line::Part(part) => part.name.as_ref(),
                    _ => None,
                });
                let parts = parts.map(|part| (part.span, format!("{key}.{}", part.text)));
                let measured = std::iter::once((name.span, key.clone())).chain(parts).filter(|(_, key)| odds::is_measured(ide, key));
                out.extend(measured.map(|(span, key)| Lens { at: span.shifted(start), does: Does::Measure(key) }));
            }
            _ => {}
        }
    }
    out
}

/// The kinds of cards that a game is played with: what the phase takes that a rule system starts its games with.
fn scenarios(ide: Ide<'_>) -> Vec<SmolStr> {
    let phases = starts(ide.db, ide.universe).iter().filter_map(|key| words::declaration(ide, key));
    let with = phases.filter_map(|found| describe::signature(ide, found).params.iter().find(|p| p.prep.as_deref() == Some("with")));
    with.filter_map(|param| match &param.ty {
        Ty::Kind(kind) => Some(kind.clone()),
        _ => None,
    })
    .collect()
}

/// The tests of a file: their words, where these stand, and the item.
pub fn tests(ide: Ide<'_>, file: SourceFile) -> Vec<(String, Span, Item<'_>)> {
    let all = items(ide.db, file).iter().filter(|item| item.header(ide.db).starts_with("test "));
    let tests = all.filter_map(|item| match &parse(ide.db, *item).item.kind {
        ItemKind::Test(test) => Some((test.words.text.to_string(), test.words.span.shifted(item.start(ide.db)), *item)),
        _ => None,
    });
    tests.collect()
}
