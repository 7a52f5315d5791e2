//! Forgetting what no longer matters, so that machines with the same future are equal.

use super::Machine;
use super::frame::{Form, Ret, Task};
use crate::loaded::Loaded;
use crate::value::Value;

impl Machine {
    /// Clears registers and values of events that are not read again. Only for a machine that waits for an answer.
    pub fn forget_dead(&mut self, pack: &Loaded) {
        for i in 0..self.stack.len() {
            let Some(Task::Frame(frame)) = self.stack.get(i) else {
                continue;
            };
            let (base, pc) = (frame.base as usize, frame.pc as usize);
            let Some(facts) = pack.facts_of.get(frame.frag.index()) else {
                continue;
            };
            let registers = pack.fragments.get(frame.frag.index()).map_or(0, |f| f.registers as usize);
            // Whatever runs above will write its result before it is read.
            let awaited = match self.stack.get(i + 1) {
                Some(Task::Frame(above)) => match above.ret {
                    Ret::Reg(dst) => [Some(dst), None],
                    _ => [None, None],
                },
                Some(Task::Batch(batch)) => match batch.form {
                    Form::Call { dst, done } => [Some(dst), Some(done)],
                    _ => [None, None],
                },
                _ => [None, None],
            };
            for r in 0..registers {
                let dead = !facts.is_live(pc, r) || awaited.contains(&Some(r as u16));
                if dead && let Some(slot) = self.registers.get_mut(base + r) {
                    *slot = Value::None;
                }
            }
        }
        let private = pack.private();
        for (index, event) in self.events.iter_mut().enumerate() {
            let body = self.stack.iter().find_map(|task| match task {
                Task::Frame(frame) if frame.ret == Ret::Body(index as u32) => Some(frame),
                _ => None,
            });
            let live = match (body, &event.body) {
                (Some(frame), _) => private.live(event.action, frame.frag, frame.pc as usize),
                (None, Some(parked)) => private.live(event.action, parked.frame.frag, parked.frame.pc as usize),
                (None, None) if event.carried => private.live_at_last(event.action),
                (None, None) => u64::MAX,
            };
            for (field, slot) in event.values.iter_mut().enumerate().take(64) {
                if live >> field & 1 == 0 {
                    *slot = Value::None;
                }
            }
            if let Some(parked) = &mut event.body
                && let Some(facts) = pack.facts_of.get(parked.frame.frag.index())
            {
                let pc = parked.frame.pc as usize;
                for (r, slot) in parked.registers.iter_mut().enumerate() {
                    if !facts.is_live(pc, r) {
                        *slot = Value::None;
                    }
                }
            }
        }
    }
}
