//! A small game of dice and choices for `play` and `odds`.

use crate::support::Folder;

const MANIFEST: &str = "(\n    name: \"brawl\", version: \"0.1.0\",\n    rules: \"brawl_rules\",\n)\n";

const RULES: &str = r#"ruleset brawl_rules "Brawl" {
  version: "1.0"
  start: brawl
  option hard: Bool = false
}

kind Side (sides) is player { state cheers: Int 0.. = 0 }

kind Fighter (fighters) is card {
  health: Int 1..
  power: Int 1.. = 1
  state wounds: Int 0.. = 0
}

kind Ring (rings) is card { rounds: Int 1.. = 6 }

action hit(foe: Fighter) by f: Fighter {
  need in_play(foe)
  if (roll d6) >= 4 { hurt f.power to foe by f }
}

action hurt(n: Int) to foe: Fighter by f: Fighter? {
  foe.wounds += if hard { n * 2 } else { n }
  if foe.wounds >= foe.health { remove foe }
}

action swing by p: Side {
  choose f from fighters of p by p
  choose foe from fighters where controller(it) != p, by p
  choose by p {
    "hit" { hit foe by f }
    "hit twice, weakly" { repeat 2 { if (roll d6) == 6 { hurt f.power to foe by f } } }
  }
}

phase brawl with ring: Ring {
  create ring
  for p in players {
    create Bear by p
    create Fox by p
  }
  repeat ring.rounds { for p in players { do turn by p } }
  draw_game
}

phase turn by p: Side {
  choose by p {
    "fight" { swing by p }
    "cheer" { p.cheers += 1 }
  }
  for q in players { if no fighters of q { win p } }
}

fighter Bear { health: 3, power: 2 }

fighter Fox "The Fox" { health: 2 }

ring Yard { }

ring Alley "The Long Alley" { rounds: 9 }

test "a bear hits once in two" {
  given Bear as b, Fox as f by opponent
  do hit f by b
  expect odds of (f.wounds > 0) == 1/2
}
"#;

/// A folder with the game as the project `brawl`.
pub fn brawl() -> Folder {
    Folder::new().file("brawl/banneret.ron", MANIFEST).file("brawl/rules.banner", RULES)
}
