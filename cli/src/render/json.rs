//! One JSON object a line. Lines and columns count from 1, columns count characters; `end_column` is the first one behind the mistake.

use std::io::{self, Write};

use banneret_compiler::diagnostic::{Fix, Severity};
use banneret_grammar::span::Span;
use serde::Serialize;

use crate::report::{Finding, Report};

#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    file: &'a str,
    /// Null for problems of a project that have no place, like the other three.
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    help: Option<&'a str>,
    notes: &'a [String],
    fixes: Vec<FixLine<'a>>,
}

#[derive(Serialize)]
struct FixLine<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<EditLine<'a>>,
}

#[derive(Serialize)]
struct EditLine<'a> {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'a str,
}

pub fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        serde_json::to_writer(&mut *out, &line(finding, report))?;
        writeln!(out)?;
    }
    Ok(())
}

fn line<'a>(finding: &'a Finding, report: &Report) -> Line<'a> {
    let range = finding.span.map(|span| report.range(&finding.file, span));
    Line {
        code: finding.code.as_str(),
        severity: finding.severity,
        message: &finding.headline,
        file: &finding.file,
        line: range.map(|r| r.start.line),
        column: range.map(|r| r.start.column),
        end_line: range.map(|r| r.end.line),
        end_column: range.map(|r| r.end.column),
        help: finding.help.as_deref(),
        notes: &finding.notes,
        fixes: finding.fixes.iter().map(|fix| fix_line(fix, &finding.file, report)).collect(),
    }
}

fn fix_line<'a>(fix: &'a Fix, file: &str, report: &Report) -> FixLine<'a> {
    let edit = |(span, text): &'a (Span, String)| {
        let range = report.range(file, *span);
        EditLine { line: range.start.line, column: range.start.column, end_line: range.end.line, end_column: range.end.column, text }
    };
    FixLine { title: &fix.title, safe: fix.safe, edits: fix.edits.iter().map(edit).collect() }
}
