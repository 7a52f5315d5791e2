//! `check --overrides` and `--changes`: the cards, abilities and keywords whose words an author wrote, beside the words their rules would have made.

use std::io::Write;

use crate::Outcome;
use crate::args::Format;
use crate::report::counted;
use crate::session::Session;
use crate::terminal::Out;
use crate::trouble::Trouble;

pub fn run(session: &Session, format: Format, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut total = 0;
    for open in &session.open {
        let Some(id) = open.id else { continue };
        for found in session.workspace.overrides(id) {
            if !open.project.is_wanted(&found.file) {
                continue;
            }
            total += 1;
            match format {
                Format::Full => {
                    writeln!(out, "{}:{}: {}", found.file, found.line, found.card)?;
                    writeln!(out, "  written:   {}", found.written)?;
                    writeln!(out, "  generated: {}", found.generated)?;
                    let verdict = match (found.generated.is_empty(), found.whole) {
                        (true, _) => "There are no rules to make words of.",
                        (false, true) => "These tell all of its rules and could be used instead.",
                        (false, false) => "These would leave something out.",
                    };
                    writeln!(out, "             {verdict}")?;
                }
                Format::Concise | Format::Github | Format::Sarif => {
                    writeln!(out, "{}:{}: {}: {}", found.file, found.line, found.card, found.written)?;
                }
                Format::Json => {
                    let line = serde_json::json!({
                        "file": found.file, "line": found.line, "card": found.card,
                        "written": found.written, "generated": found.generated, "whole": found.whole,
                    });
                    writeln!(out, "{line}")?;
                }
            }
        }
    }
    if format != Format::Json {
        writeln!(out, "{} by hand.", counted(total, "text is written", "texts are written"))?;
    }
    Ok(Outcome::Fine)
}

/// `check --changes`: what a project changes in packages it builds on, and why.
pub fn changes(session: &Session, format: Format, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut total = 0;
    for open in &session.open {
        let Some(id) = open.id else { continue };
        for change in session.workspace.changes(id) {
            total += 1;
            if format == Format::Json {
                let line = serde_json::json!({
                    "file": change.file, "line": change.line, "package": change.package,
                    "what": change.what, "replaces": change.replaces, "why": change.why,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let how = if change.replaces { "changed" } else { "new" };
            writeln!(out, "{}:{}: {} in {}, {how}: {}", change.file, change.line, change.what, change.package, change.why)?;
        }
    }
    if format != Format::Json {
        writeln!(out, "{}.", counted(total, "change to rules of others", "changes to rules of others"))?;
    }
    Ok(Outcome::Fine)
}
