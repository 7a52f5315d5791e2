//! Evaluating terms: everything that only looks. A pure fragment runs on the Rust stack with a depth limit; nothing here changes the world.

mod derived;
mod fields;
mod funs;
mod in_force;
mod lists;
mod look;
mod places;
mod pure;

use crate::fault::{Bound, FaultKind, Res, fail};
use crate::generator::Generator;
use crate::ids::*;
use crate::limits::{Limits, ROLLS_AT_ONCE};
use crate::loaded::Loaded;
use crate::machine::EventInstance;
use crate::value::Value;
use crate::world::{NOBODY, World};

pub(crate) use derived::Derived;
pub(crate) use fields::{Applied, apply};
pub(crate) use funs::make_place;
pub(crate) use in_force::Due;
pub use in_force::Source;
pub(crate) use look::Look;
pub(crate) use pure::{Flow, long};

/// What a term can see.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub pack: &'a Loaded,
    pub world: &'a World,
    pub events: &'a [EventInstance],
    /// The event that `EvGet` reads.
    pub event: Option<u32>,
    pub you: ObjId,
    pub script: &'a crate::script::Script,
}

/// Room to work in, and what is left of it.
pub(crate) struct Scratch<'d> {
    /// Registers of all running fragments, one behind the other.
    pub regs: Vec<Value>,
    pub fuel: u64,
    pub depth: u32,
    pub limits: Limits,
    /// Fields being read with their modifiers: a second reading of the same one would never end.
    reading: Vec<(ObjId, FieldId)>,
    /// Keywords whose grants are being looked at.
    asking: Vec<KeywordId>,
    /// Bundles whose holders are being found.
    finding: Vec<BundleId>,
    /// What is known about the world.
    pub derived: Derived,
    /// Who rolls at once; without one each roll is a question.
    pub dice: Option<&'d mut Generator>,
    /// How many of them are left.
    pub rolls: u64,
    /// For each part of a term that is the same for all elements of a list: it is worked out.
    pub onces: Vec<bool>,
    /// Registers and values to be put back.
    pub kept: Vec<Value>,
}

const NONE: &Value = &Value::None;

impl<'d> Scratch<'d> {
    pub fn new(regs: Vec<Value>, limits: Limits, fuel: u64) -> Scratch<'d> {
        Scratch::knowing(Derived::default(), regs, limits, fuel)
    }

    /// With what is known already.
    pub fn knowing(derived: Derived, regs: Vec<Value>, limits: Limits, fuel: u64) -> Scratch<'d> {
        Scratch {
            regs,
            fuel,
            depth: 0,
            limits,
            reading: Vec::new(),
            asking: Vec::new(),
            finding: Vec::new(),
            derived,
            dice: None,
            rolls: ROLLS_AT_ONCE,
            onces: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Are holders of rules being looked for?
    pub fn is_searching(&self) -> bool {
        !self.finding.is_empty()
    }

    /// Are grants being looked at that ask for what they change? Then values are read that hold only there.
    pub fn in_circle(&self, pack: &Loaded) -> bool {
        pack.reads_itself && !(self.reading.is_empty() && self.asking.is_empty())
    }

    #[inline(always)]
    pub fn reg(&self, base: usize, r: Reg) -> &Value {
        debug_assert!(base + (r as usize) < self.regs.len(), "the verifier lets no register in that a fragment does not have");
        self.regs.get(base + r as usize).unwrap_or(NONE)
    }

    #[inline(always)]
    pub fn set(&mut self, base: usize, r: Reg, value: Value) {
        debug_assert!(base + (r as usize) < self.regs.len(), "the verifier lets no register in that a fragment does not have");
        if let Some(slot) = self.regs.get_mut(base + r as usize) {
            *slot = value;
        }
    }

    /// Registers from `start`, as far as there are any.
    pub fn range(&self, base: usize, start: Reg, n: u16) -> &[Value] {
        let from = base + start as usize;
        self.regs.get(from..from + n as usize).unwrap_or(&[])
    }

    #[inline(always)]
    pub fn burn(&mut self) -> Res<()> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => fail(
                FaultKind::Limit(Bound::Steps),
                format!("{} steps without coming to a question: a loop here may never end", self.limits.steps),
            ),
        }
    }

    /// Work that one instruction does on something long: a step for each sixteen elements looked at.
    pub fn charge(&mut self, elements: usize) -> Res<()> {
        let steps = elements as u64 / 16;
        if self.fuel < steps {
            self.fuel = 0;
            return self.burn();
        }
        self.fuel -= steps;
        Ok(())
    }

    pub fn check_list(&self, n: usize) -> Res<()> {
        if n > self.limits.list_length as usize {
            return fail(
                FaultKind::Limit(Bound::ListLength),
                format!("a list of {n} is longer than the limit of {}", self.limits.list_length),
            );
        }
        Ok(())
    }
}

impl<'a> View<'a> {
    /// The same sights from the side of a rule: `you` is whoever controls `this`.
    pub fn seen_by(&self, this: ObjId) -> View<'a> {
        match self.world.get(this) {
            Some(object) if object.controller != NOBODY => View { you: object.controller, ..*self },
            _ => *self,
        }
    }

    pub fn eval(&self, s: &mut Scratch, frag: FragId, args: &[Value]) -> Res<Value> {
        let term = self.pack.term(frag)?;
        let base = s.regs.len();
        s.regs.extend(args.iter().take(term.params as usize).cloned());
        self.run_term(s, term, base)
    }

    /// A fragment of a rule: its holder and part, more values, and what the rule captured.
    pub fn eval_for(&self, s: &mut Scratch, frag: FragId, source: &Source, more: &[Value]) -> Res<Value> {
        let term = self.pack.term(frag)?;
        let base = s.regs.len();
        s.regs.extend([object_or_none(source.this), object_or_none(source.part)]);
        s.regs.extend_from_slice(more);
        s.regs.extend(source.caps.iter().flat_map(|c| c.iter().cloned()));
        s.regs.truncate(base + term.params as usize);
        self.run_term(s, term, base)
    }

    pub fn is_true_for(&self, s: &mut Scratch, frag: FragId, source: &Source, more: &[Value]) -> Res<bool> {
        crate::num::truth(&self.eval_for(s, frag, source, more)?)
    }

    /// Parameters: registers of the caller, then more values.
    pub fn eval_captured(&self, s: &mut Scratch, frag: FragId, caps: (usize, Reg, u16), more: &[Value]) -> Res<Value> {
        let term = self.pack.term(frag)?;
        let base = s.regs.len();
        for i in 0..caps.2 {
            let value = s.reg(caps.0, caps.1.saturating_add(i)).clone();
            s.regs.push(value);
        }
        s.regs.extend(more.iter().cloned());
        s.regs.truncate(base + term.params as usize);
        self.run_term(s, term, base)
    }
}

/// `None` for nobody.
pub(crate) fn object_or_none(id: ObjId) -> Value {
    if id == NOBODY { Value::None } else { Value::Obj(id) }
}
