//! The reserved words, and what to say when one is used as a name.

use crate::error::SyntaxError;
use crate::span::Span;

macro_rules! reserved {
    ($($word:literal)*) => {
        /// The words that start an item, a rule line or a statement, or stand in an expression. They cannot be names.
        pub const RESERVED: &[&str] = &[$($word),*];

        pub fn is_reserved(word: &str) -> bool {
            matches!(word, $($word)|*)
        }
    };
}

reserved! {
    "use" "ruleset" "enum" "kind" "define" "fact" "table" "action" "phase" "keyword" "limit" "face" "test"
    "state" "resource" "says" "grant" "before" "after" "instead" "at" "cannot" "once"
    "let" "if" "else" "for" "repeat" "need" "choose" "may" "do" "alternate" "pass" "proceed" "together" "todo"
    "and" "or" "not" "is" "in" "of" "where" "within" "past" "this" "you"
    "given" "expect"
    "to" "from" "by" "with" "on" "into" "against" "using" "as" "until" "while" "such" "blame" "covers" "starting" "rounded"
}

/// The words that introduce an argument of a sentence.
pub fn is_preposition(word: &str) -> bool {
    matches!(word, "to" | "from" | "by" | "with" | "on" | "into" | "against" | "for" | "using" | "at")
}

pub(crate) fn reserved_error(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new("reserved-word", at, format!("`{word}` is a word of the language and cannot be a name."))
        .help(format!("Use another name, for example `{word}_`."))
        .fix(at, format!("{word}_"))
}
