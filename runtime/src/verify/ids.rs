//! Is every number an index of the table it speaks of?

use super::{Checked, refuse};
use crate::ids::*;
use crate::pack::Pack;
use crate::value::Value;

macro_rules! within {
    ($($name:ident: $id:ty => $table:ident, $what:literal;)*) => {$(
        pub(super) fn $name(pack: &Pack, id: $id) -> Checked {
            if id.index() < pack.$table.len() { Ok(()) } else { refuse(format!(concat!($what, " {} does not exist"), id.0)) }
        }
    )*};
}

within! {
    string: StrId => strings, "text";
    constant: ConstId => consts, "constant";
    kind: KindId => kinds, "kind";
    field: FieldId => fields, "field";
    card: CardId => cards, "card";
    symbol: SymId => symbols, "symbol";
    keyword: KeywordId => keywords, "keyword";
    action: ActionId => actions, "action";
    fragment: FragId => fragments, "fragment";
    bundle: BundleId => bundles, "bundle";
    option: OptId => options, "option";
    fact: FactId => facts, "fact";
    choose: ChooseId => chooses, "choice";
    menu: MenuId => menus, "menu";
    grant: GrantId => grants, "grant";
    past: PastId => pasts, "past";
    site: SiteId => sites, "place in the source";
}

pub(super) fn each<T: Copy>(pack: &Pack, ids: impl IntoIterator<Item = T>, check: fn(&Pack, T) -> Checked) -> Checked {
    ids.into_iter().try_for_each(|id| check(pack, id))
}

/// A constant or printed value. Objects do not exist before the game.
pub(super) fn value(pack: &Pack, v: &Value) -> Checked {
    match v {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::InPlay | Value::Place(_) => Ok(()),
        Value::Ratio(r) => {
            let lowest = r.den > 1 && crate::num::gcd(r.num.unsigned_abs() as u128, r.den.unsigned_abs() as u128) == 1;
            if lowest { Ok(()) } else { refuse(format!("{}/{} is not a fraction in lowest terms", r.num, r.den)) }
        }
        Value::Dice(d) => {
            if d.sides > 0 {
                Ok(())
            } else {
                refuse("dice without sides")
            }
        }
        Value::Sym(s) => symbol(pack, *s),
        Value::Keyword(k) => keyword(pack, *k),
        Value::Text(t) => string(pack, *t),
        Value::Card(c) => card(pack, *c),
        Value::Pair(halves) => halves.iter().try_for_each(|v| value(pack, v)),
        Value::List(items) => items.iter().try_for_each(|v| value(pack, v)),
        Value::Cost(parts) => each(pack, parts.iter().map(|(f, _)| *f), field),
        Value::Code(frag, this, part) => {
            fragment(pack, *frag)?;
            nobody(*this)?;
            nobody(*part)
        }
        Value::Rules(rules, this, part) => {
            bundle(pack, *rules)?;
            nobody(*this)?;
            nobody(*part)
        }
        Value::Obj(_) | Value::Pile(..) | Value::Event(_) => refuse("a pack cannot hold objects of a game"),
    }
}

pub(super) fn notation(pack: &Pack, how: crate::pack::Notation) -> Checked {
    match how {
        crate::pack::Notation::Length(name) => string(pack, name),
        _ => Ok(()),
    }
}

fn nobody(id: ObjId) -> Checked {
    if id == crate::world::NOBODY { Ok(()) } else { refuse("a pack cannot hold objects of a game") }
}
