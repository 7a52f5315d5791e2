//! The table as a picture: what stands where, on a table to scale, on a board with its spaces, and in areas with what they lead to.

use std::fmt::Write as _;

use banneret_runtime::ids::{FieldId, ObjId};
use banneret_runtime::table::Board;
use banneret_runtime::value::{Place, Value};
use banneret_runtime::world::{NOBODY, Object};

use super::names::Names;

/// How wide and high the table may be drawn, and how far apart the lines of the list beside it are.
const SIDE: f64 = 640.0;
const LINE: f64 = 20.0;
const LIST: f64 = 340.0;
const EDGE: f64 = 32.0;
/// A base where the rules give none, as a part of a base length.
const PLAIN_BASE: f64 = 600.0;

const OF_PLAYERS: [&str; 8] = ["#2f6fb0", "#b0432f", "#3f8f4f", "#8a5fb0", "#b08a2f", "#2fa0a0", "#a02f6f", "#606060"];
const OF_NOBODY: &str = "#b9b2a3";

struct Piece<'a> {
    id: ObjId,
    object: &'a Object,
    at: Place,
}

/// None where nobody has a place.
pub fn svg(names: &Names<'_>, title: &str) -> Option<String> {
    let placed = names.world.in_play().filter(|(_, o)| o.holder == NOBODY);
    let pieces: Vec<Piece<'_>> = placed.filter_map(|(id, object)| Some(Piece { id, object, at: object.place? })).collect();
    if pieces.is_empty() {
        return None;
    }
    let board = Board::of_code(names.pack.board).unwrap_or_default();
    let mut sheet = Sheet::of(names, board, &pieces);
    if board.has_spaces() {
        sheet.spaces();
    }
    // What nobody leads lies beneath.
    let is_led = |piece: &&Piece<'_>| names.world.players.contains(&piece.object.controller);
    for piece in pieces.iter().filter(|piece| !is_led(piece)) {
        sheet.piece(names, piece);
    }
    for piece in pieces.iter().filter(is_led) {
        sheet.piece(names, piece);
    }
    Some(sheet.finished(title))
}

struct Sheet {
    board: Board,
    low: Place,
    high: Place,
    /// For a thousandth of a base length.
    scale: f64,
    drawn: String,
    list: Vec<(String, &'static str)>,
}

impl Sheet {
    fn of(names: &Names<'_>, board: Board, pieces: &[Piece<'_>]) -> Sheet {
        let mut corners = pieces.iter().flat_map(|piece| {
            let half = (base(names, piece) / 2.0) as i32;
            let Place { x, y } = piece.at;
            [Place { x: x.saturating_sub(half), y: y.saturating_sub(half) }, Place { x: x.saturating_add(half), y: y.saturating_add(half) }]
        });
        let first = corners.next().unwrap_or(Place { x: 0, y: 0 });
        let (low, high) = corners.fold((first, first), |(low, high), p| {
            (Place { x: low.x.min(p.x), y: low.y.min(p.y) }, Place { x: high.x.max(p.x), y: high.y.max(p.y) })
        });
        let longest = f64::from(high.x.saturating_sub(low.x).max(high.y.saturating_sub(low.y)).max(1000));
        Sheet { board, low, high, scale: SIDE / longest, drawn: String::new(), list: Vec::new() }
    }

    /// Up is where the second number grows, as on the tables of the rules.
    fn spot(&self, at: Place) -> (f64, f64) {
        let across = f64::from(at.x) - f64::from(self.low.x);
        let mut up = f64::from(self.high.y) - f64::from(at.y);
        if self.board == Board::Hexes && at.x.rem_euclid(2000) == 1000 {
            up -= 500.0;
        }
        (EDGE + across * self.scale, EDGE + up * self.scale)
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing into a text cannot fail.
        let _ = writeln!(self.drawn, "{text}");
    }

    /// The spaces around those that something stands on.
    fn spaces(&mut self) {
        let (wide, deep) = (self.high.x.saturating_sub(self.low.x) / 1000, self.high.y.saturating_sub(self.low.y) / 1000);
        if wide > 60 || deep > 60 {
            return;
        }
        let half = 500.0 * self.scale;
        for column in self.low.x.div_euclid(1000)..=self.high.x.div_euclid(1000) {
            for row in self.low.y.div_euclid(1000)..=self.high.y.div_euclid(1000) {
                let (x, y) = self.spot(Place { x: column * 1000, y: row * 1000 });
                match self.board {
                    Board::Hexes => {
                        let corner = |dx: f64, dy: f64| format!("{:.1},{:.1}", x + dx * half * 2.0, y + dy * half * 2.0);
                        let points = [(-0.67, 0.0), (-0.33, -0.5), (0.33, -0.5), (0.67, 0.0), (0.33, 0.5), (-0.33, 0.5)];
                        let points: Vec<String> = points.into_iter().map(|(dx, dy)| corner(dx, dy)).collect();
                        self.add(format_args!("<polygon points=\"{}\" fill=\"none\" stroke=\"#d8d2c4\"/>", points.join(" ")));
                    }
                    _ => {
                        let side = half * 2.0;
                        let (left, top) = (x - half, y - half);
                        self.add(format_args!(
                            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"none\" stroke=\"#d8d2c4\"/>"
                        ));
                    }
                }
            }
        }
    }

    fn piece(&mut self, names: &Names<'_>, piece: &Piece<'_>) {
        let seat = names.world.players.iter().position(|player| *player == piece.object.controller);
        let colour = seat.and_then(|seat| OF_PLAYERS.get(seat).copied()).unwrap_or(OF_NOBODY);
        let number = self.list.len() + 1;
        let (x, y) = self.spot(piece.at);
        let corners = corners(names, piece);
        if corners.len() > 1 {
            let points: Vec<String> = corners.iter().map(|corner| self.spot(*corner)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            self.add(format_args!("<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.5\" stroke=\"{colour}\"/>", points.join(" ")));
        } else {
            let radius = (base(names, piece) / 2.0 * self.scale).max(4.0);
            let strength = if seat.is_some() { "1" } else { "0.4" };
            self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"{strength}\"/>"));
        }
        if let Some(Value::Int(degrees)) =
            printed(names, piece, names.pack.kinds.get(piece.object.kind.index()).and_then(|kind| kind.facing))
        {
            let length = 14.0_f64.max(base(names, piece) * 0.7 * self.scale);
            self.add(format_args!(
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"3\" transform=\"rotate({degrees} {x:.1} {y:.1})\"/>",
                y - length
            ));
        }
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{}\">{number}</text>",
            y + 4.0,
            if seat.is_some() { "#ffffff" } else { "#333333" }
        ));
        let of = seat.map_or(String::new(), |_| format!(" of {}", names.player(piece.object.controller)));
        let leads = match self.board {
            Board::Areas => links(names, piece),
            _ => String::new(),
        };
        self.list.push((format!("{number} {}{of}{leads}", names.object(piece.id)), colour));
    }

    fn finished(self, title: &str) -> String {
        let across = f64::from(self.high.x.saturating_sub(self.low.x)) * self.scale;
        let up = f64::from(self.high.y.saturating_sub(self.low.y)) * self.scale;
        let width = across + 3.0 * EDGE + LIST;
        let height = (up + 2.0 * EDGE).max(LINE * (self.list.len() as f64 + 3.0));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{}",
            self.drawn
        );
        let left = across + 2.5 * EDGE;
        let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{LINE:.1}\" font-size=\"15\" font-weight=\"bold\">{}</text>", escaped(title));
        for (i, (text, colour)) in self.list.iter().enumerate() {
            let y = LINE * (i as f64 + 2.5);
            let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>", escaped(text));
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A field of a thing: its state, or what stands on its card.
fn printed<'a>(names: &'a Names<'_>, piece: &'a Piece<'_>, field: Option<FieldId>) -> Option<&'a Value> {
    let field = field?;
    let state = piece.object.state.iter().find(|(has, _)| *has == field).map(|(_, value)| value);
    state.or_else(|| names.pack.cards.get(piece.object.card?.index())?.values.iter().find(|(has, _)| *has == field).map(|(_, value)| value))
}

/// The diameter, in thousandths of a base length.
fn base(names: &Names<'_>, piece: &Piece<'_>) -> f64 {
    let field = names.pack.kinds.get(piece.object.kind.index()).and_then(|kind| kind.base);
    match printed(names, piece, field) {
        Some(Value::Int(base)) if *base > 0 => *base as f64,
        _ => PLAIN_BASE,
    }
}

fn corners(names: &Names<'_>, piece: &Piece<'_>) -> Vec<Place> {
    let field = names.pack.kinds.get(piece.object.kind.index()).and_then(|kind| kind.corners);
    match printed(names, piece, field) {
        Some(Value::List(corners)) => {
            // Corners are given around the place of the piece, and turned with it, clockwise.
            let facing = printed(names, piece, names.pack.kinds.get(piece.object.kind.index()).and_then(|kind| kind.facing));
            let (sin, cos) = match facing {
                Some(Value::Int(degrees)) => (*degrees as f64).to_radians().sin_cos(),
                _ => (0.0, 1.0),
            };
            let place = |value: &Value| match value {
                Value::Place(corner) => {
                    let (x, y) = (f64::from(corner.x), f64::from(corner.y));
                    let (dx, dy) = (x * cos + y * sin, y * cos - x * sin);
                    Some(Place { x: piece.at.x.saturating_add(dx as i32), y: piece.at.y.saturating_add(dy as i32) })
                }
                _ => None,
            };
            corners.iter().filter_map(place).collect()
        }
        _ => Vec::new(),
    }
}

fn links(names: &Names<'_>, piece: &Piece<'_>) -> String {
    let field = names.pack.kinds.get(piece.object.kind.index()).and_then(|kind| kind.links);
    match printed(names, piece, field) {
        Some(Value::List(next)) if !next.is_empty() => {
            let next: Vec<String> = next.iter().map(|area| names.value(area)).collect();
            format!(", leads to {}", next.join(", "))
        }
        _ => String::new(),
    }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
