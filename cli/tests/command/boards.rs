//! `play` on boards and tables, and with one or four players: the projects of `tests/hard/`.

use std::path::Path;

use crate::support::{Ended, Folder, copy_folder};

fn project(name: &str) -> Folder {
    let folder = Folder::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hard").join(name);
    copy_folder(&from, &folder.path().join("game"));
    folder
}

/// The first question, after `?`.
fn shown(name: &str) -> Ended {
    let ended = project(name).run_with(&["play", "game", "--agents", "person,random", "--seed", "3"], b"?\n");
    ended.says("Nothing more is typed");
    ended
}

#[test]
fn games_on_every_board_end() {
    for name in ["40-hexes", "41-squares", "42-areas", "43-terrain"] {
        project(name).run(&["play", "game", "--games", "6", "--agents", "random"]).is(0).says("Faults             0");
    }
}

#[test]
fn hexes_are_drawn_with_arrows_in_staggered_columns() {
    shown("40-hexes").says("A↗      .       .       B↖\n    .       C       .\nA Strider of Player 1\nB Crab of Player 2\n");
}

#[test]
fn squares_are_drawn_with_walls_on_their_edges() {
    shown("41-squares").says("            -\n.   .   .   .   .   .\n\n. | .   .   .   .   .\n\nA | .   .   .   .   .\nA Rat of Player 1\n");
}

#[test]
fn areas_are_told_with_who_is_there_and_where_they_lead() {
    shown("42-areas").says(
        "Market: Watchman; leads to Harbour, Palace, Alley\nGate: Cat; leads to Harbour, Alley\nAlley: nobody; leads to Market, Gate\n",
    );
}

#[test]
fn a_table_is_drawn_to_scale_and_speaks_in_the_games_own_unit() {
    shown("43-terrain").says("A Giant of Player 1\n").says("Wall: at (12\", 12\")");
    shown("42-areas").says("Palace: at (6st, 2st)");
}

#[test]
fn one_player_and_four_play_to_the_end() {
    let solo = project("44-solo");
    solo.run(&["play", "game", "--games", "20", "--agents", "random"]).is(0).says("Player 1 wins").says("Faults             0");
    solo.run(&["play", "game", "--agents", "random"]).is(0);
    solo.run(&["play", "game", "--agents", "random,random"]).is(2).complains("The game has 1 player, not 2.");
    let four = project("45-four");
    four.run(&["play", "game", "--games", "20", "--agents", "random"]).is(0).says("Player 4 wins").says("Faults             0");
    four.run(&["play", "game", "--agents", "random,greedy,random,greedy"]).is(0).says("sold");
    four.run(&["play", "game", "--agents", "random,greedy"]).is(2).complains("The game has 4 players, not 2.");
}

/// What is hidden is told to nobody else: neither the cards in a hand nor what a thing is going to do.
#[test]
fn how_things_stand_is_told_without_what_others_hide() {
    let hands = shown("49-game-of-counters");
    hands.says(" hidden\n");
    let lines: Vec<&str> = hands.out.lines().filter(|line| line.trim_start().to_lowercase().starts_with("hand: ")).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(!lines[0].contains("hidden") && lines[1].ends_with("3 hidden"), "{lines:?}");
    // Both have plotted once when the first is asked again; one's own plot is seen.
    let plots = project("50-game-of-plots");
    let asked = plots.run_with(&["play", "game", "--agents", "person,random", "--seed", "3"], b"1\n1\n1\n?\n");
    let cutters: Vec<String> =
        asked.out.lines().map(str::to_lowercase).filter(|line| line.trim_start().starts_with("cutter") && line.contains("plot")).collect();
    assert_eq!(cutters.len(), 2, "{}", asked.out);
    assert!(cutters[0].contains("plot ahead") && !cutters[0].contains("hidden"), "{cutters:?}");
    assert!(cutters[1].contains("plot hidden"), "{cutters:?}");
}
