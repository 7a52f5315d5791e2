use banneret_grammar::span::Span;
use tower_lsp::ls_types::*;

use crate::ide::tokens::{self, Token, TokenKind};
use crate::server::view::{Page, View};

/// The kinds of tokens, in the order of their numbers.
const LEGEND: &[(TokenKind, SemanticTokenType)] = &[
    (TokenKind::Comment, SemanticTokenType::COMMENT),
    (TokenKind::Keyword, SemanticTokenType::KEYWORD),
    (TokenKind::Text, SemanticTokenType::STRING),
    (TokenKind::Number, SemanticTokenType::NUMBER),
    (TokenKind::Kind, SemanticTokenType::CLASS),
    (TokenKind::Enum, SemanticTokenType::ENUM),
    (TokenKind::Member, SemanticTokenType::ENUM_MEMBER),
    (TokenKind::Field, SemanticTokenType::PROPERTY),
    (TokenKind::Action, SemanticTokenType::METHOD),
    (TokenKind::Phase, SemanticTokenType::EVENT),
    (TokenKind::Term, SemanticTokenType::FUNCTION),
    (TokenKind::Card, SemanticTokenType::STRUCT),
    (TokenKind::Trait, SemanticTokenType::INTERFACE),
    (TokenKind::Local, SemanticTokenType::VARIABLE),
    (TokenKind::Module, SemanticTokenType::NAMESPACE),
    (TokenKind::Parameter, SemanticTokenType::PARAMETER),
];

pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: LEGEND.iter().map(|(_, name)| name.clone()).collect(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

pub fn full(view: &View, params: &SemanticTokensParams) -> Option<SemanticTokensResult> {
    let page = view.page(&params.text_document.uri)?;
    let all = Span::new(0, page.text.len() as u32);
    Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data: encoded(&page, view, all) }))
}

pub fn range(view: &View, params: &SemanticTokensRangeParams) -> Option<SemanticTokensRangeResult> {
    let page = view.page(&params.text_document.uri)?;
    let span = page.lines().span(params.range);
    Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data: encoded(&page, view, span) }))
}

/// Each token's place is told from the one before it.
fn encoded(page: &Page<'_>, view: &View, span: Span) -> Vec<SemanticToken> {
    let lines = page.lines();
    let (mut line, mut column) = (0, 0);
    let mut out = Vec::new();
    for Token { span, kind, declares } in tokens::tokens(page.ide, page.file, span) {
        view.workspace.look_up();
        let start = lines.position(span.start);
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.character - column } else { start.character };
        (line, column) = (start.line, start.character);
        let token_type = LEGEND.iter().position(|(k, _)| *k == kind).unwrap_or(0) as u32;
        let length = view.encoding.length(span.of(page.text));
        out.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset: u32::from(declares) });
    }
    out
}
