//! Making a program of an event. What it may depend on is said in `mod.rs`; whatever is not understood here makes the event one that is not hot.

use super::op::{EVENT, Op, Ops, Place, SLOTS, Slot};
use super::slots::Slots;
use super::state::{Held, Sort};
use super::{Cell, Program};
use crate::bytecode::Instr;
use crate::eval::{Flow, Scratch, View};
use crate::ids::*;
use crate::value::Value;

/// A program with more steps is not worth it.
const LONGEST: usize = 2_000;
/// Instructions that may be looked at for one program, again and again where ways meet.
const PATIENCE: usize = 6_000;
/// Fragments inside fragments: a term that calls itself would never end.
const INSIDE: u32 = 24;
/// Steps for everything that is worked out beforehand.
const EFFORT: u64 = 50_000;

pub(super) struct Compiler<'p, 's, 'd> {
    pub view: View<'p>,
    pub s: &'s mut Scratch<'d>,
    pub slots: Slots,
    pub cells: Vec<Cell>,
    /// Events that may happen in it.
    pub actions: Vec<ActionId>,
    /// How many events are inside one another just now, and at most.
    pub depth: u32,
    pub deepest: u32,
    /// How many fragments are inside one another.
    inside: u32,
    steps: Ops,
    /// What the next step costs besides itself.
    cost: u64,
    /// No step before this may be changed: a jump may lead behind it.
    fence: usize,
    patience: usize,
}

/// The place in the program where a fragment begins.
#[derive(Clone, Copy)]
pub(super) struct Begin {
    steps: usize,
    cost: u64,
}

impl<'p, 's, 'd> Compiler<'p, 's, 'd> {
    /// The steps it takes are taken from those there are; whoever calls gives them back.
    pub fn new(view: View<'p>, s: &'s mut Scratch<'d>) -> Compiler<'p, 's, 'd> {
        s.fuel = s.fuel.min(EFFORT);
        Compiler {
            view,
            s,
            slots: Slots::new(),
            cells: Vec::new(),
            actions: Vec::new(),
            depth: 0,
            deepest: 0,
            inside: 0,
            steps: Ops::default(),
            cost: 0,
            fence: 0,
            patience: PATIENCE,
        }
    }

    pub fn finish(mut self, params: Vec<(u16, Slot)>, result: Held) -> Option<Program> {
        self.push(Op::End);
        // From behind, so that runs are found whole; whoever jumps into the middle of one finds the rest of it.
        for i in (1..self.steps.ops.len()).rev() {
            self.steps.ops[i - 1] = self.steps.ops[i - 1].with_next(self.steps.ops[i]);
        }
        for i in 0..self.steps.ops.len() {
            let (here, next) = self.steps.ops.split_at(i + 1);
            self.steps.ops[i] = here[i].looped(i, next);
        }
        let start: [i64; SLOTS] = self.slots.start;
        (self.steps.ops.len() <= LONGEST).then_some(Program {
            steps: self.steps,
            start,
            params,
            cells: self.cells,
            result,
            actions: self.actions,
            depth: self.deepest,
        })
    }

    pub fn begin(&self) -> Begin {
        Begin { steps: self.steps.ops.len(), cost: self.cost }
    }

    pub fn go_back(&mut self, begin: Begin) {
        self.steps.ops.truncate(begin.steps);
        self.steps.costs.truncate(begin.steps);
        self.cost = begin.cost;
        self.fence = begin.steps;
    }

    pub fn enter(&mut self) -> Option<()> {
        self.inside += 1;
        (self.inside <= INSIDE).then_some(())
    }

    pub fn leave(&mut self) {
        self.inside -= 1;
    }

    pub fn spend_round(&mut self, instructions: usize) -> Option<()> {
        self.patience = self.patience.checked_sub(instructions + 1)?;
        (self.steps.ops.len() <= LONGEST).then_some(())
    }

    pub fn push(&mut self, op: Op) -> usize {
        self.steps.ops.push(op);
        self.steps.costs.push(std::mem::take(&mut self.cost));
        self.last_index()
    }

    /// The last step, if it may be made part of the next one.
    pub fn last(&self) -> Option<Op> {
        self.steps.ops.get(self.fence..)?.last().copied()
    }

    pub fn last_index(&self) -> usize {
        self.steps.ops.len().wrapping_sub(1)
    }

    /// Takes the last step back, to be part of the next one.
    pub fn take_last(&mut self) {
        self.steps.ops.pop();
        self.cost += self.steps.costs.pop().unwrap_or_default();
    }

    pub fn step(&mut self, count: u64) {
        self.cost += count;
    }

    pub fn event_begins(&mut self) {
        self.cost += EVENT;
    }

    /// Jumps may lead here.
    pub fn label(&mut self) -> usize {
        self.fence = self.steps.ops.len();
        self.fence
    }

    pub fn lead(&mut self, step: usize, second: bool, place: usize) -> Option<()> {
        let place = Place::try_from(place).ok()?;
        self.steps.ops.get_mut(step)?.lead(second, place);
        Some(())
    }

    pub fn slot_of(&mut self, held: &Held) -> Option<Slot> {
        match held {
            Held::In(_, slot) => Some(*slot),
            Held::Known(Value::Int(n)) => self.slots.constant(*n),
            Held::Known(Value::Bool(is)) => self.slots.constant(i64::from(*is)),
            _ => None,
        }
    }

    /// The slot of a whole number.
    pub fn number(&mut self, held: &Held) -> Option<Slot> {
        if held.sort() == Some(Sort::Int) { self.slot_of(held) } else { None }
    }

    /// The state of an object, if it is stored and a number, and changes without a new stamp. Everything else about the world is known.
    pub fn cell(&mut self, of: ObjId, field: FieldId) -> Option<(Sort, Slot)> {
        if let Some(cell) = self.cells.iter().find(|c| c.of == of && c.field == field) {
            return Some((cell.sort, cell.slot));
        }
        let sort = match self.view.world.get(of)?.state(field)? {
            Value::Int(_) => Sort::Int,
            Value::Bool(_) => Sort::Bool,
            _ => return None,
        };
        if self.view.pack.stable().depends_on(field) {
            return None;
        }
        let slot = self.slots.lasting()?;
        self.cells.push(Cell { of, field, sort, slot });
        Some((sort, slot))
    }

    /// What an instruction that only looks comes to, its operands known.
    pub fn work_out(&mut self, instr: &Instr, registers: &[Held], you: ObjId, dst: Reg) -> Option<Value> {
        let (base, before) = (self.s.regs.len(), self.s.fuel);
        self.s.regs.extend(registers.iter().map(|held| held.known().cloned().unwrap_or_default()));
        let view = View { you, event: None, ..self.view };
        let flow = view.exec(self.s, base, instr);
        let value = self.s.reg(base, dst).clone();
        self.s.regs.truncate(base);
        self.step(before.saturating_sub(self.s.fuel));
        matches!(flow, Ok(Flow::Next)).then_some(value)
    }
}
