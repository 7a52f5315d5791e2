//! Following a fragment through all its ways, once for every place in it: what is known everywhere is worked out now, the rest becomes operations.

use super::compile::Compiler;
use super::event::Event;
use super::op::{Op, SLOTS, Slot};
use super::state::{Held, Sort, State};
use crate::bytecode::Instr;
use crate::flow::FragmentFacts;
use crate::ids::*;
use crate::operands::targets;
use crate::pack::Fragment;
use crate::quick::Quick;

/// Longer fragments are not worth it.
const LONGEST: usize = 2_000;
/// Ways meet again and again until nothing new is found out; a fragment that needs more rounds is not worth it.
const ROUNDS: usize = 8;

/// One fragment at one place of the program.
pub(super) struct Running<'p> {
    pub fragment: &'p Fragment,
    pub facts: Option<&'p FragmentFacts>,
    pub quick: &'p [Quick],
    pub you: ObjId,
    /// Its registers' own slots.
    homes: Vec<Option<Slot>>,
    /// What is known where ways meet: from the rounds before, and found in this one.
    expected: Vec<Option<State>>,
    found: Vec<Option<State>>,
    /// Jumps that are yet to be told where they lead: the step, which of its ways, and the instruction.
    open: Vec<(usize, bool, usize)>,
    /// The last die rolled by itself: the step, and the register.
    pub die: Option<(usize, Reg)>,
}

/// Where a fragment goes on behind an instruction.
pub(super) enum Onward {
    /// So many instructions on.
    Next(usize),
    Nowhere,
}

impl<'p> Running<'p> {
    /// The register that holds the result.
    pub fn result(&self) -> usize {
        self.fragment.registers.max(self.fragment.params) as usize
    }

    fn is_live(&self, pc: usize, register: usize) -> bool {
        match pc == self.fragment.code.len() {
            true => register == self.result(),
            false => register == self.result() || self.facts.is_none_or(|f| !f.knows_registers() || f.is_live(pc, register)),
        }
    }

    /// Is the register written again before it is read, on all these ways?
    pub fn is_dead(&self, register: Reg, ways: &[usize]) -> bool {
        ways.iter().all(|pc| !self.is_live(*pc, register as usize))
    }

    /// Where ways may meet.
    fn meetings(&self) -> Vec<bool> {
        let n = self.fragment.code.len();
        let mut meet = vec![false; n + 1];
        let mut mark = |to: Pc| {
            if let Some(meet) = meet.get_mut(to as usize) {
                *meet = true;
            }
        };
        for (pc, instr) in self.fragment.code.iter().enumerate() {
            if let Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } = instr {
                mark(*to);
            }
            match self.quick.get(pc) {
                Some(Quick::Roll { to, .. }) => mark(*to),
                Some(Quick::Next { top, out, .. }) => [*top, *out].into_iter().for_each(&mut mark),
                _ => {}
            }
        }
        mark(n as Pc);
        meet
    }
}

impl<'p> Compiler<'p, '_, '_> {
    /// A fragment with what its parameters are, for an event. Gives the result, and the slots it had, to be freed when the result has been taken.
    pub(super) fn fragment(&mut self, frag: FragId, you: ObjId, given: Vec<Held>, event: &mut Event) -> Option<(Held, Vec<Slot>)> {
        let pack = self.view.pack;
        let fragment = pack.fragment(frag).ok()?;
        let n = fragment.code.len();
        let registers = fragment.registers.max(fragment.params) as usize + 1;
        // What is known about all registers is kept for every place where ways meet.
        if n > LONGEST || registers > SLOTS {
            return None;
        }
        let mut running = Running {
            fragment,
            facts: pack.facts_of.get(frag.index()),
            quick: pack.quick_of(frag),
            you,
            homes: vec![None; registers],
            expected: vec![None; n + 1],
            found: Vec::new(),
            open: Vec::new(),
            die: None,
        };
        // Whoever jumps out of a head has no body behind it.
        let leaves_head =
            |end: usize| fragment.code[..end].iter().enumerate().any(|(pc, i)| targets(pack, pc, i).iter().any(|to| *to as usize > end));
        if running.facts.and_then(|f| f.head_end).is_some_and(|end| leaves_head(end as usize)) {
            return None;
        }
        let meetings = running.meetings();
        let mut first = State { registers: given, values: std::mem::take(&mut event.values) };
        first.registers.truncate(fragment.params as usize);
        first.registers.resize(registers, Held::Nothing);
        let begin = self.begin();
        self.enter()?;
        for _ in 0..ROUNDS {
            self.go_back(begin);
            self.spend_round(n)?;
            for slot in running.homes.drain(registers..).flatten() {
                self.slots.free(slot);
            }
            running.found = vec![None; n + 1];
            running.open.clear();
            running.die = None;
            let last = self.round(&mut running, event, &meetings, first.clone())?;
            let settled = self.settle(&mut running, event)?;
            if settled {
                self.leave();
                let last = running.expected.get_mut(n).and_then(Option::take).or(last)?;
                event.values = last.values;
                let result = last.registers.into_iter().nth(running.result())?;
                return Some((result, running.homes.into_iter().flatten().collect()));
            }
        }
        None
    }

    /// Once through the fragment, and where its jumps lead.
    fn round(&mut self, running: &mut Running<'p>, event: &mut Event, meetings: &[bool], first: State) -> Option<Option<State>> {
        let n = running.fragment.code.len();
        let mut places: Vec<Option<usize>> = vec![None; n + 1];
        let mut now = Some(first);
        let mut pc = 0;
        loop {
            if meetings.get(pc).is_some_and(|m| *m) {
                if let Some(state) = now.take() {
                    self.edge(running, event, &state, pc)?;
                }
                now = match (running.expected.get(pc)?, running.found.get(pc)?) {
                    (Some(expected), Some(found)) => {
                        Some(expected.meet(found, own_slots(&mut self.slots, &mut running.homes, &mut event.homes))?)
                    }
                    (one, other) => one.clone().or(other.clone()),
                };
                // To the end of a fragment only jumps lead that are known by now.
                let led_to = pc < n || running.open.iter().any(|(_, _, to)| *to == pc);
                if let Some(place) = places.get_mut(pc).filter(|_| led_to) {
                    *place = Some(self.label());
                }
            }
            if pc >= n {
                break;
            }
            let Some(state) = &mut now else {
                pc += 1;
                continue;
            };
            match self.instruction(running, event, state, pc)? {
                Onward::Next(by) => pc += by,
                Onward::Nowhere => {
                    now = None;
                    pc += 1;
                }
            }
        }
        for (step, second, to) in std::mem::take(&mut running.open) {
            let place = places.get(to).copied().flatten()?;
            self.lead(step, second, place)?;
        }
        Some(now)
    }

    /// Is what was found what was expected? Otherwise that is expected from now on.
    fn settle(&mut self, running: &mut Running<'p>, event: &mut Event) -> Option<bool> {
        let mut settled = true;
        for pc in 0..running.found.len() {
            let Some(found) = running.found[pc].take() else { continue };
            let next = match &running.expected[pc] {
                Some(expected) => expected.meet(&found, own_slots(&mut self.slots, &mut running.homes, &mut event.homes))?,
                None => found,
            };
            if running.expected[pc].as_ref() != Some(&next) {
                settled = false;
                running.expected[pc] = Some(next);
            }
        }
        Some(settled)
    }

    /// The way from here to an instruction: what must stand in its own slot there is put there.
    pub(super) fn edge(&mut self, running: &mut Running<'p>, event: &mut Event, state: &State, to: usize) -> Option<()> {
        let mut leaving = state.clone();
        for (i, held) in leaving.registers.iter_mut().enumerate() {
            if !running.is_live(to, i) {
                *held = Held::Nothing;
            }
        }
        if let Some(expected) = running.expected.get(to)?.clone() {
            let all = leaving.registers.iter_mut().zip(expected.registers).chain(leaving.values.iter_mut().zip(expected.values));
            for (held, wanted) in all {
                if let Held::In(sort, slot) = wanted
                    && *held != wanted
                    && held.sort() == Some(sort)
                {
                    let src = self.slot_of(held)?;
                    self.push(Op::Put { dst: slot, src });
                    *held = wanted;
                }
            }
        }
        let found = running.found.get_mut(to)?;
        *found = Some(match found.take() {
            Some(other) => other.meet(&leaving, own_slots(&mut self.slots, &mut running.homes, &mut event.homes))?,
            None => leaving,
        });
        Some(())
    }

    /// An operation that jumps there.
    pub(super) fn jump(&mut self, running: &mut Running<'p>, op: Op, to: &[usize]) {
        let step = self.push(op);
        running.open.extend(to.iter().enumerate().map(|(i, to)| (step, i > 0, *to)));
    }

    /// A slot for something in between.
    pub(super) fn spare(&mut self, running: &mut Running<'p>) -> Option<Slot> {
        let slot = self.slots.passing()?;
        running.homes.push(Some(slot));
        Some(slot)
    }

    /// The slot of a register that holds something new now.
    pub(super) fn home(&mut self, running: &mut Running<'p>, register: Reg) -> Option<Slot> {
        own_slots(&mut self.slots, &mut running.homes, &mut [])(true, register as usize)
    }

    /// The register holds what an operation puts into its own slot.
    pub(super) fn hold(&mut self, running: &mut Running<'p>, state: &mut State, dst: Reg, sort: Sort) -> Option<Slot> {
        let slot = self.home(running, dst)?;
        self.set(state, dst, Held::In(sort, slot))?;
        Some(slot)
    }

    pub(super) fn set(&mut self, state: &mut State, dst: Reg, held: Held) -> Option<()> {
        *state.registers.get_mut(dst as usize)? = held;
        Some(())
    }

    /// A slot of the event or of the world is about to change: registers that stand for what it held get it into their own slots.
    pub(super) fn keep_apart(&mut self, running: &mut Running<'p>, state: &mut State, slot: Slot, next: usize) -> Option<()> {
        for i in 0..state.registers.len() {
            let Some(Held::In(sort, held)) = state.registers.get(i).cloned() else { continue };
            if held != slot {
                continue;
            }
            if !running.is_live(next, i) {
                state.registers[i] = Held::Nothing;
                continue;
            }
            let own = self.home(running, i as Reg)?;
            self.push(Op::Put { dst: own, src: slot });
            state.registers[i] = Held::In(sort, own);
        }
        Some(())
    }

    /// Before something else runs that may change the world or the event: no register stands for a slot of these.
    pub(super) fn keep_all_apart(&mut self, running: &mut Running<'p>, state: &mut State, next: usize) -> Option<()> {
        for i in 0..state.registers.len() {
            if let Some(Held::In(_, slot)) = state.registers.get(i)
                && running.homes.get(i).copied().flatten() != Some(*slot)
            {
                let slot = *slot;
                self.keep_apart(running, state, slot, next)?;
            }
        }
        Some(())
    }
}

/// Gives a register (true) or a value of the event its own slot, the same every time.
fn own_slots<'a>(
    slots: &'a mut super::slots::Slots,
    registers: &'a mut [Option<Slot>],
    values: &'a mut [Option<Slot>],
) -> impl FnMut(bool, usize) -> Option<Slot> + 'a {
    move |register, i| {
        let home = if register { registers.get_mut(i)? } else { values.get_mut(i)? };
        if home.is_none() {
            *home = Some(slots.passing()?);
        }
        *home
    }
}
