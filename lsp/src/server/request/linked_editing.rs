use tower_lsp::ls_types::{LinkedEditingRangeParams, LinkedEditingRanges};

use crate::ide::references;
use crate::server::view::View;

/// The places of a name that one item alone knows: what is typed into one of them may be typed into all.
pub fn answer(view: &View, params: &LinkedEditingRangeParams) -> Option<LinkedEditingRanges> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri).filter(|p| !p.of_library)?;
    let sites = references::of_local(page.ide, page.file, page.offset(at.position));
    let lines = page.lines();
    let ranges: Vec<_> = sites.iter().map(|site| lines.range(site.span)).collect();
    (ranges.len() > 1).then_some(LinkedEditingRanges { ranges, word_pattern: None })
}
