//! Where items start and end.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_grammar::{ChunkKind, parse_item, split};

fn chunks(text: &str) -> Vec<(ChunkKind, &str)> {
    split(text).iter().map(|c| (c.kind, c.text(text))).collect()
}

use ChunkKind::{Item, Stray};

#[test]
fn items_start_at_letters_in_column_0() {
    assert_eq!(
        chunks("use a\n\n// note\nunit B {\n  x: 1\n}  // end\n\ndefine c = 1\n"),
        [(Item, "use a"), (Item, "unit B {\n  x: 1\n}"), (Item, "define c = 1")]
    );
}

#[test]
fn documentation_is_found() {
    let text = "/// one\n/// two\nunit A\n\n/// gone\n\nunit B\n";
    let docs: Vec<_> = split(text).iter().map(|c| c.doc.map(|(a, b)| &text[a as usize..b as usize])).collect();
    assert_eq!(docs, [Some("/// one\n/// two"), None]);
}

#[test]
fn a_deleted_item_word_leaves_the_neighbours() {
    assert_eq!(chunks("define a = 1\n  B {\n  x: 1\n}\nuse c\n"), [(Item, "define a = 1"), (Stray, "  B {\n  x: 1\n}"), (Item, "use c")]);
    assert_eq!(chunks("unit A {\n  x: 1\n}\n B {\n}\n"), [(Item, "unit A {\n  x: 1\n}"), (Stray, " B {\n}")]);
}

#[test]
fn a_deleted_brace_costs_no_neighbour() {
    assert_eq!(chunks("unit A\n  x: 1\n}\nuse c\n"), [(Item, "unit A\n  x: 1\n}"), (Item, "use c")]);
    assert_eq!(chunks("unit A {\n  x: 1\n\nuse c\n"), [(Item, "unit A {\n  x: 1"), (Item, "use c")]);
    assert_eq!(
        chunks("unit A {\n  w B { x: 1 } }\n  y: 2\n}\nuse c\n"),
        [(Item, "unit A {\n  w B { x: 1 } }\n  y: 2\n}"), (Item, "use c")]
    );
}

#[test]
fn joined_lines_belong_to_the_item() {
    assert_eq!(chunks("define a = b\n  // why\n  and c\nuse d\n"), [(Item, "define a = b\n  // why\n  and c"), (Item, "use d")]);
    assert_eq!(chunks("grant a {\n  b +1\n}\n  while c\nuse d\n"), [(Item, "grant a {\n  b +1\n}\n  while c"), (Item, "use d")]);
    assert_eq!(chunks("define a = max(\n  1, 2\n)\nuse d\n"), [(Item, "define a = max(\n  1, 2\n)"), (Item, "use d")]);
}

#[test]
fn quotes_do_not_swallow_items() {
    assert_eq!(chunks("unit A { x: 6\" }\nunit B { y: \"{\" }\n").len(), 2);
    assert_eq!(chunks("unit A { x: \"oops }\nunit B\n").len(), 2);
    assert_eq!(chunks("unit A {\n  x: \"\"\"\n    }\n    words {\n  \"\"\"\n}\nunit B\n").len(), 2);
}

#[test]
fn odd_bytes_are_accepted() {
    assert_eq!(chunks("\u{feff}use a\r\nuse b\r\n"), [(Item, "use a"), (Item, "use b")]);
    assert_eq!(chunks("\0\n"), [(Stray, "\0")]);
    assert_eq!(chunks("//only\n\r\n\t\n"), []);
}

#[test]
fn deep_nesting_is_marked_and_never_followed() {
    let text = format!("define a = {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let chunk = split(&text)[0];
    assert!(chunk.too_deep());
    assert_eq!(parse_item(&text).errors[0].code, "nesting-too-deep");
    let fine = format!("define a = {}1{}", "(".repeat(120), ")".repeat(120));
    assert_eq!(parse_item(&fine).errors, []);
    let blocks = format!("unit A {{ {} {} }}", "b {".repeat(120), "}".repeat(120));
    assert_eq!(parse_item(&blocks).errors, []);
    let long = format!("define a = {}b", "b ".repeat(100_000));
    assert_eq!(parse_item(&long).errors[0].code, "nesting-too-deep");
    let signs = format!("define a = {}b", "-".repeat(100_000));
    assert_eq!(parse_item(&signs).errors[0].code, "nesting-too-deep");
    let types = format!("define a: {}Int = 1", "set of ".repeat(100_000));
    assert_eq!(parse_item(&types).errors[0].code, "nesting-too-deep");
}

/// What may be nested must be readable in half of the stack that a thread gets by default: others stand on it too.
#[test]
fn all_that_is_not_too_deep_can_be_followed() {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(follow_the_deepest);
    assert!(thread.is_ok_and(|t| t.join().is_ok()));
}

fn follow_the_deepest() {
    let nested = |before: &str, open: &str, close: &str, after: &str| {
        parse_item(&format!("{before}{}1{}{after}", open.repeat(126), close.repeat(126))).errors
    };
    for (open, close) in [("(", ")"), ("[", "]"), ("f(", ")"), ("[a: ", "]"), ("if x { ", " }"), ("table { else -> ", " }")] {
        assert_eq!(nested("define a = ", open, close, ""), [], "{open}");
        assert_eq!(nested("unit A { x: ", open, close, " }"), [], "{open}");
    }
    for open in
        ["b { ", "if x { ", "for x in y { ", "grant x { ", "after x { ", "may { ", "choose { ", "choose { \"a\" { ", "table x { 1 { "]
    {
        let times = 126 / open.matches('{').count();
        let text = format!("unit A {{ {}\n y: 1\n{} }}", open.repeat(times), "}".repeat(126));
        assert_eq!(parse_item(&text).errors, [], "{open}");
    }
    let past = format!("define a = {}x{}", "past(x where ".repeat(126), ")".repeat(126));
    assert_eq!(parse_item(&past).errors, []);
    let types = format!("define a: {}Int = 1", "set of ".repeat(126));
    assert_eq!(parse_item(&types).errors, []);
}
