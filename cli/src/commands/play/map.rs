//! The table as text: who stands where on a board or a table, and who is in which area.

use std::collections::BTreeMap;

use banneret_runtime::ids::ObjId;
use banneret_runtime::table::Board;
use banneret_runtime::value::{Place, Value};
use banneret_runtime::world::{NOBODY, Object};

use super::names::Names;

/// The most columns and rows of characters; a larger table is drawn smaller.
const MOST_COLUMNS: i64 = 72;
const MOST_ROWS: i64 = 20;

/// Nothing where nobody has a place.
pub fn lines(names: &Names<'_>) -> Vec<String> {
    let pieces: Vec<(ObjId, &Object, Place)> =
        names.world.in_play().filter(|(_, o)| o.holder == NOBODY).filter_map(|(id, o)| Some((id, o, o.place?))).collect();
    if pieces.is_empty() {
        return Vec::new();
    }
    match Board::of_code(names.pack.board).unwrap_or_default() {
        Board::Areas => areas(names, &pieces),
        board => drawing(names, board, &pieces),
    }
}

/// Each area with those who are in it and with what it leads to.
fn areas(names: &Names<'_>, pieces: &[(ObjId, &Object, Place)]) -> Vec<String> {
    let links = |object: &Object| names.pack.kinds.get(object.kind.index()).and_then(|kind| kind.links);
    let mut out = Vec::new();
    for (id, object, place) in pieces {
        let Some(field) = links(object) else { continue };
        let here = pieces.iter().filter(|(other, o, p)| p == place && other != id && links(o).is_none());
        let here: Vec<String> = here.map(|(other, ..)| names.object(*other)).collect();
        let printed =
            || object.card.and_then(|card| names.pack.cards.get(card.index())?.values.iter().find(|(f, _)| *f == field).map(|(_, v)| v));
        let next = match object.state.iter().find(|(f, _)| *f == field).map(|(_, v)| v).or_else(printed) {
            Some(Value::List(next)) => next.iter().map(|area| names.value(area)).collect::<Vec<_>>().join(", "),
            _ => String::new(),
        };
        let inside = if here.is_empty() { "nobody".to_owned() } else { here.join(", ") };
        let next = if next.is_empty() { String::new() } else { format!("; leads to {next}") };
        out.push(format!("{}: {inside}{next}", names.object(*id)));
    }
    out
}

/// A board with a dot for each space, or a table drawn to scale; letters for the pieces, with an arrow where one faces somewhere, and who they are.
fn drawing(names: &Names<'_>, board: Board, pieces: &[(ObjId, &Object, Place)]) -> Vec<String> {
    let corner = |pick: fn(i32, i32) -> i32| {
        let all = pieces.iter().map(|(.., p)| *p);
        all.reduce(|a, b| Place { x: pick(a.x, b.x), y: pick(a.y, b.y) }).unwrap_or(Place { x: 0, y: 0 })
    };
    let (low, high) = (corner(i32::min), corner(i32::max));
    let (wide, deep) = (i64::from(high.x) - i64::from(low.x), i64::from(high.y) - i64::from(low.y));
    // Characters for a base length; on a table without spaces as many as there is room for.
    let spaces = board.has_spaces() && wide <= 1000 * (MOST_COLUMNS / 4) && deep <= 1000 * (MOST_ROWS / 2);
    let smaller = (wide / (MOST_COLUMNS / 2)).max(deep / MOST_ROWS).max(1);
    let spot = |p: Place| {
        let (x, y) = (i64::from(p.x) - i64::from(low.x), i64::from(high.y) - i64::from(p.y));
        if !spaces {
            return (x * 2 / smaller, y / smaller);
        }
        // Hexes of odd columns lie half a hex, one row, higher; all others one row lower makes room for them.
        let odd = board == Board::Hexes && p.x.rem_euclid(2000) == 1000;
        (x * 4 / 1000, y * 2 / 1000 + i64::from(board == Board::Hexes && !odd))
    };
    let mut canvas: BTreeMap<(i64, i64), String> = BTreeMap::new();
    if spaces {
        for column in low.x.div_euclid(1000)..=(high.x + 999).div_euclid(1000) {
            for row in low.y.div_euclid(1000)..=(high.y + 999).div_euclid(1000) {
                let (x, y) = spot(Place { x: column * 1000, y: row * 1000 });
                canvas.insert((y, x), ".".to_owned());
            }
        }
    }
    let mut legend = Vec::new();
    for (id, object, place) in pieces {
        let (x, y) = spot(*place);
        // On a board what lies between two spaces is a wall.
        let between = (place.x.rem_euclid(1000) != 0, place.y.rem_euclid(1000) != 0);
        let sign = match between {
            (true, _) if spaces && board != Board::Hexes => "|".to_owned(),
            (false, true) if spaces => "-".to_owned(),
            (true, true) if spaces => "\\".to_owned(),
            (true, false) if spaces => "/".to_owned(),
            _ => {
                let letter = letter(legend.len());
                let whose = if names.world.players.contains(&object.controller) {
                    format!(" of {}", names.player(object.controller))
                } else {
                    String::new()
                };
                legend.push(format!("{letter} {}{whose}", names.object(*id)));
                format!("{letter}{}", arrow(names, object))
            }
        };
        let cell = canvas.entry((y, x)).or_default();
        *cell = if cell == "." { sign } else { format!("{cell}{sign}") };
    }
    let mut lines: Vec<String> = Vec::new();
    for ((row, column), sign) in canvas {
        while lines.len() <= row.max(0) as usize {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let gap = (column.max(0) as usize).saturating_sub(line.chars().count());
            line.push_str(&" ".repeat(gap));
            line.push_str(&sign);
        }
    }
    lines.into_iter().chain(legend).collect()
}

/// A to Z, then a to z, then the number.
fn letter(n: usize) -> String {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.map(String::from).nth(n).unwrap_or_else(|| format!("{}", n + 1))
}

fn arrow(names: &Names<'_>, object: &Object) -> &'static str {
    const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];
    let field = names.pack.kinds.get(object.kind.index()).and_then(|kind| kind.facing);
    match object.state.iter().find(|(f, _)| Some(*f) == field) {
        Some((_, Value::Int(degrees))) => ARROWS.get(((degrees.rem_euclid(360) * 2 + 45) / 90 % 8) as usize).copied().unwrap_or(""),
        _ => "",
    }
}
