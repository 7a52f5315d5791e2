//! Edits of several files, as the protocol has them.

use std::collections::BTreeMap;

use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::address;
use super::view::View;
use crate::ide::references::Renaming;

/// Edits of files of a project. A text that has changed since is left alone by a client that knows versions.
pub fn in_project(view: &View, project: usize, edits: Vec<Renaming>) -> WorkspaceEdit {
    let mut by_file: BTreeMap<String, (Uri, Vec<TextEdit>)> = BTreeMap::new();
    for (file, span, new_text) in edits {
        let name = file.path(view.db());
        if let Some(uri) = view.uri(project, name) {
            let edit = TextEdit { range: view.range(file, span), new_text };
            by_file.entry(name.to_owned()).or_insert_with(|| (uri, Vec::new())).1.push(edit);
        }
    }
    let all = by_file.into_values();
    if !view.versioned_edits {
        return WorkspaceEdit { changes: Some(all.collect()), ..Default::default() };
    }
    let documents = all.map(|(uri, edits)| {
        let version = address::path(&uri).and_then(|path| view.table.versions.get(&path).copied());
        let edits = edits.into_iter().map(OneOf::Left).collect();
        TextDocumentEdit { text_document: OptionalVersionedTextDocumentIdentifier { uri, version }, edits }
    });
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(documents.collect())), ..Default::default() }
}
