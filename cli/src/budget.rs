//! What a command may cost: time and memory, for all of it together.
//!
//! What single things may cost is bounded where they are done – the length of chains, the dots of a picture, the steps of a game. This is for
//! their sum, and for whatever nobody thought of: a thread looks at what the process has taken, and ends it with a message. Files are written
//! beside their place and moved there, and the command is only ended between two of them, so nothing half-written is left.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use banneret_projects::files;
use banneret_projects::process::{memory, worked};

use crate::terminal::Terminal;
use crate::trouble::Trouble;

/// Seconds of work for each megabyte of text, and at least once.
pub const SECONDS: u64 = 60;
/// Megabytes of memory for each megabyte of text, and at least once.
pub const MEGABYTES: u64 = 1000;
/// Whoever asks for games or odds says how many: they take longer.
const GAMES: u64 = 10;

/// How often is looked. Memory can be filled quickly.
const EVERY: Duration = Duration::from_millis(25);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub seconds: Option<u64>,
    pub megabytes: Option<u64>,
}

/// What a command is for: that decides what it may cost if nobody says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Looks at a project once.
    Look,
    /// Plays games, tests or odds.
    Play,
    /// Waits for a person, as long as they like.
    Wait,
    /// Serves an editor, which watches itself: what takes too much is left, and the others are served on.
    Serve,
}

struct State {
    since: Instant,
    worked: Duration,
    /// Bytes of text that were read.
    texts: u64,
    doing: String,
    waits: bool,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// What the person said it may take.
static ASKED: OnceLock<Budget> = OnceLock::new();

/// What the person said that the command may take, for who watches itself.
pub fn asked() -> Budget {
    ASKED.get().copied().unwrap_or_default()
}

fn with_state(change: impl FnOnce(&mut State)) {
    if let Some(state) = STATE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        change(state);
    }
}

/// What is being done, for the message.
pub fn doing(words: impl Into<String>) {
    with_state(|state| state.doing = words.into());
}

/// So many bytes of text were read: there is more to do.
pub fn read(bytes: usize) {
    with_state(|state| state.texts = state.texts.saturating_add(bytes as u64));
}

/// The work starts anew: `check --watch` after a change.
pub fn again() {
    with_state(|state| (state.since, state.worked, state.waits) = (Instant::now(), worked().unwrap_or_default(), false));
}

/// Nothing is to be done until [`again`].
pub fn wait() {
    with_state(|state| state.waits = true);
}

/// From now on the command is watched.
pub fn start(budget: Budget, used: Use, terminal: Terminal) {
    let _ = ASKED.set(budget);
    if used == Use::Serve {
        return;
    }
    let state = State { since: Instant::now(), worked: Duration::ZERO, texts: 0, doing: String::new(), waits: false };
    *STATE.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    // without a thread for it the command just is not watched
    let _ = std::thread::Builder::new().name("budget".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(EVERY);
            if let Some(trouble) = spent(budget, used) {
                let _nobody_writes = files::hold_writing();
                trouble.print(&terminal);
                std::process::exit(2);
            }
        }
    });
}

fn spent(budget: Budget, used: Use) -> Option<Trouble> {
    let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let state = state.as_ref().filter(|state| !state.waits)?;
    let size = state.texts.div_ceil(1_000_000).max(1);
    let factor = if used == Use::Play { GAMES } else { 1 };
    let seconds = budget.seconds.unwrap_or(SECONDS * size * factor);
    let megabytes = budget.megabytes.unwrap_or(MEGABYTES * size);
    let doing = if state.doing.is_empty() { String::new() } else { format!(" while {}", state.doing) };
    let stopped = |what: &str, more: String| {
        Some(
            Trouble::new(format!("Stopped{doing}: it took more than {what}. Nothing half-written is left."))
                .help(format!("If the project is yours or you trust it, let it take more: `{more}`.")),
        )
    };
    if memory().is_some_and(|bytes| bytes / 1_000_000 > megabytes) {
        return stopped(&format!("{megabytes} MB of memory"), format!("--most-memory {}", megabytes * 4));
    }
    if used == Use::Wait && budget.seconds.is_none() {
        return None;
    }
    let most = Duration::from_secs(seconds);
    let passed = state.since.elapsed();
    // on a busy machine more time passes than is worked
    let worked = worked().map_or(passed, |all| all.saturating_sub(state.worked));
    if passed > most && worked > most.mul_f32(0.9) {
        return stopped(&format!("{seconds} seconds"), format!("--most-seconds {}", seconds * 4));
    }
    None
}
