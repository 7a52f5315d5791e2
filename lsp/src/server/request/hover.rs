use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use crate::ide::{hover, odds};
use crate::server::view::View;

pub fn answer(view: &View, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let found = hover::hover(page.ide, page.file, page.offset(at.position))?;
    let config = &view.config.odds;
    let odds = found
        .about
        .as_deref()
        .filter(|_| config.enabled)
        .and_then(|key| odds::odds(page.ide, key, config.against.as_deref(), odds::STATES));
    let odds = odds.map(|found| found.map_or_else(|why| why, |odds| odds.sentence()));
    let markdown = odds.map_or(found.markdown.clone(), |odds| format!("{}\n\n{odds}", found.markdown));
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: markdown });
    Some(Hover { contents, range: Some(page.lines().range(found.span)) })
}
