//! A module is a folder: when one gets another name, every `use` follows.

use std::collections::BTreeMap;

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{Item, parse, rule_items};
use banneret_compiler::names::module_at;
use banneret_grammar::ast::{self, ItemKind};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Ide;
use super::references::Renaming;
use super::tried::Moved;

/// A folder of the project that a `use` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name in the `use`.
    pub span: Span,
    pub name: String,
    /// The folders above it in the project, and itself.
    pub path: String,
}

/// The module of the project that is named at an offset.
pub fn named(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Named> {
    let item = ide.item_at(file, offset)?;
    let path = used(ide, item)?;
    let start = item.start(ide.db);
    let at = path.iter().position(|word| word.span.start + start <= offset && offset <= word.span.end + start)?;
    let whole = joined(path);
    module_at(ide.db, ide.universe, file.module(ide.db), &whole).filter(|module| *module == format!("@{whole}"))?;
    let word = path.get(at)?;
    Some(Named { span: word.span.shifted(start), name: word.text.to_string(), path: joined(path.get(..=at)?) })
}

/// The edits of the `use` lines that name a module of the project, or one in it, by another name.
pub fn renamed(ide: Ide<'_>, was: &str, is: &str) -> Vec<Renaming> {
    let mut out = Vec::new();
    for (file, item, path) in uses(ide) {
        let name = joined(path);
        let means = module_at(ide.db, ide.universe, file.module(ide.db), &name).is_some_and(|m| m.starts_with('@'));
        let rest = name.strip_prefix(was).filter(|rest| means && (rest.is_empty() || rest.starts_with('.')));
        if let (Some(rest), Some(span)) = (rest, path.iter().map(|w| w.span).reduce(Span::to)) {
            out.push((file, span.shifted(item.start(ide.db)), format!("{is}{rest}")));
        }
    }
    out
}

/// What each `use` of the project means, by file; with a folder and its module called otherwise.
pub fn meant(ide: Ide<'_>, folder: Option<(&Moved, &str, &str)>) -> BTreeMap<String, Vec<Option<SmolStr>>> {
    let mut out: BTreeMap<String, Vec<Option<SmolStr>>> = BTreeMap::new();
    for (file, _, path) in uses(ide) {
        let module = module_at(ide.db, ide.universe, file.module(ide.db), &joined(path));
        let (file, module) = match folder {
            None => (file.path(ide.db).to_owned(), module),
            Some((moved, was, is)) => {
                let rest = |module: &SmolStr| {
                    module.strip_prefix('@')?.strip_prefix(was).filter(|r| r.is_empty() || r.starts_with('.')).map(str::to_owned)
                };
                let called = |module: SmolStr| rest(&module).map_or(module, |rest| SmolStr::new(format!("@{is}{rest}")));
                (moved.path(file.path(ide.db)), module.map(called))
            }
        };
        out.entry(file).or_default().push(module);
    }
    out
}

/// Every `use` of the project.
fn uses<'a>(ide: Ide<'a>) -> impl Iterator<Item = (SourceFile, Item<'a>, &'a [ast::Word])> {
    let files = ide.universe.files(ide.db).iter();
    let all = files.flat_map(move |file| rule_items(ide.db, *file).iter().map(|item| (*file, *item)));
    all.filter_map(move |(file, item)| Some((file, item, used(ide, item)?)))
}

fn used<'a>(ide: Ide<'a>, item: Item<'a>) -> Option<&'a [ast::Word]> {
    match &parse(ide.db, item).item.kind {
        ItemKind::Use(used) => Some(&used.path),
        _ => None,
    }
}

fn joined(path: &[ast::Word]) -> String {
    path.iter().map(|word| &*word.text).collect::<Vec<_>>().join(".")
}
