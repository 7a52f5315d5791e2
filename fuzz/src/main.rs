//! `fuzz run`: inputs by the million, each in a process that is watched.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use banneret_fuzz::watch::{self, Order};
use banneret_fuzz::{NAMES, TRAP, Target};
use clap::{Parser, Subcommand};

/// Damaged and lying input for everything that reads what strangers wrote
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run inputs of some targets, or of all, and tell what panics, works for more than 10 seconds or takes more than 1 GB
    Run {
        /// Which targets: reader, manifest, compiler, pack, save, picture, wire, server
        targets: Vec<String>,
        /// How many inputs for each target
        #[arg(long, default_value_t = u64::MAX / 2)]
        executions: u64,
        /// How long, for all targets together, each having an equal share
        #[arg(long)]
        seconds: Option<u64>,
        /// Another number makes other inputs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The number of the first input
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// Where inputs are kept that were found
        #[arg(long, default_value = "target/fuzz")]
        keep: PathBuf,
    },
    /// Run one input from a file
    One { target: String, file: PathBuf },
    /// The process that is watched
    #[command(hide = true)]
    Work { target: String, seed: u64, from: u64, count: u64 },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run { targets, executions, seconds, seed, from, keep } => {
            let known = || NAMES.iter().copied().chain([TRAP]);
            let names: Vec<&'static str> = match targets.is_empty() {
                true => NAMES.to_vec(),
                false => known().filter(|name| targets.iter().any(|target| target == name)).collect(),
            };
            if let Some(unknown) = targets.iter().find(|target| !known().any(|name| name == target.as_str())) {
                Err(io::Error::other(format!("there is no target `{unknown}`, only {}", NAMES.join(", "))))
            } else {
                let share = seconds.map(|seconds| Duration::from_secs(seconds) / names.len().max(1) as u32);
                run(
                    &names,
                    |target| Order { target, seed, from, count: executions, until: share.map(|share| Instant::now() + share) },
                    &keep,
                )
            }
        }
        Command::One { target, file } => watch::on_large_stack(move || {
            let target = Target::named(&target).ok_or_else(|| io::Error::other("there is no such target"))?;
            target.run(&std::fs::read(file)?);
            Ok(())
        })
        .map(|()| true),
        Command::Work { target, seed, from, count } => watch::on_large_stack(move || {
            let target = Target::named(&target).ok_or_else(|| io::Error::other("there is no such target"))?;
            watch::work(&target, seed, from, count)
        })
        .map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("fuzz: {error}");
            ExitCode::from(2)
        }
    }
}

/// One line for each target. True: nothing was found.
fn run(names: &[&'static str], order: impl Fn(&'static str) -> Order, keep: &std::path::Path) -> io::Result<bool> {
    let mut is_fine = true;
    println!("| target | executions | findings | most memory | seconds |\n|---|---|---|---|---|");
    for name in names {
        let order = order(name);
        let outcome = watch::watch(&order)?;
        println!(
            "| {name} | {} | {} | {} MB | {} |",
            outcome.executions,
            outcome.findings.len(),
            outcome.memory / 1_000_000,
            outcome.time.as_secs()
        );
        for finding in &outcome.findings {
            eprintln!("{name}, seed {}, input {}: {}", order.seed, finding.number, finding.what);
        }
        watch::keep(&order, &outcome.findings, keep)?;
        is_fine &= outcome.findings.is_empty();
    }
    Ok(is_fine)
}
