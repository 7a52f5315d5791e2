//! Expressions. `value` gives the register an expression is in, `eval` puts it in a given one.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::{EachOp, Fun, Instr};
use banneret_runtime::ids::Reg;
use banneret_runtime::pack;
use banneret_runtime::table::Board;
use banneret_runtime::value::Value;

use super::body::{Body, Event};
use super::constant::fold;
use crate::hir::{Compare, Expr, ExprKind, Name, Rounding};

impl Body<'_> {
    /// The register that holds the value: a local's own, or a fresh one. It must not be written to.
    pub fn value(&mut self, expr: &Expr) -> Reg {
        let known = match &expr.kind {
            ExprKind::Local(local) => self.env.locals.get(local).copied(),
            ExprKind::This => self.env.this,
            ExprKind::Part => self.env.part,
            ExprKind::You => self.env.you,
            ExprKind::EventField(name) => self.env.fields.get(name).copied(),
            _ => None,
        };
        known.unwrap_or_else(|| {
            let dst = self.reg();
            self.eval(expr, dst);
            dst
        })
    }

    /// Values in a row of registers, as calls want them.
    pub fn row<'e>(&mut self, args: impl ExactSizeIterator<Item = &'e Expr>) -> Reg {
        let start = self.regs(args.len());
        for (n, arg) in args.enumerate() {
            // A row too long for the machine has been reported; it must not overflow here too.
            let dst = start.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
            self.eval(arg, dst);
        }
        start
    }

    /// Evaluates into a register. `dst` must be fresh: code may write it before it has read everything else.
    pub fn eval(&mut self, expr: &Expr, dst: Reg) {
        let mark = self.mark();
        let outer = self.span;
        if expr.span != Span::default() && !self.foreign {
            self.span = expr.span;
        }
        self.eval_inner(expr, dst);
        self.span = outer;
        self.release(mark);
    }

    fn eval_inner(&mut self, expr: &Expr, dst: Reg) {
        match &expr.kind {
            ExprKind::None => {
                self.emit(Instr::None { dst });
            }
            ExprKind::Bool(v) => {
                self.emit(Instr::Bool { dst, v: *v });
            }
            ExprKind::Int(v) => match i32::try_from(*v) {
                Ok(v) => {
                    self.emit(Instr::Int { dst, v });
                }
                Err(_) => self.constant(Value::Int(*v), dst),
            },
            ExprKind::Ratio(..)
            | ExprKind::Text(_)
            | ExprKind::Dice { .. }
            | ExprKind::Member(..)
            | ExprKind::Keyword(_)
            | ExprKind::Card(_)
            | ExprKind::InPlay => match fold(self.unit, expr) {
                Some(value) => self.constant(value, dst),
                None => {
                    self.emit(Instr::None { dst });
                    self.problem(expr.span, "this number is out of range");
                }
            },
            ExprKind::Local(local) => match self.env.locals.get(local) {
                Some(&src) => {
                    self.emit(Instr::Move { dst, src });
                }
                None => {
                    self.emit(Instr::None { dst });
                    self.problem(expr.span, "this name has no value here: rules that outlive the block cannot read its names");
                }
            },
            ExprKind::EventField(name) => self.read_event(name, dst, expr.span),
            ExprKind::This => self.read_this(dst, expr.span),
            ExprKind::Part => self.read_part(dst, expr.span),
            ExprKind::You => self.read_you(dst),
            ExprKind::Players => {
                self.emit(Instr::Players { dst });
            }
            ExprKind::Opponent(of) => {
                let of = self.value(of);
                self.emit(Instr::Opponent { dst, of });
            }
            ExprKind::Game(kind) => {
                let kind = self.unit.kind(kind);
                self.emit(Instr::Game { dst, kind });
            }
            ExprKind::Option(option) => {
                let option = self.unit.option(option);
                self.emit(Instr::Option { dst, option });
            }
            ExprKind::ScopeField(key, name) => {
                let action = self.unit.action(key);
                let field = self.unit.event_field(std::slice::from_ref(key), name);
                self.emit(Instr::ScopeGet { dst, action, field });
            }
            ExprKind::Field { base, field, raw } => {
                let obj = self.value(base);
                let field = self.unit.field(field);
                let read = if *raw { Instr::GetRaw { dst, obj, field } } else { Instr::Get { dst, obj, field } };
                self.if_set(base, obj, dst, read);
            }
            ExprKind::Parts { base, kind } => {
                let obj = self.value(base);
                let kind = self.unit.kind(kind);
                self.emit(Instr::Parts { dst, obj, kind });
            }
            ExprKind::PartNamed { base, name } => {
                let obj = self.value(base);
                let name = self.unit.str(name);
                self.if_set(base, obj, dst, Instr::PartNamed { dst, obj, name });
            }
            ExprKind::AllOf(kind) => {
                let kind = self.unit.kind(kind);
                self.emit(Instr::AllOf { dst, kind });
            }
            ExprKind::IsKind { base, kind } => {
                let obj = self.value(base);
                let kind = self.unit.kind(kind);
                self.emit(Instr::IsKind { dst, obj, kind });
            }
            ExprKind::HasKeyword { base, keyword } => {
                let obj = self.value(base);
                let keyword = self.unit.keyword(keyword);
                self.emit(Instr::HasKeyword { dst, obj, keyword });
            }
            ExprKind::KeywordNumber { base, keyword } => {
                let obj = self.value(base);
                let keyword = self.unit.keyword(keyword);
                self.emit(Instr::KeywordNumber { dst, obj, keyword });
            }
            ExprKind::And(a, b) => {
                self.eval(a, dst);
                let end = self.jump_if_not(dst);
                self.eval(b, dst);
                self.land(end);
            }
            ExprKind::Or(a, b) => {
                self.eval(a, dst);
                let end = self.jump_if(dst);
                self.eval(b, dst);
                self.land(end);
            }
            ExprKind::OrElse(a, b) => {
                self.eval(a, dst);
                let unset = self.emit(Instr::JumpIfNone { src: dst, to: 0 });
                let end = self.jump();
                self.land(unset);
                self.eval(b, dst);
                self.land(end);
            }
            ExprKind::Not(a) => {
                let a = self.value(a);
                self.emit(Instr::Not { dst, a });
            }
            ExprKind::Neg(inner) => match fold(self.unit, expr) {
                Some(value) => self.number(value, dst),
                None => {
                    let a = self.value(inner);
                    self.emit(Instr::Neg { dst, a });
                }
            },
            ExprKind::Add(a, b) => match &b.kind {
                ExprKind::Int(v) if i32::try_from(*v).is_ok() => {
                    let a = self.value(a);
                    self.emit(Instr::AddInt { dst, a, v: *v as i32 });
                }
                _ => self.two(a, b, |a, b| Instr::Add { dst, a, b }),
            },
            ExprKind::Sub(a, b) => self.two(a, b, |a, b| Instr::Sub { dst, a, b }),
            ExprKind::Mul(a, b) => self.two(a, b, |a, b| Instr::Mul { dst, a, b }),
            ExprKind::Div(a, b, how) => self.two(a, b, |a, b| match how {
                Rounding::Exact => Instr::Div { dst, a, b },
                Rounding::Down => Instr::DivDown { dst, a, b },
                Rounding::Up => Instr::DivUp { dst, a, b },
                Rounding::Nearest => Instr::DivNearest { dst, a, b },
            }),
            ExprKind::Mod(a, b) => self.two(a, b, |a, b| Instr::Mod { dst, a, b }),
            ExprKind::Compare(how, a, b) => {
                // what is said of the one thing does not hold if there is none
                let asked = [a, b].map(|side| crate::elaborate::is_through_the(side) && !matches!(side.ty, crate::ty::Ty::Optional(_)));
                let (a, b) = (self.value(a), self.value(b));
                let absent: Vec<usize> = [a, b]
                    .into_iter()
                    .zip(asked)
                    .filter(|(_, asked)| *asked)
                    .map(|(src, _)| self.emit(Instr::JumpIfNone { src, to: 0 }))
                    .collect();
                self.compare(*how, a, b, dst);
                if !absent.is_empty() {
                    let end = self.jump();
                    self.land_all(absent);
                    self.emit(Instr::Bool { dst, v: false });
                    self.land(end);
                }
            }
            ExprKind::Contains(list, item) => self.two(list, item, |list, item| Instr::Contains { dst, list, item }),
            ExprKind::If { arms, otherwise } => self.rows(arms, Some(otherwise), dst),
            ExprKind::Table { subject, rows, otherwise } => {
                if let Some((local, subject)) = subject {
                    let reg = self.local(*local);
                    self.eval(subject, reg);
                }
                self.rows(rows, otherwise.as_deref(), dst);
                // The register goes back with the expression; the name must not outlive it.
                if let Some((local, _)) = subject {
                    self.env.locals.remove(local);
                }
            }
            ExprKind::List(list) => match fold(self.unit, expr) {
                Some(value) => self.constant(value, dst),
                None => {
                    let start = self.row(list.iter());
                    self.emit(Instr::MakeList { dst, start, n: list.len() as u16 });
                }
            },
            ExprKind::Each { op, list, lambda } => {
                // Whether there is any such thing is known from the first.
                let (list, lambda) = match (&list.kind, &lambda.body.kind) {
                    (ExprKind::Each { op: EachOp::Filter, list, lambda }, ExprKind::Bool(true)) if *op == EachOp::Any => (list, lambda),
                    _ => (list, lambda),
                };
                let list = self.value(list);
                let closure = self.closure(lambda, "each");
                self.emit(Instr::Each { dst, op: *op, list, frag: closure.frag, caps: closure.caps, n: closure.n });
            }
            ExprKind::Fun(fun, args) => match args.as_slice() {
                [a] => {
                    let a = self.value(a);
                    self.emit(Instr::Call1 { dst, fun: *fun, a });
                }
                _ => match self.unit.board {
                    // The board is told after the arguments.
                    board if on_board(*fun, board) => {
                        let code = Expr { kind: ExprKind::Int(board as i64), ty: expr.ty.clone(), span: expr.span };
                        let all: Vec<&Expr> = args.iter().chain([&code]).collect();
                        let start = self.row(all.into_iter());
                        self.emit(Instr::CallN { dst, fun: *fun, start, n: args.len() as u16 + 1 });
                    }
                    _ => {
                        let start = self.row(args.iter());
                        self.emit(Instr::CallN { dst, fun: *fun, start, n: args.len() as u16 });
                    }
                },
            },
            ExprKind::Pair(a, b) => match fold(self.unit, expr) {
                Some(value) => self.constant(value, dst),
                None => {
                    let start = self.row([&**a, &**b].into_iter());
                    self.emit(Instr::CallN { dst, fun: Fun::MakePair, start, n: 2 });
                }
            },
            ExprKind::Cost { amount, resource } => match fold(self.unit, expr) {
                Some(value) => self.constant(value, dst),
                None => {
                    let start = self.regs(2);
                    self.eval(amount, start);
                    let one = Value::Cost([(self.unit.field(resource), 1)].into());
                    self.constant(one, start + 1);
                    self.emit(Instr::CallN { dst, fun: Fun::CostTimes, start, n: 2 });
                }
            },
            ExprKind::Call { define, args } => {
                let start = self.row(args.iter());
                let frag = self.unit.define(define);
                self.emit(Instr::Call { dst, frag, start, n: args.len() as u16 });
            }
            ExprKind::Fact { fact, args } => {
                let start = self.row(args.iter());
                let fact = self.unit.fact(fact);
                self.emit(Instr::Fact { dst, fact, start, n: args.len() as u16 });
            }
            ExprKind::Emit { action, args, each } => {
                let done = self.reg();
                self.sentence(action, args, *each, dst, done);
            }
            ExprKind::Code { code, args } => {
                let code = self.value(code);
                let start = self.row(args.iter());
                self.emit(Instr::CallCode { dst, code, start, n: args.len() as u16 });
            }
            ExprKind::Roll(dice) => {
                let dice = self.value(dice);
                self.emit(Instr::Roll { dst, dice });
            }
            ExprKind::Top(pile) => {
                let pile = self.value(pile);
                self.emit(Instr::Top { dst, pile });
            }
            ExprKind::Past { actions, scope, filter } => {
                let past = pack::Past { actions: self.unit.actions(actions), scope: scope.as_ref().map(|scope| self.unit.action(scope)) };
                let spec = self.past(past);
                self.emit(Instr::Past { dst, spec });
                if let Some(filter) = filter {
                    let closure = self.closure(filter, "past");
                    let (frag, caps, n) = (closure.frag, closure.caps, closure.n);
                    self.emit(Instr::Each { dst, op: EachOp::Filter, list: dst, frag, caps, n });
                }
            }
            ExprKind::LogField { event, action, field } => {
                let event = self.value(event);
                let field = self.unit.event_field(std::slice::from_ref(action), field);
                self.emit(Instr::LogGet { dst, event, field });
            }
            ExprKind::Error => {
                self.emit(Instr::None { dst });
                self.problem(expr.span, "this part has an error of its own");
            }
        }
    }

    pub fn constant(&mut self, value: Value, dst: Reg) {
        let k = self.unit.constant(value);
        self.emit(Instr::Const { dst, k });
    }

    fn number(&mut self, value: Value, dst: Reg) {
        match value {
            Value::Int(v) if i32::try_from(v).is_ok() => {
                self.emit(Instr::Int { dst, v: v as i32 });
            }
            value => self.constant(value, dst),
        }
    }

    fn two(&mut self, a: &Expr, b: &Expr, instr: impl FnOnce(Reg, Reg) -> Instr) {
        let (a, b) = (self.value(a), self.value(b));
        self.emit(instr(a, b));
    }

    /// The machine has Eq, Lt and Le; the rest are these turned round.
    /// Reads something of what may be unset: what comes of it is unset then, too.
    fn if_set(&mut self, base: &Expr, obj: Reg, dst: Reg, read: Instr) {
        if !matches!(base.ty, crate::ty::Ty::Optional(_)) {
            self.emit(read);
            return;
        }
        let absent = self.emit(Instr::JumpIfNone { src: obj, to: 0 });
        self.emit(read);
        let end = self.jump();
        self.land(absent);
        self.emit(Instr::None { dst });
        self.land(end);
    }

    pub fn compare(&mut self, how: Compare, a: Reg, b: Reg, dst: Reg) {
        match how {
            Compare::Eq => self.emit(Instr::Eq { dst, a, b }),
            Compare::Ne => {
                self.emit(Instr::Eq { dst, a, b });
                self.emit(Instr::Not { dst, a: dst })
            }
            Compare::Lt => self.emit(Instr::Lt { dst, a, b }),
            Compare::Le => self.emit(Instr::Le { dst, a, b }),
            Compare::Gt => self.emit(Instr::Lt { dst, a: b, b: a }),
            Compare::Ge => self.emit(Instr::Le { dst, a: b, b: a }),
        };
    }

    /// The value of the first row whose test is true.
    fn rows(&mut self, rows: &[(Expr, Expr)], otherwise: Option<&Expr>, dst: Reg) {
        let mut ends = Vec::new();
        for (test, value) in rows {
            let mark = self.mark();
            let test = self.value(test);
            let next = self.jump_if_not(test);
            self.release(mark);
            self.eval(value, dst);
            ends.push(self.jump());
            self.land(next);
        }
        match otherwise {
            Some(value) => self.eval(value, dst),
            None => {
                self.emit(Instr::None { dst });
            }
        }
        self.land_all(ends);
    }

    // ---- names

    pub fn read_event(&mut self, name: &Name, dst: Reg, span: Span) {
        if let Some(&src) = self.env.fields.get(name) {
            self.emit(Instr::Move { dst, src });
            return;
        }
        if let Some(field) = self.event_field(name) {
            self.emit(Instr::EvGet { dst, field });
            return;
        }
        // Not a field of the action itself: one of a phase written in place around here.
        let scope = self.env.scopes.iter().rev().find(|(_, names)| names.contains(name)).map(|(key, _)| key.clone());
        match scope {
            Some(key) => {
                let action = self.unit.action(&key);
                let field = self.unit.event_field(&[key], name);
                self.emit(Instr::ScopeGet { dst, action, field });
            }
            None => {
                self.emit(Instr::None { dst });
                self.problem(span, format!("`{name}` is not a field of an event that can be read here"));
            }
        }
    }

    /// The symbolic number of a field of the event, if the event has it.
    pub fn event_field(&mut self, name: &Name) -> Option<u16> {
        match &self.env.event {
            Event::Own(key, names) if names.contains(name) => Some(self.unit.event_field(std::slice::from_ref(key), name)),
            Event::Answered(actions) if !actions.is_empty() => Some(self.unit.event_field(actions, name)),
            _ => None,
        }
    }

    pub fn read_this(&mut self, dst: Reg, span: Span) {
        self.read_held(self.env.this, dst, span, "`this`");
    }

    pub fn read_part(&mut self, dst: Reg, span: Span) {
        self.read_held(self.env.part, dst, span, "`part`");
    }

    fn read_held(&mut self, from: Option<Reg>, dst: Reg, span: Span, what: &str) {
        match from {
            Some(src) => self.emit(Instr::Move { dst, src }),
            None => {
                self.problem(span, format!("{what} stands for nothing here"));
                self.emit(Instr::None { dst })
            }
        };
    }

    pub fn read_you(&mut self, dst: Reg) {
        match self.env.you {
            Some(src) => self.emit(Instr::Move { dst, src }),
            None => self.emit(Instr::You { dst }),
        };
    }
}

/// Does a function of the table find something else on this board than between centres?
fn on_board(fun: Fun, board: Board) -> bool {
    let measures = matches!(
        fun,
        Fun::Distance
            | Fun::Gap
            | Fun::Touching
            | Fun::Within
            | Fun::Spots
            | Fun::Toward
            | Fun::Ahead
            | Fun::Bearing
            | Fun::InArc
            | Fun::WayDistance
            | Fun::WayInside
            | Fun::WayLength
            | Fun::StopBefore
            | Fun::StopAtEdge
            | Fun::Inside
            | Fun::Shown
    );
    measures && (board.has_spaces() || (board == Board::Edges && fun == Fun::Within))
}
