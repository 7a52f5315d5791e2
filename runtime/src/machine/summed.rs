//! Rolls that a loop only adds up: what a face adds is found out once, and handfuls are sums of that.

use super::local::Alone;
use crate::eval::Flow;
use crate::flow::Summed;
use crate::value::{Dice, Value};

/// What the faces of a roll add to the sums of its loop.
pub struct Adds<'p> {
    to: &'p Summed,
    before: Vec<i64>,
    /// For each face from 1 on, one number for each sum.
    each: Vec<i64>,
    /// Room for the sums of a handful.
    sums: Vec<i64>,
}

/// Dice with more sides than this are taken one by one.
const MOST_SIDES: u32 = 100;

impl<'p> Alone<'p> {
    /// What each face adds, if that is all that is done with the roll it stands at. `back` puts it back there.
    pub fn adds(&mut self, dice: Dice, back: impl Fn(&mut Alone<'p>)) -> Option<Adds<'p>> {
        let to = self.facts.summed(self.pc())?;
        // A single die is a number and no list; a bonus counts as one more die.
        if dice.count < 2 || dice.plus != 0 || dice.sides > MOST_SIDES {
            return None;
        }
        let before = self.sums(to)?;
        let mut each = Vec::with_capacity(before.len() * dice.sides as usize);
        let found = (1..=dice.sides as i64).try_for_each(|face| {
            back(self);
            self.land(Value::List([Value::Int(face)].into()));
            self.run_to(to.end)?;
            self.sums(to)?.iter().zip(&before).try_for_each(|(after, before)| {
                each.push(after.checked_sub(*before)?);
                Some(())
            })
        });
        back(self);
        found.map(|()| Adds { to, before, each, sums: Vec::new() })
    }

    /// The roll it stands at comes to these dice, and the loop behind it is over. False: a sum is too large for that.
    pub fn land_summed(&mut self, adds: &mut Adds<'_>, rolled: &Value) -> bool {
        let Value::List(faces) = rolled else { return false };
        adds.sums.clone_from(&adds.before);
        for face in faces.iter() {
            let Value::Int(face) = face else { return false };
            let from = (*face as usize).wrapping_sub(1).wrapping_mul(adds.sums.len());
            let Some(each) = adds.each.get(from..).filter(|each| each.len() >= adds.sums.len()) else { return false };
            for (sum, more) in adds.sums.iter_mut().zip(each) {
                let Some(new) = sum.checked_add(*more) else { return false };
                *sum = new;
            }
        }
        for (i, sum) in adds.sums.iter().enumerate() {
            self.set_sum(adds.to, i, *sum);
        }
        self.pc = adds.to.end;
        true
    }

    /// The sums in registers, then those in values of the event; only whole numbers are added up like this.
    fn sums(&self, to: &Summed) -> Option<Vec<i64>> {
        let registers = to.registers.iter().map(|r| Some(self.s.reg(self.base, *r)));
        let all = registers.chain(to.fields.iter().map(|f| self.values().get(*f as usize)));
        all.map(|value| if let Value::Int(n) = value? { Some(*n) } else { None }).collect()
    }

    fn set_sum(&mut self, to: &Summed, i: usize, sum: i64) {
        if let Some(register) = to.registers.get(i) {
            self.s.set(self.base, *register, Value::Int(sum));
            return;
        }
        let field = to.fields.get(i - to.registers.len());
        let event = self.event.and_then(|e| self.machine.events.get_mut(e as usize));
        if let (Some(field), Some(event)) = (field, event)
            && let Some(slot) = event.values.get_mut(*field as usize)
        {
            *slot = Value::Int(sum);
        }
    }

    /// Runs on to that place. None: something else comes first.
    fn run_to(&mut self, end: usize) -> Option<()> {
        while self.pc != end {
            let instr = self.fragment.code.get(self.pc)?;
            self.s.burn().ok()?;
            match self.machine.view(self.pack, self.event, self.you).exec(&mut self.s, self.base, instr).ok()? {
                Flow::Next => self.pc += 1,
                Flow::Jump(to) => self.pc = to as usize,
                Flow::NotPure if matches!(instr, crate::bytecode::Instr::EvSet { .. }) => self.act(instr).ok()?,
                _ => return None,
            }
        }
        Some(())
    }
}
