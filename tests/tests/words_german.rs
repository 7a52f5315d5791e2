//! German cards: every card of a rule system in genders and cases, told as wholly as in English, and on paper.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use std::fs;
use std::path::Path;

use banneret_cards::Checker;
use banneret_compiler::api::{ProjectId, Stage, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_compiler::words::{Catalogue, Language, Speech};
use banneret_tests::files::{below, house};
use banneret_tests::workbench::EveryPicture;
use project::Files;

fn catalogue(paths: &[&str]) -> Catalogue {
    let mut catalogue = Catalogue::default();
    for path in paths {
        catalogue.add(&fs::read_to_string(house().join(path)).unwrap()).unwrap();
    }
    catalogue
}

fn files_of(folder: &Path) -> Files {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    below(folder, ".banner").into_iter().map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

fn open(workspace: &mut Workspace) -> ProjectId {
    let files = files_of(&house().join("content/one_card"));
    workspace.open(Manifest::loose("lamps_and_orchards"), String::new(), files)
}

fn german() -> Speech {
    Speech { language: Language::German, catalogue: catalogue(&["stdlib/one_card/words/de.po", "content/one_card/words/de.po"]) }
}

/// The words of each card that were read and judged stand in `tests/words/one_card.de.verdicts`, as those of English do beside it.
#[test]
fn every_card_of_a_rule_system_speaks_german() {
    let mut workspace = Workspace::new();
    let project = open(&mut workspace);
    workspace.set_speech(project, Some(german()));
    let found = workspace.check(project).found;
    let errors: Vec<&str> =
        found.iter().filter(|one| one.diagnostic.severity == Severity::Error).map(|one| one.diagnostic.headline.as_str()).collect();
    assert_eq!(errors, Vec::<&str>::new());
    let judged = fs::read_to_string(house().join("tests/words/one_card.de.verdicts")).unwrap();
    let (mut cards, mut changed) = (0, Vec::new());
    for line in judged.lines().filter(|line| !line.is_empty()) {
        let [card, verdict, words] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("not a verdict: {line}") };
        assert!(["printable", "stiff"].contains(&verdict), "{line}");
        let made = workspace.show(project, card, Stage::Text).unwrap_or_default().lines().collect::<Vec<_>>().join(" / ");
        cards += 1;
        if made != words {
            changed.push(format!("{card}\n  judged: {words}\n  made:   {made}"));
        }
    }
    assert!(changed.is_empty(), "words that nobody has judged:\n{}", changed.join("\n"));
    let with_rules = workspace.texts(project).keys().filter(|key| !key.rsplit('/').next().unwrap_or(key).contains('.')).count();
    assert!(cards >= with_rules, "{cards} of {with_rules} cards have a verdict");
    // Nothing of the English words is left.
    for words in workspace.texts(project).values() {
        for english in ["this ", " the ", "damage", "health", "until", "you may"] {
            assert!(!words.contains(english), "{words}");
        }
    }
}

#[test]
fn german_cards_fit_on_their_paper() {
    let mut workspace = Workspace::new();
    let project = open(&mut workspace);
    workspace.set_speech(project, Some(german()));
    let printed = workspace.printed(project);
    assert!(printed.len() >= 21, "{} cards", printed.len());
    let found = Checker::default().check(&printed, &EveryPicture);
    let full: Vec<&str> =
        found.iter().filter(|one| one.diagnostic.code == "card-too-full").map(|one| one.diagnostic.headline.as_str()).collect();
    assert_eq!(full, Vec::<&str>::new());
    // Of a language in which everything is longer some do not.
    let mut long = Catalogue::default();
    let text = fs::read_to_string(house().join("stdlib/one_card/words/de.po")).unwrap();
    long.add(
        &text.replace("die Miniatur|die Miniaturen", &format!("die {0}|die {0}", "ausgesprochen kleine Darstellung ".repeat(12).trim())),
    )
    .unwrap();
    workspace.set_speech(project, Some(Speech { language: Language::German, catalogue: long }));
    let found = Checker::default().check(&workspace.printed(project), &EveryPicture);
    assert!(found.iter().any(|one| one.diagnostic.code == "card-too-full"), "{found:?}");
}

/// A translation belongs to the words it was made for, and what has none is told where it is needed.
#[test]
fn what_is_not_translated_is_told() {
    let mut workspace = Workspace::new();
    let text = r#"
ruleset odd "Odd" { version: "1.0" }
kind Side (sides) is player { }
kind Unit (units) is card { state wounds: Int 0.. = 0 }
phase turn { }
action heal(n: Int) to target: Unit { says "heal {n} of {target}", target.wounds -= n }
unit Nurse { at end of turn { heal 1 to this } }
"#;
    let project = workspace.open(Manifest::loose("words"), String::new(), vec![("odd.banner".into(), text.into())]);
    let entry = |of: &str, id: &str, words: &str| format!("msgctxt \"{of}\"\nmsgid \"{id}\"\nmsgstr \"{words}\"\n\n");
    let keys: Vec<_> = workspace.to_say(project).into_iter().map(|one| (one.of, one.id)).collect();
    let of = |id: &str| keys.iter().find(|(_, has)| has == id).map(|(of, _)| of.to_string()).unwrap();
    let base =
        entry(&of("unit|units"), "unit|units", "die Einheit|die Einheiten") + &entry(&of("turn"), "turn", "der Zug, des Zuges|die Züge");
    let mut said = |more: &str| {
        let mut catalogue = Catalogue::default();
        catalogue.add(&format!("{base}{more}")).unwrap();
        workspace.set_speech(project, Some(Speech { language: Language::German, catalogue }));
        let found = workspace.check(project).found;
        let errors: Vec<String> =
            found.iter().filter(|one| one.diagnostic.severity == Severity::Error).map(|one| one.diagnostic.headline.clone()).collect();
        (errors, workspace.show(project, "Nurse", Stage::Text).unwrap_or_default())
    };
    let heal = of("heal {n} of {target}");
    let (errors, words) = said(&entry(&heal, "heal {n} of {target}", "{target:dat} {n} Wunden heilen"));
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(words.trim(), "Am Ende des Zuges heile dieser Einheit 1 Wunden.");
    // Nothing, words for what the action said before, words that leave the target out, and no verb.
    for wrong in [
        String::new(),
        entry(&heal, "heal {target}", "{target:acc} heilen"),
        entry(&heal, "heal {n} of {target}", "{n} Wunden heilen"),
        entry(&heal, "heal {n} of {target}", "{target:dat} {n} Wunden gut"),
    ] {
        let (errors, _) = said(&wrong);
        assert!(!errors.is_empty(), "{wrong}");
    }
}
