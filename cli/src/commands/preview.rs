//! `banneret preview`: every card of a project on a page in the browser, which changes as files are saved.
//!
//! One thread owns the project and is told by the watcher and by the page; others answer the browser out of the last picture of it. It listens on loopback
//! only, reads nothing but `GET`, and answers nobody who came by another name than this machine's own.

mod http;
mod picture;

use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use banneret_lsp::ide::Ide;
use banneret_lsp::ide::odds::{STATES, candidates, odds};
use notify::{Event, RecursiveMode, Watcher};
use serde_json::{Value, json};

use self::picture::Picture;
use crate::Outcome;
use crate::args::Preview;
use crate::budget;
use crate::session::Session;
use crate::sources::find;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// An editor that saves makes several events; they are taken as one.
const QUIET: Duration = Duration::from_millis(80);

/// What the owner of the project is told.
pub enum Told {
    /// Something changed on the disk.
    Changed,
    Odds(AskedOdds),
}

/// Somebody wants the odds of a card and its parts, or of everything: against a card, or against another of the same.
pub struct AskedOdds {
    pub of: Option<String>,
    pub against: Option<String>,
    pub answer: Sender<Value>,
}

/// The last picture of the project, and a bell for those who wait for the next.
#[derive(Default)]
pub struct Board {
    picture: Mutex<Arc<Picture>>,
    bell: Condvar,
}

impl Board {
    pub fn now(&self) -> Arc<Picture> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first picture that is newer than one that is known; None if there is none for so long.
    pub fn newer(&self, than: u64, patience: Duration) -> Option<Arc<Picture>> {
        let known = self.picture.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(known, patience, |picture| picture.version <= than);
        let (picture, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (picture.version > than).then(|| picture.clone())
    }

    fn put(&self, picture: Picture) {
        *self.picture.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(picture);
        self.bell.notify_all();
    }
}

pub fn run(args: &Preview, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let asked = [args.path.clone()];
    let targets = find(&asked)?;
    let (sender, told) = channel();
    let watched = sender.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // reading makes events too
        if event.is_ok_and(|e| !e.kind.is_access()) {
            let _ = watched.send(Told::Changed);
        }
    })
    .map_err(|e| Trouble::new(format!("Cannot watch the files: {e}.")))?;
    let roots: std::collections::BTreeSet<PathBuf> = targets.iter().map(|target| target.root.clone()).collect();
    for root in &roots {
        watcher.watch(root, RecursiveMode::Recursive).map_err(|e| Trouble::new(format!("Cannot watch the files: {e}.")))?;
    }
    let mut session = Session::new(&targets)?;
    let board = Arc::new(Board::default());
    let mut version = 1;
    board.put(Picture::of(&session, version, &Picture::default()));
    let cannot =
        |e: std::io::Error| Trouble::new(format!("Cannot listen on port {}: {e}.", args.port)).help("`--port N` takes another one.");
    let listener = TcpListener::bind(("127.0.0.1", args.port)).map_err(cannot)?;
    let port = listener.local_addr().map_err(cannot)?.port();
    http::serve(listener, port, board.clone(), sender);
    writeln!(out, "The cards are at http://127.0.0.1:{port}/ and change as you save; Ctrl-C ends it.")?;
    out.flush()?;
    while let Some(changed) = next(&told, &session) {
        if !changed {
            continue;
        }
        // Files may come and go while they are read: say so and go on.
        match find(&asked).map_err(Trouble::from).and_then(|targets| session.refresh(&targets)) {
            Ok(false) => {}
            Ok(true) => {
                version += 1;
                board.put(Picture::of(&session, version, &board.now()));
            }
            Err(trouble) => trouble.print(terminal),
        }
    }
    Ok(Outcome::Fine)
}

/// Answers until something changed and then nothing for a moment. None if nothing ever will.
fn next(told: &Receiver<Told>, session: &Session) -> Option<bool> {
    // as long as nobody asks for anything nothing is spent
    budget::wait();
    let first = told.recv().ok()?;
    budget::again();
    match first {
        Told::Odds(asked) => {
            answer(session, &asked);
            Some(false)
        }
        Told::Changed => loop {
            match told.recv_timeout(QUIET) {
                Ok(Told::Changed) => {}
                Ok(Told::Odds(asked)) => answer(session, &asked),
                Err(RecvTimeoutError::Timeout) => return Some(true),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        },
    }
}

/// The odds of parts and cards, by their names: the same the editor shows.
fn answer(session: &Session, asked: &AskedOdds) {
    let mut out = serde_json::Map::new();
    let wanted = |name: &str| asked.of.as_ref().is_none_or(|of| name.split('.').next() == Some(of));
    for id in session.open.iter().filter_map(|open| open.id) {
        let ide = Ide { db: session.workspace.db(), universe: session.workspace.universe(id) };
        for (shown, key) in candidates(ide).into_iter().filter(|(shown, _)| wanted(shown)) {
            match odds(ide, &key, asked.against.as_deref(), STATES) {
                Some(Ok(odds)) => {
                    out.insert(shown, json!({ "measured": odds.what, "against": odds.against, "told": odds.told, "numbers": odds.numbers }))
                }
                Some(Err(why)) => out.insert(shown, json!({ "none": why })),
                None => None,
            };
        }
    }
    // who asked may be gone
    let _ = asked.answer.send(Value::Object(out));
}
