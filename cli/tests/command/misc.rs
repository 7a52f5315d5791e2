//! Help, version, completions, and pipes that close early.

use std::io::Read;
use std::process::{Command, Stdio};

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

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .args(["completions", "bash"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn overrides_are_counted() {
    Folder::with_project().run(&["check", "--overrides"]).is(0).says("0 cards have their words by hand.");
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
