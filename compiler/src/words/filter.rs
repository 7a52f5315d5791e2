//! Selectors as nouns: each filter adds a word before or after.

use super::english::{denied, of_several, spaced};
use super::noun::{After, Noun};
use super::speaker::{Known, Speaker};
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key, Lambda, Local};

impl Speaker<'_> {
    /// The noun for a set.
    pub fn noun(&mut self, set: &Expr) -> Noun {
        match &set.kind {
            ExprKind::AllOf(kind) => self.kind_noun(kind),
            ExprKind::Players => Noun::new("player", "players"),
            ExprKind::Parts { base, kind } => {
                let owner = self.value(base);
                self.kind_noun(kind).of(&owner)
            }
            ExprKind::Each { op: EachOp::Filter, list, lambda } => {
                let mut noun = self.noun(list);
                self.filter(&mut noun, lambda);
                noun
            }
            ExprKind::Fun(Fun::Spots, args) => {
                let mut noun = Noun::new("place", "places");
                if let [piece, length] = args.as_slice() {
                    let (piece, length) = (self.value(piece), self.value(length));
                    noun.after.push(After::both(format!("within {length} of {piece}")));
                }
                noun
            }
            ExprKind::Fun(Fun::PileCards, args) => {
                let mut noun = self.noun_of_type(&set.ty);
                if let Some(pile) = args.first() {
                    let pile = self.value(pile);
                    noun.after.push(After::both(format!("in {pile}")));
                }
                noun
            }
            ExprKind::Fun(Fun::Numbers, args) => {
                let mut noun = Noun::new("number", "numbers");
                if let [low, high] = args.as_slice() {
                    let (low, high) = (self.value(low), self.value(high));
                    noun.after.push(After::both(format!("from {low} to {high}")));
                }
                noun
            }
            ExprKind::List(items) => {
                let words = self.value(set);
                let element = self.noun_of_type(&set.ty).one;
                if items.len() == 1 { Noun::known(&words, false) } else { Noun::known_of(&words, &element) }
            }
            ExprKind::Local(_) | ExprKind::EventField(_) | ExprKind::ScopeField(..) => {
                let words = self.value(set);
                let element = self.noun_of_type(&set.ty).one;
                Noun::known_of(&words, &element)
            }
            ExprKind::If { .. } if one_if_set(set).is_some() => {
                let words = one_if_set(set).map(|one| self.value(one)).unwrap_or_default();
                Noun::known(&words, false)
            }
            // What has no parts to tell is told as a value.
            _ => {
                let words = self.value(set);
                let element = self.noun_of_type(&set.ty).one;
                Noun::known_of(&words, &element)
            }
        }
    }

    fn filter(&mut self, noun: &mut Noun, lambda: &Lambda) {
        let Some(it) = lambda.params.first() else { return };
        self.narrowed(noun, *it, &lambda.body);
    }

    /// Adds the words of one condition over `it`.
    pub fn narrowed(&mut self, noun: &mut Noun, it: Local, cond: &Expr) {
        let is_it = |expr: &Expr| expr.kind == ExprKind::Local(it);
        match &cond.kind {
            ExprKind::Bool(true) => {}
            ExprKind::And(a, b) => {
                self.narrowed(noun, it, a);
                self.narrowed(noun, it, b);
            }
            // A name given to `it`.
            ExprKind::Table { subject: Some((local, subject)), rows, otherwise: Some(body) } if rows.is_empty() && is_it(subject) => {
                self.narrowed(noun, *local, body);
            }
            ExprKind::Compare(how, a, b) => self.narrow_compare(noun, it, *how, a, b, cond),
            ExprKind::HasKeyword { base, keyword } if is_it(base) => {
                let keyword = self.keyword(keyword, None);
                noun.after.push(After::both(format!("with {keyword}")));
            }
            ExprKind::IsKind { base, kind } if is_it(base) => {
                let narrower = self.kind_noun(kind);
                if noun.whole {
                    noun.after.push(After { one: format!("that is {}", narrower.a()), many: format!("that are {}", narrower.several()) });
                } else {
                    (noun.one, noun.many) = (narrower.one, narrower.many);
                }
            }
            ExprKind::Call { define, args } | ExprKind::Fact { fact: define, args } if args.first().is_some_and(is_it) => {
                self.narrow_defined(noun, define, args, it);
            }
            ExprKind::Fun(Fun::Within, args) => match args.as_slice() {
                // "within the Area of this token"
                [a, from, Expr { kind: ExprKind::Field { base, field, .. }, .. }] if is_it(a) && base.kind == from.kind => {
                    let (label, from) = (self.words.field(field).label, self.value(from));
                    noun.after.push(After::both(format!("within the {label} of {from}")));
                }
                [a, from, length] if is_it(a) => {
                    let (length, from) = (self.value(length), self.value(from));
                    noun.after.push(After::both(format!("within {length} of {from}")));
                }
                _ => self.narrow_if(noun, it, cond),
            },
            ExprKind::Fun(Fun::Touching, args) => match args.as_slice() {
                [a, other] if is_it(a) => {
                    let other = self.value(other);
                    noun.after.push(After::both(format!("touching {other}")));
                }
                _ => self.narrow_if(noun, it, cond),
            },
            ExprKind::Not(inner) => match &inner.kind {
                ExprKind::HasKeyword { base, keyword } if is_it(base) => {
                    let keyword = self.keyword(keyword, None);
                    noun.after.push(After::both(format!("without {keyword}")));
                }
                ExprKind::Call { define, args } if args.len() == 1 && args.first().is_some_and(is_it) => {
                    let name = spaced(&self.words.define(define).name);
                    noun.after.push(After::that_is(&format!("not {name}")));
                }
                ExprKind::Contains(list, item) if self.narrow_member(noun, it, list, item, "without") => {}
                ExprKind::Field { base, field, .. } if is_it(base) => {
                    self.narrow_is(noun, field, false);
                }
                _ => self.narrow_if(noun, it, cond),
            },
            ExprKind::Contains(list, item) if is_it(item) => {
                let list = self.value(list);
                noun.after.push(After::both(format!("in {list}")));
            }
            ExprKind::Contains(list, item) if self.narrow_member(noun, it, list, item, "with") => {}
            ExprKind::Field { base, field, .. } if is_it(base) => self.narrow_is(noun, field, true),
            _ => self.narrow_if(noun, it, cond),
        }
    }

    /// A field that is yes or no: "that is pinned", "that have Acted"
    fn narrow_is(&mut self, noun: &mut Noun, field: &Key, yes: bool) {
        let words = self.words.field(field);
        noun.after.push(match (words.says, yes) {
            (Some(says), true) => After { one: format!("that {says}"), many: format!("that {}", of_several(&says)) },
            (Some(says), false) => After { one: format!("that {}", denied(&says)), many: format!("that {}", denied(&of_several(&says))) },
            (None, true) => After::that_has(&words.label),
            (None, false) => {
                After { one: format!("that does not have {}", words.label), many: format!("that do not have {}", words.label) }
            }
        });
    }

    /// "with Plated among its Types". False if the list is not a field of it.
    fn narrow_member(&mut self, noun: &mut Noun, it: Local, list: &Expr, item: &Expr, word: &str) -> bool {
        let ExprKind::Field { base, field, .. } = &list.kind else { return false };
        if base.kind != ExprKind::Local(it) {
            return false;
        }
        let label = self.words.field(field).label;
        let item = self.value(item);
        noun.after.push(After { one: format!("{word} {item} among its {label}"), many: format!("{word} {item} among their {label}") });
        true
    }

    fn narrow_compare(&mut self, noun: &mut Noun, it: Local, how: Compare, a: &Expr, b: &Expr, whole: &Expr) {
        let is_it = |expr: &Expr| expr.kind == ExprKind::Local(it);
        match (how, &a.kind) {
            (Compare::Eq | Compare::Ne, ExprKind::Fun(Fun::Controller, args)) if args.first().is_some_and(is_it) => match (how, &b.kind) {
                (Compare::Eq, ExprKind::You) => *noun = std::mem::take(noun).of("you"),
                (Compare::Ne, ExprKind::You) => noun.before.insert(0, "enemy".into()),
                (Compare::Eq, _) => {
                    let owner = self.value(b);
                    *noun = std::mem::take(noun).of(&owner);
                }
                _ => self.narrow_if(noun, it, whole),
            },
            (Compare::Ne, _) if is_it(a) && b.kind == ExprKind::This => noun.before.insert(0, "other".into()),
            (Compare::Ne, _) if is_it(a) => {
                let not = self.value(b);
                noun.after.push(After::both(format!("other than {not}")));
            }
            (Compare::Eq, ExprKind::Field { base, field, .. }) if is_it(base) && self.words.field(field).says.is_some() => match b.kind {
                ExprKind::Bool(v) => self.narrow_is(noun, field, v),
                _ => self.narrow_if(noun, it, whole),
            },
            (_, ExprKind::Field { base, field, .. }) if is_it(base) => {
                let label = self.words.field(field).label;
                let value = self.value(b);
                let words = match (how, &b.kind) {
                    (Compare::Eq, ExprKind::Member(..) | ExprKind::Card(_)) => format!("of {label} {value}"),
                    (Compare::Eq, ExprKind::Bool(true)) => format!("with {label}"),
                    (Compare::Eq, ExprKind::Bool(false)) => format!("without {label}"),
                    (Compare::Gt | Compare::Ne, ExprKind::Int(0)) => format!("with any {label}"),
                    _ => format!("with {label} {}", super::cond::amount(how, &value)),
                };
                noun.after.push(After::both(words));
            }
            // "more than 8″ from this unit"
            (_, ExprKind::Fun(Fun::Distance, args)) => match args.as_slice() {
                [a, from] if is_it(a) => {
                    let (from, length) = (self.value(from), self.value(b));
                    noun.after.push(After::both(format!("{} from {from}", super::cond::amount(how, &length))));
                }
                _ => self.narrow_if(noun, it, whole),
            },
            _ => self.narrow_if(noun, it, whole),
        }
    }

    /// An adjective stands before the noun, a relation after it, and `says` decides where it has words of its own.
    fn narrow_defined(&mut self, noun: &mut Noun, define: &Key, args: &[Expr], it: Local) {
        let words = self.words.define(define);
        let name = spaced(&words.name);
        match (args, &words.says) {
            ([_], Some(template)) => {
                let said = self.with(it, Known::Words(String::new()), |speaker| speaker.filled(template, &words.params, args));
                let joins = ["with", "within", "without", "that", "in", "of", "at", "on", "touching", "under", "near"];
                let first = said.split(' ').next().unwrap_or_default();
                if joins.contains(&first) {
                    noun.after.push(After::both(said));
                } else if said.contains(' ') {
                    noun.after.push(After::that_is(&said));
                } else {
                    noun.before.insert(0, said);
                }
            }
            ([_], None) => noun.before.insert(0, name),
            ([_, others @ ..], Some(template)) => {
                let _ = others;
                let said = self.with(it, Known::Words(String::new()), |speaker| speaker.filled(template, &words.params, args));
                noun.after.push(After::both(said));
            }
            ([_, others @ ..], None) => {
                let others: Vec<String> = others.iter().map(|other| self.value(other)).collect();
                noun.after.push(After::both(format!("such that “{name}” is true of it and {}", super::english::list(&others, "and"))));
            }
            ([], _) => {}
        }
    }

    fn narrow_if(&mut self, noun: &mut Noun, it: Local, cond: &Expr) {
        let words = self.with(it, Known::Words("it".into()), |speaker| speaker.cond(cond));
        noun.after.push(After::both(format!("such that {words}")));
    }
}

/// What may be unset, as the set of at most one that it is: `if x != none { [x] } else { [] }`.
pub(super) fn one_if_set(set: &Expr) -> Option<&Expr> {
    let ExprKind::If { arms, otherwise } = &set.kind else { return None };
    let ([(asked, some)], ExprKind::List(none)) = (arms.as_slice(), &otherwise.kind) else { return None };
    match (&asked.kind, &some.kind) {
        (ExprKind::Compare(Compare::Ne, x, unset), ExprKind::List(one)) if unset.kind == ExprKind::None && none.is_empty() => {
            match one.as_slice() {
                [one] if one.kind == x.kind => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}
