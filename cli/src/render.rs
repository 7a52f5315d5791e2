//! The forms in which mistakes are printed: one file each, all of them leaves.

mod concise;
mod full;
mod github;
mod json;
mod sarif;

use std::io::{self, Write};

use crate::args::Format;
use crate::report::Report;
use crate::terminal::Terminal;

/// What was found, and for people a last line that counts it.
pub fn print(out: &mut dyn Write, report: &Report, format: Format, terminal: &Terminal) -> io::Result<()> {
    findings(out, report, format, terminal)?;
    if for_people(format) {
        writeln!(out, "{}", terminal.bold(&report.summary()))?;
    }
    Ok(())
}

/// What was found, and nothing else.
pub fn findings(out: &mut dyn Write, report: &Report, format: Format, terminal: &Terminal) -> io::Result<()> {
    match format {
        Format::Full => full::print(out, report, terminal),
        Format::Concise => concise::print(out, report),
        Format::Json => json::print(out, report),
        Format::Github => github::print(out, report),
        Format::Sarif => sarif::print(out, report),
    }
}

/// Is the output read by people? Programs want nothing but what they parse.
pub fn for_people(format: Format) -> bool {
    matches!(format, Format::Full | Format::Concise)
}
