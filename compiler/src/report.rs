//! What a check says of one file, kept until something it depends on changes.
//!
//! Salsa already keeps what was worked out for each item, but to know that nothing changed it has to look at every name each item asked for: in a
//! project of tens of thousands of cards that alone takes longer than an edit may. So reports are kept by file, and a file is asked again only if
//! its text changed, or that of a file whose cards it names, or the *surface* of the project: all that items can see of each other without
//! naming a card.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use banneret_grammar::span::Span;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smol_str::SmolStr;

use crate::api::{PrintedFile, located};
use crate::check::{analysis, names_wrong, twice};
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Diagnostic, Located, Severity};
use crate::endless::{Always, circles};
use crate::fixes;
use crate::hir::Key;
use crate::items::{DeclKind, declares_now, is_card, items, rule_items};
use crate::names::{ModuleName, Wanted, declared, file_names, key_of, names_given_twice, short};

/// What a check says of the items of one file, and what it has to know of them to speak about the whole project.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub found: Vec<Located>,
    /// What follows from something else. If nothing else is told, this is.
    pub withheld: Vec<Located>,
    /// What cannot be built, told if nothing else is wrong.
    pub unbuildable: Vec<Located>,
    pub cards: usize,
    pub items: usize,
    pub todos: usize,
    pub has_errors: bool,
    /// What its items name besides themselves, and the actions they call.
    pub uses: FxHashSet<Key>,
    pub calls: FxHashSet<Key>,
    /// Actions its rules wait for, and where that is said.
    waits: Vec<(Key, Span)>,
    /// What its actions always do.
    always: Vec<Always>,
    /// Definitions that something should use.
    definitions: Vec<(Key, Span)>,
    /// Other files whose cards it names.
    names_cards_of: Vec<SourceFile>,
}

impl Report {
    pub fn of(db: &dyn salsa::Database, universe: Universe, file: SourceFile) -> Self {
        let mut report = Self::default();
        let path = file.path(db);
        let taken = names_given_twice(db, universe, ModuleName::new(db, file.module(db)));
        for item in items(db, file) {
            let item = *item;
            report.items += 1;
            report.cards += usize::from(is_card(db, item));
            let start = item.start(db);
            let analysis = analysis(db, universe, item);
            report.todos += analysis.todos;
            report.withheld.extend(analysis.withheld.iter().map(|d| located(path, start, d.clone())));
            report.unbuildable.extend(analysis.unbuildable.iter().map(|d| located(path, start, d.clone())));
            report.found.extend(analysis.found.iter().map(|d| located(path, start, d.clone())));
            if !analysis.unsaid.is_empty() {
                let follows = names_wrong(db, universe, analysis);
                let to = if follows { &mut report.withheld } else { &mut report.found };
                to.extend(analysis.unsaid.iter().map(|d| located(path, start, d.clone())));
            }
            report.waits.extend(analysis.waits.iter().map(|(action, span)| (action.clone(), span.shifted(start))));
            note(&mut report.calls, analysis.calls.iter());
            report.always.extend(analysis.always.as_ref().map(|always| always.shifted(start)));
            // what an item says of itself does not count
            let declares = declares_now(db, item);
            let own: Vec<Key> = declares.iter().map(|d| key_of(file.module(db), &d.name)).collect();
            note(&mut report.uses, analysis.uses.iter().filter(|key| !own.contains(key)));
            if analysis.readable {
                report.found.extend(twice(db, universe, item, &declares, taken).into_iter().map(|d| located(path, start, d)));
            }
            for (decl, key) in declares.iter().zip(own) {
                if should_be_used(decl.kind, analysis.template) {
                    report.definitions.push((key, decl.span.shifted(start)));
                }
            }
            report.definitions.extend(analysis.adds.iter().map(|(key, span)| (key.clone(), span.shifted(start))));
        }
        for located in report.found.iter_mut().chain(&mut report.withheld) {
            fixes::weigh(file.text(db), &mut located.diagnostic);
        }
        report.has_errors = report.found.iter().any(|l| l.diagnostic.severity == Severity::Error);
        report.names_cards_of = files_of_cards(db, universe, &report.uses);
        report.names_cards_of.retain(|other| *other != file);
        report
    }
}

/// That the actions of a circle never end, told where the first of them calls the next; None if that is in another file.
fn endless(circle: &[&Key], report: &Report) -> Option<Diagnostic> {
    let (first, others) = circle.split_first()?;
    let next = others.first().unwrap_or(first);
    let always = report.always.iter().find(|always| always.action == **first)?;
    let (_, at) = always.calls.iter().find(|(called, _)| called == *next)?;
    let name = short(first);
    let over: Vec<String> = others.iter().map(|action| format!("`{}`", short(action))).collect();
    let words = match over.is_empty() {
        true => format!("Whenever `{name}` happens it happens again, so it never ends."),
        false => format!("Whenever `{name}` happens it happens again, by {}, so it never ends.", over.join(" and ")),
    };
    let help =
        format!("Say when it stops: put it into an `if`, or write `repeat … {{ … }}` instead of a `{}` within `{name}`.", short(next));
    Some(Diagnostic::warning("endless-action", *at, words).help(help))
}

fn note<'a>(noted: &mut FxHashSet<Key>, keys: impl Iterator<Item = &'a Key>) {
    for key in keys {
        if !noted.contains(key) {
            noted.insert(key.clone());
        }
    }
}

fn should_be_used(kind: DeclKind, template: bool) -> bool {
    use DeclKind::*;
    matches!(kind, Define | Fact | Table | Keyword | Action | Phase | Enum) || kind == Card && template
}

fn files_of_cards(db: &dyn salsa::Database, universe: Universe, uses: &FxHashSet<Key>) -> Vec<SourceFile> {
    let mut files = FxHashSet::default();
    for key in uses {
        let Some((module, rest)) = key.split_once('/') else { continue };
        let name = rest.split('.').next().unwrap_or(rest);
        for found in declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name))) {
            if found.kind == DeclKind::Card {
                files.insert(found.item.file(db));
            }
        }
    }
    files.into_iter().collect()
}

/// What items of a file show to all others: everything that is not a card, and of cards their first lines.
#[salsa::tracked(returns(copy))]
fn file_surface(db: &dyn salsa::Database, file: SourceFile) -> u64 {
    let mut hash = FxHasher::default();
    file.module(db).hash(&mut hash);
    file.path(db).hash(&mut hash);
    for item in items(db, file) {
        let text: &str = item.text(db);
        match is_card(db, *item) {
            true => text.lines().next().unwrap_or("").hash(&mut hash),
            false => text.hash(&mut hash),
        }
    }
    hash.finish()
}

/// Works out what is asked of every file before anything else: cut into items, and what those are called.
pub(crate) fn prepare(db: &dyn salsa::Database, file: SourceFile) {
    file_surface(db, file);
    file_names(db, file);
    rule_items(db, file);
}

fn surface(db: &dyn salsa::Database, universe: Universe) -> u64 {
    let mut hash = FxHasher::default();
    (universe.name(db), universe.version(db), universe.rules(db)).hash(&mut hash);
    for file in universe.files(db).iter().chain(universe.library(db)) {
        file_surface(db, *file).hash(&mut hash);
    }
    hash.finish()
}

/// The reports of a project's files as they were when it was last checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    surface: u64,
    files: FxHashMap<SourceFile, KeptFile>,
    /// What is wrong with the rules as a whole, if that was asked.
    pub rules: Option<Arc<Vec<Located>>>,
}

#[derive(Clone, Debug)]
struct KeptFile {
    text: Arc<str>,
    report: Arc<Report>,
    /// What the limits say, if they were run.
    limits: Option<Arc<Vec<Located>>>,
    /// What its cards print, if that was asked.
    printed: Option<Arc<PrintedFile>>,
}

impl Kept {
    /// Forgets what may have changed.
    pub fn refresh(&mut self, db: &dyn salsa::Database, universe: Universe) {
        let surface = surface(db, universe);
        if surface != self.surface {
            *self = Self { surface, ..Self::default() };
            return;
        }
        let before = self.files.len();
        let same = |file: &SourceFile, kept: &KeptFile| Arc::ptr_eq(file.text(db), &kept.text) || file.text(db) == &kept.text;
        let mut changed: Vec<SourceFile> = self.files.iter().filter(|(file, kept)| !same(file, kept)).map(|(file, _)| *file).collect();
        // and who names cards of those, and of these, and so on
        while let Some(file) = changed.pop() {
            if self.files.remove(&file).is_some() {
                let asks = |kept: &KeptFile| kept.report.names_cards_of.contains(&file);
                changed.extend(self.files.iter().filter(|(_, kept)| asks(kept)).map(|(file, _)| *file));
            }
        }
        if self.files.len() == before {
            return;
        }
        // a card that lists others may show what changed without naming it
        for kept in self.files.values_mut() {
            if kept.printed.as_ref().is_some_and(|file| file.lists_others) {
                kept.printed = None;
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn report(&self, file: SourceFile) -> Option<&Arc<Report>> {
        self.files.get(&file).map(|kept| &kept.report)
    }

    pub fn keep(&mut self, db: &dyn salsa::Database, file: SourceFile, report: Arc<Report>) {
        self.files.insert(file, KeptFile { text: file.text(db).clone(), report, limits: None, printed: None });
    }

    pub fn limits(&self, file: SourceFile) -> Option<&Arc<Vec<Located>>> {
        self.files.get(&file).and_then(|kept| kept.limits.as_ref())
    }

    pub fn keep_limits(&mut self, file: SourceFile, found: Vec<Located>) {
        if let Some(kept) = self.files.get_mut(&file) {
            kept.limits = Some(Arc::new(found));
        }
    }

    pub fn printed(&self, file: SourceFile) -> Option<&Arc<PrintedFile>> {
        self.files.get(&file).and_then(|kept| kept.printed.as_ref())
    }

    pub fn keep_printed(&mut self, file: SourceFile, printed: Arc<PrintedFile>) {
        if let Some(kept) = self.files.get_mut(&file) {
            kept.printed = Some(printed);
        }
    }
}

/// Definitions of a project that nothing uses, and rules that wait for what never happens.
pub(crate) fn across_files(
    db: &dyn salsa::Database,
    universe: Universe,
    own: &[(SourceFile, Arc<Report>)],
    libraries: &[Arc<Report>],
) -> Vec<Located> {
    // libraries first: most of what is asked for is theirs
    let all = || libraries.iter().chain(own.iter().map(|(_, report)| report));
    let mut happens: FxHashMap<&Key, bool> = FxHashMap::default();
    let tell = |file: SourceFile, diagnostic| Located { file: file.path(db).to_string(), diagnostic };
    let mut out = Vec::new();
    let actions = || own.iter().flat_map(|(_, report)| &report.always);
    for circle in circles(actions(), actions().chain(libraries.iter().flat_map(|report| &report.always))) {
        out.extend(own.iter().find_map(|(file, report)| Some(tell(*file, endless(&circle, report)?))));
    }
    // a rule system is made to be used by others, and so is what stands for a library
    let made_for_others =
        |f: &SourceFile| !f.module(db).starts_with('@') || rule_items(db, *f).iter().any(|i| i.header(db).starts_with("ruleset"));
    let library = universe.files(db).iter().any(made_for_others);
    for (file, report) in own {
        for (action, span) in &report.waits {
            if !*happens.entry(action).or_insert_with(|| all().any(|report| report.calls.contains(action))) {
                let words = format!("Nothing ever does `{}`, so this rule never applies.", short(action));
                let told = Diagnostic::warning("never-happens", *span, words).help("Wait for an action that some rule or card calls.");
                out.push(tell(*file, told));
            }
        }
        for (key, span) in report.definitions.iter().filter(|_| !library) {
            if !all().any(|report| report.uses.contains(key)) {
                let name = short(key).rsplit('.').next().unwrap_or_default();
                let words = format!("Nothing uses `{name}`.");
                out.push(tell(*file, Diagnostic::warning("unused-definition", *span, words).help("Remove it, or use it.")));
            }
        }
    }
    out
}
