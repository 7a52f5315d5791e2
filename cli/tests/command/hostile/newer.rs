//! Packages, rules of the house, catalogues of words, goals and odds; and other commands than `check`.

use std::os::unix::fs::symlink;

use super::served::is_served;
use super::{long, many, part, project, survives, survives_by};
use crate::support::Folder;

fn manifest(name: &str, more: &str) -> String {
    format!("(name: \"{name}\", version: \"1.0.0\", rules: \"demo_rules\"{more})\n")
}

fn needs(all: impl Iterator<Item = (String, String)>) -> String {
    let all: Vec<String> = all.map(|(name, path)| format!("{name}: (path: \"{path}\")")).collect();
    format!(", needs: ({})", all.join(", "))
}

/// Packages with a card each; which others each needs.
fn packages(count: usize, leads: impl Fn(usize) -> Vec<usize>) -> Folder {
    let mut folder = project();
    let of = |all: Vec<usize>, up: &'static str| needs(all.into_iter().map(move |i| (format!("p{i}"), format!("{up}p{i}"))));
    folder = folder.file("demo/banneret.ron", manifest("demo", &of(vec![0], "../")));
    for i in 0..count {
        folder = folder
            .file(&format!("p{i}/banneret.ron"), manifest(&format!("p{i}"), &of(leads(i), "../")))
            .file(&format!("p{i}/a.banner"), format!("kind K{i} (ks{i}) is card {{\n  n: Int = 0\n}}\n"));
    }
    folder
}

#[test]
fn packages_of_strangers() {
    survives("a chain of packages", &packages(80, |i| vec![i + 1]));
    survives("a circle of packages", &packages(30, |i| vec![(i + 1) % 30]));
    survives("everybody needs everybody", &packages(60, |i| (i + 1..60).collect()));
    let one = |files: Folder| files.file("demo/banneret.ron", manifest("demo", &needs([("p".to_owned(), "../p".to_owned())].into_iter())));
    let wide = |text: String| one(project()).file("p/banneret.ron", manifest("p", "")).file("p/a.banner", text);
    survives("a package of mistakes", &wide(many(30_000, |i| format!("unit N{i} {{\n  pionts{i}: Unknwon{i}\n}}\n\n"))));
    survives("a package of braces", &wide(long("{")));
    survives("a package of chains", &wide(many(30_000, |i| format!("action a{i} {{\n  a{}\n}}\n\n", i + 1))));
    survives(
        "sources of a package elsewhere",
        &one(project()).file("p/banneret.ron", manifest("p", ", sources: [\"../..\", \"/\", \"/etc\"]")),
    );
    let linked = one(project());
    symlink("/", linked.path().join("p")).unwrap();
    survives("a package that is everything", &linked);
    let dealt = wide("unit A {\n}\n".to_owned());
    symlink("/dev/zero", dealt.path().join("p/zero.banner")).unwrap();
    survives("a package without an end", &dealt);
    // what the lock says is not believed
    let git = ", needs: (p: (git: \"https://example.org/p.git\", tag: \"v1\"))";
    let locked = |lock: String| project().file("demo/banneret.ron", manifest("demo", git)).file("demo/banneret.lock", lock);
    survives("a lock of brackets", &locked(long("(")));
    survives(
        "a lock of lies",
        &locked(
            "(packages: [(name: \"p\", source: \"https://example.org/p.git#v1\", folder: \"../../..\", hash: \"\", commit: \"\")])".into(),
        ),
    );
    let stored = locked(String::new());
    std::fs::create_dir_all(stored.path().join("demo/.banneret")).unwrap();
    symlink("/", stored.path().join("demo/.banneret/packages")).unwrap();
    survives("packages kept in everything", &stored);
    for address in ["ext::sh -c true", "-oProxyCommand=true", "--upload-pack=true", "file:///dev/zero"] {
        let more = format!(", needs: (p: (git: \"{address}\", tag: \"--output=x\"))");
        let folder = project().file("demo/banneret.ron", manifest("demo", &more));
        survives("an address that is none", &folder);
        let ended = folder.run(&["update", "demo"]);
        assert!(ended.code == 2 || ended.code == 1, "{address}: {ended:?}");
        assert!(!folder.path().join("x").exists() && !folder.path().join("demo/x").exists());
    }
    is_served("a circle of packages", &packages(30, |i| vec![(i + 1) % 30]));
}

#[test]
fn rules_of_the_house_of_strangers() {
    let house = |rules: String, changes: String| {
        let more = ", needs: (p: (path: \"../p\")), changes: (p: \"house\")";
        let folder = project().file("p/banneret.ron", manifest("p", "")).file("p/a.banner", rules);
        folder.file("demo/banneret.ron", manifest("demo", more)).file("demo/house/a.banner", changes)
    };
    let actions = |why: &str| many(20_000, |i| format!("{why}action a{i} {{\n  a{}\n}}\n\n", i + 1));
    survives("everything is changed", &house(actions(""), actions("/// So.\n")));
    survives("changes that change nothing", &house("unit A {\n}\n".into(), actions("/// So.\n")));
    survives("changes of braces", &house(actions(""), long("{")));
    survives("changes without a reason", &house(actions(""), actions("")));
    let folder = house(actions(""), actions("/// So.\n"));
    survives_by("a list of all changes", &folder, &["check", "demo", "--changes"]);
    is_served("everything is changed", &house(actions(""), actions("/// So.\n")));
}

#[test]
fn catalogues_of_strangers() {
    let head = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n";
    let all = [
        ("many entries", many(30_000, |i| format!("msgctxt \"demo/U{i}\"\nmsgid \"U{i}\"\nmsgstr \"Ü{i}\"\n\n"))),
        ("one entry many times", many(40_000, |_| "msgid \"A\"\nmsgstr \"B\"\n\n".to_owned())),
        ("quotes", long("\"")),
        ("one long entry", format!("msgid \"A\"\nmsgstr \"{}\"\n", long("ä"))),
        ("entries of many lines", format!("msgid \"A\"\nmsgstr \"\"\n{}", many(80_000, |_| "\"so \"\n".to_owned()))),
        ("gaps", format!("msgctxt \"demo/Unit\"\nmsgid \"unit|units\"\nmsgstr \"{}\"\n", long("{a:dat} |"))),
        ("slashes", format!("msgid \"{}\"\nmsgstr \"\"\n", long("\\\\"))),
        ("remarks", long("#~ msgid \"\"\n")),
    ];
    for (what, text) in all {
        let folder = project().file("demo/words/de.po", format!("{head}{text}"));
        survives_by(what, &folder, &["check", "demo", "--language", "de", "--message-format", "concise"]);
        survives_by(what, &folder, &["words", "demo", "--language", "de"]);
    }
}

#[test]
fn constructs_of_later_years() {
    let ruleset = |more: &str| format!("ruleset demo_more \"More\" {{\n  version: \"1.0\"\n{more}}}\n\n");
    let all = [
        ("a goal without an end", ruleset(&format!("  goal: {}1\n", long("1 + ")))),
        ("odds of everything", ruleset(&format!("  odds: [{}a]\n", long("a, ")))),
        ("options", ruleset(&many(20_000, |i| format!("  option o{i}: Int = {i}\n")))),
        ("units of length", ruleset(&many(20_000, |i| format!("  length l{i} as q{i}\n")))),
        ("throws", format!("action a {{\n{}}}\n", many(20_000, |i| format!("  let t{i} = throw 99999d99999 by you for ToHit\n")))),
        (
            "choices by the thousand",
            format!("action a {{\n  choose {{\n{}  }}\n}}\n", many(20_000, |i| format!("    \"c{i}\" {{ pass }}\n"))),
        ),
        ("rows of rows", many(2000, |i| format!("kind R{i} (rs{i}) is card {{\n  t: table by d100 of R{}\n}}\n\n", i + 1))),
        (
            "places far away",
            many(10_000, |i| format!("test \"t{i}\" {{\n  given Unit as u at (9223372036854775807\", -9223372036854775808\")\n}}\n\n")),
        ),
        ("faces", many(2000, |i| format!("face f{i} of Unit {{\n  size: {i}mm by 99999999mm\n  title \"{{name}}\"\n}}\n\n"))),
        ("templates", many(5000, |i| format!("unit U{i} {{\n  says \"{}\"\n}}\n\n", "{this.points}".repeat(20)))),
        (
            "odds in tests",
            many(5000, |i| {
                format!("test \"t{i}\" {{\n  expect odds of (roll 99d99 > {i}) == 1/2\n  expect spread of roll 999d999 == []\n}}\n\n")
            }),
        ),
        ("limits that look at each in another way", {
            let limits = many(800, |i| {
                format!(
                    "limit \"l{i}\" on Unit {{\n  need count((0..99999) where it * it mod 7 > this.points mod 3 - {i}) > 1 \"x\"\n}}\n\n"
                )
            });
            limits + &many(800, |i| format!("unit L{i} {{\n  points: {i}\n}}\n\n"))
        }),
        (
            "grants by everybody",
            many(10_000, |i| {
                format!("keyword G{i} on Unit {{\n  grant units {{\n    points +1\n  }}\n}}\n\nunit U{i} {{\n  keywords: [G{i}]\n}}\n\n")
            }),
        ),
    ];
    for (what, text) in all {
        survives(what, &project().file("demo/a.banner", text));
    }
}

/// What looks at a project in another way than `check` has the same bounds.
#[test]
fn other_commands() {
    let chain = || many(30_000, |i| format!("action a{i} {{\n  a{}\n}}\n\n", i + 1));
    let cards = || many(20_000, |i| format!("unit U{i} {{\n  points: {i}\n}}\n\n"));
    for (what, text) in [("a chain of actions", chain()), ("many cards", cards()), ("open braces", long("{")), ("quotes", long("\""))] {
        let folder = project().file("demo/a.banner", text);
        survives_by(what, &folder, &["fmt", "--check", "demo"]);
        survives_by(what, &folder, &["diff", "demo", "demo"]);
        survives_by(what, &folder, &["build", "demo", "-o", "out"]);
        survives_by(what, &folder, &["show", "U1", "demo"]);
        survives_by(what, &folder, &["publish", "demo", "--dry-run"]);
    }
    let kind = "kind W (ws) is card {\n  state at: Int 0.. = 0\n}\n\nw A { }\n\n";
    let all = [
        (
            "tests that never end",
            many(200, |i| format!("test \"t{i}\" {{\n  given A as a\n  repeat until a.at < 0 {{ a.at += 1 }}\n}}\n\n")),
        ),
        (
            "odds that never end",
            many(20, |i| {
                let walk = "repeat until a.at == 4999 { a.at = (a.at * 7 + roll d100) mod 5003 }";
                format!(
                    "action w{i}(a: W) {{\n  {walk}\n}}\n\ntest \"t{i}\" {{\n  given A as a\n  do w{i} a\n  expect odds of (a.at == 4999) == 1\n}}\n\n"
                )
            }),
        ),
    ];
    for (what, text) in all {
        let folder = project().file("demo/a.banner", format!("{kind}{text}"));
        survives_by(what, &folder, &["test", "demo", "--most-seconds", "15"]);
    }
    // a whole megabyte of one name
    let folder = project().file("demo/a.banner", format!("unit {} {{\n}}\n", "X".repeat(part(900_000))));
    survives_by("one long name", &folder, &["cards", "demo", "-o", "out", "--format", "svg"]);
}
