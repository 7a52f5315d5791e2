//! Binds the table's functions to values: who stands where, how wide or with which corners, and on which board.

use super::{Scratch, View};
use crate::bytecode::Fun;
use crate::fault::{Res, wrong};
use crate::num::{self, Rounding};
use crate::table::{self, Board, Shape, Spaces};
use crate::value::{Place, Value};

impl View<'_> {
    /// Something without a place is nowhere: it is infinitely far, shows nothing, and no way leads to or from it.
    ///
    /// After its arguments a function has the number of the board it measures on, unless that is a table measured between centres.
    pub(super) fn on_table(&self, s: &mut Scratch, fun: Fun, args: &[Value]) -> Res<Value> {
        let (args, board) = match (fixed(fun), args.split_last()) {
            (n, Some((Value::Int(code), before))) if args.len() > n => (before, Board::of_code(*code)),
            _ => (args, Some(Board::Centres)),
        };
        let Some(board) = board else { return wrong("there is no such board") };
        let at = |i: usize| args.get(i).and_then(|v| self.place(v));
        let plane = |i: usize| at(i).map(|p| board.plane(p));
        let number = |i: usize| args.get(i).map_or(Ok(0), |v| num::int(&num::round(v, Rounding::Down)?));
        let nowhere = match fun {
            Fun::Distance | Fun::Gap | Fun::WayDistance | Fun::WayLength => Value::Int(i64::MAX),
            Fun::WayInside | Fun::Shown | Fun::Bearing => Value::Int(0),
            Fun::Within | Fun::Touching | Fun::Inside | Fun::InArc => Value::Bool(false),
            Fun::Spots => Value::List([].into()),
            _ => Value::None,
        };
        let Some(first) = at(0) else { return Ok(nowhere) };
        let second = match fun {
            Fun::Spots | Fun::Ahead => first,
            _ => match at(1) {
                Some(second) => second,
                None => return Ok(nowhere),
            },
        };
        let found = match fun {
            Fun::Distance => {
                Value::Int(self.spaces(s, board)?.map_or_else(|| table::distance(first, second), |spaces| spaces.distance(first, second)))
            }
            Fun::Gap | Fun::Touching => {
                let gap = match self.spaces(s, board)? {
                    // Neighbours touch: a piece fills its space.
                    Some(spaces) => spaces.distance(first, second).saturating_sub(table::SPACE).max(0),
                    None => self.gap(s, args)?,
                };
                if fun == Fun::Gap { Value::Int(gap) } else { Value::Bool(gap == 0) }
            }
            Fun::Within => {
                let length = number(2)?;
                let objects = args.iter().take(2).all(|v| matches!(v, Value::Obj(_)));
                Value::Bool(match self.spaces(s, board)? {
                    // From where one is to what is near: a link may lead one way only.
                    Some(spaces) => spaces.distance(second, first) <= length,
                    None if board == Board::Edges && objects => self.gap(s, args)? <= length,
                    None => table::within(first, second, length),
                })
            }
            Fun::Toward => {
                let length = number(2)?;
                let there = self
                    .spaces(s, board)?
                    .map_or_else(|| table::toward(first, second, length), |spaces| spaces.toward(first, second, length));
                Value::Place(there)
            }
            Fun::Ahead => {
                let (degrees, length) = (number(1)?, number(2)?);
                let there = self
                    .spaces(s, board)?
                    .map_or_else(|| table::ahead(first, degrees, length), |spaces| spaces.ahead(first, degrees, length));
                Value::Place(there)
            }
            Fun::Spots => {
                let length = number(1)?;
                let places = match self.spaces(s, board)? {
                    Some(spaces) => spaces.within(first, length),
                    None => self.spots(s, args.first(), length)?,
                };
                s.check_list(places.len())?;
                Value::List(places.into_iter().map(Value::Place).collect())
            }
            Fun::Bearing => Value::Int(table::bearing(board.plane(first), board.plane(second))),
            Fun::InArc => Value::Bool(table::in_arc(board.plane(first), board.plane(second), number(2)?, number(3)?)),
            Fun::WayDistance | Fun::WayInside => match (self.shape(s, args.first(), board)?, plane(2)) {
                (Some(shape), Some(to)) if fun == Fun::WayDistance => Value::Int(table::way_distance(&shape, board.plane(second), to)),
                (Some(shape), Some(to)) => Value::Int(table::way_inside(&shape, board.plane(second), to)),
                _ => nowhere,
            },
            Fun::StopBefore => {
                let shapes = self.shapes(s, args.get(2..).unwrap_or(&[]), args.get(..1).unwrap_or(&[]), board)?;
                Value::Place(match self.spaces(s, board)? {
                    Some(spaces) => spaces.stop(first, second, |a, b| spaces.open(a, b, &shapes)),
                    None => table::stop_before(first, second, self.width(s, args.first())?, &shapes),
                })
            }
            Fun::StopAtEdge => match (at(2), at(3), self.spaces(s, board)?) {
                (Some(a), Some(b), Some(spaces)) => {
                    Value::Place(spaces.stop(first, second, |_, to| table::inside(&Shape::round(to, 0), a, b)))
                }
                (Some(a), Some(b), None) => {
                    let rim = i128::from(self.width(s, args.first())?) / 2;
                    Value::Place(table::stop_at_edge(first, second, a, b, rim))
                }
                _ => nowhere,
            },
            Fun::WayLength => match (at(2), at(3)) {
                (Some(a), Some(b)) => {
                    let shapes = self.shapes(s, args.get(4..).unwrap_or(&[]), args.get(..1).unwrap_or(&[]), board)?;
                    let width = self.width(s, args.first())?;
                    let length = match self.spaces(s, board)? {
                        Some(spaces) => {
                            let inside = |p: Place| board == Board::Areas || table::inside(&Shape::round(p, 0), a, b);
                            spaces.way(first, second, |from, to| inside(to) && spaces.open(from, to, &shapes))
                        }
                        None => table::way_around(first, second, width, &shapes, a, b),
                    };
                    Value::Int(length.unwrap_or(i64::MAX))
                }
                _ => nowhere,
            },
            Fun::Inside => match (self.shape(s, args.first(), Board::Centres)?, at(2)) {
                // A piece fills its space, whatever its base.
                (Some(_), Some(b)) if board.has_spaces() => Value::Bool(table::inside(&Shape::round(first, 0), second, b)),
                (Some(shape), Some(b)) => Value::Bool(table::inside(&shape, second, b)),
                _ => nowhere,
            },
            Fun::Shown => match self.shape(s, args.get(1), board)? {
                Some(target) => {
                    let (ends, lists) = args.split_at(2);
                    Value::Int(table::shown(board.plane(first), &target, &self.shapes(s, lists, ends, board)?))
                }
                None => nowhere,
            },
            other => return wrong(format!("{other:?} is no function of the table")),
        };
        Ok(found)
    }

    fn gap(&self, s: &mut Scratch, args: &[Value]) -> Res<i64> {
        let (a, b) = (self.shape(s, args.first(), Board::Centres)?, self.shape(s, args.get(1), Board::Centres)?);
        Ok(a.zip(b).map_or(i64::MAX, |(a, b)| table::gap(&a, &b)))
    }

    fn spots(&self, s: &mut Scratch, piece: Option<&Value>, length: i64) -> Res<Vec<Place>> {
        let Some(own) = self.shape(s, piece, Board::Centres)? else { return Ok(Vec::new()) };
        let mut others = Vec::new();
        for (id, object) in self.world.in_play() {
            let id = Value::Obj(id);
            if object.place.is_some() && Some(&id) != piece {
                others.extend(self.shape(s, Some(&id), Board::Centres)?);
            }
        }
        Ok(table::spots(&own, length, &others))
    }

    fn width(&self, s: &mut Scratch, v: Option<&Value>) -> Res<i64> {
        v.map_or(Ok(0), |v| self.base_of(s, v))
    }

    /// What a piece looks like on the plane; a place is a point.
    fn shape(&self, s: &mut Scratch, v: Option<&Value>, board: Board) -> Res<Option<Shape>> {
        let Some((v, at)) = v.and_then(|v| Some((v, self.place(v)?))) else { return Ok(None) };
        let mut shape = Shape::round(board.plane(at), self.base_of(s, v)?);
        if let Value::Obj(id) = v
            && let kind = self.pack.kind(self.world.object(*id)?.kind)?
            && let Some(field) = kind.corners
        {
            let degrees = match kind.facing {
                Some(field) => num::int(&self.get_value(s, v, field)?)?,
                None => 0,
            };
            for corner in self.items(&self.get_value(s, v, field)?)?.iter() {
                if let Value::Place(corner) = corner {
                    let corner = table::turned(*corner, degrees);
                    shape.corners.push(table::grown(shape.at, corner.x.into(), corner.y.into()));
                }
            }
        }
        // On a board a piece fills its space, unless it has a shape of its own.
        if board.has_spaces() && shape.base == 0 && shape.corners.is_empty() {
            shape.base = table::SPACE;
        }
        Ok(Some(shape))
    }

    /// The shapes of the pieces in some lists, without those that stand nowhere and without `not`.
    fn shapes(&self, s: &mut Scratch, lists: &[Value], not: &[Value], board: Board) -> Res<Vec<Shape>> {
        let mut found = Vec::new();
        for list in lists {
            for item in self.items(list)?.iter().filter(|item| !not.contains(item)) {
                found.extend(self.shape(s, Some(item), board)?);
            }
        }
        Ok(found)
    }

    /// The spaces of a board; none for a table without spaces.
    fn spaces(&self, s: &mut Scratch, board: Board) -> Res<Option<Spaces>> {
        let mut areas = Vec::new();
        if board == Board::Areas {
            for (id, object) in self.world.in_play() {
                if let (Some(at), Some(field)) = (object.place, self.pack.kind(object.kind)?.links) {
                    let next = self.get_value(s, &Value::Obj(id), field)?;
                    areas.push((at, self.linked(&next)?));
                }
            }
        }
        Ok(board.has_spaces().then_some(Spaces { board, areas }))
    }

    /// Where the areas lie that an area names: itself in play, or the card.
    fn linked(&self, links: &Value) -> Res<Vec<Place>> {
        let named = |link: &Value| match link {
            Value::Card(card) => self.world.in_play().find(|(_, o)| o.card == Some(*card)).and_then(|(_, o)| o.place),
            other => self.place(other),
        };
        Ok(self.items(links)?.iter().filter_map(named).collect())
    }
}

/// How many arguments a function has at least, without the board.
fn fixed(fun: Fun) -> usize {
    match fun {
        Fun::Distance | Fun::Gap | Fun::Touching | Fun::Spots | Fun::Bearing => 2,
        Fun::Within | Fun::Toward | Fun::Ahead | Fun::WayDistance | Fun::WayInside | Fun::Inside => 3,
        Fun::InArc | Fun::StopAtEdge => 4,
        // The lists that follow are no numbers.
        _ => 2,
    }
}
