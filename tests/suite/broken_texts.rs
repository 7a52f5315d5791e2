//! Texts that are broken in one place: nothing panics, and what is not touched is read as before.
//!
//! Every source of the rule systems and of the content is used. A sample of the places is tried; with `BANNERET_EXHAUSTIVE=1` all of them are.

use std::path::Path;

use banneret_grammar::{Chunk, ChunkKind, parse_item, split};
use banneret_tests::files::{shown, sources, text};
use banneret_tests::workbench::Workbench;

/// How many of `all` places are tried.
fn sampled(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = if std::env::var_os("BANNERET_EXHAUSTIVE").is_some() { 1 } else { all.div_ceil(most.max(1)).max(1) };
    // an odd start moves the sample away from the first lines of every file
    (step / 2..all).step_by(step)
}

/// The items of a text. Reading one is a pure function of its own text, so equal texts are equal trees.
fn items(source: &str) -> Vec<Chunk> {
    split(source).into_iter().filter(|c| c.kind != ChunkKind::Stray).collect()
}

/// Words, numbers, strings of signs: the smallest things that can be deleted.
fn tokens(source: &str) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut in_word = false;
    for (at, c) in source.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if word && in_word {
            if let Some(last) = out.last_mut() {
                last.1 = at + c.len_utf8();
            }
        } else if !c.is_whitespace() {
            out.push((at, at + c.len_utf8()));
        }
        in_word = word;
    }
    out
}

/// Takes `from..to` out of a text: every item that lies wholly outside is still an item, and whatever became of the others can be read.
fn others_stay(path: &Path, source: &str, before: &[Chunk], from: usize, to: usize) {
    let edited = format!("{}{}", &source[..from], &source[to..]);
    let after = split(&edited);
    let outside = before.iter().filter(|i| i.end as usize <= from || i.start as usize >= to);
    let mut next = 0;
    for item in outside {
        let own = item.text(source);
        let found = after[next..].iter().position(|c| c.kind == item.kind && c.text(&edited) == own);
        let Some(skipped) = found else {
            panic!("{}: without {:?} at {from} another item is read differently:\n{own}", shown(path), &source[from..to]);
        };
        for touched in &after[next..next + skipped] {
            let _ = parse_item(touched.text(&edited));
        }
        next += skipped + 1;
    }
    for touched in &after[next..] {
        let _ = parse_item(touched.text(&edited));
    }
}

#[test]
fn a_deleted_token_costs_its_item_only() {
    let files = sources();
    for path in &files {
        let source = text(path);
        let before = items(&source);
        let inside = |(start, end): &(usize, usize)| before.iter().any(|i| i.start as usize <= *start && *end <= i.end as usize);
        let tokens: Vec<(usize, usize)> = tokens(&source).into_iter().filter(inside).collect();
        for n in sampled(tokens.len(), 40) {
            let (start, end) = tokens[n];
            others_stay(path, &source, &before, start, end);
        }
    }
}

#[test]
fn a_cut_costs_its_item_only() {
    for path in &sources() {
        let source = text(path);
        let before = items(&source);
        for mut at in sampled(source.len(), 40) {
            // half of a `//` between items would be text
            while !source.is_char_boundary(at) || source[..at].ends_with('/') {
                at -= 1;
            }
            others_stay(path, &source, &before, at, source.len());
        }
    }
}

/// Projects with one broken file are checked to the end.
#[test]
fn broken_projects_are_checked_without_a_panic() {
    let mut bench = Workbench::default();
    let libraries = banneret_compiler::stdlib::rule_systems();
    for (n, path) in sources().iter().enumerate() {
        let source = format!("use {}\n\n{}", libraries[n % libraries.len()], text(path));
        let tokens = tokens(&source);
        for k in sampled(tokens.len(), 1) {
            let (start, end) = tokens[k];
            let edited = format!("{}{}", &source[..start], &source[end..]);
            let _ = bench.check(&[("broken.banner", &edited)]);
        }
        for mut at in sampled(source.len(), 1) {
            while !source.is_char_boundary(at) {
                at -= 1;
            }
            let _ = bench.check(&[("broken.banner", &source[..at])]);
        }
    }
}

/// A whole rule system with one file broken: its own names are missing where it is used.
#[test]
fn broken_rule_systems_are_checked_without_a_panic() {
    for library in banneret_compiler::stdlib::libraries().iter().filter(|l| l.is_rule_system()) {
        let whole: Vec<(&str, &str)> = library.sources().collect();
        let mut bench = Workbench::default();
        for broken in 0..whole.len() {
            let (_, source) = whole[broken];
            let tokens = tokens(source);
            for k in sampled(tokens.len(), 1) {
                let (start, end) = tokens[k];
                let edited = format!("{}{}", &source[..start], &source[end..]);
                let files: Vec<(&str, &str)> =
                    whole.iter().enumerate().map(|(i, (path, text))| (*path, if i == broken { edited.as_str() } else { *text })).collect();
                let _ = bench.check(&files);
            }
        }
    }
}
