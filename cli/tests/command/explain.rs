//! `explain`: pages, the list, and what is not there.

use crate::support::Folder;

#[test]
fn a_page_is_printed() {
    let ended = Folder::new().run(&["explain", "unclosed-brace"]);
    ended.is(0).says("unclosed-brace\n").says("Wrong\n").says("Right\n").says("    enum Reach {");
    assert!(!ended.out.contains("```"));
}

#[test]
fn a_pasted_message_works() {
    Folder::new().run(&["explain", "error[unclosed-brace]"]).is(0).says("unclosed-brace");
}

#[test]
fn without_a_code_all_are_listed() {
    let ended = Folder::new().run(&["explain"]);
    ended.is(0).says("manifest-syntax\n").says("not-utf8\n");
    assert!(ended.out.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn unknown_codes_name_the_nearest() {
    let folder = Folder::new();
    folder.run(&["explain", "unclosed-brase"]).is(2).complains("Did you mean `unclosed-brace`?");
    folder.run(&["explain", "utf8"]).is(2).complains("`not-utf8`");
    folder.run(&["explain", "zzzzzzzzzzz"]).is(2).complains("lists every code");
}
