//! German: from what rules mean to words with genders and cases.
//!
//! The catalogue of a rule system says what its things are called; here is what follows from that, and how sentences are made. What this language
//! cannot say yet is told where it is written, and never said in part.

mod cond;
mod noun;
mod phrase;
mod rule;
mod speaker;
mod stmt;
mod value;
mod verb;

use banneret_grammar::span::Span;
use smol_str::SmolStr;

pub(super) use speaker::German;

use super::Unsaid;
use super::says::SaysOf;
use super::text::{bold, sentence};
use super::voice::Voice;
use crate::hir::{Expr, ExprKind, Field, Key, Keyword, Local, Rule, Stmt, TextPart};
use crate::ty::Ty;

/// What a card is called that tells what other cards leave to it.
pub(super) const REFERENCE: &str = "Übersicht";

/// The name of a keyword, its sentences, and what they leave out.
pub(super) fn keyword(keyword: &Keyword, number: &str, says: &dyn SaysOf) -> (String, Vec<String>, Vec<Unsaid>) {
    let mut speaker = of_keyword(keyword, says);
    speaker.number = Some((keyword.key.clone(), number.to_string()));
    let name = speaker.keyword_name(&keyword.key);
    let sentences = match &keyword.says {
        Some(template) => {
            let text = speaker.translated(&keyword.key, &template.text).unwrap_or_else(|| template.text.clone());
            let mut said = text.to_string();
            for (gap, part) in template.gaps() {
                let value = match part {
                    TextPart::Value(Expr {
                        kind: ExprKind::KeywordNumber { .. } | ExprKind::Local(_) | ExprKind::EventField(_), ..
                    }) => number.to_string(),
                    TextPart::Value(value) | TextPart::Article(value) | TextPart::Plural(value, ..) => {
                        speaker.value(value).subject().to_string()
                    }
                    TextPart::Text(_) => String::new(),
                };
                said = said.replace(&format!("{{{gap}}}"), &value);
            }
            vec![sentence(&said)]
        }
        None => {
            let mut said: Vec<String> = keyword.rules.iter().flat_map(|rule| Voice::rule(&mut speaker, rule)).collect();
            said.extend(keyword.state.iter().filter_map(|field| kept(&mut speaker, field)));
            said
        }
    };
    (name, sentences, speaker.unsaid)
}

/// What a keyword keeps with its holder: where it starts, and how far it goes.
fn kept(speaker: &mut German, field: &Field) -> Option<String> {
    let first = if field.starts_full { field.high.as_ref() } else { field.default.as_ref() };
    let nothing = |value: &&Expr| matches!(value.kind, ExprKind::Int(0) | ExprKind::None | ExprKind::Bool(false));
    let mut said = Vec::new();
    if let Some(first) = first.filter(|first| !nothing(first)) {
        said.push(format!("beginnt bei {}", speaker.value(first).subject()));
    }
    if let Some(low) = field.low.as_ref().filter(|low| !nothing(low)) {
        said.push(format!("ist mindestens {}", speaker.value(low).subject()));
    }
    if let Some(high) = &field.high {
        said.push(format!("ist höchstens {}", speaker.value(high).subject()));
    }
    let label = speaker.field_label(&field.key);
    (!said.is_empty()).then(|| sentence(&format!("{label} {}", said.join(" und "))))
}

pub(super) fn keyword_rule(keyword: &Keyword, rule: &Rule, says: &dyn SaysOf) -> String {
    Voice::rule(&mut of_keyword(keyword, says), rule).join("\n")
}

fn of_keyword<'a>(keyword: &Keyword, says: &'a dyn SaysOf) -> German<'a> {
    let kind = keyword.on.clone().unwrap_or_default();
    let mut speaker = German::new(says, &kind, &kind);
    if keyword.on_part {
        speaker.this = noun::Np::fixed("wer es trägt");
    }
    speaker
}

/// A value as it stands alone on a card: "4+", "2,5″".
pub(super) fn alone(value: &Expr, says: &dyn SaysOf) -> String {
    let kind = Key::default();
    German::quiet(says, &kind).value(value).subject().to_string()
}

impl Voice for German<'_> {
    fn rule(&mut self, rule: &Rule) -> Vec<String> {
        German::rule(self, rule).iter().map(|said| sentence(said)).collect()
    }

    fn effect(&mut self, stmts: &[Stmt]) -> Vec<String> {
        German::effect(self, stmts).iter().map(|said| sentence(said)).collect()
    }

    fn parameter(&mut self, param: Local, choice: Option<&Expr>, declared: Option<&(SmolStr, Ty)>) {
        German::parameter(self, param, choice, declared.map(|(_, ty)| ty));
    }

    fn declared(&self, field: &Key) -> Vec<(SmolStr, Ty)> {
        self.words.field(field).effect
    }

    fn alone(&mut self, value: &Expr) -> String {
        self.value(value).subject().to_string()
    }

    fn label(&mut self, field: &Key) -> SmolStr {
        self.field_label(field).into()
    }

    fn keywords(&mut self, keywords: &[(Key, i64)]) -> String {
        let mut words = Vec::new();
        for (key, number) in keywords {
            let name = self.keyword_name(key);
            words.push(bold(&if self.words.keyword(key).numbered { format!("{name} {number}") } else { name }));
        }
        sentence(&words.join(", "))
    }

    fn once(&mut self, scope: &Key) -> String {
        format!("Einmal pro {}", self.scope(scope))
    }

    fn written(&mut self, of: &Key, words: &str) -> String {
        self.translated(of, words).map_or_else(|| words.to_string(), |words| words.to_string())
    }

    fn at(&mut self, line: Span) {
        self.line = line;
    }

    fn unsaid(&mut self) -> &mut Vec<Unsaid> {
        &mut self.unsaid
    }
}
