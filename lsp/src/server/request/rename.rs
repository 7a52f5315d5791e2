use std::collections::HashMap;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit};

use crate::ide::references;
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
    #[allow(clippy::mutable_key_type)] // the protocol's own type; nobody changes a key
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (file, span, new_text) in edits {
        if let Some(uri) = view.uri(page.project, file.path(view.db())) {
            changes.entry(uri).or_default().push(TextEdit { range: view.range(file, span), new_text });
        }
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..Default::default() }))
}
