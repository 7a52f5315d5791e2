//! Expressions as words: things, numbers, amounts.

use super::grammar::{is_long, list, plural, possessive, with_article};
use super::noun::Noun;
use super::speaker::{Known, Speaker};
use crate::hir::{EachOp, Expr, ExprKind, Fun, Lambda, Rounding};
use crate::ty::Ty;
use crate::words::meaning::past_of;
use crate::words::number::{dice, number};
use crate::words::says::last;
use crate::words::text::{bold, spaced};

impl Speaker<'_> {
    pub fn value(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::None => "nothing".into(),
            ExprKind::Bool(v) => if *v { "yes" } else { "no" }.into(),
            ExprKind::Int(v) => self.typed(*v, &expr.ty),
            ExprKind::Ratio(a, b) => format!("{}/{b}", number(*a)),
            ExprKind::Text(text) => format!("“{text}”"),
            ExprKind::Dice { count, sides, plus } => dice(*count, *sides, *plus),
            ExprKind::Member(of, name) => self.words.member(of, name).to_string(),
            ExprKind::Keyword(key) => bold(&self.words.keyword(key).name),
            ExprKind::Card(key) => self.words.card(key).to_string(),
            ExprKind::InPlay => "play".into(),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::EventField(name) => match self.fields.get(name) {
                Some(words) => words.clone(),
                None => self.event_noun(name),
            },
            ExprKind::This => self.this.clone(),
            ExprKind::Part => self.part.clone(),
            ExprKind::You => "you".into(),
            ExprKind::Players => "all players".into(),
            ExprKind::Opponent(of) => {
                let of = self.value(of);
                format!("{} opponent", possessive(&of))
            }
            ExprKind::Game(kind) => format!("the {}", self.words.kind(kind).one),
            ExprKind::Option(key) => format!("the {}", spaced(last(key))),
            ExprKind::ScopeField(key, name) => format!("the {} of the {}", spaced(name), spaced(last(key))),
            ExprKind::Field { base, field, .. } => {
                let label = self.words.field(field).label;
                self.of(base, &label)
            }
            ExprKind::PartNamed { base, name } => match base.kind {
                ExprKind::This => format!("the {}", spaced(name)),
                _ => self.of(base, &spaced(name)),
            },
            ExprKind::KeywordNumber { base, keyword } if self.own_number(base, keyword).is_some() => {
                self.own_number(base, keyword).unwrap_or_default()
            }
            ExprKind::KeywordNumber { base, keyword } => {
                let name = bold(&self.words.keyword(keyword).name);
                self.of(base, &name)
            }
            ExprKind::Parts { .. } | ExprKind::AllOf(_) | ExprKind::Each { op: EachOp::Filter, .. } => self.several(expr),
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Contains(..)
            | ExprKind::IsKind { .. }
            | ExprKind::HasKeyword { .. } => {
                let cond = self.cond(expr);
                format!("whether {cond}")
            }
            ExprKind::OrElse(a, b) => match &b.kind {
                ExprKind::Int(0) | ExprKind::None => self.value(a),
                ExprKind::List(items) if items.is_empty() => self.value(a),
                _ => format!("{}, or {}", self.value(a), self.value(b)),
            },
            ExprKind::Neg(a) => format!("{}{}", crate::words::number::MINUS, self.value(a)),
            ExprKind::Add(a, b) => format!("{} plus {}", self.value(a), self.value(b)),
            ExprKind::Sub(a, b) => format!("{} minus {}", self.value(a), self.value(b)),
            ExprKind::Mul(a, b) => self.times(a, b),
            ExprKind::Div(a, b, how) => {
                let whole = self.value(a);
                let part = match &b.kind {
                    ExprKind::Int(2) => format!("half of {whole}"),
                    ExprKind::Int(3) => format!("a third of {whole}"),
                    _ => format!("{whole} divided by {}", self.value(b)),
                };
                match how {
                    Rounding::Exact => part,
                    Rounding::Down => format!("{part}, rounded down"),
                    Rounding::Up => format!("{part}, rounded up"),
                    Rounding::Nearest => format!("{part}, rounded to the nearest"),
                }
            }
            ExprKind::Mod(a, b) => format!("the rest of {} divided by {}", self.value(a), self.value(b)),
            ExprKind::If { arms, otherwise } => self.choice_of(arms, Some(otherwise)),
            // A table without rows gives a name to a value.
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() => {
                self.with(*local, Known::Value((**subject).clone()), |speaker| speaker.value(body))
            }
            ExprKind::Table { subject: Some(by), rows, otherwise } => match self.roll_value(by, rows, otherwise.as_deref()) {
                Some(words) => words,
                None => self.with(by.0, Known::Value((*by.1).clone()), |speaker| speaker.choice_of(rows, otherwise.as_deref())),
            },
            ExprKind::Table { subject: None, rows, otherwise } => self.choice_of(rows, otherwise.as_deref()),
            ExprKind::List(items) if items.is_empty() => "nothing".into(),
            ExprKind::List(items) => {
                let words: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                list(&words, "and")
            }
            ExprKind::Each { op, list, lambda } => self.over(*op, list, lambda),
            ExprKind::Fun(fun, args) => self.function(*fun, args, expr),
            ExprKind::Cost { amount, resource } => {
                let amount = self.value(amount);
                format!("{amount} {}", self.words.field(resource).label)
            }
            ExprKind::Pair(a, b) => format!("{}/{}", self.value(a), self.value(b)),
            ExprKind::Call { define, args } | ExprKind::Fact { fact: define, args } => self.defined(define, args),
            ExprKind::Emit { .. } => {
                let words = self.imperative(expr);
                format!("the result when you {words}")
            }
            ExprKind::Code { code, .. } => self.value(code),
            ExprKind::Roll(dice) => self.value(dice),
            ExprKind::Top(pile) => {
                let pile = self.value(pile);
                format!("the top card of {pile}")
            }
            ExprKind::Past { .. } => self.past_times(expr),
            ExprKind::LogField { field, .. } => format!("the {}", spaced(field)),
            ExprKind::Error => "…".into(),
        }
    }

    /// "this unit’s Power", "your Life"
    pub fn of(&mut self, base: &Expr, what: &str) -> String {
        let base = self.value(base);
        if is_long(&base) { format!("the {what} of {base}") } else { format!("{} {what}", possessive(&base)) }
    }

    fn times(&mut self, a: &Expr, b: &Expr) -> String {
        match (&a.kind, &b.kind) {
            (ExprKind::Int(2), _) => format!("twice {}", self.value(b)),
            (_, ExprKind::Int(2)) => format!("twice {}", self.value(a)),
            // "X steps"
            (_, ExprKind::Int(1000)) if matches!(b.ty, Ty::Length(_)) => {
                let (times, one) = (self.value(a), self.value(b));
                if times.contains(' ') { format!("{times} × {one}") } else { one.replacen('1', &times, 1) }
            }
            _ => format!("{} × {}", self.value(a), self.value(b)),
        }
    }

    /// Values by condition read badly in running text.
    fn choice_of(&mut self, rows: &[(Expr, Expr)], otherwise: Option<&Expr>) -> String {
        let mut parts: Vec<String> = rows.iter().map(|(cond, value)| format!("{} if {}", self.value(value), self.cond(cond))).collect();
        if let Some(otherwise) = otherwise {
            parts.push(format!("otherwise {}", self.value(otherwise)));
        }
        parts.join(", ")
    }

    /// Sums, extremes and the like over a set.
    fn over(&mut self, op: EachOp, set: &Expr, lambda: &Lambda) -> String {
        if let (EachOp::Sum, ExprKind::Int(1)) = (op, &lambda.body.kind) {
            if matches!(past_of(set), Some(ExprKind::Past { .. })) {
                return self.past_times(set);
            }
            let things = self.several(set);
            return format!("the number of {things}");
        }
        let noun = self.noun(set);
        let label = match (&lambda.body.kind, lambda.params.first()) {
            (ExprKind::Field { base, field, .. }, Some(it)) if base.kind == ExprKind::Local(*it) => {
                self.words.field(field).label.to_string()
            }
            (ExprKind::LogField { field, .. }, _) => spaced(field),
            (_, Some(it)) => self.with(*it, Known::Words("it".into()), |speaker| speaker.value(&lambda.body)),
            (_, None) => self.value(&lambda.body),
        };
        let label = label.strip_prefix("the ").map(str::to_string).unwrap_or(label);
        match op {
            EachOp::Sum => format!("the total {label} of {}", noun.several()),
            EachOp::MaxOf => format!("the highest {label} of {}", noun.several()),
            EachOp::MinOf => format!("the lowest {label} of {}", noun.several()),
            EachOp::Highest | EachOp::Lowest => {
                let most = if op == EachOp::Highest { "highest" } else { "lowest" };
                let one = noun.single();
                let one = if one.starts_with("one of ") { one.replacen("one of", "the one of", 1) } else { format!("the {one}") };
                format!("{one} with the {most} {label}")
            }
            EachOp::Map => format!("the {label} of {}", noun.several()),
            EachOp::SortBy => format!("{} in order of {label}", noun.several()),
            EachOp::DistinctBy => format!("{}, one for each {label}", noun.several()),
            EachOp::Connected => format!("{} that are linked by {label}", noun.several()),
            EachOp::Any => format!("any of {} with {label}", noun.several()),
            EachOp::All => format!("all of {} with {label}", noun.several()),
            EachOp::Filter => noun.several(),
        }
    }

    fn function(&mut self, fun: Fun, args: &[Expr], whole: &Expr) -> String {
        // A thing stands for the place where it is.
        let place = |arg: &Expr| match (&arg.kind, fun) {
            (ExprKind::Fun(Fun::PlaceOf, of), Fun::Toward) => of.first().cloned().unwrap_or_else(|| arg.clone()),
            _ => arg.clone(),
        };
        let words: Vec<String> = args.iter().map(|arg| self.value(&place(arg))).collect();
        let at = |n: usize| words.get(n).map_or("…", String::as_str);
        match fun {
            Fun::Min => format!("the lower of {}", list(&words, "and")),
            Fun::Max => format!("the higher of {}", list(&words, "and")),
            Fun::Clamp => format!("{}, but at least {} and at most {}", at(0), at(1), at(2)),
            Fun::Floor => format!("{}, rounded down", at(0)),
            Fun::Ceil => format!("{}, rounded up", at(0)),
            Fun::Round => format!("{}, rounded to the nearest", at(0)),
            Fun::DiceTimes => format!("{} × {}", at(0), at(1)),
            Fun::DiceOf => format!("a die with {} sides", at(0)),
            Fun::Nth => match args {
                // any one of them, by lot: `random(SET)`
                [set, Expr { kind: ExprKind::Roll(_), .. }] => format!("a random one of {}", self.value(set)),
                _ => format!("number {} of {}", at(1), at(0)),
            },
            Fun::Position => format!("the position of {} in {}", at(1), at(0)),
            Fun::DicePlus => format!("{} plus {}", at(0), at(1)),
            Fun::PercentOf => format!("{} of {}", at(0), at(1)),
            Fun::MakePair => format!("{}/{}", at(0), at(1)),
            Fun::CostTimes | Fun::CostPlus => words.join(" and "),
            Fun::Controller => format!("{} controller", possessive(at(0))),
            Fun::Owner => format!("{} owner", possessive(at(0))),
            Fun::Holder => match args.first().map(|arg| &arg.kind) {
                Some(ExprKind::Part) => self.this.clone(),
                _ => format!("the bearer of {}", at(0)),
            },
            Fun::First => format!("the first of {}", at(0)),
            Fun::Only => args.first().map(|set| self.noun(set).the_one()).unwrap_or_default(),
            Fun::Last => format!("the last of {}", at(0)),
            Fun::PileCards => format!("the cards in {}", at(0)),
            Fun::PileOf => format!("{} pile", possessive(at(0))),
            Fun::PlaceOf => format!("{} place", possessive(at(0))),
            Fun::MakePlace => format!("the point {}, {}", at(0), at(1)),
            Fun::Distance => format!("the distance between {} and {}", at(0), at(1)),
            Fun::Gap => format!("the gap between {} and {}", at(0), at(1)),
            Fun::Ahead => format!("the place {} ahead of {} at {}°", at(2), at(0), at(1)),
            Fun::Bearing => format!("the direction from {} to {}", at(0), at(1)),
            Fun::WayLength => {
                let around = list(words.get(4..).unwrap_or(&[]), "and");
                let past = if around.is_empty() { String::new() } else { format!(" around {around}") };
                format!("the length of the way of {} to {}{past}", at(0), at(1))
            }
            Fun::WayDistance => format!("the distance of {} from the way between {} and {}", at(0), at(1), at(2)),
            Fun::WayInside => format!("the part of the way between {} and {} that lies on {}", at(1), at(2), at(0)),
            Fun::StopBefore => {
                format!("the last place on the way from {} to {} before {}", at(0), at(1), list(words.get(2..).unwrap_or(&[]), "or"))
            }
            Fun::StopAtEdge => format!("the last place inside on the way from {} to {}", at(0), at(1)),
            Fun::Shown => format!("how much of {} shows from {} past {}", at(1), at(0), list(words.get(2..).unwrap_or(&[]), "and")),
            Fun::Spots => format!("a spot within {} of {}", at(1), at(0)),
            Fun::Union | Fun::Joined => format!("{} and {}", at(0), at(1)),
            Fun::Without => format!("{} without {}", at(0), at(1)),
            Fun::Copies => format!("the copies of {} in {}", at(1), at(0)),
            Fun::Row => format!("the row of {} for {}", at(0), at(1)),
            Fun::Refused => format!("whether {} is refused by {}", at(0), at(1)),
            Fun::Odd | Fun::Subset | Fun::InPlay | Fun::Usable | Fun::Touching | Fun::Within | Fun::Inside | Fun::InArc | Fun::CanPay => {
                let cond = self.cond(whole);
                format!("whether {cond}")
            }
            // What a roll comes to is the roll.
            Fun::Total | Fun::PrintedCard => at(0).to_string(),
            Fun::Abs => format!("{} without its sign", at(0)),
            Fun::Distinct => format!("the different ones of {}", at(0)),
            Fun::Reversed => format!("{} in reverse order", at(0)),
            Fun::Common => format!("what {} and {} have in common", at(0), at(1)),
            Fun::Numbers => format!("the numbers from {} to {}", at(0), at(1)),
            Fun::NameOf => format!("{} name", possessive(at(0))),
            Fun::RulesOf => format!("the rules of {}", at(0)),
            Fun::PairX => format!("the first half of {}", at(0)),
            Fun::PairY => format!("the second half of {}", at(0)),
            Fun::DiceMean => format!("the mean of {}", at(0)),
            Fun::Toward => match args.get(2).map(|by| &by.kind) {
                Some(ExprKind::Neg(by)) => {
                    let by = self.value(by);
                    format!("a place up to {by} from {}, straight away from {}", at(0), at(1))
                }
                _ => format!("a place up to {} from {}, straight towards {}", at(2), at(0), at(1)),
            },
            Fun::Relocate
            | Fun::ShuffleInto
            | Fun::Create
            | Fun::Attach
            | Fun::EndKeyword
            | Fun::Remove
            | Fun::Become
            | Fun::Shuffle
            | Fun::Win
            | Fun::DrawGame
            | Fun::TakeControl => self.deed(whole),
        }
    }

    /// A set, as several things.
    pub fn several(&mut self, set: &Expr) -> String {
        self.noun(set).several()
    }

    /// "an enemy unit" of a set, or the thing itself.
    pub fn one_of(&mut self, expr: &Expr) -> String {
        match &expr.ty {
            Ty::Set(_) | Ty::List(_) => self.noun(expr).a(),
            _ => match &expr.kind {
                ExprKind::AllOf(_) | ExprKind::Parts { .. } | ExprKind::Each { op: EachOp::Filter, .. } | ExprKind::Players => {
                    self.noun(expr).a()
                }
                _ => self.value(expr),
            },
        }
    }

    /// "a unit" for a type; None for what is only a number or a word.
    pub fn any_of_type(&mut self, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Kind(key) => Some(with_article(&self.words.kind(key).one)),
            Ty::Optional(inner) => self.any_of_type(inner),
            Ty::Set(inner) | Ty::List(inner) => match &**inner {
                Ty::Kind(key) => Some(self.words.kind(key).many.to_string()),
                _ => None,
            },
            Ty::Thing => Some("something".into()),
            Ty::Effect(_) => Some("an effect".into()),
            _ => None,
        }
    }

    /// The noun for the elements of a type.
    pub fn noun_of_type(&mut self, ty: &Ty) -> Noun {
        match ty {
            Ty::Kind(key) => self.kind_noun(key),
            Ty::Set(inner) | Ty::List(inner) | Ty::Optional(inner) => self.noun_of_type(inner),
            Ty::Pile(key) | Ty::Choice(key) => self.kind_noun(key),
            Ty::Int(_) | Ty::Target(_) | Ty::Rolled(_) => Noun::new("number", "numbers"),
            Ty::Keyword => Noun::new("keyword", "keywords"),
            Ty::Place => Noun::new("place", "places"),
            Ty::Enum(key) => {
                let one = spaced(last(key)).to_lowercase();
                Noun::new(&one, &plural(&one))
            }
            _ => Noun::new("thing", "things"),
        }
    }
}
