use std::path::{Path, PathBuf};

use banneret_compiler::db::SourceFile;
use banneret_projects::paths::{plain, shown};
use banneret_projects::{files, library};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use crate::ide::Ide;
use crate::ide::modules::{self, Named};
use crate::ide::references::{self, can_be_name};
use crate::ide::tried::{Moved, Tried, taken};
use crate::server::edits;
use crate::server::projects::Loaded;
use crate::server::view::{Page, View};

pub fn prepare(view: &View, at: &TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
    let Some(page) = view.page(&at.text_document.uri) else { return Ok(None) };
    let offset = page.offset(at.position);
    let found = match module(view, &page, offset) {
        Some(named) => Ok((named.span, named.name)),
        None => references::renamable(page.ide, page.file, offset),
    };
    let (span, placeholder) = found.map_err(Error::invalid_params)?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: page.lines().range(span), placeholder }))
}

pub fn answer(view: &View, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let at = &params.text_document_position;
    let Some(page) = view.page(&at.text_document.uri) else { return Ok(None) };
    let offset = page.offset(at.position);
    if let Some(named) = module(view, &page, offset) {
        return folder(view, &page, &named, &params.new_name).map(Some).map_err(Error::invalid_params);
    }
    let edits = references::rename(page.ide, page.file, offset, &params.new_name).map_err(Error::invalid_params)?;
    if let Some(mut tried) = tried(view, page.project)
        && let Some(why) = taken(page.ide, &edits, &params.new_name, &mut tried)
    {
        return Err(Error::invalid_params(why));
    }
    Ok(Some(edits::in_project(view, page.project, edits)))
}

/// The module at an offset, if the client can move its folder.
fn module(view: &View, page: &Page<'_>, offset: u32) -> Option<Named> {
    modules::named(page.ide, page.file, offset).filter(|_| view.moves_folders && !page.of_library)
}

/// Gives the folder of a module another name, and every `use` of it; or says why that cannot be done.
fn folder(view: &View, page: &Page<'_>, named: &Named, new: &str) -> std::result::Result<WorkspaceEdit, String> {
    let gone = || "This folder is not there any more.".to_owned();
    can_be_name(new)?;
    let (_, loaded) = view.project(page.project).ok_or_else(gone)?;
    let from = place(view, page.ide, page.project, &named.path).ok_or_else(gone)?;
    let to = from.with_file_name(new);
    if files::is_folder(&to) || files::is_file(&to) {
        return Err(format!("It cannot be called `{new}`: there is something of that name beside it already."));
    }
    if let Some(field) = says(loaded, &from) {
        return Err(format!("The manifest names this folder in `{field}`: give it another name there and on the disk."));
    }
    let builds = |other: &Loaded| !other.closed && other.packages.iter().any(|folder| plain(folder) == plain(&loaded.target.root));
    if let Some(other) = view.table.projects.iter().find(|other| builds(other)) {
        return Err(format!("The project in `{}` builds on this one and would not find the folder any more.", shown(&other.target.root)));
    }
    let is = match named.path.rsplit_once('.') {
        Some((above, _)) => format!("{above}.{new}"),
        None => new.to_owned(),
    };
    let moved = Moved { from: shown(&from), to: shown(&to) };
    let edits = modules::renamed(page.ide, &named.path, &is);
    let mut tried = tried(view, page.project).ok_or_else(gone)?;
    let (project, wrong) = tried.moved(page.ide, &edits, &moved);
    if let Some(wrong) = wrong {
        return Err(format!("It cannot be called `{new}`: {} ({})", wrong.diagnostic.headline, wrong.file));
    }
    let after = Ide { db: tried.workspace.db(), universe: tried.workspace.universe(project) };
    if modules::meant(after, None) != modules::meant(page.ide, Some((&moved, &named.path, &is))) {
        return Err(format!("It cannot be called `{new}`: that means something else here already."));
    }
    let uri = |path: &Path| Uri::from_file_path(path).ok_or_else(gone);
    Ok(edits::and_moved(view, page.project, edits, uri(&from)?, uri(&to)?))
}

/// The folder of a module of a project.
fn place(view: &View, ide: Ide<'_>, project: usize, path: &str) -> Option<PathBuf> {
    let deep = |name: &str| name.split('.').filter(|part| !part.is_empty()).count();
    let inside = |file: &SourceFile| -> Option<(String, PathBuf)> {
        let module = file.module(ide.db).strip_prefix('@')?;
        let rest = module.strip_prefix(path)?;
        (rest.is_empty() || rest.starts_with('.'))
            .then(|| view.path(project, file.path(ide.db)))
            .flatten()
            .map(|at| (module.to_owned(), at))
    };
    let (module, file) = ide.universe.files(ide.db).iter().find_map(inside)?;
    file.parent()?.ancestors().nth(deep(&module) - deep(path)).map(Path::to_owned)
}

/// The field of a manifest that names a folder, or one in it.
fn says(loaded: &Loaded, folder: &Path) -> Option<&'static str> {
    let manifest = loaded.manifest.as_ref()?;
    let is = |name: &str| plain(&loaded.target.root.join(name)).starts_with(folder);
    let fields = [
        ("sources", manifest.sources.iter().any(|name| is(name))),
        ("cards", is(&manifest.cards)),
        ("art", is(&manifest.art)),
        ("changes", manifest.changes.iter().any(|changes| is(&changes.folder))),
    ];
    fields.into_iter().find(|(_, names)| *names).map(|(field, _)| field)
}

/// A workspace in which edits of a project can be tried.
pub fn tried(view: &View, project: usize) -> Option<Tried> {
    let (id, loaded) = view.project(project)?;
    Some(Tried {
        workspace: library::workspace().unwrap_or_default(),
        manifest: loaded.manifest.clone()?,
        root: shown(&loaded.target.root),
        packages: loaded.needed.packages.clone(),
        before: view.checked(project, id, loaded.revision).found.clone(),
    })
}
