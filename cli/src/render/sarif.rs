//! SARIF 2.1.0: one document with one run, for code scanning services.

use std::collections::BTreeSet;
use std::io::{self, Write};

use banneret_grammar::span::Span;
use serde_json::{Map, Value, json};

use crate::pages;
use crate::report::{Finding, Report, severity_word};

pub fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let codes: Vec<&str> = report.findings.iter().map(|f| f.code.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let results: Vec<Value> = report.findings.iter().map(|f| result(f, &codes, report)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "banneret",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn rule(code: &str) -> Value {
    let mut rule = Map::new();
    rule.insert("id".to_owned(), json!(code));
    if let Some(page) = pages::page(code) {
        rule.insert("shortDescription".to_owned(), json!({ "text": pages::first_sentence(page) }));
        rule.insert("help".to_owned(), json!({ "text": page, "markdown": page }));
    }
    Value::Object(rule)
}

fn result(finding: &Finding, codes: &[&str], report: &Report) -> Value {
    let mut text = finding.headline.clone();
    for more in finding.notes.iter().chain(&finding.help) {
        text.push('\n');
        text.push_str(more);
    }
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), json!(finding.code.as_str()));
    result.insert("ruleIndex".to_owned(), json!(codes.iter().position(|code| *code == finding.code.as_str())));
    result.insert("level".to_owned(), json!(severity_word(finding.severity)));
    result.insert("message".to_owned(), json!({ "text": text }));
    result.insert("locations".to_owned(), json!([location(finding, finding.span, report)]));
    if !finding.also.is_empty() {
        let related: Vec<Value> = finding
            .also
            .iter()
            .map(|(span, words)| {
                let mut place = location(finding, Some(*span), report);
                place["message"] = json!({ "text": words });
                place
            })
            .collect();
        result.insert("relatedLocations".to_owned(), json!(related));
    }
    if !finding.fixes.is_empty() {
        let fixes: Vec<Value> = finding
            .fixes
            .iter()
            .map(|fix| {
                let replacement = |(span, text): &(Span, String)| {
                    json!({
                        "deletedRegion": region(finding, *span, report),
                        "insertedContent": { "text": text },
                    })
                };
                json!({
                    "description": { "text": fix.title },
                    "artifactChanges": [{
                        "artifactLocation": { "uri": uri(&finding.file) },
                        "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
                    }],
                })
            })
            .collect();
        result.insert("fixes".to_owned(), json!(fixes));
    }
    Value::Object(result)
}

fn location(finding: &Finding, span: Option<Span>, report: &Report) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&finding.file) } });
    if let Some(span) = span {
        place["region"] = region(finding, span, report);
    }
    json!({ "physicalLocation": place })
}

fn region(finding: &Finding, span: Span, report: &Report) -> Value {
    let range = report.range(&finding.file, span);
    json!({
        "startLine": range.start.line,
        "startColumn": range.start.column,
        "endLine": range.end.line,
        "endColumn": range.end.column,
    })
}

/// A relative path is a relative reference; anything unusual is written as %XX.
fn uri(path: &str) -> String {
    let mut result = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            result.push(char::from(byte));
        } else {
            result.push_str(&format!("%{byte:02X}"));
        }
    }
    if path.starts_with('/') { format!("file://{result}") } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a b/ü.banner"), "a%20b/%C3%BC.banner");
        assert_eq!(uri("/x/y"), "file:///x/y");
    }
}
