//! Menus and `may`: only what is legal is offered.

use super::Machine;
use super::answers::Then;
use super::frame::{Guard, Task};
use super::run::{Acted, Halt};
use crate::eval::Scratch;
use crate::fault::Res;
use crate::ids::*;
use crate::loaded::{Loaded, or_bad};
use crate::question::Ask;

impl Machine {
    pub(super) fn menu(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, menu: MenuId, who: Reg) -> Res<Acted> {
        let spec = or_bad(pack.menus.get(menu.index()), "menu")?;
        let mut lines = Vec::new();
        let mut labels = Vec::new();
        for (i, line) in spec.lines.iter().enumerate() {
            if self.could(pack, s, *line, None)? {
                if self.probing.is_some() {
                    return Ok(Acted::Halt(Halt::Legal));
                }
                lines.push(*line);
                labels.push(spec.labels.get(i).map_or("", |l| pack.text(*l)).to_owned());
            }
        }
        match lines[..] {
            [] => Ok(Acted::Jump(spec.none)),
            [only] => {
                self.enter(pack, only, spec.none);
                Ok(Acted::Jump(only))
            }
            _ => {
                let who = self.who(s, base, who)?;
                let name = pack.site_words(spec.site).to_owned();
                self.ask(pack, name, who, Ask::Menu { labels }, Then::Menu { lines, none: spec.none });
                Ok(Acted::Halt(Halt::Asked))
            }
        }
    }

    pub(super) fn may(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, spec: MenuId, who: Reg, no: Pc) -> Res<Acted> {
        if self.probing.is_some() {
            return Ok(Acted::Jump(no));
        }
        let next = self.frame()?.pc + 1;
        if !self.could(pack, s, next, None)? {
            return Ok(Acted::Jump(no));
        }
        let spec = or_bad(pack.menus.get(spec.index()), "menu")?;
        let who = self.who(s, base, who)?;
        let label = spec.labels.first().map_or("", |l| pack.text(*l));
        let name = if label.is_empty() { pack.site_words(spec.site) } else { label };
        self.ask(pack, name.to_owned(), who, Ask::YesNo, Then::May { no });
        Ok(Acted::Halt(Halt::Asked))
    }

    /// Goes into the head of a line; if it cannot be completed after all, everything is as before and the fragment goes on at `out`.
    pub(super) fn enter(&mut self, pack: &Loaded, at: Pc, out: Pc) {
        let world = if self.head_acts(pack, at) && !self.cannot_fail(pack, at) { Some(self.world.clone()) } else { None };
        if let Some(Task::Frame(frame)) = self.stack.last_mut() {
            frame.guard = Some(Box::new(Guard { world, to: out }));
        }
    }
}
