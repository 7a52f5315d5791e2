//! Who speaks: what the names of a card mean where its words are made.

use banneret_grammar::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::noun::Noun;
use crate::hir::{Expr, ExprKind, Key, Local, Name, Template, TextPart};
use crate::words::Unsaid;
use crate::words::says::{ActionWords, SaysOf, Words};

/// What a local stands for in the text.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// A thing that was chosen or named: described in full the first time, briefly later.
    Thing {
        first: Option<String>,
        again: String,
    },
    /// A value given a name: said again where it is used.
    Value(Expr),
    Words(String),
}

pub(super) struct Speaker<'a> {
    pub words: Words<'a>,
    /// "this unit"
    pub this: String,
    /// "this weapon"
    pub part: String,
    /// Whether `this` is a player's business at all: then "your" means its controller.
    pub names: FxHashMap<Local, Known>,
    pub mentioned: FxHashSet<Local>,
    /// Words for the fields of the event in hand.
    pub fields: FxHashMap<Name, String>,
    /// In the words of a keyword: which it is, and its number.
    pub number: Option<(Key, String)>,
    /// The event in hand.
    pub event: ActionWords,
    /// What the words leave out: the parameter and the action that has no words for it, and where that was written.
    pub unsaid: Vec<Unsaid>,
    /// The line in hand.
    pub line: Span,
    /// Somebody else may do what is told: what you do is said to be done by you.
    pub told_others: bool,
    /// How deep in branches we are.
    pub depth: u32,
    /// What was first spoken of in a branch, though it was chosen before.
    pub late: Vec<Local>,
}

impl<'a> Speaker<'a> {
    pub fn new(says: &'a dyn SaysOf, this: String, part: String) -> Self {
        Self {
            words: Words(says),
            this,
            part,
            names: FxHashMap::default(),
            mentioned: FxHashSet::default(),
            fields: FxHashMap::default(),
            number: None,
            event: ActionWords::default(),
            unsaid: Vec::new(),
            line: Span::default(),
            told_others: false,
            depth: 0,
            late: Vec::new(),
        }
    }

    pub fn kind_noun(&self, kind: &Key) -> Noun {
        let words = self.words.kind(kind);
        Noun::new(&words.one, &words.many)
    }

    /// Names a local for the length of a closure.
    pub fn with<T>(&mut self, local: Local, known: Known, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.names.insert(local, known);
        let result = f(self);
        match before {
            Some(known) => self.names.insert(local, known),
            None => self.names.remove(&local),
        };
        result
    }

    /// Names several locals, each by its words.
    pub fn with_all<T>(&mut self, known: &[(Local, String)], f: impl FnOnce(&mut Self) -> T) -> T {
        let before: Vec<_> = known.iter().map(|(local, words)| (*local, self.names.insert(*local, Known::Words(words.clone())))).collect();
        let result = f(self);
        for (local, known) in before {
            match known {
                Some(known) => self.names.insert(local, known),
                None => self.names.remove(&local),
            };
        }
        result
    }

    /// The words for a local; a thing is described in full the first time.
    pub fn local(&mut self, local: Local) -> String {
        match self.names.get(&local).cloned() {
            Some(Known::Thing { first: Some(first), again }) => {
                if self.mentioned.insert(local) {
                    if self.depth > 0 {
                        self.late.push(local);
                    }
                    first
                } else {
                    again
                }
            }
            Some(Known::Thing { first: None, again }) => again,
            Some(Known::Value(value)) => self.value(&value),
            Some(Known::Words(words)) => words,
            None => "it".into(),
        }
    }

    /// The number of the keyword that is explained.
    pub fn own_number(&self, base: &Expr, keyword: &Key) -> Option<String> {
        let (own, number) = self.number.as_ref()?;
        let holder = matches!(base.kind, ExprKind::This | ExprKind::Part);
        (holder && own == keyword).then(|| number.clone())
    }

    /// What a field of the event stands for, by the words of its action: "the damage".
    pub fn meaning(&mut self, name: &Name) -> Option<String> {
        let words = self.event.meaning(name)?.clone();
        Some(self.plainly(&words))
    }

    /// The same, or its own name.
    pub fn event_noun(&mut self, name: &Name) -> String {
        let counted = || self.event.says.as_ref().and_then(|says| counted(says, name));
        match self.event.meaning(name).is_some() {
            true => self.meaning(name).unwrap_or_default(),
            false => counted().unwrap_or_else(|| format!("the {}", crate::words::text::spaced(name))),
        }
    }

    /// A parameter has no words: the line in hand says less than it does.
    pub fn not_said(&mut self, what: &str, action: &str) {
        let found = Unsaid { what: what.into(), action: Some(action.into()), missing: None, span: self.line };
        if !self.unsaid.contains(&found) {
            self.unsaid.push(found);
        }
    }

    /// Something here has no words at all.
    pub fn cannot_say(&mut self, what: &str, span: Span) {
        let found = Unsaid { what: what.into(), action: None, missing: None, span };
        if !self.unsaid.contains(&found) {
            self.unsaid.push(found);
        }
    }

    /// The first of some ways to speak of a thing that no other thing has here.
    pub fn untaken(&self, ways: Vec<String>) -> String {
        let taken = |words: &String| {
            let named = self.names.values().any(|known| match known {
                Known::Thing { again, .. } => again == words,
                Known::Words(has) => has == words,
                Known::Value(_) => false,
            });
            named || self.fields.values().any(|has| has == words) || *words == self.this || *words == self.part
        };
        let last = ways.last().cloned().unwrap_or_default();
        ways.into_iter().find(|words| !taken(words)).unwrap_or(last)
    }
}

/// What an action counts, by its own words: of "deal {n} damage to {target}" it is "the amount of damage".
fn counted(says: &Template, name: &Name) -> Option<String> {
    let is_it =
        |value: &Expr| matches!(&value.kind, ExprKind::EventField(has) if has == name) && crate::words::meaning::is_number(&value.ty);
    let many = says.parts.iter().find_map(|part| match part {
        TextPart::Plural(value, _, many) if is_it(value) => Some(format!("the number of {many}")),
        _ => None,
    });
    let next = says.parts.windows(2).find_map(|pair| match pair {
        [TextPart::Value(value), TextPart::Text(text)] if is_it(value) => {
            let word = text.split_whitespace().next()?.trim_end_matches(['.', ',']);
            let is_noun = text.starts_with(' ') && !super::event::PREPOSITIONS.contains(&word) && word.chars().all(char::is_alphabetic);
            is_noun.then(|| format!("the amount of {word}"))
        }
        _ => None,
    });
    many.or(next)
}
