use tower_lsp::ls_types::{DocumentOnTypeFormattingParams, TextEdit};

use crate::ide::formatting;
use crate::server::convert::edit;
use crate::server::view::View;

/// A brace that ends a block goes where it belongs; nothing else of the text is touched.
pub fn answer(view: &View, params: &DocumentOnTypeFormattingParams) -> Option<Vec<TextEdit>> {
    let at = &params.text_document_position;
    let page = view.page(&at.text_document.uri).filter(|p| !p.of_library)?;
    let edits = formatting::brace(page.text, page.offset(at.position));
    let lines = page.lines();
    Some(edits.iter().map(|(span, text)| edit(&lines, *span, text)).collect())
}
