//! `banneret verify`: reads packs and says whether the machine would run them, and what is in them.

use std::io::Write;
use std::path::Path;

use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::Pack;

use crate::Outcome;
use crate::args::Verify;
use crate::report::counted;
use crate::sources::files;
use crate::sources::paths::shown;
use crate::terminal::Out;
use crate::trouble::Trouble;

/// What the files are called that `build` writes and that are played or verified as they are.
const ENDING: &str = "pack";
/// Larger files are not read: far more than any pack that was ever built.
const LARGEST: u64 = 256 << 20;

pub fn run(args: &Verify, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::Fine;
    for path in &args.files {
        match read(path)? {
            Ok(pack) => writeln!(out, "{}: fine. {}", shown(path), contents(&pack))?,
            Err(why) => {
                outcome = Outcome::Found;
                writeln!(out, "{}: refused: {why}.", shown(path))?;
            }
        }
    }
    Ok(outcome)
}

/// Does the path name a pack rather than a project?
pub fn is_pack(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING) && !files::is_folder(path)
}

/// A pack from a file, verified. The inner error says why the machine refuses it.
pub fn read(path: &Path) -> Result<Result<Loaded, String>, Trouble> {
    let bytes = files::read(path, LARGEST).map_err(|e| Trouble::file("read", path, &e))?;
    Ok(Pack::from_bytes(&bytes).map_err(|e| e.to_string()).and_then(|pack| Loaded::new(pack).map_err(|e| e.to_string())))
}

fn contents(pack: &Loaded) -> String {
    let cards = pack.cards.iter().filter(|card| card.holder.is_none() && !card.template).count();
    let rules = pack.bundles.iter().map(|bundle| bundle.rules.len()).sum::<usize>();
    let systems: Vec<String> = pack.rulesets.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let systems = if systems.is_empty() { String::new() } else { format!(", with the rules of {}", systems.join(", ")) };
    let plays = if pack.start.is_some() { "A game of it can be played" } else { "It does not say how a game is played" };
    format!(
        "{} {}{systems}: {}, {}, {}, {}. {plays}.",
        pack.name,
        pack.version,
        counted(cards, "card", "cards"),
        counted(rules, "rule", "rules"),
        counted(pack.limits.len(), "limit", "limits"),
        counted(pack.tests.len(), "test", "tests")
    )
}
