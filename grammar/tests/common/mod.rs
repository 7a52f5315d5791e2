//! What the tests share: the samples, and views without their spans.
#![allow(dead_code)]

use banneret_grammar::ast::Item;
use banneret_grammar::{parse_item, split};

pub fn samples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("samples")
        .map(|file| {
            let path = file.expect("file").path();
            (path.display().to_string(), std::fs::read_to_string(&path).expect("text"))
        })
        .collect();
    files.sort();
    files
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
