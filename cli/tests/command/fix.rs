//! `check --fix`: what is safe is mended, the rest waits to be asked.

use crate::support::Folder;

const WRONG: &str = "kind Squad is card {\n  size: Int 1.. = 1\n  need size > 0 && size < 6\n}\n";

#[test]
fn safe_repairs_are_written() {
    let folder = Folder::with_project().file("demo/ready.banner", WRONG);
    assert_eq!(folder.codes(&[]), ["wrong-operator"]);
    folder.run(&["check", "--fix"]).is(0).says("demo/ready.banner: mended:").says("Mended 1 mistake in 1 file.");
    assert_eq!(folder.read("demo/ready.banner"), WRONG.replace("&&", "and"));
    folder.run(&["check", "--fix"]).is(0).says("There is nothing to mend.");
}

#[test]
fn only_what_was_asked_for_is_touched() {
    let folder = Folder::with_project().file("demo/ready.banner", WRONG);
    folder.run(&["check", "--fix", "demo/rules.banner"]).is(0);
    assert_eq!(folder.read("demo/ready.banner"), WRONG);
}

#[test]
fn json_stays_json() {
    let folder = Folder::with_project().file("demo/ready.banner", WRONG);
    let ended = folder.run(&["check", "--fix", "--message-format", "json"]);
    assert_eq!(ended.is(0).complains("mended").out, "");
}

#[test]
fn what_is_no_text_is_never_written() {
    let text = [WRONG.as_bytes(), b"// \xff\n"].concat();
    let folder = Folder::with_project().file("demo/ready.banner", &text);
    folder.run(&["check", "--fix"]).is(1);
    assert_eq!(std::fs::read(folder.path().join("demo/ready.banner")).unwrap(), text);
}
