//! What a lambda reads from where it stands, and lambdas as fragments.

use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use rustc_hash::FxHashSet;

use super::body::{Body, Env, Event};
use crate::hir::{Expr, ExprKind, Lambda, Local, Name};

/// In order of first use, so that equal lambdas lower equally.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Free {
    pub locals: Vec<Local>,
    pub fields: Vec<Name>,
    pub this: bool,
    pub part: bool,
    pub you: bool,
}

impl Free {
    pub fn of(lambdas: &[&Lambda]) -> Self {
        let mut free = Self::default();
        for lambda in lambdas {
            let mut bound: FxHashSet<Local> = lambda.params.iter().copied().collect();
            free.expr(&lambda.body, &mut bound);
        }
        free
    }

    /// Locals are declared once in an item, so those bound inside never hide one from outside.
    fn expr(&mut self, expr: &Expr, bound: &mut FxHashSet<Local>) {
        match &expr.kind {
            ExprKind::Local(local) if !bound.contains(local) && !self.locals.contains(local) => {
                self.locals.push(*local);
            }
            ExprKind::EventField(name) if !self.fields.contains(name) => self.fields.push(name.clone()),
            ExprKind::This => self.this = true,
            ExprKind::Part => self.part = true,
            ExprKind::You => self.you = true,
            ExprKind::Table { subject: Some((local, _)), .. } => {
                bound.insert(*local);
            }
            ExprKind::Each { lambda, .. } => bound.extend(lambda.params.iter().copied()),
            ExprKind::Past { filter: Some(filter), .. } => bound.extend(filter.params.iter().copied()),
            _ => {}
        }
        each_child(expr, &mut |child| self.expr(child, bound));
    }
}

/// Calls `f` with every expression directly inside, bodies of lambdas included.
pub(crate) fn each_child<'e>(expr: &'e Expr, f: &mut impl FnMut(&'e Expr)) {
    match &expr.kind {
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
        | ExprKind::LogField { event: a, .. } => f(a),
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
            f(a);
            f(b);
        }
        ExprKind::If { arms, otherwise } => {
            for (cond, value) in arms {
                f(cond);
                f(value);
            }
            f(otherwise);
        }
        ExprKind::Table { subject, rows, otherwise } => {
            if let Some((_, subject)) = subject {
                f(subject);
            }
            for (cond, value) in rows {
                f(cond);
                f(value);
            }
            if let Some(otherwise) = otherwise {
                f(otherwise);
            }
        }
        ExprKind::Each { list, lambda, .. } => {
            f(list);
            f(&lambda.body);
        }
        ExprKind::List(list) | ExprKind::Fun(_, list) | ExprKind::Call { args: list, .. } | ExprKind::Fact { args: list, .. } => {
            list.iter().for_each(f)
        }
        ExprKind::Emit { args, .. } => args.iter().flatten().for_each(f),
        ExprKind::Code { code, args } => {
            f(code);
            args.iter().for_each(f);
        }
        ExprKind::Past { filter: Some(lambda), .. } => f(&lambda.body),
        ExprKind::Past { filter: None, .. }
        | ExprKind::None
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

/// A lambda as a fragment, and the registers it captures.
pub(super) struct Closure {
    pub frag: FragId,
    pub caps: Reg,
    pub n: u16,
}

impl Body<'_> {
    /// Lowers a lambda: what it reads from here is put in a row of registers, which are its first parameters.
    pub fn closure(&mut self, lambda: &Lambda, name: &str) -> Closure {
        let (frags, caps, n) = self.closures(&[(lambda, name)]);
        Closure { frag: frags.first().copied().unwrap_or(FragId(0)), caps, n }
    }

    /// Several lambdas over one row of registers.
    pub fn closures(&mut self, lambdas: &[(&Lambda, &str)]) -> (Vec<FragId>, Reg, u16) {
        let all: Vec<&Lambda> = lambdas.iter().map(|(lambda, _)| *lambda).collect();
        let free = Free::of(&all);
        let n = free.locals.len() + free.fields.len() + [free.this, free.part, free.you].iter().filter(|used| **used).count();
        let caps = self.regs(n);
        let mut env = Env { scopes: self.env.scopes.clone(), event: Event::None, ..Env::default() };
        let first = lambdas.first().map_or(self.span, |(lambda, _)| lambda.body.span);
        let span = if self.foreign { self.span } else { first };
        let mut at = caps;
        let mut param: Reg = 0;
        for local in &free.locals {
            match self.env.locals.get(local) {
                Some(&src) => {
                    self.emit(Instr::Move { dst: at, src });
                }
                None => {
                    self.emit(Instr::None { dst: at });
                    self.problem(span, "a name used here has no value where it is needed");
                }
            }
            env.locals.insert(*local, param);
            (at, param) = (at + 1, param + 1);
        }
        for field in &free.fields {
            self.read_event(field, at, span);
            env.fields.insert(field.clone(), param);
            (at, param) = (at + 1, param + 1);
        }
        if free.this {
            self.read_this(at, span);
            env.this = Some(param);
            (at, param) = (at + 1, param + 1);
        }
        if free.part {
            self.read_part(at, span);
            env.part = Some(param);
            (at, param) = (at + 1, param + 1);
        }
        if free.you {
            self.read_you(at);
            env.you = Some(param);
            param += 1;
        }
        let mut frags = Vec::with_capacity(lambdas.len());
        for (lambda, name) in lambdas {
            let (mut env, mut param) = (env.clone(), param);
            for one in &lambda.params {
                env.locals.insert(*one, param);
                param += 1;
            }
            let foreign = self.foreign;
            let span = if foreign { self.span } else { lambda.body.span };
            let mut body = Body::new(self.unit, param, env, span);
            body.foreign = foreign;
            let result = body.value(&lambda.body);
            frags.push(body.finish_with(name, result));
        }
        (frags, caps, n as u16)
    }
}
