//! `play`: games that are told, counted, typed, saved and replayed.

use serde_json::Value;

use crate::game::brawl;

fn last(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn a_game_is_played_to_its_end() {
    let folder = brawl();
    let ended = folder.run(&["play", "brawl", "--seed", "7"]);
    // The first scenario by name.
    ended.is(0).says("The Long Alley, seed 7\n").says("brawl The Long Alley").says("rolls d6: ").says("wounds 0 → ");
    let result = last(&ended.out);
    assert!(result.starts_with("A draw.") || (result.starts_with("Player ") && result.contains(" wins.")), "{ended:?}");
    // The same seed is the same game, another one is another.
    assert_eq!(folder.run(&["play", "brawl", "--seed", "7"]).out, ended.out);
    assert_ne!(folder.run(&["play", "brawl", "--seed", "8"]).out, ended.out);
    folder.run(&["play", "brawl/rules.banner", "--agents", "random,greedy"]).is(0);
}

#[test]
fn a_scenario_is_named_by_its_name_or_title() {
    let folder = brawl();
    folder.run(&["play", "brawl", "--scenario", "Yard"]).is(0).says("Yard, seed 1\n");
    folder.run(&["play", "brawl", "--scenario", "the long alley"]).is(0).says("The Long Alley, seed 1\n");
    folder.run(&["play", "brawl", "--scenario", "Yrad"]).is(2).complains("no ring called `Yrad`").complains("Did you mean `Yard`?");
}

#[test]
fn verbose_tells_more_and_trace_where() {
    let folder = brawl();
    let lines = |args: &[&str]| folder.run(&[&["play", "brawl"], args].concat()).is(0).out.lines().count();
    assert!(lines(&["--verbose"]) > lines(&[]));
    folder.run(&["play", "brawl", "--trace"]).is(0).says("[brawl/rules.banner:");
}

#[test]
fn a_saved_game_is_replayed() {
    let folder = brawl();
    let played = folder.run(&["play", "brawl", "--seed", "3", "--agents", "random", "--save", "game.ron"]);
    played.is(0).says("Saved to game.ron.");
    let record = folder.read("game.ron");
    for words in ["project: \"brawl\"", "scenario: Some(\"Alley\")", "seed: 3", "answers: ["] {
        assert!(record.contains(words), "no {words} in {record}");
    }
    let replayed = folder.run(&["play", "brawl", "--replay", "game.ron"]);
    replayed.is(0).says("The game went exactly as it was saved: ");
    // The same lines, but for the last one of each.
    let but_last = |text: &str| text.lines().rev().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(but_last(&played.out), but_last(&replayed.out));
}

/// A file that is moved to the place of a device or a socket takes it away from everybody else.
#[test]
#[cfg(unix)]
fn what_is_not_a_file_is_not_replaced_by_a_saved_game() {
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixListener;
    let folder = brawl();
    let place = folder.path().join("game.ron");
    let _listener = UnixListener::bind(&place).unwrap();
    folder.run(&["play", "brawl", "--save", "game.ron"]).is(2).complains("Cannot write `game.ron`");
    assert!(std::fs::metadata(&place).unwrap().file_type().is_socket(), "it was replaced");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "something was left behind: {left:?}");
}

#[test]
fn a_game_that_strays_is_noticed() {
    let folder = brawl();
    folder.run(&["play", "brawl", "--seed", "3", "--agents", "random", "--save", "game.ron"]).is(0);
    let record = folder.read("game.ron");
    let answer = record.find("Picks([").unwrap();
    let folder = folder.file("strayed.ron", format!("{}Picks([7{}", &record[..answer], &record[answer + 8..]));
    folder.run(&["play", "brawl", "--replay", "strayed.ron"]).is(1).says("strayed at answer 1 of ");
    let rules = folder.read("brawl/rules.banner").replace("health: 3, power: 2", "health: 4, power: 2");
    let folder = folder.file("brawl/rules.banner", rules);
    folder.run(&["play", "brawl", "--replay", "game.ron"]).says("Rules or cards have changed since the game was saved.");
    folder.file("not.ron", "(seed: 1)").run(&["play", "brawl", "--replay", "not.ron"]).is(2).complains("`not.ron` is not a saved game");
}

#[test]
fn many_games_are_counted() {
    let folder = brawl();
    folder
        .run(&["play", "brawl", "--games", "10", "--agents", "random"])
        .is(0)
        .says("Player 1 wins")
        .says("Draws")
        .says("Faults             0");
    let ended = folder.run(&["play", "brawl", "--games", "10", "--agents", "random", "--json"]);
    let object: Value = serde_json::from_str(&ended.is(0).out).expect("one object");
    let n = |value: &Value| value.as_u64().expect("a number");
    let wins: u64 = object["wins"].as_array().unwrap().iter().map(n).sum();
    assert_eq!((n(&object["games"]), wins + n(&object["draws"])), (10, 10), "{object}");
    assert_eq!(object["failures"].as_array().map(Vec::len), Some(0));
    assert!(n(&object["answers"]["shortest"]) <= n(&object["answers"]["median"]));
}

#[test]
fn a_person_types_answers() {
    let folder = brawl();
    let args = ["play", "brawl", "--agents", "person,random", "--scenario", "Yard", "--save", "half.ron"];
    let ended = folder.run_with(&args, b"?\nnonsense\n2\nundo\ncheer\n");
    ended
        .is(1)
        .says("Player 1, choose what to do\n   1  fight\n   2  cheer\n")
        // the state
        .says("Player 2\n  Bear 2\n  The Fox 2\n")
        .says("Type a number from 1 to 2")
        .says("Player 1: cheers 0 → 1")
        .says("Back to your last answer.")
        .says("Nothing more is typed: the game stops here");
    // What was taken back is not in the record, and half a game can be replayed too.
    folder.run(&["play", "brawl", "--replay", "half.ron"]).is(0).says("exactly as it was saved");
    let undone = folder.run_with(&["play", "brawl", "--agents", "person,random"], b"undo\n");
    undone.is(1).says("There is nothing to take back.");
}

#[test]
fn after_an_undo_the_dice_are_the_same() {
    let folder = brawl();
    let args = ["play", "brawl", "--agents", "person,random", "--seed", "5"];
    let straight = folder.run_with(&args, b"1\n1\n1\n1\n2\n2\n");
    let around = folder.run_with(&args, b"1\n1\n1\n1\nundo\n1\n2\n2\n");
    let rolls = |text: &str| text.lines().filter(|l| l.contains("rolls")).map(|l| l.trim().to_owned()).collect::<Vec<_>>();
    let (mut twice, once) = (rolls(&around.out), rolls(&straight.out));
    twice.dedup();
    let mut unique = once.clone();
    unique.dedup();
    assert_eq!(twice.last(), unique.last(), "{}\n---\n{}", straight.out, around.out);
}

#[test]
fn what_cannot_be_played_is_said() {
    let folder = brawl().file("plain/banneret.ron", crate::support::MANIFEST).file("plain/rules.banner", crate::support::RULES);
    folder.run(&["play", "plain"]).is(2).complains("do not say how a game is played");
    folder.run(&["play", "."]).is(2).complains("There are 2 projects");
    folder.run(&["play", "nowhere"]).is(2).complains("it is not there");
    folder.run(&["play", "brawl", "--agents", "person", "--games", "3"]).is(2).complains("without people");
    folder.run(&["play", "brawl", "--agents", "random,random,random"]).is(2).complains("The game has 2 players, not 3.");
    folder.run(&["play", "brawl", "--agents", "clever"]).is(2).complains("clever");
    folder.run(&["play", "brawl", "--games", "0"]).is(2);
    let broken = folder.file("brawl/more.banner", "fighter Wolf { }\n");
    broken.run(&["play", "brawl"]).is(1).says("error[missing-field]");
}

#[test]
fn a_game_that_faults_says_where() {
    let folder = brawl().file("brawl/more.banner", "ring Abyss { at start of turn { todo \"the fall\" } }\n");
    folder.run(&["play", "brawl", "--scenario", "Abyss"]).is(1).says("The game cannot go on: ").says("It happened at brawl/more.banner:1.");
    folder.run(&["play", "brawl", "--scenario", "Abyss", "--games", "3"]).is(1).says("3 games, first with seed 1: The game cannot go on: ");
}

#[test]
fn many_games_say_what_was_done() {
    let folder = brawl();
    let told = folder.run(&["play", "brawl", "--games", "10", "--agents", "random"]);
    told.is(0).says("  between ").says("  used   legal\n").says("  fight\n").says("Bear (as f)").says("decisions, 0.0 % of them passes.");
    told.says("Take care: 10 games say little");
    let object: Value =
        serde_json::from_str(&folder.run(&["play", "brawl", "--games", "10", "--agents", "random", "--json"]).out).expect("one object");
    let choices = object["choices"].as_array().unwrap();
    let menu = |label: &str| choices.iter().find(|c| c["question"] == "" && c["option"] == label).unwrap();
    let (fight, cheer) = (menu("fight"), menu("cheer"));
    // Both lines are always legal, and one of them is taken.
    assert_eq!(fight["legal"], cheer["legal"]);
    assert_eq!(fight["used"].as_u64().unwrap() + cheer["used"].as_u64().unwrap(), fight["legal"].as_u64().unwrap());
    assert_eq!(object["intervals"].as_array().map(Vec::len), Some(2));
    let csv = folder.run(&["play", "brawl", "--games", "10", "--agents", "random", "--csv"]);
    csv.is(0).says("what,name,legal,used\n").says("\nmenu,fight,");
    assert!(csv.out.lines().any(|l| l == format!("menu,cheer,{},{}", cheer["legal"], cheer["used"])), "{}", csv.out);
}

#[test]
fn a_gate_for_shares() {
    let folder = brawl();
    let args = |within: &'static str| ["play", "brawl", "--games", "10", "--agents", "random", "--fail-outside", within];
    folder.run(&args("0..100")).is(0);
    folder.run(&args("99..100")).is(1).says("of the games, draws shared: outside 99 to 100 %.");
    folder.run(&args("60..40")).is(2).complains("40..60");
    folder.run(&["play", "brawl", "--fail-outside", "40..60"]).is(2);
}

#[test]
fn search_plays_the_same_on_any_number_of_threads() {
    let folder = brawl();
    let args = ["play", "brawl", "--games", "6", "--agents", "search:30,random", "--json"];
    let one = folder.run_on(1, &args);
    assert_eq!(one.is(0).out, folder.run_on(2, &args).is(0).out);
    folder.run(&["play", "brawl", "--agents", "search:x"]).is(2).complains("search:200");
    // Even a little thought beats none.
    let object: Value = serde_json::from_str(&one.out).expect("one object");
    assert!(object["wins"][0].as_u64() > object["wins"][1].as_u64(), "{object}");
    folder.run(&["play", "brawl", "--agents", "search:5", "--save", "s.ron"]).is(0);
    folder.run(&["play", "brawl", "--replay", "s.ron"]).is(0).says("exactly as it was saved");
}

#[test]
fn every_roster_against_every_other() {
    let rules = brawl()
        .read("brawl/rules.banner")
        .replace("kind Ring (rings) is card { ", "kind Team (teams) is card { members: list of Fighter }\nteam Bears \"The <Bears>\" { members: [Bear, Bear] }\nteam Foxes { members: [Fox] }\nkind Ring (rings) is card {\n  sides: list of Team = [Bears, Foxes]\n  ")
        .replace("    create Bear by p\n    create Fox by p\n", "    for f in (if p == first(players) { first(ring.sides) } else { last(ring.sides) }).members { create f by p }\n")
        .replace("ring Yard", "ring Meet { sides: [Bears, Foxes] }\nring Yard");
    let folder = brawl().file("brawl/rules.banner", rules);
    let args = ["play", "brawl", "--scenario", "Meet", "--games", "8", "--agents", "random", "--matrix"];
    let told = folder.run(&[&args[..], &["--svg", "m.svg"]].concat());
    told.is(0).says("1 The <Bears>").says("2 Foxes").says("won ").says("Drawn to m.svg.");
    let svg = folder.read("m.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("1 The &lt;Bears&gt;") && svg.matches("<rect ").count() == 3, "{svg}");
    let csv = folder.run(&[&args[..], &["--csv"]].concat());
    csv.is(0).says("first,second,games,first_wins,second_wins,draws\nThe <Bears>,Foxes,8,");
    let object: Value = serde_json::from_str(&folder.run(&[&args[..], &["--json"]].concat()).out).expect("one object");
    let share = |i: usize| object["rosters"][i]["share"].as_f64().unwrap();
    assert!(share(0) > share(1) && (share(0) + share(1) - 1.0).abs() < 1e-9, "{object}");
    folder.run(&[&args[..], &["--fail-outside", "45..55"]].concat()).is(1).says("outside 45 to 55 %");
    brawl().run(&["play", "brawl", "--games", "2", "--matrix"]).is(2).complains("lists nothing that could be played against each other");
}
