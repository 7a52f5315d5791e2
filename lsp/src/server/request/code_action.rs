use std::collections::HashMap;

use banneret_compiler::diagnostic::Located;
use tower_lsp::ls_types::*;

use crate::ide::actions::{self, ActionKind};
use crate::server::convert;
use crate::server::view::View;

/// What can be asked for.
pub fn kinds() -> Vec<CodeActionKind> {
    vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL]
}

pub fn answer(view: &View, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let uri = &params.text_document.uri;
    let page = view.page(uri).filter(|p| !p.of_library)?;
    let lines = page.lines();
    let name = page.file.path(view.db());
    let all = view.found(page.project);
    let found: Vec<&Located> = all.iter().filter(|l| l.file == name).collect();
    let wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|o| kind.as_str() == o.as_str() || kind.as_str().starts_with(&format!("{}.", o.as_str()))))
    };
    let mut out = Vec::new();
    for action in actions::actions(page.ide, page.file, lines.span(params.range), &found) {
        let kind = match action.kind {
            ActionKind::Quickfix => CodeActionKind::QUICKFIX,
            ActionKind::FixAll => CodeActionKind::SOURCE_FIX_ALL,
        };
        if !wanted(&kind) {
            continue;
        }
        let mends = action.mends.and_then(|i| found.get(i)).map(|l| vec![convert::diagnostic(&l.diagnostic, uri, &lines)]);
        let edits = action.edits.iter().map(|(span, text)| convert::edit(&lines, *span, text)).collect();
        #[allow(clippy::mutable_key_type)] // the protocol's own type; nobody changes a key
        let changes = HashMap::from([(uri.clone(), edits)]);
        out.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            is_preferred: (mends.is_some() && action.safe).then_some(true),
            kind: Some(kind),
            diagnostics: mends,
            edit: Some(WorkspaceEdit { changes: Some(changes), ..Default::default() }),
            ..Default::default()
        }));
    }
    Some(out)
}
