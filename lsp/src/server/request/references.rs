use tower_lsp::ls_types::{Location, ReferenceParams};

use crate::ide::references;
use crate::server::view::View;

pub fn answer(view: &View, params: &ReferenceParams) -> Option<Vec<Location>> {
    let at = &params.text_document_position;
    let page = view.page(&at.text_document.uri)?;
    let sites = references::of_place(page.ide, page.file, page.offset(at.position)).into_iter();
    let wanted = sites.filter(|s| params.context.include_declaration || !s.is_declaration);
    Some(wanted.filter_map(|s| view.location(page.project, s.file, s.span)).collect())
}
