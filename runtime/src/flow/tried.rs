//! Heads that can be tried where they stand: up to their end they change nothing but their own registers and the values of their event, so that no copy
//! of the machine is needed to find out whether they can be completed.

use crate::bytecode::Instr;
use crate::ids::*;
use crate::operands::{acts_or_asks, targets};
use crate::pack::{Fragment, Pack};

/// For each fragment and instruction: can what follows be tried in place?
#[derive(Debug)]
pub(crate) struct Tried {
    from: Vec<Box<[bool]>>,
}

impl Tried {
    pub fn in_place(&self, frag: FragId, pc: Pc) -> bool {
        self.from.get(frag.index()).and_then(|f| f.get(pc as usize)).is_some_and(|t| *t)
    }
}

pub(crate) fn tried(pack: &Pack, heads: impl Fn(FragId) -> bool) -> Tried {
    // Whether the head of an action can be tried hangs on the actions it calls: what is not known to be impossible is possible.
    let mut actions = vec![true; pack.actions.len()];
    loop {
        let mut changed = false;
        for (i, action) in pack.actions.iter().enumerate() {
            let Some(frag) = action.body.filter(|f| actions[i] && heads(*f)) else { continue };
            let fragment = pack.fragments.get(frag.index());
            let fine = fragment.is_none_or(|f| possible(pack, f, &actions, true).first().is_none_or(|p| *p));
            changed |= !fine;
            actions[i] = fine;
        }
        if !changed {
            break;
        }
    }
    let from = |f: &Fragment| if f.pure { Box::default() } else { possible(pack, f, &actions, false) };
    Tried { from: pack.fragments.iter().map(from).collect() }
}

/// `inside`: it is the head of an event that is itself only tried, so that its frame may go.
fn possible(pack: &Pack, fragment: &Fragment, actions: &[bool], inside: bool) -> Box<[bool]> {
    let mut fine: Vec<bool> = fragment.code.iter().map(|i| allowed(pack, i, actions, inside)).collect();
    loop {
        let mut changed = false;
        for (pc, instr) in fragment.code.iter().enumerate().rev() {
            if fine[pc] && !ends(instr) && !targets(pack, pc, instr).iter().all(|to| fine.get(*to as usize).is_some_and(|f| *f)) {
                fine[pc] = false;
                changed = true;
            }
        }
        if !changed {
            return fine.into();
        }
    }
}

/// Whatever follows is not tried.
fn ends(instr: &Instr) -> bool {
    use Instr as I;
    matches!(instr, I::Mark | I::HeadEnd | I::ScopeEnd { .. } | I::Emit { .. } | I::Return { .. } | I::Todo { .. })
}

fn allowed(pack: &Pack, instr: &Instr, actions: &[bool], inside: bool) -> bool {
    use Instr as I;
    match *instr {
        I::Mark | I::HeadEnd | I::HeadStep | I::ScopeEnd { .. } | I::EvSet { .. } | I::Need { .. } => true,
        I::Choose { .. } | I::Menu { .. } | I::May { .. } | I::Probe { .. } | I::Roll { .. } => true,
        I::Emit { action, .. } => actions.get(action.index()).is_some_and(|a| *a),
        I::Return { .. } => inside,
        I::Call { frag, .. } => pack.fragments.get(frag.index()).is_some_and(|f| f.pure),
        I::CallCode { .. } | I::Expect { .. } | I::Measure { .. } | I::Blame { .. } => false,
        _ => !acts_or_asks(instr),
    }
}
