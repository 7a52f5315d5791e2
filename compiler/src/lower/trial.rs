//! The lines of tests and limits.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::{Fun, Instr};
use banneret_runtime::ids::Reg;
use banneret_runtime::pack;
use banneret_runtime::value::Value;

use super::body::{Body, Env};
use super::constant::fold;
use crate::hir::{Card, Expected, Expr, ExprKind, Name, Template, TextPart, Through};
use crate::ty::Ty;

impl Body<'_> {
    /// A limit's `need`.
    pub fn blame(&mut self, cond: &Expr, through: &[Through], blame: Option<&Expr>, message: Option<&Template>, span: Span) {
        let start = self.regs(3);
        let outer = self.enter(through);
        let (test, shows) = match &through.last().map_or(cond, |last| &last.body).kind {
            ExprKind::Compare(how, a, b) => {
                self.eval(a, start);
                self.eval(b, start + 1);
                let test = self.reg();
                self.compare(*how, start, start + 1, test);
                (test, self.unit.notation(&a.ty))
            }
            _ => {
                self.emit(Instr::None { dst: start });
                self.emit(Instr::None { dst: start + 1 });
                (self.value(cond), pack::Notation::Plain)
            }
        };
        if let Some((env, foreign)) = outer {
            (self.env, self.foreign) = (env, foreign);
        }
        let blame = match blame {
            Some(blame) => self.value(blame),
            None => self.none(),
        };
        let plain = match message.map(|message| message.parts.as_slice()) {
            Some([TextPart::Text(words)]) => Some(words.clone()),
            Some(_) => None,
            None => self.words.clone(),
        };
        match (&plain, message) {
            (None, Some(message)) => self.composed(message, start + 2),
            _ => {
                self.emit(Instr::None { dst: start + 2 });
            }
        }
        let site = self.unit.site(span, plain.as_deref().unwrap_or(""));
        self.emit(Instr::Blame { cond: test, blame, start, site, shows });
    }

    /// Names mean what they mean in the last of these terms; what they meant before is returned.
    fn enter(&mut self, through: &[Through]) -> Option<(Env, bool)> {
        if through.is_empty() {
            return None;
        }
        let before = (self.env.clone(), self.foreign);
        for term in through {
            let mut locals = rustc_hash::FxHashMap::default();
            for (local, value) in &term.params {
                let reg = self.reg();
                self.eval(value, reg);
                locals.insert(*local, reg);
            }
            self.env = Env { locals, ..Env::default() };
            self.foreign = true;
        }
        Some(before)
    }

    /// Words with values in them, as a list: a value comes with what it is written with.
    fn composed(&mut self, message: &Template, dst: Reg) {
        let start = self.regs(message.parts.len());
        for (at, part) in (start..).zip(&message.parts) {
            match part {
                TextPart::Text(words) => self.text(words, at),
                TextPart::Value(value) | TextPart::Article(value) => {
                    let pair = self.regs(2);
                    self.eval(value, pair);
                    let sign = match &value.ty {
                        Ty::Target(_) => "+".into(),
                        Ty::Percent => "%".into(),
                        Ty::Length(base) => base.clone(),
                        _ => smol_str::SmolStr::default(),
                    };
                    self.text(&sign, pair + 1);
                    self.emit(Instr::CallN { dst: at, fun: Fun::MakePair, start: pair, n: 2 });
                }
                TextPart::Plural(value, one, many) => {
                    let (value, number, is_one) = (self.value(value), self.reg(), self.reg());
                    self.emit(Instr::Int { dst: number, v: 1 });
                    self.emit(Instr::Eq { dst: is_one, a: value, b: number });
                    let several = self.jump_if_not(is_one);
                    self.text(one, at);
                    let end = self.jump();
                    self.land(several);
                    self.text(many, at);
                    self.land(end);
                }
            }
        }
        self.emit(Instr::MakeList { dst, start, n: message.parts.len() as u16 });
    }

    fn text(&mut self, words: &str, dst: Reg) {
        let words = self.unit.str(words);
        self.constant(Value::Text(words), dst);
    }

    /// Puts a card in play for a test: the first player's, unless it says whose.
    pub fn given(&mut self, dst: Reg, card: &Expr, owner: Option<&Expr>, place: Option<&(Expr, Expr)>) {
        let mark = self.mark();
        let start = self.regs(3);
        self.eval(card, start);
        match owner {
            Some(owner) => self.eval(owner, start + 1),
            None => self.read_you(start + 1),
        }
        match place {
            Some((x, y)) => {
                let at = self.row([x, y].into_iter());
                self.emit(Instr::CallN { dst: start + 2, fun: Fun::MakePlace, start: at, n: 2 });
            }
            None => self.constant(Value::InPlay, start + 2),
        }
        self.emit(Instr::CallN { dst, fun: Fun::Create, start, n: 3 });
        self.release(mark);
    }

    pub fn answers(&mut self, answers: &[(Option<Name>, Expr)]) {
        for (label, value) in answers {
            let mark = self.mark();
            let src = self.value(value);
            let label = label.as_ref().map(|label| self.unit.str(label));
            self.emit(Instr::ScriptAnswer { label, src });
            self.release(mark);
        }
    }

    pub fn expect(&mut self, cond: &Expr, sides: Option<&(Expr, Expr)>, words: &str, span: Span) {
        let site = self.unit.site(span, words);
        let shows = sides.map_or(pack::Notation::Plain, |(left, _)| self.unit.notation(&left.ty));
        let (test, left, right) = match (sides, &cond.kind) {
            // The halves are evaluated once: they may be sentences.
            (Some((left, right)), ExprKind::Compare(how, a, b)) if **a == *left && **b == *right => {
                let (left, right, test) = (self.value(left), self.value(right), self.reg());
                self.compare(*how, left, right, test);
                (test, left, right)
            }
            (Some((left, right)), _) => (self.value(cond), self.value(left), self.value(right)),
            (None, _) => (self.value(cond), self.none(), self.none()),
        };
        self.emit(Instr::Expect { cond: test, site, left, right, shows });
    }

    pub fn expect_illegal(&mut self, sentence: &Expr, words: &str, span: Span) {
        let site = self.unit.site(span, words);
        let (legal, none) = (self.reg(), self.none());
        let probe = self.emit(Instr::Probe { dst: legal, end: 0 });
        self.effect(sentence);
        // Whatever is probed ends here, should it have no head of its own.
        self.emit(Instr::Mark);
        self.land(probe);
        self.emit(Instr::Not { dst: legal, a: legal });
        self.emit(Instr::Expect { cond: legal, site, left: none, right: none, shows: pack::Notation::Plain });
    }

    /// Cards that are there to be refused: no limit of the project is asked about them, they stand in no list and nobody can be given one.
    pub fn refused(&mut self, by: &str, cards: &[Card], words: &str, span: Span) {
        for card in cards {
            let apart = Card { template: true, ..card.clone() };
            super::card::card(self.unit, &apart, None);
        }
        let site = self.unit.site(span, words);
        let (test, none) = (self.reg(), self.none());
        if cards.is_empty() {
            // they cannot even be written
            self.emit(Instr::Bool { dst: test, v: true });
        } else {
            let mark = self.mark();
            let start = self.regs(2);
            let listed = self.regs(cards.len());
            for (at, card) in (listed..).zip(cards) {
                let card = self.unit.card(&card.key);
                self.constant(Value::Card(card), at);
            }
            self.emit(Instr::MakeList { dst: start, start: listed, n: cards.len() as u16 });
            self.text(by, start + 1);
            self.emit(Instr::CallN { dst: test, fun: Fun::Refused, start, n: 2 });
            self.release(mark);
        }
        self.emit(Instr::Expect { cond: test, site, left: none, right: none, shows: pack::Notation::Plain });
    }

    pub fn measure(&mut self, of: &Expr, expected: &Expected, words: &str, span: Span) {
        let site = self.unit.site(span, words);
        let src = self.value(of);
        self.emit(Instr::Measure { site, src });
        let expect = match expected {
            Expected::Odds(value) => pack::Expected::Odds(self.known(value)),
            Expected::Mean(value) => pack::Expected::Mean(self.known(value)),
            Expected::Spread(points) => {
                pack::Expected::Spread(points.iter().map(|(at, odds)| (self.known(at), self.known(odds))).collect())
            }
        };
        self.measures.push(pack::Measure { site, expect });
    }

    fn known(&mut self, expr: &Expr) -> Value {
        fold(self.unit, expr).unwrap_or_else(|| {
            self.problem(expr.span, "the expected value must be known before the game starts");
            Value::None
        })
    }
}
