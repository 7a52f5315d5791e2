//! `verify` and `play` of packs: what `build` wrote is run without its sources, and what was damaged is refused with a reason.

use crate::game::brawl;

const PACK: &str = "brawl/target/banneret/brawl.pack";

#[test]
fn a_pack_is_verified_and_played_without_its_sources() {
    let folder = brawl();
    folder.run(&["build", "brawl"]).is(0);
    let from_sources = folder.run(&["play", "brawl", "--seed", "7"]);
    std::fs::copy(folder.path().join(PACK), folder.path().join("alone.pack")).unwrap();
    std::fs::remove_dir_all(folder.path().join("brawl")).unwrap();

    folder.run(&["verify", "alone.pack"]).is(0).says("alone.pack: fine. brawl ").says("A game of it can be played.");
    let from_pack = folder.run(&["play", "alone.pack", "--seed", "7"]);
    from_pack.is(0);
    assert_eq!(from_pack.out, from_sources.out, "the pack plays the game that its sources play");
    folder.run(&["play", "alone.pack", "--games", "3", "--agents", "random"]).is(0);
}

#[test]
fn a_damaged_pack_is_refused_with_a_reason() {
    let folder = brawl();
    folder.run(&["build", "brawl"]).is(0);
    let whole = std::fs::read(folder.path().join(PACK)).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("cut.pack", &whole[..whole.len() / 2]);
    write("longer.pack", &[whole.as_slice(), b"more"].concat());
    write("text.pack", b"health: 4");
    let mut older = whole.clone();
    older[8] = older[8].wrapping_sub(1);
    write("older.pack", &older);

    folder.run(&["verify", "cut.pack"]).is(1).says("cut.pack: refused: the pack is damaged");
    folder.run(&["verify", "longer.pack"]).is(1).says("refused: 4 bytes follow the end of the pack");
    folder.run(&["verify", "text.pack"]).is(1).says("refused: this is not a Banneret pack");
    folder.run(&["verify", "older.pack"]).is(1).says("refused: the pack has format");
    // One that is refused does not hide the others.
    folder.run(&["verify", "text.pack", PACK]).is(1).says("brawl.pack: fine.");
    folder.run(&["play", "older.pack"]).is(2).complains("`older.pack` cannot be played: the pack has format").complains("banneret build");
    folder.run(&["verify", "nowhere.pack"]).is(2).complains("nowhere.pack");
}
