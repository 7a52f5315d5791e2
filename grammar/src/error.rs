//! What is wrong with a text, in words for people who never programmed.

use crate::span::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// kebab-case, stable: the name of its page in the documentation.
    pub code: &'static str,
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
    /// Replace this span by this text.
    pub fix: Option<(Span, String)>,
}

impl SyntaxError {
    pub(crate) fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None, fix: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some((span, text.into()));
        self
    }
}
