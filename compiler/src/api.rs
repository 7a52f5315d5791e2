//! The face of the compiler: what the command, the editor and the tests call. One path from source to pack for all of them.

mod look;

use std::sync::Arc;

use banneret_grammar::span::Span;
use banneret_runtime::pack::Pack;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use salsa::{Database as _, Durability, Setter};
use smol_str::SmolStr;

use crate::build::{self, Purpose};
use crate::db::{Cut, Db, Package, SourceFile, Universe};
use crate::diagnostic::{Code, Diagnostic, Located, ProjectProblem, Severity};
use crate::items::{Item, items, rule_items, starts_card};
use crate::layers::{self, Change, Layer};
use crate::limits::{self, Group};
use crate::manifest::{self, Manifest};
use crate::names::{PRELUDE, is_module_of};
use crate::printed::Printed;
use crate::recipes::{self, Book};
use crate::report::{Report, across_files, prepare, report};
use crate::show;
use crate::stdlib;
use crate::words::{self, ToSay};
pub use crate::words::{BadCatalogue, Catalogue, Language, Speech, written};

/// Which project of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProjectId(pub usize);

/// What a check found. Limits run only if nothing before them failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub found: Vec<Located>,
    pub problems: Vec<ProjectProblem>,
    /// How many cards, items and `todo`s there are.
    pub cards: usize,
    pub items: usize,
    pub todos: usize,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        !self.problems.is_empty() || self.found.iter().any(|l| l.diagnostic.severity == Severity::Error)
    }
}

/// A card whose rules text was written by its author instead of generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    pub file: String,
    pub line: u32,
    pub card: String,
    pub written: String,
    pub generated: String,
    /// The generated words tell all of the rules: they could be used instead.
    pub whole: bool,
}

/// What a card prints, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCard {
    pub file: String,
    /// Where its item starts in the file; spans of what it prints count from here.
    pub start: u32,
    pub printed: Arc<Printed>,
}

/// The cards of one file that are printed, in the order they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedFile {
    pub file: String,
    pub cards: Vec<PrintedCard>,
}

/// What `show` prints of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Source,
    Tree,
    Types,
    Bytecode,
    Text,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// There are errors; they are in here.
    Found(Checked),
    /// The linker met something the checks should have caught.
    Internal(String),
}

pub type BuildResult = Result<Pack, BuildError>;

/// Projects over one database. A clone is a cheap handle for reading; a writer waits until every clone is gone.
#[derive(Clone)]
pub struct Workspace {
    db: Db,
    library: Vec<SourceFile>,
    /// How wishes are said in the rule systems of the library.
    books: Arc<Vec<Book>>,
    projects: Vec<Project>,
}

/// The packages that a project builds on, theirs included, as they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages {
    /// Path as it is shown, module, text.
    pub files: Vec<(String, SmolStr, String)>,
    /// What each calls those it needs; the project itself is the first.
    pub names: Vec<Package>,
}

impl Packages {
    /// The module of a package by what the project calls it.
    fn module_of(&self, name: &str) -> Option<SmolStr> {
        self.names.first()?.needs.iter().find(|(needed, _)| needed == name).map(|(_, module)| module.clone())
    }
}

#[derive(Clone)]
struct Project {
    universe: Universe,
    folders: Folders,
    /// What it builds on, as it is without the project's own changes.
    unchanged: Vec<SourceFile>,
}

/// Where the files of a project lie: what their modules are called follows from that.
#[derive(Clone)]
struct Folders {
    root: String,
    sources: Vec<String>,
    /// The library these files are, if they are one.
    stands_for: Option<SmolStr>,
    /// What belongs to a package that it changes.
    layers: Vec<Layer>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace; the standard library comes from the binary.
    pub fn new() -> Self {
        Self::with_db(Db::default())
    }

    /// Over a database of the caller's, for tests that listen to it.
    pub fn with_db(db: Db) -> Self {
        Self::with_library(db, stdlib::files().iter().copied())
    }

    /// With another standard library than the one in the binary, for those who work on it. Paths are relative to its folder.
    pub fn with_library<'a>(db: Db, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files: Vec<(&str, &str)> = files.into_iter().collect();
        let of_system = |path: &'a str| path.split_once('/').filter(|(_, name)| *name == recipes::FILE_NAME).map(|(system, _)| system);
        let books = files.iter().filter_map(|(path, text)| Some(Book::read(of_system(path)?, text))).collect();
        let library = files
            .into_iter()
            .filter(|(path, _)| path.ends_with(".banner") && !is_test_file(path))
            .map(|(path, text)| library_file(&db, path, text))
            .collect();
        Self { db, library, books: Arc::new(books), projects: Vec::new() }
    }

    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Stops whatever is being worked out on clones, and waits until they are gone.
    pub fn stop(&mut self) {
        self.db.trigger_cancellation();
    }

    /// For work on a clone that asks nobody else for long: ends it if the clone should go.
    pub fn look_up(&self) {
        self.db.unwind_if_revision_cancelled();
    }

    pub fn universe(&self, project: ProjectId) -> Universe {
        self.projects[project.0].universe
    }

    /// A project with its files; paths are as they are shown to people.
    pub fn open(&mut self, manifest: Manifest, root: String, files: Vec<(String, String)>) -> ProjectId {
        self.open_with(manifest, root, files, &Packages::default())
    }

    /// The same of a project that builds on packages.
    pub fn open_with(&mut self, manifest: Manifest, root: String, files: Vec<(String, String)>, packages: &Packages) -> ProjectId {
        let stands_for = self.library_from(&manifest, &root, &files);
        let layer = |changes: manifest::Changes| {
            let module = packages.module_of(&changes.package).unwrap_or_else(|| SmolStr::new(&changes.package));
            Layer { package: changes.package, module, folder: changes.folder }
        };
        let layers = manifest.changes.into_iter().map(layer).collect();
        let folders = Folders { root, sources: manifest.sources, stands_for, layers };
        let cut: Vec<(String, Cut)> = files.into_par_iter().map(|(path, text)| (path, Cut::of(&text))).collect();
        let sources = cut.into_iter().map(|(path, cut)| {
            let (below, module) = (folders.below(&path), folders.module_of(&path));
            cut.into_file(&self.db, path, below, module, Durability::MEDIUM)
        });
        let sources: Vec<SourceFile> = sources.collect();
        let rules = packages.module_of(&manifest.rules).or_else(|| (!manifest.rules.is_empty()).then(|| SmolStr::new(&manifest.rules)));
        let mut library = self.library.clone();
        let needed = packages.files.iter().filter(|(path, _, _)| !is_test_file(path));
        library.extend(needed.map(|(path, module, text)| {
            // by its package and not by where that lies, so that a pack does not depend on it
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let below = format!("packages/{}/{name}", module.replace('.', "/"));
            Cut::of(text).into_file(&self.db, path.clone(), below, module.clone(), Durability::MEDIUM)
        }));
        if let Some(name) = &folders.stands_for {
            library.retain(|f| !is_module_of(f.module(&self.db), name));
        }
        let changed = folders.changed(&self.db, &library, &sources);
        let universe = Universe::builder(manifest.name, manifest.version, rules, sources, changed, packages.names.clone(), None);
        let universe = universe.durability(Durability::MEDIUM).new(&self.db);
        self.projects.push(Project { universe, folders, unchanged: library });
        ProjectId(self.projects.len() - 1)
    }

    /// What a project changes in packages it builds on, and why.
    pub fn changes(&self, project: ProjectId) -> Vec<Change> {
        self.each_layer(project).flat_map(|(layer, before, after)| layers::changes(layer, &before, &after)).collect()
    }

    /// Each layer with the texts of its package and its own files.
    #[allow(clippy::type_complexity, reason = "three lists")]
    fn each_layer(&self, project: ProjectId) -> impl Iterator<Item = (&Layer, Vec<&str>, Vec<(&str, &str)>)> {
        let (db, of) = (&self.db, &self.projects[project.0]);
        of.folders.layers.iter().map(move |layer| {
            let before = of.unchanged.iter().filter(|file| is_module_of(file.module(db), &layer.module)).map(|file| &**file.text(db));
            let own = of.universe.files(db).iter().filter(|file| layer_of(of, file.below(db)) == Some(layer));
            (layer, before.collect(), own.map(|file| (file.path(db), &**file.text(db))).collect())
        })
    }

    /// The library that a folder without a manifest holds: its name, and at least its files. Those who work on it mean that and no copy.
    fn library_from(&self, manifest: &Manifest, root: &str, files: &[(String, String)]) -> Option<SmolStr> {
        let own = self.library.iter().filter(|f| is_module_of(f.module(&self.db), &manifest.name));
        let mut names = own.filter_map(|f| f.path(&self.db).split_once(&format!("/{}/", manifest.name)).map(|(_, name)| name)).peekable();
        let there =
            |name: &str| files.iter().any(|(path, _)| path.strip_prefix(root).is_some_and(|rest| rest.trim_start_matches('/') == name));
        (manifest.rules.is_empty() && names.peek().is_some() && names.all(there)).then(|| SmolStr::new(&manifest.name))
    }

    /// A rule system of the standard library as a project of its own, with its tests.
    pub fn open_library(&mut self, name: &str) -> Option<ProjectId> {
        let library = stdlib::library(name)?;
        let files: Vec<SourceFile> = library
            .files()
            .iter()
            .filter(|(path, _)| path.ends_with(".banner"))
            .map(|(path, text)| library_file(&self.db, path, text))
            .collect();
        let others = self.library.iter().copied().filter(|f| !is_module_of(f.module(&self.db), name)).collect();
        let universe = Universe::new(&self.db, name.to_string(), String::new(), None, files, others, Vec::new(), None);
        let folders = Folders { root: String::new(), sources: vec![".".into()], stands_for: Some(SmolStr::new(name)), layers: Vec::new() };
        self.projects.push(Project { universe, folders, unchanged: Vec::new() });
        Some(ProjectId(self.projects.len() - 1))
    }

    /// The files of a project: where they are below its folder, as packs say it, and how that is shown to people.
    pub fn files_below(&self, project: ProjectId) -> std::collections::HashMap<String, String> {
        let files = self.universe(project).files(&self.db).iter();
        files.map(|file| (file.below(&self.db).to_owned(), file.path(&self.db).to_owned())).collect()
    }

    /// The language that the cards of a project speak from now on; None is that of its sources.
    pub fn set_speech(&mut self, project: ProjectId, speech: Option<Speech>) {
        let universe = self.universe(project);
        universe.set_speech(&mut self.db).with_durability(Durability::MEDIUM).to(speech.map(Arc::new));
    }

    /// What the cards and rules of a project print, for whoever translates it; not what the rules print that it builds on.
    pub fn to_say(&self, project: ProjectId) -> Vec<ToSay> {
        words::to_say(&self.db, self.universe(project))
    }

    /// A file has new text, is new, or (None) is gone.
    pub fn set_text(&mut self, project: ProjectId, path: &str, text: Option<String>) {
        let Project { universe, folders, .. } = &self.projects[project.0];
        let universe = *universe;
        let is_change = folders.layer(&folders.below(path)).is_some();
        let files = universe.files(&self.db).clone();
        let at = files.iter().position(|f| f.path(&self.db) == path);
        match (at, text) {
            (Some(i), Some(text)) => {
                Cut::of(&text).set(&mut self.db, files[i]);
            }
            (Some(i), None) => {
                let mut files = files;
                files.remove(i);
                universe.set_files(&mut self.db).with_durability(Durability::MEDIUM).to(files);
            }
            (None, Some(text)) => {
                let (below, module) = (folders.below(path), folders.module_of(path));
                let file = Cut::of(&text).into_file(&self.db, path.to_string(), below, module, Durability::MEDIUM);
                let mut files = files;
                files.push(file);
                universe.set_files(&mut self.db).with_durability(Durability::MEDIUM).to(files);
            }
            (None, None) => {}
        }
        if is_change {
            let Project { folders, unchanged, .. } = &self.projects[project.0];
            let changed = folders.changed(&self.db, unchanged, universe.files(&self.db));
            universe.set_library(&mut self.db).with_durability(Durability::MEDIUM).to(changed);
        }
    }

    /// Every diagnostic, sorted by file and place.
    pub fn check(&self, project: ProjectId) -> Checked {
        let (db, universe) = (&self.db, self.universe(project));
        let own = self.reports(universe, universe.files(db));
        let mut out = Checked::default();
        for (_, report) in &own {
            out.items += report.items;
            out.cards += report.cards;
            out.todos += report.todos;
            out.found.extend(report.found.iter().cloned());
        }
        // a package with mistakes is no ground to build on: they are told here, where its files can be opened
        let packages: Vec<SourceFile> = universe.library(db).iter().filter(|file| universe.is_of_package(db, **file)).copied().collect();
        let mut is_told = universe.lacks_packages(db);
        for (_, report) in self.reports(universe, &packages) {
            is_told |= report.has_errors;
            out.found.extend(report.found.iter().filter(|l| l.diagnostic.severity == Severity::Error).cloned());
        }
        let idle: Vec<Located> =
            self.each_layer(project).flat_map(|(layer, before, after)| layers::mistakes(layer, &before, &after)).collect();
        is_told |= !idle.is_empty();
        out.found.extend(idle);
        let withheld = || own.iter().flat_map(|(_, report)| &report.withheld);
        is_told |= own.iter().any(|(_, report)| report.has_errors);
        if !is_told && withheld().next().is_some() {
            // better what follows than nothing
            out.found.extend(withheld().cloned());
        } else if !is_told {
            self.check_together(universe, &own, &mut out);
        }
        out.found.sort_by(|a, b| {
            (&a.file, a.diagnostic.span, a.diagnostic.code, &a.diagnostic.headline).cmp(&(
                &b.file,
                b.diagnostic.span,
                b.diagnostic.code,
                &b.diagnostic.headline,
            ))
        });
        out.found.dedup();
        self.advise(universe, &mut out.found);
        out
    }

    /// How wishes are said in the rule systems that a project uses; in all of them, if it uses none.
    pub fn books(&self, project: ProjectId) -> Vec<&Book> {
        let used = self.used_books(self.universe(project));
        if used.is_empty() { self.books.iter().collect() } else { used }
    }

    pub fn all_books(&self) -> &[Book] {
        &self.books
    }

    fn used_books(&self, universe: Universe) -> Vec<&Book> {
        let modules: FxHashSet<&SmolStr> =
            build::reachable_files(&self.db, universe).into_iter().map(|file| file.module(&self.db)).collect();
        self.books.iter().filter(|book| modules.contains(&book.system) || universe.rules(&self.db).as_ref() == Some(&book.system)).collect()
    }

    fn advise(&self, universe: Universe, found: &mut [Located]) {
        if found.is_empty() {
            return;
        }
        let books = self.used_books(universe);
        for located in found {
            if let Some(file) = universe.files(&self.db).iter().find(|file| *file.path(&self.db) == located.file) {
                recipes::advise(&mut located.diagnostic, file.text(&self.db), books.iter().copied());
            }
        }
    }

    fn reports(&self, universe: Universe, files: &[SourceFile]) -> Vec<(SourceFile, &Report)> {
        // names first: whoever asks for one waits for all of its module
        self.on_all_cores(files.to_vec(), |db, file| prepare(db, *file));
        self.on_all_cores(files.to_vec(), |db, file| _ = report(db, universe, *file));
        files.iter().map(|file| (*file, report(&self.db, universe, *file))).collect()
    }

    /// What only shows when no single item is wrong: names nobody uses, rules that do not fit together, broken limits.
    fn check_together(&self, universe: Universe, own: &[(SourceFile, &Report)], out: &mut Checked) {
        let db = &self.db;
        let reachable = build::reachable_files(db, universe);
        let of_project: FxHashSet<SourceFile> = own.iter().map(|(file, _)| *file).collect();
        let libraries: Vec<SourceFile> = reachable.into_iter().filter(|file| !of_project.contains(file)).collect();
        let libraries: Vec<&Report> = self.reports(universe, &libraries).into_iter().map(|(_, report)| report).collect();
        out.found.extend(across_files(db, universe, own, &libraries));
        let printed = crate::printed::faces_said_twice(db, universe).into_iter().chain(crate::printed::single_card(db, universe));
        out.found.extend(printed.map(|(file, start, d)| located(file.path(db), start, d)));
        let before = out.found.len();
        out.found.extend(own.iter().flat_map(|(_, report)| report.unbuildable.iter().cloned()));
        if out.found.len() > before {
            return;
        }
        let rules = build::wrong_rules(db, universe);
        if !rules.is_empty() {
            out.found.extend(rules.iter().cloned());
            return;
        }
        let groups: Vec<Group<'_>> = limits::groups(db, universe);
        self.on_all_cores(groups.iter().map(|group| group.at(db)).collect(), |db, at| {
            _ = limits::of_group(db, universe, Group::new(db, *at))
        });
        let judged: Option<Vec<&[Located]>> = groups.into_iter().map(|group| limits::of_group(db, universe, group).as_deref()).collect();
        match (judged, limits::of_all(db, universe)) {
            (Some(judged), Some(of_all)) => out.found.extend(judged.into_iter().flatten().chain(of_all).cloned()),
            _ => out.found.extend(limits::not_all_judged(db, universe)),
        }
    }

    fn on_all_cores<W: Send, T: Send>(&self, all: Vec<W>, work: impl Fn(&Db, &W) -> T + Sync) -> Vec<(W, T)> {
        // a clone of the database is a cheap read handle; one for each thread
        let work = |db: &mut Db, one: W| {
            let done = work(db, &one);
            (one, done)
        };
        all.into_par_iter().map_with(self.db.clone(), work).collect()
    }

    pub fn build(&self, project: ProjectId) -> BuildResult {
        let universe = self.universe(project);
        let checked = self.check(project);
        if checked.has_errors() {
            return Err(BuildError::Found(checked));
        }
        match build::link(&self.db, universe, Purpose::Pack) {
            Ok(linked) => Ok(linked.pack),
            Err(found) => Err(BuildError::Found(Checked { found, ..checked })),
        }
    }

    /// A pack of what has no mistake in it, for the tests of a project with mistakes: one broken card or roster does not stop the tests of others.
    pub fn build_error_free(&self, project: ProjectId) -> Option<Pack> {
        build::link_error_free(&self.db, self.universe(project), &[], false).map(|(linked, _)| linked.pack)
    }

    /// The same without everything that one of these mistakes stands in, with its words, and what was left out: for games, in which nothing illegal plays.
    /// None also if a mistake stands in the rules: without one of them it would be another game.
    pub fn build_without(&self, project: ProjectId, found: &[Located]) -> Option<(Pack, Vec<SmolStr>)> {
        if self.are_rules_blamed(project, found) {
            return None;
        }
        build::link_error_free(&self.db, self.universe(project), found, true).map(|(linked, left_out)| (linked.pack, left_out))
    }

    /// An error stands neither in a card nor in a test.
    fn are_rules_blamed(&self, project: ProjectId, found: &[Located]) -> bool {
        let (db, universe) = (&self.db, self.universe(project));
        let own = || universe.files(db).iter().flat_map(|file| items(db, *file)).copied();
        let can_be_left_out = |item: Item| starts_card(item.header(db), item.stray(db)) || item.header(db).starts_with("test ");
        let mut errors = found.iter().filter(|l| l.diagnostic.severity == Severity::Error);
        errors.any(|l| !own().any(|item| build::is_blamed(db, item, std::slice::from_ref(l)) && can_be_left_out(item)))
    }

    /// What is wrong with printed cards, with a colour that cannot be printed told once, where it is written, and not at each card that has it.
    pub fn at_colours(&self, project: ProjectId, found: Vec<Located>) -> Vec<Located> {
        let (db, universe) = (&self.db, self.universe(project));
        let mut told: Vec<String> = Vec::new();
        let mut out = Vec::new();
        for mut located in found {
            if located.diagnostic.code != Code::BadColour {
                out.push(located);
                continue;
            }
            if told.contains(&located.diagnostic.headline) {
                continue;
            }
            told.push(located.diagnostic.headline.clone());
            let written = located.diagnostic.headline.split(['“', '”']).nth(1).map(|colour| format!("\"{colour}\"")).unwrap_or_default();
            let place = universe.files(db).iter().find_map(|file| {
                let text = file.text(db);
                let is_of_colour =
                    |at: &usize| text.get(..*at).and_then(|before| before.lines().next_back()).is_some_and(|line| line.contains("colour"));
                text.match_indices(&written).map(|(at, _)| at).find(is_of_colour).map(|at| (file.path(db).to_string(), at as u32))
            });
            if let Some((file, at)) = place.filter(|_| !written.is_empty()) {
                located.file = file;
                located.diagnostic.span = Span::new(at, at + written.len() as u32);
            }
            out.push(located);
        }
        out
    }

    /// What the cards print that none of these mistakes stands in, and the first words of the others. None if a mistake stands in the rules, which may
    /// be printed on any card.
    pub fn printed_without(&self, project: ProjectId, found: &[Located]) -> Option<(Vec<PrintedCard>, Vec<SmolStr>)> {
        if self.are_rules_blamed(project, found) {
            return None;
        }
        let (db, universe) = (&self.db, self.universe(project));
        let (mut cards, mut left_out) = (Vec::new(), Vec::new());
        for file in universe.files(db) {
            for item in items(db, *file) {
                if build::is_blamed(db, *item, found) {
                    left_out.push(item.header(db).clone());
                } else if let Some(printed) = crate::printed::printed(db, universe, *item) {
                    cards.push(PrintedCard { file: file.path(db).to_string(), start: item.start(db), printed: printed.clone() });
                }
            }
        }
        left_out.retain(|words| !words.starts_with("test "));
        Some((cards, left_out))
    }

    /// How many tests are written in the project.
    pub fn count_tests(&self, project: ProjectId) -> usize {
        let files = self.universe(project).files(&self.db);
        files.iter().flat_map(|file| rule_items(&self.db, *file)).filter(|item| item.header(&self.db).starts_with("test ")).count()
    }

    /// What every card of the project prints, in the order of files and places. Cards that mean nothing because of errors are left out.
    pub fn printed(&self, project: ProjectId) -> Vec<PrintedCard> {
        self.printed_by_file(project).iter().flat_map(|file| file.cards.iter().cloned()).collect()
    }

    /// The same, file by file. What is said of a file is the same piece of memory until something changed that it depends on.
    pub fn printed_by_file(&self, project: ProjectId) -> Vec<Arc<PrintedFile>> {
        self.printed_in(project, &|_| true)
    }

    /// The same of some files only.
    pub fn printed_in(&self, project: ProjectId, wanted: &dyn Fn(&str) -> bool) -> Vec<Arc<PrintedFile>> {
        let (db, universe) = (&self.db, self.universe(project));
        let files: Vec<SourceFile> = universe.files(db).iter().copied().filter(|file| wanted(file.path(db))).collect();
        let printed = self.on_all_cores(files, |db, file| printed_file(db, universe, *file).clone());
        printed.into_iter().map(|(_, printed)| printed).collect()
    }

    /// What stands on cards of its own because no other card tells it for certain.
    pub fn reference(&self, project: ProjectId) -> crate::printed::Reference {
        crate::printed::reference(&self.db, self.universe(project))
    }

    pub fn overrides(&self, project: ProjectId) -> Vec<Override> {
        show::overrides(&self.db, self.universe(project))
    }

    /// The words of every card of a project and of those nested in it, by key.
    pub fn texts(&self, project: ProjectId) -> std::collections::BTreeMap<crate::hir::Key, String> {
        let universe = self.universe(project);
        show::texts(&self.db, universe, universe.files(&self.db))
    }

    /// What a project says about its cards and rules, to be compared with another version.
    pub fn facts(&self, project: ProjectId) -> crate::facts::Facts {
        crate::facts::facts(&self.db, self.universe(project))
    }

    /// An item by its name, or a part of a card by its path.
    pub fn show(&self, project: ProjectId, path: &str, stage: Stage) -> Option<String> {
        show::show(&self.db, self.universe(project), path, stage)
    }

    /// The paths of the parts of a card.
    pub fn parts(&self, project: ProjectId, card: &str) -> Vec<String> {
        show::parts(&self.db, self.universe(project), card)
    }
}

#[salsa::tracked]
fn printed_file(db: &dyn salsa::Database, universe: Universe, file: SourceFile) -> Arc<PrintedFile> {
    let path = file.path(db);
    let cards = items(db, file).iter().filter_map(|item| {
        let printed = crate::printed::printed(db, universe, *item).as_ref()?;
        Some(PrintedCard { file: path.to_string(), start: item.start(db), printed: printed.clone() })
    });
    Arc::new(PrintedFile { file: path.to_string(), cards: cards.collect() })
}

/// Moves a diagnostic from its item into its file.
pub fn located(path: &str, start: u32, mut d: Diagnostic) -> Located {
    d.span = d.span.shifted(start);
    for (span, _) in &mut d.also {
        *span = span.shifted(start);
    }
    for fix in &mut d.fixes {
        for (span, _) in &mut fix.edits {
            *span = span.shifted(start);
        }
    }
    Located { file: path.to_string(), diagnostic: d }
}

fn library_file(db: &Db, path: &str, text: &str) -> SourceFile {
    let module = match path.rsplit_once('/') {
        Some((folder, _)) => SmolStr::new(folder.replace('/', ".")),
        None => SmolStr::new(PRELUDE),
    };
    let path = format!("stdlib/{path}");
    Cut::of(text).into_file(db, path.clone(), path, module, Durability::HIGH)
}

/// Tests of a library are seen only where the library itself is checked.
pub(crate) fn is_test_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("tests"))
}

fn layer_of<'a>(project: &'a Project, below: &str) -> Option<&'a Layer> {
    project.folders.layer(below)
}

impl Folders {
    /// The layer that a file belongs to, by its path below the project.
    fn layer(&self, below: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| below.strip_prefix(layer.folder.as_str()).is_some_and(|rest| rest.starts_with('/')))
    }

    /// What the project builds on without what its files replace.
    fn changed(&self, db: &Db, unchanged: &[SourceFile], own: &[SourceFile]) -> Vec<SourceFile> {
        let mut library = unchanged.to_vec();
        for layer in &self.layers {
            let changes = own.iter().filter(|file| self.layer(file.below(db)) == Some(layer));
            let replaced = layers::names(changes.map(|file| &**file.text(db)));
            for file in library.iter_mut().filter(|file| is_module_of(file.module(db), &layer.module)) {
                if let Some(text) = layers::without(file.text(db), &replaced) {
                    let (path, below, module) = (file.path(db).to_string(), file.below(db).to_string(), file.module(db).clone());
                    *file = Cut::of(&text).into_file(db, path, below, module, Durability::MEDIUM);
                }
            }
        }
        library
    }

    /// The path of a file below the folder of its project.
    fn below(&self, path: &str) -> String {
        let (root, path) = (self.root.replace('\\', "/"), path.replace('\\', "/"));
        let root = root.trim_end_matches('/');
        let below = path.strip_prefix(root).filter(|rest| root.is_empty() || rest.starts_with('/')).unwrap_or(&path);
        below.trim_start_matches('/').trim_start_matches("./").to_owned()
    }

    /// `@` and the folder a file stands in, below the source folder; of a library its own name instead of the `@`.
    fn module_of(&self, path: &str) -> SmolStr {
        let below = self.below(path);
        let below = below.as_str();
        if let Some(layer) = self.layer(below) {
            return layer.module.clone();
        }
        let mut rest = below;
        for source in &self.sources {
            let source = source.trim_start_matches("./").trim_matches('/');
            if source.is_empty() || source == "." {
                continue;
            }
            if let Some(inner) = below.strip_prefix(source)
                && inner.starts_with('/')
            {
                rest = &inner[1..];
                break;
            }
        }
        let folder = rest.rsplit_once('/').map(|(folder, _)| folder.trim_start_matches("./").replace('/', "."));
        SmolStr::new(match (&self.stands_for, folder) {
            (None, folder) => format!("@{}", folder.unwrap_or_default()),
            (Some(library), None) => library.to_string(),
            (Some(library), Some(folder)) => format!("{library}.{folder}"),
        })
    }
}
