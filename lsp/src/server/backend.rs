//! The requests of the protocol, each handed to its file.

use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::request::{GotoImplementationParams, GotoTypeDefinitionParams};
use tower_lsp::ls_types::*;

use super::capabilities::{Start, capabilities, watchers};
use super::config::Config;
use super::desk::Desk;
use super::request;

pub struct Backend {
    desk: Desk,
    /// What the client said about itself.
    start: std::sync::OnceLock<Start>,
}

impl Backend {
    pub fn new(desk: Desk) -> Self {
        Self { desk, start: std::sync::OnceLock::new() }
    }

    /// `banneret/cards`: a request of our own.
    pub async fn cards(&self, params: request::cards::CardsParams) -> Result<Option<Vec<request::cards::Card>>> {
        self.desk.ask(move |view| Ok(request::cards::answer(view, &params))).await
    }

    /// `banneret/tests`: another one.
    pub async fn tests(&self) -> Result<Vec<request::tests::TestPlace>> {
        self.desk.ask(|view| Ok(request::tests::answer(view))).await
    }

    /// `workspace/textDocumentContent`: the text of a file of the library.
    pub async fn content(&self, params: request::content::ContentParams) -> Result<request::content::Content> {
        request::content::answer(&params)
    }

    /// `banneret/runTest`: as the command does it, for an editor that shows by itself what comes of it.
    pub async fn run_test(&self, params: request::tests::RunTestParams) -> Result<request::command::Done> {
        let done = self.desk.ask(move |view| request::command::test(view, &params.text_document.uri, &params.words)).await?;
        if let Some(project) = done.touched {
            self.desk.again(project);
        }
        Ok(done)
    }

    /// Works out the repair of a whole file, on a thread of its own and without a view: no edit waits for it.
    async fn mended(&self, all: request::code_action::MendAll, before: u64) -> Result<CodeAction> {
        let done = tokio::task::spawn_blocking(move || all.done()).await.map_err(|_| Error::internal_error())?;
        if self.desk.edits() == before { Ok(done) } else { Err(Error::content_modified()) }
    }
}

/// Tells a client that pulls diagnostics to pull again soon.
fn again(error: Error) -> Error {
    match error.code {
        ErrorCode::ContentModified => Error {
            code: ErrorCode::ServerError(-32802),
            message: "The text has changed.".into(),
            data: Some(serde_json::json!({ "retriggerRequest": true })),
        },
        _ => error,
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let start = Start::new(&params);
        let capabilities = capabilities(&start);
        self.desk.start(start.clone());
        let _ = self.start.set(start);
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Ok(InitializeResult { capabilities, server_info: Some(ServerInfo { name: "banneret".into(), version }), offset_encoding: None })
    }

    async fn initialized(&self, _: InitializedParams) {
        let Some(start) = self.start.get() else { return };
        if start.watches {
            self.desk.messenger.register(vec![watchers()]);
        }
        if start.types {
            self.desk.messenger.register(vec![request::hierarchy::registration()]);
        }
        if start.configuration {
            self.desk.messenger.fetch_configuration(self.desk.clone());
        }
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    // what changes texts was taken to the desk by the front, in order
    async fn did_open(&self, _: DidOpenTextDocumentParams) {}
    async fn did_change(&self, _: DidChangeTextDocumentParams) {}
    async fn did_close(&self, _: DidCloseTextDocumentParams) {}
    async fn did_save(&self, _: DidSaveTextDocumentParams) {}
    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {}
    async fn did_change_workspace_folders(&self, _: DidChangeWorkspaceFoldersParams) {}

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        match self.start.get() {
            Some(start) if start.configuration => self.desk.messenger.fetch_configuration(self.desk.clone()),
            _ => self.desk.configure(Config::read(&params.settings)),
        }
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        self.desk.ask(move |view| request::diagnostic::of_document(view, &params)).await.map_err(again)
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        self.desk.ask(move |view| request::diagnostic::of_workspace(view, &params)).await.map_err(again)
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.desk.ask(move |view| Ok(request::completion::answer(view, &params))).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.desk.ask(move |view| Ok(request::formatting::answer(view, &params))).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.desk.ask(move |view| Ok(request::range_formatting::answer(view, &params))).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        self.desk.ask(move |view| Ok(request::document_symbol::answer(view, &params))).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.desk.ask(move |view| Ok(request::folding_range::answer(view, &params))).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.desk.ask(move |view| Ok(request::hover::answer(view, &params))).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.desk.ask(move |view| Ok(request::signature_help::answer(view, &params))).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.desk.ask(move |view| Ok(request::inlay_hint::answer(view, &params))).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        self.desk.ask(move |view| Ok(request::semantic_tokens::full(view, &params))).await
    }

    async fn semantic_tokens_range(&self, params: SemanticTokensRangeParams) -> Result<Option<SemanticTokensRangeResult>> {
        self.desk.ask(move |view| Ok(request::semantic_tokens::range(view, &params))).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        self.desk.ask(move |view| Ok(request::selection_range::answer(view, &params))).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        self.desk.ask(move |view| Ok(request::document_highlight::answer(view, &params))).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.desk.ask(move |view| Ok(request::document_link::answer(view, &params))).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        self.desk.ask(move |view| Ok(request::definition::answer(view, &params))).await
    }

    async fn goto_type_definition(&self, params: GotoTypeDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        self.desk.ask(move |view| Ok(request::type_definition::answer(view, &params))).await
    }

    async fn goto_implementation(&self, params: GotoImplementationParams) -> Result<Option<GotoDefinitionResponse>> {
        self.desk.ask(move |view| Ok(request::implementation::answer(view, &params))).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.desk.ask(move |view| Ok(request::references::answer(view, &params))).await
    }

    async fn prepare_call_hierarchy(&self, params: CallHierarchyPrepareParams) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::calls(view, &params))).await
    }

    async fn incoming_calls(&self, params: CallHierarchyIncomingCallsParams) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::incoming(view, &params.item))).await
    }

    async fn outgoing_calls(&self, params: CallHierarchyOutgoingCallsParams) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::outgoing(view, &params.item))).await
    }

    async fn prepare_type_hierarchy(&self, params: TypeHierarchyPrepareParams) -> Result<Option<Vec<TypeHierarchyItem>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::types(view, &params))).await
    }

    async fn supertypes(&self, params: TypeHierarchySupertypesParams) -> Result<Option<Vec<TypeHierarchyItem>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::above(view, &params.item))).await
    }

    async fn subtypes(&self, params: TypeHierarchySubtypesParams) -> Result<Option<Vec<TypeHierarchyItem>>> {
        self.desk.ask(move |view| Ok(request::hierarchy::below(view, &params.item))).await
    }

    async fn linked_editing_range(&self, params: LinkedEditingRangeParams) -> Result<Option<LinkedEditingRanges>> {
        self.desk.ask(move |view| Ok(request::linked_editing::answer(view, &params))).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.desk.ask(move |view| Ok(request::on_type_formatting::answer(view, &params))).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let before = self.desk.edits();
        let (mut actions, all) = self.desk.ask(move |view| request::code_action::answer(view, &params)).await?;
        let action = match all {
            Some(all) if self.start.get().is_some_and(|s| s.resolves_actions) => Some(all.offer()),
            Some(all) => Some(self.mended(all, before).await?),
            None => None,
        };
        actions.extend(action.map(CodeActionOrCommand::CodeAction));
        Ok(Some(actions))
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let before = self.desk.edits();
        match self.desk.ask(move |view| request::code_action::offered(view, action)).await? {
            Ok(action) => Ok(action),
            Err(all) => self.mended(all, before).await,
        }
    }

    async fn document_color(&self, params: DocumentColorParams) -> Result<Vec<ColorInformation>> {
        self.desk.ask(move |view| Ok(request::colour::answer(view, &params))).await
    }

    async fn color_presentation(&self, params: ColorPresentationParams) -> Result<Vec<ColorPresentation>> {
        Ok(request::colour::written(&params))
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        self.desk.ask(move |view| Ok(request::rename_files::answer(view, &params))).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.desk.ask(move |view| Ok(request::code_lens::answer(view, &params))).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let done = self.desk.ask(move |view| request::command::answer(view, &params)).await?;
        if let Some(project) = done.touched {
            self.desk.again(project);
        }
        self.desk.messenger.tell(if done.fine { MessageType::INFO } else { MessageType::WARNING }, done.message.clone());
        Ok(serde_json::to_value(done).ok())
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        self.desk.ask(move |view| request::rename::answer(view, &params)).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        self.desk.ask(move |view| request::rename::prepare(view, &params)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.desk.ask(move |view| Ok(Some(request::workspace_symbol::answer(view, &params)))).await
    }
}
