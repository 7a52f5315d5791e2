//! The protocol: one file for each request, and around them the queue that puts edits in order.
//!
//! Five rules keep it alive. An edit is put on one ordered queue before anything is awaited. No handler awaits the client. A request works on
//! a clone of the database, on a thread of its own, and answers "content modified" if an edit overtakes it. How many requests run at once is
//! set here. Nothing in `ide` knows the protocol.

mod address;
mod backend;
mod capabilities;
mod config;
mod convert;
mod desk;
mod documents;
mod front;
mod library;
mod messenger;
mod position;
mod projects;
mod request;
mod view;
mod watcher;

use tower_lsp::{LspService, Server};

use backend::Backend;
use desk::Desk;
use front::Front;

/// More than an editor ever asks at once; a request waits on a thread of its own, so that many cost little.
const AT_ONCE: usize = 64;

/// Requests follow what a person wrote from call to call, as the command does. Only what is used of it takes memory.
pub(crate) const STACK: usize = 1 << 28;

/// Serves on standard input and output until the client says `exit` or closes them.
pub fn run() -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_stack_size(STACK).enable_all().build()?;
    runtime.block_on(async {
        let handle = tokio::runtime::Handle::current();
        let mut desk = None;
        let (service, socket) = LspService::build(|client| {
            let opened = Desk::open(client, handle.clone());
            desk = Some(opened.clone());
            Backend::new(opened)
        })
        .custom_method("banneret/cards", Backend::cards)
        .finish();
        let Some(desk) = desk else { return };
        Server::new(tokio::io::stdin(), tokio::io::stdout(), socket).concurrency_level(AT_ONCE).serve(Front::new(service, desk)).await;
    });
    // a thread may still wait for input that never comes
    runtime.shutdown_background();
    Ok(())
}
