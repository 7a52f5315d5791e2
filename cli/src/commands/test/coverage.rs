//! `test --coverage`: the numbered rules that no test covers.

use std::io::Write;

use serde::Serialize;

use super::suite::Suite;
use crate::ledger;
use crate::report::counted;
use crate::terminal::{Out, Terminal, wrapped};
use crate::trouble::Trouble;

/// Whether every rule is covered, and every rule that a test names is there.
pub fn is_complete(suites: &[Suite]) -> bool {
    suites.iter().all(|suite| open_rules(suite) == 0)
}

/// How many rules no test covers, or only tests know.
pub fn open_rules(suite: &Suite) -> usize {
    let covered = suite.covered();
    let books = suite.books.iter().map(|book| ledger::coverage(&book.entries, &covered));
    books.map(|coverage| coverage.missing.len() + coverage.unknown.len()).sum()
}

/// A rulebook in one line, for programs.
#[derive(Serialize)]
struct Line<'a> {
    rulebook: &'a str,
    rules: usize,
    covered: usize,
    missing: Vec<&'a str>,
    unknown: &'a [String],
}

pub fn print_json(suites: &[Suite], out: &mut Out) -> Result<(), Trouble> {
    for suite in suites {
        let covered = suite.covered();
        for book in &suite.books {
            let coverage = ledger::coverage(&book.entries, &covered);
            let line = Line {
                rulebook: &book.path,
                rules: coverage.executable,
                covered: coverage.covered,
                missing: coverage.missing.iter().map(|entry| entry.id.as_str()).collect(),
                unknown: &coverage.unknown,
            };
            serde_json::to_writer(&mut *out, &line).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

pub fn print(suites: &[Suite], terminal: &Terminal, out: &mut dyn Write) -> Result<(), Trouble> {
    for suite in suites {
        if suite.books.is_empty() {
            writeln!(out, "{}: there is no {} beside the rules", suite.name, ledger::FILE_NAME)?;
        }
        let covered = suite.covered();
        for book in &suite.books {
            let coverage = ledger::coverage(&book.entries, &covered);
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
    Ok(())
}
