//! Short cuts: what a run of instructions comes to when it is all whole numbers, dice, fields that take only a look, and jumps, in one step. They are made when a pack is loaded, stand
//! beside the code, one for each instruction, and change nothing: wherever a short cut does not fit (a value is no number, a roll must be asked for, the
//! steps run out), the plain instruction is run instead.

mod fold;
mod fuse;
mod run;

use crate::ids::*;

pub(crate) use crate::flow::Test;
pub(crate) use fuse::fuse;
pub(crate) use run::{Room, fetch, number, run};

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Reg(Reg),
    Int(i32),
    /// A value of the running event.
    Event(u16),
}

/// The faces of a die that a test holds for: a comparison with a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faces {
    is: bool,
    /// The others of those that follow.
    not: bool,
    /// Faces that are at least this much greater than the number.
    by: i8,
    pub with: From,
}

impl Faces {
    pub fn new(test: Test, die_first: bool, with: From) -> Faces {
        let (is, not, by) = match (test, die_first) {
            (Test::Eq, _) => (true, false, 0),
            (Test::Lt, true) => (false, true, 0),
            (Test::Le, true) => (false, true, 1),
            (Test::Lt, false) => (false, false, 1),
            (Test::Le, false) => (false, false, 0),
        };
        Faces { is, not, by, with }
    }

    /// The comparison it was made of, and whether the die stands first in it.
    pub fn comparison(self) -> (Test, bool) {
        match (self.is, self.not, self.by) {
            (true, ..) => (Test::Eq, true),
            (_, true, 0) => (Test::Lt, true),
            (_, true, _) => (Test::Le, true),
            (_, false, 0) => (Test::Le, false),
            (_, false, _) => (Test::Lt, false),
        }
    }

    #[inline(always)]
    pub fn meets(self, face: i64, with: i64) -> bool {
        if self.is { face == with } else { (face.wrapping_sub(i64::from(self.by)) >= with) != self.not }
    }

    /// The least and the greatest of them.
    pub fn range(self, with: i64) -> (i64, i64) {
        let least = with.saturating_add(i64::from(self.by));
        match self {
            Faces { is: true, .. } => (with, with),
            Faces { not: true, .. } => (i64::MIN, least.saturating_sub(1)),
            _ => (least, i64::MAX),
        }
    }
}

/// Of a size that is a power of two, and told apart by one byte: finding the next one is what the machine does most.
#[derive(Clone, Copy, Debug)]
#[repr(u8, align(32))]
pub(crate) enum Quick {
    /// No short cut.
    Plain,
    Put {
        dst: Reg,
        from: From,
    },
    Const {
        dst: Reg,
        k: ConstId,
    },
    Bool {
        dst: Reg,
        v: bool,
    },
    None {
        dst: Reg,
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
    /// A field that takes only a look.
    Get {
        dst: Reg,
        obj: Reg,
        field: FieldId,
        raw: bool,
    },
    /// The same of something that is fetched from the event. It is put in its register too: whether a look is enough must leave no trace.
    GetOf {
        dst: Reg,
        of: u16,
        obj: Reg,
        field: FieldId,
        raw: bool,
    },
    /// Goes on at `to` if the condition is not `unless`.
    If {
        cond: Reg,
        unless: bool,
        to: Pc,
    },
    IfNone {
        src: Reg,
        to: Pc,
    },
    Add {
        dst: Reg,
        a: From,
        b: From,
        steps: u8,
    },
    Sub {
        dst: Reg,
        a: From,
        b: From,
        steps: u8,
    },
    Mul {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// The greater of two numbers, or the lesser.
    Extreme {
        dst: Reg,
        a: From,
        b: From,
        greater: bool,
        steps: u8,
    },
    /// `value of the event += by`, and on to `then`
    Bump {
        field: u16,
        by: From,
        then: Pc,
        steps: u8,
    },
    PutEvent {
        field: u16,
        from: From,
        then: Pc,
        steps: u8,
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
        faces: Faces,
        to: Pc,
        steps: u8,
    },
    /// Rolls one die.
    Die {
        dst: Reg,
        sides: u32,
        steps: u8,
    },
    /// How many numbers of a list the test holds for.
    Tally {
        dst: Reg,
        list: Reg,
        faces: Faces,
    },
    /// Rolls a handful and counts the dice for which the test holds. `skip` instructions between the roll and the count fetch numbers or values of the event.
    Count {
        dst: Reg,
        sides: u32,
        dice: From,
        faces: Faces,
        lead: u8,
        skip: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faces_of_every_comparison() {
        let holds = |test: Test, a: i64, b: i64| match test {
            Test::Lt => a < b,
            Test::Le => a <= b,
            Test::Eq => a == b,
        };
        for test in [Test::Lt, Test::Le, Test::Eq] {
            for die_first in [true, false] {
                let faces = Faces::new(test, die_first, From::Int(0));
                for with in (-1..9).chain([i64::MIN, i64::MAX]) {
                    let (least, most) = faces.range(with);
                    for face in 1..=6 {
                        let wanted = if die_first { holds(test, face, with) } else { holds(test, with, face) };
                        assert_eq!(faces.meets(face, with), wanted, "{test:?} {die_first} {face} {with}");
                        assert_eq!(least <= face && face <= most, wanted, "{test:?} {die_first} {face} {with}");
                    }
                }
            }
        }
    }
}
