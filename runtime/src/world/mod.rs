//! The world: everything that is true in a game at one moment, as plain data that is cheap to copy, compare and hash.

mod hidden;
mod history;
mod moves;
mod object;
mod pile;
mod stamp;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use history::{Ends, KnownFact, Logged, Outcome, Timed, Used};
pub use object::{NOBODY, Object};
pub use pile::Pile;
pub(crate) use stamp::{Marks, Stamp};

use crate::fault::{Res, wrong};
use crate::ids::*;
use crate::value::{Place, Value};

/// A pile by whose it is and what it is called.
type KeyedPile = ((ObjId, FieldId), Arc<Pile>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct World {
    /// `ObjId(n)` is at `n - 1`. All lists that grow with the game are shared between copies of a world until one of them changes them, so that a
    /// copy to go back to costs next to nothing.
    objects: Arc<Vec<Arc<Object>>>,
    /// Sorted; an empty pile is left out.
    piles: Arc<Vec<KeyedPile>>,
    pub players: Arc<Vec<ObjId>>,
    pub games: Arc<Vec<ObjId>>,
    /// Oldest first.
    pub timed: Vec<Arc<Timed>>,
    /// Sorted: the scope that forgets it, and what was used.
    pub used: Vec<(ActionId, Used)>,
    /// Forgotten entries leave a gap, so that the numbers of the others stay.
    pub log: Arc<Vec<Option<Arc<Logged>>>>,
    pub options: Arc<Vec<Value>>,
    pub outcome: Option<Outcome>,
    /// What the host told about the table since something last moved.
    pub facts: Vec<KnownFact>,
    /// Nobody looks at the table: facts take the answer their definition gives, where it gives one.
    pub blind: bool,
    /// No game is under way: limits look at cards as printed.
    pub printed: bool,
    /// Of what rules in force may depend on.
    #[serde(skip)]
    stamp: Stamp,
    /// Of everything but state.
    #[serde(skip)]
    shape: Stamp,
    /// Of state.
    #[serde(skip)]
    marks: Marks,
}

impl World {
    pub fn new(options: Vec<Value>) -> World {
        World { options: Arc::new(options), blind: true, ..World::default() }
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    pub fn get(&self, id: ObjId) -> Option<&Object> {
        self.objects.get((id.0 as usize).wrapping_sub(1)).map(|o| &**o)
    }

    pub(crate) fn object(&self, id: ObjId) -> Res<&Object> {
        match self.get(id) {
            Some(object) => Ok(object),
            None => wrong("there is nothing here to look at"),
        }
    }

    /// For changes that rules in force may depend on; `set_state` is for the others.
    pub fn object_mut(&mut self, id: ObjId) -> Option<&mut Object> {
        self.touch();
        Arc::make_mut(&mut self.objects).get_mut((id.0 as usize).wrapping_sub(1)).map(Arc::make_mut)
    }

    /// Changes state that no rule in force depends on, or whose change is marked by the caller.
    pub(crate) fn set_state(&mut self, id: ObjId, field: FieldId, value: Value) {
        if let Some(object) = Arc::make_mut(&mut self.objects).get_mut((id.0 as usize).wrapping_sub(1)) {
            Arc::make_mut(object).set_state(field, value);
            self.marks.set(field, Stamp::fresh());
        }
    }

    /// Something in play stands somewhere else.
    pub(super) fn set_place(&mut self, id: ObjId, place: Place) {
        if let Some(object) = Arc::make_mut(&mut self.objects).get_mut((id.0 as usize).wrapping_sub(1)) {
            Arc::make_mut(object).place = Some(place);
            self.touch_state();
            self.marks.set_places(self.stamp);
        }
    }

    /// Something has changed that rules in force may depend on.
    pub(crate) fn touch(&mut self) {
        self.touch_state();
        self.shape = self.stamp;
    }

    /// The same, and it is state, which `set_state` changes next.
    pub(crate) fn touch_state(&mut self) {
        self.stamp = Stamp::fresh();
    }

    pub(crate) fn stamp(&self) -> u64 {
        self.stamp.number()
    }

    pub(crate) fn shape(&self) -> u64 {
        self.shape.number()
    }

    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        (1..=self.objects.len() as u32).map(ObjId)
    }

    /// Objects in play, oldest first.
    pub fn in_play(&self) -> impl Iterator<Item = (ObjId, &Object)> {
        self.objects.iter().enumerate().filter(|(_, o)| o.in_play).map(|(i, o)| (ObjId(i as u32 + 1), &**o))
    }

    pub fn add(&mut self, object: Object) -> ObjId {
        self.touch();
        Arc::make_mut(&mut self.objects).push(Arc::new(object));
        ObjId(self.objects.len() as u32)
    }

    /// The card whose rules speak of itself as `this`, and the part they stand in.
    pub fn this_and_part(&self, id: ObjId) -> (ObjId, ObjId) {
        match self.get(id) {
            Some(object) if object.holder != NOBODY => (object.holder, id),
            _ => (id, NOBODY),
        }
    }

    pub fn pile(&self, key: (ObjId, FieldId)) -> Option<&Pile> {
        let i = self.piles.binary_search_by_key(&key, |(k, _)| *k).ok()?;
        self.piles.get(i).map(|(_, p)| &**p)
    }

    pub(crate) fn piles(&self) -> impl Iterator<Item = ((ObjId, FieldId), &Pile)> {
        self.piles.iter().map(|(key, pile)| (*key, &**pile))
    }

    pub fn is_used(&self, used: Used) -> bool {
        self.used.iter().any(|(_, u)| *u == used)
    }

    pub fn use_up(&mut self, scope: ActionId, used: Used) {
        if let Err(i) = self.used.binary_search(&(scope, used)) {
            self.used.insert(i, (scope, used));
        }
    }

    pub fn fact(&self, fact: FactId, args: &[Value]) -> Option<&Value> {
        self.facts.iter().find(|known| known.fact == fact && *known.args == *args).map(|known| &known.value)
    }

    pub fn tell_fact(&mut self, fact: FactId, args: Arc<[Value]>, value: Value) {
        self.touch();
        self.facts.retain(|known| known.fact != fact || known.args != args);
        self.facts.push(KnownFact { fact, args, value });
    }
}
