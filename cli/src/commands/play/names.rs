//! Things of a game in words: titles instead of names in the source, numbers for those of the same title.

use banneret_runtime::describe;
use banneret_runtime::ids::{ActionId, CardId, FieldId, ObjId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::value::{Place, Value};
use banneret_runtime::world::{NOBODY, World};

pub struct Names<'a> {
    pub pack: &'a Loaded,
    pub world: &'a World,
}

impl Names<'_> {
    pub fn player(&self, id: ObjId) -> String {
        match self.world.players.iter().position(|p| *p == id) {
            Some(seat) => format!("Player {}", seat + 1),
            None => "Nobody".to_owned(),
        }
    }

    pub fn card(&self, id: CardId) -> String {
        let card = self.pack.cards.get(id.index());
        match card.map_or("", |c| self.pack.text(c.title)) {
            "" => self.pack.card_name(id).to_owned(),
            title => title.to_owned(),
        }
    }

    pub fn object(&self, id: ObjId) -> String {
        if self.world.players.contains(&id) {
            return self.player(id);
        }
        let Some(object) = self.world.get(id) else {
            return "nothing".to_owned();
        };
        let Some(card) = object.card else {
            return describe::object(self.pack, self.world, id);
        };
        let name = self.card(card);
        if object.holder != NOBODY {
            return name;
        }
        // Twins are told apart by their age.
        let is_twin = |other: &ObjId| self.world.get(*other).is_some_and(|o| o.card == Some(card));
        let twins: Vec<ObjId> = self.world.ids().filter(is_twin).collect();
        match twins.iter().position(|other| *other == id) {
            Some(i) if twins.len() > 1 => format!("{name} {}", i + 1),
            _ => name,
        }
    }

    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::Obj(id) => self.object(*id),
            Value::Card(card) => self.card(*card),
            Value::List(items) if items.is_empty() => "none".to_owned(),
            Value::List(items) if items.len() <= 24 => {
                let texts: Vec<String> = items.iter().map(|v| self.value(v)).collect();
                texts.join(", ")
            }
            Value::Pile(owner, field) => {
                // What belongs to the game itself is everybody's.
                let kind = self.world.get(*owner).and_then(|object| self.pack.kinds.get(object.kind.index()));
                match kind.is_some_and(|kind| kind.role.game) {
                    true => self.field(*field),
                    false => format!("{} of {}", self.field(*field), self.object(*owner)),
                }
            }
            Value::Pair(halves) => {
                format!("{}/{}", self.value(&halves[0]), self.value(&halves[1]))
            }
            Value::Place(place) => self.place(*place),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            other => describe::value(self.pack, self.world, other),
        }
    }

    /// With one decimal: nobody measures finer at a table.
    fn place(&self, place: Place) -> String {
        let sign = self.pack.lengths.first().map_or("", |(_, sign)| self.pack.text(*sign));
        let written = |thousandths: i32| {
            let tenths = (i64::from(thousandths) + 50).div_euclid(100);
            let (minus, whole, tenth) = (if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10);
            if tenth == 0 { format!("{minus}{whole}{sign}") } else { format!("{minus}{whole}.{tenth}{sign}") }
        };
        format!("({}, {})", written(place.x), written(place.y))
    }

    pub fn field(&self, id: FieldId) -> String {
        spaced(self.pack.field_name(id))
    }

    /// What a field holds, as it is written: `4+`, `6"`.
    pub fn held(&self, field: FieldId, value: &Value) -> String {
        match (value, self.pack.fields.get(field.index())) {
            (Value::Int(_), Some(described)) => describe::written(self.pack, self.world, value, described.shows),
            _ => self.value(value),
        }
    }

    pub fn action(&self, id: ActionId) -> String {
        spaced(self.pack.action_name(id))
    }
}

pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}
