//! Parts and fields that stand on many cards, and cards that look alike to limits: what is found once is told of each of them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::{Arc, Mutex};

use banneret_compiler::api::{Checked, ProjectId, Workspace};
use banneret_compiler::check::{Analysis, analysis, as_a_whole};
use banneret_compiler::db::Db;
use banneret_compiler::hir::{Item, Key};
use banneret_compiler::items::{is_card, items};
use banneret_compiler::lower::{Lowered, lower_printed};
use banneret_compiler::manifest::Manifest;

const RULES: &str = r#"ruleset small "Small" { version: "1.0", length inch as " }

kind Side is player { }

kind Unit (units) is card, piece {
  points: Int 1..
  speed: Int 0.. = 1
  guard: Unit?
  state wounds: Int 0.. = 0
  parts: [Weapon, Skill]
}

kind Weapon (weapons) is part { damage: Int 1..9, dice: Dice = d6 }

kind Skill (skills) is part {
  target: Choice of Unit?
  effect: Effect(target: Unit)?
}

action hurt(amount: Int) to target: Unit { target.wounds += amount }

action cheer(target: Unit) { hurt 1 to target }

limit "strong units cost more" on Unit {
  for w in this.weapons { need w.damage < 5 or this.points > 10 blame w "a strong weapon on a cheap unit" }
}

limit "nobody guards itself" on Unit { need guard == none or guard != this blame guard "it guards itself" }

"#;

const BLADE: &str = "weapon Blade { damage: 2 }";
const CLUB: &str = "weapon Club {\n    damage: 7 // heavy\n    dice: 2d6+1\n  }";
const ROAR: &str = "skill Roar {\n    target foe: units where wounds > 0\n    effect { hurt 2 to foe }\n  }";
const GRUDGE: &str = "skill Grudge { after hurt { hurt 1 to this } }";

fn unit(name: &str, lines: &[&str]) -> String {
    format!("unit {name} {{\n  {}\n}}\n\n", lines.join("\n  "))
}

fn opened(files: Vec<(String, String)>) -> (Workspace, ProjectId) {
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("small"), String::new(), files);
    (workspace, project)
}

fn checked(cards: &[String]) -> Checked {
    let (workspace, project) = opened(vec![("a.banner".into(), RULES.into()), ("cards.banner".into(), cards.concat())]);
    workspace.check(project)
}

/// What is said of each card, with places counted from its start.
fn said(cards: &[String], together: bool) -> Vec<Vec<String>> {
    let mut files = vec![("a.banner".to_string(), RULES.to_string())];
    match together {
        true => files.push(("cards.banner".into(), cards.concat())),
        // nothing is written twice in a file
        false => files.extend(cards.iter().enumerate().map(|(i, card)| (format!("card{i:02}.banner"), card.clone()))),
    }
    let (workspace, project) = opened(files);
    let mut out = vec![Vec::new(); cards.len()];
    for located in workspace.check(project).found {
        let d = &located.diagnostic;
        let (card, start) = match located.file.strip_prefix("card").and_then(|rest| rest.get(..2)?.parse::<usize>().ok()) {
            Some(card) => (card, 0),
            None if located.file == "cards.banner" => {
                let ends = cards.iter().scan(0, |end, card| {
                    Some((*end, {
                        *end += card.len();
                        *end
                    }))
                });
                let (card, (start, _)) = ends.enumerate().find(|(_, (_, end))| d.span.start < *end as u32).unwrap();
                (card, start as u32)
            }
            None => continue,
        };
        let (from, to) = (d.span.start - start, d.span.end - start);
        out[card].push(format!("{} {from}..{to} {} {:?} {:?}", d.code, d.headline, d.notes, d.help));
    }
    out
}

/// Cards with two of these lines each, and with more.
fn pairs(lines: &[&str], others: &[&str]) -> Vec<String> {
    let mut names = (0..).map(|i| format!("U{i}"));
    let mut cards = Vec::new();
    for line in lines {
        for other in others {
            cards.push(unit(&names.next().unwrap(), &["points: 5", line, other]));
            cards.push(unit(
                &names.next().unwrap(),
                &["points: 50", "weapon Stick { damage: 1 }", line, "weapon Own { damage: 6 }", other, GRUDGE],
            ));
        }
    }
    cards
}

#[test]
fn cards_with_the_same_parts_are_told_of_like_cards_alone() {
    let lines = [BLADE, CLUB, ROAR, "speed: 3", "skill Sly { effect { cheer this } }"];
    let right = pairs(&lines[..3], &lines[3..]);
    let codes: Vec<String> = said(&right, false).into_iter().flatten().collect();
    assert!(!codes.is_empty() && codes.iter().all(|said| said.starts_with("limit-broken")), "{codes:#?}");
    assert_eq!(said(&right, true), said(&right, false));
}

#[test]
fn mistakes_in_the_same_parts_are_told_of_each() {
    let wrong = [
        "weapon Blade { damage: 12 }",
        "weapon Blade { damage: }",
        "weapon Blade { dmg: 2 }",
        "skill Blade { effect { hurt 2 to foe } }",
        "skill Shy { effect { let x = 1 } }",
        "skill Idle { }",
        "skill Deep { effect { if this.Blade.damage > 1 { hurt 1 to this } } }",
        "target foe: units",
        BLADE,
    ];
    let mut cards = pairs(&wrong, &[BLADE, ROAR, GRUDGE, "guard: U1", "weapon Club { damage: 3 }"]);
    cards.push(unit("Base", &["points: 3", CLUB, GRUDGE]));
    cards.push("unit Built from Base {\n  weapon Blade { damage: 2 }\n  weapon Club { damage: 3 }\n}\n\n".into());
    let alone = said(&cards, false);
    assert_eq!(said(&cards, true), alone);
    let codes: Vec<String> = alone.into_iter().flatten().collect();
    for code in ["out-of-range", "duplicate-name", "unknown-field"] {
        assert!(codes.iter().any(|said| said.starts_with(code)), "{code} is never told: {codes:#?}");
    }
}

#[test]
fn every_card_that_breaks_a_limit_is_told_of() {
    let cards: Vec<String> = (0..20).map(|i| unit(&format!("U{i}"), &[&format!("points: {}", i + 1), CLUB, BLADE])).collect();
    let found = checked(&cards).found;
    // those with eleven points and more may have it
    assert_eq!(found.len(), 10, "{found:#?}");
    assert!(found.iter().all(|located| located.diagnostic.code == "limit-broken"), "{found:#?}");
}

#[test]
fn a_limit_may_ask_for_the_very_card() {
    let guards = |name: &str, guard: &str| unit(name, &["points: 3", &format!("guard: {guard}")]);
    let found = checked(&[guards("A", "B"), guards("B", "B"), guards("C", "B")]).found;
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn todos_of_shared_parts_count() {
    let skill = "skill Later { effect { todo \"write it\" } }";
    let cards = [unit("A", &["points: 3", skill]), unit("B", &["points: 4", "todo \"paint\"", skill])];
    assert_eq!(checked(&cards).todos, 3);
}

#[test]
fn a_part_is_understood_once_and_again_when_what_it_names_changes() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let listener = heard.clone();
    let mut workspace = Workspace::with_db(Db::listening(move |query| listener.lock().unwrap().push(query)));
    let cards: Vec<String> = (0..10).map(|i| unit(&format!("U{i}"), &[&format!("points: {}", i + 20), CLUB, ROAR])).collect();
    let files = vec![("a.banner".to_string(), RULES.to_string()), ("cards.banner".to_string(), cards.concat())];
    let project = workspace.open(Manifest::loose("small"), String::new(), files);
    let check = |workspace: &Workspace| {
        heard.lock().unwrap().clear();
        let found = workspace.check(project).found;
        let count = |query: &str| heard.lock().unwrap().iter().filter(|ran| ran.starts_with(&format!("{query}("))).count();
        (count("piece"), count("analysis"), found)
    };
    let (pieces, _, found) = check(&workspace);
    // two parts, the points of ten cards, and one head
    assert_eq!((pieces, found.len()), (13, 0), "{found:#?}");
    // one card alone
    workspace.set_text(project, "cards.banner", Some(cards.concat().replace("points: 23", "points: 24")));
    assert_eq!(check(&workspace), (0, 1, Vec::new()));
    // its part is no longer like the others', who have nothing to do with that
    let edited = cards.concat().replacen("2d6+1", "2d6+2", 1);
    workspace.set_text(project, "cards.banner", Some(edited));
    assert_eq!(check(&workspace).0, 1);
    // and the only other card with a part is none the wiser
    let pair = [cards[0].clone(), cards[1].clone()].concat();
    workspace.set_text(project, "cards.banner", Some(pair.clone()));
    check(&workspace);
    workspace.set_text(project, "cards.banner", Some(pair.replacen("2d6+1", "2d6+3", 1)));
    assert_eq!(check(&workspace), (1, 1, Vec::new()));
    // a part that names what has changed
    workspace.set_text(project, "cards.banner", Some(cards.concat()));
    check(&workspace);
    workspace.set_text(project, "a.banner", Some(RULES.replace("damage: Int 1..9", "damage: Int 1..6")));
    let (pieces, analysed, found) = check(&workspace);
    assert!(pieces >= 1 && analysed >= 10, "{pieces} {analysed}");
    assert_eq!(found.len(), 10, "{found:#?}");
}

/// Paths and texts.
type Files = Vec<(String, String)>;

#[path = "../../tests/src/files.rs"]
#[allow(dead_code)]
mod files;

/// The projects of the content, each with its manifest, its folder and its files.
fn content() -> Vec<(Manifest, String, Files)> {
    let folders = std::fs::read_dir("../content").unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let project = |folder: std::path::PathBuf| {
        let manifest = std::fs::read_to_string(folder.join("banneret.ron")).unwrap();
        let files = files::below(&folder, ".banner").iter().map(|path| (path.display().to_string(), files::text(path))).collect();
        (Manifest::parse(&manifest, "banneret.ron").unwrap(), folder.display().to_string(), files)
    };
    folders.map(project).collect()
}

/// What limits see of a card, its values in one order.
fn seen(analysis: &Analysis, workspace: &Workspace) -> Option<Lowered> {
    let mut card = analysis.whole_card(workspace.db())?;
    card.values.sort_by(|a, b| a.0.cmp(&b.0));
    Some(lower_printed(&Item::Card(card)))
}

fn uses(analysis: &Analysis, workspace: &Workspace) -> Vec<Key> {
    let of_pieces = analysis.pieces.iter().filter_map(|piece| piece.piece(workspace.db())).flat_map(|piece| piece.uses.clone());
    let mut uses: Vec<Key> = analysis.uses.iter().cloned().chain(of_pieces).collect();
    uses.sort();
    uses.dedup();
    uses
}

/// Compares what is found out of the cards of a project in pieces and as a whole. Gives how many were read in pieces, how many of pieces alone, and how many mistakes there are.
fn compared(workspace: &Workspace, project: ProjectId) -> (usize, usize, usize) {
    let (db, universe) = (workspace.db(), workspace.universe(project));
    let (mut in_pieces, mut of_pieces, mut wrong) = (0, 0, 0);
    for file in universe.files(db) {
        for item in items(db, *file).iter().filter(|item| is_card(db, **item)) {
            let (kept, whole) = (analysis(db, universe, *item), as_a_whole(db, universe, *item));
            let text = item.text(db);
            assert_eq!(kept.found, whole.found, "{text}");
            assert_eq!(seen(kept, workspace), seen(&whole, workspace), "{text}");
            assert_eq!(uses(kept, workspace), uses(&whole, workspace), "{text}");
            assert_eq!((kept.todos, kept.template, kept.readable), (whole.todos, whole.template, whole.readable), "{text}");
            let waits = |analysis: &Analysis| {
                let mut waits: Vec<_> = analysis.waits.clone();
                for piece in analysis.pieces.iter() {
                    let of_piece = piece.piece(db).map(|meant| meant.waits.clone()).unwrap_or_default();
                    assert_eq!(piece.waits, !of_piece.is_empty());
                    waits.extend(of_piece.into_iter().map(|(action, span)| (action, span.shifted(piece.span.start))));
                }
                waits.sort();
                waits
            };
            assert_eq!(waits(kept), waits(&whole), "{text}");
            in_pieces += usize::from(!kept.pieces.is_empty());
            of_pieces += usize::from(!kept.pieces.is_empty() && kept.uses.is_empty());
            wrong += kept.found.len();
        }
    }
    (in_pieces, of_pieces, wrong)
}

#[test]
fn cards_of_the_content_mean_the_same_in_pieces() {
    let (mut in_pieces, mut of_pieces) = (0, 0);
    for (manifest, root, files) in content() {
        let mut workspace = Workspace::new();
        let project = workspace.open(manifest, root, files);
        let counted = compared(&workspace, project);
        in_pieces += counted.0;
        of_pieces += counted.1;
    }
    assert!(in_pieces > 150 && of_pieces > 5, "{in_pieces} {of_pieces}");
}

#[test]
fn broken_cards_of_the_content_are_told_of_alike() {
    let mut seed = 7_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below.max(1)
    };
    let mut wrong = 0;
    for (manifest, root, mut files) in content() {
        for (_, text) in &mut files {
            // a few words of every file are taken out, doubled, or made another's
            for _ in 0..6 {
                let words: Vec<(usize, &str)> = text.match_indices(|c: char| !c.is_alphanumeric()).collect();
                let Some(pair) = words.get(random(words.len().saturating_sub(1))..).and_then(|rest| rest.first_chunk::<2>()) else {
                    continue;
                };
                let (from, to) = (pair[0].0 + pair[0].1.len(), pair[1].0);
                let word = text[from..to].to_string();
                let new = match random(5) {
                    0 => String::new(),
                    1 => format!("{word} {word}"),
                    2 => format!("{word}x"),
                    3 => "99".into(),
                    _ => "points".into(),
                };
                text.replace_range(from..to, &new);
            }
        }
        let mut workspace = Workspace::new();
        let project = workspace.open(manifest, root, files);
        wrong += compared(&workspace, project).2;
    }
    assert!(wrong > 50, "only {wrong} mistakes");
}

#[test]
fn fields_that_are_given_twice_or_missing_are_told() {
    let cards = [
        unit("A", &["points: 5, points: 6", BLADE]),
        unit("B", &["points: 5", "speed: 2", "points: 5"]),
        unit("C", &["speed: 2"]),
        unit("D", &["points: 0", "speed: fast"]),
        unit("E", &["points: 7", "weapon Blade { }"]),
    ];
    let told: Vec<(&str, usize)> = ["duplicate-field", "missing-field", "out-of-range", "unknown-name"]
        .map(|code| (code, said(&cards, true).iter().flatten().filter(|said| said.starts_with(code)).count()))
        .to_vec();
    assert_eq!(told, [("duplicate-field", 2), ("missing-field", 2), ("out-of-range", 1), ("unknown-name", 1)]);
}
