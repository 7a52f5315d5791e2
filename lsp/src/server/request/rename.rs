use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use crate::ide::references::{self, Tried};
use crate::server::edits;
use crate::server::view::View;

pub fn prepare(view: &View, at: &TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
    let Some(page) = view.page(&at.text_document.uri) else { return Ok(None) };
    let found = references::renamable(page.ide, page.file, page.offset(at.position));
    let (span, placeholder) = found.map_err(Error::invalid_params)?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: page.lines().range(span), placeholder }))
}

pub fn answer(view: &View, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let at = &params.text_document_position;
    let Some(page) = view.page(&at.text_document.uri) else { return Ok(None) };
    let edits = references::rename(page.ide, page.file, page.offset(at.position), &params.new_name).map_err(Error::invalid_params)?;
    if let Some(mut tried) = tried(view, page.project)
        && let Some(why) = references::taken(page.ide, &edits, &params.new_name, &mut tried)
    {
        return Err(Error::invalid_params(why));
    }
    Ok(Some(edits::in_project(view, page.project, edits)))
}

/// A workspace in which edits of a project can be tried.
pub fn tried(view: &View, project: usize) -> Option<Tried> {
    let (id, loaded) = view.project(project)?;
    Some(Tried {
        workspace: banneret_projects::library::workspace().unwrap_or_default(),
        manifest: loaded.manifest.clone()?,
        root: banneret_projects::paths::shown(&loaded.target.root),
        before: view.workspace.check(id).found,
    })
}
