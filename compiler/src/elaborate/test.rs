//! Tests: what is given, what is scripted, what is expected.

use banneret_grammar::ast::{self, Expect, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, Block, Expected, Expr, ExprKind, Stmt, StmtKind};
use crate::items::DeclKind;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::Place;

impl<'db> Cx<'db> {
    pub(super) fn test(&mut self, t: &ast::Test) -> hir::Item {
        self.place = Place::Test;
        let with = self.settings(&t.with);
        let body = self.block(&t.block);
        let scripted = body.stmts.iter().any(|s| matches!(s.kind, StmtKind::Dice(_)));
        let measured = body.stmts.iter().any(|s| matches!(s.kind, StmtKind::Measure { .. }));
        if scripted && measured {
            self.report(
                Diagnostic::error("dice-and-odds", t.words.span, "A test has scripted dice or asks for odds, not both.")
                    .help("Write two tests."),
            );
        }
        if !body.stmts.iter().any(|s| {
            matches!(s.kind, StmtKind::Expect { .. } | StmtKind::ExpectIllegal { .. } | StmtKind::Refused { .. } | StmtKind::Measure { .. })
        }) && !has_expect(&t.block)
            && self.broken.is_empty()
            && self.reports().iter().all(|d| d.severity != crate::diagnostic::Severity::Error)
        {
            self.report(
                Diagnostic::warning("expects-nothing", t.words.span, "This test expects nothing, so it cannot fail.")
                    .help("Add a line `expect …`."),
            );
        }
        hir::Item::Test(hir::Test {
            words: SmolStr::new(&t.words.text),
            covers: t.covers.iter().map(|w| SmolStr::new(&w.text)).collect(),
            with,
            exact: measured,
            inner: std::mem::take(&mut self.inner),
            body,
        })
    }

    /// `with option = value, …`
    pub(super) fn settings(&mut self, with: &[ast::Setting]) -> Vec<(SmolStr, Expr)> {
        let mut out = Vec::new();
        for setting in with {
            let Some(found) = self.find_word(&setting.name, &[DeclKind::Option]) else {
                let d =
                    Diagnostic::error("unknown-option", setting.name.span, format!("There is no option called `{}`.", setting.name.text));
                let d = self.suggest(d, &setting.name.text, setting.name.span, &[], &|k| k == DeclKind::Option);
                self.report(d);
                continue;
            };
            if out.iter().any(|(key, _)| *key == found.key) {
                let words = format!("`{}` is set twice here.", setting.name.text);
                self.report(Diagnostic::error("duplicate-name", setting.name.span, words).help("Leave one of them out."));
                continue;
            }
            let ty = self.option_ty(found);
            let rules = self.option_decl(found).map(|o| o.covers.iter().map(|id| &*id.text).collect::<Vec<_>>()).unwrap_or_default();
            let value = self.breaking(&rules, |cx| {
                let value = cx.purely("an option", |cx| cx.value(&setting.value, &ty));
                if let Ty::Int(range) | Ty::Target(range) = &ty {
                    cx.check_range(&value, *range, &setting.name.text);
                }
                value
            });
            out.push((found.key.clone(), value));
        }
        out
    }

    pub(super) fn test_line(&mut self, line: &Line, out: &mut Block) {
        match line {
            Line::Given { things, .. } => {
                for thing in things {
                    self.given(thing, out);
                }
            }
            Line::Expect { what, span } => {
                let words = SmolStr::new(span.of(self.text));
                let kind = match what {
                    Expect::Refused { by, cards } => match self.refused(by, cards, *span) {
                        Some(kind) => kind,
                        None => return,
                    },
                    Expect::Cond(c) => {
                        let cond = self.condition(c);
                        let sides = match &cond.kind {
                            ExprKind::Compare(_, a, b) => Some(((**a).clone(), (**b).clone())),
                            _ => None,
                        };
                        StmtKind::Expect { cond, sides: sides.map(Box::new), words }
                    }
                    Expect::Illegal(s) => {
                        let sentence = self.expr(s, None);
                        if !matches!(sentence.kind, ExprKind::Emit { .. } | ExprKind::Error) {
                            self.report(Diagnostic::error("wrong-type", s.span, "Only the call of an action can be illegal."));
                        }
                        StmtKind::ExpectIllegal { sentence, words }
                    }
                    Expect::Odds { of, is } => {
                        let of = self.condition(of);
                        let is = self.value(is, &Ty::Fraction);
                        StmtKind::Measure { of, expected: Expected::Odds(is), words }
                    }
                    Expect::Mean { of, is } => {
                        let of = self.expr(of, None);
                        let of = self.plain_number(of);
                        let is = self.value(is, &Ty::Fraction);
                        StmtKind::Measure { of, expected: Expected::Mean(is), words }
                    }
                    Expect::Spread { of, is } => {
                        let of = self.expr(of, None);
                        let of = self.plain_number(of);
                        let mut rows = Vec::new();
                        if let ast::ExprKind::List(entries) = &is.kind {
                            for entry in entries {
                                let Some(label) = &entry.label else {
                                    self.report(Diagnostic::error(
                                        "wrong-type",
                                        entry.value.span,
                                        "Each outcome needs its chance: `0: 1/8`.",
                                    ));
                                    continue;
                                };
                                let key = self.value(label, &of.ty.clone());
                                let chance = self.value(&entry.value, &Ty::Fraction);
                                rows.push((key, chance));
                            }
                        } else {
                            self.report(Diagnostic::error(
                                "wrong-type",
                                is.span,
                                "A spread is a list of outcomes and chances: `[0: 1/8, 5: 7/8]`.",
                            ));
                        }
                        StmtKind::Measure { of, expected: Expected::Spread(rows), words }
                    }
                };
                out.stmts.push(Stmt { kind, span: *span });
            }
            _ => {}
        }
    }

    /// `given sees(a, b) = false`
    fn given_fact(&mut self, what: &ast::Expr, is: &ast::Expr, span: Span, out: &mut Block) {
        let fact = self.expr(what, None);
        let ExprKind::Fact { fact: key, args } = fact.kind else {
            if fact.ty != Ty::Error {
                self.report(
                    Diagnostic::error("wrong-type", what.span, "Only a fact about the table can be given a value.")
                        .help("A value of a card is set with `x.field = …`."),
                );
            }
            return;
        };
        let value = self.value(is, &fact.ty);
        out.stmts.push(Stmt { kind: StmtKind::GivenFact { fact: key, args, value }, span });
    }

    /// Players and the game are in every test: nobody puts them on the table.
    fn is_there_by_itself(&self, kind: &str) -> bool {
        self.kind(kind).is_some_and(|info| info.roles.player || info.roles.game)
    }

    fn given(&mut self, thing: &ast::Given, out: &mut Block) {
        if let Some(is) = &thing.is {
            return self.given_fact(&thing.what, is, thing.span, out);
        }
        let card = self.expr(&thing.what, Some(&Ty::Kind(SmolStr::default())));
        let (key, ty) = match (&card.kind, &card.ty) {
            (ExprKind::Card(key), ty) => (Some(key.clone()), ty.clone()),
            (_, Ty::Error) => (None, Ty::Error),
            (_, ty @ Ty::Kind(kind)) if !self.is_there_by_itself(kind) => (None, ty.clone()),
            (_, other) => {
                let words = self.ty_words(other);
                self.report(
                    Diagnostic::error("wrong-type", card.span, format!("A card is given; this is {words}."))
                        .help("Write `given CARD as NAME`."),
                );
                (None, Ty::Error)
            }
        };
        let owner = thing.by.as_ref().map(|e| self.player(e));
        let place = thing.at.as_ref().map(|(x, y)| {
            let want = self.length_ty();
            Box::new((self.value(x, &want), self.value(y, &want)))
        });
        let local = match &thing.name {
            Some(name) => self.declare(name, ty),
            None => self.declare_silent("_", ty, thing.span, true),
        };
        // what stands on the table matters even if the test does not name it again
        self.locals[local.0 as usize].silent = true;
        self.locals[local.0 as usize].card = key;
        out.stmts.push(Stmt { kind: StmtKind::Given { local, card, owner, place }, span: thing.span });
    }

    /// `dice [4, 5]` and `answers [x: 0, "each attack"]`; true if the line was one of them.
    pub(super) fn test_script(&mut self, e: &ast::Expr, out: &mut Block) -> bool {
        let ast::ExprKind::Run { head, arg } = &e.kind else { return false };
        let ast::ExprKind::Name(word) = &head.kind else { return false };
        let kind = match &**word {
            "dice" => {
                let want = Ty::List(Box::new(Ty::Int(Range { low: Some(1), high: None })));
                StmtKind::Dice(self.value(arg, &want))
            }
            "answers" => {
                let ast::ExprKind::List(entries) = &arg.kind else {
                    self.report(Diagnostic::error("wrong-type", arg.span, "Answers are a list: `[w: b.Axe, \"focused\"]`."));
                    return true;
                };
                let mut answers = Vec::new();
                for entry in entries {
                    let label = match entry.label.as_ref().map(|l| &l.kind) {
                        Some(ast::ExprKind::Name(n)) => Some(SmolStr::new(n)),
                        _ => None,
                    };
                    let value = self.expr(&entry.value, None);
                    answers.push((label, value));
                }
                StmtKind::Answers(answers)
            }
            _ => return false,
        };
        out.stmts.push(Stmt { kind, span: e.span });
        true
    }
}

fn has_expect(block: &ast::Block) -> bool {
    block.lines.iter().any(|l| matches!(l, Line::Expect { .. }) || crate::items::blocks_of(l).iter().any(|b| has_expect(b)))
}
