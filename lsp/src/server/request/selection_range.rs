use tower_lsp::ls_types::{SelectionRange, SelectionRangeParams};

use crate::ide::around;
use crate::server::view::View;

pub fn answer(view: &View, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let page = view.page(&params.text_document.uri)?;
    let lines = page.lines();
    let one = |position| {
        let spans = around::stretches(page.ide, page.file, lines.offset(position));
        let outside_in = spans.into_iter().rev();
        let nested = outside_in.fold(None, |parent, span| Some(SelectionRange { range: lines.range(span), parent: parent.map(Box::new) }));
        nested.unwrap_or(SelectionRange { range: tower_lsp::ls_types::Range::new(position, position), parent: None })
    };
    Some(params.positions.iter().map(|p| one(*p)).collect())
}
