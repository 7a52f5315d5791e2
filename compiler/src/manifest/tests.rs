//! Every mistake has its code and stands at its place.

#![allow(clippy::expect_used)]

use super::*;

const GOOD: &str = r#"// a project
(
    name: "crimson_vow", version: "0.1.0",
    rules: "skirmish", rules_version: "1.9",
    sources: [".", "more"], // folders
    cards: "out", art: "pictures",
)
"#;

/// Code and marked text of every problem.
fn mistakes(text: &str) -> Vec<(&'static str, &str)> {
    match Manifest::read(text, "banneret.ron") {
        Ok(_) => Vec::new(),
        Err(problems) => {
            let marked = |p: &ProjectProblem| (p.code.as_str(), p.span.map_or("", |s| s.of(text)));
            problems.iter().map(marked).collect()
        }
    }
}

fn help(text: &str) -> String {
    match Manifest::parse(text, "banneret.ron") {
        Ok(_) => String::new(),
        Err(problem) => problem.help.unwrap_or_default(),
    }
}

#[test]
fn a_full_manifest_is_read() {
    let manifest = Manifest::parse(GOOD, "p/banneret.ron").expect("it is right");
    assert_eq!(manifest.name, "crimson_vow");
    assert_eq!(manifest.rules_version.as_deref(), Some("1.9"));
    assert_eq!(manifest.sources, [".", "more"]);
    assert_eq!((manifest.cards.as_str(), manifest.art.as_str()), ("out", "pictures"));
    assert_eq!(manifest.at.sources.len(), 2);
    assert_eq!(manifest.at.rules.map(|s| s.of(GOOD)), Some("\"skirmish\""));
}

#[test]
fn ron_reads_what_is_read_here() {
    assert!(ron::from_str::<ron::Value>(GOOD).is_ok());
}

#[test]
fn the_rest_has_defaults() {
    let text = r#"Project(name: "a", version: "1", rules: r"b")"#;
    let manifest = Manifest::parse(text, "banneret.ron").expect("it is right");
    assert_eq!(manifest.sources, ["."]);
    assert_eq!((manifest.cards.as_str(), manifest.art.as_str()), ("cards", "art"));
    assert_eq!(manifest.rules_version, None);
}

#[test]
fn unknown_fields_name_the_nearest() {
    let text = r#"(name: "a", vresion: "1", rules: "b", zebra: 3)"#;
    assert_eq!(mistakes(text), [("manifest-unknown-field", "vresion"), ("manifest-unknown-field", "zebra")]);
    assert_eq!(help(text), "Did you mean `version`? Write `version: …`.");
}

#[test]
fn missing_fields_are_all_named() {
    let code = "manifest-missing-field";
    assert_eq!(mistakes("()"), [(code, ")"), (code, ")"), (code, ")")]);
}

#[test]
fn types_are_checked_where_they_stand() {
    let text = r#"(name: "a", version: 1.0, rules: yes, sources: [".", 3], art: ["x"])"#;
    let code = "manifest-wrong-type";
    assert_eq!(mistakes(text), [(code, "1.0"), (code, "yes"), (code, "3"), (code, "[\"x\"]")]);
    assert_eq!(help(text), "Write `version: \"1.0\"`.");
    assert_eq!(mistakes(r#"(name: "a b", version: "1", rules: "c")"#), [(code, "\"a b\"")]);
    assert_eq!(mistakes(r#"(name: "a", version: "1", rules: "c", sources: [])"#), [(code, "[]")]);
}

#[test]
fn versions_are_numbers() {
    let code = "manifest-bad-version";
    assert_eq!(mistakes(r#"(name: "a", version: "one", rules: "c")"#), [(code, "\"one\"")]);
    for good in ["1", "1.9", "0.1.0", "1.0.0-beta.2"] {
        assert!(is_version(good), "{good}");
    }
    for bad in ["", "1.", ".1", "1.2.3.4", "v1", "1.0-", "1 0"] {
        assert!(!is_version(bad), "{bad}");
    }
}

#[test]
fn shape_mistakes_stand_at_their_place() {
    let code = "manifest-syntax";
    let cases = [
        ("", ""),
        ("name: \"a\"", ":"),
        ("(name \"a\")", "\""),
        ("(name: \"a\" version: \"1\")", "v"),
        ("(name: \"a\", \"b\": 1)", "\""),
        ("(name: \"a\",", ""),
        ("(name: \"a\n)", "\""),
        ("(name: [\"a\"", "["),
        ("(name: ,)", ","),
        ("(name: \"a\") more", "m"),
        ("(name: \"\\q\")", "\"\\q\""),
        ("(name: \"a\", name: \"b\", version: \"1\", rules: \"c\")", "name"),
    ];
    for (text, marked) in cases {
        assert_eq!(mistakes(text), [(code, marked)], "{text}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    for end in 0..GOOD.len() {
        let cut: String = GOOD.chars().take(end).collect();
        assert!(!mistakes(&cut).is_empty() || cut.trim_end().ends_with(')'));
        let removed: String = GOOD.chars().enumerate().filter(|(i, _)| *i != end).map(|(_, c)| c).collect();
        let _ = mistakes(&removed);
    }
    let deep = format!("(name: {}", "[".repeat(10_000));
    assert_eq!(mistakes(&deep).len(), 1);
    let _ = mistakes("(näme: \"ü\", /* open");
}

#[test]
fn rules_must_be_there_in_that_version() {
    let manifest = |rules: &str, version: &str| {
        let text = format!(r#"(name: "a", version: "1", rules: "{rules}", rules_version: "{version}")"#);
        let known = [("skirmish", Some("1.9")), ("duel", None)];
        Manifest::parse(&text, "banneret.ron").expect("it is right").check_rules(&known)
    };
    assert_eq!(manifest("skirmish", "1.9.0"), None);
    assert_eq!(manifest("duel", "7"), None);
    assert_eq!(manifest("skirmish", "2.0").map(|p| p.code.as_str()), Some("manifest-bad-version"));
    let unknown = manifest("skirmsh", "1.9").expect("it is unknown");
    assert_eq!(unknown.code, "manifest-unknown-rules");
    assert_eq!(unknown.help.as_deref(), Some("Did you mean `skirmish`? Write `rules: \"skirmish\"`."));
}

#[test]
fn packages_are_read_with_where_they_come_from() {
    let text = "(\n    name: \"a\", version: \"1\", rules: \"grid\",\n    needs: (\n        grid: (path: \"../grid\", version: \"1.2\"),\n        hexes: (git: \"https://example.org/hexes\", tag: \"v3\"),\n        flux: (),\n    ),\n)\n";
    let manifest = Manifest::parse(text, "banneret.ron").unwrap();
    let origins: Vec<&Origin> = manifest.needs.iter().map(|need| &need.origin).collect();
    let git = Origin::Git { url: "https://example.org/hexes".to_owned(), tag: "v3".to_owned() };
    assert_eq!(origins, [&Origin::Path("../grid".to_owned()), &git, &Origin::BuiltIn]);
    assert_eq!(manifest.needs[0].version.as_deref(), Some("1.2"));
    assert_eq!(manifest.needs[1].at.of(text), "hexes");
}

#[test]
fn what_is_wrong_with_a_package_is_told_at_its_line() {
    let wrong = |needs: &str| {
        let text = format!("(name: \"a\", version: \"1\", rules: \"g\", needs: {needs})");
        let problem = Manifest::parse(&text, "banneret.ron").unwrap_err();
        (problem.code.as_str(), problem.span.unwrap().of(&text).to_owned())
    };
    assert_eq!(wrong("\"grid\""), ("manifest-wrong-type", "\"grid\"".to_owned()));
    assert_eq!(wrong("(grid: \"../grid\")"), ("manifest-wrong-type", "\"../grid\"".to_owned()));
    assert_eq!(wrong("(grid: (pth: \"../grid\"))"), ("manifest-unknown-field", "pth".to_owned()));
    assert_eq!(wrong("(grid: (git: \"x\"))"), ("manifest-missing-field", "(git: \"x\")".to_owned()));
    assert_eq!(wrong("(grid: (path: \"x\", git: \"y\", tag: \"z\"))").0, "manifest-wrong-type");
    assert_eq!(wrong("(grid: (path: \"x\"), grid: (path: \"y\"))"), ("manifest-syntax", "grid".to_owned()));
    assert_eq!(wrong("(grid: (path: \"x\", version: \"new\"))").0, "manifest-bad-version");
    assert_eq!(wrong("(grid: (path: \"x\"").0, "manifest-syntax");
}

#[test]
fn a_package_is_written_into_a_manifest() {
    let plain = "// mine\n(\n    name: \"a\", version: \"1\", rules: \"g\" // last\n)\n";
    let once = with_need(plain, "grid", "path: \"../grid\"").unwrap();
    let twice = with_need(&once, "hexes", "git: \"x\", tag: \"v1\"").unwrap();
    let names = |text: &str| Manifest::parse(text, "m").unwrap().needs.iter().map(|need| need.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&once), ["grid"]);
    assert_eq!(names(&twice), ["hexes", "grid"]);
    assert!(twice.starts_with("// mine\n(") && twice.contains("// last"));
    assert_eq!(with_need(&twice, "grid", "path: \"y\""), None);
}
