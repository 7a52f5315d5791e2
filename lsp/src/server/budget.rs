//! What the server may cost: the time of each piece of work, and the memory of everything together.
//!
//! What single things may cost is bounded where they are done. This is for their sum, and for whatever nobody thought of: as long as anything is worked on,
//! a thread looks how long that takes and what the process holds. What is too much is told to the clerk, who stops everything that runs, as an edit does, and
//! leaves the project that it was about; the server lives. Only if what was stopped goes on all the same, the server ends: a machine that cannot be used any
//! more helps nobody, and editors start it again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use banneret_projects::process::{memory, memory_of_machine, worked};

/// What the person said that the server may take; without it, what follows from how much text there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Seconds of work for one request, or one check of a project.
    pub seconds: Option<u64>,
    /// Megabytes that the server may hold.
    pub megabytes: Option<u64>,
}

/// Seconds of work for each megabyte of text, and at least once: as the command takes at most.
const SECONDS: u64 = 60;
/// Megabytes for the server itself, and once more for every megabyte of text.
const MEGABYTES: u64 = 1000;

/// How often is looked. Memory can be filled quickly.
const EVERY: Duration = Duration::from_millis(25);

/// How long what was stopped may take to end.
const LAST: Duration = Duration::from_secs(60);

/// No project is known yet that a piece of work is about.
const NONE: usize = usize::MAX;

/// One request, or one check of a project. It is over when nobody holds it any more.
#[derive(Debug)]
pub struct Piece {
    since: Instant,
    /// How long the process had worked when it began.
    before: Option<Duration>,
    project: AtomicUsize,
    is_spent: AtomicBool,
}

impl Piece {
    /// It looks at this project.
    pub fn is_about(&self, project: usize) {
        self.project.store(project, Ordering::Relaxed);
    }

    /// It was stopped because it, or what ran beside it about the same project, took too much.
    pub fn is_spent(&self) -> bool {
        self.is_spent.load(Ordering::Relaxed)
    }

    fn project(&self) -> Option<usize> {
        Some(self.project.load(Ordering::Relaxed)).filter(|project| *project != NONE)
    }
}

/// What was too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Much {
    Seconds(u64),
    Megabytes(u64),
}

impl Much {
    pub fn words(self) -> String {
        match self {
            Much::Seconds(1) => "1 second".to_owned(),
            Much::Seconds(n) => format!("{n} seconds"),
            Much::Megabytes(n) => format!("{n} MB of memory"),
        }
    }

    /// What lets it take more.
    pub fn more(self) -> String {
        match self {
            Much::Seconds(n) => format!("banneret lsp --most-seconds {}", n.max(1) * 4),
            Much::Megabytes(n) => format!("banneret lsp --most-memory {}", n.max(1) * 4),
        }
    }
}

/// What took too much, and the project that it was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    pub project: Option<usize>,
    pub much: Much,
}

/// Who is told.
pub trait Told: Send + 'static {
    /// Something has to be stopped.
    fn stop(&self, spent: Spent);
    /// What was stopped goes on.
    fn give_up(&self, spent: Spent);
}

/// Everyone's way to what is counted.
#[derive(Clone)]
pub struct Meter {
    shared: Arc<Shared>,
}

struct Shared {
    budget: Budget,
    counted: Mutex<Counted>,
    bell: Condvar,
    /// How often everything was stopped.
    stops: Arc<AtomicU64>,
}

#[derive(Default)]
struct Counted {
    pieces: Vec<Weak<Piece>>,
    /// Bytes of text that are open.
    texts: u64,
    /// Megabytes that are held although everything was dropped that could be: less is never asked for.
    floor: u64,
    /// What was too much, since when that is known, and how long the process had worked by then, until the clerk has settled it.
    stopped: Option<(Spent, Instant, Option<Duration>)>,
}

impl Meter {
    pub fn new(budget: Budget) -> Self {
        Self { shared: Arc::new(Shared { budget, counted: Mutex::default(), bell: Condvar::new(), stops: Arc::default() }) }
    }

    /// From now on everything is watched. Without a thread for it nothing is.
    pub fn watch(&self, told: impl Told) {
        let shared = self.shared.clone();
        let _ = std::thread::Builder::new().name("budget".to_owned()).spawn(move || {
            loop {
                shared.wait();
                std::thread::sleep(EVERY);
                match shared.look(memory(), worked()) {
                    Look::Fine => {}
                    Look::Stop(spent) => told.stop(spent),
                    Look::GiveUp(spent) => return told.give_up(spent),
                }
            }
        });
    }

    /// Something is worked on from now on.
    pub fn begin(&self) -> Arc<Piece> {
        let piece = Piece { since: Instant::now(), before: worked(), project: AtomicUsize::new(NONE), is_spent: AtomicBool::new(false) };
        let piece = Arc::new(piece);
        self.shared.counted().pieces.push(Arc::downgrade(&piece));
        self.shared.bell.notify_one();
        piece
    }

    /// How often everything was stopped.
    pub fn stops(&self) -> Arc<AtomicU64> {
        self.shared.stops.clone()
    }

    /// So many bytes of text are open.
    pub fn set_texts(&self, bytes: u64) {
        self.shared.counted().texts = bytes;
    }

    /// What was too much was stopped, and nothing of it is left. `dropped` also what was worked out before.
    pub fn settled(&self, dropped: bool) {
        // what is freed is given back by and by
        let held = if dropped { memory().map(|bytes| bytes / 1_000_000) } else { None };
        let mut counted = self.shared.counted();
        counted.floor = held.map_or(counted.floor, |held| held + held / 4);
        counted.stopped = None;
        self.shared.bell.notify_one();
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Look {
    Fine,
    Stop(Spent),
    GiveUp(Spent),
}

impl Shared {
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until something is worked on.
    fn wait(&self) {
        let is_idle = |counted: &mut Counted| {
            counted.pieces.retain(|piece| piece.strong_count() > 0);
            counted.pieces.is_empty() && counted.stopped.is_none()
        };
        drop(self.bell.wait_while(self.counted(), is_idle));
    }

    fn most_seconds(&self, texts: u64) -> u64 {
        self.budget.seconds.unwrap_or(SECONDS * texts.div_ceil(1_000_000).max(1))
    }

    fn most_megabytes(&self, texts: u64) -> u64 {
        // half of the machine is the person's in any case
        let half = memory_of_machine().map_or(u64::MAX, |bytes| bytes / 2_000_000);
        self.budget.megabytes.unwrap_or_else(|| (MEGABYTES + MEGABYTES * texts.div_ceil(1_000_000)).min(half.max(MEGABYTES)))
    }

    /// What is to be done at this moment, in which the process holds so much and has worked for so long, where the system tells.
    fn look(&self, memory: Option<u64>, worked: Option<Duration>) -> Look {
        let mut counted = self.counted();
        let held = memory.map_or(0, |bytes| bytes / 1_000_000);
        let most = self.most_megabytes(counted.texts).max(counted.floor);
        if let Some((spent, since, before)) = counted.stopped {
            let passed = since.elapsed();
            let worked = worked.zip(before).map_or(passed, |(now, before)| now.saturating_sub(before));
            let is_endless = passed > LAST && worked > LAST / 2;
            return if is_endless || held > most * 2 { Look::GiveUp(spent) } else { Look::Fine };
        }
        counted.pieces.retain(|piece| piece.strong_count() > 0);
        let mut pieces: Vec<Arc<Piece>> = counted.pieces.iter().filter_map(Weak::upgrade).collect();
        pieces.sort_by_key(|piece| piece.since);
        let seconds = self.most_seconds(counted.texts);
        let most_time = Duration::from_secs(seconds);
        let is_long = |piece: &Arc<Piece>| {
            let passed = piece.since.elapsed();
            // on a busy machine more time passes than is worked
            let worked = worked.zip(piece.before).map_or(passed, |(now, before)| now.saturating_sub(before));
            passed > most_time && worked >= most_time.mul_f32(0.9)
        };
        let spent = if held > most {
            // the one that has been at it for longest
            Some(Spent { project: pieces.iter().find_map(|piece| piece.project()), much: Much::Megabytes(most) })
        } else {
            let long = pieces.iter().find(|piece| is_long(piece));
            long.map(|piece| Spent { project: piece.project(), much: Much::Seconds(seconds) })
        };
        let Some(spent) = spent else { return Look::Fine };
        // others are stopped too, but asked for again
        let blamed = pieces.iter().filter(|piece| piece.project() == spent.project);
        blamed.for_each(|piece| piece.is_spent.store(true, Ordering::Relaxed));
        self.stops.fetch_add(1, Ordering::SeqCst);
        counted.stopped = Some((spent, Instant::now(), worked));
        Look::Stop(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    fn meter(seconds: Option<u64>, megabytes: Option<u64>) -> Meter {
        Meter::new(Budget { seconds, megabytes })
    }

    fn look(meter: &Meter, megabytes: u64, worked: u64) -> Look {
        meter.shared.look(Some(megabytes * MB), Some(Duration::from_secs(worked)))
    }

    /// A piece that began so many seconds ago.
    fn piece(meter: &Meter, seconds: u64, project: Option<usize>) -> Arc<Piece> {
        let piece = Arc::new(Piece {
            since: Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap(),
            before: Some(Duration::ZERO),
            project: AtomicUsize::new(project.unwrap_or(NONE)),
            is_spent: AtomicBool::new(false),
        });
        meter.shared.counted().pieces.push(Arc::downgrade(&piece));
        piece
    }

    #[test]
    fn a_piece_that_takes_too_long_is_stopped_and_its_project_named() {
        let meter = meter(None, None);
        let (long, short) = (piece(&meter, 61, Some(3)), piece(&meter, 2, Some(4)));
        // it waits rather than works
        assert_eq!(look(&meter, 10, 20), Look::Fine);
        assert_eq!(look(&meter, 10, 60), Look::Stop(Spent { project: Some(3), much: Much::Seconds(60) }));
        assert!(long.is_spent() && !short.is_spent() && meter.stops().load(Ordering::SeqCst) == 1);
        // it was told: not again
        assert_eq!(look(&meter, 10, 61), Look::Fine);
        drop(long);
        meter.settled(false);
        assert_eq!(look(&meter, 10, 62), Look::Fine);
    }

    #[test]
    fn much_text_may_take_longer_and_hold_more() {
        let meter = meter(None, None);
        let _piece = piece(&meter, 100, Some(0));
        meter.set_texts(2 * MB);
        assert_eq!(look(&meter, 1500, 100), Look::Fine);
        meter.set_texts(MB);
        assert_eq!(look(&meter, 1500, 100), Look::Stop(Spent { project: Some(0), much: Much::Seconds(60) }));
    }

    #[test]
    fn memory_of_everything_together_is_bounded_and_what_cannot_be_freed_is_not_asked_for_again() {
        let meter = meter(None, Some(500));
        let _pieces = (piece(&meter, 1, None), piece(&meter, 5, Some(7)));
        assert_eq!(look(&meter, 500, 5), Look::Fine);
        assert_eq!(look(&meter, 501, 5), Look::Stop(Spent { project: Some(7), much: Much::Megabytes(500) }));
        meter.settled(false);
        meter.shared.counted().floor = 700;
        assert_eq!(look(&meter, 690, 5), Look::Fine);
        assert_eq!(look(&meter, 701, 5), Look::Stop(Spent { project: Some(7), much: Much::Megabytes(700) }));
    }

    #[test]
    fn what_does_not_stop_ends_the_server() {
        let meter = meter(Some(1), Some(500));
        let _piece = piece(&meter, 5, Some(1));
        let spent = Spent { project: Some(1), much: Much::Seconds(1) };
        assert_eq!(look(&meter, 10, 5), Look::Stop(spent));
        assert_eq!(look(&meter, 900, 6), Look::Fine);
        assert_eq!(look(&meter, 1001, 6), Look::GiveUp(spent));
        let mut counted = meter.shared.counted();
        let since = Instant::now().checked_sub(Duration::from_secs(61)).unwrap();
        counted.stopped = Some((spent, since, Some(Duration::ZERO)));
        drop(counted);
        // the machine was busy with something else
        assert_eq!(look(&meter, 10, 10), Look::Fine);
        assert_eq!(look(&meter, 10, 40), Look::GiveUp(spent));
    }
}
