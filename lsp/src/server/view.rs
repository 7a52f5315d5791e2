//! What one request sees: a copy of the workspace that no edit changes.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::build::line_starts;
use banneret_compiler::db::{Db, SourceFile};
use banneret_compiler::diagnostic::{Located, ProjectProblem};
use banneret_grammar::span::Span;
use banneret_projects::paths::absolute;
use tower_lsp::ls_types::{Location, Position, Range, Uri};

use super::config::Config;
use super::convert;
use super::messenger::Published;
use super::position::{Encoding, Lines};
use super::projects::{Loaded, Table};
use crate::ide::Ide;

/// The last check of each project, and the revision it is of.
#[derive(Default)]
pub struct Cache {
    found: HashMap<usize, (u64, Arc<Vec<Located>>)>,
}

pub struct View {
    pub workspace: Workspace,
    pub table: Arc<Table>,
    pub encoding: Encoding,
    pub snippets: bool,
    pub config: Arc<Config>,
    pub cache: Arc<Mutex<Cache>>,
}

/// A file that a request is about.
#[derive(Clone)]
pub struct Page<'v> {
    pub ide: Ide<'v>,
    pub file: SourceFile,
    pub text: &'v str,
    pub project: usize,
    /// One of the library: it can be looked at, but not changed.
    pub of_library: bool,
    encoding: Encoding,
}

impl<'v> Page<'v> {
    pub fn lines(&self) -> Lines<'v> {
        Lines::known(self.text, line_starts(self.ide.db, self.file), self.encoding)
    }

    pub fn offset(&self, position: Position) -> u32 {
        self.lines().offset(position)
    }
}

impl View {
    pub fn db(&self) -> &Db {
        self.workspace.db()
    }

    pub fn project(&self, at: usize) -> Option<(ProjectId, &Loaded)> {
        let loaded = self.table.projects.get(at)?;
        Some((loaded.id?, loaded))
    }

    /// The file a URI names, if anything is known about it.
    pub fn page(&self, uri: &Uri) -> Option<Page<'_>> {
        let path = super::capabilities::path(uri)?;
        let (project, name, of_library) = match self.table.by_path.get(&path) {
            Some((project, name)) => (*project, name.clone(), false),
            None => {
                let name = super::library::shown(&path)?;
                // any project sees the whole library
                (self.table.projects.iter().position(|l| l.id.is_some() && !l.closed)?, name, true)
            }
        };
        let (id, _) = self.project(project)?;
        let file = self.workspace.file(id, &name)?;
        let ide = Ide { db: self.db(), universe: self.workspace.universe(id) };
        Some(Page { ide, file, text: file.text(self.db()), project, of_library, encoding: self.encoding })
    }

    /// Where a file of a project can be opened.
    pub fn path(&self, project: usize, name: &str) -> Option<PathBuf> {
        match self.table.by_name.get(&(project, name.to_owned())) {
            Some(path) => Some(path.clone()),
            None => super::library::place(name),
        }
    }

    pub fn uri(&self, project: usize, name: &str) -> Option<Uri> {
        Uri::from_file_path(self.path(project, name)?)
    }

    pub fn range(&self, file: SourceFile, span: Span) -> Range {
        Lines::known(file.text(self.db()), line_starts(self.db(), file), self.encoding).range(span)
    }

    pub fn location(&self, project: usize, file: SourceFile, span: Span) -> Option<Location> {
        Some(Location { uri: self.uri(project, file.path(self.db()))?, range: self.range(file, span) })
    }

    /// Everything the command would say about the sources of a project.
    pub fn found(&self, project: usize) -> Arc<Vec<Located>> {
        let Some(loaded) = self.table.projects.get(project).filter(|l| !l.closed) else { return Arc::default() };
        let Some(id) = loaded.id else { return Arc::default() };
        if let Ok(cache) = self.cache.lock()
            && let Some((revision, found)) = cache.found.get(&project)
            && *revision == loaded.revision
        {
            return found.clone();
        }
        let mut found = loaded.not_utf8.clone();
        found.extend(self.workspace.check(id).found);
        let found = Arc::new(found);
        if let Ok(mut cache) = self.cache.lock() {
            cache.found.insert(project, (loaded.revision, found.clone()));
        }
        found
    }

    /// The diagnostics of every file of a project, for clients that are sent them.
    pub fn published(&self, project: usize) -> Vec<Published> {
        let found = self.found(project);
        let mut by_file: BTreeMap<&str, Vec<&Located>> = BTreeMap::new();
        for located in found.iter() {
            by_file.entry(&located.file).or_default().push(located);
        }
        let names = self.table.by_name.iter().filter(|((p, _), _)| *p == project);
        for ((_, name), _) in names {
            by_file.entry(name).or_default();
        }
        let mut out: Vec<Published> = Vec::new();
        for (name, found) in by_file {
            let (Some(path), Some(uri)) = (self.path(project, name), self.uri(project, name)) else { continue };
            let version = self.table.versions.get(&path).copied();
            out.push((uri, version, self.diagnostics(project, name, &found)));
        }
        out.extend(self.of_manifest(project));
        out
    }

    /// The diagnostics of one file, as the protocol has them.
    pub fn diagnostics(&self, project: usize, name: &str, found: &[&Located]) -> Vec<tower_lsp::ls_types::Diagnostic> {
        let file = self.project(project).and_then(|(id, _)| self.workspace.file(id, name));
        let (Some(file), Some(uri)) = (file, self.uri(project, name)) else { return Vec::new() };
        let lines = Lines::known(file.text(self.db()), line_starts(self.db(), file), self.encoding);
        found.iter().map(|l| convert::diagnostic(&l.diagnostic, &uri, &lines)).collect()
    }

    /// What is wrong with a project as a whole, at its manifest.
    pub fn of_manifest(&self, project: usize) -> Option<Published> {
        let loaded = self.table.projects.get(project)?;
        let (name, text) = loaded.manifest.as_ref()?;
        let problems: &[ProjectProblem] = if loaded.closed { &[] } else { &loaded.problems };
        let lines = Lines::new(text, self.encoding);
        let uri = Uri::from_file_path(absolute(std::path::Path::new(name)))?;
        Some((uri, None, problems.iter().map(|p| convert::problem(p, &lines)).collect()))
    }
}
