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

#[test]
fn what_would_be_mended_can_be_looked_at_first() {
    let folder = Folder::with_project().file("demo/ready.banner", WRONG);
    folder.run(&["check", "--fix", "--diff"]).is(1).says("-  need size > 0 && size < 6").says("+  need size > 0 and size < 6");
    assert_eq!(folder.read("demo/ready.banner"), WRONG);
    folder.run(&["check", "--fix"]).is(0);
    assert_eq!(folder.run(&["check", "--fix", "--diff"]).is(0).out, "");
    folder.run(&["check", "--diff"]).is(2).complains("--fix");
}

/// A verb that is not known is not taken for another one that it is like.
#[test]
fn near_words_with_other_meanings_are_never_safe() {
    let unit = |line: &str| format!("use worlds_collide\n\nfaction Band\n\nunit Hand of Band {{\n  {line}\n}}\n");
    let verbs = ["pin controller(this)", "wound this", "smother units", "deal 2 to enemy unit"];
    let effects = verbs.map(|verb| format!("after round {{ {verb} }}"));
    let fields = ["defense: 4+", "health: 50%", "health: 14 HP"].map(String::from);
    for line in effects.into_iter().chain(fields) {
        let folder = Folder::new().file("cards.banner", unit(&line));
        folder.run(&["check", "cards.banner", "--fix"]);
        assert!(folder.read("cards.banner").contains(&line), "{line} became:\n{}", folder.read("cards.banner"));
    }
}
