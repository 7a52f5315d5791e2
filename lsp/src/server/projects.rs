//! What is open: projects, read from the disk, with the texts of the editor over them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::diagnostic::{Located, ProjectProblem};
use banneret_compiler::manifest::{FILE_NAME, Manifest};
use banneret_compiler::stdlib;
use banneret_projects::find::Kind;
use banneret_projects::packages::Needed;
use banneret_projects::paths::{shown, shown_in};
use banneret_projects::project::read_source;
use banneret_projects::walk::{is_passed_over, is_source};
use banneret_projects::{Art, PrintCheck, Project, Target, files, find, library};
use tower_lsp::ls_types::{DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams};

use super::address::{self, path};
use super::capabilities::Start;
use super::config::Config;
use super::desk::Edit;
use super::documents::Document;
use super::messenger::Progress;
use super::view::{Cache, Moment, View};

/// Who waits so long has finished what was being typed.
const PAUSE: Duration = Duration::from_secs(2);

/// A project as it was read.
#[derive(Clone)]
pub struct Loaded {
    pub target: Target,
    /// None if its manifest cannot be read: there is nothing to compile then.
    pub id: Option<ProjectId>,
    pub sources: Vec<String>,
    /// The folders of the packages it builds on.
    pub packages: Vec<PathBuf>,
    /// Its pictures, as far as they were looked at.
    pub art: Arc<Art>,
    /// Knows the cards that were laid out before.
    pub prints: Arc<PrintCheck>,
    pub manifest: Option<Manifest>,
    /// What it builds on, for those who try something in a workspace of their own.
    pub needed: Arc<Needed>,
    /// Its name and text.
    pub manifest_text: Option<(String, String)>,
    pub problems: Vec<ProjectProblem>,
    pub not_utf8: Vec<Located>,
    /// Grows with every change of what it holds.
    pub revision: u64,
    /// A loose file that is no longer open: nothing is said about it.
    pub closed: bool,
}

/// Which file is where.
#[derive(Clone, Default)]
pub struct Table {
    pub projects: Vec<Loaded>,
    /// The project of a file, and what the compiler calls it.
    pub by_path: HashMap<PathBuf, (usize, String)>,
    pub by_name: HashMap<(usize, String), PathBuf>,
    pub versions: HashMap<PathBuf, i32>,
    /// The text that was changed last, and what it was before.
    pub before: Option<(PathBuf, Arc<str>)>,
}

#[derive(Default)]
pub struct State {
    workspace: Workspace,
    table: Arc<Table>,
    documents: HashMap<PathBuf, Document>,
    start: Start,
    config: Arc<Config>,
    cache: Arc<Mutex<Cache>>,
    /// What could not be read, in words.
    troubles: Vec<String>,
    last: LastEdit,
}

impl State {
    pub fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    pub fn start(&mut self, start: Start) {
        // a library that cannot be read is as if none had been named
        self.workspace = library::workspace().unwrap_or_default();
        self.config = Arc::new(start.config.clone());
        self.start = start;
        // a client that did not wait for the answer has opened texts already: they are in no workspace now
        (self.table, self.cache) = Default::default();
        for path in self.documents.keys().cloned().collect::<Vec<_>>() {
            self.hand_on(&path);
        }
    }

    pub fn configure(&mut self, config: Config) {
        self.config = Arc::new(config);
    }

    pub fn shows_progress(&self) -> bool {
        self.start.progress
    }

    pub fn refreshes(&self) -> bool {
        self.start.refresh
    }

    /// A cheap copy for one request.
    pub fn view(&self, moment: Moment) -> View {
        View {
            workspace: self.workspace.clone(),
            table: self.table.clone(),
            encoding: self.start.encoding,
            snippets: self.start.snippets,
            versioned_edits: self.start.versioned_edits,
            moves_folders: self.start.moves_folders,
            opens_library: self.start.opens_library,
            resolves_actions: self.start.resolves_actions,
            shows_cards: self.start.shows_cards,
            plays: self.start.plays,
            config: self.config.clone(),
            cache: self.cache.clone(),
            moment,
        }
    }

    pub fn touch(&mut self, project: usize) {
        if let Some(loaded) = Arc::make_mut(&mut self.table).projects.get_mut(project) {
            loaded.revision += 1;
        }
    }

    /// Reads the projects below the roots. Says which ones.
    pub fn load_roots(&mut self, progress: &Progress) -> BTreeSet<usize> {
        let roots = self.start.roots.clone();
        let targets: Vec<Target> = roots.iter().flat_map(|root| targets(root)).collect();
        let mut touched = BTreeSet::new();
        for (i, target) in targets.iter().enumerate() {
            progress.step(i, targets.len(), shown(&target.root));
            touched.extend(self.load(target));
        }
        touched
    }

    /// Reads one project, unless that was done.
    fn load(&mut self, target: &Target) -> Option<usize> {
        let same = |l: &Loaded| l.target.root == target.root && l.target.kind == target.kind && !l.closed;
        if self.table.projects.iter().any(same) {
            return None;
        }
        let at = self.table.projects.len();
        self.put(at, target)?;
        Some(at)
    }

    /// Reads a project into a place of the table.
    fn put(&mut self, at: usize, target: &Target) -> Option<()> {
        let target = Target { only: Vec::new(), ..target.clone() };
        let manifest_text = self.documents.get(&target.root.join(FILE_NAME)).map(|doc| doc.text.as_str());
        let project = match Project::read_with(&target, manifest_text) {
            Ok(project) => project,
            Err(trouble) => {
                self.troubles.push(trouble.headline);
                return None;
            }
        };
        let texts = project.files.iter().map(|file| {
            let open = self.documents.get(&file.path);
            (file.shown.clone(), open.map_or_else(|| file.text.clone(), |doc| doc.text.clone()))
        });
        let texts: Vec<(String, String)> = texts.collect();
        let id = project
            .manifest
            .clone()
            .map(|manifest| self.workspace.open_with(manifest, project.root.clone(), texts, &project.needed.packages));
        let manifest = project.manifest.as_ref();
        let loaded = Loaded {
            id,
            sources: manifest.map(|m| m.sources.clone()).unwrap_or_default(),
            packages: project.needed.roots.clone(),
            art: Arc::new(Art::of(&project)),
            prints: self.table.projects.get(at).map(|l| l.prints.clone()).unwrap_or_default(),
            manifest: project.manifest.clone(),
            needed: Arc::new(project.needed.clone()),
            manifest_text: project.manifest_text.clone(),
            problems: project.problems.clone(),
            not_utf8: project.not_utf8().filter(|l| !self.is_open(&project, &l.file)).collect(),
            revision: self.table.projects.get(at).map_or(0, |l| l.revision + 1),
            closed: false,
            target,
        };
        let table = Arc::make_mut(&mut self.table);
        table.by_path.retain(|_, (project, _)| *project != at);
        table.by_name.retain(|(project, _), _| *project != at);
        match table.projects.get_mut(at) {
            Some(place) => *place = loaded,
            None => table.projects.push(loaded),
        }
        for file in project.files {
            table.name(at, file.path, file.shown);
        }
        for (shown, path) in project.needed.paths {
            table.by_name.insert((at, shown), path);
        }
        Some(())
    }

    fn is_open(&self, project: &Project, file: &str) -> bool {
        project.files.iter().any(|f| f.shown == file && self.documents.contains_key(&f.path))
    }

    /// Makes an edit. Says which projects it touched.
    pub fn edit(&mut self, edit: Edit) -> BTreeSet<usize> {
        if matches!(edit, Edit::Close(_) | Edit::Folders(_)) {
            self.last.forget(&mut self.table);
        }
        match edit {
            Edit::Open(params) => {
                let doc = params.text_document;
                let Some(path) = path(&doc.uri) else { return BTreeSet::new() };
                self.documents.insert(path.clone(), Document { version: doc.version, text: doc.text });
                self.drop_if_too_large(&path);
                self.hand_on(&path)
            }
            Edit::Change(params) => {
                let Some(path) = path(&params.text_document.uri) else { return BTreeSet::new() };
                let Some(doc) = self.documents.get_mut(&path) else { return BTreeSet::new() };
                self.last.note(&path, &doc.text, &mut self.table);
                doc.change(params.text_document.version, params.content_changes, self.start.encoding);
                self.drop_if_too_large(&path);
                self.hand_on(&path)
            }
            Edit::Close(params) => path(&params.text_document.uri).map(|path| self.close(&path)).unwrap_or_default(),
            Edit::Save(params) => {
                let Some(path) = path(&params.text_document.uri) else { return BTreeSet::new() };
                let mut touched = self.rebuild_on(&path);
                touched.extend(self.saved(&path));
                touched
            }
            Edit::Watched(params) => self.watched(params),
            Edit::Folders(params) => self.folders(params),
        }
    }

    /// A text that would not be read from the disk is not taken from the editor either.
    fn drop_if_too_large(&mut self, path: &Path) {
        if self.documents.get(path).is_some_and(|doc| doc.text.len() as u64 > files::LARGEST_TEXT) {
            self.documents.remove(path);
            self.troubles.push(format!("{} is larger than {} MB and is not looked at.", path.display(), files::LARGEST_TEXT >> 20));
        }
    }

    /// Gives the compiler the text of an open document.
    fn hand_on(&mut self, path: &Path) -> BTreeSet<usize> {
        let Some(doc) = self.documents.get(path).cloned() else { return BTreeSet::new() };
        if path.file_name().is_some_and(|n| n == FILE_NAME) {
            Arc::make_mut(&mut self.table).versions.insert(path.to_owned(), doc.version);
            return self.manifest_is(path, &doc.text);
        }
        // the library is not changed through an editor
        if !is_source(path) || super::library::shown(path).is_some() {
            return BTreeSet::new();
        }
        let mut touched = BTreeSet::new();
        if !self.table.by_path.contains_key(path) {
            touched.extend(self.find_home(path));
        }
        let table = Arc::make_mut(&mut self.table);
        table.versions.insert(path.to_owned(), doc.version);
        if let Some((at, name)) = table.by_path.get(path).cloned()
            && let Some(loaded) = table.projects.get_mut(at)
        {
            loaded.not_utf8.retain(|l| l.file != name);
            if let Some(id) = loaded.id {
                self.workspace.set_text(id, &name, Some(doc.text));
            }
            touched.insert(at);
        }
        touched
    }

    /// The text of a manifest in the editor. One that cannot be read as it stands is told of, and the project is what it was.
    fn manifest_is(&mut self, path: &Path, text: &str) -> BTreeSet<usize> {
        let Some(root) = path.parent() else { return BTreeSet::new() };
        let known = self.table.projects.iter().position(|l| l.target.root == root && l.target.kind == Kind::Project && !l.closed);
        let Some(at) = known else { return self.reload(root) };
        let Some(loaded) = Arc::make_mut(&mut self.table).projects.get_mut(at) else { return BTreeSet::new() };
        let same = loaded.manifest_text.as_ref().is_some_and(|(_, known)| known == text);
        match Manifest::read(text, &shown(path)) {
            _ if same => {}
            Err(problems) if loaded.id.is_some() => {
                loaded.problems = problems;
                loaded.manifest_text = Some((shown(path), text.to_owned()));
            }
            _ => {
                let target = loaded.target.clone();
                let _ = self.put(at, &target);
            }
        }
        BTreeSet::from([at])
    }

    /// Finds or makes the project of a file that belongs to none yet.
    fn find_home(&mut self, path: &Path) -> Option<usize> {
        if let Some(at) = self.belongs(path) {
            let name = self.name_in(at, path);
            Arc::make_mut(&mut self.table).name(at, path.to_owned(), name);
            return Some(at);
        }
        if address::is_unsaved(path) {
            let at = self.make_loose(&Target { root: PathBuf::new(), kind: Kind::File(path.to_owned()), only: Vec::new() });
            let name = self.name_in(at, path);
            Arc::make_mut(&mut self.table).name(at, path.to_owned(), name);
            return Some(at);
        }
        let asked = find(&[path.to_owned()]).ok().and_then(|targets| targets.into_iter().next());
        let target = match asked {
            Some(target) if target.kind == Kind::Project => target,
            _ => loose(path),
        };
        let at = self
            .load(&target)
            .or_else(|| self.table.projects.iter().position(|l| l.target.root == target.root && l.target.kind == target.kind));
        let at = match at {
            Some(at) => at,
            // not on the disk yet
            None => self.make_loose(&target),
        };
        let name = self.name_in(at, path);
        Arc::make_mut(&mut self.table).name(at, path.to_owned(), name);
        Some(at)
    }

    /// What the compiler calls a file of a project.
    fn name_in(&self, project: usize, path: &Path) -> String {
        match self.table.projects.get(project) {
            Some(loaded) => shown_in(&loaded.target.root, path),
            None => shown(path),
        }
    }

    fn make_loose(&mut self, target: &Target) -> usize {
        let manifest = Manifest::loose("loose");
        let id = self.workspace.open(manifest.clone(), shown(&target.root), Vec::new());
        let loaded = Loaded {
            target: target.clone(),
            id: Some(id),
            sources: vec![".".into()],
            packages: Vec::new(),
            art: Arc::new(Art::in_folder(&target.root, &target.root)),
            prints: Arc::default(),
            manifest: Some(manifest),
            needed: Arc::default(),
            manifest_text: None,
            problems: Vec::new(),
            not_utf8: Vec::new(),
            revision: 0,
            closed: false,
        };
        let table = Arc::make_mut(&mut self.table);
        table.projects.push(loaded);
        table.projects.len() - 1
    }

    /// The loaded project whose source folders a path lies in; of several the innermost.
    fn belongs(&self, path: &Path) -> Option<usize> {
        let holds = |l: &Loaded| match &l.target.kind {
            Kind::Project => l.sources.iter().any(|s| path.starts_with(banneret_projects::paths::plain(&l.target.root.join(s)))),
            Kind::Folder => path.starts_with(&l.target.root),
            Kind::File(file) => path == file,
        };
        let found = self.table.projects.iter().enumerate().filter(|(_, l)| !l.closed && holds(l));
        found.max_by_key(|(_, l)| l.target.root.components().count()).map(|(at, _)| at)
    }

    fn close(&mut self, path: &Path) -> BTreeSet<usize> {
        self.documents.remove(path);
        Arc::make_mut(&mut self.table).versions.remove(path);
        if let Some(root) = path.parent().filter(|_| path.file_name().is_some_and(|n| n == FILE_NAME)) {
            // what the editor had over the file is gone with it
            return self.reload(root);
        }
        self.reread(path)
    }

    /// The folder of the project a source belongs to, or its own.
    fn home_of(&self, path: &Path) -> Option<PathBuf> {
        let at = self.table.by_path.get(path).map(|(at, _)| *at).or_else(|| self.belongs(path));
        let root = at.and_then(|at| Some(self.table.projects.get(at)?.target.root.clone()));
        root.or_else(|| path.parent().map(Path::to_owned))
    }

    /// The text of a file that is not open is what the disk says.
    fn reread(&mut self, path: &Path) -> BTreeSet<usize> {
        if !is_source(path) || self.documents.contains_key(path) || super::library::shown(path).is_some() {
            return BTreeSet::new();
        }
        let read = self.home_of(path).and_then(|root| read_source(&root, path).ok());
        let table = Arc::make_mut(&mut self.table);
        let known = table.by_path.get(path).cloned();
        let Some((at, name)) = known.or_else(|| self.belongs(path).map(|at| (at, self.name_in(at, path)))) else { return BTreeSet::new() };
        let table = Arc::make_mut(&mut self.table);
        let Some(loaded) = table.projects.get_mut(at) else { return BTreeSet::new() };
        loaded.not_utf8.retain(|l| l.file != name);
        loaded.closed = matches!(loaded.target.kind, Kind::File(_));
        if let Some(id) = loaded.id {
            self.workspace.set_text(id, &name, read.as_ref().map(|r| r.text.clone()));
        }
        match read {
            Some(_) if !loaded.closed => table.name(at, path.to_owned(), name),
            _ => table.forget(path),
        }
        BTreeSet::from([at])
    }

    /// Not every editor tells when pictures change: they are looked at again when something is saved.
    fn saved(&mut self, path: &Path) -> Option<usize> {
        let (at, _) = self.table.by_path.get(path)?;
        let (at, art) = (*at, self.table.projects.get(*at)?.art.looked_at_again()?);
        Arc::make_mut(&mut self.table).projects.get_mut(at)?.art = Arc::new(art);
        Some(at)
    }

    fn watched(&mut self, params: DidChangeWatchedFilesParams) -> BTreeSet<usize> {
        let paths: BTreeSet<PathBuf> = params.changes.iter().filter_map(|change| path(&change.uri)).collect();
        self.seen(&paths)
    }

    /// The folders in which something could change.
    pub fn folders_of_projects(&self) -> impl Iterator<Item = &Path> {
        let open = self.table.projects.iter().filter(|l| !l.closed && !matches!(l.target.kind, Kind::File(_)));
        open.map(|l| l.target.root.as_path()).filter(|root| files::is_folder(root))
    }

    /// Something changed at these paths on the disk: files, or whole folders.
    pub fn seen(&mut self, paths: &BTreeSet<PathBuf>) -> BTreeSet<usize> {
        let mut touched = BTreeSet::new();
        // what is saved here is as it stands in the editor
        if paths.iter().any(|path| !self.documents.contains_key(path)) {
            self.last.forget(&mut self.table);
        }
        for path in paths {
            let path = path.clone();
            if self.around(&path).and_then(|at| self.table.projects.get(at)).is_some_and(|l| is_passed_over(&l.target.root, &path)) {
                continue;
            }
            touched.extend(self.rebuild_on(&path));
            if is_source(&path) {
                touched.extend(self.reread(&path));
            } else if files::is_folder(&path) || self.holds_sources(&path) {
                for source in self.sources_below(&path) {
                    touched.extend(self.reread(&source));
                }
                let manifest = files::is_file(&path.join(FILE_NAME));
                let known = self.table.projects.iter().any(|l| l.target.kind == Kind::Project && l.target.root == path && !l.closed);
                if manifest != known {
                    touched.extend(self.reload(&path));
                }
            } else if path.file_name().is_some_and(|n| n == FILE_NAME) {
                let root = path.parent().unwrap_or(&path).to_owned();
                touched.extend(self.reload(&root));
            } else if let Some(at) = self.around(&path) {
                // pictures: what is in them, and whether their folder is there, may have changed
                let open = |l: &Loaded| self.documents.get(&l.target.root.join(FILE_NAME)).map(|doc| doc.text.clone());
                if let Some(project) = self.table.projects.get(at).and_then(|l| Project::read_with(&l.target, open(l).as_deref()).ok())
                    && let Some(loaded) = Arc::make_mut(&mut self.table).projects.get_mut(at)
                {
                    loaded.problems = project.problems;
                    loaded.art = Arc::new(loaded.art.after_change_of(&path));
                }
                touched.insert(at);
            }
        }
        touched
    }

    fn holds_sources(&self, folder: &Path) -> bool {
        self.table.by_path.keys().any(|path| path.starts_with(folder))
    }

    /// The sources that are or were in a folder.
    fn sources_below(&self, folder: &Path) -> BTreeSet<PathBuf> {
        let mut out: BTreeSet<PathBuf> = self.table.by_path.keys().filter(|path| path.starts_with(folder)).cloned().collect();
        if let Some(at) = self.around(folder).and_then(|at| self.table.projects.get(at)) {
            let there = banneret_projects::walk::Walk::inside(&at.target.root).sources(folder, false);
            out.extend(there.unwrap_or_default().iter().map(|path| banneret_projects::paths::absolute(path)));
        }
        out
    }

    /// Reads the projects again that build on the package a file belongs to.
    fn rebuild_on(&mut self, path: &Path) -> BTreeSet<usize> {
        let builds = |l: &Loaded| !l.closed && l.packages.iter().any(|folder| path.starts_with(folder));
        let targets: Vec<(usize, Target)> =
            self.table.projects.iter().enumerate().filter(|(_, l)| builds(l)).map(|(at, l)| (at, l.target.clone())).collect();
        targets.into_iter().filter_map(|(at, target)| self.put(at, &target).map(|()| at)).collect()
    }

    /// The project a path that is no source lies in.
    fn around(&self, path: &Path) -> Option<usize> {
        let inside = self.table.projects.iter().enumerate().filter(|(_, l)| !l.closed && path.starts_with(&l.target.root));
        inside.max_by_key(|(_, l)| l.target.root.components().count()).map(|(at, _)| at)
    }

    /// A manifest came, went or changed.
    fn reload(&mut self, root: &Path) -> BTreeSet<usize> {
        let target = Target { root: root.to_owned(), kind: Kind::Project, only: Vec::new() };
        let known = self.table.projects.iter().position(|l| l.target.root == root && l.target.kind == Kind::Project);
        let there = files::is_file(&root.join(FILE_NAME));
        let mut touched = BTreeSet::new();
        match (known, there) {
            (Some(at), true) => {
                let _ = self.put(at, &target);
                touched.insert(at);
            }
            (None, true) => touched.extend(self.load(&target)),
            (Some(at), false) => {
                self.drop_project(at);
                touched.insert(at);
            }
            (None, false) => {}
        }
        touched.extend(self.rehouse());
        touched
    }

    /// Open documents may belong elsewhere now.
    fn rehouse(&mut self) -> BTreeSet<usize> {
        let open: Vec<PathBuf> = self.documents.keys().cloned().collect();
        let homeless: Vec<PathBuf> = open.into_iter().filter(|p| is_source(p) && !self.table.by_path.contains_key(p)).collect();
        homeless.iter().flat_map(|path| self.hand_on(path)).collect()
    }

    fn drop_project(&mut self, at: usize) {
        let table = Arc::make_mut(&mut self.table);
        if let Some(loaded) = table.projects.get_mut(at) {
            loaded.closed = true;
        }
        table.by_path.retain(|_, (project, _)| *project != at);
    }

    fn folders(&mut self, params: DidChangeWorkspaceFoldersParams) -> BTreeSet<usize> {
        let mut touched = BTreeSet::new();
        for gone in params.event.removed.iter().filter_map(|f| path(&f.uri)) {
            self.start.roots.retain(|root| *root != gone);
            let roots = self.start.roots.clone();
            let lost = |l: &Loaded| l.target.root.starts_with(&gone) && !roots.iter().any(|r| l.target.root.starts_with(r));
            let lost: Vec<usize> = self.table.projects.iter().enumerate().filter(|(_, l)| lost(l)).map(|(at, _)| at).collect();
            for at in lost {
                self.drop_project(at);
                touched.insert(at);
            }
        }
        for new in params.event.added.iter().filter_map(|f| path(&f.uri)) {
            if !self.start.roots.contains(&new) {
                self.start.roots.push(new.clone());
            }
            for target in targets(&new) {
                touched.extend(self.load(&target));
            }
        }
        touched.extend(self.rehouse());
        touched
    }
}

/// When and where something was changed last: what is typed in one go is one edit.
#[derive(Default)]
struct LastEdit {
    place: Option<(PathBuf, Instant)>,
}

impl LastEdit {
    /// Something else than a text in the editor differs now.
    fn forget(&mut self, table: &mut Arc<Table>) {
        self.place = None;
        if table.before.is_some() {
            Arc::make_mut(table).before = None;
        }
    }

    fn note(&mut self, path: &Path, text: &str, table: &mut Arc<Table>) {
        let goes_on = self.place.as_ref().is_some_and(|(known, at)| known == path && at.elapsed() < PAUSE);
        if !goes_on {
            Arc::make_mut(table).before = Some((path.to_owned(), Arc::from(text)));
        }
        self.place = Some((path.to_owned(), Instant::now()));
    }
}

impl Table {
    fn name(&mut self, project: usize, path: PathBuf, name: String) {
        self.by_name.insert((project, name.clone()), path.clone());
        self.by_path.entry(path).or_insert((project, name));
    }

    fn forget(&mut self, path: &Path) {
        if let Some(key) = self.by_path.remove(path) {
            self.by_name.remove(&key);
        }
    }
}

/// The projects below a root. Loose files there count only if there is no project at all.
fn targets(root: &Path) -> Vec<Target> {
    let found = find(&[root.to_owned()]).unwrap_or_default();
    let any = found.iter().any(|t| t.kind == Kind::Project);
    found.into_iter().filter(|t| !any || t.kind == Kind::Project).collect()
}

/// A file without a project stands alone, unless its folder is a rule system.
fn loose(path: &Path) -> Target {
    let root = path.parent().unwrap_or(path).to_owned();
    let beside = files::list(&root).unwrap_or_default().into_iter();
    let name = root.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let mut texts = beside.filter(|p| is_source(p)).filter_map(|p| read_source(&root, &p).ok());
    // a library is a folder that is called as its ruleset is
    let rules = texts.any(|source| stdlib::rulesets(&source.text).contains(&name));
    let kind = if rules { Kind::Folder } else { Kind::File(path.to_owned()) };
    Target { root, kind, only: Vec::new() }
}
