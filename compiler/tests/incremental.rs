//! Which queries an edit re-runs. Work is proportional to the edit: these tests count it.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::db::Db;
use banneret_compiler::manifest::Manifest;

const RULES: &str = r#"
ruleset tiny "Tiny" { version: "1.0" }

kind Unit (units) is card {
  health: Int 1..
  state wounds: Int 0.. = 0
}

action hurt(amount: Int) to target: Unit {
  target.wounds += amount
}

define frail on Unit = health < 3

unit Rat { health: 1 }

unit Wolf { health: 4 }
"#;

const CARDS: &str = r#"
unit Bear { health: 9 }

unit Bull {
  health: 7
  after hurt to this { hurt 1 to target }
}
"#;

/// A project and everything its queries ran since the last look.
struct Watched {
    workspace: Workspace,
    project: ProjectId,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new() -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let log = heard.clone();
        let db = Db::listening(move |query| log.lock().unwrap().push(query));
        let mut workspace = Workspace::with_library(db, []);
        let manifest = Manifest::parse(r#"(name: "t", version: "0.1.0", rules: "tiny")"#, "banneret.ron").unwrap();
        let files = vec![("rules.banner".to_string(), RULES.to_string()), ("cards.banner".to_string(), CARDS.to_string())];
        let project = workspace.open(manifest, String::new(), files);
        let mut watched = Self { workspace, project, heard };
        watched.check();
        // as an editor opens them: from then on what is typed is told apart from what others see
        watched.edit("rules.banner", RULES.to_string());
        watched.edit("cards.banner", CARDS.to_string());
        watched
    }

    /// Checks, and gives the names of the queries that ran.
    fn check(&mut self) -> Vec<String> {
        self.heard.lock().unwrap().clear();
        let checked = self.workspace.check(self.project);
        assert!(!checked.has_errors(), "{:?}", checked.found);
        self.heard.lock().unwrap().clone()
    }

    fn edit(&mut self, path: &str, text: String) -> Vec<String> {
        self.workspace.set_text(self.project, path, Some(text));
        self.check()
    }
}

fn count(ran: &[String], query: &str) -> usize {
    ran.iter().filter(|r| r.starts_with(&format!("{query}("))).count()
}

#[test]
fn checking_again_runs_nothing() {
    let mut p = Watched::new();
    assert_eq!(p.check(), Vec::<String>::new());
}

#[test]
fn an_edit_inside_one_item_checks_that_item_alone() {
    let mut p = Watched::new();
    let ran = p.edit("cards.banner", CARDS.replace("health: 9", "health: 8"));
    assert_eq!(count(&ran, "analysis"), 1, "{ran:#?}");
    assert_eq!(count(&ran, "elaborate"), 1, "{ran:#?}");
    assert_eq!(count(&ran, "lowered"), 1, "{ran:#?}");
    assert_eq!(count(&ran, "module_names"), 0, "{ran:#?}");
}

#[test]
fn an_edit_in_the_body_of_an_action_checks_no_caller() {
    let mut p = Watched::new();
    let ran = p.edit("rules.banner", RULES.replace("target.wounds += amount", "target.wounds += amount + 1"));
    assert_eq!(count(&ran, "elaborate"), 1, "{ran:#?}");
    assert_eq!(count(&ran, "analysis"), 1, "{ran:#?}");
}

#[test]
fn a_comment_at_the_top_parses_nothing() {
    let mut p = Watched::new();
    let ran = p.edit("rules.banner", format!("// a note\n\n{RULES}"));
    assert_eq!(count(&ran, "items"), 0, "{ran:#?}");
    assert_eq!(count(&ran, "parse"), 0, "{ran:#?}");
    assert_eq!(count(&ran, "elaborate"), 0, "{ran:#?}");
    assert_eq!(count(&ran, "analysis"), 0, "{ran:#?}");
}

#[test]
fn a_new_item_checks_only_what_names_it() {
    let mut p = Watched::new();
    let ran = p.edit("cards.banner", format!("{CARDS}\nunit Boar {{ health: 5 }}\n"));
    assert_eq!(count(&ran, "parse"), 0, "{ran:#?}");
    assert_eq!(count(&ran, "analysis"), 1, "{ran:#?}");
}

#[test]
fn a_changed_kind_checks_its_cards() {
    let mut p = Watched::new();
    let ran = p.edit("rules.banner", RULES.replace("health: Int 1..\n", "health: Int 1..99\n"));
    // the kind and its four cards at least
    assert!(count(&ran, "elaborate") >= 5, "{ran:#?}");
    // nothing is parsed but the kind
    assert_eq!(count(&ran, "parse"), 1, "{ran:#?}");
    // but a bear is too strong now
    p.workspace.set_text(p.project, "rules.banner", Some(RULES.replace("health: Int 1..\n", "health: Int 1..8\n")));
    let told: Vec<_> = p.workspace.check(p.project).found.into_iter().map(|located| located.diagnostic.code).collect();
    assert_eq!(told, ["out-of-range"]);
}

#[test]
fn a_name_given_twice_is_told_until_it_is_changed() {
    let mut p = Watched::new();
    let twice = |p: &Watched| {
        let found = p.workspace.check(p.project).found;
        found.iter().map(|l| (l.file.clone(), l.diagnostic.code.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(twice(&p), []);
    // files come in the order of their names: the later one is told
    p.workspace.set_text(p.project, "cards.banner", Some(CARDS.replace("unit Bull", "unit Wolf")));
    assert_eq!(twice(&p), [("rules.banner".to_string(), "duplicate-name")]);
    p.workspace.set_text(p.project, "cards.banner", Some(CARDS.replace("unit Bull", "unit Cow")));
    assert_eq!(twice(&p), []);
}

#[test]
fn the_first_edit_of_a_file_checks_no_other_file() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = heard.clone();
    let db = Db::listening(move |query| log.lock().unwrap().push(query));
    let mut workspace = Workspace::with_library(db, []);
    let files = vec![("rules.banner".to_string(), RULES.to_string()), ("cards.banner".to_string(), CARDS.to_string())];
    let project = workspace.open(Manifest::loose("t"), String::new(), files);
    let mut p = Watched { workspace, project, heard };
    p.check();
    let ran = p.edit("cards.banner", CARDS.replace("health: 9", "health: 8"));
    // its two cards, once; the rules and the cards beside them are not asked
    assert_eq!(count(&ran, "analysis"), 2, "{ran:#?}");
    assert_eq!(count(&ran, "report"), 1, "{ran:#?}");
}

#[test]
fn a_card_is_elaborated_once_from_its_text_to_its_pack() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = heard.clone();
    let db = Db::listening(move |query| log.lock().unwrap().push(query));
    let mut workspace = Workspace::with_library(db, []);
    let files = vec![("rules.banner".to_string(), RULES.to_string()), ("cards.banner".to_string(), CARDS.to_string())];
    let project = workspace.open(Manifest::loose("t"), String::new(), files);
    workspace.check(project);
    workspace.build(project).unwrap();
    workspace.printed(project);
    let ran = heard.lock().unwrap().clone();
    for query in ["elaborate", "lowered", "parse"] {
        let mut runs: Vec<&String> = ran.iter().filter(|ran| ran.starts_with(&format!("{query}("))).collect();
        let all = runs.len();
        runs.sort();
        runs.dedup();
        assert_eq!(runs.len(), all, "{query}: {ran:#?}");
    }
    let all = count(&ran, "elaborate");
    // four items of the rules besides their two cards, and two cards
    assert_eq!(all, 8, "{ran:#?}");
}
