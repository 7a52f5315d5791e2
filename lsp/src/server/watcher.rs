//! Looks at the folders of projects itself: not every editor tells when files change outside of it, and none when a folder goes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// A program that saves makes several events; they are taken as one.
const QUIET: Duration = Duration::from_millis(60);

/// Tells of paths at which something changed.
#[derive(Default)]
pub struct Watcher {
    watched: BTreeSet<PathBuf>,
    inner: Option<RecommendedWatcher>,
}

impl Watcher {
    /// Tells the receiver from now on. If nothing can be watched here, the editor is still listened to.
    pub fn start(tell: impl Fn(BTreeSet<PathBuf>) + Send + 'static) -> Self {
        let (sender, events) = channel::<Event>();
        let inner = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // reading makes events too, and they would never end
            if let Ok(event) = event
                && !event.kind.is_access()
            {
                let _ = sender.send(event);
            }
        });
        let collect = move || {
            while let Ok(first) = events.recv() {
                let mut paths: BTreeSet<PathBuf> = first.paths.into_iter().collect();
                loop {
                    match events.recv_timeout(QUIET) {
                        Ok(more) => paths.extend(more.paths),
                        Err(RecvTimeoutError::Timeout) => break,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
                tell(paths);
            }
        };
        let started = std::thread::Builder::new().spawn(collect);
        Self { watched: BTreeSet::new(), inner: inner.ok().filter(|_| started.is_ok()) }
    }

    /// Looks at these folders and no others.
    pub fn watch<'a>(&mut self, folders: impl Iterator<Item = &'a Path>) {
        let Some(inner) = &mut self.inner else { return };
        let wanted: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
        for gone in self.watched.difference(&wanted) {
            let _ = inner.unwatch(gone);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        self.watched.retain(|folder| wanted.contains(folder));
        // one that cannot be watched may be watched later
        self.watched.extend(new.into_iter().filter(|folder| inner.watch(folder, RecursiveMode::Recursive).is_ok()));
    }
}
