//! Statements. Control flow, questions, grants and the lines of tests have files of their own.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::Reg;

use super::body::{Body, Open};
use crate::hir::{Block, Expr, ExprKind, Key, Stmt, StmtKind, Target};

impl Body<'_> {
    /// A block; its locals give their registers back.
    pub fn block(&mut self, block: &Block) {
        self.stmts(&block.stmts);
    }

    pub fn stmts(&mut self, stmts: &[Stmt]) {
        let mark = self.mark();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.release(mark);
    }

    pub fn stmt(&mut self, stmt: &Stmt) {
        let outer = self.span;
        self.span = stmt.span;
        match &stmt.kind {
            // A declaring line keeps its register after the line.
            StmtKind::Let(local, value) => {
                let dst = self.local(*local);
                self.eval(value, dst);
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Given { local, card, owner, place } => {
                let dst = self.local(*local);
                self.given(dst, card, owner.as_ref(), place.as_deref());
            }
            _ => {
                let mark = self.mark();
                self.line(stmt);
                self.release(mark);
            }
        }
        self.span = outer;
    }

    fn line(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(..) | StmtKind::Choose(_) | StmtKind::Given { .. } => {}
            StmtKind::LetField(name, value) => {
                let src = self.value(value);
                self.store(&Target::EventField(name.clone()), src, stmt.span);
            }
            StmtKind::Assign { target, value } => {
                let src = self.value(value);
                self.store(target, src, stmt.span);
                self.has_acted();
            }
            StmtKind::If { arms, otherwise } => self.branch(arms, otherwise.as_ref()),
            StmtKind::Table { subject, rows, otherwise } => {
                if let Some((local, subject)) = subject {
                    let dst = self.local(*local);
                    self.eval(subject, dst);
                }
                self.branch(rows, otherwise.as_ref());
            }
            StmtKind::For { local, set, body } => self.for_in(*local, set, body),
            StmtKind::RepeatTimes { count, body } => self.repeat_times(count, body),
            StmtKind::RepeatUntil { cond, body } => self.repeat(Some(cond), body),
            StmtKind::Repeat { body } => self.repeat(None, body),
            StmtKind::Need(cond) => self.need(cond),
            StmtKind::Menu { by, lines } => self.menu(by.as_ref(), lines),
            StmtKind::May { label, by, head, body } => self.may(label.as_deref(), by.as_ref(), *head, body),
            StmtKind::Pay { who, cost } => {
                let (who, cost) = (self.value(who), self.value(cost));
                self.emit(Instr::Pay { who, cost });
                self.has_acted();
            }
            StmtKind::PayCards { cards, pile } => {
                let (cards, pile) = (self.value(cards), self.value(pile));
                self.emit(Instr::PayCards { cards, pile });
                self.has_acted();
            }
            StmtKind::Expr(expr) => {
                // a test that does something illegal fails at its line
                if let (true, ExprKind::Emit { action, args, each: None }) = (self.in_test, &expr.kind) {
                    let (dst, done) = (self.reg(), self.reg());
                    let mark = self.mark();
                    self.sentence(action, args, None, dst, done);
                    self.release(mark);
                    self.emit(Instr::Need { cond: done });
                } else {
                    self.effect(expr);
                }
            }
            StmtKind::Alternate { local, starting, until_all_pass, body } => {
                self.alternate(*local, starting.as_ref(), *until_all_pass, body);
            }
            StmtKind::Pass => self.pass(),
            StmtKind::Proceed => {
                self.emit(Instr::Proceed);
                self.has_acted();
            }
            StmtKind::Together(body) => {
                self.emit(Instr::TogetherBegin);
                self.open.push(Open::Together);
                self.block(body);
                self.open.pop();
                self.emit(Instr::TogetherEnd);
            }
            StmtKind::Todo(words) => {
                let words = self.unit.str(words);
                self.emit(Instr::Todo { words });
                self.has_acted();
            }
            StmtKind::Scope { action, args, body } => self.scope(action, args, body),
            StmtKind::Grant(grant) => {
                self.timed_grant(grant, stmt.span);
                self.has_acted();
            }
            StmtKind::EventMod { field, op, value } => {
                let src = self.value(value);
                match self.event_field(field) {
                    Some(field) => {
                        self.emit(Instr::EvMod { field, op: *op, src });
                    }
                    None => self.problem(stmt.span, format!("`{field}` is not a field of the event")),
                }
            }
            StmtKind::Blame { cond, through, blame, message } => self.blame(cond, through, blame.as_ref(), message.as_deref(), stmt.span),
            StmtKind::Dice(faces) => {
                let src = self.value(faces);
                self.emit(Instr::ScriptDice { src });
            }
            StmtKind::GivenFact { fact, args, value } => {
                let start = self.row(args.iter());
                let src = self.value(value);
                let fact = self.unit.fact(fact);
                self.emit(Instr::ScriptFact { fact, start, n: args.len() as u16, src });
            }
            StmtKind::Answers(answers) => self.answers(answers),
            StmtKind::Expect { cond, sides, words } => self.expect(cond, sides.as_deref(), words, stmt.span),
            StmtKind::Refused { by, cards, words } => self.refused(by, cards, words, stmt.span),
            StmtKind::ExpectIllegal { sentence, words } => self.expect_illegal(sentence, words, stmt.span),
            StmtKind::Measure { of, expected, words } => self.measure(of, expected, words, stmt.span),
        }
    }

    /// An expression for what it does; the register of its value.
    pub fn effect(&mut self, expr: &Expr) -> Reg {
        let dst = self.reg();
        if let ExprKind::Emit { action, args, each } = &expr.kind {
            let done = self.reg();
            let mark = self.mark();
            self.sentence(action, args, *each, dst, done);
            self.release(mark);
            if let Some(acted) = self.acted {
                let skipped = self.jump_if_not(done);
                self.emit(Instr::Bool { dst: acted, v: true });
                self.land(skipped);
            }
        } else {
            self.eval(expr, dst);
            self.has_acted();
        }
        dst
    }

    /// In an `alternate`: the player has done something this turn.
    pub fn has_acted(&mut self) {
        if let Some(dst) = self.acted {
            self.emit(Instr::Bool { dst, v: true });
        }
    }

    pub fn store(&mut self, target: &Target, src: Reg, span: Span) {
        match target {
            Target::Local(local) => {
                let dst = self.local(*local);
                self.emit(Instr::Move { dst, src });
            }
            Target::EventField(name) => match self.event_field(name) {
                Some(field) => {
                    self.emit(Instr::EvSet { field, src });
                }
                None => self.problem(span, format!("`{name}` is not a field of the running event and cannot be set here")),
            },
            Target::Field { base, field } => {
                let obj = self.value(base);
                let field = self.unit.field(field);
                self.emit(Instr::Set { obj, field, src });
            }
        }
    }

    /// A phase written in place.
    fn scope(&mut self, action: &Key, args: &[Expr], body: &Block) {
        let start = self.row(args.iter());
        let id = self.unit.action(action);
        self.emit(Instr::ScopeBegin { action: id, start, n: args.len() as u16 });
        let names = self.inner.iter().find(|(key, _)| key == action).map(|(_, names)| names.clone()).unwrap_or_default();
        self.env.scopes.push((action.clone(), names));
        self.open.push(Open::Scope(id));
        self.block(body);
        self.open.pop();
        self.env.scopes.pop();
        self.emit(Instr::ScopeEnd { action: id });
    }
}
