use tower_lsp::ls_types::*;

use crate::ide::signature_help;
use crate::server::position::Encoding;
use crate::server::view::View;

pub fn answer(view: &View, params: &SignatureHelpParams) -> Option<SignatureHelp> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let help = signature_help::help(page.ide, page.file, page.offset(at.position))?;
    // the protocol counts the places of parameters in UTF-16, whatever was agreed on
    let column = |offset: u32| Encoding::Utf16.length(help.label.get(..offset as usize).unwrap_or(""));
    let parameters = help.params.iter().map(|(span, doc)| ParameterInformation {
        label: ParameterLabel::LabelOffsets([column(span.start), column(span.end)]),
        documentation: (!doc.is_empty()).then(|| Documentation::String(doc.clone())),
    });
    let parameters: Vec<_> = parameters.collect();
    let active = help.active.and_then(|i| u32::try_from(i).ok());
    let documentation = help.doc.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    let signature = SignatureInformation { label: help.label, documentation, parameters: Some(parameters), active_parameter: active };
    Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: active })
}
