//! What the tests share: the samples, and views without their spans.
#![allow(dead_code)]

use banneret_grammar::ast::Item;
use banneret_grammar::{parse_item, split};

#[path = "../../../tests/src/files.rs"]
mod files;

/// Paths and texts of the samples.
pub fn samples() -> Vec<(String, String)> {
    let found = files::below(&files::house().join("grammar/tests/samples"), ".banner");
    assert!(!found.is_empty(), "there are no samples");
    found.iter().map(|path| (files::shown(path), files::text(path))).collect()
}

/// The texts of all files of the language there are here.
pub fn sources() -> Vec<String> {
    let found = files::sources();
    assert!(!found.is_empty(), "there are no rule systems and no content");
    samples().into_iter().map(|(_, text)| text).chain(found.iter().map(|path| files::text(path))).collect()
}

/// The views as text, with every span left out.
pub fn shape(item: &Item) -> String {
    let debug = format!("{item:?}");
    let mut out = String::with_capacity(debug.len() / 2);
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("Span { start: ") {
        out.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('}').map_or(rest.len() - at, |n| n + 1)..];
    }
    out + rest
}

/// The shapes of all items of a file.
pub fn shapes(text: &str) -> Vec<String> {
    split(text).iter().map(|c| shape(&parse_item(c.text(text)).item)).collect()
}
