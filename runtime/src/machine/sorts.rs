//! Which faces of a roll make a difference.

use super::local::Alone;
use crate::eval::Scratch;
use crate::flow::{Known, Tells, Test};
use crate::ids::*;
use crate::num;
use crate::value::Value;

/// Faces that nothing tells apart: one of them, and how many there are.
pub type Sorts = Vec<(i64, u32)>;

/// Dice with more sides than this are taken face by face.
const MOST_SIDES: u32 = 1_000;

/// The faces for which a comparison with a number holds, and the others: those that are like a 1 come first.
pub(super) fn split(test: Test, die_first: bool, with: i64, sides: i64) -> [(i64, u32); 2] {
    let (least, most) = match (test, die_first) {
        (Test::Eq, _) => (with, with),
        (Test::Lt, true) => (1, with.saturating_sub(1)),
        (Test::Le, true) => (1, with),
        (Test::Lt, false) => (with.saturating_add(1), sides),
        (Test::Le, false) => (with, sides),
    };
    let (least, most) = (least.clamp(1, sides + 1), most.clamp(0, sides));
    let holding = (most - least + 1).max(0);
    match (holding, least) {
        (0, _) => [(1, sides as u32), (0, 0)],
        (_, 1) => [(1, holding as u32), (most + 1, (sides - holding) as u32)],
        _ => [(1, (sides - holding) as u32), (least, holding as u32)],
    }
}

impl Alone<'_> {
    /// Does anything read which die of the roll it stands at shows which face?
    pub fn roll_is_ordered(&self) -> bool {
        self.facts.is_ordered(self.pc())
    }

    /// Adds the numbers that the faces of the roll it stands at are compared with. False: something else may tell them apart too.
    pub fn compared_with(&self, numbers: &mut Vec<i64>) -> bool {
        let Some(tells) = self.facts.told_apart(self.pc()) else { return false };
        tells.iter().all(|tell| match tell {
            Tells::Compare { with, .. } => self.known_number(with).map(|n| numbers.push(n)).is_some(),
            Tells::Term { .. } => false,
        })
    }

    /// The two sorts of faces of the roll it stands at, where one comparison tells all that is told: one of each, and how many there are.
    pub fn two_sorts(&self, sides: u32) -> Option<[(i64, u32); 2]> {
        let Some([Tells::Compare { test, plus, die_first, with }]) = self.facts.told_apart(self.pc()).filter(|_| sides <= MOST_SIDES)
        else {
            return None;
        };
        let with = self.known_number(with)?;
        // No face is so large that it could not be added to what was added up when the pack was loaded, or nothing is known.
        plus.checked_add(sides as i64)?;
        Some(split(*test, *die_first, with.checked_sub(*plus)?, sides as i64))
    }

    /// The roll it stands at, among all of the pack.
    pub fn place(&self) -> (FragId, Pc) {
        (self.frag, self.pc())
    }

    /// Which faces of the roll it stands at are told apart. None: perhaps all of them.
    pub fn sorts_of_faces(&self, sides: u32) -> Option<Sorts> {
        let tells = self.facts.told_apart(self.pc()).filter(|_| sides <= MOST_SIDES)?;
        self.by_numbers(tells, sides).or_else(|| self.by_terms(tells, sides))
    }

    /// Where faces are only compared with whole numbers.
    fn by_numbers(&self, tells: &[Tells], sides: u32) -> Option<Sorts> {
        // One bit for each comparison.
        let mut signs = vec![0u64; sides as usize];
        for (i, tell) in tells.iter().enumerate() {
            let Tells::Compare { test, plus, die_first, with } = tell else { return None };
            let (with, bit) = (self.known_number(with)?, 1u64.checked_shl(i as u32)?);
            for (face, sign) in (1i64..).zip(&mut signs) {
                let die = face.checked_add(*plus)?;
                if if *die_first { test.holds(die, with) } else { test.holds(with, die) } {
                    *sign |= bit;
                }
            }
        }
        let mut sorts = Sorts::new();
        for (face, sign) in (1i64..).zip(&signs) {
            match sorts.iter_mut().find(|(first, _)| signs.get(*first as usize - 1) == Some(sign)) {
                Some((_, many)) => *many += 1,
                None => sorts.push((face, 1)),
            }
        }
        Some(sorts)
    }

    fn by_terms(&self, tells: &[Tells], sides: u32) -> Option<Sorts> {
        let mut s = Scratch::new(Vec::new(), self.s.limits, self.s.limits.steps);
        let mut known: Vec<Vec<Value>> = Vec::with_capacity(tells.len());
        for tell in tells {
            known.push(match tell {
                Tells::Term { caps, .. } => caps.iter().map(|cap| self.known(&mut s, cap)).collect::<Option<_>>()?,
                Tells::Compare { with, .. } => vec![self.known(&mut s, with)?],
            });
        }
        let view = self.view();
        let mut signs: Vec<Vec<Value>> = Vec::new();
        let mut sorts = Sorts::new();
        for face in 1..=sides as i64 {
            let mut sign = Vec::with_capacity(tells.len());
            for (tell, known) in tells.iter().zip(&known) {
                sign.push(match tell {
                    Tells::Term { frag, .. } => {
                        let mut args = known.clone();
                        args.push(Value::Int(face));
                        view.eval(&mut s, *frag, &args).ok()?
                    }
                    Tells::Compare { test, plus, die_first, .. } => {
                        let die = Value::Int(face.checked_add(*plus)?);
                        let (a, b) = if *die_first { (&die, known.first()?) } else { (known.first()?, &die) };
                        Value::Bool(match test {
                            Test::Eq => num::same(a, b),
                            Test::Lt => num::compare(a, b).ok()?.is_lt(),
                            Test::Le => num::compare(a, b).ok()?.is_le(),
                        })
                    }
                });
            }
            match signs.iter().position(|known| *known == sign) {
                Some(i) => sorts[i].1 += 1,
                None => {
                    signs.push(sign);
                    sorts.push((face, 1));
                }
            }
        }
        Some(sorts)
    }

    pub(super) fn known_number(&self, known: &Known) -> Option<i64> {
        let value = match known {
            Known::Int(n) => return Some(*n as i64),
            Known::Reg(r) => self.s.reg(self.base, *r),
            Known::Event(field) => self.values().get(*field as usize)?,
            Known::Const(_) | Known::Field { .. } => return None,
        };
        match value {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    fn known(&self, s: &mut Scratch, known: &Known) -> Option<Value> {
        match known {
            Known::Reg(r) => self.s.regs.get(self.base + *r as usize).cloned(),
            Known::Event(field) => self.values().get(*field as usize).cloned(),
            Known::Int(n) => Some(Value::Int(*n as i64)),
            Known::Const(k) => self.pack.consts.get(k.index()).cloned(),
            Known::Field { of, field, raw } => {
                let of = self.known(s, of)?;
                let view = self.view();
                if *raw { view.base_value(s, &of, *field).ok() } else { view.get_value(s, &of, *field).ok() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_split_as_if_each_were_compared() {
        for (test, die_first) in [Test::Lt, Test::Le, Test::Eq].into_iter().flat_map(|test| [(test, true), (test, false)]) {
            for (sides, with) in (1..=7).flat_map(|sides| (-2..=9).chain([i64::MIN, i64::MAX]).map(move |with| (sides, with))) {
                let holds = |face: i64| if die_first { test.holds(face, with) } else { test.holds(with, face) };
                let alike = (1..=sides).filter(|face| holds(*face) == holds(1)).count() as u32;
                let [one, other] = split(test, die_first, with, sides);
                assert_eq!((one, other.1), ((1, alike), sides as u32 - alike), "{test:?} {die_first} {with} {sides}");
                if other.1 > 0 {
                    let first = (1..=sides).find(|face| holds(*face) != holds(1));
                    assert_eq!(Some(other.0), first, "{test:?} {die_first} {with} {sides}");
                }
            }
        }
    }
}
