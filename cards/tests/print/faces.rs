//! What stands on a face: which regions, whose words, and the numbers of abilities.

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::manifest::Manifest;
use banneret_compiler::printed::{Face, Paragraph, StripKind, Text};

const FILE: &str = "rules.banner";

fn words(text: &Text) -> String {
    text.iter().map(|run| run.text.as_str()).collect()
}

/// A paragraph as it is printed: `Name (Label value): text`
fn said(p: &Paragraph) -> String {
    let costs: Vec<String> = p.costs.iter().map(|(label, value)| format!("{label} {value}").trim().to_string()).collect();
    format!("{}({}): {}", p.title.as_deref().unwrap_or_default(), costs.join(", "), words(&p.text))
}

fn face_of(workspace: &Workspace, project: ProjectId, name: &str) -> Face {
    let checked = workspace.check(project);
    assert!(!checked.has_errors(), "{:#?}", checked.found);
    let cards = workspace.printed(project);
    cards.iter().find(|c| c.printed.name == name).unwrap().printed.faces[0].clone()
}

fn only_face(face: &str, cards: &str, name: &str) -> Face {
    let rules = format!(
        r#"
ruleset yard "Yard" {{
  version: "1.0"
  length inch as "
}}
kind Side is player {{ resource Coins: 0..9 = 3 }}
kind Unit (units) is card, piece {{
  attacks: Int 0.. = 0
  base: Length = 1"
  spot: Place?
  state wounds: Int 0.. = 0
  parts: [Weapon, Trick]
}}
kind Weapon (weapons) is part {{ damage: Int 1.. = 1 }}
kind Trick (tricks) is part {{
  needs: Target 2+..6+?
  loud: Bool = false
  cost: Cost = 0 Coins
}}
face front of Unit {{
  title "{{name}}"
{face}
}}
{cards}
"#
    );
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("yard"), String::new(), vec![(FILE.into(), rules)]);
    face_of(&workspace, project, name)
}

fn stats(face: &Face) -> Vec<String> {
    let strips = face.strips.iter().filter_map(|s| match &s.kind {
        StripKind::Stats(stats) => {
            Some(stats.iter().map(|(label, value)| format!("{label} {}", words(value))).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    });
    strips.collect()
}

#[test]
fn a_region_stands_only_where_it_has_to() {
    let face = "  stats \"Attacks {attacks}\" unless weapons\n  stats \"Armed {attacks}\" if attacks\n  stats \"Weapons\" if weapons\n";
    let cards = "unit Bare { attacks: 2 }\nunit Armed { weapon Spear { } }";
    assert_eq!(stats(&only_face(face, cards, "Bare")), ["Attacks 2", "Armed 2"]);
    assert_eq!(stats(&only_face(face, cards, "Armed")), [" Weapons"]);
}

#[test]
fn a_condition_names_something_of_the_card() {
    for (region, code) in [("rules if", "missing-value"), ("rules if nonsense", "unknown-name"), ("rules iff attacks", "unknown-region")] {
        let text = format!("kind Unit (units) is card {{ attacks: Int 0.. = 0 }}\nface front of Unit {{\n  {region}\n}}\n");
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("yard"), String::new(), vec![(FILE.into(), text)]);
        let found = workspace.check(project).found;
        assert!(found.iter().any(|l| l.diagnostic.code == code), "{region}: {found:#?}");
    }
}

const TRICKSTER: &str = r#"
unit Trickster {
  trick Flash { needs: 3+, loud: true, cost: 2 Coins
    after poke this { wounds = 0 }
  }
  trick Hide { says "Is gone" }
}
action poke(u: Unit) { }
"#;

fn paragraphs(face: &Face) -> Vec<String> {
    let of = |s: &StripKind| match s {
        StripKind::Rules(all) => all.iter().map(said).collect(),
        StripKind::Grid { rows, .. } | StripKind::Lines(rows) => rows.iter().flat_map(|r| r.rules.iter().map(said)).collect(),
        _ => Vec::new(),
    };
    face.strips.iter().flat_map(|s| of(&s.kind)).collect()
}

#[test]
fn the_numbers_of_an_ability_stand_before_its_rules() {
    let all = paragraphs(&only_face("  rules", TRICKSTER, "Trickster"));
    assert!(all[0].starts_with("Flash(Needs 3+, Loud, Cost 2 Coins): "), "{all:?}");
    assert_eq!(all[1], "Hide(): Is gone.");
    // a table that shows them says what it wants to say
    let all = paragraphs(&only_face("  each tricks \"{name}\" \"Needs {needs}\"\n  rules", TRICKSTER, "Trickster"));
    assert!(all[0].starts_with("Flash(Cost 2 Coins): "), "{all:?}");
}

#[test]
fn a_price_that_the_row_shows_is_not_said_again() {
    let all = paragraphs(&only_face("  each tricks \"{name}\" \"Cost {cost}\" rules", TRICKSTER, "Trickster"));
    assert!(all[0].starts_with("(): "), "{all:?}");
    let all = paragraphs(&only_face("  each tricks \"{name}\" \"Needs {needs}\" rules", TRICKSTER, "Trickster"));
    assert!(all[0].starts_with("(Cost 2 Coins): "), "{all:?}");
}

#[test]
fn rules_of_a_part_speak_of_who_holds_it() {
    let together = paragraphs(&only_face("  rules", TRICKSTER, "Trickster"));
    let apart = paragraphs(&only_face("  each tricks \"{name}\" rules", TRICKSTER, "Trickster"));
    assert!(together[0].contains("this unit") && apart[0].contains("this unit"), "{together:?} {apart:?}");
    assert!(!apart[0].contains("this trick"), "{apart:?}");
}

#[test]
fn a_place_is_two_lengths() {
    let face = only_face("  stats \"Spot {spot}\"", "unit Post { spot: (12\", 4\") }", "Post");
    assert_eq!(stats(&face), ["Spot 12″, 4″"]);
}

#[test]
fn small_words_of_a_name_have_no_capital() {
    let face = only_face("  rules", "unit TheChoirOfThreeAndOne { }", "TheChoirOfThreeAndOne");
    let StripKind::Title { left, .. } = &face.strips[0].kind else { panic!("a title") };
    assert_eq!(words(left), "The Choir of Three and One");
}

#[test]
fn a_card_that_lists_others_shows_them_as_they_are_now() {
    let lists = "kind Guild (guilds) is card { }\nkind Clerk (clerks) is card { of guild: Guild, points: Int 1.. = 1 }\nface list of Guild {\n  title \"{name}\"\n  \
                 each clerks \"{name}\" \"Points {points}\"\n}\nguild Ledger { }\n";
    let clerk = |points: u32| format!("clerk Bo of Ledger {{\n  points: {points}\n}}\n");
    let mut workspace = Workspace::new();
    let files = vec![(FILE.into(), lists.to_string()), ("clerks.banner".into(), clerk(3))];
    let project = workspace.open(Manifest::loose("guilds"), String::new(), files);
    let shown = |workspace: &Workspace| {
        let StripKind::Grid { rows, .. } = &face_of(workspace, project, "Ledger").strips[1].kind else { panic!("a table") };
        rows.iter().map(|r| words(&r.cells[1])).collect::<Vec<_>>()
    };
    assert_eq!(shown(&workspace), ["3"]);
    workspace.set_text(project, "clerks.banner", Some(clerk(5)));
    assert_eq!(shown(&workspace), ["5"]);
}
