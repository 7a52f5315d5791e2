use tower_lsp::ls_types::{DocumentRangeFormattingParams, TextEdit};

use crate::ide::formatting;
use crate::server::convert::edit;
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let page = view.page(&params.text_document.uri).filter(|p| !p.of_library)?;
    let lines = page.lines();
    let edits = formatting::stretch(page.text, lines.span(params.range));
    Some(edits.iter().map(|(span, text)| edit(&lines, *span, text)).collect())
}
