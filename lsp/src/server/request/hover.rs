use banneret_compiler::items::parse;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;
use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range, TextDocumentPositionParams};

use super::odds;
use crate::ide::{hover, manifest, sums, words};
use crate::server::position::Lines;
use crate::server::view::{Page, View};

pub fn answer(view: &View, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let Some(page) = view.page(&at.text_document.uri) else { return in_manifest(view, at) };
    let found = hover::hover(page.ide, page.file, page.offset(at.position))?;
    let mut markdown = found.markdown;
    if let Some(lacking) = found.about.as_deref().and_then(|key| lacking(view, &page, key)) {
        markdown = format!("{markdown}\n\n{lacking}");
    }
    let about = found.about.as_deref().filter(|_| view.config.odds.enabled);
    if let Some((odds, _)) = about.and_then(|key| odds::told(view, &page, key, odds::Asked::ByPointing)) {
        markdown = format!("{markdown}\n\n{odds}");
    }
    Some(shown(markdown, page.lines().range(found.span)))
}

fn in_manifest(view: &View, at: &TextDocumentPositionParams) -> Option<Hover> {
    let (_, loaded, text) = view.manifest(&at.text_document.uri)?;
    let lines = Lines::new(text, view.encoding);
    let (span, markdown) = super::around_manifest(view, loaded, |around| manifest::hover(text, lines.offset(at.position), around))?;
    Some(shown(markdown, lines.range(span)))
}

fn shown(markdown: String, range: Range) -> Hover {
    Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: markdown }), range: Some(range) }
}

/// What a card that lists others has too much or lacks, as its limits say.
fn lacking(view: &View, page: &Page<'_>, key: &str) -> Option<String> {
    let item = words::declaration(page.ide, key)?.item;
    let ItemKind::Card(card) = &parse(view.db(), item).item.kind else { return None };
    if sums::sums(page.ide, item, card).is_empty() {
        return None;
    }
    let start = item.start(view.db());
    let whole = Span::new(start, start + item.text(view.db()).len() as u32);
    let told = view.limits(page.project, item.file(view.db()).path(view.db()), whole);
    (!told.is_empty()).then(|| told.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"))
}
