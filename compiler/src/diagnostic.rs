//! One kind of message for every mistake, wherever it is shown.
//!
//! The headline says what is wrong and stands alone in one line; only `help` says what to do.

pub use banneret_grammar::code::Code;
use banneret_grammar::span::Span;
use serde::Serialize;
use smol_str::SmolStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// Something wrong in an item; spans are relative to the item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub headline: String,
    pub span: Span,
    /// Other places in the same item.
    pub also: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Option<String>,
    pub fixes: Vec<Fix>,
    /// What is named at the place and declared nowhere, so that an editor can offer to write it.
    pub missing: Option<Missing>,
}

/// Something that could be declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A card of a kind, by the key of the kind.
    Card(SmolStr),
    Keyword,
    /// A value of an enum that may be added to, by the key of the enum.
    Member(SmolStr),
}

/// A repair: edits in the same item. Safe ones may be applied without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<(Span, String)>,
    pub safe: bool,
}

/// A code, or its name where a message is made.
pub trait IntoCode {
    fn into_code(self) -> Code;
}

impl IntoCode for Code {
    fn into_code(self) -> Code {
        self
    }
}

impl IntoCode for &'static str {
    fn into_code(self) -> Code {
        let code = Code::named(self);
        debug_assert!(code.is_some(), "there is no code {self}: add it to grammar/src/code.rs");
        code.unwrap_or(Code::CannotBuild)
    }
}

impl Diagnostic {
    pub fn error(code: impl IntoCode, span: Span, headline: impl Into<String>) -> Self {
        Self {
            code: code.into_code(),
            severity: Severity::Error,
            headline: headline.into(),
            span,
            also: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
            missing: None,
        }
    }

    pub fn warning(code: impl IntoCode, span: Span, headline: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, headline) }
    }

    pub fn also(mut self, span: Span, words: impl Into<String>) -> Self {
        self.also.push((span, words.into()));
        self
    }

    pub fn note(mut self, words: impl Into<String>) -> Self {
        self.notes.push(words.into());
        self
    }

    pub fn help(mut self, words: impl Into<String>) -> Self {
        self.help = Some(words.into());
        self
    }

    /// Whether it names this rule as broken.
    pub fn is_breaking(&self, rule: &str) -> bool {
        let listed = self.headline.strip_suffix(')').and_then(|words| words.rsplit_once(" ("));
        listed.is_some_and(|(_, ids)| ids.split(", ").any(|id| id == rule))
    }

    /// Names the rules that are broken, by their numbers and each once: "… (AB-001, AB-R02)".
    pub fn breaks<S: AsRef<str>>(mut self, rules: &[S]) -> Self {
        let mut ids: Vec<&str> = Vec::new();
        for id in rules.iter().map(AsRef::as_ref) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if !ids.is_empty() {
            self.headline.push_str(&format!(" ({})", ids.join(", ")));
        }
        self
    }

    /// What stands at the place is declared nowhere.
    pub fn missing(mut self, what: Missing) -> Self {
        self.missing = Some(what);
        self
    }

    /// A repair that replaces one span.
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Self {
        self.fixes.push(Fix { title: title.into(), edits: vec![(span, text.into())], safe });
        self
    }
}

/// A diagnostic placed in a file: what renderers show. Offsets are bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    pub file: String,
    pub diagnostic: Diagnostic,
}

/// Something wrong with a project as a whole (its manifest, its folders): no item to point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectProblem {
    pub code: Code,
    pub headline: String,
    /// The manifest's path, with byte offsets into it where known.
    pub file: Option<String>,
    pub span: Option<Span>,
    pub help: Option<String>,
}
