//! `banneret completions`: a script for the shell.

use std::io::Write;

use clap::CommandFactory;

use crate::Outcome;
use crate::args::{Cli, Completions};
use crate::terminal::Out;
use crate::trouble::Trouble;

pub fn run(args: &Completions, out: &mut Out) -> Result<Outcome, Trouble> {
    // Into memory first: the generator panics where writing fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "banneret", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Fine)
}
