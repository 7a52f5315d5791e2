use tower_lsp::ls_types::{DocumentFormattingParams, TextEdit};

use crate::ide::formatting;
use crate::server::convert::edit;
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let page = view.page(&params.text_document.uri).filter(|p| !p.of_library)?;
    let lines = page.lines();
    Some(formatting::whole(page.text).iter().map(|(span, text)| edit(&lines, *span, text)).collect())
}
