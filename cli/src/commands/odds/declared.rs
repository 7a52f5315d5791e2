//! `banneret odds --of`: what a part or a card does, as its rule system measures it. The editor shows the same.

use std::io::Write;

use banneret_compiler::diagnostic::Severity;
use banneret_lsp::ide::Ide;
use banneret_lsp::ide::odds::{candidates, odds};
use serde_json::json;

use crate::Outcome;
use crate::args::{Format, Odds};
use crate::render;
use crate::session::Session;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub fn run(name: &str, args: &Odds, session: &Session, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut report = session.check();
    report.findings.retain(|f| f.severity == Severity::Error);
    if !report.findings.is_empty() {
        render::findings(out, &report, Format::Full, terminal)?;
        return Ok(Outcome::Found);
    }
    let Some(id) = session.open.first().and_then(|open| open.id) else {
        return Err(Trouble::new("There is nothing to measure."));
    };
    let ide = Ide { db: session.workspace.db(), universe: session.workspace.universe(id) };
    let all = candidates(ide);
    if let Some(card) = args.against.as_ref().filter(|card| !all.iter().any(|(known, _)| known == *card)) {
        return Err(Trouble::new(format!("There is no card called `{card}` in this project.")));
    }
    let wanted: Vec<&(String, String)> = all.iter().filter(|(known, _)| name == "all" || known == name).collect();
    if wanted.is_empty() {
        return Err(Trouble::new(format!("There is no card or part called `{name}` in this project."))
            .help("Write the name of a card, or of a part behind its card: `Reaver.Axe`; `all` measures everything."));
    }
    let measured = |(shown, key): &&(String, String)| {
        let workspace = session.workspace.clone();
        let ide = Ide { db: workspace.db(), universe: workspace.universe(id) };
        odds(ide, key, args.against.as_deref(), args.states).map(|found| (shown.clone(), found))
    };
    let found: Vec<_> = wanted.iter().map(measured).collect::<Vec<_>>().into_iter().flatten().collect();
    if found.is_empty() {
        return Err(Trouble::new(format!("The rule system does not say what using `{name}` means."))
            .help("It would name an action for it: `odds: [weapon_odds]` in its `ruleset`. `--given` and `--do` measure anything."));
    }
    for (shown, found) in &found {
        match (found, args.json) {
            (Ok(odds), false) => writeln!(out, "{shown}: {}", odds.sentence())?,
            (Err(why), false) => writeln!(out, "{shown}: {why}")?,
            (Ok(odds), true) => {
                let line = json!({ "of": shown, "measured": odds.what, "against": odds.against, "odds": odds.told });
                writeln!(out, "{line}")?;
            }
            (Err(why), true) => writeln!(out, "{}", json!({ "of": shown, "none": why }))?,
        }
    }
    Ok(Outcome::Fine)
}
