//! Heads that can be tried where they stand: up to their end they change nothing but their own registers, the values of their event and the world, all of
//! which can be put back, so that no copy of the machine is needed to find out whether they can be completed.

use rustc_hash::FxHashMap;

use crate::bytecode::Instr;
use crate::ids::*;
use crate::operands::{acts, acts_or_asks, operands, targets};
use crate::pack::{Fragment, Pack};

/// What has to be put back when a head was tried in place.
#[derive(Debug)]
pub(crate) struct Trial {
    /// Registers that are written on the way.
    pub writes: Box<[Reg]>,
    /// The world may change.
    pub acts: bool,
}

/// Every place from which a head is tried, if that can be done in place.
#[derive(Debug)]
pub(crate) struct Tried {
    from: FxHashMap<(FragId, Pc), Trial>,
}

impl Tried {
    pub fn in_place(&self, frag: FragId, pc: Pc) -> Option<&Trial> {
        self.from.get(&(frag, pc))
    }
}

/// What is known of the heads of actions.
#[derive(Clone, Copy)]
struct Head {
    possible: bool,
    acts: bool,
}

pub(crate) fn tried(pack: &Pack, heads: impl Fn(FragId) -> bool) -> Tried {
    // Whether the head of an action can be tried hangs on the actions it calls: what is not known to be impossible is possible.
    let mut actions = vec![Head { possible: true, acts: false }; pack.actions.len()];
    loop {
        let mut changed = false;
        for (i, action) in pack.actions.iter().enumerate() {
            let Some(frag) = action.body.filter(|f| actions[i].possible && heads(*f)) else { continue };
            let Some(fragment) = pack.fragments.get(frag.index()) else { continue };
            let possible = possible(pack, fragment, &actions, true).first().is_none_or(|p| *p);
            let acts = trial(pack, fragment, 0, &actions).acts;
            changed |= possible != actions[i].possible || acts != actions[i].acts;
            actions[i] = Head { possible, acts };
        }
        if !changed {
            break;
        }
    }
    let mut from = FxHashMap::default();
    for (f, fragment) in pack.fragments.iter().enumerate().filter(|(_, f)| !f.pure) {
        let mut starts: Vec<Pc> = fragment.code.iter().enumerate().flat_map(|(pc, instr)| starts(pack, pc as Pc, instr)).collect();
        if starts.is_empty() {
            continue;
        }
        starts.sort_unstable();
        starts.dedup();
        let possible = possible(pack, fragment, &actions, false);
        for pc in starts.into_iter().filter(|pc| possible.get(*pc as usize).is_some_and(|p| *p)) {
            from.insert((FragId(f as u32), pc), trial(pack, fragment, pc, &actions));
        }
    }
    Tried { from }
}

/// From where this instruction has heads tried.
fn starts(pack: &Pack, pc: Pc, instr: &Instr) -> Vec<Pc> {
    match *instr {
        Instr::Choose { .. } | Instr::May { .. } | Instr::Probe { .. } => vec![pc + 1],
        Instr::Menu { menu, .. } => pack.menus.get(menu.index()).map_or_else(Vec::new, |menu| menu.lines.clone()),
        _ => Vec::new(),
    }
}

/// What is written and changed from here to the end of the head.
fn trial(pack: &Pack, fragment: &Fragment, from: Pc, actions: &[Head]) -> Trial {
    let mut seen = vec![false; fragment.code.len()];
    let mut todo = vec![from as usize];
    let mut writes: Vec<Reg> = Vec::new();
    let mut changes = false;
    while let Some(pc) = todo.pop() {
        let Some(instr) = fragment.code.get(pc).filter(|_| !seen[pc]) else { continue };
        seen[pc] = true;
        writes.extend(operands(pack, instr).writes);
        changes |= match *instr {
            Instr::Emit { action, .. } => actions.get(action.index()).is_none_or(|a| a.acts),
            // Whose order was not known may turn out to be.
            Instr::Top { .. } => true,
            _ => acts(pack, instr),
        };
        if !ends(instr) {
            todo.extend(targets(pack, pc, instr).into_iter().map(|to| to as usize));
        }
    }
    writes.sort_unstable();
    writes.dedup();
    Trial { writes: writes.into(), acts: changes }
}

/// `inside`: it is the head of an event that is itself only tried, so that its frame may go.
fn possible(pack: &Pack, fragment: &Fragment, actions: &[Head], inside: bool) -> Box<[bool]> {
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

fn allowed(pack: &Pack, instr: &Instr, actions: &[Head], inside: bool) -> bool {
    use Instr as I;
    match *instr {
        I::Mark | I::HeadEnd | I::HeadStep | I::ScopeEnd { .. } | I::EvSet { .. } | I::Need { .. } => true,
        I::Choose { .. } | I::Menu { .. } | I::May { .. } | I::Probe { .. } | I::Roll { .. } => true,
        I::Pay { .. } | I::PayCards { .. } | I::Set { .. } | I::Top { .. } => true,
        I::Emit { action, .. } => actions.get(action.index()).is_some_and(|a| a.possible),
        I::Return { .. } => inside,
        I::Call { frag, .. } => pack.fragments.get(frag.index()).is_some_and(|f| f.pure),
        // A stored choice only looks. Where it turns out to be an effect, the trial is given up.
        I::CallCode { .. } => true,
        I::Expect { .. } | I::Measure { .. } | I::Blame { .. } => false,
        _ => !acts_or_asks(instr),
    }
}
