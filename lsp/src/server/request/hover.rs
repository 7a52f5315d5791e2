use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use crate::ide::hover;
use crate::server::view::View;

pub fn answer(view: &View, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let found = hover::hover(page.ide, page.file, page.offset(at.position))?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: found.markdown });
    Some(Hover { contents, range: Some(page.lines().range(found.span)) })
}
