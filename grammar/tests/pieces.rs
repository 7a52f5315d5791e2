//! A card that is read in pieces is read like the whole.

#![allow(clippy::unwrap_used)]

mod common;

use banneret_grammar::ast::{Card, ItemKind, Line};
use banneret_grammar::pieces::{Cut, head, pieces, without};
use banneret_grammar::span::Span;
use banneret_grammar::{parse_item, split};

fn card(text: &str) -> Option<Card> {
    let parsed = parse_item(text);
    match parsed.item.kind {
        ItemKind::Card(card) if parsed.errors.is_empty() => Some(card),
        _ => None,
    }
}

/// A piece read by itself, as a line of the card, with places counted from its start.
fn alone(cut: &Cut, text: &str) -> Option<String> {
    if cut.is_part() {
        return Some(format!("{:?}", card(cut.text(text))?));
    }
    let before = "unit A { ";
    let card = card(&format!("{before}{} }}", cut.text(text)))?;
    let lines = card.block?.lines;
    assert_eq!(lines.len(), 1, "{}", cut.text(text));
    Some(back(&format!("{:?}", lines[0]), before.len() as u32))
}

/// Reads an item in pieces and as a whole. If it can be read in pieces without a mistake, it must be the same. Gives how many parts and fields it has.
fn both(text: &str) -> (usize, usize) {
    let cut = pieces(text);
    let spans: Vec<Span> = cut.iter().map(|cut| cut.span).collect();
    let rest = without(text, &spans);
    assert_eq!(rest.len(), text.len());
    let (false, Some(rest)) = (cut.is_empty(), card(&rest)) else { return (0, 0) };
    let Some(pieces) = cut.iter().map(|cut| alone(cut, text)).collect::<Option<Vec<_>>>() else { return (0, 0) };
    let whole = card(text).unwrap_or_else(|| panic!("wrong only as a whole: {text}"));
    let (of_whole, others): (Vec<Line>, Vec<Line>) = whole.block.unwrap().lines.into_iter().partition(|line| is_cut(line, &cut));
    assert_eq!(others, rest.block.unwrap().lines, "{text}");
    let (of, from) = (rest.of.clone(), rest.from.clone());
    assert_eq!((&whole.word, &whole.name, &whole.title, whole.of, whole.from), (&rest.word, &rest.name, &rest.title, of, from));
    if let Some(head) = head(text, spans.iter().copied()) {
        assert!(others.is_empty() && rest.from.is_none() && rest.template.is_none(), "{text}");
        assert_eq!(
            (&*whole.word.text, whole.name.map(|name| (name.text, name.span))),
            (head.word, Some((head.name.into(), head.name_span)))
        );
        assert_eq!(whole.title.map(|title| title.text), head.title.map(Into::into), "{text}");
        assert_eq!(rest.of.as_ref().map(|of| &*of.text), head.of, "{text}");
        assert_eq!(whole.span, Span::new(0, text.trim_ascii_end().len() as u32), "{text}");
        let any = card(&head.of_any_card()).unwrap();
        assert_eq!((&any.word, any.of.map(|of| of.text)), (&rest.word, rest.of.map(|of| of.text)), "{text}");
    }
    assert_eq!(of_whole.len(), pieces.len(), "{text}");
    for (line, (cut, piece)) in of_whole.iter().zip(cut.iter().zip(&pieces)) {
        let line = match line {
            Line::Part(part) => format!("{part:?}"),
            line => format!("{line:?}"),
        };
        assert_eq!(line, moved(piece, i64::from(cut.span.start)), "{text}");
    }
    let parts = cut.iter().filter(|cut| cut.is_part()).count();
    (parts, cut.len() - parts)
}

fn is_cut(line: &Line, cut: &[Cut]) -> bool {
    let (start, is_part) = match line {
        Line::Part(part) => (part.span.start, true),
        Line::Field { span, .. } => (span.start, false),
        _ => return false,
    };
    cut.iter().any(|cut| cut.span.start == start && cut.is_part() == is_part)
}

fn back(tree: &str, by: u32) -> String {
    moved(tree, -i64::from(by))
}

/// What a tree looks like, with all its places moved.
fn moved(tree: &str, by: i64) -> String {
    let mut out = String::new();
    let mut pieces = tree.split("start: ");
    out.push_str(pieces.next().unwrap());
    for piece in pieces {
        let digits = piece.find(|c: char| !c.is_ascii_digit()).unwrap();
        let (start, piece) = piece.split_at(digits);
        let (between, piece) = piece.split_at(piece.find("end: ").unwrap() + 5);
        let (end, rest) = piece.split_at(piece.find(|c: char| !c.is_ascii_digit()).unwrap());
        let plus = |n: &str| n.parse::<i64>().unwrap() + by;
        out.push_str(&format!("start: {}{between}{}{rest}", plus(start), plus(end)));
    }
    out
}

#[test]
fn pieces_are_read_like_the_whole() {
    let (mut parts, mut fields) = (0, 0);
    for text in common::sources() {
        for chunk in split(&text) {
            let found = both(chunk.text(&text));
            parts += found.0;
            fields += found.1;
        }
    }
    assert!(parts > 100 && fields > 1000, "only {parts} parts and {fields} fields");
}

#[test]
fn broken_cards_are_broken_in_pieces_too() {
    let mut seed = 1_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below.max(1)
    };
    for text in common::sources() {
        let chunks = split(&text);
        let cards: Vec<&str> = chunks.iter().map(|chunk| chunk.text(&text)).filter(|text| !pieces(text).is_empty()).collect();
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
        pieces(&card).iter().filter(|cut| cut.is_part()).count()
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
        "  x: 1, weapon B { x: 1 }",
    ] {
        assert_eq!(count(lines), 0, "{lines}");
    }
}

#[test]
fn only_short_fields_are_cut() {
    let fields = |card: &str| -> Vec<String> {
        both(card);
        pieces(card).iter().filter(|cut| !cut.is_part()).map(|cut| cut.text(card).to_string()).collect()
    };
    assert_eq!(fields("unit A { x: 1, y: 6\", z: [B, C], w: d6 }"), ["x: 1", "y: 6\"", "z: [B, C]"]);
    assert_eq!(fields("unit A {\n  x: 1 // one\n  y: 4+; z: 1 AP\n\n  w: B,\n  weapon C { x: 1 }\n}"), ["y: 4+", "z: 1 AP", "w: B"]);
    for lines in
        ["x: \"words\"", "x: 1000", "x: 2\n  until end of round", "x: y + 1", "target foe: units", "weapon B { x: 1 }", "x: [1,\n2]"]
    {
        assert_eq!(fields(&format!("unit A {{\n  {lines}\n}}")), Vec::<String>::new(), "{lines}");
    }
}

#[test]
fn the_head_of_a_card_is_read_like_the_whole() {
    let read = |text: &str| {
        both(text);
        head(text, pieces(text).iter().map(|cut| cut.span))
            .map(|head| (head.of_any_card(), head.name.to_string(), head.title.map(str::to_string)))
    };
    let found = |any: &str, name: &str, title: Option<&str>| Some((any.to_string(), name.to_string(), title.map(str::to_string)));
    assert_eq!(read("unit A \"The A\" of B {\n  x: 1, y: 2\n  weapon C { z: 3 }\n\n}"), found("unit Card of B {}", "A", Some("The A")));
    assert_eq!(read("unit  A { x: 1 }"), found("unit Card {}", "A", None));
    for text in [
        "unit A { x: 1, y: \"2\" }",
        "unit A { x: 1 } }",
        "unit A { x: 1",
        "unit A template { x: 1 }",
        "unit A from B { x: 1 }",
        "unit A \"a \\\" quote\" { x: 1 }",
        "unit A { // so\n  x: 1\n}",
        "unit A { todo \"more\"\n  x: 1\n}",
        "unit A of B of C { x: 1 }",
        "unit this { x: 1 }",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
