//! The packages a project builds on: where they are, what is in them, and whether they are still what was fetched.
//!
//! Nothing is fetched here. A package from a repository was put into `.banneret/packages` by `banneret update`, and `banneret.lock` says
//! what was put there; a folder beside the project is read where it is. Of a package only its manifest and its sources are read, inside its own folder.

mod lock;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use banneret_compiler::api::Packages;
use banneret_compiler::db::{MISSING, Package};
use banneret_compiler::diagnostic::{Code, ProjectProblem};
use banneret_compiler::manifest::{FILE_NAME, Manifest, Need, Origin, nearest, same_version};
use banneret_compiler::stdlib;
use smol_str::SmolStr;

use crate::error::ReadError;
use crate::files;
use crate::paths::{plain, shown, shown_in};
use crate::project::read_source;
use crate::walk::Walk;

pub use lock::{LOCK_NAME, Lock, Locked, STORE, content, hash, relative, source};

/// More packages than anything needs.
const MOST: usize = 64;

/// What was found for a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    pub packages: Packages,
    /// The folders of the packages, each once.
    pub roots: Vec<PathBuf>,
    /// Where the files of the packages are, by what the compiler calls them.
    pub paths: Vec<(String, PathBuf)>,
    /// Names by which the project may call rules that packages bring, with their versions.
    pub rules: Vec<(String, Option<String>)>,
    pub problems: Vec<ProjectProblem>,
}

impl Needed {
    /// The text of a file of a package, for messages that point into it.
    pub fn text(&self, shown: &str) -> Option<&str> {
        self.packages.files.iter().find(|(path, _, _)| path == shown).map(|(_, _, text)| text.as_str())
    }
}

/// Reads everything that a project needs, and what that needs.
pub fn read(root: &Path, manifest: &Manifest) -> Result<Needed, ReadError> {
    if manifest.needs.is_empty() {
        return Ok(Needed::default());
    }
    let lock = Lock::read(root);
    let mut reader =
        Reader { root, manifest, lock: lock.unwrap_or_default(), out: Needed::default(), loaded: Vec::new(), left: files::LARGEST_PROJECT };
    reader.all()?;
    Ok(reader.out)
}

struct Loaded {
    folder: PathBuf,
    module: SmolStr,
    version: String,
    has_rules: bool,
}

struct Reader<'a> {
    root: &'a Path,
    manifest: &'a Manifest,
    lock: Lock,
    out: Needed,
    loaded: Vec<Loaded>,
    /// How much more text may be read.
    left: u64,
}

/// A package whose needs are looked at: the need of the project that led to it, for messages.
struct Waiting {
    module: SmolStr,
    /// Where the paths of its manifest start.
    home: PathBuf,
    manifest: Manifest,
    because: Option<Need>,
}

impl Reader<'_> {
    fn all(&mut self) -> Result<(), ReadError> {
        let own = Waiting { module: SmolStr::new("@"), home: self.root.to_owned(), manifest: self.manifest.clone(), because: None };
        let mut waiting = VecDeque::from([own]);
        while let Some(next) = waiting.pop_front() {
            let mut names = Vec::new();
            for need in &next.manifest.needs {
                let because = next.because.clone().unwrap_or_else(|| need.clone());
                let Some((module, new)) = self.need(&next.home, need, &because)? else {
                    // it was told: that `use` finds nothing there says nothing new
                    names.push((SmolStr::new(&need.name), SmolStr::new(MISSING)));
                    continue;
                };
                names.push((SmolStr::new(&need.name), module.clone()));
                if next.because.is_none() {
                    let of = self.loaded.iter().find(|loaded| loaded.module == module && loaded.has_rules);
                    self.out.rules.extend(of.map(|loaded| (need.name.clone(), Some(loaded.version.clone()))));
                }
                if let Some((home, manifest)) = new {
                    waiting.push_back(Waiting { module, home, manifest, because: Some(because) });
                }
            }
            self.out.packages.names.push(Package { module: next.module, needs: names });
        }
        self.refuse_circles();
        Ok(())
    }

    /// Packages that need each other are told where the project needs what leads there.
    fn refuse_circles(&mut self) {
        let mut left: Vec<&Package> = self.out.packages.names.iter().collect();
        loop {
            // whoever needs nobody that is left stands in no circle
            let (before, open) = (left.len(), left.iter().map(|package| package.module.clone()).collect::<Vec<_>>());
            left.retain(|package| package.needs.iter().any(|(_, module)| open.contains(module)));
            if left.len() == before {
                break;
            }
        }
        let is_left = |name: &str| {
            let own = self.out.packages.names.first().into_iter().flat_map(|own| &own.needs);
            own.filter(|(needed, _)| needed == name).any(|(_, module)| left.iter().any(|package| package.module == *module))
        };
        if let Some(need) = self.manifest.needs.iter().find(|need| is_left(&need.name)).cloned() {
            let headline = format!("Among the package `{}` and what it needs, packages need each other in a circle.", need.name);
            self.tell(Code::PackageBroken, &need, headline, "Packages cannot need each other: put what both need into a third.".to_owned());
        }
    }

    /// The module that is meant by a need, and the package itself if it was not read before.
    #[allow(clippy::type_complexity, reason = "a package and where it is")]
    fn need(&mut self, from: &Path, need: &Need, because: &Need) -> Result<Option<(SmolStr, Option<(PathBuf, Manifest)>)>, ReadError> {
        let Some(folder) = self.folder(from, need, because) else { return Ok(None) };
        let Some(folder) = folder else { return Ok(Some((SmolStr::new(&need.name), None))) };
        let real = files::real(&folder);
        if real == files::real(self.root) {
            let headline = match need.name == because.name {
                true => format!("`{}` is this project itself.", need.name),
                false => format!("The package `{}` needs `{}`, which is this project itself.", because.name, need.name),
            };
            let help = "Packages cannot need each other: put what both need into a third.".to_owned();
            self.tell(Code::PackageBroken, because, headline, help);
            return Ok(None);
        }
        if let Some(loaded) = self.loaded.iter().find(|loaded| loaded.folder == real) {
            let (module, version) = (loaded.module.clone(), loaded.version.clone());
            return Ok(self.is_wanted_version(need, &version, because).then_some((module, None)));
        }
        let path = folder.join(FILE_NAME);
        if !files::is_file(&path) {
            let help = format!("A package has a `{FILE_NAME}` that says its name and version.");
            self.tell(Code::PackageMissing, because, format!("There is no package `{}` in `{}`.", need.name, shown(&folder)), help);
            return Ok(None);
        }
        let text = files::text_in(&folder, &path)?;
        let manifest = match Manifest::parse(&String::from_utf8_lossy(&text), &shown(&path)) {
            Ok(manifest) => manifest,
            Err(problem) => {
                let help = format!("Mend its `{FILE_NAME}`: `banneret check {}` shows the line.", shown(&folder));
                self.tell(Code::PackageBroken, because, format!("The package `{}` cannot be read: {}", need.name, problem.headline), help);
                return Ok(None);
            }
        };
        if !self.is_wanted_version(need, &manifest.version, because) {
            return Ok(None);
        }
        // two layers over one package would have to be told apart by everybody who reads a rule
        if let Some(changes) = manifest.changes.first() {
            let headline = format!("The package `{}` changes rules of `{}`, so others cannot build on it.", need.name, changes.package);
            let help = format!("Build on `{}` and copy the changes you want into a folder of your own.", changes.package);
            self.tell(Code::PackageBroken, because, headline, help);
            return Ok(None);
        }
        if self.loaded.len() == MOST {
            let headline = format!("This project needs more than {MOST} packages.");
            self.tell(Code::PackageBroken, because, headline, "Leave some of them out.".to_owned());
            return Ok(None);
        }
        let module = self.module_for(need, &manifest);
        let has_rules = self.sources(&folder, &module, &manifest)?;
        self.loaded.push(Loaded { folder: real, module: module.clone(), version: manifest.version.clone(), has_rules });
        self.out.roots.push(folder.clone());
        // the paths of a package start where it came from, also if it was copied
        let home = match &need.origin {
            Origin::Path(path) => plain(&from.join(path)),
            Origin::Git { .. } | Origin::BuiltIn => folder,
        };
        Ok(Some((module, Some((home, manifest)))))
    }

    /// Where a package is; `Some(None)` if it comes with Banneret, `None` if it is nowhere, which is then told.
    #[allow(clippy::option_option, reason = "nowhere, built in, in a folder")]
    fn folder(&mut self, from: &Path, need: &Need, because: &Need) -> Option<Option<PathBuf>> {
        let name = &need.name;
        // what was fetched or copied into the project comes first
        if let Some(locked) = self.lock.find(from, self.root, need).cloned() {
            let folder = self.root.join(STORE).join(&locked.folder);
            if !files::is_folder(&folder) {
                self.tell(
                    Code::PackageMissing,
                    because,
                    format!("The package `{name}` is not here yet."),
                    "Fetch it: `banneret update`.".to_owned(),
                );
                return None;
            }
            if hash(&folder).as_deref() != Some(locked.hash.as_str()) {
                let headline = format!("The files of the package `{name}` are not those that `{LOCK_NAME}` speaks of.");
                self.tell(Code::PackageChanged, because, headline, "Fetch it again: `banneret update`.".to_owned());
                return None;
            }
            return Some(Some(folder));
        }
        match &need.origin {
            Origin::BuiltIn => {
                let Some(library) = stdlib::library(name) else {
                    let systems = stdlib::rule_systems();
                    let help = match nearest(name, &systems) {
                        Some(near) => format!("Did you mean `{near}`?"),
                        None => format!("Say where it is: `{name}: (path: \"../{name}\")`. With Banneret come {}.", systems.join(", ")),
                    };
                    self.tell(Code::PackageMissing, because, format!("No package `{name}` comes with Banneret."), help);
                    return None;
                };
                let version = library.version().unwrap_or_default();
                self.is_wanted_version(need, version, because).then_some(None)
            }
            Origin::Path(path) => {
                let folder = plain(&from.join(path));
                if files::is_folder(&folder) {
                    return Some(Some(folder));
                }
                let help = "Write the path from this manifest to the package's folder.".to_owned();
                self.tell(Code::PackageMissing, because, format!("There is no folder `{path}` for the package `{name}`."), help);
                None
            }
            Origin::Git { .. } => {
                self.tell(
                    Code::PackageMissing,
                    because,
                    format!("The package `{name}` is not here yet."),
                    "Fetch it: `banneret update`.".to_owned(),
                );
                None
            }
        }
    }

    fn is_wanted_version(&mut self, need: &Need, have: &str, because: &Need) -> bool {
        let Some(wanted) = need.version.as_ref().filter(|wanted| !same_version(wanted, have)) else { return true };
        let headline = format!("The package `{}` is here in version {have}, not {wanted}.", need.name);
        let help = match &need.origin {
            Origin::BuiltIn => format!("It comes with Banneret: write `version: \"{have}\"`, or use the Banneret that brings {wanted}."),
            Origin::Path(_) => format!("Write `version: \"{have}\"`, or name a folder that has {wanted}."),
            Origin::Git { .. } => format!("Write `version: \"{have}\"`, or name the tag of {wanted} and run `banneret update`."),
        };
        self.tell(Code::PackageVersion, because, headline, help);
        false
    }

    /// Its own name, unless a library or another version has it.
    fn module_for(&self, need: &Need, manifest: &Manifest) -> SmolStr {
        let is_taken = |name: &str| stdlib::library(name).is_some() || self.loaded.iter().any(|loaded| loaded.module == name);
        let plain = SmolStr::new(&need.name);
        if !is_taken(&plain) {
            return plain;
        }
        let with_version = format!("{}@{}", need.name, manifest.version);
        let numbered = (2..).map(|n| format!("{with_version}#{n}"));
        std::iter::once(with_version.clone()).chain(numbered).find(|name| !is_taken(name)).map_or(plain, SmolStr::from)
    }

    /// Reads the sources of a package. Says whether it brings rules.
    fn sources(&mut self, folder: &Path, module: &SmolStr, manifest: &Manifest) -> Result<bool, ReadError> {
        let mut has_rules = false;
        let mut walk = Walk::inside(folder);
        for source in &manifest.sources {
            let base = plain(&folder.join(source));
            for path in walk.sources(&base, true)? {
                let text = read_source(folder, &path)?.text;
                let most = files::LARGEST_PROJECT / (1024 * 1024);
                let Some(left) = self.left.checked_sub(text.len() as u64) else {
                    return Err(ReadError::new(format!("The packages of `{}` are larger than {most} MB together.", shown(self.root)))
                        .help("Leave some of them out."));
                };
                self.left = left;
                has_rules |= !stdlib::rulesets(&text).is_empty();
                let below = path.parent().and_then(|parent| parent.strip_prefix(&base).ok()).map(Path::to_owned).unwrap_or_default();
                let parts = below.components().filter_map(|part| part.as_os_str().to_str());
                let module = parts.fold(module.to_string(), |module, part| format!("{module}.{part}"));
                let shown = shown_in(folder, &path);
                self.out.packages.files.push((shown.clone(), SmolStr::from(module), text));
                self.out.paths.push((shown, path));
            }
        }
        Ok(has_rules)
    }

    fn tell(&mut self, code: Code, because: &Need, headline: String, help: String) {
        let file = Some(self.manifest.at.path.clone());
        self.out.problems.push(ProjectProblem { code, headline, file, span: Some(because.at), help: Some(help) });
    }
}
