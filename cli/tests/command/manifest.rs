//! Mistakes in the manifest: code, line and column of each.

use crate::support::{Folder, MANIFEST, RULES};

/// Code, line and column of everything wrong with a manifest.
fn mistakes(manifest: &str) -> Vec<(String, u64, u64)> {
    let folder = Folder::new().file("banneret.ron", manifest).file("rules.banner", RULES);
    let place = |o: &serde_json::Value, key: &str| o[key].as_u64().unwrap();
    folder
        .json(&[])
        .iter()
        .map(|o| {
            assert_eq!(o["file"], "banneret.ron");
            (o["code"].as_str().unwrap().to_owned(), place(o, "line"), place(o, "column"))
        })
        .collect()
}

fn one(manifest: &str) -> (String, u64, u64) {
    let mut found = mistakes(manifest);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn at(code: &str, line: u64, column: u64) -> (String, u64, u64) {
    (code.to_owned(), line, column)
}

#[test]
fn a_right_one_has_none() {
    assert_eq!(mistakes(MANIFEST), []);
}

#[test]
fn each_mistake_has_its_place() {
    let with = |from: &str, to: &str| MANIFEST.replacen(from, to, 1);
    assert_eq!(one(&with("version", "vresion")), at("manifest-unknown-field", 2, 19));
    assert_eq!(one(&with(" version: \"0.1.0\",", "")), at("manifest-missing-field", 4, 1));
    assert_eq!(one(&with("\"0.1.0\"", "0.1")), at("manifest-wrong-type", 2, 28));
    assert_eq!(one(&with("0.1.0", "new")), at("manifest-bad-version", 2, 28));
    assert_eq!(one(&with("demo_rules", "dmeo_rules")), at("manifest-unknown-rules", 3, 12));
    assert_eq!(one(&with("\"demo\",", "\"demo\"")), at("manifest-syntax", 2, 18));
    let folders = with("\"demo_rules\",", "\"demo_rules\", sources: [\".\", \"more\"]");
    assert_eq!(one(&folders), at("manifest-missing-folder", 3, 41));
}

#[test]
fn columns_count_characters() {
    let manifest = MANIFEST.replacen("name", "/* — é */ name", 1).replacen("0.1.0", "x", 1);
    assert_eq!(one(&manifest), at("manifest-bad-version", 2, 38));
}

#[test]
fn several_are_all_shown_with_suggestions() {
    let manifest = MANIFEST.replacen("version", "vresion", 1).replacen("rules", "ruels", 1);
    let folder = Folder::new().file("banneret.ron", manifest);
    let ended = folder.run(&["check"]);
    ended.is(1).says("Did you mean `version`?").says("Did you mean `rules`?").says("2 errors in 1 file");
    ended.says("banneret.ron:2:19").says("banneret explain manifest-unknown-field");
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let folder = Folder::new().file("banneret.ron", b"(name: \"\xff\xfe\", version: \"1\", rules: \"x\")");
    assert!(!folder.codes(&[]).is_empty());
    let folder = Folder::new().file("banneret.ron", b"\xff");
    assert_eq!(folder.codes(&[]), ["manifest-syntax"]);
}

/// Not one message for every word that the other game does not have.
#[test]
fn the_rules_of_another_game_are_one_mistake() {
    let manifest = "(\n    name: \"vow\", version: \"0.1.0\",\n    rules: \"worlds_collide\",\n)\n";
    let units =
        "use flux\n\nenum Training also { Blood }\n\nunit Reaver of CrimsonVow {\n  points: 25, base: 1s, health: 12, move: 6s\n}\n";
    let folder = Folder::new().file("vow/banneret.ron", manifest).file("vow/units.banner", units);
    let found = folder.json(&["vow"]);
    let [only] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((only["code"].as_str(), only["line"].as_u64(), only["column"].as_u64()), (Some("missing-use"), Some(1), Some(5)));
    assert!(only["help"].as_str().is_some_and(|help| help.contains("`use worlds_collide`")), "{only}");
}
