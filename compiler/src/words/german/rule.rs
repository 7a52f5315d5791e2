//! Rules as German sentences.

use rustc_hash::FxHashMap;

use super::noun::{Before, Case, Group, Np};
use super::speaker::German;
use super::stmt::{Said, join};
use super::value::list;
use super::verb::{Clause, Tense, Verb};
use crate::hir::{Block, Expr, ExprKind, Gives, Key, Lasts, ModOp, Name, Rule, RuleKind, Span, Stmt, StmtKind, When};
use crate::ty::Ty;
use crate::words::meaning::{Role, is_receiver, roles};
use crate::words::says::ActionWords;
use crate::words::text::{bold, sentence};

/// How an event is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// "bevor diese Miniatur angreift"
    Does,
    /// "nachdem diese Miniatur angegriffen hat"
    Has,
    Would,
    Cannot,
}

impl German<'_> {
    /// The sentences of a rule, not yet ended.
    pub(super) fn rule(&mut self, rule: &Rule) -> Vec<String> {
        match &rule.kind {
            RuleKind::Handler { when, actions, guard, once, body, matches } => {
                self.handler(*when, actions, guard.as_ref(), once.as_ref(), body, matches, rule.span).into_iter().collect()
            }
            RuleKind::Grant { giver: Some(_), .. } => {
                self.cannot_say("who gives a rule", rule.span);
                Vec::new()
            }
            RuleKind::Grant { who, set, kind, it, giver: None, gives, cond } => {
                let subject = match who {
                    None => self.this.clone(),
                    Some(_) => self.receivers(set),
                };
                let this = self.this_of(kind);
                let again = Np::pronoun(subject.sort);
                let given = self.with(*it, super::speaker::Known::Np(again), |speaker| speaker.given(&subject, gives, &this, rule.span));
                let cond = cond.as_ref().map(|cond| format!(", solange {}", self.cond(cond))).unwrap_or_default();
                given.into_iter().map(|clause| format!("{}{cond}", clause.plain())).collect()
            }
            RuleKind::Cannot { choose: Some(_), .. } => {
                self.cannot_say("who cannot be chosen", rule.span);
                Vec::new()
            }
            RuleKind::Cannot { actions, choose: None, must: _, guard, matches } => {
                let Some((matched, conds)) = self.pattern(actions, guard.as_ref(), matches) else { return Vec::new() };
                let clauses: Vec<String> = actions
                    .iter()
                    .filter_map(|action| self.event(action, &matched, Mood::Cannot, true))
                    .map(|clause| clause.plain())
                    .collect();
                vec![format!("{}{}", list(&clauses, "und"), conditions(&conds))]
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a rule")]
    fn handler(
        &mut self,
        when: When,
        actions: &[Key],
        guard: Option<&Expr>,
        once: Option<&Key>,
        body: &Block,
        matches: &[(Name, Expr)],
        span: Span,
    ) -> Option<String> {
        let outer = (self.names.clone(), self.fields.clone(), self.event.clone());
        let [action] = actions else {
            self.cannot_say("more than one event, or any", span);
            return None;
        };
        let (matched, conds) = self.pattern(actions, guard, matches)?;
        let words = self.words.action(action);
        let start = match when {
            When::AtStart | When::AtEnd => {
                let whose = words.by.and_then(|by| words.params.get(by)).and_then(|by| matched.iter().find(|(name, _)| *name == by.name));
                let phase = self.of_phase(action, whose.map(|(_, np)| np));
                format!("{} {phase}", if when == When::AtStart { "zu Beginn" } else { "am Ende" })
            }
            _ if words.is_phase => {
                self.cannot_say("a phase that is answered", span);
                return None;
            }
            When::Before => format!("bevor {}", self.event(action, &matched, Mood::Does, false)?.dependent()),
            When::After => format!("nachdem {}", self.event(action, &matched, Mood::Has, false)?.dependent()),
            When::Instead => format!("wenn {}", self.event(action, &matched, Mood::Would, false)?.dependent()),
        };
        self.name_event(action, &words, &matched, matches);
        let mut said = match self.redirected(when, action, body) {
            Some(said) => vec![said],
            None => self.clauses(&body.stmts),
        };
        (self.names, self.fields, self.event) = outer;
        let proceeds = body.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Proceed));
        if when == When::Instead && !proceeds {
            match said.first_mut() {
                Some(first) => first.instead(),
                None => said.push(Said::of(Clause::new(Some(Np::fixed("stattdessen nichts")), Vec::new(), Verb::read("geschehen")?))),
            }
        }
        // Nothing happens only where it was replaced.
        if said.is_empty() {
            self.cannot_say("a rule that does nothing", span);
        }
        let once = once.map(|scope| format!("einmal pro {}, ", self.scope(scope))).unwrap_or_default();
        let is_phase = matches!(when, When::AtStart | When::AtEnd);
        let conds = match (conds.is_empty(), is_phase) {
            (true, _) => String::new(),
            (false, _) => format!(", falls {}", conds.join(" und ")),
        };
        // "Zu Beginn des Zuges erhält …", "Bevor … , erhält …"
        let comma = if is_phase && conds.is_empty() { " " } else { ", " };
        Some(format!("{once}{start}{conds}{comma}{}", join(&said, true)))
    }

    /// What the words of an event tell of its names, and the conditions beyond it.
    #[allow(clippy::type_complexity, reason = "two lists")]
    fn pattern(&mut self, actions: &[Key], guard: Option<&Expr>, matches: &[(Name, Expr)]) -> Option<(Vec<(Name, Np)>, Vec<String>)> {
        let key = actions.first()?;
        let action = self.words.action(key);
        let speaks_of = |name: &Name| speaks_of(&action, name);
        let (known, rest) = roles(guard, matches, &speaks_of);
        let mut matched: Vec<(Name, Np)> = Vec::new();
        let mut conds = Vec::new();
        for (name, role) in known {
            let param = action.params.iter().find(|param| param.name == name);
            let of_type = |speaker: &mut Self| param.and_then(|param| speaker.group_of_type(&param.ty));
            let np = match role {
                Role::OneOf(want) => self.one_of(want),
                Role::Is(this) => self.value(this),
                Role::You => Np::you(),
                Role::Opponent => {
                    let opponent = Expr { kind: ExprKind::You, ty: Ty::Thing, span: Span::default() };
                    self.value(&Expr { kind: ExprKind::Opponent(Box::new(opponent)), ty: Ty::Thing, span: Span::default() })
                }
                Role::Yours => {
                    let mut group = of_type(self)?;
                    group.owner = Some("dein".into());
                    group.any()
                }
                Role::Enemys => {
                    let mut group = of_type(self)?;
                    group.adjectives.insert(0, "gegnerisch".into());
                    group.any()
                }
            };
            if !speaks_of(&name) {
                self.event = (key.clone(), action.clone());
                let noun = self.event_noun(&name).np(&Before::The, false);
                conds.push(format!("{} {} ist", noun.subject(), np.subject()));
            }
            matched.push((name, np));
        }
        let outer = (self.fields.clone(), self.event.clone());
        self.name_event(key, &action, &matched, matches);
        conds.extend(rest.iter().map(|cond| self.cond(cond)).collect::<Vec<_>>());
        (self.fields, self.event) = outer;
        Some((matched, conds))
    }

    /// In the block the parameters have their own names; what the pattern described is "jene Miniatur" now.
    fn name_event(&mut self, key: &Key, action: &ActionWords, matched: &[(Name, Np)], matches: &[(Name, Expr)]) {
        self.event = (key.clone(), action.clone());
        for (name, np) in matched.iter().filter(|(name, _)| !action.params.iter().any(|param| param.name == *name)) {
            self.fields.insert(name.clone(), np.clone());
        }
        let mut letter = 'B';
        for (n, param) in action.params.iter().enumerate() {
            let known = matched.iter().find(|(name, _)| *name == param.name);
            let wanted = matches.iter().find(|(name, _)| *name == param.name).map(|(_, want)| want);
            let any = wanted.is_none_or(|want| matches!(want.ty, Ty::Set(_) | Ty::List(_)));
            match (known, self.group_of_type(&param.ty).filter(|_| self.any_of_type(&param.ty).is_some())) {
                // A thing that has a name of its own keeps it.
                (Some((_, np)), _) if !any || np.is_you || np.none.is_none() => {
                    self.fields.insert(param.name.clone(), np.clone());
                }
                (_, Some(group)) => {
                    let mut ways = Vec::new();
                    if Some(n) == action.by && known.is_none() {
                        ways.push(group.again(&Before::The, Some("handelnd"), false));
                    }
                    ways.push(group.again(&Before::Pointing("jen"), None, false));
                    ways.push(group.again(&Before::The, Some("betroffen"), false));
                    let noun = group.noun.form(false, Case::Nominative).to_string();
                    ways.push(Np { sort: group.noun.sort(false), ..Np::fixed(format!("{noun} {letter}")) });
                    letter = 'C';
                    let np = self.untaken(ways);
                    self.fields.insert(param.name.clone(), np);
                }
                (_, None) => {}
            }
        }
    }

    /// The event as a clause; denied, it has "kein" or "nicht" in it. None, and told, if the catalogue has no words for it.
    pub(super) fn event(&mut self, key: &Key, matched: &[(Name, Np)], mood: Mood, denied: bool) -> Option<Clause> {
        let action = self.words.action(key);
        if action.is_phase {
            self.cannot_say("a phase that is answered", self.line);
            return None;
        }
        let find = |name: &Name| matched.iter().find(|(has, _)| has == name).map(|(_, np)| np.clone());
        let (mut words, mut subject): (FxHashMap<Name, Np>, Option<Np>) = Default::default();
        for (n, param) in action.params.iter().enumerate() {
            let mentioned = mentions(&action, n);
            let np = match find(&param.name) {
                Some(np) if Some(n) == action.by && !mentioned => {
                    subject = Some(np);
                    continue;
                }
                Some(_) if !speaks_of(&action, &param.name) => continue,
                Some(np) => np,
                // What the template leaves out is told only where it is asked about.
                None if Some(n) == action.by || action.says.is_some() && !mentioned => continue,
                None => self.any_of_type(&param.ty).unwrap_or_else(|| Np::fixed("")),
            };
            words.insert(param.name.clone(), np);
        }
        for (name, np) in matched.iter().filter(|(name, _)| speaks_of(&action, name)) {
            if action.by.and_then(|by| action.params.get(by)).is_none_or(|by| by.name != *name || mentions(&action, action.by.unwrap_or(0)))
            {
                words.entry(name.clone()).or_insert_with(|| np.clone());
            }
        }
        let mut phrase = self.phrase(key, &action, &words)?;
        if denied {
            phrase = phrase.denied();
        }
        let clause = match (subject, phrase.says_who()) {
            (None, false) => match phrase.suffered() {
                Some(clause) => clause,
                None => {
                    let anyone = action.by.and_then(|by| action.params.get(by)).and_then(|by| self.any_of_type(&by.ty));
                    phrase.done_by(Some(anyone?))
                }
            },
            (Some(who), true) => {
                let mut clause = phrase.done_by(None);
                clause.middle.insert(0, format!("durch {}", who.in_case(Case::Accusative)));
                clause
            }
            (who, _) => phrase.done_by(who),
        };
        let tense = match mood {
            Mood::Does => Tense::Present,
            Mood::Has => Tense::Perfect,
            Mood::Would => Tense::Would,
            Mood::Cannot => Tense::With("können"),
        };
        Some(super::phrase::in_tense(clause, tense))
    }

    /// "wird … stattdessen …": the event again, by the same doer and with the same amount, but to another. None if the rule does anything else.
    fn redirected(&mut self, when: When, action: &Key, body: &Block) -> Option<Said> {
        let ([Stmt { kind: StmtKind::Expr(call), .. }], When::Instead) = (body.stmts.as_slice(), when) else { return None };
        let ExprKind::Emit { action: again, args, each: None } = &call.kind else { return None };
        if again != action {
            return None;
        }
        let words = self.words.action(action);
        let mut filled: FxHashMap<Name, Np> = FxHashMap::default();
        let (mut amounts, mut changed) = (0, 0);
        for (n, param) in words.params.iter().enumerate() {
            let Some(arg) = args.get(n).and_then(Option::as_ref) else { continue };
            let same = matches!(&arg.kind, ExprKind::EventField(name) if *name == param.name);
            if Some(n) == words.by {
                if !same {
                    return None;
                }
                continue;
            }
            let np = if crate::words::meaning::is_number(&param.ty) && same {
                amounts += 1;
                Np::fixed("ebenso viel")
            } else {
                changed += usize::from(!same);
                self.value(arg)
            };
            filled.insert(param.name.clone(), np);
        }
        if words.by.is_none() || amounts != 1 || changed == 0 {
            return None;
        }
        Some(Said::of(self.phrase(action, &words, &filled)?.suffered()?))
    }

    // ---- grants

    /// Who gets it.
    pub(super) fn receivers(&mut self, set: &Expr) -> Np {
        match &set.ty {
            Ty::Set(_) | Ty::List(_) if !matches!(set.kind, ExprKind::List(_) | ExprKind::Local(_)) => {
                self.group(set).map_or_else(|| Np::fixed("…"), |group| group.all(None))
            }
            _ => self.value(set),
        }
    }

    /// "hat +1 Stärke", "kann nicht anstürmen": a clause for each verb.
    pub(super) fn given(&mut self, who: &Np, gives: &Gives, this: &Np, span: Span) -> Vec<Clause> {
        let mut has: Vec<String> = Vec::new();
        let mut clauses = Vec::new();
        for modifier in &gives.mods {
            let words = self.words.field(&modifier.field);
            let group = self.field_noun(&modifier.field);
            let said = match (&words.says, &modifier.op, &modifier.value.kind) {
                (Some(_), ModOp::Set, ExprKind::Bool(yes)) => {
                    let clause = self.state(&modifier.field, who.clone(), *yes);
                    if clause.is_none() {
                        self.cannot_say("this change", modifier.span);
                    }
                    clauses.extend(clause);
                    continue;
                }
                (_, ModOp::Add, _) if words.is_target => self.needed(&group, &modifier.value),
                (_, ModOp::Add, _) => self.signed(&modifier.value).map(|by| format!("{by} {}", group.noun.form(false, Case::Nominative))),
                (_, ModOp::Set, _) => {
                    let value = self.value(&modifier.value);
                    Some(format!("{} {}", group.noun.form(false, Case::Nominative), value.subject()))
                }
                (_, ModOp::Mul, ExprKind::Int(2)) => {
                    let mut group: Group = group;
                    group.adjectives.push("doppelt".into());
                    Some(group.np(&Before::Nothing, false).in_case(Case::Accusative).to_string())
                }
                _ => None,
            };
            match said {
                Some(said) => has.push(said),
                None => self.cannot_say("this change", modifier.span),
            }
        }
        for (keyword, number) in &gives.keywords {
            let name = self.keyword_name(keyword);
            match number {
                None => has.push(bold(&name)),
                Some(number) => match self.signed(number) {
                    Some(number) => has.push(bold(&format!("{name} {number}"))),
                    None => self.cannot_say("a number that is worked out", span),
                },
            }
        }
        if !gives.rules.is_empty() {
            self.cannot_say("rules of a card", span);
        }
        let haben = Verb::read("haben");
        if !has.is_empty() {
            clauses.extend(haben.clone().map(|verb| Clause::new(Some(who.clone()), vec![list(&has, "und")], verb)));
        }
        for rule in &gives.own {
            match &rule.kind {
                RuleKind::Cannot { actions, choose: None, must: _, matches, guard }
                    if matches.is_empty() && guard.as_ref().is_some_and(is_receiver) =>
                {
                    for action in actions {
                        clauses.extend(self.bare(action, who));
                    }
                }
                _ => {
                    let outer = (std::mem::replace(&mut self.this, this.clone()), std::mem::replace(&mut self.part, this.clone()));
                    let sentences: Vec<String> = self.rule(rule).iter().map(|said| sentence(said)).collect();
                    (self.this, self.part) = outer;
                    let quoted = format!("„{}“", sentences.join(" "));
                    clauses.extend(haben.clone().map(|verb| Clause::new(Some(who.clone()), vec![quoted], verb)));
                }
            }
        }
        clauses
    }

    /// "kann nicht anstürmen"
    fn bare(&mut self, action: &Key, who: &Np) -> Option<Clause> {
        let words = self.words.action(action);
        let mut filled: FxHashMap<Name, Np> = FxHashMap::default();
        for (n, param) in words.params.iter().enumerate().filter(|(n, _)| Some(*n) != words.by) {
            if mentions(&words, n) {
                filled.insert(param.name.clone(), self.any_of_type(&param.ty).unwrap_or_else(|| Np::fixed("")));
            }
        }
        let phrase = self.phrase(action, &words, &filled)?;
        if phrase.says_who() {
            self.cannot_say("what it cannot do", self.line);
            return None;
        }
        Some(super::phrase::in_tense(phrase.denied().done_by(Some(who.clone())), Tense::With("können")))
    }

    /// "eine um 1 bessere Fertigkeit": of a number to be reached, less is better.
    fn needed(&mut self, group: &Group, by: &Expr) -> Option<String> {
        let (by, word) = match &by.kind {
            ExprKind::Int(v) if *v < 0 => (crate::words::number::number(v.saturating_neg()), "besser"),
            ExprKind::Neg(inner) => match &inner.kind {
                ExprKind::Int(v) => (crate::words::number::number(*v), "besser"),
                _ => return None,
            },
            ExprKind::Int(v) => (crate::words::number::number(*v), "schlechter"),
            _ => return None,
        };
        let mut group = Group::new(group.noun.clone());
        group.adjectives.push(word.into());
        let said = group.np(&Before::Any, false).in_case(Case::Accusative).to_string();
        let (article, rest) = said.split_once(' ')?;
        Some(format!("{article} um {by} {rest}"))
    }

    /// "bis zum Ende des Zuges oder bis zum Beginn der nächsten Runde"
    pub(super) fn until(&mut self, first_of: &[Lasts], span: Span) -> Option<String> {
        if first_of.is_empty() {
            return Some("für den Rest des Spiels".into());
        }
        let ends: Option<Vec<String>> = first_of.iter().map(|lasts| self.lasts(lasts, span)).collect();
        ends.map(|ends| list(&ends, "oder"))
    }

    /// "bis zum Ende des Zuges"
    fn lasts(&mut self, lasts: &Lasts, span: Span) -> Option<String> {
        match lasts {
            Lasts::Until { at_end, next, scope, of } => {
                let edge = if *at_end { "bis zum Ende" } else { "bis zum Beginn" };
                let mut phase = self.phase_group(scope);
                if *next {
                    phase.adjectives.push("nächst".into());
                }
                let of = of.as_ref().map(|of| self.value(of));
                let said = match of {
                    Some(of) if of.is_you => phase.np(&Before::Owned("dein".into()), false),
                    Some(of) => {
                        phase.of = Some(of.in_case(Case::Genitive).into());
                        phase.np(&Before::The, false)
                    }
                    None => phase.np(&Before::The, false),
                };
                Some(format!("{edge} {}", said.in_case(Case::Genitive)))
            }
            Lasts::Scopes { count, scope } => {
                let (count, phase) = (self.value(count), self.phase_group(scope));
                let said = phase.np(&Before::Count(count.subject().into()), count.subject() != "1");
                Some(format!("für {}", said.in_case(Case::Accusative)))
            }
            Lasts::While(_) | Lasts::Event { .. } => {
                self.cannot_say("how long it lasts", span);
                None
            }
        }
    }

    // ---- lengths of time

    pub(super) fn phase_group(&mut self, key: &Key) -> Group {
        Group::new(self.phase(key))
    }

    /// "Zug", of "einmal pro Zug"
    pub(super) fn scope(&mut self, key: &Key) -> String {
        self.phase(key).form(false, Case::Accusative).to_string()
    }

    /// "des Zuges", "deines Zuges"
    fn of_phase(&mut self, key: &Key, whose: Option<&Np>) -> String {
        let mut group = self.phase_group(key);
        let np = match whose {
            Some(who) if who.is_you => group.np(&Before::Owned("dein".into()), false),
            Some(who) => {
                group.of = Some(who.in_case(Case::Genitive).into());
                group.np(&Before::The, false)
            }
            None => group.np(&Before::The, false),
        };
        np.in_case(Case::Genitive).into()
    }

    /// What is then so, of a name of an event that is yes or no.
    pub(super) fn event_meaning(&mut self, name: &Name) -> Option<smol_str::SmolStr> {
        let (key, action) = self.event.clone();
        let id = action.meaning(name)?.text.to_string();
        self.translated(&format!("{key}@{name}"), &id)
    }
}

fn conditions(conds: &[String]) -> String {
    if conds.is_empty() { String::new() } else { format!(", falls {}", conds.join(" und ")) }
}

/// Does the template of an action speak of a parameter?
pub(super) fn mentions(action: &ActionWords, param: usize) -> bool {
    let Some(name) = action.params.get(param).map(|param| &param.name) else { return false };
    action.says.as_ref().is_some_and(|template| template.speaks_of(name))
}

/// Do the words of an event have a place for a name? What they have none for has to be said as a condition.
pub(super) fn speaks_of(action: &ActionWords, name: &Name) -> bool {
    if action.clause(name).is_some() || action.says.as_ref().is_some_and(|template| template.speaks_of(name)) {
        return true;
    }
    action.by.and_then(|by| action.params.get(by)).is_some_and(|by| by.name == *name)
}
