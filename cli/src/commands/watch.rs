//! `check --watch` and `cards --watch`: work is done again whenever files change. Only what an edit touches is checked again.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, RecursiveMode, Watcher};

use crate::Outcome;
use crate::args::{Check, Format};
use crate::budget;
use crate::render;
use crate::session::Session;
use crate::sources::{Target, files, find, paths};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// An editor that saves makes several events; they are taken as one.
const QUIET: Duration = Duration::from_millis(80);

pub fn run(args: &Check, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let format = args.format.message_format;
    follow(&args.paths.paths, format, terminal, out, &mut |session, out| {
        render::print(out, &session.check(), format, terminal)?;
        Ok(())
    })
}

/// Does something with projects now and whenever their files change.
pub fn follow(
    asked: &[PathBuf],
    format: Format,
    terminal: &Terminal,
    out: &mut Out,
    work: &mut dyn FnMut(&Session, &mut Out) -> Result<(), Trouble>,
) -> Result<Outcome, Trouble> {
    let targets = find(asked)?;
    let (sender, events) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A dropped receiver means that the command ends.
        let _ = sender.send(event.map(|e| e.kind.is_access()));
    })
    .map_err(|e| cannot_watch(&e))?;
    for folder in folders(asked, &targets) {
        watcher.watch(&folder, RecursiveMode::Recursive).map_err(|e| cannot_watch(&e))?;
    }

    let mut session = Session::new(&targets)?;
    let mut fresh = true;
    loop {
        if fresh {
            if terminal.interactive {
                write!(out, "\x1b[2J\x1b[H")?;
            }
            work(&session, out)?;
            if render::for_people(format) && terminal.interactive {
                writeln!(out, "Watching for changes; Ctrl-C ends it.")?;
            }
            out.flush()?;
            if out.is_closed() {
                return Ok(Outcome::Fine);
            }
        }
        budget::wait();
        if !wait(&events) {
            return Ok(Outcome::Fine);
        }
        budget::again();
        // Files may come and go while they are read: say so and go on.
        fresh = match find(asked).map_err(Trouble::from).and_then(|targets| session.refresh(&targets)) {
            Ok(changed) => changed,
            Err(trouble) => {
                trouble.print(terminal);
                false
            }
        };
    }
}

/// Until something changed and then nothing for a moment. False if nothing ever will.
fn wait(events: &Receiver<notify::Result<bool>>) -> bool {
    // Reading files makes events too; they must not wake the check that reads files.
    loop {
        match events.recv() {
            Ok(Ok(true)) => {}
            Ok(_) => break,
            Err(_) => return false,
        }
    }
    loop {
        match events.recv_timeout(QUIET) {
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// The folders of what was asked for and of every project, none inside another.
fn folders(asked: &[PathBuf], targets: &[Target]) -> Vec<PathBuf> {
    let folder = |path: &Path| {
        let full = paths::absolute(path);
        if files::is_folder(&full) { full } else { full.parent().map_or(full.clone(), Path::to_owned) }
    };
    let here = [PathBuf::from(".")];
    let asked = if asked.is_empty() { &here } else { asked };
    let mut all: Vec<PathBuf> = asked.iter().map(|path| folder(path)).collect();
    all.extend(targets.iter().map(|target| target.root.clone()));
    all.sort();
    let mut apart: Vec<PathBuf> = Vec::new();
    for next in all {
        if !apart.iter().any(|outer| next.starts_with(outer)) {
            apart.push(next);
        }
    }
    apart
}

fn cannot_watch(error: &notify::Error) -> Trouble {
    Trouble::new(format!("Cannot watch the files: {error}.")).help("Leave --watch out.")
}
