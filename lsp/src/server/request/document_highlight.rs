use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use crate::ide::references;
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let lines = page.lines();
    let sites = references::in_file(page.ide, page.file, page.offset(at.position));
    let highlight = |site: references::Site| DocumentHighlight {
        range: lines.range(site.span),
        kind: Some(if site.is_declaration { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }),
    };
    Some(sites.into_iter().map(highlight).collect())
}
