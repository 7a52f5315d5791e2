//! Expressions as German things: what has no words here is told, and never said in part.

use super::noun::{Before, Case, Group, Np};
use super::speaker::{German, Known};
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key, Local, Rounding};
use crate::ty::Ty;
use crate::words::meaning::{Narrow, Property, Reach, narrowings};
use crate::words::number;
use crate::words::text::bold;

/// "1, 2 und 3"
pub(super) fn list(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} {word} {last}", front.join(", ")),
    }
}

impl German<'_> {
    pub(super) fn value(&mut self, expr: &Expr) -> Np {
        let fixed = |words: String| Np::fixed(words);
        match &expr.kind {
            ExprKind::Int(v) => {
                let mut np = fixed(self.typed(*v, &expr.ty));
                np.sort.several = *v != 1;
                np
            }
            ExprKind::Ratio(a, b) => fixed(format!("{}/{b}", number::number(*a))),
            ExprKind::Text(text) => fixed(format!("„{text}“")),
            ExprKind::Dice { count, sides, plus } => fixed(number::dice(*count, *sides, *plus).replace('d', "W")),
            ExprKind::Member(of, name) => {
                let label = self.words.member(of, name);
                let words = self.translated(&format!("{of}.{name}"), &label).unwrap_or(label);
                fixed(words.to_string())
            }
            ExprKind::Keyword(key) => fixed(bold(&self.keyword_name(key))),
            ExprKind::Card(key) => {
                let title = self.words.card(key);
                let words = self.translated(key, &title).unwrap_or(title);
                fixed(words.to_string())
            }
            ExprKind::Local(local) => self.local(*local),
            ExprKind::EventField(name) => match self.fields.get(name) {
                Some(np) => np.clone(),
                None => self.event_noun(name).np(&Before::The, false),
            },
            ExprKind::This => self.this.clone(),
            ExprKind::Part => self.part.clone(),
            ExprKind::You => Np::you(),
            ExprKind::Opponent(of) if of.kind == ExprKind::You => {
                let noun = super::noun::Noun::read("der Gegner|die Gegner");
                noun.map_or_else(|| fixed("dein Gegner".into()), |noun| Group::new(noun).np(&Before::Owned("dein".into()), false))
            }
            ExprKind::Players | ExprKind::AllOf(_) | ExprKind::Parts { .. } | ExprKind::Each { op: EachOp::Filter, .. } => {
                self.group(expr).map_or_else(|| self.lost(expr), |group| group.all(None))
            }
            ExprKind::Game(kind) => self.kind(kind).np(&Before::The, false),
            ExprKind::Field { base, field, .. } => {
                let group = self.field_noun(field);
                self.of(base, group)
            }
            ExprKind::KeywordNumber { base, keyword } if self.own_number(base, keyword).is_some() => {
                fixed(self.own_number(base, keyword).unwrap_or_default())
            }
            ExprKind::OrElse(a, b) if matches!(b.kind, ExprKind::Int(0) | ExprKind::None) => self.value(a),
            ExprKind::Neg(a) => fixed(format!("{}{}", number::MINUS, self.value(a).subject())),
            ExprKind::Add(a, b) => self.two(a, "plus", b),
            ExprKind::Sub(a, b) => self.two(a, "minus", b),
            ExprKind::Mul(a, b) => match (&a.kind, &b.kind) {
                (ExprKind::Int(2), _) => fixed(format!("das Doppelte von {}", self.value(b).in_case(Case::Dative))),
                (_, ExprKind::Int(2)) => fixed(format!("das Doppelte von {}", self.value(a).in_case(Case::Dative))),
                _ => self.two(a, "mal", b),
            },
            ExprKind::Div(a, b, how) => {
                let whole = self.value(a);
                let part = match &b.kind {
                    ExprKind::Int(2) => format!("die Hälfte von {}", whole.in_case(Case::Dative)),
                    _ => format!("{} geteilt durch {}", whole.subject(), self.value(b).in_case(Case::Accusative)),
                };
                fixed(match how {
                    Rounding::Exact => part,
                    Rounding::Down => format!("{part} (abgerundet)"),
                    Rounding::Up => format!("{part} (aufgerundet)"),
                    Rounding::Nearest => format!("{part} (gerundet)"),
                })
            }
            // A table without rows gives a name to a value.
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.value(body))
            }
            ExprKind::List(items) if items.len() == 1 => items.first().map_or_else(|| fixed(String::new()), |one| self.value(one)),
            ExprKind::List(items) if !items.is_empty() => {
                let all: Vec<Np> = items.iter().map(|item| self.value(item)).collect();
                let cases =
                    super::noun::CASES.map(|case| list(&all.iter().map(|np| np.in_case(case).to_string()).collect::<Vec<_>>(), "und"));
                let mut np = Np { cases, ..fixed(String::new()) };
                np.sort.several = true;
                np
            }
            ExprKind::Each { op: EachOp::Sum, list, lambda } if lambda.body.kind == ExprKind::Int(1) => match self.group(list) {
                Some(group) => fixed(format!("die Anzahl {}", of_all(&group))),
                None => self.lost(expr),
            },
            ExprKind::Cost { amount, resource } => {
                let (amount, label) = (self.value(amount), self.field_label(resource));
                fixed(format!("{} {label}", amount.subject()))
            }
            ExprKind::Roll(dice) => self.value(dice),
            ExprKind::Fun(fun, args) => self.function(*fun, args, expr),
            ExprKind::Top(pile) => {
                let pile = self.value(pile);
                fixed(format!("die oberste Karte von {}", pile.in_case(Case::Dative)))
            }
            // What is wrong has been told.
            ExprKind::Error => fixed(String::new()),
            ExprKind::Bool(yes) => fixed(if *yes { "ja" } else { "nein" }.into()),
            ExprKind::None
            | ExprKind::InPlay
            | ExprKind::Opponent(_)
            | ExprKind::Option(_)
            | ExprKind::ScopeField(..)
            | ExprKind::PartNamed { .. }
            | ExprKind::IsKind { .. }
            | ExprKind::HasKeyword { .. }
            | ExprKind::KeywordNumber { .. }
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::OrElse(..)
            | ExprKind::Not(_)
            | ExprKind::Mod(..)
            | ExprKind::Compare(..)
            | ExprKind::Contains(..)
            | ExprKind::If { .. }
            | ExprKind::Table { .. }
            | ExprKind::List(_)
            | ExprKind::Each { .. }
            | ExprKind::Pair(..)
            | ExprKind::Call { .. }
            | ExprKind::Fact { .. }
            | ExprKind::Emit { .. }
            | ExprKind::Code { .. }
            | ExprKind::Past { .. }
            | ExprKind::LogField { .. } => self.lost(expr),
        }
    }

    /// There are no words for it yet.
    fn lost(&mut self, expr: &Expr) -> Np {
        self.cannot_say("this part of the rule", expr.span);
        Np::fixed("…")
    }

    fn two(&mut self, a: &Expr, word: &str, b: &Expr) -> Np {
        let (a, b) = (self.value(a), self.value(b));
        Np::fixed(format!("{} {word} {}", a.subject(), b.subject()))
    }

    fn function(&mut self, fun: Fun, args: &[Expr], whole: &Expr) -> Np {
        match (fun, args) {
            (Fun::Total | Fun::PrintedCard | Fun::PlaceOf, [one]) => self.value(one),
            (Fun::MakePlace, [x, y]) => {
                let (x, y) = (self.value(x), self.value(y));
                let point = ["der Punkt", "den Punkt", "dem Punkt", "des Punktes"]
                    .map(|point| format!("{point} ({}; {})", x.subject(), y.subject()));
                Np { cases: point, ..Np::fixed("") }
            }
            (Fun::Min, [a, b]) => Np::fixed(format!("das Kleinere von {}", self.both(a, b))),
            (Fun::Max, [a, b]) => Np::fixed(format!("das Größere von {}", self.both(a, b))),
            (Fun::Holder, [Expr { kind: ExprKind::Part, .. }]) => self.this.clone(),
            (Fun::Only, [set]) => match self.group(set) {
                Some(group) => match group.owner.clone() {
                    Some(owner) => group.np(&Before::Owned(owner), false),
                    None => group.np(&Before::The, false),
                },
                None => self.lost(whole),
            },
            _ => self.lost(whole),
        }
    }

    fn both(&mut self, a: &Expr, b: &Expr) -> String {
        let (a, b) = (self.value(a), self.value(b));
        format!("{} und {}", a.in_case(Case::Dative), b.in_case(Case::Dative))
    }

    /// "die Fertigkeit dieser Miniatur", "dein Ruhm"
    fn of(&mut self, base: &Expr, mut group: Group) -> Np {
        let owner = self.value(base);
        if owner.is_you {
            return group.np(&Before::Owned("dein".into()), false);
        }
        group.of = Some(owner.in_case(Case::Genitive).into());
        group.np(&Before::The, false)
    }

    /// A constant number by its type: "4+", "2,5″".
    pub(super) fn typed(&self, v: i64, ty: &Ty) -> String {
        match ty {
            Ty::Target(_) => format!("{v}+"),
            Ty::Percent => format!("{} %", number::number(v)),
            Ty::Length(ruleset) if ruleset == "print" => format!("{} mm", number::decimal(v)).replace('.', ","),
            Ty::Length(ruleset) => {
                let made = self.words.0.length(ruleset, v.saturating_abs());
                let made = made.unwrap_or_else(|| format!("{}″", number::decimal(v.saturating_abs()))).replace('.', ",");
                if v < 0 { format!("{}{made}", number::MINUS) } else { made }
            }
            Ty::Optional(inner) => self.typed(v, inner),
            _ => number::number(v),
        }
    }

    /// A constant that is added, with its sign; None if it is not constant.
    pub(super) fn signed(&mut self, expr: &Expr) -> Option<String> {
        let (v, ty) = match &expr.kind {
            ExprKind::Int(v) => (*v, &expr.ty),
            ExprKind::Neg(inner) => match &inner.kind {
                ExprKind::Int(v) => (v.saturating_neg(), &inner.ty),
                _ => return None,
            },
            _ => return None,
        };
        let said = self.typed(v, ty);
        Some(if said.starts_with(number::MINUS) { said } else { format!("+{said}") })
    }

    // ---- sets

    /// The noun for a set, with everything that tells its things apart. None, and told, if there are no words for it.
    pub(super) fn group(&mut self, set: &Expr) -> Option<Group> {
        match &set.kind {
            ExprKind::AllOf(kind) => Some(self.kind(kind)),
            ExprKind::Players => self.group_of_type(&set.ty),
            ExprKind::Each { op: EachOp::Filter, list, lambda } => {
                let mut group = self.group(list)?;
                if let Some(it) = lambda.params.first() {
                    self.narrowed(&mut group, *it, &lambda.body)?;
                }
                Some(group)
            }
            ExprKind::Parts { base, kind } => {
                let mut group = self.kind(kind);
                let owner = self.value(base);
                self.owned(&mut group, &owner);
                Some(group)
            }
            ExprKind::Fun(Fun::Spots, args) => {
                let [piece, length] = args.as_slice() else { return None };
                let mut group = self.group_of_type(&Ty::Place)?;
                group.behind.push(self.around(Reach::Length(length), piece));
                Some(group)
            }
            ExprKind::Fun(Fun::PileCards, args) => {
                let mut group = self.group_of_type(&set.ty)?;
                let pile = self.value(args.first()?);
                group.behind.push(format!("in {}", pile.in_case(Case::Dative)));
                Some(group)
            }
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.group(body))
            }
            _ => {
                self.cannot_say("this choice of things", set.span);
                None
            }
        }
    }

    fn owned(&mut self, group: &mut Group, owner: &Np) {
        if owner.is_you {
            group.owner = Some("dein".into());
        } else {
            group.of = Some(owner.in_case(Case::Genitive).into());
        }
    }

    /// "im Umkreis von 3″ um diese Miniatur"
    fn around(&mut self, reach: Reach, from: &Expr) -> String {
        let around = self.value(from).in_case(Case::Accusative).to_string();
        match reach {
            Reach::Length(length) => format!("im Umkreis von {} um {around}", self.value(length).in_case(Case::Dative)),
            Reach::Field(field) => {
                let label = self.field_label(field);
                let whose = self.value(from).in_case(Case::Genitive).to_string();
                format!("im Umkreis „{label}“ {whose}")
            }
        }
    }

    pub(super) fn narrowed(&mut self, group: &mut Group, it: Local, cond: &Expr) -> Option<()> {
        for property in narrowings(it, cond) {
            if self.narrow(group, &property).is_none() {
                self.cannot_say("this part of the rule", property.cond.span);
                return None;
            }
        }
        Some(())
    }

    fn narrow(&mut self, group: &mut Group, property: &Property) -> Option<()> {
        match &property.is {
            Narrow::Yours => group.owner = Some("dein".into()),
            Narrow::Of(owner) => {
                let owner = self.value(owner);
                self.owned(group, &owner);
            }
            Narrow::Enemy => group.adjectives.insert(0, "gegnerisch".into()),
            Narrow::Other => group.adjectives.insert(0, "ander".into()),
            Narrow::OtherThan(not) => {
                let not = self.value(not);
                group.behind.push(format!("außer {}", not.in_case(Case::Dative)));
            }
            Narrow::Named(card) => {
                let card = self.value(card);
                group.behind.push(format!("namens {}", card.subject()));
            }
            Narrow::Keyword(keyword, yes) => {
                let name = bold(&self.keyword_name(keyword));
                group.behind.push(format!("{} {name}", if *yes { "mit" } else { "ohne" }));
            }
            Narrow::Kind(kind) => group.noun = self.kind(kind).noun,
            Narrow::Defined(define, args, yes) => return self.narrow_defined(group, define, args, property.it, *yes),
            Narrow::Within(reach, from) => {
                let around = self.around(*reach, from);
                group.behind.push(around);
            }
            Narrow::Touching(other) => {
                let other = self.value(other);
                group.behind.push(format!("in Kontakt mit {}", other.in_case(Case::Dative)));
            }
            Narrow::Is(field, yes) => {
                let clauses = self.state_of_both(group, field, *yes)?;
                group.that.push(clauses);
            }
            Narrow::Measured { field, how, value } => match (how, self.words.field(field).says.is_some(), &value.kind) {
                (Compare::Eq, true, ExprKind::Bool(yes)) => {
                    let clauses = self.state_of_both(group, field, *yes)?;
                    group.that.push(clauses);
                }
                (_, true, _) => return None,
                (Compare::Gt | Compare::Ne, false, ExprKind::Int(0)) => {
                    let label = self.field_label(field);
                    group.behind.push(format!("mit {label} über 0"));
                }
                _ => {
                    let (label, value) = (self.field_label(field), self.value(value));
                    group.behind.push(format!("mit {label} {}", amount(*how, value.subject())));
                }
            },
            Narrow::Away { how: Compare::Gt, from, length } => {
                let (from, length) = (self.value(from), self.value(length));
                group.that.push(
                    ["ist", "sind"].map(|is| format!("mehr als {} von {} entfernt {is}", length.subject(), from.in_case(Case::Dative))),
                );
            }
            Narrow::Away { .. } | Narrow::In(_) | Narrow::Has { .. } | Narrow::Such => return None,
        }
        Some(())
    }

    /// Of a field that is yes or no, as a relative clause for one and for several.
    fn state_of_both(&mut self, group: &Group, field: &Key, yes: bool) -> Option<[String; 2]> {
        let mut of = |several: bool| {
            let who = Np { cases: std::array::from_fn(|_| String::new()), ..Np::relative(group.noun.sort(several)) };
            self.state(field, who, yes).map(|clause| clause.dependent())
        };
        Some([of(false)?, of(true)?])
    }

    /// An adjective stands before the noun, everything else in a clause behind it.
    fn narrow_defined(&mut self, group: &mut Group, define: &Key, args: &[Expr], it: Local, yes: bool) -> Option<()> {
        let words = self.words.define(define);
        let id = self.define_id(define);
        let text = self.translated(define, &id).unwrap_or_else(|| id.as_str().into());
        if args.first()?.kind != ExprKind::Local(it) {
            return None;
        }
        if !text.contains(' ') {
            if args.len() > 1 {
                return None;
            }
            match yes {
                true => group.adjectives.insert(0, text.to_string()),
                false => group.that.push(["ist", "sind"].map(|is| format!("nicht {text} {is}"))),
            }
            return Some(());
        }
        let mut of = |several: bool| {
            let who = Np { cases: std::array::from_fn(|_| String::new()), ..Np::relative(group.noun.sort(several)) };
            self.related(&words, &text, args, who, yes).map(|clause| clause.dependent())
        };
        let clauses = [of(false)?, of(true)?];
        group.that.push(clauses);
        Some(())
    }
}

/// "aller anderen Miniaturen", "deiner Miniaturen": how many of them there are is told before it.
fn of_all(group: &Group) -> String {
    match &group.owner {
        Some(_) => group.all(None).in_case(Case::Genitive).to_string(),
        None => group.np(&Before::Pointing("all"), true).in_case(Case::Genitive).to_string(),
    }
}

/// "3 oder mehr", "weniger als 3"
pub(super) fn amount(how: Compare, value: &str) -> String {
    match how {
        Compare::Eq => value.to_string(),
        Compare::Ne => format!("ungleich {value}"),
        Compare::Lt => format!("unter {value}"),
        Compare::Le => format!("höchstens {value}"),
        Compare::Gt => format!("über {value}"),
        Compare::Ge => format!("mindestens {value}"),
    }
}
