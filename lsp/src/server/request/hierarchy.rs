//! Chains of uses (call hierarchy) and of what builds on what (type hierarchy): the same steps, under two names of the protocol.

use banneret_compiler::db::SourceFile;
use tower_lsp::ls_types::*;

use super::document_symbol::kind;
use crate::ide::Ide;
use crate::ide::hierarchy::{self, Step};
use crate::server::view::{Page, View};

/// Makes what the protocol has two names for of a step.
macro_rules! shown {
    ($name:ident, $item:ident) => {
        fn $name(view: &View, page: &Page<'_>, step: &Step) -> Option<$item> {
            Some($item {
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
    };
}

shown!(call, CallHierarchyItem);
shown!(one_type, TypeHierarchyItem);

type Shown<T> = fn(&View, &Page<'_>, &Step) -> Option<T>;

pub fn calls(view: &View, params: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    start(view, &params.text_document_position_params, call)
}

pub fn types(view: &View, params: &TypeHierarchyPrepareParams) -> Option<Vec<TypeHierarchyItem>> {
    start(view, &params.text_document_position_params, one_type)
}

/// Who uses it.
pub fn incoming(view: &View, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyIncomingCall>> {
    let found = steps(view, &item.uri, item.selection_range, hierarchy::users, call)?;
    Some(found.into_iter().map(|(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges }).collect())
}

/// What it uses.
pub fn outgoing(view: &View, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let found = steps(view, &item.uri, item.selection_range, hierarchy::used, call)?;
    Some(found.into_iter().map(|(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges }).collect())
}

pub fn above(view: &View, item: &TypeHierarchyItem) -> Option<Vec<TypeHierarchyItem>> {
    let found = steps(view, &item.uri, item.selection_range, hierarchy::above, one_type)?;
    Some(found.into_iter().map(|(item, _)| item).collect())
}

pub fn below(view: &View, item: &TypeHierarchyItem) -> Option<Vec<TypeHierarchyItem>> {
    let found = steps(view, &item.uri, item.selection_range, hierarchy::below, one_type)?;
    Some(found.into_iter().map(|(item, _)| item).collect())
}

/// Asked of clients that take it, as the first greeting has no room for it.
pub fn registration() -> Registration {
    let files = serde_json::json!({ "documentSelector": [{ "language": "banneret" }] });
    Registration { id: "banneret-types".into(), method: "textDocument/prepareTypeHierarchy".into(), register_options: Some(files) }
}

fn start<T>(view: &View, at: &TextDocumentPositionParams, shown: Shown<T>) -> Option<Vec<T>> {
    let page = view.page(&at.text_document.uri)?;
    let step = hierarchy::start(page.ide, page.file, page.offset(at.position))?;
    Some(vec![shown(view, &page, &step)?])
}

/// The next steps from a place, each with the words that lead there.
fn steps<T>(
    view: &View,
    uri: &Uri,
    range: Range,
    next: fn(Ide<'_>, SourceFile, u32) -> Vec<Step>,
    show: Shown<T>,
) -> Option<Vec<(T, Vec<Range>)>> {
    let page = view.page(uri)?;
    let found = next(page.ide, page.file, page.offset(range.start)).into_iter();
    let by = |step: &Step| step.by.iter().map(|(file, span)| view.range(*file, *span)).collect();
    Some(found.filter_map(|step| Some((show(view, &page, &step)?, by(&step)))).collect())
}
