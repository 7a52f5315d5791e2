//! The text of a card, block by block.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::german::German;
use super::says::{SaysOf, last};
use super::speech::Language;
use super::text::{capital, runs, sentence};
use super::voice::Voice;
use super::{Run, TextBlock, Unsaid};
use crate::hir::{Card, CardValue, Expr, ExprKind, Fun, Key, Keyword, Name, Rule};
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
    let mut texts = vec![(card.key.clone(), super::plain(&writer.card(card)))];
    let parts = card.parts.iter().map(|part| (part, &card.kind));
    let rows = card.rows.iter().map(|(_, _, row)| (row, &row.kind));
    for (part, holder) in parts.chain(rows) {
        texts.push((part.key.clone(), super::plain(&writer.one(part, holder, None))));
    }
    texts.retain(|(_, text)| !text.is_empty());
    texts
}

/// Who puts the rules of a card into words; in its parts, `this` is who holds them.
fn voice<'a>(says: &'a dyn SaysOf, holder: &Key, part: &Key) -> Box<dyn Voice + 'a> {
    match says.language() {
        None => Box::new(super::english::speaker(says, holder, part)),
        Some(Language::German) => Box::new(German::new(says, holder, part)),
    }
}

/// What somebody wrote for a card, in the language of the cards: a title, a name, a tale. Without a translation it stays as it is.
pub fn in_language(says: &dyn SaysOf, of: &Key, words: &SmolStr) -> SmolStr {
    says.translated(of, words).unwrap_or_else(|| words.clone())
}

/// A value as it stands alone on a card: "4+", "Melee, Near". What is unset has no words.
pub fn value_words(expr: &Expr, says: &dyn SaysOf) -> Vec<Run> {
    fn words(expr: &Expr, says: &dyn SaysOf) -> String {
        match &expr.kind {
            ExprKind::None | ExprKind::Error => String::new(),
            ExprKind::Text(text) => text.to_string(),
            ExprKind::List(items) => items.iter().map(|item| words(item, says)).collect::<Vec<_>>().join(", "),
            // Alone, a point is its two lengths.
            ExprKind::Fun(Fun::MakePlace, of) => of.iter().map(|length| words(length, says)).collect::<Vec<_>>().join(", "),
            _ => match says.language() {
                None => super::english::alone(expr, says),
                Some(Language::German) => super::german::alone(expr, says),
            },
        }
    }
    runs(&words(expr, says))
}

/// What a field is printed under.
pub fn label(says: &dyn SaysOf, field: &Key) -> SmolStr {
    let none = Key::default();
    match says.language() {
        None => says.field(field).map(|field| field.label).unwrap_or_default(),
        Some(Language::German) => German::quiet(says, &none).field_label(field).into(),
    }
}

/// Several of a kind, as a heading; None in the language of the sources, where the kind says what they are.
pub fn heading(says: &dyn SaysOf, kind: &Key) -> Option<String> {
    let none = Key::default();
    says.language().map(|Language::German| German::quiet(says, &none).heading(kind))
}

/// A member of an enum by its name.
pub fn member_name(of: &Key, member: &Name, says: &dyn SaysOf) -> SmolStr {
    let expr = Expr { kind: ExprKind::Member(of.clone(), member.clone()), ty: Ty::Enum(of.clone()), span: Span::new(0, 0) };
    value_words(&expr, says).into_iter().map(|run| run.text).collect::<String>().into()
}

/// A kind as a title.
pub fn label_of_kind(kind: &Key, says: &dyn SaysOf) -> SmolStr {
    heading(says, kind).map_or_else(|| says.kind(kind).map_or_else(SmolStr::default, |words| capital(&words.many).into()), SmolStr::from)
}

/// What a card is called that tells what other cards leave to it.
pub fn reference_title(says: &dyn SaysOf) -> &'static str {
    match says.language() {
        None => super::english::REFERENCE,
        Some(Language::German) => super::german::REFERENCE,
    }
}

/// The words of rules that belong to no card, or to all of a kind.
pub fn rules_text(of: &Key, title: Option<SmolStr>, this: Option<&Key>, rules: &[Rule], says: &dyn SaysOf) -> TextBlock {
    let nobody = Key::default();
    let this = this.unwrap_or(&nobody);
    let mut voice = voice(says, this, this);
    let mut sentences = Vec::new();
    for rule in rules {
        voice.at(rule.span);
        sentences.extend(voice.rule(rule));
    }
    let unsaid = std::mem::take(voice.unsaid());
    TextBlock { title, costs: Vec::new(), sentences: runs(&sentences.join(" ")), unsaid, of: of.clone() }
}

/// The reminder of a keyword: its own words, or what its rules say.
pub fn keyword_text(keyword: &Keyword, says: &dyn SaysOf) -> TextBlock {
    keyword_reminder(keyword, None, says)
}

/// The same on a card that has it: with its number, if it is known.
pub fn keyword_reminder(keyword: &Keyword, number: Option<i64>, says: &dyn SaysOf) -> TextBlock {
    let number = number.map_or_else(|| "X".to_string(), |n| n.to_string());
    let (name, sentences, unsaid) = match says.language() {
        None => super::english::keyword(keyword, &number, says),
        Some(Language::German) => super::german::keyword(keyword, &number, says),
    };
    let title = if keyword.numbered { format!("{name} {number}") } else { name };
    TextBlock { title: Some(title.into()), costs: Vec::new(), sentences: runs(&sentences.join(" ")), unsaid, of: keyword.key.clone() }
}

/// The words of one rule of a card; in its parts, `this` is who holds them.
pub(super) fn card_rule(part: &Key, holder: &Key, rule: &Rule, says: &dyn SaysOf) -> String {
    voice(says, holder, part).rule(rule).join("\n")
}

/// The words of what a field of a card holds, whose values hold these choices.
pub(super) fn stored_words(
    part: &Key,
    holder: &Key,
    field: &Key,
    value: &CardValue,
    all: &[(Key, CardValue)],
    says: &dyn SaysOf,
) -> String {
    let mut voice = voice(says, holder, part);
    stored(all, field, value, &mut *voice).unwrap_or_default().join("\n")
}

/// What the words of a rule leave out.
pub(super) fn unsaid_in_rule(part: &Key, holder: &Key, rule: &Rule, says: &dyn SaysOf) -> Vec<Unsaid> {
    let mut voice = voice(says, holder, part);
    voice.at(rule.span);
    voice.rule(rule);
    std::mem::take(voice.unsaid())
}

/// The same of what a field of a card holds.
pub(super) fn unsaid_in_stored(
    part: &Key,
    holder: &Key,
    field: &Key,
    value: &CardValue,
    all: &[(Key, CardValue)],
    says: &dyn SaysOf,
) -> Vec<Unsaid> {
    let mut voice = voice(says, holder, part);
    if let CardValue::Effect { body, .. } = value {
        voice.at(body.stmts.first().map(|stmt| stmt.span).unwrap_or_default());
    }
    stored(all, field, value, &mut *voice);
    std::mem::take(voice.unsaid())
}

/// The same of all else that a card or part prints: its costs, its keywords, and words that its author wrote.
pub(super) fn unsaid_beside(card: &Card, holder: &Key, says: &dyn SaysOf) -> Vec<Unsaid> {
    let mut voice = voice(says, holder, &card.kind);
    costs(card, &mut *voice);
    match &card.says {
        Some(says) => {
            voice.written(&card.key, says);
        }
        None => {
            if !card.keywords.is_empty() {
                voice.keywords(&card.keywords);
            }
            for words in &card.todos {
                voice.written(&card.key, words);
            }
        }
    }
    std::mem::take(voice.unsaid())
}

/// The words of one rule of a keyword.
pub(super) fn keyword_rule(keyword: &Keyword, rule: &Rule, says: &dyn SaysOf) -> String {
    match says.language() {
        None => super::english::keyword_rule(keyword, rule, says),
        Some(Language::German) => super::german::keyword_rule(keyword, rule, says),
    }
}

struct Writer<'a> {
    says: &'a dyn SaysOf,
    written: bool,
}

impl Writer<'_> {
    fn card(&self, card: &Card) -> Vec<TextBlock> {
        let mut blocks = self.one(card, &card.kind, None);
        for part in &card.parts {
            let title = in_language(self.says, &part.key, &part.title);
            blocks.extend(self.one(part, &card.kind, Some(title)));
        }
        for (low, high, row) in &card.rows {
            let faces = if low == high { low.to_string() } else { format!("{low}–{high}") };
            let title = format!("{faces} {}", in_language(self.says, &row.key, &row.title));
            blocks.extend(self.one(row, &row.kind, Some(title.into())));
        }
        blocks
    }

    /// The blocks of one card or part, without what is nested in it. Without words there is none.
    fn one(&self, card: &Card, holder: &Key, title: Option<SmolStr>) -> Vec<TextBlock> {
        let mut voice = voice(self.says, holder, &card.kind);
        let mut block = TextBlock { title, costs: costs(card, &mut *voice), of: card.key.clone(), ..TextBlock::default() };
        if let (Some(says), true) = (&card.says, self.written) {
            block.sentences = runs(&ended(&voice.written(&card.key, says)));
            block.unsaid = std::mem::take(voice.unsaid());
            return vec![block];
        }
        let mut sentences = Vec::new();
        if !card.keywords.is_empty() {
            sentences.push(voice.keywords(&card.keywords));
        }
        for rule in &card.rules {
            voice.at(rule.span);
            let told = voice.unsaid().len();
            sentences.extend(voice.rule(rule));
            if rule.of.is_some() {
                // It is told where the rule was written.
                voice.unsaid().truncate(told);
            }
        }
        let mut more = Vec::new();
        for (field, value) in &card.values {
            let Some(said) = stored(&card.values, field, value, &mut *voice) else { continue };
            // `effect` is what the card does; a block with another name says so.
            if last(field) == "effect" {
                sentences.extend(said);
            } else {
                let label = voice.label(field);
                more.push(TextBlock { title: Some(label), sentences: runs(&said.join(" ")), of: card.key.clone(), ..TextBlock::default() });
            }
        }
        for words in &card.todos {
            sentences.push(ended(&voice.written(&card.key, words)));
        }
        sentences.retain(|sentence| !sentence.is_empty());
        block.sentences = runs(&sentences.join(" "));
        block.unsaid = std::mem::take(voice.unsaid());
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
}

/// What using it costs, and how often.
fn costs(card: &Card, voice: &mut dyn Voice) -> Vec<(SmolStr, String)> {
    let mut costs = Vec::new();
    for (field, value) in &card.values {
        let CardValue::Value(expr) = value else { continue };
        let priced = matches!(expr.ty, Ty::Cost) || matches!(expr.kind, ExprKind::Cost { .. });
        let free = matches!(&expr.kind, ExprKind::List(items) if items.is_empty())
            || matches!(&expr.kind, ExprKind::Cost { amount, .. } if amount.kind == ExprKind::Int(0));
        if priced && !free {
            costs.push((voice.label(field), voice.alone(expr)));
        }
    }
    if let Some(scope) = &card.once {
        costs.push((SmolStr::default(), voice.once(scope)));
    }
    costs
}

/// The sentences of a stored effect or bundle of rules.
fn stored(all: &[(Key, CardValue)], field: &Key, value: &CardValue, voice: &mut dyn Voice) -> Option<Vec<String>> {
    match value {
        CardValue::Effect { params, body } => {
            let declared = voice.declared(field);
            for (n, param) in params.iter().enumerate() {
                let declared = declared.get(n);
                voice.parameter(*param, choice_for(all, declared, params.len()), declared);
            }
            Some(voice.effect(&body.stmts))
        }
        CardValue::Rules(rules) => {
            let mut sentences = Vec::new();
            for rule in rules {
                voice.at(rule.span);
                sentences.extend(voice.rule(rule));
            }
            Some(sentences)
        }
        CardValue::Choice { .. } | CardValue::Value(_) => None,
    }
}

/// The choice of a card that a parameter of its effect is filled from.
fn choice_for<'c>(all: &'c [(Key, CardValue)], declared: Option<&(SmolStr, Ty)>, params: usize) -> Option<&'c Expr> {
    let choices: Vec<_> = all.iter().filter(|(_, value)| matches!(value, CardValue::Choice { .. })).collect();
    let choice = match declared {
        Some((name, _)) => choices.iter().find(|(field, _)| last(field) == name.as_str()),
        // Without the declaration: one parameter and one choice belong together.
        None if params == 1 && choices.len() == 1 => choices.first(),
        None => None,
    };
    match choice {
        Some((_, CardValue::Choice { set, .. })) => Some(set),
        _ => None,
    }
}

/// Words of the author, ended if they are not.
fn ended(words: &str) -> String {
    let words = words.trim();
    if words.is_empty() || words.ends_with(['.', '!', '?', '…', '”', ':']) { capital(words) } else { sentence(words) }
}
