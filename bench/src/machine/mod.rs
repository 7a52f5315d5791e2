//! The machine beside native code, other machines and calculations by hand.

mod attack;
mod by_hand;
mod clock;
mod games;
mod odds;
mod peers;
mod program;
mod world;

use crate::table::Table;

type Told = Result<(), String>;

/// A part of the benchmarks, which puts its rows into the table.
type Part = fn(&mut Table) -> Told;

/// Each part by itself (`machine-odds`), or all of them (`machine`).
pub fn run(table: &mut Table, wanted: impl Fn(&str) -> bool) {
    let parts: [(&str, Part); 4] =
        [("machine-attack", attack::run), ("machine-world", world::run), ("machine-odds", odds::run), ("machine-games", games::run)];
    for (name, part) in parts.into_iter().filter(|(name, _)| wanted(name)) {
        if let Err(words) = part(table) {
            eprintln!("{name} could not be measured: {words}");
        }
    }
}

/// Nanoseconds in the unit that reads best.
fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

fn percent(part: f64, of: f64) -> String {
    format!("{:.0}%", 100.0 * part / of)
}

fn times(a: f64, b: f64) -> String {
    format!("{:.2}×", a / b)
}
