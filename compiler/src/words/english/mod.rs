//! English: the language in which rule systems are written, and so the one whose words stand in the sources.

mod cond;
mod deeds;
mod event;
mod filter;
mod grammar;
mod grant;
mod history;
mod noun;
mod number;
mod redirect;
mod roll;
mod rule;
mod sentence;
mod speaker;
mod stmt;
mod template;
mod value;

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use self::grammar::list;
use self::grant::scope_name;
use self::speaker::{Known, Speaker};
use super::Unsaid;
use super::says::{SaysOf, Words};
use super::text::{bold, sentence, spaced};
use super::voice::Voice;
use crate::hir::{Expr, ExprKind, Field, Key, Keyword, Local, Rule, Stmt};
use crate::ty::Ty;

pub(super) use self::grammar::plural;

/// What a card is called that tells what other cards leave to it.
pub(super) const REFERENCE: &str = "Reference";

/// Who speaks of a card and its parts: in them, `this` is who holds them.
pub(super) fn speaker<'a>(says: &'a dyn SaysOf, holder: &Key, part: &Key) -> impl Voice + 'a {
    Speaker::new(says, this_of(says, holder), this_of(says, part))
}

/// The name of a keyword, its sentences, and what they leave out.
pub(super) fn keyword(keyword: &Keyword, number: &str, says: &dyn SaysOf) -> (String, Vec<String>, Vec<Unsaid>) {
    let mut speaker = keyword_speaker(keyword, says);
    speaker.number = Some((keyword.key.clone(), number.to_string()));
    let sentences = match &keyword.says {
        Some(template) => vec![sentence(&speaker.keyword_says(template, if keyword.numbered { number } else { "" }))],
        None => {
            let mut said: Vec<String> = keyword.rules.iter().flat_map(|rule| Voice::rule(&mut speaker, rule)).collect();
            said.extend(keyword.state.iter().filter_map(|field| kept(&mut speaker, field)));
            said
        }
    };
    (spaced(&keyword.name), sentences, speaker.unsaid)
}

/// What a keyword keeps with its holder: where it starts, and how far it goes.
fn kept(speaker: &mut Speaker, field: &Field) -> Option<String> {
    let label = speaker.words.field(&field.key).label;
    let mut said = Vec::new();
    let first = if field.starts_full { field.high.as_ref() } else { field.default.as_ref() };
    if let Some(first) = first.filter(|first| !is_nothing(first)) {
        said.push(format!("starts at {}", speaker.value(first)));
    }
    if let Some(low) = field.low.as_ref().filter(|low| low.kind != ExprKind::Int(0)) {
        said.push(format!("is at least {}", speaker.value(low)));
    }
    if let Some(high) = &field.high {
        said.push(format!("is at most {}", speaker.value(high)));
    }
    (!said.is_empty()).then(|| sentence(&format!("{label} {}", list(&said, "and"))))
}

fn is_nothing(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(0) | ExprKind::None | ExprKind::Bool(false) => true,
        ExprKind::List(items) => items.is_empty(),
        _ => false,
    }
}

/// The words of one rule of a keyword.
pub(super) fn keyword_rule(keyword: &Keyword, rule: &Rule, says: &dyn SaysOf) -> String {
    keyword_speaker(keyword, says).rule(rule).join("\n")
}

/// A value without a sentence around it.
pub(super) fn alone(value: &Expr, says: &dyn SaysOf) -> String {
    Speaker::new(says, "this".into(), "this".into()).value(value)
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
    format!("this {}", Words(says).kind(kind).one)
}

impl Voice for Speaker<'_> {
    fn rule(&mut self, rule: &Rule) -> Vec<String> {
        Speaker::rule(self, rule).iter().map(|clause| sentence(clause)).collect()
    }

    fn effect(&mut self, stmts: &[Stmt]) -> Vec<String> {
        effect(self, stmts).iter().map(|clause| sentence(clause)).collect()
    }

    fn parameter(&mut self, param: Local, choice: Option<&Expr>, declared: Option<&(SmolStr, Ty)>) {
        let known = match (choice, declared) {
            (Some(set), _) => {
                let noun = self.noun(set);
                Known::Thing { first: Some(noun.a()), again: noun.that() }
            }
            (None, None) => Known::Words("the target".into()),
            (None, Some((name, ty))) => {
                let name = spaced(name);
                Known::Words(match ty {
                    // "the activated units"
                    Ty::Set(_) | Ty::List(_) if name.ends_with("ed") || name.ends_with("en") => {
                        format!("the {name} {}", self.noun_of_type(ty).many)
                    }
                    _ => format!("the {name}"),
                })
            }
        };
        self.names.insert(param, known);
    }

    fn declared(&self, field: &Key) -> Vec<(SmolStr, Ty)> {
        self.words.field(field).effect
    }

    fn alone(&mut self, value: &Expr) -> String {
        self.value(value)
    }

    fn label(&mut self, field: &Key) -> SmolStr {
        self.words.field(field).label
    }

    fn keywords(&mut self, keywords: &[(Key, i64)]) -> String {
        let words = keywords.iter().map(|(key, number)| {
            let keyword = self.words.keyword(key);
            bold(&if keyword.numbered { format!("{} {number}", keyword.name) } else { keyword.name.to_string() })
        });
        sentence(&words.collect::<Vec<_>>().join(", "))
    }

    fn once(&mut self, scope: &Key) -> String {
        format!("Once per {}", scope_name(scope))
    }

    fn written(&mut self, _of: &Key, words: &str) -> String {
        words.to_string()
    }

    fn at(&mut self, line: Span) {
        self.line = line;
    }

    fn unsaid(&mut self) -> &mut Vec<Unsaid> {
        &mut self.unsaid
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
