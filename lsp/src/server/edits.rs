//! Edits of several files, as the protocol has them.

use std::collections::BTreeMap;

use tower_lsp::ls_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};

use super::address;
use super::view::View;
use crate::ide::references::Renaming;

/// A file whose edits say which version of its text they are about, if the client knows versions.
pub struct InFile {
    uri: Uri,
    versioned: bool,
    version: Option<i32>,
}

impl InFile {
    pub fn new(view: &View, uri: Uri) -> Self {
        let version = address::path(&uri).and_then(|path| view.table.versions.get(&path).copied());
        Self { uri, versioned: view.versioned_edits, version }
    }

    pub fn edit(self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        whole(vec![(self, edits)])
    }
}

fn whole(files: Vec<(InFile, Vec<TextEdit>)>) -> WorkspaceEdit {
    if !files.iter().all(|(file, _)| file.versioned) {
        return WorkspaceEdit { changes: Some(files.into_iter().map(|(file, edits)| (file.uri, edits)).collect()), ..Default::default() };
    }
    let documents = files.into_iter().map(|(file, edits)| {
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: file.uri, version: file.version };
        TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() }
    });
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(documents.collect())), ..Default::default() }
}

/// Edits of files of a project, and then another name for a folder in it; only for clients that can do both.
pub fn and_moved(view: &View, project: usize, edits: Vec<Renaming>, old_uri: Uri, new_uri: Uri) -> WorkspaceEdit {
    let mut all = in_project(view, project, edits);
    let texts = match all.document_changes.take() {
        Some(DocumentChanges::Edits(edits)) => edits,
        _ => Vec::new(),
    };
    let rename = ResourceOp::Rename(RenameFile { old_uri, new_uri, options: None, annotation_id: None });
    let texts = texts.into_iter().map(DocumentChangeOperation::Edit);
    let all = texts.chain(std::iter::once(DocumentChangeOperation::Op(rename))).collect();
    WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(all)), ..Default::default() }
}

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
    whole(by_file.into_values().map(|(uri, edits)| (InFile::new(view, uri), edits)).collect())
}
