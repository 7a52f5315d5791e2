//! Chains of uses (call hierarchy) and of what builds on what (type hierarchy).

use tower_lsp::ls_types::*;

use super::document_symbol::kind;
use crate::ide::hierarchy::{self, Step};
use crate::server::view::{Page, View};

pub fn calls(view: &View, params: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let step = hierarchy::start(page.ide, page.file, page.offset(at.position))?;
    Some(vec![call(view, &page, &step)?])
}

/// Who uses it.
pub fn incoming(view: &View, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (page, offset) = place(view, &item.uri, item.selection_range)?;
    let one = |step: Step| {
        let ranges = step.by.iter().map(|(file, span)| view.range(*file, *span)).collect();
        Some(CallHierarchyIncomingCall { from: call(view, &page, &step)?, from_ranges: ranges })
    };
    Some(hierarchy::users(page.ide, page.file, offset).into_iter().filter_map(one).collect())
}

/// What it uses.
pub fn outgoing(view: &View, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (page, offset) = place(view, &item.uri, item.selection_range)?;
    let one = |step: Step| {
        let ranges = step.by.iter().map(|(file, span)| view.range(*file, *span)).collect();
        Some(CallHierarchyOutgoingCall { to: call(view, &page, &step)?, from_ranges: ranges })
    };
    Some(hierarchy::used(page.ide, page.file, offset).into_iter().filter_map(one).collect())
}

pub fn types(view: &View, params: &TypeHierarchyPrepareParams) -> Option<Vec<TypeHierarchyItem>> {
    let at = &params.text_document_position_params;
    let page = view.page(&at.text_document.uri)?;
    let step = hierarchy::start(page.ide, page.file, page.offset(at.position))?;
    Some(vec![one_type(view, &page, &step)?])
}

pub fn above(view: &View, item: &TypeHierarchyItem) -> Option<Vec<TypeHierarchyItem>> {
    let (page, offset) = place(view, &item.uri, item.selection_range)?;
    let found = hierarchy::above(page.ide, page.file, offset);
    Some(found.iter().filter_map(|step| one_type(view, &page, step)).collect())
}

pub fn below(view: &View, item: &TypeHierarchyItem) -> Option<Vec<TypeHierarchyItem>> {
    let (page, offset) = place(view, &item.uri, item.selection_range)?;
    let found = hierarchy::below(page.ide, page.file, offset);
    Some(found.iter().filter_map(|step| one_type(view, &page, step)).collect())
}

/// Asked of clients that take it, as the first greeting has no room for it.
pub fn registration() -> Registration {
    let files = serde_json::json!({ "documentSelector": [{ "language": "banneret" }] });
    Registration { id: "banneret-types".into(), method: "textDocument/prepareTypeHierarchy".into(), register_options: Some(files) }
}

fn place<'v>(view: &'v View, uri: &Uri, range: Range) -> Option<(Page<'v>, u32)> {
    let page = view.page(uri)?;
    let offset = page.offset(range.start);
    Some((page, offset))
}

fn call(view: &View, page: &Page<'_>, step: &Step) -> Option<CallHierarchyItem> {
    Some(CallHierarchyItem {
        name: step.symbol.name.clone(),
        kind: kind(step.symbol.kind),
        tags: None,
        detail: Some(step.symbol.detail.clone()),
        uri: view.uri(page.project, step.file.path(view.db()))?,
        range: view.range(step.file, step.symbol.whole),
        selection_range: view.range(step.file, step.symbol.at),
        data: None,
    })
}

fn one_type(view: &View, page: &Page<'_>, step: &Step) -> Option<TypeHierarchyItem> {
    Some(TypeHierarchyItem {
        name: step.symbol.name.clone(),
        kind: kind(step.symbol.kind),
        tags: None,
        detail: Some(step.symbol.detail.clone()),
        uri: view.uri(page.project, step.file.path(view.db()))?,
        range: view.range(step.file, step.symbol.whole),
        selection_range: view.range(step.file, step.symbol.at),
        data: None,
    })
}
