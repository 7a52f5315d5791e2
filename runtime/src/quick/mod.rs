//! Short cuts: what a run of instructions comes to when it is all whole numbers, dice and jumps, in one step. They are made when a pack is loaded, stand
//! beside the code, one for each instruction, and change nothing: wherever a short cut does not fit (a value is no number, a roll must be asked for, the
//! steps run out), the plain instruction is run instead.

mod fuse;
mod run;

use crate::ids::*;

pub(crate) use crate::flow::Test;
pub(crate) use fuse::fuse;
pub(crate) use run::{Room, fetch, meets, number, run};

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Reg(Reg),
    Int(i32),
    /// A value of the running event.
    Event(u16),
}

/// A comparison of a rolled face with something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub test: Test,
    pub die_first: bool,
    pub with: From,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Quick {
    /// No short cut.
    Plain,
    Put {
        dst: Reg,
        from: From,
    },
    Add {
        dst: Reg,
        a: From,
        b: From,
    },
    Sub {
        dst: Reg,
        a: From,
        b: From,
    },
    /// `value of the event += by`
    Bump {
        field: u16,
        by: From,
        steps: u8,
    },
    PutEvent {
        field: u16,
        from: From,
    },
    Jump {
        to: Pc,
        steps: u8,
    },
    /// Goes on behind it if the test holds, else at `to`.
    Branch {
        test: Test,
        a: From,
        b: From,
        to: Pc,
        steps: u8,
    },
    /// The end of a loop that counts: `i += by`, and once more from `top` if `i < n`, else on at `out`.
    Next {
        i: Reg,
        by: i32,
        n: Reg,
        top: Pc,
        out: Pc,
    },
    /// Rolls one die and goes on behind it if the test holds, else at `to`.
    Roll {
        sides: u32,
        face: Face,
        to: Pc,
        steps: u8,
    },
    /// Rolls one die.
    Die {
        dst: Reg,
        sides: u32,
    },
    /// How many numbers of a list the test holds for.
    Tally {
        dst: Reg,
        list: Reg,
        face: Face,
    },
    /// Rolls a handful and counts the dice for which the test holds. `skip` instructions between the roll and the count fetch numbers or values of the event.
    Count {
        dst: Reg,
        sides: u32,
        dice: From,
        face: Face,
        lead: u8,
        skip: u8,
    },
}
