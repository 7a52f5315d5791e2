//! What a check calls fine can be built, read back and verified: small programs of many kinds. Each was written to find a place where one of them says yes and the other no.

#![allow(clippy::unwrap_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::pack::Pack;
use banneret_runtime::verify::verify;

const RULES: &str = r#"
ruleset skirm "Skirm" {
  version: "1.0"
  length inch as "
  length foot as ft = 12"
  measure: edges
  option brutal: Bool = false
  option cover: Int = 1
  start: match
}
enum Reach { Melee, Near }
enum Training open { Drill }
kind War is game { state round: Int 0.. = 0 }
kind Side (sides) is player {
  deck: pile of Unit
  resource Mana: 0..10 = 3
  state score: Int 0.. = 0
}
kind Sky (skies) is card { penalty: Int 0.. = 0 }
kind Env (envs) is card {
  sky: table by d6 of Sky
  parts: [Weapon]
}
kind Unit (units) is card, piece {
  base: Length = 1"
  health: Int 1..
  move: Length 0".. = 6"
  damage: Dice = d6
  armour: pair of Int = 0/0
  share: Fraction = 1/2
  note: Text = ""
  reach: set of Reach = [Melee]
  training: set of Training = []
  keywords: set of Keyword = []
  friends: list of Unit = []
  lord: Unit?
  deploy: Effect?
  active: Rules?
  price: Cost = 1 Mana
  parts: [Weapon, Ability]
  state wounds: Int 0..health = 0
}
kind Weapon (weapons) is part { attacks: Int 1.. = 1 }
kind Ability (abilities) is part {
  target: Choice of Unit?
  effect: Effect(target: Unit)?
}
kind Roster (rosters) is card { units: list of Unit = [], cap: Int = 100 }
keyword Fast on Unit { says "Fast" }
keyword Shield(x) on Unit {
  says "Shield {x}"
  before deal to this { amount -x }
}
action deal(amount: Int) to target: Unit {
  says "{target} takes {amount} damage"
  target.wounds += amount
}
phase turn by p: Side { p.score += 1 }
phase match {
  create Guard by you
  turn by you
  win you
}
define doubled(n: Int): Int = n * 2
define wounded on Unit = wounds > 0
fact luck: Int = 3
table worth(n: Int): Int { 1 -> 5, 2 -> 7, else -> 0 }
unit Guard {
  health: 3
  weapon Spear { attacks: 2 }
}
unit Ogre { health: 9, keywords: [Fast, Shield 2] }
"#;

/// The errors of a check, and what comes of a build. A build that goes well is written, read back and verified.
fn outcome(text: &str) -> (Vec<&'static str>, Result<(), String>) {
    let mut workspace = Workspace::new();
    let manifest = Manifest::parse(r#"(name: "skirm", version: "0.1.0", rules: "skirm")"#, "banneret.ron").unwrap();
    let files = vec![("rules.banner".to_string(), RULES.to_string()), ("zz.banner".to_string(), text.to_string())];
    let project = workspace.open(manifest, String::new(), files);
    let checked = workspace.check(project);
    let errors = checked.found.iter().filter(|l| l.diagnostic.severity == Severity::Error).map(|l| l.diagnostic.code.as_str()).collect();
    let built = workspace.build(project).map_err(|error| format!("{error:?}")).and_then(|pack| {
        let bytes = pack.to_bytes().map_err(|error| error.to_string())?;
        let read = Pack::from_bytes(&bytes).map_err(|error| format!("it cannot be read back: {error}"))?;
        verify(&read).map_err(|refused| format!("it is refused: {refused}"))
    });
    (errors, built)
}

/// Programs that are right: the check says so, and they become packs.
#[test]
fn what_is_fine_becomes_a_pack() {
    let fields = [
        "health: 2 + 2",
        "health: 7 mod 4",
        "health: 7 / 2 rounded up",
        "health: max(1, min(5, 3))",
        "health: 3, move: 3\" * 2 + 1ft",
        "health: 3, damage: d6 * 2",
        "health: 3, damage: 2d6 + 1",
        "health: 3, armour: 1/2 + 2/3",
        "health: 3, share: 1/3 + 1/3",
        "health: 3, price: 0 Mana",
        "health: 3, keywords: [Shield 1, Shield 2]",
        "health: 3, friends: [3 Guard, Ogre]",
        "health: 3, lord: Zz",
        "health: 3, lord: none",
        "health: 9223372036854775807",
        "health: 3, note: \"a\tb\"",
    ];
    let cards = fields.iter().map(|fields| format!("unit Zz {{ {fields} }}\n"));
    let others = [
        "action a1(n: Int) {\n  phase inner by you with n { grant units { health +n } until end of inner }\n}\n",
        "action a1 {\n  for u in units {\n    phase inner with u { deal 1 to u }\n  }\n}\n",
        "test \"x\" {\n  phase inner { you.score += 1 }\n  expect you.score == 1\n}\n",
        "env E1 {\n  1..6 A { }\n  weapon B { }\n}\n",
        "kind Beast is Unit { claws: Int = health * 2 }\nbeast B { health: 1 }\n",
        "unit A template { note: \"x\" }\nunit B from A { health: 2 }\n",
        "weapon W template { attacks: 2 }\nunit A {\n  health: 1\n  weapon X from W { }\n}\n",
        "unit A {\n  health: 1\n  ability Q {\n    target foe: enemy units where wounds > luck\n    effect { deal cover to foe }\n  }\n}\n",
        "unit A {\n  health: 1\n  after deal to this {\n    let n = amount\n    grant this { health +n } until end of turn\n  }\n}\n",
        "unit A {\n  health: 1\n  grant units within 3\" of this { Shield +1, move +1\" } while this is wounded\n}\n",
        "limit \"x\" on Roster { need sum(this.units, health) < 500 }\nroster R { units: [Guard, 2 Ogre] }\n",
        "enum Training also { Blade }\nunit A { health: 1, training: [Blade] }\n",
        "face front of Unit {\n  title \"{name}\" right \"{health}\"\n  each weapons \"{name}\" \"A {attacks}\"\n}\n",
        "test \"x\" with cover = 3, brutal = true { expect cover == 3 }\n",
        "test \"x\" {\n  let c = Guard\n  given c as g\n  expect g.health == 3\n}\n",
        "define nested: list of list of Int = [[1], [2]]\n",
    ];
    for text in cards.chain(others.map(String::from)) {
        let (told, built) = outcome(&text);
        assert_eq!((told.as_slice(), built), ([].as_slice(), Ok(())), "{text}");
    }
}

/// Programs that cannot be built: the check tells why, with the code of what is wrong, in the item that is wrong.
#[test]
fn what_cannot_be_built_is_told() {
    let cases = [
        ("cannot-build", "unit Zz { health: sum([1, 2]) }\n"),
        ("cannot-build", "unit Zz { health: count(units) }\n"),
        ("cannot-build", "unit Zz { health: worth(1) }\n"),
        ("cannot-build", "unit Zz { health: cover }\n"),
        ("cannot-build", "unit Zz { health: luck }\n"),
        ("cannot-build", "unit Zz { health: you.score }\n"),
        ("cannot-build", "unit Zz { health: 9223372036854775807 + 1 }\n"),
        ("cannot-build", "unit Zz { health: 3, friends: units }\n"),
        ("cannot-build", "unit Zz { health: 3, note: \"a\" + \"b\" }\n"),
        ("cannot-build", "kind War2 is player { state x: Int = 0 }\n"),
        // a phase in place becomes bytecode with the action that it stands in
        ("misplaced-line", "unit Zz {\n  health: 1\n  deploy {\n    phase inner { deal 1 to enemy units }\n  }\n}\n"),
        (
            "misplaced-line",
            "unit Zz {\n  health: 1\n  ability Q {\n    after deal to this {\n      phase inner { deal 1 to this }\n    }\n  }\n}\n",
        ),
        ("misplaced-line", "keyword K on Unit {\n  after deal to this {\n    phase inner { deal 1 to this }\n  }\n}\n"),
        ("misplaced-line", "after deal {\n  phase inner { you.score += 1 }\n}\n"),
        // both are `E1.A`
        ("duplicate-name", "env E1 {\n  1..6 A { }\n  weapon A { }\n}\n"),
        ("duplicate-name", "env E1 {\n  weapon A { }\n  1..6 A { }\n}\n"),
        ("duplicate-name", "test \"x\" with cover = 3, cover = 4 { expect cover == 3 }\n"),
        // there already, and made from no card
        ("wrong-type", "test \"x\" {\n  given war as w\n  expect w.round == 0\n}\n"),
        ("wrong-type", "test \"x\" {\n  given you as w\n  expect w.score == 0\n}\n"),
    ];
    for (code, text) in cases {
        let (told, built) = outcome(text);
        assert!(told.contains(&code) && built.is_err(), "{code}: {told:?}\n{text}");
    }
}

#[test]
fn a_value_that_is_nested_too_deeply_to_be_read_back_is_no_constant() {
    for deep in [5, 29, 31, 33, 60] {
        let (types, open, close) = ("list of ".repeat(deep), "[".repeat(deep), "]".repeat(deep));
        let (told, built) = outcome(&format!("kind Deep is card {{ deep: {types}Int }}\ndeep Zz {{ deep: {open}1{close} }}\n"));
        assert_eq!(told.is_empty(), built.is_ok(), "{deep}: {told:?} {built:?}");
        assert_eq!(built.is_ok(), deep < 31, "{deep}: {told:?} {built:?}");
    }
}
