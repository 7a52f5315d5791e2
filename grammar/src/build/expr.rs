//! Expressions: the flat list of operands and links becomes a tree.
//!
//! The levels are those of the reference, section 6; each function reads one of them.

use super::{Builder, P, number, span, word};
use crate::ast::{BinaryOp, Expr, ExprKind, ListEntry, Number, Word};
use crate::code::Code;
use crate::error::SyntaxError;
use crate::nodes::Inner;
use crate::parse::Rule;
use crate::span::Span;
use crate::words;

/// More links than this in one expression are refused: the tree must stay shallow enough for everybody who walks it.
const MOST_LINKS: usize = 256;

/// The parts of one expression that are still to be read.
struct Flat<'b, 'i> {
    parts: Inner<'i>,
    /// The end of the last part that was read.
    end: u32,
    builder: &'b mut Builder<'i>,
}

impl<'i> Builder<'i> {
    /// Reads an `expr`, `plain`, `arg` or `range` pair.
    pub(super) fn expr(&mut self, pair: P<'i>) -> Expr {
        let whole = span(&pair);
        let parts = pair.into_inner();
        let mut rest = parts.clone();
        // most expressions are one number or name
        if let Some(only) = rest.next()
            && rest.peek().is_none()
        {
            return Flat { parts: rest, end: 0, builder: self }.atom_of(only);
        }
        self.flat(parts, whole)
    }

    /// Takes `A == B == C` apart at the last `==`: in `expect odds of A == B == C` that is the one of the test.
    pub(super) fn split_at_last_equals(&mut self, pair: P<'i>) -> Option<(Expr, Expr)> {
        let whole = span(&pair);
        let parts = pair.into_inner();
        let equals = parts.clone().filter(|p| p.as_rule() == Rule::cmp && p.as_str() == "==").last()?;
        let (left, right) = parts.around(equals);
        let equals = span(&equals);
        let left = self.flat(left, Span::new(whole.start, equals.start));
        Some((left, self.flat(right, Span::new(equals.end, whole.end))))
    }

    /// Reads all of `parts`.
    fn flat(&mut self, parts: Inner<'i>, whole: Span) -> Expr {
        if parts.clone().count() > MOST_LINKS {
            self.errors.push(
                SyntaxError::new(Code::NestingTooDeep, whole, "This is too long to be read as one expression.")
                    .help("Name parts of it with `let` or `define`."),
            );
            return Expr { kind: ExprKind::Broken, span: whole };
        }
        let mut flat = Flat { parts, end: 0, builder: self };
        let expr = flat.or(true);
        if let Some(rest) = flat.next() {
            let message = if matches!(rest.as_str(), "in" | "is") || rest.as_rule() == Rule::cmp {
                format!("Two comparisons in a row: `{}` cannot follow another comparison.", rest.as_str())
            } else {
                format!("`{}` does not fit here.", rest.as_str())
            };
            let help = "Put the part that belongs together in parentheses, or join both with `and`.";
            self.errors.push(SyntaxError::new(Code::UnexpectedToken, span(&rest), message).help(help));
        }
        expr
    }

    /// One operand with its dots, taken from the front of `pairs`.
    pub(super) fn operand(&mut self, pairs: &mut Inner<'i>) -> Expr {
        let mut flat = Flat { parts: pairs.clone(), end: 0, builder: self };
        let expr = flat.postfix();
        *pairs = flat.parts;
        expr
    }

    fn exprs(&mut self, pair: P<'i>) -> Vec<Expr> {
        pair.into_inner().map(|p| self.expr(p)).collect()
    }

    fn list_entry(&mut self, pair: P<'i>) -> ListEntry {
        let mut inner = pair.into_inner();
        let first = inner.next().map_or_else(broken, |p| self.expr(p));
        match inner.find(|p| p.as_rule() == Rule::expr) {
            Some(value) => ListEntry { label: Some(first), value: self.expr(value) },
            None => ListEntry { label: None, value: first },
        }
    }

    fn if_expr(&mut self, pair: P<'i>) -> ExprKind {
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut cond = None;
        let mut last = false;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expr if last => otherwise = Some(Box::new(self.expr(p))),
                Rule::expr => match cond.take() {
                    None => cond = Some(self.expr(p)),
                    Some(c) => arms.push((c, self.expr(p))),
                },
                Rule::else_word => last = true,
                _ => {}
            }
        }
        ExprKind::If { arms, otherwise }
    }

    fn past(&mut self, pair: P<'i>) -> ExprKind {
        let (mut patterns, mut cond, mut scope) = (Vec::new(), None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::patterns => patterns = self.patterns(p),
                Rule::where_clause => cond = self.where_clause(p).map(Box::new),
                Rule::word => scope = Some(word(&p)),
                _ => {}
            }
        }
        ExprKind::Past { patterns, cond, scope }
    }
}

pub(super) fn broken() -> Expr {
    Expr { kind: ExprKind::Broken, span: Span::default() }
}

fn binary(op: BinaryOp, op_span: Span, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right), op_span }, span }
}

impl<'i> Flat<'_, 'i> {
    fn next(&mut self) -> Option<P<'i>> {
        let part = self.parts.next()?;
        self.end = part.span().end;
        Some(part)
    }

    fn peek(&self) -> Option<(Rule, &'i str)> {
        self.parts.peek().map(|p| (p.as_rule(), p.as_str()))
    }

    fn peek_rule(&self) -> Option<Rule> {
        self.parts.peek().map(|p| p.as_rule())
    }

    /// The next part if it is a word that links what stands around it.
    fn link(&self) -> Option<&'i str> {
        match self.peek()? {
            (Rule::link | Rule::plain_link | Rule::arg_link, text) => Some(text),
            _ => None,
        }
    }

    /// Takes the next part if it is one of this rule.
    fn take(&mut self, rule: Rule) -> Option<P<'i>> {
        if self.peek_rule() == Some(rule) { self.next() } else { None }
    }

    fn or(&mut self, preps: bool) -> Expr {
        let mut left = self.and(preps);
        while let Some("or") = self.link() {
            let at = self.skip();
            let right = self.and(preps);
            left = binary(BinaryOp::Or, at, left, right);
        }
        left
    }

    fn and(&mut self, preps: bool) -> Expr {
        let mut left = self.not(preps);
        while let Some("and") = self.link() {
            let at = self.skip();
            let right = self.not(preps);
            left = binary(BinaryOp::And, at, left, right);
        }
        left
    }

    fn not(&mut self, preps: bool) -> Expr {
        let mut nots = Vec::new();
        while let Some((Rule::word, "not")) = self.peek() {
            nots.push(self.skip());
        }
        let mut expr = self.comparison(preps);
        for at in nots.into_iter().rev() {
            let span = at.to(expr.span);
            expr = Expr { kind: ExprKind::Not(Box::new(expr)), span };
        }
        expr
    }

    fn comparison(&mut self, preps: bool) -> Expr {
        let left = self.sentence(preps);
        let op = match self.peek() {
            Some((Rule::cmp, "==")) => BinaryOp::Eq,
            Some((Rule::cmp, "!=")) => BinaryOp::Ne,
            Some((Rule::cmp, "<")) => BinaryOp::Lt,
            Some((Rule::cmp, "<=")) => BinaryOp::Le,
            Some((Rule::cmp, ">")) => BinaryOp::Gt,
            Some((Rule::cmp, _)) => BinaryOp::Ge,
            _ => match self.link() {
                Some("in") => BinaryOp::In,
                Some("is") => BinaryOp::Is,
                Some(text) if text.starts_with("is ") => BinaryOp::IsNot,
                Some(text) if text.starts_with("not ") => BinaryOp::NotIn,
                _ => return left,
            },
        };
        let at = self.skip();
        let right = self.sentence(preps);
        binary(op, at, left, right)
    }

    fn sentence(&mut self, preps: bool) -> Expr {
        let of = self.range();
        let mut list: Vec<(Word, Expr)> = Vec::new();
        while preps
            && self.link().is_some_and(words::is_preposition)
            && let Some(p) = self.next()
        {
            let value = self.range();
            list.push((word(&p), value));
        }
        if list.is_empty() {
            return of;
        }
        let end = list.last().map_or(of.span, |(_, e)| e.span);
        let span = of.span.to(end);
        Expr { kind: ExprKind::Sentence { of: Box::new(of), preps: list }, span }
    }

    fn range(&mut self) -> Expr {
        if let Some(p) = self.take(Rule::dots) {
            let high = self.additive();
            let span = span(&p).to(high.span);
            return Expr { kind: ExprKind::Range { low: None, high: Some(Box::new(high)) }, span };
        }
        self.additive()
    }

    fn additive(&mut self) -> Expr {
        let mut left = self.multiplicative();
        loop {
            let op = match self.peek() {
                Some((Rule::arith, "+")) => BinaryOp::Add,
                Some((Rule::arith, "-")) => BinaryOp::Sub,
                _ => return left,
            };
            let at = self.skip();
            let right = self.multiplicative();
            left = binary(op, at, left, right);
        }
    }

    fn multiplicative(&mut self) -> Expr {
        let mut left = self.unary();
        loop {
            let op = match self.peek() {
                Some((Rule::arith, "*")) => BinaryOp::Mul,
                Some((Rule::arith, "/")) => BinaryOp::Div,
                _ if self.link() == Some("mod") => BinaryOp::Mod,
                _ if self.link() == Some("rounded") => {
                    self.skip();
                    if let Some(how) = self.take(Rule::word) {
                        let span = left.span.to(span(&how));
                        left = Expr { kind: ExprKind::Rounded { of: Box::new(left), how: word(&how) }, span };
                    }
                    continue;
                }
                _ => return left,
            };
            let at = self.skip();
            let right = self.unary();
            left = binary(op, at, left, right);
        }
    }

    fn unary(&mut self) -> Expr {
        let Some(minus) = self.take(Rule::neg) else {
            return self.run();
        };
        let start = span(&minus);
        if let Some((Rule::number, text)) = self.peek()
            && number::number(text, true) != Number::Bad
        {
            let kind = ExprKind::Number(number::number(text, true));
            let expr = Expr { kind, span: start.to(self.skip()) };
            return self.run_from(expr);
        }
        let inner = self.unary();
        let span = start.to(inner.span);
        Expr { kind: ExprKind::Neg(Box::new(inner)), span }
    }

    fn run(&mut self) -> Expr {
        let head = self.suffixed();
        self.run_from(head)
    }

    fn run_from(&mut self, head: Expr) -> Expr {
        let head = self.dots(head);
        match self.peek_rule() {
            Some(Rule::word | Rule::number | Rule::list | Rule::paren | Rule::if_expr | Rule::table_expr | Rule::past | Rule::string) => {
                let arg = self.additive();
                let span = head.span.to(arg.span);
                Expr { kind: ExprKind::Run { head: Box::new(head), arg: Box::new(arg) }, span }
            }
            _ => head,
        }
    }

    /// `1..6`, `1..`: written without spaces, so it binds tighter than anything with spaces.
    fn dots(&mut self, low: Expr) -> Expr {
        let Some(p) = self.take(Rule::dots) else {
            return low;
        };
        let end = span(&p);
        // what follows without a space is the other end; after a space it is the next word of a run
        let touching = self.parts.peek().is_some_and(|n| n.span().start == end.end);
        let high = touching.then(|| {
            let minus = self.take(Rule::neg).map(|m| span(&m));
            let high = self.postfix();
            match minus {
                Some(at) => Expr { span: at.to(high.span), kind: ExprKind::Neg(Box::new(high)) },
                None => high,
            }
        });
        let span = low.span.to(high.as_ref().map_or(end, |h| h.span));
        Expr { kind: ExprKind::Range { low: Some(Box::new(low)), high: high.map(Box::new) }, span }
    }

    fn suffixed(&mut self) -> Expr {
        let mut what = self.postfix();
        loop {
            let start = what.span;
            let (kind, end) = match self.link() {
                Some("of") => {
                    self.skip();
                    let of = self.postfix();
                    let end = of.span;
                    (ExprKind::Of { what: Box::new(what), of: Box::new(of) }, end)
                }
                Some("within") => {
                    let at = self.skip();
                    let (length, of) = self.within(at);
                    let end = of.span;
                    (ExprKind::Within { what: Box::new(what), length: Box::new(length), of: Box::new(of) }, end)
                }
                Some("where") => {
                    self.skip();
                    let cond = self.or(false);
                    let end = cond.span;
                    (ExprKind::Where { what: Box::new(what), cond: Box::new(cond) }, end)
                }
                _ => return what,
            };
            what = Expr { span: start.to(end), kind };
        }
    }

    /// What follows `within`: a length, perhaps with a unit, and the thing it is measured from.
    fn within(&mut self, at: Span) -> (Expr, Expr) {
        let mut length = self.postfix();
        if self.peek_rule() == Some(Rule::word) {
            let unit = self.postfix();
            let span = length.span.to(unit.span);
            length = Expr { kind: ExprKind::Run { head: Box::new(length), arg: Box::new(unit) }, span };
        }
        if self.link() == Some("of") {
            self.skip();
            return (length, self.postfix());
        }
        let message = "After `within` and a length, `of` must say from where it is measured.";
        self.builder.errors.push(SyntaxError::new(Code::UnexpectedToken, at, message).help("For example: `units within 6\" of this`."));
        (length, broken())
    }

    fn postfix(&mut self) -> Expr {
        let mut base = self.atom();
        while let Some(p) = self.take(Rule::dotted) {
            let name = word(&p);
            base = Expr { span: base.span.to(name.span), kind: ExprKind::Field { base: Box::new(base), name } };
        }
        base
    }

    fn atom(&mut self) -> Expr {
        match self.next() {
            Some(p) => self.atom_of(p),
            None => {
                let end = self.end;
                self.missing(Span::new(end, end))
            }
        }
    }

    fn missing(&mut self, at: Span) -> Expr {
        self.builder.errors.push(SyntaxError::new(Code::MissingValue, at, "Here a value is missing."));
        Expr { kind: ExprKind::Broken, span: at }
    }

    fn atom_of(&mut self, p: P<'i>) -> Expr {
        let at = span(&p);
        let b = &mut *self.builder;
        let kind = match p.as_rule() {
            Rule::word => {
                if let Some(args) = self.take(Rule::args) {
                    let end = span(&args);
                    let args = self.builder.exprs(args);
                    return Expr { kind: ExprKind::Call { name: word(&p), args }, span: at.to(end) };
                }
                self.builder.check_use(p.as_str(), at);
                ExprKind::Name(p.as_str().into())
            }
            Rule::number => {
                let n = number::number(p.as_str(), false);
                if n == Number::Bad {
                    b.bad_number(p.as_str(), at);
                }
                ExprKind::Number(n)
            }
            Rule::string => ExprKind::Str(super::string(&p)),
            Rule::list => ExprKind::List(p.into_inner().map(|e| b.list_entry(e)).collect()),
            Rule::paren => ExprKind::Paren(b.exprs(p)),
            Rule::if_expr => b.if_expr(p),
            Rule::table_expr => {
                let (subject, rows) = b.table(p);
                ExprKind::Table { subject: subject.map(Box::new), rows }
            }
            Rule::past => b.past(p),
            Rule::dots => {
                let high = self.postfix();
                let span = span(&p).to(high.span);
                return Expr { kind: ExprKind::Range { low: None, high: Some(Box::new(high)) }, span };
            }
            // `not is Hero`: a link where a value should stand
            _ => return self.missing(Span::new(at.start, at.start)),
        };
        Expr { kind, span: at }
    }

    /// Drops the next pair and says where it was.
    fn skip(&mut self) -> Span {
        self.next().map_or(Span::default(), |p| span(&p))
    }
}

impl Builder<'_> {
    pub(super) fn check_name(&mut self, name: &str, at: Span) {
        if words::is_reserved(name) && !matches!(name, "this" | "you") {
            self.errors.push(words::reserved_error(name, at));
        }
    }

    fn check_use(&mut self, name: &str, at: Span) {
        if words::is_reserved(name) && !matches!(name, "this" | "you") {
            self.errors.push(words::reserved_use(name, at));
        }
    }

    pub(super) fn bad_number(&mut self, text: &str, at: Span) {
        self.errors.push(
            SyntaxError::new(Code::BadNumber, at, format!("`{text}` is not a number this language knows."))
                .help("Numbers are written like 3, 4+, 2d6+1, 6/4, 6\", 50% or 1..6."),
        );
    }
}
