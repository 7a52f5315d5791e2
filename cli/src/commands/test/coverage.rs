//! `test --coverage`: the numbered rules that no test covers.

use std::io::Write;

use super::suite::Suite;
use crate::ledger;
use crate::report::counted;
use crate::terminal::{Out, Terminal, wrapped};
use crate::trouble::Trouble;

/// Gives whether every rule is covered, and every rule that a test names is there.
pub fn print(suites: &[Suite], terminal: &Terminal, out: &mut Out) -> Result<bool, Trouble> {
    let mut complete = true;
    for suite in suites {
        if suite.books.is_empty() {
            writeln!(out, "{}: there is no {} beside the rules", suite.name, ledger::FILE_NAME)?;
        }
        let covered = suite.covered();
        for book in &suite.books {
            let coverage = ledger::coverage(&book.entries, &covered);
            complete &= coverage.missing.is_empty() && coverage.unknown.is_empty();
            let rules = counted(coverage.executable, "rule", "rules");
            writeln!(out, "{}: {} of {rules} covered by a test", book.path, coverage.covered)?;
            for entry in &coverage.missing {
                let tag = entry.tag.as_ref().map_or(String::new(), |tag| format!("[{tag}] "));
                let line = format!("  {} {tag}{}", entry.id, entry.words);
                // A ruling may be a whole paragraph; its first line says which it is.
                let line = wrapped(&line, terminal.width);
                writeln!(out, "{}", line.lines().next().unwrap_or_default())?;
            }
            if !coverage.unknown.is_empty() {
                writeln!(out, "  tests name rules that are not in it: {}", coverage.unknown.join(", "))?;
            }
        }
    }
    Ok(complete)
}
