//! Which paths mean what, and what happens with those that cannot be read.

use crate::support::{Folder, MANIFEST, RULES};

const BAD: &[u8] = b"// \xff\n";

#[test]
fn a_project_without_mistakes_is_fine() {
    let folder = Folder::with_project();
    for args in [&["check"][..], &["check", "demo"], &["check", "demo/banneret.ron"], &["check", "demo/rules.banner"]] {
        folder.run(args).is(0).says("Everything is fine: 1 card in 1 file.");
    }
}

#[test]
fn projects_are_found_anywhere_below() {
    let folder = Folder::with_project()
        .file("deep/down/here/banneret.ron", MANIFEST)
        .file("deep/down/here/rules.banner", RULES)
        .file("deep/down/here/inner/x.banner", BAD)
        .file("node_modules/p/banneret.ron", "broken")
        .file("target/p/banneret.ron", "broken")
        .file(".hidden/banneret.ron", "broken");
    assert_eq!(folder.codes(&[]), ["not-utf8"]);
    assert_eq!(folder.codes(&["demo"]), [""; 0]);
}

#[test]
fn a_nested_project_is_its_own() {
    let folder = Folder::with_project().file("demo/inner/banneret.ron", MANIFEST).file("demo/inner/rules.banner", RULES);
    folder.run(&["check"]).is(0).says("2 cards in 2 files");
    folder.run(&["check", "demo/rules.banner"]).is(0).says("1 card in 1 file");
}

#[test]
fn single_files_show_only_their_own_mistakes() {
    let folder = Folder::with_project().file("demo/a.banner", BAD).file("demo/sub/b.banner", BAD);
    let files = |args: &[&str]| -> Vec<String> { folder.json(args).iter().map(|o| o["file"].as_str().unwrap().to_owned()).collect() };
    assert_eq!(files(&["demo/a.banner"]), ["demo/a.banner"]);
    assert_eq!(files(&["demo/sub"]), ["demo/sub/b.banner"]);
    assert_eq!(files(&["demo/sub", "demo/a.banner"]), ["demo/a.banner", "demo/sub/b.banner"]);
    assert_eq!(files(&["demo/a.banner", "demo"]), ["demo/a.banner", "demo/sub/b.banner"]);
    assert_eq!(files(&["demo/rules.banner"]), [""; 0]);
}

#[test]
fn files_without_a_project_are_checked_alone_or_as_a_folder() {
    let folder = Folder::new().file("loose/rules.banner", RULES).file("loose/more/x.banner", BAD);
    folder.run(&["check", "loose/rules.banner"]).is(0).says("1 card in 1 file");
    assert_eq!(folder.codes(&[]), ["not-utf8"]);
}

#[test]
fn what_is_not_there_is_said_clearly() {
    let folder = Folder::with_project().file("note.txt", "x");
    folder.run(&["check", "nowhere"]).is(2).complains("Cannot open `nowhere`: it is not there");
    folder.run(&["check", "note.txt"]).is(2).complains("`note.txt` is not a Banneret file");
    folder.run(&["fmt", "nowhere"]).is(2).complains("nowhere");
    folder.run(&["build", "nowhere"]).is(2).complains("nowhere");
    folder.run(&["test", "nowhere"]).is(2).complains("nowhere");
    Folder::new().run(&["check"]).is(2).complains("There is nothing to work on");
}

#[test]
fn usage_mistakes_are_two() {
    let folder = Folder::with_project();
    folder.run(&["chekc"]).is(2).complains("check");
    folder.run(&["check", "--message-format", "xml"]).is(2).complains("sarif");
    folder.run(&["check", "--unsafe-fixes"]).is(2).complains("--fix");
}

#[test]
fn empty_files_are_fine() {
    let folder = Folder::with_project().file("demo/empty.banner", "").file("demo/line.banner", "\n\n");
    folder.run(&["check"]).is(0).says("1 card in 3 files");
}

#[test]
fn a_project_without_sources_is_not_fine() {
    let folder = Folder::new().file("demo/banneret.ron", MANIFEST).file("demo/units.banner.txt", RULES);
    let manifest = MANIFEST.replace("demo_rules", "one_card");
    let folder = folder.file("demo/banneret.ron", manifest);
    folder.run(&["check", "demo"]).is(1).says("no-sources").says("there is a `units.banner.txt`");
    folder.run(&["build", "demo"]).is(1);
    assert_eq!(folder.codes(&["demo"]), ["no-sources"]);
}

#[test]
fn a_mark_at_the_start_of_a_manifest_is_not_text() {
    Folder::with_project().file("demo/banneret.ron", format!("\u{feff}{MANIFEST}")).run(&["check"]).is(0);
}

#[test]
fn a_file_in_another_encoding_is_told_about_once() {
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(RULES.bytes().flat_map(|b| [b, 0])).collect();
    let folder = Folder::with_project().file("demo/wide.banner", wide);
    assert_eq!(folder.codes(&["demo"]), ["not-utf8"]);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn circles_end() {
        let folder = Folder::with_project();
        symlink(".", folder.path().join("demo/round")).unwrap();
        symlink(folder.path().join("demo"), folder.path().join("again")).unwrap();
        folder.run(&["check"]).is(0).says("1 card in 1 file");
        folder.run(&["fmt", "--check"]).is(0);
    }

    #[test]
    fn a_link_to_nowhere_is_said_clearly() {
        let folder = Folder::with_project();
        symlink("gone", folder.path().join("demo/lost.banner")).unwrap();
        folder.run(&["check"]).is(2).complains("Cannot read `demo/lost.banner`: it is not there");
    }

    #[test]
    fn a_folder_that_looks_like_a_file_is_no_source() {
        let folder = Folder::with_project();
        std::fs::create_dir(folder.path().join("demo/odd.banner")).unwrap();
        folder.run(&["check"]).is(0);
    }
}
