//! What words of the language do, said in the language: a source with tests, compiled and run.

#![allow(clippy::unwrap_used)]

use banneret_compiler::api::{BuildError, Workspace};
use banneret_compiler::manifest::Manifest;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::run_test;

/// Compiles a source and runs its tests; all of them pass.
fn passes(source: &str) {
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("words"), String::new(), vec![("words.banner".into(), source.into())]);
    let pack = match workspace.build(project) {
        Ok(pack) => pack,
        Err(BuildError::Found(checked)) => panic!("{:#?}", checked.found),
        Err(BuildError::Internal(words)) => panic!("{words}"),
    };
    let pack = Loaded::new(pack).unwrap();
    assert!(!pack.tests.is_empty(), "there is no test");
    for test in &pack.tests {
        let outcome = run_test(&pack, test, banneret_odds::judge);
        assert!(outcome.passed(), "{outcome:#?}");
    }
}

#[test]
fn repeat_until_looks_before_each_time() {
    passes(
        r#"
ruleset s "S" { version: "1.0" }

kind Side (sides) is player { state score: Int 0.. = 0 }

action none_left by p: Side { repeat until p.score == 0 { p.score += 1; pass } }

action climb by p: Side { repeat until p.score == 3 { p.score += 1 } }

test "nothing is done if it is already so" {
  do none_left by you
  expect you.score == 0
}

test "it ends when it is so" {
  do climb by you
  expect you.score == 3
}
"#,
    );
}

#[test]
fn lists_keep_what_they_are_given_and_sets_have_each_thing_once() {
    passes(
        r#"
ruleset s "S" { version: "1.0" }

kind Side (sides) is player {
  state steps: list of Int = []
  state faces: set of Int = []
}

action note(n: Int) by p: Side { p.steps += [n]; p.faces += [n] }

test "twice the same" {
  do note 1 by you
  do note 1 by you
  expect count(you.steps) == 2
  expect count(you.faces) == 1
  expect count([1, 1] + [1]) == 3
}
"#,
    );
}
