//! `fmt` and its three ways of only looking.

use crate::support::{Folder, RULES};

const UNTIDY: &str = "enum Reach {   Melee,Ranged   }   \n";

fn untidy() -> Folder {
    Folder::with_project().file("demo/untidy.banner", UNTIDY)
}

#[test]
fn neat_files_stay() {
    let folder = Folder::with_project();
    folder.run(&["fmt", "--check"]).is(0).says("Everything is neat: 1 file.");
    folder.run(&["fmt"]).is(0);
    assert_eq!(folder.read("demo/rules.banner"), RULES);
}

#[test]
fn check_and_diff_only_look() {
    let folder = untidy();
    folder.run(&["fmt", "--check"]).is(1).says("demo/untidy.banner: not neat").says("1 of 2 files not neat.");
    let diff = folder.run(&["fmt", "--diff"]);
    diff.is(1).says("--- demo/untidy.banner").says("+++ demo/untidy.banner").says("-enum Reach {   Melee");
    assert_eq!(folder.read("demo/untidy.banner"), UNTIDY);
}

#[test]
fn it_makes_them_neat_once() {
    let folder = untidy();
    folder.run(&["fmt", "demo"]).is(0).says("demo/untidy.banner: made neat");
    assert_ne!(folder.read("demo/untidy.banner"), UNTIDY);
    folder.run(&["fmt", "--check", "demo"]).is(0);
    let left: Vec<_> = std::fs::read_dir(folder.path().join("demo")).unwrap().collect();
    assert_eq!(left.len(), 3, "nothing is left beside the files");
}

#[test]
fn standard_input_is_printed_neatly() {
    let folder = untidy();
    let ended = folder.run_with(&["fmt", "--stdin"], UNTIDY.as_bytes());
    folder.run(&["fmt"]).is(0);
    assert_eq!(ended.is(0).out, folder.read("demo/untidy.banner"));
    folder.run_with(&["fmt", "--stdin", "--check"], UNTIDY.as_bytes()).is(1);
    folder.run_with(&["fmt", "--stdin", "--check"], RULES.as_bytes()).is(0);
    folder.run_with(&["fmt", "--stdin"], b"\xff").is(2).complains("not UTF-8");
}

#[test]
fn what_is_no_text_is_left_alone() {
    let folder = Folder::with_project().file("demo/bad.banner", b"// \xff   \n");
    folder.run(&["fmt"]).is(1).says("demo/bad.banner: error[not-utf8]");
    assert_eq!(std::fs::read(folder.path().join("demo/bad.banner")).unwrap(), b"// \xff   \n");
}
