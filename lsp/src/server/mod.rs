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
mod edits;
mod front;
mod library;
mod messenger;
mod position;
mod projects;
mod request;
mod view;
mod watcher;
mod wire;

use std::io::BufRead;

use tokio::io::AsyncWrite;
use tower_lsp::{LspService, Server};

use backend::Backend;
use desk::Desk;
use front::Front;
use wire::Stop;
pub use wire::{Ended, sift};

/// More than an editor ever asks at once; a request waits on a thread of its own, so that many cost little.
const AT_ONCE: usize = 64;

/// What waits between the wire and the service, in bytes.
const BUFFER: usize = 1 << 20;

/// How long the last answers may take to be written.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(2);

/// Requests follow what a person wrote from call to call, as the command does. Only what is used of it takes memory.
pub(crate) const STACK: usize = 1 << 28;

/// Serves on standard input and output until the client says `exit` or closes them. `pages` tell what each message means, by its code.
pub fn run(pages: &'static [(&'static str, &'static str)]) -> std::io::Result<Ended> {
    library::explain(pages);
    serve(|| std::io::stdin().lock(), tokio::io::stdout())
}

/// The same on any input and output; the input is opened on the thread that reads it.
pub fn serve<I: BufRead>(
    input: impl FnOnce() -> I + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<Ended> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_stack_size(STACK).enable_all().build()?;
    let ended = runtime.block_on(async {
        let handle = tokio::runtime::Handle::current();
        let mut desk = None;
        let (service, socket) = LspService::build(|client| {
            let opened = Desk::open(client, handle.clone());
            desk = Some(opened.clone());
            Backend::new(opened)
        })
        .custom_method("banneret/cards", Backend::cards)
        .custom_method("banneret/tests", Backend::tests)
        .custom_method("workspace/textDocumentContent", Backend::content)
        .custom_method("banneret/runTest", Backend::run_test)
        .finish();
        let Some(desk) = desk else { return Ended::OutOfOrder };
        let (to, handed_on) = tokio::io::duplex(BUFFER);
        let (answers, from) = tokio::io::duplex(BUFFER);
        let (messages, to_write) = tokio::sync::mpsc::channel(AT_ONCE);
        let (stop, mut stops) = tokio::sync::mpsc::unbounded_channel();
        let writing = tokio::spawn(wire::give_out(to_write, output));
        tokio::spawn(wire::hand_on(from, messages.clone()));
        let (last, ended) = tokio::sync::oneshot::channel();
        let gone = stop.clone();
        // reading waits for the client, and what waits for it must not keep others from working
        let reading = std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            let _ = last.send(wire::take_in(input(), to, &messages, &handle, &gone));
        });
        if reading.is_err() {
            return Ended::OutOfOrder;
        }
        let serving = Server::new(handed_on, answers, socket).concurrency_level(AT_ONCE).serve(Front::new(service, desk));
        tokio::spawn(async move {
            serving.await;
            let _ = stop.send(Stop::Served);
        });
        let ended = match stops.recv().await {
            Some(Stop::Served) => ended.await.unwrap_or(Ended::OutOfOrder),
            _ => Ended::OutOfOrder,
        };
        let _ = tokio::time::timeout(LAST_WORDS, writing).await;
        ended
    });
    // a thread may still wait for input that never comes
    runtime.shutdown_background();
    Ok(ended)
}
