//! Actions and phases: one fragment each, head and body.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack;

use super::ActionDecl;
use super::body::{Body, Env, Event};
use super::unit::Unit;
use crate::hir::{Action, Block, Expr, ExprKind, Key, Name, Stmt, StmtKind, Template, TextPart};
use crate::ty::Ty;

pub(super) fn action(unit: &mut Unit, action: &Action) {
    declare(unit, action, &inner_fields(action));
}

/// The phases written in place anywhere inside, with the names of their fields.
fn inner_fields(action: &Action) -> Vec<(Key, Vec<Name>)> {
    let mut all = Vec::new();
    for inner in &action.inner {
        all.push((inner.key.clone(), field_names(inner)));
        all.extend(inner_fields(inner));
    }
    all
}

/// The fields of its event: parameters, then the names bound in the head.
fn field_names(action: &Action) -> Vec<Name> {
    action.params.iter().map(|param| param.name.clone()).chain(action.bound.iter().cloned()).collect()
}

fn declare(unit: &mut Unit, action: &Action, inner: &[(Key, Vec<Name>)]) {
    let names = field_names(action);
    let body = action.body.as_ref().filter(|_| !unit.printed).map(|block| code(unit, action, block, &names, inner));
    let with = action.params.iter().find(|param| param.prep.as_deref() == Some("with")).and_then(|param| kind_of(&param.ty));
    let decl = ActionDecl {
        key: action.key.clone(),
        action: pack::Action {
            name: unit.str(&action.name),
            fields: names.iter().map(|name| unit.str(name)).collect(),
            shows: action.params.iter().map(|param| unit.notation(&param.ty)).collect(),
            says: action.says.as_ref().filter(|_| !unit.printed).and_then(|says| phrases(unit, says, &names)).unwrap_or_default(),
            told: action.told.as_ref().filter(|_| !unit.printed).and_then(|told| phrases(unit, told, &names)).unwrap_or_default(),
            params: action.params.len() as u16,
            by: action.by.map(|by| by as u16),
            once: action.once.as_ref().map(|scope| unit.action(scope)),
            is_phase: action.is_phase,
            body,
            log: None,
            site: unit.site(Span::default(), &action.name),
        },
        with: with.map(|kind| unit.kind(kind)),
    };
    unit.decls.actions.push(decl);
    for one in &action.inner {
        declare(unit, one, inner);
    }
}

/// The words of an action over the fields of its event. What calculates in its gaps can be said on a card, but not by those who only have the pack: None.
fn phrases(unit: &mut Unit, says: &Template, names: &[Name]) -> Option<Vec<pack::Phrase>> {
    let field = |value: &Expr| match &value.kind {
        ExprKind::EventField(name) => names.iter().position(|has| has == name).and_then(|at| u16::try_from(at).ok()),
        _ => None,
    };
    let piece = |part: &TextPart| {
        Some(match part {
            TextPart::Text(text) => pack::Phrase::Text(unit.str(text)),
            // Things in play have names of their own, which take no article.
            TextPart::Value(value) | TextPart::Article(value) => pack::Phrase::Field(field(value)?),
            TextPart::Plural(count, one, many) => pack::Phrase::Plural(field(count)?, unit.str(one), unit.str(many)),
        })
    };
    says.parts.iter().map(piece).collect()
}

fn kind_of(ty: &Ty) -> Option<&Key> {
    match ty {
        Ty::Kind(key) => Some(key),
        Ty::Optional(inner) => kind_of(inner),
        _ => None,
    }
}

fn code(unit: &mut Unit, action: &Action, block: &Block, names: &[Name], inner: &[(Key, Vec<Name>)]) -> FragId {
    let env = Env { event: Event::Own(action.key.clone(), names.to_vec()), ..Env::default() };
    let span = block.stmts.first().map_or(Span::default(), |stmt| stmt.span);
    let mut body = Body::new(unit, 0, env, span);
    body.inner = inner.to_vec();
    defaults(&mut body, action);

    let (head, rest) = block.stmts.split_at(action.head.min(block.stmts.len()));
    for (n, stmt) in head.iter().enumerate() {
        if n > 0 {
            body.emit(Instr::HeadStep);
        }
        body.stmt(stmt);
    }
    body.emit(Instr::HeadEnd);
    if let Some((last, before)) = rest.split_last() {
        for stmt in before {
            body.stmt(stmt);
        }
        body.result(last);
    }
    body.finish(&action.key)
}

impl Body<'_> {
    /// The last line of an action: its value is the result.
    pub fn result(&mut self, last: &Stmt) {
        match &last.kind {
            StmtKind::Expr(result) => {
                self.span = last.span;
                let src = self.effect(result);
                self.emit(Instr::Return { src });
            }
            _ => self.stmt(last),
        }
    }
}

/// Callers leave a parameter out as None: they cannot see the default. The action fills it in before its head.
fn defaults(body: &mut Body, action: &Action) {
    for param in &action.params {
        let Some(default) = &param.default else { continue };
        let Some(field) = body.event_field(&param.name) else { continue };
        let mark = body.mark();
        let given = body.reg();
        body.emit(Instr::EvGet { dst: given, field });
        let unset = body.emit(Instr::JumpIfNone { src: given, to: 0 });
        let end = body.jump();
        body.land(unset);
        body.eval(default, given);
        body.emit(Instr::EvSet { field, src: given });
        body.land(end);
        body.release(mark);
    }
}
