//! Statements as German clauses, and several of them as a sentence.

use rustc_hash::FxHashMap;

use super::noun::{Before, Case, Group, Np};
use super::rule::mentions;
use super::speaker::{German, Known};
use super::value::list;
use super::verb::{Clause, Tense, Verb};
use crate::hir::{Block, Choose, ChooseMode, Expr, ExprKind, Fun, Local, MenuLine, ModOp, Name, Stmt, StmtKind, Target};
use crate::ty::Ty;
use crate::words::meaning::is_number;
use crate::words::meaning::{Faces, change, faces, is_read_late, is_skipped_if_unset, one_if_set, rolled};
use crate::words::text::capital;

/// What is said of one statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    clause: Option<Clause>,
    /// What stands behind the clause, or everything if there is none.
    rest: String,
    /// Begins a sentence of its own.
    breaks: bool,
    /// A row of a table: what follows begins a sentence too.
    row: bool,
}

impl Said {
    pub fn of(clause: Clause) -> Self {
        Self { clause: Some(clause), rest: String::new(), breaks: false, row: false }
    }

    fn with(clause: Clause, rest: String) -> Self {
        Self { rest, ..Self::of(clause) }
    }

    fn sentence(rest: String) -> Self {
        Self { clause: None, rest, breaks: true, row: false }
    }

    fn row(rest: String) -> Self {
        Self { row: true, ..Self::sentence(rest) }
    }

    pub fn plain(&self) -> String {
        format!("{}{}", self.clause.as_ref().map(Clause::plain).unwrap_or_default(), self.rest)
    }

    fn after_first(&self) -> String {
        format!("{}{}", self.clause.as_ref().map(Clause::after_first).unwrap_or_default(), self.rest)
    }

    /// It happens in place of something else.
    pub fn instead(&mut self) {
        match &mut self.clause {
            Some(clause) => clause.middle.insert(0, "stattdessen".into()),
            None => self.rest = format!("stattdessen: {}", self.rest),
        }
    }
}

/// In one sentence, as far as that goes. `front`: something stands before it already.
pub(super) fn join(all: &[Said], front: bool) -> String {
    let mut out = String::new();
    for (n, said) in all.iter().enumerate() {
        let after_row = n.checked_sub(1).and_then(|before| all.get(before)).is_some_and(|before| before.row);
        if n == 0 {
            out.push_str(&if front { said.after_first() } else { said.plain() });
        } else if said.breaks {
            out.push_str(&format!(". {}", capital(&said.plain())));
        } else if after_row {
            out.push_str(&format!(". Dann {}", said.after_first()));
        } else {
            out.push_str(&format!(", dann {}", said.after_first()));
        }
    }
    out
}

impl German<'_> {
    pub(super) fn clauses(&mut self, stmts: &[Stmt]) -> Vec<Said> {
        let mut out = Vec::new();
        for (n, stmt) in stmts.iter().enumerate() {
            self.line = stmt.span;
            match &stmt.kind {
                StmtKind::Let(local, value) => self.named(*local, value, is_read_late(*local, value, &stmts[n + 1..]), &mut out),
                _ => {
                    if self.stmt(stmt, &mut out).is_none() {
                        self.cannot_say("this line", stmt.span);
                    }
                }
            }
        }
        out
    }

    fn inline(&mut self, block: &Block) -> String {
        join(&self.clauses(&block.stmts), false)
    }

    fn command(&self, middle: Vec<String>, verb: &str) -> Option<Clause> {
        Some(Clause::new(None, middle, Verb::read(verb)?))
    }

    fn named(&mut self, local: Local, value: &Expr, fixed: bool, out: &mut Vec<Said>) {
        match rolled(value) {
            Some(dice) => {
                let dice = self.thrown(dice);
                out.extend(self.command(vec![dice.in_case(Case::Accusative).into()], "werfen").map(Said::of));
                self.names.insert(local, Known::Np(Np::fixed("das Ergebnis")));
            }
            None if fixed || matches!(value.kind, ExprKind::Emit { .. }) => {
                let np = self.value(value);
                let ways = ["N", "M", "K", "L"].map(Np::fixed).to_vec();
                let name = self.untaken(ways);
                if !is_number(&value.ty) || matches!(value.kind, ExprKind::Emit { .. }) {
                    self.cannot_say("a value that is kept", value.span);
                }
                out.push(Said::sentence(format!("{} ist {}", name.subject(), np.subject())));
                self.names.insert(local, Known::Np(name));
            }
            None => {
                self.names.insert(local, Known::Value(value.clone()));
            }
        }
    }

    /// None if there are no words for it.
    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Said>) -> Option<()> {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                if let ([(_, block)], true) = (arms.as_slice(), is_skipped_if_unset(arms, otherwise.as_ref(), stmt.span)) {
                    out.extend(self.clauses(&block.stmts));
                    return Some(());
                }
                self.depth += 1;
                for (n, (cond, block)) in arms.iter().enumerate() {
                    let start = match self.on_roll(cond).filter(|_| n == 0) {
                        Some((dice, faces)) => format!("wirf {}; bei {faces}", dice.in_case(Case::Accusative)),
                        None => format!("{}falls {},", if n == 0 { "" } else { "andernfalls, " }, self.cond(cond)),
                    };
                    let body = join(&self.clauses(&block.stmts), true);
                    out.push(Said::sentence(format!("{start} {body}")));
                }
                if let Some(block) = otherwise {
                    let body = join(&self.clauses(&block.stmts), true);
                    out.push(Said::sentence(format!("andernfalls {body}")));
                }
                self.depth -= 1;
            }
            StmtKind::Table { subject: Some(by), rows, otherwise } => self.roll_table(by, rows, otherwise.as_ref(), out)?,
            StmtKind::For { local, set, body } => {
                let said = self.for_each(*local, set, body)?;
                out.extend(said);
            }
            StmtKind::RepeatTimes { count, body } => {
                let times = self.value(count);
                let inner = self.inline(body);
                let clause = self.command(vec!["Folgendes".into(), format!("{}-mal", times.subject())], "aus|führen")?;
                out.push(Said::with(clause, format!(": {inner}")));
                (!times.subject().contains(' ')).then_some(())?;
            }
            StmtKind::Choose(choose) => {
                let said = self.chosen(choose)?;
                out.push(said);
            }
            StmtKind::Menu { by, lines } => {
                let said = self.menu(by.as_ref(), lines)?;
                out.push(said);
            }
            StmtKind::May { label: _, by, head, body } => {
                let said = self.may(by.as_ref(), *head, body)?;
                out.push(said);
            }
            StmtKind::Pay { who, cost } => {
                let (who, cost) = (self.value(who), self.value(cost));
                let clause = self.command(vec![cost.in_case(Case::Accusative).into()], "zahlen")?;
                out.push(Said::of(Clause { subject: (!who.is_you).then_some(who), ..clause }));
            }
            StmtKind::Expr(expr) => {
                let said = self.deed(expr)?;
                out.push(said);
            }
            StmtKind::Grant(grant) => {
                let who = self.receivers(&grant.targets);
                let this = self.group_of_type(&grant.targets.ty).map(|group| group.again(&Before::Pointing("dies"), None, false));
                let taken: Vec<(Local, Np)> = grant.captures.iter().map(|(local, value)| (*local, self.value(value))).collect();
                for (local, np) in taken {
                    self.names.insert(local, Known::Np(np));
                }
                let lasts = self.until(&grant.lasts, stmt.span)?;
                for mut clause in self.given(&who, &grant.gives, &this.unwrap_or_else(|| self.this.clone()), stmt.span) {
                    clause.middle.insert(0, lasts.clone());
                    out.push(Said::of(clause));
                }
            }
            StmtKind::EventMod { field, op, value } => {
                let said = self.event_mod(field, *op, value)?;
                out.push(said);
            }
            StmtKind::Assign { target, value } => {
                let said = self.assigned(target, value)?;
                out.push(said);
            }
            StmtKind::Proceed => {
                out.push(Said::of(Clause::new(Some(Np::fixed("es")), vec!["wie gewohnt".into()], Verb::read("geschehen")?)))
            }
            StmtKind::Todo(words) => out.push(Said::sentence(words.to_string())),
            // Told with the lines that follow it.
            StmtKind::Let(..) => {}
            StmtKind::LetField(..)
            | StmtKind::Table { subject: None, .. }
            | StmtKind::RepeatUntil { .. }
            | StmtKind::Repeat { .. }
            | StmtKind::Need(_)
            | StmtKind::PayCards { .. }
            | StmtKind::Alternate { .. }
            | StmtKind::Pass
            | StmtKind::Together(_)
            | StmtKind::Scope { .. } => return None,
            // Lines of limits and tests: no card has them.
            StmtKind::Blame { .. }
            | StmtKind::Given { .. }
            | StmtKind::GivenFact { .. }
            | StmtKind::Dice(_)
            | StmtKind::Answers(_)
            | StmtKind::Expect { .. }
            | StmtKind::ExpectIllegal { .. }
            | StmtKind::Refused { .. }
            | StmtKind::Measure { .. } => {}
        }
        Some(())
    }

    fn for_each(&mut self, local: Local, set: &Expr, body: &Block) -> Option<Vec<Said>> {
        if rolled(set).is_some() {
            return None;
        }
        // It is done to the one, if there is one.
        if let Some(one) = one_if_set(set) {
            let np = self.value(one);
            return Some(self.with(local, Known::Np(np), |speaker| speaker.clauses(&body.stmts)));
        }
        let known = matches!(set.kind, ExprKind::Local(_) | ExprKind::EventField(_));
        let (each, again) = if known {
            let group = self.group_of_type(&set.ty)?;
            (self.known_each(set), group)
        } else {
            let group = self.group(set)?;
            (group.each(), group)
        };
        if let [Stmt { kind: StmtKind::Expr(call @ Expr { kind: ExprKind::Emit { args, .. }, .. }), .. }] = body.stmts.as_slice() {
            let uses = args.iter().flatten().filter(|arg| arg.kind == ExprKind::Local(local)).count();
            if uses == 1 {
                return self.with(local, Known::Np(each), |speaker| Some(vec![speaker.deed(call)?]));
            }
        }
        let named =
            self.untaken(vec![again.again(&Before::Pointing("jen"), None, false), again.again(&Before::The, Some("jeweilig"), false)]);
        self.depth += 1;
        let inner = self.with(local, Known::Np(named), |speaker| speaker.inline(body));
        self.depth -= 1;
        let clause = self.command(vec!["für".into(), each.in_case(Case::Accusative).into(), "Folgendes".into()], "aus|führen")?;
        Some(vec![Said::with(clause, format!(": {inner}"))])
    }

    /// "jede jener Miniaturen"
    fn known_each(&mut self, set: &Expr) -> Np {
        let all = self.value(set);
        let sort = super::noun::Sort { several: false, ..all.sort };
        let cases = super::noun::CASES.map(|case| format!("jed{} {}", sort.strong(case), all.in_case(Case::Genitive)));
        Np { cases, sort, is_you: false, none: None }
    }

    fn chosen(&mut self, choose: &Choose) -> Option<Said> {
        if choose.such_that.is_some() || choose.each_once.is_some() || choose.secret {
            return None;
        }
        self.depth += 1;
        let group = self.group(&choose.from);
        self.depth -= 1;
        let group = group?;
        let (object, several) = match (choose.mode, &choose.count) {
            (ChooseMode::One, _) => (group.any(), false),
            (ChooseMode::Any, _) => (group.all(Some("beliebig viele")), true),
            (ChooseMode::UpTo, Some(count)) if count.kind == ExprKind::Int(1) => {
                let one = group.any();
                let cases = super::noun::CASES.map(|case| format!("bis zu {}", one.in_case(case)));
                (Np { cases, none: None, ..one }, false)
            }
            (ChooseMode::UpTo, Some(count)) => {
                let count = format!("bis zu {}", self.value(count).subject());
                (group.all(Some(&count)), true)
            }
            (ChooseMode::Exactly, Some(count)) => {
                let count = self.value(count).subject().to_string();
                (group.all(Some(&count)), true)
            }
            (_, None) => return None,
        };
        let alone = !self.names.values().any(|known| matches!(known, Known::Np(_)));
        let mut ways = Vec::new();
        if alone {
            ways.push(group.again(&Before::The, Some("gewählt"), several));
        }
        ways.push(group.again(&Before::Pointing("jen"), None, several));
        let noun = group.noun.form(several, Case::Nominative).to_string();
        ways.extend(["A", "B", "C"].map(|letter| Np { sort: group.noun.sort(several), ..Np::fixed(format!("{noun} {letter}")) }));
        let again = self.untaken(ways);
        let mut middle = vec![object.in_case(Case::Accusative).to_string()];
        if again.subject().starts_with(&noun) {
            middle.push(format!("({})", again.subject()));
        }
        match &choose.into {
            Target::Local(local) => {
                self.names.insert(*local, Known::Np(again));
            }
            Target::EventField(name) => {
                self.fields.insert(name.clone(), again);
            }
            Target::Field { .. } => return None,
        }
        let by = match &choose.by {
            Some(by) => Some(self.value(by)).filter(|who| !who.is_you),
            None => None,
        };
        Some(Said::of(Clause { subject: by, ..self.command(middle, "wählen")? }))
    }

    fn menu(&mut self, by: Option<&Expr>, lines: &[MenuLine]) -> Option<Said> {
        let mut said = Vec::new();
        for line in lines {
            let words = match line.body.stmts.as_slice() {
                [] | [Stmt { kind: StmtKind::Pass, .. }] => "tue nichts".into(),
                _ => {
                    self.depth += 1;
                    let words = self.inline(&line.body);
                    self.depth -= 1;
                    words
                }
            };
            said.push(words);
        }
        let by = match by {
            Some(by) => Some(self.value(by)).filter(|who| !who.is_you),
            None => None,
        };
        let clause = Clause { subject: by, ..self.command(vec!["eines".into()], "wählen")? };
        Some(Said::with(clause, format!(": {}", said.join("; oder "))))
    }

    /// "du darfst diese Miniatur bis zu 2″ bewegen"
    fn may(&mut self, by: Option<&Expr>, _head: usize, body: &Block) -> Option<Said> {
        let who = match by {
            Some(by) => self.value(by),
            None => Np::you(),
        };
        if body.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Need(_))) {
            return None;
        }
        let all = self.clauses(&body.stmts);
        match all.as_slice() {
            [Said { clause: Some(clause), rest, .. }]
                if clause.tense == Tense::Present && (clause.is_command() && who.is_you || clause.subject.as_ref() == Some(&who)) =>
            {
                Some(Said::with(Clause { subject: Some(who), tense: Tense::With("dürfen"), ..clause.clone() }, rest.clone()))
            }
            // What you do is not what somebody else may do.
            _ if !who.is_you && all.iter().any(|said| said.clause.as_ref().is_none_or(Clause::is_command)) => None,
            _ => {
                let clause = Clause::new(Some(who), vec!["Folgendes".into()], Verb::read("tun")?);
                Some(Said::with(Clause { tense: Tense::With("dürfen"), ..clause }, format!(": {}", join(&all, false))))
            }
        }
    }

    // ---- deeds

    pub(super) fn deed(&mut self, expr: &Expr) -> Option<Said> {
        match &expr.kind {
            ExprKind::Emit { action, args, each } => {
                let words = self.words.action(action);
                if words.is_phase {
                    return None;
                }
                let mut filled: FxHashMap<Name, Np> = FxHashMap::default();
                let mut long: Vec<String> = Vec::new();
                for (n, param) in words.params.iter().enumerate() {
                    let Some(Some(arg)) = args.get(n) else { continue };
                    let np = match &arg.kind {
                        _ if *each == Some(n) => self.group(arg)?.each(),
                        ExprKind::Bool(yes) if words.meaning(&param.name).is_some() => {
                            let id = words.meaning(&param.name)?.text.to_string();
                            let said = self.translated(&format!("{action}@{}", param.name), &id)?;
                            Np::fixed(if *yes { said.to_string() } else { format!("nicht {said}") })
                        }
                        ExprKind::EventField(_) if is_number(&arg.ty) => Np::fixed("ebenso viel"),
                        _ => {
                            let np = match &arg.ty {
                                Ty::Set(_) | Ty::List(_) if !matches!(arg.kind, ExprKind::List(_) | ExprKind::Local(_)) => {
                                    self.group(arg)?.all(None)
                                }
                                _ => self.value(arg),
                            };
                            let is_long = (is_number(&arg.ty) || is_number(&param.ty)) && np.subject().contains(' ');
                            if is_long {
                                let letter = ["X", "Y", "Z"].get(long.len()).copied()?;
                                long.push(format!("{letter} {} ist", np.subject()));
                                Np::fixed(letter)
                            } else {
                                np
                            }
                        }
                    };
                    filled.insert(param.name.clone(), np);
                }
                let by = words.by.filter(|by| !mentions(&words, *by));
                let subject = match by.and_then(|by| args.get(by)).and_then(Option::as_ref) {
                    Some(arg) if arg.kind != ExprKind::You => {
                        by.and_then(|by| words.params.get(by)).and_then(|by| filled.get(&by.name)).cloned()
                    }
                    _ => None,
                };
                let phrase = self.phrase(action, &words, &filled)?;
                let mut clause = phrase.done_by(subject.clone());
                if let (true, Some(who)) = (phrase.says_who(), subject) {
                    clause.middle.insert(0, format!("durch {}", who.in_case(Case::Accusative)));
                }
                let rest = if long.is_empty() { String::new() } else { format!(", wobei {}", list(&long, "und")) };
                Some(Said::with(clause, rest))
            }
            ExprKind::Fun(Fun::Remove, args) => {
                let np = self.value(args.first()?);
                Some(Said::of(self.command(vec![np.in_case(Case::Accusative).into(), "aus dem Spiel".into()], "entfernen")?))
            }
            // What is wrong in it has been told.
            ExprKind::Error => Some(Said::sentence(String::new())),
            _ => None,
        }
    }

    /// "erhöhe den Schaden um 1": of what an event is about.
    fn event_mod(&mut self, field: &Name, op: ModOp, value: &Expr) -> Option<Said> {
        let action = self.event.1.clone();
        // Of a field that is yes or no: what is then so.
        if let (ModOp::Set, ExprKind::Bool(yes), Some(_)) = (op, &value.kind, action.meaning(field)) {
            let text = self.event_meaning(field)?;
            let (what, verb) = text.rsplit_once(' ')?;
            let (who, rest) = what.split_once(' ').map_or((what, ""), |(who, rest)| (who, rest));
            let not = if *yes { "" } else { "nicht " };
            return Some(Said::of(Clause::new(Some(Np::fixed(who)), vec![format!("{not}{rest}")], Verb::read(verb)?)));
        }
        let group = self.event_noun(field);
        let np = group.np(&Before::The, false);
        let negative = match &value.kind {
            ExprKind::Int(v) if *v < 0 => Some(self.typed(v.saturating_neg(), &value.ty)),
            ExprKind::Neg(inner) => Some(self.value(inner).subject().to_string()),
            _ => None,
        };
        let by = self.value(value);
        let (what, verb) = match (op, negative, &value.kind) {
            (ModOp::Add, Some(by), _) => (format!("um {by}"), "senken"),
            (ModOp::Add, None, _) => (format!("um {}", by.subject()), "erhöhen"),
            (ModOp::Mul, _, ExprKind::Int(2)) => (String::new(), "verdoppeln"),
            (ModOp::DivDown, _, ExprKind::Int(2)) => ("(abgerundet)".into(), "halbieren"),
            (ModOp::DivUp, _, ExprKind::Int(2)) => ("(aufgerundet)".into(), "halbieren"),
            (ModOp::Set, _, _) => (format!("auf {}", by.subject()), "setzen"),
            (ModOp::AtLeast, _, _) => {
                return Some(Said::of(Clause::new(Some(np), vec![format!("mindestens {}", by.subject())], Verb::read("betragen")?)));
            }
            (ModOp::AtMost, _, _) => {
                return Some(Said::of(Clause::new(Some(np), vec![format!("höchstens {}", by.subject())], Verb::read("betragen")?)));
            }
            _ => return None,
        };
        Some(Said::of(self.command(vec![np.in_case(Case::Accusative).into(), what], verb)?))
    }

    fn assigned(&mut self, target: &Target, value: &Expr) -> Option<Said> {
        let Target::Field { base, field } = target else { return None };
        let who = self.value(base);
        if let ExprKind::Bool(yes) = value.kind {
            return Some(Said::of(self.state(field, who, yes)?));
        }
        let same = |expr: &Expr| matches!(&expr.kind, ExprKind::Field { base: of, field: it, .. } if it == field && **of == *base);
        let (grows, by) = change(value, &same)?;
        let (by, label) = (self.value(by), self.field_label(field));
        let clause = self.command(vec![by.subject().into(), label], if grows { "erhalten" } else { "verlieren" })?;
        Some(Said::of(Clause { subject: Some(who), ..clause }))
    }

    // ---- dice

    /// "einen W6", "2W6"
    pub(super) fn thrown(&mut self, dice: &Expr) -> Np {
        let words = self.value(dice);
        let Some(sides) = words.subject().strip_prefix('W').filter(|sides| sides.starts_with(|c: char| c.is_ascii_digit())) else {
            return words;
        };
        let noun = format!("W{sides}");
        let cases =
            [("ein", &noun), ("einen", &noun), ("einem", &noun), ("eines", &noun)].map(|(article, noun)| format!("{article} {noun}"));
        Np { cases, ..words }
    }

    /// Of `(roll d6) >= 5`: the dice, and "5 oder mehr".
    fn on_roll(&mut self, cond: &Expr) -> Option<(Np, String)> {
        let ExprKind::Compare(how, a, b) = &cond.kind else { return None };
        let dice = self.thrown(rolled(a)?);
        Some((dice, super::cond::face(*how, self.value(b).subject())))
    }

    fn roll_table(&mut self, by: &(Local, Expr), rows: &[(Expr, Block)], otherwise: Option<&Block>, out: &mut Vec<Said>) -> Option<()> {
        let (local, subject) = by;
        let faces: Vec<String> = rows.iter().map(|(cond, _)| self.faces(*local, cond)).collect::<Option<_>>()?;
        let dice = self.thrown(rolled(subject)?);
        out.push(Said::of(self.command(vec![dice.in_case(Case::Accusative).into()], "werfen")?));
        self.names.insert(*local, Known::Np(Np::fixed("das Ergebnis")));
        self.depth += 1;
        for (faces, (_, block)) in faces.iter().zip(rows) {
            let body = self.inline(block);
            if !body.is_empty() {
                out.push(Said::row(format!("{faces}: {body}")));
            }
        }
        if let Some(block) = otherwise {
            let body = self.inline(block);
            if !body.is_empty() {
                out.push(Said::row(format!("sonst: {body}")));
            }
        }
        self.depth -= 1;
        Some(())
    }

    fn faces(&mut self, local: Local, cond: &Expr) -> Option<String> {
        Some(match faces(local, cond)? {
            Faces::Are(how, bound) => super::cond::face(how, self.value(bound).subject()),
            Faces::From(low, high) => format!("{}–{}", self.value(low).subject(), self.value(high).subject()),
            Faces::Or(a, b) => format!("{} oder {}", self.faces(local, a)?, self.faces(local, b)?),
        })
    }

    // ---- effects of a card

    /// The clauses of an effect. What is chosen for it and spoken of only in a branch is chosen before: that comes first.
    pub(super) fn effect(&mut self, stmts: &[Stmt]) -> Vec<String> {
        let mut chosen: Vec<String> = Vec::new();
        loop {
            let (names, unsaid) = (self.names.clone(), self.unsaid.len());
            self.mentioned.clear();
            self.late.clear();
            let said = self.clauses(stmts);
            let Some(local) = self.late.first().copied() else {
                chosen.extend(said.iter().map(Said::plain));
                return chosen;
            };
            self.unsaid.truncate(unsaid);
            self.names = names;
            if let Some(Known::Later { first, again }) = self.names.get(&local).cloned() {
                chosen.push(format!("wähle {}", first.in_case(Case::Accusative)));
                self.names.insert(local, Known::Np(again));
            } else {
                return chosen;
            }
        }
    }

    /// A parameter of an effect: what the card's choice of that name offers, or what the parameter is called.
    pub(super) fn parameter(&mut self, param: Local, choice: Option<&Expr>, ty: Option<&Ty>) {
        let known = match choice.and_then(|set| self.group(set)) {
            Some(group) => Known::Later { first: group.any(), again: group.again(&Before::The, Some("gewählt"), false) },
            None => {
                let group: Option<Group> = ty.and_then(|ty| self.group_of_type(ty));
                Known::Np(group.map_or_else(|| Np::fixed("das Ziel"), |group| group.again(&Before::The, Some("betroffen"), false)))
            }
        };
        self.names.insert(param, known);
    }
}
