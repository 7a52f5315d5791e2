//! What the words of a card or a keyword leave out, told at the line that is left out.
//!
//! Two ways to find it: what the speaker itself could not say, and, whatever the speaker believes, every part of a rule that can be changed
//! without a change of the words.

use banneret_grammar::span::Span;

use super::card::{card_rule, keyword_rule, stored_words};
use super::lookup::Lookup;
use super::says::SaysOf;
use super::speech::Language;
use super::vary::Point;
use super::{Unsaid, card_text, keyword_text, rules_text};
use crate::db::Universe;
use crate::diagnostic::Diagnostic;
use crate::elaborate::first_line;
use crate::hir::{self, Key};
use crate::items::Item;
use crate::printed::goes_on_paper;
use crate::ty::Ty;

/// One message for each thing that its rules do and its words do not tell. Words of the author's own are the author's business.
pub(crate) fn unsaid<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, meant: &hir::Item) -> Vec<Diagnostic> {
    let text: &str = item.text(db);
    let lookup = Lookup { db, universe };
    let (found, silent): (Vec<Unsaid>, Vec<Span>) = match meant {
        hir::Item::Card(card) if is_plain(card) => return Vec::new(),
        hir::Item::Card(card) => {
            let own = |block: &super::TextBlock| {
                let mut nested = card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row));
                !nested.any(|part| part.key == block.of && part.of.is_some())
            };
            let found = card_text(card, &lookup).into_iter().filter(own).flat_map(|block| block.unsaid).collect();
            (found, silent_in_card(card, &lookup))
        }
        hir::Item::Keyword(keyword) if keyword.says.is_none() => {
            let silent = keyword.rules.iter().flat_map(|rule| {
                silent_in(rule, |point, rule| point.rule(rule), rule.span, &lookup, &|rule| keyword_rule(keyword, rule, &lookup))
            });
            (keyword_text(keyword, &lookup).unsaid, silent.collect())
        }
        // Of rules that belong to no card, those that somebody reads on paper.
        hir::Item::Rules(rules) => {
            let read: Vec<&hir::Rule> = rules.iter().filter(|rule| goes_on_paper(db, universe, item, rule)).collect();
            of_rules(&read, None, &lookup)
        }
        hir::Item::Kind(kind) => {
            let read: Vec<&hir::Rule> = kind.rules.iter().filter(|rule| goes_on_paper(db, universe, item, rule)).collect();
            of_rules(&read, Some(&kind.key), &lookup)
        }
        _ => return Vec::new(),
    };
    let mut out: Vec<Diagnostic> = Vec::new();
    let mut push = |d: Diagnostic| {
        // One message tells of a line.
        if !out.iter().any(|has| has.span.start <= d.span.start && d.span.end <= has.span.end) {
            out.push(d);
        }
    };
    for one in found.into_iter().filter(|one| (one.span.end as usize) <= text.len()) {
        let line = first_line(one.span, text);
        if let Some(of) = &one.missing {
            push(not_translated(of, &one.what, line, lookup.language()));
            continue;
        }
        push(match &one.action {
            Some(action) => {
                Diagnostic::error("unsaid", line, format!("The words would leave out `{}` of `{action}`.", one.what)).help(format!(
                    "Speak of it in the words of the action: `says \"… {{{}}}\"` in `{action}`. Or write the words of this card with `says`.",
                    one.what
                ))
            }
            None => Diagnostic::error("unsaid", line, format!("There are no words for {}.", one.what))
                .help("Give it to an action of its own, which has words, or write the words of this card with `says`."),
        });
    }
    for span in silent.into_iter().filter(|span| (span.end as usize) <= text.len()) {
        let line = first_line(span, text);
        let written = text.get(line.start as usize..line.end as usize).unwrap_or_default().trim();
        push(
            Diagnostic::error("unsaid", line, format!("The words would leave out `{written}`.")).help(
                "Give it words where it is declared, with `says` in its action or term, or write the words of this card with `says`.",
            ),
        );
    }
    out
}

/// The catalogue has no entry for these words, or one that is not what it should be.
fn not_translated(of: &Key, words: &str, line: Span, language: Option<Language>) -> Diagnostic {
    let (name, code) = language.map_or(("", ""), |language| (language.name(), language.code()));
    Diagnostic::error("unsaid", line, format!("“{words}” of `{of}` has no {name} words.")).help(format!(
        "Translate it in `words/{code}.po`: the entry with `msgctxt \"{of}\"`. `banneret words --language {code}` writes the entries that are missing."
    ))
}

fn of_rules(rules: &[&hir::Rule], this: Option<&Key>, lookup: &Lookup) -> (Vec<Unsaid>, Vec<Span>) {
    let say = |rule: &hir::Rule| rules_text(&Key::default(), None, this, std::slice::from_ref(rule), lookup);
    let silent = rules.iter().flat_map(|rule| {
        silent_in(*rule, |point, rule| point.rule(rule), rule.span, lookup, &|rule| super::plain(std::slice::from_ref(&say(rule))))
    });
    (rules.iter().flat_map(|rule| say(rule).unsaid).collect(), silent.collect())
}

/// Parts of the rules of a card that can be changed without a change of its words.
fn silent_in_card(card: &hir::Card, lookup: &Lookup) -> Vec<Span> {
    let this = card.kind.clone();
    let mut out = silent_in_part(card, &this, lookup);
    for part in card.parts.iter().filter(|part| part.of.is_none()) {
        out.extend(silent_in_part(part, &this, lookup));
    }
    for (_, _, row) in card.rows.iter().filter(|(_, _, row)| row.of.is_none()) {
        out.extend(silent_in_part(row, &row.kind, lookup));
    }
    out
}

fn silent_in_part(card: &hir::Card, holder: &Key, lookup: &Lookup) -> Vec<Span> {
    if card.says.is_some() { Vec::new() } else { silent_in_rules(card, holder, lookup) }
}

/// Would the words that are made for a card or a part leave something out? Asked of those whose words are by hand.
pub fn leaves_out(card: &hir::Card, holder: &Key, lookup: &Lookup) -> bool {
    !silent_in_rules(card, holder, lookup).is_empty()
}

fn silent_in_rules(card: &hir::Card, holder: &Key, lookup: &Lookup) -> Vec<Span> {
    let mut out = Vec::new();
    for rule in card.rules.iter().filter(|rule| rule.of.is_none()) {
        out.extend(silent_in(rule, |point, rule| point.rule(rule), rule.span, lookup, &|rule| card_rule(card, holder, rule, lookup)));
    }
    for (field, value) in card.values.iter().filter(|(field, _)| !card.values_of.iter().any(|(has, _)| has == field)) {
        out.extend(silent_in(value, |point, value| point.stored(value), card.span, lookup, &|value| {
            stored_words(card, holder, field, value, lookup)
        }));
    }
    out
}

/// Changes each part in turn; where the words stay the same they do not tell of it.
fn silent_in<T: Clone>(
    whole: &T,
    change: impl Fn(&mut Point, &mut T),
    line: Span,
    lookup: &Lookup,
    say: &dyn Fn(&T) -> String,
) -> Vec<Span> {
    let words = say(whole);
    let params = |action: &Key| -> Vec<(hir::Name, Ty)> {
        let action = lookup.action(action).unwrap_or_default();
        action.params.into_iter().map(|param| (param.name, param.ty)).collect()
    };
    let mut out = Vec::new();
    for n in 0.. {
        let (mut point, mut other) = (Point::number(n, line, &params), whole.clone());
        change(&mut point, &mut other);
        match point.changed() {
            Some(span) if say(&other) == words => out.push(span),
            Some(_) => {}
            None => break,
        }
    }
    out
}

/// Whether a card has nothing but values: most cards of a large project are such, and they have nothing to leave out.
fn is_plain(card: &hir::Card) -> bool {
    card.rules.is_empty()
        && card.parts.is_empty()
        && card.rows.is_empty()
        && card.values.iter().all(|(_, value)| matches!(value, hir::CardValue::Value(_)))
}
