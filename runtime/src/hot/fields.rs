//! Values of things and of events: read and changed.

use super::compile::Compiler;
use super::event::{Event, VALUE};
use super::fragment::Running;
use super::op::{Op, Slot};
use super::state::{Held, State};
use crate::bytecode::Instr;
use crate::ids::*;
use crate::pack::FieldRole;
use crate::value::Value;

impl<'p> Compiler<'p, '_, '_> {
    pub(super) fn field(
        &mut self,
        running: &mut Running<'p>,
        state: &mut State,
        instr: &Instr,
        dst: Reg,
        obj: Reg,
        field: FieldId,
    ) -> Option<()> {
        let Held::Known(Value::Obj(of)) = self.register(state, obj)? else { return None };
        let stored = self.view.world.get(of)?.state(field).is_some();
        let stable = self.view.pack.stable();
        if stored && !stable.depends_on(field) {
            let (sort, slot) = self.cell(of, field)?;
            return self.set(state, dst, Held::In(sort, slot));
        }
        // State that rules in force depend on does not change without a new stamp; the rest of a card is printed.
        let printed = self.view.pack.field(field).is_ok_and(|f| f.role == FieldRole::Plain);
        let settled = stored || (printed && stable.field(field));
        if !settled {
            return None;
        }
        self.known(running, state, instr, dst)
    }

    pub(super) fn change(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        (obj, field, src): (Reg, FieldId, Reg),
        next: usize,
    ) -> Option<()> {
        let Held::Known(Value::Obj(of)) = self.register(state, obj)? else { return None };
        let value = self.register(state, src)?;
        let (sort, cell) = self.cell(of, field)?;
        if value.sort() != Some(sort) {
            return None;
        }
        let described = self.view.pack.field(field).ok()?;
        let low = self.bound(running, event, described.low, of, i64::MIN)?;
        let high = self.bound(running, event, described.high, of, i64::MAX)?;
        self.keep_apart(running, state, cell, next)?;
        let src_slot = self.slot_of(&value)?;
        match self.last() {
            // `wounds += amount`
            Some(Op::Add { dst, a, b }) if dst == src_slot && dst != cell && a == cell && b != cell && running.is_dead(src, &[next]) => {
                self.take_last();
                self.push(Op::Bump { cell, by: b, low, high });
            }
            _ => {
                self.push(Op::Store { cell, src: src_slot, low, high });
            }
        }
        Some(())
    }

    /// A bound of a state, which must be known.
    pub(super) fn bound(
        &mut self,
        running: &Running<'p>,
        event: &mut Event,
        frag: Option<FragId>,
        of: ObjId,
        without: i64,
    ) -> Option<Slot> {
        let Some(frag) = frag else { return self.slots.constant(without) };
        let (bound, slots) = self.fragment(frag, running.you, vec![Held::Known(Value::Obj(of))], event)?;
        slots.into_iter().for_each(|slot| self.slots.free(slot));
        match bound {
            Held::Known(Value::Int(n)) => self.slots.constant(n),
            Held::Known(Value::None) => self.slots.constant(without),
            _ => None,
        }
    }

    pub(super) fn set_value(
        &mut self,
        running: &mut Running<'p>,
        event: &mut Event,
        state: &mut State,
        field: u16,
        src: Reg,
        next: usize,
    ) -> Option<()> {
        let place = Event::place(field, VALUE);
        let held = self.register(state, src)?;
        let held = match held {
            Held::In(sort, slot) => {
                let home = self.own(event, place)?;
                self.keep_apart(running, state, home, next)?;
                match self.last() {
                    // `total += 1`
                    Some(Op::Add { dst, a, b }) if dst == slot && running.is_dead(src, &[next]) => {
                        self.take_last();
                        self.push(Op::Add { dst: home, a, b });
                    }
                    _ => {
                        self.push(Op::Put { dst: home, src: slot });
                    }
                }
                Held::In(sort, home)
            }
            known => {
                if let Some(home) = event.homes.get(place).copied().flatten() {
                    self.keep_apart(running, state, home, next)?;
                }
                known
            }
        };
        *state.values.get_mut(place)? = held;
        Some(())
    }
}
