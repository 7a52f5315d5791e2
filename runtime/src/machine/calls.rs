//! Calling fragments that act: plain calls, stored effects, handlers.

use super::Machine;
use super::frame::{Frame, Parked, Ret, Task};
use super::run::{Acted, Halt};
use crate::eval::{Scratch, Source, object_or_none};
use crate::fault::{Bound, FaultKind, Res, fail, wrong};
use crate::ids::*;
use crate::loaded::{Loaded, or_bad};
use crate::value::Value;
use crate::world::{NOBODY, Used};

/// Everything a new frame has besides its code and arguments.
#[derive(Clone)]
pub(super) struct Setting {
    pub event: Option<u32>,
    pub source: Source,
    pub you: ObjId,
    pub rank: u32,
    pub ret: Ret,
}

pub(super) const NO_SOURCE: Source = Source { this: NOBODY, part: NOBODY, caps: None };

impl Machine {
    pub(super) fn push_frame(
        &mut self,
        pack: &Loaded,
        s: &mut Scratch,
        frag: FragId,
        args: impl IntoIterator<Item = Value>,
        setting: Setting,
    ) -> Res<()> {
        let fragment = pack.fragment(frag)?;
        let base = s.regs.len();
        self.check_room(pack, s, base + fragment.registers as usize)?;
        s.regs.extend(args.into_iter().take(fragment.params as usize));
        s.regs.resize(base + fragment.registers.max(fragment.params) as usize, Value::None);
        self.stack.push(Task::Frame(new_frame(frag, base, setting)));
        Ok(())
    }

    pub(super) fn check_room(&self, pack: &Loaded, s: &Scratch, registers: usize) -> Res<()> {
        if registers > s.limits.memory as usize {
            return fail(FaultKind::Limit(Bound::Memory), "too many values are held at once: something calls itself again and again");
        }
        if self.stack.len() > s.limits.depth as usize * 8 {
            return fail(FaultKind::Limit(Bound::Depth), format!("calls inside calls, without end: {}", self.chain(pack, None)));
        }
        Ok(())
    }

    /// Puts a waiting body on the stack.
    pub(super) fn unpark(&mut self, pack: &Loaded, s: &mut Scratch, parked: Parked) -> Res<()> {
        let fragment = pack.fragment(parked.frame.frag)?;
        let base = s.regs.len();
        self.check_room(pack, s, base + fragment.registers as usize)?;
        s.regs.extend(parked.registers);
        s.regs.resize(base + fragment.registers.max(fragment.params) as usize, Value::None);
        let mut frame = parked.frame;
        frame.base = base as u32;
        self.stack.push(Task::Frame(frame));
        Ok(())
    }

    /// Takes the topmost frame off the stack, to be put back later.
    pub(super) fn park(&mut self, s: &mut Scratch) -> Option<Parked> {
        match self.stack.pop() {
            Some(Task::Frame(frame)) => {
                let registers = s.regs.split_off((frame.base as usize).min(s.regs.len()));
                Some(Parked { frame, registers })
            }
            Some(other) => {
                self.stack.push(other);
                None
            }
            None => None,
        }
    }

    pub(super) fn frame(&self) -> Res<&Frame> {
        match self.stack.last() {
            Some(Task::Frame(frame)) => Ok(frame),
            _ => or_bad(None, "running fragment"),
        }
    }

    pub(super) fn call(&mut self, pack: &Loaded, s: &mut Scratch, dst: Reg, frag: FragId, start: Reg, n: u16) -> Res<Acted> {
        let frame = self.frame()?;
        let setting = Setting { event: frame.event, source: frame.source.clone(), you: frame.you, rank: frame.rank, ret: Ret::Reg(dst) };
        let args = s.range(frame.base as usize, start, n).to_vec();
        self.step_over();
        self.push_frame(pack, s, frag, args, setting)?;
        Ok(Acted::Switch)
    }

    pub(super) fn call_code(&mut self, pack: &Loaded, s: &mut Scratch, dst: Reg, code: Reg, start: Reg, n: u16) -> Res<Acted> {
        let frame = self.frame()?;
        let base = frame.base as usize;
        let Value::Code(frag, this, part) = *s.reg(base, code) else {
            return wrong("only an effect can be carried out");
        };
        let you = self.controller(this).unwrap_or(frame.you);
        let setting =
            Setting { event: frame.event, source: Source::new(this, part), you, rank: self.rank_of(pack, this, part), ret: Ret::Reg(dst) };
        let mut args = vec![object_or_none(this), object_or_none(part)];
        args.extend_from_slice(s.range(base, start, n));
        if !self.use_part(pack, part) {
            return match self.probing {
                Some(_) => Ok(Acted::Halt(Halt::Illegal)),
                None => {
                    s.set(base, dst, Value::None);
                    Ok(Acted::Next)
                }
            };
        }
        self.step_over();
        self.push_frame(pack, s, frag, args, setting)?;
        Ok(Acted::Switch)
    }

    /// Notes the use of a part that works once per scope. False: it is used up. Several lines of one event may use it together.
    pub(super) fn use_part(&mut self, pack: &Loaded, part: ObjId) -> bool {
        let once = self.world.get(part).and_then(|o| o.card).and_then(|c| pack.cards.get(c.index())).and_then(|c| c.once);
        let Some(scope) = once else { return true };
        if self.world.is_used(Used::Part { part }) {
            return self.events.iter().any(|e| e.parts_used.contains(&part));
        }
        self.world.use_up(scope, Used::Part { part });
        if let Some(event) = self.events.last_mut() {
            event.parts_used.push(part);
        }
        true
    }

    pub(super) fn controller(&self, this: ObjId) -> Option<ObjId> {
        self.world.get(this).map(|o| o.controller).filter(|c| *c != NOBODY)
    }

    fn rank_of(&self, pack: &Loaded, this: ObjId, part: ObjId) -> u32 {
        let object = self.world.get(part).or_else(|| self.world.get(this));
        object.and_then(|o| pack.kinds.get(o.kind.index())).map_or(0, |k| k.rank)
    }
}

pub(super) fn new_frame(frag: FragId, base: usize, setting: Setting) -> Frame {
    Frame {
        frag,
        pc: 0,
        base: base as u32,
        event: setting.event,
        source: setting.source,
        you: setting.you,
        rank: setting.rank,
        ret: setting.ret,
        guard: None,
        scopes: 0,
        together: None,
    }
}
