use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse};

use crate::ide::navigate;
use crate::server::view::View;

pub fn answer(view: &View, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let (file, span) = navigate::type_definition(page.ide, page.file, page.offset(at.position))?;
    Some(GotoDefinitionResponse::Scalar(view.location(page.project, file, span)?))
}
