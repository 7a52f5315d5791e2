//! A card that is read in parts is read like the whole.

#![allow(clippy::unwrap_used)]

use banneret_grammar::ast::{Card, ItemKind, Line};
use banneret_grammar::parts::{parts, without};
use banneret_grammar::{parse_item, split};

fn files() -> Vec<String> {
    let mut folders = vec!["tests/samples".into(), "../stdlib".into(), "../content".into()];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let folder: std::path::PathBuf = folder;
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "banner") {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

fn card(text: &str) -> Option<Card> {
    let parsed = parse_item(text);
    match parsed.item.kind {
        ItemKind::Card(card) if parsed.errors.is_empty() => Some(card),
        _ => None,
    }
}

/// Reads an item in parts and as a whole. If it can be read in parts without a mistake, it must be the same. Gives how many parts it has.
fn both(text: &str) -> usize {
    let cut = parts(text);
    let rest = without(text, &cut);
    assert_eq!(rest.len(), text.len());
    let (false, Some(rest)) = (cut.is_empty(), card(&rest)) else { return 0 };
    let alone = |span: &banneret_grammar::span::Span| card(span.of(text)).map(|part| (span.start, part));
    let Some(parts) = cut.iter().map(alone).collect::<Option<Vec<_>>>() else { return 0 };
    let whole = card(text).unwrap_or_else(|| panic!("wrong only as a whole: {text}"));
    let (of_whole, others): (Vec<Line>, Vec<Line>) = whole.block.unwrap().lines.into_iter().partition(|line| is_cut(line, &cut));
    assert_eq!(others, rest.block.unwrap().lines, "{text}");
    assert_eq!((whole.word, whole.name, whole.title, whole.of, whole.from), (rest.word, rest.name, rest.title, rest.of, rest.from));
    assert_eq!(of_whole.len(), parts.len(), "{text}");
    for (line, (start, part)) in of_whole.iter().zip(&parts) {
        let Line::Part(line) = line else { panic!("{line:?}") };
        assert_eq!(format!("{line:?}"), moved(&format!("{part:?}"), *start), "{text}");
    }
    parts.len()
}

fn is_cut(line: &Line, parts: &[banneret_grammar::span::Span]) -> bool {
    matches!(line, Line::Part(part) if parts.iter().any(|span| span.start == part.span.start))
}

/// What a tree looks like, with all its places moved.
fn moved(tree: &str, by: u32) -> String {
    let mut out = String::new();
    let mut pieces = tree.split("start: ");
    out.push_str(pieces.next().unwrap());
    for piece in pieces {
        let digits = piece.find(|c: char| !c.is_ascii_digit()).unwrap();
        let (start, piece) = piece.split_at(digits);
        let (between, piece) = piece.split_at(piece.find("end: ").unwrap() + 5);
        let (end, rest) = piece.split_at(piece.find(|c: char| !c.is_ascii_digit()).unwrap());
        let plus = |n: &str| n.parse::<u32>().unwrap() + by;
        out.push_str(&format!("start: {}{between}{}{rest}", plus(start), plus(end)));
    }
    out
}

#[test]
fn parts_are_read_like_the_whole() {
    let mut found = 0;
    for text in files() {
        for chunk in split(&text) {
            found += both(chunk.text(&text));
        }
    }
    assert!(found > 100, "only {found} parts");
}

#[test]
fn broken_cards_are_broken_in_parts_too() {
    let mut seed = 1_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below.max(1)
    };
    for text in files() {
        let chunks = split(&text);
        let cards: Vec<&str> = chunks.iter().map(|chunk| chunk.text(&text)).filter(|text| !parts(text).is_empty()).collect();
        for _ in 0..if cards.is_empty() { 0 } else { 100 } {
            let item = cards[random(cards.len())];
            let (from, to) = (random(item.len()), random(item.len()));
            let (from, to) = (item.floor_char_boundary(from), item.floor_char_boundary(to));
            both(&format!("{}{}", &item[..from], &item[to..]));
            both(&format!("{}{}{}", &item[..from], &item[from.min(to)..to], &item[from..]));
            both(&item[..to]);
        }
    }
}

#[test]
fn only_what_is_surely_a_part_is_cut() {
    let count = |lines: &str| {
        let card = format!("unit A {{\n  x: 1\n{lines}\n}}");
        both(&card);
        parts(&card).len()
    };
    assert_eq!(count("  weapon B { x: 1 }\n  weapon C \"The C\" {\n    x: 2 // {\n  }"), 2);
    assert_eq!(count("  weapon B { x: \"}\" }  "), 1);
    // a block of the card's own, rules, and parts that say more
    for lines in [
        "  effect { deal 1 to foe }",
        "  grant this { move +1s }",
        "  after strike by this { deal 1 to it }",
        "  if Foo { x: 1 }",
        "  weapon B of C { x: 1 }",
        "  weapon B from C { x: 1 }",
        "  y: [\n  weapon B { }\n  ]",
        "  effect {\n    weapon B { }\n  }",
        "  weapon B { x: 1 } weapon C { x: 1 }",
        "  weapon B { x: 1 }\n  until end of round",
        "  weapon B { x: 1\n}\n  }",
        "  weapon B { x: 1",
        "  weapon this { x: 1 }",
        "  3 weapon { x: 1 }",
    ] {
        assert_eq!(count(lines), 0, "{lines}");
    }
}
