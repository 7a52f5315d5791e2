//! The salsa database and its inputs.
//!
//! A *universe* is everything one project can see: its own files, the packages it needs and the built-in library. Each file knows its module, so that names never
//! depend on the order of files.

use std::sync::Arc;

use smol_str::SmolStr;

/// One file of source. `module` is the library's name, or `@` and the folder's path for files of a project.
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
