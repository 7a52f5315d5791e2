//! Values of an event that nobody but its own body looks at. Where the body does not read them again they no longer matter, and ways that differ only in
//! them are one.

use rustc_hash::FxHashSet;

use crate::bytecode::Instr;
use crate::ids::*;
use crate::operands::targets;
use crate::pack::{Fragment, Lasts, Pack, Rule, When};
use crate::value::Value;

/// For each action: the values of its events that still matter at each instruction of its body, one bit for each. Values beyond the 64th always do.
#[derive(Debug)]
pub(crate) struct Private {
    actions: Vec<Option<Body>>,
}

#[derive(Debug)]
struct Body {
    frag: FragId,
    /// Values that somebody else may read too.
    public: u64,
    live: Vec<u64>,
}

impl Private {
    /// Which values of an event still matter when its body stands there.
    #[inline]
    pub fn live(&self, action: ActionId, frag: FragId, pc: usize) -> u64 {
        match self.actions.get(action.index()) {
            Some(Some(body)) if body.frag == frag => body.public | body.live.get(pc).copied().unwrap_or(u64::MAX),
            _ => u64::MAX,
        }
    }

    /// And which when it is over.
    pub fn live_at_last(&self, action: ActionId) -> u64 {
        match self.actions.get(action.index()) {
            Some(Some(body)) => body.public,
            _ => u64::MAX,
        }
    }
}

pub(crate) fn private(pack: &Pack) -> Private {
    let readers = Readers::of(pack);
    let mut replaced = RunsFor::default();
    for rule in pack.bundles.iter().flat_map(|b| &b.rules) {
        if let Rule::Handler { when: When::Instead, actions, .. } = rule {
            replaced.any |= actions.is_empty();
            replaced.actions.extend(actions);
        }
    }
    let scopes: FxHashSet<ActionId> = pack.grants.iter().flat_map(|g| &g.lasts).filter_map(ends_with).collect();
    let body = |id: ActionId| {
        let action = pack.actions.get(id.index())?;
        let frag = action.body?;
        let fragment = pack.fragments.get(frag.index())?;
        // A body that is replaced may be carried out again; whom a scope is "of" is looked for among all its values.
        if fragment.code.iter().any(goes_elsewhere) || replaced.has(id) || scopes.contains(&id) || readers.shared.contains(&frag) {
            return None;
        }
        let logged = action.log.iter().flat_map(|log| &log.fields).chain(&action.by).fold(0, |bits, f| bits | bit(*f));
        Some(Body { frag, public: logged | readers.of_action.get(id.index())?, live: live_values(pack, fragment) })
    };
    Private { actions: (0..pack.actions.len() as u32).map(|id| body(ActionId(id))).collect() }
}

/// The scope that something lasts for.
fn ends_with(lasts: &Lasts) -> Option<ActionId> {
    match lasts {
        Lasts::Until { scope, .. } | Lasts::Scopes { scope } => Some(*scope),
        _ => None,
    }
}

/// All beyond the 64th share what is never forgotten: no bit at all.
fn bit(field: u16) -> u64 {
    1u64.checked_shl(field as u32).unwrap_or(0)
}

/// Leaves the straight way in manners that `targets` does not tell.
fn goes_elsewhere(instr: &Instr) -> bool {
    matches!(instr, Instr::May { .. } | Instr::Menu { .. } | Instr::Probe { .. } | Instr::ScopeBegin { .. } | Instr::Statement)
}

/// For each instruction, the values that are read from there on.
fn live_values(pack: &Pack, fragment: &Fragment) -> Vec<u64> {
    let mut live = vec![0u64; fragment.code.len()];
    loop {
        let mut changed = false;
        for (pc, instr) in fragment.code.iter().enumerate().rev() {
            let after = targets(pack, pc, instr).iter().fold(0, |bits, to| bits | live.get(*to as usize).copied().unwrap_or(0));
            let here = match *instr {
                Instr::EvGet { field, .. } => after | bit(field),
                Instr::EvSet { field, .. } => after & !bit(field),
                _ => after,
            };
            changed |= live[pc] != here;
            live[pc] = here;
        }
        if !changed {
            return live;
        }
    }
}

/// On events of which actions a fragment may run.
#[derive(Clone, Default, PartialEq)]
struct RunsFor {
    any: bool,
    actions: FxHashSet<ActionId>,
}

/// What runs for more actions than this counts as running for any: knowing less only means merging less.
const MOST_ACTIONS: usize = 64;

impl RunsFor {
    fn has(&self, action: ActionId) -> bool {
        self.any || self.actions.contains(&action)
    }

    /// Did that add anything?
    fn add(&mut self, other: &RunsFor) -> bool {
        if self.any {
            return false;
        }
        let before = self.actions.len();
        self.any = other.any;
        self.actions.extend(&other.actions);
        self.any |= self.actions.len() > MOST_ACTIONS;
        self.any || self.actions.len() != before
    }
}

/// Who reads values of events, besides the bodies of their actions.
struct Readers {
    /// For each action, the values of its events that others read.
    of_action: Vec<u64>,
    /// Bodies that run in another way too.
    shared: FxHashSet<FragId>,
}

impl Readers {
    fn of(pack: &Pack) -> Readers {
        let mut runs = vec![RunsFor::default(); pack.fragments.len()];
        let mut mark = |frag: FragId, actions: &[ActionId]| {
            if let Some(runs) = runs.get_mut(frag.index()) {
                runs.any |= actions.is_empty();
                runs.actions.extend(actions);
            }
        };
        each_root(pack, &mut mark);
        // What runs in any other way than as the body of one action.
        let bodies: Vec<FragId> = pack.actions.iter().filter_map(|a| a.body).collect();
        let mut shared: FxHashSet<FragId> = FxHashSet::default();
        let mut seen: FxHashSet<FragId> = FxHashSet::default();
        shared.extend(bodies.iter().filter(|body| !seen.insert(**body)));
        shared.extend(bodies.iter().filter(|body| runs.get(body.index()).is_some_and(|r| *r != RunsFor::default())));
        let called: FxHashSet<FragId> = pack.fragments.iter().flat_map(|f| f.code.iter().filter_map(names)).collect();
        shared.extend(bodies.iter().filter(|body| called.contains(body)));
        for (id, action) in pack.actions.iter().enumerate() {
            if let Some(runs) = action.body.and_then(|body| runs.get_mut(body.index())) {
                runs.actions.insert(ActionId(id as u32));
            }
        }
        // A term runs wherever one runs that names it, over as many steps as it takes.
        let mut todo: Vec<usize> = (0..pack.fragments.len()).collect();
        while let Some(f) = todo.pop() {
            let Some(from) = runs.get(f).cloned() else { continue };
            for named in pack.fragments[f].code.iter().filter_map(names) {
                if runs.get_mut(named.index()).is_some_and(|to| to.add(&from)) {
                    todo.push(named.index());
                }
            }
        }
        let mut of_action = vec![0u64; pack.actions.len()];
        let mut of_any = 0u64;
        for (f, (fragment, runs)) in pack.fragments.iter().zip(&runs).enumerate() {
            let mut read = 0u64;
            for instr in &fragment.code {
                match *instr {
                    Instr::EvGet { field, .. } | Instr::EvMod { field, .. } => read |= bit(field),
                    Instr::ScopeGet { action, field, .. } => {
                        if let Some(public) = of_action.get_mut(action.index()) {
                            *public |= bit(field);
                        }
                    }
                    _ => {}
                }
            }
            of_any |= if runs.any { read } else { 0 };
            for id in &runs.actions {
                let own = pack.actions.get(id.index()).is_some_and(|a| a.body == Some(FragId(f as u32)));
                if let Some(public) = of_action.get_mut(id.index()).filter(|_| !own) {
                    *public |= read;
                }
            }
        }
        of_action.iter_mut().for_each(|public| *public |= of_any);
        Readers { of_action, shared }
    }
}

/// The fragment that an instruction runs.
fn names(instr: &Instr) -> Option<FragId> {
    match instr {
        Instr::Call { frag, .. } | Instr::Each { frag, .. } => Some(*frag),
        _ => None,
    }
}

/// Every fragment that the tables of a pack name, bodies of actions left out, and the actions on whose events it runs; none: any.
fn each_root(pack: &Pack, mark: &mut impl FnMut(FragId, &[ActionId])) {
    for rule in pack.bundles.iter().flat_map(|b| &b.rules) {
        match rule {
            Rule::Handler { actions, guard, body, .. } => {
                mark(*body, actions);
                guard.iter().for_each(|guard| mark(*guard, actions));
            }
            Rule::Cannot { actions, choose, guard, .. } => guard.iter().for_each(|guard| mark(*guard, if *choose { &[] } else { actions })),
            Rule::Grant { who, cond, mods, keywords, rules, .. } => {
                let terms = mods.iter().map(|m| m.value).chain(keywords.iter().filter_map(|(_, value)| *value));
                terms.chain(*who).chain(*cond).chain(rules.iter().copied()).for_each(|term| mark(term, &[]));
            }
        }
    }
    for field in &pack.fields {
        [field.default, field.low, field.high].into_iter().flatten().for_each(|term| mark(term, &[]));
    }
    for grant in &pack.grants {
        grant.lasts.iter().for_each(|lasts| match *lasts {
            Lasts::While { cond } => mark(cond, &[]),
            Lasts::Event { guard: Some(guard), .. } => mark(guard, &[]),
            _ => {}
        });
    }
    pack.facts.iter().filter_map(|f| f.default).for_each(|term| mark(term, &[]));
    pack.chooses.iter().flat_map(|c| [c.keep, c.such_that, c.any_place]).flatten().for_each(|term| mark(term, &[]));
    pack.limits.iter().map(|l| l.body).chain(pack.tests.iter().map(|t| t.body)).for_each(|body| mark(body, &[]));
    // Stored effects are carried out wherever somebody likes.
    let printed = pack.cards.iter().flat_map(|c| c.values.iter().map(|(_, v)| v));
    let set = pack.options.iter().map(|o| &o.value).chain(pack.tests.iter().flat_map(|t| t.with.iter().map(|(_, v)| v)));
    pack.consts.iter().chain(printed).chain(set).for_each(|value| {
        value.each(&mut |part| {
            if let Value::Code(code, ..) = part {
                mark(*code, &[]);
            }
        });
    });
}
