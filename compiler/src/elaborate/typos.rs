//! Slips of the pen: words typed twice, signs forgotten, two things said in one. Each is told as what it is, and not by what follows from it.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::items::{DeclKind, is_card, items, parse_now};
use crate::signature::KindInfo;
use crate::suggest::nearest;
use crate::ty::Ty;

use super::Cx;
use super::card::bare;

impl Cx<'_> {
    /// `unit "Strong Man" { … }` has a title and no name, so nobody finds `StrongMan`.
    pub(super) fn only_titled(&self, d: Diagnostic, name: &str) -> Diagnostic {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
        let wanted = letters(name);
        for item in self.universe.files(self.db).iter().flat_map(|file| items(self.db, *file)) {
            let head = item.text(self.db).split(['{', '\n']).next().unwrap_or_default();
            let Some((word, title)) = head.split_once(" \"").and_then(|(word, rest)| Some((word, rest.split_once('"')?.0))) else {
                continue;
            };
            if word.chars().all(|c| c.is_alphanumeric() || c == '_') && letters(title) == wanted {
                return d.help(format!("“{title}” has no name yet that cards can call it by: write `{word} {name} \"{title}\" {{ … }}`."));
            }
        }
        d
    }

    /// `heal 3 to ally and this`: whether a line joins what happens with `and`, which is told.
    pub(super) fn joins_deeds(&mut self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Binary { op: ast::BinaryOp::And, op_span, left, right } = &e.kind else { return false };
        let mut first = &**left;
        while let ast::ExprKind::Binary { op: ast::BinaryOp::And, left, .. } = &first.kind {
            first = left;
        }
        if !self.is_deed(first) {
            return false;
        }
        let d = Diagnostic::error("wrong-type", *op_span, "`and` joins conditions, and a sentence does one thing.");
        let text = self.text;
        let again = match &first.kind {
            _ if self.is_deed(right) => Some(right.span.of(text).to_string()),
            // the same once more, with what stands behind `and`
            ast::ExprKind::Sentence { preps, .. } => preps.last().map(|(_, value)| {
                let start = Span::new(first.span.start, value.span.start).of(text);
                format!("{start}{}", right.span.of(text))
            }),
            ast::ExprKind::Run { arg, .. } => {
                Some(format!("{}{}", Span::new(first.span.start, arg.span.start).of(text), right.span.of(text)))
            }
            _ => None,
        };
        let d = match again.filter(|_| first.span == left.span) {
            Some(again) => {
                let before = text.get(..e.span.start as usize).unwrap_or("");
                let indent = before.rsplit('\n').next().unwrap_or("");
                let between = if indent.trim().is_empty() { format!("\n{indent}") } else { ", ".to_string() };
                let joined = Span::new(left.span.end, right.span.end);
                d.help(format!("Write two sentences: `{}` and `{again}`.", left.span.of(text))).fix(
                    "Write two sentences",
                    joined,
                    format!("{between}{again}"),
                    false,
                )
            }
            None => d.help("Write a sentence for each, in a line of its own."),
        };
        self.report(d);
        // so that what is named counts as used
        let _ = self.expr_quietly(e);
        true
    }

    /// Whether an expression calls an action.
    pub(super) fn is_deed(&mut self, e: &ast::Expr) -> bool {
        let run = if let ast::ExprKind::Sentence { of, .. } = &e.kind { of } else { e };
        let verb = match &run.kind {
            ast::ExprKind::Run { head, .. } => head,
            _ => run,
        };
        let ast::ExprKind::Name(verb) = &verb.kind else { return false };
        let is_action = |kind: DeclKind| matches!(kind, DeclKind::Action | DeclKind::Phase);
        self.find_local(verb).is_none() && self.lookup(verb).iter().any(|found| is_action(found.kind))
    }

    /// `grant ally { … } untils end of turn`: whether the word behind a grant is nearly one that says how long it lasts, which is told.
    pub(super) fn misspelt_duration(&mut self, grant: Span) -> bool {
        let rest = self.text.get(grant.end as usize..).unwrap_or("");
        let space = rest.len() - rest.trim_start_matches(' ').len();
        let word = rest[space..].split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        let Some(right) = nearest(word, ["until", "for", "while"]) else { return false };
        let start = grant.end + space as u32;
        let at = Span::new(start, start + word.len() as u32);
        self.report(
            Diagnostic::error("missing-duration", at, format!("It is not said how long this lasts: `{word}` means nothing here."))
                .help(format!("Did you mean `{right}`?"))
                .fix(format!("Write `{right}`"), at, right, true),
        );
        self.misread = Some(start);
        true
    }

    /// `recover bys you`: whether the word behind a verb is nearly one of its prepositions, which is told.
    pub(super) fn misspelt_preposition(&mut self, first: &ast::Expr, name: &str, known: &[&str]) -> bool {
        let ast::ExprKind::Run { head, .. } = &first.kind else { return false };
        let ast::ExprKind::Name(word) = &head.kind else { return false };
        let Some(right) = nearest(word, known.iter().copied()).filter(|_| self.lookup(word).is_empty()) else { return false };
        self.report(
            Diagnostic::error("unknown-preposition", head.span, format!("`{name}` has no `{word}`."))
                .help(format!("Did you mean `{right}`?"))
                .fix(format!("Write `{right}`"), head.span, right, true),
        );
        true
    }

    /// Whether a word stands directly behind the same word, which is told.
    pub(super) fn word_twice(&mut self, word: &str, at: Span) -> bool {
        let before = self.text.get(..at.start as usize).unwrap_or("");
        let gap = before.trim_end_matches(' ');
        let is_same = gap.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        if gap.len() < before.len() && is_same {
            self.report(
                Diagnostic::error("unexpected-token", at, format!("`{word}` stands here twice.")).help("Leave one of them out.").fix(
                    "Remove it",
                    Span::new(gap.len() as u32, at.end),
                    "",
                    true,
                ),
            );
            return true;
        }
        false
    }

    /// `move: 6,5s`: whether a value in a card is what stands behind the comma of a number, which is told instead of what the first half is not.
    pub(super) fn decimal_comma(&mut self, second: Span, info: &KindInfo, given: &[(SmolStr, Span)]) -> bool {
        let before = self.text.get(..second.start as usize).unwrap_or("");
        let Some(first) = before.strip_suffix(',').filter(|first| first.ends_with(|c: char| c.is_ascii_digit())) else { return false };
        if !second.of(self.text).starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let start = first.trim_end_matches(|c: char| c.is_ascii_digit()).len() as u32;
        let both = Span::new(start, second.end);
        let point = both.of(self.text).replacen(',', ".", 1);
        self.reports().retain(|d| d.span.start != start);
        let is_length = given.last().and_then(|(name, _)| info.field(name)).is_some_and(|f| matches!(bare(&f.ty), Ty::Length(_)));
        let d = Diagnostic::error("bad-number", both, "A comma separates two values, and a part of one is written behind a point.");
        self.report(match is_length {
            true => d.help(format!("Write `{point}`.")).fix(format!("Write `{point}`"), both, point, true),
            false => d.help("Only whole numbers are possible here."),
        });
        true
    }

    /// A field without its colon: `points 12`, `target foe enemy units`; or a block without its brace.
    pub(super) fn without_colon(&mut self, name: &str, head: Span, line: Span, info: &KindInfo) {
        let ty = info.field(name).map(|f| bare(&f.ty).clone());
        if matches!(ty, Some(Ty::Effect(_) | Ty::Rules)) {
            let words = Span::new(head.end, line.end);
            let inside = words.of(self.text).trim();
            let d = Diagnostic::error("missing-brace", line, format!("After `{name}` a block stands in braces."));
            let d = d.help(format!("Write `{name} {{ {inside} }}`."));
            // with its `}` still there, only the first is missing
            let closed =
                self.text.get(line.end as usize..).is_some_and(|rest| rest.lines().next().unwrap_or("").trim_start().starts_with('}'));
            return self.report(match closed {
                true => d.fix("Add the brace", Span::new(head.end, head.end), " {", true),
                false => d.fix("Add the braces", words, format!(" {{ {inside} }}"), true),
            });
        }
        // the name that is given to what is chosen
        let rest = Span::new(head.end, line.end).of(self.text);
        let called = rest.trim_start().split(' ').next().unwrap_or("");
        let gives_name = matches!(ty, Some(Ty::Choice(_))) && called.starts_with(char::is_lowercase) && self.lookup(called).is_empty();
        let (at, shown) = match gives_name && rest.trim_start().len() > called.len() {
            true => {
                self.lost.push(SmolStr::new(called));
                (head.end + (rest.len() - rest.trim_start().len() + called.len()) as u32, format!("{name} {called}"))
            }
            false => (head.end, name.to_string()),
        };
        self.report(
            Diagnostic::error("missing-colon", line, format!("After `{shown}` a colon is missing."))
                .help(format!("Write `{shown}: …`."))
                .fix("Add the colon", Span::new(at, at), ":", true),
        );
    }

    /// Whether a field is given a second time, which is told, and only that: one of the two is probably another field.
    pub(super) fn given_again(&mut self, name: &ast::Word, value: &ast::Expr, given: &mut Vec<(SmolStr, Span)>, info: &KindInfo) -> bool {
        let first = given.iter().find(|(n, _)| **n == *name.text).map(|(_, at)| *at);
        self.once_only(name, given);
        let Some(first) = first else { return false };
        // that a value does not fit the wrong field follows from it
        let text = self.text;
        let is_of_first = |d: &Diagnostic| {
            let between = text.get(first.end as usize..d.span.start as usize);
            d.code == Code::WrongType && between.is_some_and(|t| t.trim() == ":")
        };
        let fits_first = !self.diagnostics().iter().any(is_of_first);
        self.reports().retain(|d| !is_of_first(d));
        let _ = self.expr_quietly(value);
        let is_free = |n: &&str| given.iter().all(|(known, _)| known != n);
        let other = nearest(&name.text, info.fields.iter().map(|f| f.name.as_str()).filter(is_free));
        if let (Some(other), Some(d)) = (other, self.reports().last_mut()) {
            d.help = Some(format!("Did you mean `{other}` with one of the two?"));
            let at = if fits_first { name.span } else { first };
            d.fixes.push(Fix { title: format!("Write `{other}`"), edits: vec![(at, other.to_string())], safe: false });
        }
        true
    }

    /// `spot: 18s, 6s`: that two numbers make one value is told with the first of them. `second` is the other.
    pub(super) fn both_in_parentheses(&mut self, second: Span, info: &KindInfo, given: &[(SmolStr, Span)]) {
        let is_place = |(name, _): &(SmolStr, Span)| info.field(name).is_some_and(|f| *bare(&f.ty) == Ty::Place);
        let text = self.text;
        let Some(d) = self.reports().last_mut().filter(|_| given.last().is_some_and(is_place)) else { return };
        let both = Span::new(d.span.start, second.end);
        let written = format!("({})", both.of(text));
        d.help = Some(format!("The two numbers of a place stand in parentheses: `{written}`."));
        d.fixes = vec![Fix { title: format!("Write `{written}`"), edits: vec![(both, written)], safe: true }];
    }

    /// `Brawler x2`: how many there are of a card is said before it.
    pub(super) fn number_behind(&self, d: Diagnostic, head: &ast::Expr, arg: &ast::Expr, span: Span) -> Diagnostic {
        let written = arg.span.of(self.text);
        let number = written.strip_prefix(['x', 'X']).unwrap_or(written);
        let is_name = matches!(head.kind, ast::ExprKind::Name(_));
        if !is_name || number.is_empty() || !number.chars().all(|c| c.is_ascii_digit()) {
            return d;
        }
        let right = format!("{number} {}", head.span.of(self.text));
        d.help(format!("How many there are is said before it: `{right}`.")).fix(format!("Write `{right}`"), span, right, true)
    }

    /// `picture: captain.svg`: whether words without quotes stand where a text is wanted, which is told.
    pub(super) fn without_quotes(&mut self, value: &ast::Expr, ty: &Ty) -> bool {
        let ast::ExprKind::Field { base, .. } = &value.kind else { return false };
        let ast::ExprKind::Name(first) = &base.kind else { return false };
        if !matches!(bare(ty), Ty::Text | Ty::Picture) || self.known_name_quietly(first).is_some() {
            return false;
        }
        let text = value.span.of(self.text);
        self.report(Diagnostic::error("wrong-type", value.span, "Here a text is wanted.").help("Words are written in quotes.").fix(
            "Put it in quotes",
            value.span,
            format!("\"{text}\""),
            true,
        ));
        true
    }

    /// `units: Guard, 2 Scout`: whether something stands behind a comma and the value of a field.
    pub(super) fn continues_list(&self, at: Span) -> bool {
        let line = self.text.get(..at.start as usize).and_then(|before| before.rsplit('\n').next()).unwrap_or("");
        line.trim_end().ends_with(',') && line.contains(": ")
    }

    /// A card of the project that has a part of this name.
    pub(super) fn has_part(&self, name: &str) -> Option<SmolStr> {
        let cards = self.universe.files(self.db).iter().flat_map(|file| items(self.db, *file)).filter(|item| is_card(self.db, **item));
        cards.filter(|item| item.text(self.db).contains(name)).find_map(|item| {
            let ast::ItemKind::Card(card) = parse_now(self.db, *item).item.kind else { return None };
            let is_it = |line: &Line| matches!(line, Line::Part(part) if part.name.as_ref().is_some_and(|n| *n.text == *name));
            card.block.as_ref().filter(|block| block.lines.iter().any(is_it))?;
            card.name.map(|name| SmolStr::new(&name.text))
        })
    }

    /// `skill: 4 or more`: whether a number is followed by such words, which is told.
    pub(super) fn or_more(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> bool {
        let ast::ExprKind::Name(word) = &right.kind else { return false };
        let number = left.span.of(self.text);
        if !matches!(&**word, "more" | "higher" | "better" | "above" | "greater") || !number.chars().all(|c| c.is_ascii_digit()) {
            return false;
        }
        self.report(
            Diagnostic::error("wrong-type", span, format!("\"{number} or {word}\" is written `{number}+`."))
                .help(format!("Write `{number}+` for a roll, and compare other numbers: `x >= {number}`."))
                .fix(format!("Write `{number}+`"), span, format!("{number}+"), true),
        );
        true
    }
}
