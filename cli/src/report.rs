//! Everything a check found, in one form for all renderers.

use std::collections::{BTreeMap, BTreeSet};

use banneret_compiler::diagnostic::{Code, Diagnostic, Fix, Located, ProjectProblem, Severity};
use banneret_grammar::span::Span;

use crate::lines::{Lines, Place};
use crate::sources::Project;
use crate::sources::library::library_text;

/// One mistake: in a source, or of a project as a whole.
#[derive(Clone, Debug)]
pub struct Finding {
    pub file: String,
    pub code: Code,
    pub severity: Severity,
    pub headline: String,
    /// None for problems that have no place.
    pub span: Option<Span>,
    pub also: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Option<String>,
    pub fixes: Vec<Fix>,
    /// Of the project, not of a source.
    pub project: bool,
}

/// Start and end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: Place,
    pub end: Place,
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    /// Texts by path, manifests included.
    texts: BTreeMap<String, Lines>,
    pub files: usize,
    pub cards: usize,
    pub todos: usize,
}

impl Report {
    /// Puts in what was found in one project, its own problems first.
    pub fn add(&mut self, project: &Project, found: &[Located], problems: &[ProjectProblem]) {
        for problem in project.problems.iter().chain(problems) {
            self.findings.push(of_project(problem, &project.root));
        }
        if let Some((file, text)) = &project.manifest_text {
            self.add_text(file, text);
        }
        let readable = found.iter().filter(|l| !project.is_no_text(&l.file)).cloned();
        let mut found: Vec<Located> = project.not_utf8().chain(readable).filter(|l| project.is_wanted(&l.file)).collect();
        found.sort_by(|a, b| (&a.file, a.diagnostic.span).cmp(&(&b.file, b.diagnostic.span)));
        for located in found {
            if let Some(text) = project.needed.text(&located.file) {
                self.add_text(&located.file, text);
            }
            self.find(of_source(located.file, located.diagnostic));
        }
        for file in &project.files {
            self.add_text(&file.shown, &file.text);
        }
        self.files += project.files.iter().filter(|f| project.is_wanted(&f.shown)).count();
    }

    /// Puts in one mistake. It may stand in a library: its lines are shown too.
    pub fn find(&mut self, finding: Finding) {
        if !self.texts.contains_key(&finding.file)
            && let Some(text) = library_text(&finding.file)
        {
            self.add_text(&finding.file, &text);
        }
        self.findings.push(finding);
    }

    fn add_text(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_owned(), Lines::new(text.to_owned()));
    }

    pub fn text(&self, file: &str) -> &str {
        self.texts.get(file).map_or("", Lines::text)
    }

    /// Where a span of a file is.
    pub fn range(&self, file: &str, span: Span) -> Range {
        let nowhere = Place { line: 1, column: 1 };
        let place = |offset| self.texts.get(file).map_or(nowhere, |lines| lines.place(offset));
        Range { start: place(span.start), end: place(span.end.max(span.start)) }
    }

    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|f| f.severity == Severity::Error).count()
    }

    pub fn warnings(&self) -> usize {
        self.findings.len() - self.errors()
    }

    /// The last line for people.
    pub fn summary(&self) -> String {
        let todos = match self.todos {
            0 => String::new(),
            n => format!(" {} still to be written.", counted(n, "`todo` is", "`todo`s are")),
        };
        if self.findings.is_empty() {
            let cards = counted(self.cards, "card", "cards");
            return format!("Everything is fine: {cards} in {}.{todos}", counted(self.files, "file", "files"));
        }
        let mut parts = Vec::new();
        if self.errors() > 0 {
            parts.push(counted(self.errors(), "error", "errors"));
        }
        if self.warnings() > 0 {
            parts.push(counted(self.warnings(), "warning", "warnings"));
        }
        let files: BTreeSet<&str> = self.findings.iter().map(|f| f.file.as_str()).collect();
        format!("{} in {}", parts.join(", "), counted(files.len(), "file", "files"))
    }
}

pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

pub fn of_source(file: String, d: Diagnostic) -> Finding {
    Finding {
        file,
        code: d.code,
        severity: d.severity,
        headline: d.headline,
        span: Some(d.span),
        also: d.also,
        notes: d.notes,
        help: d.help,
        fixes: d.fixes,
        project: false,
    }
}

fn of_project(problem: &ProjectProblem, root: &str) -> Finding {
    Finding {
        file: problem.file.clone().unwrap_or_else(|| root.to_owned()),
        code: problem.code,
        severity: Severity::Error,
        headline: problem.headline.clone(),
        span: problem.span,
        also: Vec::new(),
        notes: Vec::new(),
        help: problem.help.clone(),
        fixes: Vec::new(),
        project: true,
    }
}
