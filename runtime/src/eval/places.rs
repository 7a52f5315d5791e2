//! Binds the table's functions to values: who stands where, on how wide a base.

use super::{Scratch, View};
use crate::bytecode::Fun;
use crate::fault::{Res, wrong};
use crate::table::{self, Disc};
use crate::value::{Place, Value};

impl View<'_> {
    /// Something without a place is nowhere: it is infinitely far, shows nothing, and no way leads to or from it.
    pub(super) fn on_table(&self, s: &mut Scratch, fun: Fun, args: &[Value]) -> Res<Value> {
        let at = |i: usize| args.get(i).and_then(|v| self.place(v));
        Ok(match fun {
            Fun::WayDistance => match (at(0), at(1), at(2)) {
                (Some(thing), Some(from), Some(to)) => Value::Int(table::way_distance(thing, from, to)),
                _ => Value::Int(i64::MAX),
            },
            Fun::WayInside => match (self.disc(s, args.first())?, at(1), at(2)) {
                (Some(disc), Some(from), Some(to)) => Value::Int(table::way_inside(disc, from, to)),
                _ => Value::Int(0),
            },
            Fun::StopBefore => match (at(0), at(1)) {
                (Some(from), Some(to)) => Value::Place(table::stop_before(from, to, &self.discs(s, args.get(2..).unwrap_or(&[]), &[])?)),
                _ => Value::None,
            },
            Fun::StopAtEdge => match (at(0), at(1), corners(at(2), at(3))) {
                (Some(from), Some(to), Some((a, b))) => Value::Place(table::stop_at_edge(from, to, a, b)),
                _ => Value::None,
            },
            Fun::Inside => match (self.disc(s, args.first())?, corners(at(1), at(2))) {
                (Some(disc), Some((a, b))) => Value::Bool(table::inside(disc, a, b)),
                _ => Value::Bool(false),
            },
            Fun::Shown => match (at(0), self.disc(s, args.get(1))?) {
                (Some(from), Some(target)) => {
                    let (ends, lists) = args.split_at(2);
                    Value::Int(table::shown(from, target, &self.discs(s, lists, ends)?))
                }
                _ => Value::Int(0),
            },
            other => return wrong(format!("{other:?} is no function of the table")),
        })
    }

    fn disc(&self, s: &mut Scratch, v: Option<&Value>) -> Res<Option<Disc>> {
        let Some((v, at)) = v.and_then(|v| Some((v, self.place(v)?))) else { return Ok(None) };
        Ok(Some(Disc { at, base: self.base_of(s, v)? }))
    }

    /// The bases of the pieces in some lists, without those that stand nowhere and without `not`.
    fn discs(&self, s: &mut Scratch, lists: &[Value], not: &[Value]) -> Res<Vec<Disc>> {
        let mut found = Vec::new();
        for list in lists {
            for item in self.items(list)?.iter().filter(|item| !not.contains(item)) {
                found.extend(self.disc(s, Some(item))?);
            }
        }
        Ok(found)
    }
}

fn corners(a: Option<Place>, b: Option<Place>) -> Option<(Place, Place)> {
    Some((a?, b?))
}
