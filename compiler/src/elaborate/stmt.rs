//! Statements, one construct after another.

use banneret_grammar::ast::{self, Line, RepeatKind};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{Block, Expr, ExprKind, ModOp, Stmt, StmtKind};
use crate::items::DeclKind;
use crate::key::last_name;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{Place, error, expr};

impl<'db> Cx<'db> {
    /// A block with its own names.
    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        let known = self.known.len();
        let out = self.scoped(|cx| cx.lines(&block.lines));
        self.known.truncate(known);
        if let Some((_, before)) = out.stmts.split_last() {
            self.do_nothing(before);
        }
        out
    }

    /// Warns of lines that are only values, which nobody reads.
    pub(super) fn do_nothing(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let StmtKind::Expr(e) = &stmt.kind else { continue };
            let is_value = !matches!(e.kind, ExprKind::Call { .. } | ExprKind::Error) && e.ty != Ty::Error && !crate::lower::is_effect(e);
            if is_value && !self.told_within(stmt.span) {
                let d = Diagnostic::warning("does-nothing", stmt.span, "This line does nothing: it is only a value.");
                let d = self.meant_change(d, e);
                self.report(d);
            }
        }
    }

    pub(super) fn lines(&mut self, lines: &[Line]) -> Block {
        let mut out = Block::default();
        let mut after_exit: Option<Span> = None;
        for line in lines {
            if self.misread.take_if(|at| *at == line.span().start).is_some() {
                continue;
            }
            let told = self.diagnostics().len();
            if let Some(exit) = after_exit.take() {
                let span = line.span();
                self.report(
                    Diagnostic::warning("unreachable", span, "This is never reached.")
                        .also(exit, "the block is left here")
                        .help("Remove it, or put it before the `pass`."),
                );
            }
            if matches!(line, Line::Pass { .. }) {
                after_exit = Some(line.span());
            }
            self.line(line, &mut out);
            // names that it would have given are not missing
            if self.diagnostics().len() > told && self.gives_names(line) {
                self.lose(line.span());
            }
        }
        out
    }

    pub(super) fn line(&mut self, line: &Line, out: &mut Block) {
        let span = line.span();
        let mut push = |kind: StmtKind| out.stmts.push(Stmt { kind, span });
        match line {
            Line::Let { names, .. } => {
                for (name, value) in names {
                    let value = self.expr(value, None);
                    let value = self.settle(value);
                    let ty = loosened(&value.ty);
                    let local = self.declare(name, ty);
                    push(StmtKind::Let(local, value));
                }
            }
            Line::Assign { target, op, value, .. } => {
                if let Some(kind) = self.assign(target, *op, value, span) {
                    push(kind);
                }
            }
            Line::If { arms, otherwise, .. } => {
                // in each arm the conditions before it are known not to hold
                let (known, doubtful) = (self.known.len(), self.doubtful);
                let mut done: Vec<(Expr, Block)> = Vec::new();
                for (cond, block) in arms {
                    let (cond, wrong) = self.sure_condition(cond);
                    self.doubtful |= wrong;
                    let block = self.knowing(&cond, true, |cx| cx.block(block));
                    self.learn(&cond, false);
                    done.push((cond, block));
                }
                let arms = done;
                let otherwise = otherwise.as_ref().map(|b| self.block(b));
                self.known.truncate(known);
                self.doubtful = doubtful;
                push(StmtKind::If { arms, otherwise });
            }
            Line::For { name, set, block, .. } => {
                let set = self.set(set);
                let element = Self::element(&set.ty);
                let kind = self.scoped(|cx| {
                    let local = cx.declare(name, element);
                    // counting through something without naming it is fine
                    cx.locals[local.0 as usize].silent = true;
                    let body = cx.block(block);
                    StmtKind::For { local, set, body }
                });
                push(kind);
            }
            Line::Repeat { times, block, .. } => {
                let kind = match times {
                    RepeatKind::Times(n) => {
                        let count = self.value(n, &Ty::Int(Range::default()));
                        self.repeats(&count);
                        self.loops += 1;
                        let body = self.block(block);
                        self.loops -= 1;
                        StmtKind::RepeatTimes { count, body }
                    }
                    RepeatKind::Until(c) => {
                        self.loops += 1;
                        let body = self.block(block);
                        self.loops -= 1;
                        StmtKind::RepeatUntil { cond: self.condition(c), body }
                    }
                    RepeatKind::UntilPass => {
                        self.loops += 1;
                        let body = self.block(block);
                        self.loops -= 1;
                        if !has_pass(block) {
                            self.report(
                                Diagnostic::error("endless-repeat", Span::new(span.start, span.start + 6), "This repeat has no end.")
                                    .help("Let somebody `pass` in it, or say `repeat N` or `repeat until …`."),
                            );
                        }
                        StmtKind::Repeat { body }
                    }
                };
                push(kind);
            }
            Line::Need { cond, blame, message, .. } => match self.place {
                Place::Limit => {
                    let cond = self.condition(cond);
                    let blame = blame.as_ref().map(|b| self.expr(b, None));
                    push(StmtKind::Blame {
                        cond,
                        through: Vec::new(),
                        blame,
                        message: message.as_ref().map(|m| Box::new(self.template(m))),
                    });
                }
                _ => {
                    if let Some(blame) = blame {
                        self.report(Diagnostic::error("misplaced-line", blame.span, "`blame` belongs in a limit."));
                    }
                    let cond = self.purely("a `need`", |cx| cx.condition(cond));
                    self.learn(&cond, true);
                    push(StmtKind::Need(cond));
                }
            },
            Line::Choose(c) => {
                if let Some(kind) = self.choose(c, span) {
                    push(kind);
                }
            }
            Line::Menu { by, lines, .. } => {
                let by = by.as_ref().map(|e| self.player(e));
                push(self.menu(by, lines));
            }
            Line::May { label, by, block, .. } => {
                let by = by.as_ref().map(|e| self.player(e));
                let mut body = self.block(block);
                let head = super::action::mark_head(&mut body);
                push(StmtKind::May { label: label.as_ref().map(|l| SmolStr::new(&l.text)), by, head, body });
            }
            Line::Do { what, .. } => {
                let e = self.do_what(what, span);
                self.sentence_stmt(e, span, out);
            }
            Line::Alternate { name, starting, until_all_pass, block, .. } => {
                let player = self.player_ty();
                let starting = starting.as_ref().map(|e| {
                    let want = Ty::Optional(Box::new(player.clone()));
                    self.value(e, &want)
                });
                let kind = self.scoped(|cx| {
                    let local = cx.declare(name, player);
                    // a body may well speak only of `you`
                    cx.locals[local.0 as usize].used = true;
                    cx.loops += 1;
                    let body = cx.block(block);
                    cx.loops -= 1;
                    StmtKind::Alternate { local, starting, until_all_pass: *until_all_pass, body }
                });
                push(kind);
            }
            Line::Pass { .. } => {
                if self.loops == 0 {
                    self.report(
                        Diagnostic::error("misplaced-line", span, "There is nothing to pass out of here.")
                            .help("`pass` leaves a `repeat` or an `alternate`."),
                    );
                    return;
                }
                push(StmtKind::Pass);
            }
            Line::Proceed { .. } => {
                if !self.event.as_ref().is_some_and(|e| e.replaceable) {
                    self.report(
                        Diagnostic::error("misplaced-line", span, "`proceed` carries out a replaced event, and here none is replaced.")
                            .help("Write the rule as `instead of … { … }`, or leave `proceed` out."),
                    );
                    return;
                }
                push(StmtKind::Proceed);
            }
            Line::Together { block, .. } => {
                let body = self.block(block);
                push(StmtKind::Together(body));
            }
            Line::Todo { words, .. } => push(StmtKind::Todo(SmolStr::new(&words.text))),
            Line::Phase { action, .. } => push(self.phase_in_place(action, span)),
            Line::Table { subject, rows, .. } => push(self.table_stmt(subject.as_ref(), rows, span)),
            Line::Grant { set, block, durations, .. } => {
                if let Some(kind) = self.timed_grant(set, block, durations, span) {
                    push(kind);
                }
            }
            Line::Modifier { target, value, .. } => {
                if let Some(kind) = self.event_mod(target, ModOp::Add, value, span) {
                    push(kind);
                }
            }
            Line::Bound { target, least, value, .. } => {
                let op = if *least { ModOp::AtLeast } else { ModOp::AtMost };
                if let Some(kind) = self.event_mod(target, op, value, span) {
                    push(kind);
                }
            }
            Line::Expr(e) => self.expr_line(e, span, out),
            Line::Given { .. } | Line::Expect { .. } => {
                if self.place == Place::Test {
                    self.test_line(line, out);
                } else {
                    self.report(
                        Diagnostic::error("misplaced-line", span, "This belongs in a test.")
                            .help("Write `test \"…\" { … }` and move the line there."),
                    );
                }
            }
            Line::Broken { span } => {
                self.lose(*span);
            }
            Line::Says { of: None, .. } => {}
            other => self.misplaced(other, "among statements"),
        }
    }

    pub(super) fn misplaced(&mut self, line: &Line, where_: &str) {
        let span = line.span();
        let what = match line {
            Line::Field { name, .. } => format!("The field `{}`", name.text),
            Line::Part(c) => format!("The card part `{}`", c.word.text),
            Line::Entry { .. } => "A table row".into(),
            Line::Handler(_) => "A rule that waits for an event".into(),
            Line::Cannot { must: true, .. } => "A `must` rule".into(),
            Line::Cannot { .. } => "A `cannot` rule".into(),
            Line::Once { .. } => "`once per`".into(),
            Line::Grant { .. } => "A grant".into(),
            Line::Need { .. } => "A `need`".into(),
            Line::Expr(ast::Expr { kind: ast::ExprKind::Number(_), .. }) => "A value without a name".into(),
            _ => "This line".into(),
        };
        let help = match (line, where_) {
            (Line::Expr(ast::Expr { kind: ast::ExprKind::Name(_) | ast::ExprKind::Run { .. }, .. }), "in a card")
                if self.continues_list(span) =>
            {
                "If it belongs to a list, put the list in brackets: `[a, b]`."
            }
            (Line::Expr(ast::Expr { kind: ast::ExprKind::Name(_), .. }), "in a card") => {
                "If it belongs to a list, put the list in brackets: `[a, b]`."
            }
            (Line::Expr(ast::Expr { kind: ast::ExprKind::Number(_), .. }), "in a card") => {
                "A value stands behind the name of its field: `points: 10`; a row for several faces is written `1..2 NAME { … }`."
            }
            (_, "in a card") => "What a card does stands in a block such as `effect { … }`, or in a rule such as `after … { … }`.",
            (Line::Handler(_) | Line::Cannot { .. }, "among statements") => {
                "A rule stands in a card, in a keyword, or alone in the first column."
            }
            (Line::Handler(_) | Line::Cannot { .. } | Line::Grant { .. }, "in a ruleset") => {
                "Write it below the ruleset, starting in the first column."
            }
            (Line::Field { .. }, "among statements") => {
                "A value is changed with `=`, `+=` or `-=`; in a `before` rule also like `bonus -1`."
            }
            (_, "in a whole card") => "It belongs in a part of the card, or behind what it limits: `after … once per turn { … }`.",
            _ => "",
        };
        let mut d = Diagnostic::error("misplaced-line", first_line(span, self.text), format!("{what} cannot stand {where_}."));
        if !help.is_empty() {
            d = d.help(help);
        }
        self.report(d);
    }

    fn expr_line(&mut self, e: &ast::Expr, span: Span, out: &mut Block) {
        self.begins(e);
        if self.place == Place::Test && self.test_script(e, out) {
            return;
        }
        // `raw * 2` in a `before` rule is a modifier line
        if let Some((target, op, value)) = super::scaling::scaling(e)
            && self.event.as_ref().is_some_and(|ev| ev.modifiable)
        {
            if let Some(kind) = self.event_mod(target, op, value, span) {
                out.stmts.push(Stmt { kind, span });
            }
            return;
        }
        if let Some(kind) = self.pay(e, span) {
            out.stmts.push(Stmt { kind, span });
            return;
        }
        if self.joins_deeds(e) {
            return;
        }
        let value = self.expr(e, None);
        self.sentence_stmt(value, span, out);
    }

    /// `pay COST [by X]`, `pay CARDS to PILE`
    fn pay(&mut self, e: &ast::Expr, span: Span) -> Option<StmtKind> {
        let (run, preps): (&ast::Expr, &[(ast::Word, ast::Expr)]) = match &e.kind {
            ast::ExprKind::Sentence { of, preps } => (of, preps),
            _ => (e, &[]),
        };
        let ast::ExprKind::Run { head, arg } = &run.kind else { return None };
        if !matches!(&head.kind, ast::ExprKind::Name(n) if &**n == "pay") {
            return None;
        }
        if let Some(where_) = self.pure {
            self.report(Diagnostic::error("not-pure", span, format!("Nothing can be paid in {where_}.")));
            return Some(StmtKind::Expr(error(span)));
        }
        let by = preps.iter().find(|(p, _)| &*p.text == "by");
        let to = preps.iter().find(|(p, _)| &*p.text == "to");
        if let Some((prep, _)) = preps.iter().find(|(p, _)| !matches!(&*p.text, "by" | "to")) {
            self.report(
                Diagnostic::error("unknown-preposition", prep.span, format!("`pay` has no `{}`.", prep.text))
                    .note("It is written `pay COST by WHO` or `pay CARDS to PILE`."),
            );
        }
        if let Some((_, pile)) = to {
            let cards = self.set(arg);
            let pile = self.expr(pile, None);
            if !matches!(pile.ty, Ty::Pile(_) | Ty::Error) {
                let words = self.ty_words(&pile.ty);
                self.report(Diagnostic::error("wrong-type", pile.span, format!("Cards are paid to a pile; this is {words}.")));
            }
            return Some(StmtKind::PayCards { cards, pile });
        }
        let cost = self.value(arg, &Ty::Cost);
        let who = match by {
            Some((_, who)) => self.expr(who, None),
            None => expr(ExprKind::You, self.player_ty(), span),
        };
        self.payer_fits(&cost, &who);
        Some(StmtKind::Pay { who, cost })
    }

    /// A resource is paid by something that has it.
    fn payer_fits(&mut self, cost: &Expr, who: &Expr) {
        let ExprKind::Cost { resource, .. } = &cost.kind else { return };
        let payer = match &who.ty {
            Ty::Optional(t) => (**t).clone(),
            t => t.clone(),
        };
        let Ty::Kind(kind) = &payer else { return };
        let Some(info) = self.kind(kind) else { return };
        if !info.fields.iter().any(|f| f.key == *resource) {
            let name = last_name(resource).to_string();
            self.report(
                Diagnostic::error(
                    "wrong-payer",
                    who.span,
                    format!("{} has no {name} to pay with.", super::coerce::with_capital_article(&info.name)),
                )
                .help("Say who pays with `by`."),
            );
        }
    }

    pub(super) fn player(&mut self, e: &ast::Expr) -> Expr {
        let want = self.player_ty();
        self.value(e, &want)
    }

    /// `do PHASE by p`, `do EFFECT with x`, and in tests any sentence.
    fn do_what(&mut self, what: &ast::Expr, span: Span) -> Expr {
        let (of, preps): (&ast::Expr, &[(ast::Word, ast::Expr)]) = match &what.kind {
            ast::ExprKind::Sentence { of, preps } => (of, preps),
            _ => (what, &[]),
        };
        let verb = match &of.kind {
            ast::ExprKind::Name(n) => Some(n),
            ast::ExprKind::Run { head, .. } => match &head.kind {
                ast::ExprKind::Name(n) => Some(n),
                _ => None,
            },
            _ => None,
        };
        if let Some(verb) = verb
            && self.find_local(verb).is_none()
            && self.lookup(verb).iter().any(|f| matches!(f.kind, DeclKind::Action | DeclKind::Phase))
        {
            return self.expr(what, None);
        }
        if let ast::ExprKind::Name(word) = &of.kind
            && self.known_name_quietly(word).is_none()
        {
            let d = Diagnostic::error("unknown-name", of.span, format!("There is no phase or effect called `{word}`."));
            let d = self.suggest(d, word, of.span, &[], &|k| matches!(k, DeclKind::Phase | DeclKind::Action));
            self.report(d);
            return error(span);
        }
        let code = self.expr(of, None);
        let params = match &code.ty {
            Ty::Effect(params) => params.clone(),
            Ty::Optional(inner) => match &**inner {
                Ty::Effect(params) => params.clone(),
                _ => Vec::new(),
            },
            Ty::Error => return error(span),
            other => {
                let words = self.ty_words(other);
                self.report(Diagnostic::error("wrong-type", code.span, format!("`do` runs a phase or an effect; this is {words}.")));
                return error(span);
            }
        };
        let mut args = Vec::new();
        for (i, (prep, value)) in preps.iter().enumerate() {
            if &*prep.text != "with" || i >= params.len() {
                self.report(
                    Diagnostic::error("unknown-preposition", prep.span, format!("This effect has no `{}`.", prep.text))
                        .help("What an effect is about is given `with`."),
                );
                continue;
            }
            // several are given as a list
            if params.len() > 1
                && let ast::ExprKind::List(entries) = &value.kind
            {
                for (entry, (_, ty)) in entries.iter().zip(&params) {
                    args.push(self.value(&entry.value, ty));
                }
                continue;
            }
            let got = self.expr(value, Some(&params[i].1));
            let bare = match &got.ty {
                // what was not chosen is handed on as it is
                Ty::Optional(t) if self.agrees(t, &params[i].1) => true,
                _ => false,
            };
            args.push(if bare { got } else { self.coerce(got, &params[i].1) });
        }
        while args.len() < params.len() {
            args.push(expr(ExprKind::None, Ty::Unset, span));
        }
        if let ExprKind::Field { base, .. } = &code.kind
            && matches!(base.kind, ExprKind::EventField(_))
            && self.is_part_ty(&base.ty)
            && !self.used_parts.contains(base)
        {
            self.used_parts.push((**base).clone());
        }
        expr(ExprKind::Code { code: Box::new(code), args }, Ty::Nothing, span)
    }

    /// A sentence as a statement. An argument that turns out to be unset means it is skipped.
    fn sentence_stmt(&mut self, value: Expr, span: Span, out: &mut Block) {
        let unset = std::mem::take(&mut self.unset_arguments);
        let Expr { kind: ExprKind::Emit { action, mut args, each }, ty, span: at } = value else {
            out.stmts.push(Stmt { kind: StmtKind::Expr(value), span });
            return;
        };
        let mut cond: Option<Expr> = None;
        for i in unset {
            let Some(Some(arg)) = args.get_mut(i) else { continue };
            let local = self.scoped(|cx| cx.declare_silent("an argument", arg.ty.clone(), arg.span, true));
            let kept = expr(ExprKind::Local(local), arg.ty.clone(), arg.span);
            let none = expr(ExprKind::None, Ty::Unset, arg.span);
            let set = expr(ExprKind::Compare(crate::hir::Compare::Ne, Box::new(kept.clone()), Box::new(none)), Ty::Bool, arg.span);
            out.stmts.push(Stmt { kind: StmtKind::Let(local, std::mem::replace(arg, kept)), span });
            cond = Some(match cond {
                Some(c) => expr(ExprKind::And(Box::new(c), Box::new(set)), Ty::Bool, span),
                None => set,
            });
        }
        let call = Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Emit { action, args, each }, ty, span: at }), span };
        match cond {
            Some(cond) => {
                out.stmts.push(Stmt { kind: StmtKind::If { arms: vec![(cond, Block { stmts: vec![call] })], otherwise: None }, span })
            }
            None => out.stmts.push(call),
        }
    }

    /// A modifier line on a field of the event.
    fn event_mod(&mut self, target: &ast::Expr, op: ModOp, value: &ast::Expr, span: Span) -> Option<StmtKind> {
        let event = self.event.as_ref().filter(|e| e.modifiable);
        let Some(event) = event else {
            self.report(
                Diagnostic::error("misplaced-line", span, "A modifier stands in a `grant`, or in a `before` rule.")
                    .help("Write the rule with `before`, or change a value for good with `x += 1`."),
            );
            return None;
        };
        let ast::ExprKind::Name(name) = &target.kind else {
            self.report(Diagnostic::error("misplaced-line", target.span, "Only the event's own values are modified here."));
            return None;
        };
        let Some((field, ty)) = event.fields.iter().find(|(n, _)| **n == **name).cloned() else {
            if event.unknown {
                return None;
            }
            let known: Vec<SmolStr> = event.fields.iter().map(|(n, _)| n.clone()).collect();
            let d = Diagnostic::error("unknown-field", target.span, format!("This event has no `{name}`."));
            let d = self.suggest(d, name, target.span, &known, &|_| false);
            self.report(d);
            return None;
        };
        let had = ty.clone();
        let want = match (op, &ty) {
            (ModOp::Mul | ModOp::Div | ModOp::DivDown | ModOp::DivUp | ModOp::DivNearest, _) => Ty::Fraction,
            // a target number is made easier or harder by a plain number
            (ModOp::Add, Ty::Target(_)) => Ty::Int(Range::default()),
            _ => ty,
        };
        let value = self.purely("a modifier", |cx| cx.value(value, &want));
        self.must_round(op, &had, span);
        Some(StmtKind::EventMod { field, op, value })
    }

    /// `phase turn by you { … }` in a test: the lines run inside of the game's own phase, in place of what it does.
    fn inside_phase(&mut self, action: &ast::Action) -> Option<StmtKind> {
        let found = self.find(&action.name.text, &[DeclKind::Phase]).filter(|_| self.place == Place::Test)?;
        let sig = self.sig(found);
        let mut args: Vec<Option<Expr>> = vec![None; sig.params.len()];
        for p in &action.params {
            let prep = p.prep.as_ref().map(|w| &*w.text);
            let Some(at) = sig.params.iter().position(|q| q.prep.as_deref() == prep) else {
                let words = format!("`{}` has no `{}`.", action.name.text, prep.unwrap_or(&p.param.name.text));
                self.report(Diagnostic::error("unknown-preposition", p.param.name.span, words).help(self.call_shape(found)));
                continue;
            };
            let value = self.name(&p.param.name.text, p.param.name.span, Some(&sig.params[at].ty));
            args[at] = Some(self.coerce(value, &sig.params[at].ty));
        }
        for (param, arg) in sig.params.iter().zip(&args) {
            // a default is filled in by the phase itself, which does not run
            if arg.is_none() && !matches!(param.ty, Ty::Optional(_)) {
                let words = format!("It is not said what `{}` of `{}` is.", param.name, action.name.text);
                self.report(Diagnostic::error("missing-argument", action.name.span, words).help(self.call_shape(found)));
            }
        }
        let span = action.name.span;
        let args = args.into_iter().map(|arg| arg.unwrap_or_else(|| expr(ExprKind::None, Ty::Unset, span))).collect();
        let key = found.key.clone();
        self.saw_key(span, &key);
        let body = self.block(&action.block);
        Some(StmtKind::Scope { action: key, args, body })
    }

    /// Whether the item becomes bytecode together with the phases that are written in it.
    fn collects_phases(&self) -> bool {
        let header = self.item.header(self.db);
        self.place == Place::Test || ["action ", "phase "].iter().any(|word| header.starts_with(word))
    }

    fn phase_in_place(&mut self, action: &ast::Action, span: Span) -> StmtKind {
        if let Some(inside) = self.inside_phase(action) {
            return inside;
        }
        if !self.collects_phases() {
            let words = "A phase can be written in place only in an action, in another phase or in a test.";
            let help = format!("Write `phase {0} {{ … }}` on its own, and here `do {0}`.", action.name.text);
            self.report(Diagnostic::error("misplaced-line", first_line(span, self.text), words).help(help));
        }
        let key = crate::names::key_of(&self.module, &action.name.text);
        self.calls.push(key.clone());
        let mut args = Vec::new();
        let mut params = Vec::new();
        for p in &action.params {
            // `phase tier with s`: the argument is the local of that name
            let value = self.name(&p.param.name.text, p.param.name.span, None);
            params.push(crate::hir::ActionParam {
                prep: p.prep.as_ref().map(|w| SmolStr::new(&w.text)),
                name: SmolStr::new(&p.param.name.text),
                ty: value.ty.clone(),
                default: None,
            });
            args.push(value);
        }
        let by = action.params.iter().position(|p| p.prep.as_ref().is_some_and(|w| &*w.text == "by"));
        let body = self.block(&action.block);
        self.inner.push(crate::hir::Action {
            told: None,
            key: key.clone(),
            name: SmolStr::new(&action.name.text),
            params,
            bound: Vec::new(),
            by,
            once: None,
            is_phase: true,
            head: 0,
            body: None,
            says: None,
            words: Vec::new(),
            inner: Vec::new(),
        });
        StmtKind::Scope { action: key, args, body }
    }

    /// A value given a name: rolls of several dice keep their faces, single dice are numbers.
    pub(super) fn settle(&mut self, value: Expr) -> Expr {
        match value.ty {
            Ty::Rolled(Some(sides)) => {
                let mut e = self.coerce(value, &Ty::Int(Range::default()));
                e.ty = Ty::Int(Range { low: Some(1), high: Some(sides) });
                e
            }
            Ty::Nothing => {
                self.report(Diagnostic::error("wrong-type", value.span, "This gives no value."));
                error(value.span)
            }
            _ => value,
        }
    }
}

/// The type a variable keeps: a number it starts with is not its range.
fn loosened(ty: &Ty) -> Ty {
    match ty {
        Ty::Int(Range { low: Some(l), high: Some(h) }) if l == h => Ty::Int(Range::default()),
        other => other.clone(),
    }
}

/// How many leading statements declare: `need`, `choose`, `pay`, and `let` without a roll or call.
pub(super) fn head_len(block: &Block) -> usize {
    block
        .stmts
        .iter()
        .take_while(|s| match &s.kind {
            StmtKind::Need(_) | StmtKind::Choose(_) | StmtKind::Pay { .. } | StmtKind::PayCards { .. } => true,
            StmtKind::Let(_, e) | StmtKind::LetField(_, e) => is_pure(e),
            _ => false,
        })
        .count()
}

/// Whether an expression neither asks nor acts at its top: calls and rolls stand only in few places.
pub(super) fn is_pure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Emit { .. } | ExprKind::Roll(_) | ExprKind::Top(_) => false,
        ExprKind::Add(a, b) | ExprKind::Sub(a, b) | ExprKind::Mul(a, b) | ExprKind::Div(a, b, _) | ExprKind::Mod(a, b) => {
            is_pure(a) && is_pure(b)
        }
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::OrElse(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Contains(a, b) => {
            is_pure(a) && is_pure(b)
        }
        ExprKind::Not(a) | ExprKind::Neg(a) => is_pure(a),
        ExprKind::Field { base, .. } | ExprKind::HasKeyword { base, .. } | ExprKind::KeywordNumber { base, .. } => is_pure(base),
        ExprKind::Fun(_, args) | ExprKind::Call { args, .. } | ExprKind::List(args) => args.iter().all(is_pure),
        ExprKind::If { arms, otherwise } => arms.iter().all(|(c, v)| is_pure(c) && is_pure(v)) && is_pure(otherwise),
        ExprKind::Table { subject, rows, otherwise } => {
            subject.as_ref().is_none_or(|(_, e)| is_pure(e))
                && rows.iter().all(|(c, v)| is_pure(c) && is_pure(v))
                && otherwise.as_ref().is_none_or(|e| is_pure(e))
        }
        ExprKind::Each { list, .. } => is_pure(list),
        _ => true,
    }
}

fn has_pass(block: &ast::Block) -> bool {
    block.lines.iter().any(|line| match line {
        Line::Pass { .. } => true,
        // inner loops keep their own passes
        Line::Repeat { .. } | Line::Alternate { .. } => false,
        Line::Menu { lines, .. } => lines.iter().any(|l| match l {
            ast::MenuLine::Line(Line::Pass { .. }) => true,
            ast::MenuLine::Line(line) => crate::items::blocks_of(line).iter().any(|b| has_pass(b)),
            ast::MenuLine::Labelled { block, .. } => has_pass(block),
        }),
        other => crate::items::blocks_of(other).iter().any(|b| has_pass(b)),
    })
}

/// The part of a span on its first line: what a message underlines.
pub(crate) fn first_line(span: Span, text: &str) -> Span {
    let inside = span.of(text);
    let end = inside.find('\n').unwrap_or(inside.len());
    Span::new(span.start, span.start + u32::try_from(inside[..end].trim_end().len()).unwrap_or(0))
}
