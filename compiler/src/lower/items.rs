//! Items, each by its kind.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack;
use banneret_runtime::value::Value;
use rustc_hash::FxHashMap;

use super::body::{Body, Env, Event};
use super::constant::fold;
use super::unit::Unit;
use super::{KeywordDecl, KindDecl, action, card, rules};
use crate::hir::{Expr, Field, Item, Keyword, Kind, Limit, Local, Ruleset, Test};
use crate::key::last_name;
use crate::ty::Ty;

pub(super) fn item(unit: &mut Unit, item: &Item) {
    match item {
        Item::Define(define) => {
            let frag = term(unit, &define.key, &define.params, &define.body);
            unit.decls.defines.push((define.key.clone(), frag));
        }
        Item::Fact(fact) => {
            let default = fact.default.as_ref().map(|default| term(unit, &fact.key, &fact.params, default));
            let decl = pack::Fact { name: unit.str(last_name(&fact.key)), params: fact.params.len() as u16, default };
            unit.decls.facts.push((fact.key.clone(), decl));
        }
        Item::Action(one) => action::action(unit, one),
        Item::Keyword(one) => keyword(unit, one),
        Item::Kind(one) => kind(unit, one),
        Item::Card(one) => card::card(unit, one, None),
        Item::Limit(one) => limit(unit, one),
        Item::Test(_) if unit.printed => {}
        Item::Test(one) => test(unit, one),
        Item::Rules(list) => {
            if !list.is_empty() {
                let bundle = rules::bundle(unit, "rules", 0, list, rules::Around::default());
                unit.decls.global_rules.push(bundle);
            }
        }
        Item::Ruleset(one) => ruleset(unit, one),
        Item::Enum(one) => unit.decls.enums.push((one.key.clone(), one.members.clone())),
        Item::Face(_) | Item::Nothing => {}
    }
}

/// A pure value over its parameters.
fn term(unit: &mut Unit, name: &str, params: &[Local], value: &Expr) -> FragId {
    let locals: FxHashMap<Local, Reg> = params.iter().copied().zip(0..).collect();
    let mut body = Body::new(unit, params.len() as u16, Env { locals, ..Env::default() }, value.span);
    let result = body.value(value);
    body.finish_with(name, result)
}

fn kind(unit: &mut Unit, kind: &Kind) {
    let fields: Vec<FieldId> = kind.fields.iter().map(|one| field(unit, one)).collect();
    let base = kind.fields.iter().find(|field| field.name == "base" && is_length(&field.ty));
    let listed = |name: &str, of: &dyn Fn(&Ty) -> bool| {
        kind.fields.iter().find(|field| field.name == name && matches!(&field.ty, Ty::List(element) | Ty::Set(element) if of(element)))
    };
    let corners = listed("corners", &|ty| *ty == Ty::Place);
    let links = listed("links", &|ty| matches!(ty, Ty::Kind(_)));
    let facing = kind.fields.iter().find(|field| field.name == "facing" && matches!(field.ty, Ty::Int(_)));
    let decl = pack::Kind {
        name: unit.str(&kind.name),
        is: kind.is.iter().map(|key| unit.kind(key)).collect(),
        role: kind.roles,
        rank: kind.rank,
        fields,
        bundles: rules::some_bundle(unit, &kind.key, kind.rank, &kind.rules),
        base: base.map(|field| unit.field(&field.key)),
        corners: corners.map(|field| unit.field(&field.key)),
        facing: facing.map(|field| unit.field(&field.key)),
        links: links.map(|field| unit.field(&field.key)),
    };
    unit.decls.kinds.push(KindDecl { key: kind.key.clone(), kind: decl });
    for one in &kind.limits {
        limit(unit, one);
    }
}

fn is_length(ty: &Ty) -> bool {
    match ty {
        Ty::Length(_) => true,
        Ty::Optional(inner) => is_length(inner),
        _ => false,
    }
}

fn field(unit: &mut Unit, field: &Field) -> FieldId {
    let value = |unit: &mut Unit, what: &str, expr: &Expr| {
        // The object itself is passed, be it a card or a part of one: both words mean it.
        let env = Env { this: Some(0), part: Some(0), ..Env::default() };
        let mut body = Body::new(unit, 1, env, expr.span);
        let result = body.value(expr);
        body.finish_with(&format!("{}: {what}", field.key), result)
    };
    let decl = pack::Field {
        name: unit.str(&field.name),
        role: field.role,
        default: field.default.as_ref().map(|expr| value(unit, "default", expr)),
        low: field.low.as_ref().map(|expr| value(unit, "low", expr)),
        high: field.high.as_ref().map(|expr| value(unit, "high", expr)),
        starts_full: field.starts_full,
        shows: unit.notation(&field.ty),
    };
    unit.decls.fields.push((field.key.clone(), decl));
    unit.field(&field.key)
}

fn keyword(unit: &mut Unit, keyword: &Keyword) {
    let state = keyword.state.iter().map(|one| field(unit, one)).collect();
    let bundle = rules::bundle(unit, &keyword.key, 0, &keyword.rules, rules::Around::default());
    let decl = pack::Keyword { name: unit.str(&keyword.name), bundle, numbered: keyword.numbered };
    let on = keyword.on.as_ref().map(|kind| unit.kind(kind));
    unit.decls.keywords.push(KeywordDecl { key: keyword.key.clone(), keyword: decl, on, state });
}

fn limit(unit: &mut Unit, limit: &Limit) {
    let env = Env { this: Some(0), part: Some(0), ..Env::default() };
    let mut body = Body::new(unit, 1, env, limit.span);
    body.words = Some(limit.words.clone());
    body.block(&limit.body);
    let body = body.finish(&format!("limit: {}", limit.words));
    let decl = pack::Limit {
        words: unit.str(&limit.words),
        covers: limit.covers.iter().map(|id| unit.str(id)).collect(),
        kind: unit.kind(&limit.on),
        body,
        warn: limit.warn,
        site: unit.site(limit.span, &limit.words),
    };
    unit.decls.limits.push(decl);
}

fn test(unit: &mut Unit, test: &Test) {
    let span = test.body.stmts.first().map_or(Span::default(), |stmt| stmt.span);
    let mut body = Body::new(unit, 0, Env { event: Event::None, ..Env::default() }, span);
    body.in_test = true;
    for stmt in &test.body.stmts {
        body.emit(Instr::Statement);
        body.stmt(stmt);
    }
    let measures = std::mem::take(&mut body.measures);
    let body = body.finish(&format!("test: {}", test.words));
    for phase in &test.inner {
        action::action(unit, phase);
    }
    let decl = pack::Test {
        words: unit.str(&test.words),
        covers: test.covers.iter().map(|id| unit.str(id)).collect(),
        body,
        exact: test.exact,
        measures,
        with: test.with.iter().map(|(key, value)| (unit.option(key), setting(unit, value))).collect(),
        site: unit.site(Span::default(), &test.words),
    };
    unit.decls.tests.push(decl);
}

fn ruleset(unit: &mut Unit, ruleset: &Ruleset) {
    for (key, value) in &ruleset.options {
        let value = setting(unit, value);
        unit.decls.options.push((key.clone(), value));
    }
    unit.decls.start = ruleset.start.clone().filter(|_| !unit.printed);
    unit.decls.players = ruleset.players;
    if let Some(goal) = ruleset.goal.as_ref().filter(|_| !unit.printed) {
        unit.decls.goal = Some(term(unit, &format!("{}: goal", ruleset.key), &[], goal));
    }
    for (key, values) in &ruleset.hidden {
        let values = values.iter().filter_map(|value| fold(unit, value)).collect();
        let field = unit.field(key);
        unit.decls.hidden.push(pack::Hidden { field, values });
    }
    unit.decls.ruleset = Some((ruleset.title.clone(), ruleset.version.clone()));
}

fn setting(unit: &mut Unit, value: &Expr) -> Value {
    fold(unit, value).unwrap_or_else(|| {
        unit.problem(value.span, "an option must be set to a value known before the game starts");
        Value::None
    })
}
