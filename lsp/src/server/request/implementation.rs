use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse};

use crate::ide::references;
use crate::server::view::View;

pub fn answer(view: &View, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let found = references::implementations(page.ide, page.file, page.offset(at.position));
    Some(GotoDefinitionResponse::Array(found.into_iter().filter_map(|(file, span)| view.location(page.project, file, span)).collect()))
}
