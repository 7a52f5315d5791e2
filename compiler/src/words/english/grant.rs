//! Grants: "Enemy units within 6″ of this unit have −1 Move."

use super::grammar::{denied, list, of_several, plural, possessive};
use super::speaker::{Known, Speaker};
use crate::hir::{Expr, ExprKind, Gives, Grant, Key, Lambda, Lasts, Local, ModOp, Rule, RuleKind};
use crate::ty::Ty;
use crate::words::meaning::is_receiver;
use crate::words::number::number;
use crate::words::says::last;
use crate::words::text::{sentence, spaced};

impl Speaker<'_> {
    /// A continuous grant. `who` is None for `this` itself.
    pub fn continuous(
        &mut self,
        who: Option<&Lambda>,
        set: &Expr,
        kind: &Key,
        it: Local,
        gives: &Gives,
        cond: Option<&Expr>,
    ) -> Vec<String> {
        let (subject, several) = match who {
            None => (self.this.clone(), false),
            Some(_) => self.receivers(set),
        };
        let you = subject == "you";
        let again = if several { "they" } else { "it" };
        let this = format!("this {}", self.words.kind(kind).one);
        let given = self.with(it, Known::Words(again.into()), |speaker| speaker.given(gives, several || you, &this));
        let cond = cond.map(|cond| format!(" while {}", self.cond(cond))).unwrap_or_default();
        given.into_iter().map(|clause| format!("{subject} {clause}{cond}")).collect()
    }

    /// What the rules of a grant call the card or the part that gives them, where `this` is whoever has them.
    pub fn giver(&mut self, is: &Expr, receiver: &Key) -> String {
        let words = self.value(is);
        if words == format!("this {}", self.words.kind(receiver).one) { "the one that gives this".into() } else { words }
    }

    /// A timed grant: the duration comes first.
    pub fn timed_grant(&mut self, grant: &Grant) -> Vec<String> {
        let (subject, several) = self.receivers(&grant.targets);
        let taken: Vec<(Local, String)> = grant.captures.iter().map(|(local, value)| (*local, self.value(value))).collect();
        let this = format!("this {}", self.noun_of_type(&grant.targets.ty).one);
        let (lasts, given) = self.with_all(&taken, |speaker| {
            let lasts = speaker.until(&grant.lasts, &subject);
            (lasts, speaker.given(&grant.gives, several || subject == "you", &this))
        });
        given.into_iter().map(|clause| format!("{lasts}, {subject} {clause}")).collect()
    }

    /// Who gets it, and whether they are several.
    fn receivers(&mut self, set: &Expr) -> (String, bool) {
        match &set.kind {
            ExprKind::List(items) => match items.as_slice() {
                [one] => (self.value(one), false),
                _ => (self.value(set), true),
            },
            ExprKind::Local(_) => (self.value(set), matches!(set.ty, Ty::Set(_) | Ty::List(_))),
            _ => match &set.ty {
                Ty::Kind(_) | Ty::Thing | Ty::Optional(_) => (self.value(set), false),
                _ => (self.several(set), true),
            },
        }
    }

    /// "has +1 Power and **Fast**", "cannot move": one clause for each verb.
    fn given(&mut self, gives: &Gives, several: bool, this: &str) -> Vec<String> {
        let mut has: Vec<String> = Vec::new();
        let mut verbs: Vec<String> = Vec::new();
        for modifier in &gives.mods {
            let field = self.words.field(&modifier.field);
            if let (Some(says), ModOp::Set, ExprKind::Bool(yes)) = (&field.says, modifier.op, &modifier.value.kind) {
                // "is barred from bidding"
                let says = if several { of_several(says) } else { says.to_string() };
                verbs.push(if *yes { says } else { denied(&says) });
            } else if let (ModOp::Add, Ty::Set(of) | Ty::List(of)) = (modifier.op, &modifier.value.ty)
                && matches!(**of, Ty::Enum(_))
            {
                // more of its types: "has Support among its Types"
                let more = self.value(&modifier.value);
                has.push(format!("{more} among {} {}", if several { "their" } else { "its" }, field.label));
            } else if field.is_target && modifier.op == ModOp::Add {
                has.push(self.needed(&field.label, &modifier.value));
            } else {
                has.push(self.modifier(&field.label, modifier.op, &modifier.value));
            }
        }
        for (keyword, number) in &gives.keywords {
            has.push(self.keyword_given(keyword, number.as_ref()));
        }
        for rules in &gives.rules {
            let rules = self.value(rules);
            has.push(format!("the rules of {rules}"));
        }
        for rule in &gives.own {
            match &rule.kind {
                RuleKind::Cannot { actions, choose: None, must: _, matches, guard }
                    if matches.is_empty() && guard.as_ref().is_some_and(is_receiver) =>
                {
                    let cannot: Vec<String> = actions.iter().map(|action| self.bare_event(action)).collect();
                    verbs.push(format!("cannot {}", list(&cannot, "or")));
                }
                _ => has.push(self.quoted(rule, this)),
            }
        }
        if !has.is_empty() {
            verbs.insert(0, format!("{} {}", if several { "have" } else { "has" }, list(&has, "and")));
        }
        if verbs.is_empty() { Vec::new() } else { vec![list(&verbs, "and")] }
    }

    /// A rule that is given away, in quotation marks: in it, `this` is whoever has it.
    fn quoted(&mut self, rule: &Rule, this: &str) -> String {
        let outer = (std::mem::replace(&mut self.this, this.into()), std::mem::replace(&mut self.part, this.into()));
        let sentences: Vec<String> = self.rule(rule).iter().map(|clause| sentence(clause)).collect();
        (self.this, self.part) = outer;
        format!("“{}”", sentences.join(" "))
    }

    /// "Skill worsened by 1": a target number that grows is no boon, as "+1 Skill" would say.
    fn needed(&mut self, label: &str, by: &Expr) -> String {
        let (by, word) = match &by.kind {
            ExprKind::Int(v) if *v < 0 => (number(v.saturating_neg()), "improved"),
            ExprKind::Neg(inner) => (self.amount_of(inner), "improved"),
            _ => (self.amount_of(by), "worsened"),
        };
        format!("{label} {word} by {by}")
    }

    /// A number without the sign of its type.
    fn amount_of(&mut self, by: &Expr) -> String {
        match &by.kind {
            ExprKind::Int(v) => number(*v),
            _ => self.value(by),
        }
    }

    /// "until the end of the round or until it attacks"
    fn until(&mut self, first_of: &[Lasts], subject: &str) -> String {
        if first_of.is_empty() {
            return "for the rest of the game".into();
        }
        let ends: Vec<String> = first_of.iter().map(|lasts| self.lasts(lasts, subject)).collect();
        list(&ends, "or")
    }

    /// "until the end of the round"
    fn lasts(&mut self, lasts: &Lasts, subject: &str) -> String {
        match lasts {
            Lasts::Until { at_end, next, scope, of } => {
                let edge = if *at_end { "end" } else { "start" };
                let next = if *next { "next " } else { "" };
                let scope = scope_name(scope);
                match of {
                    Some(of) => {
                        let of = self.value(of);
                        let of = if of == subject { "its".into() } else { possessive(&of) };
                        format!("until the {edge} of {of} {next}{scope}")
                    }
                    None => format!("until the {edge} of the {next}{scope}"),
                }
            }
            Lasts::Scopes { count, scope } => {
                let scope = scope_name(scope);
                match &count.kind {
                    ExprKind::Int(1) => format!("for 1 {scope}"),
                    _ => format!("for {} {}", self.value(count), plural(&scope)),
                }
            }
            Lasts::Event { action, guard } => {
                let words = self.words.action(action);
                let (matched, conds) = self.guard_matches(&words, guard.as_ref());
                let clause = self.event(action, &matched, super::event::Mood::Does);
                let conds = if conds.is_empty() { String::new() } else { format!(" while {}", conds.join(" and ")) };
                format!("until {clause}{conds}")
            }
            Lasts::While(lambda) => {
                let cond = match lambda.params.first() {
                    Some(it) => self.with(*it, Known::Words(subject.into()), |speaker| speaker.cond(&lambda.body)),
                    None => self.cond(&lambda.body),
                };
                format!("while {cond}")
            }
        }
    }
}

pub(super) fn scope_name(key: &Key) -> String {
    let name = spaced(last(key));
    // A game is whole by itself.
    name.strip_prefix("whole ").map(str::to_string).unwrap_or(name)
}
