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
