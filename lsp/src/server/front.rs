//! The outermost layer: every message passes here one by one, in the order the client sent them.
//!
//! Handlers run side by side and may start in any order, so edits are taken out of the messages here. Every request is stamped with the number
//! of edits before it: one that an edit overtakes is answered "content modified", never with an answer about another text than was asked about.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::ls_types::LSPAny;
use tower_service::Service;

use super::desk::{Desk, Edit};

tokio::task_local! {
    /// How many edits came before the request that is being handled.
    pub static BEFORE: u64;
}

pub struct Front<S> {
    inner: S,
    desk: Desk,
    /// Between `initialize` and `shutdown`: only then there are documents.
    is_open: bool,
}

impl<S> Front<S> {
    pub fn new(inner: S, desk: Desk) -> Self {
        Self { inner, desk, is_open: false }
    }
}

impl<S> Service<Request> for Front<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match request.method() {
            "initialize" => self.is_open = true,
            "shutdown" => self.is_open = false,
            // before any document is opened: it should find its project
            "initialized" if self.is_open => self.desk.load(),
            _ => {
                if let Some(edit) = edit(&request).filter(|_| self.is_open) {
                    self.desk.edit(edit);
                }
            }
        }
        let before = self.desk.edits();
        Box::pin(BEFORE.scope(before, self.inner.call(request)))
    }
}

/// The edit a message means, if it is one and can be read.
fn edit(request: &Request) -> Option<Edit> {
    fn read<T: serde::de::DeserializeOwned>(params: &LSPAny) -> Option<T> {
        serde_json::from_value(params.clone()).ok()
    }
    let params = request.params()?;
    match request.method() {
        "textDocument/didOpen" => read(params).map(Edit::Open),
        "textDocument/didChange" => read(params).map(Edit::Change),
        "textDocument/didClose" => read(params).map(Edit::Close),
        "textDocument/didSave" => read(params).map(Edit::Save),
        "workspace/didChangeWatchedFiles" => read(params).map(Edit::Watched),
        "workspace/didChangeWorkspaceFolders" => read(params).map(Edit::Folders),
        _ => None,
    }
}
