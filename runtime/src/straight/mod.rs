//! Straight terms. Choices ask the same term of dozens of candidates, each of which asks it of dozens of points: what is said of one of them is run so often
//! that it is worth reading well. A term that was asked a few times is written out in a straight line: the terms it calls stand in their place, values are
//! read where they are instead of being handed on, and what is the same for all elements of a list is worked out for the first of them only.
//!
//! Nothing but the time changes. The same steps are spent, and where anything goes wrong (a fault, a fact that nobody told, steps that run out) everything
//! is taken back and the term is asked once more as it is written, which says best what is wrong.

mod heads;
mod inline;
mod ops;
mod run;
mod webs;

pub(crate) use heads::{Given, Predicate, Predicates, predicates};
pub(crate) use run::Straightly;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::bytecode::{EachOp, Instr};
use crate::ids::*;
use crate::pack::Pack;

/// An operation over registers of which each holds one value for good, until the term is run again.
#[derive(Clone, Debug)]
enum Op {
    /// Steps of what follows, up to the next place where ways part or meet.
    Spend(u32),
    Move {
        dst: Reg,
        src: Reg,
    },
    Int {
        dst: Reg,
        v: i32,
    },
    Jump(u32),
    If {
        cond: Reg,
        is: bool,
        to: u32,
    },
    IfNone {
        src: Reg,
        to: u32,
    },
    /// A comparison that nobody but the jump behind it reads.
    IfCompare {
        test: Test,
        a: Reg,
        b: Reg,
        is: bool,
        to: u32,
    },
    Not {
        dst: Reg,
        a: Reg,
    },
    Compare {
        dst: Reg,
        test: Test,
        a: Reg,
        b: Reg,
    },
    Count {
        dst: Reg,
        how: Count,
        a: Reg,
        b: Reg,
    },
    Get {
        dst: Reg,
        obj: Reg,
        field: FieldId,
    },
    Distance {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    MakePlace {
        dst: Reg,
        x: Reg,
        y: Reg,
    },
    PlaceOf {
        dst: Reg,
        of: Reg,
    },
    Toward {
        dst: Reg,
        from: Reg,
        to: Reg,
        by: Reg,
    },
    Each {
        dst: Reg,
        op: EachOp,
        list: Reg,
        frag: FragId,
        caps: Box<[Reg]>,
    },
    /// What follows up to `to` is the same for all elements of a list. The number is its own.
    Once {
        number: u16,
        to: u32,
    },
    /// Here it ends.
    Known {
        number: u16,
    },
    /// Everything else.
    Plain(Instr),
    Return(Reg),
}

use crate::flow::Test;

#[derive(Clone, Copy, Debug)]
enum Count {
    Add,
    Sub,
    Mul,
    DivDown,
}

#[derive(Debug)]
pub(crate) struct Straight {
    ops: Vec<Op>,
    pub params: u16,
    registers: u16,
    /// Terms inside terms that are written out in it.
    depth: u32,
    /// How many parts of it are the same for all elements.
    onces: u16,
}

/// The straight forms of a fragment, made when it was asked often enough.
#[derive(Debug, Default)]
pub(crate) struct Lazily {
    asked: AtomicU32,
    term: OnceLock<Option<Box<Straight>>>,
    of_each: OnceLock<Option<Box<Straight>>>,
}

/// Most terms of a pack that is only looked at are asked less often.
const OFTEN: u32 = 4;

impl Lazily {
    /// As a term by itself.
    #[inline]
    pub fn term(&self, pack: &Pack, frag: FragId) -> Option<&Straight> {
        self.made(&self.term, pack, frag, false)
    }

    /// As what is asked of each element of a list, its last parameter.
    #[inline]
    pub fn of_each(&self, pack: &Pack, frag: FragId) -> Option<&Straight> {
        self.made(&self.of_each, pack, frag, true)
    }

    #[inline]
    fn made<'a>(&'a self, form: &'a OnceLock<Option<Box<Straight>>>, pack: &Pack, frag: FragId, of_each: bool) -> Option<&'a Straight> {
        match form.get() {
            Some(made) => made.as_deref(),
            None if self.asked.fetch_add(1, Ordering::Relaxed) < OFTEN => None,
            None => form.get_or_init(|| ops::straight(pack, frag, of_each).map(Box::new)).as_deref(),
        }
    }
}
