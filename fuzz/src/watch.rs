//! Inputs are run in a process of their own, which is watched: whatever it does, it is told with the number of the input.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{TRAP, Target};

/// No input may work longer than this. The promise is about the command as people run it; without optimisation the same work takes several times as long.
pub const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 10 });
/// Nor wait longer than this: a busy machine lets everybody wait.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// No process may hold more, in bytes.
pub const MOST_MEMORY: u64 = 1_000_000_000;

/// How often is looked.
const EVERY: Duration = Duration::from_millis(20);

/// As in the server.
const STACK: usize = 1 << 28;

/// Said when all inputs were run.
const END: &str = "end";

/// What to run.
#[derive(Clone, Debug)]
pub struct Order {
    pub target: &'static str,
    pub seed: u64,
    pub from: u64,
    pub count: u64,
    /// When to stop in any case.
    pub until: Option<Instant>,
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub number: u64,
    pub what: String,
}

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub executions: u64,
    pub findings: Vec<Finding>,
    /// The most memory that a process held, in bytes, as far as it was seen.
    pub memory: u64,
    pub time: Duration,
}

/// The watched process: tells the number of each input before it runs it.
pub fn work(target: &Target, seed: u64, from: u64, count: u64) -> io::Result<()> {
    // what others catch is a finding too
    std::panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        std::process::abort();
    }));
    let mut out = io::stdout().lock();
    for number in from..from + count {
        writeln!(out, "{number}")?;
        let input = target.input(seed, number);
        target.run(&input);
    }
    writeln!(out, "{END}")
}

/// Runs the work of a process on the stack that the server has.
pub fn on_large_stack(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread ended")))
}

/// Runs inputs until there are no more or the time is over; findings do not end it.
pub fn watch(order: &Order) -> io::Result<Outcome> {
    let at_most = Target::named(order.target).map_or(1, |target| target.at_most);
    // what a path without a folder leads to is empty
    let empty = std::env::temp_dir().join(format!("banneret-fuzz-{}", std::process::id()));
    fs::create_dir_all(&empty)?;
    let since = Instant::now();
    let (mut outcome, mut next, end) = (Outcome::default(), order.from, order.from + order.count);
    let is_over = || order.until.is_some_and(|until| Instant::now() >= until);
    while next < end && !is_over() {
        let count = at_most.min(end - next);
        let mut child = Command::new(std::env::current_exe()?)
            .args(["work", order.target, &order.seed.to_string(), &next.to_string(), &count.to_string()])
            .current_dir(&empty)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let watched = watch_one(&mut child, next, order.until, &mut outcome.memory)?;
        outcome.executions += watched.last - next;
        next = watched.last;
        if let Some(what) = watched.finding {
            outcome.executions += 1;
            outcome.findings.push(Finding { number: next, what });
            next += 1;
        }
    }
    fs::remove_dir_all(&empty)?;
    outcome.time = since.elapsed();
    Ok(outcome)
}

struct Watched {
    /// The input that was not run to its end, or the first after those that were.
    last: u64,
    finding: Option<String>,
}

fn watch_one(child: &mut Child, from: u64, until: Option<Instant>, most: &mut u64) -> io::Result<Watched> {
    let number = Arc::new(AtomicU64::new(from));
    let (out, errors) = (child.stdout.take(), child.stderr.take());
    let told = number.clone();
    let listening = std::thread::spawn(move || {
        let mut is_done = false;
        for line in out.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            is_done = line == END;
            match line.parse() {
                Ok(next) => told.store(next, Ordering::Relaxed),
                Err(_) => drop(told.fetch_add(1, Ordering::Relaxed)),
            }
        }
        is_done
    });
    let reading = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = errors.into_iter().try_for_each(|errors| errors.take(100_000).read_to_end(&mut text).map(drop));
        String::from_utf8_lossy(&text).into_owned()
    });
    let (mut current, mut began, mut worked_before) = (from, Instant::now(), Duration::ZERO);
    let mut finding = None;
    let mut was_stopped = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(EVERY);
        let worked = worked(child.id()).unwrap_or_default();
        if number.load(Ordering::Relaxed) != current {
            (current, began, worked_before) = (number.load(Ordering::Relaxed), Instant::now(), worked);
        }
        let memory = memory(child.id()).unwrap_or_default();
        *most = memory.max(*most);
        if memory > MOST_MEMORY {
            finding = Some(format!("more than {} MB of memory", MOST_MEMORY / 1_000_000));
        } else if worked.saturating_sub(worked_before) > LONGEST || began.elapsed() > LONGEST_WAIT {
            finding = Some(format!("more than {} seconds", LONGEST.as_secs()));
        }
        was_stopped = until.is_some_and(|until| Instant::now() >= until);
        if finding.is_some() || was_stopped {
            child.kill()?;
            break child.wait()?;
        }
    };
    let is_done = listening.join().unwrap_or(false);
    let errors = reading.join().unwrap_or_default();
    if finding.is_none() && !was_stopped && !(is_done && status.success()) {
        finding = Some(format!("{status}: {}", errors.trim()));
    }
    Ok(Watched { last: number.load(Ordering::Relaxed), finding })
}

/// Bytes of memory that a process held at most, where the system tells.
fn memory(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Time that the processors worked for a process, where the system tells.
fn worked(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut numbers = text.rsplit(')').next()?.split_whitespace().skip(11);
    let (own, system): (u64, u64) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    Some(Duration::from_millis((own + system) * 10))
}

/// Keeps what was found as files that can be run again.
pub fn keep(order: &Order, findings: &[Finding], folder: &Path) -> io::Result<()> {
    let Some(target) = Target::named(order.target) else { return Ok(()) };
    fs::create_dir_all(folder)?;
    for finding in findings {
        let file = folder.join(format!("{}-{}-{}", order.target, order.seed, finding.number));
        fs::write(file, target.input(order.seed, finding.number))?;
    }
    Ok(())
}

/// Three inputs that have to be found: each is its own number.
pub fn trap() -> Target {
    let run = |input: &[u8]| match input {
        [3] => panic!("a trap"),
        [5] => loop {
            std::hint::spin_loop();
        },
        [7] => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 10_000_000]);
            }
        }
        _ => {}
    };
    Target { name: TRAP, seeds: (0..10).map(|n| vec![n]).collect(), change: Box::new(|_, _| Vec::new()), run: Box::new(run), at_most: 10 }
}
