//! The command `banneret`.
//!
//! Reads files, asks the compiler, prints what it says. Deliberately absent: anything that knows what the language means (that is
//! `compiler/`), or how it is written (that is `grammar/`).

mod args;
mod budget;
mod commands;
mod crash;
mod ledger;
mod lines;
mod pages;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod reference;
mod render;
mod report;
mod session;
mod sources;
mod terminal;
mod trouble;

use std::process::ExitCode;

use clap::Parser;

use crate::terminal::{Out, Terminal};

/// Checking makes and drops many small trees on all cores; the system's allocator spends a fifth of the time on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Fine,
    /// There are mistakes.
    Found,
}

/// How deep what a person wrote may lean on itself is a matter of the stack: chains of actions are followed from call to call. Only what is
/// used of it takes memory.
const STACK: usize = 1 << 29;

fn main() -> ExitCode {
    // a pool that somebody made before has its own stacks: nothing to mend
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    let command = std::thread::Builder::new().name("command".to_owned()).stack_size(STACK).spawn(command);
    command.ok().and_then(|thread| thread.join().ok()).unwrap_or(ExitCode::from(2))
}

fn command() -> ExitCode {
    // Usage mistakes end here, with exit code 2.
    let cli = args::Cli::parse();
    if cli.allow_outside {
        banneret_projects::files::allow_outside();
    }
    let terminal = Terminal::new(cli.color);
    budget::start(budget::Budget { seconds: cli.most_seconds, megabytes: cli.most_memory }, cli.command.used(), terminal);
    let mut out = Out::new(terminal.color);
    let outcome = crash::caught(|| commands::run(&cli.command, &terminal, &mut out));
    let flushed = std::io::Write::flush(&mut out).map_err(trouble::Trouble::from);
    match outcome.and_then(|outcome| flushed.map(|()| outcome)) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(trouble) => {
            trouble.print(&terminal);
            ExitCode::from(2)
        }
    }
}
