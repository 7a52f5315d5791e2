//! Chains, circles, fans and depth of every construct: nothing that a person can make long is followed on the stack without a bound.
//!
//! Everything is asked that the command and the editor ask, on the stack that the server gives its threads. An overflow would end the test itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::{Checked, Stage, Workspace};
use banneret_compiler::manifest::Manifest;

/// As in the server.
const STACK: usize = 1 << 28;

const RULES: &str = "kind Side is player {\n  resource gold: 0.. = 0\n}\n\nkind Unit (units) is card, piece {\n  points: Int 0..\n}\n\n";

fn checked(text: String) -> Checked {
    let work = move || {
        let mut workspace = Workspace::new();
        let id = workspace.open(Manifest::loose("deep"), "deep".into(), vec![("deep/a.banner".into(), format!("{RULES}{text}"))]);
        let checked = workspace.check(id);
        workspace.printed(id);
        workspace.texts(id);
        for name in ["a0", "x0", "K0", "U0", "x"] {
            for stage in [Stage::Tree, Stage::Types, Stage::Bytecode, Stage::Text] {
                workspace.show(id, name, stage);
            }
        }
        let _ = workspace.build(id);
        // after an edit what is known is looked through again
        workspace.set_text(id, "deep/a.banner", Some(format!("// new\n{RULES}{text}\n")));
        assert_eq!(workspace.check(id).found.len(), checked.found.len());
        checked
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().expect("it is checked")
}

fn codes(text: String) -> Vec<&'static str> {
    let mut codes: Vec<&str> = checked(text).found.iter().map(|found| found.diagnostic.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// `n` items, each made of its own number and that of the next one; the last is another.
fn chain(n: usize, one: impl Fn(usize, usize) -> String, last: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| one(i, i + 1)).chain([last(n)]).collect::<Vec<_>>().join("\n")
}

fn circle(n: usize, one: impl Fn(usize, usize) -> String) -> String {
    (0..n).map(|i| one(i, (i + 1) % n)).collect::<Vec<_>>().join("\n")
}

fn backwards(text: &str) -> String {
    text.split("\n\n").collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n\n") + "\n"
}

const LONG: usize = 4000;

fn action(i: usize, next: usize) -> String {
    format!("action a{i} {{\n  a{next}\n}}\n")
}

fn define(i: usize, next: usize) -> String {
    format!("define x{i} = x{next} + 1\n")
}

fn kind(i: usize, next: usize) -> String {
    format!("kind K{i} is K{next} {{\n}}\n")
}

fn card(i: usize, next: usize) -> String {
    format!("unit U{i} from U{next} {{\n  points: {i}\n}}\n")
}

#[test]
fn a_long_chain_is_refused_where_it_becomes_too_long() {
    let too_long: [(&str, String); 10] = [
        ("actions", chain(LONG, action, |i| format!("action a{i} {{\n}}\n"))),
        ("actions backwards", backwards(&chain(LONG, action, |i| format!("action a{i} {{\n}}\n")))),
        ("terms", chain(LONG, define, |i| format!("define x{i} = 1\n"))),
        ("terms backwards", backwards(&chain(LONG, define, |i| format!("define x{i} = 1\n")))),
        ("facts", chain(LONG, |i, next| format!("fact x{i}(u: Unit) = x{next}(u)\n"), |i| format!("fact x{i}(u: Unit) = u.points > 1\n"))),
        ("kinds", chain(LONG, kind, |i| format!("kind K{i} is card {{\n}}\n"))),
        ("kinds backwards", backwards(&chain(LONG, kind, |i| format!("kind K{i} is card {{\n}}\n")))),
        ("cards", chain(LONG, card, |i| format!("unit U{i} {{\n  points: 1\n}}\n"))),
        ("phases", chain(LONG, |i, next| format!("phase a{i} {{\n  a{next}\n}}\n"), |i| format!("phase a{i} {{\n}}\n"))),
        (
            "actions with results",
            chain(LONG, |i, next| format!("action a{i} {{\n  let y = a{next}\n}}\n"), |i| format!("action a{i} {{\n}}\n")),
        ),
    ];
    for (what, text) in too_long {
        let found = checked(text).found;
        let told: Vec<_> = found.iter().filter(|found| found.diagnostic.code == "chain-too-long").collect();
        assert_eq!(told.len(), 1, "{what}: {:?}", found.iter().take(3).collect::<Vec<_>>());
    }
}

#[test]
fn a_chain_that_is_just_short_enough_is_followed() {
    let n = banneret_compiler::chains::LONGEST - 1;
    for (what, text) in [
        ("actions", chain(n, action, |i| format!("action a{i} {{\n}}\n"))),
        ("terms", chain(n, define, |i| format!("define x{i} = 1\n"))),
        ("kinds", chain(n, kind, |i| format!("kind K{i} is card {{\n}}\n"))),
        ("cards", chain(n, card, |i| format!("unit U{i} {{\n  points: 1\n}}\n"))),
    ] {
        assert!(!checked(text).has_errors(), "{what}");
    }
}

#[test]
fn circles_of_any_length_are_told() {
    for n in [2, 100, LONG] {
        assert!(!codes(circle(n, action)).is_empty(), "{n} actions");
        assert!(!codes(circle(n, define)).is_empty(), "{n} terms");
        assert!(!codes(circle(n, kind)).is_empty(), "{n} kinds");
        assert!(!codes(circle(n, card)).is_empty(), "{n} cards");
    }
}

#[test]
fn fans_are_not_followed_once_for_every_way() {
    let twice = |i: usize, next: usize| format!("action a{i} {{\n  a{next}\n  a{next}\n}}\n");
    checked(chain(200, twice, |i| format!("action a{i} {{\n}}\n")));
    let sum = |i: usize, next: usize| format!("define x{i} = x{next} + x{next}\n");
    checked(chain(200, sum, |i| format!("define x{i} = 1\n")) + "\nunit U0 {\n  points: x0\n}\n");
    let of_two = |i: usize, next: usize| format!("kind K{i} is K{next}, L{next} {{\n}}\n\nkind L{i} is K{next}, L{next} {{\n}}\n");
    checked(chain(100, of_two, |i| format!("kind K{i} is card {{\n}}\n\nkind L{i} is card {{\n}}\n")));
    // everybody calls everybody
    let all: String = (0..40).map(|j| format!("  a{j}\n")).collect();
    checked((0..40).map(|i| format!("action a{i} {{\n{all}}}\n\n")).collect());
    let keyword = |i: usize, next: usize| {
        format!("keyword Q{i} on Unit {{\n  after a0 {{\n    grant this {{\n      keywords += [Q{next}]\n    }}\n  }}\n}}\n")
    };
    checked(chain(300, keyword, |i| format!("keyword Q{i} on Unit {{\n}}\n\naction a0 {{\n}}\n")));
}

#[test]
fn depth_within_one_item_is_refused_at_its_line() {
    let many = 20_000;
    let deep: [(&str, String); 18] = [
        ("parentheses", format!("define x = {}1{}\n", "(".repeat(many), ")".repeat(many))),
        ("lists", format!("define x = {}1{}\n", "[".repeat(many), "]".repeat(many))),
        ("blocks", format!("action x {{\n{}{}}}\n", "if 1 == 1 {\n".repeat(many), "}\n".repeat(many))),
        ("signs", format!("define x = {}1\n", "-".repeat(many))),
        ("not", format!("define x = {}(1 == 1)\n", "not (".repeat(many))),
        ("sums", format!("define x = {}1\n", "1 + ".repeat(many))),
        ("and", format!("define x = {}1 == 1\n", "1 == 1 and ".repeat(many))),
        ("dots", format!("define x = you{}\n", ".gold".repeat(many))),
        ("where", format!("define x = units{}\n", " where points > 1".repeat(many))),
        ("types", format!("define x(a: {}Unit) = 1\n", "set of ".repeat(many))),
        ("calls", format!("define x = {}1{}\n", "max(1, ".repeat(many), ")".repeat(many))),
        ("else if", format!("action x {{\n  if 1 == 1 {{\n  }}{}\n}}\n", " else if 1 == 2 {\n  }".repeat(2000))),
        ("arguments", format!("define x = max({}1)\n", "1, ".repeat(2000))),
        ("phases", format!("phase x {{\n{}{}}}\n", "phase y {\n".repeat(many), "}\n".repeat(many))),
        ("parts", format!("unit x {{\n{}{}}}\n", "unit y {\n".repeat(many), "}\n".repeat(many))),
        ("words", format!("unit x \"{}\" {{\n  points: 1\n}}\n", "{".repeat(many))),
        ("repeat", format!("action x {{\n{}{}}}\n", "repeat 2 times {\n".repeat(many), "}\n".repeat(many))),
        ("menus", format!("action x {{\n{}{}}}\n", "choose one {\n".repeat(many), "}\n".repeat(many))),
    ];
    for (what, text) in deep {
        let found = checked(text);
        let fine = ["else if", "arguments", "words"];
        assert!(fine.contains(&what) || found.has_errors(), "{what}: nothing is told");
    }
}
