//! Cards that say the same, and cards that look alike to limits: what is wrong is told of each of them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::{Checked, ProjectId, Workspace};
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
