//! The face of the compiler: what the command, the editor and the tests call. One path from source to pack for all of them.

mod look;

use std::sync::Arc;

use banneret_runtime::pack::Pack;
use rayon::prelude::*;
use salsa::{Durability, Setter};
use smol_str::SmolStr;

use crate::build::{self, Purpose};
use crate::check::{across_items, analysis};
use crate::db::{Db, SourceFile, Universe};
use crate::diagnostic::{Diagnostic, Located, ProjectProblem, Severity};
use crate::items::{is_card, items};
use crate::manifest::Manifest;
use crate::names::PRELUDE;
use crate::printed::Printed;
use crate::show;
use crate::stdlib;

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
}

/// What a card prints, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCard {
    pub file: String,
    /// Where its item starts in the file; spans of what it prints count from here.
    pub start: u32,
    pub printed: Arc<Printed>,
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
    projects: Vec<Project>,
}

#[derive(Clone)]
struct Project {
    universe: Universe,
    root: String,
    sources: Vec<String>,
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
        let library = files
            .into_iter()
            .filter(|(path, _)| path.ends_with(".banner") && !is_test_file(path))
            .map(|(path, text)| library_file(&db, path, text))
            .collect();
        Self { db, library, projects: Vec::new() }
    }

    pub fn db(&self) -> &Db {
        &self.db
    }

    pub fn universe(&self, project: ProjectId) -> Universe {
        self.projects[project.0].universe
    }

    /// A project with its files; paths are as they are shown to people.
    pub fn open(&mut self, manifest: Manifest, root: String, files: Vec<(String, String)>) -> ProjectId {
        let sources = files
            .into_iter()
            .map(|(path, text)| {
                let module = module_of(&root, &manifest.sources, &path);
                SourceFile::new(&self.db, path, module, Arc::from(text))
            })
            .collect();
        let rules = (!manifest.rules.is_empty()).then(|| SmolStr::new(&manifest.rules));
        let universe = Universe::new(&self.db, manifest.name, manifest.version, rules, sources, self.library.clone());
        self.projects.push(Project { universe, root, sources: manifest.sources });
        ProjectId(self.projects.len() - 1)
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
        let universe = Universe::new(&self.db, name.to_string(), String::new(), None, files, others);
        self.projects.push(Project { universe, root: String::new(), sources: vec![".".into()] });
        Some(ProjectId(self.projects.len() - 1))
    }

    /// A file has new text, is new, or (None) is gone.
    pub fn set_text(&mut self, project: ProjectId, path: &str, text: Option<String>) {
        let Project { universe, root, sources } = &self.projects[project.0];
        let universe = *universe;
        let files = universe.files(&self.db).clone();
        let at = files.iter().position(|f| f.path(&self.db) == path);
        match (at, text) {
            (Some(i), Some(text)) => {
                files[i].set_text(&mut self.db).to(Arc::from(text));
            }
            (Some(i), None) => {
                let mut files = files;
                files.remove(i);
                universe.set_files(&mut self.db).to(files);
            }
            (None, Some(text)) => {
                let module = module_of(root, sources, path);
                let file = SourceFile::new(&self.db, path.to_string(), module, Arc::from(text));
                let mut files = files;
                files.push(file);
                universe.set_files(&mut self.db).to(files);
            }
            (None, None) => {}
        }
    }

    /// Every diagnostic, sorted by file and place.
    pub fn check(&self, project: ProjectId) -> Checked {
        let universe = self.universe(project);
        let mut out = self.check_items(universe);
        if !out.has_errors() {
            let db = &self.db;
            let reachable = build::reachable_files(db, universe);
            for (file, start, d) in across_items(db, universe, &reachable) {
                out.found.push(located(file.path(db), start, d));
            }
            match build::link(db, universe, Purpose::Limits) {
                Ok(linked) => out.found.extend(build::limits(db, universe, &linked)),
                Err(found) => out.found.extend(found),
            }
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
        out
    }

    fn check_items(&self, universe: Universe) -> Checked {
        let files = universe.files(&self.db).clone();
        // a clone of the database is a cheap read handle; one for each thread
        let parts: Vec<Checked> = files
            .into_par_iter()
            .map_with(self.db.clone(), |db, file| {
                let db: &Db = db;
                let mut out = Checked::default();
                for item in items(db, file) {
                    out.items += 1;
                    out.cards += usize::from(is_card(db, *item));
                    out.todos += item.text(db).matches("todo \"").count();
                    for d in &analysis(db, universe, *item).found {
                        out.found.push(located(file.path(db), item.start(db), d.clone()));
                    }
                }
                out
            })
            .collect();
        let mut out = Checked::default();
        for part in parts {
            out.items += part.items;
            out.cards += part.cards;
            out.todos += part.todos;
            out.found.extend(part.found);
        }
        out
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

    /// What every card of the project prints, in the order of files and places. Cards that mean nothing because of errors are left out.
    pub fn printed(&self, project: ProjectId) -> Vec<PrintedCard> {
        let universe = self.universe(project);
        let files = universe.files(&self.db).clone();
        let parts: Vec<Vec<PrintedCard>> = files
            .into_par_iter()
            .map_with(self.db.clone(), |db, file| {
                let db: &Db = db;
                let cards = items(db, file).iter().filter_map(|item| {
                    let printed = crate::printed::printed(db, universe, *item).as_ref()?;
                    Some(PrintedCard { file: file.path(db).to_string(), start: item.start(db), printed: printed.clone() })
                });
                cards.collect()
            })
            .collect();
        parts.into_iter().flatten().collect()
    }

    pub fn overrides(&self, project: ProjectId) -> Vec<Override> {
        show::overrides(&self.db, self.universe(project))
    }

    pub fn show(&self, project: ProjectId, name: &str, stage: Stage) -> Option<String> {
        show::show(&self.db, self.universe(project), name, stage)
    }
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
    SourceFile::builder(format!("stdlib/{path}"), module, Arc::from(text)).durability(Durability::HIGH).new(db)
}

/// Tests of a library are seen only where the library itself is checked.
fn is_test_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("tests"))
}

fn is_module_of(module: &str, library: &str) -> bool {
    module == library || module.strip_prefix(library).is_some_and(|rest| rest.starts_with('.'))
}

/// `@` and the folder a file stands in, below the source folder.
fn module_of(root: &str, sources: &[String], path: &str) -> SmolStr {
    let path = path.replace('\\', "/");
    let root = root.replace('\\', "/");
    let below = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(&path).trim_start_matches('/');
    let mut rest = below;
    for source in sources {
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
    match rest.rsplit_once('/') {
        Some((folder, _)) => SmolStr::new(format!("@{}", folder.trim_start_matches("./").replace('/', "."))),
        None => SmolStr::new("@"),
    }
}
