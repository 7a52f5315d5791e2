use banneret_compiler::items::{DeclKind, declares, items};
use tower_lsp::ls_types::{OneOf, SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse};

use crate::ide::outline::matches;
use crate::server::view::View;

/// More than anybody reads.
const MOST: usize = 500;

pub fn answer(view: &View, params: &WorkspaceSymbolParams) -> WorkspaceSymbolResponse {
    let mut out = Vec::new();
    let db = view.db();
    for project in 0..view.table.projects.len() {
        let Some((id, loaded)) = view.project(project) else { continue };
        if loaded.closed {
            continue;
        }
        for file in view.workspace.universe(id).files(db) {
            for item in items(db, *file) {
                for decl in declares(db, *item) {
                    if out.len() >= MOST {
                        return WorkspaceSymbolResponse::Nested(out);
                    }
                    let Some(kind) = kind(decl.kind).filter(|_| matches(&params.query, &decl.name)) else { continue };
                    let Some(location) = view.location(project, *file, decl.span.shifted(item.start(db))) else { continue };
                    let container_name = decl.of.as_ref().map(ToString::to_string);
                    let name = decl.name.to_string();
                    out.push(WorkspaceSymbol { name, kind, tags: None, container_name, location: OneOf::Left(location), data: None });
                }
            }
        }
    }
    WorkspaceSymbolResponse::Nested(out)
}

/// Words that follow from a declaration are none of their own.
fn kind(kind: DeclKind) -> Option<SymbolKind> {
    Some(match kind {
        DeclKind::Noun | DeclKind::Word | DeclKind::Length | DeclKind::Also | DeclKind::Resource => return None,
        DeclKind::Ruleset => SymbolKind::NAMESPACE,
        DeclKind::Option => SymbolKind::PROPERTY,
        DeclKind::Kind => SymbolKind::CLASS,
        DeclKind::Enum => SymbolKind::ENUM,
        DeclKind::Member => SymbolKind::ENUM_MEMBER,
        DeclKind::Define | DeclKind::Fact => SymbolKind::FUNCTION,
        DeclKind::Table => SymbolKind::ARRAY,
        DeclKind::Action => SymbolKind::METHOD,
        DeclKind::Phase => SymbolKind::EVENT,
        DeclKind::Keyword => SymbolKind::KEY,
        DeclKind::Card => SymbolKind::OBJECT,
    })
}
