//! `build`: where packs go, and when there are none.

use crate::support::{Folder, MANIFEST, RULES};

#[test]
fn a_pack_is_written_into_the_project() {
    let folder = Folder::with_project();
    folder.run(&["build"]).is(0).says("wrote demo/target/banneret/demo.pack").says("Built 1 of 1 project.");
    assert!(folder.path().join("demo/target/banneret/demo.pack").is_file());
    let first = std::fs::read(folder.path().join("demo/target/banneret/demo.pack")).unwrap();
    folder.run(&["build"]).is(0);
    assert_eq!(std::fs::read(folder.path().join("demo/target/banneret/demo.pack")).unwrap(), first, "twice the same");
}

#[test]
fn or_where_it_is_asked_for_with_its_text_form() {
    let folder = Folder::with_project();
    folder.run(&["build", "demo", "-o", "out/packs", "--ron"]).is(0).says("wrote out/packs/demo.ron");
    assert!(folder.read("out/packs/demo.ron").contains("demo"));
    let count = std::fs::read_dir(folder.path().join("out/packs")).unwrap().count();
    assert_eq!(count, 2, "nothing is left beside them");
}

#[test]
fn mistakes_make_no_pack() {
    let folder = Folder::with_project().file("demo/bad.banner", b"// \xff\n");
    folder.run(&["build"]).is(1).says("error[not-utf8]").says("Built 0 of 1 project.");
    assert!(!folder.path().join("demo/target").exists());
}

#[test]
fn two_packs_cannot_have_one_place() {
    let folder = Folder::with_project().file("other/banneret.ron", MANIFEST).file("other/rules.banner", RULES);
    folder.run(&["build"]).is(0).says("Built 2 of 2 projects.");
    folder.run(&["build", "-o", "out"]).is(2).complains("would both be written to `out/demo.pack`");
}

#[test]
fn a_place_that_cannot_be_written_is_said_clearly() {
    let folder = Folder::with_project().file("out", "a file");
    folder.run(&["build", "-o", "out"]).is(2).complains("Cannot make the folder `out`");
}

#[test]
fn cards_are_printed_beside_the_pack_if_asked_for() {
    let face = "\nface front of Unit {\n  size: poker\n  title \"{name}\" right \"{points}\"\n  rules\n}\n";
    let folder = Folder::with_project().file("demo/faces.banner", face);
    folder.run(&["build", "demo", "-o", "out"]).is(0);
    assert!(!folder.path().join("out/demo-a4.pdf").exists());
    folder
        .run(&["build", "demo", "-o", "out", "--cards", "a4"])
        .is(0)
        .says("wrote out/demo.pack")
        .says("wrote out/demo-a4.pdf")
        .says("Built 1 of 1 project.");
    let pdf = std::fs::read(folder.path().join("out/demo-a4.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 1_000, "{} bytes", pdf.len());
    // Nothing to print is no failure.
    Folder::with_project().run(&["build", "--cards", "letter"]).is(0).says("Built 1 of 1 project.");
}
