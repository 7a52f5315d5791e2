//! One line for each mistake: `path:line:column: error[code]: headline`.

use std::io::{self, Write};

use crate::report::{Report, severity_word};

pub fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        write!(out, "{}", finding.file)?;
        if let Some(span) = finding.span {
            let start = report.range(&finding.file, span).start;
            write!(out, ":{}:{}", start.line, start.column)?;
        }
        // A headline is one line; a name in it could hold anything.
        let headline = finding.headline.replace('\n', " ");
        writeln!(out, ": {}[{}]: {headline}", severity_word(finding.severity), finding.code)?;
    }
    Ok(())
}
