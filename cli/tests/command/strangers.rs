//! Projects of strangers: what they can make the command read, write and print.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Folder, MANIFEST, RULES};

const FACE: &str = "\nface front of Unit {\n  size: poker\n  title \"{name}\" right \"{points}\"\n}\n";

fn manifest(more: &str) -> String {
    MANIFEST.replace("    rules:", &format!("    {more},\n    rules:"))
}

/// A project whose cards can be printed, and beside it a file that must stay as it is.
fn beside_a_victim() -> Folder {
    Folder::new().file("demo/banneret.ron", MANIFEST).file("demo/rules.banner", format!("{RULES}{FACE}")).file("victim.txt", "safe")
}

fn pipe(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn nothing_is_written_through_links_that_lead_out() {
    let folder = beside_a_victim();
    let demo = folder.path().join("demo");
    fs::create_dir_all(demo.join("target/banneret")).unwrap();
    symlink("../../../victim.txt", demo.join("target/banneret/demo.pack")).unwrap();
    folder.run(&["build", "demo"]).is(2).complains("leads out of the folder it belongs to").complains("--allow-outside");
    fs::create_dir_all(demo.join("cards")).unwrap();
    symlink("../../victim.txt", demo.join("cards/Reaver.front.png")).unwrap();
    folder.run(&["cards", "demo"]).is(2).complains("leads out");
    symlink("../victim.txt", demo.join("y.banner")).unwrap();
    folder.run(&["fmt", "demo"]).is(2).complains("leads out");
    folder.run(&["fmt", "demo/y.banner"]).is(2).complains("leads out");
    folder.run(&["check", "demo"]).is(2).complains("leads out");
    assert_eq!(folder.read("victim.txt"), "safe");
    // who trusts it may say so
    folder.run(&["fmt", "demo/y.banner", "--check", "--allow-outside"]).is(1);
}

#[test]
fn folders_of_the_manifest_are_inside_the_project() {
    let folder = beside_a_victim().file("other/x.banner", "unit  Wrong{points:1}\n");
    let elsewhere = folder.path().join("absolute").display().to_string();
    for more in [
        "cards: \"../out\"".to_owned(),
        format!("cards: \"{elsewhere}\""),
        "sources: [\".\", \"../other\"]".to_owned(),
        "art: \"../other\"".to_owned(),
    ] {
        let folder = &folder;
        fs::write(folder.path().join("demo/banneret.ron"), manifest(&more)).unwrap();
        assert_eq!(folder.codes(&["demo"]), ["manifest-outside-folder"], "{more}");
        folder.run(&["cards", "demo"]).is(1);
        folder.run(&["check", "demo", "--fix"]).is(1);
    }
    assert!(!folder.path().join("out").exists() && !folder.path().join("absolute").exists());
    assert_eq!(folder.read("other/x.banner"), "unit  Wrong{points:1}\n");
    fs::write(folder.path().join("demo/banneret.ron"), manifest("cards: \"../out\"")).unwrap();
    folder.run(&["cards", "demo", "--allow-outside"]).is(0);
    assert!(folder.path().join("out/Reaver.front.png").exists());
}

#[test]
fn pipes_devices_and_links_to_everything_are_refused_at_once() {
    let folder = beside_a_victim();
    let demo = folder.path().join("demo");
    let refused = |args: &[&str], words: &str| {
        folder.run(args).is(2).complains(words);
    };
    pipe(&demo.join("pipe.banner"));
    refused(&["check", "demo"], "a pipe or a device");
    refused(&["fmt", "demo"], "a pipe or a device");
    fs::remove_file(demo.join("pipe.banner")).unwrap();
    symlink("/dev/zero", demo.join("zero.banner")).unwrap();
    refused(&["check", "demo"], "leads out");
    refused(&["check", "demo", "--allow-outside"], "a pipe or a device");
    fs::remove_file(demo.join("zero.banner")).unwrap();
    symlink("/", demo.join("everything")).unwrap();
    refused(&["check", "demo"], "leads out");
    fs::remove_file(demo.join("everything")).unwrap();
    pipe(&demo.join("RULES.md"));
    refused(&["test", "demo", "--coverage"], "a pipe or a device");
    fs::remove_file(demo.join("RULES.md")).unwrap();
    symlink("/dev/zero", demo.join("RULES.md")).unwrap();
    refused(&["test", "demo", "--coverage"], "leads out");
    fs::remove_file(demo.join("banneret.ron")).unwrap();
    symlink("/dev/zero", demo.join("banneret.ron")).unwrap();
    refused(&["check", "demo"], "leads out");
    fs::remove_file(demo.join("banneret.ron")).unwrap();
    pipe(&demo.join("banneret.ron"));
    refused(&["check", "demo"], "a pipe or a device");
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let folder = beside_a_victim();
    // full of holes: it takes no room
    fs::File::create(folder.path().join("demo/large.banner")).unwrap().set_len(1 << 34).unwrap();
    folder.run(&["check", "demo"]).is(2).complains("larger than 16 MB");
}

#[test]
fn printed_cards_are_compared_with_what_is_there_and_old_ones_removed() {
    let folder = beside_a_victim();
    let card = folder.path().join("demo/cards/Reaver.front.png");
    folder.run(&["cards", "demo"]).is(0).says("1 file written");
    let drawn = fs::read(&card).unwrap();
    folder.run(&["cards", "demo"]).is(0).says("0 files written").says("1 unchanged");
    for other in [&b""[..], b"something else"] {
        fs::write(&card, other).unwrap();
        folder.run(&["cards", "demo"]).is(0).says("1 file written");
        assert_eq!(fs::read(&card).unwrap(), drawn);
    }
    fs::write(folder.path().join("demo/cards/mine.png"), "mine").unwrap();
    fs::write(folder.path().join("demo/rules.banner"), format!("{RULES}{FACE}").replace("unit Reaver", "unit Warden")).unwrap();
    folder.run(&["cards", "demo", "Warden"]).is(0);
    assert!(card.exists(), "only some were asked for");
    folder.run(&["cards", "demo"]).is(0).says("1 of cards that are no more removed");
    assert!(!card.exists() && folder.path().join("demo/cards/Warden.front.png").exists());
    assert_eq!(folder.read("demo/cards/mine.png"), "mine");
}

#[test]
fn what_a_killed_command_left_is_cleaned_up() {
    let folder = beside_a_victim();
    let left = folder.path().join("demo/cards/.Reaver.front.png.4294967295.0.part");
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::write(&left, "half").unwrap();
    folder.run(&["cards", "demo"]).is(0);
    assert!(!left.exists());
}

#[test]
fn no_text_of_a_source_steers_the_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{8}";
    let folder = beside_a_victim().file("demo/evil.banner", format!("unit Evil \"{evil}\" {{\n  points: \"{evil}\"\n}}\n// {evil}\n"));
    fs::write(folder.path().join("demo/\u{1b}[31mname.banner"), "unit X { points: 0 }\n").unwrap();
    let steers = |text: &str| {
        text.chars()
            .any(|c| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    };
    let runs: [&[&str]; 8] = [
        &["check", "demo"],
        &["check", "demo", "--message-format", "concise"],
        &["check", "demo", "--message-format", "github"],
        &["check", "demo", "--message-format", "sarif"],
        &["check", "demo", "--message-format", "json"],
        &["test", "demo"],
        &["show", "Evil", "demo", "--stage", "source"],
        &["fmt", "demo", "--diff"],
    ];
    for args in runs {
        let ended = folder.run(args);
        assert!(!steers(&ended.out) && !steers(&ended.err), "{args:?}: {ended:?}");
    }
    // with colours, only ours are left
    let ended = folder.run(&["check", "demo", "--color", "always"]);
    assert!(!ended.out.contains("\u{1b}]") && !ended.out.contains("\u{1b}[2J") && ended.out.contains("\u{1b}["), "{ended:?}");
}

#[test]
fn long_chains_do_not_end_the_command() {
    let n = 1000;
    let actions: String = (0..n).map(|i| format!("action a{i} {{\n  a{}\n}}\n\n", i + 1)).collect();
    let defines: String = (0..n).map(|i| format!("define x{i} = x{} + 1\n\n", i + 1)).collect();
    let folder = beside_a_victim().file("demo/chain.banner", format!("{actions}action a{n} {{\n}}\n\n{defines}define x{n} = 1\n"));
    let ended = folder.run(&["check", "demo", "--message-format", "concise"]);
    assert!(ended.code <= 1, "{ended:?}");
}

/// What a pack holds follows from the project alone.
#[test]
fn packs_are_the_same_from_every_folder_in_every_order_and_on_any_number_of_threads() {
    let cards: String = (0..40).map(|i| format!("unit U{i} {{\n  points: {}\n}}\n\n", i + 1)).collect();
    let folder = beside_a_victim()
        .file("demo/b.banner", cards)
        .file("demo/deep/x", "")
        .file("demo/a.banner", "unit A {\n  points: 3\n}\n")
        .file("other/banneret.ron", MANIFEST.replace("demo\"", "other\""))
        .file("other/rules.banner", RULES)
        .file("elsewhere/x", "");
    let top = folder.path().display().to_string();
    let (absolute, out) = (format!("{top}/demo"), |n: usize| format!("{top}/out{n}"));
    let runs: [(&str, Vec<&str>, &str); 7] = [
        ("", vec!["demo"], "1"),
        ("", vec!["demo"], "2"),
        ("demo", vec!["."], "2"),
        ("demo/deep", vec![".."], "1"),
        ("elsewhere", vec!["../demo"], "2"),
        ("elsewhere", vec![&absolute, "../other"], "1"),
        ("", vec!["other", "demo"], "2"),
    ];
    let packs = |n: usize| fs::read(folder.path().join(format!("out{n}/demo.pack"))).unwrap();
    for (n, (here, named, threads)) in runs.iter().enumerate() {
        let ended = Command::new(env!("CARGO_BIN_EXE_banneret"))
            .arg("build")
            .args(named)
            .args(["-o", &out(n)])
            .current_dir(folder.path().join(here))
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        assert!(ended.status.success(), "{ended:?}");
        assert!(packs(n) == packs(0), "{named:?} from {here:?} with {threads} threads");
    }
    let holds = |words: &[u8]| packs(0).windows(words.len()).any(|here| here == words);
    assert!(holds(b"b.banner") && !holds(top.as_bytes()), "paths are told from the project's folder");
}

/// Enough to be looked at for a while.
fn much_to_do() -> Folder {
    let cards: String = (0..4000).map(|i| format!("unit U{i} {{\n  points: {}\n}}\n\n", i + 1)).collect();
    beside_a_victim().file("demo/much.banner", cards)
}

#[test]
fn a_command_that_takes_too_much_is_stopped_with_a_reason() {
    let folder = much_to_do();
    let told = folder.run(&["check", "demo", "--most-memory", "1"]);
    told.is(2).complains("Stopped").complains("it took more than 1 MB of memory").complains("--most-memory 4");
    let told = folder.run(&["build", "demo", "--most-seconds", "0"]);
    told.is(2).complains("it took more than 0 seconds").complains("Nothing half-written is left").complains("--most-seconds");
    assert!(!folder.path().join("demo/target/banneret/demo.pack").exists());
    // what is enough for it is enough
    folder.run(&["check", "demo", "--most-seconds", "500", "--most-memory", "4000"]).is(0);
}

/// Once these took minutes. More of them than can be judged are told: `limits-too-costly`.
#[test]
fn forty_limits_on_forty_cards_are_judged_at_once() {
    let limits: String =
        (0..40).map(|i| format!("limit \"l{i}\" on Unit {{\n  need count((0..99999) where it * it > {i}) > 1 \"x\"\n}}\n\n")).collect();
    let cards: String = (0..40).map(|i| format!("unit U{i} {{\n  points: {}\n}}\n\n", i + 1)).collect();
    let folder = beside_a_victim().file("demo/limits.banner", limits + &cards);
    folder.run(&["check", "demo"]).is(0);
}

/// The library that shapes letters counts their marks in one byte.
#[test]
fn a_letter_of_too_many_marks_is_refused_where_it_is() {
    let marks = |n: usize| format!("unit Zalgo \"Z{}\" {{\n  points: 1\n}}\n", "\u{301}".repeat(n));
    let folder = beside_a_victim().file("demo/z.banner", marks(300));
    let told = folder.run(&["check", "demo", "--message-format", "concise"]);
    told.is(1).says("z.banner:1:").says("made of 301 characters").says("unprintable-letter");
    folder.run(&["cards", "demo"]).is(1);
    let folder = beside_a_victim().file("demo/z.banner", marks(20));
    folder.run(&["cards", "demo"]).is(0);
}

/// Ctrl-C, or something worse, in the middle of printing: every file that is there is whole, and nothing else is left for long.
#[test]
fn a_command_that_is_ended_leaves_nothing_half_written() {
    let cards: String = (0..400).map(|i| format!("unit U{i} {{\n  points: {}\n}}\n\n", i + 1)).collect();
    let folder = beside_a_victim().file("demo/many.banner", cards);
    let printed = || -> Vec<std::path::PathBuf> {
        let found = fs::read_dir(folder.path().join("demo/cards")).into_iter().flatten().flatten().map(|entry| entry.path());
        found.filter(|path| path.extension().is_some_and(|end| end == "png") && path.is_file()).collect()
    };
    let mut before = 0;
    for signal in ["-INT", "-KILL", "-INT"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
            .args(["cards", "demo", "--dpi", "60"])
            .current_dir(folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // as soon as it has written something more
        while printed().len() <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        before = printed().len();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let since = std::time::Instant::now();
        let status = child.wait().unwrap();
        assert!(since.elapsed().as_secs() < 10 && (status.code().is_none() || before >= 400), "{signal}: {status}");
        for path in printed() {
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.starts_with(b"\x89PNG") && bytes.ends_with(b"IEND\xaeB\x60\x82"), "{signal}: {}", path.display());
        }
    }
    folder.run(&["cards", "demo", "--dpi", "60"]).is(0);
    assert_eq!(printed().len(), 401);
    let parts = fs::read_dir(folder.path().join("demo/cards")).unwrap().flatten();
    let parts: Vec<_> = parts.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert_eq!(parts, [""; 0].map(std::ffi::OsString::from));
}

/// A repository that came with a project, in which something is missing: `git` would fetch it by whatever program its settings name.
#[test]
fn settings_of_a_repository_run_nothing() {
    let folder = beside_a_victim();
    let demo = folder.path().join("demo");
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
        let done = Command::new("git").args(who).args(args).current_dir(&demo).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "one"]);
    git(&["tag", "v0.1.0"]);
    let first = git(&["rev-parse", "HEAD"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "two"]);
    let runs = format!("touch {}; false", folder.path().join("ran").display());
    let address = "ssh://somewhere/x";
    for (name, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", address),
        ("core.sshCommand", &runs),
        ("core.fsmonitor", &runs),
        ("protocol.ssh.allow", "always"),
    ] {
        git(&["config", name, value]);
    }
    fs::remove_file(demo.join(".git/objects").join(&first[..2]).join(&first[2..])).unwrap();
    // some versions of git would run it
    let _ = Command::new("git").args(["describe", "--tags"]).current_dir(&demo).output().unwrap();
    let _ = fs::remove_file(folder.path().join("ran"));
    folder.run(&["publish", "demo", "--dry-run"]).is(1);
    folder.run(&["diff", "demo", "--since", "v0.1.0"]).is(2).complains("cannot be fetched");
    let needs = format!(
        "(name: \"f\", version: \"0.1.0\", rules: \"demo\", needs: (demo: (git: \"file://{}\", tag: \"v0.1.0\")))\n",
        demo.display()
    );
    let folder = folder.file("f/banneret.ron", needs).file("f/a.banner", "use demo\n");
    folder.run(&["update", "f"]).is(2).complains("cannot be fetched");
    assert!(!folder.path().join("ran").exists(), "a program of the stranger was run");
}

/// Catalogues of words, copied packages, the lock and the manifest itself.
#[test]
fn what_newer_commands_write_stays_inside_too() {
    let manifest = |more: &str| format!("(name: \"demo\", version: \"0.1.0\", rules: \"demo_rules\"{more})\n");
    let folder = beside_a_victim().file("other/x", "").file("p/banneret.ron", manifest("").replace("demo\"", "p\"")).file("p/a.banner", "");
    let folder = folder.file("demo/banneret.ron", manifest(", needs: (p: (path: \"../p\"))"));
    let demo = folder.path().join("demo");
    let refused = |args: &[&str]| {
        folder.run_in(std::path::Path::new("demo"), args).is(2).complains("leads out");
        assert_eq!(folder.read("victim.txt"), "safe");
        assert_eq!(fs::read_dir(folder.path().join("other")).unwrap().count(), 1, "{args:?}");
    };
    fs::create_dir(demo.join("words")).unwrap();
    symlink("../../victim.txt", demo.join("words/de.po")).unwrap();
    refused(&["words", "--language", "de"]);
    refused(&["check", "--language", "de"]);
    fs::remove_dir_all(demo.join("words")).unwrap();
    symlink("../other", demo.join("words")).unwrap();
    refused(&["words", "--language", "de"]);
    fs::remove_file(demo.join("words")).unwrap();
    symlink("../other", demo.join(".banneret")).unwrap();
    refused(&["vendor"]);
    fs::remove_file(demo.join(".banneret")).unwrap();
    symlink("../victim.txt", demo.join("banneret.lock")).unwrap();
    refused(&["vendor"]);
    fs::rename(demo.join("banneret.ron"), folder.path().join("kept.ron")).unwrap();
    symlink("../kept.ron", demo.join("banneret.ron")).unwrap();
    refused(&["add", "flux"]);
    assert!(!folder.read("kept.ron").contains("flux"));
}
