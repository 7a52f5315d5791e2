//! Values in words: for questions, failures and traces.

use crate::ids::*;
use crate::pack::{Notation, Pack};
use crate::value::Value;
use crate::world::World;

impl Pack {
    pub fn text(&self, id: StrId) -> &str {
        self.strings.get(id.index()).map_or("", |s| s.as_str())
    }

    pub fn action_name(&self, id: ActionId) -> &str {
        self.actions.get(id.index()).map_or("?", |a| self.text(a.name))
    }

    pub fn field_name(&self, id: FieldId) -> &str {
        self.fields.get(id.index()).map_or("?", |f| self.text(f.name))
    }

    pub fn card_name(&self, id: CardId) -> &str {
        self.cards.get(id.index()).map_or("?", |c| self.text(c.name))
    }

    pub fn site_words(&self, id: SiteId) -> &str {
        self.sites.get(id.index()).map_or("", |s| self.text(s.words))
    }
}

pub fn object(pack: &Pack, world: &World, id: ObjId) -> String {
    let Some(object) = world.get(id) else {
        return "nobody".to_owned();
    };
    if let Some(seat) = world.players.iter().position(|p| *p == id) {
        return format!("player {}", seat + 1);
    }
    match object.card {
        Some(card) => pack.card_name(card).to_owned(),
        None => pack.kinds.get(object.kind.index()).map_or("?", |k| pack.text(k.name)).to_owned(),
    }
}

pub fn value(pack: &Pack, world: &World, v: &Value) -> String {
    match v {
        Value::None => "none".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Ratio(r) => format!("{}/{}", r.num, r.den),
        Value::Sym(s) => pack.symbols.get(s.index()).map_or("?", |s| pack.text(s.name)).to_owned(),
        Value::Keyword(k) => pack.keywords.get(k.index()).map_or("?", |k| pack.text(k.name)).to_owned(),
        Value::Text(t) => pack.text(*t).to_owned(),
        Value::Card(c) => pack.card_name(*c).to_owned(),
        Value::Obj(o) => object(pack, world, *o),
        Value::Pile(owner, field) => format!("{} of {}", pack.field_name(*field), object(pack, world, *owner)),
        Value::InPlay => "in play".to_owned(),
        Value::Dice(d) => match d.plus {
            0 => format!("{}d{}", d.count, d.sides),
            plus => format!("{}d{}{plus:+}", d.count, d.sides),
        },
        Value::Place(p) => format!("({}, {})", thousandths(p.x), thousandths(p.y)),
        Value::Pair(p) => format!("{}/{}", value(pack, world, &p[0]), value(pack, world, &p[1])),
        Value::List(items) => {
            const MOST: usize = 24;
            let mut texts: Vec<String> = items.iter().take(MOST).map(|v| value(pack, world, v)).collect();
            if items.len() > MOST {
                texts.push(format!("… {} in all", items.len()));
            }
            format!("[{}]", texts.join(", "))
        }
        Value::Cost(parts) => match parts.len() {
            0 => "nothing".to_owned(),
            _ => parts.iter().map(|(f, n)| format!("{n} {}", pack.field_name(*f))).collect::<Vec<_>>().join(" + "),
        },
        Value::Code(frag, ..) => pack.fragments.get(frag.index()).map_or("an effect", |f| pack.text(f.name)).to_owned(),
        Value::Rules(bundle, ..) => pack.bundles.get(bundle.index()).map_or("rules", |b| pack.text(b.name)).to_owned(),
        Value::Event(n) => match world.log.get(*n as usize) {
            Some(Some(entry)) => format!("{} (event {n})", pack.action_name(entry.action)),
            _ => format!("event {n}"),
        },
    }
}

/// A value as the field or parameter that holds it is written.
pub fn written(pack: &Pack, world: &World, v: &Value, how: Notation) -> String {
    match (v, how) {
        (Value::Int(n), Notation::Target) => format!("{n}+"),
        (Value::Int(n), Notation::Percent) => format!("{n}%"),
        (Value::Int(n), Notation::Length(name)) => {
            let sign = pack.lengths.iter().find(|(base, _)| *base == name);
            let sign = sign.map_or("", |(_, sign)| pack.text(*sign));
            format!("{}{sign}", thousandths(*n))
        }
        _ => value(pack, world, v),
    }
}

/// Words with values put in: a list of texts and of pairs of a value and the sign it is written with.
pub fn composed(pack: &Pack, world: &World, words: &Value) -> Option<String> {
    let Value::List(parts) = words else {
        return None;
    };
    let part = |part: &Value| match part {
        Value::Pair(pair) => match &**pair {
            [Value::Int(n), Value::Text(sign)] => match pack.text(*sign) {
                sign @ ("" | "+" | "%") => format!("{n}{sign}"),
                name => {
                    let length = pack.lengths.iter().find(|(base, _)| pack.text(*base) == name);
                    let how = length.map_or(Notation::Plain, |(base, _)| Notation::Length(*base));
                    written(pack, world, &pair[0], how)
                }
            },
            [v, _] => value(pack, world, v),
        },
        text => value(pack, world, text),
    };
    Some(parts.iter().map(part).collect())
}

fn thousandths(n: impl Into<i64>) -> String {
    let n: i64 = n.into();
    let (whole, part) = (n / 1000, (n % 1000).abs());
    match part {
        0 => whole.to_string(),
        _ => format!("{}{}.{}", if n < 0 && whole == 0 { "-" } else { "" }, whole, format!("{part:03}").trim_end_matches('0')),
    }
}
