//! What a program of a hot event is made of. Everything is a whole number in one of 256 slots: conditions are 0 or 1, constants have slots that nobody
//! writes.

use crate::flow::Test;

/// Where a number stands. One byte, so that no slot has to be looked for beyond the last.
pub(crate) type Slot = u8;

pub(super) const SLOTS: usize = 256;

/// Where a program goes on.
pub(super) type Place = u16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Faces from this number on.
    AtLeast,
    /// Faces below it.
    Below,
    Is,
}

impl Reach {
    #[inline(always)]
    pub fn met(self, face: i64, with: i64) -> bool {
        match self {
            Reach::AtLeast => face >= with,
            Reach::Below => face < with,
            Reach::Is => face == with,
        }
    }

    /// The least and the greatest face that meets it.
    pub fn range(self, with: i64) -> (i64, i64) {
        match self {
            Reach::AtLeast => (with, i64::MAX),
            Reach::Below => (i64::MIN, with.saturating_sub(1)),
            Reach::Is => (with, with),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divide {
    Down,
    Up,
    Nearest,
    /// What is left over.
    Rest,
}

impl Divide {
    /// None: what the machine knows better.
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        if b <= 0 {
            return None;
        }
        match self {
            Divide::Down => Some(a.div_euclid(b)),
            Divide::Up => Some(-a.checked_neg()?.div_euclid(b)),
            Divide::Nearest => Some(a.checked_mul(2)?.checked_add(b)?.div_euclid(b.checked_mul(2)?)),
            Divide::Rest => Some(a.rem_euclid(b)),
        }
    }
}

/// Of a size that is a power of two: finding the next one is what a program does most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8, align(16))]
pub(super) enum Op {
    Put {
        dst: Slot,
        src: Slot,
    },
    Add {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Sub {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Mul {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Min {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Max {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Divide {
        dst: Slot,
        a: Slot,
        b: Slot,
        how: Divide,
    },
    Not {
        dst: Slot,
        a: Slot,
    },
    Compare {
        dst: Slot,
        test: Test,
        a: Slot,
        b: Slot,
    },
    /// Goes on behind it if the test holds.
    Branch {
        test: Test,
        a: Slot,
        b: Slot,
        to: Place,
    },
    /// Goes on at `to` if the condition is not `unless`.
    If {
        cond: Slot,
        unless: bool,
        to: Place,
    },
    Jump {
        to: Place,
    },
    /// `i += by`, and once more from `top` if `i < n`.
    Next {
        i: Slot,
        by: Slot,
        n: Slot,
        top: Place,
        out: Place,
    },
    Die {
        dst: Slot,
        sides: u16,
    },
    /// Rolls some dice and adds them up, and something more.
    Sum {
        dst: Slot,
        count: u16,
        sides: u16,
        plus: Slot,
    },
    /// Rolls a die and goes on behind it if its face is reached.
    Roll {
        sides: u16,
        reach: Reach,
        with: Slot,
        to: Place,
    },
    /// The same with some of the most common dice, one after the other as long as they reach it: those in `below` faces below a number, the others faces from
    /// it on. To hit, to wound, and not to be saved.
    Cubes {
        count: u8,
        below: u8,
        with: [Slot; MOST_CUBES],
        to: Place,
    },
    /// A whole loop of these that does nothing but count: `total += more` as often as all dice of a round reach theirs, round after round, and on to `out`.
    Rounds {
        count: u8,
        below: u8,
        with: [Slot; MOST_CUBES],
        total: Slot,
        more: Slot,
        i: Slot,
        by: Slot,
        n: Slot,
        out: Place,
    },
    /// Rolls a handful: how many of them reach it.
    Count {
        dst: Slot,
        sides: u16,
        many: Slot,
        reach: Reach,
        with: Slot,
    },
    /// State of the world, kept within its bounds.
    Store {
        cell: Slot,
        src: Slot,
        low: Slot,
        high: Slot,
    },
    /// The same of what it is and something more.
    Bump {
        cell: Slot,
        by: Slot,
        low: Slot,
        high: Slot,
    },
    /// What has to be so, or the event takes another course than the program knows.
    Must {
        cond: Slot,
    },
    End,
}

/// As many dice as are rolled in one operation.
pub(super) const MOST_CUBES: usize = 3;

impl Op {
    /// This and the next one in one, if both are dice that lead to the same place if they fail.
    pub fn with_next(self, next: Op) -> Op {
        match (self, next) {
            (Op::Cubes { count: 1, below, mut with, to }, Op::Cubes { count, below: then_below, with: then, to: same })
                if to == same && (count as usize) < MOST_CUBES =>
            {
                let (first, rest) = with.split_at_mut(1);
                rest.copy_from_slice(&then[..rest.len()]);
                let with = [first[0], rest[0], rest[1]];
                Op::Cubes { count: count + 1, below: below | then_below << 1, with, to }
            }
            _ => self,
        }
    }

    /// A round of dice that stands at `here`, with what follows it in the program, if both are a loop that only counts.
    pub fn looped(self, here: usize, next: &[Op]) -> Op {
        let Op::Cubes { count, below, with, to } = self else { return self };
        let behind = next.get(count as usize - 1..).unwrap_or_default();
        let [Op::Add { dst: total, a, b: more }, Op::Next { i, by, n, top, out }, ..] = *behind else { return self };
        let whole = a == total && top as usize == here && to as usize == here + count as usize + 1;
        // What the dice are compared with, and how long it goes on, is the same in every round.
        let mut fixed = with.into_iter().chain([more, by, n]);
        let alike = total != i && fixed.all(|slot| slot != total && slot != i);
        if whole && alike { Op::Rounds { count, below, with, total, more, i, by, n, out } } else { self }
    }

    pub fn roll(sides: u16, reach: Reach, with: Slot) -> Op {
        match (sides, reach) {
            (6, Reach::AtLeast) => Op::Cubes { count: 1, below: 0, with: [with; MOST_CUBES], to: 0 },
            (6, Reach::Below) => Op::Cubes { count: 1, below: 1, with: [with; MOST_CUBES], to: 0 },
            _ => Op::Roll { sides, reach, with, to: 0 },
        }
    }

    /// Settles where a jump leads: the first or the second of its two ways.
    pub fn lead(&mut self, second: bool, place: Place) {
        match self {
            Op::Branch { to, .. } | Op::If { to, .. } | Op::Jump { to } | Op::Roll { to, .. } | Op::Cubes { to, .. } => *to = place,
            Op::Next { out, .. } if second => *out = place,
            Op::Next { top, .. } => *top = place,
            _ => {}
        }
    }
}

/// An event counts this much, a step one.
pub(super) const EVENT: u64 = 1 << 32;

/// Operations, and beside each the steps of the machine that it stands for and the events that begin with it.
#[derive(Debug, Default)]
pub(super) struct Ops {
    pub ops: Vec<Op>,
    pub costs: Vec<u64>,
}
