//! `new`, and that what it makes is fine.

use crate::support::Folder;

#[test]
fn a_new_project_is_fine_and_neat() {
    let folder = Folder::new();
    folder.run(&["new", "my_game"]).is(0).says("banneret check my_game");
    folder.run(&["check", "my_game"]).is(0).says("Everything is fine: 1 card in 1 file.");
    folder.run(&["fmt", "--check", "my_game"]).is(0);
    assert!(folder.read("my_game/.gitignore").contains("/target/"));
    assert!(folder.read("my_game/banneret.ron").contains("name: \"my_game\""));
}

#[test]
fn every_rule_system_gives_a_project_that_is_fine() {
    let folder = Folder::new();
    for rules in banneret_compiler::stdlib::rule_systems() {
        let name = format!("for_{rules}");
        folder.run(&["new", &name, "--rules", rules]).is(0);
        folder.run(&["check", &name]).is(0);
        folder.run(&["fmt", "--check", &name]).is(0);
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::with_project().file("file", "x");
    let before = folder.read("demo/banneret.ron");
    folder.run(&["new", "demo"]).is(2).complains("`demo` is already there");
    folder.run(&["new", "file"]).is(2).complains("`file` is already there");
    assert_eq!(folder.read("demo/banneret.ron"), before);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    folder.run(&["new", "empty"]).is(0);
}

#[test]
fn bad_names_and_rules_make_nothing() {
    let folder = Folder::new();
    folder.run(&["new", "a b"]).is(2).complains("cannot be a project's name");
    folder.run(&["new", "game", "--rules", "no_such_rules"]).is(2).complains(" rule system called `no_such_rules`");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_rule_system_of_ones_own_checks_tests_plays_and_prints() {
    let folder = Folder::new();
    folder.run(&["new", "my-game", "--ruleset"]).is(0).says("my-game/my_game.banner");
    assert!(folder.read("my-game/my_game.banner").contains("ruleset my_game \"My Game\" {"));
    folder.run(&["check", "my-game", "--strict"]).is(0).says("Everything is fine");
    folder.run(&["fmt", "--check", "my-game"]).is(0);
    folder.run(&["test", "my-game", "--coverage"]).is(0).says("0 failed");
    folder.run(&["play", "my-game", "--seed", "2"]).is(0).says("Low Water, seed 2");
    folder.run(&["cards", "my-game", "-o", "printed", "--dpi", "40"]).is(0).says("5 files written");
    folder.run(&["new", "both", "--ruleset", "--rules", "flux"]).is(2);
}

#[test]
fn its_help_lists_the_rule_systems() {
    for help in ["-h", "--help"] {
        let said = Folder::new().run(&["new", help]);
        for rules in banneret_compiler::stdlib::rule_systems() {
            said.is(0).says(rules);
        }
    }
}
