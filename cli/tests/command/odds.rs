//! `odds`: exact, best and sampled; what is wrong is said in the language's own words.

use serde_json::Value;

use crate::game::brawl;

const FIGHT: [&str; 6] = ["odds", "brawl", "--given", "Bear as a, Fox as b by opponent", "--do", "hit b by a"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FIGHT[..], more].concat()
}

#[test]
fn numbers_and_conditions_are_measured() {
    let ended = brawl().run(&with(&["b.wounds", "b.wounds > 0", "--measure", "2 * a.power"]));
    ended.is(0).says("b.wounds\n  0  1/2  50.00 %  █").says("  2  1/2  50.00 %").says("mean 1, variance 1, standard deviation 1");
    ended.says("b.wounds > 0\n   no  1/2").says("  yes  1/2").says("2 * a.power\n  4  1  100.00 %").says("Exact: ");
    assert!(ended.out.lines().all(|line| line.chars().count() <= 100), "{}", ended.out);
}

#[test]
fn json_has_fractions_and_decimals() {
    let ended = brawl().run(&with(&["--do", "if in_play(b) { hit b by a }", "b.wounds", "--json"]));
    let object: Value = serde_json::from_str(&ended.is(0).out).expect("one object");
    assert_eq!(object["exact"], true);
    let measure = &object["measures"][0];
    assert_eq!(measure["measure"], "b.wounds");
    // A fox has 2 health: after the first hit it is gone.
    assert_eq!(measure["outcomes"][0]["chance"], "1/4");
    assert_eq!(measure["outcomes"][1]["number"], 2.0);
    assert_eq!(measure["outcomes"][1]["decimal"], 0.75);
    assert_eq!((&measure["mean"]["exact"], &measure["variance"]["exact"]), (&Value::from("3/2"), &Value::from("3/4")));
}

/// With the first hit the fox may be gone: hitting it again is not passed over in silence.
#[test]
fn what_is_illegal_in_some_cases_is_said() {
    let ended = brawl().run(&with(&["--do", "hit b by a", "b.wounds"]));
    ended.is(2).complains("this is illegal: what it needs is not the case").complains("--do \"if in_play(b) { … }\"");
}

#[test]
fn options_and_statements_are_those_of_a_test() {
    brawl().run(&with(&["--with", "hard = true", "b.wounds"])).is(0).says("  4  1/2");
    brawl().run(&["odds", "brawl", "--given", "Fox as f", "--do", "f.wounds = 1", "f.wounds"]).is(0).says("  1  1  100.00 %");
}

#[test]
fn mistakes_are_said_by_the_language() {
    let folder = brawl();
    folder.run(&with(&["b.wonds"])).is(1).says("error[unknown-field]").says("Did you mean `wounds`?").says("expect spread of b.wonds");
    folder.run(&["odds", "brawl", "--given", "Baer as a", "a.wounds"]).is(1).says("Bear");
    folder.run(&["odds", "brawl"]).is(2).complains("There is nothing to measure.");
    folder.run(&["odds"]).is(2);
    folder.run(&["odds", "nowhere", "1"]).is(2).complains("it is not there");
    // Nothing is left behind.
    assert!(!folder.path().join("brawl/command_line.banner").exists());
}

const CHOICE: [&str; 6] = ["odds", "brawl", "--given", "Bear as a, Fox as b by opponent", "--do", "swing by you"];

#[test]
fn choices_need_answers() {
    let folder = brawl();
    let args = |more: &[&'static str]| [&CHOICE[..], more].concat();
    folder.run(&args(&["b.wounds"])).is(2).complains("The odds are not clear").complains("--answers");
    folder.run(&args(&["b.wounds", "--answers", "[\"hit\"]"])).is(0).says("  2  1/2");
    folder.run(&args(&["b.wounds", "--answers", "[\"hit twice, weakly\"]"])).is(0).says("25/36");
    folder.run(&args(&["b.wounds", "--answers", "[\"hit\", \"hit\"]"])).is(2).complains("answers were not used");
}

#[test]
fn the_best_choice_is_found() {
    let folder = brawl();
    let args = |more: &[&'static str]| [&CHOICE[..], more].concat();
    let ended = folder.run(&args(&["--best", "not in_play(b)"]));
    ended.is(0).says("  yes  1/2").says("Best: hit for the menu");
    // Who wants the fox alive takes the weak blows.
    folder.run(&args(&["--best", "in_play(b)"])).is(0).says("  yes  25/36").says("Best: hit twice, weakly for");
    // The opponent decides against it.
    let other = ["odds", "brawl", "--given", "Bear as a by opponent, Fox as b", "--do", "swing by opponent", "--best", "in_play(b)"];
    folder.run(&other).is(0).says("  yes  1/2");
    let json = folder.run(&args(&["--best", "not in_play(b)", "--json"]));
    let object: Value = serde_json::from_str(&json.is(0).out).expect("one object");
    assert_eq!((&object["decided"][0]["answer"], &object["decided"][0]["chance"]), (&Value::from("hit"), &Value::from("1")));
}

#[test]
fn too_much_is_refused_and_sampled() {
    let folder = brawl();
    folder.run(&["odds", "brawl", "sum(roll 60d6)"]).is(2).complains("There are no exact odds").complains("--sample 10000");
    folder.run(&with(&["b.wounds", "--states", "0"])).is(2).complains("There are no exact odds");
    let ended = folder.run(&with(&["b.wounds", "--sample", "2000"]));
    ended.is(0).says("SAMPLED, not exact: 2000 samples from seed 1").says("mean ").says(" ± ");
    assert_eq!(folder.run(&with(&["b.wounds", "--sample", "2000"])).out, ended.out);
    let json = folder.run(&with(&["b.wounds", "--sample", "2000", "--seed", "2", "--json"]));
    let object: Value = serde_json::from_str(&json.is(0).out).expect("one object");
    assert_eq!((&object["exact"], &object["samples"], &object["seed"]), (&Value::from(false), &Value::from(2000), &Value::from(2)));
    let outcome = &object["measures"][0]["outcomes"][0];
    let interval: Vec<f64> = outcome["interval"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    let found = outcome["decimal"].as_f64().unwrap();
    assert!((found - 0.5).abs() < 0.05 && interval[0] < found && found < interval[1] && interval[1] - interval[0] < 0.06, "{outcome}");
    folder.run(&with(&["b.wounds", "--sample", "0"])).is(2);
}

#[test]
fn the_odds_of_a_test_that_is_there() {
    let folder = brawl();
    folder.run(&["odds", "brawl", "--test", "Once in two"]).is(0).says("(f.wounds > 0)\n").says("  yes  1/2");
    folder.run(&["odds", "brawl", "--test", "a wolf"]).is(2).complains("No test about odds has the words `a wolf`.");
    folder.run(&["odds", "brawl", "--test", "bear", "b.wounds"]).is(2).complains("cannot be used with");
}
