//! What ends with a scope: timed grants, `once per`, and the part of the history nobody can ask about any more.

use std::ops::Range;
use std::sync::Arc;

use super::Machine;
use super::frame::EventInstance;
use crate::eval::Scratch;
use crate::fault::Res;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::value::Value;
use crate::world::{Ends, Timed};

impl Machine {
    /// The scope is one "of X" if X plays any part in it.
    fn is_of(&self, index: u32, of: &Value) -> bool {
        let Some(event) = self.events.get(index as usize) else {
            return false;
        };
        *of == Value::None || event.values.contains(of) || *of == Value::Obj(event.you)
    }

    pub(super) fn begin_scopes(&mut self, events: Range<u32>) {
        if self.world.used.is_empty() && self.world.timed.is_empty() {
            return;
        }
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            let action = event.action;
            if !event.legal {
                continue;
            }
            self.world.used.retain(|(scope, _)| *scope != action);
            let mut ended = Vec::new();
            for i in 0..self.world.timed.len() {
                let met = |ends: &Ends| matches!(ends, Ends::AtStart { scope, of, .. } if *scope == action && self.is_of(index, of));
                let Some(met) = self.world.timed.get(i).map(|timed| places(&timed.ends, met)) else { continue };
                if self.count_down(i, &met) {
                    ended.push(i);
                }
            }
            self.drop_timed(&ended);
        }
    }

    /// One of the scopes that these ends of a timed grant count is over. True: it was the last one of some end.
    fn count_down(&mut self, timed: usize, ends: &[usize]) -> bool {
        let Some(timed) = self.world.timed.get_mut(timed).filter(|_| !ends.is_empty()) else { return false };
        let mut over = false;
        let timed = Arc::make_mut(timed);
        for at in ends {
            if let Some(Ends::AtStart { left, .. } | Ends::AtEnd { left, .. }) = timed.ends.get_mut(*at) {
                over |= *left == 0;
                *left = left.saturating_sub(1);
            }
        }
        over
    }

    fn drop_timed(&mut self, ended: &[usize]) {
        if ended.is_empty() {
            return;
        }
        self.world.touch();
        let mut i = 0;
        self.world.timed.retain(|_| {
            i += 1;
            !ended.contains(&(i - 1))
        });
    }

    pub(super) fn expire(&mut self, pack: &Loaded, s: &mut Scratch, events: Range<u32>) -> Res<()> {
        let forgets = |e: &EventInstance| pack.forgets.get(e.action.index()).is_some_and(|f| *f);
        let here = self.events.get(events.start as usize..events.end as usize).unwrap_or_default();
        if self.world.used.is_empty() && self.world.timed.is_empty() && !here.iter().any(forgets) {
            return Ok(());
        }
        // Looking comes first: which grants end with the next event of a pattern.
        let mut ended = self.ended_by_event(pack, s, events.clone())?;
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            let action = event.action;
            if !event.legal {
                continue;
            }
            for i in 0..self.world.timed.len() {
                let met = |ends: &Ends| matches!(ends, Ends::AtEnd { scope, of, since, .. } if *scope == action && index >= *since && self.is_of(index, of));
                let Some(met) = self.world.timed.get(i).map(|timed| places(&timed.ends, met)) else { continue };
                if self.count_down(i, &met) {
                    ended.push(i);
                }
            }
            self.world.used.retain(|(scope, _)| *scope != action);
            if pack.forgets.get(action.index()).is_some_and(|f| *f) {
                self.forget(pack, index);
            }
        }
        self.drop_timed(&ended);
        Ok(())
    }

    /// The events from here on are over: what began while they ran waits for the next ones, which will have their numbers.
    pub(super) fn no_longer_running(&mut self, from: u32) {
        for timed in &mut self.world.timed {
            let later = |ends: &Ends| matches!(ends, Ends::AtEnd { since, .. } | Ends::Event { since, .. } if *since > from);
            for at in places(&timed.ends, later) {
                if let Some(Ends::AtEnd { since, .. } | Ends::Event { since, .. }) = Arc::make_mut(timed).ends.get_mut(at) {
                    *since = from;
                }
            }
        }
    }

    /// The statements that granted a keyword are over for one of those who have it, with all that they gave along with it.
    pub(super) fn end_keyword(&mut self, keyword: KeywordId, of: ObjId) {
        let gives = |timed: &Timed| timed.targets.contains(&of) && timed.keywords.iter().any(|(k, _)| *k == keyword);
        if !self.world.timed.iter().any(|timed| gives(timed)) {
            return;
        }
        self.world.touch();
        for timed in self.world.timed.iter_mut().filter(|timed| gives(timed)) {
            Arc::make_mut(timed).targets.retain(|target| *target != of);
        }
        self.world.timed.retain(|timed| !timed.targets.is_empty());
    }

    fn ended_by_event(&self, pack: &Loaded, s: &mut Scratch, events: Range<u32>) -> Res<Vec<usize>> {
        let mut ended = Vec::new();
        for index in events {
            let Some(event) = self.events.get(index as usize) else {
                continue;
            };
            if !event.legal || !event.carried {
                continue;
            }
            for (i, timed) in self.world.timed.iter().enumerate() {
                for ends in &timed.ends {
                    let Ends::Event { action, guard, since } = ends else { continue };
                    if *action != event.action || index < *since {
                        continue;
                    }
                    let view = self.view(pack, Some(index), event.you).seen_by(timed.this);
                    let matches = match guard {
                        Some(guard) => view.is_true_for(s, *guard, &timed.source(), &[])?,
                        None => true,
                    };
                    if matches {
                        ended.push(i);
                    }
                }
            }
        }
        Ok(ended)
    }

    /// Drops entries of the history that no running scope can ask about, now that this one ends.
    fn forget(&mut self, pack: &Loaded, ending: u32) {
        let events = &self.events;
        let asks = |scope: &Option<ActionId>, at: usize| match scope {
            None => true,
            Some(scope) => events.iter().enumerate().any(|(i, e)| i != ending as usize && e.action == *scope && e.log_mark as usize <= at),
        };
        let log = Arc::make_mut(&mut self.world.log);
        for (at, slot) in log.iter_mut().enumerate() {
            let spec = slot.as_ref().and_then(|entry| pack.actions.get(entry.action.index())).and_then(|a| a.log.as_ref());
            if !spec.is_some_and(|spec| spec.scopes.iter().any(|scope| asks(scope, at))) {
                *slot = None;
            }
        }
        while log.last().is_some_and(|slot| slot.is_none()) {
            log.pop();
        }
        let len = log.len() as u32;
        for event in &mut self.events {
            event.log_mark = event.log_mark.min(len);
        }
    }
}

/// Which of the ends are such ones.
fn places(ends: &[Ends], is: impl Fn(&Ends) -> bool) -> Vec<usize> {
    ends.iter().enumerate().filter(|(_, ends)| is(ends)).map(|(at, _)| at).collect()
}
