//! Every message format, read back where programs read it.

use serde_json::Value;

use crate::support::{Folder, MANIFEST, RULES};

/// One mistake in a source (after letters of several bytes) and one in a manifest.
fn broken() -> Folder {
    Folder::new()
        .file("a/banneret.ron", MANIFEST)
        .file("a/rules.banner", RULES)
        .file("a/bad.banner", b"// \xc3\xa9\n// \xe2\x80\x94 \xff\n")
        .file("b/banneret.ron", MANIFEST.replacen("0.1.0", "x", 1))
        .file("b/rules.banner", RULES)
}

#[test]
fn full_shows_the_lines() {
    let ended = broken().run(&["check"]);
    ended.is(1).says("error[not-utf8]: This file is not UTF-8 text.").says("a/bad.banner:2:6");
    ended.says("= help: Save it again").says("= banneret explain not-utf8");
    ended.says("b/banneret.ron:2:28").says("2 errors in 2 files\n");
    assert!(!ended.out.contains('\x1b'), "a pipe gets no colour");
}

#[test]
fn colour_is_asked_for_or_not() {
    let folder = broken();
    assert!(folder.run(&["check", "--color", "always"]).out.contains("\x1b["));
    assert!(!folder.run(&["check", "--color", "never"]).out.contains('\x1b'));
}

#[test]
fn concise_is_one_line_each() {
    let ended = broken().run(&["check", "--message-format", "concise"]);
    let lines: Vec<&str> = ended.is(1).out.lines().collect();
    assert_eq!(
        lines,
        [
            "a/bad.banner:2:6: error[not-utf8]: This file is not UTF-8 text.",
            "b/banneret.ron:2:28: error[manifest-bad-version]: `x` is not a version.",
            "2 errors in 2 files",
        ]
    );
}

#[test]
fn json_has_every_field() {
    let found = broken().json(&[]);
    assert_eq!(found.len(), 2);
    let first = &found[0];
    assert_eq!(first["code"], "not-utf8");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["message"], "This file is not UTF-8 text.");
    assert_eq!(first["file"], "a/bad.banner");
    assert!(first["help"].is_string() && first["fixes"].is_array());
    let place = ["line", "column", "end_line", "end_column"].map(|key| first[key].as_u64().unwrap());
    assert_eq!(place, [2, 6, 2, 7]);
}

#[test]
fn json_says_nothing_when_all_is_fine() {
    let ended = Folder::with_project().run(&["check", "--message-format", "json"]);
    assert_eq!(ended.is(0).out, "");
}

#[test]
fn github_makes_commands() {
    let ended = broken().run(&["check", "--message-format", "github"]);
    ended.is(1).says("::error file=a/bad.banner,line=2,endLine=2,col=6,endColumn=7,title=not-utf8::This file");
    assert!(ended.out.lines().all(|line| line.starts_with("::")), "{ended:?}");
}

#[test]
fn sarif_has_the_shape_of_2_1_0() {
    let ended = broken().run(&["check", "--message-format", "sarif"]);
    let document: Value = serde_json::from_str(&ended.is(1).out).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "banneret");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!((rules.len(), results.len()), (2, 2));
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["shortDescription"]["text"].as_str().unwrap().ends_with('.'));
        assert_eq!(result["level"], "error");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string());
        assert_eq!(place["region"]["startLine"], 2);
    }
    let fine: Value = serde_json::from_str(&Folder::with_project().run(&["check", "--message-format", "sarif"]).out).unwrap();
    assert_eq!(fine["runs"][0]["results"], Value::Array(Vec::new()));
}
