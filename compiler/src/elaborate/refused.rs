//! `expect refused by WC-019 { … }`: cards that somebody must not write.

use banneret_grammar::ast::{self, Line};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::{Diagnostic, Severity};
use crate::hir::{Card, Key, StmtKind};
use crate::key::{key_of, member_key};
use crate::signature::KindInfo;
use crate::ty::Ty;

use super::Cx;

impl<'db> Cx<'db> {
    pub(super) fn refused(&mut self, by: &ast::Word, block: &ast::Block, span: Span) -> Option<StmtKind> {
        let told = self.reports().len();
        let mut given: Vec<(&ast::Card, &'db KindInfo, SmolStr, Key)> = Vec::new();
        for line in &block.lines {
            let Line::Part(card) = line else {
                let at = super::stmt::first_line(line.span(), self.text);
                self.report(
                    Diagnostic::error("misplaced-line", at, "Only cards stand here.")
                        .help("Write the card that must be refused, and those it names: `unit Giant { … }`."),
                );
                continue;
            };
            let Some(info) = self.word_kind(&card.word) else { continue };
            self.uses(&info.key);
            self.saw_key(card.word.span, &info.key);
            if info.roles.part {
                let words = format!("{} is a part: it stands inside a card.", super::coerce::with_capital_article(&info.name));
                self.report(Diagnostic::error("misplaced-line", card.word.span, words).help("Write the card around it."));
                continue;
            }
            let name = card.name.as_ref().map_or_else(|| SmolStr::new(&*card.word.text), |name| SmolStr::new(&name.text));
            if given.iter().any(|(_, _, other, _)| *other == name) {
                let words = format!("There are two cards called `{name}` here.");
                self.report(Diagnostic::error("duplicate-name", card.span, words).help("Give one of them another name."));
                continue;
            }
            let key = member_key(&self.key_of_block(span), &name);
            given.push((card, info, name, key));
        }
        if given.is_empty() && self.reports().len() == told {
            self.report(
                Diagnostic::error("expects-nothing", span, "Nothing is there to be refused.").help("Write a card between the braces."),
            );
        }
        let before = std::mem::take(&mut self.own_cards);
        self.own_cards = given.iter().map(|(_, info, name, key)| (name.clone(), key.clone(), Ty::Kind(info.key.clone()))).collect();
        let mut cards: Vec<Card> = Vec::new();
        for (card, info, name, key) in given {
            cards.push(self.card_body(card, info, key, name, None));
        }
        self.own_cards = before;
        // what no card can be written with is refused by the line it is declared in
        let wrong: Vec<Diagnostic> = self.reports().drain(told..).collect();
        let is_it = |d: &Diagnostic| d.severity == Severity::Error && d.is_breaking(&by.text);
        let itself = wrong.iter().any(is_it);
        self.reports().extend(wrong.into_iter().filter(|d| !itself || !is_it(d)));
        if itself {
            cards.clear();
        }
        Some(StmtKind::Refused {
            by: SmolStr::new(&by.text),
            cards,
            words: SmolStr::new(Span::new(span.start, block.span.start).of(self.text).trim_end()),
        })
    }

    /// Cards of different tests do not meet, whatever they are called. Two tests that are the same to the letter mean the same cards.
    fn key_of_block(&self, span: Span) -> Key {
        let text = span.of(self.text);
        let told = text
            .bytes()
            .chain(self.text.bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        key_of(&self.module, &format!("refused {told:016x}"))
    }
}
