//! What the words of a card or a keyword leave out, told at the line that is left out.
//!
//! Two ways to find it: what the speaker itself could not say, and, whatever the speaker believes, every part of a rule that can be changed
//! without a change of the words.

use banneret_grammar::span::Span;

use super::card::{card_rule, keyword_rule, stored_words, unsaid_beside, unsaid_in_rule, unsaid_in_stored};
use super::lookup::Lookup;
use super::says::SaysOf;
use super::speech::Language;
use super::vary::Point;
use super::{Unsaid, keyword_text, rules_text};
use crate::db::Universe;
use crate::diagnostic::Diagnostic;
use crate::elaborate::first_line;
use crate::hir::places::{in_rule, in_value};
use crate::hir::{self, CardValue, Key};
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
            let proofs: Vec<Proof> = own_parts(card).map(|(part, holder)| proof_of(part, holder, &lookup)).collect();
            let beside = own_parts(card).flat_map(|(part, holder)| unsaid_beside(part, holder, &lookup));
            let found = beside.chain(proofs.iter().flat_map(|proof| proof.unsaid.iter().cloned())).collect();
            (found, proofs.into_iter().flat_map(|proof| proof.silent).collect())
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

/// A card and the parts and rows that were written in it, each with the kind of who holds it.
fn own_parts(card: &hir::Card) -> impl Iterator<Item = (&hir::Card, &Key)> {
    let parts = card.parts.iter().filter(|part| part.of.is_none()).map(|part| (part, &card.kind));
    let rows = card.rows.iter().map(|(_, _, row)| row).filter(|row| row.of.is_none()).map(|row| (row, &row.kind));
    std::iter::once((card, &card.kind)).chain(parts).chain(rows)
}

/// Would the words that are made for a card or a part leave something out? Asked of those whose words are by hand.
pub fn leaves_out(card: &hir::Card, holder: &Key, lookup: &Lookup) -> bool {
    !proof_of_rules(card, holder, lookup).silent.is_empty()
}

/// What the words of a rule leave out: what the speaker could not say, and places that can be changed without a change of the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Proof {
    unsaid: Vec<Unsaid>,
    silent: Vec<Span>,
}

/// Words of the author's own are the author's business.
fn proof_of(card: &hir::Card, holder: &Key, lookup: &Lookup) -> Proof {
    if card.says.is_some() { Proof::default() } else { proof_of_rules(card, holder, lookup) }
}

/// Of all that was written in the card itself.
fn proof_of_rules(card: &hir::Card, holder: &Key, lookup: &Lookup) -> Proof {
    let mut out = Proof::default();
    for rule in card.rules.iter().filter(|rule| rule.of.is_none()) {
        out.add(Ability::rule(rule), rule.span, card, holder, lookup);
    }
    for (field, value) in card.values.iter().filter(|(field, _)| !card.values_of.iter().any(|(has, _)| has == field)) {
        if let Some(ability) = Ability::stored(card, field, value) {
            out.add(ability, card.span, card, holder, lookup);
        }
    }
    out
}

/// A rule of a card, or what one of its fields holds, with all that its words can depend on. Places count from where it starts, so that what is
/// written alike in several cards is looked at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ability {
    start: u32,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum What {
    Rule(Box<hir::Rule>),
    Stored {
        field: Key,
        value: CardValue,
        /// What the card chooses: the words for a parameter may come from there.
        choices: Vec<(Key, CardValue)>,
    },
}

impl Ability {
    fn rule(rule: &hir::Rule) -> Self {
        let (start, mut rule) = (rule.span.start, rule.clone());
        in_rule(&mut rule, &mut |span| *span = counted_from(start, *span));
        Self { start, what: What::Rule(Box::new(rule)) }
    }

    /// None if there are no words for it: it is printed where the face puts it.
    fn stored(card: &hir::Card, field: &Key, value: &CardValue) -> Option<Self> {
        let start = match value {
            CardValue::Effect { body, .. } => body.stmts.first()?.span.start,
            CardValue::Rules(rules) => rules.first()?.span.start,
            CardValue::Choice { .. } | CardValue::Value(_) => return None,
        };
        let mut value = value.clone();
        in_value(&mut value, &mut |span| *span = counted_from(start, *span));
        let mut choices: Vec<_> = card.values.iter().filter(|(_, value)| matches!(value, CardValue::Choice { .. })).cloned().collect();
        for (_, choice) in &mut choices {
            let CardValue::Choice { set, .. } = choice else { continue };
            let start = set.span.start;
            in_value(choice, &mut |span| *span = counted_from(start, *span));
        }
        Some(Self { start, what: What::Stored { field: field.clone(), value, choices } })
    }
}

/// A place that is none stays none.
fn counted_from(start: u32, span: Span) -> Span {
    if span == Span::default() { span } else { Span { start: span.start.wrapping_sub(start), end: span.end.wrapping_sub(start) } }
}

#[salsa::interned]
struct Told<'db> {
    /// The kind of who holds it, and of the card or part it stands in.
    #[returns(ref)]
    holder: Key,
    #[returns(ref)]
    part: Key,
    #[returns(ref)]
    what: What,
}

impl Proof {
    fn add(&mut self, ability: Ability, line: Span, card: &hir::Card, holder: &Key, lookup: &Lookup) {
        let told = Told::new(lookup.db, holder.clone(), card.kind.clone(), ability.what);
        let back = |span: Span| match span == Span::default() {
            true => line,
            false => Span { start: span.start.wrapping_add(ability.start), end: span.end.wrapping_add(ability.start) },
        };
        let proof = proof(lookup.db, lookup.universe, told);
        self.unsaid.extend(proof.unsaid.iter().map(|one| Unsaid { span: back(one.span), ..one.clone() }));
        self.silent.extend(proof.silent.iter().copied().map(back));
    }
}

/// Places count from where the ability starts; what has no place of its own has none.
#[salsa::tracked(returns(ref))]
fn proof<'db>(db: &'db dyn salsa::Database, universe: Universe, told: Told<'db>) -> Proof {
    let lookup = Lookup { db, universe };
    let (holder, part, none) = (told.holder(db), told.part(db), Span::default());
    match told.what(db) {
        What::Rule(rule) => Proof {
            unsaid: unsaid_in_rule(part, holder, rule, &lookup),
            silent: silent_in(&**rule, |point, rule| point.rule(rule), none, &lookup, &|rule| card_rule(part, holder, rule, &lookup)),
        },
        What::Stored { field, value, choices } => Proof {
            unsaid: unsaid_in_stored(part, holder, field, value, choices, &lookup),
            silent: silent_in(value, |point, value| point.stored(value), none, &lookup, &|value| {
                stored_words(part, holder, field, value, choices, &lookup)
            }),
        },
    }
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
