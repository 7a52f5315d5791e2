//! Hot events: carried out in one go they come to the very machine that they come to step by step, and where they cannot be, nothing is different.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::testing::test_world;

use table::built;

/// Units that strike each other, whatever else is added.
const UNITS: &str = r#"
ruleset hot "Hot" { version: "1.0" }
kind Side (sides) is player { state score: Int 0.. = 0 }
kind Unit (units) is card {
  health: Int 1.., attacks: Int 0.. = 4, skill: Target 2+..6+ = 4+, keywords: set of Keyword = []
  state wounds: Int 0..health = 0
  state marks: Int = 0
}
action deal(amount: Int) to target: Unit {
  target.wounds += amount
  target.wounds
}
action strike(target: Unit) by u: Unit {
  repeat u.attacks { if (roll d6) >= u.skill { deal 2 to target } }
}
unit Knight { health: 9, attacks: 5 }
unit Ogre { health: 30, keywords: [] }
"#;

fn pack(text: &str) -> Loaded {
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("hot"), String::new(), vec![("hot.banner".to_owned(), text.to_owned())]);
    Loaded::new(built(&workspace, project)).unwrap()
}

/// Runs the test of a program step by step and in one go; both must come to the same. Gives what it came to and how many events were hot.
fn both_ways(more: &str, limits: Limits) -> (Step, Machine) {
    let indent = more.lines().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    let more: Vec<&str> = more.lines().map(|l| l.get(indent..).unwrap_or("")).collect();
    let pack = pack(&format!("{UNITS}{}\n", more.join("\n")));
    let run = |hot: bool, seed: u64| {
        let mut machine = test_world(&pack, &pack.tests[0], limits).unwrap();
        if hot {
            machine.heat_up();
        }
        let mut dice = Generator::new(seed);
        let step = run_seeded(&mut machine, &pack, &mut dice);
        (step, machine, dice)
    };
    for seed in 0..20 {
        assert_eq!(run(true, seed), run(false, seed), "seed {seed}");
    }
    let (step, machine, _) = run(true, 0);
    (step, machine)
}

fn fine(more: &str) -> Machine {
    let (step, machine) = both_ways(more, Limits::default());
    assert!(matches!(step, Step::Done(_)), "{step:?}");
    machine
}

const MANY: &str = r#"
test "many" {
  given Knight as k, Ogre as o by opponent
  do strike o by k
  do strike k by o
  expect mean of o.wounds + k.wounds == 0
}
"#;

#[test]
fn a_strike_is_hot() {
    assert_eq!(fine(MANY).hot_events(), 2);
}

/// To hit, to wound, and not to be saved: rounds of one to three dice that only count are rolled in one go, with the same dice in the same order.
#[test]
fn rounds_of_dice_that_count_are_hot() {
    for dice in [
        "if (roll d6) >= a { total += 1 }",
        "if (roll d6) < b { total += 2 }",
        "if (roll d6) >= a { if (roll d6) < b { total += 1 } }",
        "if (roll d6) > a { if (roll d6) >= b { if (roll d6) < c { total += 1 } } }",
        // What is counted is what they are compared with, or how often they are rolled: each round is another one.
        "if (roll d6) >= total { total += 1 }",
        "if (roll d6) >= a { times += -1 }",
        "if (roll d6) >= a { total += times }",
    ] {
        let machine = fine(&format!(
            r#"
            action many(n: Int) at a: Int against b: Int using c: Int {{
              let total = 0, times = n
              repeat n {{ {dice} }}
              repeat times {{ {dice} }}
              10000 * total + times
            }}
            test "many" {{
              let all = 0
              for n in [0, 1, 2, 9, 40] {{ all += many n at 3 against 4 using 5 }}
              all += many 6 at 1 against 7 using 7
              all += many 6 at 7 against 1 using 1
              expect mean of all == 0
            }}
            "#
        ));
        assert_eq!(machine.hot_events(), 7, "{dice}");
    }
}

#[test]
fn rules_before_and_after_are_part_of_it() {
    let rules = "
before deal where target.marks > 1 { amount -1 }
before deal { amount at most 3 }
after deal where amount > 1 { target.marks += 1 }
";
    assert_eq!(fine(&format!("{rules}{MANY}")).hot_events(), 2);
}

#[test]
fn a_result_stays_what_it_was_when_a_rule_after_the_event_changes_what_it_was_read_from() {
    let machine = fine(
        r#"
        after deal { target.wounds = 0 }
        action twice to t: Unit {
          let first = deal 3 to t
          let second = deal 4 to t
          10 * first + second
        }
        test "twice" {
          given Ogre as o
          let n = twice to o
          expect mean of n == 34
        }
        "#,
    );
    assert_eq!(machine.measured.len(), 1);
    assert_eq!(machine.measured[0].1, banneret_runtime::value::Value::Int(34));
    assert_eq!(machine.hot_events(), 1);
}

#[test]
fn what_grants_depend_on_is_left_to_the_machine() {
    let machine = fine(&format!("keyword Proud on Unit {{ grant this {{ attacks +1 }} while this.wounds > 3 }}\n{MANY}"));
    assert_eq!(machine.hot_events(), 0, "wounds change how many attacks there are");
}

#[test]
fn a_rule_once_per_round_is_left_to_the_machine() {
    assert_eq!(fine(&format!("after deal once per strike {{ target.marks += 1 }}\n{MANY}")).hot_events(), 0);
}

#[test]
fn rules_that_replace_or_forbid_are_left_to_the_machine() {
    assert_eq!(fine(&format!("instead of deal where amount > 1 {{ target.marks += 1; 0 }}\n{MANY}")).hot_events(), 0);
    assert_eq!(fine(&format!("cannot deal where amount > 1\n{MANY}")).hot_events(), 0);
}

#[test]
fn a_check_that_comes_due_is_carried_out_by_the_machine() {
    let machine = fine(&format!("at end of any event where any units where wounds > 9 {{ for u in units {{ u.wounds = 0 }} }}\n{MANY}"));
    assert!(machine.hot_events() > 0, "no check is due at first");
}

#[test]
fn grants_that_end_with_a_hot_event_end() {
    let grants = r#"
      action bless(u: Unit) { grant u { attacks +2 } until end of strike }
      test "blessed" {
        given Knight as k, Ogre as o by opponent
        do bless k
        expect k.attacks == 7
        do strike o by k
        expect k.attacks == 5
        do strike o by k
        expect mean of o.wounds == 0
      }
    "#;
    assert!(fine(grants).hot_events() > 0);
}

#[test]
fn numbers_that_grow_too_large_say_so() {
    let (step, _) = both_ways(
        r#"
        action grow(n: Int) to u: Unit { repeat n { u.marks = u.marks * 3 + 1 } }
        test "grow" {
          given Ogre as o
          do grow 100 to o
          expect mean of o.marks == 0
        }
        "#,
        Limits::default(),
    );
    assert!(matches!(&step, Step::Fault(fault) if fault.words.contains("too large")), "{step:?}");
}

#[test]
fn loops_without_end_end_with_the_same_message() {
    let endless = r#"
      action wait(n: Int) to u: Unit { repeat n { u.marks = 1 - u.marks } }
      test "wait" {
        given Ogre as o
        do wait 1000000000 to o
        expect mean of o.marks == 0
      }
    "#;
    let (step, _) = both_ways(endless, Limits { steps: 5_000, ..Limits::default() });
    assert!(matches!(&step, Step::Fault(fault) if fault.words.contains("steps")), "{step:?}");
    let many = r#"
      action rain(n: Int) to u: Unit { repeat n { deal 1 to u } }
      test "rain" {
        given Ogre as o
        do rain 100 to o
        expect mean of o.wounds == 0
      }
    "#;
    let (step, _) = both_ways(many, Limits { events: 50, ..Limits::default() });
    assert!(matches!(&step, Step::Fault(fault) if fault.words.contains("events")), "{step:?}");
    let (step, machine) = both_ways(many, Limits::default());
    assert!(matches!(step, Step::Done(_)) && machine.hot_events() == 1);
}

#[test]
fn whoever_wants_to_know_is_told_every_event() {
    let pack = pack(&format!("{UNITS}{MANY}"));
    let mut machine = test_world(&pack, &pack.tests[0], Limits::default()).unwrap();
    machine.heat_up();
    machine.keep_trace();
    run_seeded(&mut machine, &pack, &mut Generator::new(3));
    assert_eq!(machine.hot_events(), 0);
    assert!(machine.trace().iter().any(|line| line.contains("deal")), "{:?}", machine.trace());
}

#[test]
fn what_turns_out_not_to_be_hot_starts_again_with_the_same_dice() {
    let machine = fine(
        r#"
        action gamble to u: Unit {
          let x = roll d6
          u.marks += x
        }
        at end of any event where any units where marks > 3 { for u in units { u.marks = 0 } }
        test "gamble" {
          given Ogre as o
          do gamble to o
          do gamble to o
          do gamble to o
          expect mean of o.marks == 0
        }
        "#,
    );
    assert!(machine.hot_events() > 0);
}
