//! Conditions, as clauses that end with their verb: what stands behind "falls".

use rustc_hash::FxHashMap;

use super::noun::{Before, Case, Np};
use super::rule::Mood;
use super::speaker::{German, Known};
use super::value::amount;
use super::verb::{Clause, Verb};
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key, Lambda, Name};
use crate::ty::Ty;
use crate::words::meaning::past_of;
use crate::words::meaning::{opposite, rolled};
use crate::words::says::DefineWords;
use crate::words::text::{bold, spaced};

impl German<'_> {
    pub(super) fn cond(&mut self, expr: &Expr) -> String {
        self.clause(expr, true)
    }

    pub(super) fn clause(&mut self, expr: &Expr, yes: bool) -> String {
        match self.asked(expr, yes) {
            Some(words) => words,
            None => {
                self.cannot_say("this condition", expr.span);
                String::new()
            }
        }
    }

    fn asked(&mut self, expr: &Expr, yes: bool) -> Option<String> {
        match &expr.kind {
            ExprKind::Not(inner) => self.asked(inner, !yes),
            ExprKind::And(a, b) => Some(format!("{} {} {}", self.asked(a, yes)?, if yes { "und" } else { "oder" }, self.asked(b, yes)?)),
            ExprKind::Or(a, b) => Some(format!("{} {} {}", self.asked(a, yes)?, if yes { "oder" } else { "und" }, self.asked(b, yes)?)),
            ExprKind::Compare(how, a, b) => self.compared(if yes { *how } else { opposite(*how) }, a, b),
            // A table without rows gives a name to a value.
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.asked(body, yes))
            }
            ExprKind::HasKeyword { base, keyword } => {
                let (who, name) = (self.value(base), bold(&self.keyword_name(keyword)));
                let not = if yes { "" } else { "nicht " };
                verb(who, format!("{not}{name}"), "haben")
            }
            ExprKind::IsKind { base, kind } => {
                let (who, kind) = (self.value(base), self.kind(kind));
                let what = if yes { kind.any() } else { kind.any().denied()? };
                verb(who, what.subject().into(), "sein")
            }
            ExprKind::Each { op: EachOp::Any, list, lambda } => {
                if past_of(list).is_some() {
                    return self.past(list, yes);
                }
                if lambda.body.kind != ExprKind::Bool(true) {
                    return None;
                }
                let group = self.group(list)?;
                Some(if yes {
                    format!("es {} gibt", group.any().in_case(Case::Accusative))
                } else {
                    format!("es {} gibt", none_of(&group))
                })
            }
            ExprKind::Call { define, args } | ExprKind::Fact { fact: define, args } => {
                let words = self.words.define(define);
                let id = self.define_id(define);
                let text = self.translated(define, &id).unwrap_or_else(|| id.as_str().into());
                let who = self.value(args.first()?);
                if text.contains(' ') {
                    return Some(self.related(&words, &text, args, who, yes)?.dependent());
                }
                (args.len() == 1).then_some(())?;
                verb(who, format!("{}{text}", if yes { "" } else { "nicht " }), "sein")
            }
            ExprKind::Field { base, field, .. } if expr.ty == Ty::Bool => {
                let who = self.value(base);
                Some(self.state(field, who, yes)?.dependent())
            }
            ExprKind::EventField(name) if self.event.1.meaning(name).is_some() && !self.fields.contains_key(name) => {
                let text = self.event_meaning(name)?;
                let (before, last) = text.rsplit_once(' ')?;
                let not = if yes { "" } else { "nicht " };
                Some(format!("{not}{before} {last}"))
            }
            ExprKind::Fun(Fun::Within, args) => {
                let [a, from, length] = args.as_slice() else { return None };
                let (who, from, length) = (self.value(a), self.value(from), self.value(length));
                let not = if yes { "" } else { "nicht " };
                verb(who, format!("{not}im Umkreis von {} um {}", length.in_case(Case::Dative), from.in_case(Case::Accusative)), "sein")
            }
            ExprKind::Fun(Fun::Touching, args) => {
                let [a, b] = args.as_slice() else { return None };
                let (who, other) = (self.value(a), self.value(b));
                let not = if yes { "" } else { "nicht " };
                verb(who, format!("{not}in Kontakt mit {}", other.in_case(Case::Dative)), "sein")
            }
            ExprKind::Fun(Fun::InPlay, args) => {
                let who = self.value(args.first()?);
                verb(who, if yes { "im Spiel" } else { "nicht im Spiel" }.into(), "sein")
            }
            _ => None,
        }
    }

    fn compared(&mut self, how: Compare, a: &Expr, b: &Expr) -> Option<String> {
        if let Some(dice) = rolled(a) {
            let (value, dice) = (self.value(b), self.thrown(dice));
            return Some(format!("du mit {} {} wirfst", dice.in_case(Case::Dative), face(how, value.subject())));
        }
        // Counting: "es mindestens 3 gegnerische Miniaturen gibt"
        if let (ExprKind::Each { op: EachOp::Sum, list, lambda }, ExprKind::Int(n)) = (&a.kind, &b.kind)
            && lambda.body.kind == ExprKind::Int(1)
            && past_of(list).is_none()
        {
            let group = self.group(list)?;
            return Some(match (how, n) {
                (Compare::Eq, 0) | (Compare::Lt, 1) | (Compare::Le, 0) => format!("es {} gibt", none_of(&group)),
                (Compare::Ge, 1) | (Compare::Gt, 0) | (Compare::Ne, 0) => format!("es {} gibt", group.any().in_case(Case::Accusative)),
                (Compare::Ne, _) => return None,
                (Compare::Eq, _) => format!("es genau {} gibt", group.all(Some(&n.to_string())).in_case(Case::Accusative)),
                _ => format!("es {} gibt", group.all(Some(&amount(how, &n.to_string()))).in_case(Case::Accusative)),
            });
        }
        match (&a.kind, &b.kind, how) {
            (ExprKind::Field { base, field, .. }, ExprKind::None, _) => {
                let (who, noun) = (self.value(base), self.field_noun(field));
                let what = if how == Compare::Ne { noun.any() } else { noun.any().denied()? };
                return verb(who, what.in_case(Case::Accusative).into(), "haben");
            }
            (_, ExprKind::None, _) => return None,
            (_, ExprKind::Bool(v), Compare::Eq | Compare::Ne) => return self.asked(a, *v == (how == Compare::Eq)),
            (ExprKind::Fun(Fun::Controller, args), ExprKind::You, Compare::Eq | Compare::Ne) => {
                let who = self.value(args.first()?);
                return verb(who, if how == Compare::Eq { "dir" } else { "einem Gegner" }.into(), "gehören");
            }
            _ => {}
        }
        let (left, right) = (self.value(a), self.value(b));
        let words = match how {
            Compare::Eq => right.subject().to_string(),
            Compare::Ne => format!("nicht {}", right.subject()),
            _ => amount(how, right.subject()),
        };
        verb(left, words, "sein")
    }

    /// "in diesem Zug eine deiner Miniaturen zerstört wurde"
    fn past(&mut self, set: &Expr, yes: bool) -> Option<String> {
        let Some(ExprKind::Past { actions, scope, filter }) = past_of(set) else { return None };
        let [action] = actions.as_slice() else { return None };
        let when = scope.as_ref().map(|scope| self.phase_group(scope).again(&Before::Pointing("dies"), None, false));
        let matched = match filter {
            Some(filter) => self.matched_in_past(filter)?,
            None => Vec::new(),
        };
        let mut clause = self.event(action, &matched, Mood::Has, !yes)?;
        if let Some(when) = when {
            clause.middle.insert(0, format!("in {}", when.in_case(Case::Dative)));
        }
        Some(clause.dependent())
    }

    /// What the filter says about each field of the events. None if there are no words for all of it.
    fn matched_in_past(&mut self, filter: &Lambda) -> Option<Vec<(Name, Np)>> {
        let mut groups: Vec<(Name, super::noun::Group)> = Vec::new();
        let mut out: Vec<(Name, Np)> = Vec::new();
        let mut todo: Vec<&Expr> = vec![&filter.body];
        while let Some(term) = todo.pop() {
            match &term.kind {
                ExprKind::And(a, b) => todo.extend([&**b, &**a]),
                ExprKind::Bool(true) => {}
                ExprKind::Compare(Compare::Eq, a, b) => {
                    let ExprKind::LogField { field, .. } = &a.kind else { return None };
                    let np = self.one_of(b);
                    out.push((field.clone(), np));
                }
                ExprKind::IsKind { base, kind } => {
                    let ExprKind::LogField { field, .. } = &base.kind else { return None };
                    let group = self.kind(kind);
                    groups.push((field.clone(), group));
                }
                ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                    let ExprKind::LogField { field, .. } = &subject.kind else { return None };
                    let (_, mut group) = groups.iter().find(|(has, _)| has == field).cloned()?;
                    self.narrowed(&mut group, *local, body)?;
                    groups.retain(|(has, _)| has != field);
                    groups.push((field.clone(), group));
                }
                _ => return None,
            }
        }
        out.extend(groups.into_iter().map(|(name, group)| (name, group.any())));
        Some(out)
    }

    /// One of a set, or the thing itself.
    pub(super) fn one_of(&mut self, expr: &Expr) -> Np {
        let is_set = matches!(expr.ty, Ty::Set(_) | Ty::List(_))
            || matches!(
                expr.kind,
                ExprKind::AllOf(_) | ExprKind::Parts { .. } | ExprKind::Each { op: EachOp::Filter, .. } | ExprKind::Players
            );
        match is_set.then(|| self.group(expr)).flatten() {
            Some(group) => group.any(),
            None => self.value(expr),
        }
    }

    // ---- states and relations

    /// What a definition is called in a catalogue.
    pub(super) fn define_id(&mut self, define: &Key) -> String {
        let words = self.words.define(define);
        words.says.as_ref().map_or_else(|| spaced(&words.name), |says| says.text.to_string())
    }

    /// A field that is yes or no, said of somebody.
    pub(super) fn state(&mut self, field: &Key, who: Np, yes: bool) -> Option<Clause> {
        let words = self.words.field(field);
        let id = words.says.unwrap_or(words.label);
        let text = self.translated(field, &id)?;
        self.predicate(&text, &crate::hir::Template::default(), who, &FxHashMap::default(), yes)
    }

    /// A relation, said of its first argument.
    pub(super) fn related(&mut self, words: &DefineWords, text: &str, args: &[Expr], who: Np, yes: bool) -> Option<Clause> {
        let says = words.says.clone().unwrap_or_default();
        let mut filled: FxHashMap<Name, Np> = FxHashMap::default();
        // Gaps have the names of the source; the definition knows its parameters by number.
        for (inside, part) in says.gaps() {
            let crate::hir::TextPart::Value(value) = part else { return None };
            let ExprKind::Local(local) = value.kind else { return None };
            let at = words.params.iter().position(|param| *param == local)?;
            let np = self.value(args.get(at)?);
            filled.insert(inside.into(), np);
        }
        if args.len() > 1 && filled.len() + 1 < args.len() {
            return None;
        }
        self.predicate(text, &says, who, &filled, yes)
    }
}

/// "keine gegnerischen Miniaturen", "keine deiner Miniaturen"
fn none_of(group: &super::noun::Group) -> String {
    match &group.owner {
        Some(_) => group.any().denied().unwrap_or_else(|| group.any()).in_case(Case::Accusative).into(),
        None => group.np(&Before::No, true).in_case(Case::Accusative).into(),
    }
}

fn verb(who: Np, what: String, infinitive: &str) -> Option<String> {
    Some(Clause::new(Some(who), vec![what], Verb::read(infinitive)?).dependent())
}

/// Faces of dice: "5 oder mehr".
pub(super) fn face(how: Compare, value: &str) -> String {
    match how {
        // "4+" says it already.
        Compare::Ge if value.ends_with('+') => value.to_string(),
        Compare::Ge => format!("{value} oder mehr"),
        Compare::Le => format!("{value} oder weniger"),
        Compare::Gt => format!("mehr als {value}"),
        Compare::Lt => format!("weniger als {value}"),
        Compare::Eq => value.to_string(),
        Compare::Ne => format!("nicht {value}"),
    }
}
