//! The reserved words, and what to say when one is used as a name.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::error::SyntaxError;
use crate::span::Span;

/// The words that start an item, a rule line or a statement, or stand in an expression. They cannot be names.
pub const RESERVED: &[&str] = &[
    "use",
    "ruleset",
    "enum",
    "kind",
    "define",
    "fact",
    "table",
    "action",
    "phase",
    "keyword",
    "limit",
    "face",
    "test",
    "state",
    "resource",
    "says",
    "grant",
    "before",
    "after",
    "instead",
    "at",
    "cannot",
    "must",
    "once",
    "let",
    "if",
    "else",
    "for",
    "repeat",
    "need",
    "choose",
    "may",
    "do",
    "alternate",
    "pass",
    "proceed",
    "together",
    "todo",
    "and",
    "or",
    "not",
    "is",
    "in",
    "of",
    "where",
    "within",
    "past",
    "this",
    "you",
    "given",
    "expect",
    "to",
    "from",
    "by",
    "with",
    "on",
    "into",
    "against",
    "using",
    "as",
    "until",
    "while",
    "such",
    "blame",
    "covers",
    "starting",
    "rounded",
];

static RESERVED_SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| RESERVED.iter().copied().collect());

pub fn is_reserved(word: &str) -> bool {
    RESERVED_SET.contains(word)
}

/// The words that introduce an argument of a sentence.
pub fn is_preposition(word: &str) -> bool {
    matches!(word, "to" | "from" | "by" | "with" | "on" | "into" | "against" | "for" | "using" | "at")
}

pub(crate) fn reserved_error(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new(Code::ReservedWord, at, format!("`{word}` is a word of the language and cannot be a name."))
        .help(format!("Use another name, for example `{word}_`."))
        .fix(at, format!("{word}_"))
}

/// The same where a name is used: nothing is called like that.
pub(crate) fn reserved_use(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new(Code::ReservedWord, at, format!("`{word}` is a word of the language and cannot be a name."))
        .help("If it is none here, something before it is missing or misspelt.")
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::*;
    use crate::parse::{Grammar, Rule};

    #[test]
    fn words_that_end_an_expression() {
        for word in RESERVED {
            let stops = Grammar::parse(Rule::stop, word).is_ok();
            assert_eq!(stops, !["this", "you", "past", "if", "table"].contains(word), "{word}");
        }
        assert!(Grammar::parse(Rule::stop, "of_").is_err());
        assert!(Grammar::parse(Rule::stop, "weapon").is_err());
    }
}
