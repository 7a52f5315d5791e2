//! A folder is a module: when one gets another name, what uses it says so.

use std::path::Path;

use tower_lsp::ls_types::{RenameFilesParams, Uri, WorkspaceEdit};

use crate::ide::references::Renaming;
use crate::ide::{Ide, modules};
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
    Some((*project, modules::renamed(ide, &was, &is)))
}

fn is_module(name: &str) -> bool {
    name.split('.').all(|part| part.starts_with(char::is_alphabetic) && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
}
