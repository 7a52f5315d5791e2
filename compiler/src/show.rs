//! What an item looks like at each stage, and the words of cards.

use std::collections::BTreeMap;

use crate::api::{Override, Stage};
use crate::build::{line_starts, lowered};
use crate::db::{SourceFile, Universe};
use crate::elaborate::elaborate;
use crate::hir::{self, Key};
use crate::items::{Item, declares, items};
use crate::listing::listing;
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

/// Cards whose author wrote the rules text.
pub fn overrides(db: &dyn salsa::Database, universe: Universe) -> Vec<Override> {
    let mut out = Vec::new();
    for file in universe.files(db) {
        let starts = line_starts(db, *file);
        for item in items(db, *file) {
            if let hir::Item::Card(card) = &elaborate(db, universe, *item).hir
                && let Some(written) = &card.says
            {
                let offset = item.start(db) + card.name_span.start;
                let line = starts.partition_point(|s| *s <= offset);
                out.push(Override {
                    file: file.path(db).to_string(),
                    line: u32::try_from(line).unwrap_or(0),
                    card: card.title.to_string(),
                    written: written.to_string(),
                    generated: words::plain(&words::generated_text(card, &Lookup { db, universe })),
                });
            }
        }
    }
    out
}

/// An item by its name, at a stage.
pub fn show(db: &dyn salsa::Database, universe: Universe, name: &str, stage: Stage) -> Option<String> {
    let files = universe.files(db).iter().chain(universe.library(db));
    let mut found: Option<Item<'_>> = None;
    for file in files {
        for item in items(db, *file) {
            if declares(db, *item).iter().any(|d| d.name == name) {
                found = Some(*item);
                break;
            }
        }
        if found.is_some() {
            break;
        }
    }
    let item = found?;
    Some(match stage {
        Stage::Source => format!("{}\n", item.text(db)),
        Stage::Tree => reading::tree(item.text(db)),
        Stage::Types => reading::meanings(db, universe, item),
        Stage::Bytecode => listing(lowered(db, universe, item), item.text(db)),
        Stage::Text => match &elaborate(db, universe, item).hir {
            hir::Item::Card(card) => format!("{}\n", words::plain(&words::card_text(card, &Lookup { db, universe }))),
            hir::Item::Keyword(keyword) => format!("{}\n", words::plain(&[words::keyword_text(keyword, &Lookup { db, universe })])),
            _ => return None,
        },
    })
}
