//! Actions and phases: a head that declares, a body that resolves.

use banneret_grammar::ast::{self, Line};
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, ActionParam, Block, Expr, ExprKind, Stmt, StmtKind, Target, TextPart};
use crate::names::key_of;
use crate::ty::Ty;

use super::cx::{EventCx, expr};
use super::stmt::{head_len, is_pure};
use super::{Cx, Outline};

/// In the place of a parameter's name: `says afterwards "…"`.
const AFTERWARDS: &str = "afterwards";

impl<'db> Cx<'db> {
    pub(super) fn action(&mut self, a: &ast::Action, outline: &mut Outline) -> hir::Item {
        let key = key_of(&self.module, &a.name.text);
        let mut params = Vec::new();
        let mut fields: Vec<(SmolStr, Ty)> = Vec::new();
        for p in &a.params {
            let name = SmolStr::new(&p.param.name.text);
            if banneret_grammar::words::is_reserved(&name) {
                self.report(
                    Diagnostic::error(
                        "reserved-word",
                        p.param.name.span,
                        format!("`{name}` is a word of the language and cannot be a name."),
                    )
                    .help(format!("Use another name, for example `{name}_`.")),
                );
            }
            let ty = match &p.param.ty {
                Some(ty) => self.resolve_type(ty),
                None => {
                    self.report(
                        Diagnostic::error("missing-type", p.param.span, format!("It is not said what `{name}` is."))
                            .help(format!("Write its type after a colon: `{name}: Unit`.")),
                    );
                    Ty::Error
                }
            };
            if fields.iter().any(|(n, _)| *n == name) {
                self.report(
                    Diagnostic::error("duplicate-name", p.param.name.span, format!("There are two parameters called `{name}`."))
                        .help("Give one of them another name."),
                );
            }
            if let Some(prep) = &p.prep
                && params.iter().any(|q: &ActionParam| q.prep.as_deref() == Some(&*prep.text))
            {
                self.report(
                    Diagnostic::error(
                        "duplicate-argument",
                        prep.span,
                        format!("`{}` is used twice; each preposition stands once.", prep.text),
                    )
                    .help("Use another preposition for one of them."),
                );
            }
            let default = p.param.default.as_ref().map(|e| {
                let want = ty.clone();
                self.purely("a default", |cx| cx.value(e, &want))
            });
            fields.push((name.clone(), ty.clone()));
            params.push(ActionParam { prep: p.prep.as_ref().map(|w| SmolStr::new(&w.text)), name, ty, default });
        }
        self.event = Some(EventCx { fields, actions: vec![key.clone()], ..EventCx::default() });
        let mut body = Block::default();
        let lines: Vec<&Line> = a.block.lines.iter().filter(|l| !matches!(l, Line::Says { .. })).collect();
        let mut rest = 0;
        for line in &lines {
            if !self.head_line(line, &mut body) {
                break;
            }
            rest += 1;
        }
        let mut head = body.stmts.len();
        for line in &lines[rest..] {
            self.line(line, &mut body);
        }
        for used in std::mem::take(&mut self.used_parts) {
            let span = used.span;
            let usable = expr(ExprKind::Fun(crate::hir::Fun::Usable, vec![used]), Ty::Bool, span);
            body.stmts.insert(head, hir::Stmt { kind: StmtKind::Need(usable), span });
            head += 1;
        }
        // the words may name what the head binds
        let says = a.block.lines.iter().find_map(|l| match l {
            Line::Says { of: None, template, .. } => Some(self.template(template)),
            _ => None,
        });
        let (mut words, mut told) = (Vec::new(), None);
        for line in &a.block.lines {
            match line {
                Line::Says { of: Some(of), template, .. } if &*of.text == AFTERWARDS => told = self.told_afterwards(template),
                Line::Says { of: Some(of), template, .. } => words.extend(self.words_of(of, template)),
                _ => {}
            }
        }
        let declared = params.len();
        let bound: Vec<(SmolStr, Ty)> = self.event.take().map(|e| e.fields[declared..].to_vec()).unwrap_or_default();
        result_of(&mut body);
        if let Some((_, before)) = body.stmts.split_last() {
            self.do_nothing(before);
        }
        outline.result = match body.stmts.last().map(|s| &s.kind) {
            Some(StmtKind::Expr(e)) => match &e.ty {
                Ty::Rolled(_) => e.ty.clone(),
                other => other.clone(),
            },
            _ => Ty::Nothing,
        };
        outline.bound = bound.clone();
        let once = a.once_per.as_ref().and_then(|w| self.once_key(w));
        let by = a.params.iter().position(|p| p.prep.as_ref().is_some_and(|w| &*w.text == "by"));
        hir::Item::Action(hir::Action {
            key,
            name: SmolStr::new(&a.name.text),
            params,
            bound: bound.into_iter().map(|(n, _)| n).collect(),
            by,
            once,
            is_phase: a.is_phase,
            head,
            body: Some(body),
            says,
            told,
            words,
            inner: std::mem::take(&mut self.inner),
        })
    }

    /// `says afterwards "…"`: told by who only knows the values of the event when it is over.
    fn told_afterwards(&mut self, template: &ast::Str) -> Option<hir::Template> {
        let told = self.template(template);
        let names = |part: &TextPart| match part {
            TextPart::Text(_) => true,
            TextPart::Value(e) | TextPart::Article(e) | TextPart::Plural(e, ..) => {
                matches!(e.kind, ExprKind::EventField(_)) || matches!(e.ty, Ty::Error)
            }
        };
        if !told.parts.iter().all(names) {
            self.report(
                Diagnostic::error("bad-template", template.span, "What is said afterwards can only name what belongs to the action.")
                    .help("Name its parameters, what its head chooses, or what it names with `let` in its head, as in `let left = 0`."),
            );
        }
        Some(told)
    }

    /// `says NAME "…"`: a parameter, or what the head binds.
    fn words_of(&mut self, of: &ast::Word, template: &ast::Str) -> Option<(SmolStr, hir::Template)> {
        let known: Vec<SmolStr> = self.event.iter().flat_map(|event| event.fields.iter().map(|(name, _)| name.clone())).collect();
        if !known.iter().any(|name| **name == *of.text) {
            let d = Diagnostic::error("unknown-field", of.span, format!("This action has no `{}`.", of.text))
                .help("Words are given to its parameters, and to what its head chooses or names with `let`.");
            let d = self.suggest(d, &of.text, of.span, &known, &|_| false);
            self.report(d);
            return None;
        }
        Some((SmolStr::new(&of.text), self.template(template)))
    }

    /// A line of the head: its names become fields of the event. False if the head is over.
    fn head_line(&mut self, line: &Line, out: &mut Block) -> bool {
        let span = line.span();
        match line {
            Line::Need { .. } => {
                self.line(line, out);
                true
            }
            Line::Let { names, .. } => {
                // a let that rolls or calls is the first line of the body
                let mut trial = Vec::new();
                let before = self.reports().len();
                for (_, value) in names {
                    let value = self.expr(value, None);
                    trial.push(self.settle(value));
                }
                if !trial.iter().all(is_pure) {
                    self.reports().truncate(before);
                    return false;
                }
                for ((name, _), value) in names.iter().zip(trial) {
                    self.bind_field(name, value.ty.clone());
                    out.stmts.push(Stmt { kind: StmtKind::LetField(SmolStr::new(&name.text), value), span });
                }
                true
            }
            Line::Choose(c) => {
                let depth = self.scope.len();
                if let Some(StmtKind::Choose(mut choose)) = self.choose(c, span) {
                    let ty = match &choose.into {
                        Target::Local(l) => {
                            self.locals[l.0 as usize].silent = true;
                            self.locals[l.0 as usize].ty.clone()
                        }
                        _ => Ty::Error,
                    };
                    self.scope.truncate(depth);
                    self.bind_field(&c.name, ty);
                    choose.into = Target::EventField(SmolStr::new(&c.name.text));
                    choose.in_head = true;
                    out.stmts.push(Stmt { kind: StmtKind::Choose(choose), span });
                }
                true
            }
            Line::Expr(e) if is_pay(e) => {
                self.line(line, out);
                true
            }
            _ => false,
        }
    }

    fn bind_field(&mut self, name: &ast::Word, ty: Ty) {
        let taken = self.event.as_ref().is_some_and(|e| e.fields.iter().any(|(n, _)| **n == *name.text));
        if taken {
            self.report(
                Diagnostic::error("duplicate-name", name.span, format!("`{}` is already the name of something here.", name.text))
                    .help("Give one of them another name."),
            );
        }
        let ty = match ty {
            Ty::Int(r) if r.low == r.high => Ty::Int(crate::ty::Range::default()),
            other => other,
        };
        if let Some(event) = &mut self.event {
            event.fields.push((SmolStr::new(&name.text), ty));
        }
    }

    pub(super) fn params_as_locals(&mut self, params: &[ast::Param]) -> Vec<hir::Local> {
        params
            .iter()
            .map(|p| {
                let ty = match &p.ty {
                    Some(ty) => self.resolve_type(ty),
                    None => {
                        self.report(
                            Diagnostic::error("missing-type", p.span, format!("It is not said what `{}` is.", p.name.text))
                                .help(format!("Write its type after a colon: `{}: Unit`.", p.name.text)),
                        );
                        Ty::Error
                    }
                };
                self.declare(&p.name, ty)
            })
            .collect()
    }
}

fn is_pay(e: &ast::Expr) -> bool {
    let run = match &e.kind {
        ast::ExprKind::Sentence { of, .. } => of,
        _ => e,
    };
    matches!(&run.kind, ast::ExprKind::Run { head, .. } if matches!(&head.kind, ast::ExprKind::Name(n) if &**n == "pay"))
}

/// If the last line is a choice between values, it is the result.
pub(super) fn result_of(body: &mut Block) {
    let Some(last) = body.stmts.last_mut() else { return };
    let span = last.span;
    let single =
        |b: &Block| matches!(b.stmts.as_slice(), [Stmt { kind: StmtKind::Expr(e), .. }] if !matches!(e.ty, Ty::Nothing | Ty::Error));
    let value = |b: &Block| match b.stmts.as_slice() {
        [Stmt { kind: StmtKind::Expr(e), .. }] => Some(e.clone()),
        _ => None,
    };
    let made = match &last.kind {
        StmtKind::If { arms, otherwise: Some(o) } if arms.iter().all(|(_, b)| single(b)) && single(o) => {
            let arms: Option<Vec<(Expr, Expr)>> = arms.iter().map(|(c, b)| value(b).map(|v| (c.clone(), v))).collect();
            arms.zip(value(o)).map(|(arms, o)| (o.ty.clone(), ExprKind::If { arms, otherwise: Box::new(o) }))
        }
        StmtKind::Table { subject, rows, otherwise } if rows.iter().all(|(_, b)| single(b)) && otherwise.as_ref().is_none_or(single) => {
            let rows: Option<Vec<(Expr, Expr)>> = rows.iter().map(|(c, b)| value(b).map(|v| (c.clone(), v))).collect();
            rows.and_then(|rows| {
                let ty = rows.first()?.1.ty.clone();
                let otherwise = otherwise.as_ref().and_then(value).map(Box::new);
                let subject = subject.clone().map(|(l, e)| (l, Box::new(e)));
                Some((ty, ExprKind::Table { subject, rows, otherwise }))
            })
        }
        _ => None,
    };
    if let Some((ty, kind)) = made {
        last.kind = StmtKind::Expr(Expr { kind, ty, span });
    }
}

/// Marks the choices in the heads of optional blocks.
pub(super) fn mark_head(body: &mut Block) -> usize {
    let head = head_len(body);
    for stmt in &mut body.stmts[..head] {
        if let StmtKind::Choose(c) = &mut stmt.kind {
            c.in_head = true;
        }
    }
    head
}
