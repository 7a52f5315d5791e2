//! What an item looks like at each stage, and the words of cards.

use std::collections::BTreeMap;

use banneret_grammar::span::Span;

use crate::api::{Override, Stage};
use crate::build::{line_starts, lowered};
use crate::db::{SourceFile, Universe};
use crate::elaborate::elaborate;
use crate::hir::{self, Key};
use crate::items::{Item, declares, items};
use crate::listing::listing;
use crate::names::short;
use crate::reading;
use crate::words::{self, Lookup};

/// Rules text of every card, by key.
pub fn texts(db: &dyn salsa::Database, universe: Universe, files: &[SourceFile]) -> BTreeMap<Key, String> {
    let mut out = BTreeMap::new();
    for file in files {
        for item in items(db, *file) {
            out.extend(item_texts(db, universe, *item).iter().cloned());
        }
    }
    out
}

/// The words of one card and of those nested in it.
#[salsa::tracked(returns(deref))]
fn item_texts<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Vec<(Key, String)> {
    match &elaborate(db, universe, item).hir {
        hir::Item::Card(card) => words::card_texts(card, &Lookup { db, universe }),
        _ => Vec::new(),
    }
}

/// Cards, parts, rows and keywords whose author wrote the rules text.
pub fn overrides(db: &dyn salsa::Database, universe: Universe) -> Vec<Override> {
    let mut out = Vec::new();
    let lookup = Lookup { db, universe };
    for file in universe.files(db) {
        let starts = line_starts(db, *file);
        for item in items(db, *file) {
            let line = |span: Span| u32::try_from(starts.partition_point(|s| *s <= item.start(db) + span.start)).unwrap_or(0);
            let mut push = |card: String, line: u32, written: String, block: Vec<words::TextBlock>, silent: bool| {
                let whole = !silent && block.iter().all(|block| block.unsaid.is_empty());
                out.push(Override { file: file.path(db).to_string(), line, card, written, generated: words::plain(&block), whole });
            };
            match &elaborate(db, universe, *item).hir {
                hir::Item::Card(card) => {
                    let generated = words::generated_text(card, &lookup);
                    let nested = card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row)).filter(|part| part.of.is_none());
                    for one in std::iter::once(card).chain(nested) {
                        let Some(written) = &one.says else { continue };
                        let title = if one.key == card.key { card.title.to_string() } else { format!("{}: {}", card.title, one.title) };
                        let own = generated.iter().filter(|block| block.of == one.key).cloned();
                        let own = own.map(|block| words::TextBlock { title: None, ..block }).collect();
                        push(title, line(one.name_span), written.to_string(), own, words::leaves_out(one, &card.kind, &lookup));
                    }
                }
                hir::Item::Keyword(keyword) if keyword.says.is_some() && !keyword.rules.is_empty() => {
                    let written = words::plain(&[words::keyword_text(keyword, &lookup)]);
                    let bare = hir::Keyword { says: None, ..keyword.clone() };
                    let name = keyword.name.to_string();
                    push(name, line(Span::new(0, 0)), written, vec![words::keyword_text(&bare, &lookup)], false);
                }
                _ => {}
            }
        }
    }
    out
}

/// An item by its name, or a part of a card by its path (`Captain.Sabre`), at a stage.
pub fn show(db: &dyn salsa::Database, universe: Universe, path: &str, stage: Stage) -> Option<String> {
    let (name, below) = path.split_once('.').map_or((path, None), |(name, below)| (name, Some(below)));
    let item = item_called(db, universe, name)?;
    match below {
        None => show_item(db, universe, item, stage),
        Some(below) => show_part(db, universe, item, below, stage),
    }
}

fn item_called<'db>(db: &'db dyn salsa::Database, universe: Universe, name: &str) -> Option<Item<'db>> {
    let mut files = universe.files(db).iter().chain(universe.library(db));
    files.find_map(|file| items(db, *file).iter().copied().find(|item| declares(db, *item).iter().any(|d| d.name == name)))
}

fn show_item<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, stage: Stage) -> Option<String> {
    Some(match stage {
        Stage::Source => format!("{}\n", item.text(db)),
        Stage::Tree => reading::tree(item.text(db)),
        Stage::Types => reading::meanings(db, universe, item, None),
        Stage::Bytecode => instructions(db, universe, item, None),
        Stage::Text => match &elaborate(db, universe, item).hir {
            hir::Item::Card(card) => format!("{}\n", words::plain(&words::card_text(card, &Lookup { db, universe }))),
            hir::Item::Keyword(keyword) => format!("{}\n", words::plain(&[words::keyword_text(keyword, &Lookup { db, universe })])),
            _ => return None,
        },
    })
}

/// What the machine runs, beside the source it comes from.
fn instructions<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, part: Option<Span>) -> String {
    let text_of = |card: Option<&Key>| match card {
        None => &**item.text(db),
        Some(card) => item_called(db, universe, short(card)).map_or("", |item| item.text(db)),
    };
    listing(lowered(db, universe, item), &text_of, part)
}

/// Paths of the parts and rows of a card, as `show` takes them.
pub fn parts(db: &dyn salsa::Database, universe: Universe, card: &str) -> Vec<String> {
    let Some(item) = item_called(db, universe, card) else { return Vec::new() };
    let hir::Item::Card(whole) = &elaborate(db, universe, item).hir else { return Vec::new() };
    nested(whole).map(|part| format!("{card}.{}", part.name)).collect()
}

/// The parts and rows of a card.
fn nested(card: &hir::Card) -> impl Iterator<Item = &hir::Card> {
    card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row))
}

fn show_part<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, path: &str, stage: Stage) -> Option<String> {
    let hir::Item::Card(card) = &elaborate(db, universe, item).hir else { return None };
    let part = path.split('.').try_fold(card, |card, name| nested(card).find(|part| part.name == name))?;
    if stage == Stage::Text {
        let texts = words::card_texts(card, &Lookup { db, universe });
        return Some(texts.into_iter().find(|(key, _)| *key == part.key).map_or(String::new(), |(_, text)| format!("{text}\n")));
    }
    // one that came along with the card this one builds on is written there
    if let Some(base) = part.of.as_deref().filter(|base| *base != card.key) {
        return show_part(db, universe, item_called(db, universe, short(base))?, path, stage);
    }
    let text = item.text(db);
    Some(match stage {
        Stage::Source => format!("{}\n", outdented(text, part.span)),
        Stage::Tree => reading::tree(&outdented(text, part.span)),
        Stage::Types => reading::meanings(db, universe, item, Some(part.span)),
        Stage::Bytecode | Stage::Text => instructions(db, universe, item, Some(part.span)),
    })
}

/// A piece of a text as if it stood alone: its other lines start as far left as its first.
fn outdented(text: &str, span: Span) -> String {
    let before = text.get(..span.start as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let column = line.len() - line.trim_start().len();
    let lines: Vec<&str> = span.of(text).lines().collect();
    let moved = lines.iter().enumerate().map(|(i, line)| match i {
        0 => *line,
        _ => line.get(column.min(line.len() - line.trim_start().len())..).unwrap_or(line),
    });
    moved.collect::<Vec<_>>().join("\n")
}
