//! What a check calls fine can be built.

#![allow(clippy::unwrap_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::db::Db;
use banneret_compiler::manifest::Manifest;

const RULES: &str = r#"
ruleset inn "Inn" { version: "1.0", option beds: Int = 3 }

kind Guest (guests) is card {
  purse: Int 0..
  thirst: Int 0.. = 1
  state cups: Int 0.. = 0
  on_leave: Effect?
}

fact luck: Int

action drink(amount: Int) by guest: Guest { guest.cups += amount }

define beds_left: Int = beds - 1
"#;

/// What a check says, and whether a build goes well.
fn outcome(cards: &str) -> (Vec<&'static str>, bool) {
    let mut workspace = Workspace::with_library(Db::default(), []);
    let manifest = Manifest::parse(r#"(name: "t", version: "0.1.0", rules: "inn")"#, "banneret.ron").unwrap();
    let files = vec![("rules.banner".to_string(), RULES.to_string()), ("guests.banner".to_string(), cards.to_string())];
    let project = workspace.open(manifest, String::new(), files);
    let errors =
        workspace.check(project).found.into_iter().filter(|l| l.diagnostic.severity == banneret_compiler::diagnostic::Severity::Error);
    (errors.map(|l| l.diagnostic.code.as_str()).collect(), workspace.build(project).is_ok())
}

#[test]
fn a_value_that_is_worked_out_in_play_is_told_by_the_check() {
    let (told, built) = outcome("define big: Int = sum(0..3)\n\nguest Olaf { purse: big }\n");
    assert_eq!((told.as_slice(), built), (["cannot-build"].as_slice(), false));
}

#[test]
fn it_is_told_of_parts_of_a_number_and_of_a_base_as_well() {
    for value in ["beds", "beds_left", "1 + beds", "sum([1, beds])"] {
        let (told, built) = outcome(&format!("guest Olaf {{ purse: {value} }}\n\nguest Pia from Olaf {{ thirst: 2 }}\n"));
        assert_eq!(told.is_empty(), built, "{value}: {told:?}");
    }
}

#[test]
fn what_is_known_beforehand_is_fine() {
    for value in ["4", "2 + 2", "max(1, 2)"] {
        let (told, built) = outcome(&format!("guest Olaf {{ purse: {value} }}\n"));
        assert_eq!((told.as_slice(), built), ([].as_slice(), true), "{value}");
    }
}

#[test]
fn what_follows_from_another_mistake_is_not_told() {
    let (told, _) = outcome("define big: Int = sum(0..3)\n\nguest Olaf { purse: big }\n\nguest Pia { purse: purze }\n");
    assert!(!told.contains(&"cannot-build") && !told.is_empty(), "{told:?}");
}
