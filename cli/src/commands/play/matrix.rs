//! Every roster against every other, in both seats.
//!
//! Rosters are the cards that a scenario lists one for each seat. A game between two others is the same scenario with these in their places.

use std::fmt::Write as _;
use std::io::Write;

use banneret_players::statistics::wilson;
use banneret_runtime::ids::{CardId, FieldId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::value::Value;
use serde_json::json;

use super::drawing::escaped;
use super::many::{self, Tally, cell};
use super::names::Names;
use super::setting::Setting;
use crate::Outcome;
use crate::args::{Agent, Play};
use crate::report::counted;
use crate::sources::files;
use crate::sources::paths::shown;
use crate::terminal::Out;
use crate::trouble::Trouble;

struct Matrix {
    names: Vec<String>,
    /// Who sits first, who sits second, and what came of it.
    cells: Vec<(usize, usize, Tally)>,
}

pub fn run(args: &Play, setting: &Setting, agents: &[Agent], seeds: std::ops::Range<u64>, out: &mut Out) -> Result<Outcome, Trouble> {
    let Some((scenario, field, rosters)) = rosters(setting) else {
        return Err(Trouble::new("The scenario lists nothing that could be played against each other.")
            .help("`--matrix` is for scenarios of two players with a list of two rosters, such as `sides: [A, B]`."));
    };
    let names = Names { pack: &setting.pack, world: &Default::default() };
    let mut matrix = Matrix { names: rosters.iter().map(|card| names.card(*card)).collect(), cells: Vec::new() };
    for (i, first) in rosters.iter().enumerate() {
        for (j, second) in rosters.iter().enumerate().filter(|(j, _)| *j != i) {
            let setting = with_rosters(setting, scenario, field, [*first, *second])?;
            matrix.cells.push((i, j, many::played(&setting, agents, seeds.clone())?));
        }
    }
    if args.json {
        writeln!(out, "{}", as_json(setting, &matrix))?;
    } else if args.csv {
        print_csv(&matrix, out)?;
    } else {
        print(&matrix, out)?;
    }
    if let Some(path) = &args.svg {
        files::write(path, drawn(&matrix).as_bytes())?;
        if !args.json && !args.csv {
            writeln!(out, "Drawn to {}.", shown(path))?;
        }
    }
    let mut fine = matrix.cells.iter().all(|(_, _, tally)| tally.failures.is_empty());
    if let Some(within) = args.fail_outside {
        for (i, name) in matrix.names.iter().enumerate() {
            let share = 100.0 * matrix.share(i);
            if !within.holds(share) {
                fine = false;
                if !args.json && !args.csv {
                    writeln!(out, "{name} has {share:.1} % of its games, draws shared: outside {within}.")?;
                }
            }
        }
    }
    Ok(if fine { Outcome::Fine } else { Outcome::Found })
}

impl Matrix {
    fn cell(&self, first: usize, second: usize) -> Option<&Tally> {
        self.cells.iter().find(|(i, j, _)| (*i, *j) == (first, second)).map(|(_, _, tally)| tally)
    }

    /// Of all games of a roster, in both seats.
    fn share(&self, roster: usize) -> f64 {
        let of = self.cells.iter().filter_map(|(i, j, tally)| match roster {
            r if r == *i => Some(tally.results.share(0)),
            r if r == *j => Some(tally.results.share(1)),
            _ => None,
        });
        let (sum, count) = of.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
        if count == 0.0 { 0.5 } else { sum / count }
    }

    fn won(&self, roster: usize) -> (usize, usize) {
        let of = self.cells.iter().filter_map(|(i, j, tally)| match roster {
            r if r == *i => Some((tally.results.wins.first().copied().unwrap_or_default(), tally.results.games)),
            r if r == *j => Some((tally.results.wins.get(1).copied().unwrap_or_default(), tally.results.games)),
            _ => None,
        });
        of.fold((0, 0), |(won, games), (w, g)| (won + w, games + g))
    }
}

/// The scenario, the field of it that lists a card for each of two seats, and all cards that could stand there.
fn rosters(setting: &Setting) -> Option<(CardId, FieldId, Vec<CardId>)> {
    let pack = &setting.pack;
    let scenario = setting.scenario.filter(|_| pack.seats() == 2)?;
    let card = pack.cards.get(scenario.index())?;
    card.values.iter().find_map(|(field, value)| {
        let Value::List(listed) = value else { return None };
        let [Value::Card(first), Value::Card(second)] = &**listed else { return None };
        let kind = pack.cards.get(first.index()).filter(|c| c.holder.is_none())?.kind;
        if pack.cards.get(second.index())?.kind != kind {
            return None;
        }
        let all = (0u32..).zip(&pack.cards).filter(|(_, c)| c.kind == kind && !c.template && c.holder.is_none());
        Some((scenario, *field, all.map(|(i, _)| CardId(i)).collect::<Vec<_>>()))
    })
}

fn with_rosters(setting: &Setting, scenario: CardId, field: FieldId, two: [CardId; 2]) -> Result<Setting, Trouble> {
    let mut pack = setting.pack.pack().clone();
    if let Some(card) = pack.cards.get_mut(scenario.index()) {
        for (_, value) in card.values.iter_mut().filter(|(f, _)| *f == field) {
            *value = Value::List(two.into_iter().map(Value::Card).collect());
        }
    }
    let pack = Loaded::new(pack).map_err(|refused| Trouble::new(format!("These rosters cannot be played: {refused}.")))?;
    Ok(Setting { project: setting.project.clone(), pack, scenario: setting.scenario, is_whole: setting.is_whole })
}

fn print(matrix: &Matrix, out: &mut Out) -> Result<(), Trouble> {
    let width = matrix.names.iter().map(|name| name.chars().count()).max().unwrap_or_default() + 4;
    writeln!(out, "Shares of games in %, draws shared. Rows sit first, columns second.")?;
    let heads: String = (1..=matrix.names.len()).map(|n| format!("{n:>6}")).collect();
    writeln!(out, "{:width$}{heads}   all games", "")?;
    for (i, name) in matrix.names.iter().enumerate() {
        let mut line = format!("{:<width$}", format!("{} {name}", i + 1));
        for j in 0..matrix.names.len() {
            match matrix.cell(i, j) {
                Some(tally) => write!(line, "{:>6.0}", 100.0 * tally.results.share(0)).unwrap_or_default(),
                None => line.push_str("     –"),
            }
        }
        let (won, games) = matrix.won(i);
        let (low, high) = wilson(won, games);
        writeln!(
            out,
            "{line}   {:.0}, won {won} of {games}: between {:.0} and {:.0} %",
            100.0 * matrix.share(i),
            100.0 * low,
            100.0 * high
        )?;
    }
    for (i, j, tally) in &matrix.cells {
        let pair = || format!("{} against {}", matrix.names[*i], matrix.names[*j]);
        for (words, seeds) in &tally.failures {
            writeln!(
                out,
                "{}: {}, first with seed {}: {words}",
                pair(),
                counted(seeds.len(), "game", "games"),
                seeds.first().unwrap_or(&0)
            )?;
        }
    }
    let mut told: Vec<String> = matrix.cells.iter().flat_map(|(_, _, tally)| tally.warnings()).collect();
    told.sort_unstable();
    told.dedup();
    for warning in told {
        writeln!(out, "Take care: {warning}")?;
    }
    Ok(())
}

fn as_json(setting: &Setting, matrix: &Matrix) -> serde_json::Value {
    let cells: Vec<_> = matrix
        .cells
        .iter()
        .map(|(i, j, tally)| json!({ "first": matrix.names[*i], "second": matrix.names[*j], "share": tally.results.share(0), "played": many::as_json(setting, tally) }))
        .collect();
    let rosters: Vec<_> = (0..matrix.names.len()).map(|i| json!({ "name": matrix.names[i], "share": matrix.share(i) })).collect();
    json!({ "project": setting.project, "scenario": setting.scenario_name(), "rosters": rosters, "cells": cells })
}

fn print_csv(matrix: &Matrix, out: &mut Out) -> Result<(), Trouble> {
    writeln!(out, "first,second,games,first_wins,second_wins,draws")?;
    for (i, j, tally) in &matrix.cells {
        let results = &tally.results;
        let wins = |seat: usize| results.wins.get(seat).copied().unwrap_or_default();
        let (first, second) = (cell(&matrix.names[*i]), cell(&matrix.names[*j]));
        writeln!(out, "{first},{second},{},{},{},{}", results.games, wins(0), wins(1), results.draws)?;
    }
    Ok(())
}

/// A square for each pair: blue where the row wins, red where it loses, the share in the middle.
fn drawn(matrix: &Matrix) -> String {
    const SIDE: usize = 56;
    const ROOM: usize = 220;
    let n = matrix.names.len();
    let (width, height) = (ROOM + n * SIDE + 8, 40 + n * SIDE + 8);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n"
    );
    let mut add = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    add(format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    for (i, name) in matrix.names.iter().enumerate() {
        let (x, y) = (ROOM + i * SIDE + SIDE / 2, 40 + i * SIDE + SIDE / 2 + 5);
        add(format!("<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{} {}</text>", ROOM - 10, i + 1, escaped(name)));
        add(format!("<text x=\"{x}\" y=\"28\" text-anchor=\"middle\">{}</text>", i + 1));
        for j in 0..n {
            let Some(tally) = matrix.cell(i, j) else { continue };
            let share = tally.results.share(0);
            let strength = ((share - 0.5).abs() * 2.0 * 170.0).round() as u8;
            let (red, blue) = if share >= 0.5 { (255 - strength, 255) } else { (255, 255 - strength) };
            let green = 255 - strength;
            let (x, y) = (ROOM + j * SIDE, 40 + i * SIDE);
            add(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"rgb({red},{green},{blue})\" stroke=\"#999999\"/>"
            ));
            add(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.0}</text>", x + SIDE / 2, y + SIDE / 2 + 5, 100.0 * share));
        }
    }
    svg.push_str("</svg>\n");
    svg
}
