//! Timed grants: a snapshot of who and how much, hung on the targets.

use std::sync::Arc;

use super::Machine;
use crate::eval::Scratch;
use crate::fault::{Bound, FaultKind, Res, fail, wrong};
use crate::ids::*;
use crate::loaded::{Loaded, or_bad};
use crate::num;
use crate::pack::Lasts;
use crate::value::Value;
use crate::world::{Ends, NOBODY, Timed};

impl Machine {
    pub(super) fn grant(&mut self, pack: &Loaded, s: &mut Scratch, base: usize, spec: GrantId, targets: Reg, start: Reg) -> Res<()> {
        let spec = or_bad(pack.grants.get(spec.index()), "grant")?;
        let frame = self.frame()?;
        let (this, part) = frame.source.age();
        let (rank, event, you) = (frame.rank, frame.event, frame.you);
        let targets = match s.reg(base, targets) {
            Value::Obj(id) => vec![*id],
            other => {
                let items = self.view(pack, event, you).items(other)?;
                items.iter().filter_map(|v| if let Value::Obj(id) = v { Some(*id) } else { None }).collect()
            }
        };
        if targets.is_empty() {
            return Ok(());
        }
        if self.world.timed.len() >= s.limits.list_length as usize {
            return fail(FaultKind::Limit(Bound::Memory), "too many modifiers are in force at once");
        }
        let mut next = start;
        let mut take = || {
            let value = s.reg(base, next).clone();
            next = next.saturating_add(1);
            value
        };
        let mods = spec.mods.iter().map(|(field, op)| (*field, *op, take())).collect();
        let mut keywords = Vec::with_capacity(spec.keywords.len());
        for (keyword, numbered) in &spec.keywords {
            keywords.push((*keyword, if *numbered { num::int(&take())? } else { 1 }));
        }
        let mut bundles: Vec<_> = spec.bundles.iter().map(|b| (*b, None)).collect();
        for _ in 0..spec.rules {
            let given = take();
            for one in if let Value::List(items) = &given { &items[..] } else { std::slice::from_ref(&given) } {
                match one {
                    Value::Rules(bundle, this, part) => bundles.push((*bundle, (*this != NOBODY).then_some((*this, *part)))),
                    Value::None => {}
                    other => {
                        return wrong(format!("only rules can be put in force, not {}", num::sort(other)));
                    }
                }
            }
        }
        let running = self.events.len() as u32;
        let mut ends = Vec::with_capacity(spec.lasts.len());
        for lasts in &spec.lasts {
            ends.push(match *lasts {
                Lasts::Until { at_end, scope, skip_running, of } => {
                    let of = if of { take() } else { Value::None };
                    match at_end {
                        true => Ends::AtEnd { scope, of, left: 0, since: if skip_running { running } else { 0 } },
                        false => Ends::AtStart { scope, of, left: 0 },
                    }
                }
                Lasts::Scopes { scope } => {
                    let count = num::int(&take())?.clamp(0, u32::MAX as i64) as u32;
                    if count == 0 {
                        return Ok(());
                    }
                    Ends::AtEnd { scope, of: Value::None, left: count - 1, since: 0 }
                }
                Lasts::Event { action, guard } => Ends::Event { action, guard, since: running },
                Lasts::While { cond } => Ends::While { cond },
            });
        }
        let caps = (spec.captures > 0).then(|| (0..spec.captures).map(|_| take()).collect());
        let timed = Timed { targets, mods, keywords, bundles, rank, this, part, caps, ends };
        self.world.timed.push(Arc::new(timed));
        self.world.touch();
        self.acted = true;
        Ok(())
    }
}
