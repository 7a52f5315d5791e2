//! Release notes tell every change, and no other: numbers, keywords, names, conditions and whole lines of real content are changed one by one.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::facts::{Change, Changed, compared};
use banneret_compiler::manifest::Manifest;
use banneret_tests::files::{below, house};

const PROJECTS: [(&str, &str); 3] =
    [("one_card/saltlamp", "one_card"), ("worlds_collide/kiln", "worlds_collide"), ("one_card/orchard", "one_card")];

/// A change made on purpose: file, what it was, what it is; the card it is in.
struct Made {
    file: usize,
    text: String,
    card: String,
    what: String,
}

/// The number of a field, one higher: `points: 10` to `points: 11`.
fn numbers(files: &[(String, String)]) -> Vec<Made> {
    let mut out = Vec::new();
    for (file, (_, text)) in files.iter().enumerate() {
        let mut card = String::new();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with(|c: char| c.is_ascii_lowercase()) {
                card = line.split(|c: char| !c.is_alphanumeric() && c != '_').nth(1).unwrap_or_default().to_owned();
            }
            let code = line.split("//").next().unwrap();
            for (at, _) in code.match_indices(": ") {
                let rest = &code[at + 2..];
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                if digits == 0 || code[..at].contains('"') || code.trim_start().starts_with("test") {
                    continue;
                }
                let number: i64 = rest[..digits].parse().unwrap();
                let name = code[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().replace('_', " ");
                let place = offset + at + 2;
                let text = format!("{}{}{}", &text[..place], number + 1, &text[place + digits..]);
                out.push(Made { file, text, card: card.clone(), what: name });
            }
            offset += line.len();
        }
    }
    out
}

/// A line of rules, left out.
fn lines_left_out(files: &[(String, String)]) -> Vec<Made> {
    let mut out = Vec::new();
    for (file, (_, text)) in files.iter().enumerate() {
        let mut card = String::new();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with(|c: char| c.is_ascii_lowercase()) {
                card = line.split(|c: char| !c.is_alphanumeric() && c != '_').nth(1).unwrap_or_default().to_owned();
            }
            let is_rule = ["after ", "before ", "grant ", "at ", "keywords:"].iter().any(|word| line.trim_start().starts_with(word));
            if line.starts_with("  ") && is_rule && line.matches('{').count() == line.matches('}').count() {
                let text = format!("{}{}", &text[..offset], &text[offset + line.len()..]);
                out.push(Made { file, text, card: card.clone(), what: String::new() });
            }
            offset += line.len();
        }
    }
    out
}

#[test]
fn every_change_is_told_and_no_other() {
    let (mut made, mut wrong) = (0, Vec::new());
    for (folder, rules) in PROJECTS {
        let root = house().join("content").join(folder);
        let files: Vec<(String, String)> = below(&root, ".banner")
            .into_iter()
            .map(|path| (format!("p/{}", path.strip_prefix(&root).unwrap().display()), std::fs::read_to_string(&path).unwrap()))
            .collect();
        let mut workspace = Workspace::new();
        let manifest = Manifest { rules: rules.to_owned(), ..Manifest::loose("p") };
        let project = workspace.open(manifest, "p".to_owned(), files.clone());
        let before = workspace.facts(project);
        assert!(compared(&before, &before).is_empty());
        for change in numbers(&files).into_iter().chain(lines_left_out(&files)) {
            let (path, original) = &files[change.file];
            workspace.set_text(project, path, Some(change.text.clone()));
            let told = compared(&before, &workspace.facts(project));
            workspace.set_text(project, path, Some(original.clone()));
            made += 1;
            let of_card = |changed: &&Changed| {
                title_of(&before, &change.card).is_some_and(|t| changed.title == t || changed.title.starts_with(&format!("{t}, ")))
            };
            let (own, other): (Vec<&Changed>, Vec<&Changed>) = told.iter().partition(|c| of_card(c));
            let is_named = change.what.is_empty() || own.iter().flat_map(|c| &c.changes).any(|c| names(c, &change.what));
            // what is no card is told as a rule
            let is_rule = title_of(&before, &change.card).is_none() && other.len() == 1;
            if !(is_rule || (!own.is_empty() && is_named && other.iter().all(|c| builds_on(&files, c, &change.card)))) {
                wrong.push(format!("{path}: {} of {}: {told:?}", change.what, change.card));
            }
        }
        assert_eq!(compared(&before, &workspace.facts(project)), [], "put back, nothing is left");
    }
    assert!(wrong.is_empty(), "{} of {made}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(made >= 200, "only {made} changes");
}

fn title_of(facts: &banneret_compiler::facts::Facts, card: &str) -> Option<String> {
    facts.cards.get(card).map(|card| card.title.clone())
}

/// Whether a change is about the field, or about words and lines in which it stands.
fn names(change: &Change, what: &str) -> bool {
    match change {
        Change::Value { what: told, .. } => told == what || told == "rules",
        Change::Rewritten { .. } => true,
        _ => false,
    }
}

/// Whether the card that changed too takes something over from the card that was changed.
fn builds_on(files: &[(String, String)], changed: &Changed, card: &str) -> bool {
    let title = changed.title.split(", ").next().unwrap();
    let name: String = title.chars().filter(|c| c.is_alphanumeric()).collect();
    files.iter().any(|(_, text)| text.lines().any(|line| line.contains(&format!("from {card}")) && line.contains(&name)))
}

#[test]
fn what_is_only_laid_out_in_another_way_is_no_change() {
    let text = "ruleset small \"Small\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  health: Int 1..\n}\n\nunit A { health: 2 }\nunit B { health: 3 }\n";
    let other = "// by somebody\nruleset small \"Small\" { version: \"1.0\" }\n\n/// What fights.\nkind Unit (units) is card {\n    health: Int 1..  // at least one\n}\n\nunit B { health: 3 }\n\nunit A {\n  health: 2\n}\n";
    let facts = |text: &str| {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("small"), String::new(), vec![("a.banner".to_owned(), text.to_owned())]);
        workspace.facts(project)
    };
    let told = compared(&facts(text), &facts(other));
    assert_eq!(told, [], "{told:?}");
    let told = compared(&facts(text), &facts(&text.replace("health: Int 1..", "health: Int 2..")));
    assert!(matches!(told.as_slice(), [Changed { group: "Rules", .. }]), "{told:?}");
}
