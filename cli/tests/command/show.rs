//! `show`: one item at each stage.

use crate::support::Folder;

#[test]
fn every_stage_shows_something() {
    let folder = Folder::with_project();
    for stage in ["source", "tree", "types", "bytecode", "text"] {
        let ended = folder.run(&["show", "Reaver", "--stage", stage]);
        assert!(!ended.is(0).out.trim().is_empty(), "{stage}");
    }
    folder.run(&["show", "Reaver", "demo", "--stage", "source"]).is(0).says("points: 10");
}

#[test]
fn bytecode_is_a_line_for_each_instruction_with_the_source_beside_it() {
    let folder = Folder::new().file(
        "rules.banner",
        "kind Unit (units) is card { state wounds: Int 0..9 = 0 }\n\naction hurt(n: Int) to u: Unit {\n  u.wounds += n\n}\n",
    );
    let shown = folder.run(&["show", "hurt", "rules.banner", "--stage", "bytecode"]).is(0).out.clone();
    let set = shown.lines().find(|line| line.contains("Set ")).unwrap_or_else(|| panic!("{shown}"));
    assert!(set.contains("Set obj r1, field @/Unit.wounds, src r0"), "{shown}");
    assert!(shown.contains("EvGet dst r2, field n") && shown.lines().any(|line| line.ends_with("  u.wounds += n")), "{shown}");
    assert!(shown.lines().count() < 15, "{shown}");
}

#[test]
fn tree_and_types_are_for_people() {
    let folder = Folder::with_project();
    let tree = folder.run(&["show", "Reaver", "--stage", "tree"]).is(0).out.clone();
    assert!(tree.contains("unit Reaver { …") && tree.contains("points: 10"), "{tree}");
    let types = folder.run(&["show", "Reaver", "--stage", "types"]).is(0).out.clone();
    assert!(types.lines().any(|line| line.trim_start().starts_with("points ") && line.ends_with("a field of Unit: a number")), "{types}");
    for dump in [tree, types] {
        assert!(!dump.contains("Span {") && !dump.contains("Some("), "{dump}");
        assert!(dump.lines().count() < 20, "{dump}");
    }
}

#[test]
fn unknown_names_name_the_nearest() {
    Folder::with_project().run(&["show", "Reavr"]).is(2).complains("Did you mean `Reaver`?");
}

const CAPTAIN: &str = r#"kind Side (sides) is player { state score: Int 0.. = 0 }

kind Unit (units) is card { parts: [Weapon, Trick] }

kind Weapon (weapons) is part { damage: Int 1.. }

kind Trick (tricks) is part { effect: Effect()? }

unit Soldier {
  weapon Sabre {
    damage: 2
  }
  trick Cheer {
    effect { you.score += 1 }
  }
}

unit Captain from Soldier {
  weapon Pistol { damage: 3 }
  trick Rally {
    effect { you.score += 2 }
  }
}
"#;

#[test]
fn a_part_is_shown_by_its_path() {
    let folder = Folder::new().file("rules.banner", CAPTAIN);
    let show = |item: &str, stage: &str| folder.run(&["show", item, "rules.banner", "--stage", stage]).is(0).out.clone();
    assert_eq!(show("Captain.Pistol", "source"), "weapon Pistol { damage: 3 }\n");
    // its lines start where it does
    assert_eq!(show("Soldier.Sabre", "source"), "weapon Sabre {\n  damage: 2\n}\n");
    // what came along from another card is written there
    assert_eq!(show("Captain.Sabre", "source"), show("Soldier.Sabre", "source"));
    assert_eq!(
        (show("Captain.Rally", "text").as_str(), show("Captain.Cheer", "text").as_str()),
        ("You gain 2 Score.\n", "You gain 1 Score.\n")
    );
    assert!(show("Captain.Rally", "tree").starts_with("card"), "{}", show("Captain.Rally", "tree"));
    let types = show("Captain.Rally", "types");
    assert!(types.contains("score") && !types.contains("Pistol"), "{types}");
    let code = show("Captain.Rally", "bytecode");
    assert!(code.contains("you.score += 2") && !code.contains("you.score += 1"), "{code}");
    // beside the instructions of the whole card stands what was written, wherever it was
    let code = show("Captain", "bytecode");
    assert!(code.contains("you.score += 2") && code.contains("you.score += 1"), "{code}");
}

#[test]
fn unknown_parts_name_the_nearest_or_all() {
    let folder = Folder::new().file("rules.banner", CAPTAIN);
    folder.run(&["show", "Captain.Saber", "rules.banner"]).is(2).complains("Did you mean `Captain.Sabre`?");
    folder.run(&["show", "Captain.X", "rules.banner"]).is(2).complains("`Captain.Pistol`").complains("`Captain.Rally`");
}
