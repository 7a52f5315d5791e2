//! What can be seen at a glance: values of fields that are known, stored or printed. Nothing is worked out.

use super::Derived;
use crate::ids::*;
use crate::loaded::Loaded;
use crate::value::Value;
use crate::world::World;

#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub pack: &'a Loaded,
    pub world: &'a World,
    pub you: ObjId,
    pub derived: &'a Derived,
    /// The holders of rules are being looked for: some do not count yet, so that nothing is known.
    pub searching: bool,
}

impl<'a> Look<'a> {
    /// The value of a field if it takes only a look: it is known, or stored or printed and nothing modifies it.
    #[inline]
    pub fn at_hand(&self, id: ObjId, field: FieldId) -> Option<&'a Value> {
        if !may_be_modified(self.pack, self.world, field) {
            return self.unmodified(id, field);
        }
        if self.searching {
            return None;
        }
        self.derived.value(self.world.stamp(), self.you, id, field)
    }

    /// As stored or printed, if it is.
    #[inline]
    pub fn unmodified(&self, id: ObjId, field: FieldId) -> Option<&'a Value> {
        let object = self.world.get(id)?;
        if let Some(value) = object.state(field) {
            return Some(value);
        }
        match object.card.and_then(|card| self.pack.printed_value(card, field)) {
            // Printed code does not know its object yet.
            Some(Value::Code(..) | Value::Rules(..)) => None,
            Some(value) => Some(value),
            None => self.pack.fixed_default(field),
        }
    }
}

#[inline]
pub(super) fn may_be_modified(pack: &Loaded, world: &World, field: FieldId) -> bool {
    let in_time = || world.timed.iter().any(|t| t.mods.iter().any(|(f, ..)| *f == field));
    pack.field_grants.get(field.index()).is_some_and(|g| !g.is_empty())
        || (pack.timed_fields.get(field.index()).is_some_and(|timed| *timed) && in_time())
}
