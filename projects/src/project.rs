//! A project read from its folder: manifest and texts, and what was wrong with reading them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use banneret_compiler::diagnostic::{Code, Diagnostic, Located, ProjectProblem};
use banneret_compiler::manifest::{FILE_NAME, Manifest, nearest};
use banneret_compiler::stdlib::{self, Library};
use banneret_grammar::span::Span;

use crate::error::ReadError;
use crate::files;
use crate::find::{Kind, Target};
use crate::library::library_path;
use crate::packages::{self, Needed};
use crate::paths::{plain, shown, shown_in};
use crate::walk::Walk;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    pub path: PathBuf,
    /// The path as it is shown, and as the compiler knows the file.
    pub shown: String,
    pub text: String,
    /// Where the first bytes are that are no text.
    pub not_utf8: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Project {
    pub target: Target,
    pub root: String,
    /// None if it cannot be read; then `problems` says why.
    pub manifest: Option<Manifest>,
    /// Path and text of the manifest, for messages.
    pub manifest_text: Option<(String, String)>,
    pub files: Vec<SourceText>,
    /// What it builds on.
    pub needed: Needed,
    pub problems: Vec<ProjectProblem>,
}

impl Project {
    /// Reads everything. Fails only if files cannot be read.
    pub fn read(target: &Target) -> Result<Self, ReadError> {
        Self::read_with(target, None)
    }

    /// The same with a manifest that is not the one on the disk, as it stands in an editor.
    pub fn read_with(target: &Target, manifest: Option<&str>) -> Result<Self, ReadError> {
        let mut project = Project {
            target: target.clone(),
            root: shown(&target.root),
            manifest: None,
            manifest_text: None,
            files: Vec::new(),
            needed: Needed::default(),
            problems: Vec::new(),
        };
        match &target.kind {
            Kind::Project => project.read_manifest(manifest)?,
            Kind::Folder => project.manifest = Some(Manifest::loose(&stem(&target.root))),
            Kind::File(path) => {
                project.manifest = Some(Manifest::loose(&stem(path)));
                project.files.push(read_source(&target.root, path)?);
                return Ok(project);
            }
        }
        project.read_files()?;
        project.read_packages()?;
        project.check_rules();
        Ok(project)
    }

    /// A library that comes with Banneret, for messages about it: nothing of it is on the disk.
    pub fn of_library(library: &Library) -> Self {
        let file = |(path, text): (&str, &str)| SourceText {
            path: PathBuf::from(path),
            shown: library_path(path),
            text: text.to_owned(),
            not_utf8: None,
        };
        Project {
            target: Target { root: PathBuf::from(library.name), kind: Kind::Folder, only: Vec::new() },
            root: library.name.to_owned(),
            manifest: Some(Manifest::loose(library.name)),
            manifest_text: None,
            files: library.sources().map(file).collect(),
            needed: Needed::default(),
            problems: Vec::new(),
        }
    }

    /// The manifest's name, or the folder's.
    pub fn name(&self) -> String {
        self.manifest.as_ref().map_or_else(|| stem(&self.target.root), |m| m.name.clone())
    }

    /// What the compiler is given.
    pub fn texts(&self) -> Vec<(String, String)> {
        self.files.iter().map(|f| (f.shown.clone(), f.text.clone())).collect()
    }

    /// Was this file asked about?
    pub fn is_wanted(&self, file: &str) -> bool {
        let only = &self.target.only;
        only.is_empty()
            || self.files.iter().all(|f| f.shown != file)
            || self.files.iter().any(|f| f.shown == file && only.iter().any(|o| f.path.starts_with(o)))
    }

    /// A diagnostic for each file that is not text.
    pub fn not_utf8(&self) -> impl Iterator<Item = Located> + '_ {
        self.files.iter().filter_map(|file| {
            let diagnostic = Diagnostic::error("not-utf8", file.not_utf8?, "This file is not UTF-8 text.")
                .help("Save it again in your editor with the encoding UTF-8.");
            Some(Located { file: file.shown.clone(), diagnostic })
        })
    }

    fn read_manifest(&mut self, open: Option<&str>) -> Result<(), ReadError> {
        let path = self.target.root.join(FILE_NAME);
        let text = match open {
            Some(text) => text.to_owned(),
            None => String::from_utf8_lossy(&files::text_in(&self.target.root, &path)?).into_owned(),
        };
        // An editor's mark at the start is not part of the text.
        let text = text.strip_prefix(MARK).unwrap_or(&text).to_owned();
        let name = shown(&path);
        match Manifest::read(&text, &name) {
            Ok(manifest) => self.manifest = Some(manifest),
            Err(problems) => self.problems = problems,
        }
        self.manifest_text = Some((name, text));
        Ok(())
    }

    fn read_files(&mut self) -> Result<(), ReadError> {
        let root = self.target.root.clone();
        let Some(manifest) = self.manifest.clone() else {
            return Ok(());
        };
        let mut seen = HashSet::new();
        let mut walk = Walk::inside(&root);
        let mut left = files::LARGEST_PROJECT;
        for (i, folder) in manifest.sources.iter().enumerate() {
            let path = root.join(folder);
            if !self.folder(folder, manifest.at.sources.get(i).copied()) {
                continue;
            }
            for file in walk.sources(&plain(&path), true)? {
                // The same file through two folders or a link counts once.
                if seen.insert(files::real(&file)) {
                    let source = read_source(&root, &file)?;
                    left = left.checked_sub(source.text.len() as u64).ok_or_else(|| too_much(&root))?;
                    self.files.push(SourceText { shown: shown_in(&root, &file), ..source });
                }
            }
        }
        if manifest.at.art.is_some() {
            self.folder(&manifest.art, manifest.at.art);
        }
        if !files::is_outside_allowed() && leads_out(&root, &manifest.cards) {
            self.outside(&manifest.cards, manifest.at.cards);
        }
        self.files.sort_by(|a, b| a.shown.cmp(&b.shown));
        for changes in &manifest.changes {
            let folder = plain(&self.target.root.join(&changes.folder));
            if !self.files.iter().any(|file| plain(&file.path).starts_with(&folder)) {
                self.problems.push(ProjectProblem {
                    code: Code::IdleChange,
                    headline: format!("There is nothing in `{}` that could change `{}`.", changes.folder, changes.package),
                    file: Some(manifest.at.path.clone()),
                    span: Some(changes.at),
                    help: Some("Write the changes into a `.banner` file there; the folder must be below one of the `sources`.".to_owned()),
                });
            }
        }
        if self.files.is_empty() && self.problems.is_empty() {
            self.no_sources(&manifest);
        }
        Ok(())
    }

    fn read_packages(&mut self) -> Result<(), ReadError> {
        if let Some(manifest) = &self.manifest {
            self.needed = packages::read(&self.target.root, manifest)?;
            self.problems.append(&mut self.needed.problems);
        }
        Ok(())
    }

    /// A project without any source is fine in every way, and never what somebody wanted.
    fn no_sources(&mut self, manifest: &Manifest) {
        let folders = manifest.sources.iter().map(|folder| self.target.root.join(folder));
        let paths = folders.filter_map(|folder| files::list(&folder).ok()).flatten();
        let mut alike: Vec<String> = paths
            .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .filter(|name| name.to_lowercase().contains(".banner"))
            .collect();
        alike.sort();
        let help = match alike.first() {
            Some(name) => format!("The name of a source ends in `.banner`; there is a `{name}`."),
            None => "Write one, or name the folder they are in: `sources: [\"FOLDER\"]`.".to_owned(),
        };
        self.problems.push(ProjectProblem {
            code: Code::NoSources,
            headline: "This project has no sources: there is no file that ends in `.banner`.".to_owned(),
            file: self.manifest_text.as_ref().map(|(name, _)| name.clone()),
            span: manifest.at.sources.first().copied(),
            help: Some(help),
        });
    }

    /// Whether a file is so little text that whatever else is said about it is noise.
    pub fn is_no_text(&self, file: &str) -> bool {
        self.files.iter().any(|f| f.shown == file && f.not_utf8.is_some() && f.text.contains('\0'))
    }

    /// Whether a folder of the manifest can be used; if not, that is told.
    fn folder(&mut self, folder: &str, span: Option<Span>) -> bool {
        let path = self.target.root.join(folder);
        if !files::is_outside_allowed() && leads_out(&self.target.root, folder) {
            self.outside(folder, span);
        } else if files::is_folder(&path) {
            return true;
        } else {
            self.missing(folder, &path, span);
        }
        false
    }

    fn outside(&mut self, folder: &str, span: Option<Span>) {
        self.problems.push(ProjectProblem {
            code: Code::ManifestOutsideFolder,
            headline: format!("The folder `{folder}` is not inside this project."),
            file: self.manifest_text.as_ref().map(|(name, _)| name.clone()),
            span,
            help: Some(format!("Name a folder below the manifest's own. {}", files::OUTSIDE_HELP)),
        });
    }

    fn missing(&mut self, folder: &str, path: &Path, span: Option<Span>) {
        let siblings: Vec<String> = path
            .parent()
            .and_then(|parent| files::list(parent).ok())
            .into_iter()
            .flatten()
            .filter(|path| files::is_folder(path))
            .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .collect();
        let siblings: Vec<&str> = siblings.iter().map(String::as_str).collect();
        let last = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let help = match nearest(last, &siblings) {
            Some(near) => format!("There is a folder `{near}`; or make `{folder}`."),
            None => {
                format!("Make the folder `{folder}` beside the manifest, or write another one.")
            }
        };
        self.problems.push(ProjectProblem {
            code: Code::ManifestMissingFolder,
            headline: format!("The folder `{folder}` is not there."),
            file: self.manifest_text.as_ref().map(|(name, _)| name.clone()),
            span,
            help: Some(help),
        });
    }

    /// A project's rules come with Banneret, with a package, or are its own.
    fn check_rules(&mut self) {
        let libraries = stdlib::libraries();
        let mut known: Vec<(&str, Option<&str>)> = libraries.iter().filter(|l| l.is_rule_system()).map(|l| (l.name, l.version())).collect();
        for file in &self.files {
            known.extend(stdlib::rulesets(&file.text).into_iter().map(|name| (name, None)));
        }
        known.retain(|(name, _)| self.needed.rules.iter().all(|(needed, _)| needed != name));
        known.extend(self.needed.rules.iter().map(|(name, version)| (name.as_str(), version.as_deref())));
        // a package that is not there was told
        let is_told = |m: &Manifest| !self.problems.is_empty() && m.needs.iter().any(|need| need.name == m.rules);
        let problem = self.manifest.as_ref().filter(|m| !is_told(m)).and_then(|m| m.check_rules(&known));
        self.problems.extend(problem);
    }
}

/// Whether a folder that the manifest names lies elsewhere, by its name or through a link.
fn leads_out(root: &Path, folder: &str) -> bool {
    let named = plain(&root.join(folder));
    !named.starts_with(plain(root)) || files::inside(root, &named).is_err_and(|e| files::is_leading_out(&e))
}

fn too_much(root: &Path) -> ReadError {
    let most = files::LARGEST_PROJECT / (1024 * 1024);
    ReadError::new(format!("The sources of `{}` are larger than {most} MB together.", shown(root))).help("Make several projects of it.")
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or("project");
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// What some editors put at the start of a file.
const MARK: char = '\u{feff}';

/// The text of a file that belongs to a folder; what is not UTF-8 is replaced and remembered.
pub fn read_source(root: &Path, path: &Path) -> Result<SourceText, ReadError> {
    let bytes = files::text_in(root, path)?;
    let (text, not_utf8) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
            let replaced = '\u{fffd}'.len_utf8() as u32;
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(Span::new(at, at.saturating_add(replaced))))
        }
    };
    // An editor's mark at the start is not part of the text.
    let (text, not_utf8) = match text.strip_prefix(MARK) {
        Some(rest) => {
            let mark = MARK.len_utf8() as u32;
            let earlier = |s: Span| Span::new(s.start.saturating_sub(mark), s.end.saturating_sub(mark));
            (rest.to_owned(), not_utf8.map(earlier))
        }
        None => (text, not_utf8),
    };
    Ok(SourceText { path: path.to_owned(), shown: shown(path), text, not_utf8 })
}
