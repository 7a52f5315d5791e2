//! What must hold for every text, however broken.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use banneret_grammar::{ChunkKind, format, parse_item, parse_tree, split};
use common::{samples, shape, shapes};
use proptest::prelude::*;

/// Everything that can be done with a text, and the promises that hold without knowing it.
fn check(text: &str) {
    let chunks = split(text);
    let mut at = 0;
    for chunk in &chunks {
        assert!(chunk.start >= at && chunk.end > chunk.start && chunk.end as usize <= text.len(), "chunks in order");
        gap_is_trivia(&text[at as usize..chunk.start as usize]);
        let own = chunk.text(text);
        let parsed = parse_item(own);
        if chunk.kind == ChunkKind::Stray {
            assert!(!parsed.errors.is_empty(), "stray text is reported: {own:?}");
        }
        for e in &parsed.errors {
            assert!(e.span.start <= e.span.end && e.span.end as usize <= own.len(), "{e:?} in {own:?}");
            assert!(own.is_char_boundary(e.span.start as usize) && own.is_char_boundary(e.span.end as usize), "{e:?} in {own:?}");
            if let Some((span, _)) = &e.fix {
                assert!(own.get(span.start as usize..span.end as usize).is_some(), "{e:?} in {own:?}");
            }
        }
        let broken = format!("{:?}", parsed.item).contains("Broken");
        assert!(!broken || !parsed.errors.is_empty(), "what is broken is reported: {own:?}");
        lossless(own);
        at = chunk.end;
    }
    gap_is_trivia(&text[at as usize..]);

    let formatted = format(text);
    assert_eq!(format(&formatted), formatted, "formatting twice changes nothing: {text:?}");
    let bare = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(bare(text), bare(&formatted), "formatting keeps every token and comment");
    assert_eq!(shapes(text), shapes(&formatted), "formatting keeps the meaning: {text:?} {formatted:?}");
}

fn gap_is_trivia(gap: &str) {
    for line in gap.trim_start_matches('\u{feff}').lines() {
        let line = line.trim_matches([' ', '\t', '\r']);
        assert!(line.is_empty() || line.starts_with("//"), "between chunks: {line:?}");
    }
}

fn lossless(text: &str) {
    let tree = parse_tree(text);
    let mut at = 0;
    let mut stack = vec![0u32];
    while let Some(node) = stack.pop() {
        let node = &tree.nodes[node as usize];
        if node.children.is_empty() {
            assert_eq!(node.span.start, at, "leaves touch");
            at = node.span.end;
        }
        stack.extend(node.children.iter().rev());
    }
    assert_eq!(at as usize, text.len(), "leaves cover the item {text:?}");
}

#[test]
fn samples_keep_the_promises() {
    for (_, text) in samples() {
        check(&text);
    }
}

/// The items that lie wholly outside an edit at `at..at + cut` keep their shapes.
fn others_stay(text: &str, before: &[(u32, u32, String)], at: usize, cut: usize) {
    let edited = format!("{}{}", &text[..at], &text[at + cut..]);
    let after: Vec<String> = shapes(&edited);
    let outside: Vec<&String> =
        before.iter().filter(|(s, e, _)| *e as usize <= at || *s as usize >= at + cut).map(|(_, _, shape)| shape).collect();
    let mut rest = after.iter();
    for shape in outside {
        assert!(rest.any(|s| s == shape), "an edit at {at} ({:?}) changed another item:\n{shape}\n{edited}", &text[at..at + cut]);
    }
}

fn numbered(text: &str) -> Vec<(u32, u32, String)> {
    split(text).iter().map(|c| (c.start, c.end, shape(&parse_item(c.text(text)).item))).collect()
}

/// Words, numbers and signs of a text with their places.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        if !c.is_whitespace() {
            match out.last_mut() {
                Some(token) if c.is_alphanumeric() && last.is_alphanumeric() => token.1 = at + c.len_utf8(),
                _ => out.push((at, at + c.len_utf8())),
            }
        }
        last = c;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(100, |n| n.parse().expect("CASES")), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_accepted(text in "\\PC{0,200}") {
        check(&text);
    }

    #[test]
    fn any_text_of_our_signs_is_accepted(text in "([a-z]{1,3}|[A-Z]|[0-9]|[ \t\r\n\u{0}\u{1}\u{b}{}()\\[\\],;:=<>.+*/\"|?!&-]|\n\n|if |for |choose |grant |table |until |where |of |//|\"\"\"){0,80}") {
        check(&text);
    }

    #[test]
    fn lines_in_any_order_are_accepted(seed in any::<u64>(), count in 1usize..40) {
        let all = samples();
        let lines: Vec<&str> = all.iter().flat_map(|(_, t)| t.lines()).collect();
        let mut state = seed | 1;
        let mut text = String::new();
        for _ in 0..count {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += lines[(state >> 33) as usize % lines.len()];
            text.push('\n');
        }
        check(&text);
    }

    #[test]
    fn a_deleted_token_costs_its_item_only(file in 0usize..6, token in any::<prop::sample::Index>()) {
        let (_, text) = &samples()[file];
        // taking a slash from a comment between items makes it code: only what is inside an item may be deleted
        let before = numbered(text);
        let inside = |t: &(usize, usize)| before.iter().any(|(s, e, _)| *s as usize <= t.0 && t.1 <= *e as usize);
        let tokens: Vec<_> = tokens(text).into_iter().filter(inside).collect();
        let (start, end) = tokens[token.index(tokens.len())];
        others_stay(text, &before, start, end - start);
        check(&format!("{}{}", &text[..start], &text[end..]));
    }

    #[test]
    fn a_cut_costs_its_item_only(file in 0usize..6, at in any::<prop::sample::Index>()) {
        let (_, text) = &samples()[file];
        let mut at = at.index(text.len());
        // half of a `//` between items would be code
        while !text.is_char_boundary(at) || text[..at].ends_with('/') {
            at -= 1;
        }
        others_stay(text, &numbered(text), at, text.len() - at);
        check(&text[..at]);
    }
}
