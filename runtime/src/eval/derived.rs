//! What was found out about a world and still holds: fields with their modifiers, who carries which rules, what long terms came to, and that no rule
//! `at end of any event` is due. Everything here could be worked out again: remembering changes nothing but the time.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{Due, Scratch, Source, View};
use crate::bytecode::Fun;
use crate::fault::Res;
use crate::ids::*;
use crate::machine::InForce;
use crate::value::Value;
use crate::world::{Used, World};

/// A power of two: where a value is kept follows from whose it is.
const SLOTS: usize = 512;
/// The same for terms, which are asked of every candidate of a choice.
const TERMS: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct Derived {
    values: Vec<Known>,
    holders: Vec<Holders>,
    /// For each action and when: the rules that have their turn then, with their holders.
    in_force: Vec<InForceThen>,
    /// For each fragment: it has taken long before.
    long: Vec<bool>,
    terms: Vec<Option<Term>>,
    unchecked: Vec<Unchecked>,
    /// For each kind: who of it is in play, and the shape of the world it was so in.
    in_play: Vec<(u64, Arc<[Value]>)>,
    /// The last lists of spots: menus ask for the same ones as the choices behind them.
    spots: Vec<Spots>,
}

#[derive(Clone, Debug)]
struct Spots {
    holds: Holds,
    you: ObjId,
    args: Box<[Value]>,
    found: Value,
}

const LISTS_OF_SPOTS: usize = 4;

/// What a term came to.
#[derive(Clone, Debug)]
struct Term {
    holds: Holds,
    frag: FragId,
    you: ObjId,
    args: Box<[Value]>,
    value: Value,
}

/// Something is the same until what it looks at changes: anything but state, or the state of fields of some groups.
#[derive(Clone, Debug)]
struct Holds {
    shape: u64,
    groups: u64,
    marks: Box<[u64]>,
}

impl Holds {
    fn now(world: &World, groups: u64) -> Holds {
        Holds { shape: world.shape(), groups, marks: world.marks().each(groups).collect() }
    }

    fn still(&self, world: &World) -> bool {
        self.shape == world.shape() && world.marks().each(self.groups).eq(self.marks.iter().copied())
    }
}

/// No rule `at end of any event` was due, for an event of this player and with this used up.
#[derive(Clone, Debug)]
struct Unchecked {
    you: ObjId,
    holds: Holds,
    used: Vec<(ActionId, Used)>,
}

/// A term that takes fewer steps is worked out again sooner than looked up.
const LONG: u64 = 200;

#[derive(Clone, Debug)]
struct Known {
    stamp: u64,
    of: ObjId,
    field: FieldId,
    you: ObjId,
    value: Value,
}

#[derive(Clone, Debug, Default)]
struct Holders {
    stamp: u64,
    you: ObjId,
    found: Option<Arc<[Source]>>,
}

#[derive(Clone, Debug, Default)]
struct InForceThen {
    stamp: u64,
    you: ObjId,
    found: Option<InForce>,
}

fn slot_of_rules(action: ActionId, due: Due) -> usize {
    action.index() * 5 + due as usize
}

fn slot(of: ObjId, field: FieldId) -> usize {
    (of.0 as usize).wrapping_mul(31).wrapping_add((field.0 as usize).wrapping_mul(17)) % SLOTS
}

fn slot_of_term(frag: FragId, args: &[Value]) -> usize {
    let mut hasher = FxHasher::default();
    (frag, args).hash(&mut hasher);
    hasher.finish() as usize % TERMS
}

impl Derived {
    /// What another machine that came of the same one may know: what holds wherever the same is true.
    pub(crate) fn handed_on(self) -> Derived {
        Derived { terms: self.terms, long: self.long, ..Derived::default() }
    }

    /// A field with its modifiers.
    #[inline]
    pub(super) fn value(&self, stamp: u64, you: ObjId, of: ObjId, field: FieldId) -> Option<&Value> {
        let known = self.values.get(slot(of, field))?;
        let same = known.stamp == stamp && known.of == of && known.field == field && known.you == you;
        same.then_some(&known.value)
    }
}

impl View<'_> {
    /// A term called from another, its arguments in registers of the caller.
    pub(super) fn call_term(&self, s: &mut Scratch, frag: FragId, args: (usize, Reg, u16)) -> Res<Value> {
        if !s.derived.long.get(frag.index()).is_some_and(|l| *l) || !s.finding.is_empty() || s.in_circle(self.pack) {
            let before = s.fuel;
            let value = self.eval_captured(s, frag, args, &[])?;
            if before.saturating_sub(s.fuel) >= LONG && self.pack.stable().term(frag) {
                s.derived.long.resize(self.pack.fragments.len(), false);
                s.derived.terms.resize(TERMS, None);
                s.derived.long[frag.index()] = true;
            }
            return Ok(value);
        }
        let given = s.range(args.0, args.1, args.2);
        let slot = slot_of_term(frag, given);
        if let Some(Some(term)) = s.derived.terms.get(slot)
            && term.frag == frag
            && term.you == self.you
            && *term.args == *given
            && term.holds.still(self.world)
        {
            return Ok(term.value.clone());
        }
        let given: Box<[Value]> = given.into();
        let value = self.eval_captured(s, frag, args, &[])?;
        if let Some(slot) = s.derived.terms.get_mut(slot) {
            let holds = Holds::now(self.world, self.pack.stable().groups(frag));
            *slot = Some(Term { holds, frag, you: self.you, args: given, value: value.clone() });
        }
        Ok(value)
    }

    /// All objects in play of a kind, oldest first, listed anew only if something but state has changed since.
    pub(super) fn all_of(&self, s: &mut Scratch, kind: KindId) -> Res<Value> {
        let shape = self.world.shape();
        if let Some((known, all)) = s.derived.in_play.get(kind.index())
            && *known == shape
        {
            return Ok(Value::List(all.clone()));
        }
        s.charge(self.world.len())?;
        let all = self.world.in_play().filter(|(_, o)| self.pack.is_kind(o.kind, kind)).map(|(id, _)| Value::Obj(id));
        let all: Arc<[Value]> = all.collect();
        if s.derived.in_play.is_empty() {
            s.derived.in_play.resize(self.pack.kinds.len(), (0, Arc::new([])));
        }
        if let Some(slot) = s.derived.in_play.get_mut(kind.index()) {
            *slot = (shape, all.clone());
        }
        Ok(Value::List(all))
    }

    /// Spots for a piece, found anew only if something has moved or changed its shape since.
    pub(super) fn known_spots(&self, s: &mut Scratch, args: &[Value]) -> Res<Value> {
        let groups = self.pack.stable().spots().filter(|_| s.finding.is_empty() && !s.in_circle(self.pack));
        let Some(groups) = groups else { return self.on_table(s, Fun::Spots, args) };
        let same = |known: &&Spots| known.you == self.you && *known.args == *args && known.holds.still(self.world);
        if let Some(known) = s.derived.spots.iter().find(same) {
            return Ok(known.found.clone());
        }
        let found = self.on_table(s, Fun::Spots, args)?;
        if s.derived.spots.len() >= LISTS_OF_SPOTS {
            s.derived.spots.remove(0);
        }
        s.derived.spots.push(Spots { holds: Holds::now(self.world, groups), you: self.you, args: args.into(), found: found.clone() });
        Ok(found)
    }

    pub(super) fn remember_value(&self, s: &mut Scratch, of: ObjId, field: FieldId, value: &Value) {
        // Inside a search for holders some do not count yet.
        if !s.finding.is_empty() || !self.pack.stable().field(field) {
            return;
        }
        let known = Known { stamp: self.world.stamp(), of, field, you: self.you, value: value.clone() };
        if s.derived.values.is_empty() {
            let nothing = Known { stamp: 0, of: ObjId(0), field: FieldId(0), you: ObjId(0), value: Value::None };
            s.derived.values.resize(SLOTS, nothing);
        }
        if let Some(slot) = s.derived.values.get_mut(slot(of, field)) {
            *slot = known;
        }
    }

    pub(super) fn known_in_force(&self, s: &mut Scratch, action: ActionId, due: Due) -> Option<InForce> {
        let known = s.derived.in_force.get(slot_of_rules(action, due))?;
        if known.stamp != self.world.stamp() || known.you != self.you || !s.finding.is_empty() || s.in_circle(self.pack) {
            return None;
        }
        known.found.clone()
    }

    pub(super) fn remember_in_force(&self, s: &mut Scratch, action: ActionId, due: Due, found: &InForce) {
        let lasting = || due.rules(self.pack, action).iter().all(|at| self.pack.stable().bundle(at.bundle));
        if !s.finding.is_empty() || s.in_circle(self.pack) || self.may_lose_keywords() || !lasting() {
            return;
        }
        if s.derived.in_force.is_empty() {
            s.derived.in_force.resize(self.pack.actions.len() * 5, InForceThen::default());
        }
        if let Some(slot) = s.derived.in_force.get_mut(slot_of_rules(action, due)) {
            *slot = InForceThen { stamp: self.world.stamp(), you: self.you, found: Some(found.clone()) };
        }
    }

    #[inline]
    pub(super) fn known_holders(&self, s: &mut Scratch, bundle: BundleId) -> Option<Arc<[Source]>> {
        let known = s.derived.holders.get(bundle.index())?;
        if known.stamp != self.world.stamp() || known.you != self.you || !s.finding.is_empty() || s.in_circle(self.pack) {
            return None;
        }
        known.found.clone()
    }

    pub(super) fn remember_holders(&self, s: &mut Scratch, bundle: BundleId, found: &Arc<[Source]>) {
        if !s.finding.is_empty() || s.in_circle(self.pack) || self.may_lose_keywords() || !self.pack.stable().bundle(bundle) {
            return;
        }
        if s.derived.holders.is_empty() {
            s.derived.holders.resize(self.pack.bundles.len(), Holders::default());
        }
        if let Some(slot) = s.derived.holders.get_mut(bundle.index()) {
            *slot = Holders { stamp: self.world.stamp(), you: self.you, found: Some(found.clone()) };
        }
    }

    /// Is it known that no rule `at end of any event` is due?
    pub(crate) fn nothing_to_check(&self, s: &Scratch) -> bool {
        let same = |known: &&Unchecked| known.you == self.you && known.used == self.world.used && known.holds.still(self.world);
        s.derived.unchecked.iter().find(same).is_some()
    }

    /// None of these rules was due just now.
    pub(crate) fn remember_nothing_to_check(&self, s: &mut Scratch) {
        // A part that is used up may finish what it began in the same event: that is no matter of the world alone.
        let half_used = self.world.used.iter().any(|(_, used)| matches!(used, Used::Part { .. }));
        let Some(groups) = self.pack.stable().checks().filter(|_| !half_used && !self.may_lose_keywords()) else { return };
        s.derived.unchecked.retain(|known| known.you != self.you);
        s.derived.unchecked.push(Unchecked { you: self.you, holds: Holds::now(self.world, groups), used: self.world.used.clone() });
    }
}
