//! Who speaks German: what the names of a card mean where its words are made, and what the catalogue calls things.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::noun::{Before, Group, Noun, Np};
use crate::hir::{Expr, ExprKind, Key, Local, Name, Span};
use crate::ty::Ty;
use crate::words::Unsaid;
use crate::words::says::{ActionWords, SaysOf, Words};
use crate::words::text::spaced;

/// What a local stands for in the text.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Np(Np),
    /// Described in full the first time, briefly later.
    Later {
        first: Np,
        again: Np,
    },
    /// Said again where it is used.
    Value(Expr),
}

pub(in crate::words) struct German<'a> {
    pub(super) words: Words<'a>,
    pub(super) this: Np,
    pub(super) part: Np,
    pub(super) names: FxHashMap<Local, Known>,
    pub(super) mentioned: FxHashSet<Local>,
    pub(super) fields: FxHashMap<Name, Np>,
    /// In the words of a keyword: which it is, and its number.
    pub(super) number: Option<(Key, String)>,
    /// The event in hand, and its key.
    pub(super) event: (Key, ActionWords),
    pub(super) unsaid: Vec<Unsaid>,
    pub(super) line: Span,
    pub(super) depth: u32,
    /// What was first spoken of in a branch, though it was chosen before.
    pub(super) late: Vec<Local>,
}

impl<'a> German<'a> {
    pub(in crate::words) fn new(says: &'a dyn SaysOf, holder: &Key, part: &Key) -> Self {
        let mut speaker = Self {
            words: Words(says),
            this: Np::fixed(""),
            part: Np::fixed(""),
            names: FxHashMap::default(),
            mentioned: FxHashSet::default(),
            fields: FxHashMap::default(),
            number: None,
            event: (Key::default(), ActionWords::default()),
            unsaid: Vec::new(),
            line: Span::default(),
            depth: 0,
            late: Vec::new(),
        };
        speaker.this = speaker.this_of(holder);
        speaker.part = speaker.this_of(part);
        speaker
    }

    /// For values alone: nothing is spoken of.
    pub(in crate::words) fn quiet(says: &'a dyn SaysOf, kind: &Key) -> Self {
        let mut speaker = Self::new(says, kind, kind);
        speaker.unsaid.clear();
        speaker
    }

    /// "diese Miniatur"
    pub(super) fn this_of(&mut self, kind: &Key) -> Np {
        if kind.is_empty() {
            return Np::fixed("dies");
        }
        self.kind(kind).again(&Before::Pointing("dies"), None, false)
    }

    // ---- the catalogue

    /// The words of the catalogue for something; what it does not have is told, and stays as it is.
    pub(super) fn translated(&mut self, of: &str, id: &str) -> Option<SmolStr> {
        if id.is_empty() {
            return None;
        }
        let found = self.words.0.translated(of, id);
        if found.is_none() {
            self.miss(of, id);
        }
        found
    }

    fn miss(&mut self, of: &str, id: &str) {
        let missing = Unsaid { what: id.into(), action: None, missing: Some(of.into()), span: self.line };
        if !self.unsaid.iter().any(|has| has.what == missing.what && has.missing == missing.missing) {
            self.unsaid.push(missing);
        }
    }

    /// A noun of the catalogue. What is there and is no noun is as good as missing.
    pub(super) fn noun_for(&mut self, of: &str, id: &str) -> Noun {
        let (one, several) = id.split_once('|').unwrap_or((id, id));
        match self.translated(of, id) {
            None => Noun::foreign(one, several),
            Some(words) => Noun::read(&words).unwrap_or_else(|| {
                self.miss(of, id);
                Noun::foreign(one, several)
            }),
        }
    }

    pub(super) fn kind(&mut self, kind: &Key) -> Group {
        let words = self.words.kind(kind);
        Group::new(self.noun_for(kind, &format!("{}|{}", words.one, words.many)))
    }

    /// The noun for the elements of a type; None for what is no thing.
    pub(super) fn group_of_type(&mut self, ty: &Ty) -> Option<Group> {
        match ty {
            Ty::Kind(key) | Ty::Pile(key) | Ty::Choice(key) => Some(self.kind(key)),
            Ty::Set(inner) | Ty::List(inner) | Ty::Optional(inner) => self.group_of_type(inner),
            Ty::Place => Noun::read("die Stelle|die Stellen").map(Group::new),
            Ty::Int(_) | Ty::Rolled(_) => Noun::read("die Zahl|die Zahlen").map(Group::new),
            _ => None,
        }
    }

    /// "eine Miniatur" of a type; None for what is only a number or a word.
    pub(super) fn any_of_type(&mut self, ty: &Ty) -> Option<Np> {
        match ty {
            Ty::Kind(_) => self.group_of_type(ty).map(|group| group.any()),
            Ty::Optional(inner) => self.any_of_type(inner),
            Ty::Set(inner) | Ty::List(inner) => match &**inner {
                Ty::Kind(_) => self.group_of_type(inner).map(|group| group.all(None)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a field is called: "die Fertigkeit".
    pub(super) fn field_noun(&mut self, field: &Key) -> Group {
        let label = self.words.field(field).label;
        Group::new(self.noun_for(field, &label))
    }

    /// Its name without an article, as it stands beside a number.
    pub(in crate::words) fn field_label(&mut self, field: &Key) -> String {
        self.field_noun(field).noun.form(false, super::noun::Case::Nominative).to_string()
    }

    /// "Waffen"
    pub(in crate::words) fn heading(&mut self, kind: &Key) -> String {
        self.kind(kind).noun.form(true, super::noun::Case::Nominative).to_string()
    }

    /// "der Zug", "die Aktivierung"
    pub(super) fn phase(&mut self, key: &Key) -> Noun {
        let words = self.words.action(key);
        let id = match &words.says {
            Some(says) => says.text.to_string(),
            None => spaced(if words.name.is_empty() { crate::words::says::last(key) } else { &words.name }),
        };
        self.noun_for(key, &id)
    }

    pub(super) fn keyword_name(&mut self, key: &Key) -> String {
        let name = self.words.keyword(key).name;
        self.translated(key, &name).map_or_else(|| name.to_string(), |words| words.to_string())
    }

    /// What a name of an event stands for, where rules ask for or change it: "der Schaden".
    pub(super) fn event_noun(&mut self, name: &Name) -> Group {
        let (key, action) = self.event.clone();
        let id = match action.meaning(name) {
            Some(words) => words.text.to_string(),
            None => spaced(name),
        };
        Group::new(self.noun_for(&format!("{key}@{name}"), &id))
    }

    // ---- names

    pub(super) fn with<T>(&mut self, local: Local, known: Known, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.names.insert(local, known);
        let result = f(self);
        match before {
            Some(known) => self.names.insert(local, known),
            None => self.names.remove(&local),
        };
        result
    }

    pub(super) fn local(&mut self, local: Local) -> Np {
        match self.names.get(&local).cloned() {
            Some(Known::Later { first, again }) => {
                if !self.mentioned.insert(local) {
                    return again;
                }
                if self.depth > 0 {
                    self.late.push(local);
                }
                first
            }
            Some(Known::Np(np)) => np,
            Some(Known::Value(value)) => self.value(&value),
            None => {
                self.cannot_say("a name", self.line);
                Np::fixed("es")
            }
        }
    }

    /// The number of the keyword that is explained.
    pub(super) fn own_number(&self, base: &Expr, keyword: &Key) -> Option<String> {
        let (own, number) = self.number.as_ref()?;
        let holder = matches!(base.kind, ExprKind::This | ExprKind::Part);
        (holder && own == keyword).then(|| number.clone())
    }

    /// The first of some ways to speak of a thing that no other thing has here.
    pub(super) fn untaken(&self, ways: Vec<Np>) -> Np {
        let taken = |np: &Np| {
            let named = self.names.values().any(|known| match known {
                Known::Np(has) | Known::Later { again: has, .. } => has.subject() == np.subject(),
                Known::Value(_) => false,
            });
            named || self.fields.values().chain([&self.this, &self.part]).any(|has| has.subject() == np.subject())
        };
        let last = ways.last().cloned().unwrap_or_else(|| Np::fixed("es"));
        ways.into_iter().find(|np| !taken(np)).unwrap_or(last)
    }

    // ---- what has no words

    /// Something has no words in this language.
    pub(super) fn cannot_say(&mut self, what: &str, span: Span) {
        let found = Unsaid { what: what.into(), action: None, missing: None, span };
        if !self.unsaid.contains(&found) {
            self.unsaid.push(found);
        }
    }

    pub(super) fn not_said(&mut self, what: &str, action: &str) {
        let found = Unsaid { what: what.into(), action: Some(action.into()), missing: None, span: self.line };
        if !self.unsaid.contains(&found) {
            self.unsaid.push(found);
        }
    }
}
