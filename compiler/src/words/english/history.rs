//! What has happened: "if this unit has moved this round", "the number of times …".

use super::event::Mood;
use super::noun::Noun;
use super::speaker::{Known, Speaker};
use crate::hir::{Compare, Expr, ExprKind, Key, Lambda, Name};
use crate::words::meaning::past_of;
use crate::words::says::last;
use crate::words::text::spaced;

impl Speaker<'_> {
    /// "the number of times this unit has been destroyed this round"
    pub fn past_times(&mut self, set: &Expr) -> String {
        let clause = self.past_clause(set);
        format!("the number of times {clause}")
    }

    pub fn past_happened(&mut self, set: &Expr, yes: bool) -> String {
        let clause = self.past_clause(set);
        if yes { clause } else { not_happened(&clause) }
    }

    /// "this unit has moved 2 or more times this round"; None if more is asked of each time.
    pub fn past_so_often(&mut self, set: &Expr, times: &str) -> Option<String> {
        let Some(ExprKind::Past { actions, scope, .. }) = past_of(set) else { return None };
        let clause = self.past_clause(set);
        if actions.len() != 1 || clause.contains(" while ") {
            return None;
        }
        let when = scope.as_ref().map(|scope| format!(" this {}", spaced(last(scope)))).unwrap_or_default();
        let what = clause.strip_suffix(&when)?;
        Some(format!("{what} {times}{when}"))
    }

    fn past_clause(&mut self, set: &Expr) -> String {
        let Some(ExprKind::Past { actions, scope, filter }) = past_of(set) else { return "something has happened".into() };
        let when = match scope {
            Some(scope) => format!(" this {}", spaced(last(scope))),
            None => String::new(),
        };
        let (mut matched, mut conds) = filter.as_ref().map(|filter| self.matched_in_past(filter)).unwrap_or_default();
        // What the words of the event do not speak of is a condition.
        let first = actions.first().map(|action| self.words.action(action)).unwrap_or_default();
        let (spoken, other): (Vec<_>, Vec<_>) = matched.drain(..).partition(|(name, _)| self.speaks_of(&first, name));
        let other: Vec<String> = other.into_iter().map(|(name, words)| format!("the {} is {words}", spaced(&name))).collect();
        conds.splice(0..0, other);
        let clauses: Vec<String> = actions.iter().map(|action| self.happened(action, &spoken)).collect();
        let conds = if conds.is_empty() { String::new() } else { format!(" while {}", conds.join(" and ")) };
        format!("{}{when}{conds}", clauses.join(" or "))
    }

    fn happened(&mut self, action: &Key, matched: &[(Name, String)]) -> String {
        self.event(action, matched, Mood::Has)
    }

    /// What the filter says about each field of the events.
    fn matched_in_past(&mut self, filter: &Lambda) -> (Vec<(Name, String)>, Vec<String>) {
        let mut nouns: Vec<(Name, Noun)> = Vec::new();
        let (mut out, mut rest) = (Vec::new(), Vec::new());
        self.past_term(&filter.body, &mut nouns, &mut out, &mut rest);
        out.extend(nouns.into_iter().map(|(name, noun)| (name, noun.a())));
        let conds = rest.into_iter().map(|term| self.cond(term)).collect();
        (out, conds)
    }

    fn past_term<'e>(&mut self, term: &'e Expr, nouns: &mut Vec<(Name, Noun)>, out: &mut Vec<(Name, String)>, rest: &mut Vec<&'e Expr>) {
        let taken = |name: &Name, out: &[(Name, String)]| out.iter().any(|(has, _)| has == name);
        match &term.kind {
            ExprKind::And(a, b) => {
                self.past_term(a, nouns, out, rest);
                self.past_term(b, nouns, out, rest);
            }
            ExprKind::Compare(Compare::Eq, a, b) => match &a.kind {
                ExprKind::LogField { field, .. } if !taken(field, out) => {
                    let words = self.one_of(b);
                    out.push((field.clone(), words));
                }
                _ => rest.push(term),
            },
            ExprKind::IsKind { base, kind } => match &base.kind {
                ExprKind::LogField { field, .. } if !nouns.iter().any(|(has, _)| has == field) => {
                    let noun = self.kind_noun(kind);
                    nouns.push((field.clone(), noun));
                }
                _ => rest.push(term),
            },
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                match (&subject.kind, nouns.last_mut()) {
                    (ExprKind::LogField { field, .. }, Some((name, noun))) if name == field => {
                        let mut narrowed = std::mem::take(noun);
                        self.with(*local, Known::Words("it".into()), |speaker| {
                            speaker.narrowed(&mut narrowed, *local, body);
                        });
                        if let Some((_, noun)) = nouns.last_mut() {
                            *noun = narrowed;
                        }
                    }
                    _ => rest.push(term),
                }
            }
            ExprKind::Bool(true) => {}
            _ => rest.push(term),
        }
    }
}

/// Only the first auxiliary is denied; of any one of several it is said that none has.
fn not_happened(clause: &str) -> String {
    let (who, has, rest) = match (clause.split_once(" has "), clause.split_once(" have ")) {
        (Some((who, rest)), Some((other, _))) if who.len() < other.len() => (who, "has", rest),
        (Some((who, rest)), None) => (who, "has", rest),
        (_, Some((who, rest))) => (who, "have", rest),
        (None, None) => return format!("it is not true that {clause}"),
    };
    let one_of = [("one of ", "none of "), ("another ", "no other "), ("an ", "no "), ("a ", "no ")];
    match one_of.iter().find_map(|(some, none)| Some(format!("{none}{}", who.strip_prefix(some)?))) {
        Some(nobody) => format!("{nobody} {has} {rest}"),
        None if has == "have" && who != "you" && !["those ", "the "].iter().any(|start| who.starts_with(start)) => {
            format!("no {who} have {rest}")
        }
        None => format!("{who} {has} not {rest}"),
    }
}
