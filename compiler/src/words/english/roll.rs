//! Rolls: "roll a d6; on 5 or more, draw 1 card", and tables by a roll, with a row for each range of faces.

use super::cond::amount;
use super::speaker::{Known, Speaker};
use crate::hir::{Block, Compare, Expr, ExprKind, Local};
use crate::words::meaning::{Faces, faces, rolled};

/// How a roll is spoken of once it is told.
pub(super) const RESULT: &str = "the result";
/// The same of one die among several.
pub(super) const DIE: &str = "that die";

impl Speaker<'_> {
    /// "a d6", "2d6"
    pub fn thrown(&mut self, dice: &Expr) -> String {
        let words = self.value(dice);
        let one_die = words.strip_prefix('d').is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit()));
        if one_die { format!("a {words}") } else { words }
    }

    /// A table by a roll: the roll if it was not told yet, then its rows. None if it is another table.
    pub fn roll_table(&mut self, by: &(Local, Expr), rows: &[(Expr, Block)], otherwise: Option<&Block>) -> Option<Vec<String>> {
        let (local, subject) = by;
        let faces: Vec<String> = rows.iter().map(|(cond, _)| self.faces(*local, cond)).collect::<Option<_>>()?;
        let mut out = Vec::new();
        match rolled(subject) {
            Some(dice) => out.push(format!("roll {}", self.thrown(dice))),
            None if self.was_told(subject) => {}
            None => return None,
        }
        self.names.insert(*local, Known::Words(RESULT.into()));
        self.depth += 1;
        for (faces, (_, block)) in faces.iter().zip(rows) {
            let body = self.inline(&block.stmts);
            if !body.is_empty() {
                out.push(format!("{faces}: {body}"));
            }
        }
        if let Some(block) = otherwise {
            let body = self.inline(&block.stmts);
            if !body.is_empty() {
                out.push(format!("otherwise: {body}"));
            }
        }
        self.depth -= 1;
        Some(out)
    }

    /// The same as a value: "the result of a d6 (1: 1; 2–5: 2; 6: 3)".
    pub fn roll_value(&mut self, by: &(Local, Box<Expr>), rows: &[(Expr, Expr)], otherwise: Option<&Expr>) -> Option<String> {
        let (local, subject) = by;
        let faces: Vec<String> = rows.iter().map(|(cond, _)| self.faces(*local, cond)).collect::<Option<_>>()?;
        let start = match rolled(subject) {
            Some(dice) => format!("{RESULT} of {}", self.thrown(dice)),
            None if self.was_told(subject) => self.value(subject),
            None => return None,
        };
        self.with(*local, Known::Words(RESULT.into()), |speaker| {
            let mut parts: Vec<String> =
                faces.iter().zip(rows).map(|(faces, (_, value))| format!("{faces}: {}", speaker.value(value))).collect();
            parts.extend(otherwise.map(|value| format!("otherwise: {}", speaker.value(value))));
            Some(format!("{start} ({})", parts.join("; ")))
        })
    }

    /// Of `(roll d6) >= 5`: the dice, and "5 or more".
    pub fn on_roll(&mut self, cond: &Expr) -> Option<(String, String)> {
        let ExprKind::Compare(how, a, b) = &cond.kind else { return None };
        let dice = self.thrown(rolled(a)?);
        Some((dice, self.face(*how, b)))
    }

    fn was_told(&mut self, subject: &Expr) -> bool {
        let ExprKind::Local(local) = subject.kind else { return false };
        matches!(self.names.get(&local), Some(Known::Words(words)) if words == RESULT || words == DIE)
    }

    /// The faces a row is for: "1", "2–5", "5 or more".
    fn faces(&mut self, local: Local, cond: &Expr) -> Option<String> {
        Some(match faces(local, cond)? {
            Faces::Are(how, bound) => self.face(how, bound),
            Faces::From(low, high) => format!("{}–{}", self.value(low), self.value(high)),
            Faces::Or(a, b) => format!("{} or {}", self.faces(local, a)?, self.faces(local, b)?),
        })
    }

    fn face(&mut self, how: Compare, bound: &Expr) -> String {
        let value = self.value(bound);
        match how {
            // "4+" says it already.
            Compare::Ge if value.ends_with('+') => value,
            // "on this unit’s Nerve or more"
            Compare::Ge => format!("{value} or more"),
            Compare::Le => format!("{value} or less"),
            _ => amount(how, &value),
        }
    }
}

/// Is it a row of a table: "2–5: draw 1 card"?
pub(super) fn is_row(clause: &str) -> bool {
    let Some((faces, _)) = clause.split_once(": ") else { return false };
    let face = |word: &str| {
        ["or", "more", "less", "otherwise"].contains(&word)
            || !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || "–+".contains(c))
    };
    faces.split(' ').all(face)
}
