//! Arithmetic together with what is fetched for it: `left - (6 - 1)` is one short cut, and nobody sees the registers in between.

use super::fuse::Fuser;
use super::{From, Quick};
use crate::bytecode::{Fun, Instr};
use crate::ids::*;

/// So many instructions at the most.
const MOST: usize = 16;

/// What registers would hold by now, had the instructions been run. Until the last of them nothing is written, so that what a register or a value of the
/// event held at first it still holds.
#[derive(Default)]
struct Held {
    all: Vec<(Reg, From)>,
    /// What must turn out to be a number.
    totals: Vec<From>,
}

impl Held {
    fn by(&self, r: Reg) -> From {
        self.all.iter().find(|(held, _)| *held == r).map_or(From::Reg(r), |(_, from)| *from)
    }

    fn set(&mut self, r: Reg, from: From) {
        self.all.retain(|(held, _)| *held != r);
        self.all.push((r, from));
    }

    /// Numbers that are known already when the pack is loaded.
    fn known(&self, a: Reg, b: Reg) -> Option<(i32, i32)> {
        match (self.by(a), self.by(b)) {
            (From::Int(a), From::Int(b)) => Some((a, b)),
            _ => None,
        }
    }
}

impl Fuser<'_> {
    /// `[fetches, sums of known numbers] sum, difference, greater or lesser of two; or put into the event; or compare and jump if not`
    pub(super) fn folded(&self, pc: usize) -> Option<Quick> {
        let mut held = Held::default();
        for at in pc..pc + MOST {
            let instr = self.get(at)?;
            if let Some((dst, number)) = folded(&held, instr) {
                held.set(dst, From::Int(number));
                continue;
            }
            match instr {
                Instr::Int { dst, v } => held.set(dst, From::Int(v)),
                Instr::EvGet { dst, field } => held.set(dst, From::Event(field)),
                Instr::Move { dst, src } => held.set(dst, held.by(src)),
                // One die is its own total.
                Instr::Call1 { dst, fun: Fun::Total, a } => {
                    held.totals.push(held.by(a));
                    held.set(dst, held.by(a));
                }
                _ => return self.ended(pc, at, instr, &held),
            }
        }
        None
    }

    /// The last instruction, at `at`: what comes of it all.
    fn ended(&self, pc: usize, at: usize, instr: Instr, held: &Held) -> Option<Quick> {
        let steps = (at + 1 - pc) as u8;
        let (quick, own, used) = match instr {
            Instr::AddInt { dst, a, v } => {
                let (a, b) = (held.by(a), From::Int(v));
                (Quick::Add { dst, a, b, steps }, Some(dst), [a, b])
            }
            Instr::Add { dst, a, b } => {
                let (a, b) = (held.by(a), held.by(b));
                (Quick::Add { dst, a, b, steps }, Some(dst), [a, b])
            }
            Instr::Sub { dst, a, b } => {
                let (a, b) = (held.by(a), held.by(b));
                (Quick::Sub { dst, a, b, steps }, Some(dst), [a, b])
            }
            Instr::CallN { dst, fun: fun @ (Fun::Max | Fun::Min), start, n: 2 } => {
                let (a, b) = (held.by(start), held.by(start.checked_add(1)?));
                (Quick::Extreme { dst, a, b, greater: fun == Fun::Max, steps }, Some(dst), [a, b])
            }
            Instr::EvSet { field, src } => {
                let (from, (then, jumps)) = (held.by(src), self.landing(at as Pc + 1));
                (Quick::PutEvent { field, from, then, steps: steps + jumps }, None, [from, from])
            }
            _ => return self.branched(pc, at, held),
        };
        let unseen = held.all.iter().all(|(r, _)| Some(*r) == own || self.dead(&[*r], &[at + 1]));
        let totals = held.totals.iter().all(|total| used.contains(total));
        (unseen && totals).then_some(quick)
    }

    fn branched(&self, pc: usize, at: usize, held: &Held) -> Option<Quick> {
        let (test, cond, a, b) = self.compared(at)?;
        let Instr::JumpIfNot { cond: of, to } = self.get(at + 1)? else { return None };
        let next = at + 2;
        let unseen = held.all.iter().map(|(r, _)| *r).chain([cond]).all(|r| self.dead(&[r], &[next, to as usize]));
        // Other things than numbers are compared too, and have no total.
        let fits = of == cond && unseen && held.totals.is_empty();
        fits.then(|| Quick::Branch { test, a: held.by(a), b: held.by(b), to: self.landing(to).0, steps: (next - pc) as u8 })
    }
}

/// The sum or difference of known numbers, and where it goes.
fn folded(held: &Held, instr: Instr) -> Option<(Reg, i32)> {
    match instr {
        Instr::AddInt { dst, a, v } => match held.by(a) {
            From::Int(a) => Some((dst, a.checked_add(v)?)),
            _ => None,
        },
        Instr::Add { dst, a, b } => held.known(a, b).and_then(|(a, b)| Some((dst, a.checked_add(b)?))),
        Instr::Sub { dst, a, b } => held.known(a, b).and_then(|(a, b)| Some((dst, a.checked_sub(b)?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fuse;
    use super::*;
    use crate::flow::fragment_facts;
    use crate::pack::{Fragment, Pack};

    fn first(code: Vec<Instr>) -> Quick {
        let (pack, fragment) = (Pack::default(), Fragment { registers: 10, code, ..Fragment::default() });
        fuse(&pack, &fragment, &fragment_facts(&pack, &fragment)).first().copied().unwrap_or(Quick::Plain)
    }

    fn difference(then: Vec<Instr>) -> Vec<Instr> {
        let mut code = vec![Instr::EvGet { dst: 6, field: 2 }, Instr::Int { dst: 8, v: 6 }, Instr::Int { dst: 9, v: 1 }];
        code.extend([Instr::Sub { dst: 7, a: 8, b: 9 }, Instr::Sub { dst: 4, a: 6, b: 7 }]);
        code.extend(then);
        code
    }

    #[test]
    fn what_is_fetched_and_known_goes_into_the_sum() {
        let found = first(difference(vec![Instr::Return { src: 4 }]));
        assert!(matches!(found, Quick::Sub { dst: 4, a: From::Event(2), b: From::Int(5), steps: 5 }), "{found:?}");
    }

    #[test]
    fn what_is_read_again_is_not_left_out() {
        for read in 6..10 {
            let found = first(difference(vec![Instr::Add { dst: 4, a: 4, b: read }, Instr::Return { src: 4 }]));
            assert!(matches!(found, Quick::Put { dst: 6, from: From::Event(2) }), "{found:?}");
        }
    }

    #[test]
    fn a_total_that_is_not_used_may_still_fail() {
        let total = Instr::Call1 { dst: 5, fun: Fun::Total, a: 6 };
        let used = first(vec![total, Instr::AddInt { dst: 4, a: 5, v: 1 }, Instr::Return { src: 4 }]);
        assert!(matches!(used, Quick::Add { dst: 4, a: From::Reg(6), b: From::Int(1), steps: 2 }), "{used:?}");
        let unused = first(vec![total, Instr::AddInt { dst: 4, a: 3, v: 1 }, Instr::Return { src: 4 }]);
        assert!(matches!(unused, Quick::Put { dst: 5, from: From::Reg(6) }), "{unused:?}");
    }

    #[test]
    fn known_numbers_that_grow_too_large_are_left_alone() {
        let code = vec![Instr::Int { dst: 1, v: i32::MAX }, Instr::AddInt { dst: 2, a: 1, v: 1 }, Instr::Return { src: 2 }];
        let found = first(code);
        assert!(matches!(found, Quick::Add { dst: 2, a: From::Int(i32::MAX), b: From::Int(1), steps: 2 }), "{found:?}");
    }
}
