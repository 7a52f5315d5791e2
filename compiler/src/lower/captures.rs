//! What the rules of a timed grant read from the block they are written in. They outlive the block, so the values are taken along.

use banneret_grammar::span::Span;
use banneret_runtime::ids::Reg;

use super::body::Body;
use super::free::each_child;
use crate::hir::{Block, Choose, Expected, Expr, ExprKind, Gives, Grant, Key, Lasts, Local, Name, Rule, RuleKind, Stmt, StmtKind, Target};

/// What a walk through statements meets, in the order in which it is written.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'a> {
    Expr(&'a Expr),
    /// Something is given a value, by the statement that stands there.
    Set(&'a Target, Span),
    /// The same with its value, before what that reads is met.
    Assign(&'a Target, &'a Expr, Span),
    /// A field of the event that runs is changed, before what the value reads is met.
    Modify(&'a Name, Span),
    /// Before what is in it.
    Block(&'a Block),
    /// A keyword is handed out, with its number.
    Gives(&'a Key, Option<&'a Expr>),
    Rule(&'a Rule),
}

impl Body<'_> {
    /// The locals of this body that the grant's rules, its `while` and its `until` read, in order of first use.
    pub fn captures(&self, grant: &Grant) -> Vec<Local> {
        let mut found = Vec::new();
        let mut note = |seen: Seen| {
            let local = match seen {
                Seen::Expr(Expr { kind: ExprKind::Local(local), .. }) | Seen::Set(Target::Local(local), _) => *local,
                _ => return,
            };
            // Each local is declared once in an item: one that has a register here is from here.
            if self.env.locals.contains_key(&local) && !found.contains(&local) {
                found.push(local);
            }
        };
        grant.gives.own.iter().for_each(|rule| in_rule(rule, &mut note));
        for lasts in &grant.lasts {
            match lasts {
                Lasts::Event { guard, .. } => guard.iter().for_each(|guard| in_expr(guard, &mut note)),
                Lasts::While(lambda) => in_expr(&lambda.body, &mut note),
                Lasts::Until { .. } | Lasts::Scopes { .. } => {}
            }
        }
        found
    }

    /// Registers of these locals, for the row a grant reads.
    pub fn registers_of(&self, locals: &[Local]) -> Vec<Reg> {
        locals.iter().filter_map(|local| self.env.locals.get(local).copied()).collect()
    }
}

pub(crate) fn in_expr(expr: &Expr, f: &mut impl FnMut(Seen)) {
    f(Seen::Expr(expr));
    each_child(expr, &mut |child| in_expr(child, f));
}

pub(crate) fn in_rule(rule: &Rule, f: &mut impl FnMut(Seen)) {
    f(Seen::Rule(rule));
    match &rule.kind {
        RuleKind::Handler { guard, body, .. } => {
            guard.iter().for_each(|guard| in_expr(guard, f));
            in_block(body, f);
        }
        RuleKind::Grant { who, gives, cond, .. } => {
            who.iter().for_each(|who| in_expr(&who.body, f));
            cond.iter().for_each(|cond| in_expr(cond, f));
            in_gives(gives, f);
        }
        RuleKind::Cannot { choose, guard, .. } => {
            choose.iter().for_each(|choose| in_expr(&choose.body, f));
            guard.iter().for_each(|guard| in_expr(guard, f));
        }
    }
}

fn in_gives(gives: &Gives, f: &mut impl FnMut(Seen)) {
    gives.mods.iter().for_each(|modifier| in_expr(&modifier.value, f));
    for (key, number) in &gives.keywords {
        f(Seen::Gives(key, number.as_ref()));
        number.iter().for_each(|number| in_expr(number, f));
    }
    gives.rules.iter().for_each(|rules| in_expr(rules, f));
    gives.own.iter().for_each(|rule| in_rule(rule, f));
}

pub(crate) fn in_block(block: &Block, f: &mut impl FnMut(Seen)) {
    f(Seen::Block(block));
    block.stmts.iter().for_each(|stmt| in_stmt(stmt, f));
}

fn in_target(target: &Target, at: Span, f: &mut impl FnMut(Seen)) {
    f(Seen::Set(target, at));
    if let Target::Field { base, .. } = target {
        in_expr(base, f);
    }
}

fn in_arms(arms: &[(Expr, Block)], otherwise: Option<&Block>, f: &mut impl FnMut(Seen)) {
    for (cond, block) in arms {
        in_expr(cond, f);
        in_block(block, f);
    }
    otherwise.into_iter().for_each(|block| in_block(block, f));
}

fn in_choose(choose: &Choose, at: Span, f: &mut impl FnMut(Seen)) {
    in_target(&choose.into, at, f);
    [&choose.count, &choose.by].into_iter().flatten().for_each(|expr| in_expr(expr, f));
    in_expr(&choose.from, f);
    choose.such_that.iter().for_each(|lambda| in_expr(&lambda.body, f));
}

fn in_stmt(stmt: &Stmt, f: &mut impl FnMut(Seen)) {
    match &stmt.kind {
        StmtKind::Let(_, expr) | StmtKind::LetField(_, expr) | StmtKind::Need(expr) | StmtKind::Expr(expr) | StmtKind::Dice(expr) => {
            in_expr(expr, f)
        }
        StmtKind::Assign { target, value } => {
            f(Seen::Assign(target, value, stmt.span));
            in_expr(value, f);
            in_target(target, stmt.span, f);
        }
        StmtKind::If { arms, otherwise } => in_arms(arms, otherwise.as_ref(), f),
        StmtKind::Table { subject, rows, otherwise } => {
            subject.iter().for_each(|(_, subject)| in_expr(subject, f));
            in_arms(rows, otherwise.as_ref(), f);
        }
        StmtKind::For { set: expr, body, .. }
        | StmtKind::RepeatTimes { count: expr, body }
        | StmtKind::RepeatUntil { cond: expr, body } => {
            in_expr(expr, f);
            in_block(body, f);
        }
        StmtKind::Repeat { body } | StmtKind::Together(body) => in_block(body, f),
        StmtKind::Choose(choose) => in_choose(choose, stmt.span, f),
        StmtKind::Menu { by, lines } => {
            by.iter().for_each(|by| in_expr(by, f));
            lines.iter().for_each(|line| in_block(&line.body, f));
        }
        StmtKind::May { by, body, .. } => {
            by.iter().for_each(|by| in_expr(by, f));
            in_block(body, f);
        }
        StmtKind::Pay { who: a, cost: b } | StmtKind::PayCards { cards: a, pile: b } => {
            in_expr(a, f);
            in_expr(b, f);
        }
        StmtKind::Alternate { starting, body, .. } => {
            starting.iter().for_each(|starting| in_expr(starting, f));
            in_block(body, f);
        }
        StmtKind::Scope { args, body, .. } => {
            args.iter().for_each(|arg| in_expr(arg, f));
            in_block(body, f);
        }
        StmtKind::Grant(grant) => {
            in_expr(&grant.targets, f);
            grant.captures.iter().for_each(|(_, value)| in_expr(value, f));
            in_gives(&grant.gives, f);
            grant.lasts.iter().for_each(|lasts| match lasts {
                Lasts::Until { of, .. } => of.iter().for_each(|of| in_expr(of, f)),
                Lasts::Scopes { count, .. } => in_expr(count, f),
                Lasts::Event { guard, .. } => guard.iter().for_each(|guard| in_expr(guard, f)),
                Lasts::While(lambda) => in_expr(&lambda.body, f),
            });
        }
        StmtKind::EventMod { field, value, .. } => {
            f(Seen::Modify(field, stmt.span));
            in_expr(value, f);
        }
        StmtKind::Blame { cond, blame, .. } => {
            in_expr(cond, f);
            blame.iter().for_each(|blame| in_expr(blame, f));
        }
        StmtKind::Given { card, owner, place, .. } => {
            in_expr(card, f);
            owner.iter().for_each(|owner| in_expr(owner, f));
            if let Some((x, y)) = place.as_deref() {
                in_expr(x, f);
                in_expr(y, f);
            }
        }
        StmtKind::GivenFact { args, value, .. } => args.iter().chain([value]).for_each(|expr| in_expr(expr, f)),
        StmtKind::Answers(answers) => answers.iter().for_each(|(_, value)| in_expr(value, f)),
        StmtKind::Expect { cond, .. } => in_expr(cond, f),
        StmtKind::ExpectIllegal { sentence, .. } => in_expr(sentence, f),
        StmtKind::Measure { of, expected, .. } => {
            in_expr(of, f);
            match expected {
                Expected::Odds(value) | Expected::Mean(value) => in_expr(value, f),
                Expected::Spread(points) => points.iter().for_each(|(at, odds)| {
                    in_expr(at, f);
                    in_expr(odds, f);
                }),
            }
        }
        // the cards in it are apart from everything around them
        StmtKind::Pass | StmtKind::Proceed | StmtKind::Todo(_) | StmtKind::Refused { .. } => {}
    }
}
