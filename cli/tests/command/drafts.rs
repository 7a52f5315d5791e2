//! Projects that are not finished: what is wrong is told and left out, the rest is tested, printed and played.

use std::fs;
use std::process::Command;

use crate::support::Folder;

/// The game that `new --ruleset` gives, with more cards in a file of their own.
fn game(more: &str) -> Folder {
    let folder = Folder::new();
    folder.run(&["new", "game", "--ruleset"]).is(0);
    folder.file("game/more.banner", more)
}

/// The files that were printed.
fn printed(folder: &Folder) -> Vec<String> {
    let files = fs::read_dir(folder.path().join("printed")).into_iter().flatten();
    let mut names: Vec<String> = files.map(|f| f.unwrap().file_name().into_string().unwrap()).filter(|n| n.ends_with(".svg")).collect();
    names.sort();
    names
}

const CARDS: [&str; 7] = ["cards", "game", "-o", "printed", "--format", "svg", "--message-format=concise"];

const UNFINISHED: &str = "lark Newt {\n  points: 5\n  tool Hands { dice: 1 }\n}\n";
const ILLEGAL: &str = "crew Greedy { larks: [9 Heron] }\n\nbank HighWater \"High Water\" {\n  crews: [Upstream, Greedy]\n  find Ring { spot: (12\", 12\") }\n}\n";

#[test]
fn one_unfinished_card_blocks_no_other() {
    let folder = game(UNFINISHED);
    folder.run(&["test", "game"]).is(1).says("missing-field").says("13 passed, 0 failed");
    folder.run(&CARDS).is(1).says("missing-field").says("Left out until it is mended: lark Newt.").says("5 files written");
    assert_eq!(printed(&folder).len(), 5);
    folder.run(&["play", "game"]).is(1).says("missing-field").says("Left out until it is mended: lark Newt.").says("Low Water, seed 1");
    folder.run(&["play", "game", "--games", "3", "--agents", "random"]).is(1).says("Faults             0");
}

#[test]
fn one_illegal_list_blocks_no_other() {
    let folder = game(ILLEGAL);
    folder.run(&["test", "game"]).is(1).says("limit-broken").says("13 passed, 0 failed");
    folder.run(&CARDS).is(1).says("limit-broken").says("Left out until it is mended: bank HighWater.").says("5 files written");
    // nothing illegal is played, whatever it is called
    let ended = folder.run(&["play", "game"]);
    ended.is(1).says("Left out until it is mended: bank HighWater.").says("Low Water, seed 1");
    folder.run(&["play", "game", "--scenario", "HighWater"]).is(2).complains("HighWater");
}

#[test]
fn without_the_only_scenario_nothing_is_played() {
    let folder = game("");
    let cards = folder.read("game/larks.banner").replace("breath: 3", "");
    let folder = folder.file("game/larks.banner", cards);
    folder.run(&["play", "game"]).is(1).says("lark Heron").says("Without it there is nothing to play.");
}

#[test]
fn a_mistake_in_the_rules_is_nobodys_draft() {
    let folder = game("keyword Odd on Lark {\n  says \"Odd\"\n  before tire this { m +1 }\n}\n");
    assert!(!folder.run(&CARDS).is(1).out.contains("written"));
    assert!(!folder.run(&["play", "game"]).is(1).out.contains("seed 1"));
}

#[test]
fn a_missing_picture_blocks_neither_tests_nor_games_nor_the_cards_of_others() {
    let folder = game("");
    let kinds = folder.read("game/kinds.banner").replacen("  points: Int 1..\n", "  points: Int 1..\n  picture: Picture?\n", 1);
    let faces = folder.read("game/faces.banner").replacen("  rules\n", "  rules\n  picture picture\n", 1);
    let cards = folder.read("game/larks.banner").replacen("  points: 12\n", "  points: 12\n  picture: \"heron.svg\"\n", 1);
    let folder = folder.file("game/kinds.banner", kinds).file("game/faces.banner", faces).file("game/larks.banner", cards);
    folder.run(&["test", "game"]).is(1).says("missing-picture").says("13 passed, 0 failed");
    folder.run(&CARDS).is(1).says("Left out until it is mended: lark Heron.").says("4 files written");
    folder.run(&[&CARDS[..], &["--draft"]].concat()).is(1).says("missing-picture").says("5 files written");
    folder.run(&["play", "game"]).is(1).says("missing-picture").says("Low Water, seed 1");
}

#[test]
fn a_draft_shows_in_red_what_does_not_fit() {
    let words = "She tells it again, from the beginning, and this time with the weather. ".repeat(30);
    let folder = game(&format!(
        "lark Teller {{\n  points: 5\n  move: 4\", grip: 5+, breath: 2\n  tool Hands {{ dice: 1 }}\n  flavour: \"{words}\"\n  trick Tale {{\n    after wade by this {{ rest this by 1 }}\n    says \"{words}\"\n  }}\n}}\n"
    ));
    folder.run(&CARDS).is(1).says("card-too-full").says("Left out until it is mended: lark Teller.");
    assert!(!printed(&folder).contains(&"Teller.lark_card.svg".to_owned()));
    folder.run(&[&CARDS[..], &["--draft"]].concat()).is(1).says("card-too-full").says("6 files written");
    let red = "#c61818";
    assert!(folder.read("printed/Teller.lark_card.svg").contains(red));
    assert!(!folder.read("printed/Heron.lark_card.svg").contains(red));
    folder.run(&["cards", "game", "-o", "printed", "--format", "pdf", "--sheet", "a4", "--draft"]).is(1).says("1 file written");
    // mended, it is printed as it is, and nothing of the draft stays
    let folder = folder.file("game/more.banner", "");
    folder.run(&CARDS).is(0).says("of cards that are no more removed");
}

#[test]
fn cards_are_found_without_a_path() {
    let folder = game("");
    let here = std::path::Path::new("game");
    folder.run_in(here, &["cards", "--format", "svg"]).is(0).says("5 files written into cards");
    folder.run_in(here, &["cards", "Heron", "old toad", "--format", "svg", "-o", "two"]).is(0).says("2 files written into two");
    folder.run_in(here, &["cards", "Nobody"]).is(2).complains("No card called Nobody");
    folder.run_in(here, &["cards", "no/such/folder"]).is(2);
}

/// A program of the system's name that writes down what it is given.
#[cfg(target_os = "linux")]
#[test]
fn what_was_printed_is_shown() {
    use std::os::unix::fs::PermissionsExt;
    let folder = game("").file("bin/xdg-open", "#!/bin/sh\necho \"$1\" > \"$(dirname \"$0\")/asked\"\n");
    fs::set_permissions(folder.path().join("bin/xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_banneret"));
    command
        .args(["cards", "game", "-o", "printed", "--format", "pdf", "--sheet", "a4", "--open"])
        .current_dir(folder.path())
        .env("PATH", path);
    assert!(command.output().unwrap().status.success());
    assert_eq!(folder.read("bin/asked").trim(), "printed/game-a4.pdf");
}
