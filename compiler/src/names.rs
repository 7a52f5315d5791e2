//! Which names can be seen from where.
//!
//! Two firewalls keep edits local: what a module declares is a table that is equal until a declaration changes, and each name is looked up by
//! a query of its own, which is equal until *that* name changes.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{SourceFile, Universe};
use crate::hir::Key;
use crate::items::{Decl, DeclKind, Item, card_name, declares, is_card, items, parse, rule_items};
use crate::suggest::Letters;

pub use crate::key::{key_of, short};

pub const PRELUDE: &str = "prelude";

/// A name's declaration, findable from anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Found<'db> {
    pub key: Key,
    pub kind: DeclKind,
    /// Enum of a member, kind of a resource, kind word of a card, kind of an adjective.
    pub of: Option<SmolStr>,
    pub module: SmolStr,
    pub item: Item<'db>,
}

/// One name and everything declared under it (that may be several things: some kinds of names may be shared, the rest is reported elsewhere).
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Entry<'db> {
    pub name: SmolStr,
    pub found: Vec<Found<'db>>,
}

/// Names of one module, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct ModuleNames<'db> {
    pub entries: Vec<Entry<'db>>,
}

impl<'db> ModuleNames<'db> {
    pub fn get(&self, name: &str) -> &[Found<'db>] {
        match self.entries.binary_search_by(|e| e.name.as_str().cmp(name)) {
            Ok(i) => &self.entries[i].found,
            Err(_) => &[],
        }
    }
}

#[salsa::tracked]
pub fn modules(db: &dyn salsa::Database, universe: Universe) -> FxHashMap<SmolStr, Vec<SourceFile>> {
    let mut out: FxHashMap<SmolStr, Vec<SourceFile>> = FxHashMap::default();
    for file in universe.files(db).iter().chain(universe.library(db)) {
        out.entry(file.module(db).clone()).or_default().push(*file);
    }
    for files in out.values_mut() {
        files.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    }
    out
}

#[salsa::interned(debug)]
pub struct ModuleName<'db> {
    #[returns(ref)]
    pub text: SmolStr,
}

#[salsa::interned(debug)]
pub struct Wanted<'db> {
    #[returns(ref)]
    pub module: SmolStr,
    #[returns(ref)]
    pub name: SmolStr,
}

/// The names of one file: the unit that is made again when a declaration of the file changes.
#[salsa::tracked]
pub fn file_names<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Found<'db>> {
    let module = file.module(db);
    let mut out = Vec::new();
    let found = |item: Item<'db>, decl: &Decl| {
        let key = key_of(module, &decl.name);
        Found { key, kind: decl.kind, of: decl.of.clone(), module: module.clone(), item }
    };
    for item in items(db, file) {
        match is_card(db, *item) {
            true => out.extend(card_name(db, *item).map(|decl| found(*item, &decl))),
            false => out.extend(declares(db, *item).iter().filter(|d| d.kind != DeclKind::Also).map(|decl| found(*item, decl))),
        }
    }
    out
}

#[salsa::tracked]
pub fn module_names<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> ModuleNames<'db> {
    let files = modules(db, universe).get(module.text(db));
    let mut all: Vec<(&str, &Found<'db>)> =
        files.into_iter().flatten().flat_map(|file| file_names(db, *file)).map(|found| (short(&found.key), found)).collect();
    // what has one name keeps the order of the files
    all.sort_by_key(|(name, _)| *name);
    let entries = all
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| Entry { name: SmolStr::new(same[0].0), found: same.iter().map(|(_, found)| (*found).clone()).collect() });
    ModuleNames { entries: entries.collect() }
}

/// Names under which a module declares several things, sorted. Mostly there are few, so who asks whether a name is taken need not look it up.
#[salsa::tracked(returns(deref))]
pub fn names_given_twice<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Vec<SmolStr> {
    let entries = module_names(db, universe, module).entries.iter();
    entries.filter(|entry| entry.found.len() > 1).map(|entry| entry.name.clone()).collect()
}

/// What the `use` items of a file say: paths as written.
#[salsa::tracked(returns(deref))]
pub fn file_uses(db: &dyn salsa::Database, file: SourceFile) -> Vec<SmolStr> {
    let mut out = Vec::new();
    for item in rule_items(db, file).iter().filter(|i| i.header(db).starts_with("use ")) {
        if let banneret_grammar::ast::ItemKind::Use(u) = &parse(db, *item).item.kind {
            let path: Vec<&str> = u.path.iter().map(|w| &*w.text).collect();
            out.push(SmolStr::new(path.join(".")));
        }
    }
    out
}

/// The module that a `use` path means in a module, if there is one: a folder of the same project or package first, then a package that it needs, then a library.
pub fn module_at(db: &dyn salsa::Database, universe: Universe, from: &str, path: &str) -> Option<SmolStr> {
    let all = modules(db, universe);
    let packages = universe.packages(db);
    let home = packages.iter().find(|package| is_module_of(from, &package.module));
    let own = match home {
        Some(package) if package.module != "@" => SmolStr::new(format!("{}.{path}", package.module)),
        _ => SmolStr::new(format!("@{path}")),
    };
    if all.contains_key(&own) {
        return Some(own);
    }
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let needed = home.and_then(|package| package.needs.iter().find(|(name, _)| name == head));
    let module = match (needed, rest) {
        (Some((_, module)), None) => module.clone(),
        (Some((_, module)), Some(rest)) => SmolStr::new(format!("{module}.{rest}")),
        // what only others need is not there
        (None, _) if packages.iter().any(|package| is_module_of(path, &package.module)) => return None,
        (None, _) => SmolStr::new(path),
    };
    all.contains_key(&module).then_some(module)
}

/// Whether the manifest of the package that a module is of speaks of what a `use` path names. If it is not there, that was told of the manifest.
pub fn is_needed(db: &dyn salsa::Database, universe: Universe, from: &str, path: &str) -> bool {
    let head = path.split('.').next().unwrap_or(path);
    let home = universe.packages(db).iter().find(|package| is_module_of(from, &package.module));
    home.is_some_and(|package| package.needs.iter().any(|(name, _)| name == head))
}

/// Whether a module is one of a library or package: its root or a folder of it.
pub fn is_module_of(module: &str, library: &str) -> bool {
    match library {
        "@" => module.starts_with('@'),
        _ => module == library || module.strip_prefix(library).is_some_and(|rest| rest.starts_with('.')),
    }
}

/// Modules whose names are visible in a module, nearest first: itself, what it uses, what libraries it uses use, the prelude.
#[salsa::tracked(returns(deref))]
pub fn visible<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Vec<SmolStr> {
    let mut out: Vec<SmolStr> = vec![module.text(db).clone()];
    let mut at = 0;
    while at < out.len() {
        let current = out[at].clone();
        at += 1;
        if let Some(files) = modules(db, universe).get(&current) {
            for file in files {
                for path in file_uses(db, *file) {
                    if let Some(used) = module_at(db, universe, &current, path)
                        && !out.contains(&used)
                    {
                        out.push(used);
                    }
                }
            }
        }
    }
    let prelude = SmolStr::new(PRELUDE);
    if !out.contains(&prelude) {
        out.push(prelude);
    }
    out
}

/// What one module declares under one name: equal until that name changes.
#[salsa::tracked(returns(deref))]
pub fn declared<'db>(db: &'db dyn salsa::Database, universe: Universe, wanted: Wanted<'db>) -> Vec<Found<'db>> {
    module_names(db, universe, ModuleName::new(db, wanted.module(db).clone())).get(wanted.name(db)).to_vec()
}

/// Every visible declaration of one name, nearest module first.
#[salsa::tracked(returns(deref))]
pub fn lookup<'db>(db: &'db dyn salsa::Database, universe: Universe, wanted: Wanted<'db>) -> Vec<Found<'db>> {
    let mut out = Vec::new();
    let module = ModuleName::new(db, wanted.module(db).clone());
    for seen in visible(db, universe, module) {
        let names = module_names(db, universe, ModuleName::new(db, seen.clone()));
        out.extend(names.get(wanted.name(db)).iter().cloned());
    }
    out
}

/// A name that can be seen from a module, and what it stands for there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SeenName {
    name: SmolStr,
    module: SmolStr,
    kinds: Vec<DeclKind>,
}

impl SeenName {
    fn is_one_of(&self, want: &dyn Fn(DeclKind) -> bool) -> bool {
        self.kinds.iter().any(|kind| want(*kind))
    }
}

/// Every name that can be seen from a module.
#[derive(Debug, PartialEq, Eq)]
struct SeenNames {
    /// By name.
    names: Vec<SeenName>,
    /// Where those stand that have the same letters: whoever looks for a misspelling passes over most of them at once.
    alike: Vec<(Letters, Vec<u32>)>,
}

/// Only asked for when something is already wrong.
#[salsa::tracked(returns(ref))]
fn seen_names<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> SeenNames {
    let mut names = Vec::new();
    for seen in visible(db, universe, module) {
        for entry in &module_names(db, universe, ModuleName::new(db, seen.clone())).entries {
            let kinds = entry.found.iter().map(|found| found.kind).collect();
            names.push(SeenName { name: entry.name.clone(), module: seen.clone(), kinds });
        }
    }
    names.sort_by(|a, b| (&a.name, &a.module).cmp(&(&b.name, &b.module)));
    let mut alike: FxHashMap<Letters, Vec<u32>> = FxHashMap::default();
    for (seen, at) in names.iter().zip(0..) {
        alike.entry(Letters::of(&seen.name)).or_default().push(at);
    }
    SeenNames { names, alike: alike.into_iter().collect() }
}

/// All names of the given kinds that can be seen, each with its module.
pub fn all_names(
    db: &dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    want: &dyn Fn(DeclKind) -> bool,
) -> Vec<(SmolStr, SmolStr)> {
    let seen = seen_names(db, universe, ModuleName::new(db, module.clone())).names.iter();
    seen.filter(|seen| seen.is_one_of(want)).map(|seen| (seen.name.clone(), seen.module.clone())).collect()
}

/// Those of them that `wanted` may be a misspelling of. Thousands of names may be unknown among thousands that are known, so most are ruled out
/// without measuring how far they are.
pub fn near_names<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    wanted: &str,
    want: &dyn Fn(DeclKind) -> bool,
) -> Vec<&'db str> {
    let (letters, seen) = (Letters::of(wanted), seen_names(db, universe, ModuleName::new(db, module.clone())));
    let near = seen.alike.iter().filter(|(alike, _)| letters.may_be_near(alike)).flat_map(|(_, names)| names);
    let near = near.filter_map(|at| seen.names.get(*at as usize)).filter(|seen| seen.is_one_of(want));
    near.map(|seen| seen.name.as_str()).collect()
}
