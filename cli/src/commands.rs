//! One file for each subcommand.

mod build;
mod cards;
mod check;
mod completions;
mod diff;
mod explain;
mod fmt;
mod how;
mod lsp;
mod mend;
mod new;
mod odds;
mod overrides;
mod packages;
mod play;
mod preview;
mod publish;
mod show;
mod test;
mod verify;
mod watch;
mod words;

use crate::Outcome;
use crate::args::Command;
use crate::report::Report;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub fn run(command: &Command, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    match command {
        Command::New(args) => new::run(args, out),
        Command::Add(args) => packages::add(args, out),
        Command::Update(args) => packages::update(&args.project, out),
        Command::Vendor(args) => packages::vendor(&args.project, out),
        Command::Check(args) => check::run(args, terminal, out),
        Command::Build(args) => build::run(args, terminal, out),
        Command::Cards(args) => cards::run(args, terminal, out),
        Command::Test(args) => test::run(args, terminal, out),
        Command::Play(args) => play::run(args, terminal, out),
        Command::Publish(args) => publish::run(args, terminal, out),
        Command::Preview(args) => preview::run(args, terminal, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Odds(args) => odds::run(args, terminal, out),
        Command::Diff(args) => diff::run(args, terminal, out),
        Command::Fmt(args) => fmt::run(args, out),
        Command::How(args) => how::run(args, terminal, out),
        Command::Explain(args) => explain::run(args, terminal, out),
        Command::Show(args) => show::run(args, out),
        Command::Words(args) => words::run(args, out),
        Command::Lsp(args) => lsp::run(args),
        Command::Completions(args) => completions::run(args, out),
    }
}

/// Errors count; warnings only if asked to.
fn outcome(report: &Report, strict: bool) -> Outcome {
    if report.errors() > 0 || (strict && report.warnings() > 0) { Outcome::Found } else { Outcome::Fine }
}
