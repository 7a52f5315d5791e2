//! Cards: printed values, stored code, rules, and the cards nested in them.

use banneret_runtime::ids::*;
use banneret_runtime::pack;
use banneret_runtime::value::Value;

use super::CardDecl;
use super::body::{Body, Env, Event};
use super::constant::fold;
use super::rules;
use super::unit::Unit;
use crate::hir::{Card, CardValue, Key};
use crate::key::last_name;

pub(super) fn card(unit: &mut Unit, card: &Card, holder: Option<&Key>) {
    let values = card
        .values
        .iter()
        .map(|(field, value)| {
            let name = || format!("{}: {}", card.key, last_name(field));
            let of = card.values_of.iter().find(|(known, _)| known == field).map(|(_, of)| of);
            (unit.field(field), unit.from(of, |unit| card_value(unit, value, name, card)))
        })
        .collect();
    // The rank is that of the card's kind, which only the linker can see.
    let bundles = rules::some_bundle(unit, &card.key, 0, &card.rules);
    let decl = pack::Card {
        name: unit.str(&card.name),
        title: unit.str(&card.title),
        kind: unit.kind(&card.kind),
        values,
        keywords: card.keywords.iter().map(|(key, number)| (unit.keyword(key), *number)).collect(),
        bundles,
        parts: card.parts.iter().map(|part| unit.card(&part.key)).collect(),
        holder: holder.map(|key| unit.card(key)),
        once: card.once.as_ref().map(|scope| unit.action(scope)),
        rows: card.rows.iter().map(|(low, high, row)| (*low, *high, unit.card(&row.key))).collect(),
        template: card.template,
        site: unit.site(card.name_span, ""),
        text: unit.str(card.says.as_deref().unwrap_or("")),
    };
    unit.decls.cards.push(CardDecl { key: card.key.clone(), card: decl });
    for part in card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row)) {
        unit.from(part.of.as_ref(), |unit| self::card(unit, part, Some(&card.key)));
    }
}

fn card_value(unit: &mut Unit, value: &CardValue, name: impl Fn() -> String, card: &Card) -> Value {
    match value {
        CardValue::Value(expr) => fold(unit, expr).unwrap_or_else(|| {
            unit.problem(expr.span, "a card can only print values that are known before the game starts");
            Value::None
        }),
        CardValue::Effect { .. } | CardValue::Choice { .. } if unit.printed => {
            let code = Body::new(unit, 2, Env::held(Event::None), card.span);
            Value::Code(code.finish(""), ObjId(0), ObjId(0))
        }
        CardValue::Effect { params, body } => {
            let mut env = Env::held(Event::None);
            env.locals.extend(params.iter().copied().zip(2..));
            let span = body.stmts.first().map_or(card.span, |stmt| stmt.span);
            let mut code = Body::new(unit, 2 + params.len() as u16, env, span);
            code.block(body);
            Value::Code(code.finish(&name()), ObjId(0), ObjId(0))
        }
        CardValue::Choice { binds: _, set } => {
            let mut code = Body::new(unit, 2, Env::held(Event::None), set.span);
            let result = code.value(set);
            Value::Code(code.finish_with(&name(), result), ObjId(0), ObjId(0))
        }
        CardValue::Rules(list) => {
            let bundle = rules::bundle(unit, &name(), 0, list, rules::Around::default());
            Value::Rules(bundle, ObjId(0), ObjId(0))
        }
    }
}
