//! The keywords of a card: `keywords: [Fast, Shield 2]`.

use banneret_grammar::ast;
use banneret_grammar::span::Span;

use crate::diagnostic::{Diagnostic, Missing};
use crate::hir::{self, ExprKind};
use crate::items::DeclKind;
use crate::names::short;
use crate::ty::{Range, Ty};

use super::Cx;

impl Cx<'_> {
    /// `keywords: [Fast, Shield 2]`
    pub(super) fn keywords(&mut self, value: &ast::Expr, card: &mut hir::Card) {
        let ast::ExprKind::List(entries) = &value.kind else {
            self.report(
                Diagnostic::error("wrong-type", value.span, "Keywords are written as a list.")
                    .help("Put them in brackets: `[Fast, Shield 2]`.")
                    .fix("Add brackets", value.span, format!("[{}]", value.span.of(self.text)), true),
            );
            return;
        };
        card.keywords.clear();
        for entry in entries {
            let (word, number) = match &entry.value.kind {
                ast::ExprKind::Name(word) => (word, None),
                ast::ExprKind::Run { head, arg } => match &head.kind {
                    ast::ExprKind::Name(word) => (word, Some(&**arg)),
                    _ => continue,
                },
                other => {
                    let d = Diagnostic::error("wrong-type", entry.value.span, "Here a keyword is wanted.");
                    let d = d.help("It is written without quotes and signs, with its number behind it: `[Fast, Shield 2]`.");
                    self.report(match other {
                        ast::ExprKind::Str(s) => match self.lookup(&s.text).iter().find(|f| f.kind == DeclKind::Keyword) {
                            Some(found) if self.sig(found).params.is_empty() => {
                                d.fix(format!("Write `{}`", s.text), entry.value.span, &*s.text, true)
                            }
                            Some(_) => d.fix(format!("Write `{} 1`", s.text), entry.value.span, format!("{} 1", s.text), false),
                            None => d,
                        },
                        _ => d,
                    });
                    continue;
                }
            };
            let at = match &entry.value.kind {
                ast::ExprKind::Run { head, .. } => head.span,
                _ => entry.value.span,
            };
            let Some(found) = self.find_at(word, at, &[DeclKind::Keyword]) else {
                let d = Diagnostic::error("unknown-keyword", at, format!("There is no keyword `{word}`.")).missing(Missing::Keyword);
                let d = self.suggest(d, word, at, &[], &|k| k == DeclKind::Keyword);
                self.report(d);
                continue;
            };
            let sig = self.sig(found);
            if let Some(on) = &sig.on
                && !self.kind(&card.kind).is_some_and(|k| k.is_a(on) || k.open)
            {
                let (on, kind) = (short(on).to_string(), short(&card.kind).to_string());
                self.report(
                    Diagnostic::error("wrong-keyword", at, format!("{word} is a keyword of a {on}, not of a {kind}."))
                        .help(format!("Remove it, or put it on a {on}.")),
                );
            }
            let number = match (number, sig.params.is_empty()) {
                (None, true) => 1,
                (None, false) => {
                    self.report(
                        Diagnostic::error("missing-number", at, format!("{word} needs a number."))
                            .help(format!("Write for example `{word} 1`."))
                            .fix("Add the number 1", Span::new(at.end, at.end), " 1", false),
                    );
                    1
                }
                (Some(arg), true) => {
                    self.report(Diagnostic::error("unexpected-number", arg.span, format!("{word} has no number.")).fix(
                        "Remove it",
                        Span::new(at.end, arg.span.end),
                        "",
                        true,
                    ));
                    1
                }
                (Some(arg), false) => {
                    let got = self.value(arg, &Ty::Int(Range::default()));
                    match got.kind {
                        ExprKind::Int(n) => n,
                        _ => 1,
                    }
                }
            };
            match card.keywords.iter_mut().find(|(k, _)| *k == found.key) {
                Some((_, n)) => {
                    if sig.params.is_empty() {
                        let gap = self.with_word_before(at, ",");
                        self.report(
                            Diagnostic::warning("duplicate-entry", at, format!("{word} is listed twice.")).help("Once is enough.").fix(
                                "Remove it",
                                gap,
                                "",
                                true,
                            ),
                        );
                    } else {
                        *n += number;
                    }
                }
                None => card.keywords.push((found.key.clone(), number)),
            }
        }
    }
}
