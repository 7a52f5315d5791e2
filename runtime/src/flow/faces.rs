//! Which faces of a die the rules tell apart: `count(tries where it >= 4)` knows only two sorts of them. Odds then try sorts instead of faces, and a
//! handful of dice has as many outcomes as it has counts.

use rustc_hash::FxHashSet;

use super::compare::{Against, Comparison, Test, comparison};
use super::{FragmentFacts, loops};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::ids::*;
use crate::operands::{acts, operands, targets};
use crate::pack::{Fragment, Pack};
use crate::value::Value;

/// A value that is known when the dice are rolled.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Reg(Reg),
    Event(u16),
    Int(i32),
    Const(ConstId),
    /// A field of something known; as printed or stored if `raw`.
    Field {
        of: Box<Known>,
        field: FieldId,
        raw: bool,
    },
}

/// What tells one face from another.
#[derive(Clone, Debug)]
pub(crate) enum Tells {
    /// What a term says of it.
    Term { frag: FragId, caps: Vec<Known> },
    /// How it compares, after adding something.
    Compare { test: Test, plus: i64, die_first: bool, with: Known },
}

/// What a register holds that came of the roll.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holds {
    Faces,
    /// One face, and what was added to it.
    Die(i64),
    /// Some of the faces, of which only the number matters.
    Counted,
}

/// A use of the dice, found on the way; what it is compared with is looked up when the whole way is known.
enum Found {
    Term { frag: FragId, caps: Vec<Reg>, pc: usize },
    Compare { test: Test, plus: i64, die_first: bool, with: Reg, pc: usize },
}

struct Walk<'p> {
    pack: &'p Pack,
    fragment: &'p Fragment,
    facts: &'p FragmentFacts,
    roll: usize,
    /// Every instruction on a way from the roll to a use of it.
    visited: FxHashSet<usize>,
    found: Vec<Found>,
    /// Nothing is done with the faces but filtering them.
    only_filtered: bool,
}

/// What is known about the faces of a roll.
pub(super) struct Told {
    pub tells: Vec<Tells>,
    /// One comparison tells the dice that count from the others, and how many count is all that matters.
    pub filtered: bool,
}

/// Everything that tells faces of the roll at `pc` apart. None: they may all differ.
pub(super) fn told_apart(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize, dst: Reg, dice: Reg) -> Option<Told> {
    let single = pc.checked_sub(1).and_then(|before| fragment.code.get(before)).is_some_and(|instr| match instr {
        Instr::Const { dst, k } if *dst == dice => {
            matches!(pack.consts.get(k.index()), Some(Value::Dice(d)) if d.count == 1 && d.plus == 0)
        }
        _ => false,
    });
    let mut walk = Walk { pack, fragment, facts, roll: pc, visited: FxHashSet::default(), found: Vec::new(), only_filtered: true };
    // Whoever jumps onto the roll may bring other dice.
    let single = single && !walk.is_landed(pc);
    walk.follow(pc + 1, dst, if single { Holds::Die(0) } else { Holds::Faces })?;
    let found = std::mem::take(&mut walk.found);
    let tells: Vec<Tells> = found.into_iter().map(|found| walk.settled(found)).collect::<Option<_>>()?;
    let filtered = walk.only_filtered && matches!(tells[..], [Tells::Compare { plus: 0, .. }]);
    Some(Told { tells, filtered })
}

impl Walk<'_> {
    fn follow(&mut self, pc: usize, reg: Reg, holds: Holds) -> Option<()> {
        let mut seen: FxHashSet<(usize, Reg, Holds)> = FxHashSet::default();
        let mut todo = vec![(pc, reg, holds)];
        while let Some((pc, reg, holds)) = todo.pop() {
            let Some(instr) = self.fragment.code.get(pc) else { continue };
            if !self.facts.is_live(pc, reg as usize) || !seen.insert((pc, reg, holds)) {
                continue;
            }
            // More than this to follow is left alone: knowing less only means trying more.
            if seen.len() > 2_000 {
                return None;
            }
            self.visited.insert(pc);
            let uses = operands(self.pack, instr);
            let next = targets(self.pack, pc, instr).into_iter().map(|to| to as usize);
            if uses.all_reads().any(|r| r == reg as u32)
                && let Some((dst, holds)) = self.used(pc, instr, reg, holds)?
            {
                todo.extend(next.clone().map(|to| (to, dst, holds)));
            }
            if !uses.writes.contains(&reg) {
                todo.extend(next.map(|to| (to, reg, holds)));
            }
        }
        Some(())
    }

    /// What the instruction makes of it, if that goes on. None: it may tell any two faces apart.
    fn used(&mut self, pc: usize, instr: &Instr, reg: Reg, holds: Holds) -> Option<Option<(Reg, Holds)>> {
        let compare = |test: Test, a: Reg, b: Reg, plus: i64| match (a == reg, b == reg) {
            (true, false) => Some(Found::Compare { test, plus, die_first: true, with: b, pc }),
            (false, true) => Some(Found::Compare { test, plus, die_first: false, with: a, pc }),
            _ => None,
        };
        self.only_filtered &= match (instr, holds) {
            (Instr::Move { .. } | Instr::JumpIfNone { .. }, Holds::Faces) | (_, Holds::Counted) => true,
            (Instr::Each { op, .. }, Holds::Faces) => *op == EachOp::Filter,
            _ => false,
        };
        match (*instr, holds) {
            (Instr::Move { dst, .. }, holds) => Some(Some((dst, holds))),
            (Instr::JumpIfNone { .. }, _) => Some(None),
            (Instr::Call1 { dst, fun: Fun::Total, .. }, Holds::Die(plus)) => Some(Some((dst, Holds::Die(plus)))),
            (Instr::AddInt { dst, v, .. }, Holds::Die(plus)) => Some(Some((dst, Holds::Die(plus.checked_add(v as i64)?)))),
            (Instr::Lt { a, b, .. }, Holds::Die(plus)) => {
                self.found.push(compare(Test::Lt, a, b, plus)?);
                Some(None)
            }
            (Instr::Le { a, b, .. }, Holds::Die(plus)) => {
                self.found.push(compare(Test::Le, a, b, plus)?);
                Some(None)
            }
            (Instr::Eq { a, b, .. }, Holds::Die(plus)) => {
                self.found.push(compare(Test::Eq, a, b, plus)?);
                Some(None)
            }
            (Instr::Len { .. }, Holds::Faces | Holds::Counted) => Some(None),
            (Instr::Each { dst, op, list, frag, caps, n }, Holds::Faces) if list == reg => {
                let caps: Vec<Reg> = (caps..caps.checked_add(n)?).collect();
                if caps.contains(&reg) {
                    return None;
                }
                self.found.push(Found::Term { frag, caps, pc });
                match op {
                    EachOp::Filter => Some(Some((dst, Holds::Counted))),
                    EachOp::Sum | EachOp::Any | EachOp::All | EachOp::MaxOf | EachOp::MinOf => Some(None),
                    _ => None,
                }
            }
            (Instr::Each { op: EachOp::Sum, list, frag, n: 0, .. }, Holds::Counted) if list == reg && self.is_constant(frag) => Some(None),
            (Instr::Index { dst, list, .. }, Holds::Faces)
                if list == reg && loops::only_adds_up(self.pack, self.fragment, self.facts, pc) =>
            {
                Some(Some((dst, Holds::Die(0))))
            }
            _ => None,
        }
    }

    /// The same for every element.
    fn is_constant(&self, frag: FragId) -> bool {
        let code = self.pack.fragments.get(frag.index()).map(|f| &f.code[..]);
        matches!(code, Some([Instr::Int { dst, .. }, Instr::Return { src }]) if dst == src)
    }

    fn settled(&self, found: Found) -> Option<Tells> {
        if let Found::Term { frag, caps, pc } = &found
            && let Some(Comparison { test, it_first, with }) = comparison(self.pack, *frag, caps.len() as u16)
        {
            let with = match with {
                Against::Int(n) => Known::Int(n),
                Against::Captured => self.known(*caps.first()?, *pc)?,
            };
            return Some(Tells::Compare { test, plus: 0, die_first: it_first, with });
        }
        Some(match found {
            Found::Term { frag, caps, pc } => {
                // A term may look at the event and the world: as they are now, if nothing changes them on the way.
                let changes =
                    |at: &usize| self.fragment.code.get(*at).is_some_and(|i| acts(self.pack, i) || matches!(i, Instr::EvSet { .. }));
                if self.visited.iter().any(changes) {
                    return None;
                }
                let caps: Option<Vec<Known>> = caps.into_iter().map(|cap| self.known(cap, pc)).collect();
                Tells::Term { frag, caps: caps? }
            }
            Found::Compare { test, plus, die_first, with, pc } => Tells::Compare { test, plus, die_first, with: self.known(with, pc)? },
        })
    }

    /// What a register will hold at `pc`, as seen from the roll.
    fn known(&self, reg: Reg, pc: usize) -> Option<Known> {
        let writes = |at: usize| self.fragment.code.get(at).is_some_and(|i| operands(self.pack, i).writes.contains(&reg));
        if !self.visited.iter().any(|at| writes(*at)) {
            return Some(Known::Reg(reg));
        }
        // Set on the way: right before, with nobody else jumping in between.
        let set = (self.roll + 1..pc).rev().take_while(|at| !self.is_landed(at + 1)).find(|at| writes(*at))?;
        let acted = || self.visited.iter().any(|at| self.fragment.code.get(*at).is_some_and(|i| acts(self.pack, i)));
        match *self.fragment.code.get(set)? {
            Instr::Int { v, .. } => Some(Known::Int(v)),
            Instr::Const { k, .. } => Some(Known::Const(k)),
            Instr::EvGet { field, .. } => {
                let set = |at: &usize| matches!(self.fragment.code.get(*at), Some(Instr::EvSet { field: f, .. }) if *f == field);
                (!self.visited.iter().any(set)).then_some(Known::Event(field))
            }
            Instr::Get { obj, field, .. } if !acted() => Some(Known::Field { of: Box::new(self.known(obj, set)?), field, raw: false }),
            Instr::GetRaw { obj, field, .. } if !acted() => Some(Known::Field { of: Box::new(self.known(obj, set)?), field, raw: true }),
            _ => None,
        }
    }

    /// Does anything but the instruction before it lead here?
    fn is_landed(&self, pc: usize) -> bool {
        let mut code = self.fragment.code.iter().enumerate();
        code.any(|(at, instr)| {
            let to = targets(self.pack, at, instr);
            if at + 1 == pc { !to.contains(&(pc as Pc)) } else { to.contains(&(pc as Pc)) }
        })
    }
}
