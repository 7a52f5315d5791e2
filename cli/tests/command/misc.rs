//! Help, version, completions, and pipes that close early.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::game::brawl;
use crate::support::Folder;

const COMMANDS: [&str; 10] = ["new", "check", "build", "test", "play", "odds", "fmt", "explain", "show", "completions"];

#[test]
fn every_command_has_help_with_an_example() {
    let folder = Folder::new();
    let all = folder.run(&["--help"]);
    for command in COMMANDS {
        all.is(0).says(command);
        folder.run(&[command, "--help"]).is(0).says("Example").says(&format!("banneret {command}"));
    }
    folder.run(&["--version"]).is(0).says(env!("CARGO_PKG_VERSION"));
    folder.run(&[]).is(2);
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let ended = Folder::new().run(&["completions", shell]);
        for command in COMMANDS {
            ended.is(0).says(command);
        }
    }
}

/// Runs a command whose reader has gone before the first word.
fn without_reader(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code(), err)
}

/// A game that tells more than a pipe takes at once.
const LONG: &str = r#"ruleset long "Long" {
  version: "1.0"
  start: cheering
}

kind Side (sides) is player { state cheers: Int 0.. = 0 }

action cheer by p: Side { p.cheers += 1 }

phase cheering {
  repeat 900 { for p in players { may "cheer" by p { cheer by p } } }
  draw_game
}
"#;

/// `banneret … | head`: whoever stops reading has seen enough, which is nobody's mistake.
#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = brawl().file("long.banner", LONG);
    let long = folder.run(&["play", "long.banner", "--save", "game.ron"]);
    assert!(long.is(0).out.len() > 20_000, "{}", long.out.len());
    for args in [
        "completions bash",
        "--help",
        "help play",
        "explain",
        "explain wrong-type",
        "check brawl",
        "check brawl --overrides",
        "show Bear brawl",
        "show hit brawl --stage bytecode",
        "test brawl",
        "test brawl --message-format json",
        "odds brawl 1",
        "play brawl",
        "play brawl --verbose --trace",
        "play brawl --games 20",
        "play brawl --games 20 --json",
        "play long.banner",
        "play long.banner --replay game.ron",
        "fmt --diff brawl",
        "build brawl -o packs",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let read = folder.run(&args);
        assert_eq!(without_reader(&folder, &args), (Some(read.code), read.err), "{args:?}");
    }
}

/// A game that is saved is played to its end, whoever watches.
#[test]
fn a_game_that_nobody_watches_is_saved_whole() {
    let folder = Folder::new().file("long.banner", LONG);
    let args = |to| ["play", "long.banner", "--seed", "5", "--save", to];
    folder.run(&args("watched.ron")).is(0);
    assert_eq!(without_reader(&folder, &args("alone.ron")), (Some(0), String::new()));
    assert_eq!(folder.read("alone.ron"), folder.read("watched.ron"));
}

#[test]
fn overrides_are_counted() {
    Folder::with_project().run(&["check", "--overrides"]).is(0).says("0 texts are written by hand.");
}

#[test]
fn a_library_folder_that_is_not_there_is_said_clearly() {
    let folder = Folder::with_project();
    let output = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .arg("check")
        .current_dir(folder.path())
        .env("BANNERET_STDLIB", folder.path().join("nowhere"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"));
}
