//! The salsa database and its inputs.
//!
//! A *universe* is everything one project can see: its own files, the packages it needs and the built-in library. Each file knows its module, so that names never
//! depend on the order of files.

use std::sync::Arc;

use banneret_grammar::ChunkKind;
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use smol_str::SmolStr;

use crate::items::{base_in_head, first_words, starts_card};
use crate::words::Speech;

/// One file of source. `module` is the library's name, or `@` and the folder's path for files of a project.
///
/// A text is cut into items where it is set and not by a query: whatever a query reads of a text that is being typed in would have to be looked
/// at again after each key, for all who asked. So what others can see of a file (which items it has, and those that are not cards) is an input
/// of its own, which is set only when it changes.
#[salsa::input(debug)]
pub struct SourceFile {
    /// As it is shown to people.
    #[returns(deref)]
    pub path: String,
    /// Below its project's folder: the same wherever that lies and from wherever it is read.
    #[returns(deref)]
    pub below: String,
    #[returns(ref)]
    pub module: SmolStr,
    #[returns(ref)]
    pub text: Arc<str>,
    /// What its items are called, in the order they stand.
    #[returns(deref)]
    pub heads: Vec<Head>,
    /// The texts of those that are not cards, in the same order.
    #[returns(deref)]
    pub rules: Vec<Arc<str>>,
    /// The texts of the cards.
    #[returns(deref)]
    pub cards: Vec<Arc<str>>,
    /// Where each item stands, and what is written above it.
    #[returns(deref)]
    pub places: Vec<Place>,
}

/// What makes an item this one and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The first words of the item, up to its brace.
    pub words: SmolStr,
    /// How many items with the same words stand above it.
    pub nth: u32,
    /// Text that belongs to no item.
    pub stray: bool,
    /// Of a card: the card it builds on, as its head names it.
    pub base: Option<SmolStr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub start: u32,
    pub doc: Option<Arc<str>>,
}

/// A text, cut into its items.
#[derive(Debug)]
pub(crate) struct Cut {
    text: Arc<str>,
    heads: Vec<Head>,
    rules: Vec<Arc<str>>,
    cards: Vec<Arc<str>>,
    places: Vec<Place>,
}

impl Cut {
    pub fn of(text: &str) -> Self {
        let mut cut = Self { text: Arc::from(text), heads: Vec::new(), rules: Vec::new(), cards: Vec::new(), places: Vec::new() };
        let mut seen: FxHashMap<SmolStr, u32> = FxHashMap::default();
        for chunk in banneret_grammar::split(text) {
            let (inside, stray) = (chunk.text(text), chunk.kind == ChunkKind::Stray);
            let words = first_words(inside);
            let nth = seen.entry(words.clone()).or_insert(0);
            let is_card = starts_card(&words, stray);
            let of_its_sort = if is_card { &mut cut.cards } else { &mut cut.rules };
            of_its_sort.push(Arc::from(inside));
            let base = if is_card { base_in_head(inside) } else { None };
            let doc = chunk.doc.map(|(from, to)| Arc::from(&text[from as usize..to as usize]));
            cut.places.push(Place { start: chunk.start, doc });
            cut.heads.push(Head { words, nth: *nth, stray, base });
            *nth += 1;
        }
        cut
    }

    /// A file of a project or of a library. Which files there are, and what others can see of them, changes seldom; libraries never change.
    pub fn into_file(self, db: &Db, path: String, below: String, module: SmolStr, durability: Durability) -> SourceFile {
        let file = SourceFile::builder(path, below, module, self.text, self.heads, self.rules, self.cards, self.places);
        file.durability(durability).new(db)
    }

    /// The file has this text now. What changes with every key is told apart from then on: whoever does not look into this file need not be asked.
    pub fn set(self, db: &mut Db, file: SourceFile) {
        if *file.heads(db) != *self.heads {
            file.set_heads(db).with_durability(Durability::MEDIUM).to(self.heads);
        }
        if *file.rules(db) != *self.rules {
            file.set_rules(db).with_durability(Durability::MEDIUM).to(self.rules);
        }
        file.set_text(db).with_durability(Durability::LOW).to(self.text);
        file.set_cards(db).with_durability(Durability::LOW).to(self.cards);
        file.set_places(db).with_durability(Durability::LOW).to(self.places);
    }
}

/// What a project can see.
#[salsa::input(debug)]
pub struct Universe {
    #[returns(ref)]
    pub name: String,
    #[returns(ref)]
    pub version: String,
    /// The rule system the manifest names.
    #[returns(ref)]
    pub rules: Option<SmolStr>,
    #[returns(ref)]
    pub files: Vec<SourceFile>,
    #[returns(ref)]
    pub library: Vec<SourceFile>,
    /// What each package calls the packages it needs; the project itself is the first.
    #[returns(ref)]
    pub packages: Vec<Package>,
    /// The language of its cards, if it is not that of its sources.
    #[returns(ref)]
    pub speech: Option<Arc<Speech>>,
}

impl Universe {
    /// Whether a file belongs to a package that the project builds on, rather than to itself or to what comes with Banneret.
    pub fn is_of_package(self, db: &dyn salsa::Database, file: SourceFile) -> bool {
        self.packages(db).iter().skip(1).any(|package| crate::names::is_module_of(file.module(db), &package.module))
    }

    /// Whether something that it builds on is not there: what follows from that is no news.
    pub fn lacks_packages(self, db: &dyn salsa::Database) -> bool {
        self.packages(db).iter().flat_map(|package| &package.needs).any(|(_, module)| module == MISSING)
    }
}

/// The module of a package that a manifest speaks of and that is not there, which is told of the manifest.
pub const MISSING: &str = "?";

/// A package among the files of a universe: its modules, and what it calls those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Package {
    /// `@` for the project itself.
    pub module: SmolStr,
    /// Name in its manifest, and the module that is meant.
    pub needs: Vec<(SmolStr, SmolStr)>,
}

#[salsa::db]
#[derive(Clone, Default)]
pub struct Db {
    storage: salsa::Storage<Self>,
}

impl Db {
    /// A database that tells `heard` whenever a query runs: tests assert with it what an edit re-runs.
    pub fn listening(heard: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            storage: salsa::Storage::new(Some(Box::new(move |event| {
                if let salsa::EventKind::WillExecute { database_key } = event.kind {
                    heard(format!("{database_key:?}"));
                }
            }))),
        }
    }
}

#[salsa::db]
impl salsa::Database for Db {}
