//! What client and server tell each other about themselves at the start.

use std::path::PathBuf;

use tower_lsp::ls_types::*;

use super::address::path;
use super::config::Config;
use super::position::Encoding;
use super::request::{code_action, command, semantic_tokens};

/// What the client said about itself, as far as it matters here.
#[derive(Clone, Debug, Default)]
pub struct Start {
    pub roots: Vec<PathBuf>,
    pub encoding: Encoding,
    /// It asks for diagnostics; else they are sent.
    pub pulls: bool,
    pub progress: bool,
    /// It can be asked to pull diagnostics again.
    pub refresh: bool,
    /// It watches files for us if asked to.
    pub watches: bool,
    /// It shows what builds on what, if that is announced after the greeting.
    pub types: bool,
    /// It can be asked for settings.
    pub configuration: bool,
    pub snippets: bool,
    /// Edits may say which version of a text they are about.
    pub versioned_edits: bool,
    /// Edits may give folders another name.
    pub moves_folders: bool,
    /// It asks us for the texts of the library, which then need no files.
    pub opens_library: bool,
    /// It asks again for what an action does once that is chosen.
    pub resolves_actions: bool,
    /// It can show the card at a place.
    pub shows_cards: bool,
    /// It can play a scenario.
    pub plays: bool,
    pub config: Config,
}

impl Start {
    pub fn new(params: &InitializeParams) -> Self {
        let client = &params.capabilities;
        let (text, workspace) = (client.text_document.as_ref(), client.workspace.as_ref());
        let encodings = client.general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let completion = text.and_then(|t| t.completion.as_ref()).and_then(|c| c.completion_item.as_ref());
        let edits = workspace.and_then(|w| w.workspace_edit.as_ref());
        let versioned_edits = edits.and_then(|w| w.document_changes).unwrap_or(false);
        let moves = edits.and_then(|w| w.resource_operations.as_ref()).is_some_and(|all| all.contains(&ResourceOperationKind::Rename));
        let own = client.experimental.as_ref().map(|e| &e["banneret"]);
        let resolves = text.and_then(|t| t.code_action.as_ref()).and_then(|c| c.resolve_support.as_ref());
        Self {
            roots: roots(params),
            encoding: Encoding::chosen(encodings),
            pulls: text.is_some_and(|t| t.diagnostic.is_some()),
            progress: client.window.as_ref().and_then(|w| w.work_done_progress).unwrap_or(false),
            refresh: workspace.and_then(|w| w.diagnostics.as_ref()).and_then(|d| d.refresh_support).unwrap_or(false),
            watches: workspace.and_then(|w| w.did_change_watched_files.as_ref()).and_then(|w| w.dynamic_registration).unwrap_or(false),
            types: text.and_then(|t| t.type_hierarchy.as_ref()).and_then(|t| t.dynamic_registration).unwrap_or(false),
            configuration: workspace.and_then(|w| w.configuration).unwrap_or(false),
            snippets: completion.and_then(|c| c.snippet_support).unwrap_or(false),
            versioned_edits,
            moves_folders: versioned_edits && moves,
            opens_library: own.is_some_and(|own| own["library"] == true),
            resolves_actions: resolves.is_some_and(|r| r.properties.iter().any(|p| p == "edit")),
            shows_cards: own.is_some_and(|own| own["showCard"] == true),
            plays: own.is_some_and(|own| own["play"] == true),
            config: params.initialization_options.as_ref().map(Config::read).unwrap_or_default(),
        }
    }
}

#[allow(deprecated)] // older clients name one root only
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().filter_map(|f| path(&f.uri));
    let mut roots: Vec<PathBuf> = folders.collect();
    if roots.is_empty() {
        roots.extend(params.root_uri.as_ref().and_then(path));
    }
    if roots.is_empty() {
        roots.extend(params.root_path.as_ref().map(PathBuf::from));
    }
    roots
}

/// What the server can do.
pub fn capabilities(start: &Start) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(start.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..Default::default()
        })),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("banneret".into()),
            inter_file_dependencies: true,
            workspace_diagnostics: true,
            work_done_progress_options: Default::default(),
        })),
        completion_provider: Some(CompletionOptions {
            // only signs behind which a word must follow: who ends a line with `{` and presses Enter means a new line
            trigger_characters: Some([".", " "].map(String::from).to_vec()),
            ..Default::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ",", " "].map(String::from).to_vec()),
            ..Default::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(SemanticTokensOptions {
            legend: semantic_tokens::legend(),
            range: Some(true),
            full: Some(SemanticTokensFullOptions::Bool(true)),
            ..Default::default()
        })),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(DocumentLinkOptions { resolve_provider: Some(false), work_done_progress_options: Default::default() }),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options: Default::default() })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(code_action::kinds()),
            resolve_provider: Some(true),
            ..Default::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions { commands: command::all(), ..Default::default() }),
        color_provider: Some(ColorProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".into(),
            more_trigger_character: None,
        }),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(WorkspaceFileOperationsServerCapabilities { will_rename: Some(folders()), ..Default::default() }),
        }),
        ..Default::default()
    }
}

/// Folders, whose names are those of modules.
fn folders() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**".into(), matches: Some(FileOperationPatternKind::Folder), options: None };
    FileOperationRegistrationOptions { filters: vec![FileOperationFilter { scheme: Some("file".into()), pattern }] }
}

/// What the client is asked to watch.
pub fn watchers() -> Registration {
    let watch = |glob: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.into()), kind: None };
    let manifest = format!("**/{}", banneret_compiler::manifest::FILE_NAME);
    let pictures = format!("**/*.{{{}}}", banneret_projects::art::ENDINGS.join(","));
    let watchers = vec![watch("**/*.banner"), watch(&manifest), watch(&pictures)];
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    Registration {
        id: "banneret-watch".into(),
        method: "workspace/didChangeWatchedFiles".into(),
        register_options: serde_json::to_value(options).ok(),
    }
}
