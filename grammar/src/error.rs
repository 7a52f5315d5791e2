//! What is wrong with a text, in words for people who never programmed.

use crate::code::Code;
use crate::span::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub code: Code,
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
    /// Replace this span by this text.
    pub fix: Option<(Span, String)>,
}

impl SyntaxError {
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
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
