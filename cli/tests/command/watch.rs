//! `check --watch` and `cards --watch`: what changes while it runs is told without asking again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::{Folder, copy_folder};

/// The command while it runs. It never ends by itself.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

/// Nobody waits that long: then something is wrong, and the test fails instead of hanging.
const FOREVER: Duration = Duration::from_secs(120);

impl Watching {
    fn new(folder: &Folder, args: &[&str]) -> Self {
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_banneret")).args(args).current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// Waits for a line with these words.
    fn line(&self, words: &str) {
        while !self.lines.recv_timeout(FOREVER).expect("a line").contains(words) {}
    }

    /// Waits for the next message.
    fn code(&self) -> String {
        let line = self.lines.recv_timeout(FOREVER).expect("a message");
        let message: serde_json::Value = serde_json::from_str(&line).expect("one object a line");
        message["code"].as_str().unwrap().to_owned()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_file_and_then_a_picture_change() {
    let folder = Folder::new();
    let project = folder.path().join("one_card");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../content/one_card"), &project);
    // There is one mistake from the start, so that the first message says that the watch has begun.
    let mistake = project.join("mistake.banner");
    fs::write(&mistake, "unit Nobody { toughness: 3 }\n").unwrap();
    let watching = Watching::new(&folder, &["check", "--watch", "--message-format", "json", "one_card"]);
    let first = watching.code();
    assert_ne!(first, "unreadable-picture");

    // Only what has no mistakes is printed: with the mistake gone, the picture is next.
    let picture = project.join("art/orchard/windfall.svg");
    let whole = fs::read(&picture).unwrap();
    fs::write(&picture, "not a picture").unwrap();
    fs::remove_file(&mistake).unwrap();
    while watching.code() != "unreadable-picture" {}

    // Mended, and broken again: nothing but the picture changes.
    fs::write(&picture, whole).unwrap();
    fs::write(&picture, "still not a picture, and longer").unwrap();
    while watching.code() != "unreadable-picture" {}
}

#[test]
fn cards_are_printed_again_when_they_change() {
    let folder = Folder::new();
    folder.run(&["new", "game", "--ruleset"]).is(0);
    let watching = Watching::new(&folder, &["cards", "game", "-o", "printed", "--format", "svg", "--watch"]);
    watching.line("5 files written");
    let path = folder.path().join("game/larks.banner");
    let cards = folder.read("game/larks.banner");
    fs::write(&path, cards.replace("points: 12", "points: 13")).unwrap();
    watching.line("1 file written into printed, 4 unchanged");
    // a mistake ends nothing
    fs::write(&path, cards.replace("points: 9", "points: x")).unwrap();
    watching.line("Left out until it is mended: lark Toad");
    fs::write(&path, cards.replace("points: 12", "points: 14")).unwrap();
    watching.line("written into printed");
}
