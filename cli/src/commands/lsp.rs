//! `banneret lsp`: serves an editor.

use banneret_lsp::Ended;

use crate::Outcome;
use crate::args::Lsp;
use crate::trouble::Trouble;

pub fn run(args: &Lsp) -> Result<Outcome, Trouble> {
    // There is only one way to talk so far, asked for or not.
    let Lsp { stdio: _ } = args;
    let ended = banneret_lsp::run(crate::pages::all()).map_err(|e| Trouble::new(format!("Cannot serve: {e}.")))?;
    Ok(if ended == Ended::InOrder { Outcome::Fine } else { Outcome::Found })
}
