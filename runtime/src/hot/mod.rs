//! Events that happen again and again, with the same things in the same world: the same strike at the same target, five hundred times. Where everything but
//! dice, counts and stored numbers is the same every time, it is worked out once, and what is left becomes a short program over plain numbers.
//!
//! A program holds as long as the world keeps its stamp (`runtime/src/stable.rs`): until then fields with their modifiers, who carries which rules, and who
//! belongs to whom cannot change. It works on copies of the numbers it needs. If it comes to its end, they are put back into the world; if anything takes
//! another course than it knows (a number grows too large, the steps run out, a rule has its turn that it cannot carry out), nothing has happened yet, and the machine
//! carries the event out as any other. So a program can never do anything but what the machine would have done.

mod compile;
mod dice;
mod event;
mod fields;
mod fragment;
mod heat;
mod instr;
mod jumps;
mod lists;
mod op;
mod rounds;
mod run;
mod slots;
mod state;

use std::sync::Arc;

use crate::eval::{Scratch, View};
use crate::hosts::seeded::Generator;
use crate::ids::*;
use crate::value::Value;
use compile::Compiler;
pub(crate) use heat::{Heat, Hot};
use op::{Ops, SLOTS, Slot};
pub(crate) use run::Purse;
use state::{Held, Sort};

#[derive(Debug)]
pub(crate) struct Program {
    steps: Ops,
    /// What the slots hold before it runs: constants.
    start: [i64; SLOTS],
    /// Values of the event that are numbers, which may differ from time to time.
    params: Vec<(u16, Slot)>,
    pub cells: Vec<Cell>,
    result: Held,
    /// Events that may happen in it.
    pub actions: Vec<ActionId>,
    /// How many events may be inside one another.
    pub depth: u32,
}

/// A number of the world that the program reads or changes.
#[derive(Debug)]
pub(crate) struct Cell {
    pub of: ObjId,
    pub field: FieldId,
    sort: Sort,
    slot: Slot,
}

/// What a program came to.
pub(crate) struct Ran {
    slots: [i64; SLOTS],
    /// Something in the world was changed, if only for a while.
    pub changed: bool,
}

impl Program {
    /// The program of an event, whose numbers may differ from time to time, and nothing else.
    pub fn of(view: View<'_>, s: &mut Scratch<'_>, action: ActionId, values: &[Value], you: ObjId) -> Option<Arc<Program>> {
        let fuel = s.fuel;
        let program = Program::made(view, s, action, values, you);
        s.fuel = fuel;
        program.map(Arc::new)
    }

    fn made(view: View<'_>, s: &mut Scratch<'_>, action: ActionId, values: &[Value], you: ObjId) -> Option<Program> {
        let mut compiler = Compiler::new(view, s);
        let mut params = Vec::new();
        let mut args = Vec::with_capacity(values.len());
        for (field, value) in (0u16..).zip(values) {
            args.push(match value {
                Value::Int(_) => {
                    let slot = compiler.slots.lasting()?;
                    params.push((field, slot));
                    Held::In(Sort::Int, slot)
                }
                other => Held::Known(other.clone()),
            });
        }
        let (result, _) = compiler.event(action, &args, you)?;
        compiler.finish(params, result)
    }

    /// None: the machine is to carry the event out.
    pub fn run(&self, view: View<'_>, values: &[Value], dice: &mut Generator, purse: &mut Purse) -> Option<Ran> {
        let mut ran = Ran { slots: self.start, changed: false };
        for (field, slot) in &self.params {
            let Some(Value::Int(n)) = values.get(*field as usize) else { return None };
            ran.slots[*slot as usize] = *n;
        }
        for cell in &self.cells {
            ran.slots[cell.slot as usize] = match (cell.sort, view.world.get(cell.of)?.state(cell.field)?) {
                (Sort::Int, Value::Int(n)) => *n,
                (Sort::Bool, Value::Bool(is)) => i64::from(*is),
                _ => return None,
            };
        }
        run::run(&self.steps, &mut ran.slots, dice, purse, &mut ran.changed).then_some(ran)
    }
}

impl Ran {
    fn value(&self, sort: Sort, slot: Slot) -> Value {
        match (sort, self.slots[slot as usize]) {
            (Sort::Int, n) => Value::Int(n),
            (Sort::Bool, n) => Value::Bool(n != 0),
        }
    }

    /// The state of a cell.
    pub fn state(&self, cell: &Cell) -> Value {
        self.value(cell.sort, cell.slot)
    }

    /// The result of the event.
    pub fn result(&self, program: &Program) -> Value {
        match &program.result {
            Held::Known(value) => value.clone(),
            Held::In(sort, slot) => self.value(*sort, *slot),
            Held::Nothing | Held::Mixed => Value::None,
        }
    }
}
