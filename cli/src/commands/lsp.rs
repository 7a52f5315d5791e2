//! `banneret lsp`: serves an editor.

use banneret_lsp::{Budget, Ended};

use crate::Outcome;
use crate::args::Lsp;
use crate::budget;
use crate::trouble::Trouble;

pub fn run(args: &Lsp) -> Result<Outcome, Trouble> {
    // There is only one way to talk so far, asked for or not.
    let Lsp { stdio: _ } = args;
    let asked = budget::asked();
    let budget = Budget { seconds: asked.seconds, megabytes: asked.megabytes };
    let ended = banneret_lsp::run(crate::pages::all(), budget).map_err(|e| Trouble::new(format!("Cannot serve: {e}.")))?;
    Ok(if ended == Ended::InOrder { Outcome::Fine } else { Outcome::Found })
}
