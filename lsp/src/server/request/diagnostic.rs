use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use crate::server::address::path;
use crate::server::view::{Files, View};

/// The diagnostics of one file.
pub fn of_document(view: &View, params: &DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
    let found = of_uri(view, &params.text_document.uri)?;
    let id = result_id(&found);
    let report = if params.previous_result_id.as_ref() == Some(&id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items: found },
        })
    };
    Ok(DocumentDiagnosticReportResult::Report(report))
}

fn of_uri(view: &View, uri: &Uri) -> Result<Vec<Diagnostic>> {
    let Some(path) = path(uri) else { return Ok(Vec::new()) };
    if let Some((project, name)) = view.table.by_path.get(&path) {
        let found = view.found(*project, Files::One(name))?;
        return Ok(view.diagnostics(*project, name, &found.iter().collect::<Vec<_>>()));
    }
    let manifests = (0..view.table.projects.len()).filter_map(|p| view.of_manifest(p));
    Ok(manifests.filter(|(at, _, _)| at == uri).flat_map(|(_, _, found)| found).collect())
}

/// Those of every file of every project, open or not.
pub fn of_workspace(view: &View, params: &WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
    let mut items = Vec::new();
    for project in 0..view.table.projects.len() {
        for (uri, version, found) in view.published(project, Files::All)? {
            let id = result_id(&found);
            let known = params.previous_result_ids.iter().find(|p| p.uri == uri);
            let version = version.map(i64::from);
            items.push(if known.is_some_and(|p| p.value == id) {
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
                })
            } else {
                WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                    uri,
                    version,
                    full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items: found },
                })
            });
        }
    }
    // what was said of files that are no more is taken back
    for previous in &params.previous_result_ids {
        let said = |item: &WorkspaceDocumentDiagnosticReport| match item {
            WorkspaceDocumentDiagnosticReport::Full(full) => full.uri == previous.uri,
            WorkspaceDocumentDiagnosticReport::Unchanged(same) => same.uri == previous.uri,
        };
        if !items.iter().any(said) {
            items.push(WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri: previous.uri.clone(),
                version: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: None, items: Vec::new() },
            }));
        }
    }
    Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
}

/// Equal for equal diagnostics, so that the client need not be told twice.
fn result_id(found: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(found).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
