//! What the log of a game says is true: its numbers add up, it names who and with what, and it speaks in the game's own unit.

use std::collections::BTreeMap;
use std::path::Path;

use crate::game::brawl;
use crate::support::Folder;

fn game(system: &str, more: &[&str]) -> String {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content").join(system);
    // Where the ways are long, who does anything seldom fights.
    let agents = if system == "worlds_collide" { "greedy" } else { "random" };
    let args = ["play", content.to_str().unwrap(), "--agents", agents];
    let ended = Folder::new().run(&[&args[..], more].concat());
    ended.is(0);
    ended.out.clone()
}

/// The number behind a word or sign, if there is one.
fn number_after(line: &str, mark: &str) -> Option<i64> {
    let rest = line.split(mark).nth(1)?;
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
    digits.parse().ok()
}

fn number_before(line: &str, mark: &str) -> Option<i64> {
    let rest = line.split(mark).next()?;
    rest.split_whitespace().last()?.parse().ok()
}

/// What was said of the health of somebody: how much was lost (or regained, below 0), and what is left.
fn loss(line: &str) -> Option<(&str, i64, i64)> {
    let line = line.trim();
    let of = |verb: &str, sign: i64, left: &dyn Fn(&str) -> Option<i64>| {
        let (name, rest) = line.split_once(verb)?;
        let n: i64 = rest.split_whitespace().next()?.parse().ok()?;
        Some((name, sign * n, left(rest)?))
    };
    let left = |rest: &str| rest.split(", ").nth(1)?.split_whitespace().next()?.parse().ok();
    of(" loses ", 1, &left).or_else(|| of(" takes ", 1, &left)).or_else(|| of(" regains ", -1, &left))
}

/// Replays the losses; gives how many could be compared with what was left before.
fn add_up(log: &str) -> usize {
    let (mut known, mut compared) = (BTreeMap::<&str, i64>::new(), 0);
    for line in log.lines() {
        // Who turned into something else begins anew.
        if let Some((name, _)) = line.trim().strip_prefix("turn ").and_then(|line| line.split_once(" into ")) {
            known.remove(name);
        }
        let Some((name, lost, left)) = loss(line) else { continue };
        if let Some(before) = known.insert(name, left) {
            compared += 1;
            match lost >= 0 {
                // nobody has less than nothing
                true => assert!(left == before - lost || (left <= 0 && before < lost), "{before} before: {line}"),
                // nor more than the whole
                false => assert!((before..=before - lost).contains(&left), "{before} before: {line}"),
            }
        }
    }
    compared
}

#[test]
fn losses_add_up() {
    for system in ["worlds_collide", "one_card", "focal_point"] {
        let compared: usize = (1..=6).map(|seed| add_up(&game(system, &["--seed", &seed.to_string()]))).sum();
        assert!(compared >= 3, "{system}: only {compared} losses could be compared");
    }
}

#[test]
fn an_attack_is_told_with_its_reasons_and_its_result() {
    let (mut rolls, mut damages, mut attacks) = (0, 0, 0);
    for seed in 4..=6 {
        for line in game("worlds_collide", &["--scenario", "DryWell", "--seed", &seed.to_string()]).lines() {
            if let (Some(score), Some((sum, _))) = (number_after(line, " against "), line.trim().split_once(" against ")) {
                let parts: Vec<i64> = sum.split(" + ").filter_map(|n| n.parse().ok()).collect();
                let (pips, all) = (parts[0], parts.iter().sum::<i64>());
                rolls += 1;
                match line.ends_with(": a success") {
                    true => assert!(pips == 6 || (pips > 1 && all >= score), "{line}"),
                    false => assert!(line.ends_with(": no success") && pips != 6, "{line}"),
                }
            } else if let (Some(dealt), true) = (number_after(line, " = "), line.contains(" damage to ")) {
                let sign = [" × 2", " − ", " = "].into_iter().find(|sign| line.contains(sign)).unwrap();
                let raw = number_before(line, sign).unwrap();
                let doubled = if line.contains(" × 2") { raw * 2 } else { raw };
                assert_eq!(line.contains("CRITICAL"), line.contains(" × 2"), "{line}");
                assert_eq!(dealt, (doubled - number_after(line, " − ").unwrap_or(0)).max(0), "{line}");
                damages += 1;
            }
            attacks +=
                usize::from(line.contains(" attacks ") && line.contains(" with ") && (line.ends_with("a hit") || line.ends_with("a miss")));
        }
    }
    assert!(rolls >= 10 && damages >= 3 && attacks >= 5, "{rolls} rolls, {damages} damages, {attacks} attacks");
}

#[test]
fn the_environment_and_the_games_own_unit_are_told() {
    let log = game("worlds_collide", &["--seed", "3"]);
    assert!(log.contains(" is in force\n") && log.contains(" on the Environment table\n"), "{log}");
    let places = log.lines().filter(|line| line.contains("→ (")).count();
    assert!(
        places > 10 && log.lines().filter(|line| line.contains("→ (")).all(|line| line.contains("s, ") && !line.contains('"')),
        "{log}"
    );
    assert!(game("one_card", &["--seed", "3"]).lines().any(|line| line.contains("→ (") && line.contains('"')));
}

#[test]
fn burning_is_told() {
    let all: String = (1..=4).map(|seed| game("flux", &["--seed", &seed.to_string()])).collect();
    assert!(all.lines().any(|line| line.contains(" Burns ") && line.contains(" on the die, ")), "nobody burned anything");
}

#[test]
fn what_is_told_afterwards_stands_for_its_rolls_unless_everything_is_wanted() {
    let rules = brawl().read("brawl/rules.banner").replace(
        "action hit(foe: Fighter) by f: Fighter {\n  need in_play(foe)\n  if (roll d6) >= 4 { hurt f.power to foe by f }\n}",
        "action hit(foe: Fighter) by f: Fighter {\n  says afterwards \"{f} swings at {foe}: {pips} + {bonus} against {wanted}, {hit|a hit|a miss}\"\n  need in_play(foe)\n  let pips = 0, bonus = 0, wanted = 4+, hit = false\n  pips = roll d6\n  hit = pips >= wanted\n  if hit { hurt f.power to foe by f }\n}",
    );
    assert!(rules.contains("afterwards"));
    let folder = brawl().file("brawl/rules.banner", rules);
    let args = ["play", "brawl", "--seed", "7", "--agents", "random"];
    let log = folder.run(&args).is(0).out.clone();
    let told: Vec<&str> = log.lines().filter(|line| line.contains(" swings at ")).collect();
    assert!(!told.is_empty(), "{log}");
    for line in &told {
        let pips = number_after(line, ": ").unwrap();
        assert!(!line.contains(" + "), "nothing is added: {line}");
        assert_eq!(line.ends_with("a hit"), pips >= 4, "{line}");
    }
    let verbose = folder.run(&[&args[..], &["--verbose"]].concat()).is(0).out.clone();
    let rolls = |log: &str| log.matches(" rolls d6: ").count();
    assert!(rolls(&verbose) > rolls(&log));
    let trace = folder.run(&[&args[..], &["--trace"]].concat()).is(0).out.clone();
    assert!(
        trace.lines().any(|line| line.contains(" swings at ") && line.contains("{foe ") && line.contains("[brawl/rules.banner:")),
        "{trace}"
    );
}

#[test]
fn a_failed_test_is_told_like_a_game() {
    let rules = brawl().read("brawl/rules.banner")
        + "\ntest \"a bear bites\" {\n  given Bear as b, Fox as f by opponent\n  dice [5]\n  do hit f by b\n  expect f.wounds == 3\n}\n";
    let folder = brawl().file("brawl/rules.banner", rules);
    let told = folder.run(&["test", "brawl"]);
    told.is(1).says("what happened:").says("Bear: hit The Fox").says("rolls d6: 5").says("The Fox: wounds 0 → 2");
}

#[test]
fn the_table_is_drawn_for_each_round() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content/one_card");
    let folder = Folder::new();
    folder.run(&["play", content.to_str().unwrap(), "--agents", "random", "--draw", "table"]).is(0).says(" pictures drawn into table.");
    let mut drawn = 0;
    for n in 1..100 {
        if !folder.path().join(format!("table/{n:02}.svg")).is_file() {
            break;
        }
        let svg = folder.read(&format!("table/{n:02}.svg"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<circle "), "{svg}");
        drawn += 1;
    }
    assert!(drawn >= 3, "{drawn} pictures");
    let hard = |name: &str| {
        let folder = Folder::new();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hard").join(name);
        crate::support::copy_folder(&from, &folder.path().join("game"));
        folder.run(&["play", "game", "--agents", "random", "--draw", "table"]).is(0);
        folder.read("table/01.svg")
    };
    assert!(hard("40-hexes").contains("<polygon "));
    assert!(hard("41-squares").matches("<rect ").count() > 10);
    assert!(hard("42-areas").contains("leads to "));
}

#[test]
fn a_person_asks_and_goes_on_later() {
    let folder = brawl();
    let args = ["play", "brawl", "--agents", "person,random", "--scenario", "Yard", "--seed", "4"];
    let asked = folder.run_with(&args, b"help\n1\n? 1\nodds 1\nsave half.ron\n");
    asked
        .is(1)
        .says("takes your last answer back")
        .says("Bear")
        .says("health 3, power 2")
        .says("about 100 %  nothing changes")
        .says("Saved to half.ron.");
    // the last question before the dice
    let odds = folder.run_with(&args, b"1\n1\n1\nodds 1\n");
    let line = odds.out.lines().find(|line| line.contains("wounds 0 → 2")).unwrap_or_else(|| panic!("{}", odds.out));
    let percent = number_after(line, "about  ").or_else(|| number_after(line, "about ")).unwrap();
    assert!((38..=62).contains(&percent), "{line}");
    // in one go, and with a break in between, it is the same game
    let whole = folder.run_with(&args, b"1\n1\n1\n1\n");
    let rest = folder.run_with(&["play", "brawl", "--resume", "half.ron"], b"1\n1\n1\n");
    let rolled = |text: &str| text.lines().find(|line| line.contains("rolls d6")).map(|line| line.trim().to_owned());
    assert_eq!(rolled(&whole.out), rolled(&rest.out), "{}\n---\n{}", whole.out, rest.out);
    assert!(rolled(&rest.out).is_some());
}
