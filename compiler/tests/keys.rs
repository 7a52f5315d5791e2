//! The folder of a project that a card stands in may be a folder in a folder: its key then has dots before its name.

#![allow(clippy::unwrap_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;

const TEXT: &str = r#"
ruleset inn "Inn" { version: "1.0" }

kind Guest (guests) is card {
  purse: Int 0.. = 0
  state cups: Int 0.. = 0
  arrive: Effect?
  parts: [Bag]
}

kind Bag (bags) is part { weight: Int 0.. = 0 }

action pour(amount: Int) to guest: Guest {
  says "{guest} drinks {amount}"
  guest.cups += amount
}

action call(guest: Guest) {
  says "call {guest}"
  guest.cups += 1
}

guest Olaf "Old Olaf" {
  purse: 3
  bag Sack "The Sack" { weight: 2 }
}

guest Pia {
  arrive { call Olaf }
}
"#;

/// What is printed on Pia, with everything in one folder.
fn words_in(folder: &str) -> String {
    let mut workspace = Workspace::new();
    let manifest = Manifest::parse(r#"(name: "t", version: "0.1.0", rules: "inn")"#, "banneret.ron").unwrap();
    let project = workspace.open(manifest, String::new(), vec![(format!("{folder}guests.banner"), TEXT.to_string())]);
    let errors: Vec<_> = workspace.check(project).found.into_iter().map(|l| l.diagnostic.headline).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let texts = workspace.texts(project);
    texts.into_iter().find(|(key, _)| key.ends_with("/Pia")).unwrap().1
}

#[test]
fn a_card_is_called_by_its_title_wherever_it_stands() {
    let words = words_in("");
    assert!(words.contains("Old Olaf"), "{words}");
    assert_eq!([words_in("inn/"), words_in("factions/inn/"), words_in("factions/inn/guests/")], [(); 3].map(|()| words.clone()));
}
