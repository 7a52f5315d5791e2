//! The rules text on a face: of the card, of its parts and of the rows of its table.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::hir::{Card, CardValue, Expr, ExprKind, Key, RegionKind};
use crate::signature::kind_by_key;
use crate::ty::Ty;
use crate::words::{self, TextBlock};

use super::card::Filling;
use super::{Paragraph, TableRow, named};

impl<'a> Filling<'a, '_> {
    /// The rules that no other region shows.
    pub fn rules(&mut self) -> Vec<Paragraph> {
        let card = self.reader.card;
        let has_table = self.face.regions.iter().any(|r| matches!(r.kind, RegionKind::Table(None)));
        let blocks = self.blocks().to_vec();
        let mut out = Vec::new();
        let mut said: Vec<Key> = Vec::new();
        for block in blocks {
            if let Some(part) = card.parts.iter().find(|p| p.key == block.of) {
                let shown = self.shown(part);
                if shown == Some(true) {
                    continue;
                }
                let at = self.place(&part.title, self.span_of(part));
                let mut paragraph = paragraph(block, at);
                if shown.is_none() && !said.contains(&part.key) {
                    paragraph.costs.splice(0..0, self.numbers(part));
                    said.push(part.key.clone());
                }
                out.push(paragraph);
            } else if let Some((_, _, row)) = card.rows.iter().find(|(_, _, row)| row.key == block.of) {
                if !has_table {
                    let at = self.place(&row.title, self.span_of(row));
                    out.push(paragraph(block, at));
                }
            } else {
                let at = self.place("", own_rules(card));
                out.push(paragraph(block, at));
            }
        }
        out
    }

    fn blocks(&mut self) -> &[TextBlock] {
        let (card, lookup) = (self.reader.card, self.reader.lookup());
        self.blocks.get_or_insert_with(|| words::card_text(card, &lookup))
    }

    /// Whether a region for each of its kind shows a part, and if so, whether with its rules.
    fn shown(&self, part: &Card) -> Option<bool> {
        let kind = kind_by_key(self.reader.db, self.reader.universe, &part.kind)?;
        let regions = self.face.regions.iter().filter_map(|r| match &r.kind {
            RegionKind::Each { list: Expr { kind: ExprKind::Parts { kind: each, .. }, .. }, rules, .. } if kind.is_a(each) => Some(*rules),
            _ => None,
        });
        regions.reduce(|a, b| a || b)
    }

    /// What is written on a part besides its price, with its label: the rules mean it, and no other region shows it.
    fn numbers(&self, part: &'a Card) -> Vec<(SmolStr, String)> {
        let lookup = self.reader.lookup();
        let mut out = Vec::new();
        for (field, value) in &part.values {
            let CardValue::Value(expr) = value else { continue };
            let Some(value) = self.reader.value(expr, part) else { continue };
            let priced = matches!(value.ty, Ty::Cost) || matches!(value.kind, ExprKind::Cost { .. });
            if priced || matches!(value.ty, Ty::Picture | Ty::Text) {
                continue;
            }
            let label = words::label(&lookup, field);
            match value.kind {
                ExprKind::Bool(true) => out.push((SmolStr::default(), label.to_string())),
                ExprKind::Bool(false) => {}
                _ => out.push((label, words::value_words(&value, &lookup).into_iter().map(|run| run.text).collect())),
            }
        }
        out
    }

    /// The rules of one thing of a list; a part of this card speaks as one.
    pub fn rules_of(&mut self, thing: &Card, at: usize) -> Vec<Paragraph> {
        let blocks: Vec<TextBlock> = if self.reader.card.parts.iter().any(|p| p.key == thing.key) {
            self.blocks().iter().filter(|block| block.of == thing.key).cloned().collect()
        } else {
            words::card_text(thing, &self.reader.lookup())
        };
        let title = words::in_language(&self.reader.lookup(), &thing.key, &thing.title);
        let mine = blocks.into_iter().map(|block| {
            let mut p = paragraph(block, at);
            // its name stands in the row already
            if p.title.as_ref() == Some(&title) {
                p.title = None;
            }
            p
        });
        mine.collect()
    }

    /// What the keywords of a card mean and what it is to be of its members; and, apart from that, the same of those that its rules speak of.
    pub fn reminders(&mut self) -> [Vec<Paragraph>; 2] {
        let card = self.reader.card;
        let at = self.place("", card.name_span);
        let mut said = Vec::new();
        [named::had(card), named::spoken_of(card)].map(|named| {
            let all = named::all_explained(self.reader.db, self.reader.universe, named, &mut said);
            all.into_iter().map(|(_, block)| paragraph(block, at)).collect()
        })
    }

    pub fn table(&mut self, of: &'a Card) -> Vec<TableRow> {
        let lookup = self.reader.lookup();
        let blocks = words::card_text(of, &lookup);
        let mut out = Vec::new();
        for (low, high, row) in &of.rows {
            let faces = if low == high { low.to_string() } else { format!("{low}–{high}") };
            let at = self.place(&row.title, self.span_of(row));
            let heading = format!("{faces} {}", words::in_language(&lookup, &row.key, &row.title));
            let text = blocks.iter().filter(|b| b.of == row.key).cloned().map(|block| {
                let mut p = paragraph(block, at);
                p.title = p.title.and_then(|t| match t.strip_prefix(heading.as_str()) {
                    Some("") => None,
                    Some(rest) => Some(SmolStr::new(rest.trim_start_matches([':', ' ']))),
                    None => Some(t),
                });
                p
            });
            out.push(TableRow { faces, title: row.title.clone(), text: text.collect(), at });
        }
        out
    }
}

pub(super) fn paragraph(block: TextBlock, at: usize) -> Paragraph {
    Paragraph { title: block.title, costs: block.costs, text: block.sentences, at, of: block.of }
}

/// Where the rules of a card itself begin.
fn own_rules(card: &Card) -> Span {
    let rules = card.rules.iter().filter(|r| r.of.is_none()).map(|r| r.span);
    let stored = card.values.iter().filter(|(key, _)| !card.values_of.iter().any(|(k, _)| k == key)).filter_map(|(_, v)| match v {
        CardValue::Effect { body, .. } => body.stmts.first().map(|s| s.span),
        CardValue::Rules(rules) => rules.first().map(|r| r.span),
        _ => None,
    });
    rules.chain(stored).min().unwrap_or(card.name_span)
}
