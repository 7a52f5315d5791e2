//! Workflow commands of GitHub Actions, which become notes on a pull request: `::error file=…,line=…::headline`.

use std::io::{self, Write};

use crate::report::{Finding, Report, severity_word};

pub fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        let mut properties = format!("file={}", property(&finding.file));
        if let Some(span) = finding.span {
            let range = report.range(&finding.file, span);
            properties.push_str(&format!(",line={},endLine={}", range.start.line, range.end.line));
            // Columns are only understood within one line.
            if range.start.line == range.end.line {
                properties.push_str(&format!(",col={},endColumn={}", range.start.column, range.end.column));
            }
        }
        let word = severity_word(finding.severity);
        writeln!(out, "::{word} {properties},title={}::{}", property(finding.code.as_str()), message(&words(finding)))?;
    }
    Ok(())
}

fn words(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.headline),
        None => finding.headline.clone(),
    }
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(message("50%\nof: it"), "50%25%0Aof: it");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
