//! Sentences: calls of actions, one or for each of a list.

use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::*;
use banneret_runtime::pack;

use super::body::Body;
use super::free::each_child;
use crate::hir::{Expr, ExprKind, Key, Stmt, StmtKind};

impl Body<'_> {
    /// Calls an action. `dst` becomes its result and `done` whether it happened.
    pub fn sentence(&mut self, action: &Key, args: &[Option<Expr>], each: Option<usize>, dst: Reg, done: Reg) {
        let n = args.len() as u16;
        let start = self.regs(args.len());
        for (at, arg) in (start..).zip(args) {
            match arg {
                Some(arg) => self.eval(arg, at),
                // The action itself knows its defaults.
                None => {
                    self.emit(Instr::None { dst: at });
                }
            }
        }
        let action = self.unit.action(action);
        match each {
            None => {
                self.emit(Instr::Emit { dst, done, action, start, n });
            }
            Some(which) => self.for_each(start + which as u16, dst, done, |body, done| {
                body.emit(Instr::Emit { dst, done, action, start, n });
            }),
        }
    }

    /// Runs the call once for each element of the list in `arg`, at the same time. Together they have no result.
    fn for_each(&mut self, arg: Reg, dst: Reg, done: Reg, call: impl FnOnce(&mut Self, Reg)) {
        let (list, len, i, more, one) = (self.reg(), self.reg(), self.reg(), self.reg(), self.reg());
        self.emit(Instr::Move { dst: list, src: arg });
        self.emit(Instr::Bool { dst: done, v: false });
        self.emit(Instr::Len { dst: len, list });
        self.emit(Instr::Int { dst: i, v: 0 });
        self.emit(Instr::TogetherBegin);
        let top = self.here();
        self.emit(Instr::Lt { dst: more, a: i, b: len });
        let end = self.jump_if_not(more);
        self.emit(Instr::Index { dst: arg, list, i });
        call(self, one);
        let skipped = self.jump_if_not(one);
        self.emit(Instr::Bool { dst: done, v: true });
        self.land(skipped);
        self.emit(Instr::AddInt { dst: i, a: i, v: 1 });
        self.jump_back(top);
        self.land(end);
        self.emit(Instr::TogetherEnd);
        self.emit(Instr::None { dst });
    }

    /// Equal questions about the past are one.
    pub fn past(&mut self, past: pack::Past) -> PastId {
        let at = self.unit.pasts.iter().position(|have| *have == past).unwrap_or_else(|| {
            self.unit.pasts.push(past);
            self.unit.pasts.len() - 1
        });
        PastId(at as u32)
    }
}

/// May a probe run into this statement to see whether it is legal? Only into the head of an action it calls, and only if nothing is asked before.
pub(super) fn probes_into(stmt: Option<&Stmt>) -> bool {
    match stmt.map(|stmt| &stmt.kind) {
        Some(StmtKind::Expr(Expr { kind: ExprKind::Emit { args, each: None, .. }, .. })) => !args.iter().flatten().any(is_effect),
        _ => false,
    }
}

/// Does evaluating this ask or change anything?
pub(crate) fn is_effect(expr: &Expr) -> bool {
    let itself = match &expr.kind {
        ExprKind::Emit { .. } | ExprKind::Code { .. } | ExprKind::Roll(_) | ExprKind::Top(_) => true,
        ExprKind::Fun(fun, _) => acts(*fun),
        _ => false,
    };
    let mut found = itself;
    each_child(expr, &mut |child| found = found || is_effect(child));
    found
}

/// May not stand in a term. A fact may: it only looks.
pub(super) fn acts_or_asks(instr: &Instr) -> bool {
    match instr {
        Instr::Call1 { fun, .. } | Instr::CallN { fun, .. } => acts(*fun),
        Instr::Set { .. }
        | Instr::SetYou { .. }
        | Instr::EvSet { .. }
        | Instr::EvMod { .. }
        | Instr::Emit { .. }
        | Instr::ScopeBegin { .. }
        | Instr::ScopeEnd { .. }
        | Instr::Proceed
        | Instr::TogetherBegin
        | Instr::TogetherEnd
        | Instr::HeadStep
        | Instr::HeadEnd
        | Instr::Mark
        | Instr::Need { .. }
        | Instr::Pay { .. }
        | Instr::PayCards { .. }
        | Instr::Roll { .. }
        | Instr::Top { .. }
        | Instr::Choose { .. }
        | Instr::Menu { .. }
        | Instr::May { .. }
        | Instr::Grant { .. }
        | Instr::Blame { .. }
        | Instr::Expect { .. }
        | Instr::Probe { .. }
        | Instr::Measure { .. }
        | Instr::ScriptDice { .. }
        | Instr::ScriptFact { .. }
        | Instr::ScriptAnswer { .. } => true,
        _ => false,
    }
}

/// Functions that change the world.
fn acts(fun: Fun) -> bool {
    matches!(
        fun,
        Fun::Relocate
            | Fun::ShuffleInto
            | Fun::Create
            | Fun::Remove
            | Fun::Become
            | Fun::Shuffle
            | Fun::Win
            | Fun::DrawGame
            | Fun::TakeControl
            | Fun::Attach
            | Fun::EndKeyword
    )
}
