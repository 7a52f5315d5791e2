//! Rules as sentences.

use super::event::Mood;
use super::grammar::{both, list};
use super::grant::scope_name;
use super::speaker::{Known, Speaker};
use super::stmt::join;
use crate::hir::{Block, Compare, Expr, ExprKind, Key, Lambda, Local, Name, Rule, RuleKind, Stmt, StmtKind, When};
use crate::lower::{Seen, in_block, in_expr};
use crate::ty::Ty;
use crate::words::meaning::{Role, roles};
use crate::words::says::ActionWords;

/// A pattern in words.
struct Pattern {
    /// What is said of each parameter.
    matched: Vec<(Name, String)>,
    /// How it is spoken of later.
    again: Vec<(Name, String)>,
    /// The same as several things.
    several: Vec<(Name, String)>,
    /// Conditions beyond the pattern.
    conds: Vec<String>,
}

impl Speaker<'_> {
    /// The clauses of a rule, each a sentence to be.
    pub fn rule(&mut self, rule: &Rule) -> Vec<String> {
        match &rule.kind {
            RuleKind::Handler { when, actions, guard, once, body, matches } => {
                vec![self.handler(*when, actions, guard.as_ref(), once.as_ref(), body, matches)]
            }
            RuleKind::Grant { who, set, kind, it, giver, gives, cond } => {
                let from: Vec<(Local, String)> = giver.iter().map(|(local, is)| (*local, self.giver(is, kind))).collect();
                self.with_all(&from, |speaker| speaker.continuous(who.as_ref(), set, kind, *it, gives, cond.as_ref()))
            }
            RuleKind::Cannot { choose: Some(lambda), must, .. } => vec![self.cannot_choose(lambda, *must)],
            RuleKind::Cannot { actions, choose: None, must: _, guard, matches } => {
                let Pattern { mut matched, again, several, conds } = self.pattern(actions, guard.as_ref(), matches);
                // All of them, unless a condition speaks of the one.
                for (name, words) in &mut matched {
                    let that = again.iter().find(|(has, _)| has == name).map_or("", |(_, that)| that.as_str());
                    let is_spoken_of = conds.iter().any(|cond| cond.contains(that));
                    if let Some((_, all)) = several.iter().find(|(has, _)| has == name && !that.is_empty() && !is_spoken_of) {
                        words.clone_from(all);
                    } else if let Some(rest) = words.strip_prefix("one of ") {
                        *words = format!("each of {rest}");
                    }
                }
                let clauses: Vec<String> = actions.iter().map(|action| self.event(action, &matched, Mood::Cannot)).collect();
                vec![format!("{}{}", list(&clauses, "and"), conditions(" if", &conds))]
            }
        }
    }

    fn handler(
        &mut self,
        when: When,
        actions: &[Key],
        guard: Option<&Expr>,
        once: Option<&Key>,
        body: &Block,
        matches: &[(Name, Expr)],
    ) -> String {
        let outer = (self.names.clone(), self.fields.clone(), self.event.clone());
        let Pattern { mut matched, mut again, conds, .. } = self.pattern(actions, guard, matches);
        self.everybodys(actions, guard, body, &mut matched, &mut again);
        let mood = if when == When::Instead { Mood::Would } else { Mood::Does };
        let events: Vec<String> = actions.iter().map(|action| self.event(action, &matched, mood)).collect();
        let event = if events.is_empty() { "anything happens".into() } else { list(&events, "or") };
        // A phase is left out, it does not happen to anything.
        let left_out = when == When::Instead && !actions.is_empty() && actions.iter().all(|action| self.words.action(action).is_phase);
        let start = match when {
            When::Before => format!("before {event}"),
            When::After => format!("after {event}"),
            When::Instead if left_out => format!("instead of {event}"),
            When::Instead => format!("if {event}"),
            When::AtStart => format!("at the start of {event}"),
            When::AtEnd if actions.is_empty() => "whenever anything has happened".into(),
            When::AtEnd => format!("at the end of {event}"),
        };
        self.name_event(actions, &matched, &again);
        let clauses = match self.redirected(when, actions, body) {
            Some(clause) => vec![clause],
            None => self.clauses(&body.stmts),
        };
        (self.names, self.fields, self.event) = outer;
        let once = once.map(|scope| format!("once per {}, ", scope_name(scope))).unwrap_or_default();
        let (conds, clauses) = one_condition(conds, clauses, body);
        let deed = if clauses.is_empty() { "nothing happens".into() } else { join(&clauses) };
        let proceeds = clauses.last().is_some_and(|last| last.starts_with("then it happens"));
        let instead = if when == When::Instead && !proceeds && !left_out { " instead" } else { "" };
        let conds = conditions(if when == When::Instead && !left_out { " and" } else { ", if" }, &conds);
        format!("{once}{start}{conds}, {deed}{instead}")
    }

    /// Of a phase whose player the rule speaks of without asking who it is: "each player’s turn", and then "that player".
    fn everybodys(
        &self,
        actions: &[Key],
        guard: Option<&Expr>,
        body: &Block,
        matched: &mut Vec<(Name, String)>,
        again: &mut Vec<(Name, String)>,
    ) {
        let [action] = actions else { return };
        let action = self.words.action(action);
        let Some(by) = action.by.and_then(|by| action.params.get(by)).filter(|_| action.is_phase) else { return };
        let mut read = false;
        let mut look = |seen: Seen| {
            read = read || matches!(seen, Seen::Expr(Expr { kind: ExprKind::EventField(name), .. }) if *name == by.name);
        };
        in_block(body, &mut look);
        guard.iter().for_each(|guard| in_expr(guard, &mut look));
        if read && !matched.iter().any(|(name, _)| *name == by.name) {
            let one = match &by.ty {
                Ty::Kind(kind) => self.words.kind(kind).one,
                _ => return,
            };
            matched.push((by.name.clone(), format!("each {one}")));
            again.push((by.name.clone(), format!("that {one}")));
        }
    }

    /// In the block the parameters have their own names; what the pattern described is "that unit" now.
    fn name_event(&mut self, actions: &[Key], matched: &[(Name, String)], again: &[(Name, String)]) {
        let Some(action) = actions.first().map(|action| self.words.action(action)) else { return };
        self.event = action.clone();
        for (name, words) in matched.iter().filter(|(name, _)| !action.params.iter().any(|param| param.name == *name)) {
            let again = again.iter().find(|(has, _)| has == name).map_or(words, |(_, again)| again);
            self.fields.insert(name.clone(), again.clone());
        }
        for (n, param) in action.params.iter().enumerate() {
            if let Some((_, words)) = again.iter().find(|(name, _)| *name == param.name) {
                self.fields.insert(param.name.clone(), words.clone());
                continue;
            }
            let said = matched.iter().any(|(name, _)| *name == param.name);
            let words = match matched.iter().find(|(name, _)| *name == param.name) {
                // A thing that has a name of its own keeps it.
                Some((_, words)) if !["a ", "an ", "one of ", "another "].iter().any(|start| words.starts_with(start)) => words.clone(),
                _ => match self.any_of_type(&param.ty) {
                    // Told apart from whom it was done to.
                    Some(_) if Some(n) == action.by && !said && !self.is_player(&param.ty) => {
                        format!("the {} that did it", self.noun_of_type(&param.ty).one)
                    }
                    Some(_) => {
                        // Told apart from others of its kind in the same event.
                        let that = if self.is_player(&param.ty) { "that player".into() } else { self.noun_of_type(&param.ty).that() };
                        let taken = self.fields.values().any(|has| *has == that) || again.iter().any(|(_, has)| *has == that);
                        if taken { format!("the {}", crate::words::text::spaced(&param.name)) } else { that }
                    }
                    None => self.event_noun(&param.name),
                },
            };
            self.fields.insert(param.name.clone(), words);
        }
    }

    /// Do the words of an event tell of a parameter? What they leave out has to be said as a condition.
    pub fn speaks_of(&self, action: &ActionWords, name: &Name) -> bool {
        let is_param = action.params.iter().any(|param| param.name == *name);
        if action.clause(name).is_some() || !is_param && action.says.as_ref().is_some_and(|template| template.speaks_of(name)) {
            return true;
        }
        let Some((n, param)) = action.params.iter().enumerate().find(|(_, param)| param.name == *name) else { return false };
        Some(n) == action.by || !action.is_phase && (action.says.is_none() || param.prep.is_some() || self.mentions(action, n))
    }

    pub fn is_player(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Kind(key) => self.words.kind(key).is_player,
            Ty::Optional(inner) => self.is_player(inner),
            _ => false,
        }
    }

    /// Words for what a pattern matches, and the conditions beyond it.
    fn pattern(&mut self, actions: &[Key], guard: Option<&Expr>, matches: &[(Name, Expr)]) -> Pattern {
        let mut matched: Vec<(Name, String)> = Vec::new();
        let (mut again, mut several, mut unsaid) = (Vec::new(), Vec::new(), Vec::new());
        let action = actions.first().map(|action| self.words.action(action)).unwrap_or_default();
        let (known, rest) = {
            let speaks_of = |name: &Name| self.speaks_of(&action, name);
            roles(guard, matches, &speaks_of)
        };
        for (name, role) in known {
            let words = match role {
                Role::OneOf(want) => {
                    let words = self.one_of(want);
                    if !self.speaks_of(&action, &name) {
                        unsaid.push(format!("the {} is {words}", crate::words::text::spaced(&name)));
                    }
                    if matches!(want.ty, Ty::Set(_) | Ty::List(_)) {
                        let noun = self.noun(want);
                        again.push((name.clone(), noun.that()));
                        several.push((name.clone(), noun.several()));
                    }
                    words
                }
                Role::Is(this) => self.value(this),
                Role::You => "you".into(),
                Role::Opponent => "your opponent".into(),
                Role::Yours => self.param_noun(&action, &name).of("you").a(),
                Role::Enemys => {
                    let mut noun = self.param_noun(&action, &name);
                    noun.before.push("enemy".into());
                    noun.a()
                }
            };
            matched.push((name, words));
        }
        // Conditions speak of the event's own fields.
        let outer = (self.fields.clone(), self.event.clone());
        self.name_event(actions, &matched, &again);
        let mut conds = unsaid;
        conds.extend(rest.iter().map(|cond| self.cond(cond)));
        (self.fields, self.event) = outer;
        Pattern { matched, again, several, conds }
    }

    fn param_noun(&mut self, action: &ActionWords, name: &Name) -> super::noun::Noun {
        let ty = action.params.iter().find(|param| param.name == *name).map(|param| param.ty.clone());
        self.noun_of_type(&ty.unwrap_or(Ty::Thing))
    }

    /// What a guard alone says about the fields of an event.
    pub fn guard_matches(&mut self, action: &ActionWords, guard: Option<&Expr>) -> (Vec<(Name, String)>, Vec<String>) {
        let (mut out, mut conds): (Vec<(Name, String)>, Vec<String>) = Default::default();
        let mut nouns: Vec<(Name, super::noun::Noun)> = Vec::new();
        let mut todo: Vec<&Expr> = guard.into_iter().collect();
        while let Some(term) = todo.pop() {
            match &term.kind {
                ExprKind::And(a, b) => todo.extend([&**b, &**a]),
                // `your other units`: each word narrows the noun.
                ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) }
                    if rows.is_empty() && nouns.iter().any(|(name, _)| subject.kind == ExprKind::EventField(name.clone())) =>
                {
                    if let Some((_, noun)) = nouns.iter_mut().find(|(name, _)| subject.kind == ExprKind::EventField(name.clone())) {
                        self.with(*local, Known::Words("it".into()), |speaker| speaker.narrowed(noun, *local, body));
                    }
                }
                ExprKind::Compare(Compare::Eq, a, b) if self.is_told(action, a, &out) => {
                    if let ExprKind::EventField(name) = &a.kind {
                        let words = self.one_of(b);
                        out.push((name.clone(), words));
                    }
                }
                ExprKind::IsKind { base, kind } if self.is_told(action, base, &out) => match &base.kind {
                    ExprKind::EventField(name) if !nouns.iter().any(|(has, _)| has == name) => {
                        nouns.push((name.clone(), self.kind_noun(kind)));
                    }
                    _ => conds.push(self.cond(term)),
                },
                _ => conds.push(self.cond(term)),
            }
        }
        out.extend(nouns.into_iter().map(|(name, noun)| (name, noun.a())));
        (out, conds)
    }

    /// A field that the words of the event speak of, and of which nothing was said yet.
    fn is_told(&self, action: &ActionWords, field: &Expr, out: &[(Name, String)]) -> bool {
        matches!(&field.kind, ExprKind::EventField(name) if self.speaks_of(action, name) && !out.iter().any(|(has, _)| has == name))
    }

    /// "this unit cannot be chosen by your opponent", "this unit must be chosen before others by your opponent"
    fn cannot_choose(&mut self, lambda: &Lambda, must: bool) -> String {
        let (mut thing, mut chooser) = (None, None);
        let mut conds = Vec::new();
        let mut todo: Vec<&Expr> = vec![&lambda.body];
        while let Some(term) = todo.pop() {
            match &term.kind {
                ExprKind::Bool(true) => {}
                ExprKind::And(a, b) => todo.extend([&**b, &**a]),
                ExprKind::Compare(Compare::Eq, a, b)
                    if thing.is_none() && lambda.params.first().is_some_and(|it| a.kind == ExprKind::Local(*it)) =>
                {
                    thing = Some(self.value(b));
                }
                ExprKind::Compare(Compare::Eq, a, b) if lambda.params.get(1).is_some_and(|by| a.kind == ExprKind::Local(*by)) => {
                    chooser = Some(self.value(b));
                }
                ExprKind::IsKind { base, kind }
                    if thing.is_none() && lambda.params.first().is_some_and(|it| base.kind == ExprKind::Local(*it)) =>
                {
                    thing = Some(self.words.kind(kind).many.to_string());
                }
                _ => conds.push(term),
            }
        }
        let thing = thing.unwrap_or_else(|| self.this.clone());
        let outer = self.names.clone();
        if let Some(it) = lambda.params.first() {
            self.names.insert(*it, Known::Words(thing.clone()));
        }
        if let Some(by) = lambda.params.get(1) {
            self.names.insert(*by, Known::Words("the chooser".into()));
        }
        let conds: Vec<String> = conds.into_iter().map(|cond| self.cond(cond)).collect();
        self.names = outer;
        let by = chooser.map(|who| format!(" by {who}")).unwrap_or_default();
        let chosen = if must { "must be chosen before others" } else { "cannot be chosen" };
        format!("{thing} {chosen}{by}{}", conditions(" if", &conds))
    }
}

fn conditions(word: &str, conds: &[String]) -> String {
    if conds.is_empty() { String::new() } else { format!("{word} {}", both(conds, "and")) }
}

/// "if the target is in play, if it resists, …": two conditions of one deed are one.
fn one_condition(mut conds: Vec<String>, mut clauses: Vec<String>, body: &Block) -> (Vec<String>, Vec<String>) {
    let is_plain = |words: &str| !words.contains(" or ") && !words.contains(", ");
    let is_if = matches!(body.stmts.as_slice(), [Stmt { kind: StmtKind::If { arms, otherwise: None }, .. }] if arms.len() == 1);
    if let ([clause], true) = (clauses.as_slice(), is_if && !conds.is_empty() && conds.iter().all(|cond| is_plain(cond)))
        && let Some((cond, deed)) = clause.strip_prefix("if ").and_then(|rest| rest.split_once(", "))
        && is_plain(cond)
    {
        conds.push(cond.to_string());
        clauses = vec![deed.to_string()];
    }
    (conds, clauses)
}
