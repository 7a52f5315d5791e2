//! Rule lines: grants, handlers, what cannot happen, and the patterns they match.

use super::{Builder, P, expr, inner_word, no_word, span, word};
use crate::ast::{Block, Duration, Expr, ExprKind, Handler, Line, Pattern, When};
use crate::parse::Rule;
use crate::span::Span;

impl<'i> Builder<'i> {
    pub(super) fn grant(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut set, mut block, mut durations) = (expr::broken(), Block::default(), Vec::new());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::plain => set = self.expr(p),
                Rule::block => block = self.block(p),
                Rule::duration => durations.extend(self.duration(p)),
                _ => {}
            }
        }
        Line::Grant { set, block, durations, span }
    }

    fn duration(&mut self, pair: P<'i>) -> Option<Duration> {
        let p = pair.into_inner().next()?;
        let at = span(&p);
        Some(match p.as_rule() {
            Rule::until_moment => {
                let (mut at_end, mut next, mut words, mut of) = (false, false, Vec::new(), None);
                for p in p.into_inner() {
                    match p.as_rule() {
                        Rule::edge => at_end = p.as_str() == "end",
                        Rule::next => next = true,
                        Rule::word => words.push(word(&p)),
                        Rule::arg => of = Some(self.expr(p)),
                        _ => {}
                    }
                }
                let scope = words.pop()?;
                // `until start of your turn` is the turn of `your`
                if let Some(whose) = words.pop() {
                    of = Some(Expr { span: whose.span, kind: ExprKind::Name(whose.text) });
                }
                Duration::Until { at_end, next, scope, of, span: at }
            }
            Rule::until_event => Duration::UntilEvent { pattern: self.pattern(p.into_inner().next()?), span: at },
            Rule::for_scopes => {
                let mut inner = p.into_inner();
                let count = self.operand(&mut inner);
                Duration::Scopes { count, scope: word(&inner.next()?), span: at }
            }
            Rule::for_game => Duration::Game { span: at },
            _ => Duration::While { cond: self.first_expr(p), span: at },
        })
    }

    pub(super) fn handler(&mut self, pair: P<'i>, span: Span) -> Handler {
        let text = pair.as_str();
        let mut when = match text.as_bytes().first() {
            Some(b'b') => When::Before,
            Some(b'i') => When::Instead,
            _ if text.starts_with("at") => When::AtStart,
            _ => When::After,
        };
        let (mut patterns, mut cond, mut once_per, mut block) = (Vec::new(), None, None, Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::edge if p.as_str() == "end" => when = When::AtEnd,
                // `after any event`: nothing is matched
                Rule::patterns if p.as_str().split_whitespace().eq(["any", "event"]) => {}
                Rule::patterns => patterns = self.patterns(p),
                Rule::moment => patterns.extend(self.moment(p)),
                Rule::where_clause => cond = self.where_clause(p),
                Rule::once_per => once_per = inner_word(p),
                Rule::block => block = self.block(p),
                _ => {}
            }
        }
        Handler { when, patterns, cond, once_per, block, span }
    }

    pub(super) fn cannot(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut must, mut patterns, mut cond) = (false, Vec::new(), None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::must => must = true,
                Rule::patterns => patterns = self.patterns(p),
                Rule::where_clause => cond = self.where_clause(p),
                _ => {}
            }
        }
        Line::Cannot { must, patterns, cond, span }
    }

    pub(super) fn where_clause(&mut self, pair: P<'i>) -> Option<Expr> {
        pair.into_inner().next().map(|p| self.expr(p))
    }

    pub(super) fn patterns(&mut self, pair: P<'i>) -> Vec<Pattern> {
        pair.into_inner().map(|p| self.pattern(p)).collect()
    }

    fn pattern(&mut self, pair: P<'i>) -> Pattern {
        let mut out = Pattern { verb: no_word(), first: None, preps: Vec::new(), span: span(&pair) };
        let mut prep = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => out.verb = word(&p),
                Rule::prep => prep = Some(word(&p)),
                _ => match prep.take() {
                    Some(prep) => out.preps.push((prep, self.expr(p))),
                    None => out.first = Some(self.expr(p)),
                },
            }
        }
        out
    }

    /// `your turn`, `activation of foe`; nothing for `any event`.
    fn moment(&mut self, pair: P<'i>) -> Option<Pattern> {
        if pair.as_str().split_whitespace().eq(["any", "event"]) {
            return None;
        }
        let mut out = Pattern { verb: no_word(), first: None, preps: Vec::new(), span: span(&pair) };
        let (mut words, mut prep) = (Vec::new(), None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => words.push(word(&p)),
                Rule::prep | Rule::of_op => prep = Some(word(&p)),
                _ => {
                    if let Some(prep) = prep.take() {
                        out.preps.push((prep, self.expr(p)));
                    }
                }
            }
        }
        out.verb = words.pop()?;
        out.first = words.pop().map(|w| Expr { span: w.span, kind: ExprKind::Name(w.text) });
        Some(out)
    }
}
