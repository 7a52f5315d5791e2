//! What is done without a sentence: changes of state, and the functions that act.

use banneret_grammar::span::Span;

use super::grammar::denied;
use super::speaker::{Known, Speaker};
use crate::hir::{Expr, ExprKind, Fun, ModOp, Name, Target};
use crate::words::meaning::change;
use crate::words::number::{number, signed};
use crate::words::text::{spaced, tidy};

impl Speaker<'_> {
    /// An expression for what it does.
    pub fn deed(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Emit { .. } => self.imperative(expr),
            ExprKind::Code { code, .. } => {
                let code = self.value(code);
                format!("carry out {code}")
            }
            ExprKind::Roll(dice) => {
                let dice = self.thrown(dice);
                format!("roll {dice}")
            }
            ExprKind::Fun(fun, args) => self.act(*fun, args, expr),
            // What is wrong in it has been told.
            ExprKind::Error => String::new(),
            _ => {
                self.cannot_say("this line", expr.span);
                self.value(expr)
            }
        }
    }

    fn act(&mut self, fun: Fun, args: &[Expr], whole: &Expr) -> String {
        let words: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
        let at = |n: usize| words.get(n).map_or("it", String::as_str);
        match fun {
            Fun::Relocate => match args.get(1).map(|spot| &spot.kind) {
                Some(ExprKind::InPlay) => format!("put {} into play", at(0)),
                _ => format!("move {} to {}", at(0), at(1)),
            },
            Fun::ShuffleInto => format!("shuffle {} into {}", at(0), at(1)),
            Fun::Create => {
                let made = format!("{} {}", super::grammar::article(at(0)), at(0));
                format!("put {made} into play")
            }
            Fun::Remove => format!("remove {} from the game", at(0)),
            Fun::Become => format!("{} becomes {}", at(0), at(1)),
            Fun::Shuffle => format!("shuffle {}", at(0)),
            Fun::Win => match at(0) {
                "you" => "you win the game".into(),
                who => format!("{who} wins the game"),
            },
            Fun::DrawGame => "the game is a draw".into(),
            Fun::TakeControl => match at(1) {
                "you" => format!("you take control of {}", at(0)),
                who => format!("{who} takes control of {}", at(0)),
            },
            Fun::EndKeyword => format!("{} loses {}", at(1), at(0)),
            Fun::Attach => format!("give {} to {}", at(0), at(1)),
            _ => {
                self.cannot_say("this line", whole.span);
                tidy(&words.join(" "))
            }
        }
    }

    /// "this unit gains 2 Wounds", "set the amount to 0"
    pub fn assigned(&mut self, target: &Target, value: &Expr, span: Span) -> String {
        match target {
            Target::Local(local) => {
                let local = *local;
                let was = match self.names.get(&local) {
                    Some(Known::Words(words)) => words.clone(),
                    // A sum kept on the side is a procedure, not a text.
                    _ => {
                        self.cannot_say("a value that changes on the way", span);
                        return String::new();
                    }
                };
                match change(value, &|expr| expr.kind == ExprKind::Local(local)) {
                    Some((sign, by)) => {
                        let by = self.value(by);
                        format!("{} {was} by {by}", if sign { "increase" } else { "reduce" })
                    }
                    None => format!("set {was} to {}", self.value(value)),
                }
            }
            Target::EventField(name) => {
                if let ExprKind::Bool(v) = value.kind {
                    return self.event_is(name, v);
                }
                let name = self.event_noun(name);
                match change(value, &|expr| matches!(expr.kind, ExprKind::EventField(_))) {
                    Some((sign, by)) => {
                        let by = self.value(by);
                        format!("{} {name} by {by}", if sign { "increase" } else { "reduce" })
                    }
                    None => format!("set {name} to {}", self.value(value)),
                }
            }
            Target::Field { base, field } => {
                let label = self.words.field(field).label;
                let same = |expr: &Expr| matches!(&expr.kind, ExprKind::Field { base: of, field: it, .. } if it == field && **of == *base);
                let who = self.value(base);
                match (change(value, &same), &value.kind) {
                    (Some((sign, by)), _) => {
                        let by = self.value(by);
                        // Too long to stand before the label.
                        let (by, long) = if by.contains(' ') { ("X".into(), format!(", where X is {by}")) } else { (by, String::new()) };
                        let verb = match (sign, who.as_str()) {
                            (true, "you") => "gain",
                            (false, "you") => "lose",
                            (true, _) => "gains",
                            (false, _) => "loses",
                        };
                        format!("{who} {verb} {by} {label}{long}")
                    }
                    (None, ExprKind::Bool(v)) => match self.words.field(field).says {
                        Some(says) if says.starts_with("is ") => {
                            let rest = says.trim_start_matches("is ");
                            format!("{who} {} {rest}", if *v { "now is" } else { "is no longer" })
                        }
                        Some(says) if *v => format!("{who} now counts as one that {says}"),
                        Some(says) => format!("{who} now counts as one that {}", denied(&says)),
                        None => format!("{who} {} {label}", if *v { "gains" } else { "loses" }),
                    },
                    (None, _) => {
                        let value = self.value(value);
                        format!("set {} {label} to {value}", super::grammar::possessive(&who))
                    }
                }
            }
        }
    }

    /// "the amount is increased by 1", "the amount is doubled"
    pub fn event_mod(&mut self, field: &Name, op: ModOp, value: &Expr) -> String {
        let name = self.event_noun(field);
        let negative = match &value.kind {
            ExprKind::Int(v) if *v < 0 => Some(self.typed(v.saturating_neg(), &value.ty)),
            ExprKind::Neg(inner) => Some(self.value(inner)),
            _ => None,
        };
        match (op, &value.kind) {
            (ModOp::Add, _) => match negative {
                Some(by) => format!("{name} is reduced by {by}"),
                None => format!("{name} is increased by {}", self.value(value)),
            },
            (ModOp::Mul, ExprKind::Int(2)) => format!("{name} is doubled"),
            (ModOp::Mul, _) => format!("{name} is multiplied by {}", self.value(value)),
            (ModOp::Div | ModOp::DivDown | ModOp::DivUp | ModOp::DivNearest, by) => {
                let halved = matches!(by, ExprKind::Int(2) | ExprKind::Ratio(2, 1));
                let how = rounding(op);
                if halved { format!("{name} is halved{how}") } else { format!("{name} is divided by {}{how}", self.value(value)) }
            }
            (ModOp::Set, ExprKind::Bool(v)) => self.event_is(field, *v),
            (ModOp::Set, _) => format!("{name} becomes {}", self.value(value)),
            (ModOp::AtLeast, _) => format!("{name} is at least {}", self.value(value)),
            (ModOp::AtMost, _) => format!("{name} is at most {}", self.value(value)),
        }
    }

    /// Of a field that is yes or no: "the target is not in cover"
    fn event_is(&mut self, field: &Name, yes: bool) -> String {
        match self.meaning(field) {
            Some(words) if yes => words,
            Some(words) => denied(&words),
            None => format!("it is {}{}", if yes { "" } else { "not " }, spaced(field)),
        }
    }

    /// What a modifier gives: "+1 Power", "double Power", "Power 3".
    pub fn modifier(&mut self, label: &str, op: ModOp, value: &Expr) -> String {
        match op {
            ModOp::Add => match (self.signed_value(value), &value.kind) {
                // "Cost reduced by 1 Mana"
                (_, ExprKind::Cost { amount, resource }) => {
                    let paid = self.words.field(resource).label;
                    match &amount.kind {
                        ExprKind::Int(n) if *n < 0 => format!("{label} reduced by {} {paid}", number(n.saturating_neg())),
                        ExprKind::Neg(less) => format!("{label} reduced by {} {paid}", self.value(less)),
                        _ => format!("{label} increased by {} {paid}", self.value(amount)),
                    }
                }
                (Some(change), _) => format!("{change} {label}"),
                (None, ExprKind::Neg(inner)) => format!("{label} reduced by {}", self.value(inner)),
                (None, _) => format!("{label} increased by {}", self.value(value)),
            },
            ModOp::Mul => match &value.kind {
                ExprKind::Int(2) | ExprKind::Ratio(2, 1) => format!("double {label}"),
                _ => format!("{label} ×{}", self.value(value)),
            },
            ModOp::Div | ModOp::DivDown | ModOp::DivUp | ModOp::DivNearest => match &value.kind {
                ExprKind::Int(2) | ExprKind::Ratio(2, 1) => format!("half {label}{}", rounding(op)),
                _ => format!("{label} ÷{}{}", self.value(value), rounding(op)),
            },
            ModOp::Set => match &value.kind {
                ExprKind::Bool(true) => label.to_string(),
                ExprKind::Bool(false) => format!("no {label}"),
                ExprKind::Int(v) if *v < 0 => format!("{label} {}", signed(*v)),
                _ => {
                    let value = self.value(value);
                    format!("{label} {}{value}", if value.contains(' ') { "equal to " } else { "" })
                }
            },
            ModOp::AtLeast => format!("{label} of at least {}", self.value(value)),
            ModOp::AtMost => format!("{label} of at most {}", self.value(value)),
        }
    }
}

/// ", rounded down"
fn rounding(op: ModOp) -> &'static str {
    match op {
        ModOp::DivDown => ", rounded down",
        ModOp::DivUp => ", rounded up",
        ModOp::DivNearest => ", rounded to the nearest",
        _ => "",
    }
}
