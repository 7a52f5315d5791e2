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
fn unknown_names_name_the_nearest() {
    Folder::with_project().run(&["show", "Reavr"]).is(2).complains("Did you mean `Reaver`?");
}
