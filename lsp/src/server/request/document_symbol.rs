use tower_lsp::ls_types::{DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, SymbolKind as Lsp};

use crate::ide::outline::{self, Symbol, SymbolKind};
use crate::server::position::Lines;
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let page = view.page(&params.text_document.uri)?;
    let lines = page.lines();
    let symbols = outline::of_file(page.ide, page.file);
    Some(DocumentSymbolResponse::Nested(symbols.into_iter().map(|s| symbol(s, &lines)).collect()))
}

#[allow(deprecated)] // the field has to be written, though nobody reads it any more
fn symbol(s: Symbol, lines: &Lines<'_>) -> DocumentSymbol {
    DocumentSymbol {
        // an editor refuses an empty name
        name: if s.name.is_empty() { "?".into() } else { s.name },
        detail: (!s.detail.is_empty()).then_some(s.detail),
        kind: kind(s.kind),
        tags: None,
        deprecated: None,
        range: lines.range(s.whole),
        selection_range: lines.range(s.at),
        children: Some(s.inside.into_iter().map(|s| symbol(s, lines)).collect()),
    }
}

pub fn kind(kind: SymbolKind) -> Lsp {
    match kind {
        SymbolKind::Module => Lsp::MODULE,
        SymbolKind::Ruleset => Lsp::NAMESPACE,
        SymbolKind::Option => Lsp::PROPERTY,
        SymbolKind::Enum => Lsp::ENUM,
        SymbolKind::Member => Lsp::ENUM_MEMBER,
        SymbolKind::Kind => Lsp::CLASS,
        SymbolKind::Field => Lsp::FIELD,
        SymbolKind::Term => Lsp::FUNCTION,
        SymbolKind::Table => Lsp::ARRAY,
        SymbolKind::Action => Lsp::METHOD,
        SymbolKind::Phase => Lsp::EVENT,
        SymbolKind::Keyword => Lsp::KEY,
        SymbolKind::Limit | SymbolKind::Rule => Lsp::OPERATOR,
        SymbolKind::Face => Lsp::INTERFACE,
        SymbolKind::Test => Lsp::BOOLEAN,
        SymbolKind::Card => Lsp::OBJECT,
        SymbolKind::Part => Lsp::STRUCT,
    }
}
