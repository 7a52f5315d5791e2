//! Everything that is compiled in may be given away: the licences of all crates, as cargo knows them for this machine, without a network.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

use banneret_tests::files::house;
use serde_json::Value;

/// Licences that ask for no more than to be named, or (MPL) for the sources of the crate itself.
const ALLOWED: [&str; 14] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CC0-1.0",
    "Unlicense",
    "MPL-2.0",
];

/// Whether an expression can be met with what is allowed: one side of each `OR`, all sides of each `AND`.
fn may_be_used(expression: &str) -> bool {
    let expression = expression.trim().replace('/', " OR ");
    let expression = unwrapped(expression.trim());
    if let Some(sides) = split(expression, " OR ") {
        return sides.iter().any(|side| may_be_used(side));
    }
    if let Some(sides) = split(expression, " AND ") {
        return sides.iter().all(|side| may_be_used(side));
    }
    ALLOWED.contains(&expression)
}

/// Without brackets around the whole.
fn unwrapped(expression: &str) -> &str {
    match expression.strip_prefix('(').and_then(|e| e.strip_suffix(')')) {
        Some(inner) if closes_itself(inner) => unwrapped(inner.trim()),
        _ => expression,
    }
}

/// Whether no bracket closes before it is opened, as in `a) OR (b`.
fn closes_itself(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

/// The sides of an operator that stands outside all brackets; None if there is none.
fn split<'a>(expression: &'a str, operator: &str) -> Option<Vec<&'a str>> {
    let outside = |at: usize| expression[..at].matches('(').count() == expression[..at].matches(')').count();
    let places: Vec<usize> = expression.match_indices(operator).map(|(at, _)| at).filter(|at| outside(*at)).collect();
    let mut sides = Vec::new();
    let mut from = 0;
    for at in &places {
        sides.push(&expression[from..*at]);
        from = at + operator.len();
    }
    sides.push(&expression[from..]);
    (!places.is_empty()).then_some(sides)
}

/// The name of this machine's kind, as the compiler says it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc can be run");
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names the machine").to_owned()
}

#[test]
fn every_crate_may_be_given_away() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let host = host();
    let output = Command::new(cargo)
        .args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", &host])
        .current_dir(house())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "only {} crates were found", packages.len());
    let mut wrong = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("no licence named");
        if !may_be_used(licence) {
            wrong.push(format!("{} {}: {licence}", package["name"], package["version"]));
        }
    }
    assert!(wrong.is_empty(), "crates whose licence is not among those allowed:\n{}", wrong.join("\n"));
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    for fine in
        ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "Apache-2.0 WITH LLVM-exception OR GPL-2.0"]
    {
        assert!(may_be_used(fine), "{fine}");
    }
    for not in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-2.0) AND GPL-3.0", "no licence named", ""] {
        assert!(!may_be_used(not), "{not}");
    }
}
