use tower_lsp::ls_types::*;

use crate::ide::complete::{self, Entry, EntryKind};
use crate::server::view::{Page, View};

pub fn answer(view: &View, params: &CompletionParams) -> Option<CompletionResponse> {
    let at = &params.text_document_position;
    let page = view.page(&at.text_document.uri)?;
    let offset = page.offset(at.position);
    let pictures = || view.table.projects.get(page.project).map(|l| l.art.names()).unwrap_or_default();
    let offer = complete::complete(page.ide, page.file, offset, &pictures);
    let range = page.lines().range(offer.replaces);
    let items = offer.entries.into_iter().enumerate().map(|(i, e)| item(view, &page, i, e, range)).collect();
    Some(CompletionResponse::List(CompletionList { is_incomplete: offer.cut, items }))
}

fn item(view: &View, page: &Page<'_>, index: usize, entry: Entry, range: Range) -> CompletionItem {
    let edits = entry.import.as_ref().map(|import| {
        let at = page.lines().position(import.at);
        vec![TextEdit { range: Range::new(at, at), new_text: import.line.clone() }]
    });
    let new_text = if view.snippets { entry.insert.clone() } else { entry.plain() };
    CompletionItem {
        kind: Some(kind(entry.kind)),
        detail: (!entry.detail.is_empty()).then(|| entry.detail.clone()),
        documentation: entry.doc.clone().map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
        // the order is ours
        sort_text: Some(format!("{index:05}")),
        filter_text: Some(entry.label.clone()),
        insert_text_format: Some(if view.snippets { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
        additional_text_edits: edits,
        preselect: (index == 0).then_some(true),
        label: entry.label,
        ..Default::default()
    }
}

fn kind(kind: EntryKind) -> CompletionItemKind {
    match kind {
        EntryKind::Word => CompletionItemKind::KEYWORD,
        EntryKind::Phrase => CompletionItemKind::SNIPPET,
        EntryKind::Card => CompletionItemKind::CONSTANT,
        EntryKind::Field => CompletionItemKind::FIELD,
        EntryKind::Part => CompletionItemKind::STRUCT,
        EntryKind::Member => CompletionItemKind::ENUM_MEMBER,
        EntryKind::Kind => CompletionItemKind::CLASS,
        EntryKind::Type => CompletionItemKind::TYPE_PARAMETER,
        EntryKind::Action => CompletionItemKind::METHOD,
        EntryKind::Phase => CompletionItemKind::EVENT,
        EntryKind::Keyword => CompletionItemKind::INTERFACE,
        EntryKind::Term | EntryKind::Function => CompletionItemKind::FUNCTION,
        EntryKind::Local => CompletionItemKind::VARIABLE,
        EntryKind::Option => CompletionItemKind::PROPERTY,
        EntryKind::Module => CompletionItemKind::MODULE,
        EntryKind::Value => CompletionItemKind::VALUE,
        EntryKind::File => CompletionItemKind::FILE,
    }
}
