use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use crate::ide::folding::{self, FoldKind};
use crate::server::view::View;

pub fn answer(view: &View, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let page = view.page(&params.text_document.uri)?;
    let lines = page.lines();
    let folds = folding::of_text(page.text).into_iter().map(|fold| {
        let range = lines.range(fold.span);
        FoldingRange {
            start_line: range.start.line,
            start_character: Some(range.start.character),
            end_line: range.end.line,
            end_character: Some(range.end.character),
            kind: match fold.kind {
                FoldKind::Block => None,
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Imports => Some(FoldingRangeKind::Imports),
            },
            collapsed_text: None,
        }
    });
    Some(folds.collect())
}
