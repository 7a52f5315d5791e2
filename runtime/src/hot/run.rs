//! Running a program: numbers in, numbers out. Nothing of the world is touched before it is known that all went well.

use super::op::{EVENT, Op, Ops, SLOTS, Slot};
use super::rounds::{self, Cube};
use crate::hosts::seeded::Generator;
use crate::question::Rolls;

/// What may be spent: steps and events until the next roll, which brings new ones, and dice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    pub steps: u64,
    pub events: u64,
    pub rolls: u64,
    /// What there is of both after a roll.
    pub full: (u64, u64),
}

/// More steps than this are left to the machine: they are counted together with the events.
const MOST: u64 = EVENT / 2;

impl Purse {
    #[inline(always)]
    fn covers(&self, spent: u64) -> bool {
        let steps = spent % EVENT;
        steps <= self.steps && steps <= MOST && spent / EVENT <= self.events
    }
}

/// True: it came to its end. Otherwise the event takes a course that the program does not know, or something was used up; then nothing of this counts.
pub(super) fn run(program: &Ops, slots: &mut [i64; SLOTS], dice: &mut Generator, purse: &mut Purse, changed: &mut bool) -> bool {
    let mut pc = 0usize;
    let mut spent = 0u64;
    // What changes all the time is kept close.
    let mut cup = dice.clone();
    let mut left = *purse;
    let mut stirred = false;
    macro_rules! at {
        ($slot:expr) => {
            slots[$slot as usize]
        };
    }
    macro_rules! put {
        ($dst:expr, $value:expr) => {
            match $value {
                Some(n) => slots[$dst as usize] = n,
                None => return false,
            }
        };
    }
    // Whoever goes back must be able to pay, or it would never end.
    macro_rules! go {
        ($to:expr) => {{
            let to = $to as usize;
            if to < pc && !left.covers(spent) {
                return false;
            }
            pc = to;
        }};
    }
    let ops = &program.ops[..];
    while let (Some(op), Some(cost)) = (ops.get(pc), program.costs.get(pc)) {
        spent += cost;
        pc += 1;
        match *op {
            Op::Put { dst, src } => at!(dst) = at!(src),
            Op::Add { dst, a, b } => put!(dst, at!(a).checked_add(at!(b))),
            Op::Sub { dst, a, b } => put!(dst, at!(a).checked_sub(at!(b))),
            Op::Mul { dst, a, b } => put!(dst, at!(a).checked_mul(at!(b))),
            Op::Min { dst, a, b } => at!(dst) = at!(a).min(at!(b)),
            Op::Max { dst, a, b } => at!(dst) = at!(a).max(at!(b)),
            Op::Divide { dst, a, b, how } => put!(dst, how.of(at!(a), at!(b))),
            Op::Not { dst, a } => at!(dst) = 1 - at!(a),
            Op::Compare { dst, test, a, b } => at!(dst) = i64::from(test.holds(at!(a), at!(b))),
            Op::Branch { test, a, b, to } => {
                if !test.holds(at!(a), at!(b)) {
                    go!(to);
                }
            }
            Op::If { cond, unless, to } => {
                if (at!(cond) != 0) != unless {
                    go!(to);
                }
            }
            Op::Jump { to } => go!(to),
            Op::Next { i, by, n, top, out } => {
                put!(i, at!(i).checked_add(at!(by)));
                if !left.covers(spent) {
                    return false;
                }
                pc = if at!(i) < at!(n) { top } else { out } as usize;
            }
            Op::Die { dst, sides } => {
                if !left.covers(spent) || left.rolls == 0 {
                    return false;
                }
                spent = 0;
                left.rolls -= 1;
                (left.steps, left.events) = left.full;
                at!(dst) = cup.die(sides as u32);
            }
            Op::Sum { dst, count, sides, plus } => {
                if !left.covers(spent) || left.rolls < count as u64 {
                    return false;
                }
                spent = 0;
                left.rolls -= count as u64;
                (left.steps, left.events) = left.full;
                let faces: i64 = (0..count).map(|_| cup.die(sides as u32)).sum();
                put!(dst, faces.checked_add(at!(plus)));
            }
            Op::Roll { sides, reach, with, to } => {
                if !left.covers(spent) || left.rolls == 0 {
                    return false;
                }
                spent = 0;
                left.rolls -= 1;
                (left.steps, left.events) = left.full;
                if !reach.met(cup.die(sides as u32), at!(with)) {
                    pc = to as usize;
                }
            }
            Op::Cubes { count, below, with: [first, second, third], to } => {
                if !left.covers(spent) {
                    return false;
                }
                spent = 0;
                (left.steps, left.events) = left.full;
                let here = pc - 1;
                // Dice follow dice, round after round of a loop. Going on right here, the processor can guess how they fall.
                loop {
                    if left.rolls < count as u64 {
                        return false;
                    }
                    let mut reach = |with: Slot, below: bool| {
                        left.rolls -= 1;
                        (cup.die(6) >= at!(with)) != below
                    };
                    let reached = reach(first, below & 1 != 0)
                        && (count < 2 || reach(second, below & 2 != 0))
                        && (count < 3 || reach(third, below & 4 != 0));
                    pc = to as usize;
                    if reached {
                        pc = here + count as usize;
                        // `total += 1`
                        let Some(Op::Add { dst, a, b }) = ops.get(pc) else { break };
                        put!(*dst, at!(*a).checked_add(at!(*b)));
                        pc += 1;
                    }
                    let Some(Op::Next { i, by, n, top, out }) = ops.get(pc) else { break };
                    put!(*i, at!(*i).checked_add(at!(*by)));
                    pc = if at!(*i) < at!(*n) { *top } else { *out } as usize;
                    if pc != here {
                        break;
                    }
                }
            }
            Op::Rounds { count, below, with, total, more, i, by, n, out } => {
                let rounds = rounds::left(at!(i), at!(by), at!(n));
                let most = rounds.and_then(|rounds| rounds.checked_mul(count as u64));
                let (Some(rounds), Some(most)) = (rounds, most.filter(|most| *most <= left.rolls && left.covers(spent))) else {
                    return false;
                };
                let cubes = [0, 1, 2].map(|i| Cube::new(at!(with[i]), below & 1 << i != 0));
                let (reached, rolled) = rounds::roll(&mut cup, count, cubes, rounds);
                spent = 0;
                left.rolls -= rolled.min(most);
                (left.steps, left.events) = left.full;
                put!(total, at!(more).checked_mul(reached).and_then(|sum| at!(total).checked_add(sum)));
                put!(i, at!(by).checked_mul(rounds as i64).and_then(|sum| at!(i).checked_add(sum)));
                pc = out as usize;
            }
            Op::Count { dst, sides, many, reach, with } => {
                let dice = at!(many);
                if dice == 0 {
                    at!(dst) = 0;
                    continue;
                }
                // Fewer than none, or more than a handful: the machine knows what to say.
                if !(1..=10_000).contains(&dice) || !left.covers(spent) || left.rolls < dice as u64 {
                    return false;
                }
                spent = 0;
                left.rolls -= dice as u64;
                (left.steps, left.events) = left.full;
                at!(dst) = i64::from(Rolls::count(&mut cup, dice as u32, sides as u32, reach.range(at!(with))));
            }
            Op::Store { cell, src, low, high } => {
                let value = at!(src).max(at!(low)).min(at!(high));
                stirred |= value != at!(cell);
                at!(cell) = value;
            }
            Op::Bump { cell, by, low, high } => {
                let Some(sum) = at!(cell).checked_add(at!(by)) else { return false };
                let value = sum.max(at!(low)).min(at!(high));
                stirred |= value != at!(cell);
                at!(cell) = value;
            }
            Op::Must { cond } => {
                if at!(cond) == 0 {
                    return false;
                }
            }
            Op::End => {
                if !left.covers(spent) {
                    return false;
                }
                left.steps -= spent % EVENT;
                left.events -= spent / EVENT;
                (*dice, *purse, *changed) = (cup, left, stirred);
                return true;
            }
        }
    }
    false
}
