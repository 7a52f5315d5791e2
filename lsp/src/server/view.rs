//! What one request sees: a copy of the workspace that no edit changes.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use banneret_compiler::api::{Checked, ProjectId, Workspace};
use banneret_compiler::build::line_starts;
use banneret_compiler::db::{Db, SourceFile};
use banneret_compiler::diagnostic::{Code, Located, ProjectProblem};
use banneret_grammar::span::Span;
use banneret_projects::paths::absolute;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Location, Position, Range, Uri};

use super::address;
use super::config::Config;
use super::convert;
use super::messenger::Published;
use super::position::{Encoding, Lines};
use super::projects::{Loaded, Table};
use crate::ide::Ide;
use crate::ide::tried::Tried;

/// Tests that failed, by file and words.
type Failed = BTreeMap<(String, String), Located>;

/// What the compiler said of each project when it was last asked, and the revision that is about.
#[derive(Default)]
pub struct Cache {
    checked: HashMap<usize, (u64, Arc<Checked>)>,
    /// Tests that were run and failed, by their words, and the revision that is about.
    failed: HashMap<usize, (u64, Failed)>,
    /// A project as it was before the last edit, by the text of one file.
    before: Option<(Arc<str>, Workspace, ProjectId)>,
}

/// Which text a view is of: after how many of the edits that came.
#[derive(Clone)]
pub struct Moment {
    pub edit: u64,
    pub edits: Arc<AtomicU64>,
}

impl Moment {
    /// Another edit has come: nobody wants to know any more.
    pub fn is_past(&self) -> bool {
        self.edits.load(Ordering::Relaxed) > self.edit
    }
}

pub struct View {
    pub workspace: Workspace,
    pub table: Arc<Table>,
    pub encoding: Encoding,
    pub snippets: bool,
    /// Edits may say which version of a text they are about.
    pub versioned_edits: bool,
    /// Edits may give folders another name.
    pub moves_folders: bool,
    /// The client asks us for the texts of the library.
    pub opens_library: bool,
    /// The client asks again for what an action does once that is chosen.
    pub resolves_actions: bool,
    /// The client can show the card at a place.
    pub shows_cards: bool,
    /// The client can play a scenario.
    pub plays: bool,
    pub config: Arc<Config>,
    pub cache: Arc<Mutex<Cache>>,
    pub moment: Moment,
}

/// Which files of a project are meant.
#[derive(Clone, Copy)]
pub enum Files<'f> {
    All,
    One(&'f str),
    /// Those that are open in the editor.
    Open,
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
        let path = address::path(uri)?;
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
        if self.opens_library && !self.table.by_name.contains_key(&(project, name.to_owned())) {
            return super::library::address(name);
        }
        address::uri(&self.path(project, name)?)
    }

    pub fn range(&self, file: SourceFile, span: Span) -> Range {
        Lines::known(file.text(self.db()), line_starts(self.db(), file), self.encoding).range(span)
    }

    pub fn location(&self, project: usize, file: SourceFile, span: Span) -> Option<Location> {
        Some(Location { uri: self.uri(project, file.path(self.db()))?, range: self.range(file, span) })
    }

    /// Everything the command would say about sources of a project, in its order.
    pub fn found(&self, project: usize, files: Files<'_>) -> Result<Vec<Located>> {
        let Some(loaded) = self.table.projects.get(project).filter(|l| !l.closed) else { return Ok(Vec::new()) };
        let Some(id) = loaded.id else { return Ok(Vec::new()) };
        let meant = |file: &str| match files {
            Files::All => true,
            Files::One(one) => file == one,
            Files::Open => self.is_open(project, file),
        };
        let checked = self.checked(project, id, loaded.revision);
        let mut found: Vec<Located> = loaded.not_utf8.iter().chain(&checked.found).filter(|l| meant(&l.file)).cloned().collect();
        // only what means something can be printed
        if !checked.has_errors() {
            let moment = &self.moment;
            let (art, stopped) = (&loaded.art, || moment.is_past());
            // who asks about one file does not wait for the others, unless pictures have to be compared
            let alone = match files {
                Files::All => None,
                _ => loaded.prints.check_alone(&self.workspace.printed_in(id, &meant), art, &stopped),
            };
            let all = || loaded.prints.check_some(&self.workspace.printed_by_file(id), art, &meant, &stopped);
            let wrong = alone.or_else(|| if moment.is_past() { None } else { all() }).ok_or_else(Error::content_modified)?;
            // who looks at one file is told of its colours there, or at the file that has them
            found.extend(self.workspace.at_colours(id, wrong).into_iter().filter(|l| meant(&l.file)));
        }
        if let Ok(cache) = self.cache.lock()
            && let Some((_, failed)) = cache.failed.get(&project).filter(|(of, _)| *of == loaded.revision)
        {
            found.extend(failed.values().filter(|l| meant(&l.file)).cloned());
        }
        found.sort_by(|a, b| (&a.file, a.diagnostic.span).cmp(&(&b.file, b.diagnostic.span)));
        Ok(found)
    }

    /// A project with the old text of one file.
    pub fn as_it_was(
        &self,
        project: usize,
        name: &str,
        old: &Arc<str>,
        empty: impl FnOnce() -> Option<Tried>,
    ) -> Option<(Workspace, ProjectId)> {
        if let Ok(cache) = self.cache.lock()
            && let Some((_, workspace, id)) = cache.before.as_ref().filter(|(of, ..)| Arc::ptr_eq(of, old))
        {
            return Some((workspace.clone(), *id));
        }
        let (id, _) = self.project(project)?;
        let texts = self.workspace.universe(id).files(self.db()).iter().map(|file| {
            let path = file.path(self.db());
            (path.to_owned(), if path == name { old.to_string() } else { file.text(self.db()).to_string() })
        });
        let texts = texts.collect();
        let Tried { mut workspace, manifest, root, packages, .. } = empty()?;
        let id = workspace.open_with(manifest, root, texts, &packages);
        if let Ok(mut cache) = self.cache.lock() {
            cache.before = Some((old.clone(), workspace.clone(), id));
        }
        Some((workspace, id))
    }

    /// What limits say of a stretch of a file: what is too much, and what is missing.
    pub fn limits(&self, project: usize, file: &str, range: Span) -> Vec<String> {
        let Some((id, loaded)) = self.project(project) else { return Vec::new() };
        let checked = self.checked(project, id, loaded.revision);
        let here =
            checked.found.iter().filter(|l| l.file == file && range.start <= l.diagnostic.span.start && l.diagnostic.span.end <= range.end);
        here.filter(|l| l.diagnostic.code == Code::LimitBroken).map(|l| l.diagnostic.headline.clone()).collect()
    }

    /// A test was run and failed: that is told until something changes.
    pub fn test_failed(&self, project: usize, words: &str, failure: Located) {
        self.with_failed(project, |failed| {
            failed.insert((failure.file.clone(), words.to_owned()), failure);
        });
    }

    pub fn test_passed(&self, project: usize, file: &str, words: &str) {
        self.with_failed(project, |failed| {
            failed.remove(&(file.to_owned(), words.to_owned()));
        });
    }

    fn with_failed(&self, project: usize, change: impl FnOnce(&mut Failed)) {
        let Some(revision) = self.table.projects.get(project).map(|l| l.revision) else { return };
        if let Ok(mut cache) = self.cache.lock() {
            let (of, failed) = cache.failed.entry(project).or_default();
            if *of != revision {
                (*of, *failed) = (revision, Failed::new());
            }
            change(failed);
        }
    }

    fn is_open(&self, project: usize, file: &str) -> bool {
        self.table.by_name.get(&(project, file.to_owned())).is_some_and(|path| self.table.versions.contains_key(path))
    }

    /// What the check says of a project.
    pub fn checked(&self, project: usize, id: ProjectId, revision: u64) -> Arc<Checked> {
        if let Ok(cache) = self.cache.lock()
            && let Some((of, checked)) = cache.checked.get(&project)
            && *of == revision
        {
            return checked.clone();
        }
        let checked = Arc::new(self.workspace.check(id));
        if let Ok(mut cache) = self.cache.lock() {
            cache.checked.insert(project, (revision, checked.clone()));
        }
        checked
    }

    /// The diagnostics of files of a project, for clients that are sent them.
    pub fn published(&self, project: usize, files: Files<'_>) -> Result<Vec<Published>> {
        let found = self.found(project, files)?;
        let mut by_file: BTreeMap<&str, Vec<&Located>> = BTreeMap::new();
        for located in found.iter() {
            by_file.entry(&located.file).or_default().push(located);
        }
        let names = self.table.by_name.iter().filter(|((p, _), _)| *p == project);
        for ((_, name), _) in names.filter(|((_, name), _)| !matches!(files, Files::Open) || self.is_open(project, name)) {
            by_file.entry(name).or_default();
        }
        let mut out: Vec<Published> = Vec::new();
        for (name, found) in by_file {
            let (Some(path), Some(uri)) = (self.path(project, name), self.uri(project, name)) else { continue };
            let version = self.table.versions.get(&path).copied();
            out.push((uri, version, self.diagnostics(project, name, &found)));
        }
        out.extend(self.of_manifest(project));
        Ok(out)
    }

    /// The diagnostics of one file, as the protocol has them.
    pub fn diagnostics(&self, project: usize, name: &str, found: &[&Located]) -> Vec<tower_lsp::ls_types::Diagnostic> {
        let file = self.project(project).and_then(|(id, _)| self.workspace.file(id, name));
        let (Some(file), Some(uri)) = (file, self.uri(project, name)) else { return Vec::new() };
        let lines = Lines::known(file.text(self.db()), line_starts(self.db(), file), self.encoding);
        found.iter().map(|l| convert::diagnostic(&l.diagnostic, &uri, &lines)).collect()
    }

    /// The project whose manifest is at an address, and its text as it stands in the editor.
    pub fn manifest(&self, uri: &Uri) -> Option<(usize, &Loaded, &str)> {
        let path = address::path(uri)?;
        let all = self.table.projects.iter().enumerate().filter(|(_, loaded)| !loaded.closed);
        let found = all.filter_map(|(at, loaded)| loaded.manifest_text.as_ref().map(|(name, text)| (at, loaded, name, text)));
        let mut here = found.filter(|(_, _, name, _)| absolute(std::path::Path::new(name)) == path);
        here.next().map(|(at, loaded, _, text)| (at, loaded, text.as_str()))
    }

    /// What is wrong with a project as a whole, at its manifest.
    pub fn of_manifest(&self, project: usize) -> Option<Published> {
        let loaded = self.table.projects.get(project)?;
        let (name, text) = loaded.manifest_text.as_ref()?;
        let problems: &[ProjectProblem] = if loaded.closed { &[] } else { &loaded.problems };
        let lines = Lines::new(text, self.encoding);
        let uri = Uri::from_file_path(absolute(std::path::Path::new(name)))?;
        let version = self.table.versions.get(&absolute(std::path::Path::new(name))).copied();
        Some((uri, version, problems.iter().map(|p| convert::problem(p, &lines)).collect()))
    }
}
