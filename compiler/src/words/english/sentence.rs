//! Sentences: an action that is called, as a command or with its subject.

use rustc_hash::FxHashMap;

use super::event::is_several;
use super::grammar::{base_form, phase_name, third_person};
use super::speaker::Speaker;
use super::template::{Piece, joined};
use crate::hir::{Expr, ExprKind, Key, Name, TextPart};
use crate::ty::Ty;
use crate::words::meaning::is_number;
use crate::words::says::ActionWords;
use crate::words::text::{spaced, tidy};

impl Speaker<'_> {
    /// "deal 3 damage to an enemy unit", "your opponent draws 1 card"
    pub fn imperative(&mut self, expr: &Expr) -> String {
        self.sentence(expr).0
    }

    /// The same, and whether it is a command: it has no subject of its own.
    pub fn sentence(&mut self, expr: &Expr) -> (String, bool) {
        let ExprKind::Emit { action, args, each } = &expr.kind else { return (self.value(expr), true) };
        let action = self.words.action(action);
        let mut words: FxHashMap<Name, String> = FxHashMap::default();
        let mut amounts = Amounts::default();
        for (n, param) in action.params.iter().enumerate() {
            let said = match args.get(n) {
                Some(Some(arg)) if *each == Some(n) => self.noun(arg).each(),
                // "keeping its wounds"
                Some(Some(Expr { kind: ExprKind::Bool(yes), .. })) if action.meaning(&param.name).is_some() => {
                    let said = action.meaning(&param.name).map(|words| self.plainly(words)).unwrap_or_default();
                    if *yes { said } else { format!("not {said}") }
                }
                // "sail that barge up to 2 hexes straight away from this barge"
                Some(Some(arg)) if let Some(way) = self.way_in(&action, args, &param.name, arg) => way,
                Some(Some(arg)) => {
                    let said = self.argument(arg);
                    if is_number(&arg.ty) || is_number(&param.ty) { amounts.short(said, arg, &action, &param.name) } else { said }
                }
                // What is not given is what it is by itself, where the words have a place for it.
                _ => match param.number_by_itself().filter(|_| Some(n) != action.by && self.mentions(&action, n)) {
                    Some(default) => self.value(default),
                    None => String::new(),
                },
            };
            words.insert(param.name.clone(), said);
        }
        let subject = self.subject(&action, args, &words);
        if let Some(subject) = &subject {
            self.reflexive(&action, subject, &mut words);
        }
        let pieces = if action.is_phase && action.says.is_none() { played(&action) } else { self.phrase(&action, &words) };
        let command = subject.is_none() && pieces.first().is_some_and(|first| first.fixed);
        let said = tidy(&format!("{}{}", with_subject(&pieces, subject.as_deref()), amounts.explained()));
        (said.replace(" to up to ", " up to "), command)
    }

    /// Who does it to itself: "this unit deals 1 damage to itself".
    fn reflexive(&self, action: &ActionWords, subject: &str, words: &mut FxHashMap<Name, String>) {
        for (n, param) in action.params.iter().enumerate() {
            let said = words.get_mut(&param.name).filter(|said| Some(n) != action.by && **said == *subject && subject != "you");
            if let Some(said) = said {
                *said = if self.is_player(&param.ty) { "themselves" } else { "itself" }.into();
            }
        }
    }

    /// Where one of the others goes, if the words of the action go on with "to".
    fn way_in(&mut self, action: &ActionWords, args: &[Option<Expr>], name: &Name, spot: &Expr) -> Option<String> {
        let leads = action.clause(name).is_some_and(|clause| clause.text.starts_with("to {"));
        args.iter().flatten().filter(|_| leads).find_map(|thing| self.way_of(thing, spot))
    }

    fn argument(&mut self, arg: &Expr) -> String {
        match &arg.ty {
            Ty::Set(_) | Ty::List(_) => match &arg.kind {
                ExprKind::List(_) | ExprKind::Local(_) => self.value(arg),
                _ => self.several(arg),
            },
            _ => self.value(arg),
        }
    }

    /// Who does it, if that is somebody else and the phrase does not say so itself.
    fn subject(&mut self, action: &ActionWords, args: &[Option<Expr>], words: &FxHashMap<Name, String>) -> Option<String> {
        let by = action.by?;
        let arg = args.get(by)?.as_ref()?;
        // A command is to you, unless somebody else is told what they may do.
        if arg.kind == ExprKind::You && !self.told_others || self.mentions(action, by) {
            return None;
        }
        words.get(&action.params.get(by)?.name).cloned()
    }

    /// Does the template speak of a parameter?
    pub fn mentions(&self, action: &ActionWords, param: usize) -> bool {
        let Some(name) = action.params.get(param).map(|param| &param.name) else { return false };
        action.says.as_ref().is_some_and(|template| template.speaks_of(name))
    }

    /// A definition as a value: by its template, or "x’s name".
    pub fn defined(&mut self, define: &Key, args: &[Expr]) -> String {
        let words = self.words.define(define);
        if let Some(template) = &words.says {
            return self.filled(template, &words.params, args);
        }
        let name = spaced(&words.name);
        match args {
            [] => format!("the {name}"),
            [one] => self.of(one, &name),
            _ => {
                let all: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
                format!("the {name} of {}", super::grammar::list(&all, "and"))
            }
        }
    }
}

/// Amounts too long to stand in a phrase: "deal X damage, where X is the number of enemy units".
#[derive(Default)]
struct Amounts {
    long: Vec<String>,
}

impl Amounts {
    fn short(&mut self, said: String, arg: &Expr, action: &ActionWords, param: &Name) -> String {
        // A number that was just spoken of.
        if said == super::roll::RESULT || matches!(arg.kind, ExprKind::EventField(_)) {
            return if counts(action, param) { "that many".into() } else { "that much".into() };
        }
        if action.says.is_none() || !said.contains(' ') {
            return said;
        }
        self.long.push(said);
        self.letter(self.long.len() - 1)
    }

    fn letter(&self, n: usize) -> String {
        ["X", "Y", "Z"].get(n).copied().unwrap_or("N").into()
    }

    fn explained(&self) -> String {
        let parts: Vec<String> = self.long.iter().enumerate().map(|(n, words)| format!("{} is {words}", self.letter(n))).collect();
        if parts.is_empty() { String::new() } else { format!(", where {}", parts.join(" and ")) }
    }
}

/// Does the template count the parameter: "{n|card|cards}"?
fn counts(action: &ActionWords, param: &Name) -> bool {
    action.says.iter().flat_map(|template| &template.parts).any(|part| match part {
        TextPart::Plural(value, ..) => crate::words::meaning::reads(value, param),
        _ => false,
    })
}

fn played(action: &ActionWords) -> Vec<Piece> {
    vec![Piece { text: format!("play the {}", phase_name(&action.name)), fixed: true, thing: false }]
}

/// "deal 3 damage" with "your opponent" → "your opponent deals 3 damage"
pub(super) fn with_subject(pieces: &[Piece], subject: Option<&str>) -> String {
    let text = joined(pieces);
    let text = match pieces.first() {
        // "you loses" → "you lose"
        Some(first) if !first.fixed && (first.text == "you" || is_several(&first.text)) => {
            let rest = text[first.text.len()..].trim_start();
            let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
            let verb = match (base_form(verb).as_str(), verb) {
                (_, "is") => "are".to_string(),
                (base, _) => base.to_string(),
            };
            format!("{} {verb} {tail}", first.text)
        }
        _ => text,
    };
    let Some(subject) = subject else { return text };
    match pieces.first() {
        Some(first) if first.fixed => {
            let (verb, rest) = text.split_once(' ').unwrap_or((&text, ""));
            if subject == "you" { format!("you {verb} {rest}") } else { format!("{subject} {} {rest}", third_person(verb)) }
        }
        // The phrase has a subject of its own.
        _ => format!("{text} because of {subject}"),
    }
}
