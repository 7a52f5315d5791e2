//! `diff`: what changed between two versions of a project, in text, Markdown and JSON.

use std::process::Command;

use crate::support::Folder;

const RULES: &str = "ruleset coast \"Coast\" { version: \"1.0\" }\n\nkind Boat (boats) is card {\n  hull: Int 1..\n  keywords: set of Keyword = []\n  parts: [Oar]\n}\n\nkind Oar is part { length: Int 1.. }\n\nkeyword Tarred(x) on Boat { says \"Tarred {x}\" }\n\naction sink(b: Boat) {\n  says \"{b} sinks\"\n  remove b\n}\n";
const BOATS: &str = "boat Cockle \"The Cockle\" {\n  hull: 3, keywords: [Tarred 1]\n  oar Long { length: 4 }\n}\nboat Skiff { hull: 2 }\n";
const MANIFEST: &str = "(name: \"coast\", version: \"1.0.0\", rules: \"coast\")\n";

fn versions() -> Folder {
    let newer =
        BOATS.replace("hull: 3", "hull: 4").replace("Tarred 1", "Tarred 2").replace("length: 4", "length: 5").replace("Skiff", "Gull");
    let folder = Folder::new();
    let folder = folder.file("old/banneret.ron", MANIFEST).file("old/rules.banner", RULES).file("old/boats.banner", BOATS);
    let folder = folder.file("new/banneret.ron", MANIFEST.replace("1.0.0", "1.1.0")).file("new/rules.banner", RULES);
    folder.file("new/boats.banner", newer)
}

#[test]
fn stats_keywords_parts_and_cards_are_told() {
    let ended = versions().run(&["diff", "old", "new"]);
    ended.is(1);
    let told = "coast 1.0.0 \u{2192} 1.1.0\n\nCards\n  Gull: new\n  Skiff: gone\n  The Cockle: hull 3 \u{2192} 4; keywords Tarred 1 \u{2192} Tarred 2\n    rules were: Tarred 1.\n    rules are:  Tarred 2.\n  The Cockle, Long: length 4 \u{2192} 5\n";
    assert_eq!(ended.out, told);
}

#[test]
fn a_page_of_notes_and_lines_for_programs() {
    let folder = versions();
    folder.run(&["diff", "old", "new", "--markdown"]).is(1).says("## Cards\n\n* **Gull**: new\n");
    let json = folder.run(&["diff", "old", "new", "--json"]);
    let lines: Vec<serde_json::Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|l| l["of"] == "The Cockle" && l["what"] == "hull" && l["before"] == "3" && l["after"] == "4"), "{lines:?}");
}

#[test]
fn rules_that_were_rewritten_are_shown() {
    let folder =
        versions().file("new/boats.banner", BOATS).file("new/rules.banner", RULES.replace("  remove b", "  need b.hull < 9\n  remove b"));
    folder.run(&["diff", "old", "new"]).is(1).says("Rules\n  action sink: rewritten\n    + need b.hull < 9\n");
}

#[test]
fn the_same_is_the_same() {
    let folder = versions();
    folder.run(&["diff", "old", "old"]).is(0).says("nothing changed");
    // what has mistakes has no meaning that could be compared
    let folder = folder.file("new/boats.banner", "boat Cockle { hul: 3 }\n");
    folder.run(&["diff", "old", "new"]).is(1).says("error[");
    folder.run(&["diff", "old"]).is(2);
}

#[test]
fn a_project_is_compared_with_a_tag() {
    let folder = versions();
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
        let done = Command::new("git").args(who).args(args).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "old"]);
    git(&["commit", "--quiet", "--message", "one"]);
    git(&["tag", "v1"]);
    std::fs::write(folder.path().join("old/boats.banner"), BOATS.replace("hull: 2", "hull: 1")).unwrap();
    folder.run(&["diff", "old", "--since", "v1"]).is(1).says("Skiff: hull 2 \u{2192} 1");
    folder.run(&["diff", "old", "--since", "v9"]).is(2).complains("cannot be fetched");
}

/// Two attacks that hit for three: one in two, and then one in three of them.
#[test]
fn odds_that_are_others_are_told() {
    let folder = Folder::new();
    for name in ["old", "new"] {
        folder.run(&["new", name, "--rules", "worlds_collide"]).is(0);
    }
    let text = folder.read("new/new.banner").replace("    knack: 4+, attacks: 2, damage: 4", "    knack: 5+, attacks: 2, damage: 4");
    let folder = folder.file("new/new.banner", text);
    let ended = folder.run(&["diff", "old", "new"]);
    ended.is(1).says("  Watchman, Halberd: knack 4+ \u{2192} 5+\n    odds were: ").says("    odds are:  ");
    let told: Vec<&str> = ended.out.lines().filter(|line| line.contains("odds ")).collect();
    assert!(
        told.len() == 2
            && told[0].ends_with("wounds of the target: 3 on average.")
            && told[1].ends_with("wounds of the target: 2 on average.")
    );
    let json = folder.run(&["diff", "old", "new", "--json"]);
    json.is(1).says("\"change\":\"odds\"");
    assert!(!folder.run(&["diff", "old", "new", "--no-odds"]).is(1).out.contains("odds "));
}
