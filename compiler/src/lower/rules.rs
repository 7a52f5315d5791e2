//! Rules: handlers, continuous grants and prohibitions, gathered in bundles.

use banneret_runtime::ids::*;
use banneret_runtime::pack;

use super::body::{Body, Env, Event};
use super::unit::Unit;
use crate::hir::{Block, Expr, ExprKind, Gives, Key, Lambda, Local, Rule, RuleKind, Stmt, StmtKind};
use crate::ty::Ty;

/// Names that rules know from around them.
#[derive(Clone, Copy, Default)]
pub(super) struct Around<'a> {
    /// Names for `this`: the `it` of the continuous grant the rules stand in.
    pub holders: &'a [Local],
    /// Locals of the statement that put them in force, whose values come after all other parameters.
    pub captures: &'a [Local],
}

impl Around<'_> {
    /// The names of a fragment whose own parameters are `this`, `part` and `own`.
    fn env(self, event: Event, own: &[Local]) -> (u16, Env) {
        let mut env = Env::held(event);
        env.locals.extend(self.holders.iter().map(|local| (*local, 0)));
        env.locals.extend(own.iter().chain(self.captures).copied().zip(2..));
        (2 + (own.len() + self.captures.len()) as u16, env)
    }

    /// A term over (this, part, own …).
    pub fn term(self, unit: &mut Unit, name: &str, expr: &Expr, event: Event, own: &[Local]) -> FragId {
        let (params, env) = self.env(event, own);
        let mut body = Body::new(unit, params, env, expr.span);
        let result = body.value(expr);
        body.finish_with(name, result)
    }
}

/// A bundle of rules.
pub(super) fn bundle(unit: &mut Unit, name: &str, rank: u32, rules: &[Rule], around: Around) -> BundleId {
    let rules = rules.iter().map(|one| unit.from(one.of.as_ref(), |unit| rule(unit, one, around))).collect();
    let name = unit.str(name);
    unit.bundle(pack::Bundle { name, rank, rules, captures: around.captures.len() as u16 })
}

fn rule(unit: &mut Unit, rule: &Rule, around: Around) -> pack::Rule {
    let site = unit.site(rule.span, "");
    if unit.printed {
        return pack::Rule::Cannot { actions: Vec::new(), choose: false, must: false, guard: None, site };
    }
    match &rule.kind {
        RuleKind::Handler { when, actions, guard, once, body, matches: _ } => {
            let event = || Event::Answered(actions.clone());
            let guard = guard.as_ref().map(|guard| around.term(unit, "guard", guard, event(), &[]));
            let (params, env) = around.env(event(), &[]);
            let mut code = Body::new(unit, params, env, rule.span);
            match body.stmts.split_last() {
                Some((last, before)) if *when == pack::When::Instead && gives_result(body) => {
                    before.iter().for_each(|stmt| code.stmt(stmt));
                    code.result(last);
                }
                _ => code.block(body),
            }
            let body = code.finish("handler");
            pack::Rule::Handler {
                when: *when,
                actions: unit.actions(actions),
                guard,
                body,
                once: once.as_ref().map(|scope| unit.action(scope)),
                site,
            }
        }
        RuleKind::Grant { who, set: _, kind, it, giver, gives, cond } => {
            let who = who.as_ref().map(|who| around.term(unit, "who", &who.body, Event::None, &who.params));
            let cond = cond.as_ref().map(|cond| around.term(unit, "while", cond, Event::None, &[*it]));
            let value = |unit: &mut Unit, expr: &Expr| around.term(unit, "value", expr, Event::None, &[*it]);
            let mods = gives
                .mods
                .iter()
                .map(|one| pack::Mod { field: unit.field(&one.field), op: one.op, value: value(unit, &one.value) })
                .collect();
            let keywords =
                gives.keywords.iter().map(|(key, number)| (unit.keyword(key), number.as_ref().map(|number| value(unit, number)))).collect();
            let rules = gives.rules.iter().map(|one| value(unit, one)).collect();
            pack::Rule::Grant {
                who,
                kind: unit.kind(kind),
                cond,
                mods,
                keywords,
                bundles: own(unit, gives, *it, giver.as_ref().map(|(local, _)| *local), around),
                rules,
                site,
            }
        }
        RuleKind::Cannot { actions, choose, must, guard, matches: _ } => {
            let guard = match choose {
                Some(lambda) => Some(cannot_choose(unit, lambda, guard.as_ref(), around)),
                None => guard.as_ref().map(|guard| around.term(unit, "cannot", guard, Event::Answered(actions.clone()), &[])),
            };
            pack::Rule::Cannot { actions: unit.actions(actions), choose: choose.is_some(), must: *must, guard, site }
        }
    }
}

/// Rules written in a grant: whoever has them is `this` in them, and the grant's `it`.
fn own(unit: &mut Unit, gives: &Gives, it: Local, giver: Option<Local>, around: Around) -> Vec<BundleId> {
    // The machine hands the giver in behind what the rules around capture.
    let captures: Vec<Local> = around.captures.iter().copied().chain(giver).collect();
    let inside = Around { holders: &[it], captures: &captures };
    if gives.own.is_empty() { Vec::new() } else { vec![bundle(unit, "granted", 0, &gives.own, inside)] }
}

/// (this, part, it, chooser)
fn cannot_choose(unit: &mut Unit, lambda: &Lambda, guard: Option<&Expr>, around: Around) -> FragId {
    let (params, env) = around.env(Event::None, &lambda.params);
    let mut body = Body::new(unit, params, env, lambda.body.span);
    let result = body.reg();
    body.eval(&lambda.body, result);
    if let Some(guard) = guard {
        let end = body.jump_if_not(result);
        body.eval(guard, result);
        body.land(end);
    }
    body.finish_with("cannot choose", result)
}

/// The bundle of something that may have no rules.
pub(super) fn some_bundle(unit: &mut Unit, key: &Key, rank: u32, rules: &[Rule]) -> Vec<BundleId> {
    if rules.is_empty() { Vec::new() } else { vec![bundle(unit, key, rank, rules, Around::default())] }
}

/// Whether the last line of a rule that replaces an event is the result it gives: a value is, and so is what a sentence gives, unless the event itself was
/// carried out before and has given its own.
pub(crate) fn gives_result(body: &Block) -> bool {
    match body.stmts.last() {
        Some(Stmt { kind: StmtKind::Expr(given), .. }) => {
            let is_sentence = matches!(given.kind, ExprKind::Emit { .. } | ExprKind::Code { .. });
            !(matches!(given.ty, Ty::Nothing | Ty::Error) || is_sentence && proceeds_somewhere(body))
        }
        _ => false,
    }
}

fn proceeds_somewhere(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Proceed => true,
        StmtKind::If { arms, otherwise } => arms.iter().map(|(_, b)| b).chain(otherwise).any(proceeds_somewhere),
        StmtKind::Table { rows, otherwise, .. } => rows.iter().map(|(_, b)| b).chain(otherwise).any(proceeds_somewhere),
        StmtKind::Menu { lines, .. } => lines.iter().any(|line| proceeds_somewhere(&line.body)),
        StmtKind::For { body, .. }
        | StmtKind::RepeatTimes { body, .. }
        | StmtKind::RepeatUntil { body, .. }
        | StmtKind::Repeat { body }
        | StmtKind::May { body, .. }
        | StmtKind::Alternate { body, .. }
        | StmtKind::Together(body)
        | StmtKind::Scope { body, .. } => proceeds_somewhere(body),
        _ => false,
    })
}
