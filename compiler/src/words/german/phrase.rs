//! Actions as clauses: the phrase of the catalogue with its gaps filled.
//!
//! A phrase is an infinitive with everything that belongs to it before it: "{target:dat} {amount} Schaden zu|fügen". From that follow a command, a
//! sentence, a clause after "bevor" and what somebody suffers. A gap names its case; the one in the nominative is who does it.

use rustc_hash::FxHashMap;

use super::noun::{Case, Np};
use super::speaker::German;
use super::verb::{Clause, Tense, Verb};
use crate::hir::{ExprKind, Key, Name, Template, TextPart};
use crate::ty::Ty;
use crate::words::says::ActionWords;

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Gap(Np, Case),
}

/// What is done, with what and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    /// Who does it, if the phrase itself says so.
    subject: Option<Np>,
    pieces: Vec<Piece>,
    verb: Verb,
}

/// A text of the catalogue: words, and gaps with their cases.
enum Part<'t> {
    Words(&'t str),
    Gap { name: &'t str, case: Option<Case> },
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, behind)) = after.split_once('}') else { break };
        out.push(Part::Words(before));
        let (name, case) = inside.split_once(':').map_or((inside, None), |(name, case)| (name, Case::by_name(case.trim())));
        out.push(Part::Gap { name: name.trim(), case });
        rest = behind;
    }
    out.push(Part::Words(rest));
    out
}

/// The gap of a template that has this name in the source: "amount" of `{amount}` and of `{amount|card|cards}`.
fn part_named<'t>(template: &'t Template, name: &str) -> Option<&'t TextPart> {
    template.gaps().find(|(inside, _)| inside.trim_start_matches("a ").trim() == name).map(|(_, part)| part)
}

impl German<'_> {
    /// The phrase of an action. What has no words here is left out, what is empty too. None if the catalogue has no phrase.
    pub(super) fn phrase(&mut self, key: &Key, action: &ActionWords, args: &FxHashMap<Name, Np>) -> Option<Phrase> {
        let (id, template) = match &action.says {
            Some(says) => (says.text.to_string(), says.clone()),
            None => (crate::words::text::spaced(&action.name).to_lowercase(), Template::default()),
        };
        let text = self.translated(key, &id)?;
        let (before, last) = text.rsplit_once(' ').unwrap_or(("", &text));
        let Some(verb) = Verb::read(last) else {
            self.cannot_say(&format!("`{text}` (it does not end with a verb)"), self.line);
            return None;
        };
        let mut phrase = Phrase { subject: None, pieces: Vec::new(), verb };
        let mut spoken: Vec<Name> = Vec::new();
        self.fill(before, &template, args, &mut phrase, &mut spoken);
        for (n, param) in action.params.iter().enumerate() {
            let given = args.get(&param.name).is_some_and(|np| !np.subject().is_empty());
            if !given || Some(n) == action.by || spoken.contains(&param.name) {
                continue;
            }
            match action.words.iter().find(|(has, _)| *has == param.name).map(|(_, words)| words.clone()) {
                Some(clause) if clause.speaks_of(&param.name) => self.clause_of(key, &param.name, &clause, args, &mut phrase),
                Some(words) if param.ty == Ty::Bool => {
                    let said = args.get(&param.name).map(|np| np.subject().to_string()).unwrap_or_default();
                    let _ = words;
                    phrase.pieces.push(Piece::Words(said));
                }
                _ => self.not_said(&param.name, &action.name),
            }
        }
        // What the head of the action chooses.
        for (name, clause) in action.words.clone() {
            let is_param = action.params.iter().any(|param| param.name == name);
            let given = args.get(&name).is_some_and(|np| !np.subject().is_empty());
            if !is_param && given && clause.speaks_of(&name) && !spoken.contains(&name) {
                self.clause_of(key, &name, &clause, args, &mut phrase);
            }
        }
        Some(phrase)
    }

    fn clause_of(&mut self, key: &Key, name: &Name, clause: &Template, args: &FxHashMap<Name, Np>, phrase: &mut Phrase) {
        if let Some(text) = self.translated(&format!("{key}@{name}"), &clause.text) {
            self.fill(&text, clause, args, phrase, &mut Vec::new());
        }
    }

    fn fill(&mut self, text: &str, template: &Template, args: &FxHashMap<Name, Np>, phrase: &mut Phrase, spoken: &mut Vec<Name>) {
        for part in parts(text) {
            match part {
                Part::Words(words) => {
                    let words = words.trim();
                    if !words.is_empty() {
                        phrase.pieces.push(Piece::Words(words.into()));
                    }
                }
                Part::Gap { name, case } => {
                    spoken.push(name.into());
                    let np = self.gap(name, template, args);
                    match case {
                        _ if np.subject().is_empty() => {}
                        Some(Case::Nominative) => phrase.subject = Some(np),
                        Some(case) => phrase.pieces.push(Piece::Gap(np, case)),
                        // How many: it has no cases.
                        None => phrase.pieces.push(Piece::Words(np.subject().into())),
                    }
                }
            }
        }
    }

    /// What stands in a gap: an argument, or what the words of the rule system put there.
    fn gap(&mut self, name: &str, template: &Template, args: &FxHashMap<Name, Np>) -> Np {
        if let Some(np) = args.get(name) {
            return np.clone();
        }
        match part_named(template, name) {
            Some(TextPart::Value(value) | TextPart::Article(value) | TextPart::Plural(value, ..)) => {
                let outer = std::mem::replace(&mut self.fields, args.clone());
                let np = match &value.kind {
                    ExprKind::EventField(field) if !self.fields.contains_key(field) => {
                        self.any_of_type(&value.ty).unwrap_or_else(|| Np::fixed(""))
                    }
                    _ => self.value(value),
                };
                self.fields = outer;
                np
            }
            _ => {
                self.cannot_say(&format!("`{{{name}}}` (there is no such name)"), self.line);
                Np::fixed("")
            }
        }
    }

    /// Words of a relation or a state, "von {b:dat} aus zu sehen sein": said of `who`, or of whom it is not true. In such words "~" is where
    /// "nicht" stands, else it stands first.
    pub(super) fn predicate(&mut self, text: &str, template: &Template, who: Np, args: &FxHashMap<Name, Np>, yes: bool) -> Option<Clause> {
        let (before, last) = text.rsplit_once(' ').unwrap_or(("", text));
        let verb = Verb::read(last)?;
        let mut phrase = Phrase { subject: None, pieces: Vec::new(), verb };
        let (first, second) = before.split_once('~').unwrap_or(("", before));
        self.fill(first, template, args, &mut phrase, &mut Vec::new());
        if !yes {
            phrase.pieces.push(Piece::Words("nicht".into()));
        }
        self.fill(second, template, args, &mut phrase, &mut Vec::new());
        Some(phrase.done_by(Some(who)))
    }
}

impl Phrase {
    /// As somebody does it; without anybody you are told to.
    pub fn done_by(&self, who: Option<Np>) -> Clause {
        let subject = self.subject.clone().or(who);
        let middle = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words.clone(),
            // Who does it to itself.
            Piece::Gap(np, Case::Accusative | Case::Dative) if subject.as_ref().is_some_and(|who| who == np && !who.is_you) => {
                "sich".into()
            }
            Piece::Gap(np, case) => np.in_case(*case).into(),
        });
        Clause::new(subject.clone(), middle.collect(), self.verb.clone())
    }

    /// Who does it is not asked: "wenn dieser Miniatur Schaden zugefügt wird". None if there is nobody to whom it could be done.
    pub fn suffered(&self) -> Option<Clause> {
        if self.subject.is_some() || !self.pieces.iter().any(|piece| matches!(piece, Piece::Gap(_, Case::Accusative | Case::Dative))) {
            return None;
        }
        let object = self.pieces.iter().position(|piece| matches!(piece, Piece::Gap(_, Case::Accusative)));
        let subject = match object.and_then(|at| self.pieces.get(at)) {
            Some(Piece::Gap(np, _)) => np.clone(),
            _ => Np::fixed(""),
        };
        let others = self.pieces.iter().enumerate().filter(|(n, _)| Some(*n) != object).map(|(_, piece)| piece.clone());
        let rest = Phrase { pieces: others.collect(), ..self.clone() };
        Some(Clause { suffered: true, ..rest.done_by(Some(subject)) })
    }

    /// The same with "kein" or "nicht" in it.
    pub fn denied(&self) -> Self {
        let mut out = self.clone();
        let any = out.pieces.iter_mut().find_map(|piece| match piece {
            Piece::Gap(np, _) => np.denied().map(|none| *np = none),
            Piece::Words(_) => None,
        });
        if any.is_none() {
            out.pieces.push(Piece::Words("nicht".into()));
        }
        out
    }

    pub fn says_who(&self) -> bool {
        self.subject.is_some()
    }
}

/// A clause in a tense.
pub(super) fn in_tense(clause: Clause, tense: Tense) -> Clause {
    Clause { tense, ..clause }
}
