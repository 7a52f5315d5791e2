//! Every place that the meaning of a rule notes, to be moved: rules that are written alike in two cards are equal once their places count from
//! where they start.
//!
//! The matches name every construct, so that a new one does not compile before somebody has said which places it notes.

use banneret_grammar::span::Span;

use super::{
    Block, Card, CardValue, Choose, Expected, Expr, ExprKind, Gives, Lambda, Lasts, Rule, RuleKind, Stmt, StmtKind, Target, Template,
    TextPart,
};

pub(crate) fn in_rule(rule: &mut Rule, f: &mut impl FnMut(&mut Span)) {
    f(&mut rule.span);
    match &mut rule.kind {
        RuleKind::Handler { when: _, actions: _, guard, once: _, body, matches } => {
            in_all(guard, f);
            in_block(body, f);
            in_all(matches.iter_mut().map(|(_, e)| e), f);
        }
        RuleKind::Grant { who, set, kind: _, it: _, gives, cond, giver } => {
            who.iter_mut().for_each(|who| in_lambda(who, f));
            in_expr(set, f);
            in_gives(gives, f);
            in_all(cond, f);
            giver.iter_mut().for_each(|(_, giver)| in_expr(giver, f));
        }
        RuleKind::Cannot { actions: _, choose, guard, matches, must: _ } => {
            choose.iter_mut().for_each(|choose| in_lambda(choose, f));
            in_all(guard, f);
            in_all(matches.iter_mut().map(|(_, e)| e), f);
        }
    }
}

pub(crate) fn in_value(value: &mut CardValue, f: &mut impl FnMut(&mut Span)) {
    match value {
        CardValue::Value(value) => in_expr(value, f),
        CardValue::Effect { params: _, body } => in_block(body, f),
        CardValue::Choice { binds: _, set } => in_expr(set, f),
        CardValue::Rules(rules) => rules.iter_mut().for_each(|rule| in_rule(rule, f)),
    }
}

fn in_card(card: &mut Card, f: &mut impl FnMut(&mut Span)) {
    f(&mut card.span);
    f(&mut card.name_span);
    card.values.iter_mut().for_each(|(_, value)| in_value(value, f));
    card.rules.iter_mut().for_each(|rule| in_rule(rule, f));
    card.parts.iter_mut().chain(card.rows.iter_mut().map(|(_, _, row)| row)).for_each(|part| in_card(part, f));
}

fn in_block(block: &mut Block, f: &mut impl FnMut(&mut Span)) {
    block.stmts.iter_mut().for_each(|stmt| in_stmt(stmt, f));
}

fn in_all<'e>(exprs: impl IntoIterator<Item = &'e mut Expr>, f: &mut impl FnMut(&mut Span)) {
    exprs.into_iter().for_each(|e| in_expr(e, f));
}

fn in_lambda(lambda: &mut Lambda, f: &mut impl FnMut(&mut Span)) {
    in_expr(&mut lambda.body, f);
}

fn in_target(target: &mut Target, f: &mut impl FnMut(&mut Span)) {
    match target {
        Target::Local(_) | Target::EventField(_) => {}
        Target::Field { base, field: _ } => in_expr(base, f),
    }
}

fn in_gives(gives: &mut Gives, f: &mut impl FnMut(&mut Span)) {
    for modifier in &mut gives.mods {
        f(&mut modifier.span);
        in_expr(&mut modifier.value, f);
    }
    in_all(gives.keywords.iter_mut().filter_map(|(_, number)| number.as_mut()), f);
    in_all(&mut gives.rules, f);
    gives.own.iter_mut().for_each(|rule| in_rule(rule, f));
}

fn in_choose(choose: &mut Choose, f: &mut impl FnMut(&mut Span)) {
    in_target(&mut choose.into, f);
    in_all([&mut choose.count, &mut choose.by].into_iter().flatten(), f);
    in_expr(&mut choose.from, f);
    choose.such_that.iter_mut().for_each(|lambda| in_lambda(lambda, f));
}

fn in_template(template: &mut Template, f: &mut impl FnMut(&mut Span)) {
    f(&mut template.span);
    for part in &mut template.parts {
        match part {
            TextPart::Text(_) => {}
            TextPart::Value(e) | TextPart::Plural(e, _, _) | TextPart::Article(e) => in_expr(e, f),
        }
    }
}

fn in_arms(arms: &mut [(Expr, Block)], otherwise: &mut Option<Block>, f: &mut impl FnMut(&mut Span)) {
    for (cond, block) in arms {
        in_expr(cond, f);
        in_block(block, f);
    }
    otherwise.iter_mut().for_each(|block| in_block(block, f));
}

fn in_stmt(stmt: &mut Stmt, f: &mut impl FnMut(&mut Span)) {
    f(&mut stmt.span);
    match &mut stmt.kind {
        StmtKind::Let(_, e) | StmtKind::LetField(_, e) | StmtKind::Need(e) | StmtKind::Expr(e) | StmtKind::Dice(e) => in_expr(e, f),
        StmtKind::Assign { target, value } => {
            in_target(target, f);
            in_expr(value, f);
        }
        StmtKind::If { arms, otherwise } => in_arms(arms, otherwise, f),
        StmtKind::Table { subject, rows, otherwise } => {
            in_all(subject.iter_mut().map(|(_, e)| e), f);
            in_arms(rows, otherwise, f);
        }
        StmtKind::For { local: _, set: e, body } | StmtKind::RepeatTimes { count: e, body } | StmtKind::RepeatUntil { cond: e, body } => {
            in_expr(e, f);
            in_block(body, f);
        }
        StmtKind::Repeat { body } | StmtKind::Together(body) => in_block(body, f),
        StmtKind::Choose(choose) => in_choose(choose, f),
        StmtKind::Menu { by, lines } => {
            in_all(by, f);
            for line in lines {
                f(&mut line.span);
                in_block(&mut line.body, f);
            }
        }
        StmtKind::May { label: _, by, head: _, body } => {
            in_all(by, f);
            in_block(body, f);
        }
        StmtKind::Pay { who: a, cost: b } | StmtKind::PayCards { cards: a, pile: b } => in_all([a, b], f),
        StmtKind::Alternate { local: _, starting, until_all_pass: _, body } => {
            in_all(starting, f);
            in_block(body, f);
        }
        StmtKind::Pass | StmtKind::Proceed | StmtKind::Todo(_) => {}
        StmtKind::Scope { action: _, args, body } => {
            in_all(args, f);
            in_block(body, f);
        }
        StmtKind::Grant(grant) => {
            in_expr(&mut grant.targets, f);
            in_gives(&mut grant.gives, f);
            in_all(grant.captures.iter_mut().map(|(_, e)| e), f);
            grant.lasts.iter_mut().for_each(|lasts| match lasts {
                Lasts::Until { at_end: _, next: _, scope: _, of: e } | Lasts::Event { action: _, guard: e } => in_all(e, f),
                Lasts::Scopes { count, scope: _ } => in_expr(count, f),
                Lasts::While(lambda) => in_lambda(lambda, f),
            })
        }
        StmtKind::EventMod { field: _, op: _, value } => in_expr(value, f),
        StmtKind::Blame { cond, through, blame, message } => {
            in_expr(cond, f);
            for through in through {
                in_all(through.params.iter_mut().map(|(_, e)| e), f);
                in_expr(&mut through.body, f);
            }
            in_all(blame, f);
            message.iter_mut().for_each(|message| in_template(message, f));
        }
        StmtKind::Given { local: _, card, owner, place } => {
            in_expr(card, f);
            in_all(owner, f);
            in_all(place.iter_mut().flat_map(|place| [&mut place.0, &mut place.1]), f);
        }
        StmtKind::GivenFact { fact: _, args, value } => {
            in_all(args, f);
            in_expr(value, f);
        }
        StmtKind::Answers(answers) => in_all(answers.iter_mut().map(|(_, e)| e), f),
        StmtKind::Expect { cond, sides, words: _ } => {
            in_expr(cond, f);
            in_all(sides.iter_mut().flat_map(|sides| [&mut sides.0, &mut sides.1]), f);
        }
        StmtKind::Refused { by: _, cards, words: _ } => cards.iter_mut().for_each(|card| in_card(card, f)),
        StmtKind::ExpectIllegal { sentence, words: _ } => in_expr(sentence, f),
        StmtKind::Measure { of, expected, words: _ } => {
            in_expr(of, f);
            match expected {
                Expected::Odds(e) | Expected::Mean(e) => in_expr(e, f),
                Expected::Spread(points) => in_all(points.iter_mut().flat_map(|(at, odds)| [at, odds]), f),
            }
        }
    }
}

fn in_expr(expr: &mut Expr, f: &mut impl FnMut(&mut Span)) {
    f(&mut expr.span);
    match &mut expr.kind {
        ExprKind::Opponent(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Roll(a)
        | ExprKind::Top(a)
        | ExprKind::Field { base: a, .. }
        | ExprKind::Parts { base: a, .. }
        | ExprKind::PartNamed { base: a, .. }
        | ExprKind::IsKind { base: a, .. }
        | ExprKind::HasKeyword { base: a, .. }
        | ExprKind::KeywordNumber { base: a, .. }
        | ExprKind::Cost { amount: a, .. }
        | ExprKind::LogField { event: a, .. } => in_expr(a, f),
        ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::OrElse(a, b)
        | ExprKind::Add(a, b)
        | ExprKind::Sub(a, b)
        | ExprKind::Mul(a, b)
        | ExprKind::Div(a, b, _)
        | ExprKind::Mod(a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Contains(a, b)
        | ExprKind::Pair(a, b) => {
            in_expr(a, f);
            in_expr(b, f);
        }
        ExprKind::If { arms, otherwise } => {
            in_all(arms.iter_mut().flat_map(|(cond, value)| [cond, value]), f);
            in_expr(otherwise, f);
        }
        ExprKind::Table { subject, rows, otherwise } => {
            in_all(subject.iter_mut().map(|(_, e)| &mut **e), f);
            in_all(rows.iter_mut().flat_map(|(cond, value)| [cond, value]), f);
            in_all(otherwise.iter_mut().map(|e| &mut **e), f);
        }
        ExprKind::Each { op: _, list, lambda } => {
            in_expr(list, f);
            in_lambda(lambda, f);
        }
        ExprKind::List(list) | ExprKind::Fun(_, list) | ExprKind::Call { args: list, .. } | ExprKind::Fact { args: list, .. } => {
            in_all(list, f)
        }
        ExprKind::Emit { action: _, args, each: _ } => in_all(args.iter_mut().flatten(), f),
        ExprKind::Code { code, args } => {
            in_expr(code, f);
            in_all(args, f);
        }
        ExprKind::Past { actions: _, scope: _, filter } => filter.iter_mut().for_each(|filter| in_lambda(filter, f)),
        ExprKind::None
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Ratio(..)
        | ExprKind::Text(_)
        | ExprKind::Dice { .. }
        | ExprKind::Member(..)
        | ExprKind::Keyword(_)
        | ExprKind::Card(_)
        | ExprKind::InPlay
        | ExprKind::Local(_)
        | ExprKind::EventField(_)
        | ExprKind::This
        | ExprKind::Part
        | ExprKind::You
        | ExprKind::Players
        | ExprKind::Game(_)
        | ExprKind::Option(_)
        | ExprKind::ScopeField(..)
        | ExprKind::AllOf(_)
        | ExprKind::Error => {}
    }
}
