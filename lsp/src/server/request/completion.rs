use tower_lsp::ls_types::*;

use crate::ide::complete::{self, Entry, EntryKind};
use crate::ide::manifest;
use crate::server::position::Lines;
use crate::server::view::View;

pub fn answer(view: &View, params: &CompletionParams) -> Option<CompletionResponse> {
    let at = &params.text_document_position;
    let Some(page) = view.page(&at.text_document.uri) else { return in_manifest(view, at) };
    let offset = page.offset(at.position);
    if is_indentation(params.context.as_ref(), page.text, offset) {
        return None;
    }
    let pictures = || view.table.projects.get(page.project).map(|l| l.art.names()).unwrap_or_default();
    let offer = complete::complete(page.ide, page.file, offset, &pictures);
    if offer.is_written(page.text, offset) {
        return Some(CompletionResponse::List(CompletionList { is_incomplete: true, items: Vec::new() }));
    }
    let range = page.lines().range(offer.replaces);
    let items = offer.entries.into_iter().enumerate().map(|(i, e)| item(view, &page.lines(), i, e, range)).collect();
    Some(CompletionResponse::List(CompletionList {
        // asked again with every letter: a word that is written to its end is no longer offered
        is_incomplete: true,
        items,
    }))
}

fn in_manifest(view: &View, at: &TextDocumentPositionParams) -> Option<CompletionResponse> {
    let (_, loaded, text) = view.manifest(&at.text_document.uri)?;
    let lines = Lines::new(text, view.encoding);
    let offer = super::around_manifest(view, loaded, |around| manifest::complete(text, lines.offset(at.position), around));
    let range = lines.range(offer.replaces);
    let items = offer.entries.into_iter().enumerate().map(|(i, e)| item(view, &lines, i, e, range)).collect();
    Some(CompletionResponse::List(CompletionList { is_incomplete: true, items }))
}

/// A space typed to move a line inwards asks for nothing.
fn is_indentation(context: Option<&CompletionContext>, text: &str, offset: u32) -> bool {
    let line = text.get(..offset as usize).and_then(|before| before.rsplit('\n').next()).unwrap_or("");
    context.is_some_and(|c| c.trigger_kind == CompletionTriggerKind::TRIGGER_CHARACTER && c.trigger_character.as_deref() == Some(" "))
        && line.trim().is_empty()
}

fn item(view: &View, lines: &Lines<'_>, index: usize, entry: Entry, range: Range) -> CompletionItem {
    let edits = entry.import.as_ref().map(|import| {
        let at = lines.position(import.at);
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
