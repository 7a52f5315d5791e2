//! What is said about a broken line: one thing, at the right place.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_grammar::ast::{ItemKind, Line};
use banneret_grammar::parse_item;

/// `‹code› text` for each error, with the text after its fix if it has one.
fn said(line: &str) -> Vec<String> {
    let text = format!("action a {{\n  before_it\n  {line}\n  after_it\n}}");
    let parsed = parse_item(&text);
    let ItemKind::Action(action) = &parsed.item.kind else { panic!("{line}: {parsed:?}") };
    let lines = &action.block.lines;
    assert!(matches!((&lines[0], lines.last()), (Line::Expr(_), Some(Line::Expr(_)))), "{line}: the lines around it stay: {lines:?}");
    let show = |e: &banneret_grammar::SyntaxError| {
        let fixed = e.fix.as_ref().map(|(span, new)| {
            let mut fixed = text.clone();
            fixed.replace_range(span.start as usize..span.end as usize, new);
            fixed.lines().nth(2).unwrap_or("").trim().to_owned()
        });
        format!("{} `{}`{}", e.code, e.span.of(&text), fixed.map_or(String::new(), |f| format!(" => {f}")))
    };
    parsed.errors.iter().map(show).collect()
}

#[test]
fn one_error_at_the_right_place() {
    for (line, error) in [
        ("health:", "missing-value ``"),
        ("deal 3 to", "missing-value ``"),
        ("let x = ", "missing-value ``"),
        ("let x = a -1", "missing-space `-` => let x = a - 1"),
        ("let x = a+b", "missing-space `+` => let x = a + b"),
        ("if a = b { draw 2 }", "wrong-operator `=` => if a == b { draw 2 }"),
        ("if a && b { draw 2 }", "wrong-operator `&&` => if a and b { draw 2 }"),
        ("if a || b { draw 2 }", "wrong-operator `||` => if a or b { draw 2 }"),
        ("if !a { draw 2 }", "wrong-operator `!` => if not a { draw 2 }"),
        ("table x { 1 => 2; else -> 3 }", "wrong-operator `=>` => table x { 1 -> 2; else -> 3 }"),
        ("let for = 3", "reserved-word `for` => let for_ = 3"),
        ("x = \"oops", "unclosed-string `\"oops` => x = \"oops\""),
        ("deal (3 to foe", "unclosed-bracket `(` => deal (3 to foe)"),
        ("deal 3) to foe", "unclosed-bracket `)` => deal 3 to foe"),
        ("deal 99999999999999999999 to foe", "bad-number `99999999999999999999`"),
        ("if a", "unexpected-token ``"),
        ("a == b == c", "unexpected-token `==`"),
        ("choose x form units", "unexpected-token `form` => choose x from units"),
        ("health: 14 move: 3", "unexpected-token `move` => health: 14, move: 3"),
        ("for x in units { deal 2 to }", "missing-value ``"),
        ("fro x in units { draw 2 }", "unexpected-token `fro x in units`"),
    ] {
        assert_eq!(said(line), [error], "{line}");
    }
}

#[test]
fn braces() {
    let codes = |text: &str| parse_item(text).errors.iter().map(|e| e.code).collect::<Vec<_>>();
    assert_eq!(codes("unit A {\n  x: 1"), ["unclosed-brace"]);
    let inner = parse_item("unit A {\n  weapon B {\n    x: 1\n}");
    assert_eq!((inner.errors.len(), inner.errors[0].code.as_str(), inner.errors[0].span.start), (1, "unclosed-brace", 20));
    assert_eq!(codes("unit A {\n  x: 1 }\n}"), ["stray-text"]);
    assert_eq!(codes("  unit A {\n}"), ["indented-item"]);
    assert_eq!(codes("  foo"), ["stray-text"]);
    assert_eq!(codes("{"), ["missing-brace"]);
}

#[test]
fn a_half_written_header_keeps_its_name() {
    for (text, name) in [("unit Reaver of {\n  health: 14\n}", "Reaver"), ("unit Reaver off X {\n  health: 14\n}", "Reaver")] {
        let parsed = parse_item(text);
        assert_eq!(parsed.errors.len(), 1, "{text}: {:?}", parsed.errors);
        let ItemKind::Card(card) = parsed.item.kind else { panic!("{text}") };
        assert_eq!(&*card.name.expect("name").text, name);
        assert_eq!(card.block.expect("block").lines.len(), 1);
    }
}

/// Every word of a header was once tried, each with a reading of all of it: this never ended.
#[test]
fn a_very_long_header_that_ends_too_early_is_told_at_once() {
    let parsed = parse_item(&format!("define x = {}", "1 + ".repeat(40_000)));
    assert_eq!(parsed.errors.len(), 1, "{:?}", parsed.errors);
    assert_eq!(parsed.errors[0].code, "missing-value");
}
