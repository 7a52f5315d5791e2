//! Selectors as nouns: each filter adds a word before or after.

use super::grammar::{denied, is_done, of_several};
use super::noun::{After, Noun};
use super::speaker::{Known, Speaker};
use crate::hir::{Compare, EachOp, Expr, ExprKind, Fun, Key, Lambda, Local};
use crate::ty::Ty;
use crate::words::meaning::{Narrow, Property, Reach, narrowings, one_if_set};
use crate::words::text::spaced;

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
        for property in narrowings(it, cond) {
            self.narrow(noun, &property);
        }
    }

    fn narrow(&mut self, noun: &mut Noun, property: &Property) {
        let with = |words: String| After::both(words);
        let words = match &property.is {
            Narrow::Yours => return *noun = std::mem::take(noun).of("you"),
            Narrow::Of(owner) => {
                let owner = self.value(owner);
                return *noun = std::mem::take(noun).of(&owner);
            }
            // "a wounded enemy unit"
            Narrow::Enemy => return noun.before.push("enemy".into()),
            Narrow::Other => return noun.before.insert(0, "other".into()),
            Narrow::OtherThan(not) => with(format!("other than {}", self.value(not))),
            Narrow::Named(card) => with(format!("named {}", self.value(card))),
            Narrow::Keyword(keyword, yes) => {
                let keyword = self.keyword(keyword, None);
                with(format!("{} {keyword}", if *yes { "with" } else { "without" }))
            }
            Narrow::Kind(kind) => {
                let narrower = self.kind_noun(kind);
                if !noun.whole {
                    return (noun.one, noun.many) = (narrower.one, narrower.many);
                }
                After { one: format!("that is {}", narrower.a()), many: format!("that are {}", narrower.several()) }
            }
            Narrow::Defined(define, _, false) => After::that_is(&format!("not {}", spaced(&self.words.define(define).name))),
            Narrow::Defined(define, args, true) => return self.narrow_defined(noun, define, args, property.it),
            // "within the Area of this token"
            Narrow::Within(Reach::Field(field), from) => {
                let (label, from) = (self.words.field(field).label, self.value(from));
                with(format!("within the {label} of {from}"))
            }
            Narrow::Within(Reach::Length(length), from) => {
                let (length, from) = (self.value(length), self.value(from));
                with(format!("within {length} of {from}"))
            }
            Narrow::Touching(other) => with(format!("touching {}", self.value(other))),
            Narrow::In(list) => with(format!("in {}", self.value(list))),
            // "with Plated among its Types"
            Narrow::Has { field, item, yes } => {
                let (label, item) = (self.words.field(field).label, self.value(item));
                // "of Type Shield": one of a kind of things that it has one of
                if !label.ends_with('s') || label.ends_with("ss") {
                    return noun.after.push(with(format!("{}of {label} {item}", if *yes { "" } else { "not " })));
                }
                let word = if *yes { "with" } else { "without" };
                After { one: format!("{word} {item} among its {label}"), many: format!("{word} {item} among their {label}") }
            }
            Narrow::Is(field, yes) => return self.narrow_is(noun, field, *yes),
            Narrow::Measured { field, how, value } => match (how, self.words.field(field).says.is_some(), &value.kind) {
                (Compare::Eq, true, ExprKind::Bool(yes)) => return self.narrow_is(noun, field, *yes),
                (Compare::Eq, true, _) => self.narrow_if(property),
                _ => {
                    let counts = matches!(&property.cond.kind, ExprKind::Compare(_, a, _) if matches!(a.ty, Ty::Int(_)));
                    let mut measured =
                        |it: &str| self.with(property.it, Known::Words(it.into()), |speaker| speaker.measured(field, *how, value, counts));
                    After { one: measured("it"), many: measured("they") }
                }
            },
            // "more than 8″ from this unit"
            Narrow::Away { how, from, length } => {
                let (from, length) = (self.value(from), self.value(length));
                with(format!("{} from {from}", super::cond::amount(*how, &length)))
            }
            Narrow::Such => self.narrow_if(property),
        };
        noun.after.push(words);
    }

    fn measured(&mut self, field: &Key, how: Compare, value: &Expr, counts: bool) -> String {
        let label = self.words.field(field).label;
        let words = self.value(value);
        match (how, &value.kind) {
            (Compare::Eq, ExprKind::Member(..) | ExprKind::Card(_)) => format!("of {label} {words}"),
            (Compare::Eq, ExprKind::Bool(true)) => format!("with {label}"),
            (Compare::Eq, ExprKind::Bool(false)) => format!("without {label}"),
            (Compare::Gt | Compare::Ne, ExprKind::Int(0)) => format!("with any {label}"),
            (Compare::Eq, ExprKind::Int(0)) if counts => format!("with no {label}"),
            _ => format!("with {label} {}", super::cond::amount(how, &words)),
        }
    }

    /// A field that is yes or no: "that is pinned", "that have Acted"
    fn narrow_is(&mut self, noun: &mut Noun, field: &Key, yes: bool) {
        let words = self.words.field(field);
        // "your stuck carts"
        if let Some(done) = words.says.as_ref().and_then(|says| says.strip_prefix("is ")).filter(|word| yes && is_done(word)) {
            return noun.before.insert(0, done.to_string());
        }
        noun.after.push(match (words.says, yes) {
            (Some(says), true) => After { one: format!("that {says}"), many: format!("that {}", of_several(&says)) },
            (Some(says), false) => After { one: format!("that {}", denied(&says)), many: format!("that {}", denied(&of_several(&says))) },
            (None, true) => After::that_has(&words.label),
            (None, false) => {
                After { one: format!("that does not have {}", words.label), many: format!("that do not have {}", words.label) }
            }
        });
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
                noun.after.push(match said.strip_prefix("that ") {
                    Some(does) => After { many: format!("that {}", of_several(does)), one: said.clone() },
                    None => After::both(said),
                });
            }
            ([_, others @ ..], None) => {
                let others: Vec<String> = others.iter().map(|other| self.value(other)).collect();
                if leads_on(&name) {
                    return noun.after.push(After::both(format!("{name} {}", super::grammar::list(&others, "and"))));
                }
                noun.after.push(After::both(format!("such that “{name}” is true of it and {}", super::grammar::list(&others, "and"))));
            }
            ([], _) => {}
        }
    }

    fn narrow_if(&mut self, property: &Property) -> After {
        let mut such = |it: &str| {
            let words = self.with(property.it, Known::Words(it.into()), |speaker| speaker.cond(property.cond));
            // "the gap between them and this unit"
            let words = ["between", "of", "to", "from", "with", "by", "than", "at", "for", "on", "in"]
                .iter()
                .fold(words, |words, before| words.replace(&format!("{before} they "), &format!("{before} them ")));
            format!("such that {words}")
        };
        After { one: such("it"), many: such("they") }
    }
}

/// The name of a relation that goes on with what it is a relation to: "within reach of", "borne by".
pub(super) fn leads_on(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "of", "by", "to", "with", "near", "in", "on", "at", "from", "against", "under", "behind", "above", "below", "beside", "for",
        "within", "over",
    ];
    name.split(' ').next_back().is_some_and(|last| ENDS.contains(&last))
}
