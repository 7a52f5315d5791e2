//! `banneret/tests`: all tests of all projects, for an editor that lists them. A request of our own.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Range, TextDocumentIdentifier, Uri};

use crate::ide::{Ide, lenses};
use crate::server::view::View;

#[derive(Debug, Serialize)]
pub struct TestPlace {
    words: String,
    uri: Uri,
    range: Range,
}

/// Which test is to be run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunTestParams {
    pub text_document: TextDocumentIdentifier,
    pub words: String,
}

pub fn answer(view: &View) -> Vec<TestPlace> {
    let mut out = Vec::new();
    for project in 0..view.table.projects.len() {
        let Some((id, _)) = view.project(project).filter(|(_, loaded)| !loaded.closed) else { continue };
        let ide = Ide { db: view.db(), universe: view.workspace.universe(id) };
        for file in ide.universe.files(ide.db) {
            let Some(uri) = view.uri(project, file.path(ide.db)) else { continue };
            let tests = lenses::tests(ide, *file).into_iter();
            out.extend(tests.map(|(words, span, _)| TestPlace { words, uri: uri.clone(), range: view.range(*file, span) }));
        }
    }
    out
}
