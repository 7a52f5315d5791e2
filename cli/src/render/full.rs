//! Mistakes with the lines they stand in, for people: those of sources and those of projects look the same.

use std::collections::HashMap;
use std::io::{self, Write};

use banneret_compiler::diagnostic::Severity;
use banneret_grammar::span::Span;
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as Level};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::termcolor::Ansi;
use codespan_reporting::term::{Config, emit_to_io_write, emit_to_write_style};

use crate::report::{Finding, Report};
use crate::terminal::{Terminal, wrapped};

/// What codespan puts before a note.
const NOTE_INDENT: usize = 8;

pub fn print(out: &mut dyn Write, report: &Report, terminal: &Terminal) -> io::Result<()> {
    let mut files = SimpleFiles::new();
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for finding in &report.findings {
        ids.entry(&finding.file).or_insert_with(|| files.add(finding.file.as_str(), report.text(&finding.file)));
    }
    let config = Config { tab_width: 2, ..Config::default() };
    for finding in &report.findings {
        let Some(id) = ids.get(finding.file.as_str()) else { continue };
        let shown = shown(finding, *id, report.text(&finding.file), terminal.width);
        let mut bytes = Vec::new();
        let result = if terminal.color {
            emit_to_write_style(&mut Ansi::new(&mut bytes), &config, &files, &shown)
        } else {
            emit_to_io_write(&mut bytes, &config, &files, &shown)
        };
        result.map_err(io::Error::other)?;
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn shown(finding: &Finding, file: usize, text: &str, width: usize) -> Diagnostic<usize> {
    let level = match finding.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    // what is wrong with a project as a whole has no line
    let place = finding.span.filter(|_| !(finding.project && text.is_empty()));
    let mut labels: Vec<Label<usize>> = place.into_iter().map(|span| Label::primary(file, within(span, text))).collect();
    for (span, words) in &finding.also {
        labels.push(Label::secondary(file, within(*span, text)).with_message(words));
    }
    let width = width.saturating_sub(NOTE_INDENT);
    let notes = notes(finding, place.is_none()).into_iter().map(|note| wrapped(&note, width)).collect();
    Diagnostic::new(level).with_code(finding.code.as_str()).with_message(&finding.headline).with_labels(labels).with_notes(notes)
}

fn notes(finding: &Finding, nowhere: bool) -> Vec<String> {
    let mut notes = finding.notes.clone();
    if nowhere {
        notes.insert(0, format!("in {}", finding.file));
    }
    if let Some(help) = &finding.help {
        notes.push(format!("help: {help}"));
    }
    for fix in &finding.fixes {
        let how = if fix.safe { "--fix" } else { "--fix --unsafe-fixes" };
        notes.push(format!("fix: {} ({how})", fix.title));
    }
    notes.push(format!("banneret explain {}", finding.code));
    notes
}

/// Inside of the text and between characters, whatever the span says.
fn within(span: Span, text: &str) -> std::ops::Range<usize> {
    let at = |offset: u32| text.floor_char_boundary(offset as usize);
    let start = at(span.start);
    start..at(span.end).max(start)
}
