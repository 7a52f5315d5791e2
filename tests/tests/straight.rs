//! Straight terms: asked often, a term comes to what it came to the first time, and with the same message where it comes to nothing. Heads that are asked as terms offer what they offer when they are tried.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::fault::{Bound, FaultKind};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;
use banneret_runtime::testing::test_world;

use table::{built, content, play, scenarios, start};

const UNITS: &str = r#"
ruleset straight "Straight" {
  version: "1.0"
  length inch as "
}
kind Side (sides) is player { }
kind Unit (units) is piece, card {
  health: Int 1.., reach: Length = 2", base: Length = 1", friend: Unit?, keywords: set of Keyword = []
  state wounds: Int 0.. = 0
  state best: Int = 0
  state share: Int = 0
}
keyword Tall on Unit { }
define half(l: Length): Length = l / 2 rounded down
define left(u: Unit): Int = if u.wounds > u.health { 0 } else { u.health - u.wounds }
define friend_of(u: Unit): Int = left(u.friend or u)
define near(a: Unit, b: Unit): Bool = distance(a, b) <= half(a.reach + b.reach) + a.base
define steps(a: Unit, b: Unit): Int = count((0..12) where distance(b, toward(a.place or (0", 0"), b.place or (0", 0"), distance(a, b) * it / 12 rounded down)) <= half(a.reach))
define value(u: Unit, n: Int): Int = sum(units where near(u, it) or it is Tall, left(it) * 6 / n rounded down) + steps(u, u) + (max(units, friend_of(it) + steps(u, it)) or 0)
action rate(u: Unit) with n: Int {
  u.best = value(u, n) + count(units where value(it, n) > left(u) / n)
  u.share = sum(units where it != u, left(it) / n rounded up)
}
unit Ogre { health: 7 }
unit Giant { health: 12, keywords: [Tall], base: 3" }
unit Squire { health: 3, friend: Giant }
"#;

fn pack(text: &str) -> Pack {
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("straight"), String::new(), vec![("straight.banner".to_owned(), text.to_owned())]);
    built(&workspace, project)
}

fn ran(pack: &Loaded, steps: u64) -> (Step, Machine) {
    let mut machine = test_world(pack, &pack.tests[0], Limits { steps, ..Limits::default() }).unwrap();
    (machine.run(pack), machine)
}

const ENOUGH: u64 = 1_000_000;

/// Modified fields.
const MODIFIED: &str = r#"
grant units where it is Tall { reach +1" }
grant units where wounds > 2 or health > 8 { reach +0.5" }
"#;

fn loaded(text: &str) -> (Loaded, Loaded) {
    let pack = pack(text);
    let (often, mut plain) = (Loaded::new(pack.clone()).unwrap(), Loaded::new(pack).unwrap());
    plain.stay_plain();
    for _ in 0..10 {
        ran(&often, ENOUGH);
    }
    (often, plain)
}

/// As it is written and as it is asked when it was asked often, with and without modifiers. Gives what it comes to.
fn both_ways(test: &str) -> (Step, Machine) {
    let (often, plain) = loaded(&format!("{UNITS}{MODIFIED}{test}"));
    assert!(ran(&often, ENOUGH) == ran(&plain, ENOUGH));
    let (often, plain) = loaded(&format!("{UNITS}{test}"));
    let came = ran(&often, ENOUGH);
    assert!(ran(&plain, ENOUGH) == came);
    // How many steps it takes is its own affair; that they are counted is not.
    for pack in [&often, &plain] {
        let (step, _) = ran(pack, 10);
        assert!(matches!(&step, Step::Fault(fault) if fault.kind == FaultKind::Limit(Bound::Steps)), "{step:?}");
    }
    came
}

const GIVEN: &str = "given Ogre as o at (0\", 0\"), Giant as g at (3\", 1\") by opponent, Squire as s at (1\", 0\")";

#[test]
fn a_term_that_is_asked_often_comes_to_the_same() {
    let (step, machine) = both_ways(&format!("test \"rate\" {{\n  {GIVEN}\n  do rate o with 4\n  expect o.best > 0 and o.share > 0\n}}\n"));
    assert!(matches!(step, Step::Done(_)), "{step:?}");
    assert!(machine.world.ids().count() > 3);
}

#[test]
fn what_is_wrong_with_it_is_said_in_the_same_words() {
    let (step, _) = both_ways(&format!("test \"rate\" {{\n  {GIVEN}\n  do rate o with 0\n}}\n"));
    assert!(matches!(&step, Step::Fault(fault) if fault.words.contains("zero") && fault.site.is_some()), "{step:?}");
}

/// Choices inside choices, actions of others, what is forbidden to some, payments: the games of the house have all of them.
#[test]
fn games_are_the_same_whether_heads_are_asked_or_tried() {
    for system in ["affinity", "flux", "one_card"] {
        let pack = content(system);
        let (asked, mut tried) = (Loaded::new(pack.clone()).unwrap(), Loaded::new(pack).unwrap());
        tried.stay_plain();
        for (seed, scenario) in (0..2).zip(scenarios(&asked).into_iter().cycle()) {
            let game = |pack: &Loaded| {
                let mut machine = start(pack, scenario);
                let answers = play(&mut machine, pack, seed, |_, _| {});
                (answers, machine.world)
            };
            assert!(game(&asked) == game(&tried), "{system}, seed {seed}");
        }
    }
}
