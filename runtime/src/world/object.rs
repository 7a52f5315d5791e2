//! An object: a card in play or in a pile, a part of one, a player, the game.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::value::{Place, Value};

/// No object. Ids of real objects start at 1, so that stored code can say "no holder" without another byte.
pub const NOBODY: ObjId = ObjId(0);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    pub kind: KindId,
    /// None for players and games without a card.
    pub card: Option<CardId>,
    pub owner: ObjId,
    pub controller: ObjId,
    /// The card this is a part of.
    pub holder: ObjId,
    pub parts: Vec<ObjId>,
    pub place: Option<Place>,
    pub pile: Option<(ObjId, FieldId)>,
    pub in_play: bool,
    /// Out of the game for good. It is still there to be read: rules that look back speak of it.
    pub gone: bool,
    /// Sorted by field.
    pub state: Vec<(FieldId, Value)>,
}

/// What a game changes most; the rest is compared when it comes to that.
impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.controller, self.place, self.pile, self.in_play).hash(state);
        self.state.hash(state);
    }
}

impl Object {
    pub fn new(kind: KindId, card: Option<CardId>) -> Object {
        Object {
            kind,
            card,
            owner: NOBODY,
            controller: NOBODY,
            holder: NOBODY,
            parts: Vec::new(),
            place: None,
            pile: None,
            in_play: false,
            gone: false,
            state: Vec::new(),
        }
    }

    pub fn state(&self, field: FieldId) -> Option<&Value> {
        // A handful of entries: a straight walk beats a binary search.
        self.state.iter().find(|(f, _)| *f == field).map(|(_, v)| v)
    }

    pub fn set_state(&mut self, field: FieldId, value: Value) {
        match self.state.binary_search_by_key(&field, |(f, _)| *f) {
            Ok(i) => {
                if let Some(slot) = self.state.get_mut(i) {
                    slot.1 = value;
                }
            }
            Err(i) => self.state.insert(i, (field, value)),
        }
    }
}
