//! Lines of blocks, rows of tables and patterns.

use super::{Builder, P, expr, inner_word, item, no_word, span, string, word};
use crate::ast::{
    AssignOp, Block, Choose, ChooseCount, Expect, Expr, ExprKind, Given, Line, MenuLine, Number, RegionBit, RepeatKind, Row, RowKey,
    RowValue, Word,
};
use crate::code::Code;
use crate::error::SyntaxError;
use crate::nodes::Inner;
use crate::parse::Rule;
use crate::span::Span;

impl<'i> Builder<'i> {
    pub(super) fn block(&mut self, pair: P<'i>) -> Block {
        let span = span(&pair);
        let mut lines = Vec::new();
        let mut pairs = pair.into_inner();
        while let Some(p) = pairs.next() {
            match p.as_rule() {
                Rule::broken => {
                    lines.push(self.line(p));
                    // what stood in the block of a broken line belongs to nothing that is understood
                    if pairs.peek().is_some_and(|n| n.as_rule() == Rule::block) {
                        pairs.next();
                    }
                }
                _ => lines.push(self.line(p)),
            }
        }
        Block { lines, span }
    }

    pub(super) fn line(&mut self, pair: P<'i>) -> Line {
        let span = span(&pair);
        match pair.as_rule() {
            Rule::field | Rule::covered => self.field(pair, span),
            Rule::word_line => self.word_line(pair),
            Rule::let_line => Line::Let { names: pair.into_inner().map(|p| self.binding(p)).collect(), span },
            Rule::if_line => self.if_line(pair, span),
            Rule::for_line => self.for_line(pair, span),
            Rule::repeat => self.repeat(pair, span),
            Rule::need => self.need(pair, span),
            Rule::choose => Line::Choose(self.choose(pair, span)),
            Rule::menu => self.menu(pair, span),
            Rule::may => self.may(pair, span),
            Rule::do_line => Line::Do { what: self.first_expr(pair), span },
            Rule::alternate => self.alternate(pair, span),
            Rule::pass => Line::Pass { span },
            Rule::proceed => Line::Proceed { span },
            Rule::together => Line::Together { block: self.first_block(pair), span },
            Rule::todo => pair.into_inner().next().map_or(Line::Broken { span }, |p| Line::Todo { words: string(&p), span }),
            Rule::says => pair.into_inner().next().map_or(Line::Broken { span }, |p| Line::Says { of: None, template: string(&p), span }),
            Rule::says_of => {
                let mut inner = pair.into_inner();
                match (inner.next(), inner.next()) {
                    (Some(of), Some(p)) => Line::Says { of: Some(word(&of)), template: string(&p), span },
                    _ => Line::Broken { span },
                }
            }
            Rule::phase => match pair.into_inner().next() {
                Some(p) => Line::Phase { action: self.action(p), span },
                None => Line::Broken { span },
            },
            Rule::grant => self.grant(pair, span),
            Rule::handler => Line::Handler(self.handler(pair, span)),
            Rule::cannot => self.cannot(pair, span),
            Rule::once_per => Line::Once { scope: inner_word(pair).unwrap_or_else(no_word), span },
            Rule::state_line => match pair.into_inner().next() {
                Some(p) => Line::State(self.field_decl(p)),
                None => Line::Broken { span },
            },
            Rule::given => Line::Given { things: pair.into_inner().map(|p| self.thing(p)).collect(), span },
            Rule::expect => self.expect(pair, span),
            Rule::region => self.region(pair, span),
            _ => Line::Broken { span },
        }
    }

    /// `title "{name}" right "{points}"`
    fn region(&mut self, pair: P<'i>, span: Span) -> Line {
        let mut parts = pair.into_inner();
        let name = parts.next().map_or_else(no_word, |p| word(&p));
        let bits = parts
            .map(|p| match p.as_rule() {
                Rule::string => RegionBit::Text(string(&p)),
                Rule::number => {
                    let n = super::number::number(p.as_str(), false);
                    if n == Number::Bad {
                        self.bad_number(p.as_str(), super::span(&p));
                    }
                    RegionBit::Number(n, super::span(&p))
                }
                _ => RegionBit::Word(word(&p)),
            })
            .collect();
        Line::Region { name, bits, span }
    }

    pub(super) fn first_expr(&mut self, pair: P<'i>) -> Expr {
        pair.into_inner().next().map_or_else(expr::broken, |p| self.expr(p))
    }

    fn first_block(&mut self, pair: P<'i>) -> Block {
        pair.into_inner().find(|p| p.as_rule() == Rule::block).map_or_else(Block::default, |p| self.block(p))
    }

    fn field(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut words, mut value) = (Vec::new(), expr::broken());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => words.push(word(&p)),
                Rule::expr => value = self.expr(p),
                _ => {}
            }
        }
        let mut words = words.into_iter();
        Line::Field { name: words.next().unwrap_or_else(no_word), binds: words.next(), value, span }
    }

    /// `health: 14`, `target foe: …` read by way of an expression.
    fn free_field(&mut self, head: P<'i>, value: P<'i>, span: Span) -> Line {
        let at = super::span(&head);
        let words: Vec<P> = head.into_inner().collect();
        let value = self.expr(value);
        if words.len() > 2 || words.iter().any(|w| w.as_rule() != Rule::word) {
            return self.no_field_name(at, span);
        }
        let mut words = words.iter().map(word);
        Line::Field { name: words.next().unwrap_or_else(no_word), binds: words.next(), value, span }
    }

    pub(super) fn no_field_name(&mut self, at: Span, line: Span) -> Line {
        self.errors.push(
            SyntaxError::new(Code::UnexpectedToken, at, "Before `:` only the name of a field can stand.")
                .help("A field is written `name: value`, for example `health: 14`."),
        );
        Line::Broken { span: line }
    }

    /// `weapon Axe "Title" of X from Y template { … }`: the words before the title or block were read as an expression.
    fn part(&mut self, head: P<'i>, next: P<'i>, rest: Inner<'i>) -> Line {
        let at = super::span(&head);
        let mut card = item::no_card(at);
        let mut words = head.into_inner();
        let mut fits = true;
        // `2..5 StillAir "Still Air" { … }`: a row of a table, with a range or a number before it
        let key = match words.peek().map(|w| w.as_rule()) {
            Some(Rule::number | Rule::dots) => Some(self.row_key(&mut words)),
            _ => None,
        };
        if key.is_none()
            && let Some(first) = words.next()
        {
            fits = first.as_rule() == Rule::word;
            card.word = self.new_name(&first);
        }
        if words.peek().is_some_and(|w| w.as_rule() == Rule::word && w.as_str() != "template") {
            card.name = words.next().map(|w| self.new_name(&w));
        }
        if let (Some(_), Some(name)) = (&key, &card.name) {
            card.span = name.span;
            card.word.span = Span::new(name.span.start, name.span.start);
        }
        while let Some(p) = words.next() {
            let mut name = || words.next().filter(|w| w.as_rule() == Rule::word).map(|w| word(&w));
            match (p.as_rule(), p.as_str()) {
                (Rule::link, "of") if card.of.is_none() => card.of = name(),
                (Rule::link, "from") if card.from.is_none() => card.from = name(),
                (Rule::word, "template") => card.template = Some(word(&p)),
                _ => fits = false,
            }
        }
        for p in std::iter::once(next).chain(rest) {
            card.span = card.span.to(super::span(&p));
            self.card_bit(&mut card, p);
        }
        if !fits {
            let error = SyntaxError::new(Code::UnexpectedToken, at, "This cannot stand before a `{`.");
            self.errors.push(error.help(part_help(at.of(self.text))));
            return Line::Broken { span: card.span };
        }
        match key {
            Some(key) => Line::Entry { key, span: at.to(card.span), card },
            None => Line::Part(card),
        }
    }

    /// The number or range before a row of a table.
    fn row_key(&mut self, words: &mut Inner<'i>) -> Expr {
        let low = words.peek().filter(|p| p.as_rule() == Rule::number).map(|_| self.operand(words));
        let Some(dots) = words.peek().filter(|p| p.as_rule() == Rule::dots) else {
            return low.unwrap_or_else(expr::broken);
        };
        words.next();
        let high = words.peek().filter(|p| p.as_rule() == Rule::number).map(|_| self.operand(words));
        let Span { start, end } = super::span(&dots);
        let start = low.as_ref().map_or(start, |l| l.span.start);
        let end = high.as_ref().map_or(end, |h| h.span.end);
        Expr { kind: ExprKind::Range { low: low.map(Box::new), high: high.map(Box::new) }, span: Span::new(start, end) }
    }

    fn binding(&mut self, pair: P<'i>) -> (Word, Expr) {
        let (mut name, mut value) = (no_word(), expr::broken());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => name = self.new_name(&p),
                Rule::expr => value = self.expr(p),
                _ => {}
            }
        }
        (name, value)
    }

    /// A line that starts with a free word: the pair after its first expression says what it is.
    fn word_line(&mut self, pair: P<'i>) -> Line {
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else {
            return Line::Broken { span: Span::default() };
        };
        let start = super::span(&first);
        let Some(op) = inner.next() else {
            let target = self.expr(first);
            return match target.kind {
                ExprKind::Table { subject, rows } if rows.iter().any(|r| matches!(r.value, RowValue::Block(_))) => {
                    Line::Table { subject: subject.map(|s| *s), rows, span: start }
                }
                _ => Line::Expr(target),
            };
        };
        if matches!(op.as_rule(), Rule::string | Rule::block) {
            return self.part(first, op, inner);
        }
        let Some(value) = inner.next() else {
            return Line::Broken { span: start };
        };
        let span = start.to(super::span(&value));
        if op.as_rule() == Rule::colon {
            return self.free_field(first, value, span);
        }
        let target = self.expr(first);
        match (op.as_rule(), op.as_str()) {
            (Rule::assign, text) => {
                let op = match text {
                    "+=" => AssignOp::Add,
                    "-=" => AssignOp::Sub,
                    _ => AssignOp::Set,
                };
                Line::Assign { target, op, value: self.expr(value), span }
            }
            (Rule::bound, text) => Line::Bound { target, least: text.ends_with("least"), value: self.expr(value), span },
            (_, text) => {
                let negative = text == "-";
                let value = self.signed(value, negative, super::span(&op));
                Line::Modifier { target, negative, value, span }
            }
        }
    }

    /// The value after the sign of a modifier. The sign of a number goes into the number, so that both halves of `-1/-1` are alike.
    fn signed(&mut self, pair: P<'i>, negative: bool, sign: Span) -> Expr {
        let only_number = {
            let mut inner = pair.into_inner();
            inner.next().filter(|p| p.as_rule() == Rule::number && inner.next().is_none())
        };
        if negative && let Some(p) = only_number {
            let n = super::number::number(p.as_str(), true);
            if n != crate::ast::Number::Bad {
                return Expr { kind: ExprKind::Number(n), span: sign.to(span(&p)) };
            }
        }
        let value = self.expr(pair);
        if negative { Expr { span: sign.to(value.span), kind: ExprKind::Neg(Box::new(value)) } } else { value }
    }

    fn if_line(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut arms, mut otherwise, mut cond) = (Vec::new(), None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expr => cond = Some(self.expr(p)),
                Rule::block => match cond.take() {
                    Some(c) => arms.push((c, self.block(p))),
                    None => otherwise = Some(self.block(p)),
                },
                _ => {}
            }
        }
        Line::If { arms, otherwise, span }
    }

    fn for_line(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut name, mut set, mut block) = (no_word(), expr::broken(), Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => name = self.new_name(&p),
                Rule::expr => set = self.expr(p),
                Rule::block => block = self.block(p),
                _ => {}
            }
        }
        Line::For { name, set, block, span }
    }

    fn repeat(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut until, mut times, mut block) = (false, RepeatKind::UntilPass, Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::until_word => until = true,
                Rule::expr if until => times = RepeatKind::Until(self.expr(p)),
                Rule::expr => times = RepeatKind::Times(self.expr(p)),
                Rule::block => block = self.block(p),
                _ => {}
            }
        }
        Line::Repeat { times, block, span }
    }

    fn need(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut cond, mut blame, mut covers, mut message) = (expr::broken(), None, Vec::new(), None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expr => cond = self.expr(p),
                Rule::blame => blame = Some(self.first_expr(p)),
                Rule::covers => covers = item::covers(p),
                Rule::string => message = Some(string(&p)),
                _ => {}
            }
        }
        Line::Need { cond, blame, covers, message, span }
    }

    fn choose(&mut self, pair: P<'i>, span: Span) -> Choose {
        let mut out = Choose {
            count: ChooseCount::One,
            name: no_word(),
            from: expr::broken(),
            by: None,
            each_once_per: None,
            such_that: None,
            secret: false,
            span,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::up_to | Rule::counted => {
                    let up_to = p.as_rule() == Rule::up_to;
                    let mut inner = p.into_inner();
                    let count = self.operand(&mut inner);
                    out.count = if up_to { ChooseCount::UpTo(count) } else { ChooseCount::Exactly(count) };
                    if let Some(name) = inner.next() {
                        out.name = self.new_name(&name);
                    }
                }
                Rule::any_word => out.count = ChooseCount::Any,
                Rule::word => out.name = self.new_name(&p),
                Rule::plain => out.from = self.expr(p),
                Rule::choose_by => out.by = Some(self.first_expr(p)),
                Rule::choose_each => out.each_once_per = inner_word(p),
                Rule::choose_secret => out.secret = true,
                Rule::choose_such => out.such_that = Some(self.first_expr(p)),
                _ => {}
            }
        }
        out
    }

    fn menu(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut by, mut lines) = (None, Vec::new());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::by_whom => by = Some(self.first_expr(p)),
                Rule::menu_block => {
                    for p in p.into_inner() {
                        match p.as_rule() {
                            Rule::labelled => lines.push(self.labelled(p)),
                            Rule::block => {}
                            _ => lines.push(MenuLine::Line(self.line(p))),
                        }
                    }
                }
                _ => {}
            }
        }
        Line::Menu { by, lines, span }
    }

    fn labelled(&mut self, pair: P<'i>) -> MenuLine {
        let span = span(&pair);
        let mut inner = pair.into_inner();
        match (inner.next(), inner.next()) {
            (Some(label), Some(block)) => MenuLine::Labelled { label: string(&label), block: self.block(block), span },
            _ => MenuLine::Line(Line::Broken { span }),
        }
    }

    fn may(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut label, mut by, mut block) = (None, None, Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::string => label = Some(string(&p)),
                Rule::by_whom => by = Some(self.first_expr(p)),
                Rule::block => block = self.block(p),
                _ => {}
            }
        }
        Line::May { label, by, block, span }
    }

    fn alternate(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut name, mut starting, mut until_all_pass, mut block) = (no_word(), None, false, Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => name = self.new_name(&p),
                Rule::starting => starting = Some(self.first_expr(p)),
                Rule::until_all_pass => until_all_pass = true,
                Rule::block => block = self.block(p),
                _ => {}
            }
        }
        Line::Alternate { name, starting, until_all_pass, block, span }
    }

    /// The subject and the rows of a `table`.
    pub(super) fn table(&mut self, pair: P<'i>) -> (Option<Expr>, Vec<Row>) {
        let (mut subject, mut rows) = (None, Vec::new());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expr => subject = Some(self.expr(p)),
                Rule::rows => rows = self.rows(p),
                _ => {}
            }
        }
        (subject, rows)
    }

    pub(super) fn rows(&mut self, pair: P<'i>) -> Vec<Row> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::row).map(|p| self.row(p)).collect()
    }

    fn row(&mut self, pair: P<'i>) -> Row {
        let whole = span(&pair);
        let (mut key, mut value) = (None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::else_word => key = Some(RowKey::Else(span(&p))),
                Rule::expr if key.is_none() => key = Some(RowKey::Expr(self.expr(p))),
                Rule::expr => value = Some(RowValue::Expr(self.expr(p))),
                Rule::block => value = Some(RowValue::Block(self.block(p))),
                _ => {}
            }
        }
        Row { key: key.unwrap_or(RowKey::Else(whole)), value: value.unwrap_or_else(|| RowValue::Expr(expr::broken())), span: whole }
    }

    fn thing(&mut self, pair: P<'i>) -> Given {
        let mut out = Given { what: expr::broken(), name: None, by: None, at: None, is: None, span: span(&pair) };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::arg => out.what = self.expr(p),
                Rule::expr => out.is = Some(self.expr(p)),
                Rule::lone => {
                    let span = span(&p);
                    out.what = Expr { kind: ExprKind::Name(p.as_str().into()), span };
                }
                Rule::alias => out.name = inner_word(p),
                Rule::by_whom => out.by = Some(self.first_expr(p)),
                Rule::at_place => {
                    let mut inner = p.into_inner();
                    if let (Some(x), Some(y)) = (inner.next(), inner.next()) {
                        out.at = Some((self.expr(x), self.expr(y)));
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn refused(&mut self, pair: P<'i>) -> Expect {
        let (mut by, mut cards) = (no_word(), Block::default());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::id => by = word(&p),
                Rule::string => {
                    let words = string(&p);
                    by = Word { text: words.text, span: words.span };
                }
                Rule::block => cards = self.block(p),
                _ => {}
            }
        }
        Expect::Refused { by, cards }
    }

    fn expect(&mut self, pair: P<'i>, span: Span) -> Line {
        let (mut illegal, mut of) = (false, None);
        let mut value = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::refused => return Line::Expect { what: self.refused(p), span },
                Rule::illegal => illegal = true,
                Rule::odds => of = Some(p.as_str()),
                _ => value = Some(p),
            }
        }
        let Some(value) = value else {
            return Line::Broken { span };
        };
        let what = match of {
            None if illegal => Expect::Illegal(self.expr(value)),
            None => Expect::Cond(self.expr(value)),
            Some(word) => {
                let at = super::span(&value);
                let Some((of, is)) = self.split_at_last_equals(value) else {
                    self.errors.push(
                        SyntaxError::new(
                            Code::UnexpectedToken,
                            Span::new(at.end, at.end),
                            format!("Here is missing what the {word} should be."),
                        )
                        .help("Write `== ` and the value, for example `expect odds of target.wounds > 0 == 1/2`."),
                    );
                    return Line::Broken { span };
                };
                match word {
                    "odds" => Expect::Odds { of, is },
                    "mean" => Expect::Mean { of, is },
                    _ => Expect::Spread { of, is },
                }
            }
        };
        Line::Expect { what, span }
    }
}

/// What to do about words before a block that are neither a part nor a rule.
fn part_help(written: &str) -> String {
    let words: Vec<&str> = written.split_whitespace().collect();
    match words.as_slice() {
        ["when" | "whenever" | "on" | "if" | "during" | "upon" | "once", ..] => {
            "A rule that waits for an event starts with `before`, `after`, `instead of`, `at start of` or `at end of`.".into()
        }
        [low, "to", high, name] if low.parse::<u32>().is_ok() && high.parse::<u32>().is_ok() => {
            format!("A row for several faces is written `{low}..{high} {name} {{ … }}`.")
        }
        ["your" | "enemy" | "other" | "all", ..] => "What holds for others is written `grant your units { … }`.".into(),
        [word, names @ ..] if names.len() > 1 && names.iter().all(|n| n.chars().all(char::is_alphanumeric)) => {
            format!("A name is one word; what is printed stands behind it: `{word} {} \"{}\" {{ … }}`.", names.concat(), names.join(" "))
        }
        _ => "A part is written like `weapon Axe { … }`.".into(),
    }
}
