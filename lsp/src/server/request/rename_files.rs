//! A folder is a module: when one gets another name, what uses it says so.

use std::path::Path;

use banneret_compiler::items::{parse, rule_items};
use banneret_compiler::names::module_at;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;
use tower_lsp::ls_types::{RenameFilesParams, Uri, WorkspaceEdit};

use crate::ide::Ide;
use crate::ide::references::Renaming;
use crate::server::address;
use crate::server::edits;
use crate::server::view::View;

pub fn answer(view: &View, params: &RenameFilesParams) -> Option<WorkspaceEdit> {
    let path = |uri: &str| uri.parse::<Uri>().ok().as_ref().and_then(address::path);
    let mut project = None;
    let mut all: Vec<Renaming> = Vec::new();
    for renamed in &params.files {
        let (Some(old), Some(new)) = (path(&renamed.old_uri), path(&renamed.new_uri)) else { continue };
        // edits of several projects at once are more than anybody renames
        let Some((at, edits)) = moved(view, &old, &new).filter(|(at, _)| project.is_none_or(|p| p == *at)) else { continue };
        project = Some(at);
        all.extend(edits);
    }
    project.filter(|_| !all.is_empty()).map(|project| edits::in_project(view, project, all))
}

/// The `use` lines of a project that name a folder or what is in it.
fn moved(view: &View, old: &Path, new: &Path) -> Option<(usize, Vec<Renaming>)> {
    let (inside, (project, name)) = view.table.by_path.iter().find(|(path, _)| path.starts_with(old) && *path != old)?;
    let (id, loaded) = view.project(*project)?;
    let ide = Ide { db: view.db(), universe: view.workspace.universe(id) };
    let module = view.workspace.file(id, name)?.module(ide.db).strip_prefix('@')?.to_owned();
    // folders above the sources are in no module's name
    let folders = |path: &Path| -> Option<Vec<String>> {
        let below = path.strip_prefix(&loaded.target.root).ok()?;
        below.components().map(|part| part.as_os_str().to_str().map(str::to_owned)).collect()
    };
    let named = module.split('.').filter(|part| !part.is_empty()).count();
    let above = folders(inside.parent()?)?.len().checked_sub(named)?;
    let called = |path: &Path| Some(folders(path)?.get(above..)?.join("."));
    let (was, is) = (called(old).filter(|name| !name.is_empty())?, called(new).filter(|name| is_module(name))?);
    let mut out = Vec::new();
    for file in ide.universe.files(ide.db) {
        for item in rule_items(ide.db, *file) {
            let ItemKind::Use(u) = &parse(ide.db, *item).item.kind else { continue };
            let path: Vec<&str> = u.path.iter().map(|w| &*w.text).collect();
            let path = path.join(".");
            let means = module_at(ide.db, ide.universe, file.module(ide.db), &path).is_some_and(|m| m.starts_with('@'));
            let rest = path.strip_prefix(was.as_str()).filter(|rest| means && (rest.is_empty() || rest.starts_with('.')));
            if let (Some(rest), Some(span)) = (rest, u.path.iter().map(|w| w.span).reduce(Span::to)) {
                out.push((*file, span.shifted(item.start(ide.db)), format!("{is}{rest}")));
            }
        }
    }
    Some((*project, out))
}

fn is_module(name: &str) -> bool {
    name.split('.').all(|part| part.starts_with(char::is_alphabetic) && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
}
