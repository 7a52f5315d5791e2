//! The text of a card, block by block.

use smol_str::SmolStr;

use super::TextBlock;
use super::english::{bold, capital, list, runs, sentence, spaced};
use super::grant::scope_name;
use super::says::{SaysOf, last};
use super::speaker::{Known, Speaker};
use crate::hir::{Card, CardValue, ExprKind, Key, Keyword, Rule, Stmt};
use crate::ty::Ty;

/// The text of a card and its abilities, with what authors wrote themselves in place of what would be generated.
pub fn card_text(card: &Card, says: &dyn SaysOf) -> Vec<TextBlock> {
    Writer { says, written: true }.card(card)
}

/// The text as generated, whatever authors wrote.
pub fn generated_text(card: &Card, says: &dyn SaysOf) -> Vec<TextBlock> {
    Writer { says, written: false }.card(card)
}

/// The text of a card and of each card nested in it, by key: what a pack keeps.
pub fn card_texts(card: &Card, says: &dyn SaysOf) -> Vec<(Key, String)> {
    let writer = Writer { says, written: true };
    let this = this_of(says, &card.kind);
    let mut texts = vec![(card.key.clone(), super::plain(&writer.card(card)))];
    let parts = card.parts.iter().map(|part| (part, this.clone()));
    let rows = card.rows.iter().map(|(_, _, row)| (row, this_of(says, &row.kind)));
    for (part, this) in parts.chain(rows) {
        let own = this_of(says, &part.kind);
        texts.push((part.key.clone(), super::plain(&writer.one(part, &this, &own, None))));
    }
    texts.retain(|(_, text)| !text.is_empty());
    texts
}

/// The reminder of a keyword: its own words, or what its rules say.
pub fn keyword_text(keyword: &Keyword, says: &dyn SaysOf) -> TextBlock {
    keyword_reminder(keyword, None, says)
}

/// The same on a card that has it: with its number, if it is known.
pub fn keyword_reminder(keyword: &Keyword, number: Option<i64>, says: &dyn SaysOf) -> TextBlock {
    let number = number.map_or_else(|| "X".to_string(), |n| n.to_string());
    let mut speaker = keyword_speaker(keyword, says);
    speaker.number = Some((keyword.key.clone(), number.clone()));
    let mut sentences = Vec::new();
    match &keyword.says {
        Some(template) => {
            let number = if keyword.numbered { &number } else { "" };
            sentences.push(sentence(&speaker.keyword_says(template, number)));
        }
        None => {
            for rule in &keyword.rules {
                sentences.extend(speaker.rule(rule).iter().map(|clause| sentence(clause)));
            }
        }
    }
    let title = if keyword.numbered { format!("{} {number}", spaced(&keyword.name)) } else { spaced(&keyword.name) };
    let sentences = runs(&sentences.join(" "));
    TextBlock { title: Some(title.into()), costs: Vec::new(), sentences, unsaid: speaker.unsaid, of: keyword.key.clone() }
}

/// The words of one rule of a card; in its parts, `this` is who holds them.
pub(super) fn card_rule(card: &Card, holder: &Key, rule: &Rule, says: &dyn SaysOf) -> String {
    Speaker::new(says, this_of(says, holder), this_of(says, &card.kind)).rule(rule).join("\n")
}

/// The words of what a field of a card holds.
pub(super) fn stored_words(card: &Card, holder: &Key, field: &Key, value: &CardValue, says: &dyn SaysOf) -> String {
    let mut speaker = Speaker::new(says, this_of(says, holder), this_of(says, &card.kind));
    Writer { says, written: false }.stored(card, field, value, &mut speaker).unwrap_or_default().join("\n")
}

/// The words of one rule of a keyword.
pub(super) fn keyword_rule(keyword: &Keyword, rule: &Rule, says: &dyn SaysOf) -> String {
    keyword_speaker(keyword, says).rule(rule).join("\n")
}

fn keyword_speaker<'a>(keyword: &Keyword, says: &'a dyn SaysOf) -> Speaker<'a> {
    let this = match &keyword.on {
        Some(kind) => this_of(says, kind),
        None => "this".into(),
    };
    let holder = if keyword.on_part { "its holder".into() } else { this.clone() };
    Speaker::new(says, holder, this)
}

fn this_of(says: &dyn SaysOf, kind: &Key) -> String {
    format!("this {}", super::says::Words(says).kind(kind).one)
}

struct Writer<'a> {
    says: &'a dyn SaysOf,
    written: bool,
}

impl Writer<'_> {
    fn card(&self, card: &Card) -> Vec<TextBlock> {
        let this = this_of(self.says, &card.kind);
        let mut blocks = self.one(card, &this, &this, None);
        for part in &card.parts {
            let own = this_of(self.says, &part.kind);
            blocks.extend(self.one(part, &this, &own, Some(part.title.clone())));
        }
        for (low, high, row) in &card.rows {
            let faces = if low == high { low.to_string() } else { format!("{low}–{high}") };
            let title = format!("{faces} {}", row.title);
            let own = this_of(self.says, &row.kind);
            blocks.extend(self.one(row, &own, &own, Some(title.into())));
        }
        blocks
    }

    /// The blocks of one card or part, without what is nested in it. Without words there is none.
    fn one(&self, card: &Card, this: &str, part: &str, title: Option<SmolStr>) -> Vec<TextBlock> {
        let mut speaker = Speaker::new(self.says, this.into(), part.into());
        let mut block = TextBlock { title, costs: self.costs(card, &mut speaker), of: card.key.clone(), ..TextBlock::default() };
        if let (Some(says), true) = (&card.says, self.written) {
            block.sentences = runs(&ended(says));
            return vec![block];
        }
        let mut sentences = Vec::new();
        if !card.keywords.is_empty() {
            sentences.push(self.keywords(card, &speaker));
        }
        for rule in &card.rules {
            speaker.line = rule.span;
            let told = speaker.unsaid.len();
            sentences.extend(speaker.rule(rule).iter().map(|clause| sentence(clause)));
            if rule.of.is_some() {
                // It is told where the rule was written.
                speaker.unsaid.truncate(told);
            }
        }
        let mut more = Vec::new();
        for (field, value) in &card.values {
            let Some(said) = self.stored(card, field, value, &mut speaker) else { continue };
            // `effect` is what the card does; a block with another name says so.
            if last(field) == "effect" {
                sentences.extend(said);
            } else {
                let label = speaker.words.field(field).label;
                more.push(TextBlock { title: Some(label), sentences: runs(&said.join(" ")), of: card.key.clone(), ..TextBlock::default() });
            }
        }
        sentences.extend(card.todos.iter().map(|words| ended(words)));
        sentences.retain(|sentence| !sentence.is_empty());
        block.sentences = runs(&sentences.join(" "));
        block.unsaid = speaker.unsaid;
        let mut blocks = Vec::new();
        if !block.sentences.is_empty() {
            blocks.push(block);
        } else if let (Some(first), Some(title)) = (more.first_mut(), &block.title) {
            // An ability whose only words are in a block of its own keeps its name.
            let label = first.title.take().unwrap_or_default();
            first.title = Some(format!("{title}: {label}").into());
            first.costs = block.costs;
            first.unsaid = block.unsaid;
        } else if let Some(first) = more.first_mut() {
            first.unsaid = block.unsaid;
        }
        blocks.extend(more.into_iter().filter(|block| !block.sentences.is_empty()));
        blocks
    }

    fn keywords(&self, card: &Card, speaker: &Speaker) -> String {
        let words: Vec<String> = card
            .keywords
            .iter()
            .map(|(key, number)| {
                let keyword = speaker.words.keyword(key);
                bold(&if keyword.numbered { format!("{} {number}", keyword.name) } else { keyword.name.to_string() })
            })
            .collect();
        sentence(&words.join(", "))
    }

    /// What using it costs, and how often.
    fn costs(&self, card: &Card, speaker: &mut Speaker) -> Vec<(SmolStr, String)> {
        let mut costs = Vec::new();
        for (field, value) in &card.values {
            let CardValue::Value(expr) = value else { continue };
            let priced = matches!(expr.ty, Ty::Cost) || matches!(expr.kind, ExprKind::Cost { .. });
            let free = matches!(&expr.kind, ExprKind::List(items) if items.is_empty())
                || matches!(&expr.kind, ExprKind::Cost { amount, .. } if amount.kind == ExprKind::Int(0));
            if priced && !free {
                costs.push((speaker.words.field(field).label, speaker.value(expr)));
            }
        }
        if let Some(scope) = &card.once {
            costs.push((SmolStr::default(), format!("Once per {}", scope_name(scope))));
        }
        costs
    }

    /// The sentences of a stored effect or bundle of rules.
    fn stored(&self, card: &Card, field: &Key, value: &CardValue, speaker: &mut Speaker) -> Option<Vec<String>> {
        let clauses = match value {
            CardValue::Effect { params, body } => {
                let declared = speaker.words.field(field).effect;
                for (n, param) in params.iter().enumerate() {
                    let known = self.param(card, declared.get(n), params.len(), speaker);
                    speaker.names.insert(*param, known);
                }
                effect(speaker, &body.stmts)
            }
            CardValue::Rules(rules) => {
                let mut clauses = Vec::new();
                for rule in rules {
                    speaker.line = rule.span;
                    clauses.extend(speaker.rule(rule));
                }
                clauses
            }
            CardValue::Choice { .. } | CardValue::Value(_) => return None,
        };
        Some(clauses.iter().map(|clause| sentence(clause)).collect())
    }

    /// A parameter of an effect: what the card's choice of that name offers, or what the parameter is called.
    fn param(&self, card: &Card, declared: Option<&(SmolStr, Ty)>, params: usize, speaker: &mut Speaker) -> Known {
        let choices: Vec<_> = card.values.iter().filter(|(_, value)| matches!(value, CardValue::Choice { .. })).collect();
        let choice = match declared {
            Some((name, _)) => choices.iter().find(|(field, _)| last(field) == name.as_str()),
            // Without the declaration: one parameter and one choice belong together.
            None if params == 1 && choices.len() == 1 => choices.first(),
            None => None,
        };
        if let Some((_, CardValue::Choice { set, .. })) = choice {
            let noun = speaker.noun(set);
            return Known::Thing { first: Some(noun.a()), again: noun.that() };
        }
        let Some((name, ty)) = declared else { return Known::Words("the target".into()) };
        let name = spaced(name);
        Known::Words(match ty {
            // "the activated units"
            Ty::Set(_) | Ty::List(_) if name.ends_with("ed") || name.ends_with("en") => {
                format!("the {name} {}", speaker.noun_of_type(ty).many)
            }
            _ => format!("the {name}"),
        })
    }
}

/// The clauses of an effect. What is chosen for it and spoken of only in a branch is chosen before: that comes first.
fn effect(speaker: &mut Speaker, stmts: &[Stmt]) -> Vec<String> {
    let mut chosen = Vec::new();
    loop {
        let (names, unsaid) = (speaker.names.clone(), speaker.unsaid.len());
        speaker.mentioned.clear();
        speaker.late.clear();
        let clauses = speaker.clauses(stmts);
        let Some(local) = speaker.late.first().copied() else { return [chosen, clauses].concat() };
        speaker.unsaid.truncate(unsaid);
        speaker.names = names;
        if let Some(Known::Thing { first, .. }) = speaker.names.get_mut(&local) {
            chosen.extend(first.take().map(|first| format!("choose {first}")));
        }
    }
}

/// Words of the author, ended if they are not.
fn ended(words: &str) -> String {
    let words = words.trim();
    if words.is_empty() || words.ends_with(['.', '!', '?', '…', '”', ':']) { capital(words) } else { list(&[sentence(words)], "") }
}
