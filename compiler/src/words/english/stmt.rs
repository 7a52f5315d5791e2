//! Statements as clauses. A clause has no capital and no full stop yet, so that it can stand inside another.

use super::grammar::{base_form, third_person};
use super::roll::{DIE, RESULT, is_row};
use super::speaker::{Known, Speaker};
use crate::hir::{Block, Choose, ChooseMode, Expr, ExprKind, Local, MenuLine, Stmt, StmtKind, Target};
use crate::ty::Ty;
use crate::words::meaning::{is_read_late, is_skipped_if_unset, one_if_set, rolled};
use crate::words::text::capital;

impl Speaker<'_> {
    /// One clause for each sentence to be.
    pub fn clauses(&mut self, stmts: &[Stmt]) -> Vec<String> {
        let mut out = Vec::new();
        for (n, stmt) in stmts.iter().enumerate() {
            let before = out.len();
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    self.line = stmt.span;
                    self.named(*local, value, is_read_late(*local, value, &stmts[n + 1..]), &mut out);
                }
                _ => self.stmt(stmt, &mut out),
            }
            // What follows a table is no part of its last row.
            let after_row = before.checked_sub(1).and_then(|last| out.get(last)).is_some_and(|last| is_row(last));
            if let Some(next) = out.get_mut(before).filter(|next| after_row && !is_row(next) && !next.starts_with("then ")) {
                *next = format!("then {next}");
            }
        }
        out.retain(|clause| !clause.trim().is_empty());
        out
    }

    /// A block within a sentence.
    pub fn inline(&mut self, stmts: &[Stmt]) -> String {
        let clauses = self.clauses(stmts);
        join(&clauses)
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<String>) {
        self.line = stmt.span;
        match &stmt.kind {
            // Told with the lines that follow it.
            StmtKind::Let(..) => {}
            StmtKind::LetField(name, value) => {
                let words = self.value(value);
                self.fields.insert(name.clone(), words);
            }
            StmtKind::Assign { target, value } => {
                let clause = self.assigned(target, value, stmt.span);
                out.push(clause);
            }
            StmtKind::If { arms, otherwise } => self.branches(arms, otherwise.as_ref(), stmt, out),
            StmtKind::Table { subject, rows, otherwise } => {
                if let Some(by) = subject
                    && let Some(clauses) = self.roll_table(by, rows, otherwise.as_ref())
                {
                    out.extend(clauses);
                    return;
                }
                if let Some((local, subject)) = subject {
                    self.names.insert(*local, Known::Value(subject.clone()));
                }
                self.branches(rows, otherwise.as_ref(), stmt, out);
            }
            StmtKind::For { local, set, body } => {
                let clause = self.for_each(*local, set, body);
                out.push(clause);
            }
            StmtKind::RepeatTimes { count, body } => {
                let again = matches!(body.stmts.as_slice(), [Stmt { kind: StmtKind::Proceed, .. }]);
                let clauses = if again { Vec::new() } else { self.clauses(&body.stmts) };
                let times = match &count.kind {
                    ExprKind::Int(1) => "once".into(),
                    ExprKind::Int(2) => "twice".into(),
                    _ => format!("{} times", self.value(count)),
                };
                out.push(match clauses.as_slice() {
                    _ if again => format!("it happens {times}"),
                    // A number too long to stand first.
                    _ if times.trim_end_matches(" times").contains(' ') => {
                        format!("do this X times, where X is {}: {}", times.trim_end_matches(" times"), join(&clauses))
                    }
                    [one] => format!("{times}, {one}"),
                    _ => format!("do this {times}: {}", join(&clauses)),
                });
            }
            StmtKind::RepeatUntil { cond, body } => {
                let body = self.inline(&body.stmts);
                let cond = self.cond(cond);
                out.push(format!("{body}, and repeat this until {cond}"));
            }
            StmtKind::Repeat { body } => {
                let body = self.inline(&body.stmts);
                out.push(format!("{body}, as often as you like"));
            }
            StmtKind::Need(cond) => {
                let cond = self.cond(cond);
                out.push(format!("do this only if {cond}"));
            }
            StmtKind::Choose(choose) => {
                let clause = self.chosen(choose);
                out.push(clause);
            }
            StmtKind::Menu { by, lines } => {
                let clause = self.menu(by.as_ref(), lines);
                out.push(clause);
            }
            // The label of a single offer is only its name.
            StmtKind::May { label: _, by, head, body } => {
                let clause = self.may(by.as_ref(), *head, body);
                out.push(clause);
            }
            StmtKind::Pay { who, cost } => {
                let cost = self.value(cost);
                let clause = self.done_by(who, "pay", &cost);
                out.push(clause);
            }
            StmtKind::PayCards { cards, pile } => {
                let (cards, pile) = (self.value(cards), self.value(pile));
                out.push(format!("put {cards} into {pile}"));
            }
            StmtKind::Expr(expr) => {
                // what a rule gives in place of the result it replaces
                let is_value = !matches!(expr.ty, Ty::Nothing | Ty::Error) && !crate::lower::is_effect(expr);
                let clause = if is_value { format!("the result is {}", self.value(expr)) } else { self.deed(expr) };
                out.push(clause);
            }
            StmtKind::Alternate { local, starting, until_all_pass, body } => {
                let first = match starting {
                    Some(who) => format!(", {} first", self.value(who)),
                    None => String::new(),
                };
                let ends = if *until_all_pass { " until all pass" } else { "" };
                let body = self.with(*local, Known::Words("that player".into()), |speaker| speaker.inline(&body.stmts));
                out.push(format!("players take turns{first}{ends}: {body}"));
            }
            StmtKind::Pass => out.push("stop".into()),
            StmtKind::Proceed => out.push("then it happens as usual".into()),
            StmtKind::Together(body) => {
                let clauses = self.clauses(&body.stmts);
                out.push(format!("at the same time, {}", super::grammar::list(&clauses, "and")));
            }
            StmtKind::Todo(words) => out.push(words.to_string()),
            StmtKind::Scope { action, args, body } => {
                let with: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
                let with = if with.is_empty() { String::new() } else { format!(" with {}", super::grammar::list(&with, "and")) };
                let name = super::grammar::phase_name(crate::words::says::last(action));
                let body = self.inline(&body.stmts);
                out.push(format!("in one {name}{with}: {body}"));
            }
            StmtKind::Grant(grant) => out.extend(self.timed_grant(grant)),
            StmtKind::EventMod { field, op, value } => {
                let clause = self.event_mod(field, *op, value);
                out.push(clause);
            }
            // Lines of limits and tests have no words.
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
    }

    /// A roll is told; any other value is said where it is used.
    fn named(&mut self, local: Local, value: &Expr, fixed: bool, out: &mut Vec<String>) {
        match rolled(value) {
            Some(dice) => {
                let dice = self.thrown(dice);
                out.push(format!("roll {dice}"));
                self.names.insert(local, Known::Words(RESULT.into()));
            }
            None if matches!(value.kind, ExprKind::Emit { .. }) => {
                let clause = self.imperative(value);
                out.push(clause);
                self.names.insert(local, Known::Words(RESULT.into()));
            }
            None if fixed => {
                let words = self.value(value);
                let names = match crate::words::meaning::is_number(&value.ty) {
                    true => ["N", "M", "K", "L"].map(String::from).to_vec(),
                    false => vec![self.noun_of_type(&value.ty).that(), format!("the noted {}", self.noun_of_type(&value.ty).one)],
                };
                let name = self.untaken(names);
                out.push(if crate::words::meaning::is_number(&value.ty) {
                    format!("let {name} be {words}")
                } else {
                    format!("note {words}")
                });
                self.names.insert(local, Known::Words(name));
            }
            None => {
                self.names.insert(local, Known::Value(value.clone()));
            }
        }
    }

    fn branches(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>, stmt: &Stmt, out: &mut Vec<String>) {
        // A sentence that is skipped if something in it is unset needs no condition in words.
        if let ([(_, block)], true) = (arms, is_skipped_if_unset(arms, otherwise, stmt.span)) {
            out.extend(self.clauses(&block.stmts));
            return;
        }
        self.depth += 1;
        for (n, (cond, block)) in arms.iter().enumerate() {
            let on = if n == 0 { self.on_roll(cond) } else { None };
            let start = match (on, n) {
                (Some((dice, faces)), _) => format!("roll {dice}; on {faces}"),
                (None, 0) => format!("if {}", self.cond(cond)),
                (None, _) => format!("otherwise, if {}", self.cond(cond)),
            };
            let body = self.inline(&block.stmts);
            if !body.is_empty() {
                out.push(format!("{start}, {body}"));
            }
        }
        if let Some(block) = otherwise {
            let body = self.inline(&block.stmts);
            if !body.is_empty() {
                out.push(format!("otherwise, {body}"));
            }
        }
        self.depth -= 1;
    }

    /// "deal 1 damage to each enemy unit", or "for each enemy unit, …".
    fn for_each(&mut self, local: Local, set: &Expr, body: &Block) -> String {
        if let Some(dice) = rolled(set) {
            let dice = self.thrown(dice);
            let inner = self.with(local, Known::Words(DIE.into()), |speaker| speaker.inline(&body.stmts));
            return format!("roll {dice}; for each die, {inner}");
        }
        // It is done to the one, if there is one.
        if let Some(one) = one_if_set(set) {
            let one = self.value(one);
            return self.with(local, Known::Words(one), |speaker| speaker.inline(&body.stmts));
        }
        let noun = self.noun(set);
        if let [Stmt { kind: StmtKind::Expr(call @ Expr { kind: ExprKind::Emit { args, .. }, .. }), .. }] = body.stmts.as_slice() {
            let uses = args.iter().flatten().filter(|arg| arg.kind == ExprKind::Local(local)).count();
            if uses == 1 {
                return self.with(local, Known::Words(noun.each()), |speaker| speaker.imperative(call));
            }
        }
        let named = self.untaken(vec![noun.that(), format!("the {} in question", noun.one)]);
        self.depth += 1;
        let inner = self.with(local, Known::Words(named), |speaker| speaker.inline(&body.stmts));
        self.depth -= 1;
        format!("for {}, {inner}", noun.each())
    }

    /// "choose an enemy unit", "your opponent chooses up to 2 of their units"
    fn chosen(&mut self, choose: &Choose) -> String {
        self.depth += 1;
        let noun = self.noun(&choose.from);
        self.depth -= 1;
        let (object, again) = match (choose.mode, &choose.count) {
            (ChooseMode::One, _) => (noun.a(), noun.that()),
            (ChooseMode::Any, _) => (format!("any number of {}", noun.several()), noun.those()),
            (ChooseMode::UpTo, Some(count)) if count.kind == ExprKind::Int(1) => {
                let one = noun.single();
                let one = if one.starts_with("one of ") { one } else { format!("one {one}") };
                (format!("up to {one}"), noun.that())
            }
            (ChooseMode::UpTo, Some(count)) => (noun.counted(&format!("up to {}", self.value(count))), noun.those()),
            (ChooseMode::Exactly, Some(count)) => (noun.counted(&self.value(count)), noun.those()),
            (_, None) => (noun.several(), noun.those()),
        };
        let again = if noun.one == "number" { "that number".into() } else { again };
        let mut object = object;
        if let Some(scope) = &choose.each_once {
            object.push_str(&format!(", each once per {}", super::grant::scope_name(scope)));
        }
        if choose.secret {
            object.push_str(" in secret");
        }
        if let Some(lambda) = &choose.such_that {
            let them: Vec<(Local, String)> = lambda.params.iter().map(|them| (*them, again.clone())).collect();
            let cond = self.with_all(&them, |speaker| speaker.cond(&lambda.body));
            object.push_str(&format!(" such that {cond}"));
        }
        // No other thing is spoken of in the same way: else it has the designer's name.
        let named = format!("the {}", crate::words::text::spaced(&choose.name));
        let alone = matches!(choose.mode, ChooseMode::One)
            && noun.one != "number"
            && !self.names.values().any(|known| matches!(known, Known::Thing { first: None, .. }));
        let mut ways = vec![again];
        // The only thing that is told as chosen.
        ways.extend(alone.then(|| noun.that().replacen("that ", "the chosen ", 1)));
        ways.push(named.clone());
        let again = self.untaken(ways);
        if again == named {
            object.push_str(&format!(" ({again})"));
        }
        match &choose.into {
            Target::Local(local) => {
                self.names.insert(*local, Known::Thing { first: None, again });
            }
            Target::EventField(name) => {
                self.fields.insert(name.clone(), again);
            }
            Target::Field { .. } => {}
        }
        match &choose.by {
            Some(by) => self.done_by(by, "choose", &object),
            None => format!("choose {object}"),
        }
    }

    fn menu(&mut self, by: Option<&Expr>, lines: &[MenuLine]) -> String {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| match line.body.stmts.as_slice() {
                [] | [Stmt { kind: StmtKind::Pass, .. }] => "do nothing".into(),
                stmts => {
                    self.depth += 1;
                    let words = self.inline(stmts);
                    self.depth -= 1;
                    labelled(&line.label, words)
                }
            })
            .collect();
        let start = match by {
            Some(by) => self.done_by(by, "choose", "one"),
            None => "choose one".into(),
        };
        format!("{start}: {}", lines.join("; or "))
    }

    /// "you may pay 2 Life to draw 2 cards", "if this unit is damaged, you may draw 2 cards"
    fn may(&mut self, by: Option<&Expr>, head: usize, body: &Block) -> String {
        let who = match by {
            Some(by) => self.value(by),
            None => "you".into(),
        };
        // What it needs before anything is chosen or paid is a condition of the whole.
        let needs = body.stmts.iter().take(head).take_while(|stmt| matches!(stmt.kind, StmtKind::Need(_))).count();
        let (needed, stmts) = body.stmts.split_at(needs);
        let conds: Vec<String> = needed
            .iter()
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Need(cond) => Some(self.cond(cond)),
                _ => None,
            })
            .collect();
        let (head, rest) = stmts.split_at(head.saturating_sub(needs).min(stmts.len()));
        let pays = head.iter().all(|stmt| matches!(stmt.kind, StmtKind::Pay { .. } | StmtKind::PayCards { .. }));
        let outer = std::mem::replace(&mut self.told_others, who != "you");
        let (first, then) = (self.clauses(head), self.clauses(rest));
        self.told_others = outer;
        // Who may has been said, unless somebody else has a part in it.
        let you_too = who != "you" && first.iter().chain(&then).any(|clause| clause.starts_with("you "));
        let bare = |clauses: Vec<String>| match you_too {
            true => clauses,
            false => clauses.into_iter().map(|clause| without_subject(&clause, &who)).collect::<Vec<_>>(),
        };
        let (first, then) = (bare(first), bare(then));
        let deeds = if !pays || first.is_empty() || then.is_empty() || you_too {
            let all = [first, then].concat();
            let told_apart = you_too || !conds.is_empty() && all.len() > 1 || all.first().is_some_and(|clause| !is_command(clause));
            format!("{}{}", if told_apart { "do this: " } else { "" }, join(&all))
        } else {
            format!("{} to {}", join(&first), join(&then))
        };
        let conds = if conds.is_empty() { String::new() } else { format!("if {}, ", conds.join(" and ")) };
        format!("{conds}{who} may {deeds}")
    }

    /// "pay 2 Life", or "your opponent pays 2 Life".
    pub fn done_by(&mut self, who: &Expr, verb: &str, object: &str) -> String {
        match &who.kind {
            ExprKind::You if self.told_others => format!("you {verb} {object}"),
            ExprKind::You => format!("{verb} {object}"),
            _ => {
                let who = self.value(who);
                // Whose it is, is who does it.
                let object = object.replace(&format!("{} ", super::grammar::possessive(&who)), "their ");
                format!("{who} {} {object}", third_person(verb))
            }
        }
    }
}

/// The name of an option before what it does, unless it says the same.
fn labelled(label: &str, words: String) -> String {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    if label.is_empty() || plain(label) == plain(&words) { words } else { format!("“{label}”: {words}") }
}

/// Can it stand after "you may"? "draw 1 card" can, "this unit loses 1 health" cannot.
fn is_command(clause: &str) -> bool {
    const SUBJECTS: &[&str] = &[
        "a", "an", "the", "this", "that", "those", "each", "your", "one", "another", "all", "it", "you", "if", "until", "while", "for",
        "at", "once,", "twice,",
    ];
    let first = clause.split(' ').next().unwrap_or_default();
    !SUBJECTS.contains(&first) && !first.starts_with(|c: char| c.is_ascii_digit())
}

/// "your opponent draws 1 card" → "draw 1 card"
fn without_subject(clause: &str, who: &str) -> String {
    let Some(rest) = clause.strip_prefix(who).and_then(|rest| rest.strip_prefix(' ')) else { return clause.to_string() };
    let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
    let verb = if who == "you" { verb.to_string() } else { base_form(verb) };
    format!("{verb} {tail}").trim_end().to_string()
}

/// Clauses in one sentence; what starts with a condition begins a new one.
pub(super) fn join(clauses: &[String]) -> String {
    let mut out = String::new();
    for (n, clause) in clauses.iter().enumerate() {
        if n == 0 {
            out.push_str(clause);
        } else if is_row(clause) || ["if ", "otherwise", "until ", "while "].iter().any(|start| clause.starts_with(start)) {
            out.push_str(". ");
            out.push_str(&capital(clause));
        } else if clause.starts_with("then ") {
            let after_row = clauses.get(n - 1).is_some_and(|before| is_row(before));
            out.push_str(if after_row { ". " } else { ", " });
            out.push_str(&if after_row { capital(clause) } else { clause.clone() });
        } else {
            out.push_str(", then ");
            out.push_str(clause);
        }
    }
    out
}
