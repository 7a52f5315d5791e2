//! The command `banneret`.
//!
//! Reads files, asks the compiler, prints what it says. Deliberately absent: anything that knows what the language means (that is
//! `compiler/`), or how it is written (that is `grammar/`).

mod args;
mod atomic;
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

fn main() -> ExitCode {
    // Usage mistakes end here, with exit code 2.
    let cli = args::Cli::parse();
    let terminal = Terminal::new(cli.color);
    let mut out = Out::new();
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
