//! What the server says of itself: diagnostics, progress, requests to the client. Nothing that answers a request waits for any of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Progress as ProgressNotice;
use tower_lsp::ls_types::{
    ConfigurationItem, Diagnostic, MessageType, NumberOrString, ProgressParams, ProgressParamsValue, Registration, Uri, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::config::{Config, SECTION};
use super::desk::Desk;

/// The diagnostics of one file, with the version of the text they are about if it is open.
pub type Published = (Uri, Option<i32>, Vec<Diagnostic>);

enum Notice {
    Publish(Published),
    Log(String),
    Tell(MessageType, String),
}

#[derive(Clone)]
pub struct Messenger {
    client: Client,
    handle: Handle,
    notices: UnboundedSender<Notice>,
    sent: Arc<Mutex<Sent>>,
}

/// What the client was last told.
#[derive(Default)]
struct Sent {
    number: u64,
    /// By file: the project that said it, and what it said.
    diagnostics: HashMap<Uri, (usize, Vec<Diagnostic>)>,
}

impl Messenger {
    pub fn start(client: Client, handle: &Handle) -> Self {
        let (notices, mut waiting) = unbounded_channel();
        let to = client.clone();
        handle.spawn(async move {
            while let Some(notice) = waiting.recv().await {
                match notice {
                    Notice::Publish((uri, version, found)) => to.publish_diagnostics(uri, found, version).await,
                    Notice::Tell(how, words) => to.show_message(how, words).await,
                    Notice::Log(words) => to.log_message(MessageType::WARNING, words).await,
                }
            }
        });
        Self { client, handle: handle.clone(), notices, sent: Arc::default() }
    }

    /// Says something to the person.
    pub fn tell(&self, how: MessageType, words: impl Into<String>) {
        let _ = self.notices.send(Notice::Tell(how, words.into()));
    }

    pub fn log(&self, words: impl Into<String>) {
        let _ = self.notices.send(Notice::Log(words.into()));
    }

    /// Sends the diagnostics of files of a project for which they changed. What an older check found is dropped. If that is all there is to say of the
    /// project, what was said of other files of it is taken back: they are closed, deleted or elsewhere.
    pub fn publish(&self, number: u64, project: usize, found: Vec<Published>, all: bool) {
        let Ok(mut sent) = self.sent.lock() else { return };
        if number < sent.number {
            return;
        }
        sent.number = number;
        let mut found = found;
        if all {
            let said = sent.diagnostics.iter().filter(|(_, (by, said))| *by == project && !said.is_empty());
            let gone: Vec<Uri> = said.map(|(uri, _)| uri.clone()).filter(|uri| !found.iter().any(|(f, ..)| f == uri)).collect();
            found.extend(gone.into_iter().map(|uri| (uri, None, Vec::new())));
        }
        for (uri, version, diagnostics) in found {
            let before = sent.diagnostics.get(&uri).map(|(_, said)| said);
            if before == Some(&diagnostics) || (before.is_none() && diagnostics.is_empty()) {
                continue;
            }
            sent.diagnostics.insert(uri.clone(), (project, diagnostics.clone()));
            let _ = self.notices.send(Notice::Publish((uri, version, diagnostics)));
        }
    }

    /// Asks the client to pull diagnostics and hints again.
    pub fn refresh(&self, supported: bool) {
        if supported {
            let client = self.client.clone();
            self.handle.spawn(async move {
                let _ = client.workspace_diagnostic_refresh().await;
            });
        }
    }

    /// Asks the client to do things for us from now on, such as watching files.
    pub fn register(&self, wanted: Vec<Registration>) {
        let client = self.client.clone();
        self.handle.spawn(async move {
            let _ = client.register_capability(wanted).await;
        });
    }

    /// Asks for the settings and hands them on.
    pub fn fetch_configuration(&self, desk: Desk) {
        let client = self.client.clone();
        self.handle.spawn(async move {
            let wanted = ConfigurationItem { scope_uri: None, section: Some(SECTION.into()) };
            if let Ok(values) = client.configuration(vec![wanted]).await
                && let Some(value) = values.first()
                && !value.is_null()
            {
                desk.configure(Config::read(value));
            }
        });
    }

    /// Work that may take long, as the client shows it.
    pub fn progress(&self, supported: bool, title: &str) -> Progress {
        if !supported {
            return Progress { steps: None };
        }
        let (steps, mut waiting) = unbounded_channel::<(usize, usize, String)>();
        let (client, title) = (self.client.clone(), title.to_owned());
        self.handle.spawn(async move {
            let token = NumberOrString::String(format!("banneret/{title}"));
            if client.create_work_done_progress(token.clone()).await.is_err() {
                return;
            }
            let send = |value| ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(value) };
            let begin = WorkDoneProgressBegin { title, cancellable: Some(false), message: None, percentage: Some(0) };
            client.send_notification::<ProgressNotice>(send(WorkDoneProgress::Begin(begin))).await;
            while let Some((done, of, message)) = waiting.recv().await {
                let percentage = u32::try_from(done * 100 / of.max(1)).ok();
                let report = WorkDoneProgressReport { cancellable: Some(false), message: Some(message), percentage };
                client.send_notification::<ProgressNotice>(send(WorkDoneProgress::Report(report))).await;
            }
            client.send_notification::<ProgressNotice>(send(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }))).await;
        });
        Progress { steps: Some(steps) }
    }
}

/// Ends when it is dropped.
pub struct Progress {
    steps: Option<UnboundedSender<(usize, usize, String)>>,
}

impl Progress {
    pub fn step(&self, done: usize, of: usize, message: String) {
        if let Some(steps) = &self.steps {
            let _ = steps.send((done, of, message));
        }
    }
}
