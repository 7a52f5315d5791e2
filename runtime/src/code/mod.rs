//! The machine's own code of terms, made of the pack's bytecode when a term is first asked. Choices ask the same term of dozens of candidates, each of which
//! asks it of dozens of points: what is said of one of them is run so often that it is worth translating well.
//!
//! The passes, in their order: short terms are inlined where they are called (`inline`), each value gets a register of its own (`webs`), copies and what
//! was worked out before are left out, comparisons are fused with their jumps, and what is the same for all elements of a list is hoisted out of the
//! loop over them (`translate`). A term that goes back somewhere is translated instruction by instruction.

mod heads;
mod inline;
mod order;
mod run;
mod translate;
mod webs;

pub(crate) use heads::{Given, Predicate, Predicates, predicates};

use std::sync::OnceLock;

use crate::bytecode::{EachOp, Instr};
use crate::ids::*;
use crate::pack::{Fragment, Pack};

/// An operation over registers of which each holds one value for good, until the term is run again.
#[derive(Clone, Debug)]
enum Op {
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
pub(crate) struct Term {
    ops: Vec<Op>,
    /// Where each operation comes from, if it is known.
    sites: Vec<Option<SiteId>>,
    pub params: u16,
    registers: u16,
    /// How many parts of it are the same for all elements.
    onces: u16,
}

/// The code of a fragment, made when it is first asked: most terms of a pack that is only looked at never are.
#[derive(Debug, Default)]
pub(crate) struct Translation {
    term: OnceLock<Box<Term>>,
    of_each: OnceLock<Option<Box<Term>>>,
}

impl Translation {
    /// As a term by itself.
    #[inline]
    pub fn term(&self, pack: &Pack, fragment: &Fragment) -> &Term {
        self.term.get_or_init(|| Box::new(translate::term(pack, fragment)))
    }

    /// As what is asked of each element of a list, its last parameter. None: what it is given does not outlast the first element.
    #[inline]
    pub fn of_each(&self, pack: &Pack, fragment: &Fragment) -> Option<&Term> {
        self.of_each.get_or_init(|| translate::optimized(pack, fragment, true).map(Box::new)).as_deref()
    }
}
