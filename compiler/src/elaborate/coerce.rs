//! Whether a value may stand where another type is wanted, and how types are called in messages.

use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Fun};
use crate::key::split_key;
use crate::names::short;
use crate::ty::{Range, Ty};

use super::Cx;
use super::cx::{error, expr};

impl<'db> Cx<'db> {
    /// Fits a value to the wanted type or reports that it cannot.
    pub(super) fn coerce(&mut self, e: Expr, want: &Ty) -> Expr {
        let span = e.span;
        match self.try_coerce(e, want) {
            Ok(e) => e,
            Err(e) => {
                // that it may be left out does not matter where something wrong was given
                let want = match want {
                    Ty::Optional(inner) => inner,
                    other => other,
                };
                if !self.told_within(span) && !self.may_be_narrower(&e.ty, want) {
                    self.report_mismatch(&e, want);
                }
                error(span)
            }
        }
    }

    pub(super) fn try_coerce(&mut self, e: Expr, want: &Ty) -> Result<Expr, Box<Expr>> {
        use Ty::*;
        if matches!(e.ty, Error) || matches!(want, Error) {
            return Ok(e);
        }
        if self.agrees(&e.ty, want) {
            return Ok(e);
        }
        let span = e.span;
        match (&e.ty, want) {
            (Unset, Optional(_)) => Ok(e),
            (_, Optional(inner)) => self.try_coerce(e, inner),
            (Rolled(_), Int(_) | Fraction | Percent) => {
                let range = match &e.ty {
                    Rolled(Some(sides)) => Range { low: Some(1), high: Some(*sides) },
                    _ => Range::default(),
                };
                Ok(expr(ExprKind::Fun(Fun::Total, vec![e]), Int(range), span))
            }
            (Rolled(_), List(t) | Set(t)) if matches!(**t, Int(_)) => Ok(e),
            (Int(_), Dice) => match e.kind {
                ExprKind::Int(n) => Ok(expr(ExprKind::Dice { count: 0, sides: 1, plus: n }, Dice, span)),
                _ => Err(Box::new(e)),
            },
            (Pile(k), Set(t) | List(t)) => {
                let k = k.clone();
                if self.agrees(&Kind(k.clone()), t) {
                    Ok(expr(ExprKind::Fun(Fun::PileCards, vec![e]), List(Box::new(Kind(k))), span))
                } else {
                    Err(Box::new(e))
                }
            }
            (Choice(k), Set(t) | List(t)) => {
                let k = k.clone();
                if self.agrees(&Kind(k.clone()), t) {
                    Ok(expr(ExprKind::Code { code: Box::new(e), args: Vec::new() }, List(Box::new(Kind(k))), span))
                } else {
                    Err(Box::new(e))
                }
            }
            // one thing where several are wanted
            (Kind(_) | Enum(_) | Keyword | Place, Set(t) | List(t)) if self.agrees(&e.ty, t) => {
                let ty = want.clone();
                Ok(expr(ExprKind::List(vec![e]), ty, span))
            }
            (Pair(_), Pair(_)) => match e.kind {
                ExprKind::Pair(a, b) => {
                    let Pair(inner) = want else { return Err(Box::new(expr(ExprKind::Pair(a, b), e.ty, span))) };
                    let a = self.try_coerce(*a, inner)?;
                    let b = self.try_coerce(*b, inner)?;
                    Ok(expr(ExprKind::Pair(Box::new(a), Box::new(b)), want.clone(), span))
                }
                _ => Err(Box::new(e)),
            },
            _ => Err(Box::new(e)),
        }
    }

    /// Whether a value of one type *is* one of the other, without any change.
    pub(super) fn agrees(&self, have: &Ty, want: &Ty) -> bool {
        use Ty::*;
        match (have, want) {
            (Error, _) | (_, Error) => true,
            (Int(_), Int(_) | Fraction) | (Target(_), Target(_)) => true,
            (Percent, Fraction) => true,
            (Rolled(_), Rolled(_)) => true,
            (Kind(a), Kind(b)) => {
                a == b
                    || self.kind(a).is_some_and(|k| {
                        // there is one kind of player in a game, whatever the libraries it is made of call it
                        k.is_a(b) || (k.roles.player && self.kind(b).is_some_and(|other| other.roles.player))
                    })
            }
            (Kind(_), Thing) => true,
            // an object of unknown kind is let through; the machine checks
            (Thing, Kind(_)) => true,
            (Set(a) | List(a), Set(b) | List(b)) => self.agrees(a, b),
            (Pair(a), Pair(b)) => self.agrees(a, b),
            (Optional(a), Optional(b)) => self.agrees(a, b),
            (Place | Pile(_), Spot) => true,
            (Pile(a), Pile(b)) => {
                a == b || a.is_empty() || b.is_empty() || self.kind(a).is_some_and(|k| k.is_a(b)) || self.kind(b).is_some_and(|k| k.is_a(a))
            }
            (Effect(_), Effect(_)) => true,
            (Event(_), Event(_)) => true,
            (Choice(a), Choice(b)) => a == b || self.kind(a).is_some_and(|k| k.is_a(b)),
            _ => have == want,
        }
    }

    /// Whether this is of a kind that could not be read as a whole.
    pub(super) fn is_vague(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Kind(k) | Ty::Pile(k) | Ty::Choice(k) => self.kind(k).is_some_and(|info| info.open),
            Ty::Set(t) | Ty::List(t) | Ty::Optional(t) => self.is_vague(t),
            _ => false,
        }
    }

    /// Both are called the same, but come from different places: the names are told apart by these.
    fn told_apart(&self, have: &Ty, want: &Ty) -> Option<(String, String)> {
        let ((Ty::Kind(a), Ty::Kind(b)) | (Ty::Enum(a), Ty::Enum(b))) = (have, want) else { return None };
        let whose = |key: &str| match split_key(key) {
            Some((module, name)) if module.starts_with('@') => format!("{} of this project", with_article(name)),
            Some((module, name)) => format!("{} of {module}", with_article(name)),
            None => with_article(key),
        };
        (a != b && short(a) == short(b)).then(|| (whose(a), whose(b)))
    }

    pub(super) fn report_mismatch(&mut self, e: &Expr, want: &Ty) {
        if self.is_vague(&e.ty) || self.is_vague(want) || self.is_enum_again(&e.ty, want) {
            return;
        }
        let (have_words, want_words) = self.told_apart(&e.ty, want).unwrap_or_else(|| (self.ty_words(&e.ty), self.ty_words(want)));
        let is = if want_words.starts_with("several ") { "are" } else { "is" };
        let mut d = Diagnostic::error("wrong-type", e.span, format!("This is {have_words}, but here {want_words} {is} wanted."));
        match (&e.kind, &e.ty, want) {
            (ExprKind::Int(n), _, Ty::Target(_)) => {
                d = d.help(format!("A target number is written `{n}+`.")).fix(format!("Write `{n}+`"), e.span, format!("{n}+"), true);
            }
            (ExprKind::Int(n), Ty::Target(_), Ty::Int(_)) => {
                d = d.help(format!("A plain number is written `{n}`.")).fix(format!("Write `{n}`"), e.span, n.to_string(), true);
            }
            (ExprKind::Int(n), Ty::Int(_), Ty::Length(_)) => {
                if let Some(sign) = self.base_sign() {
                    d = d.help(format!("A length needs its unit: `{n}{sign}`.")).fix(
                        format!("Write `{n}{sign}`"),
                        e.span,
                        format!("{n}{sign}"),
                        true,
                    );
                }
            }
            (ExprKind::Int(n), Ty::Length(_), Ty::Int(_)) => {
                let n = n / 1000;
                d = d.help("This field counts; it is not a length.").fix(format!("Write `{n}`"), e.span, n.to_string(), true);
            }
            (ExprKind::Text(text), _, Ty::Bool) if text == "true" || text == "false" => {
                d = d.help("Yes and no are written without quotes.").fix(format!("Write `{text}`"), e.span, text.to_string(), true);
            }
            (ExprKind::Text(text), _, Ty::Int(_)) if text.parse::<i64>().is_ok() => {
                d = d.help("A number is written without quotes.").fix(format!("Write `{text}`"), e.span, text.to_string(), true);
            }
            (_, Ty::Length(a), Ty::Length(b)) if a != b => {
                d.headline = format!("This length is measured as in {a}, but here lengths of {b} are wanted.");
                d = d.help("Lengths of different rule systems do not mix; convert the number by hand.");
            }
            (ExprKind::Div(..), Ty::Fraction, Ty::Int(_)) => {
                d = d.help("Say how it is rounded: `rounded down`, `rounded up` or `rounded nearest`.").fix(
                    "Round down",
                    banneret_grammar::span::Span::new(e.span.end, e.span.end),
                    " rounded down",
                    false,
                );
            }
            (_, Ty::Dice, Ty::Int(_)) => d = d.help("Write a fixed number, or roll the dice in an action or effect: `roll d6`."),
            (ExprKind::Int(n), Ty::Int(_), Ty::Text) => {
                d = d.help("Words are written in quotes.").fix("Put it in quotes", e.span, format!("\"{n}\""), true);
            }
            (ExprKind::Text(text), _, Ty::Kind(_) | Ty::Enum(_)) => {
                d = d.help("A name is written without quotes.");
                if self.known_here(text, want) {
                    d = d.fix(format!("Write `{text}`"), e.span, text.to_string(), true);
                }
            }
            (_, _, Ty::Pair(_)) => d = d.help("A pair is written with a stroke and no spaces: `6/4`."),
            (_, _, Ty::Place) => d = d.help("A place is written in parentheses: `(x, y)`."),
            (ExprKind::Text(_), _, Ty::Int(_)) => d = d.help("Write a number, without quotes."),
            (ExprKind::List(_), Ty::Set(t) | Ty::List(t), _) if self.agrees(t, want) => {
                d = d.help(format!("Write {want_words} alone, without brackets."));
            }
            (ExprKind::Int(n), Ty::Int(_), Ty::Cost) => {
                d = match self.only_resource() {
                    Some(r) => {
                        d.help(format!("Say what is paid: `{n} {r}`.")).fix(format!("Write `{n} {r}`"), e.span, format!("{n} {r}"), true)
                    }
                    None => d.help("Say what is paid, for example `2 AP`."),
                };
            }
            (_, Ty::Kind(_), Ty::Kind(_)) => d = d.help(format!("Write the name of {want_words} here.")),
            (_, Ty::Optional(inner), _) if self.agrees(inner, want) => {
                d.headline = "This may be unset.".into();
                d = d.help("Say what counts then, for example `… or 0`.");
            }
            (ExprKind::Pair(..), _, _) if !matches!(want, Ty::Pair(_)) => {
                d = d.help("`a/b` without spaces is a pair; with spaces around the stroke it divides.");
            }
            (_, _, Ty::Set(inner) | Ty::List(inner)) if self.agrees(&e.ty, inner) => {
                d = d.help("Put it in brackets: a list is written `[a, b]`.");
            }
            _ => {}
        }
        self.report(d);
    }

    /// The resource there is, if there is but one.
    pub(super) fn only_resource(&self) -> Option<smol_str::SmolStr> {
        let mut seen = crate::names::all_names(self.db, self.universe, &self.module, &|k| k == crate::items::DeclKind::Resource);
        seen.dedup_by(|a, b| a.0 == b.0);
        match seen.as_slice() {
            [(only, _)] => Some(only.clone()),
            _ => None,
        }
    }

    /// The sign of the base length of the rule system in sight.
    pub(super) fn base_sign(&self) -> Option<&'db str> {
        let Ty::Length(family) = self.length_ty() else { return None };
        let signs = crate::signature::base_signs(self.db, self.universe);
        signs.iter().find(|(name, _)| *name == family).map(|(_, sign)| sign.as_str())
    }

    /// A type as a person would call it, with its article.
    pub(super) fn ty_words(&self, ty: &Ty) -> String {
        match ty {
            Ty::Error => "something unclear".into(),
            Ty::Nothing => "nothing".into(),
            Ty::Unset => "`none`".into(),
            Ty::Bool => "yes or no".into(),
            Ty::Int(_) => "a number".into(),
            Ty::Text => "a text".into(),
            Ty::Percent => "a percentage".into(),
            Ty::Fraction => "a fraction".into(),
            Ty::Length(_) => "a length".into(),
            Ty::Target(_) => "a target number".into(),
            Ty::Dice => "dice".into(),
            Ty::Rolled(_) => "a roll".into(),
            Ty::Pair(t) => format!("a pair of {}", plural_words(self, t)),
            Ty::Set(t) | Ty::List(t) => format!("several {}", plural_words(self, t)),
            Ty::Optional(t) => format!("{} that may be unset", self.ty_words(t)),
            Ty::Enum(k) => with_article(short(k)),
            Ty::Kind(k) => with_article(short(k)),
            Ty::Thing => "a thing in play".into(),
            Ty::Pile(_) => "a pile".into(),
            Ty::Place => "a place".into(),
            Ty::Spot => "a place or pile".into(),
            Ty::Effect(_) => "an effect".into(),
            Ty::Rules => "rules".into(),
            Ty::Choice(k) => format!("a choice of {}", short(k)),
            Ty::Cost => "a cost".into(),
            Ty::Picture => "a picture".into(),
            Ty::Keyword => "a keyword".into(),
            Ty::Event(_) => "an event".into(),
            Ty::Table { .. } => "a table".into(),
        }
    }
}

fn plural_words(cx: &Cx<'_>, ty: &Ty) -> String {
    match ty {
        Ty::Kind(k) => match cx.kind(k) {
            Some(info) => info.plural.replace('_', " "),
            None => short(k).into(),
        },
        Ty::Enum(k) => several(short(k)),
        Ty::Int(_) => "numbers".into(),
        Ty::Target(_) => "target numbers".into(),
        Ty::Keyword => "keywords".into(),
        Ty::Dice => "dice".into(),
        Ty::Text => "texts".into(),
        Ty::Length(_) => "lengths".into(),
        other => cx.ty_words(other),
    }
}

/// `Ability` → `Abilities`
fn several(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}

pub(super) fn with_article(word: &str) -> String {
    let lower = word.to_lowercase();
    // "a unit", "a user": u that sounds like you
    let vowel =
        lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !lower.starts_with("uni") && !lower.starts_with("us") && !lower.starts_with("eu");
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// The same at the start of a sentence.
pub(crate) fn with_capital_article(word: &str) -> String {
    let words = with_article(word);
    format!("A{}", &words[1..])
}
