//! Everything reaches paper: for every rule and keyword of the five systems that can act in a game there is a card on which a player reads it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use banneret_cards::layout::Layouter;
use banneret_cards::reference_cards;
use banneret_compiler::api::{PrintedCard, ProjectId, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_compiler::printed::{Paragraph, StripKind};
use banneret_compiler::words::Run;
use banneret_tests::files::{below, house};
use project::Files;

const SYSTEMS: &[&str] = &["affinity", "flux", "focal_point", "one_card", "worlds_collide"];

fn files_of(folder: &Path) -> Files {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    below(folder, ".banner").into_iter().map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

fn open(workspace: &mut Workspace, files: Files) -> ProjectId {
    let project = workspace.open(Manifest::loose("printed"), String::new(), files);
    let found = workspace.check(project).found;
    let wrong: Vec<&str> =
        found.iter().filter(|one| one.diagnostic.severity == Severity::Error).map(|one| one.diagnostic.headline.as_str()).collect();
    assert_eq!(wrong, Vec::<&str>::new());
    project
}

/// All paragraphs that are on paper: what a layout leaves out for want of room is not.
fn on_paper(workspace: &Workspace, project: ProjectId) -> Vec<Paragraph> {
    let mut layouter = Layouter::default();
    let mut cards: Vec<PrintedCard> = workspace.printed(project);
    cards.extend(reference_cards(&workspace.reference(project)));
    let mut out = Vec::new();
    for face in cards.iter().flat_map(|card| &card.printed.faces) {
        let verdict = layouter.verdict(face);
        assert!(verdict.fits, "{}: {:?}", face.name, face.strips);
        for (_, strip) in face.strips.iter().enumerate().filter(|(n, _)| !verdict.left_out.contains(n)) {
            match &strip.kind {
                StripKind::Rules(paragraphs) | StripKind::Reminders(paragraphs) => out.extend(paragraphs.iter().cloned()),
                StripKind::Lines(rows) | StripKind::Grid { rows, .. } => out.extend(rows.iter().flat_map(|row| row.rules.clone())),
                StripKind::Table(rows) => out.extend(rows.iter().flat_map(|row| row.text.clone())),
                _ => {}
            }
        }
    }
    out
}

fn plain(text: &[Run]) -> String {
    text.iter().map(|run| run.text.as_str()).collect()
}

/// Items of rules that stand alone: file, first words, and the comment above them.
fn rules_alone(folder: &Path) -> Vec<(PathBuf, usize, String, String)> {
    let mut out = Vec::new();
    for path in below(folder, ".banner") {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tests")) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let (mut comment, mut at) = (String::new(), 0);
        for line in text.split_inclusive('\n') {
            let is_rule = ["grant ", "before ", "after ", "instead ", "at ", "cannot "].iter().any(|word| line.starts_with(word));
            if line.starts_with("//") {
                comment.push_str(line);
            } else if is_rule {
                out.push((path.clone(), at, line.trim().to_string(), comment.clone()));
            } else if line.trim().is_empty() {
                comment.clear();
            }
            at += line.len();
        }
    }
    out
}

#[test]
fn every_rule_of_a_card_is_printed() {
    let mut looked = 0;
    for system in SYSTEMS {
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, files_of(&house().join("content").join(system)));
        let paper: BTreeSet<String> = on_paper(&workspace, project).iter().map(|paragraph| plain(&paragraph.text)).collect();
        let templates = ["PowerBattle"];
        for (key, words) in workspace.texts(project) {
            if templates.iter().any(|name| key.ends_with(name)) {
                continue;
            }
            for line in words.lines() {
                looked += 1;
                assert!(paper.iter().any(|text| !text.is_empty() && line.ends_with(text.as_str())), "{system}: {key}: {line}");
            }
        }
    }
    assert!(looked > 150, "only {looked} lines of words");
}

#[test]
fn every_keyword_that_a_card_names_is_explained() {
    let mut looked = 0;
    for system in SYSTEMS {
        let folders = [house().join("content").join(system), house().join("stdlib").join(system)];
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, files_of(&folders[0]));
        let titles: BTreeSet<String> =
            on_paper(&workspace, project).iter().filter_map(|paragraph| paragraph.title.as_ref().map(ToString::to_string)).collect();
        let named: BTreeSet<String> = workspace.texts(project).into_values().collect();
        let sources = folders.iter().flat_map(|folder| files_of(folder)).filter(|(path, _)| !path.contains("tests"));
        for line in sources.flat_map(|(_, text)| text.lines().map(String::from).collect::<Vec<_>>()) {
            let Some(rest) = line.strip_prefix("keyword ") else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            let spaced: String =
                name.chars().enumerate().map(|(n, c)| if n > 0 && c.is_uppercase() { format!(" {c}") } else { c.to_string() }).collect();
            if !named.iter().any(|words| words.contains(&spaced)) {
                continue;
            }
            looked += 1;
            let is_it = |title: &String| title.strip_prefix(&spaced).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            assert!(titles.iter().any(is_it), "{system}: what {spaced} means is printed nowhere: {titles:?}");
        }
    }
    assert!(looked >= 12, "only {looked} keywords");
}

/// What a card is marked with and what it does to others, in one system where all of it stands in rules of their own.
#[test]
fn what_statuses_and_types_do_is_printed() {
    let mut workspace = Workspace::new();
    let project = open(&mut workspace, files_of(&house().join("content/focal_point")));
    let paper = on_paper(&workspace, project);
    for (title, says) in [
        ("Bereaved", "Run of at most 2″"),
        ("Cracked", "−1 step of Defense"),
        ("Deafened", "−1 attack dice"),
        ("Shield", "roll Defense against critical hits"),
        ("Spear", "+1 attack dice"),
        ("Hammer", "+1/+1 damage"),
        ("Cavalry", "moved in this activation have +2 attack dice"),
        ("Monster", "+6″ Run"),
    ] {
        let told: Vec<String> =
            paper.iter().filter(|paragraph| paragraph.title.as_deref() == Some(title)).map(|paragraph| plain(&paragraph.text)).collect();
        assert!(told.iter().any(|words| words.contains(says)), "{title}: {told:?}");
    }
    // On the card of whoever is marked, not only on the reference.
    let cards = workspace.printed(project);
    let first_footfall = cards.iter().find(|card| card.printed.name == "BlackBox").unwrap();
    let strips: Vec<_> = first_footfall.printed.faces.iter().flat_map(|face| &face.strips).collect();
    assert!(
        strips
            .iter()
            .any(|strip| matches!(&strip.kind, StripKind::Reminders(all) if all.iter().any(|one| one.title.as_deref() == Some("Shield")))),
        "{strips:?}"
    );
    // And of whoever hands it out.
    let moth = cards.iter().find(|card| card.printed.name == "MothRider").unwrap();
    let told =
        |strip: &StripKind| matches!(strip, StripKind::Reminders(all) if all.iter().any(|one| one.title.as_deref() == Some("Bereaved")));
    assert!(moth.printed.faces.iter().flat_map(|face| &face.strips).any(|strip| told(&strip.kind)));
}

/// Rules that belong to no card: those that a project adds stand on a reference card, those of the game itself in its rulebook, under the number
/// that the comment above them names.
#[test]
fn rules_that_belong_to_no_card_are_read_somewhere() {
    let mut looked = 0;
    for system in SYSTEMS {
        let folder = house().join("content").join(system);
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, files_of(&folder));
        let entries = workspace.reference(project).entries;
        for (path, at, rule, _) in rules_alone(&folder) {
            let file = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            looked += 1;
            assert!(entries.iter().any(|entry| entry.file == file && entry.start as usize == at), "{system}/{file}: {rule}");
        }
        let rulebook = fs::read_to_string(house().join("stdlib").join(system).join("RULES.md")).unwrap();
        for (path, _, rule, comment) in rules_alone(&house().join("stdlib").join(system)) {
            let numbers =
                comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| word.len() > 4 && word.contains('-'));
            let known = numbers.filter(|number| rulebook.contains(*number) && number.ends_with(|c: char| c.is_ascii_digit())).count();
            looked += 1;
            assert!(known > 0, "{}: {rule}: no number of the rulebook above it", path.display());
        }
    }
    assert!(looked >= 15, "only {looked} rules");
}

/// Where a thing has one card only, what its words name stands on that card.
#[test]
fn a_reminder_that_may_be_left_out_is_refused_where_there_is_one_card_only() {
    let text = |reminders: &str| {
        format!(
            "ruleset yard \"Yard\" {{ version: \"1.0\", single_card: [Unit] }}\nkind Side (sides) is player {{ }}\nkind Unit (units) is card {{ keywords: set of Keyword = [], state wet: Bool = false }}\n\
             phase turn {{ }}\nkeyword Tall on Unit {{ says \"sees over walls\" }}\n\
             face front of Unit {{ title \"{{name}}\", rules{reminders} }}\nface back of Unit {{ side: back, title \"{{name}}\" }}\n\
             unit Guard {{ at end of turn {{ grant your units {{ Tall }} until end of turn }} }}\n"
        )
    };
    let codes = |reminders: &str| {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("printed"), String::new(), vec![("yard.banner".into(), text(reminders))]);
        let found = workspace.check(project).found;
        let wrong = found.iter().filter(|one| one.diagnostic.severity == Severity::Error);
        wrong.map(|one| one.diagnostic.code.as_str().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(codes(""), ["printed-nowhere"]);
    assert_eq!(codes(", reminders optional"), ["printed-nowhere"]);
    assert_eq!(codes(", reminders"), Vec::<String>::new());
}
