//! `test`: what passes, what fails and where, and which rules no test covers.

use crate::support::Folder;

const TESTS: &str = "test \"one and one\" covers AB-001 {\n  expect 1 + 1 == 2\n}\n\ntest \"the axe\" covers AB-R01 {\n  let five = 5\n  expect 2 + 2 == five\n}\n";

const BOOK: &str = "# Rules\n\n- AB-001 [proc] Adding.\n- AB-002 [physical] Dice.\n- AB-003 [limit] Never covered.\n- AB-R01 A ruling.\n- AB-P01 A figure.\n";

fn folder() -> Folder {
    Folder::with_project().file("demo/tests.banner", TESTS).file("demo/RULES.md", BOOK)
}

#[test]
fn failures_stand_where_they_happen() {
    let ended = folder().run(&["test"]);
    ended.is(1).says("error[test-failed]: The test \"the axe\" failed").says("demo/tests.banner:7:").says("2 + 2 == five");
    assert!(ended.out.lines().any(|line| line == "1 passed, 1 failed"), "{ended:?}");
}

#[test]
fn a_filter_chooses_by_words_and_rules() {
    let folder = folder();
    folder.run(&["test", "--filter", "ONE"]).is(0).says("1 passed, 0 failed\n");
    folder.run(&["test", "--filter", "ab-r01"]).is(1).says("0 passed, 1 failed\n");
    folder.run(&["test", "--filter", "nothing"]).is(0).says("0 passed, 0 failed\n").complains("No test has `nothing`");
}

#[test]
fn coverage_lists_what_is_not_covered() {
    let ended = folder().run(&["test", "--coverage"]);
    ended.says("demo/RULES.md: 2 of 4 rules covered by a test").says("AB-003 [limit] Never covered.").says("AB-P01 A figure.");
    assert!(!ended.out.contains("AB-002") && !ended.out.contains("AB-001"), "{ended:?}");
}

/// So that a rulebook can be kept covered by whoever builds it.
#[test]
fn coverage_that_is_not_complete_is_a_failure() {
    let test = |covers: &str| format!("test \"one and one\" covers {covers} {{\n  expect 1 + 1 == 2\n}}\n");
    let book = "- AB-001 [proc] One.\n- AB-002 [proc] Two.\n";
    let with = |covers: &str| Folder::with_project().file("demo/RULES.md", book).file("demo/tests.banner", test(covers));
    with("AB-001, AB-002").run(&["test", "--coverage"]).is(0).says("2 of 2 rules covered");
    with("AB-001").run(&["test", "--coverage"]).is(1).says("1 of 2 rules covered").says("1 passed, 0 failed");
    with("AB-001").run(&["test"]).is(0);
    with("AB-001, AB-002, AB-003").run(&["test", "--coverage"]).is(1).says("tests name rules that are not in it: AB-003");
}

#[test]
fn coverage_is_for_programs_too() {
    let run = |format: &str| folder().run(&["test", "--coverage", "--filter", "one", "--message-format", format]);
    let ended = run("json");
    ended.is(1);
    let book: serde_json::Value = serde_json::from_str(&ended.out).expect("one object");
    assert_eq!((book["rulebook"].as_str(), book["rules"].as_u64(), book["covered"].as_u64()), (Some("demo/RULES.md"), Some(4), Some(2)));
    assert_eq!(book["missing"], serde_json::json!(["AB-003", "AB-P01"]));
    // What these formats print has its own shape.
    run("sarif").is(1).complains("2 of 4 rules covered");
    run("github").is(1).complains("2 of 4 rules covered");
}

#[test]
fn json_is_for_programs() {
    let ended = folder().run(&["test", "--message-format", "json"]);
    ended.is(1).complains("1 passed, 1 failed");
    let found: serde_json::Value = serde_json::from_str(&ended.out).expect("one object");
    assert_eq!((found["code"].as_str(), found["line"].as_u64()), (Some("test-failed"), Some(7)));
}

/// What is wrong is told, and what has nothing to do with it is tested all the same.
#[test]
fn mistakes_do_not_stop_the_tests_of_others() {
    folder().file("demo/bad.banner", b"// \xff\n").run(&["test"]).is(1).says("error[not-utf8]").says("1 passed, 1 failed\n");
    let broken = "kind Hut (huts) is card { rooms: Int 1.. }\n\nhut Cottage { rooms: 2 }\n\nhut Ruin { rooms: none_at_all }\n\ntest \"a cottage\" {\n  given Cottage as c\n  expect c.rooms == 2\n}\n\ntest \"a ruin\" {\n  given Ruin as r\n  expect r.rooms == 0\n}\n";
    let ended = folder().file("demo/huts.banner", broken).run(&["test"]);
    ended.is(1).says("error[unknown-name]").says("2 passed, 1 failed, 1 not run because of mistakes\n");
}

#[test]
fn libraries_that_are_not_there_are_said_clearly() {
    Folder::new().run(&["test", "--library", "no_such_rules"]).is(2).complains(" rule system called `no_such_rules`");
}

#[test]
fn the_libraries_pass_their_own_tests_and_leave_no_rule_uncovered() {
    Folder::new().run(&["test", "--library", "all", "--coverage"]).is(0).says(" passed, 0 failed\n");
}
