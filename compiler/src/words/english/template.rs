//! `says`: templates with their gaps filled.

use rustc_hash::FxHashMap;

use super::grammar::{article, small};
use super::speaker::{Known, Speaker};
use crate::hir::{Expr, ExprKind, Local, Name, Template, TextPart};
use crate::ty::Ty;
use crate::words::says::ActionWords;

/// A piece of a phrase: words of the template, or what was put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub text: String,
    pub fixed: bool,
    /// A thing, and not how many: what stands behind it is no part of it.
    pub thing: bool,
}

impl Piece {
    fn fixed(text: impl Into<String>) -> Self {
        Self { text: text.into(), fixed: true, thing: false }
    }

    fn put(text: impl Into<String>) -> Self {
        Self { text: text.into(), fixed: false, thing: false }
    }

    fn of(text: String, value: &Expr) -> Self {
        Self { thing: !text.is_empty() && !crate::words::meaning::is_number(&value.ty), text, fixed: false }
    }
}

pub(super) fn joined(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

impl Speaker<'_> {
    /// The phrase of an action. Arguments are words by the name of the parameter; one that is empty leaves a gap.
    pub fn phrase(&mut self, action: &ActionWords, args: &FxHashMap<Name, String>) -> Vec<Piece> {
        match &action.says {
            Some(template) => {
                let outer = std::mem::replace(&mut self.fields, args.clone());
                let mut pieces = self.pieces(template);
                self.fields = outer;
                self.further(action, args, &mut pieces);
                pieces
            }
            None => {
                let mut pieces = own_words(action, args);
                for (name, clause) in action.words.iter().filter(|(name, clause)| clause.speaks_of(name)) {
                    if args.get(name).is_some_and(|words| !words.is_empty()) {
                        self.further_clause(clause, args, &mut pieces);
                    }
                }
                pieces
            }
        }
    }

    /// What the template leaves out stands behind it, each in its own clause or with its preposition. Without either it cannot be said.
    fn further(&mut self, action: &ActionWords, args: &FxHashMap<Name, String>, pieces: &mut Vec<Piece>) {
        for (n, param) in action.params.iter().enumerate() {
            let Some(words) = args.get(&param.name).filter(|words| !words.is_empty()) else { continue };
            if Some(n) == action.by || self.mentions(action, n) {
                continue;
            }
            match (action.clause(&param.name), &param.prep) {
                (Some(clause), _) => self.further_clause(clause, args, pieces),
                (None, _) if matches!(param.ty, Ty::Bool) && action.meaning(&param.name).is_some() => {
                    pieces.push(Piece::fixed(" "));
                    pieces.push(Piece::put(words.as_str()));
                }
                (None, Some(prep)) => {
                    pieces.push(Piece::fixed(format!(" {prep} ")));
                    pieces.push(Piece::put(words.as_str()));
                }
                (None, None) => self.not_said(&param.name, &action.name),
            }
        }
        // What the head of the action chooses.
        for (name, clause) in &action.words {
            let is_param = action.params.iter().any(|param| param.name == *name);
            let mentioned = action.says.as_ref().is_some_and(|template| template.speaks_of(name));
            if !is_param && !mentioned && clause.speaks_of(name) && args.get(name).is_some_and(|words| !words.is_empty()) {
                self.further_clause(clause, args, pieces);
            }
        }
    }

    fn further_clause(&mut self, clause: &Template, args: &FxHashMap<Name, String>, pieces: &mut Vec<Piece>) {
        let outer = std::mem::replace(&mut self.fields, args.clone());
        let more = self.pieces(clause);
        self.fields = outer;
        pieces.push(Piece::fixed(" "));
        pieces.extend(more);
    }

    /// Words with nothing to put in but what is known here.
    pub fn plainly(&mut self, words: &Template) -> String {
        joined(&self.pieces(words))
    }

    fn pieces(&mut self, template: &Template) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for part in &template.parts {
            let piece = match part {
                TextPart::Text(text) => Piece::fixed(text.as_str()),
                TextPart::Value(value) => Piece::of(self.put_in(value), value),
                TextPart::Plural(count, one, many) => {
                    let count = self.value(count);
                    // "batter this ship 2 times", but of none in particular "batter this ship"
                    let idle = count.is_empty() && pieces.iter().any(|piece| piece.thing);
                    Piece::fixed(if idle {
                        ""
                    } else if count == "1" {
                        one.as_str()
                    } else {
                        many.as_str()
                    })
                }
                TextPart::Article(value) => {
                    let words = self.put_in(value);
                    Piece::of(if has_determiner(&words) { words } else { format!("{} {words}", article(&words)) }, value)
                }
            };
            pieces.push(piece);
        }
        // A template may be written as a sentence; here it is part of one.
        if let Some(first) = pieces.first_mut().filter(|first| first.fixed) {
            first.text = small(first.text.trim_start());
        }
        if let Some(end) = pieces.last_mut().filter(|end| end.fixed) {
            end.text = end.text.trim_end().trim_end_matches('.').to_string();
        }
        pieces
    }

    /// What the head of an action chooses and nobody asks about is any of its kind: "burn a unit".
    fn put_in(&mut self, value: &Expr) -> String {
        match &value.kind {
            ExprKind::EventField(name) if !self.fields.contains_key(name) => {
                let any = self.any_of_type(&value.ty);
                any.unwrap_or_else(|| self.value(value))
            }
            _ => self.value(value),
        }
    }

    /// A template of a definition, its parameters being the arguments.
    pub fn filled(&mut self, template: &Template, params: &[Local], args: &[Expr]) -> String {
        self.filled_from(template, params, args, 0)
    }

    /// The first argument has been said already.
    pub fn filled_but_first(&mut self, template: &Template, params: &[Local], args: &[Expr]) -> String {
        self.filled_from(template, params, args, 1)
    }

    /// A keyword's own words, with its number.
    pub fn keyword_says(&mut self, template: &Template, number: &str) -> String {
        let pieces: Vec<String> = template
            .parts
            .iter()
            .map(|part| match part {
                TextPart::Text(text) => text.to_string(),
                TextPart::Value(value) | TextPart::Article(value) => match &value.kind {
                    ExprKind::KeywordNumber { .. } | ExprKind::Local(_) | ExprKind::EventField(_) => number.to_string(),
                    _ => self.value(value),
                },
                TextPart::Plural(_, _, many) => many.to_string(),
            })
            .collect();
        pieces.concat()
    }

    fn filled_from(&mut self, template: &Template, params: &[Local], args: &[Expr], skip: usize) -> String {
        let outer = self.names.clone();
        for (param, arg) in params.iter().zip(args).skip(skip) {
            let words = self.value(arg);
            self.names.insert(*param, Known::Words(words));
        }
        let pieces = self.pieces(template);
        self.names = outer;
        joined(&pieces).trim().to_string()
    }
}

/// Without `says`: the name, what follows it, and each preposition with its argument.
fn own_words(action: &ActionWords, args: &FxHashMap<Name, String>) -> Vec<Piece> {
    let name = crate::words::text::spaced(&action.name).to_lowercase();
    let mut pieces = vec![Piece::fixed(name)];
    for (n, param) in action.params.iter().enumerate() {
        let Some(words) = args.get(&param.name).filter(|words| !words.is_empty()) else { continue };
        // Who does it is the subject, not part of the phrase.
        if Some(n) == action.by || action.clause(&param.name).is_some() {
            continue;
        }
        pieces.push(Piece::fixed(match &param.prep {
            Some(prep) => format!(" {prep} "),
            None => " ".into(),
        }));
        pieces.push(Piece::put(words.as_str()));
    }
    pieces
}

fn has_determiner(words: &str) -> bool {
    let first = words.split(' ').next().unwrap_or_default();
    ["a", "an", "the", "this", "that", "these", "those", "each", "your", "one", "another", "it", "you"].contains(&first)
        || first.chars().all(|c| c.is_ascii_digit())
        || first.ends_with("’s")
}
