//! The one thread that owns the workspace: edits and requests reach it on one queue, in order.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, MessageType,
};

use super::budget::{Budget, Meter, Much, Spent, Told};
use super::capabilities::Start;
use super::config::Config;
use super::messenger::Messenger;
use super::projects::State;
use super::view::{Files, Moment, View};
use super::watcher::Watcher;
use super::wire::Stop;

/// Diagnostics are pushed when nobody has typed for this long.
const QUIET: Duration = Duration::from_millis(25);

/// Something that changes what the workspace holds.
pub enum Edit {
    Open(DidOpenTextDocumentParams),
    Change(DidChangeTextDocumentParams),
    Close(DidCloseTextDocumentParams),
    /// A text was written to the disk: a good time to look at what lies beside it.
    Save(DidSaveTextDocumentParams),
    Watched(DidChangeWatchedFilesParams),
    Folders(DidChangeWorkspaceFoldersParams),
}

/// Work on a view; None if the view would be of a later text than was asked about.
type Job = Box<dyn FnOnce(Option<View>) + Send>;

enum Message {
    Start(Box<Start>),
    /// A check whose findings were to be sent was overtaken by an edit.
    Unsent(BTreeSet<usize>),
    Load,
    /// Something changed on the disk at these paths.
    Seen(BTreeSet<PathBuf>),
    Edit(u64, Box<Edit>),
    Configure(Config),
    /// Something takes too much.
    Spent(Spent),
    Read {
        before: Option<u64>,
        job: Job,
    },
}

/// Everyone's way to the thread.
#[derive(Clone)]
pub struct Desk {
    queue: Sender<Message>,
    edits: Arc<AtomicU64>,
    pub messenger: Messenger,
    pub meter: Meter,
}

impl Desk {
    pub fn open(client: Client, handle: Handle, budget: Budget, stop: UnboundedSender<Stop>) -> Self {
        let (queue, messages) = channel();
        let messenger = Messenger::start(client, &handle);
        let edits = Arc::new(AtomicU64::new(0));
        let meter = Meter::new(budget);
        meter.watch(Alarm { queue: queue.clone(), messenger: messenger.clone(), stop });
        let clerk = Clerk {
            state: State::default(),
            queue: queue.clone(),
            messenger: messenger.clone(),
            handle,
            moment: Moment { edit: 0, edits: edits.clone(), stop: 0, stops: meter.stops() },
            meter: meter.clone(),
            push: false,
            unpublished: BTreeSet::new(),
            watcher: {
                let queue = queue.clone();
                Watcher::start(move |paths| {
                    let _ = queue.send(Message::Seen(paths));
                })
            },
        };
        // without this thread nothing is ever answered: the client sees that every request fails
        let _ = std::thread::Builder::new().stack_size(super::STACK).spawn(move || clerk.work(&messages));
        Self { queue, edits, messenger, meter }
    }

    /// Only the front calls this, message by message.
    pub fn edit(&self, edit: Edit) {
        let number = self.edits.fetch_add(1, Ordering::SeqCst) + 1;
        let _ = self.queue.send(Message::Edit(number, Box::new(edit)));
    }

    pub fn edits(&self) -> u64 {
        self.edits.load(Ordering::SeqCst)
    }

    pub fn start(&self, start: Start) {
        let _ = self.queue.send(Message::Start(Box::new(start)));
    }

    /// What is told of a project differs though no text does.
    pub fn again(&self, project: usize) {
        let _ = self.queue.send(Message::Unsent(BTreeSet::from([project])));
    }

    pub fn load(&self) {
        let _ = self.queue.send(Message::Load);
    }

    pub fn configure(&self, config: Config) {
        let _ = self.queue.send(Message::Configure(config));
    }

    /// Works on the text as it was when the request came.
    pub async fn ask<T: Send + 'static>(&self, work: impl FnOnce(&View) -> Result<T> + Send + 'static) -> Result<T> {
        let before = super::front::BEFORE.try_with(|n| *n).ok();
        let (sender, answer) = tokio::sync::oneshot::channel();
        let job: Job = Box::new(move |view| {
            // the client may have cancelled it in the meantime
            if sender.is_closed() {
                return;
            }
            let Some(view) = view else {
                let _ = sender.send(Err(Error::content_modified()));
                return;
            };
            let done = std::panic::catch_unwind(AssertUnwindSafe(|| salsa::Cancelled::catch(AssertUnwindSafe(|| work(&view)))));
            let is_spent = view.piece.is_spent();
            // before anything else: a writer waits for every view
            drop(view);
            let _ = sender.send(match done {
                // who asked again would only have it stopped again
                Ok(Err(_) | Ok(Err(_))) if is_spent => Err(too_much()),
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => Err(Error::content_modified()),
                Err(_) => Err(Error::internal_error()),
            });
        });
        let _ = self.queue.send(Message::Read { before, job });
        answer.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }
}

/// The answer to a request that was stopped because it took too much: `RequestFailed`.
fn too_much() -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: "This was stopped because it took too much.".into(), data: None }
}

/// Tells the clerk, or, if that did not help, everyone.
struct Alarm {
    queue: Sender<Message>,
    messenger: Messenger,
    stop: UnboundedSender<Stop>,
}

impl Told for Alarm {
    fn stop(&self, spent: Spent) {
        let _ = self.queue.send(Message::Spent(spent));
    }

    fn give_up(&self, spent: Spent) {
        let words = format!("Banneret ends: something took more than {} and could not be stopped.", spent.much.words());
        self.messenger.tell(MessageType::ERROR, words);
        let _ = self.stop.send(Stop::Spent);
    }
}

struct Clerk {
    state: State,
    /// The clerk's own way back to its desk.
    queue: Sender<Message>,
    messenger: Messenger,
    handle: Handle,
    /// The last edit that was made.
    moment: Moment,
    meter: Meter,
    /// The client wants diagnostics sent.
    push: bool,
    /// Projects whose diagnostics may have changed since they were sent.
    unpublished: BTreeSet<usize>,
    watcher: Watcher,
}

impl Clerk {
    fn work(mut self, messages: &Receiver<Message>) {
        loop {
            let message = if self.push && !self.unpublished.is_empty() {
                match messages.recv_timeout(QUIET) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => {
                        self.publish();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            } else {
                match messages.recv() {
                    Ok(message) => message,
                    Err(_) => return,
                }
            };
            self.take(message);
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Start(start) => {
                self.push = !start.pulls;
                self.state.start(*start);
            }
            Message::Unsent(projects) => {
                self.unpublished.extend(projects);
                if !self.push {
                    self.messenger.refresh(self.state.refreshes());
                }
            }
            Message::Load => {
                let progress = self.messenger.progress(self.state.shows_progress(), "Reading projects");
                let touched = self.state.load_roots(&progress);
                self.touched(touched);
            }
            Message::Edit(number, edit) => {
                self.moment.edit = number;
                let seen = matches!(*edit, Edit::Watched(_) | Edit::Folders(_) | Edit::Save(_));
                let touched = self.state.edit(*edit);
                let news = seen && !touched.is_empty();
                self.touched(touched);
                if news && !self.push {
                    self.messenger.refresh(self.state.refreshes());
                }
            }
            Message::Seen(paths) => {
                let touched = self.state.seen(&paths);
                let news = !touched.is_empty();
                self.touched(touched);
                if news && !self.push {
                    self.messenger.refresh(self.state.refreshes());
                }
            }
            Message::Configure(config) => self.state.configure(config),
            Message::Spent(spent) => self.leave(spent),
            Message::Read { before, job } => {
                if before.is_some_and(|before| before < self.moment.edit) {
                    job(None);
                    return;
                }
                let view = self.view();
                self.handle.spawn_blocking(move || job(Some(view)));
            }
        }
    }

    /// A copy for a piece of work that begins now.
    fn view(&self) -> View {
        let stop = self.moment.stops.load(Ordering::SeqCst);
        self.state.view(Moment { stop, ..self.moment.clone() }, self.meter.begin())
    }

    /// Stops everything that runs, and leaves the project that took too much.
    fn leave(&mut self, spent: Spent) {
        self.moment.stops.fetch_add(1, Ordering::SeqCst);
        let is_memory = matches!(spent.much, Much::Megabytes(_));
        let left = self.state.leave(spent, is_memory);
        self.meter.settled(is_memory);
        let about = left.name.map_or_else(|| "Something".to_owned(), |name| format!("Looking at the project `{name}`"));
        let then = if left.touched.is_empty() { "" } else { " It is left until one of its files is saved." };
        let words = format!("{about} took more than {} and was stopped.{then}", spent.much.words());
        self.messenger.tell(MessageType::WARNING, format!("{words} If you trust it, let it take more: `{}`.", spent.much.more()));
        self.touched(left.touched);
        if !self.push {
            self.messenger.refresh(self.state.refreshes());
        }
    }

    fn touched(&mut self, projects: BTreeSet<usize>) {
        self.meter.set_texts(self.state.texts());
        for words in self.state.troubles() {
            self.messenger.log(words);
        }
        for project in &projects {
            self.state.touch(*project);
        }
        if !projects.is_empty() {
            self.watcher.watch(self.state.folders_of_projects());
        }
        self.unpublished.extend(projects);
    }

    /// Checks on another thread and sends what changed. An edit that comes in between cancels it; it is started again afterwards.
    fn publish(&mut self) {
        let projects = std::mem::take(&mut self.unpublished);
        let (view, messenger, queue) = (self.view(), self.messenger.clone(), self.queue.clone());
        self.handle.spawn_blocking(move || {
            let number = view.moment.edit;
            let send = |files| -> Result<()> {
                for project in &projects {
                    messenger.publish(number, *project, view.published(*project, files)?, matches!(files, Files::All));
                }
                Ok(())
            };
            let sent = salsa::Cancelled::catch(AssertUnwindSafe(|| {
                // nobody who types waits until a whole project is laid out
                send(Files::Open)?;
                send(Files::All)
            }));
            drop(view);
            if !matches!(sent, Ok(Ok(()))) {
                let _ = queue.send(Message::Unsent(projects));
            }
        });
    }
}
