//! From our words to the protocol's.

use banneret_compiler::diagnostic::{Diagnostic, ProjectProblem, Severity};
use banneret_grammar::span::Span;
use tower_lsp::ls_types::{self as lsp, Location, NumberOrString, TextEdit, Uri};

use super::library;
use super::position::Lines;

/// As an editor shows it: the headline first, then notes and help, each on a line of its own.
pub fn diagnostic(d: &Diagnostic, uri: &Uri, lines: &Lines<'_>) -> lsp::Diagnostic {
    let related = d.also.iter().map(|(span, words)| lsp::DiagnosticRelatedInformation {
        location: Location { uri: uri.clone(), range: lines.range(*span) },
        message: words.clone(),
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: lines.range(d.span),
        severity: Some(match d.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(d.code.to_string())),
        code_description: explained(&d.code.to_string()),
        source: Some("banneret".into()),
        message: message(&d.headline, &d.notes, d.help.as_deref()),
        related_information: (!related.is_empty()).then_some(related),
        tags: d.code.is_about_something_unnecessary().then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..Default::default()
    }
}

pub fn problem(p: &ProjectProblem, lines: &Lines<'_>) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range: lines.range(p.span.unwrap_or(Span::new(0, 0))),
        severity: Some(lsp::DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(p.code.to_string())),
        code_description: explained(&p.code.to_string()),
        source: Some("banneret".into()),
        message: message(&p.headline, &[], p.help.as_deref()),
        ..Default::default()
    }
}

/// Where it is told what a message means.
fn explained(code: &str) -> Option<lsp::CodeDescription> {
    library::page(code).map(|href| lsp::CodeDescription { href })
}

fn message(headline: &str, notes: &[String], help: Option<&str>) -> String {
    let mut out = headline.to_owned();
    for line in notes.iter().map(String::as_str).chain(help) {
        out.push('\n');
        out.push_str(line);
    }
    out
}

pub fn edit(lines: &Lines<'_>, span: Span, text: &str) -> TextEdit {
    TextEdit { range: lines.range(span), new_text: text.to_owned() }
}
