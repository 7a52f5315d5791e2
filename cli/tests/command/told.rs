//! How `play` tells a game: in the words of its actions, every thing once.

use crate::support::Folder;

const MANIFEST: &str = "(\n    name: \"parade\", version: \"0.1.0\",\n    rules: \"parade_rules\",\n)\n";

const RULES: &str = r#"ruleset parade_rules "Parade" {
  version: "1.0"
  start: parade
  length inch as "
}

kind Side (sides) is player {
  state cheers: Int 0.. = 0
  state breath: Int 0.. = 0
}

kind Crow (crows) is card, piece {
  base: Length = 1"
  state wounds: Int 0.. = 0
  state pecks: Int 0.. = 0
}

kind Feather (feathers) is card { }

action hurt(n: Int) to foe: Crow {
  says "{foe} takes {n} {n|blow|blows}"
  foe.wounds += n
}

action peck(n: Int) at foe: Crow with gently: Bool = false for twice: Bool = false {
  foe.pecks += n
  foe.pecks -= n
  foe.wounds += n
}

action hop(spot: Place) by who: Crow { move who to spot }

action cheer by p: Side {
  says "Cheer."
  p.cheers += 1
  p.breath += 1
}

phase parade {
  for p in players {
    create Rook by p at (1", 2.46")
    create Quill by p
    create Quill by p
    create Quill by p
  }
  hurt 1 to crows
  let oldest = first(crows)
  peck 2 at oldest with true
  hop (3", 1.25") by oldest
  for p in players {
    cheer by p
    p.breath = 0
  }
  cheer by controller(oldest)
  win controller(oldest)
}

crow Rook { after hop { hurt 3 to who } }

feather Quill { }
"#;

#[test]
fn a_game_is_told_in_the_words_of_its_actions() {
    let folder = Folder::new().file("parade/banneret.ron", MANIFEST).file("parade/rules.banner", RULES);
    let told = folder.run(&["play", "parade", "--seed", "1"]);
    let lines = [
        "parade, seed 1",
        "parade",
        // What is done to several things in a row is one line, places have one decimal and their sign.
        "  Player 1: create Rook → (1\", 2.5\")",
        "  Player 1: create 3 Quill",
        "  Player 2: create Rook → (1\", 2.5\")",
        "  Player 2: create 3 Quill",
        // What happens to several at once is told of each.
        "  Rook 1 takes 1 blow",
        "  Rook 2 takes 1 blow",
        "    Rook 1: wounds 0 → 1",
        "    Rook 2: wounds 0 → 1",
        // Without words of its own, an action has its name and what was given; what goes back at once is not told.
        "  peck 2, Rook 1, gently",
        "    Rook 1: wounds 1 → 3",
        // The move inside of the hop says nothing new; a rule of somebody else is named.
        "  Rook 1: hop → (3\", 1.3\")",
        "    Rook 1 takes 3 blows",
        "      Rook 1: wounds 3 → 6",
        "    Rook 1 takes 3 blows (Rook 2)",
        "      Rook 1: wounds 6 → 9",
        "  Player 1: cheer",
        "    Player 1: cheers 0 → 1",
        "    Player 1: breath 0 → 1",
        "  Player 2: cheer",
        "    Player 2: cheers 0 → 1",
        "    Player 2: breath 0 → 1",
        "  Player 1: cheer",
        "    Player 1: cheers 1 → 2",
        "    Player 1: breath 0 → 1",
        "  Player 1 wins",
        // Breath goes down again, so it is no score.
        "Player 1 wins. (cheers 2 : 1)",
    ];
    assert_eq!(told.is(0).out.lines().collect::<Vec<_>>(), lines);
    // The whole story is still there.
    folder.run(&["play", "parade", "--verbose"]).is(0).says("move Rook 1 → (3\", 1.3\")").says("pecks 2 → 0").says("because of Rook 2:");
}
