//! The hardest passages of five rule systems must read without a complaint.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use banneret_grammar::ast::ItemKind;
use banneret_grammar::{ChunkKind, parse_item, split};

#[test]
fn samples_read_without_errors() {
    let mut wrong = String::new();
    let mut items = 0;
    for (path, text) in common::samples() {
        for chunk in split(&text) {
            let parsed = parse_item(chunk.text(&text));
            items += 1;
            if chunk.kind != ChunkKind::Item || !parsed.errors.is_empty() || parsed.item.kind == ItemKind::Broken {
                for e in &parsed.errors {
                    let at = (e.span.start as usize + chunk.start as usize).min(text.len());
                    let line = text[..at].matches('\n').count() + 1;
                    let rest = text[at..].lines().next().unwrap_or("");
                    wrong += &format!("{}:{line}: {} {} at `{rest}`\n", path, e.code, e.message);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(items > 60, "only {items} items");
}
