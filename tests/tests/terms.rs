//! Terms with conditions inside conditions, modifiers and places: what they come to, what is said where they come to nothing, and that their work is counted.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::fault::{Bound, FaultKind};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Step;
use banneret_runtime::testing::test_world;

use table::built;

const UNITS: &str = r#"
ruleset terms "Terms" {
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

/// Modified fields.
const MODIFIED: &str = r#"
grant units where it is Tall { reach +1" }
grant units where wounds > 2 or health > 8 { reach +0.5" }
"#;

const GIVEN: &str = "given Ogre as o at (0\", 0\"), Giant as g at (3\", 1\") by opponent, Squire as s at (1\", 0\")";

fn ran(rules: &str, test: &str, steps: u64) -> Step {
    let text = format!("{UNITS}{rules}test \"rate\" {{\n  {GIVEN}\n  {test}\n}}\n");
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("terms"), String::new(), vec![("terms.banner".to_owned(), text)]);
    let pack = Loaded::new(built(&workspace, project)).unwrap();
    let mut machine = test_world(&pack, &pack.tests[0], Limits { steps, ..Limits::default() }).unwrap();
    machine.run(&pack)
}

const ENOUGH: u64 = 1_000_000;

/// By hand: of the Ogre, the Giant and the Squire 10, 18 and 4 are added up (the Giant is tall); the Ogre is on its own spot in all 13 steps; the best friend is the
/// Squire's, 12, with 13 steps; and each of the three is worth more than 7/4.
#[test]
fn terms_come_to_what_they_say() {
    for (rules, reach) in [("", "2\""), (MODIFIED, "3.5\"")] {
        let expected = format!("expect o.best == 32 + 13 + 25 + 3 and o.share == 3 + 1 and g.reach == {reach}");
        let done = ran(rules, &format!("do rate o with 4\n  {expected}"), ENOUGH);
        assert!(matches!(done, Step::Done(_)), "{done:?}");
    }
}

#[test]
fn what_is_wrong_with_them_is_said_at_its_line() {
    let step = ran("", "do rate o with 0", ENOUGH);
    assert!(matches!(&step, Step::Fault(fault) if fault.words.contains("zero") && fault.site.is_some()), "{step:?}");
}

#[test]
fn their_work_is_counted() {
    let step = ran("", "do rate o with 4", 10);
    assert!(matches!(&step, Step::Fault(fault) if fault.kind == FaultKind::Limit(Bound::Steps)), "{step:?}");
}
