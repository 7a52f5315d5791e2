use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};

use crate::ide::hints;
use crate::server::view::View;

pub fn answer(view: &View, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let page = view.page(&params.text_document.uri)?;
    let lines = page.lines();
    let wanted = hints::Wanted { defaults: view.config.inlay_hints.defaults, means: view.config.inlay_hints.means };
    let found = hints::hints(page.ide, page.file, lines.span(params.range), wanted);
    let hint = |h: hints::Hint| InlayHint {
        position: lines.position(h.at),
        label: InlayHintLabel::String(h.label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(h.tooltip)),
        padding_left: Some(true),
        padding_right: Some(false),
        data: None,
    };
    Some(found.into_iter().map(hint).collect())
}
