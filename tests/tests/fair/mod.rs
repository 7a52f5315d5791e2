//! The exact host, the seeded host and plain enumeration agree about attacks and duels.

mod enumerate;

use std::collections::BTreeMap;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_odds::{self as exact, DEFAULT_STATES, Fraction};
use banneret_runtime::hosts::sampled::Sampler;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;

use banneret_tests::files::{house, text};

use super::table::{built, exhaustive};
use enumerate::{Odds, binomial, left, plus, reroll, roll_off, strike, times};

struct Case<'t> {
    /// What is written in a test, before what is measured.
    text: &'t str,
    measure: &'t str,
    expected: Odds,
}

/// Checks all cases of a rule system; `cards` are added to its own.
fn agree(system: &str, cards: &str, cases: &[Case<'_>]) {
    let mut workspace = Workspace::new();
    let project = workspace.open_library(system).unwrap();
    let mut text = format!("use {system}\n\n{cards}\n");
    for (i, case) in cases.iter().enumerate() {
        text.push_str(&format!("test \"case {i}\" {{\n{}\n  expect spread of {} == []\n}}\n\n", case.text, case.measure));
    }
    workspace.set_text(project, "cases.banner", Some(text));
    let pack = Loaded::new(built(&workspace, project)).unwrap();
    for (i, case) in cases.iter().enumerate() {
        agrees(system, &pack, &format!("case {i}"), i as u64, case.text, &case.expected);
    }
}

fn as_pair(chance: &Fraction) -> (u128, u128) {
    let (num, den) = chance.short().unwrap();
    (num as u128, den as u128)
}

/// The exact host says the same as the enumeration, and the seeded one does not contradict them.
fn agrees(system: &str, pack: &Loaded, words: &str, seed: u64, text: &str, expected: &Odds) {
    let test = pack.tests.iter().find(|t| pack.text(t.words) == words).unwrap();
    let machine = test_world(pack, test, Limits::default()).unwrap();
    let site = test.measures[0].site;
    let exact = exact::odds(machine.clone(), pack, DEFAULT_STATES).unwrap();
    let found: Odds = exact.spread(site).iter().map(|(value, chance)| (number(value), as_pair(chance))).collect();
    assert_eq!(found, *expected, "{system}, {text}");

    let samples = if exhaustive() { 20_000 } else { 1_000 };
    let mut generator = Generator::new(100 + seed);
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    let mut sampler = Sampler::new(&machine, pack);
    for _ in 0..samples {
        let measured = sampler.sample(&mut generator).unwrap();
        let (_, value) = measured.iter().find(|(s, _)| *s == site).unwrap();
        *counts.entry(number(value)).or_default() += 1;
    }
    assert!(counts.keys().all(|n| expected.contains_key(n)), "{system}: {counts:?}");
    let (chi, freedom) = chi_squared(&counts, expected, samples);
    let limit = critical(freedom);
    assert!(chi <= limit, "{system}, {text}: chi² {chi:.1} above {limit:.1} with {freedom} degrees: {counts:?}");
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Int(n) => *n,
        Value::Bool(yes) => i64::from(*yes),
        other => panic!("{other:?} is not a number"),
    }
}

/// Outcomes that are too rare to count are taken together.
fn chi_squared(counts: &BTreeMap<i64, u64>, expected: &Odds, samples: u64) -> (f64, usize) {
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for (value, (num, den)) in expected {
        let wanted = *num as f64 / *den as f64 * samples as f64;
        let got = counts.get(value).copied().unwrap_or(0) as f64;
        if wanted < 5.0 {
            rare = (rare.0 + wanted, rare.1 + got);
        } else {
            cells.push((wanted, got));
        }
    }
    if rare.0 >= 1.0 {
        cells.push(rare);
    }
    let chi = cells.iter().map(|(wanted, got)| (got - wanted).powi(2) / wanted).sum();
    (chi, cells.len().saturating_sub(1))
}

/// One in a thousand is above this, by Wilson and Hilferty's approximation. The seeds are fixed, so it passes always or never.
fn critical(freedom: usize) -> f64 {
    if freedom == 0 {
        return 1e-9;
    }
    let k = freedom as f64;
    let z = 3.090_232;
    k * (1.0 - 2.0 / (9.0 * k) + z * (2.0 / (9.0 * k)).sqrt()).powi(3)
}

const MINIS: &str = r#"
mini CaseBase template { picture: "stand_in.svg", points: 10, speed: 3, actions: 2, move: 6", health: 12, base: 1", skill: 4+, defense: 4+ }
mini S2 from CaseBase { skill: 2+, weapon One from MeleeWeapon { attacks: 1, damage: 1 }, weapon Four from MeleeWeapon { attacks: 4, damage: 2 } }
mini S4 from CaseBase { skill: 4+, weapon Three from MeleeWeapon { attacks: 3, damage: 1 }, weapon Five from MeleeWeapon { attacks: 5, damage: 1 } }
mini S6 from CaseBase { skill: 6+, weapon Six from MeleeWeapon { attacks: 6, damage: 3 } }
mini D2 from CaseBase { defense: 2+, weapon Fist from MeleeWeapon { attacks: 1, damage: 1 } }
mini D5 from CaseBase { defense: 5+, weapon Fist from MeleeWeapon { attacks: 1, damage: 1 } }
mini D6 from CaseBase { defense: 6+, health: 3, weapon Fist from MeleeWeapon { attacks: 1, damage: 1 } }
"#;

#[test]
fn strikes() {
    let case = |text, expected| Case { text, measure: "t.wounds", expected };
    // strike(attacks, skill, defense, damage, health)
    let cases = [
        case("  given S2 as a, D2 as t by opponent\n  do strike t with a.One by a", strike(1, 2, 2, 1, 12)),
        case("  given S2 as a, D5 as t by opponent\n  do strike t with a.Four by a", strike(4, 2, 5, 2, 12)),
        case("  given S2 as a, D6 as t by opponent\n  do strike t with a.Four by a", strike(4, 2, 6, 2, 3)),
        case("  given S4 as a, D2 as t by opponent\n  do strike t with a.Three by a", strike(3, 4, 2, 1, 12)),
        case("  given S4 as a, D6 as t by opponent\n  do strike t with a.Five by a", strike(5, 4, 6, 1, 3)),
        case("  given S4 as a, D5 as t by opponent\n  do strike t with a.Five by a", strike(5, 4, 5, 1, 12)),
        case("  given S6 as a, D5 as t by opponent\n  do strike t with a.Six by a", strike(6, 6, 5, 3, 12)),
        case("  given S6 as a, D2 as t by opponent\n  do strike t with a.Six by a", strike(6, 6, 2, 3, 12)),
    ];
    agree("one_card", MINIS, &cases);
}

/// Two rounds, blow for blow: the wounds of the one in tens, those of the other in ones.
#[test]
fn duels() {
    let round = "  do strike t with a.Three by a\n  do strike a with t.Fist by t";
    let given = "  given S4 as a, D5 as t by opponent";
    let (dealt, taken) = (strike(3, 4, 5, 1, 12), strike(1, 4, 4, 1, 12));
    let both = plus(&times(&taken, 10), &dealt);
    let measure = "(10 * a.wounds + t.wounds)";
    let cases = [
        Case { text: &format!("{given}\n{round}"), measure, expected: both.clone() },
        Case { text: &format!("{given}\n{round}\n{round}"), measure, expected: plus(&both, &both) },
    ];
    agree("one_card", MINIS, &cases);
}

/// The cases that are measured by the benchmark, to the last digit.
#[test]
fn volleys_blows_assaults_and_spells() {
    let text = text(&house().join("bench/rules/odds/odds.banner"));
    let mut workspace = Workspace::new();
    let project = workspace.open(Manifest::loose("odds"), String::new(), vec![("odds.banner".to_owned(), text)]);
    let pack = Loaded::new(built(&workspace, project)).unwrap();
    let cases = [
        ("J1", binomial(20, (1, 3), 2)),
        ("J2", left(12, 5, &[(5, 5), (0, 1)])),
        // Of twelve faces a die and its save can show: two are hard, two are hits that are not saved.
        ("J3", left(30, 12, &[(3, 2), (2, 2), (0, 8)])),
        ("J5", reroll(5)),
    ];
    for (i, (words, expected)) in cases.iter().enumerate() {
        agrees("odds", &pack, words, i as u64, words, expected);
    }
}

#[test]
fn shots_and_duels() {
    let cases = [
        // Each swing succeeds on 4+ and takes 5.
        Case {
            text: "  given TestBerserker as b at (0s, 0s), TestScientist as s by opponent at (1s, 0s)\n  repeat 3 { strike b.Axe by b }",
            measure: "s.wounds",
            expected: binomial(3, (1, 2), 5),
        },
        // Into cover it takes a 5+.
        Case {
            text: "  given TestGunner as a at (0s, 0s), TestScientist as b by opponent at (10s, 0s), TestHedge as h at (5s, 0s)\n  strike a.Rifle by a",
            measure: "(if b.wounds > 0 { 1 } else { 0 })",
            expected: binomial(1, (1, 3), 1),
        },
        Case { text: "  let winner = roll_off", measure: "(if winner == you { 1 } else { 0 })", expected: roll_off() },
    ];
    agree("worlds_collide", "", &cases);
}

#[test]
fn defenses() {
    let case = |text, n| Case { text, measure: "(10 - t.health)", expected: binomial(n, (1, 2), 1) };
    let cases = [
        case("  given TestSwords as t\n  muster t\n  defend 3 for t", 3),
        case("  given TestSwords as t\n  muster t\n  defend 7 for t", 7),
    ];
    agree("focal_point", "", &cases);
}

#[test]
fn castings() {
    let case = |text, expected| Case { text, measure: "(if done { 1 } else { 0 })", expected };
    let cases = [
        case("  given TestSeer as s\n  let done = casting_roll 3+ by s", binomial(1, (2, 3), 1)),
        case("  given TestSeer as s\n  you.Destiny = 5\n  answers [reroll: true]\n  let done = casting_roll 5+ by s", reroll(5)),
    ];
    agree("affinity", "", &cases);
}
