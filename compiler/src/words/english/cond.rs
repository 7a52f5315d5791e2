//! Conditions as clauses: "this unit has **Fast**", "there is an enemy unit within 6″ of it".

use super::grammar::{both as both_said, denied, list, of_several, possessive, with_article};
use super::noun::Noun;
use super::speaker::{Known, Speaker};
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key};
use crate::ty::Ty;
use crate::words::meaning::past_of;
use crate::words::meaning::{opposite, rolled};
use crate::words::text::spaced;

impl Speaker<'_> {
    pub fn cond(&mut self, expr: &Expr) -> String {
        self.clause(expr, true)
    }

    /// The condition, or its opposite.
    fn clause(&mut self, expr: &Expr, yes: bool) -> String {
        match &expr.kind {
            ExprKind::Bool(v) => if *v == yes { "always" } else { "never" }.into(),
            ExprKind::Not(inner) => self.clause(inner, !yes),
            ExprKind::And(a, b) => self.joined(&[a, b], yes, if yes { "and" } else { "or" }),
            ExprKind::Or(a, b) => self.joined(&[a, b], yes, if yes { "or" } else { "and" }),
            ExprKind::Compare(how, a, b) => self.compared(if yes { *how } else { opposite(*how) }, a, b),
            // A table without rows gives a name to a value.
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.clause(body, yes))
            }
            ExprKind::HasKeyword { base, keyword } => {
                let (who, keyword) = (self.value(base), self.keyword(keyword, None));
                let has = has(base, &who, yes);
                format!("{who} {has} {keyword}")
            }
            ExprKind::IsKind { base, kind } => {
                let who = self.value(base);
                let noun = with_article(&self.words.kind(kind).one);
                format!("{who} {} {noun}", is(base, &who, yes))
            }
            ExprKind::Contains(set, item) => {
                let (item_words, set) = (self.value(item), self.value(set));
                format!("{item_words} {} among {set}", is(item, &item_words, yes))
            }
            ExprKind::Each { op: EachOp::Any, list, lambda } => {
                if past_of(list).is_some() {
                    return self.past_happened(list, yes);
                }
                let mut noun = self.noun(list);
                if lambda.body.kind != ExprKind::Bool(true)
                    && let Some(it) = lambda.params.first()
                {
                    let words = self.with(*it, Known::Words("it".into()), |speaker| speaker.cond(&lambda.body));
                    noun.after.push(super::noun::After::both(format!("such that {words}")));
                }
                // "one of your other units is within 1s of this unit"
                match noun.standing() {
                    Some((which, place)) if yes => format!("{which} is {place}"),
                    Some((which, place)) => format!("{} is {place}", which.replacen("one of", "none of", 1)),
                    None if yes => one_of(&noun),
                    None => none_of(&noun),
                }
            }
            ExprKind::Each { op: EachOp::All, list, lambda } => {
                let each = self.noun(list).each();
                let Some(it) = lambda.params.first() else { return each };
                let words = self.with(*it, Known::Words(each), |speaker| speaker.cond(&lambda.body));
                if yes { words } else { format!("it is not true that {words}") }
            }
            ExprKind::Call { define, args } | ExprKind::Fact { fact: define, args } => self.is_defined(define, args, yes),
            ExprKind::Fun(fun, args) => self.fun_cond(*fun, args, yes, expr),
            ExprKind::EventField(name) if self.event.meaning(name).is_some() && !self.fields.contains_key(name) => {
                let words = self.event_noun(name);
                if yes { words } else { denied(&words) }
            }
            ExprKind::Field { base, field, .. } => {
                let words = self.words.field(field);
                let who = self.value(base);
                match words.says {
                    Some(says) => {
                        let says = if is_plural(base, &who) { of_several(&says) } else { says.to_string() };
                        format!("{who} {}", if yes { says } else { denied(&says) })
                    }
                    None => format!("{who} {} {}", has(base, &who, yes), words.label),
                }
            }
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.clause(body, yes))
            }
            ExprKind::Option(key) => {
                let name = spaced(crate::words::says::last(key));
                format!("the option “{name}” is {}", if yes { "on" } else { "off" })
            }
            ExprKind::If { arms, otherwise } => {
                let mut parts: Vec<String> =
                    arms.iter().map(|(when, then)| format!("{} if {}", self.clause(then, yes), self.cond(when))).collect();
                parts.push(format!("otherwise {}", self.clause(otherwise, yes)));
                parts.join(", ")
            }
            ExprKind::Emit { .. } => {
                // A sentence with a result is a test: "if you succeed".
                let (words, command) = self.sentence(expr);
                match (command, yes) {
                    (true, true) => format!("you {words} and succeed"),
                    (true, false) => format!("you {words} and fail"),
                    (false, true) => format!("{words} and succeeds"),
                    (false, false) => format!("{words} and fails"),
                }
            }
            _ => {
                let words = self.value(expr);
                if yes { format!("{words} applies") } else { format!("{words} does not apply") }
            }
        }
    }

    fn joined(&mut self, both: &[&Expr], yes: bool, word: &str) -> String {
        let parts: Vec<String> = both.iter().map(|one| self.clause(one, yes)).filter(|words| words != "always").collect();
        if parts.is_empty() { "always".into() } else { both_said(&parts, word) }
    }

    fn compared(&mut self, how: Compare, a: &Expr, b: &Expr) -> String {
        if let Some(dice) = rolled(a) {
            let (value, dice) = (self.value(b), self.thrown(dice));
            return format!("you roll {} on {dice}", amount(how, &value));
        }
        // "this actor has declaimed lines 2 or more times this scene"
        if let (ExprKind::Each { op: EachOp::Sum, list, lambda }, ExprKind::Int(n)) = (&a.kind, &b.kind)
            && lambda.body.kind == ExprKind::Int(1)
            && past_of(list).is_some()
        {
            let times = match how {
                Compare::Eq if *n == 1 => "exactly once".into(),
                Compare::Eq => format!("exactly {n} times"),
                _ => format!("{} times", amount(how, &n.to_string())),
            };
            match (how, n) {
                (Compare::Eq, 0) | (Compare::Lt, 1) | (Compare::Le, 0) => return self.past_happened(list, false),
                (Compare::Ge, 1) | (Compare::Gt, 0) | (Compare::Ne, 0) => return self.past_happened(list, true),
                _ => {}
            }
            if let Some(clause) = self.past_so_often(list, &times) {
                return clause;
            }
        }
        // Counting: "there are 3 or more enemy units"
        if let (ExprKind::Each { op: EachOp::Sum, list, lambda }, ExprKind::Int(n)) = (&a.kind, &b.kind)
            && lambda.body.kind == ExprKind::Int(1)
            && past_of(list).is_none()
        {
            let noun = self.noun(list);
            return match (how, n) {
                (Compare::Eq, 0) | (Compare::Lt, 1) | (Compare::Le, 0) => none_of(&noun),
                (Compare::Ge, 1) | (Compare::Gt, 0) | (Compare::Ne, 0) => one_of(&noun),
                _ => match noun.yours() {
                    Some(noun) => format!("you have {}", noun.counted(&amount(how, &n.to_string()))),
                    None => format!("there are {}", noun.counted(&amount(how, &n.to_string()))),
                },
            };
        }
        match (&a.kind, &b.kind, how) {
            // "this unit has a Sworn enemy"
            (ExprKind::Field { base, field, .. }, ExprKind::None, _) => {
                let (who, label) = (self.value(base), self.words.field(field).label);
                let some = if how == Compare::Ne { with_article(&label) } else { format!("no {label}") };
                return format!("{who} {} {some}", has(base, &who, true));
            }
            (_, ExprKind::None, Compare::Ne) => {
                let a = self.value(a);
                // "there is an enemy unit with the highest Power"
                return match a.strip_prefix("the ").filter(|rest| rest.contains(" with the ")) {
                    Some(rest) if rest.starts_with("one of ") => format!("there is {rest}"),
                    Some(rest) => format!("there is {}", with_article(rest)),
                    None => format!("there is {a}"),
                };
            }
            (_, ExprKind::None, _) => {
                let a = self.value(a);
                return format!("there is no {}", a.trim_start_matches("the "));
            }
            (_, ExprKind::Bool(v), Compare::Eq | Compare::Ne) => return self.clause(a, *v == (how == Compare::Eq)),
            (ExprKind::Fun(Fun::Controller, args), ExprKind::You, Compare::Eq | Compare::Ne) => {
                if let [thing] = args.as_slice() {
                    let thing = self.value(thing);
                    return if how == Compare::Eq { format!("{thing} is yours") } else { format!("{thing} is an enemy’s") };
                }
            }
            _ => {}
        }
        // "this unit has 3 or more Power"
        if let ExprKind::Field { base, field, .. } = &a.kind
            && matches!(b.ty, Ty::Int(_) | Ty::Length(_))
            && matches!(b.kind, ExprKind::Int(_))
            && !matches!(base.kind, ExprKind::Game(_))
        {
            let words = self.words.field(field);
            let label = words.label;
            let (who, value) = (self.value(base), self.value(b));
            if let (ExprKind::Int(0), Compare::Gt | Compare::Ne) = (&b.kind, how) {
                return format!("{who} {} any {label}", has(base, &who, true));
            }
            if let (ExprKind::Int(0), Compare::Eq, Ty::Int(_)) = (&b.kind, how, &a.ty) {
                return format!("{who} {} no {label}", has(base, &who, true));
            }
            // What is printed is so high, what changes is had.
            if words.is_printed && !is_plural_label(a, self) {
                return format!("{} {label} is {}", possessive(&who), amount(how, &value));
            }
            return format!("{who} {} {} {label}", has(base, &who, true), amount(how, &value));
        }
        let (left, right) = (self.value(a), self.value(b));
        let verb = if is_plural_label(a, self) { "are" } else { is(a, &left, true) };
        match how {
            Compare::Eq => format!("{left} {verb} {right}"),
            Compare::Ne => format!("{left} {verb} not {right}"),
            _ => format!("{left} {verb} {}", amount(how, &right)),
        }
    }

    fn is_defined(&mut self, define: &Key, args: &[Expr], yes: bool) -> String {
        let words = self.words.define(define);
        let name = spaced(&words.name);
        let Some((first, others)) = args.split_first() else {
            return if yes { name } else { format!("not {name}") };
        };
        let who = self.value(first);
        let verb = is(first, &who, yes);
        match &words.says {
            Some(template) => {
                let others = words.params.first().copied();
                let said = match others {
                    Some(it) => {
                        self.with(it, Known::Words(String::new()), |speaker| speaker.filled_but_first(template, &words.params, args))
                    }
                    None => self.filled(template, &words.params, args),
                };
                // "that controls the ford" is told of what was spoken of.
                match said.strip_prefix("that ") {
                    Some(does) => {
                        let does = if is_plural(first, &who) { of_several(does) } else { does.to_string() };
                        format!("{who} {}", if yes { does } else { denied(&does) })
                    }
                    None => format!("{who} {verb} {said}"),
                }
            }
            None => {
                // A relation that has no words of its own is named.
                let others: Vec<String> = others.iter().map(|other| self.value(other)).collect();
                match others.is_empty() {
                    true => format!("{who} {verb} {name}"),
                    // "within reach of", "borne by"
                    false if super::filter::leads_on(&name) => format!("{who} {verb} {name} {}", list(&others, "and")),
                    false => format!("“{name}” {} true of {} and {}", if yes { "is" } else { "is not" }, who, list(&others, "and")),
                }
            }
        }
    }

    fn fun_cond(&mut self, fun: Fun, args: &[Expr], yes: bool, whole: &Expr) -> String {
        let words: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
        let at = |n: usize| words.get(n).map_or("it", String::as_str);
        let verb = args.first().map_or("is", |first| is(first, at(0), yes));
        match fun {
            Fun::Within => format!("{} {verb} within {} of {}", at(0), at(2), at(1)),
            Fun::Touching => format!("{} {verb} touching {}", at(0), at(1)),
            Fun::Inside => format!("{} {verb} inside the table", at(0)),
            Fun::InArc => format!("{} {verb} in the arc of {}° of {} at {}°", at(0), at(3), at(1), at(2)),
            Fun::InPlay => format!("{} {verb} in play", at(0)),
            Fun::Odd => format!("{} is {}", at(0), if yes { "odd" } else { "even" }),
            Fun::Usable => format!("{} {} be used", at(0), if yes { "can" } else { "cannot" }),
            Fun::CanPay => format!("{} {} pay {}", at(0), if yes { "can" } else { "cannot" }, at(1)),
            Fun::Subset => format!("{} {verb} all among {}", at(0), at(1)),
            _ => {
                let words = self.value(whole);
                if yes { format!("{words} applies") } else { format!("{words} does not apply") }
            }
        }
    }
}

/// "there is an enemy unit", "you have a wounded unit"
fn one_of(noun: &Noun) -> String {
    match noun.yours() {
        Some(noun) => format!("you have {}", noun.a()),
        None => format!("there is {}", noun.a()),
    }
}

/// "there are no enemy units", "there are none of your units"
fn none_of(noun: &Noun) -> String {
    if let Some(noun) = noun.yours() {
        return format!("you have no {}", noun.several());
    }
    match noun.counted("none") {
        of if of.starts_with("none of ") => format!("there are {of}"),
        _ => format!("there are no {}", noun.several()),
    }
}

/// A field that is spoken of as several: "its Wounds are more than 3".
fn is_plural_label(value: &Expr, speaker: &Speaker) -> bool {
    let ExprKind::Field { field, .. } = &value.kind else { return false };
    let label = speaker.words.field(field).label;
    label.ends_with('s') && !label.ends_with("ss")
}

/// "3 or more", "less than 3"; what is no plain number comes last: "at least its Power".
pub(super) fn amount(how: Compare, value: &str) -> String {
    let plain = !value.contains(' ') || value.starts_with(|c: char| c.is_ascii_digit() || c == crate::words::number::MINUS);
    match how {
        Compare::Le if !plain => return format!("at most {value}"),
        Compare::Ge if !plain => return format!("at least {value}"),
        _ => {}
    }
    match how {
        Compare::Eq => value.to_string(),
        Compare::Ne => format!("other than {value}"),
        Compare::Lt => format!("less than {value}"),
        Compare::Le => format!("{value} or less"),
        Compare::Gt => format!("more than {value}"),
        Compare::Ge => format!("{value} or more"),
    }
}

fn is_plural(expr: &Expr, words: &str) -> bool {
    words == "you" || words == "they" || (matches!(expr.ty, Ty::Set(_) | Ty::List(_)) && !words.starts_with("the "))
}

pub(super) fn is(expr: &Expr, words: &str, yes: bool) -> &'static str {
    match (is_plural(expr, words), yes) {
        (false, true) => "is",
        (true, true) => "are",
        (false, false) => "is not",
        (true, false) => "are not",
    }
}

pub(super) fn has(expr: &Expr, words: &str, yes: bool) -> &'static str {
    match (is_plural(expr, words), yes) {
        (false, true) => "has",
        (true, true) => "have",
        (false, false) => "does not have",
        (true, false) => "do not have",
    }
}
