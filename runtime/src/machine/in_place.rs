//! Phases written in place that are replaced: the rule runs in the middle of the fragment, and `proceed` runs the part of it that is the phase.

use super::Machine;
use super::batch::no_event;
use super::calls::new_frame;
use super::frame::{Form, Frame, Ret, Task};
use super::run::Acted;
use crate::bytecode::Instr;
use crate::eval::Scratch;
use crate::fault::{Res, bad_pack};
use crate::ids::*;
use crate::loaded::Loaded;

impl Machine {
    /// The fragment that the phase of this event is written in, by its place on the stack.
    pub(super) fn written_in(&self, event: u32) -> Option<usize> {
        let opening = |task: &Task| matches!(task, Task::Batch(b) if b.form == Form::Opening && b.first == event);
        self.stack.iter().rposition(opening)?.checked_sub(1)
    }

    fn frame_at(&mut self, at: usize) -> Res<&mut Frame> {
        match self.stack.get_mut(at) {
            Some(Task::Frame(frame)) => Ok(frame),
            _ => bad_pack("a phase that is written nowhere"),
        }
    }

    /// Where the phase begins and, if nothing leaves it sooner, ends.
    fn extent(pack: &Loaded, frame: &Frame, action: ActionId) -> Res<(usize, usize)> {
        let code = &pack.fragment(frame.frag)?.code;
        let begins = |i: &Instr| matches!(i, Instr::ScopeBegin { action: a, .. } if *a == action);
        let ends = |i: &Instr| matches!(i, Instr::ScopeEnd { action: a } if *a == action);
        let begin = code.iter().take(frame.pc as usize).rposition(begins);
        let end = begin.and_then(|begin| code.iter().skip(begin).position(ends).map(|n| begin + n));
        match (begin, end) {
            (Some(begin), Some(end)) => Ok((begin + 1, end)),
            _ => bad_pack("a phase without an end"),
        }
    }

    /// The rules that replace the phase have run: the fragment goes on at its end.
    pub(super) fn pass_phase(&mut self, pack: &Loaded, event: u32) -> Res<()> {
        let (Some(at), Some(instance)) = (self.written_in(event), self.events.get(event as usize)) else { return no_event() };
        let (action, carried) = (instance.action, instance.carried);
        let frame = self.frame_at(at)?;
        if !carried {
            frame.pc = Self::extent(pack, frame, action)?.1 as Pc;
        }
        frame.scopes += 1;
        Ok(())
    }

    /// `proceed`: the part of the fragment that is the phase, on a copy of its registers.
    pub(super) fn run_phase(&mut self, pack: &Loaded, s: &mut Scratch, event: u32) -> Res<()> {
        let (Some(at), Some(instance)) = (self.written_in(event), self.events.get(event as usize)) else { return no_event() };
        let action = instance.action;
        let frame = self.frame_at(at)?;
        let (begin, end) = Self::extent(pack, frame, action)?;
        // If the phase is cut short, this is where the fragment goes on.
        frame.pc = end as Pc;
        let setting = super::calls::Setting {
            event: frame.event,
            source: frame.source.clone(),
            you: frame.you,
            rank: frame.rank,
            ret: Ret::InPlace(at as u32),
        };
        let (frag, from) = (frame.frag, frame.base as usize);
        let count = pack.fragment(frag)?.registers as usize;
        let base = s.regs.len();
        self.check_room(pack, s, base + count)?;
        let held = s.regs.get(from..from + count).unwrap_or_default().to_vec();
        s.regs.extend(held);
        let mut copy = new_frame(frag, base, setting);
        copy.pc = begin as Pc;
        self.stack.push(Task::Frame(copy));
        Ok(())
    }

    /// The phase is over, or left: what it holds goes back to the fragment it is written in, which goes on from here.
    pub(super) fn leave_phase(&mut self, s: &mut Scratch, at: u32) -> Res<Acted> {
        let Some(Task::Frame(copy)) = self.stack.pop() else { return no_event() };
        let held = s.regs.split_off((copy.base as usize).min(s.regs.len()));
        let frame = self.frame_at(at as usize)?;
        frame.pc = copy.pc;
        let from = frame.base as usize;
        if let Some(slots) = s.regs.get_mut(from..from + held.len()) {
            slots.clone_from_slice(&held);
        }
        Ok(Acted::Switch)
    }
}
