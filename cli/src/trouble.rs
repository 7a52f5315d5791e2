//! What goes wrong around the sources: a path that is not there, a manifest that cannot be read. Shown by miette.

use std::fmt;
use std::io;
use std::path::Path;

use banneret_compiler::diagnostic::ProjectProblem;
use banneret_projects::ReadError;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

use crate::terminal::{Terminal, harmless};

/// The command could not do its work. Ends it with exit code 2.
#[derive(Debug)]
pub struct Trouble {
    headline: String,
    help: Option<String>,
    code: Option<&'static str>,
    // boxed: every result carries the size of this
    source: Option<Box<NamedSource<String>>>,
    span: Option<(usize, usize)>,
}

impl Trouble {
    pub fn new(headline: impl Into<String>) -> Self {
        Self { headline: headline.into(), help: None, code: None, source: None, span: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Something could not be done with a file or folder.
    pub fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        ReadError::file(doing, path, error).into()
    }

    /// A problem of a project, with the manifest it stands in.
    pub fn project(problem: &ProjectProblem, manifest: Option<&str>) -> Self {
        let named = |text: &str| {
            let name = problem.file.clone().unwrap_or_default();
            Box::new(NamedSource::new(name, text.to_owned()))
        };
        let length = manifest.map_or(0, str::len);
        let span = problem.span.map(|s| {
            let start = (s.start as usize).min(length);
            (start, (s.end as usize).clamp(start, length) - start)
        });
        Self {
            headline: problem.headline.clone(),
            help: problem.help.clone(),
            code: Some(problem.code.as_str()),
            source: manifest.filter(|_| problem.span.is_some()).map(named),
            span,
        }
    }

    /// As text, for the given terminal.
    pub fn rendered(&self, color: bool, width: usize) -> String {
        let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
        let mut text = String::new();
        match handler.render_report(&mut text, self) {
            Ok(()) => text,
            Err(_) => format!("{self}\n"),
        }
    }

    pub fn print(&self, terminal: &Terminal) {
        use std::io::Write as _;
        let text = self.rendered(terminal.error_color, terminal.width);
        let _ = write!(io::stderr(), "{}", harmless(&text, terminal.error_color));
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline)
    }
}

impl std::error::Error for Trouble {}

impl Diagnostic for Trouble {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (start, length) = self.span?;
        Some(Box::new(std::iter::once(LabeledSpan::new(None, start, length))))
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Self {
        Self { help: error.help, ..Self::new(error.headline) }
    }
}

/// Only output is written with `?` on a plain [`io::Error`]; files are named with [`Trouble::file`].
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::new(format!("Cannot write the output: {error}."))
    }
}
